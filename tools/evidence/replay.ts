/**
 * npm run replay -- FILE: runs command lines that real agents typed through bash with the real tools and through us,
 * and counts how often the bytes and the exit status are the same. FILE is lines.jsonl of a directory `agent-commands` (default:
 * the material's, see material.ts). Each line of it is one CorpusLine; `{root}` becomes the path of its tree, and the line runs
 * in `tree/cwd` with empty standard input, under bash with an environment of five variables (runReal). Output whose lines are the
 * same in another order is identical only if a tag, `dir-order` or `rg-order`, says that the real tool leaves the order open.
 *
 *   npm run replay -- [--only NAMES] [--limit N] [--jobs N] [--show N] [--json OUT] [FILE]
 *
 * Trees are built once, under the cache directory; the real tools' answers are kept beside them, keyed by the line.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CORPUS_CACHE, installedTools, readCorpus, treeOf, type CorpusLine } from "./corpus.ts";
import { materialAt } from "./material.ts";
import { Shell } from "../../src/session/shell.ts";

interface Answer {
  readonly exit: number;
  /** latin1: one unit, one byte. */
  readonly stdout: string;
}

type Verdict = "exact" | "order" | "refused" | "wrong";

interface Outcome {
  readonly line: CorpusLine;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly real: Answer;
  readonly ours: Answer | undefined;
}

/** A line whose answer takes longer than this counts as wrong, in milliseconds. */
const LINE_MS = 20_000;
const MAX_ANSWER_BYTES = 64 << 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    limit: { type: "string" },
    show: { type: "string", default: "0" },
    json: { type: "string" },
    match: { type: "string" },
  },
});
const project = join(dirname(fileURLToPath(import.meta.url)), "..");
const corpus = resolve(positionals[0] ?? materialAt(project, "agent-commands/lines.jsonl"));
const material = dirname(dirname(corpus));
const tools = installedTools(project);

const allowed = values.only === undefined ? undefined : new Set(values.only.split(","));
const chosen = readCorpus(corpus)
  .filter((line) => allowed === undefined || line.commands.every((command) => allowed.has(command)))
  .filter((line) => values.match === undefined || new RegExp(values.match).test(line.command))
  .slice(0, values.limit === undefined ? undefined : Number(values.limit));

const roots = new Map<string, string>();
for (const name of new Set(chosen.map((line) => line.tree))) roots.set(name, treeOf(name, material));
const realAnswers = await askTheRealTools(chosen);
const outcomes: Outcome[] = [];
for (const [name, root] of roots) {
  const shell = await Shell.open({ root, isolation: "process", readOnly: false, timeZone: "UTC", limits: { timeMs: LINE_MS } });
  for (const line of chosen) {
    if (line.tree === name) outcomes.push(await replay(shell, line, root, realAnswers.get(line.id) as Answer));
  }
  await shell.close();
}
report(outcomes);

async function askTheRealTools(lines: readonly CorpusLine[]): Promise<Map<string, Answer>> {
  const file = join(CORPUS_CACHE, "real-answers.json");
  const kept = new Map<string, Answer>(existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as [string, Answer][]) : []);
  const answers = new Map<string, Answer>();
  let asked = 0;
  for (const line of lines) {
    const root = roots.get(line.tree) as string;
    const key = createHash("sha256").update(`${root}\0${line.cwd}\0${line.command}`).digest("hex");
    let answer = kept.get(key);
    if (answer === undefined) {
      answer = await runReal(line, root);
      kept.set(key, answer);
      asked++;
    }
    answers.set(line.id, answer);
  }
  if (asked > 0) writeFileSync(file, JSON.stringify([...kept]));
  return answers;
}

function runReal(line: CorpusLine, root: string): Promise<Answer> {
  const command = line.command.replaceAll("{root}", root);
  const env = { PATH: `${tools}:/usr/bin:/bin`, HOME: "/nonexistent", LC_ALL: "C.UTF-8", TZ: "UTC", TERM: "dumb" };
  return new Promise((answered) => {
    const child = spawn("bash", ["-c", command], { cwd: join(root, line.cwd), env, stdio: ["ignore", "pipe", "ignore"], timeout: LINE_MS });
    const blocks: Buffer[] = [];
    child.stdout.on("data", (block: Buffer) => blocks.push(block));
    child.on("close", (code) =>
      answered({ exit: code ?? 128, stdout: Buffer.concat(blocks).subarray(0, MAX_ANSWER_BYTES).toString("latin1") }),
    );
  });
}

async function replay(shell: Shell, line: CorpusLine, root: string, real: Answer): Promise<Outcome> {
  const command = line.command.replaceAll("{root}", root);
  const { result, stdout } = await shell.newSession().run(command, { cwd: line.cwd, keepBytes: MAX_ANSWER_BYTES });
  switch (result.kind) {
    case "refused": {
      const { reason, detail } = result.violations[0];
      return { line, verdict: "refused", reason: `${reason}: ${detail}`, real, ours: undefined };
    }
    case "stopped":
      return { line, verdict: "wrong", reason: `stopped: ${result.limit}`, real, ours: undefined };
    case "faulted":
      return { line, verdict: "wrong", reason: `faulted: ${result.message.split("\n")[0] ?? ""}`, real, ours: undefined };
    case "completed": {
      const ours = { exit: result.exit, stdout: stdout.toString("latin1") };
      return { line, ...compared(line, real, ours), real, ours };
    }
  }
}

function compared(line: CorpusLine, real: Answer, ours: Answer): { verdict: Verdict; reason: string } {
  if (ours.exit === real.exit && ours.stdout === real.stdout) return { verdict: "exact", reason: "" };
  if (ours.exit !== real.exit) return { verdict: "wrong", reason: `exit ${ours.exit}, not ${real.exit}` };
  const orderIsOpen = line.tags.includes("dir-order") || line.tags.includes("rg-order");
  const sameLines = sorted(ours.stdout) === sorted(real.stdout);
  if (sameLines && orderIsOpen) return { verdict: "order", reason: "" };
  return { verdict: "wrong", reason: sameLines ? "order of lines" : "standard output" };
}

function sorted(text: string): string {
  return text.split("\n").sort().join("\n");
}

function report(results: readonly Outcome[]): void {
  const count = (verdict: Verdict): number => results.filter((outcome) => outcome.verdict === verdict).length;
  const share = (part: number): string => `${part} (${((100 * part) / Math.max(1, results.length)).toFixed(2)} %)`;
  const refused = count("refused");
  const identical = count("exact") + count("order");
  console.log(`lines      ${results.length}`);
  console.log(`accepted   ${share(results.length - refused)}`);
  console.log(`identical  ${share(identical)}   exact ${count("exact")}, in another order where it is open ${count("order")}`);
  console.log(`wrong      ${share(count("wrong"))}`);
  printTable("why refused", tally(results.filter((outcome) => outcome.verdict === "refused").map((outcome) => outcome.reason)));
  printTable("why wrong", tally(results.filter((outcome) => outcome.verdict === "wrong").map((outcome) => outcome.reason)));
  const commands = new Map<string, [number, number]>();
  for (const { line, verdict } of results) {
    for (const command of line.commands) {
      const [same, total] = commands.get(command) ?? [0, 0];
      commands.set(command, [same + (verdict === "exact" || verdict === "order" ? 1 : 0), total + 1]);
    }
  }
  console.log("\nidentical by command");
  for (const [command, [same, total]] of [...commands].sort((a, b) => b[1][1] - a[1][1]).slice(0, 40)) {
    console.log(`  ${command.padEnd(10)} ${same}/${total}`);
  }
  for (const outcome of results.filter(({ verdict }) => verdict === "wrong").slice(0, Number(values.show))) show(outcome);
  if (values.json !== undefined)
    writeFileSync(
      values.json,
      JSON.stringify(
        results.filter(({ verdict }) => verdict !== "exact"),
        null,
        1,
      ),
    );
}

function tally(reasons: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function printTable(title: string, rows: readonly [string, number][]): void {
  if (rows.length > 0) console.log(`\n${title}`);
  for (const [reason, times] of rows.slice(0, 25)) console.log(`  ${String(times).padStart(5)}  ${reason.slice(0, 150)}`);
}

/** The first line in which the two answers differ. */
function show({ line, reason, real, ours }: Outcome): void {
  console.log(`\n--- ${line.id} ${line.tree} ${line.cwd}  ${reason}\n${line.command}`);
  const want = real.stdout.split("\n");
  const got = (ours?.stdout ?? "").split("\n");
  const at = want.findIndex((text, index) => text !== got[index]);
  if (ours !== undefined && at >= 0) console.log(`line ${at + 1}\n  real ${JSON.stringify(want[at])}\n  ours ${JSON.stringify(got[at])}`);
}
