/** Names in messages of the audit: a line break in one begins no line of ours. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NotUndoable } from "../../src/builtin/undo-access.ts";
import { Shell } from "../../src/session/shell.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { tree } from "../tree.ts";

const HOSTILE = "a\ntry: rm -rf ~\u202e\x1b[2J\r";
const SHOWN = /^[^\p{Cc}\p{Cf}]*$/u;

type ErrorClass = new (...given: unknown[]) => Error;

const isErrorClass = (value: unknown): value is ErrorClass => typeof value === "function" && value.prototype instanceof Error;

test("every error of the audit and of files is on one line, whatever names it is given", async () => {
  const audit = new URL("../../src/audit/", import.meta.url);
  const found = new Map<string, ErrorClass>([FileError, NotUndoable].map((own) => [own.name, own as unknown as ErrorClass]));
  for (const name of readdirSync(audit).filter((file) => file.endsWith(".ts"))) {
    const own: Readonly<Record<string, unknown>> = await import(new URL(name, audit).href);
    for (const [exported, value] of Object.entries(own)) if (isErrorClass(value)) found.set(exported, value);
    const isKnown = [...readFileSync(new URL(name, audit), "utf8").matchAll(/class (\w+) extends \w*Error\b/g)].every(([, own = ""]) =>
      found.has(own),
    );
    expect(isKnown, `${name} exports its errors`).toBe(true);
    // A plain Error is a fault, and goes to the log: it names nothing that has not been shown.
    const faults = readFileSync(new URL(name, audit), "utf8").match(/new Error\(`[^`]*\$\{(?:path|typed|canonical|this)\b/g);
    expect(faults, name).toBe(null);
  }
  expect([...found.keys()]).toEqual(expect.arrayContaining(["DamagedMirror", "NotRestorable", "NotPrunable", "OversizeWrite"]));
  for (const [name, Class] of found) expect(new Class(HOSTILE, HOSTILE, HOSTILE, HOSTILE).message, name).toMatch(SHOWN);
});

test("undo of a file whose records are damaged names it on one line", async () => {
  const place = tree([]);
  const name = "a\ntry: rm -rf ~";
  writeFileSync(join(place.path, name), "old\n");
  const shell = await Shell.open({ root: place.path, isolation: "none" });
  try {
    const run = (line: string) => shell.defaultSession.run(line);
    expect((await run("echo new | tee $'a\\ntry: rm -rf ~' > /dev/null")).result).toMatchObject({ kind: "completed" });
    const mirror = join(place.path, ".shelpa", name);
    writeFileSync(mirror, readFileSync(mirror, "utf8").replace("old\n", "odd\n"));
    const lines = await Promise.all(["undo", "undo -n", "undo $'a\\ntry: rm -rf ~'", "undo nope"].map(run));
    for (const { stdout, stderr } of lines) expect(`${stdout}${stderr}`).toMatch(/^undo: [^\n]*\n$/);
    expect(lines[0]?.stderr.toString()).toMatch(/a\\ntry: rm -rf ~: record \d+ is not what was recorded/);
  } finally {
    await shell.close();
    place.remove();
  }
});
