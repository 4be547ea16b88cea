/** One primary of find while it is read: its name, its arguments, and the errors about them. */
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteWord } from "../../src/display/quote.ts";
import type { FindSettings } from "./command-line.ts";
import type { Primary } from "./expression.ts";

/** Reader of one primary. */
export interface PrimaryReader {
  /** "option" affects the whole search wherever it stands; "positional" what comes after it; "setting" likewise, and is no operand. */
  readonly role: "option" | "positional" | "test" | "action" | "setting";
  /** Reads what follows the name. undefined: always true (options). */
  readonly read: (given: GivenPrimary) => Primary["compile"] | undefined;
}

/** A primary being read, with the arguments after it. */
export class GivenPrimary {
  /** With its dash, as typed. */
  readonly name: string;
  readonly settings: FindSettings;
  readonly words: readonly string[];
  /** Index of the name in `words`; moves as arguments are taken. */
  at: number;
  readonly #nameAt: number;

  constructor(name: string, words: readonly string[], at: number, settings: FindSettings) {
    this.name = name;
    this.words = words;
    this.at = at;
    this.#nameAt = at;
    this.settings = settings;
  }

  /** The argument of this primary. */
  take(): string {
    const value = this.words[this.at + 1];
    if (value === undefined) throw this.error("missing-value", `missing argument to \`${this.name}'`);
    this.at++;
    return value;
  }

  takeFile(): string {
    const path = this.take();
    this.settings.references.push({ path, operand: this.at });
    return path;
  }

  /** Only after -warn. */
  warn(message: string): void {
    if (this.settings.warns) this.alwaysWarn(message);
  }

  alwaysWarn(message: string): void {
    this.settings.warnings.push(`warning: ${message}`);
  }

  invalid(value: string): UsageError {
    return this.error("bad-value", `invalid argument \`${value}' to \`${this.name}'`);
  }

  bad(message: string): UsageError {
    return this.error("bad-value", message);
  }

  /** `instead` are the words in place of this primary and its `taken` arguments, and what follows the whole command. */
  refused(reason: string, taken: number, instead: readonly string[], after = ""): UsageError {
    const kept = [...this.words.slice(0, this.#nameAt), ...instead, ...this.words.slice(this.#nameAt + 1 + taken)];
    const suggestion = `find ${kept.map(quoteArgument).join(" ")}${after}`;
    return new UsageError("refused-flag", `${this.name}: ${reason}`, {
      argument: this.#nameAt,
      subject: this.name,
      suggestion,
      lost: after === "" ? undefined : "the file is made last, so it is not found",
    });
  }

  error(kind: UsageError["kind"], message: string): UsageError {
    return new UsageError(kind, message, { argument: Math.min(this.at, this.words.length - 1), subject: this.name });
  }
}

export const quoteArgument = (word: string): string => (word === "{}" || word === "!" ? word : quoteWord(word));
