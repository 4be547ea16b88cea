/** mktemp through the guard and the engine. */
import { mktemp } from "../../../builtins/mktemp/mktemp.ts";
import { cases } from "../../cases.ts";

const HINT = "Try 'mktemp --help' for more information.\n";
/** The rows that the guard refuses print this as a stage whose arguments are data. */
const asData = (operands: string, flags = ""): string => `a="$(echo '${operands}')"; mktemp ${flags} $a`;

cases(mktemp, [
  { name: "a file that only we may read", command: 't=$(mktemp); stat -c "%a %s %F" "$t"; unset t', stdout: "600 0 regular empty file\n" },
  { name: "a directory", command: 't=$(mktemp -d); stat -c "%a %F" "$t"', stdout: "700 directory\n" },
  { name: "ten letters", command: "mktemp | sed 's/[A-Za-z0-9]\\{10\\}$/_/'", stdout: "/tmp/tmp._\n" },
  { name: "as many letters as X", command: "mktemp -t a.XXXXX | sed 's/[A-Za-z0-9]\\{5\\}$/_/'", stdout: "/tmp/a._\n" },
  { name: "a suffix", command: "mktemp --suffix=.txt | sed 's/[A-Za-z0-9]\\{10\\}[.]/_./'", stdout: "/tmp/tmp._.txt\n" },
  { name: "a suffix as its own word", command: "mktemp --suffix .c -t aXXX | sed 's/a[A-Za-z0-9]\\{3\\}[.]/_./'", stdout: "/tmp/_.c\n" },
  { name: "an empty suffix", command: "mktemp --suffix= -t aXXX | sed 's/a[A-Za-z0-9]\\{3\\}$/_/'", stdout: "/tmp/_\n" },
  { name: "a template with an end", command: "mktemp -t aXXXXb.json | sed 's/a[A-Za-z0-9]\\{4\\}b/_/'", stdout: "/tmp/_.json\n" },
  { name: "the last of several runs of X", command: "mktemp -t aXXXbXXXXc | sed 's/b[A-Za-z0-9]\\{4\\}c$/_/'", stdout: "/tmp/aXXX_\n" },
  { name: "a path as template", command: "mktemp /tmp/aXXX | sed 's/a[A-Za-z0-9]\\{3\\}$/_/'", stdout: "/tmp/_\n" },
  { name: "-p", command: "mktemp -p /tmp/ bXXX | sed 's/b[A-Za-z0-9]\\{3\\}$/_/'", stdout: "/tmp/_\n" },
  { name: "an empty -p", command: "mktemp -p '' bXXX | sed 's/b[A-Za-z0-9]\\{3\\}$/_/'", stdout: "/tmp/_\n" },
  { name: "--tmpdir alone", command: "mktemp --tmpdir bXXX | sed 's/b[A-Za-z0-9]\\{3\\}$/_/'", stdout: "/tmp/_\n" },
  {
    name: "in a directory made before",
    command: "d=$(mktemp -d); t=$(mktemp -p $d); [ ${t%/*} = $d ] && [ -f $t ] && echo in it",
    stdout: "in it\n",
  },
  { name: "-u makes nothing", command: 't=$(mktemp -u); [ -e "$t" ] || echo free', stdout: "free\n" },
  { name: "TMPDIR of the command", command: "d=$(mktemp -d); TMPDIR=$d mktemp -t x.XXX | grep -c ^$d/x[.]...$", stdout: "1\n" },
  { name: "names differ", command: "for i in 1 2 3 4 5; do mktemp -t aXXX; done | sort -u | wc -l", stdout: "5\n" },
  {
    name: "no such directory",
    command: "mktemp /tmp/none.at.all/XXX",
    stderr: "mktemp: failed to create file via template ‘/tmp/none.at.all/XXX’: No such file or directory\n",
    exit: 1,
  },
  {
    name: "no such directory, for a directory",
    command: "mktemp -d -p /tmp/none.at.all",
    stderr: "mktemp: failed to create directory via template ‘/tmp/none.at.all/tmp.XXXXXXXXXX’: No such file or directory\n",
    exit: 1,
  },
  { name: "no such directory, quietly", command: "mktemp -q /tmp/none.at.all/XXX", exit: 1 },
  { name: "too few X", command: asData("foo.XX", "-t"), stderr: "mktemp: too few X's in template ‘foo.XX’\n", exit: 1 },
  { name: "too few X before a suffix", command: asData("fX", "--suffix=.c"), stderr: "mktemp: too few X's in template ‘fX.c’\n", exit: 1 },
  {
    name: "no X at the end",
    command: asData("aXXXb", "--suffix=x"),
    stderr: "mktemp: with --suffix, template ‘aXXXb’ must end in X\n",
    exit: 1,
  },
  {
    name: "a slash in the suffix",
    command: "mktemp --suffix=$(echo a/b)",
    stderr: "mktemp: invalid suffix ‘a/b’, contains directory separator\n",
    exit: 1,
  },
  {
    name: "a slash with -t",
    command: asData("a/XXX", "-t"),
    stderr: "mktemp: invalid template, ‘a/XXX’, contains directory separator\n",
    exit: 1,
  },
  {
    name: "an absolute template with --tmpdir",
    command: asData("/XXX", "-p /tmp"),
    stderr: "mktemp: invalid template, ‘/XXX’; with --tmpdir, it may not be absolute\n",
    exit: 1,
  },
  { name: "too many templates", command: asData("a b"), stderr: `mktemp: too many templates\n${HINT}`, exit: 1 },
  { name: "in the current directory", command: "mktemp foo.XXX", refused: "DISALLOWED_FLAG", after: {} },
  { name: "in a directory of the workspace", command: "mktemp -p . foo.XXX", refused: "DISALLOWED_FLAG" },
  { name: "the same, too few X", command: "mktemp foo.XX", refused: "BAD_VALUE" },
]);
