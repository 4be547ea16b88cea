/** zgrep: grep in what gzip files hold. */
import { gzipSync } from "node:zlib";
import { zgrep } from "../../../builtins/grep/zgrep.ts";
import { toText } from "../../../src/io/text.ts";
import { cases } from "../../cases.ts";

const packed = (text: string): string => toText(gzipSync(text));
const files = { "x.gz": packed("hello a\nworld\n"), "y.gz": packed("a 1\nb\n"), plain: "plain a\n" };

cases(zgrep, [
  { name: "lines of one file bear no name", command: "zgrep a x.gz", files, stdout: "hello a\n" },
  {
    name: "packed and plain files, with their names",
    command: "zgrep -n a x.gz y.gz plain",
    files,
    stdout: "x.gz:1:hello a\ny.gz:1:a 1\nplain:1:plain a\n",
  },
  { name: "names of files that match", command: "zgrep -l a x.gz plain y.gz", files, stdout: "x.gz\nplain\ny.gz\n" },
  { name: "names of files that do not", command: "zgrep -L hello x.gz y.gz", files, stdout: "y.gz\n" },
  { name: "several patterns", command: "zgrep -e 1 -e w x.gz y.gz", files, stdout: "x.gz:world\ny.gz:a 1\n" },
  { name: "zegrep takes extended patterns", command: "zegrep 'a|w' x.gz", files, stdout: "hello a\nworld\n" },
  { name: "nothing found", command: "zgrep nope x.gz", files, exit: 1 },
  {
    name: "a file that is missing is trouble, whatever was found",
    command: "zgrep a missing.gz x.gz",
    files,
    stdout: "x.gz:hello a\n",
    stderr: "gzip: missing.gz: No such file or directory\n",
    exit: 2,
  },
  { name: "directories are for find", command: "zgrep -r a .", refused: "DISALLOWED_FLAG" },
]);
