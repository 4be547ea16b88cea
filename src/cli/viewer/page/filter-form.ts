/** The form of the filters: it shows what the address says, and gives what is changed in it. */
import type { Facets } from "../pages.ts";
import type { Address, FilterName } from "./address.ts";
import { button, find, make, number } from "./elements.ts";

const SELECTS = ["kind", "change", "client", "session", "approved"] as const;
/** Values of the select of times that are ages, as the server reads them. */
const BETWEEN = "between";
/** Typing is over when no key was pressed for so long, in milliseconds. */
const PAUSE_MS = 250;

export class FilterForm {
  readonly #change: (filters: Address["filters"], isTyped: boolean) => void;
  readonly #text = find("text", HTMLInputElement);
  readonly #under = find("under", HTMLInputElement);
  readonly #age = find("age", HTMLSelectElement);
  readonly #since = find("since", HTMLInputElement);
  readonly #until = find("until", HTMLInputElement);
  readonly #chips = find("chips", HTMLElement);
  #filters: Address["filters"] = {};
  #typing: number | undefined;

  /** `change` is called with all filters as they are then; `isTyped` while a text is. */
  constructor(change: (filters: Address["filters"], isTyped: boolean) => void) {
    this.#change = change;
    for (const [name, input] of [
      ["text", this.#text],
      ["under", this.#under],
    ] as const) {
      input.addEventListener("input", () => {
        clearTimeout(this.#typing);
        this.#typing = window.setTimeout(() => this.#set({ [name]: input.value }, true), PAUSE_MS);
      });
    }
    for (const name of SELECTS) {
      const select = find(name, HTMLSelectElement);
      select.addEventListener("change", () => this.#set({ [name]: select.value }));
    }
    this.#age.addEventListener("change", () => {
      this.#showBetween();
      if (this.#age.value !== BETWEEN) this.#set({ since: this.#age.value, until: "" });
    });
    for (const [name, input] of [
      ["since", this.#since],
      ["until", this.#until],
    ] as const) {
      input.addEventListener("change", () => this.#set({ [name]: input.value === "" ? "" : new Date(input.value).toISOString() }));
    }
    find("filters", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
  }

  /** Shows the filters of an address. A field that has the focus keeps its text: somebody is typing there. */
  show(filters: Address["filters"]): void {
    this.#filters = filters;
    for (const [input, value = ""] of [
      [this.#text, filters.text],
      [this.#under, filters.under],
    ] as const) {
      if (input !== document.activeElement) input.value = value;
    }
    for (const name of SELECTS) choose(find(name, HTMLSelectElement), filters[name] ?? "");
    const { since = "", until = "" } = filters;
    const isAge = until === "" && Array.from(this.#age.options, ({ value }) => value).includes(since);
    if (isAge && !(since === "" && this.#age.value === BETWEEN)) this.#age.value = since;
    else if (!isAge) {
      this.#age.value = BETWEEN;
      this.#since.value = localText(since);
      this.#until.value = localText(until);
    }
    this.#showBetween();
    const set = Object.keys(filters).length;
    find("filter-count", HTMLElement).textContent = set === 0 ? "" : ` (${set} set)`;
    this.#chips.replaceChildren(
      ...(filters.path === undefined ? [] : [this.#chip("path", `History of ${filters.path}`)]),
      ...(filters.call === undefined ? [] : [this.#chip("call", "Writes of one command line")]),
      ...(set === 0 ? [] : [button("Clear filters", () => this.#change({}, false), { class: "small" })]),
    );
  }

  /** The values that can be chosen. */
  offer(facets: Facets): void {
    for (const name of ["client", "session", "change"] as const) {
      const select = find(name, HTMLSelectElement);
      const [any] = select.options;
      const { values, more } = facets[name];
      const options = values.map(({ value, count }) => make("option", { value, text: `${value || "none"} (${number(count)})` }));
      const left = more === 0 ? [] : [make("option", { disabled: "", text: `and ${number(more)} older: choose a time to see them` })];
      select.replaceChildren(...(any === undefined ? [] : [any]), ...options.filter(({ value }) => value !== ""), ...left);
      choose(select, this.#filters[name] ?? "");
    }
  }

  #showBetween(): void {
    find("between", HTMLElement).hidden = this.#age.value !== BETWEEN;
  }

  #chip(name: FilterName, text: string): Node {
    return make(
      "span",
      { class: "chip" },
      text,
      button("×", () => this.#set({ [name]: "" }), { class: "small", "aria-label": `Remove the filter: ${text}` }),
    );
  }

  #set(changed: Partial<Record<FilterName, string>>, isTyped = false): void {
    const filters = Object.entries({ ...this.#filters, ...changed }).filter(([, value]) => value !== "");
    this.#change(Object.fromEntries(filters), isTyped);
  }
}

/** Selects `value`, which is added where it is none of the options. */
function choose(select: HTMLSelectElement, value: string): void {
  if (!Array.from(select.options).some((option) => option.value === value)) select.append(make("option", { value, text: value }));
  select.value = value;
}

/** An instant in the form of a field of local time. */
function localText(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
