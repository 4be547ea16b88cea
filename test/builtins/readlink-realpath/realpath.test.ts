/** realpath against GNU coreutils 9.1: every expectation was printed by it. */
import { realpath } from "../../../builtins/readlink-realpath/realpath.ts";
import { cases, type Row } from "../../cases.ts";

type Place = Pick<Row, "files" | "tree">;

const L: Place = {
  files: { f: "x", "d/g": "", "d/sub/h": "", "other/x": "" },
  tree: ["dang => nope", "loop => loop", "ld => d", "lsub => d/sub"],
};

cases(realpath, [
  {
    name: "-s does not look at what stands before the last name",
    command: "realpath -s --relative-base=. nope/x f/x",
    files: { f: "" },
    stdout: "nope/x\n",
    stderr: "realpath: f/x: Not a directory\n",
    exit: 1,
  },
  {
    name: "links and dots are resolved",
    command: "realpath --relative-to=. ./d/../ld/g lsub/../g . ld/",
    ...L,
    stdout: "d/g\nd/g\n.\nd\n",
  },
  { name: "the last component need not exist", command: "realpath --relative-to=. nope dang nope/", ...L, stdout: "nope\nnope\nnope\n" },
  {
    name: "others must",
    command: "realpath nope/x f/x f/ f/. loop ''",
    ...L,
    stderr:
      "realpath: nope/x: No such file or directory\nrealpath: f/x: Not a directory\nrealpath: f/: Not a directory\nrealpath: f/.: Not a directory\nrealpath: loop: Too many levels of symbolic links\nrealpath: '': No such file or directory\n",
    exit: 1,
  },
  {
    name: "-e",
    command: "realpath -e nope; realpath --relative-to=. -e f",
    ...L,
    stdout: "f\n",
    stderr: "realpath: nope: No such file or directory\n",
  },
  { name: "-m", command: "realpath --relative-to=. -m nope/x/y f/x loop", ...L, stdout: "nope/x/y\nf/x\nloop\n" },
  {
    name: "-m gives way to -e and the reverse",
    command: "realpath -me nope; realpath --relative-to=. -em nope/x",
    ...L,
    stdout: "nope/x\n",
    stderr: "realpath: nope: No such file or directory\n",
  },
  { name: "-q", command: "realpath -q nope/x", ...L, exit: 1 },
  {
    name: "-s keeps links",
    command: "realpath -s --relative-to=. ld/g lsub/../x loop",
    ...L,
    stdout: "ld/g\nx\n",
    stderr: "realpath: loop: Too many levels of symbolic links\n",
    exit: 1,
  },
  {
    name: "-L takes .. back first",
    command: "realpath -L --relative-to=. lsub/../f; realpath -P --relative-to=. lsub/../g",
    ...L,
    stdout: "f\nd/g\n",
  },
  {
    name: "--relative-to another directory",
    command: "realpath --relative-to=d/sub f d/g d/sub d/sub/h other",
    ...L,
    stdout: "../../f\n../g\n.\nh\n../../other\n",
  },
  {
    name: "--relative-to a file",
    command: "realpath --relative-to=f f d; realpath -e --relative-to=f f",
    ...L,
    stdout: ".\n../d\n",
    stderr: "realpath: f: Not a directory\n",
    exit: 1,
  },
  {
    name: "--relative-to nothing",
    command: "realpath --relative-to=nope/x f; realpath --relative-to= f",
    ...L,
    stderr: "realpath: nope/x: No such file or directory\nrealpath: '': No such file or directory\n",
    exit: 1,
  },
  {
    name: "--relative-base alone",
    command: "realpath --relative-base=d d/sub/h d; realpath --relative-base=d f | sed 's|.*/||'",
    ...L,
    stdout: "sub/h\n.\nf\n",
  },
  { name: "--relative-base above --relative-to", command: "realpath --relative-base=. --relative-to=d f d/g", ...L, stdout: "../f\ng\n" },
  {
    name: "--relative-base beside --relative-to",
    command: "realpath --relative-base=other --relative-to=d d/g | sed 's|.*/||'",
    ...L,
    stdout: "g\n",
  },
  { name: "-z", command: "realpath -z --relative-to=. f d | tr '\\0' ':'", ...L, stdout: "f:d:" },
  {
    name: "a link out of the workspace",
    command: "realpath out",
    tree: ["out => /etc"],
    stderr: "realpath: out: Symbolic link leaves the workspace\n",
    exit: 1,
    differs: "the real tool follows it",
  },
  { name: "a path outside is refused", command: "realpath --relative-to=/etc f", refused: "PATH_ESCAPE" },
]);
