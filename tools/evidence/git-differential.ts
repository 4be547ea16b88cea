/**
 * npm run git-differential [-- --seed N] [-- --lines N] [-- --only PLACE]: runs lines of the shapes that agents type through our git and
 * the real one, in the repositories of git-places.ts. A line is equal (standard output, standard error and exit status are the same),
 * refused (ours says by name what it does not do), or differs. Lines that the product promises not to answer (they ask the host, the
 * network or a program), and those that the real git does not answer either for want of an object, are counted apart. Prints the shares,
 * the texts of refusals, and every line that differs.
 */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Shell } from "../../src/session/shell.ts";
import { shapedLines } from "../../test/builtins/git/git-line-shapes.ts";
import { ENVIRONMENT } from "../../test/builtins/git/git-repositories.ts";
import { namesIn, PLACES } from "./git-places.ts";

const { values } = parseArgs({
  options: { seed: { type: "string", default: "1" }, lines: { type: "string", default: "700" }, only: { type: "string" } },
});
const seed = Number(values.seed);
const count = Number(values.lines);
const MOST_BYTES = 1 << 28;

interface Answer {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly exit: number;
}

/** "unanswered": the real git ended for want of an object. "promised": the product's promise is the reason of a refusal. */
type Verdict =
  | { readonly kind: "equal" | "unanswered" }
  | { readonly kind: "refused" | "promised" | "differs"; readonly reason: string; readonly isSilent?: boolean };

interface Counts {
  lines: number;
  equal: number;
  refused: number;
  promised: number;
  unanswered: number;
  differs: number;
  /** Of those that differ: ours ended without an error, and printed something else. */
  silent: number;
}

/** What the engine's git says where it does not do a thing, and the real one does; its own errors have the real one's texts. */
const SAID_REFUSALS =
  / here\b|outside the workspace|is not (?:read|done|available)|starts a program|the host's to say|^fatal: (?:unable to read|bad object) /m;

/** Of these, what the product promises: nothing of the host's is asked, nothing outside the workspace is read, nothing is started. */
const PROMISES =
  /is the host's to say|outside the workspace|there is no network here|starts a program|is a program, and none is started here|names who runs git|ids of messages hold the time/;

/** The real git's words where an object is missing that it would fetch. */
const FETCHES = "fatal: '/nonexistent/promisor' does not appear to be a git repository";

const own = join(dirname(fileURLToPath(import.meta.url)), "..");
const all: Counts = { lines: 0, equal: 0, refused: 0, promised: 0, unanswered: 0, differs: 0, silent: 0 };
const refusals = { refused: new Map<string, string[]>(), promised: new Map<string, string[]>() };
const differing: string[] = [];
for (const [index, { name, make, lines: further = [], share = 100 }] of PLACES.entries()) {
  if (values.only !== undefined && values.only !== name) continue;
  const made = make(seed, own);
  const wanted = Math.ceil((count * share) / 100);
  const lines = [...new Set([...further, ...shapedLines(seed * 100 + index, wanted, namesIn(made.path))])];
  const shell = await Shell.open({
    root: made.path,
    isolation: "none",
    readOnly: true,
    timeZone: "UTC",
    limits: { outputBytes: MOST_BYTES },
  });
  const here: Counts = { lines: 0, equal: 0, refused: 0, promised: 0, unanswered: 0, differs: 0, silent: 0 };
  for (const line of lines) {
    const verdict = await compared(shell, line, made.path);
    for (const counts of [here, all]) {
      counts.lines++;
      counts[verdict.kind]++;
      if (verdict.kind === "differs" && verdict.isSilent === true) counts.silent++;
    }
    if (verdict.kind === "refused" || verdict.kind === "promised") {
      const found = refusals[verdict.kind];
      found.set(verdict.reason, [...(found.get(verdict.reason) ?? []), `${name}: ${line}`]);
    }
    if (verdict.kind === "differs") differing.push(`${name}: ${line}\n    ${verdict.reason}`);
  }
  await shell.close();
  made.remove();
  console.log(`${name}: ${shown(here)}`);
}
console.log(`all: ${shown(all)}`);
for (const kind of ["refused", "promised"] as const) {
  console.log(`\n${kind}:`);
  for (const [reason, lines] of [...refusals[kind]].sort(([, a], [, b]) => b.length - a.length))
    console.log(`  ${lines.length} ${reason}\n      ${lines.slice(0, 2).join("\n      ")}`);
}
console.log("\ndiffering:");
for (const text of differing) console.log(text);

function shown({ lines, equal, refused, promised, unanswered, differs, silent }: Counts): string {
  const part = (some: number, of = lines): string => `${some} (${((some / Math.max(1, of)) * 100).toFixed(2)} %)`;
  const asked = lines - promised - unanswered;
  return [
    `${lines} lines, ${promised} of them apart by promise and ${unanswered} unanswered by the real git`,
    `of the ${asked} others ${part(equal, asked)} equal, ${part(refused, asked)} refused, ${part(differs, asked)} differing, ${silent} silently`,
  ].join("; ");
}

/** Anew while the real git's own answers differ from each other: they may tell the time. */
async function compared(shell: Shell, line: string, path: string): Promise<Verdict> {
  for (let tries = 1; ; tries++) {
    const real = realAnswer(line, path);
    const verdict = await verdictOn(shell, line, real);
    if (verdict.kind !== "differs" || tries === 3) return verdict;
    const again = realAnswer(line, path);
    if (again.stdout.equals(real.stdout) && again.stderr.equals(real.stderr)) return verdict;
  }
}

function realAnswer(line: string, path: string): Answer {
  // Nothing is written into the repository: status and diff would refresh its index.
  const env = { ...ENVIRONMENT, GIT_OPTIONAL_LOCKS: "0" };
  const { stdout, stderr, status } = spawnSync("bash", ["-c", line], { cwd: path, env, maxBuffer: MOST_BYTES, input: "" });
  return { stdout, stderr, exit: status ?? 128 };
}

async function verdictOn(shell: Shell, line: string, { stdout, stderr, exit }: Answer): Promise<Verdict> {
  const { result, ...ours } = await shell.newSession().run(line, { keepBytes: MOST_BYTES });
  if (result.kind === "refused") return refusal(result.violations[0].detail);
  if (result.kind !== "completed") return { kind: "differs", reason: result.kind };
  if (ours.stdout.equals(stdout) && ours.stderr.equals(stderr) && result.exit === exit) return { kind: "equal" };
  const [oursSaid, realSaid] = [ours, { stdout, stderr }].map(({ stdout: out, stderr: error }) =>
    (line.includes("2>&1") ? out : error).toString(),
  ) as [string, string];
  if (realSaid.includes(FETCHES)) return { kind: "unanswered" };
  if (oursSaid !== "" && realSaid !== oursSaid && realSaid.startsWith(oursSaid) && /^usage: /m.test(realSaid))
    return { kind: "refused", reason: "the list of options is not printed" };
  // A pipe may have its own status; what was said counts.
  if (oursSaid !== realSaid && SAID_REFUSALS.test(oursSaid)) return refusal(oursSaid.trim().replace(/[0-9a-f]{40,}/g, "ID"));
  if (!ours.stdout.equals(stdout)) {
    const said = oursSaid === "" ? "" : ` (${oursSaid.trim()})`;
    return { kind: "differs", reason: `standard output: ${firstDifference(ours.stdout, stdout)}${said}`, isSilent: oursSaid === "" };
  }
  if (!ours.stderr.equals(stderr)) return { kind: "differs", reason: `standard error: ${firstDifference(ours.stderr, stderr)}` };
  return { kind: "differs", reason: `exit status ${result.exit}, not ${exit}` };
}

function refusal(reason: string): Verdict {
  return { kind: PROMISES.test(reason) ? "promised" : "refused", reason };
}

function firstDifference(ours: Buffer, real: Buffer): string {
  const [a, b] = [ours, real].map((bytes) => bytes.toString("latin1").split("\n"));
  const at = a?.findIndex((text, index) => text !== b?.[index]) ?? 0;
  const quoted = (text: string | undefined): string => JSON.stringify(text?.slice(0, 120) ?? "(end)");
  return at < 0 ? "ours ends early" : `line ${at + 1}: ${quoted(a?.[at])}, not ${quoted(b?.[at])}`;
}
