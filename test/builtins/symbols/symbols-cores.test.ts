/** symbols and outline on two cores: the same lines in the same order as on one, whatever the thread does. */
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { CodeStep } from "../../../builtins/symbols/code-files.ts";
import { codeLines } from "../../../builtins/symbols/code-lines.ts";
import type { Question } from "../../../builtins/symbols/file-lines.ts";
import { LANGUAGES, languageNamed } from "../../../builtins/symbols/languages.ts";
import { SecondThread } from "../../../builtins/symbols/second-thread.ts";
import { CodeThread } from "../../../src/wasm/code-thread.ts";

const ALWAYS = { spare: 0, start: 0 };
const threads: CodeThread[] = [];

afterEach(() => {
  for (const thread of threads.splice(0)) thread.end();
});

/** A thread that knows these languages, and counts its batches. */
async function prepared(...names: readonly string[]): Promise<{ readonly thread: CodeThread; readonly batches: () => number }> {
  const thread = new CodeThread();
  threads.push(thread);
  for (const { grammar, definitions } of names.map(languageNamed)) await thread.prepare(grammar, definitions);
  let batches = 0;
  const inner = thread.do.bind(thread);
  thread.do = (batch, moved) => {
    batches++;
    return inner(batch, moved);
  };
  return { thread, batches: () => batches };
}

function file(path: string, language: string, text: string): CodeStep {
  return { what: "file", path, depth: 1, language: languageNamed(language), read: () => new Uint8Array(Buffer.from(text)) };
}

const symbols = (name: string, more: Partial<Question & { readonly what: "symbols" }> = {}): Question => ({
  what: "symbols",
  name,
  options: { foldCase: false, substring: false },
  refs: false,
  kinds: undefined,
  look: { body: false, json: false },
  ...more,
});
const OUTLINE: Question = { what: "outline", maxDepth: Infinity, json: false };
const alone = (): SecondThread => new SecondThread(ALWAYS, () => undefined);

async function printed(steps: Iterable<CodeStep>, question: Question, second: SecondThread): Promise<string> {
  let text = "";
  for await (const part of codeLines(steps, { question, isRead: () => true, turn: () => Promise.resolve(), second })) {
    if (part.what === "lines") text += part.text;
    else if (part.what === "passed") text += `! ${part.message}\n`;
    else if (question.what === "outline") text += `${part.path}\n`;
  }
  return text;
}

/** 400 files in four languages, one of which is never shared, with some between them that cannot be parsed. */
function tree(): CodeStep[] {
  return Array.from({ length: 400 }, (_, at): CodeStep => {
    const path = `src/${String(at).padStart(3, "0")}`;
    if (at % 50 === 49) return { what: "passed", message: `${path}: Permission denied`, isError: true };
    if (at % 50 === 0) return { what: "directory", path, depth: 1 };
    if (at % 90 === 7) return file(`${path}.css`, "CSS", "(".repeat(150_000));
    const filler = `// ${"x".repeat((at * 37) % 900)}\n`;
    switch (at % 4) {
      case 0:
        return file(`${path}.ts`, "TypeScript", `${filler}class Shop${at} {\n  open(): void { this.shut("é"); }\n}\n`);
      case 1:
        return file(`${path}.py`, "Python", `def open(a):\n    return shut(${at})\n`);
      case 2:
        return file(`${path}.go`, "Go", `package a\n${filler}func open() { shut(${at}) }\n`);
      default:
        return file(`${path}.ps1`, "PowerShell", `function open { shut ${at} }\n`);
    }
  });
}

describe("the lines are the same on one thread and on two", () => {
  const questions: Record<string, Question> = {
    "a name": symbols("open"),
    "a regular expression": symbols("/^Shop.*[1-4]$/"),
    "a kind": symbols("/./", { kinds: ["class"] }),
    "--refs": symbols("shut", { refs: true }),
    "--body --json": symbols("open", { look: { body: true, json: true } }),
    outline: OUTLINE,
  };
  for (const [name, question] of Object.entries(questions)) {
    test(name, async () => {
      const expected = await printed(tree(), question, alone());
      expect(expected.length).toBeGreaterThan(1000);
      const { thread, batches } = await prepared("TypeScript", "Python", "Go", "CSS");
      expect(await printed(tree(), question, new SecondThread(ALWAYS, () => thread))).toBe(expected);
      expect(batches()).toBeGreaterThan(0);
      expect(thread.isIdle).toBe(true);
    });
  }
  test("and where the thread is started on the way", async () => {
    const thread = new CodeThread();
    threads.push(thread);
    expect(await printed(tree(), OUTLINE, new SecondThread(ALWAYS, () => thread))).toBe(await printed(tree(), OUTLINE, alone()));
  });
  test("every language but those whose code stays slow", async () => {
    const { thread } = await prepared(...LANGUAGES.map(({ name }) => name));
    const unknown = LANGUAGES.filter(({ grammar }) => !thread.knows(grammar)).map(({ name }) => name);
    expect(unknown).toEqual(["Swift", "PowerShell"]);
  });
});

describe("bounds", () => {
  /** 40 functions in functions of some 60 lines each: their bodies are a hundred times their source. */
  const nested = `${`function f() {\n${"  // a line of some length, and more\n".repeat(60)}`.repeat(40)}${"}\n".repeat(40)}`;
  const bodies = symbols("f", { look: { body: true, json: false } });

  test("lines that would have to be held are made when their turn comes", async () => {
    const steps = [...tree().slice(1, 40), file("src/999.ts", "TypeScript", nested)];
    const expected = await printed(steps, bodies, alone());
    expect(expected.length).toBeGreaterThan(1 << 20);
    const { thread } = await prepared("TypeScript");
    expect(await printed(steps, bodies, new SecondThread(ALWAYS, () => thread))).toBe(expected);
  });
  test("a reader that has enough ends the thread that still works", async () => {
    const { thread } = await prepared("TypeScript");
    const many = Array.from({ length: 50 }, (_, at) => file(`${at}.ts`, "TypeScript", nested));
    const second = new SecondThread(ALWAYS, () => thread);
    for await (const part of codeLines(many, { question: OUTLINE, isRead: () => true, turn: () => Promise.resolve(), second })) {
      if (part.what === "lines") break;
    }
    expect(() => second.canTake(languageNamed("TypeScript"))).not.toThrow();
    expect(second.canTake(languageNamed("TypeScript"))).toBe(false);
  });
});

describe("a thread that breaks down is an error", () => {
  test("ended from outside", async () => {
    const { thread } = await prepared("TypeScript");
    const many = Array.from({ length: 400 }, (_, at) => file(`${at}.ts`, "TypeScript", `function f${at}() {}\n`.repeat(400)));
    let seen = 0;
    const turn = async (): Promise<void> => {
      if (++seen === 20) thread.end();
      await setTimeout(0);
    };
    const second = new SecondThread(ALWAYS, () => thread);
    const all = async (): Promise<void> => {
      for await (const _ of codeLines(many, { question: OUTLINE, isRead: () => true, turn, second }));
    };
    await expect(all()).rejects.toThrow("the second thread was ended");
  });
  test("that could not be started", async () => {
    const thread = new CodeThread("no-such-file.js");
    const { definitions, grammar } = languageNamed("Go");
    await expect(thread.prepare(grammar, definitions)).rejects.toThrow("no-such-file.js");
    await expect(thread.do({}, [])).rejects.toThrow("no-such-file.js");
  });
  test("whose work throws", async () => {
    const { thread } = await prepared("Go");
    await expect(thread.do({ question: OUTLINE, files: [{ path: "a", depth: 0, language: "Latin", size: 0 }] }, [])).rejects.toThrow(
      "no language is called Latin",
    );
    expect(thread.isIdle).toBe(true);
  });
});
