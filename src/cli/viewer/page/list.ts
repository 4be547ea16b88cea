/** The list of entries: pages of rows, each a link, of which one can be reached by Tab and the others by the arrow keys. */
import type { Row } from "../pages.ts";
import { counted, find, make, number, time } from "./elements.ts";
import type { ListPage } from "./server.ts";

interface Item {
  readonly item: HTMLLIElement;
  readonly link: HTMLAnchorElement;
  readonly row: Row;
}

export class List {
  readonly #list = find("timeline", HTMLOListElement);
  readonly #hrefOf: (row: Row) => string;
  #items: Item[] = [];
  #current: string | undefined;
  #matched = 0;

  constructor(hrefOf: (row: Row) => string) {
    this.#hrefOf = hrefOf;
    this.#list.addEventListener("keydown", (event) => this.#move(event));
  }

  /** Shows the first page alone. */
  replace(page: ListPage): void {
    const focused = this.#items.find(({ link }) => link === document.activeElement)?.row.key;
    this.#items = page.rows.map((row) => this.#itemOf(row));
    this.#list.replaceChildren(...this.#items.map(({ item }) => item));
    this.#arrange(page);
    const again = this.#items.find(({ row }) => row.key === focused) ?? this.#items[0];
    if (focused !== undefined && again !== undefined) this.#focus(again);
  }

  /** Adds the page after the last; the first row that was added gets the focus. */
  add(page: ListPage): void {
    const known = new Set(this.#items.map(({ row }) => row.key));
    const items = page.rows.filter(({ key }) => !known.has(key)).map((row) => this.#itemOf(row));
    this.#items.push(...items);
    this.#list.append(...items.map(({ item }) => item));
    this.#arrange(page);
    const [first] = items;
    if (first !== undefined) this.#focus(first);
  }

  /**
   * Puts what is new in the first page before the rows that are shown, which stay with the focus. False where none of these is in
   * the page: more came than a page holds, or rows went.
   */
  refresh(page: ListPage): boolean {
    const first = this.#items[0]?.row.key;
    const until = first === undefined ? page.rows.length : page.rows.findIndex(({ key }) => key === first);
    if (until < 0) return false;
    const items = page.rows.slice(0, until).map((row) => this.#itemOf(row));
    this.#list.prepend(...items.map(({ item }) => item));
    const [old, now] = [this.#items[0], page.rows[until]];
    if (old !== undefined && now !== undefined && now.kind === "group" && (old.row.kind !== "group" || old.row.count !== now.count)) {
      old.link.replaceChildren(...contentOf(now));
      this.#items[0] = { ...old, row: now };
    }
    this.#items.unshift(...items);
    this.#arrange(page);
    return true;
  }

  /** Number of entries in the rows that are shown. */
  get shown(): number {
    return this.#items.reduce((sum, { row }) => sum + (row.kind === "group" ? row.count : 1), 0);
  }

  get matched(): number {
    return this.#matched;
  }

  /** Marks the row of the entry that is open. */
  mark(key: string | undefined): void {
    this.#current = key;
    for (const { row, link } of this.#items) {
      if (row.key === key) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    this.#rove();
  }

  /** Focus on the row that is open, else on the first; false where there is none. */
  focus(): boolean {
    const item = this.#reachable;
    if (item === undefined) return false;
    this.#focus(item);
    return true;
  }

  #arrange({ matched }: ListPage): void {
    this.#matched = matched;
    this.mark(this.#current);
  }

  #itemOf(row: Row): Item {
    const link = make("a", { href: this.#hrefOf(row), class: `row ${row.kind}`, tabindex: "-1" }, ...contentOf(row));
    link.addEventListener("focus", () => {
      for (const each of this.#items) each.link.tabIndex = each.link === link ? 0 : -1;
    });
    return { item: make("li", {}, link), link, row };
  }

  /** One row can be reached by Tab: the one that has the focus, else the one that is open, else the one that was, else the first. */
  #rove(): void {
    const focused = this.#items.find(({ link }) => link === document.activeElement);
    const one = focused ?? this.#items.find(({ row }) => row.key === this.#current) ?? this.#reachable ?? this.#items[0];
    for (const { link } of this.#items) link.tabIndex = link === one?.link ? 0 : -1;
  }

  get #reachable(): Item | undefined {
    return this.#items.find(({ link }) => link.tabIndex === 0);
  }

  #focus({ link }: Item): void {
    link.focus();
    link.scrollIntoView({ block: "nearest" });
  }

  #move(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = this.#items.findIndex(({ link }) => link === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: this.#items.length - 1, PageDown: at + 10, PageUp: at - 10 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    const item = this.#items[Math.max(0, Math.min(this.#items.length - 1, to))];
    if (item !== undefined) this.#focus(item);
  }
}

function contentOf(row: Row): Node[] {
  const chip = make("span", { class: `chip ${row.change.replace(/\W.*$/s, "")}`, text: row.change });
  const who = make("span", { class: "who", text: row.approval === "" ? row.author : `${row.author} · approved by ${row.approval}` });
  const at = time(row.ts);
  const command = make("span", { class: "command", text: row.command });
  if (row.kind === "group") {
    const more = row.paths.length < row.count ? " …" : "";
    return [
      make("span", { class: "line" }, make("span", { class: "file", text: counted(row.count, "write") }), chip, at),
      make("span", { class: "line" }, make("span", { class: "command", text: `${row.paths.join(", ")}${more}` })),
      make("span", { class: "line" }, command, who),
    ];
  }
  const name = row.kind === "write" ? row.path : row.ending?.reason || `exit ${number(row.ending?.exit ?? 0)}`;
  return [
    make("span", { class: "line" }, make("span", { class: "file", text: name }), chip, at),
    make("span", { class: "line" }, command, who),
  ];
}
