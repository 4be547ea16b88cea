/** Lines, paths and counts as ripgrep prints them when its output is no terminal (crates/printer of ripgrep). */
import type { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";
import type { OwnSettings } from "./own-settings.ts";

/** Between the fields of a selected line and of a line of context. */
const SELECTED = 0x3a;
const CONTEXT = 0x2d;

export class OwnPrinter {
  readonly #output: BlockBuilder;
  readonly #settings: OwnSettings;
  #path = "";
  /** `#path`, once it is printed: in most files nothing is. */
  #pathBytes: Buffer | undefined;
  #showsPath = false;
  /** True if this input has printed a line; beside it, true if any has printed anything. */
  #begun = false;
  #everPrinted = false;

  constructor(output: BlockBuilder, settings: OwnSettings) {
    this.#output = output;
    this.#settings = settings;
  }

  start(path: string, showsPath: boolean): void {
    this.#path = path;
    this.#pathBytes = undefined;
    this.#showsPath = showsPath;
    this.#begun = false;
  }

  /** True if a run of lines may be printed as it stands. */
  get printsPlainLines(): boolean {
    const { output, lineNumber } = this.#settings;
    return output === "lines" && !lineNumber && !this.#showsPath && this.#begun;
  }

  run(bytes: Buffer, from: number, to: number): void {
    this.#output.add(bytes, from, to);
  }

  /** One line, `to` being after its line end. */
  line(bytes: Buffer, from: number, to: number, lineNumber: number, isContext: boolean): void {
    this.#head(lineNumber, isContext ? CONTEXT : SELECTED);
    this.#output.add(bytes, from, to);
  }

  /** The matches of a line, each on a line of its own. */
  matches(bytes: Buffer, from: number, to: number, lineNumber: number): void {
    const matches = this.#settings.matcher.matchesIn(bytes, from, to - 1);
    for (let at = from; at < to - 1 && matches.find(at); at = matches.end) {
      this.#head(lineNumber, SELECTED);
      this.#output.add(bytes, matches.start, matches.end);
      this.#output.addByte(10);
    }
  }

  /** Number of the matches that `matches` would print. */
  matchCount(bytes: Buffer, from: number, to: number): number {
    const matches = this.#settings.matcher.matchesIn(bytes, from, to - 1);
    let count = 0;
    for (let at = from; at < to - 1 && matches.find(at); at = matches.end) count++;
    return count;
  }

  contextBreak(): void {
    this.#output.addLatin1("--\n");
  }

  count(count: number): void {
    if (this.#showsPath) {
      this.#addPath();
      this.#output.addByte(this.#settings.nullAfterPath ? 0 : SELECTED);
    }
    this.#output.addLatin1(`${count}\n`);
  }

  path(): void {
    this.#addPath();
    this.#output.addByte(this.#settings.nullAfterPath ? 0 : 10);
  }

  /** After a match in an input with a zero byte at `offset`. */
  binary(offset: number, isFound: boolean): void {
    this.#everPrinted = true;
    if (this.#showsPath) {
      this.#addPath();
      this.#output.addLatin1(": ");
    }
    const what = isFound ? "WARNING: stopped searching binary file after match" : "binary file matches";
    this.#output.addLatin1(`${what} (found "\\0" byte around offset ${offset})\n`);
  }

  #addPath(): void {
    this.#pathBytes ??= toBytes(this.#path);
    this.#output.add(this.#pathBytes);
  }

  #head(lineNumber: number, separator: number): void {
    const { heading, nullAfterPath, lineNumber: withLineNumber } = this.#settings;
    if (!this.#begun) this.#begin();
    if (this.#showsPath && !heading) {
      this.#addPath();
      this.#output.addByte(nullAfterPath ? 0 : separator);
    }
    if (!withLineNumber) return;
    this.#output.addLatin1(String(lineNumber));
    this.#output.addByte(separator);
  }

  /** Before the first line of an input. */
  #begin(): void {
    const { heading, before, after } = this.#settings;
    if (this.#everPrinted && heading) this.#output.addByte(10);
    else if (this.#everPrinted && before + after > 0) this.contextBreak();
    if (heading && this.#showsPath) this.path();
    this.#begun = true;
    this.#everPrinted = true;
  }
}
