/** od through the guard and the engine. */
import { od } from "../../../builtins/od/od.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(od, [
  {
    name: "-j passes over the null device as far as it likes",
    command: "od -j1 /dev/null; od -j3 -An -c f /dev/null",
    files: { f: "a\n" },
    stdout: "0000001\n",
  },
  { name: "-j ends in the null device", command: "od -j1 -An -c /dev/null f", files: { f: "ab\n" }, stdout: "   a   b  \\n\n" },
  {
    name: "-S up to the end that -N sets",
    command: "od -S3 -N7",
    stdin: "0123456789",
    stdout: "1777777777777777777777 0123456\n",
  },
  {
    name: "-S with as much left as a string needs",
    command: "od -S3 -N3",
    stdin: "0123456789",
  },

  { name: "-t without a type: the default one", command: "od -An -t ''", stdin: "ab", stdout: " 061141\n" },
  {
    name: "a number right between two is rounded to the even one",
    command: "od -An -t fD",
    stdin: "bcdefa\t\udcc3",
    stdout: "       -892995854175340.2\n",
  },
  {
    name: "octal words",
    command: "od",
    stdin: "abcdefghijklmnopqrstuvwxyz\n",
    stdout: "0000000 061141 062143 063145 064147 065151 066153 067155 070157\n0000020 071161 072163 073165 074167 075171 000012\n0000033\n",
  },
  { name: "-c", command: "od -c", stdin: "a\u0000\t\n\\\u00e9\udcff", stdout: "0000000   a  \\0  \\t  \\n   \\ 303 251 377\n0000010\n" },
  { name: "-a", command: "od -a", stdin: "a\u0000\t\n\u007f ", stdout: "0000000   a nul  ht  nl del  sp\n0000006\n" },
  {
    name: "-A x -t x1z",
    command: "od -A x -t x1z",
    stdin: "abcdefghijklmnopqrstuvwxyz\n",
    stdout:
      "000000 61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70  >abcdefghijklmnop<\n000010 71 72 73 74 75 76 77 78 79 7a 0a                 >qrstuvwxyz.<\n00001b\n",
  },
  {
    name: "-An -tu1",
    command: "od -An -tu1",
    stdin: "abcdefghijklmnopqrstuvwxyz\n",
    stdout: "  97  98  99 100 101 102 103 104 105 106 107 108 109 110 111 112\n 113 114 115 116 117 118 119 120 121 122  10\n",
  },
  {
    name: "several types line up",
    command: "od -tx1 -tx2 -td4 -tfF -tfD",
    stdin: "abcdefghijklmnopqrstuvwxyz\n",
    stdout:
      "0000000  61  62  63  64  65  66  67  68  69  6a  6b  6c  6d  6e  6f  70\n           6261    6463    6665    6867    6a69    6c6b    6e6d    706f\n             1684234849      1751606885      1818978921      1886350957\n          1.6777999e+22    4.371022e+24   1.1384003e+27   2.9640166e+29\n                 8.540883223036124e+194         3.9038200537988823e+233\n0000020  71  72  73  74  75  76  77  78  79  7a  0a\n           7271    7473    7675    7877    7a79    000a\n             1953722993      2021095029          686713\n          7.7151446e+31   2.0076561e+34      9.6229e-40\n                1.9832370873985416e+272                   3.392813e-318\n0000033\n",
  },
  {
    name: "long doubles",
    command: "od -An -tfL",
    stdin:
      "\u0000\u0000\u0000\u0000\u0000\u0000\u0000\udc80\udcff?\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\udccd\udccc\udccc\udccc\udccc\udccc\udccc\udccc\udcfb\udcbf\u0000\u0000\u0000\u0000\u0000\u0000",
    stdout: "                             1\n                             0\n                          -0.1\n",
  },
  {
    name: "floats",
    command: "od -An -tfF",
    stdin: "\u0000\u0000\udcc0\u007f\u0000\u0000\udc80\udcff\u0000\u0000\u0000\udc80\udccd\udccc\udccc=\u0001\u0000\u0000\u0000",
    stdout: "             nan            -inf              -0             0.1\n           1e-45\n",
  },
  {
    name: "lines that repeat",
    command: "od -tx1",
    stdin: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    stdout: "0000000 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61\n*\n0000100\n",
  },
  {
    name: "-v",
    command: "od -v -tx1",
    stdin: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    stdout: "0000000 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61\n0000020 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61 61\n0000040\n",
  },
  { name: "-j and -N", command: "od -j3 -N5 -c", stdin: "abcdefghijklmnopqrstuvwxyz\n", stdout: "0000003   d   e   f   g   h\n0000010\n" },
  {
    name: "-j past the end",
    command: "od -j 100",
    stdin: "abcdefghijklmnopqrstuvwxyz\n",
    stderr: "od: cannot skip past end of combined input\n",
    exit: 1,
  },
  {
    name: "-w",
    command: "od -w8 -tx1",
    stdin: "abcdefghijklmnopqrstuvwxyz\n",
    stdout:
      "0000000 61 62 63 64 65 66 67 68\n0000010 69 6a 6b 6c 6d 6e 6f 70\n0000020 71 72 73 74 75 76 77 78\n0000030 79 7a 0a\n0000033\n",
  },
  {
    name: "-w that does not fit",
    command: "od -w3 -tx2",
    stdin: "abcd",
    stdout: "0000000 6261\n0000002 6463\n0000004\n",
    stderr: "od: warning: invalid width 3; using 2 instead\n",
  },
  { name: "-S", command: "od -S 3", stdin: "ab\u0000abc\u0000\u0001abcd\u0000xyz", stdout: "0000003 abc\n0000010 abcd\n" },
  { name: "--endian", command: "od --endian=big -tx4 -An", stdin: "abcd", stdout: " 61626364\n" },
  {
    name: "several files are one",
    command: "od -c a b",
    files: { a: "abc", b: "def\n" },
    stdout: "0000000   a   b   c   d   e   f  \\n\n0000007\n",
  },
  {
    name: "an old offset",
    command: "od a +3",
    files: { a: "abcdefghijklmnopqrstuvwxyz\n" },
    stdout: "0000003 062544 063546 064550 065552 066554 067556 070560 071562\n0000023 072564 073566 074570 005172\n0000033\n",
  },
  {
    name: "a label",
    command: "od --traditional -tx1 a 3 5",
    files: { a: "abcdefghijklmnopqrstuvwxyz\n" },
    stdout:
      "0000003 (0000005) 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70 71 72 73\n0000023 (0000025) 74 75 76 77 78 79 7a 0a\n0000033 (0000035)\n",
  },
  {
    name: "a missing file",
    command: "od -c nope a",
    files: { a: "x" },
    stdout: "0000000   x\n0000001\n",
    stderr: "od: nope: No such file or directory\n",
    exit: 1,
  },
  { name: "a directory", command: "od d", tree: ["d/"], stdout: "0000000\n", stderr: "od: d: Is a directory\n", exit: 1 },
  { name: "empty input", command: "od", stdout: "0000000\n" },
  {
    name: "a directory takes all of a skip, and is told of after the width",
    command: "od -w1 -j 3 . f",
    files: { f: "abc" },
    stdout: "0000003 061141\n0000005 000143\n0000006\n",
    stderr: "od: warning: invalid width 1; using 2 instead\nod: .: Is a directory\n",
    exit: 1,
  },
  {
    name: "files are opened as they are come to",
    command: "od -w1 empty nope f",
    files: { empty: "", f: "ab" },
    stdout: "0000000 061141\n0000002\n",
    stderr: "od: warning: invalid width 1; using 2 instead\nod: nope: No such file or directory\n",
    exit: 1,
  },
  {
    name: "-N is read in the base that its prefix says",
    command: "od -An -c -N 010",
    stdin: "0123456789",
    stdout: "   0   1   2   3   4   5   6   7\n",
  },
  {
    name: "a width is decimal",
    command: "od -An -c -w010",
    stdin: "0123456789ab",
    stdout: "   0   1   2   3   4   5   6   7   8   9\n   a   b\n",
  },
  {
    name: "a width past 2^53 is odd or even to the digit",
    command: "od -An -w18446744073709551615",
    stdin: "abcd",
    stdout: " 061141\n 062143\n",
    stderr: "od: warning: invalid width 18446744073709551615; using 2 instead\n",
  },
  {
    name: "a width that nothing can hold",
    command: "od -w18446744073709551614 f",
    files: { f: "abcd" },
    stderr: "od: memory exhausted\n",
    exit: 1,
  },
  {
    name: "a width that does not fit is told of before a string that nothing can hold",
    command: "od -w5 -S 18446744073709551615 f",
    files: { f: "abcd" },
    stderr: "od: warning: invalid width 5; using 2 instead\nod: memory exhausted\n",
    exit: 1,
  },
  { name: "-t '' is no type, and -S takes it", command: "od -t '' -S 1", stdin: "a\0", stdout: "0000000 a\n" },
  { name: "-S reads nothing where -N leaves no room for a string", command: "od -S 3 -N 2 . nope" },
  { name: "8 is no octal digit", command: "od -N 08", refused: "BAD_VALUE" },
]);

messages(od, [
  [
    ["-t", "q", "-t", "x3"],
    "od: invalid character 'q' in type string ‘q’\nod: invalid type string ‘x3’;\nthis system doesn't provide a 3-byte integral type\n",
  ],
  [["-tq", "-N", "x"], "od: invalid character 'q' in type string ‘q’\nod: invalid -N argument 'x'\n"],
  [["-A", ""], "od: invalid output address radix '\u0000'; it must be one character from [doxn]\n"],

  [["-t", "q"], "od: invalid character 'q' in type string ‘q’\n"],
  [["-t", "x5"], "od: invalid type string ‘x5’;\nthis system doesn't provide a 5-byte integral type\n"],
  [["-t", "f3"], "od: invalid type string ‘f3’;\nthis system doesn't provide a 3-byte floating point type\n"],
  [["-A", "z"], "od: invalid output address radix 'z'; it must be one character from [doxn]\n"],
  [["-N", "x"], "od: invalid -N argument 'x'\n"],
  [["-j", "0x"], "od: invalid suffix in -j argument '0x'\n"],
  [["--skip-bytes=1q"], "od: invalid suffix in --skip-bytes argument '1q'\n"],
  [["-S3", "-c"], "od: no type may be specified when dumping strings\n"],
  [
    ["--endian=foo"],
    "od: invalid argument ‘foo’ for ‘--endian’\nValid arguments are:\n  - ‘little’\n  - ‘big’\nTry 'od --help' for more information.\n",
  ],
  [
    ["--traditional", "a", "b", "c"],
    "od: extra operand ‘b’\nod: compatibility mode supports at most one file\nTry 'od --help' for more information.\n",
  ],
]);
