/** ls against GNU coreutils 9.1: every expectation was printed by it. Directories' sizes and owners are the machine's, so -gG and operands. */
import { describe, expect, test } from "vitest";
import { ls } from "../../../builtins/ls/ls.ts";
import { parseArguments } from "../../../src/builtin/arguments.ts";
import { nativeMessage, UsageError } from "../../../src/builtin/usage-error.ts";
import { cases, type Row, lineCases } from "../../cases.ts";

type Place = Pick<Row, "files" | "tree" | "modes" | "mtimes">;

const PLAIN: Place = { files: { b: "", a: "", ".dot": "", ".x~": "", "c~": "", "dir/in": "", "dir/.h": "" } };
const V: Place = { files: { f1: "", f10: "", f9: "", f01: "", "a-1.2.tar.gz": "", "a-1.10.tar.gz": "", "a-1.2~": "" } };
const T: Place = {
  files: { new: "1", old: "22", older: "333" },
  modes: { new: 0o644, old: 0o640, older: 0o4711 },
  mtimes: { new: "2031-05-06T07:08:09.123Z", old: "2024-02-29T23:59:59Z", older: "2001-01-01T00:00:00Z" },
};
const N: Place = {
  files: { "a b": "", "it's": "", "new\nline": "", "tab\tx": "", "bad\udcff": "", plain: "", é: "", "#x": "", "eq=x": "" },
};
const K: Place = {
  files: { file: "12345", run: "#!\n", "sub/x": "" },
  tree: ["sub/", "link => file", "todir => sub", "dang => nowhere", "pipe|"],
  modes: { file: 0o644, run: 0o755, sub: 0o755, pipe: 0o600 },
  mtimes: { run: "2024-02-29T12:00:00Z" },
};
const S: Place = {
  files: { z: "x".repeat(1023), k: "x".repeat(1024), k1: "x".repeat(1025), m: "x".repeat(102400), n: "x".repeat(10189) },
  modes: { z: 0o644, k: 0o644, k1: 0o644, m: 0o644, n: 0o644 },
};
const C: Place = {
  files: { alpha: "", beta: "", "gamma-long-name": "", d: "", epsilon: "", zeta: "", eta: "", "theta-theta": "", iota: "" },
};

/** which names */
const whichNames: Row[] = [
  { name: "one per line, in byte order, no dot names", command: "ls", ...PLAIN, stdout: "a\nb\nc~\ndir\n" },
  { name: "-A", command: "ls -A", ...PLAIN, stdout: ".dot\n.x~\na\nb\nc~\ndir\n" },
  { name: "-a", command: "ls -a", ...PLAIN, stdout: ".\n..\n.dot\n.x~\na\nb\nc~\ndir\n" },
  {
    name: "-a after -A, and the reverse",
    command: "ls -Aa; ls -aA",
    ...PLAIN,
    stdout: ".\n..\n.dot\n.x~\na\nb\nc~\ndir\n.dot\n.x~\na\nb\nc~\ndir\n",
  },
  { name: "-B", command: "ls -B", ...PLAIN, stdout: "a\nb\ndir\n" },
  { name: "-B does not hold for -a's dots", command: "ls -aB", ...PLAIN, stdout: ".\n..\n.dot\na\nb\ndir\n" },
  { name: "-I", command: "ls -I 'a' -I 'c*'", ...PLAIN, stdout: "b\ndir\n" },
  { name: "-I holds for -A too, * not for a leading dot", command: "ls -A -I '*~' -I '.d*'", ...PLAIN, stdout: ".x~\na\nb\ndir\n" },
  {
    name: "--hide gives way to -A",
    command: "ls --hide='[ab]'; ls -A --hide='[ab]'",
    ...PLAIN,
    stdout: "c~\ndir\n.dot\n.x~\na\nb\nc~\ndir\n",
  },
  { name: "an operand is never ignored", command: "ls -I a a .dot", ...PLAIN, stdout: ".dot\na\n" },
  { name: "-d", command: "ls -d; ls -d dir .", ...PLAIN, stdout: ".\n.\ndir\n" },
  { name: "a file, a directory", command: "ls b dir", ...PLAIN, stdout: "b\n\ndir:\nin\n" },
  { name: "a directory alone has no header", command: "ls dir", ...PLAIN, stdout: "in\n" },
  { name: "two directories have", command: "ls dir ./dir", ...PLAIN, stdout: "./dir:\nin\n\ndir:\nin\n" },
  { name: "-R", command: "ls -R", ...PLAIN, stdout: ".:\na\nb\nc~\ndir\n\n./dir:\nin\n" },
  { name: "-RA from a name", command: "ls -RA dir", ...PLAIN, stdout: "dir:\n.h\nin\n" },
  { name: "-R with -d", command: "ls -Rd dir", ...PLAIN, stdout: "dir\n" },
  {
    name: "missing operands come first and make exit 2",
    command: "ls dir nope b no\\ pe",
    ...PLAIN,
    stdout: "b\n\ndir:\nin\n",
    stderr: "ls: cannot access 'nope': No such file or directory\nls: cannot access 'no pe': No such file or directory\n",
    exit: 2,
  },
  { name: "a file with a slash", command: "ls b/", ...PLAIN, stderr: "ls: cannot access 'b/': Not a directory\n", exit: 2 },
  { name: "an empty operand", command: "ls ''", ...PLAIN, stderr: "ls: cannot access '': No such file or directory\n", exit: 2 },
  { name: "hidden by no name", command: "ls dir/.h", ...PLAIN, stdout: "dir/.h\n" },
];

/** order */
const order: Row[] = [
  { name: "-v", command: "ls -v", ...V, stdout: "a-1.2~\na-1.2.tar.gz\na-1.10.tar.gz\nf01\nf1\nf9\nf10\n" },
  { name: "-r", command: "ls -r", ...V, stdout: "f9\nf10\nf1\nf01\na-1.2~\na-1.2.tar.gz\na-1.10.tar.gz\n" },
  { name: "-X", command: "ls -X", ...V, stdout: "f01\nf1\nf10\nf9\na-1.2~\na-1.10.tar.gz\na-1.2.tar.gz\n" },
  { name: "-Xr", command: "ls -Xr", ...V, stdout: "a-1.2.tar.gz\na-1.10.tar.gz\na-1.2~\nf9\nf10\nf1\nf01\n" },
  { name: "--sort=width", command: "ls --sort=width", ...V, stdout: "f1\nf9\nf01\nf10\na-1.2~\na-1.2.tar.gz\na-1.10.tar.gz\n" },
  {
    name: "the last sort wins",
    command: "ls -S -v; ls -v --sort=extension",
    ...V,
    stdout: "a-1.2~\na-1.2.tar.gz\na-1.10.tar.gz\nf01\nf1\nf9\nf10\nf01\nf1\nf10\nf9\na-1.2~\na-1.10.tar.gz\na-1.2.tar.gz\n",
  },
  { name: "an abbreviated word", command: "ls --sort=v", ...V, stdout: "a-1.2~\na-1.2.tar.gz\na-1.10.tar.gz\nf01\nf1\nf9\nf10\n" },
];

/** order by size and time */
const orderBySizeAndTime: Row[] = [
  { name: "-t", command: "ls -t", ...T, stdout: "new\nold\nolder\n" },
  { name: "-tr", command: "ls -tr", ...T, stdout: "older\nold\nnew\n" },
  { name: "-u sorts by access", command: "ls -u", ...T, stdout: "new\nold\nolder\n" },
  { name: "-S", command: "ls -S", ...T, stdout: "older\nold\nnew\n" },
  { name: "-Sr", command: "ls -Sr", ...T, stdout: "new\nold\nolder\n" },
  { name: "--time=atime sorts", command: "ls --time=atime", ...T, stdout: "new\nold\nolder\n" },
  {
    name: "-lu sorts by name",
    command: "ls -ogu --time-style=+%F new old",
    ...T,
    stdout: "-rw-r--r-- 1 1 2031-05-06 new\n-rw-r----- 1 2 2024-02-29 old\n",
  },
];

/** names in quotes */
const namesInQuotes: Row[] = [
  { name: "raw by default", command: "ls", ...N, stdout: "#x\na b\nbad\udcff\neq=x\nit's\nnew\nline\nplain\ntab\tx\né\n" },
  { name: "-b", command: "ls -b", ...N, stdout: "#x\na\\ b\nbad\\377\neq=x\nit's\nnew\\nline\nplain\ntab\\tx\né\n" },
  { name: "-Q", command: "ls -Q", ...N, stdout: '"#x"\n"a b"\n"bad\\377"\n"eq=x"\n"it\'s"\n"new\\nline"\n"plain"\n"tab\\tx"\n"é"\n' },
  { name: "-q", command: "ls -q", ...N, stdout: "#x\na b\nbad?\neq=x\nit's\nnew?line\nplain\ntab?x\né\n" },
  {
    name: "-q before --show-control-chars",
    command: "ls -q --show-control-chars",
    ...N,
    stdout: "#x\na b\nbad\udcff\neq=x\nit's\nnew\nline\nplain\ntab\tx\né\n",
  },
  {
    name: "--quoting-style=shell",
    command: "ls --quoting-style=shell",
    ...N,
    stdout: "'#x'\n'a b'\nbad\udcff\n'eq=x'\n\"it's\"\n'new\nline'\nplain\n'tab\tx'\né\n",
  },
  {
    name: "--quoting-style=shell-always",
    command: "ls --quoting-style=shell-always",
    ...N,
    stdout: "'#x'\n'a b'\n'bad\udcff'\n'eq=x'\n\"it's\"\n'new\nline'\n'plain'\n'tab\tx'\n'é'\n",
  },
  {
    name: "--quoting-style=shell-escape",
    command: "ls --quoting-style=shell-escape",
    ...N,
    stdout: "'#x'\n'a b'\n'bad'$'\\377'\n'eq=x'\n\"it's\"\n'new'$'\\n''line'\nplain\n'tab'$'\\t''x'\né\n",
  },
  {
    name: "--quoting-style=shell-escape-always",
    command: "ls --quoting-style=shell-escape-always",
    ...N,
    stdout: "'#x'\n'a b'\n'bad'$'\\377'\n'eq=x'\n\"it's\"\n'new'$'\\n''line'\n'plain'\n'tab'$'\\t''x'\n'é'\n",
  },
  {
    name: "--quoting-style=c-maybe",
    command: "ls --quoting-style=c-maybe",
    ...N,
    stdout: '#x\na b\n"bad\\377"\neq=x\nit\'s\n"new\\nline"\nplain\n"tab\\tx"\né\n',
  },
  {
    name: "--quoting-style=escape",
    command: "ls --quoting-style=escape",
    ...N,
    stdout: "#x\na\\ b\nbad\\377\neq=x\nit's\nnew\\nline\nplain\ntab\\tx\né\n",
  },
  {
    name: "--quoting-style=locale",
    command: "ls --quoting-style=locale",
    ...N,
    stdout: "‘#x’\n‘a b’\n‘bad\\377’\n‘eq=x’\n‘it's’\n‘new\\nline’\n‘plain’\n‘tab\\tx’\n‘é’\n",
  },
  {
    name: "--quoting-style=literal",
    command: "ls --quoting-style=literal",
    ...N,
    stdout: "#x\na b\nbad\udcff\neq=x\nit's\nnew\nline\nplain\ntab\tx\né\n",
  },
  {
    name: "shell-escape in columns moves bare names",
    command: "ls -C -w 60 --quoting-style=shell-escape",
    ...N,
    stdout: "'#x'   'bad'$'\\377'  \"it's\"\t        plain\t       é\n'a b'  'eq=x'\t     'new'$'\\n''line'  'tab'$'\\t''x'\n",
  },
  {
    name: "-Q in columns",
    command: "ls -CQ -w 70",
    ...N,
    stdout: '"#x"   "bad\\377"  "it\'s"       "plain"\t "é"\n"a b"  "eq=x"\t  "new\\nline"  "tab\\tx"\n',
  },
  { name: "a name taken for an indicator", command: "ls --file-type --quoting-style=escape eq=x", ...N, stdout: "eq\\=x\n" },
  {
    name: "--zero",
    command: "ls --zero",
    ...N,
    stdout: "#x\u0000a b\u0000bad\udcff\u0000eq=x\u0000it's\u0000new\nline\u0000plain\u0000tab\tx\u0000é\u0000",
  },
  {
    name: "-Q --zero is not quoted",
    command: "ls -Q --zero",
    ...N,
    stdout: "#x\u0000a b\u0000bad\udcff\u0000eq=x\u0000it's\u0000new\nline\u0000plain\u0000tab\tx\u0000é\u0000",
  },
  {
    name: "--zero -Q is",
    command: "ls --zero -Q",
    ...N,
    stdout: '"#x"\u0000"a b"\u0000"bad\\377"\u0000"eq=x"\u0000"it\'s"\u0000"new\\nline"\u0000"plain"\u0000"tab\\tx"\u0000"é"\u0000',
  },
  {
    name: "in columns, widths of what is not printable",
    command: "ls -C -w 40",
    ...N,
    stdout: "#x   bad\udcff  it's     plain  é\na b  eq=x  new\nline  tab\tx\n",
  },
];

/** kinds */
const kinds: Row[] = [
  { name: "-F", command: "ls -F", ...K, stdout: "dang@\nfile\nlink@\npipe|\nrun*\nsub/\ntodir@\n" },
  { name: "-p", command: "ls -p", ...K, stdout: "dang\nfile\nlink\npipe\nrun\nsub/\ntodir\n" },
  { name: "--file-type", command: "ls --file-type", ...K, stdout: "dang@\nfile\nlink@\npipe|\nrun\nsub/\ntodir@\n" },
  {
    name: "--classify=never",
    command: "ls --classify=never; ls --classify=auto",
    ...K,
    stdout: "dang\nfile\nlink\npipe\nrun\nsub\ntodir\ndang\nfile\nlink\npipe\nrun\nsub\ntodir\n",
  },
  {
    name: "--indicator-style",
    command: "ls --indicator-style=slash; ls --indicator-style=none -F",
    ...K,
    stdout: "dang\nfile\nlink\npipe\nrun\nsub/\ntodir\ndang@\nfile\nlink@\npipe|\nrun*\nsub/\ntodir@\n",
  },
  { name: "an operand that is a link to a directory is entered", command: "ls todir", ...K, stdout: "x\n" },
  {
    name: "but not with -d, -F, -l",
    command: "ls -d todir; ls -F todir; ls -gG --time-style=+ link todir",
    ...K,
    stdout: "todir\ntodir@\nlrwxrwxrwx 1 4  link -> file\nlrwxrwxrwx 1 3  todir -> sub\n",
  },
  { name: "-H enters it", command: "ls -FH todir", ...K, stdout: "x\n" },
  { name: "-L", command: "ls -L file link todir", ...K, stdout: "file\nlink\n\ntodir:\nx\n" },
  { name: "-L names what dangles and shows it all the same", command: "ls -L", ...K, stdout: "dang\nfile\nlink\npipe\nrun\nsub\ntodir\n" },
  {
    name: "-lL shows question marks",
    command: "ls -gGL --time-style=+ dang; ls -gGL --time-style=+%F run",
    ...K,
    stdout: "-rwxr-xr-x 1 3 2024-02-29 run\n",
    stderr: "ls: cannot access 'dang': No such file or directory\n",
  },
  { name: "a dangling operand is listed", command: "ls dang", ...K, stdout: "dang\n" },
  { name: "a link with a slash", command: "ls link/", ...K, stderr: "ls: cannot access 'link/': Not a directory\n", exit: 2 },
  {
    name: "-l shows where links lead",
    command: "ls -gG --time-style=+ link dang",
    ...K,
    stdout: "lrwxrwxrwx 1 7  dang -> nowhere\nlrwxrwxrwx 1 4  link -> file\n",
  },
  {
    name: "-lF marks what they lead to",
    command: "ls -gGF --time-style=+ link dang todir run pipe",
    ...K,
    stdout:
      "lrwxrwxrwx 1 7  dang -> nowhere\nlrwxrwxrwx 1 4  link -> file\nprw------- 1 0  pipe|\n-rwxr-xr-x 1 3  run*\nlrwxrwxrwx 1 3  todir -> sub/\n",
  },
  { name: "--group-directories-first", command: "ls --group-directories-first", ...K, stdout: "sub\ntodir\ndang\nfile\nlink\npipe\nrun\n" },
  { name: "and with -r", command: "ls -r --group-directories-first", ...K, stdout: "todir\nsub\nrun\npipe\nlink\nfile\ndang\n" },
  { name: "a FIFO's mode", command: "ls -gG --time-style=+ pipe", ...K, stdout: "prw------- 1 0  pipe\n" },
];

/** long format */
const longFormat: Row[] = [
  {
    name: "sizes and dates of operands",
    command: "ls -gG new old older",
    ...T,
    stdout: "-rw-r--r-- 1 1 May  6  2031 new\n-rw-r----- 1 2 Feb 29  2024 old\n-rws--x--x 1 3 Jan  1  2001 older\n",
  },
  {
    name: "--full-time",
    command: "ls --full-time -gG old new",
    ...T,
    stdout: "-rw-r--r-- 1 1 2031-05-06 07:08:09.122999000 +0000 new\n-rw-r----- 1 2 2024-02-29 23:59:59.000000000 +0000 old\n",
  },
  {
    name: "--time-style=long-iso",
    command: "ls -gG --time-style=long-iso old new",
    ...T,
    stdout: "-rw-r--r-- 1 1 2031-05-06 07:08 new\n-rw-r----- 1 2 2024-02-29 23:59 old\n",
  },
  {
    name: "--time-style=iso",
    command: "ls -gG --time-style=iso old older",
    ...T,
    stdout: "-rw-r----- 1 2 2024-02-29  old\n-rws--x--x 1 3 2001-01-01  older\n",
  },
  {
    name: "--time-style=locale",
    command: "ls -gG --time-style=locale old older",
    ...T,
    stdout: "-rw-r----- 1 2 Feb 29  2024 old\n-rws--x--x 1 3 Jan  1  2001 older\n",
  },
  {
    name: "--time-style=+FORMAT",
    command: "ls -gG --time-style='+%Y-%m-%d %H:%M:%S.%N %z %j %b %e' old new",
    ...T,
    stdout:
      "-rw-r--r-- 1 1 2031-05-06 07:08:09.122999000 +0000 126 May  6 new\n-rw-r----- 1 2 2024-02-29 23:59:59.000000000 +0000 060 Feb 29 old\n",
  },
  { name: "two formats", command: "ls -gG --time-style=$'+%Y\\n%H' old", ...T, stdout: "-rw-r----- 1 2 2024 old\n" },
  {
    name: "-t in long",
    command: "ls -gGt --time-style=+ older new old",
    ...T,
    stdout: "-rw-r--r-- 1 1  new\n-rw-r----- 1 2  old\n-rws--x--x 1 3  older\n",
  },
  {
    name: "-l wins over -1",
    command: "ls -gG1 --time-style=+ old; ls -1gG --time-style=+ old",
    ...T,
    stdout: "-rw-r----- 1 2  old\n-rw-r----- 1 2  old\n",
  },
  { name: "-f takes -l back", command: "ls -lf old", ...T, stdout: "old\n" },
  { name: "-C after -l", command: "ls -lC old new", ...T, stdout: "new  old\n" },
  { name: "a bad style does not matter without -l", command: "ls --time-style=foo old", ...T, stdout: "old\n" },
  {
    name: "-D",
    command: "ls -gGD --time-style=+ old new",
    ...T,
    stdout: "  -rw-r--r-- 1 1  new\n  -rw-r----- 1 2  old\n//DIRED// 18 21 40 43\n//DIRED-OPTIONS// --quoting-style=literal\n",
  },
  {
    name: "--zero -l",
    command: "ls -gG --zero --time-style=+ old new",
    ...T,
    stdout: "-rw-r--r-- 1 1  new\u0000-rw-r----- 1 2  old\u0000",
  },
  {
    name: "columns as wide as the widest",
    command: "ls -gG --time-style=+ older new",
    ...T,
    stdout: "-rw-r--r-- 1 1  new\n-rws--x--x 1 3  older\n",
  },
];

/** sizes */
const sizes: Row[] = [
  {
    name: "-h",
    command: "ls -gGh --time-style=+ z k k1 m n",
    ...S,
    stdout: "-rw-r--r-- 1 1.0K  k\n-rw-r--r-- 1 1.1K  k1\n-rw-r--r-- 1 100K  m\n-rw-r--r-- 1  10K  n\n-rw-r--r-- 1 1023  z\n",
  },
  {
    name: "--si",
    command: "ls -gG --si --time-style=+ z k k1 m n",
    ...S,
    stdout: "-rw-r--r-- 1 1.1k  k\n-rw-r--r-- 1 1.1k  k1\n-rw-r--r-- 1 103k  m\n-rw-r--r-- 1  11k  n\n-rw-r--r-- 1 1.1k  z\n",
  },
  {
    name: "--block-size=K",
    command: "ls -gG --block-size=K --time-style=+ z k k1 m n",
    ...S,
    stdout: "-rw-r--r-- 1   1K  k\n-rw-r--r-- 1   2K  k1\n-rw-r--r-- 1 100K  m\n-rw-r--r-- 1  10K  n\n-rw-r--r-- 1   1K  z\n",
  },
  {
    name: "--block-size=KB",
    command: "ls -gG --block-size=KB --time-style=+ z k k1 m n",
    ...S,
    stdout: "-rw-r--r-- 1   2kB  k\n-rw-r--r-- 1   2kB  k1\n-rw-r--r-- 1 103kB  m\n-rw-r--r-- 1  11kB  n\n-rw-r--r-- 1   2kB  z\n",
  },
  {
    name: "--block-size=KiB",
    command: "ls -gG --block-size=KiB --time-style=+ z k1",
    ...S,
    stdout: "-rw-r--r-- 1 2KiB  k1\n-rw-r--r-- 1 1KiB  z\n",
  },
  {
    name: "--block-size=1000",
    command: "ls -gG --block-size=1000 --time-style=+ z k1",
    ...S,
    stdout: "-rw-r--r-- 1 2  k1\n-rw-r--r-- 1 2  z\n",
  },
  {
    name: "--block-size=human-readable",
    command: "ls -gG --block-size=human-readable --time-style=+ m n",
    ...S,
    stdout: "-rw-r--r-- 1 100K  m\n-rw-r--r-- 1  10K  n\n",
  },
  { name: "the last one wins", command: "ls -gGh --block-size=1 --time-style=+ m", ...S, stdout: "-rw-r--r-- 1 102400  m\n" },
  { name: "-k does not change sizes", command: "ls -gGk --time-style=+ m", ...S, stdout: "-rw-r--r-- 1 102400  m\n" },
];

/** several on a line */
const severalOnALine: Row[] = [
  { name: "-C", command: "ls -C", ...C, stdout: "alpha  beta  d\tepsilon  eta  gamma-long-name  iota  theta-theta  zeta\n" },
  { name: "-C -w 30", command: "ls -C -w 30", ...C, stdout: "alpha\t gamma-long-name\nbeta\t iota\nd\t theta-theta\nepsilon  zeta\neta\n" },
  { name: "-C -w 0", command: "ls -C -w 0", ...C, stdout: "alpha  beta  d  epsilon  eta  gamma-long-name  iota  theta-theta  zeta\n" },
  { name: "-C -w 1", command: "ls -C -w 1", ...C, stdout: "alpha\nbeta\nd\nepsilon\neta\ngamma-long-name\niota\ntheta-theta\nzeta\n" },
  {
    name: "-x",
    command: "ls -x -w 40",
    ...C,
    stdout: "alpha\t beta\t      d\nepsilon  eta\t      gamma-long-name\niota\t theta-theta  zeta\n",
  },
  { name: "-m", command: "ls -m -w 30", ...C, stdout: "alpha, beta, d, epsilon, eta,\ngamma-long-name, iota,\ntheta-theta, zeta\n" },
  { name: "-m -w 0", command: "ls -mw0", ...C, stdout: "alpha, beta, d, epsilon, eta, gamma-long-name, iota, theta-theta, zeta\n" },
  {
    name: "-T 4",
    command: "ls -C -w 50 -T 4",
    ...C,
    stdout: "alpha  epsilon\t\t\tiota\nbeta   eta\t\t\t\ttheta-theta\nd\t   gamma-long-name\tzeta\n",
  },
  {
    name: "-T 0",
    command: "ls -C -w 50 -T 0",
    ...C,
    stdout: "alpha  epsilon          iota\nbeta   eta              theta-theta\nd      gamma-long-name  zeta\n",
  },
  {
    name: "-C -F -p",
    command: "ls -CF -w 50",
    ...C,
    stdout: "alpha  epsilon\t\tiota\nbeta   eta\t\ttheta-theta\nd      gamma-long-name\tzeta\n",
  },
  {
    name: "the last format wins",
    command: "ls -C -m; ls -m -1; ls -1 -x -w 40",
    ...C,
    stdout:
      "alpha, beta, d, epsilon, eta, gamma-long-name, iota, theta-theta, zeta\nalpha\nbeta\nd\nepsilon\neta\ngamma-long-name\niota\ntheta-theta\nzeta\nalpha\t beta\t      d\nepsilon  eta\t      gamma-long-name\niota\t theta-theta  zeta\n",
  },
  {
    name: "--format",
    command: "ls --format=commas; ls --format=across -w 30; ls --format=single-column; ls --format=vertical -w 30",
    ...C,
    stdout:
      "alpha, beta, d, epsilon, eta, gamma-long-name, iota, theta-theta, zeta\nalpha  beta\nd      epsilon\neta    gamma-long-name\niota   theta-theta\nzeta\nalpha\nbeta\nd\nepsilon\neta\ngamma-long-name\niota\ntheta-theta\nzeta\nalpha\t gamma-long-name\nbeta\t iota\nd\t theta-theta\nepsilon  zeta\neta\n",
  },
  {
    name: "an octal width",
    command: "ls -C -w 036",
    ...C,
    stdout: "alpha\t gamma-long-name\nbeta\t iota\nd\t theta-theta\nepsilon  zeta\neta\n",
  },
];

/** With TERM=xterm. */
const COLORED =
  "\u001b[0m\u001b[01;36mdang\u001b[0m\nfile\n\u001b[01;36mlink\u001b[0m\n\u001b[33mpipe\u001b[0m\n\u001b[01;32mrun\u001b[0m\n\u001b[01;34msub\u001b[0m\n\u001b[01;36mtodir\u001b[0m\n";

const ours: Row[] = [
  { name: "naming .. of the root is refused", command: "ls -di . ..", tree: ["a/"], refused: "PATH_ESCAPE" },
  {
    name: "the records are not listed",
    command: "ls -A; ls -R",
    files: { ".shelpa/f": "", a: "" },
    stdout: "a\n.:\na\n",
    differs: "our records are passed over",
  },
  { name: "the records are listed when they are named", command: "ls .shelpa", files: { ".shelpa/f": "", a: "" }, stdout: "f\n" },
  {
    name: "a link that leads out",
    command: "ls out; ls -gG --time-style=+ out",
    tree: ["out => ../elsewhere"],
    stdout: "lrwxrwxrwx 1 12  out -> ../elsewhere\n",
    stderr: "ls: cannot access 'out': Symbolic link leaves the workspace\n",
    differs: "nothing is read outside the root",
  },
  {
    name: "a message keeps the slashes at the end of an operand",
    command: "ls -s -L d//",
    tree: ["d/", "d/q => q"],
    stdout: "total 0\n? q\n",
    stderr: "ls: cannot access 'd//q': Too many levels of symbolic links\n",
    exit: 1,
  },
  {
    name: "--dired has no offsets of what a link leads to, in color either",
    command: "ls -gGDF --color=always --time-style=+ | grep DIRED//",
    tree: ["q => ."],
    files: { p: "" },
    stdout: "//DIRED// 28 29 48 49\n",
    differs: "there is no environment to ask for TERM",
  },
  {
    name: "--dired does not count colors",
    command: "ls -gGD --color=always --time-style=+",
    files: { aé: "" },
    modes: { aé: 0o755 },
    stdout: "  total 0\n  -rwxr-xr-x 1 0  \u001b[0m\u001b[01;32maé\u001b[0m\n//DIRED// 28 31\n//DIRED-OPTIONS// --quoting-style=literal\n",
    differs: "there is no environment to ask for TERM",
  },
  {
    name: "--color: the end of a line is cleared where a name may go on below, counted from the owner on and in bytes",
    command:
      "ls -l --color=always --time-style=+%F -w 14 ééé | cut -d ' ' -f 5-; ls -l --color=always --time-style=+%F -w 20 ééé | cut -d ' ' -f 5-",
    files: { ééé: "" },
    modes: { ééé: 0o755 },
    mtimes: { ééé: "2020-01-01T00:00:00Z" },
    stdout: "0 2020-01-01 \u001b[0m\u001b[01;32mééé\u001b[0m\u001b[K\n0 2020-01-01 \u001b[0m\u001b[01;32mééé\u001b[0m\n",
    differs: "there is no environment to ask for TERM",
  },
  {
    name: "colors without a TERM",
    command: "ls --color=always; ls --color",
    ...K,
    stdout: COLORED + COLORED,
    differs: "there is no environment to ask",
  },
  {
    name: "color is off when auto",
    command: "ls --color=auto; ls --color=never -F run",
    ...K,
    stdout: "dang\nfile\nlink\npipe\nrun\nsub\ntodir\nrun*\n",
  },
  { name: "hyperlinks name host paths", command: "ls --hyperlink", refused: "DISALLOWED_FLAG" },
  { name: "--hyperlink=auto", command: "ls --hyperlink=auto --hyperlink=never a", files: { a: "" }, stdout: "a\n" },
  { name: "a bad value is refused before anything runs", command: "ls | tee a; ls --sort=foo", refused: "BAD_VALUE" },
  { name: "so is a combination", command: "ls | tee a; ls -lD --zero", refused: "BAD_VALUE" },
  { name: "an unknown flag", command: "ls --colour-x", refused: "UNKNOWN_FLAG" },
  {
    name: "a reader that has enough stops it",
    command: "ls -U many | head -n 1 | wc -l",
    tree: Array.from({ length: 300 }, (_, at) => `many/${at}:`),
    stdout: "1\n",
  },
];

/** Messages of GNU ls about bad arguments; a line with one is refused before it runs. */
const complaints: readonly (readonly [args: readonly string[], stderr: string])[] = [
  [
    ["--sort=foo"],
    "ls: invalid argument ‘foo’ for ‘--sort’\nValid arguments are:\n  - ‘none’\n  - ‘time’\n  - ‘size’\n  - ‘extension’\n  - ‘version’\n  - ‘width’\nTry 'ls --help' for more information.\n",
  ],
  [
    ["--sort="],
    "ls: ambiguous argument ‘’ for ‘--sort’\nValid arguments are:\n  - ‘none’\n  - ‘time’\n  - ‘size’\n  - ‘extension’\n  - ‘version’\n  - ‘width’\nTry 'ls --help' for more information.\n",
  ],
  [
    ["--time=x"],
    "ls: invalid argument ‘x’ for ‘--time’\nValid arguments are:\n  - ‘atime’, ‘access’, ‘use’\n  - ‘ctime’, ‘status’\n  - ‘birth’, ‘creation’\nTry 'ls --help' for more information.\n",
  ],
  [
    ["--color=x"],
    "ls: invalid argument ‘x’ for ‘--color’\nValid arguments are:\n  - ‘always’, ‘yes’, ‘force’\n  - ‘never’, ‘no’, ‘none’\n  - ‘auto’, ‘tty’, ‘if-tty’\nTry 'ls --help' for more information.\n",
  ],
  [
    ["--format=x"],
    "ls: invalid argument ‘x’ for ‘--format’\nValid arguments are:\n  - ‘verbose’, ‘long’\n  - ‘commas’\n  - ‘horizontal’, ‘across’\n  - ‘vertical’\n  - ‘single-column’\nTry 'ls --help' for more information.\n",
  ],
  [
    ["--classify=x"],
    "ls: invalid argument ‘x’ for ‘--classify’\nValid arguments are:\n  - ‘always’, ‘yes’, ‘force’\n  - ‘never’, ‘no’, ‘none’\n  - ‘auto’, ‘tty’, ‘if-tty’\nTry 'ls --help' for more information.\n",
  ],
  [
    ["--hyperlink=x"],
    "ls: invalid argument ‘x’ for ‘--hyperlink’\nValid arguments are:\n  - ‘always’, ‘yes’, ‘force’\n  - ‘never’, ‘no’, ‘none’\n  - ‘auto’, ‘tty’, ‘if-tty’\nTry 'ls --help' for more information.\n",
  ],
  [
    ["--indicator-style=x"],
    "ls: invalid argument ‘x’ for ‘--indicator-style’\nValid arguments are:\n  - ‘none’\n  - ‘slash’\n  - ‘file-type’\n  - ‘classify’\nTry 'ls --help' for more information.\n",
  ],
  [
    ["--quoting-style=s"],
    "ls: ambiguous argument ‘s’ for ‘--quoting-style’\nValid arguments are:\n  - ‘literal’\n  - ‘shell’\n  - ‘shell-always’\n  - ‘shell-escape’\n  - ‘shell-escape-always’\n  - ‘c’\n  - ‘c-maybe’\n  - ‘escape’\n  - ‘locale’\n  - ‘clocale’\nTry 'ls --help' for more information.\n",
  ],
  [
    ["-l", "--time-style=foo"],
    "ls: invalid argument ‘foo’ for ‘time style’\nValid arguments are:\n  - [posix-]full-iso\n  - [posix-]long-iso\n  - [posix-]iso\n  - [posix-]locale\n  - +FORMAT (e.g., +%H:%M) for a 'date'-style format\nTry 'ls --help' for more information.\n",
  ],
  [
    ["-l", "--time-style=l"],
    "ls: ambiguous argument ‘l’ for ‘time style’\nValid arguments are:\n  - [posix-]full-iso\n  - [posix-]long-iso\n  - [posix-]iso\n  - [posix-]locale\n  - +FORMAT (e.g., +%H:%M) for a 'date'-style format\nTry 'ls --help' for more information.\n",
  ],
  [["-l", "--time-style=+a\nb\nc"], "ls: invalid time style format ‘a\\nb\\nc’\n"],
  [["-lD", "--zero"], "ls: --dired and --zero are incompatible\n"],
  [["--block-size=foo"], "ls: invalid --block-size argument 'foo'\n"],
  [["--block-size=0"], "ls: invalid --block-size argument '0'\n"],
  [["--block-size=1Ki"], "ls: invalid suffix in --block-size argument '1Ki'\n"],
  [["--block-size=99Z"], "ls: --block-size argument '99Z' too large\n"],
  [["--block-size"], "ls: option '--block-size' requires an argument\nTry 'ls --help' for more information.\n"],
  [["-w", "foo"], "ls: invalid line width: ‘foo’\n"],
  [["-w", "-1"], "ls: invalid line width: ‘-1’\n"],
  [["-T", "x"], "ls: invalid tab size: ‘x’\n"],
  [["-T", "99999999999999999999999"], "ls: invalid tab size: ‘99999999999999999999999’: Value too large for defined data type\n"],
  [["-I"], "ls: option requires an argument -- 'I'\nTry 'ls --help' for more information.\n"],
  [["--foo"], "ls: unrecognized option '--foo'\nTry 'ls --help' for more information.\n"],
  [["-y"], "ls: invalid option -- 'y'\nTry 'ls --help' for more information.\n"],
  [["--recursive=x"], "ls: option '--recursive' doesn't allow an argument\nTry 'ls --help' for more information.\n"],
];

describe("bad arguments", () => {
  test.each(complaints)("%j", (args, stderr) => {
    const complain = (): void =>
      ls.check?.(
        parseArguments(
          ls,
          "ls",
          args.map((text) => ({ text })),
        ),
      );
    let said = "";
    try {
      complain();
    } catch (thrown) {
      if (!(thrown instanceof UsageError)) throw thrown;
      said = nativeMessage(ls, "ls", thrown);
    }
    expect(said).toBe(stderr);
  });
});

cases(ls, [
  ...whichNames,
  ...order,
  ...orderBySizeAndTime,
  ...namesInQuotes,
  ...kinds,
  ...longFormat,
  ...sizes,
  ...severalOnALine,
  ...ours,
]);

describe("what random lines have found", () => {
  lineCases([
    { name: "-R: one slash is kept below", command: "ls -R d//", files: { "d/e/f": "" }, stdout: "d//:\ne\n\nd/e:\nf\n" },
    {
      name: "-T, -w and --block-size in C's notation",
      command: "ls -x -T 0x10 -w 010; ls -x -w 0x20",
      files: { a: "", b: "", c: "", d: "" },
      stdout: "a  b  c\nd\na  b  c  d\n",
    },
    {
      name: "an operand that is not there and would be quoted moves the others",
      command: "ls -x --quoting-style=shell a b 'x y'",
      files: { a: "", b: "" },
      stdout: " a   b\n",
      stderr: "ls: cannot access 'x y': No such file or directory\n",
      exit: 2,
    },
    { name: "--hide: as bytes where not as text", command: "ls --hide='??'", files: { é: "", aéb: "" }, stdout: "aéb\n" },
  ]);
});
