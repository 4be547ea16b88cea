/** Refused flags take their values as git says in its usage: a line without the flag is without its value, too. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { parseGit } from "../../../builtins/git/commands/command-line.ts";
import { COMMANDS } from "../../../builtins/git/commands/commands.ts";
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

describe("a line without a refused flag", () => {
  test.each([
    ["archive HEAD -o x.tar", { suggestion: "git archive HEAD | tee x.tar >/dev/null", lost: "the exit status is tee's" }],
    ["archive --output=x.tar HEAD src", { suggestion: "git archive HEAD src | tee x.tar >/dev/null" }],
    ["archive HEAD -o x.zip", { suggestion: undefined, dropped: [] }],
    ["-C src archive HEAD -o x.tar", { suggestion: undefined, dropped: [] }],
    ["archive --format zip HEAD", { dropped: [1, 2] }],
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
