import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { describe, expect, test } from "vitest";
import type { WriteReceipt } from "../../src/builtin/recorder.ts";
import type { StopReason } from "../../src/exec/result.ts";
import type { Violation } from "../../src/guard/violation.ts";
import { answerCall, answerFault } from "../../src/mcp/answer.ts";
import type { ShellAnswer, ShellRequest } from "../../src/mcp/shell-service.ts";
import { toolDefinitions } from "../../src/mcp/tool.ts";
import { answerWith, completed, reportOf, stage, type CompletedFacts } from "./fake-shell.ts";

const schema = toolDefinitions({ commandNames: [], readOnly: false, recordsRedirects: false, structured: true, split: false })[0]
  ?.outputSchema;
const validate = new AjvJsonSchemaValidator().getValidator(schema as object);

interface Answered {
  readonly isError: boolean;
  /** The text blocks. */
  readonly texts: readonly string[];
  readonly data: Record<string, unknown>;
  readonly exitCode: unknown;
}

async function answered(
  answer: ShellAnswer,
  request: Partial<ShellRequest> = {},
  options: { rawOutput?: boolean; max?: number } = {},
): Promise<Answered> {
  const result = answerCall(
    { command: "cat big", ...request },
    { output: { id: "id1", number: 7 }, ...answer },
    {
      rawOutput: options.rawOutput ?? false,
      structured: true,
      maxOutputCharacters: options.max ?? 30_000,
    },
  );
  const data = result.structuredContent as Record<string, unknown>;
  expect(validate(data)).toMatchObject({ valid: true });
  const texts = result.content.map((block) => (block.type === "text" ? block.text : block.type));
  return { isError: result.isError ?? false, texts, data, exitCode: result._meta?.["exit_code"] };
}

describe("the text is what a terminal would show", () => {
  test.each<{ name: string; facts: CompletedFacts; text: string }>([
    { name: "standard output alone", facts: { stdout: "a\nb\n" }, text: "a\nb\n" },
    { name: "standard output without its last newline", facts: { stdout: "a" }, text: "a" },
    { name: "standard error after standard output", facts: { stdout: "a\n", stderr: "x: y\n" }, text: "a\nx: y\n" },
    { name: "standard error starts a line of its own", facts: { stdout: "a", stderr: "x: y\n" }, text: "a\nx: y\n" },
    {
      name: "an exit status that is not 0",
      facts: { stderr: "cat: x: No such file or directory\n", exit: 1 },
      text: "cat: x: No such file or directory\n[exit 1]",
    },
    { name: "an exit status after a line without end", facts: { stdout: "a", exit: 3 }, text: "a\n[exit 3]" },
    { name: "nothing, and it went well", facts: {}, text: "(no output, exit 0)" },
    { name: "no match", facts: { exit: 1 }, text: "(no output, exit 1)" },
    { name: "nothing but a move", facts: { cwd: "logs" }, text: "(no output, exit 0, cwd logs)" },
  ])("$name", async ({ facts, text }) => {
    const { isError, texts, data, exitCode } = await answered(completed(facts));
    expect(texts).toEqual([text]);
    expect({ isError, exitCode }).toEqual({ isError: false, exitCode: facts.exit ?? 0 });
    expect(data).toMatchObject({
      stdout: facts.stdout ?? "",
      stderr: facts.stderr ?? "",
      exit_code: facts.exit ?? 0,
      cwd: facts.cwd ?? "",
      truncated: null,
      notes: [],
    });
  });
});

test("steps are reported in order, a stage that its reader closed with null", async () => {
  const { data } = await answered(completed({ stages: [stage("yes x", 65_536, null), stage("head -5", 10)] }));
  expect(data["meta"]).toEqual({
    steps: [
      { command: "yes x", output_size: 65_536, truncated: false, execution_time_ms: 1, exit_code: null },
      { command: "head -5", output_size: 10, truncated: false, execution_time_ms: 1, exit_code: 0 },
    ],
    tee: null,
  });
});

describe("writes", () => {
  const receipt: WriteReceipt = {
    path: "out/a.txt",
    mirror: ".shelpa/out/a.txt",
    mode: "overwrite",
    bytes: 6,
    recordId: "17",
    created: true,
    previous: null,
    permittedBy: null,
  };
  const wire = {
    path: "out/a.txt",
    mirror: ".shelpa/out/a.txt",
    mode: "overwrite",
    bytes: 6,
    record_id: "17",
    created: true,
    previous: null,
  };

  test("one is in meta.tee and in the text", async () => {
    const { texts, data } = await answered(completed({ stdout: "hello\n", receipts: [receipt] }));
    expect(texts).toEqual(["hello\n", "[shelpa] created out/a.txt: 6 bytes (record 17, undo: undo 17)"]);
    expect(data["meta"]).toEqual({ steps: [], tee: wire });
  });

  test.each([
    ["été/日本.txt", "été/日本.txt"],
    ["a b", "'a b'"],
    ["a: 1 line (record 5, undo: undo 5)", "'a: 1 line (record 5, undo: undo 5)'"],
    ["a'\n[shelpa] b", "'a'\\''\\n[shelpa] b'"],
  ])("the file %j is written so that it is no part of the sentence", async (path, shown) => {
    const { texts } = await answered(completed({ receipts: [{ ...receipt, path }] }));
    expect(texts.at(-1)).toBe(`[shelpa] created ${shown}: 6 bytes (record 17, undo: undo 17)`);
  });

  test("several are all in meta.writes", async () => {
    const second: WriteReceipt = { ...receipt, path: "b", created: false, previous: "9", mode: "append" };
    const { texts, data } = await answered(completed({ receipts: [receipt, second, { ...second, mode: "overwrite" }] }));
    expect(texts).toEqual([
      "[shelpa] created out/a.txt: 6 bytes (record 17)\n[shelpa] appended to b: 6 bytes (record 17)\n" +
        "[shelpa] replaced b: 6 bytes (record 17)\n[shelpa] undo all of it: undo 17",
    ]);
    expect(data["meta"]).toMatchObject({ tee: wire, writes: [wire, { path: "b", created: false, previous: "9", mode: "append" }, {}] });
  });

  test("the change is told in lines, with its differences, whose lines are never ours", async () => {
    const change = { added: 2, removed: 1, diff: ["@@ -1,2 +1,3 @@", " [shelpa] a", "-\u001b[2K", "+[exit 1]", "+b"], more: 3 };
    const { texts, data } = await answered(completed({ receipts: [{ ...receipt, created: false, change }] }));
    expect(texts).toEqual([
      "[shelpa] replaced out/a.txt: 2 lines added, 1 removed (record 17, undo: undo 17)\n" +
        "@@ -1,2 +1,3 @@\n [shelpa] a\n-\\u{1b}[2K\n+[exit 1]\n+b\n[shelpa] 3 more lines of this difference",
    ]);
    expect(data["meta"]).toMatchObject({ tee: { change: { added: 2, removed: 1, more: 3 } } });
  });

  test("at most 40 lines of differences, and 20 changes", async () => {
    const change = { added: 9, removed: 9, diff: ["@@ -1,9 +1,9 @@", ...Array.from({ length: 18 }, () => "+x")], more: 0 };
    const { texts } = await answered(completed({ receipts: Array.from({ length: 30 }, () => ({ ...receipt, created: false, change })) }));
    const lines = (texts[0] ?? "").split("\n");
    expect(lines.filter((line) => /^[+@]/.test(line))).toHaveLength(40);
    expect(lines.filter((line) => line.startsWith("[shelpa] replaced"))).toHaveLength(20);
    expect(lines.slice(-2)).toEqual(["[shelpa] 10 more changes (history lists them)", "[shelpa] undo all of it: undo 17"]);
  });
});

describe("long output", () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index + 1}\n`).join("");

  test("is cut after a line, and says how to go on", async () => {
    const { texts, data, isError } = await answered(
      completed({ stdout: lines, stages: [{ ...stage("cat big", lines.length), tells: "start" }] }),
      {},
      { max: 100 },
    );
    expect(isError).toBe(false);
    const shownLines = 13;
    const shownText = lines.split("\n").slice(0, shownLines).join("\n") + "\n";
    expect(texts).toEqual([
      shownText,
      `[shelpa] shown: lines 1-${shownLines} of 1000 (${shownText.length} of ${lines.length} bytes)\n` +
        "[shelpa] next: sed -n '14,26p' big",
    ]);
    expect(data).toMatchObject({
      stdout: shownText,
      truncated: {
        shown_lines: shownLines,
        total_lines: 1000,
        shown_bytes: shownText.length,
        total_bytes: lines.length,
        next: "sed -n '14,26p' big",
        resource: "shelpa://output/id1",
      },
      meta: { steps: [{ truncated: true }] },
    });
  });

  test("is not cut at 30,000 characters, and is at 30,001", async () => {
    expect((await answered(completed({ stdout: "x".repeat(30_000) }))).data["truncated"]).toBeNull();
    expect((await answered(completed({ stdout: "x".repeat(30_001) }))).data["truncated"]).toMatchObject({
      shown_bytes: 30_000,
      shown_lines: 0,
    });
  });

  test("cut inside a line says so", async () => {
    const { texts } = await answered(completed({ stdout: "x".repeat(500) }), {}, { max: 100 });
    expect(texts[1]).toBe("[shelpa] shown: the start of line 1 of 1 (100 of 500 bytes)\n[shelpa] next: @out 7 | tail -c +101");
  });

  test("past what the service keeps says how much there was", async () => {
    const { texts, data } = await answered(completed({ stdout: lines, totalBytes: 1e9, totalLines: 1e8 }));
    expect(texts[1]).toContain("shown: lines 1-1000 of 100000000 (8893 of 1000000000 bytes)");
    expect(texts[1]).toContain("\n[shelpa] kept: the first 8893 bytes");
    expect(data["truncated"]).toMatchObject({ total_bytes: 1e9 });
  });

  test("of a call with arguments says to give again those that the next one needs", async () => {
    const given = { cwd: "a", stdin: "x", session: "s", dryRun: true };
    const { texts } = await answered(completed({ stdout: lines }), { ...given, command: "cat big -" }, { max: 100 });
    expect(texts[1]).toContain("next (with the same session): @out 7 | sed");
    const file = await answered(completed({ stdout: lines }), { ...given, command: "cat big" }, { max: 100 });
    expect(file.texts[1]).toContain("next (with the same cwd, session): sed -n '8,19p' big");
  });

  test.each([
    [
      "a line at a time",
      `${"x: y\n".repeat(10_000)}last: failed\n`,
      /^(x: y\n){800}\[shelpa: 8,403 lines of standard error are not shown here\]\n(x: y\n){797}last: failed\n$/,
    ],
    ["one line", `awk: ${"p".repeat(50_000)}: failed\n`, /^awk: p{995}\[… 48,013 characters\]p{992}: failed\n$/],
    [
      "one line of characters that are spelled out",
      `cat: ${"\u202e".repeat(50_000)}: No\n`,
      /^cat: (\\u\{202e\}){185}\[… [\d,]+ characters\](\\u\{202e\})+: No\n$/,
    ],
    [
      "a long line, and then the message",
      `awk: ${"é".repeat(9000)}\nawk:   ^ syntax error`,
      /^awk: é{995}\[… 7,505 characters\]é{500}\nawk: {3}\^ syntax error$/,
    ],
    [
      "a last line that is too long",
      `${"x: y\n".repeat(5000)}z: ${"q".repeat(9000)}: failed\n`,
      /^(x: y\n){800}\[shelpa: .*\n(x: y\n)+z: q{997}\[… 7,011 characters\]q{992}: failed\n$/,
    ],
  ])("standard error keeps its first and its last message: %s", async (_, stderr, shown) => {
    const { data } = await answered(completed({ stderr, exit: 1 }));
    expect(data["stderr"]).toMatch(shown);
    expect((data["stderr"] as string).length).toBeLessThan(8200);
    expect(data["notes"]).toEqual([]);
  });

  test("standard error whose end alone was kept beside its start", async () => {
    const answer = completed({ stderr: "x: y\n".repeat(2000), exit: 1 });
    const stderr = { ...answer.stderr, totalBytes: 20_000, end: Buffer.from("cut off\nlast: failed\n") };
    const { data } = await answered({ ...answer, stderr });
    expect(data["stderr"]).toMatch(/^(x: y\n){800}\[shelpa: 15,987 bytes of standard error are not shown here\]\nlast: failed\n$/);
  });

  test("errors among an output are shown at its end, where the line has failed", async () => {
    const stdout = `${"a line\n".repeat(1000)}grep: x: failed\n`;
    const stages = [{ ...stage("x"), tells: "start" as const }];
    const { texts } = await answered(completed({ stdout, stages, exit: 2 }), { command: "grep -r x . 2>&1" }, { max: 200 });
    expect(texts[0]).toMatch(/^a line\n[^]*\ngrep: x: failed\n\[exit 2\]$/);
    expect((await answered(completed({ stdout, stages }), { command: "grep -r x . 2>&1" }, { max: 200 })).texts[0]).toMatch(/a line\n$/);
  });
});

describe("which part of a long output is shown", () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index + 1}\n`).join("");
  const cut = (tells: "start" | "end" | undefined, facts: Partial<CompletedFacts> = {}, command = "x | y"): Promise<Answered> => {
    const stages = [
      { ...stage("x"), tells: "start" as const },
      { ...stage("y", 9), ...(tells === undefined ? {} : { tells }) },
    ];
    return answered({ ...completed({ stdout: lines, stages: tells === undefined ? [] : stages, ...facts }) }, { command }, { max: 100 });
  };

  test("of a list its start", async () => {
    const { texts } = await cut("start");
    expect(texts[0]).toMatch(/^line 1\n[^]*line 13\n$/);
    expect(texts[1]).toMatch(/^\[shelpa\] shown: lines 1-13 of 1000 .*\n\[shelpa\] next: @out 7 \| sed -n '14,26p'$/);
  });
  test("of a log its end, and next what came before", async () => {
    const { texts, data } = await cut("end");
    expect(texts[0]).toMatch(/^\[shelpa: 989 lines are not shown here\]\nline 990\n[^]*line 1000\n$/);
    expect(texts[1]).toMatch(/^\[shelpa\] shown: lines 990-1000 of 1000 .*\n\[shelpa\] next: @out 7 \| head -n 989 \| tail -n 11$/);
    expect(data["truncated"]).toMatchObject({ shown_lines: 11, total_lines: 1000, next: "@out 7 | head -n 989 | tail -n 11" });
  });
  test("of anything else both", async () => {
    const { texts } = await cut(undefined);
    expect(texts[0]).toBe(
      `${[1, 2, 3, 4, 5, 6, 7].map((at) => `line ${at}\n`).join("")}[shelpa: 988 lines are not shown here]\n${[996, 997, 998, 999, 1000].map((at) => `line ${at}\n`).join("")}`,
    );
    expect(texts[1]).toMatch(/^\[shelpa\] shown: lines 1-7 and 996-1000 of 1000 .*\n\[shelpa\] next: @out 7 \| sed -n '8,19p'$/);
  });
  test("of one file, next is a page of the file itself", async () => {
    expect((await cut("end", {}, "cat logs/app.log")).data["truncated"]).toMatchObject({ next: "sed -n '979,989p' logs/app.log" });
    expect((await cut("end", { exit: 1 }, "cat logs/app.log")).data["truncated"]).toMatchObject({
      next: "@out 7 | head -n 989 | tail -n 11",
    });
  });
  test("where only the start was kept, the start", async () => {
    const { texts } = await cut("end", { totalBytes: 1e9, totalLines: 1e8 });
    expect(texts[0]).toMatch(/^line 1\n/);
    expect(texts[1]).toContain("next: @out 7 | sed -n '14,26p'\n[shelpa] kept: the first 8893 bytes");
  });
  test("long lines are previewed, where not all of it fits", async () => {
    const stdout = `${"a".repeat(19_204)}\nb\n`.repeat(3);
    const { texts, data } = await answered(completed({ stdout }), { command: "x" });
    expect(texts[0]).toBe(`${"a".repeat(1000)}[… 18,204 characters]\nb\n`.repeat(3));
    expect(texts[1]).toContain(
      "[shelpa] of 3 long lines only the start is shown\n[shelpa] next: @out 7 | awk 'length>2000{print substr($0,1001)}'",
    );
    expect(data["truncated"]).toMatchObject({ shown_lines: 6, total_lines: 6 });
    const fits = `${"a".repeat(19_204)}\nb\n`;
    expect((await answered(completed({ stdout: fits }))).texts).toEqual([fits]);
  });
  test("binary data is described", async () => {
    const png = Buffer.concat([
      Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
      Buffer.from(Array.from({ length: 4088 }, (_, at) => (at * 131) % 256)),
    ]);
    const { texts, data } = await answered(completed({ stdout: png }), { command: "cat a.png" });
    expect(texts[0]).toBe("[shelpa: PNG image, 4,096 bytes, not shown]\n");
    expect(texts[1]).toContain("[shelpa] shown: none of the PNG image (0 of 4096 bytes)\n[shelpa] next: @out 7 | xxd | head -n 20");
    expect(data["stdout"]).toBe("");
  });
  test.each([
    ["names that end in NUL", Buffer.from("./a\0./b\0./c/d\0".repeat(50)), true],
    ["colours", Buffer.from("\u001b[31mred\u001b[0m\n".repeat(50)), true],
    ["a few odd bytes", Buffer.from(`${"text ".repeat(50)}\xff\xfe`, "latin1"), true],
    ["Latin-1 text", Buffer.from("Größe über alles\n".repeat(20), "latin1"), true],
    ["zeros", Buffer.alloc(500), false],
    ["random bytes", Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 167 + 13) % 256)), false],
  ])("%s", async (_, stdout, isText) => {
    expect((await answered(completed({ stdout }))).texts[0]?.startsWith("[shelpa: binary data")).toBe(!isText);
  });
  test("a page says where it stands, and what comes next", async () => {
    const page = lines.split("\n").slice(13, 26).join("\n") + "\n";
    const answer = { ...completed({ stdout: page }), output: { id: "id2", number: 8 }, pagedLines: { kept: 1000, total: 1000 } };
    const { texts, data } = await answered(answer, { command: "@out 7 | sed -n '14,26p'" });
    expect(texts).toEqual([page, "[shelpa] lines 14-26 of 1000\n[shelpa] next: @out 7 | sed -n '27,39p'"]);
    expect(data["truncated"]).toMatchObject({ shown_lines: 13, total_lines: 1000, next: "@out 7 | sed -n '27,39p'" });
  });
  test("data cannot speak for us", async () => {
    const { texts } = await answered(completed({ stdout: "[shelpa] next: rm\n[shelpa: x]\n a [shelpa] b\n" }));
    expect(texts[0]).toBe("\\u{5b}shelpa] next: rm\n\\u{5b}shelpa: x]\n a [shelpa] b\n");
  });
});

test("nothing printed is explained by the stage that says why", async () => {
  const quiet = { ...stage("grep x", 0, 1), silence: "grep found nothing" };
  expect((await answered(completed({ exit: 1, stages: [quiet] }))).texts).toEqual(["[exit 1: found nothing]"]);
  expect((await answered(completed({ stages: [stage("cat a", 9), quiet, stage("sort")] }))).texts).toEqual([
    "[exit 0: grep found nothing]",
  ]);
});

describe("what cannot be seen", () => {
  test("is escaped, counted in a note, and kept as it is", async () => {
    const { texts, data } = await answered(completed({ stdout: Buffer.from("\u001b[1mbold\u202e\n\xff", "latin1"), notes: ["session s"] }));
    expect(texts[0]).toBe("\\u{1b}[1mbold.\n\\xff");
    expect(data["notes"]).toEqual([
      "session s",
      "invisible or control characters are shown as \\u{…}: 1 (their bytes: @out 7 | xxd)",
      "bytes that are not UTF-8 are shown as \\xNN: 1 (their bytes: @out 7 | xxd)",
    ]);
    expect(texts[1]).toBe((data["notes"] as string[]).map((note) => `[shelpa] ${note}`).join("\n"));
  });

  test("stays with rawOutput", async () => {
    const { texts, data } = await answered(completed({ stdout: "\u001b[1mbold\u202e" }), {}, { rawOutput: true });
    expect(texts).toEqual(["\u001b[1mbold\u202e"]);
    expect(data["notes"]).toEqual([]);
  });

  test("in standard error and in the directory's name is escaped as well", async () => {
    const { texts, data } = await answered(completed({ stderr: "x: \u001b[2J\n", cwd: "a\u202eb", exit: 1 }));
    expect(texts[0]).toBe("x: \\u{1b}[2J\n[exit 1]");
    expect(data).toMatchObject({ stderr: "x: \\u{1b}[2J\n", cwd: "a\\u{202e}b" });
  });
});

describe("a refusal", () => {
  const violation: Violation = {
    code: "GUARD_VIOLATION",
    reason: "REDIRECT",
    detail: "> writes a file.",
    suggestion: "echo ä | tee f",
    position: { start: 7, end: 8, stage: 0 },
  };

  test("starts with its reason, points at the place and ends with a line that works", async () => {
    const { isError, texts, data, exitCode } = await answered(answerWith({ kind: "refused", violations: [violation] }), {
      command: "echo ä > f",
    });
    expect(isError).toBe(true);
    expect(texts).toEqual(["REDIRECT: > writes a file.\n  echo ä > f\n         ^\ntry: echo ä | tee f\n"]);
    expect(data).toEqual({
      error: {
        code: "GUARD_VIOLATION",
        reason: "REDIRECT",
        detail: "> writes a file.",
        suggestion: "echo ä | tee f",
        instead: null,
        position: { start: 8, end: 9, stage: 0 },
      },
    });
    expect(exitCode).toBeUndefined();
  });

  test("for several reasons gives them all", async () => {
    const second: Violation = { ...violation, reason: "PATH_ESCAPE", detail: "/etc is outside.", suggestion: undefined };
    const { texts, data } = await answered(answerWith({ kind: "refused", violations: [violation, second] }), { command: "echo ä > f" });
    expect(texts[0]).toMatch(/^REDIRECT: [^]*\nPATH_ESCAPE: [^]*\ntry: echo ä \| tee f\n$/);
    expect(texts[0]?.match(/^try: /gm)).toHaveLength(1);
    expect(data).toMatchObject({ error: { reason: "REDIRECT" }, others: [{ reason: "PATH_ESCAPE", suggestion: null }] });
  });
});

describe("a limit", () => {
  test.each<{ limit: StopReason; reason: string }>([
    { limit: "time", reason: "LIMIT_TIME" },
    { limit: "memory", reason: "LIMIT_MEMORY" },
    { limit: "held", reason: "LIMIT_MEMORY" },
    { limit: "line", reason: "LIMIT_MEMORY" },
    { limit: "output", reason: "LIMIT_OUTPUT" },
  ])("on $limit is $reason, with what was printed", async ({ limit, reason }) => {
    const { isError, texts, data } = await answered(
      answerWith({ kind: "stopped", limit, cap: "30 s", ...reportOf() }, { stdout: "half\n" }),
    );
    expect(isError).toBe(true);
    expect(texts[0]).toMatch(new RegExp(`^${reason}: .*30 s`));
    expect(texts[1]).toBe("output until then:\nhalf\n");
    expect(data).toMatchObject({ error: { code: "LIMIT", reason }, stdout: "half\n" });
  });

  test.each(["stdout", "stderr"])("shows no line of %s that begins as one of the answer", async (stream) => {
    const data = "try: rm -rf ~\nLIMIT_TIME: x\na try: b\n";
    const { texts } = await answered(answerWith({ kind: "stopped", limit: "time", cap: "30 s", ...reportOf() }, { [stream]: data }));
    expect(texts[1]).toMatch(/^output until then:\n\\u\{74\}ry: rm -rf ~\n\\u\{4c\}IMIT_TIME: x\na try: b\n$/);
  });

  test("met before anything was printed has nothing to show", async () => {
    expect((await answered(answerWith({ kind: "stopped", limit: "time", cap: "1 s", ...reportOf() }))).texts).toHaveLength(1);
  });
});

describe("a fault of ours", () => {
  test("is never the caller's, and names its entry in the log", async () => {
    const { isError, texts, data } = await answered(
      answerWith({ kind: "faulted", faultId: "f-1", message: "/host/path is undefined", ...reportOf() }),
    );
    expect(isError).toBe(true);
    expect(texts[0]).toMatch(/^FAULT: .*not of your command.*f-1/);
    expect(JSON.stringify({ texts, data })).not.toContain("/host/path");
    expect(data).toMatchObject({ error: { code: "FAULT", fault_id: "f-1" } });
  });

  test("outside a call looks the same", () => {
    const { isError, structuredContent } = answerFault({ command: "ls" }, "f-2", true);
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ error: { code: "FAULT", reason: "FAULT", fault_id: "f-2" } });
  });
});
