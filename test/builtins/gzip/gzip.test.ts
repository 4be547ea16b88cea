/** zcat, gunzip and gzip -d: every expectation was printed by GNU gzip 1.12. */
import { gzipSync } from "node:zlib";
import { describe } from "vitest";
import { gunzip, gzip, zcat } from "../../../builtins/gzip/gzip.ts";
import { toText } from "../../../src/io/text.ts";
import { cases, lineCases, type Row } from "../../cases.ts";

const packed = gzipSync("hello\nworld\n");
const large = gzipSync("0123456789abcde\n".repeat(40_000));
const changed = (at: number): string => {
  const bytes = Buffer.from(packed);
  bytes[bytes.length + at] = (bytes.at(at) as number) ^ 1;
  return toText(bytes);
};
const gz = toText(packed);
const named = toText(
  Buffer.concat([packed.subarray(0, 3), Buffer.of(0x1c, 0, 0, 0, 0, 0, 3, 2, 0, 65, 66), Buffer.from("name\0note\0"), packed.subarray(10)]),
);

const zcatRows: readonly Row[] = [
  { name: "a file", command: "zcat a.gz", files: { "a.gz": gz }, stdout: "hello\nworld\n" },
  { name: "standard input", command: "cat a.gz | zcat", files: { "a.gz": gz }, stdout: "hello\nworld\n" },
  { name: "- is standard input", command: "cat a.gz | zcat -", files: { "a.gz": gz }, stdout: "hello\nworld\n" },
  { name: "the suffix may be left out", command: "zcat a", files: { "a.gz": gz }, stdout: "hello\nworld\n" },
  { name: "-S names another suffix", command: "zcat -S .pk a", files: { "a.pk": gz }, stdout: "hello\nworld\n" },
  { name: "any name will do", command: "zcat log.1", files: { "log.1": gz }, stdout: "hello\nworld\n" },
  { name: "members one after the other", command: "zcat a.gz", files: { "a.gz": gz + gz }, stdout: "hello\nworld\nhello\nworld\n" },
  {
    name: "files one after the other",
    command: "zcat a.gz b.gz",
    files: { "a.gz": gz, "b.gz": gz },
    stdout: "hello\nworld\nhello\nworld\n",
  },
  { name: "a header with all its fields", command: "zcat a.gz", files: { "a.gz": named }, stdout: "hello\nworld\n" },
  { name: "more than a block", command: "zcat a.gz | wc -lc", files: { "a.gz": toText(large) }, stdout: "  40000  640000\n" },
  { name: "head ends it", command: "zcat a.gz | head -n 1", files: { "a.gz": toText(large) }, stdout: "0123456789abcde\n" },
  {
    name: "members of more than a block",
    command: "zcat a.gz | md5sum",
    files: { "a.gz": toText(large) + gz + toText(large) },
    stdout: "9f98e3f8e98be216179933bd2d7e2284  -\n",
  },
  {
    name: "what is no gzip file",
    command: "zcat plain a.gz",
    files: { plain: "plain\n", "a.gz": gz },
    stdout: "hello\nworld\n",
    stderr: "\ngzip: plain: not in gzip format\n",
    exit: 1,
  },
  { name: "standard input that is none", command: "zcat", stdin: "plain\n", stderr: "\ngzip: stdin: not in gzip format\n", exit: 1 },
  {
    name: "-f prints that as it is",
    command: "zcat -f plain a.gz",
    files: { plain: "plain\n", "a.gz": gz },
    stdout: "plain\nhello\nworld\n",
  },
  { name: "an empty file", command: "zcat e", files: { e: "" }, stderr: "\ngzip: e: unexpected end of file\n", exit: 1 },
  {
    name: "a file that was cut off ends the run",
    command: "zcat cut.gz a.gz",
    files: { "cut.gz": toText(packed.subarray(0, 20)), "a.gz": gz },
    stdout: "hello\nwor",
    stderr: "\ngzip: cut.gz: unexpected end of file\n",
    exit: 1,
  },
  {
    name: "a header that was cut off",
    command: "zcat c.gz",
    files: { "c.gz": toText(packed.subarray(0, 6)) },
    stderr: "\ngzip: c.gz: unexpected end of file\n",
    exit: 1,
  },
  {
    name: "a checksum that is wrong",
    command: "zcat a.gz",
    files: { "a.gz": changed(-6) },
    stdout: "hello\nworld\n",
    stderr: "\ngzip: a.gz: invalid compressed data--crc error\n",
    exit: 1,
  },
  {
    name: "a length that is wrong",
    command: "zcat a.gz",
    files: { "a.gz": changed(-2) },
    stdout: "hello\nworld\n",
    stderr: "\ngzip: a.gz: invalid compressed data--length error\n",
    exit: 1,
  },
  {
    name: "what follows is told",
    command: "zcat a.gz",
    files: { "a.gz": `${gz}junk\n` },
    stdout: "hello\nworld\n",
    stderr: "\ngzip: a.gz: decompression OK, trailing garbage ignored\n",
    exit: 2,
  },
  { name: "-q: not told", command: "zcat -q a.gz", files: { "a.gz": `${gz}junk\n` }, stdout: "hello\nworld\n", exit: 2 },
  { name: "zeros may follow", command: "zcat a.gz", files: { "a.gz": `${gz}\0\0\0` }, stdout: "hello\nworld\n" },
  {
    name: "another method",
    command: "zcat a",
    files: { a: "\x1f\udc8b\x09\0 more than a header" },
    stderr: "gzip: a: unknown method 9 -- not supported\n",
    exit: 1,
  },
  { name: "a missing file", command: "zcat nope", stderr: "gzip: nope.gz: No such file or directory\n", exit: 1 },
  { name: "a directory", command: "zcat d", tree: ["d/"], stderr: "gzip: d is a directory -- ignored\n", exit: 2 },
  { name: "-l", command: "zcat -l a.gz", files: { "a.gz": gz }, refused: "DISALLOWED_FLAG" },
  { name: "-v", command: "zcat -v a.gz", files: { "a.gz": gz }, refused: "DISALLOWED_FLAG" },
];

cases(zcat, zcatRows);
cases(gunzip, [
  { name: "-c", command: "gunzip -c a.gz", files: { "a.gz": gz }, stdout: "hello\nworld\n" },
  { name: "of standard input", command: "cat a.gz | gunzip", files: { "a.gz": gz }, stdout: "hello\nworld\n" },
  { name: "-t says nothing of what is well", command: "gunzip -t a.gz", files: { "a.gz": gz } },
  {
    name: "-t of what is not",
    command: "gunzip -t a.gz",
    files: { "a.gz": changed(-6) },
    stderr: "\ngzip: a.gz: invalid compressed data--crc error\n",
    exit: 1,
  },
  {
    name: "without -c the file would be replaced",
    command: "gunzip a.gz",
    files: { "a.gz": gz },
    refused: "DISALLOWED_FLAG",
    after: { "a.gz": gz },
  },
  { name: "with -k too", command: "gunzip -k a.gz", files: { "a.gz": gz }, refused: "DISALLOWED_FLAG" },
]);
cases(gzip, [
  { name: "-dc", command: "gzip -dc a.gz", files: { "a.gz": gz }, stdout: "hello\nworld\n" },
  { name: "-cd", command: "gzip -cd a.gz", files: { "a.gz": gz }, stdout: "hello\nworld\n" },
  { name: "--decompress --stdout", command: "gzip --decompress --to-stdout a.gz", files: { "a.gz": gz }, stdout: "hello\nworld\n" },
  { name: "-d of standard input", command: "cat a.gz | gzip -d", files: { "a.gz": gz }, stdout: "hello\nworld\n" },
  { name: "nothing is packed", command: "gzip -c a", files: { a: "a\n" }, refused: "DISALLOWED_FLAG" },
  { name: "in place", command: "gzip -d a.gz", files: { "a.gz": gz }, refused: "DISALLOWED_FLAG" },
  { name: "-9", command: "gzip -9 a", files: { a: "a\n" }, refused: "DISALLOWED_FLAG" },
]);
describe("other archives", () => {
  lineCases([
    { name: "bzcat", command: "bzcat a.bz2", refused: "DISALLOWED_CMD" },
    { name: "zless", command: "zless a.gz", refused: "DISALLOWED_CMD" },
  ]);
});
