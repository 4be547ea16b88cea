/** xxd through the guard and the engine. */
import { xxd } from "../../../builtins/xxd/xxd.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(xxd, [
  {
    name: "-s past the end of a pipe",
    command: "printf abc | xxd -s 5; printf abc | xxd -s 3; printf abc | xxd -s 2 -l 1",
    stdout: "00000002: 63                                       c\n",
    stderr: "xxd: Sorry, cannot seek.\n",
  },
  { name: "-s past the end of a file", command: "xxd -s 5 f", files: { f: "abc" } },
  {
    name: "-r of a directory",
    command: "xxd -r .",
  },

  {
    name: "plain",
    command: "xxd",
    stdin: "abcdefghijklmnopqrstuvwxyz\n",
    stdout:
      "00000000: 6162 6364 6566 6768 696a 6b6c 6d6e 6f70  abcdefghijklmnop\n00000010: 7172 7374 7576 7778 797a 0a              qrstuvwxyz.\n",
  },
  {
    name: "-p",
    command: "xxd -p",
    stdin: "abcdefghijklmnopqrstuvwxyz\nabcdefghijklmnopqrstuvwxyz\n",
    stdout: "6162636465666768696a6b6c6d6e6f707172737475767778797a0a616263\n6465666768696a6b6c6d6e6f707172737475767778797a0a\n",
  },
  { name: "-ps -c 4", command: "xxd -ps -c 4", stdin: "abcdef", stdout: "61626364\n6566\n" },
  {
    name: "-b",
    command: "xxd -b -c4",
    stdin: "abcde",
    stdout: "00000000: 01100001 01100010 01100011 01100100  abcd\n00000004: 01100101                             e\n",
  },
  {
    name: "-i",
    command: "xxd -i a.b",
    files: { "a.b": "abc\n" },
    stdout: "unsigned char a_b[] = {\n  0x61, 0x62, 0x63, 0x0a\n};\nunsigned int a_b_len = 4;\n",
  },
  { name: "-i of standard input", command: "xxd -i", stdin: "abc", stdout: "  0x61, 0x62, 0x63\n" },
  {
    name: "-C -i",
    command: "xxd -C -i a",
    files: { a: "abc" },
    stdout: "unsigned char A[] = {\n  0x61, 0x62, 0x63\n};\nunsigned int A_LEN = 3;\n",
  },
  {
    name: "-n",
    command: "xxd -n x-y -i a",
    files: { a: "abc" },
    stdout: "unsigned char x_y[] = {\n  0x61, 0x62, 0x63\n};\nunsigned int x_y_len = 3;\n",
  },
  {
    name: "-e",
    command: "xxd -e",
    stdin: "abcdefghijklmnopqrstuvwxyz\n",
    stdout: "00000000: 64636261 68676665 6c6b6a69 706f6e6d  abcdefghijklmnop\n00000010: 74737271 78777675   0a7a79           qrstuvwxyz.\n",
  },
  { name: "-e -g2", command: "xxd -e -g 2", stdin: "abc", stdout: "00000000: 6261   63                                abc\n" },
  {
    name: "-u -g1 -c8",
    command: "xxd -u -g1 -c8",
    stdin: "abcdefghijklmnopqrstuvwxyz\n",
    stdout:
      "00000000: 61 62 63 64 65 66 67 68  abcdefgh\n00000008: 69 6A 6B 6C 6D 6E 6F 70  ijklmnop\n00000010: 71 72 73 74 75 76 77 78  qrstuvwx\n00000018: 79 7A 0A                 yz.\n",
  },
  {
    name: "-g0",
    command: "xxd -g0",
    stdin: "abcdefghijklmnopqrstuvwxyz\n",
    stdout: "00000000: 6162636465666768696a6b6c6d6e6f70  abcdefghijklmnop\n00000010: 7172737475767778797a0a            qrstuvwxyz.\n",
  },
  {
    name: "-E",
    command: "xxd -E",
    stdin: "abcdefghijklmnopqrstuvwxyz\n",
    stdout:
      "00000000: 6162 6364 6566 6768 696a 6b6c 6d6e 6f70  /.........,%_>?.\n00000010: 7172 7374 7576 7778 797a 0a              ........`:.\n",
  },
  {
    name: "-d -o",
    command: "xxd -d -o 5",
    stdin: "abcdefghijklmnopqrstuvwxyz\n",
    stdout:
      "00000005: 6162 6364 6566 6768 696a 6b6c 6d6e 6f70  abcdefghijklmnop\n00000021: 7172 7374 7576 7778 797a 0a              qrstuvwxyz.\n",
  },
  {
    name: "-s and -l",
    command: "xxd -s 3 -l 0x4",
    stdin: "abcdefghijklmnopqrstuvwxyz\n",
    stdout: "00000003: 6465 6667                                defg\n",
  },
  {
    name: "-s from the end",
    command: "xxd -s -4 a",
    files: { a: "abcdefghijklmnopqrstuvwxyz\n" },
    stdout: "00000017: 7879 7a0a                                xyz.\n",
  },
  {
    name: "-a",
    command: "xxd -a",
    stdin:
      "\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000x",
    stdout:
      "00000000: 0000 0000 0000 0000 0000 0000 0000 0000  ................\n*\n00000050: 78                                       x\n",
  },
  { name: "-r", command: "xxd -r", stdin: "00000000: 6162 6364 0a  abcd.\n00000006: 7878  xx\n", stdout: "abcd\n\u0000xx" },
  { name: "-r -p", command: "xxd -r -p", stdin: "6162 63\n64\n", stdout: "abcd" },
  { name: "there and back", command: "xxd | xxd -r", stdin: "abcdefghijklmnopqrstuvwxyz\n", stdout: "abcdefghijklmnopqrstuvwxyz\n" },
  { name: "a missing file", command: "xxd nope", stderr: "xxd: nope: No such file or directory\n", exit: 2 },
  { name: "a directory", command: "xxd d", tree: ["d/"], stderr: "xxd: Is a directory\n", exit: 2 },
  { name: "bytes that are no characters", command: "xxd -c 4", stdin: "\udcff\u0000\n~", stdout: "00000000: ff00 0a7e  ...~\n" },
  { name: "an output file is refused", command: "xxd a b", files: { a: "x" }, refused: "DISALLOWED_FLAG" },
  { name: "a path outside is refused", command: "xxd ../x", refused: "PATH_ESCAPE" },
  {
    name: "-r stops a line at three characters that are no digits",
    command: "xxd -r",
    stdin: "zz0: 61 62x63 xyz 64\n0003: 65",
    stdout: "abce",
  },
  {
    name: "-r fills up to an address behind which nothing is",
    command: "xxd -r",
    stdin: "00000000: 6162\n00000004: ",
    stdout: "ab\u0000\u0000",
  },
  { name: "-p without columns ends the line of nothing too", command: "xxd -p -c 0", stdout: "\n" },
  {
    name: "the last line is shown though it is zeros",
    command: "xxd -a",
    stdin: "\0".repeat(64),
    stdout:
      "00000000: 0000 0000 0000 0000 0000 0000 0000 0000  ................\n*\n00000030: 0000 0000 0000 0000 0000 0000 0000 0000  ................\n",
  },
  {
    name: "of three lines of zeros none is left out",
    command: "xxd -a -c1",
    stdin: "\0\0\0",
    stdout: "00000000: 00  .\n00000001: 00  .\n00000002: 00  .\n",
  },
  { name: "-o past 32 bits", command: "xxd -o 4294967297", stdin: "a", stdout: "100000001: 61                                       a\n" },
  { name: "-o below zero", command: "xxd -o -2 -c 1", stdin: "a", stdout: "fffffffffffffffe: 61  a\n" },
  { name: "-d -o below zero", command: "xxd -d -o -2 -c 1", stdin: "abc", stdout: "-0000002: 61  a\n-0000001: 62  b\n00000000: 63  c\n" },
  { name: "columns are an int", command: "xxd -c 4294967297 -g 99999999999999999999", stdin: "a", stdout: "00000000: 61  a\n" },
  { name: "-v goes before what follows", command: "xxd -v -c -1", stderr: "xxd 2022-01-14 by Juergen Weigert et al.\n" },
  {
    name: "-r of an address that was passed",
    command: "xxd -r",
    stdin: "00000000: 6162\n00000000: 63\n",
    stdout: "ab",
    stderr: "xxd: Sorry, cannot seek backwards.\n",
    exit: 5,
  },
  { name: "-r -s adds to addresses", command: "xxd -r -s -16", stdin: "00000010: 63", stdout: "c" },
  { name: "-r -p stops a line at three characters that are no digits", command: "xxd -r -p", stdin: "6162zzz63\n64 q65", stdout: "abde" },
  { name: "-r -p -s begins with zeros", command: "xxd -r -p -s 3", stdin: "6162", stdout: "\u0000\u0000\u0000ab" },
  { name: "-r of bits", command: "xxd -r -b", refused: "BAD_VALUE" },
  {
    name: "-e with a last group that is not whole",
    command: "xxd -e -g 8 -c 12",
    stdin: "abcdefghijklmnop",
    stdout: "00000000: 6867666564636261         6c6b6a69ghijkl\n0000000c:         706f6e6d           mnop\n",
  },
  {
    name: "-e -g 4 -c 5: digits and characters in one place",
    command: "xxd -e -g 4 -c 5",
    stdin: "abcdefghijklmnop",
    stdout: "00000000: 64636261     ab65e\n00000005: 69686766     fg6aj\n0000000a: 6e6d6c6b     kl6fo\n0000000f:       70     p\n",
  },
  {
    name: "-e with a group as wide as the line",
    command: "xxd -e -g 0 -c 12",
    stdin: "abcdefghijklmnop",
    stdout: "00000000: 6c6b6a69        64636261 686766fghijkl\n0000000c:                 706f6e6d  mnop\n",
  },
]);

messages(xxd, [
  [["-c", "-1", "-ps"], "xxd: invalid number of columns (max. 256).\n"],
  // Before there are too many operands.
  [["-c", "-3", "a", "b", "c"], "xxd: invalid number of columns (max. 256).\n"],
]);
