import { breakLoop } from "../../../builtins/shell/break.ts";
import { cases } from "../../cases.ts";

cases(breakLoop, [
  {
    name: "outside a loop",
    command: "break; echo $?",
    stdout: "0\n",
    stderr: "bash: line 1: break: only meaningful in a `for', `while', or `until' loop\n",
  },
  { name: "a subshell is outside", command: "for i in 1 2; do (continue) 2>/dev/null; echo $i; done", stdout: "1\n2\n" },
  { name: "more levels than loops", command: "for i in 1 2; do break 9; done; echo $i", stdout: "1\n" },
  {
    name: "no level",
    command: "for i in 1 2; do break 0; done; echo $?",
    stdout: "1\n",
    stderr: "bash: line 1: break: 0: loop count out of range\n",
  },
  {
    name: "continue of the outer loop",
    command: "for i in 1 2; do for j in 1 2; do echo $i$j; continue 2; done; done",
    stdout: "11\n21\n",
  },
]);
