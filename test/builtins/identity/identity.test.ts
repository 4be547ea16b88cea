/** uname, hostname, nproc, whoami, id and tty through the guard and the engine. */
import { hostname, id, nproc, tty, uname, whoami } from "../../../builtins/identity/identity.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(uname, [
  { name: "-so", command: "uname -so", stdout: "Linux GNU/Linux\n" },
  { name: "-m", command: "uname -m", refused: "DISALLOWED_FLAG" },
]);
cases(hostname, [{ name: "-I", command: "hostname -I", refused: "DISALLOWED_FLAG" }]);
cases(nproc, [{ name: "--ignore", command: "nproc --ignore=3", stdout: "1\n" }]);
cases(whoami, [{ name: "the user of ls -l", command: 'touched=$(stat -c %U a); test "$touched" = "$(whoami)"', files: { a: "" } }]);
cases(id, [
  { name: "user and group", command: 'test "$(id)" = "uid=$(id -u)($(id -un)) gid=$(id -g)($(id -gn))"' },
  { name: "another user", command: "id root", refused: "USAGE" },
]);
cases(tty, [{ name: "-s", command: "tty -s", exit: 1 }]);

messages(uname, [[["x"], "uname: extra operand ‘x’\nTry 'uname --help' for more information.\n"]]);
messages(nproc, [[["--ignore=x"], "nproc: invalid number: ‘x’\n"]]);
messages(id, [
  [["-ug"], 'id: cannot print "only" of more than one choice\n'],
  [["-n"], "id: cannot print only names or real IDs in default format\n"],
  [["-z"], "id: option --zero not permitted in default format\n"],
]);
