/** tee through the guard and the engine; the rows without `differs` also run against GNU tee. */
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { tee } from "../../../builtins/tee/tee.ts";
import { LocalRunner } from "../../../src/exec/local-runner.ts";
import { DEFAULT_POLICY } from "../../../src/config/policy.ts";
import type { RunResult } from "../../../src/exec/result.ts";
import { inputFrom } from "../../../src/io/input.ts";
import { Shell } from "../../../src/session/shell.ts";
import { cases } from "../../cases.ts";
import { tree } from "../../tree.ts";

const MEBIBYTE = 1 << 20;

cases(tee, [
  { name: "input goes to output and to the file", command: "tee f", stdin: "a\nb\n", stdout: "a\nb\n", after: { f: "a\nb\n" } },
  { name: "no file: a copy", command: "tee", stdin: "a\n", stdout: "a\n" },
  {
    name: "an existing file is replaced",
    command: "tee f",
    files: { f: "longer than before\n" },
    stdin: "a\n",
    stdout: "a\n",
    after: { f: "a\n" },
  },
  { name: "empty input empties the file", command: "tee f", files: { f: "x\n" }, stdin: "", after: { f: "" } },
  ...[
    "grep zzz f | tee f",
    "grep zzz f | cat | sort | tee f",
    "grep zzz f | { cat; } | tee new f",
    "grep zzz f | { cat; tee f; }",
    "w() { tee f; }; grep zzz f | w",
    "cat none 2>/dev/null | tee f",
    "shopt -s lastpipe; grep zzz f | tee f",
    "grep zzz f | tee f | cat",
  ].map((command) => ({
    name: `what failed and printed nothing empties no file: ${command}`,
    command,
    files: { f: "x\n" },
    refused: "CONFLICT" as const,
    after: { f: "x\n" },
    differs: "GNU tee empties the file",
  })),
  ...[
    "printf '' | tee f",
    ": | tee f",
    "grep zzz f | tee f < /dev/null",
    "grep zzz f | sh -c 'tee f' 3<&0 </dev/null",
    "cat none 2>/dev/null; : | tee f",
  ].map((command) => ({
    name: `an empty output on purpose empties it: ${command}`,
    command,
    files: { f: "x\n" },
    after: { f: "" },
  })),
  { name: "nothing is lost by an append of nothing", command: "grep zzz f | tee -a f", files: { f: "x\n" }, after: { f: "x\n" } },
  { name: "nor by a new file", command: "grep zzz f | tee g; ls", files: { f: "x\n" }, stdout: "f\ng\n", after: { g: "" } },
  { name: "nor by an empty one", command: "grep zzz f | tee g", files: { f: "x\n", g: "" }, after: { g: "" } },
  {
    name: "what failed and printed something is written",
    command: "cat f none 2>/dev/null | tee g",
    files: { f: "x\n" },
    stdout: "x\n",
    after: { g: "x\n" },
  },
  { name: "what its reader ended has not failed", command: "yes | head -n 0 | tee f", files: { f: "x\n" }, after: { f: "" } },
  { name: "empty input makes an empty file", command: "tee f", stdin: "", after: { f: "" } },
  {
    name: "bytes that are no text pass unchanged",
    command: "tee f",
    stdin: "a\0\udcff\n",
    stdout: "a\0\udcff\n",
    after: { f: "a\0\udcff\n" },
  },
  { name: "several files", command: "tee f g", stdin: "a\n", stdout: "a\n", after: { f: "a\n", g: "a\n" } },
  { name: "-a appends", command: "tee -a f", files: { f: "one\n" }, stdin: "two\n", stdout: "two\n", after: { f: "one\ntwo\n" } },
  {
    name: "-a after a line that is not ended",
    command: "tee -a f",
    files: { f: "one" },
    stdin: "two",
    stdout: "two",
    after: { f: "onetwo" },
  },
  { name: "-a makes the file", command: "tee -a f", stdin: "a\n", stdout: "a\n", after: { f: "a\n" } },
  {
    name: "--append, abbreviated",
    command: "tee --app f",
    files: { f: "one\n" },
    stdin: "two\n",
    stdout: "two\n",
    after: { f: "one\ntwo\n" },
  },
  {
    name: "flags after operands, bundled",
    command: "tee f -ia",
    files: { f: "one\n" },
    stdin: "two\n",
    stdout: "two\n",
    after: { f: "one\ntwo\n" },
  },
  { name: "-- ends the flags", command: "tee -- -a", stdin: "a\n", stdout: "a\n", after: { "./-a": "a\n" } },
  { name: "- is a file of that name", command: "tee -", stdin: "a\n", stdout: "a\n", after: { "./-": "a\n" } },
  {
    name: "a name with a space and a newline",
    command: "tee 'a b' $'c\\nd'",
    stdin: "x\n",
    stdout: "x\n",
    after: { "a b": "x\n", "c\nd": "x\n" },
  },
  { name: "/dev/null is accepted", command: "tee /dev/null f", stdin: "a\n", stdout: "a\n", after: { f: "a\n" } },
  { name: "in the middle of a pipeline", command: "tee f | tr a-z A-Z", stdin: "abc\n", stdout: "ABC\n", after: { f: "abc\n" } },
  { name: "output to nowhere", command: "tee f >/dev/null", stdin: "a\n", after: { f: "a\n" } },
  { name: "two in a row", command: "tee f | tee g", stdin: "a\n", stdout: "a\n", after: { f: "a\n", g: "a\n" } },
  { name: "in a directory entered before", command: "cd d && tee f", tree: ["d/"], stdin: "a\n", stdout: "a\n", after: { "d/f": "a\n" } },
  {
    name: "through a link to a directory",
    command: "tee l/f",
    tree: ["d/", "l => d"],
    stdin: "a\n",
    stdout: "a\n",
    after: { "d/f": "a\n" },
  },
  { name: "up and down again", command: "tee d/../f", tree: ["d/"], stdin: "a\n", stdout: "a\n", after: { f: "a\n" } },
  { name: "-p", command: "tee -p f", stdin: "a\n", stdout: "a\n", after: { f: "a\n" } },
  { name: "--output-error without a mode", command: "tee --output-error f", stdin: "a\n", stdout: "a\n", after: { f: "a\n" } },
  { name: "--output-error=warn-n, abbreviated", command: "tee --output-error=warn-n f", stdin: "a\n", stdout: "a\n", after: { f: "a\n" } },
  { name: "--output-error=x", command: "tee --output-error=x f", stdin: "a\n", refused: "BAD_VALUE" },
  { name: "--output-error=exi is two words", command: "tee --output-error=exi f", stdin: "a\n", refused: "BAD_VALUE" },
  { name: "an unknown flag", command: "tee -Z f", refused: "UNKNOWN_FLAG", after: { f: null } },

  { name: "a directory", command: "tee d", tree: ["d/"], stdin: "a\n", stdout: "a\n", stderr: "tee: d: Is a directory\n", exit: 1 },
  { name: "the current directory", command: "tee .", stdin: "a\n", stdout: "a\n", stderr: "tee: .: Is a directory\n", exit: 1 },
  { name: "a name that ends in a slash", command: "tee new/", stdin: "a\n", stdout: "a\n", stderr: "tee: new/: Is a directory\n", exit: 1 },
  {
    name: "a file's name and a slash",
    command: "tee f/",
    files: { f: "x\n" },
    stdin: "a\n",
    stdout: "a\n",
    stderr: "tee: f/: Is a directory\n",
    exit: 1,
  },
  {
    name: "below a file",
    command: "tee f/g",
    files: { f: "x\n" },
    stdin: "a\n",
    stdout: "a\n",
    stderr: "tee: f/g: Not a directory\n",
    exit: 1,
  },
  { name: "the empty name", command: "tee ''", stdin: "a\n", stdout: "a\n", stderr: "tee: '': No such file or directory\n", exit: 1 },
  {
    name: "a link to itself",
    command: "tee l",
    tree: ["l => l"],
    stdin: "a\n",
    stdout: "a\n",
    stderr: "tee: l: Too many levels of symbolic links\n",
    exit: 1,
  },
  {
    name: "a link to a directory",
    command: "tee l",
    tree: ["d/", "l => d"],
    stdin: "a\n",
    stdout: "a\n",
    stderr: "tee: l: Is a directory\n",
    exit: 1,
  },
  {
    name: "a name that is too long",
    command: `tee ${"x".repeat(256)}`,
    stdin: "a\n",
    stdout: "a\n",
    stderr: `tee: ${"x".repeat(256)}: File name too long\n`,
    exit: 1,
  },
  {
    name: "a name in need of quotes in the message",
    command: "tee 'a b'",
    tree: ["a b/"],
    stdin: "a\n",
    stdout: "a\n",
    stderr: "tee: 'a b': Is a directory\n",
    exit: 1,
  },
  {
    name: "every directory is named",
    command: "tee d e",
    tree: ["d/", "e/"],
    stdin: "a\n",
    stdout: "a\n",
    stderr: "tee: d: Is a directory\ntee: e: Is a directory\n",
    exit: 1,
  },
  {
    name: "--output-error=exit stops before reading",
    command: "tee --output-error=exit d",
    tree: ["d/"],
    stdin: "a\n",
    stderr: "tee: d: Is a directory\n",
    exit: 1,
  },
  {
    name: "--output-error=exit-nopipe too",
    command: "tee --output-error=exit-nopipe d",
    tree: ["d/"],
    stdin: "a\n",
    stderr: "tee: d: Is a directory\n",
    exit: 1,
  },
  {
    name: "a later -p takes it back",
    command: "tee --output-error=exit -p d",
    tree: ["d/"],
    stdin: "a\n",
    stdout: "a\n",
    stderr: "tee: d: Is a directory\n",
    exit: 1,
  },

  {
    name: "parents are made",
    command: "tee a/b/c",
    stdin: "x\n",
    stdout: "x\n",
    after: { "a/b/c": "x\n" },
    differs: "GNU: No such file or directory",
  },
  {
    name: "no parents through ..",
    command: "tee a/../b",
    stdin: "x\n",
    stdout: "x\n",
    stderr: "tee: a/../b: No such file or directory\n",
    exit: 1,
    after: { b: null },
  },
  {
    name: "one bad file: none is written",
    command: "tee f d",
    tree: ["d/"],
    stdin: "a\n",
    stdout: "a\n",
    stderr: "tee: d: Is a directory\n",
    exit: 1,
    after: { f: null },
    differs: "GNU writes f",
  },
  {
    name: "a link names what to write to",
    command: "tee l",
    tree: ["d/f: old\n", "l => d/f"],
    stdin: "a\n",
    stdout: "a\n",
    stderr: "tee: l: is a symbolic link; write to 'd/f' instead\n",
    exit: 1,
    after: { "d/f": "old\n" },
    differs: "GNU writes to d/f",
  },
  {
    name: "as seen from the current directory",
    command: "cd e && tee ../l",
    tree: ["d/f: old\n", "e/", "l => d/f"],
    stdin: "a\n",
    stdout: "a\n",
    stderr: "tee: ../l: is a symbolic link; write to '../d/f' instead\n",
    exit: 1,
    differs: "GNU writes to d/f",
  },
  {
    name: "a link to nothing",
    command: "tee l",
    tree: ["l => f"],
    stdin: "a\n",
    stdout: "a\n",
    stderr: "tee: l: is a symbolic link; write to 'f' instead\n",
    exit: 1,
    after: { f: null },
    differs: "GNU writes to f",
  },
  {
    name: "a FIFO",
    command: "tee p",
    tree: ["p|"],
    stdin: "a\n",
    stdout: "a\n",
    stderr: "tee: p: Not a regular file\n",
    exit: 1,
    differs: "GNU waits for a reader",
  },
  {
    name: "the same file twice",
    command: "tee -a f ./f",
    files: { f: "one\n" },
    stdin: "two\n",
    stdout: "two\n",
    after: { f: "one\ntwo\n" },
    differs: "GNU appends twice",
  },
  {
    name: "the reader has enough: the file is whole",
    command: "tee f | head -n 1",
    stdin: "a\nb\nc\n",
    stdout: "a\n",
    after: { f: "a\nb\nc\n" },
    differs: "GNU: as much as was written before SIGPIPE",
  },
  { name: "the reader reads nothing", command: "tee f | true", stdin: "a\nb\n", after: { f: "a\nb\n" } },
  {
    name: "a file is read and written in one line",
    command: "cat f | tee f",
    files: { f: "a\nb\n" },
    stdout: "a\nb\n",
    after: { f: "a\nb\n" },
    differs: "GNU may empty f before cat reads it",
  },
  { name: "1 MiB is written", command: "tee f | wc -c", stdin: "x".repeat(MEBIBYTE), stdout: `${MEBIBYTE}\n` },
  { name: "one byte more is not", command: "tee f", stdin: "x".repeat(MEBIBYTE + 1), refused: "OVERSIZE_WRITE", after: { f: null } },
  {
    name: "nor behind a reader that has enough",
    command: "tee f | head -c 1",
    stdin: "x".repeat(MEBIBYTE + 1),
    refused: "OVERSIZE_WRITE",
    after: { f: null },
  },
  { name: "no file, no limit", command: "tee | wc -c", stdin: "x".repeat(MEBIBYTE + 1), stdout: `${MEBIBYTE + 1}\n` },
  { name: "a protected path", command: "tee .GIT/hooks/x", stdin: "a\n", refused: "PROTECTED_PATH", after: { ".GIT/hooks/x": null } },
  {
    name: "a protected path behind a link",
    command: "tee d/config",
    tree: [".git/", "d => .git"],
    stdin: "a\n",
    refused: "PROTECTED_PATH",
    after: { ".git/config": null },
  },
  {
    name: "a link into the mirror",
    command: "tee l",
    tree: [".shelpa/m: keep\n", "l => .shelpa/m"],
    stdin: "a\n",
    stdout: "a\n",
    stderr: "tee: l: is a symbolic link; write to '.shelpa/m' instead\n",
    exit: 1,
    differs: "GNU writes to it",
    after: { ".shelpa/m": "keep\n" },
  },
  { name: "outside", command: "tee ../x", stdin: "a\n", refused: "PATH_ESCAPE" },
  { name: "outside through a link", command: "tee d/x", tree: ["d => .."], stdin: "a\n", refused: "SYMLINK_ESCAPE" },
  {
    name: ".shelpa is a file: nothing is written",
    command: "tee f",
    files: { ".shelpa": "x" },
    stdin: "a\n",
    refused: "AUDIT_UNAVAILABLE",
    after: { f: null },
  },
]);

/** Runs `line` over an input that never ends, and gives how it ended and whether `f` is there afterwards. */
async function endless(
  line: string,
  onBlock: (count: number) => void = () => {},
  signal = new AbortController().signal,
): Promise<{ result: RunResult; written: boolean }> {
  const place = tree([]);
  const runner = new LocalRunner({
    root: place.path,
    aliases: [],
    policy: DEFAULT_POLICY,
    timeZone: "UTC",
  });
  const input = (async function* () {
    for (let count = 1; ; count++) {
      onBlock(count);
      yield Buffer.from("line\n");
      if (count % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  try {
    const request = { line, currentDirectory: "", previousDirectory: undefined, session: "test", client: "test" };
    const result = await runner.run(request, { stdin: inputFrom(input), stdout: () => {}, stderr: () => {} }, signal);
    return { result, written: existsSync(`${place.path}/f`) };
  } finally {
    await runner.close();
    place.remove();
  }
}

test("an endless input behind a reader that has enough ends at the size limit, and nothing is written", async () => {
  const { result, written } = await endless("tee f | head -n 1");
  expect(result).toMatchObject({ kind: "refused", violations: [{ reason: "OVERSIZE_WRITE" }] });
  expect(written).toBe(false);
});

test("a call that is cancelled writes nothing", async () => {
  const abort = new AbortController();
  const { result, written } = await endless("tee f", (count) => void (count === 500 && abort.abort()), abort.signal);
  expect(result).toMatchObject({ kind: "stopped", limit: "cancelled" });
  expect(written).toBe(false);
});

test("nor does one that is cancelled while tee reads on behind a reader that has enough", async () => {
  const abort = new AbortController();
  const { result, written } = await endless("tee f | head -n 1", (count) => void (count === 500 && abort.abort()), abort.signal);
  expect(result).toMatchObject({ kind: "stopped", limit: "cancelled" });
  expect(written).toBe(false);
});

test("the refusal names the command, what it said, and how to empty the file", async () => {
  const { path, remove } = tree(["f: x"]);
  const shell = await Shell.open({ root: path, isolation: "none" });
  try {
    const { result } = await shell.defaultSession.run("jq .x f | tee f");
    const detail = result.kind === "refused" ? result.violations[0].detail : result.kind;
    expect(detail).toMatch(
      /^'f': It would be emptied, because 'jq \.x f' printed nothing and failed \(exit \d\): jq: .*\. To empty it: printf '' \| tee f\.$/,
    );
  } finally {
    await shell.close();
    remove();
  }
});
