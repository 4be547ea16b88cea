/** No flag of a git command is accepted and ignored: each is read by code of that command, has no effect for a reason, or is refused. */
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../../builtins/git/commands/commands.ts";
import { parseGit } from "../../../builtins/git/commands/command-line.ts";
import { command } from "../../../builtins/git/commands/command.ts";
import { noEffect, refused, REFUSED_EVERYWHERE, SWITCH } from "../../../builtins/git/commands/flags.ts";
import { diffSettings, PLAIN_SETTINGS } from "../../../builtins/git/diff/diff-options.ts";
import { Options } from "../../../builtins/git/commands/options.ts";
import { Config } from "../../../builtins/git/config.ts";
import { UsageError } from "../../../src/builtin/usage-error.ts";
import GIT_OPTIONS from "./git-options.json" with { type: "json" };
import { flagsReadBy, gitSources, type Sources } from "./flag-readers.ts";
import { REFUSED_LINES } from "./git-flag-lines.ts";
import { REFUSED_MAIL_LINES } from "./git-mail-lines.ts";

/** Flags marked as read that no code of their command asks for: "status --renames". */
function ghosts(sources: Sources, added: Readonly<Record<string, string>> = {}): string[] {
  const read = flagsReadBy(sources);
  return [...COMMANDS].flatMap(([name, { flags }]) => {
    const marked = Object.keys(flags).filter((flag) => flags[flag]?.kind === "read");
    const own = added[name];
    return [...marked, ...(own === undefined ? [] : [own])]
      .filter((flag) => read.get(name)?.has(flag) !== true)
      .map((flag) => `${name} ${flag}`);
  });
}

const sources = gitSources();

function changed(path: string, from: string, to: string): Sources {
  const text = sources.get(path) ?? "";
  expect(text).toContain(from);
  return new Map([...sources, [path, text.replaceAll(from, to)]]);
}

test("each flag marked as read is read by code of its command", () => {
  expect(ghosts(sources)).toEqual([]);
});

describe("a ghost is found", () => {
  test.each([...COMMANDS.keys()])("in git %s, where no command knows it", (name) => {
    expect(ghosts(sources, { [name]: "--ghost" })).toEqual([`${name} --ghost`]);
  });
  test.each([
    ["cherry", "--cached"],
    ["rev-list", "--stat"],
    ["cherry", "--first-parent"],
    ["diff", "--author"],
    ["shortlog", "--graph-lines"],
    ["branch", "--short"],
    ["ls-files", "--long"],
    ["stash show", "--grep"],
  ])("in git %s, where another command reads %s", (name, flag) => {
    expect(ghosts(sources, { [name]: flag })).toEqual([`${name} ${flag}`]);
  });
  test("where the code that read it is gone", () => {
    const found = ghosts(changed("log/history-request.ts", '"--ancestry-path"', '"--first-parent"'));
    expect(found).toEqual(
      ["log", "rev-list", "shortlog", "stash list", "reflog", "whatchanged", "bisect view", "bisect visualize", "format-patch"].map(
        (name) => `${name} --ancestry-path`,
      ),
    );
  });
  test("where it is only named in a message, a comment, a type, or given to other code", () => {
    for (const text of [
      '`--boundary ${"x"}`',
      '/* has("--boundary") */ false',
      'options.among<"--boundary">().has("--all")',
      '[{ name: "--boundary", value: undefined }].length > 0',
    ])
      expect(ghosts(changed("log/history-request.ts", 'options.has("--boundary")', text))).toContain("log --boundary");
  });
});

test("code asks for flags of its own command alone, and for none without effect", () => {
  const made = command({
    flags: { "-a": SWITCH, "-b": noEffect("nothing comes of it"), "-c": refused("it writes", "git log") },
    *run({ options }) {
      // @ts-expect-error: not in the table.
      options.has("-d");
      // @ts-expect-error: without effect.
      options.last("-b");
      // @ts-expect-error: refused.
      options.all("-c");
      options.has("-a");
      return 0;
    },
  });
  expect(Object.keys(made.flags)).toEqual(["-a", "-b", "-c"]);
});

test("every flag of git's manual and usage is in the table of its command", () => {
  expect(Object.keys(GIT_OPTIONS).toSorted()).toEqual([...COMMANDS.keys()].toSorted());
  const left = Object.entries(GIT_OPTIONS).flatMap(([name, flags]) => {
    const known = { ...REFUSED_EVERYWHERE, ...COMMANDS.get(name)?.flags };
    return flags.filter((flag) => !Object.hasOwn(known, flag)).map((flag) => `${name} ${flag}`);
  });
  expect(left).toEqual([]);
});

test("settings of a diff without flags are those that no flag changes", () => {
  expect(diffSettings(new Options([], [], undefined), new Config([]), "")).toEqual(PLAIN_SETTINGS);
});

describe("flags that git knows and that are not done here are refused by name", () => {
  test.each([...REFUSED_LINES, ...REFUSED_MAIL_LINES])("git %s", (line) => {
    expect(() => parseGit(line.split(" "))).toThrow(UsageError);
    try {
      parseGit(line.split(" "));
    } catch (thrown) {
      expect((thrown as UsageError).kind).toBe("refused-flag");
    }
  });
});
