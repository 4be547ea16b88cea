/** xargs: runs a builtin with what standard input says as its arguments. */
import type { Argument } from "../../src/builtin/arguments.ts";
import {
  defineBuiltin,
  type ExitStatus,
  type FlagValues,
  type Invocation,
  type Occurrence,
  type StaticInvocation,
} from "../../src/builtin/definition.ts";
import { itemScript, notAWord, type ItemScript } from "../../src/builtin/item-script.ts";
import { unwrappedScript } from "../../src/builtin/stage-command.ts";
import { inputOf, type ByteInput } from "../../src/io/input.ts";
import { keptOpen } from "../../src/io/kept-open.ts";
import { quoteCurly, quoteWord } from "../../src/display/quote.ts";
import { quoteInStyle } from "../../src/display/quoting-style.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { readDelimiter } from "./delimiter.ts";
import { flags } from "./flags.ts";
import { groupingOf, type Grouping } from "./grouping.ts";
import { BadInput, itemGroups, type Item } from "./items.ts";
import { argumentFor } from "./replacement.ts";

type Flags = typeof flags;

export const xargs = defineBuiltin({
  name: "xargs",
  summary: "Run a builtin with items from standard input as its arguments.",
  standard: "https://www.gnu.org/software/findutils/manual/html_node/find_html/Invoking-xargs.html",
  reference: "GNU findutils 4.9.0",
  operands: { kind: "values" },
  syntax: "posix",
  runsOperands: "all",
  flags,
  examples: [
    { command: "xargs -n 2 echo", stdin: "a b c\n", stdout: "a b\nc\n" },
    { command: "find . -name '*.txt' | xargs wc -l", files: { "a.txt": "1\n2\n" }, stdout: "2 ./a.txt\n" },
    { command: "xargs -I{} echo '<{}>'", stdin: "a b\nc\n", stdout: "<a b>\n<c>\n" },
    { command: "find . -type f -print0 | xargs -0 grep -l x", files: { "a b": "x\n" }, stdout: "./a b\n" },
  ],
  deviations: [
    {
      from: "GNU xargs",
      what: "only builtins can be run, and the line is refused where the command is none",
      why: "no external program is ever started here",
    },
    {
      from: "GNU xargs",
      what: "an item is never taken for a flag by the command, even if it begins with a dash",
      why: "data must not decide what is run",
    },
    {
      from: "GNU xargs",
      what: "behind -I, an item in the script of a shell (sh -c 'wc -l {}') is an argument of the script; one that the shell would read as more than the word it is ends the run",
      why: "data never becomes text of a shell",
    },
    { from: "GNU xargs", what: "-P is accepted, and commands run one after the other", why: "their output keeps its order" },
    { from: "GNU xargs", what: "-p, -o, --process-slot-var and --show-limits are refused", why: "there is no terminal and no environment" },
  ],
  effects(invocation) {
    const { operands } = invocation;
    if (operands.length === 0) return [];
    const { replace } = groupingOf(invocation.occurrences);
    const script = itemScript(operands, replace);
    if (script !== undefined)
      return [{ kind: "run", what: "xargs", command: script.command(), operand: 0, suggestion: suggestion(invocation) }];
    const command = operands.map((word, at): Argument => (at > 0 ? argumentFor(word, undefined, replace) : { text: word }));
    const items: readonly Argument[] = replace === undefined ? [{ text: "{}", operandOnly: true, many: true }] : [];
    return [
      {
        kind: "run",
        what: "xargs",
        command: [...command.map((word) => (word.operandOnly === true ? { ...word, many: true } : word)), ...items],
        operand: 0,
        suggestion: suggestion(invocation),
      },
    ];
  },
  async *run(invocation) {
    return yield* new XargsRun(invocation).run();
  },
});

/** xargs with what a shell's script says; "" where it is no script. */
function suggestion({ occurrences, operands }: StaticInvocation<Flags>): string {
  const words = unwrappedScript(operands);
  if (words === undefined) return "";
  const quoted = [...occurrences.flatMap(flagWords), ...words].map((word) => (word === "{}" ? word : quoteWord(word)));
  return ["xargs", ...quoted].join(" ");
}

/** A flag as it may have been typed. */
function flagWords({ key, spelling, value }: Occurrence<Flags>): readonly string[] {
  if (value === true) return [spelling];
  const text = `${value ?? ""}`;
  if (spelling.startsWith("--")) return [`${spelling}=${text}`];
  return key === "endOptional" || key === "replaceDefault" || key === "maxLinesDefault" ? [spelling + text] : [spelling, text];
}

const CANNOT_FIT = "cannot fit single argument within argument list size limit";

/** Ends the run at once with this exit status. */
class Ended extends Error {
  override readonly name = "Ended";
  readonly exit: ExitStatus;

  constructor(message: string, exit: ExitStatus) {
    super(message);
    this.exit = exit;
  }
}

class XargsRun {
  readonly #invocation: Invocation<Flags>;
  readonly #flags: FlagValues<Flags>;
  readonly #grouping: Grouping;
  readonly #command: readonly string[];
  readonly #most: number;
  #items: string[] = [];
  #bytes: number;
  #lines = 0;
  #runs = 0;
  #exit: ExitStatus = 0;
  /** The command that takes each item as an argument, where a shell's script holds the item. */
  readonly #script: ItemScript | undefined;

  constructor(invocation: Invocation<Flags>) {
    this.#invocation = invocation;
    this.#flags = invocation.flags;
    this.#grouping = groupingOf(invocation.occurrences);
    this.#command = invocation.operands.length === 0 ? ["echo"] : invocation.operands;
    this.#most = this.#grouping.bytes;
    this.#bytes = this.#fixedBytes;
    this.#script = itemScript(invocation.operands, this.#grouping.replace);
  }

  async *run(): AsyncGenerator<Uint8Array, ExitStatus> {
    const { warn } = this.#invocation;
    const { argFile, delimiter } = this.#flags;
    for (const warning of this.#grouping.warnings) warn(warning);
    const byte = this.#flags.null ? 0 : delimiter === undefined ? undefined : readDelimiter(delimiter);
    const end = this.#end();
    if (end !== undefined && byte !== undefined) warn("warning: the -E option has no effect if -0 or -d is used.\n");
    try {
      const wholeLines = this.#grouping.replace !== undefined;
      // With -I the command is only made when there is an item, and from then on its name takes room.
      const fixedBytes = wholeLines ? sizeOf(this.#command[0] ?? "") : this.#fixedBytes;
      if (!wholeLines && fixedBytes > this.#most) throw new Ended(CANNOT_FIT, 1);
      const itemBytes = this.#most - fixedBytes - 1;
      const firstItemBytes = wholeLines ? this.#most - 1 : itemBytes;
      const format = { delimiter: byte, wholeLines, end, itemBytes, firstItemBytes, warn };
      for await (const group of itemGroups(this.#source(argFile), format)) {
        for (const item of group) yield* this.#add(item);
      }
      if (this.#items.length > 0 || (this.#runs === 0 && !this.#flags.noRunIfEmpty && this.#grouping.replace === undefined))
        yield* this.#runNow();
    } catch (thrown) {
      if (thrown instanceof BadInput) {
        const { replace, lines } = this.#grouping;
        if (this.#items.length > 0 && replace === undefined && lines === undefined && !this.#flags.exit) yield* this.#runNow();
      } else if (!(thrown instanceof Ended)) throw thrown;
      warn(thrown.message);
      // That a command failed counts for more than that the input was wrong.
      const exit = thrown instanceof Ended ? thrown.exit : 1;
      return exit === 1 && this.#exit !== 0 ? this.#exit : exit;
    }
    return this.#exit;
  }

  /** The last of -E and -e counts; an empty one is none. */
  #end(): string | undefined {
    const last = this.#invocation.occurrences.findLast((given) => given.key === "end" || given.key === "endOptional");
    return last?.value === "" ? undefined : last?.value;
  }

  #source(argFile: string | undefined): AsyncIterable<Uint8Array> {
    const { files, stdin } = this.#invocation;
    if (argFile === undefined || argFile === "-") return stdin;
    try {
      return blocksOf(files.open(argFile).blocks());
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      throw new Ended(`Cannot open input file ${quoteCurly(argFile)}: ${thrown.message}`, 1);
    }
  }

  get #fixedBytes(): number {
    return this.#command.reduce((sum, word) => sum + sizeOf(word), 0);
  }

  async *#add({ text: item, endsLine, bytes: size }: Item): AsyncGenerator<Uint8Array, void> {
    const { replace, most, lines } = this.#grouping;
    if (replace !== undefined) {
      this.#items = [item];
      yield* this.#runNow();
      return;
    }
    if (this.#bytes + size > this.#most) {
      if (this.#items.length === 0) throw new Ended(CANNOT_FIT, 1);
      // -L implies -x.
      if (lines !== undefined || (this.#flags.exit && most !== undefined)) throw new Ended("argument list too long", 1);
      yield* this.#runNow();
    }
    this.#items.push(item);
    this.#bytes += size;
    if (endsLine) this.#lines++;
    if (this.#items.length === most || (lines !== undefined && this.#lines >= lines)) yield* this.#runNow();
  }

  async *#runNow(): AsyncGenerator<Uint8Array, void> {
    const [item = ""] = this.#items;
    const command = this.#nextCommand();
    const { catalogue, stderr, runStage } = this.#invocation;
    const name = (command[0] as Argument).text;
    if (this.#flags.verbose) stderr(`${command.map((word) => quoteInStyle(word.text, "shell-escape")).join(" ")}\n`);
    this.#runs++;
    if (!catalogue.has(name)) throw new Ended(`${name}: No such file or directory`, 127);
    if (this.#script?.accepts(item) === false) throw new Ended(`${name}: ${notAWord(item)}`, 126);
    const exit = yield* runStage(this.#script?.command(item) ?? command, this.#stdinOfCommand());
    if (exit === 255) throw new Ended(`${name}: exited with status 255; aborting`, 124);
    if (exit !== 0) this.#exit = 123;
  }

  #nextCommand(): readonly Argument[] {
    const { replace } = this.#grouping;
    const items = this.#items;
    this.#items = [];
    this.#bytes = this.#fixedBytes;
    this.#lines = 0;
    const [name, ...args] = this.#command as readonly [string, ...string[]];
    if (replace === undefined)
      return [{ text: name }, ...args.map((word) => ({ text: word })), ...items.map((item) => ({ text: item, operandOnly: true }))];
    const command: Argument[] = [{ text: name }];
    let bytes = sizeOf(name);
    if (bytes > this.#most) throw new Ended(CANNOT_FIT, 1);
    for (const word of args) {
      const argument = argumentFor(word, items[0] ?? "", replace);
      // An empty text is found again and again, up to there.
      const isEndless = replace === "" && word !== "";
      if (isEndless || (word !== "" && sizeOf(argument.text) >= this.#most)) throw new Ended("command too long", 1);
      bytes += sizeOf(argument.text);
      if (bytes > this.#most) throw new Ended("argument list too long", 1);
      command.push(argument);
    }
    return command;
  }

  /** With -a the commands have xargs' own standard input, else none. */
  #stdinOfCommand(): ByteInput {
    const { stdin } = this.#invocation;
    const { argFile } = this.#flags;
    if (argFile === undefined || argFile === "-") return inputOf();
    return keptOpen(stdin);
  }
}

/** With the null byte at its end. */
const sizeOf = (word: string): number => toBytes(word).length + 1;

async function* blocksOf(blocks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield* blocks;
}
