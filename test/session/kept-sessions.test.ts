/** Sessions that are found by their handle: whose they are stays theirs, whatever others open, and records do not give them away. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";
import { createShellService } from "../../src/mcp/service.ts";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
beforeEach(() => {
  place = tree(["adir/a.txt: A\n"]);
});
afterEach(() => place.remove());

const MINUTE = 60_000;

test("a session in use is not forgotten because others are opened; one that was left for a while is", async () => {
  let nowMs = 0;
  const shell = await Shell.open({ root: place.path, isolation: "none", nowMs: () => nowMs });
  const first = shell.newSession();
  const second = shell.newSession();
  for (let others = 0; others < 3000; others++) shell.newSession();
  expect(shell.session(first.handle)).toBe(first);
  const late = shell.looseSession();
  expect(shell.keep(late)).toBe(false);
  nowMs += 6 * MINUTE;
  await first.run("true");
  expect(shell.session(first.handle)).toBe(first);
  expect(shell.keep(late)).toBe(true);
  expect(shell.session(late.handle)).toBe(late);
  expect(shell.session(second.handle)).toBeUndefined();
  expect(shell.session(first.handle)).toBe(first);
  await shell.close();
});

test("no record names a session so that who reads it could go on with it", async () => {
  const policy = { ...DEFAULT_POLICY, audit: { calls: "all" as const } };
  const service: ShellService = await createShellService({ root: place.path, policy, aliases: [], isolation: "none" });
  const call = (command: string, session?: string) =>
    service.call({ command, ...(session === undefined ? {} : { session }) }, new AbortController().signal, { session: "of its own" });
  const [, handle = ""] = /"session": "([^"]+)"/.exec((await call("cd adir; cat a.txt; echo x | tee b.txt")).notes.join()) ?? [];
  expect(handle.length).toBeGreaterThan(15);
  await call("rm a.txt; pwd", handle);
  await call("policy; pwd; @out 1 | head -1", handle);
  const records = ["calls.jsonl", "journal.jsonl"].map((name) => readFileSync(`${place.path}/.shelpa/@/${name}`, "utf8")).join("");
  expect(records).toContain("adir/b.txt");
  expect(records).not.toContain(handle);
  const names = new Set([...records.matchAll(/"session":"([^"]*)"/g)].map(([, name]) => name));
  expect(names.size).toBe(1);
  for (const name of names) {
    const { stdout } = await call("pwd; @out 1", name);
    expect(stdout.bytes.toString()).not.toContain("adir");
  }
  await service.close();
});
