/** stat against GNU coreutils 9.1: every expectation was printed by it. Inodes, devices and owners are the machine's, so the rows leave them out. */
import { describe } from "vitest";
import { stat } from "../../../builtins/stat/stat.ts";
import { cases, type Row, lineCases } from "../../cases.ts";

type Place = Pick<Row, "files" | "tree" | "modes" | "mtimes">;

const S: Place = {
  files: { f: "12345", empty: "", "a b": "", "it's": "", "n\nl": "", old: "", "d/x": "" },
  tree: ["ld => d", "dang => nope", "loop => loop", "p|"],
  modes: { f: 0o640, empty: 0o4755, d: 0o1777, p: 0o600, old: 0o644, "a b": 0o644 },
  mtimes: { f: "2024-02-29T12:34:56.789Z", old: "1960-01-01T00:00:00.25Z", empty: "1969-12-31T23:59:59.25Z" },
};

cases(stat, [
  {
    name: "an escape that is none is told of by its first byte",
    command: "stat --printf='\\é' f",
    files: { f: "" },
    stdout: "é",
    stderr: "stat: warning: unrecognized escape '\\\udcc3'\n",
  },
  { name: "size and name", command: "stat -c '%n %s' f empty d/x", ...S, stdout: "f 5\nempty 0\nd/x 0\n" },
  {
    name: "the default form",
    command: "stat f 'a b' ld | sed -E '/^(Device|Access|Change| Birth|Modify)/d; s/IO Block: [0-9]+/IO/'",
    ...S,
    stdout:
      "  File: f\n  Size: 5         \tBlocks: 8          IO   regular file\n  File: a b\n  Size: 0         \tBlocks: 0          IO   regular empty file\n  File: ld -> d\n  Size: 1         \tBlocks: 0          IO   symbolic link\n",
  },
  {
    name: "its times and modes",
    command: "stat old | grep -E '^(Modify|Access: \\(0)' | sed 's/Uid.*//'",
    ...S,
    stdout: "Access: (0644/-rw-r--r--)  \nModify: 1960-01-01 00:00:00.250000000 +0000\n",
  },
  {
    name: "of a device",
    command: "stat /dev/null | sed -n 1p; stat -c '%F %t,%T' /dev/null",
    stdout: "  File: /dev/null\ncharacter special file 1,3\n",
  },
  {
    name: "names are quoted in a format alone",
    command: "stat -c '%N' 'a b' \"it's\" $'n\\nl' ld dang loop",
    ...S,
    stdout: "'a b'\n\"it's\"\n'n'$'\\n''l'\n'ld' -> 'd'\n'dang' -> 'nope'\n'loop' -> 'loop'\n",
  },
  { name: "%n is bare", command: "stat -c '%n' 'a b' $'n\\nl'", ...S, stdout: "a b\nn\nl\n" },
  {
    name: "kinds",
    command: "stat -c '%F' f empty d ld p; stat -Lc %F ld",
    ...S,
    stdout: "regular file\nregular empty file\ndirectory\nsymbolic link\nfifo\ndirectory\n",
  },
  {
    name: "permissions",
    command: "stat -c '%a %A %f' f empty d p",
    ...S,
    stdout: "640 -rw-r----- 81a0\n4755 -rwsr-xr-x 89ed\n1777 drwxrwxrwt 43ff\n600 prw------- 1180\n",
  },
  {
    name: "%#.0a of no permission is a zero",
    command: "stat -c '%#3.0a|%.0a|%#.0D' f | cut -d '|' -f 1,2",
    files: { f: "" },
    modes: { f: 0 },
    stdout: "  0|\n",
  },
  {
    name: "of permissions: flags, width, precision",
    command: "stat -c '%#a|%04a|%010a|%-6a|%15A|%-15A|%.3A|%.20a|%+a|%-#8a|%#.6f|%#f|' f",
    ...S,
    stdout: "0640|0640|0000000640|640   |     -rw-r-----|-rw-r-----     |-rw|00000000000000000640|640|0640    |0x0081a0|0x81a0|\n",
  },
  {
    name: "of text only - counts",
    command: "stat -c '%-10.2n|%020F|%25F|%-25F|%5n|%05n|' f",
    ...S,
    stdout: "f         |        regular file|             regular file|regular file             |    f|    f|\n",
  },
  {
    name: "of sizes",
    command: "stat -c '%8s|%08s|%-8s|%+s|% s|%.8s|%8.6s|%-+ #08s|%I8s|%5.0s|' f",
    ...S,
    stdout: "       5|00000005|5       |+5| 5|00000005|  000005|+5      |       5|    5|\n",
  },
  {
    name: "of unsigned numbers + does not count",
    command: "stat -c '%+h|% h|%5h|%-5h|%05h|%#r|%#R|' f",
    ...S,
    stdout: "1|1|    1|1    |00001|0|0|\n",
  },
  { name: "the whole seconds", command: "stat -c '%Y' f old empty", ...S, stdout: "1709210096\n-315619200\n-1\n" },
  {
    name: "with a fraction",
    command: "stat -c '%.3Y|%.Y|%.0Y|%.12Y|' f old empty",
    ...S,
    stdout:
      "1709210096.789|1709210096.789000000|1709210096|1709210096.789000000000|\n-315619199.750|-315619199.750000000|-315619200|-315619199.750000000000|\n-0.750|-0.750000000|-1|-0.750000000000|\n",
  },
  {
    name: "width and fraction",
    command: "stat -c '%20.3Y|%-20.3Y|%020.3Y|%+20.3Y|%12.3Y|%2.3Y|%5.1Y|%30.12Y|%-30.12Y|%015.2Y|' f",
    ...S,
    stdout:
      "      1709210096.789|1709210096.789      |0000001709210096.789|     +1709210096.789|1709210096.789  |1709210096.789|1709210096.7|       1709210096.789000000000|1709210096.789000000000       |001709210096.78|\n",
  },
  {
    name: "before the epoch",
    command: "stat -c '%20.2Y|%020.2Y|%-20.2Y|%.1Y|%y' old empty",
    ...S,
    stdout:
      "       -315619199.75|-0000000315619199.75|-315619199.75       |-315619199.7|1960-01-01 00:00:00.250000000 +0000\n               -0.75|-0000000000000000.75|-0.75               |-0.7|1969-12-31 23:59:59.250000000 +0000\n",
  },
  {
    name: "times as text",
    command: "stat -c '%y|%.10y|%40y|%-40y|' f",
    ...S,
    stdout:
      "2024-02-29 12:34:56.789000000 +0000|2024-02-29|     2024-02-29 12:34:56.789000000 +0000|2024-02-29 12:34:56.789000000 +0000     |\n",
  },
  { name: "blocks are counted in", command: "stat -c '%B' f", ...S, stdout: "512\n" },
  { name: "percent signs", command: "stat -c '%%|%' f", ...S, stdout: "%|%\n" },
  { name: "letters that mean nothing", command: "stat -c '%q|%e|%H|%L|%Hx|%É|' f", ...S, stdout: "?|?|?|?|?x|?\udc89|\n" },
  {
    name: "a percent sign with a width ends it all",
    command: "stat -c '%n %5%|' f f",
    ...S,
    stdout: "f ",
    stderr: "stat: ‘%5%’: invalid directive\n",
    exit: 1,
  },
  { name: "and at the end", command: "stat -c 'a%-5' f f", ...S, stdout: "a", stderr: "stat: ‘%-5’: invalid directive\n", exit: 1 },
  { name: "--printf", command: "stat --printf '%n\\t%s\\n\\x41\\101\\0\\\\\\\"\\e' f | tr '\\0' '@'", ...S, stdout: 'f\t5\nAA@\\"\u001b' },
  {
    name: "--printf: what is no escape",
    command: "stat --printf '\\q\\x\\x4g\\18\\n' f",
    ...S,
    stdout: "qx\u0004g\u00018\n",
    stderr: "stat: warning: unrecognized escape '\\q'\nstat: warning: unrecognized escape '\\x'\n",
  },
  {
    name: "--printf: a backslash at the end",
    command: "stat --printf 'a\\' f",
    ...S,
    stdout: "a\\",
    stderr: "stat: warning: backslash at end of format\n",
  },
  { name: "-c takes no escapes", command: "stat -c 'a\\nb' f", ...S, stdout: "a\\nb\n" },
  { name: "the last of -c and --printf counts", command: "stat --printf x -c y f; stat -c y --printf x f", ...S, stdout: "y\nx" },
  { name: "-c before -t", command: "stat -tc %n f", ...S, stdout: "f\n" },
  { name: "-t", command: "stat -t f | cut -d' ' -f1,2,4,12", ...S, stdout: "f 5 81a0 1709210096\n" },
  {
    name: "what is not there",
    command: "stat -c %n nope f ''",
    ...S,
    stdout: "f\n",
    stderr: "stat: cannot statx 'nope': No such file or directory\nstat: cannot statx '': No such file or directory\n",
    exit: 1,
  },
  {
    name: "-L",
    command: "stat -L -c '%N %F' ld f dang loop",
    ...S,
    stdout: "'ld' directory\n'f' regular file\n",
    stderr: "stat: cannot statx 'dang': No such file or directory\nstat: cannot statx 'loop': Too many levels of symbolic links\n",
    exit: 1,
  },
  { name: "--cached", command: "stat --cached=never -c %n f; stat --cached=al -c %n f", ...S, stdout: "f\nf\n" },
  {
    name: "no SELinux",
    command: "stat -c 'a%Cb' f",
    ...S,
    stdout: "a?b\n",
    stderr: "stat: failed to get security context of 'f': No data available\n",
    exit: 1,
  },
  {
    name: "a slash behind a file",
    command: "stat -c %n f/ ld/ d/",
    ...S,
    stdout: "ld/\nd/\n",
    stderr: "stat: cannot statx 'f/': Not a directory\n",
    exit: 1,
  },
  {
    name: "-f with the format of BSD",
    command: "stat -f '%Sm' nope",
    ...S,
    stderr:
      "stat: cannot read file system information for '%Sm': No such file or directory\nstat: cannot read file system information for 'nope': No such file or directory\n",
    exit: 1,
  },
  {
    name: "-f",
    command: "stat -f f",
    ...S,
    stderr: "stat: 'f': -f: the file systems of the host are not shown here; stat -c FORMAT tells of the file\n",
    exit: 1,
    differs: "the host's file systems are outside the workspace",
  },
  { name: "%m", command: "stat -c %m f", ...S, refused: "DISALLOWED_FLAG" },
  {
    name: "standard input",
    command: "echo x | stat -c %F -",
    stderr: "stat: cannot stat standard input: There is no file behind it here\n",
    exit: 1,
    differs: "GNU says fifo; the pipe between our stages has no status",
  },
  {
    name: "a link out of the workspace",
    command: "stat -c '%N %F' out; stat -Lc %n out",
    tree: ["out => /etc/passwd"],
    stdout: "'out' -> '/etc/passwd' symbolic link\n",
    stderr: "stat: cannot statx 'out': Symbolic link leaves the workspace\n",
    exit: 1,
    differs: "nothing outside the workspace is shown",
  },
]);

describe("what random lines have found", () => {
  lineCases([
    { name: "%N is quoted where one stands without flags", command: "stat -c '%N|%-5N' f", files: { f: "" }, stdout: "'f'|'f'  \n" },
    { name: "%N is not quoted where none does", command: "stat -c '%-5N|%#N' l", tree: ["l => a"], stdout: "l     -> a    |l -> as\n" },
  ]);
});
