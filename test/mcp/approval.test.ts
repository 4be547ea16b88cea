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

/** What a human says to a question. */
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

type Call = (command: string, more?: Record<string, unknown>) => Promise<{ text: string; isError: boolean }>;
type Connect = (human: Human | undefined, configuration?: string) => Promise<Call>;

function server(configuration: string): { command: string; args: string[]; env: Record<string, string> } {
  writeFileSync(`${place.path}.toml`, configuration);
  return { command: process.execPath, args: [SERVER, "--root", place.path, "--config", `${place.path}.toml`], env: {} };
}

const textOf = (result: unknown): { text: string; isError: boolean } => {
  const { content, isError = false } = result as { content: { text: string }[]; isError?: boolean };
  return { text: content.map(({ text }) => text).join("\n"), isError };
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

const envrc = (): string => readFileSync(`${place.path}/.envrc`, "utf8");

describe.each<{ name: string; connect: Connect }>([
  { name: "@modelcontextprotocol/sdk 1.x", connect: older },
  { name: "@modelcontextprotocol/client 2.x, older era", connect: modern("legacy") },
  { name: "@modelcontextprotocol/client 2.x, 2026-07-28", connect: modern({ pin: "2026-07-28" }) },
])("$name", ({ connect }) => {
  test("asked once, shown the change, and what was agreed to is written", async () => {
    const call = await connect(agrees);
    const { text, isError } = await call("sed s/1/2/ .envrc | tee .envrc");
    expect({ text, isError }).toEqual({ text: expect.stringContaining("export A=2\n"), isError: false });
    expect(envrc()).toBe("export A=2\n");
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain("replace .envrc (11 bytes)");
    expect(questions[0]).toContain("-export A=1\n+export A=2\n");
    expect(questions[0]).toContain("with: sed s/1/2/ .envrc | tee .envrc");
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
