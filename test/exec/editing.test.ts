/** Commands that edit (sed -i, sort -o, patch) under the rules of every write: read-only, approvals, size, previews, assessments, undo. */
import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import type { LineOptions } from "../../src/exec/runner.ts";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
beforeEach(() => {
  place = tree(["f: b\na\n", ".envrc: a\n", "p: --- f\n+++ f\n@@ -1,2 +1,2 @@\n-b\n+B\n a\n", "vendor/v: a\n"]);
});
afterEach(() => place.remove());

const text = (name: string): string => readFileSync(`${place.path}/${name}`, "utf8");

async function inShell<T>(policy: Partial<Policy>, action: (shell: Shell) => Promise<T>): Promise<T> {
  const shell = await Shell.open({ root: place.path, isolation: "none", policy: { ...DEFAULT_POLICY, ...policy } });
  try {
    return await action(shell);
  } finally {
    await shell.close();
  }
}

const ended = (line: string, policy: Partial<Policy> = {}, options: LineOptions = {}): Promise<string | number> =>
  inShell(policy, async (shell) => {
    const { result } = await shell.defaultSession.run(line, options);
    return result.kind === "completed" ? result.exit : result.kind === "refused" ? result.violations[0].reason : result.kind;
  });

const EDITS = ["sed -i s/a/Z/ f", "sed -i.b s/a/Z/ f", "sort -o f f", "patch < p", "patch f p", "echo f | xargs sed -i s/a/Z/"];

describe("a workspace that is open for reading only", () => {
  test.each(EDITS)("%s", async (line) => {
    expect(await ended(line, { readOnly: true })).toBe("READ_ONLY");
    expect(text("f")).toBe("b\na\n");
  });

  test.each(["sed s/a/Z/ f", "sort f", "patch --dry-run < p"])("%s runs", async (line) => {
    expect(await ended(line, { readOnly: true })).toBe(0);
  });
});

test.each(["sed -i s/a/Z/ vendor/v", "sort -o vendor/v f", "patch -o vendor/v f p", "patch vendor/v p", "sed -i'vendor/*' s/a/Z/ f"])(
  "paths.deny_write: %s",
  async (line) => {
    expect(await ended(line, { paths: { denyRead: [], denyWrite: ["/vendor/"], own: [] } })).toBe("PROTECTED_PATH");
    expect(text("f")).toBe("b\na\n");
  },
);

test("a file that a person must allow, and that the configuration has allowed", async () => {
  expect(await ended("sed -i s/a/Z/ .envrc")).toBe("NEEDS_APPROVAL");
  expect(text(".envrc")).toBe("a\n");
  expect(await ended("sed -i s/a/Z/ .envrc", { approval: { ...DEFAULT_POLICY.approval, preApproved: ["/.envrc"] } })).toBe(0);
  expect(text(".envrc")).toBe("Z\n");
});

describe("more bytes than are written without confirmation", () => {
  const approval = { ...DEFAULT_POLICY.approval, oversizeBytes: 100 };
  test.each(["sed -i 's/a/{}/' f", "yes | head -100 | sort -o new", "sed -i.b 's/a/{}/' f", "sed -i 's/a/c/;s/b/{}/' vendor/v f"])(
    "%s",
    async (given) => {
      const line = given.replace("{}", "x".repeat(200));
      expect(await ended(line, { approval })).toBe("OVERSIZE_WRITE");
      expect(text("f")).toBe("b\na\n");
      expect(text("vendor/v")).toBe("a\n");
      for (const name of ["new", "f.b"]) expect(existsSync(`${place.path}/${name}`)).toBe(false);
    },
  );

  test("what is ours is edited where it is confirmed", async () => {
    await ended("cat f | tee own");
    expect(await ended(`sed -i 's/a/${"x".repeat(200)}/' own`, { approval }, { confirmOversize: true })).toBe(0);
    expect(text("own")).toBe(`b\n${"x".repeat(200)}\n`);
  });
});

describe("a preview", () => {
  test.each(["sed -i s/b/B/ f", "patch < p", "sed s/b/B/ f | sort -r -o f"])("%s", async (line) => {
    await inShell({}, async (shell) => {
      const { result } = await shell.defaultSession.serve(line, { preview: true });
      const previews = result.kind === "completed" ? result.previews : undefined;
      expect(previews?.map(({ path, created }) => ({ path, created }))).toEqual([{ path: "f", created: false }]);
    });
    expect(text("f")).toBe("b\na\n");
  });
});

describe("an assessment", () => {
  test.each([
    ["sed -i s/a/Z/ f", ["f"], false],
    ["sed -i.b s/a/Z/ f", ["f", "f.b"], false],
    ["sed -i s/a/Z/ *", ["f", "p"], false],
    ["sed s/a/Z/ f", [], false],
    ["sort -o out f", ["out"], false],
    ["patch f p", ["f"], false],
    ["patch < p", [], true],
    ["patch --dry-run < p", [], false],
    ["find . -exec sed -i s/a/Z/ {} +", [], true],
  ] as const)("%s", async (line, written, isUnknown) => {
    await inShell({}, async (shell) => {
      const { stages, matched_rules } = await shell.defaultSession.assess(line);
      const paths = stages.flatMap(({ writes }) => writes.map(({ path }) => path));
      expect(paths.toSorted()).toEqual(written.toSorted());
      expect(matched_rules.some(({ id }) => id === "write:unknown")).toBe(isUnknown);
    });
  });
});

test("each file has its record, and one that stays as it was has none", async () => {
  await inShell({}, async (shell) => {
    const { result } = await shell.defaultSession.run("sed -i s/b/B/ f vendor/v");
    expect(result.kind === "completed" ? result.receipts.map(({ path }) => path) : result.kind).toEqual(["f"]);
  });
});

describe("ways out", () => {
  test.each([
    ["sed -i '' s/a/Z/ f", "sed -i s/a/Z/ f"],
    ["sed -i '' -e s/a/Z/ -e s/b/B/ f", "sed -i -e s/a/Z/ -e s/b/B/ f"],
    ["sed -i 's/a/Z/w out' f", undefined],
    ["git apply p", "patch -p1 -s -F0 -i p"],
    ["git apply --check -p0 p", "patch -p0 -s -F0 --dry-run -i p"],
    ["git apply --index p", undefined],
    ["perl -pi -e 's/a/Z/' f", "sed -i -E s/a/Z/ f"],
    ["perl -i -pe 's/a b/Z/g' f p", "sed -i -E 's/a b/Z/g' f p"],
    ["perl -pi -e 's/a+/Z/' f", undefined],
    ["perl -pi -e 's/a/$1/' f", undefined],
    ["perl -pi.bak -e 's/a/Z/' f", undefined],
    ["dos2unix f", "sed -i 's/\\r$//' f"],
    ["awk -i inplace '{ print $1 }' f", "awk '{ print $1 }' f | tee f >/dev/null"],
  ])("%s", async (line, suggestion) => {
    await inShell({}, async (shell) => {
      const { result } = await shell.defaultSession.run(line);
      expect(result.kind).toBe("refused");
      if (result.kind === "refused") expect(result.violations[0].suggestion).toBe(suggestion);
    });
    expect(text("f")).toBe("b\na\n");
  });
});
