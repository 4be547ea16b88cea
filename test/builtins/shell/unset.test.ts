import { unset } from "../../../builtins/shell/unset.ts";
import { cases } from "../../cases.ts";

cases(unset, [
  { name: "several names", command: 'x=1; y=2; unset x y; echo "[$x$y]"', stdout: "[]\n" },
  { name: "-f leaves variables", command: "x=1; unset -f x; echo $x", stdout: "1\n" },
]);
