/** The whole way: a long output is cut, and its next commands, sent as they are, show the rest without a gap. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { answerCall } from "../../src/mcp/answer.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";
import { createShellService } from "../../src/mcp/service.ts";
import { tree } from "../tree.ts";

const LINES = Array.from({ length: 2000 }, (_, at) => `${at + 1} of the lines`);

let place: ReturnType<typeof tree>;
let service: ShellService;
beforeAll(async () => {
  place = tree(["e/", "log: x\n"]);
  writeFileSync(join(place.path, "big"), `${LINES.join("\n")}\n`);
  writeFileSync(join(place.path, "big.log"), `${LINES.join("\n")}\n`);
  service = await createShellService({ root: place.path, policy: DEFAULT_POLICY, aliases: [], isolation: "none" });
});
afterAll(async () => {
  await service.close();
  place.remove();
});

interface Said {
  readonly text: string;
  readonly stdout: string;
  readonly next: string | null;
}

async function ask(command: string): Promise<Said> {
  const answer = await service.call({ command }, new AbortController().signal);
  const result = answerCall({ command }, answer, { rawOutput: false, structured: true, maxOutputCharacters: 5000 });
  const { stdout, truncated } = result.structuredContent as { stdout: string; truncated: { next: string | null } | null };
  const [first] = result.content;
  return { text: first?.type === "text" ? first.text : "", stdout, next: truncated?.next ?? null };
}

test("a list: page by page to its end", async () => {
  const pages: string[] = [];
  for (let command: string | null = "grep of big | sort -n"; command !== null; ) {
    const { stdout, next } = await ask(command);
    pages.push(stdout);
    command = next;
  }
  expect(pages.length).toBeGreaterThan(5);
  expect(pages.join("")).toBe(`${LINES.join("\n")}\n`);
});

test("both ends, and what is between them", async () => {
  const { stdout, next } = await ask("awk '{print}' big");
  const [start = "", end = ""] = stdout.split(/^\[shelpa: .*\n/m);
  let between = "";
  for (let command = next; command !== null && between.length < 50_000; ) {
    const page = await ask(command);
    between += page.stdout;
    command = page.next;
  }
  expect((start + between).startsWith(LINES.slice(0, 1500).join("\n"))).toBe(true);
  expect(end.endsWith("2000 of the lines\n")).toBe(true);
});

test.each([
  ["tail -n 1500 big", /^\[shelpa: .*\n[^]*2000 of the lines\n$/],
  ["cat *.log", /^\[shelpa: .*\n[^]*2000 of the lines\n$/],
  ["tail -n +2 big", /^2 of the lines\n/],
  ["cat big", /^1 of the lines\n[^]*\n\[shelpa: .*\n[^]*\n2000 of the lines\n$/],
  ["grep nothing big", /^\(no output; grep found nothing: exit 1\)$/],
  ["cat big | grep nothing | sort", /^\(no output; grep found nothing: exit 0\)$/],
  ["ls e", /^\(no output; ls has nothing to list: exit 0\)$/],
  ["diff big big.log", /^\(no output; diff found no difference: exit 0\)$/],
  ["find e -name x", /^\(no output; find found nothing: exit 0\)$/],
  ["[ 1 = 2 ]", /^\(no output; \[ says false: exit 1\)$/],
  ["true", /^\(no output, exit 0\)$/],
])("%s", async (command, text) => {
  expect((await ask(command)).text).toMatch(text);
});

test("the end of a log, also where only the first 8 MiB of it are kept", async () => {
  const { stdout, next } = await ask("yes some words of a line | head -n 1000000 | cat - big.log");
  expect(stdout).toMatch(/^\[shelpa: 1,001,\d+ lines are not shown here\]\n/);
  expect(stdout.endsWith("2000 of the lines\n")).toBe(true);
  expect(next).toBeNull();
  const both = await ask("awk 'BEGIN { for (at = 1; at <= 1300000; at++) print at }'");
  expect(both.stdout).toMatch(/^1\n2\n[^]*\n\[shelpa: [\d,]+ lines are not shown here\]\n[^]*\n1300000\n$/);
});

test("@out is not named to a call that is a session of its own", async () => {
  const request = { command: "seq 5000" };
  const answer = await service.call(request, new AbortController().signal, { session: "of its own" });
  expect(answer.output).toEqual({ id: expect.any(String) });
  const { content } = answerCall(request, answer, { rawOutput: false, maxOutputCharacters: 5000 });
  expect(JSON.stringify(content)).not.toContain("@out");
});

test("@out: kept while it is one of the last 64, of its own session", async () => {
  const { next } = await ask("seq 5000");
  const number = /@out (\d+)/.exec(next ?? "")?.[1] ?? "";
  expect((await ask(`@out ${number} | tail -n 1`)).stdout).toBe("5000\n");
  expect((await ask(`@out ${number} | wc -l; @out ${number} | head -n 1`)).stdout).toBe("5000\n1\n");
  for (let at = 0; at < 64; at++) await ask("echo x");
  expect((await ask(`@out ${number}`)).text).toBe(
    `@out: there is no output ${number} (any more) in this session; run its command again\n[exit 1]`,
  );
  expect((await ask("@out x")).text).toMatch(/^BAD_VALUE: @out: invalid number/);
});
