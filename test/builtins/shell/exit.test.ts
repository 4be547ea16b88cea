import { exit } from "../../../builtins/shell/exit.ts";
import { cases } from "../../cases.ts";

cases(exit, [
  { name: "the status before, without one", command: "false; exit", exit: 1 },
  { name: "256 is 0", command: "exit 256" },
  { name: "-1 is 255", command: "exit -1", exit: 255 },
  { name: "no number", command: "exit a; echo no", stderr: "bash: line 1: exit: a: numeric argument required\n", exit: 2 },
  { name: "too many", command: "exit 1 2; echo no", exit: 1, stderr: "bash: line 1: exit: too many arguments\n" },
  { name: "in a stage of a pipeline it ends that stage", command: "echo a | { exit 3; }; echo $?", stdout: "3\n" },
]);
