/** Incremental search through the commands typed before, as Ctrl-R of bash (GNU readline, "Searching for Commands in the History"). */

/** A key as node:readline names it, with the text that it types. */
export interface SearchKey {
  readonly text: string | undefined;
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

/** The line to go on with. `obeys`: the key that ended the search has its own effect on it. */
export interface SearchEnd {
  readonly line: string;
  readonly cursor: number;
  readonly obeys: boolean;
}

interface Found {
  readonly query: string;
  /** Index of the command found, the newest being 0; -1 for the line as it was typed. */
  readonly at: number;
  readonly failed: boolean;
}

export class HistorySearch {
  readonly #commands: readonly string[];
  readonly #typed: string;
  readonly #typedCursor: number;
  /** The query of the search before, which Ctrl-R alone takes again. */
  readonly #lastQuery: string;
  /** Each state that a key has led to, which Backspace goes back over. */
  readonly #states: Found[] = [];
  #now: Found = { query: "", at: -1, failed: false };
  #forward = false;

  /** `commands`: the newest first. `line` and `cursor`: as they were typed, for Ctrl-G to go back to. */
  constructor(commands: readonly string[], line: string, cursor: number, lastQuery: string) {
    this.#commands = commands;
    this.#typed = line;
    this.#typedCursor = cursor;
    this.#lastQuery = lastQuery;
  }

  get query(): string {
    return this.#now.query;
  }

  /** The text that stands in place of the prompt. */
  get prompt(): string {
    return `(${this.#now.failed ? "failed " : ""}${this.#forward ? "i-search" : "reverse-i-search"})\`${this.#now.query}': `;
  }

  /** The command found, or the line as it was typed. */
  get line(): string {
    return this.#now.at < 0 ? this.#typed : (this.#commands[this.#now.at] ?? this.#typed);
  }

  /** Place of the query in the command found. */
  get cursor(): number {
    return this.#now.at < 0 ? this.#typedCursor : Math.max(this.line.indexOf(this.#now.query), 0);
  }

  /** Obeys `key`; gives the end of the search, or undefined where it goes on. */
  press(key: SearchKey): SearchEnd | undefined {
    const { text, name, ctrl = false, meta = false } = key;
    if (ctrl && name === "r") return this.#again(false);
    if (ctrl && name === "s") return this.#again(true);
    if (ctrl && (name === "g" || name === "c")) return { line: this.#typed, cursor: this.#typedCursor, obeys: name === "c" };
    if (name === "backspace" || (ctrl && name === "h")) {
      this.#now = this.#states.pop() ?? this.#now;
      return undefined;
    }
    if (!ctrl && !meta && text !== undefined && /^[^\p{Cc}]+$/u.test(text)) {
      this.#seek(this.#now.query + text, Math.max(this.#now.at, 0));
      return undefined;
    }
    return { line: this.line, cursor: this.cursor, obeys: name !== "escape" };
  }

  #again(forward: boolean): undefined {
    this.#forward = forward;
    const query = this.#now.query === "" ? this.#lastQuery : this.#now.query;
    if (query === "") return;
    this.#seek(query, this.#now.at < 0 ? 0 : this.#now.at + (forward ? -1 : 1));
  }

  /** Goes to the first command from `from` on that holds `query`; stays where there is none. */
  #seek(query: string, from: number): void {
    this.#states.push(this.#now);
    const step = this.#forward ? -1 : 1;
    for (let at = from; at >= 0 && at < this.#commands.length; at += step) {
      if (this.#commands[at]?.includes(query) !== true) continue;
      this.#now = { query, at, failed: false };
      return;
    }
    this.#now = { query, at: this.#now.at, failed: true };
  }
}
