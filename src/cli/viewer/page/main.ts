/** The viewer's page: what its address says is shown, and whatever is chosen goes into the address. */
import { hashOf, queryOf, readAddress, type Address } from "./address.ts";
import { entryChange, entryHead, type Context } from "./detail.ts";
import { announce, button, counted, facts, find, make, number, save, table, ZONE } from "./elements.ts";
import { FilterForm } from "./filter-form.ts";
import { List } from "./list.ts";
import { Server, type ListPage } from "./server.ts";

/** Time between two looks for new records, in milliseconds. */
const LIVE_MS = 2000;
const NARROW = window.matchMedia("(max-width: 56rem)");

class ViewerPage {
  readonly #pane = find("shown", HTMLElement);
  readonly #more = find("more", HTMLButtonElement);
  readonly #live = find("live", HTMLInputElement);
  readonly #server: Server;
  readonly #list: List;
  readonly #form: FilterForm;
  #address: Address;
  /** The filters of the list that is shown. */
  #query: string | undefined;
  /** What the pane shows. */
  #inPane: string | undefined;
  #next: string | null = null;
  #version = -1;

  constructor() {
    this.#address = readAddress(location.hash);
    this.#server = new Server(this.#address.token);
    this.#list = new List((row) =>
      row.kind === "group"
        ? this.#linkTo({ filters: { ...this.#address.filters, call: row.call }, shown: undefined })
        : this.#linkTo({ shown: { kind: "entry", key: row.key } }),
    );
    this.#form = new FilterForm((filters, isTyped) => this.#go({ filters, shown: undefined }, isTyped));
    window.addEventListener("popstate", () => this.#show());
    this.#more.addEventListener("click", () => this.#attempt(() => this.#loadMore()));
    find("no", HTMLButtonElement).addEventListener("click", () => find("confirm", HTMLDialogElement).close());
    for (const format of ["csv", "jsonl"] as const) {
      find(format, HTMLButtonElement).addEventListener("click", () => this.#attempt(() => this.#export(format)));
    }
    document.addEventListener("keydown", (event) => this.#key(event));
    find("filter-box", HTMLDetailsElement).open = !NARROW.matches;
    window.setInterval(() => void this.#look(), LIVE_MS);
    this.#show();
  }

  #linkTo(change: Partial<Omit<Address, "token">>): string {
    return hashOf({ ...this.#address, ...change });
  }

  /** `isTyped`: the address is replaced, so that Back does not go letter by letter. */
  #go(change: Partial<Omit<Address, "token">>, isTyped = false): void {
    const hash = this.#linkTo(change);
    if (isTyped) history.replaceState(null, "", hash);
    else history.pushState(null, "", hash);
    this.#show();
  }

  /** Shows what the address says. */
  #show(): void {
    const before = this.#address;
    this.#address = readAddress(location.hash);
    const { filters, shown, token } = this.#address;
    // Another token is the address of another run of the server.
    if (token !== before.token) location.reload();
    this.#form.show(filters);
    for (const [id, view] of [
      ["to-overview", "overview"],
      ["to-verify", "verify"],
    ] as const) {
      find(id, HTMLAnchorElement).href = this.#linkTo({ shown: { kind: view } });
    }
    find("back", HTMLAnchorElement).href = this.#linkTo({ shown: undefined });
    document.body.dataset["view"] = shown === undefined ? "list" : "pane";
    this.#attempt(() => this.#showList());
    this.#attempt(() => this.#showPane());
    if (shown === undefined && before.shown !== undefined && NARROW.matches) this.#list.focus();
  }

  async #showList(): Promise<void> {
    const query = queryOf(this.#address.filters);
    this.#list.mark(this.#address.shown?.kind === "entry" ? this.#address.shown.key : undefined);
    if (query === this.#query) return;
    this.#query = query;
    const page = await this.#server.entries(query, this.#isGrouped);
    if (query !== this.#query) return;
    this.#version = page.version;
    this.#list.replace(page);
    this.#arrange(page, page.next);
    announce(counted(page.matched, "record is shown", "records are shown"));
  }

  /** The writes of one command line or of one file are shown each. */
  get #isGrouped(): boolean {
    const { call, path } = this.#address.filters;
    return call === undefined && path === undefined;
  }

  async #loadMore(): Promise<void> {
    if (this.#next === null) return;
    const page = await this.#server.entries(this.#query ?? "", this.#isGrouped, this.#next);
    this.#list.add(page);
    this.#arrange(page, page.next);
  }

  #arrange(page: ListPage, next: string | null): void {
    const { root, total, matched, facets } = page;
    this.#next = next;
    find("root", HTMLElement).textContent = root;
    if (facets !== undefined) this.#form.offer(facets);
    const of = matched === total ? "" : ` of ${number(total)}`;
    find("count", HTMLElement).textContent = `${number(matched)}${of} ${total === 1 ? "record" : "records"}, newest first. Times: ${ZONE}.`;
    const shown = this.#list.shown;
    this.#more.hidden = next === null;
    find("extent", HTMLElement).textContent =
      matched === 0 ? "" : shown < matched ? `The newest ${number(shown)} of ${number(matched)} are shown.` : "All are shown.";
    find("empty", HTMLElement).hidden = total > 0;
    find("no-match", HTMLElement).hidden = total === 0 || matched > 0;
  }

  async #showPane(): Promise<void> {
    const { shown } = this.#address;
    const name = JSON.stringify([shown ?? "overview", shown?.kind === "entry" ? "" : queryOf(this.#address.filters)]);
    if (name === this.#inPane) return;
    this.#inPane = name;
    const isOpen = (): boolean => this.#inPane === name;
    const context: Context = {
      server: this.#server,
      linkTo: (change) => this.#linkTo(change),
      go: (change) => this.#go(change),
      fail: (error) => this.#fail(error),
    };
    if (shown?.kind === "entry") {
      const entry = await this.#server.entry(shown.key).catch((thrown: unknown) => {
        if (isOpen()) this.#fill([make("h2", { id: "heading", tabindex: "-1", text: "Not shown" })], "Not shown");
        throw thrown;
      });
      if (!isOpen()) return;
      const head = entryHead(entry, context);
      const waiting = make("p", { class: "note waiting", text: "Reading the difference…" });
      this.#fill([...head, ...(entry.kind === "write" ? [waiting] : [])], entry.path || entry.change);
      announce(`${entry.path || entry.change} is open. Right arrow reads it, Escape goes back to the list.`);
      if (NARROW.matches) this.#focusPane();
      if (entry.kind !== "write") return;
      const change = await entryChange(entry, context);
      if (isOpen()) waiting.replaceWith(...change);
      return;
    }
    if (shown?.kind === "verify")
      this.#fill(
        [make("h2", { id: "heading", tabindex: "-1", text: "Integrity" }), make("p", { class: "note waiting", text: "Verifying…" })],
        "Integrity",
      );
    const content = shown?.kind === "verify" ? await this.#verification() : await this.#overview();
    if (!isOpen()) return;
    this.#fill(content, shown === undefined ? undefined : shown.kind === "verify" ? "Integrity" : "Overview");
    if (shown !== undefined) this.#focusPane();
  }

  #fill(content: readonly Node[], title: string | undefined): void {
    this.#pane.replaceChildren(...content);
    find("pane", HTMLElement).scrollTop = 0;
    document.title = `${title === undefined ? "" : `${title} – `}shelpa audit`;
  }

  #focusPane(): void {
    document.getElementById("heading")?.focus();
  }

  async #overview(): Promise<Node[]> {
    const { writes, files, calls, refused, reasons, clients } = await this.#server.overview(queryOf(this.#address.filters));
    const rows = (counts: typeof reasons): [Node, Node][] =>
      counts.map(({ value, count }) => [make("code", { text: value || "none" }), make("span", { class: "count", text: number(count) })]);
    return [
      make("h2", { id: "heading", tabindex: "-1", text: "Overview" }),
      facts([
        ["writes", number(writes)],
        ["files written", number(files)],
        ["calls that wrote nothing", number(calls)],
        ["of these refused", number(refused)],
      ]),
      ...(reasons.length === 0
        ? [make("p", { class: "note", text: "No call was refused." })]
        : [table("Refusals by reason", ["Reason", "Calls"], rows(reasons))]),
      ...(clients.length === 0 ? [] : [table("Records by client", ["Client", "Records"], rows(clients))]),
    ];
  }

  async #verification(): Promise<Node[]> {
    const { records, files, findings } = await this.#server.verification();
    const heading = make("h2", { id: "heading", tabindex: "-1", text: "Integrity" });
    const sum = `${counted(records, "record")} of ${counted(files, "file")}, ${counted(findings.length, "finding")}.`;
    const state = make("p", { class: findings.length === 0 ? "good" : "warn", text: sum });
    if (findings.length === 0) return [heading, state];
    const rows = findings.map(({ severity, code, path, detail }) => [
      make("span", { class: severity === "error" ? "bad" : "warn", text: severity }),
      make("code", { text: code }),
      make("code", { text: path }),
      detail,
    ]);
    return [heading, state, table("Findings", ["Severity", "Code", "File", "Finding"], rows)];
  }

  async #export(format: "csv" | "jsonl"): Promise<void> {
    announce("The records are being exported.");
    save(await this.#server.exported(this.#query ?? "", format), `shelpa-audit.${format}`);
    announce("The records are exported.");
  }

  /** Adds what was recorded since, unless nobody looks. */
  async #look(): Promise<void> {
    if (!this.#live.checked || document.hidden || this.#query === undefined) return;
    try {
      const { version } = await this.#server.version();
      find("lost", HTMLElement).hidden = true;
      if (version === this.#version) return;
      const query = this.#query;
      const page = await this.#server.entries(query, this.#isGrouped);
      if (query !== this.#query) return;
      this.#version = page.version;
      const more = page.matched - this.#list.matched;
      if (this.#list.refresh(page)) this.#arrange(page, this.#list.shown < page.matched ? (this.#next ?? page.next) : null);
      else {
        this.#list.replace(page);
        this.#arrange(page, page.next);
      }
      if (more > 0) announce(counted(more, "new record"));
      if (this.#address.shown === undefined) {
        this.#inPane = undefined;
        await this.#showPane();
      }
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      find("lost", HTMLElement).hidden = false;
    }
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]") !== null) return;
    const { target } = event;
    const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (event.key === "/" && !isField) {
      event.preventDefault();
      find("text", HTMLInputElement).focus();
    } else if (event.key === "Escape" && !isField) {
      if (NARROW.matches && this.#address.shown !== undefined) this.#go({ shown: undefined });
      else this.#list.focus();
    } else if (event.key === "ArrowRight" && target instanceof HTMLElement && target.closest("#timeline") !== null) {
      event.preventDefault();
      this.#focusPane();
    }
  }

  #attempt(act: () => Promise<void>): void {
    act().catch((thrown: unknown) => this.#fail(thrown));
  }

  #fail(thrown: unknown): void {
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    const message = make("p", { class: "bad", role: "alert" }, text, " ");
    message.append(button("Dismiss", () => message.remove(), { class: "small" }));
    for (const waiting of this.#pane.querySelectorAll(".waiting")) waiting.remove();
    this.#pane.prepend(message);
    document.body.dataset["view"] = "pane";
  }
}

new ViewerPage();
