/**
 * Every builtin with random argument vectors, through the guard and in an executor process: each call ends as the
 * tool's or as a refusal, in time, with words and a status that a tool would have; nothing outside is seen or written.
 * `npm run fuzz -- arguments RUNS SEED`: RUNS vectors for each builtin; SHELPA_FUZZ_ONLY=sed,awk for some builtins.
 */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadBuiltins } from "../../builtins/registry.ts";
import { isWriter } from "../../src/builtin/registry.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import type { RunOutcome } from "../../src/session/session.ts";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";
import { argumentVector } from "./argument-vectors.ts";
import { corpus, Dice, fuzzRuns, isLongRun } from "./dice.ts";

interface Case {
  readonly command: string;
  readonly stdin?: string | undefined;
}

const RUNS = fuzzRuns(1, 1);
const TIME_MS = isLongRun ? 10_000 : 5000;
const SECRET = "CANARY_OUTSIDE_51b7";
/** They end when their reader does, or when told to. */
const ENDLESS: ReadonlySet<string> = new Set(["yes", "sleep"]);
/** Counting to 10^18 takes as long as it takes; so do its factors, and a sample of as many. */
const ENDLESS_WITH_HUGE = /^(seq|factor|shuf|printf|jq|awk|gawk|mawk|nawk|xargs|find|expr|numfmt|tail|cat|head|sed|test|date|\[)$/;

let place: Tree;
let shell: Shell;
const builtins = await loadBuiltins();
const only = process.env["SHELPA_FUZZ_ONLY"]?.split(",");

beforeAll(async () => {
  place = tree([
    "evil/secret: " + SECRET + "\n",
    "root/f: alpha\nbeta\ngamma\n",
    "root/g: 3 x\n1 y\n2 z\n",
    "root/d/f: in d\n",
    "root/d/e/deep: deep\n",
    "root/empty:",
    "root/bin: \u0000\u0001\udcff\udcfebinary\u0000\n",
    "root/crlf: a\r\nb\r\n",
    "root/nonl: no newline",
    "root/link => f",
    "root/dangling => nowhere",
    "root/out => ../evil",
    'root/data.json: {"a":[1,2,3],"b":{"c":null}}\n',
    "root/-dash: dash\n",
    "root/nl\nname: newline\n",
    "root/\udcff\udcfe: bad name\n",
    "root/é: accent\n",
  ]);
  shell = await Shell.open({
    root: `${place.path}/root`,
    isolation: "process",
    timeZone: "UTC",
    limits: { timeMs: TIME_MS, outputBytes: 8 << 20 },
  });
});
afterAll(async () => {
  await shell.close();
  place.remove();
});

test("what once failed", { timeout: 60_000 }, async () => {
  for (const row of corpus<Case & { note: string }>("arguments")) expect(await problemsOf(row), row.note).toEqual([]);
});

const timings = { cases: 0, refused: 0, failed: 0, ran: 0, stopped: 0 };
test.each(
  builtins.filter(({ name }) => only === undefined || only.includes(name)).map((definition) => [definition.name, definition] as const),
)(
  "%s",
  async (name, definition) => {
    const dice = new Dice(name);
    const found: string[] = [];
    const before = { root: inventory("root"), evil: inventory("evil") };
    for (let at = 0; at < RUNS && found.length < 5; at++) {
      const { args, stdin } = argumentVector(definition, dice);
      const typed = dice.chance(15) ? dice.pick([name, ...(definition.aliases ?? [])]) : name;
      const stage = [typed, ...args.map((arg) => quoteWord(arg))].join(" ");
      const command = name === "yes" ? `${stage} | head -c 3000` : stage;
      const row = { command, ...(stdin === undefined ? {} : { stdin }) };
      for (const problem of await problemsOf(row)) found.push(`${JSON.stringify(row)}\n   ${problem}`);
    }
    expect(found).toEqual([]);
    if (!isWriter(definition)) expect(inventory("root")).toEqual(before.root);
    expect(inventory("evil")).toEqual(before.evil);
  },
  Math.max(120_000, RUNS * 5000),
);

afterAll(() => {
  if (isLongRun) console.log(timings);
});

/** Words that no tool prints, unless it repeats its own input. */
const INTERNAL =
  /\b(?:TypeError|RangeError|ReferenceError|SyntaxError|InternalError|AssertionError|ERR_[A-Z_]+|Maximum call stack|Cannot read prop|is not a function|is not iterable|is not defined|\[object \w+\]|undefined|NaN|node:internal|dist\/|\.ts:\d+|\/proc\/self\/fd)/;

/** jq's own message about a function that does not exist. */
const JQ_OWN_WORDS = /^jq: error: \S+ is not defined at /m;

async function problemsOf({ command, stdin }: Case): Promise<string[]> {
  timings.cases++;
  const { result, stdout, stderr } = await shell.defaultSession.run(command, {
    ...(stdin === undefined ? {} : { stdin: toBytes(stdin) }),
    ...(ENDLESS.has(command.split(" ", 1)[0] as string) ? { timeMs: 300 } : {}),
  });
  const said =
    result.kind === "refused"
      ? result.violations.map(({ detail, suggestion }) => `${detail} ${suggestion ?? ""}`).join("\n")
      : toText(stderr);
  const problems: string[] = [];
  if (`${toText(stdout)}${said}`.includes(SECRET)) problems.push("it shows what is outside");
  const internal = INTERNAL.exec(said);
  if (internal !== null && !command.includes(internal[0]) && !JQ_OWN_WORDS.test(said)) problems.push(`it says: ${said.slice(0, 300)}`);
  problems.push(...endingProblems(command, { result, stdout, stderr }));
  return problems;
}

function endingProblems(command: string, { result, stdout, stderr }: RunOutcome): string[] {
  const name = command.split(" ", 1)[0] as string;
  switch (result.kind) {
    case "faulted":
      timings.failed++;
      return [`a fault: ${result.message}`];
    case "refused":
      timings.refused++;
      return result.violations.every(({ code, reason, detail }) => code !== "FAULT" && reason !== undefined && detail.length > 3)
        ? []
        : ["a refusal without words"];
    case "stopped":
      timings.stopped++;
      if (result.limit !== "time" && result.limit !== "memory") return [];
      return ENDLESS.has(name) || (ENDLESS_WITH_HUGE.test(name) && /\d{7}|\d[eE]\d|inf|while|repeat|-\w*r|--rep/.test(command))
        ? []
        : [`stopped: ${result.limit} (${result.cap})`];
    case "completed": {
      timings.ran++;
      const text = toText(stderr);
      if (!Number.isInteger(result.exit) || result.exit < 0 || result.exit > 255) return [`exit ${result.exit}`];
      if (result.exit >= 2 && text === "" && stdout.length === 0 && !MAY_FAIL_SILENTLY.test(command))
        return [`exit ${result.exit} without a word`];
      if (text !== "" && !text.endsWith("\n") && !WRITES_AS_IT_LIKES.test(command))
        return [`a message without its newline: ${text.slice(0, 200)}`];
      return [];
    }
  }
}

/** The program that it is given may say how it ends, or what it says. */
const MAY_FAIL_SILENTLY = /^(?:exit|jq|awk|gawk|mawk|nawk|sed|xargs|find|fd|test|\[|git|grep|egrep|fgrep|rg|diff|cmp|expr)\b|^\[/;
const WRITES_AS_IT_LIKES = /^(?:jq|awk|gawk|mawk|nawk|sed|xargs|find|fd)\b/;

/** Names, kinds and bytes of all that is under `top`, but of our records. */
function inventory(top: "root" | "evil"): string[] {
  const under = (directory: string): string[] =>
    readdirSync(Buffer.from(directory, "latin1"), { encoding: "latin1" }).flatMap((name) => {
      const path = `${directory}/${name}`;
      if (name === ".shelpa") return [];
      const status = lstatSync(Buffer.from(path, "latin1"));
      if (status.isDirectory()) return [path, ...under(path)];
      return [`${path} ${status.isFile() ? readFileSync(Buffer.from(path, "latin1")).toString("latin1").slice(0, 1000) : ""}`];
    });
  return under(`${place.path}/${top}`);
}
