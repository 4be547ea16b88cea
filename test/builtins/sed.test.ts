/** sed: what scripts do, line by line. */
import { sed } from "../../builtins/sed.ts";
import { cases } from "../cases.ts";
import { messages } from "./messages.ts";

cases(sed, [
  { name: "a range of lines", command: "sed -n 2,3p", stdin: "1\n2\n3\n4\n", stdout: "2\n3\n" },
  { name: "a list of lines, then quit", command: "sed -n '1p;3,4p;4q'", stdin: "1\n2\n3\n4\n5\n", stdout: "1\n3\n4\n" },
  {
    name: "a missing file after the last line of interest is told of",
    command: "sed -n 1p a b",
    files: { a: "1\n2\n" },
    stdout: "1\n",
    stderr: "sed: can't read b: No such file or directory\n",
    exit: 2,
  },
  { name: "0,/re/ may end on the first line", command: "sed 0,/a/d", stdin: "a\na\n", stdout: "a\n" },
  { name: "every third line from the second", command: "sed -n 2~3p", stdin: "1\n2\n3\n4\n5\n", stdout: "2\n5\n" },
  { name: "addr,~N", command: "sed -n 2,~4p", stdin: "1\n2\n3\n4\n5\n", stdout: "2\n3\n4\n" },
  {
    name: "addr,~N from a line that is such a multiple goes on to the next one",
    command: "sed -n 4,~4p",
    stdin: "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
    stdout: "4\n5\n6\n7\n8\n",
  },
  {
    name: "addr,+N whose last line N took holds the next line",
    command: "sed -n '2,+1{=;N;N;N;N}'",
    stdin: "1\n2\n3\n4\n5\n6\n7\n8\n",
    stdout: "2\n7\n",
  },
  {
    name: "addr,LINE whose last line N took is over",
    command: "sed -n '/[27]/,3{=;N;N;N;N}'",
    stdin: "1\n2\n3\n4\n5\n6\n7\n8\n",
    stdout: "2\n",
  },
  { name: "an empty match after a match does not count", command: "sed 's/a*/x/g'", stdin: "baaac\n", stdout: "xbxcx\n" },
  { name: "the second match and those after it", command: "sed 's/o/0/2g'", stdin: "foooo\n", stdout: "fo000\n" },
  {
    name: "a range that begins late, past its end, selects nothing",
    command: "sed '2d;2,1p'",
    stdin: "1\n2\n3\n4\n5\n",
    stdout: "1\n3\n4\n5\n",
  },
  { name: "q ends a last line that has no newline", command: "sed q", stdin: "a", stdout: "a\n" },
  { name: "q ends the last line of a file that has no newline", command: "sed q a b", files: { a: "a", b: "b\n" }, stdout: "a\n" },
  {
    name: "-s: R starts its file again for each input",
    command: "sed -s 'R f' a b",
    files: { a: "a\n", b: "b\nc\n", f: "1\n2\n" },
    stdout: "a\n1\nb\n1\nc\n2\n",
  },
  {
    name: "-s: each input begins with an empty hold space",
    command: "sed -s x a b",
    files: { a: "a\nA\n", b: "b\nB\n" },
    stdout: "\na\n\nb\n",
  },
  { name: "-z: l folds with NUL", command: "sed -nz 'l 2'", stdin: "xy", stdout: "x\\\0y$\0" },
  {
    name: "// before any pattern is placed at the script's end",
    command: "sed -e p -e //p",
    stdin: "a\n",
    stdout: "a\n",
    stderr: "sed: -e expression #2, char 0: no previous regular expression\n",
    exit: 1,
  },
  { name: "groups and case", command: "sed 's/\\(x*\\)\\(foo\\)/\\u\\1\\2/'", stdin: "foo\n", stdout: "Foo\n" },
  { name: "a back-reference", command: "sed -E 's/(a*)-\\1$/[\\1]/'", stdin: "aa-aa\n", stdout: "[aa]\n" },
  { name: "M: ^ and $ at every line", command: "sed 'N;s/^/>/Mg;s/$/</Mg'", stdin: "a\nb\n", stdout: ">a<\n>b<\n" },
  { name: "one-liner text keeps blanks after a backslash", command: "sed '1i\\  x'", stdin: "a\n", stdout: "  x\na\n" },
  { name: "text goes on in the next -e", command: "sed -e 'a\\' -e '  x'", stdin: "a\n", stdout: "a\n  x\n" },
  {
    name: "bytes that are no characters survive, and . does not match them",
    command: "sed 's/./x/g'",
    stdin: "a\udcffb\n",
    stdout: "x\udcffx\n",
  },
  { name: "the last line keeps its missing newline", command: "sed p", stdin: "a", stdout: "a\na" },
  {
    name: "D keeps what is appended until the next line is read",
    command: "sed 'N;a foo\nP;D'",
    stdin: "a\nb\nc\n",
    stdout: "a\nfoo\nb\nc\nfoo\n",
  },
  { name: "q with a status", command: "sed 2q5", stdin: "a\nb\nc\n", stdout: "a\nb\n", exit: 5 },
  { name: "r puts a file after the line", command: "sed '1r f'", stdin: "a\nb\n", files: { f: "F\n" }, stdout: "a\nF\nb\n" },
  { name: "w /dev/stdout", command: "sed -n 's/a/b/w /dev/stdout'", stdin: "a\nc\n", stdout: "b\n" },
  { name: "the empty pattern is the last one used", command: "sed '/a/s//[&]/'", stdin: "xa\n", stdout: "x[a]\n" },
  { name: "-i is refused", command: "sed -i s/a/b/ f", files: { f: "a\n" }, refused: "DISALLOWED_FLAG", after: { f: "a\n" } },
  { name: "w FILE is refused", command: "sed -n '/a/w out' f", files: { f: "a\n" }, refused: "DISALLOWED_FLAG", after: { out: null } },
  { name: "e is refused", command: "sed '1e date'", refused: "RUNS_A_COMMAND" },
  { name: "s///e is refused", command: "sed s/a/b/e", refused: "RUNS_A_COMMAND" },
  { name: "a script that is none", command: "sed 's/a'", refused: "BAD_VALUE" },
  { name: "r of a file outside the root", command: "sed '1r /etc/passwd' f", files: { f: "a\n" }, refused: "PATH_ESCAPE" },
  {
    name: "r in a script file that leads outside is an error, and not an empty file",
    command: "sed -f s f",
    files: { f: "a\n", s: "r ../x\n" },
    stdout: "a\n",
    stderr: "sed: file s line 2: couldn't open file ../x: Path is outside the workspace\n",
    exit: 1,
    differs: "GNU sed passes over a file that it cannot read; one outside the root exists for the host, so nothing would not be true",
  },
  { name: "R of a file outside the root", command: "sed -e p -e '1R ../x' f", files: { f: "a\n" }, refused: "PATH_ESCAPE" },
]);

messages(sed, [
  [
    ["--s"],
    "sed: option '--s' is ambiguous; possibilities: '--silent' '--sandbox' '--separate'\nUsage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...\n\n  -n, --quiet, --silent\n                 suppress automatic printing of pattern space\n      --debug\n                 annotate program execution\n  -e script, --expression=script\n                 add the script to the commands to be executed\n  -f script-file, --file=script-file\n                 add the contents of script-file to the commands to be executed\n  --follow-symlinks\n                 follow symlinks when processing in place\n  -i[SUFFIX], --in-place[=SUFFIX]\n                 edit files in place (makes backup if SUFFIX supplied)\n  -l N, --line-length=N\n                 specify the desired line-wrap length for the `l' command\n  --posix\n                 disable all GNU extensions.\n  -E, -r, --regexp-extended\n                 use extended regular expressions in the script\n                 (for portability use POSIX -E).\n  -s, --separate\n                 consider files as separate rather than as a single,\n                 continuous long stream.\n      --sandbox\n                 operate in sandbox mode (disable e/r/w commands).\n  -u, --unbuffered\n                 load minimal amounts of data from the input files and flush\n                 the output buffers more often\n  -z, --null-data\n                 separate lines by NUL characters\n      --help     display this help and exit\n      --version  output version information and exit\n\nIf no -e, --expression, -f, or --file option is given, then the first\nnon-option argument is taken as the sed script to interpret.  All\nremaining arguments are names of input files; if no input files are\nspecified, then the standard input is read.\n\nGNU sed home page: <https://www.gnu.org/software/sed/>.\nGeneral help using GNU software: <https://www.gnu.org/gethelp/>.\n",
  ],

  [["-e", "p;/\\(/d"], "sed: -e expression #1, char 6: Unmatched ( or \\(\n"],
  [["--posix", "-e", "p;/\\(/Id"], "sed: -e expression #1, char 6: Unmatched ( or \\(\n"],
  [["--posix", "-e", "/\\(/ ,4p"], "sed: -e expression #1, char 5: Unmatched ( or \\(\n"],
]);
