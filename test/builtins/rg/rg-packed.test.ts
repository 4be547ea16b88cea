/** rg -z: every expectation was printed by ripgrep 15.2.0, with gzip beside it. */
import { gzipSync } from "node:zlib";
import { rg } from "../../../builtins/rg/rg.ts";
import { toBytes, toText } from "../../../src/io/text.ts";
import { cases, type Row } from "../../cases.ts";

const packed = (text: string): string => toText(gzipSync(toBytes(text)));
const RULE = "-".repeat(79);
const fault = (path: string, message: string): string => `rg: ${path}: \n${RULE}\ngzip: ${path}: ${message}\n${RULE}\n`;
const TEXT = "foo\nbar foo\n";
const a = { "a.gz": packed(TEXT) };
const tree = { "s/a.gz": packed(TEXT), "s/b.txt": "foo\n" };

const rows: readonly Row[] = [
  { name: "a packed file", command: "rg -z foo a.gz", files: a, stdout: TEXT },
  { name: "without -z", command: "rg foo a.gz", files: a, exit: 1 },
  { name: ".tgz", command: "rg -zn bar a.tgz", files: { "a.tgz": packed(TEXT) }, stdout: "2:bar foo\n" },
  { name: "the name decides", command: "rg -z foo a.gz.1 A.GZ", files: { "a.gz.1": packed(TEXT), "A.GZ": packed(TEXT) }, exit: 1 },
  { name: "-v", command: "rg -z -v bar a.gz", files: a, stdout: "foo\n" },
  { name: "-o", command: "rg -zo foo a.gz", files: a, stdout: "foo\nfoo\n" },
  { name: "-m", command: "rg -zm1 foo a.gz", files: a, stdout: "foo\n" },
  { name: "-C", command: "rg -z -C1 bar a.gz -n", files: a, stdout: "1-foo\n2:bar foo\n" },
  { name: "nothing is found", command: "rg -z nope a.gz", files: a, exit: 1 },
  { name: "a tree", command: "rg -zc foo s --sort path", files: tree, stdout: "s/a.gz:2\ns/b.txt:1\n" },
  { name: "a tree with a glob", command: "rg -z -g '*.gz' foo s", files: tree, stdout: "s/a.gz:foo\ns/a.gz:bar foo\n" },
  { name: "-l", command: "rg -zl bar s", files: tree, stdout: "s/a.gz\n" },
  { name: "--files", command: "rg -z --files s -g '*.gz'", files: tree, stdout: "s/a.gz\n" },
  { name: "--no-search-zip", command: "rg -z --no-search-zip foo a.gz", files: a, exit: 1 },
  { name: "standard input is never unpacked", command: "cat a.gz | rg -z foo", files: a, exit: 1 },
  { name: "more than a block", command: "rg -zc 1 a.gz", files: { "a.gz": packed("0123456789abcde\n".repeat(40_000)) }, stdout: "40000\n" },
  {
    name: "a binary file",
    command: "rg -z foo a.gz",
    files: { "a.gz": packed("foo\0bar\n") },
    stdout: 'binary file matches (found "\\0" byte around offset 3)\n',
  },
  { name: "a byte order mark", command: "rg -z '^foo' a.gz", files: { "a.gz": packed("\ufefffoo\n") }, stdout: "foo\n" },
  { name: "what is not packed", command: "rg -z foo a.gz", files: { "a.gz": TEXT }, stderr: fault("a.gz", "not in gzip format"), exit: 2 },
  { name: "an empty file", command: "rg -z foo a.gz", files: { "a.gz": "" }, stderr: fault("a.gz", "unexpected end of file"), exit: 2 },
  {
    name: "junk behind it",
    command: "rg -z foo a.gz",
    files: { "a.gz": `${packed(TEXT)}junk\n` },
    stdout: TEXT,
    stderr: fault("a.gz", "decompression OK, trailing garbage ignored"),
    exit: 2,
  },
  {
    name: "a file that is not there",
    command: "rg -z foo nope.gz",
    stderr: "rg: nope.gz: IO error for operation on nope.gz: No such file or directory (os error 2)\n",
    exit: 2,
  },
  {
    name: "another program's file",
    command: "rg -z foo a.bz2 a.gz",
    files: { ...a, "a.bz2": "BZh9" },
    stdout: "a.gz:foo\na.gz:bar foo\n",
    stderr: "rg: a.bz2: -z: packed by bzip2, which is not unpacked here\n",
    exit: 2,
    differs: "ripgrep starts bzip2",
  },
  { name: "flags of the module", command: "rg -z --json foo a.gz", files: a, refused: "DISALLOWED_FLAG" },
  { name: "-U", command: "rg -zU 'foo\nbar' a.gz", files: a, refused: "DISALLOWED_FLAG" },
];

cases(rg, rows);
