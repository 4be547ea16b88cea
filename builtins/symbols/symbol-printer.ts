/** The lines of `symbols`, of one file. */
import { toBytes } from "../../src/io/text.ts";
import type { Definition } from "./definitions.ts";
import { jsonLine } from "./json-line.ts";
import type { Reference } from "./references.ts";

export interface SymbolLook {
  /** The source of each definition too. */
  readonly body: boolean;
  readonly json: boolean;
}

export class SymbolPrinter {
  readonly #path: string;
  readonly #text: string;
  readonly #look: SymbolLook;
  #lines: readonly string[] | undefined;
  /** The place asked for last, its line and its column in bytes: names come in order, and a line may have thousands. */
  #line = 0;
  #lineStart = 0;
  #at = 0;
  #bytesBefore = 0;

  constructor(path: string, text: string, look: SymbolLook) {
    this.#path = path;
    this.#text = text;
    this.#look = look;
  }

  definition(definition: Definition): string {
    const { kind, name, qualifiedName, nameLine, nameAt, firstLine, lastLine, signature } = definition;
    const column = this.#column(nameLine, nameAt);
    if (this.#look.json) {
      const range = { line: nameLine, column, firstLine, lastLine };
      const body = this.#look.body ? { body: this.#sourceLines(firstLine, lastLine).join("\n") } : {};
      return jsonLine({ path: this.#path, ...range, kind, name, qualifiedName, signature, ...body });
    }
    const line = `${this.#path}:${nameLine}:${column}: ${kind} ${qualifiedName} — ${signature}\n`;
    if (!this.#look.body) return line;
    return (
      line +
      this.#sourceLines(firstLine, lastLine)
        .map((source, at) => `${String(firstLine + at).padStart(6)}\t${source}\n`)
        .join("")
    );
  }

  reference({ name, nameLine, nameAt }: Reference): string {
    const column = this.#column(nameLine, nameAt);
    const source = this.#excerpt(nameLine, nameAt);
    if (this.#look.json) return jsonLine({ path: this.#path, line: nameLine, column, kind: "reference", name, source });
    return `${this.#path}:${nameLine}:${column}: reference ${name} — ${source}\n`;
  }

  /** Bytes before it on its line, plus one, as rg counts. */
  #column(line: number, at: number): number {
    if (line !== this.#line || at < this.#at) {
      this.#line = line;
      this.#lineStart = this.#text.lastIndexOf("\n", at - 1) + 1;
      this.#at = this.#lineStart;
      this.#bytesBefore = 0;
    }
    this.#bytesBefore += toBytes(this.#text.slice(this.#at, at)).length;
    this.#at = at;
    return this.#bytesBefore + 1;
  }

  #sourceLines(first: number, last: number): readonly string[] {
    this.#lines ??= this.#text.split("\n");
    return this.#lines.slice(first - 1, last).map((line) => line.replace(/\r$/, ""));
  }

  /** The line around a reference without its indentation, or of a very long one what stands near. */
  #excerpt(line: number, at: number): string {
    this.#lines ??= this.#text.split("\n");
    const whole = this.#lines[line - 1] ?? "";
    if (whole.length <= EXCERPT_UNITS) return whole.trim();
    const unit = at - this.#lineStart;
    const from = Math.max(0, unit - EXCERPT_UNITS / 2);
    return `${from > 0 ? "…" : ""}${whole.slice(from, from + EXCERPT_UNITS).trim()}…`;
  }
}

/** The longest source line shown whole beside a reference, in UTF-16 units. */
const EXCERPT_UNITS = 200;
