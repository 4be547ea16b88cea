/** readlink against GNU coreutils 9.1: every expectation was printed by it. */
import { readlink } from "../../../builtins/readlink-realpath/readlink.ts";
import { cases, type Row } from "../../cases.ts";

type Place = Pick<Row, "files" | "tree">;

const L: Place = {
  files: { f: "x", "d/g": "" },
  tree: ["dang => nope", "loop => loop", "ld => d", "chain => ld", "deep/l => ../ld/g", "spaced => a  b"],
};

cases(readlink, [
  { name: "what links say", command: "readlink dang ld loop deep/l spaced", ...L, stdout: "nope\nd\nloop\n../ld/g\na  b\n" },
  { name: "a file and nothing are no links, and nothing is said", command: "readlink f nope", ...L, exit: 1 },
  {
    name: "-v says why",
    command: "readlink -v f nope d ''",
    ...L,
    stderr:
      "readlink: f: Invalid argument\nreadlink: nope: No such file or directory\nreadlink: d: Invalid argument\nreadlink: '': No such file or directory\n",
    exit: 1,
  },
  { name: "-q after -v", command: "readlink -vq f; readlink -qv f", ...L, stderr: "readlink: f: Invalid argument\n", exit: 1 },
  { name: "-n", command: "readlink -n ld", ...L, stdout: "d" },
  {
    name: "-n with several operands",
    command: "readlink -n ld dang",
    ...L,
    stdout: "d\nnope\n",
    stderr: "readlink: ignoring --no-newline with multiple arguments\n",
  },
  { name: "-z", command: "readlink -z ld dang | tr '\\0' ':'", ...L, stdout: "d:nope:" },
  { name: "-f to the last that need not exist", command: "readlink -f dang chain ld/x | sed 's|.*/||'", ...L, stdout: "nope\nd\nx\n" },
  {
    name: "-f where more is missing",
    command: "readlink -vf nope/x; readlink -vf f/x",
    ...L,
    stderr: "readlink: nope/x: No such file or directory\nreadlink: f/x: Not a directory\n",
    exit: 1,
  },
  {
    name: "-e",
    command: "readlink -ve dang nope f | sed 's|.*/||'",
    ...L,
    stdout: "f\n",
    stderr: "readlink: dang: No such file or directory\nreadlink: nope: No such file or directory\n",
  },
  { name: "-m", command: "readlink -m nope/x/../y dang/z | sed 's|.*/||'", ...L, stdout: "y\nz\n" },
  {
    name: "a trailing slash asks for a directory",
    command: "readlink -vf f/ f/. f/.. ; readlink -e d/ | sed 's|.*/||'",
    ...L,
    stdout: "d\n",
    stderr: "readlink: f/: Not a directory\nreadlink: f/.: Not a directory\nreadlink: f/..: Not a directory\n",
  },
  {
    name: "a loop",
    command: "readlink -vf loop; readlink -m loop | sed 's|.*/||'",
    ...L,
    stdout: "loop\n",
    stderr: "readlink: loop: Too many levels of symbolic links\n",
  },
  { name: "the last of -f -e -m counts", command: "readlink -ef dang | sed 's|.*/||'; readlink -fe dang", ...L, stdout: "nope\n", exit: 1 },
  {
    name: "dot dot after a link is the target's parent",
    command: "readlink -f deep/l/../../f; readlink -f ld/../f | sed 's|.*/||'",
    ...L,
    stdout: "f\n",
  },
  {
    name: "a link out of the workspace",
    command: "readlink -f out; readlink out",
    tree: ["out => /etc/hostname"],
    stdout: "/etc/hostname\n",
    stderr: "readlink: out: Symbolic link leaves the workspace\n",
    differs: "the real tool follows it",
  },
  {
    name: "a link with a way out and back in",
    command: "readlink -f out",
    tree: ["out => ../../../x"],
    stderr: "readlink: out: Symbolic link leaves the workspace\n",
    exit: 1,
    differs: "the real tool follows it",
  },
  { name: "a path outside is refused", command: "readlink -f /etc/hostname", refused: "PATH_ESCAPE" },
]);
