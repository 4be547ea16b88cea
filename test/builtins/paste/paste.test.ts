/** paste through the guard and the engine. */
import { paste } from "../../../builtins/paste/paste.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(paste, [
  { name: "side by side", command: "paste a b", files: { a: "1\n2\n", b: "x\n" }, stdout: "1\tx\n2\t\n" },
  { name: "-d in turn", command: 'paste -d ",;" a a a', files: { a: "1\n2\n" }, stdout: "1,1;1\n2,2;2\n" },
  { name: "-s", command: 'paste -s -d "\\\\n,"', stdin: "1\n2\n3\n", stdout: "1\n2,3\n" },
  { name: "- several times", command: "paste - - -", stdin: "1\n2\n3\n4\n", stdout: "1\t2\t3\n4\t\t\n" },
  { name: "\\0 is nothing", command: "paste -d '\\0' a a", files: { a: "1\n" }, stdout: "11\n" },
  { name: "-z", command: "paste -z -s", stdin: "a\u0000b\u0000", stdout: "a\tb\u0000" },
  {
    name: "a missing file ends it",
    command: "paste nope a",
    files: { a: "1\n" },
    stderr: "paste: nope: No such file or directory\n",
    exit: 1,
  },
  {
    name: "a directory is an empty column",
    command: "paste . a",
    files: { a: "1\n" },
    stdout: "\t1\n",
    stderr: "paste: .: Is a directory\n",
    exit: 1,
  },
]);

cases(paste, [
  { name: "the last list counts, and no other is looked at", command: "paste -d 'a\\' -d , - -", stdin: "1\n2\n", stdout: "1,2\n" },
]);

messages(paste, [
  [["-d", "a\\", "--serial=x"], "paste: option '--serial' doesn't allow an argument\nTry 'paste --help' for more information.\n"],
  [["-d", "a\\"], "paste: delimiter list ends with an unescaped backslash: a\\\n"],
]);
