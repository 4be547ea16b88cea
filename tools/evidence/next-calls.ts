/**
 * npm run next-calls: sends each line of suggestions/own-lines.txt to the server over MCP, takes from a refusal's text alone its
 * `try:` or `instead:`, and sends that as the next call, to a tree that is as it was. Prints how many lines were refused, how many
 * of the refusals had such a line, and how many of these ran with the exit status that was to be expected: bash's for the refused
 * line, where bash has all of it; else 0, or the 1 by which diff, grep and their like tell a difference or that there is none. Ends with 1 where fewer than 95 of 100 did.
 *
 *   npm run next-calls -- [--redirects refuse|record] [--list] [FILE]
 */
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { AttackClient } from "./attack-client.ts";
import { materialAt } from "./material.ts";
import { installedTools } from "./corpus.ts";
import { doneByBash, notComparable, Place, type RealShell } from "./suggestions/compared.ts";
import { suggestionIn } from "./suggestions/refusals.ts";
import { smallTree } from "./suggestions/small-tree.ts";
import { ownLines } from "./suggestions/sources.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { redirects: { type: "string", default: "refuse" }, list: { type: "boolean", default: false } },
});

const CALL_MS = 30_000;
const LEAST_SHARE = 0.95;
const TELLS_BY_STATUS = /(?:^|[|;&] *)(?:diff|cmp|[ef]?grep|rg|test)\b[^|;&]*$/;

interface Answer {
  readonly text: string;
  readonly exit: number | undefined;
}

interface NextCall {
  readonly line: string;
  readonly next: string | undefined;
  /** Absent: it ran as it was to be expected. */
  readonly fault?: string;
}

const project = join(dirname(fileURLToPath(import.meta.url)), "..");
const real: RealShell = { tools: installedTools(project), sandbox: materialAt(project, "oracle/sandbox.sh") };
const small = smallTree();
const place = new Place(small);
try {
  const lines = positionals[0] === undefined ? ownLines(project) : readFileSync(positionals[0], "utf8").trim().split("\n");
  const calls: NextCall[] = [];
  for (const line of lines) {
    const call = await nextCall(line);
    if (call !== undefined) calls.push(call);
  }
  report(lines.length, calls);
} finally {
  place.remove();
  rmSync(dirname(small), { recursive: true, force: true });
}

/** Undefined where `line` is not refused. */
async function nextCall(line: string): Promise<NextCall | undefined> {
  const first = await answered(line);
  const isRefused = /^(?:\[shelpa\] not run: |[A-Z]+(?:_[A-Z]+)*: )/m.test(first.text) && (first.exit === undefined || first.exit === 127);
  if (!isRefused) return undefined;
  const suggested = suggestionIn(first.text);
  if (suggested === undefined) return { line, next: undefined };
  const second = await answered(suggested.line);
  if (second.exit === undefined) return { line, next: suggested.line, fault: second.text.split("\n")[0] ?? "no answer" };
  const want = await doneByBash(place, line, "", real);
  const expected = [0, ...(notComparable(want) === undefined ? [want.exit] : []), ...(TELLS_BY_STATUS.test(suggested.line) ? [1] : [])];
  const isExpected = expected.includes(second.exit) && !/^\[shelpa\] not run: /m.test(second.text);
  return { line, next: suggested.line, ...(isExpected ? {} : { fault: `exit ${second.exit}: ${second.text.split("\n")[0] ?? ""}` }) };
}

/** The answer of a new server to `line`, in the tree as it was. */
async function answered(line: string): Promise<Answer> {
  place.restore();
  const client = new AttackClient({
    program: join(project, "dist/shelpa-mcp.js"),
    root: place.root,
    options: ["--redirects", values.redirects],
  });
  try {
    const message = (await client.call({ command: line }, CALL_MS)) as
      | { result?: { content?: readonly { text?: string }[]; _meta?: { exit_code?: number | null } } }
      | undefined;
    const { content = [], _meta: meta } = message?.result ?? {};
    return { text: content.map(({ text = "" }) => text).join("\n"), exit: meta?.exit_code ?? undefined };
  } finally {
    client.end();
    await client.ends(CALL_MS);
  }
}

function report(lines: number, calls: readonly NextCall[]): void {
  const carried = calls.filter(({ next }) => next !== undefined);
  const failed = carried.filter(({ fault }) => fault !== undefined);
  const ran = carried.length - failed.length;
  const share = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  console.log(
    `redirects ${values.redirects}: ${lines} lines, ${calls.length} refused, ${carried.length} carried a line (${share(carried.length, calls.length)}), ${ran} of these ran (${share(ran, carried.length)})`,
  );
  for (const { line, next, fault } of failed) console.log(`\nFAILED: ${line}\n  ${next}\n  ${fault}`);
  if (values.list)
    for (const { line, next, fault } of calls) if (fault === undefined) console.log(`\n${line}\n  ${next === undefined ? "none" : next}`);
  process.exitCode = ran >= LEAST_SHARE * carried.length && carried.length > 0 ? 0 : 1;
}
