/** `--split`: a tool that only reads, whatever the line, and one for the lines that write, over one session. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import { createShellService } from "../../src/mcp/service.ts";
import { serveOverStdio } from "../../src/mcp/serve-stdio.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
beforeEach(() => {
  place = tree(["f: old\n", "d/"]);
});
afterEach(() => place.remove());

const PIPE = "shelpa_pipe";
const WRITE = "shelpa_write";

interface Answer {
  readonly text: string;
  readonly isRefused: boolean;
}

/** The answers to lines given to tools of one server, in turn. */
async function answers(lines: readonly (readonly [tool: string, command: string])[], policy: Policy = DEFAULT_POLICY): Promise<Answer[]> {
  const service = await createShellService({ root: place.path, policy, aliases: [], isolation: "none" });
  const found: Answer[] = [];
  try {
    for (const [name, command] of lines) {
      const input = new PassThrough();
      const output = new PassThrough();
      let text = "";
      output.on("data", (chunk: Buffer) => (text += chunk.toString()));
      input.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: { command } } })}\n`);
      const stop = new AbortController().signal;
      const { readOnly } = policy;
      await serveOverStdio(service, {
        version: "0",
        readOnly,
        split: true,
        recordsRedirects: policy.redirects === "record",
        log: () => {},
        input,
        output,
        stop,
      });
      const { result, error } = JSON.parse(text) as {
        result?: { content: readonly { text: string }[]; isError?: boolean };
        error?: { message: string };
      };
      found.push({
        text: result?.content.map((each) => each.text).join("\n") ?? error?.message ?? "",
        isRefused: result === undefined || result.isError === true,
      });
    }
  } finally {
    await service.close();
  }
  return found;
}

test.each([
  "echo x | tee f",
  "tee new < f",
  "sed -i s/o/0/ f",
  "rm f",
  "mv f g",
  "mkdir e",
  "touch f",
  "find . -name f -delete",
  "for x in f; do rm $x; done",
  "echo f | xargs rm",
  "sh -c 'rm f'",
  "x=rm; $x f",
  "sort -o f f",
  "f() { tee g; }; echo | f",
])("%s: the reading tool refuses it and names the other, which does it", async (command) => {
  const state = (): string => `${existsSync(`${place.path}/f`)} ${readFileSync(`${place.path}/f`, "utf8")}`;
  const before = state();
  const [refused] = await answers([[PIPE, command]]);
  expect(refused).toMatchObject({ isRefused: true, text: expect.stringContaining(`${WRITE} takes the same line`) });
  expect(refused?.text).not.toMatch(/^try:/m);
  expect(state()).toBe(before);
  expect(existsSync(`${place.path}/.shelpa`)).toBe(false);
  const [done] = await answers([[WRITE, command]]);
  expect(done?.isRefused).toBe(false);
});

test.each(["tee /etc/x < f", "git commit -m x && echo x | tee y"])(
  "%s: the reading tool does not send to the other what that refuses",
  async (command) => {
    const [refused] = await answers([[PIPE, command]]);
    expect(refused).toMatchObject({ isRefused: true });
    expect(refused?.text).not.toContain("takes the same line");
  },
);

test("an assessment does not say that the server was started for reading only", async () => {
  const [told] = await answers([[PIPE, "explain 'echo x | tee f'"]]);
  expect(told?.text).not.toContain("--read-only");
});

test("both tools are one session", async () => {
  const [, told, , back, written] = await answers([
    [WRITE, "cd d; echo new | tee g"],
    [PIPE, "pwd; cat g; undo -n"],
    [PIPE, "cd .."],
    [WRITE, "undo; ls d"],
    [PIPE, "undo"],
  ]);
  expect(told?.text).toMatch(/\/d\nnew\n--- d\/g\n\+\+\+ \/dev\/null\n/);
  expect(back?.text).toContain("removed d/g");
  expect(written?.isRefused).toBe(false);
  expect(written?.text).toContain("all changes of this session are taken back");
});

test("undo only shows what it would do in the reading tool", async () => {
  const [, refused] = await answers([
    [WRITE, "echo new | tee f"],
    [PIPE, "undo"],
  ]);
  expect(refused).toMatchObject({ isRefused: true });
  expect(readFileSync(`${place.path}/f`, "utf8")).toBe("new\n");
});

test("what is no file of the workspace may be written by the reading tool", async () => {
  const [scratch, nothing] = await answers([
    [PIPE, "cat f > /tmp/x; tee /tmp/y < /tmp/x; cat /tmp/y"],
    [PIPE, "cat f > /dev/null; rm -f nothing"],
  ]);
  expect([scratch?.isRefused, nothing?.isRefused]).toEqual([false, true]);
  expect(scratch?.text).toContain("old");
});

test("redirections into files are for the writing tool too", async () => {
  const record = { ...DEFAULT_POLICY, redirects: "record" } as const;
  const [refused, computed] = await answers(
    [
      [PIPE, "cat f > g"],
      [PIPE, "for x in g; do cat f > $x; done"],
    ],
    record,
  );
  for (const each of [refused, computed]) expect(each).toMatchObject({ isRefused: true, text: expect.stringContaining(WRITE) });
  expect(existsSync(`${place.path}/g`)).toBe(false);
  expect((await answers([[WRITE, "cat f > g"]], record))[0]?.isRefused).toBe(false);
});

test("a redirection that is refused names the tool for what it is rewritten to", async () => {
  const [refused] = await answers([[PIPE, "cat f > g"]]);
  expect(refused?.text).toContain(`Use | tee g. This tool only reads: such a line is for ${WRITE}.`);
});

test("a tool that is none, and one tool where the workspace is read-only", async () => {
  writeFileSync(`${place.path}/f`, "x\n");
  const [none] = await answers([["bash", "ls"]]);
  expect(none?.text).toContain("unknown tool 'bash': there are shelpa_pipe and shelpa_write");
  const [alone] = await answers([[WRITE, "ls"]], { ...DEFAULT_POLICY, readOnly: true });
  expect(alone?.text).toContain("unknown tool 'shelpa_write': the only one is shelpa_pipe");
});
