/** tr through the guard and the engine. */
import { tr } from "../../../builtins/tr/tr.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

const help = "Try 'tr --help' for more information.\n";

cases(tr, [
  { name: "ranges", command: "tr a-z A-Z", stdin: "Hello, é\n", stdout: "HELLO, é\n" },
  { name: "classes", command: "tr '[:lower:]' '[:upper:]'", stdin: "Hello\n", stdout: "HELLO\n" },
  { name: "bytes, not characters", command: "tr é xy", stdin: "é\n", stdout: "xy\n" },
  { name: "the last byte of SET2 is repeated", command: "tr abc x", stdin: "abcd\n", stdout: "xxxd\n" },
  { name: "-t stops where SET2 ends", command: "tr -t abc x", stdin: "abcd\n", stdout: "xbcd\n" },
  { name: "-t with an empty SET2", command: "tr -t a ''", stdin: "a\n", stdout: "a\n" },
  { name: "-d", command: "tr -d '\\r'", stdin: "a\r\nb\n", stdout: "a\nb\n" },
  { name: "-cd", command: "tr -cd '[:digit:]\\n'", stdin: "a1b2\n", stdout: "12\n" },
  { name: "-s", command: "tr -s ' \\n'", stdin: "a  b\n\n\nc\n", stdout: "a b\nc\n" },
  { name: "-s after translating", command: "tr -s ab x", stdin: "abab c\n", stdout: "x c\n" },
  { name: "-ds deletes SET1, squeezes SET2", command: "tr -ds a b", stdin: "abab c\n", stdout: "b c\n" },
  { name: "-cs makes words into lines", command: "tr -cs A-Za-z '\\n'", stdin: "one, two; three", stdout: "one\ntwo\nthree" },
  { name: "[c*] fills up", command: "tr abcd 'x[y*]z'", stdin: "abcd\n", stdout: "xyyz\n" },
  { name: "[c*n] in octal", command: "tr a-l '[x*010]y'", stdin: "ahil\n", stdout: "xxyy\n" },
  { name: "[=c=]", command: "tr -d '[=a=]'", stdin: "ab\n", stdout: "b\n" },
  { name: "octal escapes", command: "tr '\\101\\12' 'x '", stdin: "AB\n", stdout: "xB " },
  { name: "NUL", command: "tr '\\0' '\\n'", stdin: "a\0b\0", stdout: "a\nb\n" },
  { name: "flags end at the first operand", command: "tr a -d", stdin: "abc\n", stdout: "-bc\n" },
  { name: "a case class beside text", command: "tr '[:lower:]_' '[:upper:]-'", stdin: "a_b\n", stdout: "A-B\n" },
  {
    name: "a billion repeats are one step",
    command: "tr -d '[a*1000000000000]b'",
    stdin: "abc\n",
    stdout: "c\n",
    differs: "GNU tr counts them one by one, for days",
  },
  {
    name: "an ambiguous octal escape is warned of",
    command: "tr '\\400' xy",
    stdin: " 0\n",
    stdout: "xy\n",
    stderr: "tr: warning: the ambiguous octal escape \\400 is being\n\tinterpreted as the 2-byte sequence \\040, 0\n",
  },
  {
    name: "a backslash at the end is warned of",
    command: "tr 'a\\' x",
    stdin: "a\\\n",
    stdout: "xx\n",
    stderr: "tr: warning: an unescaped backslash at end of string is not portable\n",
  },
  { name: "one set", command: "tr a", refused: "USAGE" },
  { name: "a reversed range", command: "tr z-a x", refused: "BAD_VALUE" },
]);

messages(tr, [
  [[], `tr: missing operand\n${help}`],
  [["a"], `tr: missing operand after ‘a’\nTwo strings must be given when translating.\n${help}`],
  [["-ds", "a"], `tr: missing operand after ‘a’\nTwo strings must be given when both deleting and squeezing repeats.\n${help}`],
  [["-d", "a", "b"], `tr: extra operand ‘b’\nOnly one string may be given when deleting without squeezing repeats.\n${help}`],
  [["-d", "a", "b", "c"], `tr: extra operand ‘b’\n${help}`],
  [["a", "b", "c"], `tr: extra operand ‘c’\n${help}`],
  [["a", ""], "tr: when not truncating set1, string2 must be non-empty\n"],
  [["\n-\t", "x"], "tr: range-endpoints of '\\012-\\011' are in reverse collating sequence order\n"],
  [
    ["a-\\", "x"],
    "tr: warning: an unescaped backslash at end of string is not portable\ntr: range-endpoints of 'a-\\' are in reverse collating sequence order\n",
  ],
  [["[:foo:]", "x"], "tr: invalid character class ‘foo’\n"],
  [["[::]", "x"], "tr: missing character class name '[::]'\n"],
  [["[==]", "x"], "tr: missing equivalence class character '[==]'\n"],
  [["[=é=]", "x"], "tr: \\303\\251: equivalence class operand must be a single character\n"],
  [["ab", "[b*é]"], "tr: invalid repeat count ‘\\\\303\\\\251’ in [c*n] construct\n"],
  [["ab", "[b*08]"], "tr: invalid repeat count ‘08’ in [c*n] construct\n"],
  [["[a*]", "b"], "tr: the [c*] repeat construct may not appear in string1\n"],
  [["a", "[b*][c*]"], "tr: only one [c*] repeat construct may appear in string2\n"],
  [["-ds", "a", "[b*]"], "tr: the [c*] construct may appear in string2 only when translating\n"],
  [["a", "[=b=]"], "tr: [=c=] expressions may not appear in string2 when translating\n"],
  [["a", "[:alpha:]"], "tr: when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'\n"],
  [["a", "[:upper:]"], "tr: misaligned [:upper:] and/or [:lower:] construct\n"],
  [
    ["[:lower:]a", "[:upper:]"],
    "tr: when translating with string1 longer than string2,\nthe latter string must not end with a character class\n",
  ],
  [
    ["-c", "[:upper:]", "ab"],
    "tr: when translating with complemented character classes,\nstring2 must map all characters in the domain to one\n",
  ],
  [["abc", "[x*2]y[z*18446744073709551614]"], "tr: too many characters in set\n"],
]);
