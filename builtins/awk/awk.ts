/** awk: runs a program of patterns and actions over records. */
import { defineBuiltin, type FlagValues, type Invocation, type StaticInvocation } from "../../src/builtin/definition.ts";
import type { Effect } from "../../src/builtin/effect.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { DEVIATIONS } from "./deviations.ts";
import { isNewsOf, withEscapes } from "./syntax/escapes.ts";
import { startRuntime } from "./run/runtime-setup.ts";
import { FatalError, ProgramError } from "./syntax/program-error.ts";
import { parseProgram } from "./syntax/program-parser.ts";
import { ProgramSources } from "./syntax/program-sources.ts";
import { lostByTee, reasonOf, refusedIn, rewritten } from "./syntax/refusals.ts";
import { OutputStreams } from "./run/output-streams.ts";
import { runProgram } from "./run/run.ts";
import type { Runtime } from "./run/runtime.ts";
import { placeText, type Source } from "./syntax/source.ts";
import { commandTexts, OF_DATA } from "./syntax/command-texts.ts";
import type { CommandUse, Program, Refusal } from "./syntax/tree.ts";
import { usage } from "./syntax/usage.ts";

const text = (value: string): string => value;
const PROGRAM_FLAGS = ["file", "source", "exec"] as const;

export const FLAGS = {
  file: { kind: "path", short: "f", arg: "FILE", access: "read", repeats: true, help: "read the program from FILE" },
  fieldSeparator: { kind: "value", short: "F", arg: "FS", read: text, otherwise: undefined, help: "what stands between fields" },
  assign: {
    kind: "value",
    short: "v",
    arg: "VAR=VALUE",
    read: text,
    otherwise: "",
    repeats: true,
    help: "assign a variable before the program begins",
  },
  bytes: { kind: "switch", short: "b", long: "characters-as-bytes", help: "a character is a byte" },
  source: { kind: "value", short: "e", arg: "TEXT", read: text, otherwise: "", repeats: true, help: "TEXT is part of the program" },
  exec: {
    kind: "path",
    short: "E",
    arg: "FILE",
    access: "read",
    repeats: true,
    endsFlags: true,
    help: "as -f, and what follows is operands, none of them an assignment",
  },
  include: { kind: "value", short: "i", arg: "FILE", read: text, otherwise: "", repeats: true, help: "include the source FILE" },
  csv: { kind: "switch", short: "k", help: "records are comma-separated values" },
  nonDecimalData: { kind: "switch", short: "n", help: "hexadecimal and octal numbers count in the input" },
  intervals: {
    kind: "switch",
    short: "r",
    long: "re-interval",
    unread: true,
    help: "no effect: there always are intervals in expressions",
  },
  optimize: { kind: "switch", short: "O", help: "optimize (always so)" },
  noOptimize: { kind: "switch", short: "s", help: "do not compute constants before the program runs" },
  sandbox: { kind: "switch", short: "S", help: "no commands and no redirections" },
  localNumbers: {
    kind: "switch",
    short: "N",
    long: "use-lc-numeric",
    unread: true,
    help: "no effect: the locale's decimal point is a dot",
  },
  traditional: refused("c", undefined, "only gawk's own language is spoken here", "run as traditional awk"),
  posix: refused("P", undefined, "only gawk's own language is spoken here", "run as POSIX awk"),
  bignum: refused("M", undefined, "numbers are doubles here", "numbers of any size"),
  lint: {
    kind: "value",
    short: "L",
    arg: "KIND",
    read: text,
    otherwise: undefined,
    ifBare: "",
    help: "warn of dubious constructs (says that it does not)",
  },
  lintOld: { kind: "switch", short: "t", help: "warn of what old awks lack (says that it does not)" },
  load: refused("l", "required", "there are no libraries to load", "load a library"),
  dumpVariables: refused("d", "optional", "it would write a file that the program does not name", "write all variables to a file"),
  debug: refused("D", "optional", "it waits for a person", "run the debugger"),
  profile: refused("p", "optional", "it would write a file that the program does not name", "write a profile to a file"),
  prettyPrint: refused("o", "optional", "it would write a file that the program does not name", "write the program to a file, formatted"),
  trace: refused("I", undefined, "it shows the insides of gawk", "print the instructions as they run"),
  genPot: refused("g", undefined, "it is for translators of a program", "print the texts to translate"),
  copyright: refused("C", undefined, "what is printed is gawk's, and this is not", "print the licence"),
} as const;

function refused<V extends "optional" | "required" | undefined>(short: string, value: V, reason: string, help: string) {
  return {
    kind: "refused" as const,
    short,
    ...(value !== undefined && { arg: "VALUE" }),
    ...(value === "optional" && { argOptional: true }),
    reason,
    suggestion: (rest: readonly string[]) => (rest.length === 0 ? undefined : ["awk", ...rest].join(" ")),
    help,
  };
}

type Flags = typeof FLAGS;

export const awk = defineBuiltin({
  name: "awk",
  aliases: ["gawk", "mawk", "nawk"],
  summary: "Run a program of patterns and actions over records.",
  standard: "https://www.gnu.org/software/gawk/manual/gawk.html",
  reference: "gawk 5.3.2",
  operands: { kind: "program-then-paths", unless: PROGRAM_FLAGS },
  syntax: "posix",
  flags: FLAGS,
  takesStrayFlags: (occurrences) => occurrences.some(({ key }) => (PROGRAM_FLAGS as readonly string[]).includes(key)),
  usageHint: usage,
  silence: { 0: "printed nothing" },
  examples: [
    { command: "awk '{ print $2, $1 }'", stdin: "a b\nc d\n", stdout: "b a\nd c\n" },
    { command: "awk -F: '$3 > 10 { n++ } END { print n + 0 }'", stdin: "a:x:9\nb:y:11\n", stdout: "1\n" },
    { command: "awk '{ count[$1]++ } END { for (word in count) print word, count[word] }'", stdin: "a\nb\na\n", stdout: "a 2\nb 1\n" },
    { command: 'awk \'{ print $2 | "sort -n" } END { close("sort -n"); print NR }\'', stdin: "a 10\nb 9\n", stdout: "9\n10\n2\n" },
    { command: "awk '/start/,/end/'", stdin: "a\nstart\nb\nend\nc\n", stdout: "start\nb\nend\n" },
    { command: "awk '{ gsub(/[0-9]+/, \"<&>\") } 1'", stdin: "a 1 b 22\n", stdout: "a <1> b <22>\n" },
    { command: "awk 'NR == FNR { seen[$1]; next } $1 in seen' f g", files: { f: "a\nc\n", g: "a 1\nb 2\nc 3\n" }, stdout: "a 1\nc 3\n" },
  ],
  deviations: DEVIATIONS,
  check(invocation, outputs) {
    if (invocation.flags.include.some((file) => file === "inplace" || file === "inplace.awk")) {
      const words = invocation.occurrences.flatMap(({ key, spelling, value }) =>
        key === "include" && value === "inplace" ? [] : [spelling, ...(typeof value === "string" ? [value] : [])],
      );
      const operands = invocation.operands.slice(programIsOperand(invocation) ? 1 : 0);
      const [file] = operands;
      const stage = [invocation.name, ...[...words, ...invocation.operands].map(quoteWord)].join(" ");
      throw new UsageError("refused-flag", "-i inplace would write the files that it reads: its output is given to tee", {
        subject: "-i",
        suggestion: operands.length === 1 && file !== undefined ? `${stage} | tee ${quoteWord(file)} >/dev/null` : undefined,
      });
    }
    const sources = staticSources(invocation);
    if (sources === undefined) return;
    const program = parsed(sources, invocation);
    const refusals = program === undefined ? [] : refusedIn(program, outputs);
    const refusal = refusals.find(({ kind }) => kind !== "run");
    if (program === undefined || refusal === undefined) return;
    throw new UsageError("refused-flag", reasonOf(refusal), {
      subject: refusal.what,
      suggestion: suggestion(invocation, program, refusals),
      lost: refusal.kind === "write" ? lostByTee(refusal) : "a command is read, and not written to",
    });
  },
  effects(invocation) {
    const sources = staticSources(invocation);
    const program = sources && parsed(sources, invocation);
    if (sources === undefined || program === undefined) return [];
    const runs = program.refusals.filter(({ kind }) => kind === "run");
    const place = programIsOperand(invocation) && { operand: 0 };
    return [
      ...program.files.map((name) => ({ kind: "read" as const, path: latin1Text(name), ...place })),
      ...program.refusals.flatMap(({ file, operator, place: { source } }) =>
        file === undefined ? [] : [outputEffect(file, operator, argumentOf(source, sources, invocation))],
      ),
      ...runs.map((refusal) => ({
        kind: "run" as const,
        what: latin1Text(refusal.what),
        why: `${latin1Text(reasonOf(refusal))}.`,
        suggestion: suggestion(invocation, program, program.refusals) ?? "",
        ...place,
      })),
      ...commandTexts(program).flatMap(({ use, texts }) => commandEffects(use, texts, argumentOf(use.place.source, sources, invocation))),
    ];
  },
  run,
});

/** The argument that a source of the program is. */
function argumentOf(source: Source, sources: readonly Source[], invocation: Static): { operand: number } | { occurrence: number } {
  if (source.isOperand) return { operand: 0 };
  const given = [...invocation.occurrences.entries()].filter(([, { key, value }]) => key === "source" && value !== "");
  return { occurrence: given[sources.indexOf(source)]?.[0] ?? -1 };
}

const outputEffect = (
  { name, isPrefix }: NonNullable<Refusal["file"]>,
  operator: string,
  place: ReturnType<typeof argumentOf>,
): Effect => ({ kind: "write", path: latin1Text(name), isPrefix, appends: operator === ">>", ...place });

/** A command without text is none: it is an error when it is met, or a way to flush. */
function commandEffects(use: CommandUse, texts: readonly string[] | undefined, place: ReturnType<typeof argumentOf>): readonly Effect[] {
  if (texts === undefined) return [{ kind: "run", what: latin1Text(use.what), why: OF_DATA, suggestion: "", ...place }];
  return texts.filter((each) => each !== "").map((each) => ({ kind: "script", text: latin1Text(each), isWithin: true, ...place }));
}

/** Error of the first command that data may be part of, as the program in a file is. */
function untypedCommand(program: Program, { scripts }: Pick<Invocation, "scripts">): ProgramError | undefined {
  for (const { use, texts } of commandTexts(program)) {
    if (texts?.every((each) => each === "" || scripts.has(latin1Text(each))) === true) continue;
    const reason = texts === undefined ? "data may be part of its text" : "its text is not typed in the line";
    return new ProgramError([`${placeText(use.place)} fatal: ${use.what} is not run: ${reason}`], 2);
  }
  return undefined;
}

async function* run(invocation: Invocation<Flags>): AsyncGenerator<Uint8Array, number> {
  const { name, stderr } = invocation;
  const complain = (line: string): void => stderr(Buffer.from(`${name}: ${line}\n`, "latin1"));
  for (const line of warningsOfSources(invocation)) complain(line);
  if (programIsOperand(invocation) && invocation.operands.length === 0) {
    stderr(usage(name));
    return 1;
  }
  let runtime: Runtime;
  try {
    runtime = startRuntime(invocation, (bytes) => stderr(Buffer.from(bytes, "latin1")));
  } catch (thrown) {
    if (thrown instanceof ProgramError) {
      for (const line of thrown.lines) complain(line);
      return thrown.exit;
    }
    if (!(thrown instanceof FatalError)) throw thrown;
    complain(`fatal: ${thrown.message}`);
    return 2;
  }
  const flushed = (): Uint8Array[] => {
    const blocks = runtime.pending.splice(0).flatMap((piece) => {
      if ("stdout" in piece) return [piece.stdout];
      stderr(Buffer.from(piece.stderr, "latin1"));
      return [];
    });
    return runtime.output.empty ? blocks : [...blocks, runtime.output.take()];
  };
  const closeFiles = (): void => {
    try {
      runtime.streams?.closeAll();
    } catch (thrown) {
      if (!(thrown instanceof FatalError)) throw thrown;
      complain(`fatal: ${thrown.message}`);
    }
  };
  // What is said of -F and -v.
  flushed();
  if (invocation.flags.lint !== undefined || invocation.flags.lintOld) {
    complain("warning: --lint: programs are run here, not judged; there are no further warnings");
  }
  try {
    const sources = new ProgramSources(invocation.files);
    const program = parseProgram(await sources.all(invocation), {
      tell: complain,
      toldEscapes: runtime.toldEscapes,
      folds: isOptimized(invocation),
      include: (file, from) => sources.include(file, from),
    });
    const { outputs } = invocation;
    // A program in a file was not there to be checked with the line.
    const policy = staticSources(invocation) === undefined ? outputs?.untyped() : outputs;
    if (outputs !== undefined && policy !== undefined) runtime.streams = new OutputStreams(runtime, outputs, policy);
    const [refusal] = refusedIn(program, policy);
    if (refusal !== undefined)
      throw new ProgramError([`${refusal.place.source.label}:${refusal.place.line}: fatal: ${reasonOf(refusal)}`], 2);
    const untyped = untypedCommand(program, invocation);
    if (untyped !== undefined) throw untyped;
    const names = new Set(["RT", "SYMTAB", "FUNCTAB"].filter((variable) => sources.texts.some((source) => source.includes(variable))));
    return yield* runProgram(program, runtime, invocation, names);
  } catch (thrown) {
    yield* flushed();
    if (thrown instanceof ProgramError) {
      for (const line of thrown.lines) complain(line);
      return thrown.exit;
    }
    if (thrown instanceof FatalError) {
      complain(`${thrown.place ?? runtime.prefix}${runtime.where}fatal: ${thrown.message}`);
      closeFiles();
      // What was printed to commands is there for them.
      if (runtime.commands !== undefined) yield* runtime.commands.closeAll();
      return 2;
    }
    if (thrown instanceof RangeError && /call stack/.test(thrown.message)) {
      complain(`${runtime.prefix}${runtime.where}fatal: the program is nested too deeply, or its functions call each other too deeply`);
      return 2;
    }
    // A text may become longer than the language has room for before it meets the limit.
    if (thrown instanceof RangeError && /string length/.test(thrown.message)) {
      throw new LimitReached("held", invocation.limits.heldBytes, "bytes");
    }
    if (thrown instanceof PatternError) {
      complain(`${runtime.prefix}${runtime.where}fatal: invalid regexp: ${thrown.message}`);
      return 2;
    }
    if (!(thrown instanceof FileError)) throw thrown;
    complain(`fatal: ${thrown.path}: ${thrown.message}`);
    return 2;
  } finally {
    closeFiles();
    await runtime.commands?.abandon();
  }
}

const latin1Text = (text: string): string => toText(Buffer.from(text, "latin1"));

type Static = Pick<StaticInvocation<Flags>, "name" | "flags" | "occurrences" | "operands">;

function programIsOperand({ flags }: { readonly flags: FlagValues<Flags> }): boolean {
  return flags.file.length === 0 && flags.source.every((text) => text === "") && flags.exec.length === 0;
}

/** The last one of -O and -s. */
const isOptimized = ({ occurrences }: Pick<Static, "occurrences">): boolean =>
  occurrences.findLast(({ key }) => key === "optimize" || key === "noOptimize")?.key !== "noOptimize";

const warningsOfSources = ({ flags }: { readonly flags: FlagValues<Flags> }): readonly string[] =>
  flags.source.filter((text) => text === "").map(() => "warning: empty argument to `-e/--source' ignored");

/** The program as far as it stands in the arguments; undefined where it is in files. */
function staticSources(invocation: Static): readonly Source[] | undefined {
  const { flags, operands } = invocation;
  if (flags.file.length > 0 || flags.exec.length > 0 || flags.include.length > 0) return undefined;
  const isOperand = programIsOperand(invocation);
  const texts = isOperand ? operands.slice(0, 1) : flags.source.filter((text) => text !== "");
  if (texts.some((part) => /@[\\\s]*include/.test(part))) return undefined;
  return texts.map((part) => ({ label: "cmd. line", text: toBytes(part).toString("latin1"), isOperand, isFile: false }));
}

/** The program, where it is one: what is wrong with it is said when it runs. */
function parsed(sources: readonly Source[], invocation: Static): Program | undefined {
  const toldEscapes = new Set<string>();
  const told = [...warningsOfSources(invocation), ...warningsOfValues(invocation, toldEscapes)];
  try {
    return parseProgram(sources, {
      tell: (line) => void told.push(line),
      toldEscapes,
      folds: isOptimized(invocation),
      include: () => undefined,
    });
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    if (!(thrown instanceof ProgramError)) throw thrown;
    const [first = "", ...rest] = [...told, ...thrown.lines];
    const message = [first, ...rest.map((line) => `${invocation.name}: ${line}`)].join("\n");
    throw new UsageError("bad-program", toText(Buffer.from(message, "latin1")), { exit: thrown.exit });
  }
}

/** Warnings about escapes in -F and -v, printed before the program is read. */
function warningsOfValues({ occurrences }: Static, told: Set<string>): readonly string[] {
  const warnings: string[] = [];
  for (const { key, value } of occurrences) {
    if ((key !== "fieldSeparator" && key !== "assign") || typeof value !== "string") continue;
    const text = key === "assign" ? value.slice(value.indexOf("=") + 1) : value;
    withEscapes(toBytes(text).toString("latin1"), (message) => {
      if (isNewsOf(message, told)) warnings.push(`warning: ${message}`);
    });
  }
  return warnings;
}

function suggestion(invocation: Static, program: Program, refusals: readonly Refusal[]): string | undefined {
  const words = [invocation.name];
  for (const { spelling, value } of invocation.occurrences) words.push(spelling, ...(typeof value === "string" ? [value] : []));
  const programAt = words.length;
  return rewritten([...words, ...invocation.operands], programAt, program, refusals);
}
