/** cut through the guard and the engine. */
import { cut } from "../../../builtins/cut/cut.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

const help = "Try 'cut --help' for more information.\n";

cases(cut, [
  { name: "fields by tab", command: "cut -f2", stdin: "a\tb\tc\nd\te\n", stdout: "b\ne\n" },
  { name: "output follows the input's order, once each", command: "cut -d: -f3,1,1-2", stdin: "a:b:c:d\n", stdout: "a:b:c\n" },
  { name: "an open range", command: "cut -d: -f2-", stdin: "a:b:c\n", stdout: "b:c\n" },
  { name: "a line without the delimiter is printed whole", command: "cut -d: -f2", stdin: "word\na:b\n", stdout: "word\nb\n" },
  { name: "-s leaves it out", command: "cut -s -d: -f2", stdin: "word\na:b\n", stdout: "b\n" },
  { name: "a field that is not there is empty", command: "cut -d: -f3", stdin: "a:b\n", stdout: "\n" },
  { name: "the last line gains its newline", command: "cut -d: -f1", stdin: "a:b", stdout: "a\n" },
  { name: "carriage returns are bytes like others", command: "cut -d: -f2", stdin: "a:b\r\n", stdout: "b\r\n" },
  { name: "a delimiter that is no text", command: "cut -d $'\\xff' -f2", stdin: "a\udcffb\n", stdout: "b\n" },
  { name: "-d '' is NUL", command: "cut -d '' -f2", stdin: "a\0b\n", stdout: "b\n" },
  { name: "--output-delimiter between fields", command: "cut -d: -f1,3 --output-delimiter=' - '", stdin: "a:b:c\n", stdout: "a - c\n" },
  { name: "an empty --output-delimiter is NUL", command: "cut -d: -f1,2 --output-delimiter=", stdin: "a:b\n", stdout: "a\0b\n" },
  { name: "-c counts bytes", command: "cut -c1-2", stdin: "éa\n", stdout: "é\n" },
  { name: "-b past the end", command: "cut -b2,9", stdin: "abc\n\n", stdout: "b\n\n" },
  { name: "ranges that touch stay apart", command: "cut -b1-2,3 --output-delimiter=_", stdin: "abcd\n", stdout: "ab_c\n" },
  { name: "ranges that overlap are one", command: "cut -b1-2,2-3 --output-delimiter=_", stdin: "abcd\n", stdout: "abc\n" },
  { name: "--complement of bytes", command: "cut --complement -b2", stdin: "abc\n", stdout: "ac\n" },
  { name: "--complement of everything", command: "cut --complement -d: -f1-", stdin: "a:b\nword\n", stdout: "\nword\n" },
  { name: "-z", command: "cut -z -d: -f1", stdin: "a:b\nc\0d:e\0", stdout: "a\0d\0" },
  { name: "-z leaves out the end after a first field read ahead", command: "cut -z -d: -f2", stdin: "a:", stdout: "" },
  { name: "lines as fields", command: "cut -d $'\\n' -f2-3", stdin: "a\nb\nc\nd\n", stdout: "b\nc\n" },
  { name: "lines as fields, one line", command: "cut -d $'\\n' -f2", stdin: "a\n", stdout: "\n" },
  { name: "lines as fields, one line without its end", command: "cut -d $'\\n' -f2", stdin: "a", stdout: "a\n" },
  { name: "empty input", command: "cut -f1", stdout: "" },
  { name: "-n is passed over", command: "cut -nb1", stdin: "ab\n", stdout: "a\n" },
  { name: "blanks separate a list", command: "cut -d: -f '1 3'", stdin: "a:b:c\n", stdout: "a:c\n" },
  { name: "each file's last line is ended", command: "cut -c1 f g", files: { f: "ab", g: "cd\n" }, stdout: "a\nc\n" },
  {
    name: "a missing file is named, the others are read",
    command: "cut -c1 f nope .",
    files: { f: "ab\n" },
    stdout: "a\n",
    stderr: "cut: nope: No such file or directory\ncut: .: Is a directory\n",
    exit: 1,
  },
  { name: "no list", command: "cut -d:", refused: "BAD_VALUE" },
]);

messages(cut, [
  [[], `cut: you must specify a list of bytes, characters, or fields\n${help}`],
  [["-f1", "-x", "-f2"], `cut: invalid option -- 'x'\n${help}`],
  [["-f0"], `cut: fields are numbered from 1\n${help}`],
  [["-b0-1"], `cut: byte/character positions are numbered from 1\n${help}`],
  [["-f1,,2"], `cut: fields are numbered from 1\n${help}`],
  [["-f-0"], `cut: invalid decreasing range\n${help}`],
  [["-f2-1"], `cut: invalid decreasing range\n${help}`],
  [["-f-"], `cut: invalid range with no endpoint: -\n${help}`],
  [["-f1-2-3"], `cut: invalid field range\n${help}`],
  [["-b--"], `cut: invalid byte or character range\n${help}`],
  [["-f1x,0"], `cut: invalid field value ‘x,0’\n${help}`],
  [["-b1\udcff"], `cut: invalid byte/character position ‘\\377’\n${help}`],
  [["-f18446744073709551615"], `cut: field number ‘18446744073709551615’ is too large\n${help}`],
  [["-b1-99999999999999999999"], `cut: byte/character offset ‘99999999999999999999’ is too large\n${help}`],
  [["-f1", "-b1"], `cut: only one list may be specified\n${help}`],
  [["-f1", "-dab"], `cut: the delimiter must be a single character\n${help}`],
  [["-f1", "-dé"], `cut: the delimiter must be a single character\n${help}`],
  [["-b0", "-d:"], `cut: an input delimiter may be specified only when operating on fields\n${help}`],
  [["-b1", "-s"], `cut: suppressing non-delimited lines makes sense\n\tonly when operating on fields\n${help}`],
]);
