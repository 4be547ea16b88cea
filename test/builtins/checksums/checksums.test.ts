/** checksums through the guard and the engine. */
import { describe } from "vitest";
import { b2sum, cksum, md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, sum } from "../../../builtins/checksums/checksums.ts";
import { cases, lineCases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(md5sum, [
  {
    name: "each file",
    command: "md5sum a b",
    files: { a: "a\n", b: "b\n" },
    stdout: "60b725f10c9c85c70d97880dfe8191b3  a\n3b5d5c3712955042212316173ccf37be  b\n",
  },
  {
    name: "names are escaped",
    command: "sha1sum 'x\\y' $'n\\nl'",
    files: { "x\\y": "1", "n\nl": "2" },
    stdout: "\\356a192b7913b04c54574d18c28d46e6395428ab  x\\\\y\n\\da4b9237bacccdf19c0760cab7aec4a8359010b0  n\\nl\n",
  },
  {
    name: "-z: names are not",
    command: "sha1sum -z 'x\\y'",
    files: { "x\\y": "1" },
    stdout: "356a192b7913b04c54574d18c28d46e6395428ab  x\\y\u0000",
  },
  {
    name: "--tag",
    command: "sha256sum --tag a",
    files: { a: "a\n", b: "b\n" },
    stdout: "SHA256 (a) = 87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7\n",
  },
  {
    name: "-b",
    command: "sha224sum -b a",
    files: { a: "a\n", b: "b\n" },
    stdout: "7c297c1793fdad2ac52a68bdd6b8fde3eb59b99c3f8c44710fde5fd7 *a\n",
  },
  {
    name: "standard input",
    command: "sha384sum",
    stdin: "x",
    stdout: "d752c2c51fba0e29aa190570a9d4253e44077a058d3297fa3a5630d5bd012622f97c28acaed313b5c83bb990caa7da85  -\n",
  },
  {
    name: "a missing file and a directory",
    command: "md5sum nope d",
    tree: ["d/"],
    stderr: "md5sum: nope: No such file or directory\nmd5sum: d: Is a directory\n",
    exit: 1,
  },
  {
    name: "-c",
    command: "md5sum a b > /dev/null; md5sum -c list",
    files: {
      a: "a\n",
      b: "b\n",
      list: "60b725f10c9c85c70d97880dfe8191b3  a\n3b5d5c3712955042212316173ccf37b8 *b\nMD5 (a) = 60b725f10c9c85c70d97880dfe8191b4\nbad\n\n# note\n60b725f10c9c85c70d97880dfe8191b3  nope\n",
    },
    stdout: "a: OK\nb: FAILED\na: FAILED\nnope: FAILED open or read\n",
    stderr:
      "md5sum: nope: No such file or directory\nmd5sum: WARNING: 1 line is improperly formatted\nmd5sum: WARNING: 1 listed file could not be read\nmd5sum: WARNING: 2 computed checksums did NOT match\n",
    exit: 1,
  },
  {
    name: "-c -w",
    command: "md5sum -cw list",
    files: { a: "a\n", b: "b\n", list: "60b725f10c9c85c70d97880dfe8191b3  a\nbad\n60b725f10c9c85c70d97880dfe8191b3 a\n" },
    stdout: "a: OK\n",
    stderr:
      "md5sum: list: 2: improperly formatted MD5 checksum line\nmd5sum: list: 3: improperly formatted MD5 checksum line\nmd5sum: WARNING: 2 lines are improperly formatted\n",
  },
  {
    name: "-c --quiet",
    command: "md5sum -c --quiet list",
    files: { a: "a\n", b: "b\n", list: "60b725f10c9c85c70d97880dfe8191b3  a\n60b725f10c9c85c70d97880dfe8191b3  b\n" },
    stdout: "b: FAILED\n",
    stderr: "md5sum: WARNING: 1 computed checksum did NOT match\n",
    exit: 1,
  },
  {
    name: "-c --status",
    command: "md5sum -c --status list",
    files: { a: "a\n", b: "b\n", list: "60b725f10c9c85c70d97880dfe8191b3  b\nx\n" },
    exit: 1,
  },
  {
    name: "-c --strict",
    command: "md5sum -c --strict list",
    files: { a: "a\n", b: "b\n", list: "60b725f10c9c85c70d97880dfe8191b3  a\nx\n" },
    stdout: "a: OK\n",
    stderr: "md5sum: WARNING: 1 line is improperly formatted\n",
    exit: 1,
  },
  {
    name: "-c --ignore-missing",
    command: "md5sum -c --ignore-missing list",
    files: { list: "60b725f10c9c85c70d97880dfe8191b3  a\n" },
    stderr: "md5sum: list: no file was verified\n",
    exit: 1,
  },
  {
    name: "-c with a carriage return",
    command: "md5sum -c",
    stdin: "60b725f10c9c85c70d97880dfe8191b3  a\r\n",
    files: { a: "a\n", b: "b\n" },
    stdout: "a: OK\n",
  },
  {
    name: "-c with a lone space before names",
    command: "md5sum -cw",
    stdin: "60b725f10c9c85c70d97880dfe8191b3 a\n60b725f10c9c85c70d97880dfe8191b3  a\n",
    files: { a: "a\n", b: "b\n" },
    stdout: "a: OK\n a: FAILED open or read\n",
    stderr: "md5sum: ' a': No such file or directory\nmd5sum: WARNING: 1 listed file could not be read\n",
    exit: 1,
  },
  {
    name: "-c without a proper line",
    command: "md5sum -c",
    stdin: "x\n",
    stderr: "md5sum: 'standard input': no properly formatted checksum lines found\n",
    exit: 1,
  },
  { name: "-c of a directory", command: "md5sum -c d", tree: ["d/"], stderr: "md5sum: d: read error\n", exit: 1 },
  { name: "b2sum -l", command: "b2sum -l 128 a", files: { a: "a\n", b: "b\n" }, stdout: "b93e0fc7bb21633c08bba07c5e71dc00  a\n" },
  {
    name: "b2sum -l of more than a block",
    command: "b2sum -l 256",
    stdin:
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    stdout: "ab75119ede14ef06ebf31f745fb655ed006cccfe8054c635308a557f7c9beaba  -\n",
  },
  { name: "b2sum --tag -l", command: "b2sum --tag -l 8 a", files: { a: "a\n", b: "b\n" }, stdout: "BLAKE2b-8 (a) = 13\n" },
  {
    name: "b2sum -c",
    command: "b2sum -c",
    stdin: "BLAKE2b-8 (a) = 96\nd1  a\n",
    files: { a: "a\n", b: "b\n" },
    stdout: "a: FAILED\na: FAILED\n",
    stderr: "b2sum: WARNING: 2 computed checksums did NOT match\n",
    exit: 1,
  },
  {
    name: "cksum",
    command: "cksum a b nope d",
    files: { a: "a\n", b: "b\n" },
    tree: ["d/"],
    stdout: "2418082923 2 a\n2454254050 2 b\n4294967295 0 d\n",
    stderr: "cksum: nope: No such file or directory\n",
    exit: 1,
  },
  {
    name: "cksum -a md5",
    command: "cksum -a md5 a",
    files: { a: "a\n", b: "b\n" },
    stdout: "MD5 (a) = 60b725f10c9c85c70d97880dfe8191b3\n",
  },
  {
    name: "cksum --untagged",
    command: "cksum -a sm3 --untagged a",
    files: { a: "a\n", b: "b\n" },
    stdout: "56a35b730c63604e053663ab2dc6b7e424b792418aa8efaad7a5179d1b284bcc  a\n",
  },
  {
    name: "cksum -a bsd and sysv",
    command: "cksum -a bsd a b; cksum -a sysv a b",
    files: { a: "a\n", b: "b\n" },
    stdout: "32826     1 a\n00059     1 b\n107 1 a\n108 1 b\n",
  },
  {
    name: "cksum -c takes tagged lines of any kind",
    command: "cksum -cw",
    stdin:
      "MD5 (a) = 60b725f10c9c85c70d97880dfe8191b3\nSHA1 (a) = 3f786850e387550fdab836ed7e6dc881de23001b\nSHA256 (a) = x\n60b725f10c9c85c70d97880dfe8191b3  a\n",
    files: { a: "a\n", b: "b\n" },
    stdout: "a: OK\na: OK\n",
    stderr:
      "cksum: 'standard input': 3: improperly formatted SHA256 checksum line\ncksum: 'standard input': 4: improperly formatted SHA256 checksum line\ncksum: WARNING: 2 lines are improperly formatted\n",
  },
  {
    name: "sum",
    command: "sum a b; sum -s a; cat a | sum",
    files: { a: "a\n", b: "b\n" },
    stdout: "32826     1 a\n00059     1 b\n107 1 a\n32826     1\n",
  },
]);

messages(md5sum, [
  [["--tag", "-t", "a"], "md5sum: --tag does not support --text mode\nTry 'md5sum --help' for more information.\n"],
  [["-zc", "a"], "md5sum: the --zero option is not supported when verifying checksums\nTry 'md5sum --help' for more information.\n"],
  [["--tag", "-c", "a"], "md5sum: the --tag option is meaningless when verifying checksums\nTry 'md5sum --help' for more information.\n"],
  [
    ["-bc", "a"],
    "md5sum: the --binary and --text options are meaningless when verifying checksums\nTry 'md5sum --help' for more information.\n",
  ],
  [["--quiet", "a"], "md5sum: the --quiet option is meaningful only when verifying checksums\nTry 'md5sum --help' for more information.\n"],
  [
    ["--ignore-missing", "a"],
    "md5sum: the --ignore-missing option is meaningful only when verifying checksums\nTry 'md5sum --help' for more information.\n",
  ],
  [["-l8", "a"], "md5sum: invalid option -- 'l'\nTry 'md5sum --help' for more information.\n"],
]);

const help = "Try 'cksum --help' for more information.\n";

messages(b2sum, [
  [["-l", "12"], "b2sum: invalid length: ‘12’\nb2sum: length is not a multiple of 8\n"],
  [["-l", "520"], "b2sum: invalid length: ‘520’\nb2sum: maximum digest length for ‘BLAKE2b’ is 512 bits\n"],
  [["-l", "x"], "b2sum: invalid length: ‘x’\n"],
]);

messages(cksum, [
  [["-l", "520"], "cksum: --length is only supported with --algorithm=blake2b\n"],

  // Past what a double counts exactly.
  [["-l", "18446744073709551615"], "cksum: invalid length: ‘18446744073709551615’\ncksum: length is not a multiple of 8\n"],
  [["-l", "8"], "cksum: --length is only supported with --algorithm=blake2b\n"],
  [["-a", "bsd", "-c"], "cksum: --check is not supported with --algorithm={bsd,sysv,crc}\n"],
  [["--status"], `cksum: the --status option is meaningful only when verifying checksums\n${help}`],
  [
    ["-a", "sha"],
    "cksum: invalid argument ‘sha’ for ‘--algorithm’\nValid arguments are:\n  - ‘bsd’\n  - ‘sysv’\n  - ‘crc’\n  - ‘md5’\n  - ‘sha1’\n  - ‘sha224’\n  - ‘sha256’\n  - ‘sha384’\n  - ‘sha512’\n  - ‘blake2b’\n  - ‘sm3’\n" +
      help,
  ],
]);

for (const tool of [b2sum, cksum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, sum]) cases(tool, []);

describe("what random lines have found", () => {
  lineCases([
    {
      name: "-c: a backslash alone is not escaped",
      command: "md5sum -c",
      stdin: "d41d8cd98f00b204e9800998ecf8427e  a\\b\n",
      files: { "a\\b": "" },
      stdout: "a\\b: OK\n",
    },
  ]);
});
