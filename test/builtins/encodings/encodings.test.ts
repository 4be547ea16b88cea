/** encodings through the guard and the engine. */
import { base32, base64, basenc } from "../../../builtins/encodings/encodings.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(base64, [
  { name: "base64", command: "base64 a", files: { a: "abc\udcff\u0000\n" }, stdout: "YWJj/wAK\n" },
  {
    name: "lines of 76",
    command: "base64",
    stdin:
      "abcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghiabcdefghi",
    stdout:
      "YWJjZGVmZ2hpYWJjZGVmZ2hpYWJjZGVmZ2hpYWJjZGVmZ2hpYWJjZGVmZ2hpYWJjZGVmZ2hpYWJj\nZGVmZ2hpYWJjZGVmZ2hpYWJjZGVmZ2hpYWJjZGVmZ2hpYWJjZGVmZ2hpYWJjZGVmZ2hpYWJjZGVm\nZ2hpYWJjZGVmZ2hpYWJjZGVmZ2hpYWJjZGVmZ2hpYWJjZGVmZ2hpYWJjZGVmZ2hpYWJjZGVmZ2hp\nYWJjZGVmZ2hp\n",
  },
  { name: "-w 4", command: "base64 -w 4", stdin: "abcdefghi", stdout: "YWJj\nZGVm\nZ2hp\n" },
  { name: "-w 0", command: "base64 -w0", stdin: "abc", stdout: "YWJj" },
  { name: "-d", command: "base64 -d", stdin: "YWJj\nZGVm\nZw==\n", stdout: "abcdefg" },
  { name: "-d without padding", command: "base64 -d", stdin: "YQ", stdout: "a", stderr: "base64: invalid input\n", exit: 1 },
  { name: "-d of garbage", command: "base64 -d", stdin: "YWJj*ZGVm", stdout: "abc", stderr: "base64: invalid input\n", exit: 1 },
  { name: "-di", command: "base64 -di", stdin: "YW Jj*\r\nZGVm", stdout: "abcdef" },
  {
    name: "a missing file and a directory",
    command: "base64 nope; base64 d",
    tree: ["d/"],
    stderr: "base64: nope: No such file or directory\nbase64: read error: Is a directory\n",
    exit: 1,
  },
  { name: "base32", command: "base32", stdin: "hello, world\n", stdout: "NBSWY3DPFQQHO33SNRSAU===\n" },
  { name: "base32 -d", command: "base32 -d", stdin: "NBSWY3DPFQQHO33SNRSAU===\n", stdout: "hello, world\n" },
  { name: "basenc --base16", command: "basenc --base16 -w 8", stdin: "hello\n", stdout: "68656C6C\n6F0A\n" },
  { name: "basenc --base16 -d takes upper case", command: "basenc --base16 -d", stdin: "6a6B", stderr: "basenc: invalid input\n", exit: 1 },
  { name: "basenc --z85", command: "basenc --z85", stdin: "HelloWor", stdout: "nm=QNz=Z<$\n" },
  { name: "basenc --z85 -d", command: "basenc --z85 -d", stdin: "nm=QNz.92p", stdout: "Hello, ]" },
  {
    name: "basenc --z85 of five bytes",
    command: "basenc --z85",
    stdin: "Hello",
    stderr: "basenc: invalid input (length must be multiple of 4 characters)\n",
    exit: 1,
  },
  { name: "basenc --base2msbf", command: "basenc --base2msbf; true", stdin: "A", stdout: "01000001\n" },
  { name: "basenc --base2lsbf", command: "basenc --base2lsbf", stdin: "A", stdout: "10000010\n" },
  { name: "basenc --base32hex", command: "basenc --base32hex", stdin: "A", stdout: "84======\n" },
]);

messages(base64, [
  [["a", "b"], "base64: extra operand ‘b’\nTry 'base64 --help' for more information.\n"],
  [["-w", "x"], "base64: invalid wrap size: ‘x’\n"],
  [["-w", "-1"], "base64: invalid wrap size: ‘-1’\n"],
  [["--wrap=0x4"], "base64: invalid wrap size: ‘0x4’\n"],
]);

cases(base32, []);
cases(basenc, [
  {
    name: "-i keeps a NUL in Z85",
    command: "basenc --z85 -d -i",
    stdin: "\u0000AAAAA",
    stderr: "basenc: invalid input\n",
    exit: 1,
  },
]);

messages(basenc, [
  [["a", "b"], "basenc: missing encoding type\nTry 'basenc --help' for more information.\n"],
  [[], "basenc: missing encoding type\nTry 'basenc --help' for more information.\n"],
]);
