/** sort through the guard and the engine. */
import { describe, expect, test } from "vitest";
import { sort } from "../../../builtins/sort/sort.ts";
import { cases, runOurs } from "../../cases.ts";
import { tree } from "../../tree.ts";
import { messages } from "../messages.ts";

const help = "Try 'sort --help' for more information.\n";

cases(sort, [
  { name: "-S: a share of more than a uintmax_t holds", command: "sort -S 340282366920938463463374607431768211455%", refused: "BAD_VALUE" },
  { name: "-S: a share past the memory", command: "sort -S 101%", stdin: "b\na\n", stdout: "a\nb\n" },
  { name: "by bytes", command: "sort", stdin: "b\na\nB\né\nz\n", stdout: "B\na\nb\nz\né\n" },
  { name: "the last line gains its newline", command: "sort", stdin: "b\na", stdout: "a\nb\n" },
  { name: "each file's last line is ended", command: "sort f g", files: { f: "b", g: "a" }, stdout: "a\nb\n" },
  { name: "empty input", command: "sort", stdout: "" },
  { name: "NUL is below every other byte, and above the end", command: "sort", stdin: "a\u0001\na\0\na\n", stdout: "a\na\0\na\u0001\n" },
  {
    name: "lines that begin alike",
    command: "sort",
    stdin: "prefix-prefix-2\nprefix-prefix-\nprefix-prefix-1\nprefix-prefi\n".repeat(3),
    stdout: ["prefix-prefi", "prefix-prefix-", "prefix-prefix-1", "prefix-prefix-2"].map((line) => `${line}\n`.repeat(3)).join(""),
  },
  { name: "-r", command: "sort -r", stdin: "a\nb\n", stdout: "b\na\n" },
  { name: "-u", command: "sort -u", stdin: "b\na\nb\n", stdout: "a\nb\n" },
  { name: "-u keeps the first of equal keys", command: "sort -u -k1,1", stdin: "b 1\na 2\nb 0\na 1\n", stdout: "a 2\nb 1\n" },
  { name: "-n", command: "sort -n", stdin: "10\n9\n-1\n\nx\n.5\n", stdout: "-1\n\nx\n.5\n9\n10\n" },
  {
    name: "-n past every precision",
    command: "sort -n",
    stdin: "100000000000000000002\n100000000000000000001\n0.10000000000000000002\n0.10000000000000000001\n",
    stdout: "0.10000000000000000001\n0.10000000000000000002\n100000000000000000001\n100000000000000000002\n",
  },
  { name: "-n: equal numbers by their bytes", command: "sort -n", stdin: "1.0\n1\n01\n", stdout: "01\n1\n1.0\n" },
  { name: "-n -s: equal numbers as they stood", command: "sort -ns", stdin: "1.0\n1\n01\n", stdout: "1.0\n1\n01\n" },
  { name: "-g", command: "sort -g", stdin: "1e3\n0x10\nx\nnan\n-inf\n2\n", stdout: "x\nnan\n-inf\n2\n0x10\n1e3\n" },
  {
    name: "-g and NaNs",
    command: "sort -g",
    stdin: "nan\n-nan\n0\n",
    stdout: "-nan\nnan\n0\n",
    differs: "GNU sort compares the bits of the NaNs",
  },
  {
    name: "-g tells numbers apart that are one double",
    command: "sort -g",
    stdin: "1.0000000000000000002\n1.0000000000000000001\n0x1.0000000000000002p0\n1\n",
    stdout: "1\n0x1.0000000000000002p0\n1.0000000000000000001\n1.0000000000000000002\n",
  },
  {
    name: "-g at the precision of long double",
    command: "sort -gs",
    stdin: "9007199254740993\n9007199254740992\n",
    stdout: "9007199254740992\n9007199254740993\n",
  },
  { name: "-h", command: "sort -h", stdin: "1G\n2K\n1023\n-1M\n3K\n", stdout: "-1M\n1023\n2K\n3K\n1G\n" },
  { name: "-h looks at the unit first", command: "sort -h", stdin: "1M\n2000K\n", stdout: "2000K\n1M\n" },
  { name: "-M", command: "sort -M", stdin: "feb\nJAN\nx\n December\n", stdout: "x\nJAN\nfeb\n December\n" },
  { name: "-V", command: "sort -V", stdin: "a1.10\na1.9\na1.9~rc\n", stdout: "a1.9~rc\na1.9\na1.10\n" },
  { name: "-f", command: "sort -f", stdin: "b\nB\na\nA\n", stdout: "A\na\nB\nb\n" },
  { name: "-d", command: "sort -d", stdin: "b\n-a\n", stdout: "-a\nb\n" },
  { name: "-i", command: "sort -i", stdin: "b\n\u0001a\nc\n", stdout: "\u0001a\nb\nc\n" },
  { name: "-b", command: "sort -b", stdin: " b\na\n  a\n", stdout: "  a\na\n b\n" },
  { name: "a field begins with its blanks", command: "sort -k2", stdin: "x  a\nx b\n", stdout: "x  a\nx b\n" },
  { name: "-k2b passes over them", command: "sort -k2b,2", stdin: "x  b\nx a\n", stdout: "x a\nx  b\n" },
  { name: "keys in turn, each with its own order", command: "sort -t: -k2,2nr -k1,1", stdin: "b:1\na:1\nc:2\n", stdout: "c:2\na:1\nb:1\n" },
  { name: "bytes within a field", command: "sort -k1.2,1.2", stdin: "a2\nb1\n", stdout: "b1\na2\n" },
  { name: "-t with an empty field", command: "sort -t, -k2,2", stdin: "a,b\nc,,\n", stdout: "c,,\na,b\n" },
  { name: "-t '\\0'", command: "sort -t '\\0' -k2", stdin: "a\0b\nb\0a\n", stdout: "b\0a\na\0b\n" },
  { name: "a key without letters takes those of the command", command: "sort -n -k2,2", stdin: "a 10\na 9\n", stdout: "a 9\na 10\n" },
  { name: "-r alone turns the last resort round", command: "sort -r -k1,1n", stdin: "1 a\n1 b\n", stdout: "1 b\n1 a\n" },
  { name: "-s: no last resort", command: "sort -s -k1,1", stdin: "a 2\na 1\n", stdout: "a 2\na 1\n" },
  { name: "-z", command: "sort -z", stdin: "b\na\0a\n\0", stdout: "a\n\0b\na\0" },
  { name: "the old +F -F", command: "sort +1 -2 f", files: { f: "a 2 x\nb 1 y\n" }, stdout: "b 1 y\na 2 x\n" },
  { name: "the old +F.C with letters", command: "sort +0.1n", stdin: "a10\nb9\n", stdout: "b9\na10\n" },
  { name: "the old -F alone is no flag", command: "sort -1", refused: "UNKNOWN_FLAG" },
  { name: "+x is a file", command: "sort +x", stderr: "sort: cannot read: +x: No such file or directory\n", exit: 2 },
  { name: "-m", command: "sort -m f g", files: { f: "a\nc\n", g: "b\nd\n" }, stdout: "a\nb\nc\nd\n" },
  { name: "-m -u", command: "sort -mu f g", files: { f: "a\nb\n", g: "a\nb\nc" }, stdout: "a\nb\nc\n" },
  {
    name: "-m takes equal lines in the order of the files",
    command: "sort -m -s -k1,1 f g",
    files: { f: "a 2\n", g: "a 1\n" },
    stdout: "a 2\na 1\n",
  },
  { name: "-c, in order", command: "sort -c", stdin: "a\na\nb\n" },
  { name: "-c, out of order", command: "sort -c f", files: { f: "b\na\n" }, stderr: "sort: f:2: disorder: a\n", exit: 1 },
  { name: "-c -u, equal lines", command: "sort -cu", stdin: "a\na\n", stderr: "sort: -:2: disorder: a\n", exit: 1 },
  { name: "-C", command: "sort -C", stdin: "b\na\n", exit: 1 },
  { name: "--check=silent", command: "sort --check=silent", stdin: "b\na\n", exit: 1 },
  { name: "--files0-from", command: "sort --files0-from=list", files: { list: "f\0g\0", f: "b\n", g: "a\n" }, stdout: "a\nb\n" },
  { name: "--files0-from=-", command: "printf 'f\\0g' | sort --files0-from=-", files: { f: "b\n", g: "a\n" }, stdout: "a\nb\n" },
  {
    name: "--files0-from with an empty name",
    command: "sort --files0-from=list",
    files: { list: "f\0\0" },
    stderr: "sort: list:2: invalid zero-length file name\n",
    exit: 2,
  },
  {
    name: "--files0-from with -",
    command: "sort --files0-from=list",
    files: { list: "-\0" },
    stderr: "sort: when reading file names from stdin, no file name of '-' allowed\n",
    exit: 2,
  },
  {
    name: "--files0-from an empty file",
    command: "sort --files0-from=list",
    files: { list: "" },
    stderr: "sort: no input from 'list'\n",
    exit: 2,
  },
  { name: "--files0-from a directory", command: "sort --files0-from=.", stderr: "sort: cannot read file names from '.'\n", exit: 2 },
  {
    name: "--files0-from and -c with two files",
    command: "sort -c --files0-from=list",
    files: { list: "f\0g\0" },
    stderr: "sort: extra operand 'g' not allowed with -c\n",
    exit: 2,
  },
  {
    name: "-R with a source is an order of its own",
    command: "sort -R --random-source=salt",
    files: { salt: "sixteen bytes of salt\n" },
    stdin: "1\n2\n3\n4\n5\n",
    stdout: "5\n2\n1\n3\n4\n",
  },
  {
    name: "-R: the source is too short",
    command: "sort -R --random-source=salt",
    files: { salt: "x" },
    stderr: "sort: ‘salt’: end of file\n",
    exit: 2,
  },
  { name: "-R keeps equal keys together", command: "sort -R | uniq -d", stdin: "a\nb\nc\na\nd\n", stdout: "a\n" },
  {
    name: "a missing file: nothing is printed",
    command: "sort f nope",
    files: { f: "a\n" },
    stderr: "sort: cannot read: nope: No such file or directory\n",
    exit: 2,
  },
  { name: "-c of a missing file", command: "sort -c nope", stderr: "sort: open failed: nope: No such file or directory\n", exit: 2 },
  { name: "a directory", command: "sort .", stderr: "sort: read failed: .: Is a directory\n", exit: 2 },
  {
    name: "--batch-size past every number",
    command: "sort -m --batch-size=18446744073709551616",
    refused: "BAD_VALUE",
  },
  {
    name: "orders that exclude each other are found after the names of --files0-from",
    command: "sort --files0-from=l -nh",
    files: { l: "f\0", f: "a\n" },
    stderr: "sort: options '-hn' are incompatible\n",
    exit: 2,
  },
  {
    name: "-m with standard input twice",
    command: "sort -m - f -",
    stdin: "a\nc\n",
    files: { f: "b\n" },
    stdout: "a\nb\nc\n",
  },
  {
    name: "so many threads that no memory holds them",
    command: "sort --parallel=99999999999999999999 f; echo a | sort --parallel=99999999999999999999",
    files: { f: "b\na\n" },
    stdout: "a\n",
    stderr: "sort: memory exhausted\n",
  },
  {
    name: "sizes, threads and directories are accepted",
    command: "sort -S 10% -T nowhere --parallel=4 --batch-size=16",
    stdin: "b\na\n",
    stdout: "a\nb\n",
  },
  {
    name: "a file sorted in place through tee",
    command: "sort f | tee f",
    files: { f: "b\na\n" },
    stdout: "a\nb\n",
    after: { f: "a\nb\n" },
    differs: "the real tee may empty the file before sort has read it",
  },
  { name: "--compress-program is refused", command: "sort --compress-program=gzip f", refused: "DISALLOWED_FLAG" },
  { name: "--debug is refused", command: "sort --debug f", refused: "DISALLOWED_FLAG" },
]);

const argmatch = (words: readonly string[]): string => `Valid arguments are:\n${words.map((word) => `  - ${word}\n`).join("")}${help}`;

messages(sort, [
  [["-k0"], "sort: field number is zero: invalid field specification ‘0’\n", 2],
  [["-k1.0"], "sort: character offset is zero: invalid field specification ‘1.0’\n", 2],
  [["-kx"], "sort: invalid number at field start: invalid count at start of ‘x’\n", 2],
  [["-k1,"], "sort: invalid number after ',': invalid count at start of ‘’\n", 2],
  // What the flags before already make wrong comes first.
  [["-k1.x"], "sort: invalid number after '.': invalid count at start of ‘x’\n", 2],
  [["-k1n2"], "sort: stray character in field spec: invalid field specification ‘1n2’\n", 2],
  [["-t", ""], "sort: empty tab\n", 2],
  [["-t", "\\n"], "sort: multi-character tab ‘\\\\n’\n", 2],
  [["-ta", "-tb"], "sort: incompatible tabs\n", 2],
  [["-ng"], "sort: options '-gn' are incompatible\n", 2],
  [["-nfd"], "sort: options '-dfn' are incompatible\n", 2],
  [["-k1,1ng"], "sort: options '-gn' are incompatible\n", 2],
  [["-c", "-C"], "sort: options '-cC' are incompatible\n", 2],
  [["-c", "f", "g"], "sort: extra operand 'g' not allowed with -c\n", 2],
  [["-Sx"], "sort: invalid -S argument 'x'\n", 2],
  [["--buffer=1x"], "sort: invalid suffix in --buffer-size argument '1x'\n", 2],
  [["-S18014398509481984"], "sort: -S argument '18014398509481984' too large\n", 2],
  [["--buffer=18014398509481984", "-Sx"], "sort: --buffer-size argument '18014398509481984' too large\n", 2],
  [["--parallel=0"], "sort: number in parallel must be nonzero\n", 2],
  [["--batch-size=1"], "sort: invalid --batch-size argument ‘1’\nsort: minimum --batch-size argument is ‘2’\n", 2],
  [["--files0-from=l", "f"], `sort: extra operand 'f'\nfile operands cannot be combined with --files0-from\n${help}`, 2],
  [["--files0-from=nope", "-nh"], "sort: open failed: nope: No such file or directory\n", 2],
  [["-c", "-R", "--random-source=nope", "f", "g"], "sort: open failed: nope: No such file or directory\n", 2],
  [["--random-source=a", "--random-source=b"], "sort: multiple random sources specified\n", 2],
  [["-2"], `sort: invalid option -- '2'\n${help}`, 2],
  [["+1", "-1x"], "sort: stray character in field spec: invalid field specification ‘-1x’\n", 2],
  [["--check=x"], `sort: invalid argument ‘x’ for ‘--check’\n${argmatch(["‘quiet’, ‘silent’", "‘diagnose-first’"])}`, 1],
]);

describe("more than memory should hold", () => {
  const line = "yes 0123456789 | head -n 10000 | sort | uniq -c | tr -s ' '";

  test("runs are put aside and merged", async () => {
    const place = tree([]);
    try {
      expect(await runOurs({ command: line }, place.path, { heldBytes: 500_000 })).toMatchObject({
        stdout: " 10000 0123456789\n",
        exit: 0,
      });
    } finally {
      place.remove();
    }
  });

  test("what does not fit is a limit, not a lie", async () => {
    const place = tree([]);
    try {
      const limits = { heldBytes: 500_000, spillBytes: 60_000 };
      await expect(runOurs({ command: line }, place.path, limits)).rejects.toThrow("stopped: spill");
      const oneLine = "yes 0123456789 | tr -d '\\n' | head -c 200000 | sort";
      await expect(runOurs({ command: oneLine }, place.path, { heldBytes: 100_000 })).rejects.toThrow("stopped: held");
    } finally {
      place.remove();
    }
  });

  const mixed = Array.from({ length: 5000 }, (_, at) => `${(at * 7919) % 1009} ${at % 13} ${at % 2 === 0 ? "x" : "X"}`).join("\n");
  const common = "lines/that/begin/alike/";
  const alike = Array.from({ length: 9000 }, (_, at) => (at % 1000 === 7 ? "" : common.slice(0, -(at % 3) || 99)) + ((at * 7919) % 3001));

  test.each([
    ...["", "-r", "-u", "-n", "-g", "-V", "-s -k 2,2", "-z", "-f", "-k 2n -u"].map((flags) => ({
      flags,
      what: "lines of all kinds",
      text: mixed,
      heldBytes: 300_000,
    })),
    ...["", "-r", "-u", "-ru"].map((flags) => ({ flags, what: "lines that begin alike", text: alike.join("\n"), heldBytes: 700_000 })),
  ])("sort $flags gives $what in runs as in one piece", async ({ flags, text, heldBytes }) => {
    const place = tree(["f:", `g: ${text}`]);
    try {
      const command = `sort ${flags} g f g g`;
      const inRuns = await runOurs({ command }, place.path, { heldBytes });
      expect(inRuns).toEqual(await runOurs({ command }, place.path));
    } finally {
      place.remove();
    }
  });
});
