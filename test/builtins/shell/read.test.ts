import { read } from "../../../builtins/shell/read.ts";
import { cases } from "../../cases.ts";

cases(read, [
  { name: "one name takes the line", command: "read -r x <<< ' a  b '; echo \"<$x>\"", stdout: "<a  b>\n" },
  { name: "the last name takes the rest", command: "read x y <<< 'a b c'; echo \"$x|$y\"", stdout: "a|b c\n" },
  { name: "without a name REPLY has it all", command: "read <<< ' a '; echo \"<$REPLY>\"", stdout: "< a >\n" },
  {
    name: "a backslash quotes, and joins lines",
    command: "printf 'a\\\\ b\\\\\\nc d\\n' | { read x y; echo \"$x|$y\"; }",
    stdout: "a bc|d\n",
  },
  {
    name: "blanks at the end of several words go, quoted or not",
    command: "printf 'p q\\\\ \\nr\\\\ \\n' | { read x; read y; echo \"<$x><$y>\"; }",
    stdout: "<p q><r >\n",
  },
  { name: "-r keeps backslashes", command: "read -r x <<< 'a\\b'; echo \"$x\"", stdout: "a\\b\n" },
  { name: "the end of input is status 1, and what was there is read", command: 'printf a | { read x; echo "$? $x"; }', stdout: "1 a\n" },
  { name: "-d", command: "printf 'a:b' | { read -d : x; read y; echo \"$x $y\"; }", stdout: "a b\n" },
  {
    name: "-n and -N count characters",
    command: "read -n 2 x <<< 'éüö'; read -N 4 y <<< $'a b\\nc'; echo \"$x|$y\"",
    stdout: "éü|a b\n\n",
  },
  { name: "a bad name", command: "read 1a <<< x", stderr: "bash: line 1: read: `1a': not a valid identifier\n", exit: 1 },
  { name: "-t", command: "read -t 1 x", refused: "DISALLOWED_FLAG" },
  { name: "-a", command: "IFS=, read -ra x <<< a,,b,; echo ${#x[@]} ${x[2]}", stdout: "3 b\n" },
  {
    name: "-a for an associative array",
    command: "declare -A m; read -a m <<< x",
    stderr: "bash: line 1: read: m: not an indexed array\n",
    exit: 1,
  },
  { name: "an element", command: "read 'q[1]' r <<< 'v w'; declare -p q; echo $r", stdout: 'declare -a q=([1]="v")\nw\n' },
]);
