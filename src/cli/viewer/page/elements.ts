/** Elements of the page. Everything that comes from the audit becomes text, never markup. */

/** The element of the page's markup with this id. Throws where there is none of this class. */
export function find<E extends HTMLElement>(id: string, type: new () => E): E {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the page has no ${id}`);
  return element;
}

export interface Attributes {
  readonly [name: string]: string | boolean | undefined;
}

/** A new element. `text` is its text, `true` an attribute without a value; one that is false or undefined is left out. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  { text, ...attributes }: Attributes & { readonly text?: string } = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

export function button(text: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = make("button", { type: "button", text, ...attributes });
  made.addEventListener("click", act);
  return made;
}

/** A table with its caption and the names of its columns. */
export function table(caption: string, columns: readonly string[], rows: readonly (readonly (Node | string)[])[]): HTMLTableElement {
  return make(
    "table",
    { class: "plain" },
    make("caption", { text: caption }),
    make("thead", {}, make("tr", {}, ...columns.map((text) => make("th", { scope: "col", text })))),
    make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, cell))))),
  );
}

/** Pairs of a name and a value; a value in an element of its own may have buttons beside it. */
export function facts(pairs: readonly (readonly [string, Node | string])[]): HTMLDListElement {
  return make("dl", {}, ...pairs.flatMap(([name, value]) => [make("dt", { text: name }), make("dd", {}, value)]));
}

const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const LONG = new Intl.DateTimeFormat(undefined, {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});

/** The zone in which times are shown. */
export const ZONE = SHORT.resolvedOptions().timeZone;

/** An instant in the zone of the browser; what is none stays as it is. */
export function time(instant: string, isLong = false): HTMLElement {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return make("span", { text: instant });
  return make("time", { datetime: at.toISOString(), title: at.toISOString(), text: (isLong ? LONG : SHORT).format(at) });
}

export const number = (value: number): string => value.toLocaleString();
export const counted = (value: number, one: string, many = `${one}s`): string => `${number(value)} ${value === 1 ? one : many}`;

/** Says a sentence to a screen reader, and shows it nowhere else. */
export function announce(text: string): void {
  find("status", HTMLElement).textContent = text;
}

/** Gives a file to the browser to be saved. */
export function save(content: Blob, name: string): void {
  const href = URL.createObjectURL(content);
  const link = make("a", { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
