/** Messages of grep about patterns and arguments that it cannot use: ours, and those of GNU grep 3.8 where it is installed. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { runGrep } from "./run-grep.ts";

const HINT = "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n";

/** Arguments and the message; all end with exit status 2. */
const rows: readonly (readonly [readonly string[], string])[] = [
  [["a\\("], "Unmatched ( or \\(\n"],
  [["-E", "(a"], "Unmatched ( or \\(\n"],
  [["a\\)"], "Unmatched ) or \\)\n"],
  [["["], "Invalid regular expression\n"],
  [["[a"], "Unmatched [, [^, [:, [., or [=\n"],
  [["[[:alpha:"], "Unmatched [, [^, [:, [., or [=\n"],
  [["[^"], "Invalid regular expression\n"],
  [["a\\{1"], "Unmatched \\{\n"],
  [["a\\{x\\}"], "Invalid content of \\{\\}\n"],
  [["a\\{2,1\\}"], "Invalid content of \\{\\}\n"],
  [["-E", "a{2,,1}"], "Invalid content of \\{\\}\n"],
  [["-E", "a{,,"], "Invalid content of \\{\\}\n"],
  [["-E", "a{}"], "Invalid content of \\{\\}\n"],
  [["-E", "a{1,99999}"], "Regular expression too big\n"],
  [["[b-a]"], "Invalid range end\n"],
  [["[a-[:digit:]]"], "Invalid range end\n"],
  [["[[:foo:]]"], "Invalid character class name\n"],
  [["[[.foo.]]"], "Invalid collation character\n"],
  [["[:space:]"], "character class syntax is [[:space:]], not [:space:]\n"],
  [["a\\"], "Trailing backslash\n"],
  [["\\1"], "Invalid back reference\n"],
  [["-E", "(a)\\2"], "Invalid back reference\n"],
  [["-P", "("], "missing closing parenthesis\n"],
  [["-P", "a)"], "unmatched closing parenthesis\n"],
  [["-P", "*a"], "quantifier does not follow a repeatable item\n"],
  [["-P", "a{2,1}"], "numbers out of order in {} quantifier\n"],
  [["-P", "[a"], "missing terminating ] for character class\n"],
  [["-P", "[b-a]"], "range out of order in character class\n"],
  [["-P", "[[:foo:]]"], "unknown POSIX class name\n"],
  [["-P", "\\p{Foo}"], "unknown property after \\P or \\p\n"],
  [["-P", "(?<=a+)b"], "lookbehind assertion is not fixed length\n"],
  [["-P", "(?z)"], "unrecognized character after (? or (?-\n"],
  [["-P", "\\i"], "unrecognized character follows \\\n"],
  [["-P", "\\1"], "reference to non-existent subpattern\n"],
  [["-P", "-e", "a", "-e", "b"], "the -P option only supports a single pattern\n"],
  [["-E", "-P", "a"], "conflicting matchers specified\n"],
  [["-A", "x", "a"], "x: invalid context length argument\n"],
  [["-m", "x", "a"], "invalid max count\n"],
  [["--binary-files=x", "a"], "unknown binary-files type\n"],
  [["-D", "x", "a"], "unknown devices method\n"],
  [["-k"], `invalid option -- 'k'\n${HINT}`],
  [["--foo"], `unrecognized option '--foo'\n${HINT}`],
  [["-A"], `option requires an argument -- 'A'\n${HINT}`],
];

/** Patterns for which -P is refused: never a silent difference. The real tool would accept these. */
const refused: readonly string[] = [
  "(*UCP)a",
  "\\X",
  "\\C",
  "(?C1)a",
  "(?J)a",
  "a(*THEN)b",
  "a(*ACCEPT)b",
  "a(*SKIP:x)b",
  "(*COMMIT)a",
  "(a(*SKIP)b)(?1)",
  "(?=a(*SKIP))a",
  "(?<=(?1))(a)",
];

const env = { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8" };
const isReference = spawnSync("grep", ["--version"], { env }).stdout?.toString().startsWith("grep (GNU grep) 3.8") === true;

describe("messages", () => {
  test.each(rows)("grep %j", async (args, message) => {
    const ours = await runGrep(args, Buffer.from("a\n"), "/tmp");
    expect(ours).toEqual({ stdout: Buffer.alloc(0), stderr: `grep: ${message}`, exit: 2 });
    if (!isReference) return;
    const real = spawnSync("grep", args, { input: "a\n", env });
    expect({ stderr: real.stderr.toString(), exit: real.status }).toEqual({ stderr: ours.stderr, exit: ours.exit });
  });
});

describe("constructs of -P that are refused by name", () => {
  test.each(refused)("%s", async (pattern) => {
    const { stdout, stderr, exit } = await runGrep(["-P", pattern], Buffer.from("a\n"), "/tmp");
    expect({ stdout: stdout.length, exit }).toEqual({ stdout: 0, exit: 2 });
    expect(stderr).toMatch(/^grep: -P: .* is not available here/);
  });
});

describe("linear time", () => {
  const line = Buffer.from(`${"a".repeat(65_536)}!\n`);
  test.each([
    ["-E", "(a+)+$"],
    ["-E", "^(\\w+\\s?)*$"],
    ["-E", "(a+a+)+y"],
    ["-iE", "((a{1,3}){1,3}){1,3}$"],
    ["-P", "(a+)+$"],
    ["-P", "^(\\w+\\s?)*$"],
    ["-G", "\\(a*\\)*b"],
  ])("grep %s %s on a line of 64 KiB", { timeout: 5_000 }, async (flag, pattern) => {
    expect((await runGrep([flag, pattern], line, "/tmp")).exit).toBe(1);
  });
});
