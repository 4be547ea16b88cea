/** Searches one input at a time for Perl's patterns, with every flag. Holds the input. */
import type { StageLimits } from "../../../src/builtin/definition.ts";
import { withRoom } from "../../../src/io/buffer-room.ts";
import { LimitReached } from "../../../src/io/limit-reached.ts";
import type { BlockBuilder } from "../../../src/io/output.ts";
import type { BinaryRule, InputSearch } from "../own-settings.ts";
import { SearchCore, type ZeroRule } from "./core.ts";
import { JsonPrinter } from "./json-printer.ts";
import { Replacement } from "./replacement.ts";
import { fileSeparator } from "./separators.ts";
import type { PerlSettings, Sink } from "./settings.ts";
import { StandardPrinter } from "./standard-printer.ts";
import { Statistics } from "./statistics.ts";
import { searchOverLines, searchPortions, searchWhole } from "./strategies.ts";
import { SummaryPrinter } from "./summary-printer.ts";
import { Written } from "./written.ts";

/** Size of a read. */
const READ_BYTES = 512 * 1024;
/** The most of one input that is searched: its characters and their places are held beside it. */
const MOST_BYTES = 64 << 20;
const NEWLINE = 10;

type Printer = Sink & { readonly hasMatch: boolean };

export class PerlSearch implements InputSearch {
  readonly done = false;
  readonly #settings: PerlSettings;
  readonly #isSerial: boolean;
  readonly #replacement: Replacement | undefined;
  readonly #written: Written;
  readonly #mostBytes: number;
  readonly #total = new Statistics();
  #buffer: Buffer = Buffer.alloc(0);
  #filled = 0;
  #path = "";
  #showsPath = false;
  #rule: BinaryRule = "text";
  #hasMark = false;
  /** The search that goes on. */
  #steps: Generator<undefined, boolean> | undefined;

  constructor(settings: PerlSettings, isSerial: boolean, output: BlockBuilder, limits: StageLimits) {
    this.#settings = settings;
    this.#isSerial = isSerial;
    const { replacement, pattern } = settings;
    this.#replacement = replacement === undefined ? undefined : new Replacement(replacement, pattern.names);
    this.#mostBytes = Math.min(limits.heldBytes, MOST_BYTES);
    this.#written = new Written(output, this.#mostBytes, isSerial ? undefined : fileSeparator(settings));
  }

  start(path: string, showsPath: boolean, rule: BinaryRule, hasMark: boolean): void {
    this.#path = path;
    this.#showsPath = showsPath;
    this.#rule = rule;
    this.#hasMark = hasMark;
    this.#filled = 0;
    this.#steps = undefined;
  }

  room(): Buffer {
    this.#buffer = withRoom(this.#buffer, this.#filled, READ_BYTES);
    return this.#buffer.subarray(this.#filled, this.#filled + READ_BYTES);
  }

  /** Throws LimitReached. */
  read(count: number): void {
    this.#filled += count;
    if (this.#filled > this.#mostBytes) throw new LimitReached("held", this.#mostBytes, "bytes");
  }

  finish(): boolean | undefined {
    this.#written.resume();
    this.#steps ??= this.#run();
    for (;;) {
      const step = this.#steps.next();
      if (step.done === true) return step.value;
      if (this.#written.isFull) return undefined;
    }
  }

  end(): void {
    const { stats, output } = this.#settings;
    if (stats) this.#written.addText(output === "json" ? this.#total.summary : this.#total.words);
  }

  *#run(): Generator<undefined, boolean> {
    const { multiline, isText } = this.#settings;
    const isMapped = this.#rule === "named-mapped" || this.#rule === "found-mapped";
    const isFound = this.#rule === "found" || this.#rule === "found-mapped";
    const zeroRule: ZeroRule = isText ? "none" : isFound ? "quit" : "convert";
    const bytes = this.#buffer.subarray(0, this.#filled);
    const looksForZeros = multiline || isMapped;
    const firstZero = looksForZeros || isText ? -1 : bytes.indexOf(0);
    if (firstZero >= 0 && !isFound) for (let at = firstZero; at >= 0; at = bytes.indexOf(0, at + 1)) bytes[at] = NEWLINE;
    const statistics = new Statistics();
    this.#written.start();
    const matches = this.#settings.pattern.over(bytes);
    const printer = this.#printer(bytes, matches, zeroRule, statistics);
    const core = new SearchCore(bytes, { settings: this.#settings, sink: printer, matches, zeroRule, looksForZeros });
    if (multiline) yield* searchOverLines(core);
    else if (isMapped) yield* searchWhole(core);
    else yield* searchPortions(core, { firstZero: firstZero < 0 ? undefined : firstZero, zeroRule, hasMark: this.#hasMark });
    this.#total.add(statistics);
    return printer.hasMatch;
  }

  #printer(bytes: Buffer, matches: SearchCore["matches"], zeroRule: ZeroRule, statistics: Statistics): Printer {
    const { output, quiet } = this.#settings;
    const path = this.#showsPath || output === "paths" || output === "paths-without" ? this.#path : undefined;
    const given = { input: { bytes, matches, path, zeroRule }, written: this.#written, statistics };
    if (quiet) return new SummaryPrinter(this.#settings, given);
    if (output === "standard") return new StandardPrinter(this.#settings, this.#replacement, { ...given, isSerial: this.#isSerial });
    if (output === "json") return new JsonPrinter(this.#settings, this.#replacement, { ...given, path: this.#path });
    return new SummaryPrinter(this.#settings, given);
  }
}
