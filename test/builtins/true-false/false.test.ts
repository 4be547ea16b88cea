/** false through the guard and the engine. */
import { alwaysFalse } from "../../../builtins/true-false/false.ts";
import { cases } from "../../cases.ts";

cases(alwaysFalse, [
  { name: "false fails", command: "false", exit: 1 },
  { name: "false fails whatever is said", command: "false --help || echo no", stdout: "no\n" },
  { name: "negated", command: "! false && echo yes", stdout: "yes\n" },
]);
