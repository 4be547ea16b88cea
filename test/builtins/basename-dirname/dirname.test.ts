/** dirname against GNU coreutils 9.1: every expectation was printed by it. */
import { dirname } from "../../../builtins/basename-dirname/dirname.ts";
import { cases } from "../../cases.ts";

cases(dirname, [
  { name: "without the last component", command: "dirname src/io/text.ts", stdout: "src/io\n" },
  { name: "no slash, an empty path", command: "dirname a ''", stdout: ".\n.\n" },
  { name: "slashes only, and at the end", command: "dirname / // /// a/ a/b/ a//b//", stdout: "/\n/\n/\n.\na\na\n" },
  { name: "right below the root", command: "dirname /a //a", stdout: "/\n/\n" },
  { name: "several operands", command: "dirname a/b c d/e/f", stdout: "a\n.\nd/e\n" },
  { name: "dots are names", command: "dirname a/. a/.. ./a", stdout: "a\na\n.\n" },
  { name: "flags after operands", command: "dirname a/b -z", stdout: "a\0" },
  { name: "-z", command: "dirname -z a/b c | tr '\\0' ':'", stdout: "a:.:" },
]);
