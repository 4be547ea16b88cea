/** tac through the guard and the engine. */
import { tac } from "../../../builtins/tac/tac.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(tac, [
  { name: "-r: a range that ends before it begins is empty", command: "tac -rs '[b-ax]'", stdin: "1x2b3x", stdout: "2b3x1x" },
  { name: "-r: a class is a set and a bracket", command: "tac -rs '[[:foo:]]'", stdin: "1o]2o3o]", stdout: "2o3o]1o]" },
  { name: "lines", command: "tac", stdin: "a\nb\nc\n", stdout: "c\nb\na\n" },
  { name: "a last line without its newline joins the one before", command: "tac", stdin: "a\nb", stdout: "ba\n" },
  { name: "empty input", command: "tac" },
  { name: "-s", command: "tac -s ab", stdin: "1ab2ab3", stdout: "32ab1ab" },
  { name: "-b", command: "tac -b -s x", stdin: "axbxc", stdout: "xcxba" },
  { name: "-r", command: 'tac -r -s "x+"', stdin: "axbx", stdout: "bxax" },
  { name: "the empty separator is NUL", command: "tac -s ''", stdin: "a\u0000b\u0000", stdout: "b\u0000a\u0000" },
  {
    name: "a missing file",
    command: "tac nope f",
    files: { f: "a\nb\n" },
    stdout: "b\na\n",
    stderr: "tac: failed to open 'nope' for reading: No such file or directory\n",
    exit: 1,
  },
  { name: "a directory", command: "tac .", stderr: "tac: .: read error: Invalid argument\n", exit: 1 },
  { name: "a large file through head", command: "seq 200000 > /dev/null; seq 100000 | tac | head -n 2", stdout: "100000\n99999\n" },
]);

messages(tac, [
  [["-r", "-s", "["], "tac: Invalid regular expression\n"],
  [["-r", "-s", "[a"], "tac: Unmatched [, [^, [:, [., or [=\n"],
  [["-r", "-s", ""], "tac: separator cannot be empty\n"],
]);
