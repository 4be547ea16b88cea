/**
 * Output longer than the screen, a page at a time: the keys of more(1) and less(1), as a state machine that is given lines and keys and
 * says what the terminal is to be sent. It starts nothing and reads nothing.
 */
import { textWidth } from "../display/character-width.ts";

/** A key as node:readline names it, with the text that it types. */
export interface PagerKey {
  readonly text: string | undefined;
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
}

export interface Screen {
  readonly rows: number;
  readonly columns: number;
}

/** "printing": takes what comes. "asking": waits for a key. "typing": the text to search for. "seeking", "ending": goes on without printing. */
type Mode = "printing" | "asking" | "typing" | "seeking" | "ending";

/** Lines kept to go back over; older ones are forgotten. */
const MOST_LINES = 200_000;
const CLEAR_ROW = "\r\u001b[K";
const CLEAR_SCREEN = "\u001b[H\u001b[2J";
const SEQUENCE = /\u001b\[[\d;]*m/g;
const KEYS = "space: page  return: row  b: back  /: search  n: next  g: first  G: last  q: quit";

export class Pager {
  readonly #screen: Screen;
  readonly #lines: string[] = [];
  /** False where the last line may go on. */
  #isWhole = true;
  /** Index of the line that is printed next, and the part of it that was. */
  #next = 0;
  #shownOf = 0;
  /** Rows that may be printed before a key is asked for. */
  #room: number;
  #mode: Mode = "printing";
  #isEnded = false;
  #query = "";
  #seekFrom = 0;
  #hasQuit = false;

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#room = this.#page;
  }

  /** True while it waits for a key. */
  get isAsking(): boolean {
    return !this.#hasQuit && (this.#mode === "asking" || this.#mode === "typing");
  }

  get hasQuit(): boolean {
    return this.#hasQuit;
  }

  /** Takes more output; gives what the terminal is sent. */
  add(text: string): string {
    if (text === "") return "";
    const [first = "", ...others] = text.split("\n");
    if (this.#isWhole) this.#lines.push(first);
    else this.#lines.push(`${this.#lines.pop() ?? ""}${first}`);
    for (const line of others) this.#lines.push(line);
    this.#isWhole = text.endsWith("\n");
    if (this.#isWhole) this.#lines.pop();
    const forgotten = Math.min(this.#lines.length - MOST_LINES, this.#next);
    if (forgotten > 0) {
      this.#lines.splice(0, forgotten);
      this.#next -= forgotten;
      this.#seekFrom = Math.max(0, this.#seekFrom - forgotten);
    }
    return this.#goOn();
  }

  /** Takes the end of the output. */
  end(): string {
    this.#isEnded = true;
    return this.#goOn();
  }

  /** Obeys a key while it asks for one. */
  press(key: PagerKey): string {
    if (this.#mode === "typing") return this.#type(key);
    const name = key.text !== undefined && /^[!-~ ]$/.test(key.text) ? key.text : (key.name ?? "");
    if (key.ctrl === true) return key.name === "c" || key.name === "d" ? this.#quit() : "";
    switch (name) {
      case " ":
      case "space":
      case "f":
      case "pagedown":
        return this.#forward(this.#page);
      case "d":
        return this.#forward(Math.max(1, Math.floor(this.#page / 2)));
      case "return":
      case "enter":
      case "j":
      case "down":
        return this.#forward(1);
      case "b":
      case "pageup":
        return this.#redraw(this.#pageBefore(this.#pageBefore(this.#next)));
      case "k":
      case "up":
        return this.#redraw(Math.max(0, this.#pageBefore(this.#next) - 1));
      case "g":
      case "home":
        return this.#redraw(0);
      case "G":
      case "end":
        this.#mode = "ending";
        return `${CLEAR_ROW}${this.#goOn()}`;
      case "/":
        this.#mode = "typing";
        this.#query = "";
        return `${CLEAR_ROW}/`;
      case "n":
        return this.#seek();
      case "q":
      case "Q":
        return this.#quit();
      default:
        return this.#ask(KEYS);
    }
  }

  get #page(): number {
    return Math.max(1, this.#screen.rows - 1);
  }

  #goOn(): string {
    switch (this.#mode) {
      case "printing":
        return this.#print();
      case "seeking":
        return this.#find();
      case "ending":
        return this.#isEnded ? this.#redraw(this.#pageBefore(this.#lines.length)) : "";
      case "asking":
      case "typing":
        return "";
    }
  }

  /** Prints as far as there is room. */
  #print(): string {
    let out = "";
    while (this.#next < this.#lines.length) {
      const line = this.#lines[this.#next] ?? "";
      const isWhole = this.#isWhole || this.#next < this.#lines.length - 1;
      if (this.#shownOf === 0) {
        if (this.#room <= 0) return out + this.#ask("--More--");
        this.#room -= this.#rowsOf(line);
      }
      out += line.slice(this.#shownOf);
      if (!isWhole) {
        this.#shownOf = line.length;
        return out;
      }
      out += "\n";
      this.#next++;
      this.#shownOf = 0;
    }
    return out;
  }

  #ask(text: string): string {
    this.#mode = "asking";
    return `${CLEAR_ROW}\u001b[7m${text.slice(0, this.#screen.columns - 1)}\u001b[0m`;
  }

  #forward(rows: number): string {
    this.#mode = "printing";
    this.#room = rows;
    return `${CLEAR_ROW}${this.#print()}`;
  }

  /** Draws the page that begins with the line `from`. */
  #redraw(from: number): string {
    this.#mode = "printing";
    this.#next = from;
    this.#shownOf = 0;
    this.#room = this.#page;
    return `${CLEAR_SCREEN}${this.#print()}`;
  }

  #quit(): string {
    this.#hasQuit = true;
    return CLEAR_ROW;
  }

  #type({ text, name, ctrl }: PagerKey): string {
    if (name === "return" || name === "enter") return this.#seek();
    if (name === "escape" || ctrl === true) return this.#ask("--More--");
    if (name === "backspace") this.#query = this.#query.slice(0, -1);
    else if (text !== undefined && /^[^\p{Cc}]+$/u.test(text)) this.#query += text;
    return `${CLEAR_ROW}/${this.#query}`;
  }

  /** Looks for the query behind the first line of this page. */
  #seek(): string {
    if (this.#query === "") return this.#ask("--More--");
    this.#mode = "seeking";
    this.#seekFrom = this.#pageBefore(this.#next) + 1;
    return `${CLEAR_ROW}${this.#find()}`;
  }

  #find(): string {
    for (; this.#seekFrom < this.#lines.length; this.#seekFrom++) {
      if (this.#lines[this.#seekFrom]?.replace(SEQUENCE, "").includes(this.#query) === true) return this.#redraw(this.#seekFrom);
    }
    return this.#isEnded ? this.#ask(`no more lines with '${this.#query}'`) : "";
  }

  /** First line of the page that ends before the line `end`. */
  #pageBefore(end: number): number {
    let rows = 0;
    let at = end;
    while (at > 0) {
      rows += this.#rowsOf(this.#lines[at - 1] ?? "");
      if (rows > this.#page) break;
      at--;
    }
    return at;
  }

  #rowsOf(line: string): number {
    return Math.max(1, Math.ceil(textWidth(line.replace(SEQUENCE, "").replaceAll("\t", "        ")) / this.#screen.columns));
  }
}
