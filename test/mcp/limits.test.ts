/** The answer to a line that met a limit: how far it had come, by what was measured, and what would do. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { answerCall } from "../../src/mcp/answer.ts";
import { createShellService } from "../../src/mcp/service.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";
import { tree } from "../tree.ts";

let place: ReturnType<typeof tree>;
let service: ShellService;
beforeAll(async () => {
  place = tree(["a: x\n"]);
  const limits = { ...DEFAULT_POLICY.limits, heldBytes: 1 << 16, lineBytes: 1 << 16, outputBytes: 1 << 20 };
  service = await createShellService({ root: place.path, policy: { ...DEFAULT_POLICY, limits }, aliases: [], isolation: "none" });
});
afterAll(async () => {
  await service.close();
  place.remove();
});

async function answered(command: string, timeMs?: number): Promise<readonly string[]> {
  const request = { command, timeMs };
  const answer = await service.call(request, new AbortController().signal);
  const { content, isError } = answerCall(request, answer, { rawOutput: false, maxOutputCharacters: 30_000 });
  expect(isError).toBe(true);
  return content.map((block) => (block.type === "text" ? block.text : ""));
}

const LONGER = ", or pass timeout_seconds \\(at most 600\\)\n";

test.each([
  ["all of the line", "sleep 9", "^LIMIT_TIME: stopped after 0.3 s; narrow the line"],
  [
    "one of its commands",
    "echo a; sleep 9",
    "^LIMIT_TIME: stopped after 0.3 s, 0\\.\\d s of them in `sleep 9` \\(printed 0 bytes\\); narrow that",
  ],
  ["one that is fed", "sleep 9 | cat a - | sort", "0\\.\\d s of them in `sleep 9` \\(printed 0 bytes\\); narrow that"],
  ["a reader that waits for itself", "seq 3 | { cat; sleep 9; }", "0\\.\\d s of them in `sleep 9` \\(printed 0 bytes\\); narrow that"],
  [
    "an endless producer",
    "yes | wc -l",
    "0\\.\\d s of them in `(?:yes|wc -l)` \\((?:was given [\\d,]+ bytes, )?printed [\\d,]+ bytes\\); narrow that",
  ],
  [
    "one of many runs",
    "for f in {1..99}; do sleep 0.02; done",
    "0\\.\\d s of them in `sleep 0.02` \\(run \\d+ times, printed 0 bytes\\); narrow that",
  ],
  ["a function", "f() { sleep 9; }; echo x | f", "0\\.\\d s of them in `sleep 9` \\(printed 0 bytes\\); narrow that"],
])("the time limit names the command that took the time: %s", async (_, command, text) => {
  const [first = ""] = await answered(command, 300);
  expect(first).toMatch(new RegExp(`${text}${LONGER}`));
});

test("commands that share the time are no reason to narrow one of them", async () => {
  const line = `${["a", "b", "c", "d"].map((name) => `: ${name}; sleep 0.1`).join("; ")}; sleep 9`;
  expect((await answered(line.replace("; sleep 9", "; sleep 0.15; sleep 9"), 500))[0]).toMatch(
    /0\.\d s of them in .*; narrow the line, or/,
  );
});

test("what had been printed is there; a long command is named by its start", async () => {
  const texts = await answered(`echo a; sleep ${"0".repeat(100)}9`, 300);
  expect(texts[0]).toMatch(/in `sleep 0{73}…`/);
  expect(texts[1]).toBe("output until then:\na\n");
});

test("a longer time is not offered where there is none", async () => {
  const result = { kind: "stopped", limit: "time", cap: "600 s" } as const;
  const answer = await service.call({ command: "true" }, new AbortController().signal);
  const { content } = answerCall(
    { command: "x" },
    { ...answer, result: { ...answer.result, ...result } as typeof answer.result },
    { rawOutput: false, maxOutputCharacters: 1 },
  );
  expect(content[0]).toEqual({ type: "text", text: "LIMIT_TIME: stopped after 600 s; narrow the line\n" });
});

test.each([
  ["seq 100000 | tac", "^LIMIT_MEMORY: stopped in `tac`: a stage had to hold more than \\d+ bytes"],
  ["seq 100000 | cat | tac | cat", "^LIMIT_MEMORY: stopped in `tac`: "],
  ["seq -s, 100000 | rev", "^LIMIT_MEMORY: stopped in `rev`: a single line is longer than"],
  ["rev <(seq -s, 100000)", "^LIMIT_MEMORY: stopped: a single line is longer than"],
  ["cat nope 2>/dev/null; seq 100000 | tac", "^LIMIT_MEMORY: stopped in `tac`: "],
])("a limit of a stage names the stage: %s", async (command, text) => {
  expect((await answered(command))[0]).toMatch(new RegExp(text));
});
