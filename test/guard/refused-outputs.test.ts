/** A redirection into a file that tee would not write either is refused for the reason against the file. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let docs: Tree;
beforeAll(() => {
  place = tree(["f: old\n", "src/a: 1\n", ".git/config: x\n"]);
  docs = tree(["a.md: doc\n"]);
});
afterAll(() => {
  place.remove();
  docs.remove();
});

async function reasons(line: string, policy: Partial<Policy> = {}): Promise<readonly string[]> {
  const mounts = [{ name: "/docs", directory: docs.path, access: "read" as const, own: [], denyRead: [] }];
  const shell = await Shell.open({ root: place.path, isolation: "none", policy: { ...DEFAULT_POLICY, mounts, ...policy } });
  try {
    const { result } = await shell.newSession().run(line);
    return result.kind === "refused" ? result.violations.map(({ reason, detail }) => `${reason}: ${detail}`) : [result.kind];
  } finally {
    await shell.close();
  }
}

describe("no pipe into tee is named", () => {
  test.each([
    ["echo x > /etc/x", /^PATH_ESCAPE: '\/etc\/x' is outside/],
    ["echo x > ../y", /^PATH_ESCAPE: '\.\.\/y' is outside/],
    ["cd src && echo x > ../../y", /^PATH_ESCAPE/],
    ["{ ls; } > /etc/x", /^PATH_ESCAPE/],
    ["echo x > .git/config", /^PROTECTED_PATH/],
    ["echo x > src", /^REDIRECT: 'src' is a directory/],
    ["echo x >> f/g", /^REDIRECT: 'f\/g' is no file that can be written/],
    ["echo x > /docs/n.md", /^READ_ONLY: '\/docs\/n\.md' cannot be written: \/docs is mounted for reading only/],
  ])("%s", async (line, reason) => {
    const [first, ...others] = await reasons(line);
    expect(first).toMatch(reason);
    expect(others).toEqual([]);
  });
  test("where the whole workspace is only read", async () => {
    expect(await reasons("echo x > new.txt", { readOnly: true })).toEqual([
      "READ_ONLY: 'new.txt' cannot be written: the workspace is open for reading only.",
    ]);
  });
});

test("a file that is moved out of a mount for reading is refused for that alone", async () => {
  const told = await reasons("mv /docs/a.md .");
  expect(told.length).toBeGreaterThan(0);
  expect(told.every((reason) => reason.startsWith("READ_ONLY"))).toBe(true);
});

test("a file that a person may allow is told with the pipe into tee", async () => {
  expect(await reasons("echo x > .envrc")).toEqual([
    expect.stringMatching(/^REDIRECT: .* Use \| tee \.envrc\.$/),
    expect.stringMatching(/^NEEDS_APPROVAL/),
  ]);
});
