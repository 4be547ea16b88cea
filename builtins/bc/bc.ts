/** bc: computes with numbers of any size, in a language of its own. */
import { defineBuiltin, type FlagTable, type Invocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { asBuffer } from "../../src/io/lines.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { atoi } from "../../src/numbers/strtol.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { POINT } from "./code.ts";
import { Halted, Machine } from "./machine.ts";
import { Names, TooManyNames } from "./names.ts";
import { BLANK } from "./number-text.ts";
import { Parser, ProgramEnd } from "./parser.ts";
import { Scanner, type SourceText } from "./scanner.ts";
import { Transcript } from "./transcript.ts";

const FLAGS = {
  compile: {
    kind: "refused",
    short: "c",
    unlisted: true,
    reason: "the code that it prints is for no program here",
    suggestion: (rest) => ["bc", ...rest].join(" "),
    help: "print the compiled code",
  },
  interactive: {
    kind: "refused",
    short: "i",
    reason: "there is no terminal here",
    suggestion: (rest) => ["bc", ...rest].join(" "),
    help: "interactive mode",
  },
  mathlib: { kind: "switch", short: "l", help: "define s c a l e j, and begin with a scale of 20" },
  quiet: { kind: "switch", short: "q", unread: true, help: "no effect: there is no banner" },
  standard: { kind: "switch", short: "s", help: "what POSIX does not have is a mistake" },
  shortHelp: {
    kind: "refused",
    short: "h",
    long: false,
    help: "print the help",
    reason: "only its long form is known here",
  },
  shortVersion: {
    kind: "refused",
    short: "v",
    long: false,
    help: "print the version",
    reason: "only its long form is known here",
  },
  warn: { kind: "switch", short: "w", help: "warn of what POSIX does not have" },
} as const satisfies FlagTable;

export const bc = defineBuiltin({
  name: "bc",
  summary: "Compute with numbers of any size: the program is read from files, then from standard input.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/bc.html",
  reference: "bc 1.07.1",
  operands: { kind: "paths", access: "read" },
  usageHint: () => "",
  flags: FLAGS,
  examples: [
    { command: "bc", stdin: "scale=2; 10/3\n", stdout: "3.33\n", note: "scale is the number of digits after the point" },
    { command: "bc -l", stdin: "4*a(1)\n", stdout: "3.14159265358979323844\n" },
    { command: "bc", stdin: "obase=16; 255; 2^64\n", stdout: "FF\n10000000000000000\n" },
    { command: "bc", stdin: "define f(n) {\n if (n < 2) return (1)\n return (n * f(n-1))\n}\nf(20)\n", stdout: "2432902008176640000\n" },
  ],
  deviations: [
    {
      from: "GNU bc 1.07.1",
      what: "-c and -i are refused, warranty is an error, and read() at the end of standard input is one",
      why: "there is no terminal here, compiled code has no use, and the real read() waits for ever at the end",
    },
    {
      from: "GNU bc 1.07.1",
      what: "a parameter that does not fit is not named",
      why: "the real message names another variable, or memory that is not its own",
    },
  ],
  async *run(invocation) {
    const { mathlib, standard, warn, ...others } = invocation.flags;
    allFlagsRead(others);
    const out = new Transcript(lineColumns(invocation));
    const input = await inputOf(invocation);
    if (typeof input === "string") {
      invocation.stderr(`${input}\n`);
      return 1;
    }
    const names = new Names(mathlib);
    const machine = new Machine(names, out, { isStandard: standard, warns: warn, readCharacter: () => input.character(out) });
    if (mathlib) machine.scale = 20;
    return yield* runProgram(invocation, { names, machine, out, input, standard, warns: warn });
  },
});

interface Program {
  readonly names: Names;
  readonly machine: Machine;
  readonly out: Transcript;
  readonly input: ProgramInput;
  readonly standard: boolean;
  readonly warns: boolean;
}

async function* runProgram(
  { wait, stderr }: Pick<Invocation, "wait" | "stderr">,
  { names, machine, out, input, standard, warns }: Program,
): AsyncGenerator<Uint8Array, number> {
  const tell = (message: string): void => out.tell(message);
  function* printed(): Generator<Uint8Array, void> {
    for (const { to, text } of out.take()) {
      if (to === "stdout") yield Buffer.from(text, "latin1");
      else stderr(Buffer.from(text, "latin1"));
    }
  }
  let exit = 0;
  try {
    const scanner: Scanner = new Scanner(() => input.next(out), {
      complain: (message) => parser.complain(message),
      print: tell,
      isStandard: standard,
    });
    const parser: Parser = new Parser(scanner, names, {
      extensions: standard ? "refused" : warns ? "warned" : "taken",
      tell,
      print: (text) => out.printStraight(text),
    });
    for (let item = parser.item(), count = 1; item !== undefined; item = parser.item(), count++) {
      if (item) {
        for (const _ of machine.run()) {
          await wait(0);
          if (out.length > HANDED_ON) yield* printed();
        }
      }
      if (count % 1000 === 0) await wait(0);
      if (out.length > HANDED_ON) yield* printed();
    }
  } catch (thrown) {
    if (thrown instanceof ProgramEnd) exit = thrown.exit;
    else if (thrown instanceof TooManyNames) {
      tell(`Too many ${thrown.message}`);
      exit = 1;
    } else if (!(thrown instanceof Halted)) {
      yield* printed();
      throw thrown;
    }
  }
  yield* printed();
  return exit;
}

/** Characters held back before they are handed on. */
const HANDED_ON = 1 << 16;

/** Length of output lines by BC_LINE_LENGTH. */
function lineColumns({ environment }: Pick<Invocation, "environment">): number {
  const given = environment().get("BC_LINE_LENGTH");
  if (given === undefined) return LINE_COLUMNS;
  const columns = atoi(given);
  return columns < 3 && columns !== 0 ? LINE_COLUMNS : columns;
}

const LINE_COLUMNS = 70;

/** The files of a program, one after the other, then standard input; read() takes from that, too. */
class ProgramInput {
  readonly #files: readonly (SourceText | string)[];
  readonly #stdin: string;
  #file = 0;
  #read = 0;

  /** A file that is not there is the complaint about it. */
  constructor(files: readonly (SourceText | string)[], stdin: string) {
    this.#files = files;
    this.#stdin = stdin;
  }

  /** Throws ProgramEnd for a file that cannot be read. */
  next(out: Transcript): SourceText | undefined {
    const file = this.#files[this.#file++];
    if (typeof file === "string") {
      out.tell(file);
      throw new ProgramEnd(1);
    }
    if (file !== undefined) return file;
    if (this.#file > this.#files.length + 1) return undefined;
    // What read() took is taken in pieces.
    return { name: "(standard_in)", text: this.#stdin.slice(Math.ceil(this.#read / PIECE) * PIECE) };
  }

  /** For read(). Throws ProgramEnd at the end of standard input, where the real one waits for ever. */
  character(out: Transcript): number {
    const take = (): number => {
      const isOwn = this.#file > this.#files.length;
      if (isOwn || this.#read >= this.#stdin.length) {
        if (isOwn || this.#read > this.#stdin.length) {
          out.tell("read(): nothing is left on standard input");
          throw new ProgramEnd(1);
        }
        this.#read++;
        return BLANK_CODE;
      }
      return this.#stdin.charCodeAt(this.#read++);
    };
    let code = take();
    if (code === BACKSLASH) {
      code = take();
      if (code === NEWLINE) {
        code = take();
        out.forgetColumn();
      }
    }
    if (code === POINT || code === PLUS || code === MINUS) return code;
    if (code <= BLANK_CODE) return BLANK;
    const digit = Number.parseInt(String.fromCharCode(code), 36);
    return Number.isNaN(digit) ? OTHER : digit;
  }
}

/** The piece in which the C library reads a stream, in bytes. */
const PIECE = 4096;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const PLUS = 0x2b;
const MINUS = 0x2d;
const BLANK_CODE = 0x20;
/** Ends a number. */
const OTHER = 0x3a;

/** Gives a complaint where the first file cannot be had. Throws LimitReached. */
async function inputOf(invocation: Pick<Invocation, "operands" | "stdin" | "files" | "limits">): Promise<ProgramInput | string> {
  let held = 0;
  const read = async (source: AsyncIterable<Uint8Array>): Promise<string> => {
    const parts: Buffer[] = [];
    for await (const block of source) {
      held += block.length;
      if (held > invocation.limits.heldBytes) throw new LimitReached("held", invocation.limits.heldBytes, "bytes");
      parts.push(Buffer.from(asBuffer(block)));
    }
    return Buffer.concat(parts).toString("latin1");
  };
  const files: (SourceText | string)[] = [];
  for (const operand of invocation.operands) {
    try {
      // A dash is a name like any other.
      const name = operand === "-" ? "./-" : operand;
      files.push({ name: operand, text: await read(openInput(invocation, name)) });
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      const isOpened = thrown.code === "EISDIR";
      files.push(isOpened ? `${operand} 1: read() in flex scanner failed` : `File ${operand} is unavailable.`);
      break;
    }
  }
  if (typeof files[0] === "string") return files[0];
  const isWhole = typeof files.at(-1) !== "string";
  return new ProgramInput(files, isWhole ? await read(invocation.stdin) : "");
}
