/** Script text → program (POSIX sed; GNU sed manual, chapters 3 to 5). Throws ScriptError in GNU sed's words. */
import { NEWLINE } from "../../src/io/lines.ts";
import type { Action, Address, Channel, Command, Letter, Pattern, Program, RangeEnd, Refusal } from "./program.ts";
import { ScriptError, ScriptReader, scriptText, type ScriptChunk } from "./script-reader.ts";
import { readSubstitution, readTranslation } from "./substitution-parser.ts";
import { compilePattern, readDelimited } from "./pattern-parser.ts";
import { TextReader } from "./text-reader.ts";

/** `bytesAreCharacters`: in patterns and y. */
export type Dialect = ScriptChunk["dialect"] & { readonly bytesAreCharacters: boolean };

/** Parses the chunks of a script in their order. */
export function parseScript(chunks: readonly ScriptChunk[], bytesAreCharacters: boolean): Program {
  return new ScriptParser(chunks, bytesAreCharacters).parse();
}

/** Throws ScriptError for what is wrong in these chunks whatever follows them. */
export function checkBeginning(chunks: readonly ScriptChunk[], bytesAreCharacters: boolean): void {
  new ScriptParser(chunks, bytesAreCharacters).parseCommands();
}

const SPACE = " \t\r\v\f";
/** Commands that POSIX does not have, and those for which it allows one address at most. */
const GNU_COMMANDS = "eFvzQTRW";
const ONE_ADDRESS_COMMANDS = "=ailr";
const ONE_ADDRESS = "command only uses one address";

interface OpenBlock {
  readonly command: { kind: "block"; end: number };
  readonly error: ScriptError;
}

export class ScriptParser {
  dialect: Dialect;
  readonly refusals: Refusal[] = [];
  reader: ScriptReader;
  chunkIndex = 0;
  readonly #chunks: readonly ScriptChunk[];
  readonly #commands: Command[] = [];
  readonly #blocks: OpenBlock[] = [];
  readonly #labels = new Map<string, number>();
  /** The text of an `a`, `i` or `c` that goes on in the next chunk. */
  #openText: TextReader | undefined;

  constructor(chunks: readonly ScriptChunk[], bytesAreCharacters: boolean) {
    this.#chunks = chunks;
    this.dialect = { bytesAreCharacters, separator: NEWLINE, extended: false, posix: false, sandbox: false };
    this.reader = new ScriptReader(chunks[0] ?? { text: "", origin: 1, dialect: this.dialect });
  }

  parseCommands(): void {
    for (const [index, chunk] of this.#chunks.entries()) {
      this.reader = new ScriptReader(chunk);
      this.dialect = { ...this.dialect, ...chunk.dialect };
      this.chunkIndex = index;
      if (this.#openText?.resume(this.reader) === true) this.#openText = undefined;
      else if (this.#openText !== undefined) continue;
      while (this.#command());
    }
  }

  parse(): Program {
    this.parseCommands();
    this.#openText?.finish();
    const open = this.#blocks[0];
    if (open !== undefined) throw open.error;
    // GNU sed looks for the labels from the last jump to the first.
    for (const { action } of this.#commands.toReversed()) {
      if (action.kind !== "jump") continue;
      const target = action.label === "" ? this.#commands.length : this.#labels.get(action.label);
      if (target === undefined) throw new ScriptError(`can't find label for jump to \`${scriptText(action.label)}'`, 4);
      action.target = target;
    }
    return { commands: this.#commands, quiet: this.#chunks[0]?.text.startsWith("#n") === true, refusals: this.refusals };
  }

  /** Reads one command; false at the end of the chunk. */
  #command(): boolean {
    const { reader } = this;
    reader.skipWhile(`${SPACE}\n;`);
    if (reader.atEnd) return false;
    const first = this.#address();
    let second: RangeEnd | undefined;
    if (first !== undefined) {
      if (first.kind === "more" || first.kind === "multiple") throw reader.error("invalid usage of +N or ~N as first address");
      reader.skipWhile(SPACE);
      if (reader.peek() === ",") {
        reader.next();
        reader.skipWhile(SPACE);
        const found = this.#address();
        if (found === undefined) {
          reader.next();
          reader.isPastLine = true;
          throw reader.error("unexpected `,'");
        }
        second = found.kind === "step" ? { kind: "line", line: found.line } : found;
      }
    }
    reader.skipWhile(SPACE);
    let letter = reader.next();
    const allowsZero = second?.kind === "pattern" && !this.dialect.posix;
    if (first?.kind === "line" && first.line === 0 && !allowsZero) throw reader.error("invalid usage of line address 0");
    const negated = letter === "!";
    if (negated) {
      reader.skipWhile(SPACE);
      letter = reader.next();
      if (letter === "!") throw reader.error("multiple `!'s");
    }
    if (letter === "") throw reader.error("missing command");
    const action = this.#action(letter, first, second);
    if (action !== undefined) this.#commands.push({ first, second, negated, action });
    return true;
  }

  #address(): Address | RangeEnd | undefined {
    const { reader } = this;
    const letter = reader.peek();
    if (letter === "/" || letter === "\\") {
      reader.next();
      return { kind: "pattern", pattern: this.#addressPattern(letter === "/" ? "/" : reader.next()) };
    }
    if (letter === "$") {
      reader.next();
      return { kind: "last" };
    }
    if ((letter === "+" || letter === "~") && !this.dialect.posix) {
      reader.next();
      const number = this.#count();
      return letter === "+" ? { kind: "more", lines: number } : { kind: "multiple", of: number };
    }
    const line = reader.number();
    if (line === undefined) return undefined;
    reader.skipWhile(SPACE);
    if (reader.peek() !== "~" || this.dialect.posix) return { kind: "line", line };
    reader.next();
    const step = this.#count();
    return step === 0 ? { kind: "line", line } : { kind: "step", line, step };
  }

  /** The number after `+` or `~`, behind space; 0 without one. */
  #count(): number {
    this.reader.skipWhile(SPACE);
    return this.reader.number() ?? 0;
  }

  #addressPattern(delimiter: string): Pattern {
    const { reader } = this;
    const raw = delimiter === "" ? undefined : readDelimited(reader, delimiter, true);
    if (raw === undefined) throw reader.error("unterminated address regex");
    let foldCase = false;
    let multiline = false;
    while (!this.dialect.posix) {
      reader.skipWhile(SPACE);
      if (reader.peek() === "I") foldCase = true;
      else if (reader.peek() === "M") multiline = true;
      else break;
      reader.next();
    }
    if (this.dialect.posix) reader.skipWhile(SPACE);
    return compilePattern(reader, raw, this.dialect, { foldCase, multiline });
  }

  #action(letter: string, first: Address | undefined, second: RangeEnd | undefined): Action | undefined {
    const { reader } = this;
    const { posix } = this.dialect;
    if (posix && GNU_COMMANDS.includes(letter)) throw reader.error(`unknown command: \`${letter}'`);
    if (second !== undefined && posix && ONE_ADDRESS_COMMANDS.includes(letter)) throw reader.error(ONE_ADDRESS);
    switch (letter) {
      case "#":
        if (first !== undefined) throw reader.error("comments don't accept any addresses");
        while (!reader.atEnd && reader.next() !== "\n");
        return undefined;
      case ":": {
        if (first !== undefined) throw reader.error(": doesn't want any addresses");
        const label = this.#label();
        if (label === "") throw reader.error('":" lacks a label');
        this.#labels.set(label, this.#commands.length);
        return { kind: "label" };
      }
      case "{": {
        const action = { kind: "block" as const, end: -1 };
        this.#blocks.push({ command: action, error: reader.lineError(reader.at, "unmatched `{'") });
        return action;
      }
      case "}": {
        const block = this.#blocks.pop();
        if (block === undefined) throw reader.error("unexpected `}'");
        if (first !== undefined) throw reader.error("`}' doesn't want any addresses");
        block.command.end = this.#commands.length;
        this.#endOfCommand();
        return { kind: "block-end" };
      }
      case "a":
      case "i":
      case "c":
        return this.#text(letter);
      case "=":
      case "d":
      case "D":
      case "F":
      case "g":
      case "G":
      case "h":
      case "H":
      case "n":
      case "N":
      case "p":
      case "P":
      case "x":
      case "z":
        this.#endOfCommand();
        return { kind: "letter", letter: letter satisfies Letter };
      case "l":
        return { kind: "list", width: this.#numberArgument() };
      case "q":
      case "Q":
        if (second !== undefined) throw reader.error(ONE_ADDRESS);
        return { kind: "quit", prints: letter === "q", status: (this.#numberArgument() ?? 0) % 256 };
      case "r":
      case "R":
        this.requireNoSandbox();
        return { kind: "read", path: scriptText(this.fileName()), byLine: letter === "R" };
      case "w":
      case "W": {
        this.requireNoSandbox();
        return { kind: "write", to: this.channel(reader.at - 1), firstLineOnly: letter === "W" };
      }
      case "e": {
        this.requireNoSandbox();
        const start = reader.at - 1;
        reader.skipWhile(SPACE);
        this.refuse("run", this.#restOfLine(), start);
        return undefined;
      }
      case "b":
      case "t":
      case "T":
        return {
          kind: "jump",
          when: letter === "b" ? "always" : letter === "t" ? "replaced" : "not-replaced",
          label: this.#label(),
          target: -1,
        };
      case "s":
        return readSubstitution(this);
      case "y": {
        const translation = readTranslation(reader, this.dialect.bytesAreCharacters);
        this.#endOfCommand();
        return { kind: "translate", translation };
      }
      case "v":
        this.#requireVersion();
        return undefined;
      default:
        throw reader.error(`unknown command: \`${scriptText(letter)}'`);
    }
  }

  #text(letter: "a" | "i" | "c"): Action {
    const action = {
      kind: letter === "a" ? ("append" as const) : letter === "i" ? ("insert" as const) : ("change" as const),
      text: Buffer.alloc(0),
    };
    const text = new TextReader(action, this.dialect.posix);
    if (!text.start(this.reader)) this.#openText = text;
    return action;
  }

  #numberArgument(): number | undefined {
    this.reader.skipWhile(SPACE);
    const number = this.dialect.posix ? undefined : this.reader.number();
    this.#endOfCommand();
    return number;
  }

  #endOfCommand(): void {
    const { reader } = this;
    reader.skipWhile(SPACE);
    const letter = reader.peek();
    if (letter === "}" || letter === "#") return;
    reader.next();
    if (letter !== "" && letter !== "\n" && letter !== ";") throw reader.error("extra characters after command");
  }

  #label(): string {
    const { reader } = this;
    reader.skipWhile(SPACE);
    const from = reader.at;
    while (!reader.atEnd && !`${SPACE}\n;}`.includes(reader.peek())) reader.next();
    return reader.text.slice(from, reader.at);
  }

  #restOfLine(): string {
    const { reader } = this;
    const from = reader.at;
    while (!reader.atEnd && reader.peek() !== "\n") reader.next();
    return reader.text.slice(from, reader.at);
  }

  /** A file name, which goes on to the end of the line. Bytes, one per unit. */
  fileName(): string {
    this.reader.skipWhile(SPACE);
    const name = this.#restOfLine();
    if (name === "") {
      if (!this.reader.atEnd) this.reader.at++;
      this.reader.isPastLine = true;
      throw this.reader.error("missing filename in r/R/w/W commands");
    }
    return name;
  }

  /** The file of a `w` that begins at `start`. */
  channel(start: number): Channel {
    const name = this.fileName();
    if (name === "/dev/stdout") return "stdout";
    if (name === "/dev/stderr") return "stderr";
    if (name !== "/dev/null") this.refuse("write", name, start);
    return { file: name };
  }

  refuse(kind: Refusal["kind"], what: string, start: number): void {
    this.refusals.push({ kind, what, chunk: this.chunkIndex, start, end: this.reader.at });
  }

  /** Throws ScriptError with --sandbox. */
  requireNoSandbox(): void {
    if (this.dialect.sandbox) throw this.reader.error("e/r/w commands disabled in sandbox mode");
  }

  #requireVersion(): void {
    const wanted = this.#label();
    const parts = wanted === "" ? [] : wanted.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : Infinity));
    const here = [4, 9, 0];
    for (let at = 0; at < 3; at++) {
      const difference = (parts[at] ?? 0) - (here[at] as number);
      if (difference > 0) throw this.reader.error("expected newer version of sed");
      if (difference < 0) break;
    }
    this.#endOfCommand();
  }
}
