/** A search by text for a definition is answered with its output, and once a session with a note beside it. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";
import { createShellService } from "../../src/mcp/service.ts";
import { tree } from "../tree.ts";

let place: ReturnType<typeof tree>;
let service: ShellService;
beforeEach(async () => {
  place = tree(["src/a.py: def foo(x):\n    pass\n", "src/b.py: foo(1)\n", "notes.md: def foo\n"]);
  service = await createShellService({ root: place.path, policy: DEFAULT_POLICY, aliases: [], isolation: "none" });
});
afterEach(async () => {
  await service.close();
  place.remove();
});

const signal = new AbortController().signal;
async function notes(command: string, session?: string, given: ShellService = service): Promise<readonly string[]> {
  const answer = await given.call({ command, ...(session === undefined ? {} : { session }) }, signal);
  return answer.notes.filter((note) => !note.startsWith("That session is not known"));
}

describe("a note on symbols", () => {
  for (const [command, suggestion] of [
    ['grep -rn "def foo" src', "symbols foo src"],
    ['grep -rn "def foo\\|function foo" .', "symbols foo ."],
    ['grep -rnE "(def|class) foo" --include="*.py" src | head -20', "symbols foo src"],
    ["rg 'def foo'", "symbols foo"],
    ["rg -n -e 'def foo\\b' src", "symbols foo src"],
    ["cd src && grep -rn 'def foo'", "symbols foo"],
  ] as const) {
    test(command, async () => {
      const said = await notes(command);
      expect(said).toEqual([expect.stringMatching(/^`symbols [^`]+` finds definitions by syntax/)]);
      expect(said[0]).toContain(`\`${suggestion}\``);
      const { stdout } = await service.call({ command: suggestion }, signal);
      expect(stdout.bytes.toString()).toContain("function foo — def foo(x)");
    });
  }
  for (const command of [
    "grep -rn foo src",
    "grep -rn 'def nope' src",
    "grep -rhn 'def foo' src",
    "grep -rl 'def foo' src",
    "grep -rc 'def foo' src",
    "grep -rvn 'def foo' src",
    "grep -rn 'def foo' src | wc -l",
    "grep -rn 'def foo' notes.md",
    "grep -n 'def foo' src/a.py",
    "rg 'def foo' src/a.py",
    "rg -v 'def foo' src",
    "rg --files src",
    "cat src/a.py | rg 'def foo'",
    "symbols foo",
  ]) {
    test(`none: ${command}`, async () => expect(await notes(command)).toEqual([]));
  }
  test("once a session, and again in another", async () => {
    expect(await notes("grep -rn 'def foo' src")).toHaveLength(1);
    expect(await notes("rg 'def foo'")).toEqual([]);
    expect(await notes("rg 'def foo'", "another")).toHaveLength(1);
  });
  test("what finds nothing uses none up", async () => {
    expect(await notes("rg 'def nope'")).toEqual([]);
    expect(await notes("rg 'def foo'")).toHaveLength(1);
  });
  test("none to sessions of one call", async () => {
    const answer = await service.call({ command: "rg 'def foo'" }, signal, { session: "of its own" });
    expect(answer.notes).toEqual([]);
  });
  test("none where symbols may not run", async () => {
    const policy = { ...DEFAULT_POLICY, commands: { only: undefined, deny: ["symbols"] } };
    const without = await createShellService({ root: place.path, policy, aliases: [], isolation: "none" });
    try {
      expect(await notes("rg 'def foo'", undefined, without)).toEqual([]);
    } finally {
      await without.close();
    }
  });
  test("across the process's boundary", async () => {
    const other = await createShellService({ root: place.path, policy: DEFAULT_POLICY, aliases: [], isolation: "process" });
    try {
      expect(await notes("rg 'def foo'", undefined, other)).toHaveLength(1);
    } finally {
      await other.close();
    }
  });
});
