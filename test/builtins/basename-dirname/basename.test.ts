/** basename against GNU coreutils 9.1: every expectation was printed by it. */
import { basename } from "../../../builtins/basename-dirname/basename.ts";
import { cases } from "../../cases.ts";

cases(basename, [
  { name: "the last component", command: "basename src/io/text.ts", stdout: "text.ts\n" },
  { name: "a suffix as the second operand", command: "basename src/io/text.ts .ts", stdout: "text\n" },
  { name: "a suffix that is the whole name stays", command: "basename .c .c", stdout: ".c\n" },
  { name: "slashes at the end are no component", command: "basename a.c/// .c", stdout: "a\n" },
  { name: "nothing but slashes", command: "basename //; basename /", stdout: "/\n/\n" },
  { name: "an empty path", command: "basename ''", stdout: "\n" },
  { name: "an empty suffix", command: "basename -s '' a.c", stdout: "a.c\n" },
  { name: "-a", command: "basename -a a/b / '' c//", stdout: "b\n/\n\nc\n" },
  { name: "-s implies -a", command: "basename -s .c x.c y/z.c .c", stdout: "x\nz\n.c\n" },
  { name: "flags end at the first operand", command: "basename a -s", stdout: "a\n" },
  { name: "after --", command: "basename -- -x", stdout: "-x\n" },
  { name: "-z", command: "basename -az a/b c | tr '\\0' ':'", stdout: "b:c:" },
  { name: "bytes that are not UTF-8", command: "basename $'d/\\xff.c' .c", stdout: "\udcff\n" },
]);
