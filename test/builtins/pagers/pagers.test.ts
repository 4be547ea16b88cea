/** less and more through the guard and the engine. */
import { less, more } from "../../../builtins/pagers/pagers.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(less, [
  {
    name: "-5",
    command: "less -5 f",
    files: { f: "a\n" },
    stdout: "a\n",
  },

  { name: "less t", command: "less t", files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "a\tb\nc\n\n\n\nd" },
  { name: "less -N t", command: "less -N t", files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "a\tb\nc\n\n\n\nd" },
  { name: "less -R -S -X -F t", command: "less -R -S -X -F t", files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "a\tb\nc\n\n\n\nd" },
  { name: "less -RSFX t", command: "less -RSFX t", files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "a\tb\nc\n\n\n\nd" },
  { name: "less +G t", command: "less +G t", files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "a\tb\nc\n\n\n\nd" },
  { name: "less +/c t", command: "less +/c t", files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "a\tb\nc\n\n\n\nd" },
  { name: "less -p c t", command: "less -p c t", files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "a\tb\nc\n\n\n\nd" },
  { name: "less t x", command: "less t x", files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "a\tb\nc\n\n\n\ndecho\n" },
  { name: "less nope", command: "less nope", files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "nope: No such file or directory\n" },
  {
    name: "less nope t",
    command: "less nope t",
    files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" },
    stdout: "nope: No such file or directory\na\tb\nc\n\n\n\nd",
  },
  { name: "less -s t", command: "less -s t", files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "a\tb\nc\n\n\n\nd" },
  { name: "less -x4 t", command: "less -x4 t", files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "a\tb\nc\n\n\n\nd" },
  { name: "less -# 4 t", command: "less -# 4 t", files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "a\tb\nc\n\n\n\nd" },
  {
    name: "less --LINE-NUMBERS t",
    command: "less --LINE-NUMBERS t",
    files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" },
    stdout: "a\tb\nc\n\n\n\nd",
  },
  { name: "less -eEiIMmqruw t", command: "less -eEiIMmqruw t", files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "a\tb\nc\n\n\n\nd" },
  { name: 'less -P "?f%f" t', command: 'less -P "?f%f" t', files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "a\tb\nc\n\n\n\nd" },
  { name: "less -j.5 t", command: "less -j.5 t", files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" }, stdout: "a\tb\nc\n\n\n\nd" },
  {
    name: "more t",
    command: "more t",
    files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" },
    stdout: "::::::::::::::\nt\n::::::::::::::\na\tb\nc\n\n\n\nd",
  },
  {
    name: "more -d -f -s t",
    command: "more -d -f -s t",
    files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" },
    stdout: "::::::::::::::\nt\n::::::::::::::\na\tb\nc\n\n\n\nd",
  },
  {
    name: "more t x",
    command: "more t x",
    files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" },
    stdout: "::::::::::::::\nt\n::::::::::::::\na\tb\nc\n\n\n\nd::::::::::::::\nx\n::::::::::::::\necho\n",
  },
  {
    name: "more nope",
    command: "more nope",
    files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" },
    stderr: "more: cannot open nope: No such file or directory\n",
  },
  {
    name: "more nope t",
    command: "more nope t",
    files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" },
    stdout: "::::::::::::::\nt\n::::::::::::::\na\tb\nc\n\n\n\nd",
    stderr: "more: cannot open nope: No such file or directory\n",
  },
  {
    name: "more +3 t",
    command: "more +3 t",
    files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" },
    stdout: "::::::::::::::\nt\n::::::::::::::\na\tb\nc\n\n\n\nd",
  },
  {
    name: "more +/c t",
    command: "more +/c t",
    files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" },
    stdout: "::::::::::::::\nt\n::::::::::::::\na\tb\nc\n\n\n\nd",
  },
  {
    name: "more -2 t",
    command: "more -2 t",
    files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" },
    stdout: "::::::::::::::\nt\n::::::::::::::\na\tb\nc\n\n\n\nd",
  },
  {
    name: "more -n 2 t",
    command: "more -n 2 t",
    files: { t: "a\tb\nc\n\n\n\nd", x: "echo\n" },
    stdout: "::::::::::::::\nt\n::::::::::::::\na\tb\nc\n\n\n\nd",
  },
  { name: "less of standard input", command: "less", stdin: "hi\n", stdout: "hi\n" },
  { name: "less - of standard input", command: "less -", stdin: "hi\n", stdout: "hi\n" },
  { name: "more of standard input", command: "more", stdin: "hi\n", stdout: "hi\n" },
  {
    name: "more - of standard input",
    command: "more -",
    stdin: "hi\n",
    stdout: "hi\n",
    stderr: "more: cannot open -: No such file or directory\n",
  },
  { name: "less of a directory", command: "less d", tree: ["d/"], stdout: "d is a directory\n" },
  { name: "more of a directory", command: "more d", tree: ["d/"], stdout: "\n*** d: directory ***\n\n" },
  { name: "less of an empty file", command: "less e", files: { e: "" } },
  { name: "more of an empty file", command: "more e", files: { e: "" }, stdout: "::::::::::::::\ne\n::::::::::::::\n" },
  { name: "refused: less --bogus t", command: "less --bogus t", refused: "UNKNOWN_FLAG" },
  { name: "refused: less -o log t", command: "less -o log t", refused: "DISALLOWED_FLAG" },
  { name: "refused: more --bogus t", command: "more --bogus t", refused: "UNKNOWN_FLAG" },
]);

cases(more, []);

messages(more, [[["-n", "x"], "more: argument error: 'x'\n"]]);
