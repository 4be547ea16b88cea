import { set } from "../../../builtins/shell/set.ts";
import { cases } from "../../cases.ts";

cases(set, [
  {
    name: "letters together",
    command: "set -eu; echo a; echo $x; echo b",
    stdout: "a\n",
    stderr: "bash: line 1: x: unbound variable\n",
    exit: 1,
  },
  {
    name: "-o with a name, and off again",
    command: "set -eo pipefail; set +e; false; set +o pipefail; false | true && echo b",
    stdout: "b\n",
  },
  { name: "a condition does not end the line", command: "set -e; if false; then :; fi; ! true; false || echo a", stdout: "a\n" },
  { name: "-x traces", command: "set -x; echo 'a b'; set +x; echo c", stdout: "a b\nc\n", stderr: "+ echo 'a b'\n+ set +x\n" },
  { name: "-v", command: "set -v", refused: "DISALLOWED_FLAG" },
  { name: "words", command: "set -- a 'b c' -e; echo $# $2 $-; set -e x; echo $# $-; set --; echo $#", stdout: "3 b c hBc\n1 ehBc\n0\n" },
  { name: "a lone dash", command: "set a b; set -; echo $#; set - c; echo $#", stdout: "2\n1\n" },
]);
