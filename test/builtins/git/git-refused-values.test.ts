/** Refused flags take their values as git says in its usage: a line without the flag is without its value, too. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { parseGit } from "../../../builtins/git/commands/command-line.ts";
import { COMMANDS, NEAREST, REFUSED } from "../../../builtins/git/commands/commands.ts";
import { REFUSED_EVERYWHERE } from "../../../builtins/git/commands/flags.ts";
import { WRITING_COMMANDS } from "../../../builtins/git/commands/options.ts";
import { UsageError } from "../../../src/builtin/usage-error.ts";
import { skipWithout } from "../../needs.ts";

/** Flags whose value is a word of its own, by git's usage of the command: `-o, --output <file>`. */
function valuedFlags(command: string): ReadonlySet<string> {
  const { stdout, stderr } = spawnSync("git", [command, "-h"], { encoding: "utf8", cwd: "/" });
  return new Set(
    [...`${stdout}${stderr}`.matchAll(/^ {4}((?:-\w, )?--[a-z][\w-]*|-\w) <[^\n]*$/gm)].flatMap(([, flags = ""]) => flags.split(", ")),
  );
}

describe("a refused flag has the value that git's usage gives it", () => {
  test.each([...COMMANDS.keys()].filter((name) => !name.includes(" ") && !WRITING_COMMANDS.has(name)))("git %s", (name) => {
    skipWithout("git");
    const flags = { ...REFUSED_EVERYWHERE, ...COMMANDS.get(name)?.flags };
    const valued = [...valuedFlags(name)].filter((flag) => Object.hasOwn(flags, flag) && flags[flag]?.kind === "refused");
    expect(valued.filter((flag) => flags[flag]?.takes !== "value")).toEqual([]);
  });
});

describe("a mistyped flag is underlined alone, and the nearest one named", () => {
  test.each([
    ["diff --cahced", 1, "--cached"],
    ["diff HEAD --cahced", 2, "--cached"],
    ["log --onelin -3", 1, "--oneline"],
    ["log --all --grahp", 2, "--graph"],
    ["branch --show-curent", 1, "--show-current"],
    ["log --no-merge", 1, "--no-merges"],
    ["-C src log --prety=oneline", 3, "--pretty"],
    ["log --nothing-like-it", 1, undefined],
    ["diff --textcnov", 1, undefined],
    ["status -Z", 1, undefined],
  ])("git %s", (line, argument, suggestion) => {
    expect(() => parseGit(line.split(" "))).toThrow(expect.objectContaining({ kind: "unknown-flag", argument, suggestion }));
  });
});

/** Scripts of git's own that run by another name, and those of the machine. */
const NOT_OF_GIT = /^credential-gcloud|^(?:version)$/;

test("no command of git's own is said to be none", () => {
  skipWithout("git");
  const { stdout } = spawnSync("git", ["--list-cmds=main,others,builtins,nohelpers"], { encoding: "utf8", cwd: "/" });
  const all = [...new Set(stdout.split("\n").filter((name) => name !== "" && !NOT_OF_GIT.test(name)))];
  const known = new Set([...COMMANDS.keys(), ...REFUSED.keys(), ...NEAREST.keys()]);
  expect(all.filter((name) => !known.has(name))).toEqual([]);
});

describe("a line without a refused flag", () => {
  test.each([
    ["archive HEAD -o x.tar", { suggestion: "git archive HEAD | tee x.tar >/dev/null", lost: "the exit status is tee's" }],
    ["archive --output=x.tar HEAD src", { suggestion: "git archive HEAD src | tee x.tar >/dev/null" }],
    ["archive HEAD -o x.zip", { suggestion: undefined, dropped: [] }],
    ["-C src archive HEAD -o x.tar", { suggestion: undefined, dropped: [] }],
    ["archive --format zip HEAD", { suggestion: undefined, dropped: [], argument: 1 }],
    ["archive --format=tar.gz HEAD", { suggestion: undefined, dropped: [] }],
    ["log --merge", { suggestion: undefined, dropped: [], argument: 1 }],
    ["grep -n --recurse-submodules X", { suggestion: undefined, dropped: [], argument: 2 }],
    ["--exec-path", { suggestion: undefined, dropped: [] }],
    ["show -L1,2:f HEAD~2", { suggestion: "git log -L1,2:f 'HEAD~2'" }],
    ["-C src show -L1,2:f", { suggestion: undefined, dropped: [] }],
    ["tag -v v1", { suggestion: "git verify-tag -v v1" }],
    ["tag -v --format=%(tag) v1", { suggestion: undefined, dropped: [] }],
    ["remote show origin", { suggestion: "git remote show -n origin" }],
    ["remote -v show origin", { suggestion: "git remote -v show -n origin" }],
    ["clean -fd", { suggestion: "git clean -n -fd" }],
    ["-C src clean -fdx", { suggestion: "git -C src clean -n -fdx" }],
    ["apply --stat x.diff", { suggestion: "diffstat x.diff" }],
    ["apply --stat", { suggestion: "diffstat" }],
    ["apply --stat --summary x.diff", { suggestion: undefined }],
    ["diff --output x HEAD", { suggestion: "git diff HEAD | tee x >/dev/null" }],
    ["show --skip-to f HEAD", { dropped: [1, 2] }],
    ["diff --combined-all-paths", { dropped: [1] }],
    ["grep -O word", { dropped: [1] }],
  ])("git %s", (line, facts) => {
    let error: unknown;
    try {
      parseGit(line.split(" "));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject(facts);
  });
});
