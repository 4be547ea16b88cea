/**
 * npm run git-differential [-- --seed N] [-- --lines N] [-- --only PLACE]: runs lines of the shapes that agents type through our git and
 * the real one, in the repositories of git-places.ts. A line is equal (standard output, standard error and exit status are the same),
 * refused (ours says by name what it does not do), or differs. Prints the shares, the texts of refusals, and every line that differs.
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

/** "unanswered": the real git ended for want of an object that ours did not need. */
type Verdict =
  | { readonly kind: "equal" | "unanswered" }
  | { readonly kind: "refused" | "differs"; readonly reason: string; readonly isSilent?: boolean };

interface Counts {
  lines: number;
  equal: number;
  refused: number;
  unanswered: number;
  differs: number;
  /** Of those that differ: ours ended without an error, and printed something else. */
  silent: number;
}

/** What the engine's git says where it does not do a thing, and the real one does; its own errors have the real one's texts. */
const SAID_REFUSALS =
  / here\b|outside the workspace|is not (?:read|done|available)|starts a program|the host's to say|^fatal: (?:unable to read|bad object) /m;

/** The real git's words where an object is missing that it would fetch. */
const FETCHES = "fatal: '/nonexistent/promisor' does not appear to be a git repository";

const own = join(dirname(fileURLToPath(import.meta.url)), "..");
const all: Counts = { lines: 0, equal: 0, refused: 0, unanswered: 0, differs: 0, silent: 0 };
const refusals = new Map<string, string[]>();
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
  const here: Counts = { lines: 0, equal: 0, refused: 0, unanswered: 0, differs: 0, silent: 0 };
  for (const line of lines) {
    const verdict = await compared(shell, line, made.path);
    for (const counts of [here, all]) {
      counts.lines++;
      counts[verdict.kind]++;
      if (verdict.kind === "differs" && verdict.isSilent === true) counts.silent++;
    }
    if (verdict.kind === "refused") refusals.set(verdict.reason, [...(refusals.get(verdict.reason) ?? []), `${name}: ${line}`]);
    if (verdict.kind === "differs") differing.push(`${name}: ${line}\n    ${verdict.reason}`);
  }
  await shell.close();
  made.remove();
  console.log(`${name}: ${shown(here)}`);
}
console.log(`all: ${shown(all)}`);
console.log("\nrefused:");
for (const [reason, lines] of [...refusals].sort(([, a], [, b]) => b.length - a.length))
  console.log(`  ${lines.length} ${reason}\n      ${lines.slice(0, 2).join("\n      ")}`);
console.log("\ndiffering:");
for (const text of differing) console.log(text);

function shown({ lines, equal, refused, unanswered, differs, silent }: Counts): string {
  const part = (some: number, of = lines): string => `${some} (${((some / Math.max(1, of)) * 100).toFixed(2)} %)`;
  const answered = `${part(equal, lines - refused - unanswered)} of those that are answered`;
  return `${lines} lines: ${part(equal)} equal, ${answered}; ${part(refused)} refused, ${unanswered} unanswered by the real git, ${part(differs)} differing, ${silent} of them silently`;
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
  if (result.kind === "refused") return { kind: "refused", reason: result.violations[0].detail };
  if (result.kind !== "completed") return { kind: "differs", reason: result.kind };
  if (ours.stdout.equals(stdout) && ours.stderr.equals(stderr) && result.exit === exit) return { kind: "equal" };
  const [oursSaid, realSaid] = [ours, { stdout, stderr }].map(({ stdout: out, stderr: error }) =>
    (line.includes("2>&1") ? out : error).toString(),
  ) as [string, string];
  if (realSaid.includes(FETCHES) && result.exit !== 0) return { kind: "refused", reason: "an object is missing, and nothing is fetched" };
  if (realSaid.includes(FETCHES) && !SAID_REFUSALS.test(oursSaid)) return { kind: "unanswered" };
  if (oursSaid !== "" && realSaid !== oursSaid && realSaid.startsWith(oursSaid) && /^usage: /m.test(realSaid))
    return { kind: "refused", reason: "the list of options is not printed" };
  // A pipe may have its own status; what was said counts.
  if (oursSaid !== realSaid && SAID_REFUSALS.test(oursSaid))
    return { kind: "refused", reason: oursSaid.trim().replace(/[0-9a-f]{40}/g, "ID") };
  if (!ours.stdout.equals(stdout)) {
    const said = oursSaid === "" ? "" : ` (${oursSaid.trim()})`;
    return { kind: "differs", reason: `standard output: ${firstDifference(ours.stdout, stdout)}${said}`, isSilent: oursSaid === "" };
  }
  if (!ours.stderr.equals(stderr)) return { kind: "differs", reason: `standard error: ${firstDifference(ours.stderr, stderr)}` };
  return { kind: "differs", reason: `exit status ${result.exit}, not ${exit}` };
}

function firstDifference(ours: Buffer, real: Buffer): string {
  const [a, b] = [ours, real].map((bytes) => bytes.toString("latin1").split("\n"));
  const at = a?.findIndex((text, index) => text !== b?.[index]) ?? 0;
  const quoted = (text: string | undefined): string => JSON.stringify(text?.slice(0, 120) ?? "(end)");
  return at < 0 ? "ours ends early" : `line ${at + 1}: ${quoted(a?.[at])}, not ${quoted(b?.[at])}`;
}
