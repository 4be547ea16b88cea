/** A human is asked, through the clients people use and over the shipped server: both protocol eras. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tree, type Tree } from "../tree.ts";

const SERVER = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));
const info = { name: "test", version: "1.0.0" };

/** A human's answer to a question. */
type Human = (message: string) => { action: "accept" | "decline" | "cancel"; content?: Record<string, string | boolean> };
const agrees: Human = () => ({ action: "accept", content: { approve: true } });

let place: Tree;
let questions: string[];
let close: () => Promise<void>;
beforeEach(() => {
  place = tree([".envrc: export A=1\n", "big: theirs\n"]);
  questions = [];
});
afterEach(async () => {
  await close();
  place.remove();
});

interface Answered {
  readonly text: string;
  readonly isError: boolean;
  /** structuredContent. */
  readonly data: Readonly<Record<string, unknown>>;
}
type Call = (command: string, more?: Record<string, unknown>) => Promise<Answered>;
type Connect = (human: Human | undefined, configuration?: string) => Promise<Call>;

function server(configuration: string): { command: string; args: string[]; env: Record<string, string> } {
  writeFileSync(`${place.path}.toml`, configuration);
  return { command: process.execPath, args: [SERVER, "--structured", "--root", place.path, "--config", `${place.path}.toml`], env: {} };
}

const textOf = (result: unknown): Answered => {
  const {
    content,
    isError = false,
    structuredContent,
  } = result as {
    content: { text: string }[];
    isError?: boolean;
    structuredContent: Record<string, unknown>;
  };
  return { text: content.map(({ text }) => text).join("\n"), isError, data: structuredContent };
};

const older: Connect = async (human, configuration = "") => {
  const client = new OlderClient(info, { capabilities: human === undefined ? {} : { elicitation: {} } });
  if (human !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message);
      return human(params.message);
    });
  }
  await client.connect(new OlderTransport(server(configuration)));
  close = () => client.close();
  return async (command, more = {}) => textOf(await client.callTool({ name: "shelpa_pipe", arguments: { command, ...more } }));
};

const modern =
  (mode: "legacy" | { pin: string }): Connect =>
  async (human, configuration = "") => {
    const client = new ModernClient(info, {
      versionNegotiation: { mode },
      capabilities: human === undefined ? {} : { elicitation: { form: {} } },
    });
    if (human !== undefined) {
      client.setRequestHandler("elicitation/create", ({ params }) => {
        questions.push(params.message);
        return human(params.message);
      });
    }
    await client.connect(new ModernTransport(server(configuration)));
    close = () => client.close();
    return async (command, more = {}) => textOf(await client.callTool({ name: "shelpa_pipe", arguments: { command, ...more } }));
  };

const stored = (name: string): readonly Record<string, unknown>[] =>
  readFileSync(`${place.path}/.shelpa/@/${name}`, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const envrc = (): string => readFileSync(`${place.path}/.envrc`, "utf8");

describe.each<{ name: string; connect: Connect }>([
  { name: "@modelcontextprotocol/sdk 1.x", connect: older },
  { name: "@modelcontextprotocol/client 2.x, older era", connect: modern("legacy") },
  { name: "@modelcontextprotocol/client 2.x, 2026-07-28", connect: modern({ pin: "2026-07-28" }) },
])("$name", ({ connect }) => {
  test("asked once, shown the change, and what was agreed to is written", async () => {
    const call = await connect(agrees);
    const { text, isError } = await call("sed s/1/2/ .envrc | tee .envrc");
    expect({ text, isError }).toEqual({ text: expect.stringContaining("replaced .envrc: 1 line changed"), isError: false });
    expect(envrc()).toBe("export A=2\n");
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain("replace .envrc (11 bytes)");
    expect(questions[0]).toContain("-export A=1\n+export A=2\n");
    expect(questions[0]).toContain("with: sed s/1/2/ .envrc | tee .envrc");
  });
  test("the records say who wrote and who agreed, and that nothing was refused", async () => {
    const call = await connect(agrees);
    await call("sed s/1/2/ .envrc | tee .envrc");
    expect(stored("journal.jsonl").find(({ kind }) => kind === "intent")).toMatchObject({
      client: "mcp",
      client_name: "test",
      client_version: "1.0.0",
      permitted_by: "human",
    });
    const calls = stored("calls.jsonl");
    expect(calls.map(({ outcome, reason, approved_by }) => [outcome, reason, approved_by])).toEqual([
      ["asked", "NEEDS_APPROVAL", undefined],
      ["completed", "", "human"],
    ]);
    expect(calls[1]).toMatchObject({ client: "mcp", client_name: "test", client_version: "1.0.0" });
    expect(calls[1]).not.toHaveProperty("token");
  });
  test("a question that was declined is a question, and then one refusal", async () => {
    const call = await connect(() => ({ action: "decline" }), '[audit]\ncalls = "all"');
    await call("echo x | tee .envrc");
    expect(stored("calls.jsonl").map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ["asked", "NEEDS_APPROVAL"],
      ["refused", "NEEDS_APPROVAL"],
    ]);
  });
  test.each<[string, Human]>([
    ["declines", () => ({ action: "decline" })],
    ["cancels", () => ({ action: "cancel" })],
    ["says no", () => ({ action: "accept", content: { approve: false } })],
  ])("who %s is not asked again, and nothing is written", async (_, human) => {
    const call = await connect(human);
    const { text, isError } = await call("echo x | tee .envrc");
    expect(isError).toBe(true);
    expect(text).toContain("NEEDS_APPROVAL");
    expect(envrc()).toBe("export A=1\n");
    expect(questions).toHaveLength(1);
    expect(existsSync(`${place.path}/.shelpa/.envrc`)).toBe(false);
  });
  test("nobody to ask: refused, with the configuration that would allow it", async () => {
    const call = await connect(undefined);
    const { text } = await call("echo x | tee .envrc");
    expect(text).toContain("NEEDS_APPROVAL");
    expect(text).toContain('approval.pre_approved = [".envrc"]');
    expect(envrc()).toBe("export A=1\n");
  });
  test("the challenge: the file's name, typed", async () => {
    const challenged = "[approval]\nchallenge = true";
    const call = await connect(
      (message) => ({ action: "accept", content: { file_name: message.includes("wrong") ? "x" : ".envrc" } }),
      challenged,
    );
    expect((await call("echo wrong | tee .envrc")).isError).toBe(true);
    expect(envrc()).toBe("export A=1\n");
    expect((await call("echo right | tee .envrc")).isError).toBe(false);
    expect(envrc()).toBe("right\n");
  });
  test("pre-approved: nobody is asked, and a note says so", async () => {
    const call = await connect(agrees, '[approval]\npre_approved = [".envrc"]');
    const { text, isError } = await call("echo x | tee .envrc");
    expect({ isError, questions }).toEqual({ isError: false, questions: [] });
    expect(text).toContain("allowed by the configuration");
  });
  test("over 1 MiB: the agent's word counts for a new file, a human's for somebody else's", async () => {
    const call = await connect(agrees);
    const many = "yes | head -c 1200000 | tee";
    expect((await call(`${many} new | wc -c`, { confirm_oversize: true })).text).toContain("1200000");
    expect(questions).toHaveLength(0);
    expect((await call(`${many} big | wc -c`, { confirm_oversize: true })).text).toContain("1200000");
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain("replace big (1200000 bytes)");
    expect((await call(`${many} new2 | wc -c`)).text).toContain("OVERSIZE_WRITE");
  });
  test("asked for its severity alone: once, about what would be written", async () => {
    const medium = "[approval]\nrequire_human_approval = { Medium = 'ask' }";
    const call = await connect(agrees, medium);
    expect((await call("echo x | tee new")).isError).toBe(false);
    expect(questions).toHaveLength(0);
    expect((await call("echo mine | tee big")).isError).toBe(false);
    expect(readFileSync(`${place.path}/big`, "utf8")).toBe("mine\n");
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain("replace big (5 bytes)");
    expect(questions[0]).toContain("write:replace: 'big' would be replaced, which is of severity Medium");
  });
  test("asked about a line that only reads, and declined", async () => {
    writeFileSync(`${place.path}/.env`, "A=1\n");
    const call = await connect(() => ({ action: "decline" }), "[approval]\nrequire_human_approval = true");
    const { text, isError } = await call("cat .env");
    expect(isError).toBe(true);
    expect(text).toContain('approval.pre_approved = [".env"]');
    expect(questions).toEqual([expect.stringContaining("run a line that writes nothing\nwith: cat .env\n")]);
  });
  test("a line that only reads, and agreed to", async () => {
    writeFileSync(`${place.path}/.env`, "A=1\n");
    const call = await connect(agrees, "[approval]\nrequire_human_approval = true\nchallenge = true");
    expect(await call("cat .env")).toMatchObject({ isError: false, text: expect.stringContaining("A=1\n") });
  });
  test("nobody to ask about a severity: the configuration that would allow it; with it, a note", async () => {
    const call = await connect(undefined, "[approval]\nrequire_human_approval = true");
    expect((await call("echo x | tee big")).text).toContain('In the configuration: approval.pre_approved = ["big"]');
    expect(readFileSync(`${place.path}/big`, "utf8")).toBe("theirs\n");
    await close();
    const again = await connect(undefined, "[approval]\nrequire_human_approval = true\npre_approved = ['big']");
    const { isError, data } = await again("echo x | tee big");
    expect(isError).toBe(false);
    expect(data["notes"]).toEqual(["pre-approved by the configuration (approval.pre_approved): big"]);
    expect(stored("calls.jsonl").at(-1)).toMatchObject({ outcome: "completed", approved_by: "configuration" });
  });
  test("auto_deny_severity: nobody is asked, and the setting is named", async () => {
    const call = await connect(agrees, "[approval]\nauto_deny_severity = 'High'\npre_approved = ['.envrc']");
    const { text, isError } = await call("echo x | tee .envrc");
    expect(isError).toBe(true);
    expect(text).toContain("SEVERITY_DENIED");
    expect(text).toContain('approval.auto_deny_severity = "Critical"');
    expect({ questions, envrc: envrc() }).toEqual({ questions: [], envrc: "export A=1\n" });
  });
  test("dry_run: the assessment, in text and as data; nothing is asked, written or recorded", async () => {
    const call = await connect(agrees);
    const denied = await call("echo x | tee .envrc; shred big", { dry_run: true });
    expect(denied.isError).toBe(false);
    expect(denied.text).toContain("allowed       no: NEEDS_APPROVAL: '.envrc' is run or obeyed by programs or agents");
    expect(denied.data).toMatchObject({
      exit_code: 1,
      allowed: false,
      risk_level: "Elevated",
      severity: "High",
      matched_rules: [{ id: "write:approval" }, { id: "cmd:disallowed" }, { id: "cmd:removes" }],
      context: { risk_level: "Normal", labels: ["profile=standard"] },
      requires_human_approval: false,
      blast_radius_scope: "MACHINE",
    });
    const allowed = await call("cat b* | tee new", { dry_run: true });
    expect(allowed.data).toMatchObject({
      exit_code: 0,
      allowed: true,
      denial_reason: null,
      stages: [{ reads: ["big"] }, { writes: [{ path: "new", change: "create" }] }],
    });
    expect((await call("echo x | tee .envrc", { dry_run: true })).data).toMatchObject({ allowed: false, requires_human_approval: true });
    expect(questions).toEqual([]);
    expect(existsSync(`${place.path}/new`) || existsSync(`${place.path}/.shelpa`)).toBe(false);
  });
  test("configured to deny: nobody is asked", async () => {
    const call = await connect(agrees, '[approval]\nprotected_paths = "deny"');
    expect((await call("echo x | tee .envrc")).isError).toBe(true);
    expect(questions).toEqual([]);
  });
});

test("what is written is what was agreed to: a file that changes meanwhile", async () => {
  const call = await older((message) => {
    writeFileSync(`${place.path}/big`, "something else\n");
    return agrees(message);
  });
  const { text } = await call("cat big | tee .envrc");
  expect(text).toContain("CONFLICT");
  expect(envrc()).toBe("export A=1\n");
});
