/** sed: what scripts do, line by line. */
import { sed } from "../../builtins/sed.ts";
import { cases } from "../cases.ts";

cases(sed, [
  { name: "a range of lines", command: "sed -n 2,3p", stdin: "1\n2\n3\n4\n", stdout: "2\n3\n" },
  { name: "a list of lines, then quit", command: "sed -n '1p;3,4p;4q'", stdin: "1\n2\n3\n4\n5\n", stdout: "1\n3\n4\n" },
  { name: "a missing file after the last line of interest is told of", command: "sed -n 1p a b", files: { a: "1\n2\n" }, stdout: "1\n", stderr: "sed: can't read b: No such file or directory\n", exit: 2 },
  { name: "0,/re/ may end on the first line", command: "sed 0,/a/d", stdin: "a\na\n", stdout: "a\n" },
  { name: "every third line from the second", command: "sed -n 2~3p", stdin: "1\n2\n3\n4\n5\n", stdout: "2\n5\n" },
  { name: "addr,~N", command: "sed -n 2,~4p", stdin: "1\n2\n3\n4\n5\n", stdout: "2\n3\n4\n" },
  { name: "an empty match after a match does not count", command: "sed 's/a*/x/g'", stdin: "baaac\n", stdout: "xbxcx\n" },
  { name: "the second match and those after it", command: "sed 's/o/0/2g'", stdin: "foooo\n", stdout: "fo000\n" },
  { name: "groups and case", command: "sed 's/\\(x*\\)\\(foo\\)/\\u\\1\\2/'", stdin: "foo\n", stdout: "Foo\n" },
  { name: "a back-reference", command: "sed -E 's/(a*)-\\1$/[\\1]/'", stdin: "aa-aa\n", stdout: "[aa]\n" },
  { name: "M: ^ and $ at every line", command: "sed 'N;s/^/>/Mg;s/$/</Mg'", stdin: "a\nb\n", stdout: ">a<\n>b<\n" },
  { name: "one-liner text keeps blanks after a backslash", command: "sed '1i\\  x'", stdin: "a\n", stdout: "  x\na\n" },
  { name: "text goes on in the next -e", command: "sed -e 'a\\' -e '  x'", stdin: "a\n", stdout: "a\n  x\n" },
  { name: "bytes that are no characters survive, and . does not match them", command: "sed 's/./x/g'", stdin: "a\udcffb\n", stdout: "x\udcffx\n" },
  { name: "the last line keeps its missing newline", command: "sed p", stdin: "a", stdout: "a\na" },
  { name: "q with a status", command: "sed 2q5", stdin: "a\nb\nc\n", stdout: "a\nb\n", exit: 5 },
  { name: "r puts a file after the line", command: "sed '1r f'", stdin: "a\nb\n", files: { f: "F\n" }, stdout: "a\nF\nb\n" },
  { name: "w /dev/stdout", command: "sed -n 's/a/b/w /dev/stdout'", stdin: "a\nc\n", stdout: "b\n" },
  { name: "the empty pattern is the last one used", command: "sed '/a/s//[&]/'", stdin: "xa\n", stdout: "x[a]\n" },
  { name: "-i is refused", command: "sed -i s/a/b/ f", files: { f: "a\n" }, refused: "DISALLOWED_FLAG", after: { f: "a\n" } },
  { name: "w FILE is refused", command: "sed -n '/a/w out' f", files: { f: "a\n" }, refused: "DISALLOWED_FLAG", after: { out: null } },
  { name: "e is refused", command: "sed '1e date'", refused: "RUNS_A_COMMAND" },
  { name: "s///e is refused", command: "sed s/a/b/e", refused: "RUNS_A_COMMAND" },
  { name: "a script that is none", command: "sed 's/a'", refused: "BAD_VALUE" },
]);
