/** true and : through the guard and the engine. */
import { alwaysTrue } from "../../../builtins/true-false/true.ts";
import { cases } from "../../cases.ts";

cases(alwaysTrue, [
  { name: "true and : succeed", command: "true; : a b; true --help && echo yes", stdout: "yes\n" },
  { name: "they stand in pipelines and lists", command: "false || true && echo a; true | wc -c", stdout: "a\n0\n" },
]);
