import { history } from "../../../builtins/session/history.ts";
import { policy } from "../../../builtins/session/policy.ts";
import { cases } from "../../cases.ts";

const WRITES = "echo x | tee a d/b; echo y | tee -a a";

cases(history, [
  { name: "nothing was ever written", command: "history", exit: 1, differs: "bash lists command lines" },
  {
    name: "every write, oldest first, with its command line",
    command: `${WRITES}; history | cut -f3-`,
    stdout: `x\ny\n${["made\t0\td", "created\t2\ta", "created\t2\td/b", "appended\t4\ta"].map((text) => `${text}\t${WRITES}; history | cut -f3-\n`).join("")}`,
    differs: "bash lists command lines",
  },
  {
    name: "of one file, from another directory",
    command: `${WRITES}; cd d; history ./b ../d/none | cut -f5`,
    stdout: "x\ny\nd/b\n",
    differs: "bash lists command lines",
  },
  {
    name: "below a directory, and not of one whose name only begins so",
    command: `${WRITES}; echo z | tee dd; history d | cut -f5; history . | wc -l; cd d; history . | cut -f5`,
    stdout: "x\ny\nz\nd\nd/b\n5\nd\nd/b\n",
    differs: "bash lists command lines",
  },
  {
    name: "a name with a newline or a tab makes no row and no column, and one with an escape moves no terminal",
    command: "echo x | tee $'n\\n2026-01-01T00:00:00Z\\t1\\tcreated\\t1\\tfake\\t\\e[2K\\r\\xff'; history | cut -f3-5",
    stdout: "x\ncreated\t2\tn\\n2026-01-01T00:00:00Z\\t1\\tcreated\\t1\\tfake\\t\\u{1b}[2K\\r\\xff\n",
    differs: "bash lists command lines",
  },
  {
    name: "nor does a command line",
    command: "echo 'a\tb\u001b\u202e\u009bc\n2026' | tee a; history | cut -f6-",
    stdout: "a\tb\u001b\u202e\u009bc\n2026\necho 'a\\tb\\u{1b}\\u{202e}\\u{9b}c\\n2026' | tee a; history | cut -f6-\n",
    differs: "bash lists command lines",
  },
  { name: "of a file outside", command: "history ../x", refused: "PATH_ESCAPE" },
]);

cases(policy, [
  { name: "takes no operand", command: "policy x", refused: "USAGE" },
  { name: "says what may be written", command: "policy | grep -c tee", stdout: "1\n", differs: "no other tool" },
]);
