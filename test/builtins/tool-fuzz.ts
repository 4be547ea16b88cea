/**
 * Random command lines and inputs through one of our builtins and through the real tool: many cases in one process
 * each. Seeded: SHELPA_FUZZ_SEED gives another lot, SHELPA_FUZZ_RUNS more of them.
 */
import { KeptValues } from "../../src/builtin/kept-values.ts";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { builtins } from "../../builtins/registry.ts";
import type { Catalogue } from "../../src/builtin/catalogue.ts";
import type { BuiltinDefinition } from "../../src/builtin/definition.ts";
import { Registry } from "../../src/builtin/registry.ts";
import { runArguments } from "../../src/exec/stage-run.ts";
import { inputFrom } from "../../src/io/input.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { Dice, fuzzRuns } from "../fuzz/dice.ts";
import { bentArguments, isAsked, isComparable } from "./bent-arguments.ts";
import type { Need } from "../needs.ts";

export const RUNS = fuzzRuns(30, 70);
/** Cases that one bash runs, and differences after which no more are looked for. */
const CASES_A_SCRIPT = 500;
const MOST_FOUND = 40;
/** A file to which every difference is added, where one is named: a failed test shows but a few. */
const FOUND = process.env["SHELPA_FUZZ_FOUND"];
/** glibc then fills memory that was given back with a byte, or gives it out again in another order. */
const MEMORIES: readonly NodeJS.ProcessEnv[] = [
  { MALLOC_PERTURB_: "65" },
  { MALLOC_PERTURB_: "182" },
  { GLIBC_TUNABLES: "glibc.malloc.tcache_count=0" },
];
const SEED = Number(process.env["SHELPA_FUZZ_SEED"] ?? 20_260_226);

/** Only in a run that was asked for (npm run fuzz): not all tools have been through as many of them yet. */
const BENDS_ARGUMENTS = process.env["SHELPA_FUZZ_RUNS"] !== undefined;

/** Texts are in the encoding of src/io/text.ts. */
export interface FuzzCase {
  readonly args: readonly string[];
  readonly stdin: string;
  /** Files in the working directory, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** The real tool prints into a pipe, not into a file: for one that moves about in a file. */
  readonly isPiped?: boolean;
  /** The real tool reads a pipe, not a file: for one that looks how long that is. */
  readonly isFed?: boolean;
  /** Time of the files' last change, in seconds since the epoch. */
  readonly mtime?: number;
}

export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

/** A tree that all cases run in, and that none of them changes. */
export interface FuzzPlace {
  readonly root: string;
  /** The directory in which they run: at or under `root`. */
  readonly directory: string;
}

/** The tool that `reference` names ("GNU coreutils 9.1"), as a need of tests that compare with it. */
export const referenceTool = (tool: string, reference: string): Need => ({
  name: `${tool} of ${reference}`,
  isHere: hasReference(tool, reference),
});

function hasReference(tool: string, reference: string): boolean {
  const [, product = "", version = ""] = /^(GNU \w+|util-linux) ([\d.]+)$/.exec(reference) ?? [];
  const { stdout } = spawnSync(tool, ["--version"], { encoding: "utf8", env: environment() });
  return (
    typeof stdout === "string" &&
    (stdout.startsWith(`${reference}\n`) ||
      stdout.startsWith(reference.replace("fd ", "fdfind ")) ||
      stdout.startsWith(reference.replace("GNU bash ", "GNU bash, version ")) ||
      stdout.startsWith(reference.replace(" ", "-")) ||
      stdout.startsWith(reference.replace(" ", " v")) ||
      stdout.startsWith(reference.replace("shasum ", "")) ||
      stdout.startsWith(reference.replace("diffstat ", "diffstat version ")) ||
      stdout.startsWith(`${tool} (${product}) ${version}\n`) ||
      stdout.startsWith(`${tool} from ${product} ${version}`))
  );
}

export const toolDice = (name: string): Dice => new Dice(name, SEED);

/**
 * `RUNS` cases of `make`, some of them bent: flags in their long form, abbreviated or bundled, arguments that nobody means
 * to type; input with CRLF, NUL, bytes that are no text, a very long line, without a last newline, or empty.
 */
export function manyCases(
  definition: BuiltinDefinition,
  make: (dice: Dice) => FuzzCase,
  isWanted: (example: FuzzCase) => boolean = () => true,
  dice = toolDice(definition.name),
): FuzzCase[] {
  const cases: FuzzCase[] = [];
  while (cases.length < RUNS) {
    const example = bent(dice, definition, make(dice));
    if (isComparable(definition, example.args) && isWanted(example)) cases.push(example);
  }
  return cases;
}

function bent(dice: Dice, definition: BuiltinDefinition, { args, stdin, files, ...rest }: FuzzCase): FuzzCase {
  const isPlain = (definition.syntax ?? "gnu") === "gnu" && definition.argumentWords === undefined;
  const respelled = isPlain && dice.chance(15) ? otherSpelling(dice, definition, args) : args;
  const bentArgs = BENDS_ARGUMENTS && dice.chance(25) ? bentArguments(dice, definition, respelled, Object.keys(files ?? {})) : respelled;
  if (!dice.chance(15)) return { args: bentArgs, stdin, ...(files && { files }), ...rest };
  const bend = dice.pick(BENDS);
  const bentFiles = files && Object.fromEntries(Object.entries(files).map(([name, text]) => [name, bend(text, dice)]));
  return { args: bentArgs, stdin: bend(stdin, dice), ...(bentFiles && { files: bentFiles }), ...rest };
}

const BENDS: readonly ((text: string, dice: Dice) => string)[] = [
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replace(/\n$/, ""),
  () => "",
  (text) => `${text}\0`,
  (text, dice) => inserted(text, dice, ["\0"]),
  (text, dice) => inserted(text, dice, ["\udcff", "\udcc3", "\udce2\udc82", "\udced\udca0\udc80", "\udcf0\udc9f"]),
  (text, dice) => inserted(text, dice, [dice.pick(["ab ", "x", "é", "\t", ",", "\0", "a\n"]).repeat(dice.below(30_000))]),
  (text, dice) => inserted(text, dice, ["é", "e\u0301", "日本", "👍", "\u00a0", "\u200b", "ß", "İ", "\ufeff"]),
];

function inserted(text: string, dice: Dice, pieces: readonly string[]): string {
  const characters = [...text];
  for (let left = 1 + dice.below(3); left > 0; left--) characters.splice(dice.below(characters.length + 1), 0, dice.pick(pieces));
  return characters.join("");
}

/** The same flags as far as may be, or with one that is wrong. */
export function otherSpelling(dice: Dice, { flags }: BuiltinDefinition, args: readonly string[]): readonly string[] {
  const isSwitch = (argument: string | undefined): boolean => {
    const [, letter = ""] = /^-([A-Za-z])$/.exec(argument ?? "") ?? [];
    return letter !== "" && Object.values(flags).some((flag) => flag.kind === "switch" && flag.short?.includes(letter) === true);
  };
  const spelled = [...args];
  const at = spelled.findIndex((argument, index) => isSwitch(argument) && (index === 0 || isSwitch(spelled[index - 1])));
  switch (dice.below(3)) {
    case 0: {
      // Abbreviated, which may be ambiguous.
      const long = spelled.findIndex((argument) => /^--[a-z]/.test(argument));
      const [, name = "", value = ""] = /^--([^=]*)(.*)$/s.exec(spelled[long] ?? "") ?? [];
      if (long >= 0) spelled[long] = `--${name.slice(0, 1 + dice.below(name.length))}${value}`;
      return spelled;
    }
    case 1:
      if (at >= 0 && isSwitch(spelled[at + 1])) spelled.splice(at, 2, `${spelled[at]}${spelled[at + 1]?.slice(1)}`);
      return spelled;
    default: {
      const letter = spelled[at]?.slice(1) ?? "";
      const [key, flag] = Object.entries(flags).find(([, { short }]) => letter !== "" && short?.includes(letter) === true) ?? [];
      if (key === undefined || flag === undefined || flag.long === false) return spelled;
      const long =
        typeof flag.long === "string" ? flag.long : (flag.long?.[0] ?? key.replace(/[A-Z]/g, (upper) => `-${upper.toLowerCase()}`));
      spelled[at] = `--${long.slice(0, dice.chance(50) ? long.length : 2 + dice.below(long.length))}`;
      return spelled;
    }
  }
}

/** Tools that may open a FIFO, or wait for what never comes: a limit on the processor's time does not end them. */
const MAY_WAIT = ["find", "du", "tree"];

/**
 * Answers of the real tool to the cases; an exit status above 128 where it had to be ended. `memory`: one of MEMORIES.
 */
export async function askTool(
  tool: string,
  cases: readonly FuzzCase[],
  memory: NodeJS.ProcessEnv = {},
  shared?: FuzzPlace,
): Promise<Answer[]> {
  const directory = mkdtempSync(join(tmpdir(), "fuzz-"));
  try {
    const script = cases.map(({ args, stdin, files = {}, isPiped = false, isFed = false, mtime }, at) => {
      const place = shared?.directory ?? join(directory, String(at));
      if (shared === undefined) mkdirSync(place);
      writeFileSync(join(directory, `in${at}`), toBytes(stdin));
      writeFiles(place, files, mtime);
      const words = `${MAY_WAIT.includes(tool) ? "timeout -s KILL 10 " : ""}${[tool, ...args].map(quoteWord).join(" ")}`;
      const [out, err] = [`${directory}/out${at}`, `${directory}/err${at}`];
      const output = isPiped ? `2>${err} | cat >${out}; exit \${PIPESTATUS[${isFed ? 1 : 0}]}` : `>${out} 2>${err}`;
      const run = isFed ? `cat ${directory}/in${at} | ${words}` : `${words} <${directory}/in${at}`;
      // Each within a shell of its own: what is built into it would use up the time of all that follow.
      return `(cd ${place}; ${run} ${output}); echo $? >${directory}/exit${at}`;
    });
    // A command that runs or prints without end is stopped after 1 s of processor time or 65,536 KiB.
    writeFileSync(join(directory, "script"), toBytes(`ulimit -t 1 -f 65536\n${script.join("\n")}\n`));
    const bash = spawn("bash", ["script"], {
      cwd: directory,
      env: {
        ...environment(),
        ...memory,
      },
      // bash itself says there which of its commands were ended.
      stdio: ["ignore", "ignore", "ignore"],
    });
    const [status] = (await once(bash, "close")) as [number | null];
    if (status !== 0) throw new Error(`bash ended with ${status}`);
    const read = (name: string): string => toText(readFileSync(join(directory, name)));
    return cases.map((_, at) => ({ stdout: read(`out${at}`), stderr: asBash(read(`err${at}`)), exit: Number(read(`exit${at}`)) }));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function writeFiles(directory: string, files: NonNullable<FuzzCase["files"]>, mtime: number | undefined): void {
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory, name), toBytes(content));
    if (mtime !== undefined) utimesSync(join(directory, name), mtime, mtime);
  }
}

const environment = (): NodeJS.ProcessEnv => ({
  PATH: `${process.env["SHELPA_ORACLE"] ?? ""}:${process.env["PATH"] ?? ""}`,
  LC_ALL: "C.UTF-8",
  TZ: "UTC",
  // For colors that were asked for.
  TERM: "xterm",
});

/** A builtin's message with what stands before it under bash -c. */
const asBash = (stderr: string): string => stderr.replace(/^script: line \d+: /gm, "bash: line 1: ");

/** Answers of our builtin, its standard input cut into blocks at random places. */
export async function askOurs(
  definition: BuiltinDefinition,
  cases: readonly FuzzCase[],
  isAsked: (at: number) => boolean = () => true,
  name = definition.name,
  shared?: FuzzPlace,
): Promise<Answer[]> {
  const dice = toolDice("blocks");
  const directory = shared?.root ?? mkdtempSync(join(tmpdir(), "fuzz-"));
  const workspace = Workspace.open(directory);
  const catalogue: Catalogue = new Registry(builtins);
  const answers: Answer[] = [];
  try {
    for (const [at, { args, stdin, files = {}, mtime }] of cases.entries()) {
      if (!isAsked(at)) {
        answers.push({ stdout: "", stderr: "", exit: 0 });
        continue;
      }
      const place = shared === undefined ? `${at}` : relative(directory, shared.directory);
      if (shared === undefined) mkdirSync(join(directory, place));
      writeFiles(join(directory, place), files, mtime);
      const [stdout, stderr]: [Uint8Array[], Uint8Array[]] = [[], []];
      const stage = runArguments(
        definition,
        name,
        args.map((text) => ({ text })),
        {
          stdin: inputFrom(cut(toBytes(stdin), dice)),
          files: workspace.at(place),
          recorder: undefined,
          stderr: (bytes) => void stderr.push(Buffer.from(typeof bytes === "string" ? toBytes(bytes) : bytes)),
          kept: new KeptValues(),
          limits: { lineBytes: 1 << 20, heldBytes: 1 << 24, spillBytes: 1 << 24 },
          nowMs: Date.now(),
          timeZone: "UTC",
          characters: "utf-8",
          environment: () => new Map(),
          wait: async () => {},
          randomBytes: (count) => new Uint8Array(count),
          catalogue,
        },
      );
      let exit: number;
      try {
        let step = await stage.next();
        for (; step.done !== true; step = await stage.next()) stdout.push(Buffer.from(step.value));
        exit = step.value;
      } catch (thrown) {
        // A limit, or a fault: not what the real tool does, whichever it is.
        stderr.push(toBytes(`thrown: ${String(thrown)}`));
        exit = -1;
      }
      answers.push({ stdout: toText(Buffer.concat(stdout)), stderr: toText(Buffer.concat(stderr)), exit });
    }
  } finally {
    workspace.close();
    if (shared === undefined) rmSync(directory, { recursive: true });
  }
  return answers;
}

/** Blocks whose memory is overwritten once the next one is asked for, as a producer may do. */
function* cut(bytes: Buffer, dice: Dice): Generator<Uint8Array, void> {
  for (let from = 0; from < bytes.length; ) {
    const to = from + 1 + dice.below(dice.chance(30) ? 4 : 400);
    const block = Buffer.from(bytes.subarray(from, to));
    yield block;
    block.fill(0x21);
    from = to;
  }
}

/** True if both fail for the arguments alone: naming another one of several mistakes is a stated deviation (docs/deviations.md). */
function namesAnotherMistake(real: Answer, ours: Answer): boolean {
  return real.exit !== 0 && real.exit === ours.exit && [real, ours].every(({ stdout, stderr }) => stdout === "" && /^\S+: /.test(stderr));
}

/**
 * The cases in which the two differ, for a message: a few of them. Left out are those in which the real tool had to be
 * ended, and those in which it prints memory that is not its own, or the time: it then answers otherwise once that is filled.
 * Nor are those in which an argument leads out of the workspace. `isExplained`: a difference that has its reason.
 */
export async function differences(
  definition: BuiltinDefinition,
  cases: readonly FuzzCase[],
  tool = definition.name,
  isExplained: NonNullable<Comparison["isExplained"]> = () => false,
): Promise<string[]> {
  const found: string[] = [];
  let asked = askTool(tool, cases.slice(0, CASES_A_SCRIPT));
  for (let from = 0; from < cases.length && found.length < MOST_FOUND; from += CASES_A_SCRIPT) {
    const lot = cases.slice(from, from + CASES_A_SCRIPT);
    const real = await asked;
    // Answered while ours are asked.
    asked = askTool(tool, cases.slice(from + CASES_A_SCRIPT, from + 2 * CASES_A_SCRIPT));
    const isEnded = (at: number): boolean => (real[at]?.exit ?? 0) > 128;
    const ours = await askOurs(definition, lot, (at) => !isEnded(at), tool);
    const suspects = lot
      .map((_, at) => at)
      .filter((at) => !isEnded(at) && JSON.stringify(real[at]) !== JSON.stringify(ours[at]))
      .filter((at) => !namesAnotherMistake(real[at] as Answer, ours[at] as Answer))
      .filter((at) => !LEAVES.test(ours[at]?.stderr ?? "") && !isExplained(lot[at] as FuzzCase, real[at] as Answer, ours[at] as Answer));
    if (suspects.length === 0) continue;
    const doubted = suspects.map((at) => lot[at] as FuzzCase);
    const again: Answer[][] = [];
    for (const memory of MEMORIES) again.push(await askTool(tool, doubted, memory));
    for (const [index, at] of suspects.entries()) {
      const theirs = JSON.stringify(real[at]);
      if (again.some((answers) => JSON.stringify(answers[index]) !== theirs)) continue;
      found.push(`${JSON.stringify(lot[at])}\n  real ${theirs}\n  ours ${JSON.stringify(ours[at])}`);
      if (FOUND !== undefined) appendFileSync(FOUND, `${found.at(-1)}\n`);
    }
  }
  await asked;
  return found;
}

export interface Comparison {
  readonly tool?: string;
  /** The part of an answer that must be the same (default: everything). */
  readonly told?: (answer: Answer) => unknown;
  /** A difference that has its reason. */
  readonly isExplained?: (example: FuzzCase, real: Answer, ours: Answer) => boolean;
}

/**
 * The cases in which the two differ in a tree that both read, or in one of their own each. Left out
 * are what we refuse by design, our own help, and what the real tool itself answers otherwise a moment later.
 */
export async function differencesIn(
  shared: FuzzPlace | undefined,
  definition: BuiltinDefinition,
  cases: readonly FuzzCase[],
  { tool = definition.name, told = (answer) => answer, isExplained = () => false }: Comparison = {},
): Promise<string[]> {
  const compared = cases.filter(({ args }) => isAsked(definition, tool, args));
  const ask = async (lot: readonly FuzzCase[]): Promise<[string, string, FuzzCase][]> => {
    const [real, ours] = await Promise.all([askTool(tool, lot, undefined, shared), askOurs(definition, lot, undefined, tool, shared)]);
    const rows = lot.map((example, at): [string, string, FuzzCase] => [
      JSON.stringify(told(sorted(real[at] as Answer))),
      JSON.stringify(told(sorted(ours[at] as Answer))),
      example,
    ]);
    return rows.filter(([theirs, answer, example], at) => {
      const [its, own] = [real[at] as Answer, ours[at] as Answer];
      return theirs !== answer && its.exit <= 128 && !LEAVES.test(own.stderr + own.stdout) && !isExplained(example, its, own);
    });
  };
  const suspects = await ask(compared);
  const found = suspects.length === 0 ? [] : await ask(suspects.map(([, , example]) => example));
  return found.map(([theirs, answer, { args, stdin }]) => {
    const line = [tool, ...args].map(quoteWord).join(" ");
    return `${line}${stdin === "" ? "" : ` <<< ${JSON.stringify(stdin)}`}\n  real ${theirs}\n  ours ${answer}`;
  });
}

const LEAVES = /leaves the workspace|outside the workspace/;

/** In which order the names stand that an abbreviation may mean is that of each tool's table. */
const sorted = (answer: Answer): Answer => ({
  ...answer,
  stderr: answer.stderr.replace(/(?<=is ambiguous; possibilities: ).*/, (names) => names.split(" ").sort().join(" ")),
});
