/** MCP features besides the tool's answers: resources, the prompt, completion and errors, over the real shell. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { Redactor } from "../../src/mcp/redaction.ts";
import { serveOverStdio } from "../../src/mcp/serve-stdio.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";
import { createShellService } from "../../src/mcp/service.ts";

/** A value of the server's own environment. */
const SECRET = "nobody may see this";

let root = "";
let service: ShellService;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "shelpa-surface-"));
  mkdirSync(join(root, "src", "mcp"), { recursive: true });
  writeFileSync(join(root, "src", "a b.txt"), "one\ntwo\n");
  writeFileSync(join(root, "src", ".hidden"), "");
  service = await createShellService({ root, policy: DEFAULT_POLICY, aliases: [], isolation: "none" });
});
afterAll(async () => {
  await service.close();
  rmSync(root, { recursive: true, force: true });
});

interface Answer {
  readonly id: number;
  /** Empty where there is an error. */
  readonly result: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The answers to `requests`, in their order. */
async function answers(...requests: readonly (readonly [method: string, params?: object | undefined])[]): Promise<Answer[]> {
  return answersOf({ structured: true }, ...requests);
}

async function answersOf(
  more: { readonly structured?: boolean },
  ...requests: readonly (readonly [method: string, params?: object | undefined])[]
): Promise<Answer[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  let text = "";
  output.on("data", (chunk: Buffer) => (text += chunk.toString()));
  requests.forEach(([method, params], index) => input.write(`${JSON.stringify({ jsonrpc: "2.0", id: index + 1, method, params })}\n`));
  input.end();
  const redactor = new Redactor(DEFAULT_POLICY.redaction, { A_TOKEN: SECRET });
  const options = {
    version: "0",
    redactor,
    readOnly: false,
    ...more,
    policyText: "profile standard\n",
    log: () => undefined,
    maxOutputCharacters: 2000,
  };
  await serveOverStdio(service, { ...options, input, output, stop: new AbortController().signal });
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => ({ result: {}, ...(JSON.parse(line) as object) }) as Answer)
    .toSorted((a, b) => a.id - b.id);
}

const answer = async (method: string, params?: object): Promise<Answer> => (await answers([method, params]))[0] as Answer;
const call = (given: object): [string, object] => ["tools/call", { name: "shelpa_pipe", arguments: given }];

describe("resources", () => {
  test("a whole output is without its secrets, which a stage still sees", async () => {
    const out = await answer(...call({ command: `printf '%s\\n' '${SECRET}'; seq 2000` }));
    const { truncated } = out.result["structuredContent"] as { truncated: { next: string; resource: string } };
    const whole = await answer("resources/read", { uri: truncated.resource });
    expect(whole.result["contents"]).toMatchObject([{ text: expect.stringMatching(/^\[REDACTED:[^\]]*\]\n1\n2\n[^]*\n2000\n$/) }]);
    const number = /@out (\d+)/.exec(truncated.next)?.[1];
    const counted = await answer(...call({ command: `@out ${number} | head -n 1 | wc -c` }));
    expect(counted.result["structuredContent"]).toMatchObject({ stdout: `${SECRET.length + 1}\n` });
  });

  test("looking something up takes no number of an output, and is no call", async () => {
    const numberOf = async (): Promise<number> => {
      const { result } = await answer(...call({ command: "seq 2000" }));
      return Number(/@out (\d+)/.exec(JSON.stringify(result["structuredContent"]))?.[1]);
    };
    const first = await numberOf();
    await answer("resources/read", { uri: "shelpa://help/head" });
    await answer("resources/read", { uri: "shelpa://audit/log" });
    expect(await numberOf()).toBe(first + 1);
  });

  test("help of a command is what `help` prints", async () => {
    const { result } = await answer("resources/read", { uri: "shelpa://help/head" });
    expect(result).toMatchObject({
      contents: [{ uri: "shelpa://help/head", mimeType: "text/plain", text: expect.stringContaining("Usage: head") }],
    });
  });

  test("a write is in the log, and its record has both of its journal lines", async () => {
    await answers(call({ command: "tee w.txt", stdin: "x\n" }));
    const { result } = await answer("resources/read", { uri: "shelpa://audit/log" });
    const [{ text }] = result["contents"] as [{ text: string }];
    const [, id = "", change, bytes, file] = text.trimEnd().split("\n").at(-1)?.split("\t") ?? [];
    expect([change, bytes, file]).toEqual(["created", "2", "w.txt"]);
    const record = await answer("resources/read", { uri: `shelpa://audit/record/${id}` });
    const lines = ((record.result["contents"] as [{ text: string }])[0].text.trimEnd().split("\n") ?? []).map(
      (line) => JSON.parse(line) as { kind: string },
    );
    expect(lines.map(({ kind }) => kind)).toEqual(["intent", "outcome"]);
    const { result: completed } = await answer("completion/complete", {
      ref: { type: "ref/resource", uri: "shelpa://audit/record/{id}" },
      argument: { name: "id", value: id.slice(0, 5) },
    });
    expect(completed).toMatchObject({ completion: { values: [id], total: 1, hasMore: false } });
  });

  test.each([
    { uri: "shelpa://help/hed", message: /no command 'hed': did you mean shelpa:\/\/help\/head/ },
    { uri: "shelpa://help/cat;ls", message: /no command/ },
    { uri: "shelpa://audit/record/1", message: /no record '1'/ },
    { uri: "shelpa://audit/record/.*", message: /no record/ },
    { uri: "shelpa://output/gone", message: /no output of a recent call/ },
    { uri: "file:///etc/passwd", message: /no resource of this server/ },
  ])("$uri is not found", async ({ uri, message }) => {
    const { error } = await answer("resources/read", { uri });
    expect(error?.message).toMatch(message);
    expect(error).toMatchObject({ code: -32602, data: { uri } });
  });
});

describe("the prompt", () => {
  test("brings the help of a command and the task", async () => {
    const given = { task: "count the words", command: "wc", path: "src/a b.txt" };
    const { result } = await answer("prompts/get", { name: "pipeline", arguments: given });
    const [{ role, content }] = result["messages"] as [{ role: string; content: { text: string } }];
    expect(role).toBe("user");
    for (const piece of ["shelpa_pipe", "Usage: wc", "'src/a b.txt'", "The task: count the words"]) expect(content.text).toContain(piece);
  });

  test("is listed with its arguments, none of which must be given", async () => {
    expect((await answer("prompts/list")).result).toMatchObject({ prompts: [{ name: "pipeline", arguments: [{ name: "task" }, {}, {}] }] });
    expect((await answer("prompts/get", { name: "pipeline" })).error).toBeUndefined();
  });

  test.each([
    { given: { name: "pipelin" }, message: /unknown prompt 'pipelin'/ },
    { given: { name: "pipeline", arguments: { comand: "wc" } }, message: /unknown argument 'comand': did you mean 'command'/ },
    { given: { name: "pipeline", arguments: { command: "wcc" } }, message: /unknown command 'wcc': did you mean 'wc'/ },
  ])("$given is -32602", async ({ given, message }) => {
    const { error } = await answer("prompts/get", given);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toMatch(message);
  });

  test.each([
    { name: "command", value: "hea", values: ["head"] },
    { name: "path", value: "", values: ["src/"] },
    { name: "path", value: "src/", values: ["src/a b.txt", "src/mcp/"] },
    { name: "path", value: "src/m", values: ["src/mcp/"] },
    { name: "path", value: "src/.h", values: ["src/.hidden"] },
    { name: "path", value: "nowhere/", values: [] },
    { name: "path", value: "../", values: [] },
    { name: "task", value: "x", values: [] },
  ])("completes $name '$value'", async ({ name, value, values }) => {
    const { result } = await answer("completion/complete", { ref: { type: "ref/prompt", name: "pipeline" }, argument: { name, value } });
    const found = (result["completion"] as { values: string[] }).values.filter((path) => !path.startsWith("w.txt"));
    expect(found).toEqual(values);
  });
});

test.each([
  { method: "tools/explode", params: {}, code: -32601 },
  { method: "logging/setLevel", params: { level: "info" }, code: -32601 },
  { method: "resources/subscribe", params: { uri: "shelpa://policy" }, code: -32601 },
  { method: "tools/call", params: {}, code: -32602 },
  { method: "tools/call", params: { name: "bash" }, code: -32602 },
  { method: "prompts/get", params: {}, code: -32602 },
  { method: "resources/read", params: {}, code: -32602 },
  { method: "completion/complete", params: {}, code: -32602 },
  { method: "completion/complete", params: { ref: { type: "ref/prompt", name: "x" }, argument: { name: "a", value: "" } }, code: -32602 },
  { method: "initialize", params: {}, code: -32602 },
])("$method $params is $code", async ({ method, params, code }) => {
  expect((await answer(method, params)).error?.code).toBe(code);
});

test("the tool is listed twice alike, in the newer era with how long that holds", async () => {
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
  const [first, second] = await answers(["tools/list", { _meta }], ["tools/list", { _meta }]);
  expect(first?.result).toEqual(second?.result);
  expect(first?.result).toMatchObject({ ttlMs: 3_600_000, tools: [{ title: "Shell" }] });
  expect(JSON.stringify(first?.result["_meta"])).toContain("data:image/svg+xml");
});

test("every answer of the tool satisfies its output schema", async () => {
  const [listed, ...called] = await answers(
    ["tools/list"],
    ...[
      { command: "ls" },
      { command: "cat 'src/a b.txt' | wc -l" },
      { command: "grep nothing 'src/a b.txt'" },
      { command: "cat nowhere" },
      { command: "seq 5000" },
      { command: "printf '\\x00\\xff\\x1b[0m'" },
      { command: "cd src && pwd" },
      { command: "tee a b >/dev/null", stdin: "x" },
      { command: "shred x" },
      { command: "ls >x" },
      { command: "cat ../x" },
      { command: "awk 'BEGIN { while (1) print }'", timeout_seconds: 0.2 },
      { command: "ls", dry_run: true },
      { command: "ls", session: "unknown" },
      { comand: "ls" },
      { command: 1 },
      { command: "" },
      { command: "false; echo $x" },
    ].map((given) => call(given)),
  );
  const [{ outputSchema }] = (listed as Answer).result["tools"] as [{ outputSchema: object }];
  const validate = new AjvJsonSchemaValidator().getValidator(outputSchema);
  expect(called).toHaveLength(18);
  for (const { result } of called) expect(validate(result["structuredContent"])).toMatchObject({ valid: true });
  for (const { result } of called) {
    const { exit_code } = result["structuredContent"] as { exit_code?: number };
    expect((result["_meta"] as { exit_code?: number } | undefined)?.exit_code).toBe(exit_code);
  }
});

test("nothing but the text is for the model, unless it is asked for", async () => {
  const lines = [
    `echo '${SECRET}' | cat`,
    "seq 5000",
    "cat ../../x",
    "tee src/mcp/only-here >/dev/null",
    `tee 'src/mcp/${SECRET}' >/dev/null`,
  ];
  const [listed, ...called] = await answersOf({}, ["tools/list"], ...lines.map((command) => call({ command, stdin: "x\n", cwd: "." })));
  expect((listed as Answer).result["tools"]).toEqual([expect.not.objectContaining({ outputSchema: expect.anything() as unknown })]);
  for (const { result } of called) expect(Object.keys(result).sort()).toEqual(expect.not.arrayContaining(["structuredContent"]));
  expect(JSON.stringify(called)).not.toContain(SECRET);
  expect(called.map(({ result }) => result["_meta"])).toMatchObject([
    { exit_code: 0, "shelpa/steps": [{ command: "echo '[REDACTED:environment]'" }, { command: "cat", exit_code: 0 }] },
    { exit_code: 0, "shelpa/truncated": { next: expect.any(String) as string, total_lines: 5000 } },
    { "shelpa/error": { code: "GUARD_VIOLATION", reason: "PATH_ESCAPE" } },
    { exit_code: 0, "shelpa/writes": [{ path: "src/mcp/only-here", created: true }] },
    { exit_code: 0, "shelpa/writes": [{ path: "src/mcp/[REDACTED:environment]" }] },
  ]);
});

test("a record is one row of the log, and a file one path to complete, whatever it is called", async () => {
  const rows = async (): Promise<string[]> => {
    const { result } = await answer("resources/read", { uri: "shelpa://audit/log" });
    return (result["contents"] as [{ text: string }])[0].text.split("\n").slice(0, -1);
  };
  const before = await rows();
  await answers(call({ command: "cd && tee $'n\\n2026-01-01T00:00:00Z\\t1\\tcreated\\t1\\tfake\\tx\\e'", stdin: "x\n" }));
  const [row = "", ...more] = (await rows()).slice(before.length);
  expect(more).toEqual([]);
  expect(row.split("\t")).toHaveLength(6);
  expect(row.split("\t")[4]).toBe("n\\n2026-01-01T00:00:00Z\\t1\\tcreated\\t1\\tfake\\tx\\u{1b}");
  const [completed] = await answers([
    "completion/complete",
    { ref: { type: "ref/prompt", name: "pipeline" }, argument: { name: "path", value: "" } },
  ]);
  expect(completed?.result).toMatchObject({ completion: { values: ["src/", "w.txt"] } });
});

test("names that hold a secret, or that are not UTF-8, are not offered", async () => {
  const token = `ghp_${"aB3dE6gH9".repeat(4)}`;
  const place = join(root, "offered");
  mkdirSync(place);
  for (const name of ["plain", token, SECRET, `${SECRET}.txt`]) writeFileSync(join(place, name), "");
  writeFileSync(Buffer.concat([Buffer.from(`${place}/latin1-`), Buffer.of(0xe4)]), "");
  const [completed] = await answers([
    "completion/complete",
    { ref: { type: "ref/prompt", name: "pipeline" }, argument: { name: "path", value: "offered/" } },
  ]);
  expect(completed?.result).toMatchObject({ completion: { values: ["offered/plain"], total: 1 } });
});

test("the list of outputs is without the secrets of their lines", async () => {
  await answers(call({ command: `printf '%s\\n' '${SECRET}'; seq 2000` }));
  const listed = JSON.stringify((await answer("resources/list")).result);
  expect(listed).toContain("[REDACTED:environment]");
  expect(listed).not.toContain(SECRET);
});
