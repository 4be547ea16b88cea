/** du: the space that files take, added up by directory. */
import { defineBuiltin, type Invocation } from "../../src/builtin/definition.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { localTimes, formatTime } from "../../src/dates/date-format.ts";
import { lineBlocks, linesOf } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteAlways, quoteName } from "../../src/display/quote.ts";
import { formatSize } from "../../src/numbers/size-format.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { NameFilter, type NamePattern } from "../../src/glob/name-filter.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { flags } from "./flags.ts";
import { readSettings, type Settings } from "./settings.ts";
import { Counted, OperandWalk, Tally, type Surroundings, type TallyStep } from "./tally.ts";

/** Files after which the caller gets a turn. */
const FILES_PER_TURN = 4096;
const NOTHING = new Uint8Array(0);

export const du = defineBuiltin({
  name: "du",
  summary: "Add up the space that files take, by directory.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/du.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "status" },
  flags,
  looksAt: "below",
  tells: "start",
  examples: [
    { command: "du -b a.txt", files: { "a.txt": "12345" }, stdout: "5\ta.txt\n" },
    { command: "du --inodes src", files: { "src/a.ts": "", "src/io/b.ts": "" }, stdout: "2\tsrc/io\n4\tsrc\n", note: "how many files" },
    { command: "du -ab src | grep -v 'src$'", files: { "src/a.ts": "12345" }, stdout: "5\tsrc/a.ts\n" },
  ],
  deviations: [
    { from: "GNU coreutils 9.1", what: "`.shelpa` is not counted below the root", why: "our records are none of what is asked for" },
  ],
  check(invocation) {
    readSettings(invocation);
  },
  /** Without an operand it is about the current directory. */
  effects: ({ operands }) => (operands.length === 0 ? [{ kind: "status", path: "." }] : []),
  async *run(invocation) {
    const settings = readSettings(invocation);
    for (const warning of settings.warnings) invocation.warn(warning);
    try {
      return yield* new DuRun(invocation, settings).run();
    } catch (thrown) {
      if (!(thrown instanceof ListUnreadable)) throw thrown;
      invocation.stderr(thrown.message);
      return 1;
    }
  },
});

/** A file of names or patterns cannot be read; the message is the whole of what is said. */
class ListUnreadable extends Error {
  override readonly name = "ListUnreadable";
}

class DuRun {
  readonly #invocation: Invocation<typeof flags>;
  readonly #settings: Settings;
  readonly #output = new BlockBuilder();
  readonly #localTime: ReturnType<typeof localTimes>;
  #exit = 0;

  constructor(invocation: Invocation<typeof flags>, settings: Settings) {
    this.#invocation = invocation;
    this.#settings = settings;
    this.#localTime = localTimes(invocation.timeZone);
  }

  async *run(): AsyncGenerator<Uint8Array, number> {
    const { files, operands, flags: given } = this.#invocation;
    const around: Surroundings = {
      files,
      settings: this.#settings,
      filter: await this.#filter(),
      counted: new Counted(),
      countsAllOnce: operands.length > 1 || given.files0From !== undefined || this.#settings.follow === "always",
      total: new Tally(),
      isFirst: true,
    };
    if (given.files0From !== undefined) yield* this.#listed(given.files0From, around);
    else for (const operand of operands.length === 0 ? ["."] : operands) yield* this.#operand(operand, "", around);
    if (given.total) {
      // GNU du begins to add up at the epoch.
      around.total.add({ size: 0n, newestNs: 0n });
      this.#line(around.total, "total");
    }
    if (!this.#output.empty) yield this.#output.take();
    return this.#exit;
  }

  async #filter(): Promise<NameFilter> {
    const patterns: NamePattern[] = [];
    for (const { key, value } of this.#invocation.occurrences) {
      if (key === "exclude") patterns.push({ glob: value ?? "", wanted: false });
      if (key !== "excludeFrom") continue;
      const file = value;
      try {
        for await (const line of this.#linesOf(file, 0x0a)) {
          const glob = line.replace(/[ \t\v\f\r]+$/, "");
          if (glob !== "") patterns.push({ glob, wanted: false });
        }
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        throw new ListUnreadable(`du: ${quoteName(file)}: ${thrown.message}\nTry 'du --help' for more information.\n`);
      }
    }
    return new NameFilter(patterns);
  }

  async *#listed(list: string, around: Surroundings): AsyncGenerator<Uint8Array, void> {
    let number = 0;
    try {
      for await (const name of this.#linesOf(list, 0)) {
        number++;
        if (name !== "-" || list !== "-") yield* this.#operand(name, `${quoteName(list)}:${number}: `, around);
        else yield* this.#complain("when reading file names from stdin, no file name of '-' allowed");
      }
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      throw new ListUnreadable(
        thrown.code === "EISDIR"
          ? `du: ${quoteName(list)}: read error: ${thrown.message}\n`
          : `du: cannot open ${quoteAlways(list)} for reading: ${thrown.message}\n`,
      );
    }
  }

  async *#linesOf(file: string, end: number): AsyncGenerator<string, void> {
    const source = openInput(this.#invocation, file);
    for await (const block of lineBlocks(source, this.#invocation.limits.lineBytes, end)) {
      for (const line of linesOf(block, end)) yield toText(line);
    }
  }

  /** `place` stands before a complaint about an empty name. */
  async *#operand(operand: string, place: string, around: Surroundings): AsyncGenerator<Uint8Array, void> {
    if (operand === "") {
      yield* this.#complain(`${place}invalid zero-length file name`);
      return;
    }
    const walk = new OperandWalk(operand, around);
    try {
      let files = 0;
      for (let steps = walk.next(); steps !== undefined; steps = walk.next()) {
        yield* this.#print(steps);
        if (++files % FILES_PER_TURN === 0) yield NOTHING;
      }
    } finally {
      walk.close();
    }
  }

  *#print(steps: readonly TallyStep[]): Generator<Uint8Array, void> {
    for (const step of steps) {
      if (step.what === "line") this.#line(step.tally, step.path);
      else yield* this.#complain(step.message);
    }
    if (this.#output.full) yield this.#output.take();
  }

  *#complain(message: string): Generator<Uint8Array, void> {
    if (!this.#output.empty) yield this.#output.take();
    this.#invocation.warn(message);
    this.#exit = 1;
  }

  #line({ size, newestNs }: Pick<Tally, "size" | "newestNs">, path: string): void {
    const { sizeFormat, time, lineEnd } = this.#settings;
    const shownTime = time === undefined ? "" : `\t${newestNs === undefined ? "" : formatTime(this.#localTime(newestNs), time.format)}`;
    this.#output.add(toBytes(`${formatSize(size, sizeFormat)}${shownTime}\t${path}${lineEnd}`));
  }
}
