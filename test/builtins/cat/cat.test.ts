/** cat through the guard and the engine. */
import { cat } from "../../../builtins/cat/cat.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

const help = "Try 'cat --help' for more information.\n";

cases(cat, [
  { name: "files one after the other", command: "cat a b", files: { a: "1\n", b: "2" }, stdout: "1\n2" },
  { name: "- is standard input", command: "cat a - a", stdin: "in\n", files: { a: "1\n" }, stdout: "1\nin\n1\n" },
  { name: "standard input twice is empty the second time", command: "cat - -", stdin: "x\n", stdout: "x\n" },
  { name: "bytes that are no text go through", command: "cat", stdin: "\udcff\udc80\u0000x", stdout: "\udcff\udc80\u0000x" },
  {
    name: "a missing file is named and the rest printed",
    command: "cat a nope b",
    files: { a: "1\n", b: "2\n" },
    stdout: "1\n2\n",
    stderr: "cat: nope: No such file or directory\n",
    exit: 1,
  },
  {
    name: "a directory is named",
    command: "cat d a",
    files: { a: "1\n" },
    tree: ["d/"],
    stdout: "1\n",
    stderr: "cat: d: Is a directory\n",
    exit: 1,
  },
  {
    name: "an odd name is quoted in the message",
    command: "cat 'no such' \"it's\" $'a\\nb'",
    stderr:
      "cat: 'no such': No such file or directory\ncat: \"it's\": No such file or directory\ncat: 'a'$'\\n''b': No such file or directory\n",
    exit: 1,
  },
  { name: "-n counts on over files", command: "cat -n a b", files: { a: "x\n", b: "y\n" }, stdout: "     1\tx\n     2\ty\n" },
  {
    name: "-n goes on in a line that lacks its newline",
    command: "cat -n a b",
    files: { a: "x", b: "y\nz" },
    stdout: "     1\txy\n     2\tz",
  },
  { name: "-b leaves empty lines out", command: "cat -b", stdin: "a\n\n\nb\n", stdout: "     1\ta\n\n\n     2\tb\n" },
  { name: "-b wins over -n", command: "cat -nb", stdin: "a\n\nb\n", stdout: "     1\ta\n\n     2\tb\n" },
  { name: "-s keeps one of several empty lines", command: "cat -s", stdin: "\n\n\na\n\n\nb\n\n", stdout: "\na\n\nb\n\n" },
  { name: "-s goes on over files", command: "cat -s a b", files: { a: "x\n\n", b: "\ny\n" }, stdout: "x\n\ny\n" },
  {
    name: "-E marks the end, and a carriage return before it",
    command: "cat -E",
    stdin: "a\n\r\nb\r\rc\r\n\r",
    stdout: "a$\n^M$\nb\r\rc^M$\n\r",
  },
  { name: "-T marks tabs only", command: "cat -T", stdin: "a\tb\u0001\n", stdout: "a^Ib\u0001\n" },
  {
    name: "-v in ^ and M- notation",
    command: "cat -v",
    stdin: "\u0000\u0001\t\u001b\udc80\udc89\udc8a\udc9f\udca0\udcfe\udcffé\r\n",
    stdout: "^@^A\t^[^?M-^@M-^IM-^JM-^_M- M-~M-^?M-CM-)^M\n",
  },
  { name: "-A is -vET", command: "cat -A", stdin: "\ta\r\n\udcff", stdout: "^Ia^M$\nM-^?" },
  { name: "-e is -vE", command: "cat -e", stdin: "\ta\r\n", stdout: "\ta^M$\n" },
  { name: "-t is -vT", command: "cat -t", stdin: "\ta\r\n", stdout: "^Ia^M\n" },
  { name: "-u changes nothing", command: "cat -u", stdin: "a", stdout: "a" },
  { name: "-ns numbers what is left", command: "cat -ns", stdin: "a\n\n\n\nb\n", stdout: "     1\ta\n     2\t\n     3\tb\n" },
  { name: "-nE marks numbered empty lines", command: "cat -nE", stdin: "\na\n", stdout: "     1\t$\n     2\ta$\n" },
  { name: "long names may be cut short", command: "cat --squ --number", stdin: "a\n\n\nb\n", stdout: "     1\ta\n     2\t\n     3\tb\n" },
  { name: "an unknown flag", command: "cat -q a", refused: "UNKNOWN_FLAG" },
]);

messages(cat, [
  [["-x"], `cat: invalid option -- 'x'\n${help}`],
  [["--nope"], `cat: unrecognized option '--nope'\n${help}`],
  [["--show"], `cat: option '--show' is ambiguous; possibilities: '--show-nonprinting' '--show-ends' '--show-tabs' '--show-all'\n${help}`],
  [["--number=3"], `cat: option '--number' doesn't allow an argument\n${help}`],
]);
