/** The whole way: a long output is cut, and its next commands, sent as they are, show the rest without a gap. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { answerCall } from "../../src/mcp/answer.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";
import { redactedAnswer, Redactor } from "../../src/mcp/redaction.ts";
import { createShellService } from "../../src/mcp/service.ts";
import { tree } from "../tree.ts";

const LINES = Array.from({ length: 2000 }, (_, at) => `${at + 1} of the lines`);

let place: ReturnType<typeof tree>;
let service: ShellService;
beforeAll(async () => {
  place = tree(["e/", "log: x\n"]);
  writeFileSync(join(place.path, "big"), `${LINES.join("\n")}\n`);
  writeFileSync(join(place.path, "big.log"), `${LINES.join("\n")}\n`);
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(place.path, name), content);
  service = await createShellService({ root: place.path, policy: DEFAULT_POLICY, aliases: [], isolation: "none" });
});
afterAll(async () => {
  await service.close();
  place.remove();
});

/** Files whose pages are followed to their end. */
const FILES: Readonly<Record<string, string | Buffer>> = {
  "one-line": "abcdefghij".repeat(2000),
  "one-line-ended": `${"0123456789".repeat(2000)}\n`,
  "one-line-wide": "é日𝒳x".repeat(4000),
  "no-newline-at-end": LINES.join("\n"),
  crlf: `${LINES.join("\r\n")}\r\n`,
  wide: "größer, 日本, 𝒳\n".repeat(2000),
  "odd-bytes": Buffer.concat([Buffer.from("text é\n".repeat(2000)), Buffer.from([0xff, 0x80, 10, 0xc3, 10])]),
  controls: "\u001b[31mred\u001b[0m \u202e\n".repeat(1000),
  "empty-lines": "\n".repeat(20_000),
};

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

test.each(["tail -n 1800 big", "cat big.log | tail -n +1 | tail -n 1800", "tail -n 20000 empty-lines"])(
  "what is shown from its end goes back page by page to its start: %s",
  async (command) => {
    const whole = (await service.call({ command }, new AbortController().signal)).stdout.bytes;
    const pages: string[] = [];
    for (let at: string | null = command; at !== null; ) {
      const { stdout, next } = await ask(at);
      pages.unshift(stdout.replace(/^\[shelpa: .*\n/, ""));
      at = next;
      expect(pages.length).toBeLessThan(60);
    }
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.join("")).toBe(Buffer.from(whole).toString());
  },
);

test.each([
  ["grep -q nope log || grep -q x log", /^\(no output, exit 0\)$/],
  ["for f in log big; do grep -q x $f; done", /^\[exit 1: grep found nothing\]$/],
  ["[ -f big ] && [ -f nope ]", /^\[exit 1: \[ says false\]$/],
  ["for f in e big; do [ -f $f ]; done", /^\[exit 0: \[ says true\]$/],
  ["diff big big; diff -q big log >/dev/null", /^\(no output, exit 1\)$/],
  ["while read l; do grep -q x <<< \"$l\"; done <<< $'a\\nx'", /^\(no output, exit 0\)$/],
  ["grep nothing big || true", /^\[exit 0: grep found nothing\]$/],
  ["sort big | uniq -d", /^\[exit 0: uniq printed nothing\]$/],
  ["cat big >/dev/null", /^\(no output, exit 0\)$/],
  ["tail -n 1500 big", /^\[shelpa: .*\n[^]*2000 of the lines\n$/],
  ["cat *.log", /^\[shelpa: .*\n[^]*2000 of the lines\n$/],
  ["tail -n +2 big", /^2 of the lines\n/],
  ["cat big", /^1 of the lines\n[^]*\n\[shelpa: .*\n[^]*\n2000 of the lines\n$/],
  ["grep nothing big", /^\[exit 1: found nothing\]$/],
  ["cat big | grep nothing | sort", /^\[exit 0: grep found nothing\]$/],
  ["ls e", /^\[exit 0: has nothing to list\]$/],
  ["diff big big.log", /^\[exit 0: found no difference\]$/],
  ["find e -name x", /^\[exit 0: found nothing\]$/],
  ["[ 1 = 2 ]", /^\[exit 1: says false\]$/],
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

/** What the next commands print, one after the other, each as it would be without a limit; `page` says what each answer shows. */
async function followed(command: string, most = 60): Promise<{ readonly printed: Buffer; readonly shown: readonly string[] }> {
  const shown: string[] = [];
  const printed: Buffer[] = [];
  for (let at: string | null = command; at !== null; ) {
    const asked = at;
    const answer = await service.call({ command: asked }, new AbortController().signal);
    const options = { rawOutput: false, structured: true, maxOutputCharacters: 5000 };
    const { stdout, truncated } = answerCall({ command: asked }, answer, options).structuredContent as {
      stdout: string;
      truncated: { next: string | null; shown_bytes: number } | null;
    };
    expect(answer.stdout.bytes.length).toBeGreaterThan(0);
    printed.push(Buffer.from(answer.stdout.bytes.subarray(0, truncated?.shown_bytes ?? answer.stdout.bytes.length)));
    shown.push(stdout);
    expect(shown.length).toBeLessThan(most);
    at = truncated?.next ?? null;
  }
  return { printed: Buffer.concat(printed), shown };
}

describe("each next command begins where the answer before it has ended, up to the end, and none is given there", () => {
  for (const [name, content] of Object.entries(FILES)) {
    // A list is shown from its start.
    test.each([`sed -n 'p' ${name} | grep -a ''`, `cat ./${name} | grep -a ''`])(`%s`, async (command) => {
      const { printed } = await followed(command, 200);
      expect(printed.equals(Buffer.from(ended(content)))).toBe(true);
    });
  }
});

const ended = (content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content);
  return bytes.at(-1) === 10 ? bytes : Buffer.concat([bytes, Buffer.from("\n")]);
};

test.each(["one-line", "one-line-ended", "one-line-wide"])("cat %s: byte by byte", async (name) => {
  const { printed, shown } = await followed(`cat ${name}`);
  expect(printed.equals(Buffer.from(FILES[name] as string))).toBe(true);
  expect(shown.join("")).toBe(FILES[name]);
});

test.each([
  ["ASCII", "a"],
  ["characters of several bytes", "日"],
  ["characters of two units", "𝒳"],
  ["characters that are spelled out", "abcdefghi\u202e"],
])("what follows of long lines is what follows: %s", async (_, character) => {
  const some = (length: number): string => Array.from({ length }, (_, at) => [...character][at % [...character].length]).join("");
  const long = (first: string): string => `${first}${some(1499)}${first}${some(999)}`;
  writeFileSync(join(place.path, "long"), `${["1", "2"].map(long).join("\nshort\n")}\n${LINES.slice(0, 20).join("\n")}\n`);
  const { text, next } = await ask("cat long | sed 's/^$//'");
  expect(text.split("\n")[0]).toMatch(/^1.*\[… 1,500 characters\]$/);
  expect(next).toMatch(/^@out \d+ \| awk /);
  const rest = await service.call({ command: next ?? "" }, new AbortController().signal);
  const wanted = ["1", "2"]
    .map((first) => `${long(first).slice(long(first).lastIndexOf(first) - 500 * ([...character][0] ?? "").length)}\n`)
    .join("");
  expect(Buffer.from(rest.stdout.bytes).toString()).toBe(wanted);
});

test("of a page of what is not wholly kept, next never goes past what is kept", async () => {
  const { next } = await ask("awk 'BEGIN { for (at = 1; at <= 1300000; at++) print \"x\" at }' | grep ''");
  const number = /@out (\d+)/.exec(next ?? "")?.[1] ?? "";
  const kept = Number((await ask(`@out ${number} | wc -l`)).stdout) + 1;
  const last = await ask(`@out ${number} | sed -n '${kept - 2},${kept + 100}p'`);
  expect(last.text).toMatch(/^x\d+\nx\d+\nx\d+$/);
  expect(last.next).toBeNull();
  const before = await ask(`@out ${number} | sed -n '${kept - 5},${kept - 3}p'`);
  expect(before.next).toBe(`@out ${number} | sed -n '${kept - 2},${kept}p'`);
});

test.each([
  ["a range past the end", "3000,4000"],
  ["a range that ends before it begins", "2000,1"],
])("%s has no next", async (_, range) => {
  const { next } = await ask("sed -n p big | grep of");
  const number = /@out (\d+)/.exec(next ?? "")?.[1] ?? "";
  expect((await ask(`@out ${number} | sed -n '${range}p'`)).next).toBeNull();
});

test("standard error is no part of what is counted", async () => {
  const { printed } = await followed("grep -h '' nope big");
  expect(printed.toString()).toBe(`${LINES.join("\n")}\n`);
});

test("the pages of what a later stage printed of a kept output", async () => {
  const { next } = await ask("sed -n p big | grep of");
  const number = /@out (\d+)/.exec(next ?? "")?.[1] ?? "";
  const { printed } = await followed(`@out ${number} | tail -n +501 | grep of`);
  expect(printed.toString()).toBe(`${LINES.slice(500).join("\n")}\n`);
});

test("no command is named that the configuration has not", async () => {
  const answer = await service.call({ command: "grep of big" }, new AbortController().signal);
  const options = { rawOutput: false, maxOutputCharacters: 5000, commandNames: ["grep", "cat", "@out"] };
  expect(JSON.stringify(answerCall({ command: "grep of big" }, answer, options).content)).not.toContain("next:");
});

test("an answer without its secrets names no place in what is kept that is another there", async () => {
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${`${"A1b2".repeat(16)}\n`.repeat(20)}-----END RSA PRIVATE KEY-----\n`;
  writeFileSync(join(place.path, "key"), `${LINES.slice(0, 100).join("\n")}\n${key}${LINES.join("\n")}\n`);
  writeFileSync(join(place.path, "token"), `ghp_${"a1B2".repeat(9)} ${"x".repeat(9000)}`);
  const redactor = new Redactor({ level: "basic", patterns: [] }, {});
  const nextOf = async (command: string): Promise<string | undefined> => {
    const answer = await redactedAnswer(await service.call({ command }, new AbortController().signal), redactor);
    const { content } = answerCall({ command }, answer, { rawOutput: false, maxOutputCharacters: 5000 });
    return /next: (.*)/.exec(content.map((block) => (block.type === "text" ? block.text : "")).join("\n"))?.[1];
  };
  expect(await nextOf("cat key")).toBeUndefined();
  expect(await nextOf("cat token")).toBeUndefined();
  expect(await nextOf("cat big")).toBeDefined();
});

test("the last of more standard error than is kept", async () => {
  const { text } = await ask(`awk 'BEGIN { for (at = 1; at <= 400000; at++) print "some message of many" at > "/dev/stderr"; exit 3 }'`);
  expect(text).toMatch(
    /^some message of many1\n[^]*\n\[shelpa: [\d,]+ bytes of standard error are not shown here\]\n[^]*many400000\n\[exit 3\]$/,
  );
});

test("an error after more output than is shown", async () => {
  expect((await ask("seq 100000; cat nope")).text).toMatch(/\ncat: nope: No such file or directory\n\[exit 1\]$/);
  expect((await ask("{ seq 100000; cat nope; } 2>&1")).text).toMatch(/\ncat: nope: No such file or directory\n\[exit 1\]$/);
});
