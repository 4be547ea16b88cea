/** rg: the output of ripgrep as a module of ours, and the files that it may not see. */
import { describe, expect, test } from "vitest";
import { rg } from "../../../builtins/rg/rg.ts";
import { perlOnly } from "../../../builtins/rg/perl-patterns.ts";
import { cases, runOurs, type Row } from "../../cases.ts";
import { tree } from "../../tree.ts";

const project: Pick<Row, "files"> = {
  files: {
    ".gitignore": "built/\n",
    ".git/HEAD": "x\n",
    "src/a.ts": "one foo\ntwo\nthree foo\n",
    "src/.env": "foo\n",
    "built/b.js": "foo\n",
    "c.md": "Foo bar\n",
  },
};
const sorted: Pick<Row, "files"> = { files: { "a/1": "x\n", "a/2": "y\nx\n", b: "x\n" } };

cases(rg, [
  {
    name: "--engine=auto with a pattern of Perl's",
    command: "rg --engine=auto '\\Gco'; rg --engine=auto '(?<=x)y'; rg --engine=auto 'c+'",
    stdin: "cocoa\n",
    stdout: "cocoa\n",
    exit: 1,
  },
  {
    name: "-P: recursion and a condition",
    command: "rg -P '^(a(?1)?b)$' f; rg -cP '(a)?(?(1)b|c)' f",
    files: { f: "aabb\naab\nc\n" },
    stdout: "aabb\n3\n",
  },
  {
    name: "a comment of (?x) takes the end of the group",
    command: "rg -o '(?x)a#.'",
    stdin: "fig a#b\n",
    stderr: "rg: regex parse error:\n    (?:(?x)a#.)\n    ^\nerror: unclosed group\n",
    exit: 2,
  },
  {
    name: "types since 15.2",
    command: "rg -t proto x .; rg -t hurl x .; rg -t mojo x .; rg -t pkgbuild x .; rg -t rocq x .; rg --type-clear proto -t proto x .",
    files: { "a.proto": "x\n", "a.hurl": "x\n", "a.mojo": "x\n", PKGBUILD: "x\n", "a.v": "x\n" },
    stdout: "./a.proto:x\n./a.hurl:x\n./a.mojo:x\n./PKGBUILD:x\n./a.v:x\n",
    stderr: "rg: unrecognized file type: proto\n",
    exit: 2,
  },
  {
    name: "without input it searches the directory, without ./",
    command: "rg foo </dev/null",
    ...project,
    stdout: "src/a.ts:one foo\nsrc/a.ts:three foo\n",
  },
  { name: "as a later stage it searches its input", command: "cat src/a.ts | rg -n foo", ...project, stdout: "1:one foo\n3:three foo\n" },
  { name: "given text is searched", command: "rg -c o", stdin: "o\no\nx\n", stdout: "2\n" },
  { name: "a here-document is searched", command: "rg b <<'EOF'\nab\nc\nEOF", stdout: "ab\n" },
  { name: "--files lists though there is input", command: "echo x | rg --files --sort path", ...project, stdout: "c.md\nsrc/a.ts\n" },
  {
    name: "a directory operand is printed as typed",
    command: "rg foo ./src/",
    ...project,
    stdout: "./src/a.ts:one foo\n./src/a.ts:three foo\n",
  },
  {
    name: "an ignore file above the current directory counts",
    command: "cd src && rg --files .. --sort path </dev/null",
    ...project,
    stdout: "../c.md\n../src/a.ts\n",
  },
  {
    name: "an ignore file of the root counts for an operand below",
    command: "rg -l foo built src; rg -l foo . </dev/null",
    files: { ".ignore": "/built/*\n", "built/b": "foo\n", "src/a": "foo\n" },
    stdout: "src/a\n./src/a\n",
  },
  {
    name: "the size limit of a pattern holds",
    command: "rg --regex-size-limit 10K 'a\\w{20}' src/a.ts",
    ...project,
    stderr: "rg: compiled regex exceeds size limit of 10240\n",
    exit: 2,
  },
  { name: "that of the automaton changes nothing", command: "rg -c --dfa-size-limit 1 'fo{2}' src/a.ts", ...project, stdout: "2\n" },
  { name: "an ignored file that is named is searched", command: "rg foo built/b.js", ...project, stdout: "foo\n" },
  { name: "an ignore file's own name can be searched", command: "rg built .gitignore", ...project, stdout: "built/\n" },
  {
    name: "-uuu sees what is hidden and ignored",
    command: "rg -uuu -l foo --sort path </dev/null",
    ...project,
    stdout: "built/b.js\nsrc/.env\nsrc/a.ts\n",
  },
  {
    name: "--hidden searches the ignore files themselves",
    command: "rg --hidden -l b </dev/null --sort path",
    files: { ".gitignore": "b\n", ".git/x": "b\n", ".ignore": "z\nb\n", c: "b\n" },
    stdout: ".git/x\n.gitignore\n.ignore\nc\n",
  },
  {
    name: "an anchored rule of a parent",
    command: "cd src && rg --files --sort path </dev/null",
    files: { ".ignore": "/src/no\n/yes\n", "src/no": "", "src/yes": "" },
    stdout: "yes\n",
  },
  {
    name: "ignore rules hold for every root",
    command: "rg -l this tests src",
    files: { ".ignore": "src/invalid\n", "src/invalid": "this\n", "src/valid": "this\n", "tests/valid": "this\n" },
    stdout: "tests/valid\nsrc/valid\n",
    differs: "order: ripgrep searches in parallel",
  },
  { name: "smart case, only matching, replacement", command: "rg -S -o -r 'x$1' 'fo(o)'", stdin: "Foo foo\n", stdout: "xo\nxo\n" },
  { name: "several lines", command: "rg -U 'a\\nb'", stdin: "a\nb\nc\n", stdout: "a\nb\n" },
  { name: "context", command: "rg -A1 -n b", stdin: "a\nb\nc\nd\n", stdout: "2:b\n3-c\n" },
  { name: "-A=1 is -A 1", command: "rg -A=1 b", stdin: "b\nc\nd\n", stdout: "b\nc\n" },
  { name: "types", command: "rg -t md -i foo </dev/null", ...project, stdout: "c.md:Foo bar\n" },
  { name: "globs", command: "rg -g '!*.ts' -i foo </dev/null", ...project, stdout: "c.md:Foo bar\n" },
  { name: "counts per file", command: "rg -c x --sort path </dev/null", ...sorted, stdout: "a/1:1\na/2:1\nb:1\n" },
  { name: "patterns from a file", command: "rg -f p b", files: { p: "x\n", b: "ax\ny\n" }, stdout: "ax\n" },
  { name: "patterns from standard input", command: "echo x | rg -f - --sort path", ...sorted, stdout: "a/1:x\na/2:x\nb:x\n" },
  {
    name: "heading, and a blank line between files",
    command: "rg -n --heading x a/2 b",
    ...sorted,
    stdout: "a/2\n2:x\n\nb\n1:x\n",
    differs: "order: ripgrep searches in parallel",
  },
  { name: "context of several files", command: "rg -A1 --sort path x a b", ...sorted, stdout: "a/1:x\n--\na/2:x\n--\nb:x\n" },
  { name: "past -m, context that matches is printed as a match", command: "rg -m1 -A2 b", stdin: "b\nb\nc\nb\n", stdout: "b\nb\nc\n" },
  { name: "and counted", command: "rg -c -m1 -A2 b", stdin: "b\nb\nc\nb\n", stdout: "2\n" },
  {
    name: "a link to nothing, sorted and not",
    command: "rg -L --sort path x d; rg -L x d",
    files: { "d/f": "x\n" },
    tree: ["d/gone => nowhere"],
    stdout: "d/f:x\nd/f:x\n",
    stderr:
      "rg: d/gone: IO error for operation on d/gone: No such file or directory (os error 2)\nrg: d/gone: No such file or directory (os error 2)\n",
    exit: 2,
  },
  { name: "-w is a word of Unicode", command: "rg -w a", stdin: "a\nab\néa\na-b\n", stdout: "a\na-b\n" },
  { name: "\\w, \\d and \\s are Unicode's", command: "rg -o '\\w+\\s\\d'", stdin: "é\u00a0٣\n", stdout: "é\u00a0٣\n" },
  { name: "-i folds k to the Kelvin sign", command: "rg -ic k", stdin: "K\nK\nx\n", stdout: "2\n" },
  { name: "the first alternative wins", command: "rg -o 'a|ab'", stdin: "ab\n", stdout: "a\n" },
  { name: "a byte that is no UTF-8 beside a word", command: "rg -cw a", stdin: "\udcffa\n a\n", stdout: "1\n" },
  {
    name: "a zero byte behind a match in a file that was found",
    command: "rg -c x d; rg x d",
    files: { "d/f": "x\n\0" },
    exit: 1,
  },
  {
    name: "a zero byte in a file that was named",
    command: "rg x d/f",
    files: { "d/f": "x\n\0" },
    stdout: 'binary file matches (found "\\0" byte around offset 2)\n',
  },
  {
    name: "a pattern with a zero byte",
    command: "rg 'x\\x00?' f; rg -a 'x\\x00?' f; rg '[\\x00-\\x01]|x' f",
    files: { f: "x\n" },
    stdout: "x\nx\n",
    stderr:
      'rg: pattern contains "\\0" but it is impossible to match\n\nConsider enabling text mode with the --text flag (or -a for short). Otherwise,\nbinary detection is enabled and matching a NUL byte is impossible.\n',
  },
  { name: "a zero byte as text", command: "rg -a x f", files: { f: "x\n\0x" }, stdout: "x\n\0x\n" },
  { name: "a byte order mark is no text", command: "rg -c ^x f", files: { f: "\ufeffx\n" }, stdout: "1\n" },
  { name: "-L goes into directories", command: "rg -L --sort path x s", tree: ["d/", "d/f: x", "s/", "s/l => ../d"], stdout: "s/l/f:x\n" },
  {
    name: "-L in the module says what to type instead",
    command: "rg -L -r 'y z' x s",
    tree: ["d/", "d/f: x", "s/", "s/l => ../d"],
    stderr:
      "rg: -L: with this pattern or these flags a link to a directory is not followed. Use: rg --files -0 -L s | xargs -0 rg -H -r 'y z' x\n",
    exit: 2,
    differs: "the module cannot tell whether two directories are the same",
  },
  {
    name: "and that finds it",
    command: "rg --files -0 -L s | xargs -0 rg -H -r 'y z' x",
    tree: ["d/", "d/f: x", "s/", "s/l => ../d"],
    stdout: "s/l/f:y z\n",
  },
  {
    name: "-L names a link to nothing",
    command: "rg -L x </dev/null",
    tree: ["f: x", "l => nowhere"],
    stdout: "f:x\n",
    stderr: "rg: ./l: No such file or directory (os error 2)\n",
    exit: 2,
  },
  { name: "--files ends with -0", command: "rg --files -0 a --sort path", ...sorted, stdout: "a/1\0a/2\0" },
  { name: "--files of nothing", command: "rg --files d", tree: ["d/"], exit: 1 },
  {
    name: "an abbreviated flag is unknown",
    command: "rg --ignore-ca x",
    refused: "UNKNOWN_FLAG",
    stderr:
      "rg: unrecognized flag --ignore-ca\n\nsimilar flags that are available: --ignore-case, --ignore-file, --no-ignore, --ignore, --ignore-dot, --ignore-files, --ignore-vcs\n",
  },
  { name: "a flag without its value", command: "rg -A", refused: "BAD_VALUE" },
  { name: "a pattern that begins with two dashes is a flag", command: "rg '--trace|x' f", refused: "UNKNOWN_FLAG" },
  { name: "--debug", command: "rg --debug x", refused: "DISALLOWED_FLAG" },
  { name: "nested repetition answers", command: "rg '(a+)+$'", stdin: `${"a".repeat(5000)}b\n`, exit: 1 },
  { name: "no match", command: "rg zzz </dev/null", ...project, exit: 1 },
  {
    name: "a missing file",
    command: "rg x nope",
    stderr: "rg: nope: IO error for operation on nope: No such file or directory (os error 2)\n",
    exit: 2,
  },
  {
    name: "a missing file among others",
    command: "rg x nope b",
    ...sorted,
    stdout: "b:x\n",
    stderr: "rg: nope: No such file or directory (os error 2)\n",
    exit: 2,
  },
  {
    name: "a bad pattern",
    command: "rg 'a('",
    stdin: "",
    stderr: "rg: regex parse error:\n    (?:a()\n    ^\nerror: unclosed group\n",
    exit: 2,
  },
  { name: "/dev/null beside a file", command: "rg x b /dev/null", ...sorted, stdout: "b:x\n" },
  { name: "a link to a file is searched when named", command: "rg x l", tree: ["f: x", "l => f"], stdout: "x\n" },
  {
    name: "-L does not leave the root",
    command: "rg -L root: </dev/null",
    tree: ["l => /etc"],
    stderr:
      "rg: ./l: Permission denied (os error 13)\nrg: No files were searched, which means ripgrep probably applied a filter you didn't expect.\nRunning with --debug will show why files are being skipped.\n",
    exit: 2,
    differs: "outside the workspace",
  },
  { name: "our records are passed over", command: "echo x | tee a; rg -uuu -l x </dev/null", stdout: "x\na\n" },
  { name: "-P where the default engine does the same", command: "rg -oP '\\d+'", stdin: "a12\n", stdout: "12\n" },
  { name: "-P with look-ahead", command: "rg -noP 'a(?=b)'", stdin: "ac\nab\n", stdout: "2:a\n" },
  { name: "-P with look-behind", command: "rg -P '(?<!\\w)é'", stdin: "té\né\n", stdout: "é\n" },
  { name: "-P with a back-reference", command: "rg -nP '(ab)\\1' f", files: { f: "ab\nabab\n" }, stdout: "2:abab\n" },
  { name: "-oP with \\K", command: "rg -oP 'key:\\s*\\K\\w+'", stdin: "key: value\n", stdout: "value\n" },
  { name: "-P: letters past ASCII are of a word", command: "rg -oP '\\b\\w+(?= )'", stdin: "é à ab\n", stdout: "é\nà\n" },
  { name: "-vcP", command: "rg -vcP 'a(?!b)'", stdin: "ab\nac\nb\n", stdout: "2\n" },
  { name: "-SP", command: "rg -SP 'a(?=\\W)'", stdin: "A b\n", stdout: "A b\n" },
  { name: "several patterns with -P", command: "rg -P -e 'a(?=b)' -e '(c)\\1'", stdin: "ab\ncc\nxy\nac\n", stdout: "ab\ncc\n" },
  { name: "-P counts the groups of all patterns", command: "rg -P -e '(x)y' -e '(c)\\1'", stdin: "ab\ncc\nxy\n", stdout: "xy\n" },
  { name: "-P: a reference to the second pattern's group", command: "rg -P -e '(x)y' -e '(c)\\2'", stdin: "cc\nxy\n", stdout: "cc\nxy\n" },
  { name: "-oP with several patterns", command: "rg -oP -e 'a(?=b)' -e 'c+(?!x)'", stdin: "ab\ncc\nac\n", stdout: "a\ncc\nc\n" },
  { name: "--engine=auto with several patterns", command: "rg --engine=auto -e 'a(?=b)' -e y", stdin: "ab\nxy\nac\n", stdout: "ab\nxy\n" },
  { name: "-SP with several patterns", command: "rg -S -P -e 'A(?=b)' -e c", stdin: "ab\ncc\n", stdout: "cc\n" },
  { name: "--count-matches -P", command: "rg -P --count-matches 'a(?=b)'", stdin: "abab\nab\na\n", stdout: "3\n" },
  { name: "-oP with \\K at the end", command: "rg -oP 'a\\K'", stdin: "ba\nac\nxa", stdout: "\n\nxa\n" },
  { name: "-oP with \\K in a repetition", command: "rg -oP '(?:(?:a\\K)?[^a])+'", stdin: "xaybz\n", stdout: "ybz\n" },
  { name: "-P --count-matches -c", command: "rg -P --count-matches -c 'a(?=b)'", stdin: "abab\nab\n", stdout: "2\n" },
  { name: "-P beside bytes that are no UTF-8", command: "rg -PUc '(?=)\\B' f", files: { f: "a\udca9\udca9b" }, exit: 1 },
  { name: "-coP", command: "rg -coP 'a(?=b)'", stdin: "abab\nab\na\n", stdout: "3\n" },
  { name: "-vP --count-matches", command: "rg -vP --count-matches 'a(?=b)'", stdin: "abab\nab\na\n", stdout: "1\n" },
  { name: "-P --count-matches -m", command: "rg -P --count-matches -m1 'a(?=b)'", stdin: "abab\nab\na\n", stdout: "2\n" },
  {
    name: "-P beside a path that is not there",
    command: "rg -P 'a(?=b)' nope",
    stderr: "rg: nope: IO error for operation on nope: No such file or directory (os error 2)\n",
    exit: 2,
  },
  {
    name: "-oP where ripgrep shows the pattern the line before",
    command: "rg -oP '(?<!\\s)a' f; rg -oP '(?<!\\s)a' <f",
    files: { f: "ba\na a\n" },
    stdout: "a\na a\na\na\n",
  },
  { name: "-P with recursion, where places are asked for", command: "rg -oP '(a(?1)?|b)*'", stdin: "aabc\n", stdout: "aab\n\n" },
  { name: "-PU over lines", command: "rg -nPU 'a(?=\\n)\\s+b'", stdin: "x\na\n\nb\nc\n", stdout: "2:a\n3:\n4:b\n" },
  { name: "-PU -o", command: "rg -noPU '(?<=a)\\n\\K.*'", stdin: "a\nb1\nc\n", stdout: "2:b1\n" },
  {
    name: "-PU with a dot that goes over lines",
    command: "rg -cPU --multiline-dotall 'a(?!q).b' f; rg -cPU '(?s)a(?!q).b' f; rg -cPU 'a(?!q).b' f",
    files: { f: "a\nb\nc\n" },
    stdout: "1\n1\n",
    exit: 1,
  },
  {
    name: "-PU: ^ and $ beside newlines, \\A and \\z at the ends",
    command: "rg -cPU '^(?=b)b$' f; rg -cPU '\\A(?=a)a$' f; rg -cPU '\\A(?=b)' f; rg -oPU '(?<=\\n)c\\n\\z' f",
    files: { f: "a\nb\nc\n" },
    stdout: "1\n1\nc\n",
  },
  { name: "-PU -v", command: "rg -nvPU 'b(?=\\n)\\nc'", stdin: "a\nb\nc\nd\n", stdout: "1:a\n4:d\n" },
  {
    name: "-P -r with groups",
    command: "rg -P 'k(?=:)(:)(?<v>\\w+)' -r '$2${v}$1 $0 $$ $9 ${no}'",
    stdin: "k:ab c\n",
    stdout: "abab: k:ab $   c\n",
  },
  {
    name: "-P -r: a group that a repetition leaves keeps what it took",
    command: "rg -P '(?=.)(?:(a)|b)+' -r '<$1>'",
    stdin: "abb\n",
    stdout: "<a>\n",
  },
  { name: "-P -r with a group that is not there", command: "rg -P '(?=.)(?:(?:a|b)+?c)+' -r '<$1$9>'", stdin: "abcac1\n", stdout: "<>1\n" },
  { name: "-oP -r", command: "rg -oP '(?<=v)(\\d)' -r '[$1]'", stdin: "v1 v2\n", stdout: "[1]\n[2]\n" },
  { name: "-P -r over lines", command: "rg -PU '(a)(?=\\n)\\n(b)' -r '$2 $1'", stdin: "xa\nby\nz\n", stdout: "xb ay\n" },
  { name: "-r between the bytes of a character", command: "rg -P '(?=)' -r .", stdin: "é\n", stdout: ".\udcc3.\udca9.\n" },
  {
    name: "-P --json",
    command: "rg -P --json 'a(?=b)' f | sed 's/\"elapsed[a-z_]*\":{[^}]*}/T/g'",
    files: { f: "ab\n" },
    stdout:
      '{"type":"begin","data":{"path":{"text":"f"}}}\n' +
      '{"type":"match","data":{"path":{"text":"f"},"lines":{"text":"ab\\n"},"line_number":1,"absolute_offset":0,"submatches":[{"match":{"text":"a"},"start":0,"end":1}]}}\n' +
      '{"type":"end","data":{"path":{"text":"f"},"binary_offset":null,"stats":{T,"searches":1,"searches_with_match":1,"bytes_searched":3,"bytes_printed":208,"matched_lines":1,"matches":1}}}\n' +
      '{"data":{T,"stats":{"bytes_printed":208,"bytes_searched":3,T,"matched_lines":1,"matches":1,"searches":1,"searches_with_match":1}},"type":"summary"}\n',
  },
  {
    name: "-P --stats",
    command: "rg -P --stats 'a(?=b)' f g --sort path | grep -v seconds",
    files: { f: "abab\nx\n", g: "y\n" },
    stdout: "f:abab\n\n2 matches\n1 matched lines\n1 files contained matches\n2 files searched\n7 bytes printed\n9 bytes searched\n",
  },
  {
    name: "-P -q --stats looks at every file",
    command: "rg -qP --stats 'a(?=b)' f g | sed -n 5p",
    files: { f: "ab\n", g: "ab\n" },
    stdout: "2 files searched\n",
  },
  { name: "-P --vimgrep", command: "rg -P --vimgrep 'a(?=b)' f", files: { f: "abab\n" }, stdout: "f:1:1:abab\nf:1:3:abab\n" },
  { name: "-P --column -b", command: "rg -P --column -b 'a(?=b)'", stdin: "x\nzab\n", stdout: "2:2:2:zab\n" },
  { name: "-P --passthru", command: "rg -nP --passthru 'a(?=b)'", stdin: "x\nab\n", stdout: "1-x\n2:ab\n" },
  { name: "-P --trim -M", command: "rg -P --trim -M3 'a(?=b)'", stdin: "  ab\n abc\n", stdout: "ab\n[Omitted long matching line]\n" },
  {
    name: "-P --max-columns-preview",
    command: "rg -P -o -M2 --max-columns-preview '(?=a)\\w+'",
    stdin: "abé1\n",
    stdout: "ab [... 0 more matches]\n",
  },
  {
    name: "-P --heading of files",
    command: "rg -P --heading -n 'a(?=b)' f g --sort path",
    files: { f: "ab\n", g: "ab\n" },
    stdout: "f\n1:ab\n\ng\n1:ab\n",
  },
  { name: "-P --include-zero", command: "rg -P -c --include-zero 'q(?=b)'", stdin: "a\n", stdout: "0\n", exit: 1 },
  { name: "-P --stop-on-nonmatch", command: "rg -P --stop-on-nonmatch 'a(?=b)'", stdin: "x\nab\ny\nab\n", stdout: "ab\n" },
  {
    name: "-P separators",
    command: "rg -P -n -C1 --field-match-separator '\\t' --field-context-separator '\\x2b' 'a(?=b)'",
    stdin: "x\nab\n",
    stdout: "1+x\n2\tab\n",
  },
  { name: "-P -m: a match past the last is context", command: "rg -nP -m1 -A1 'a'", stdin: "a\na\n", stdout: "1:a\n2-a\n" },
  {
    name: "-PU in a file that holds a zero byte",
    command: "rg -PU 'a(?=\\n)' f",
    files: { f: "a\n\0" },
    stdout: 'binary file matches (found "\\0" byte around offset 2)\n',
  },
  { name: "-P and a newline in the pattern, without -U", command: "rg -P 'a\\n'", stdin: "a\nb\n", exit: 1 },
  { name: "-P with {,n}", command: "rg -oP 'a{,2}b'", stdin: "aaab\n", stdout: "aab\n" },
  { name: "-P with --crlf", command: "rg -P --crlf 'a(?=b)'", refused: "DISALLOWED_FLAG" },
  { name: "-P with a file of patterns", command: "rg -P -f p x", files: { p: "a(?=b)\n" }, refused: "DISALLOWED_FLAG" },
  { name: "-P with what our engine does not have", command: "rg -P '\\Xa(?=b)'", refused: "DISALLOWED_FLAG" },
  { name: "-P with an error that the default engine does not have", command: "rg -P '^{2}'", refused: "DISALLOWED_FLAG" },
  { name: "--pre", command: "rg --pre cat x", refused: "DISALLOWED_FLAG" },
  { name: "--hostname-bin", command: "rg --hostname-bin=id x", refused: "DISALLOWED_FLAG" },
  { name: "a path outside", command: "rg root /etc/passwd", refused: "PATH_ESCAPE" },
  { name: "a pattern file outside", command: "rg -f /etc/passwd x", refused: "PATH_ESCAPE" },
  { name: "an ignore file outside", command: "rg --ignore-file ../../x y", refused: "PATH_ESCAPE" },
  { name: "the reader that has enough ends it", command: "yes foo | rg foo | head -2", stdout: "foo\nfoo\n" },
  { name: "what it does not read is left", command: "{ rg x b; cat; }", stdin: "rest\n", ...sorted, stdout: "x\nrest\n" },
]);

describe("rg in a workspace", () => {
  test("absolute paths are printed as typed", async () => {
    const place = tree(["d/", "d/f: x", ".ignore: /d/g", "d/g: x"]);
    try {
      const { stdout } = await runOurs({ command: `cd d && rg x ${place.path}; rg x ${place.path}/d/f /dev/null` }, place.path);
      expect(stdout).toBe(`${place.path}/d/f:x\n${place.path}/d/f:x\n`);
    } finally {
      place.remove();
    }
  });
});

describe("an input that is held", () => {
  test("ends at the limit, and so does what one line of it prints", async () => {
    const place = tree([`f: ${"ab".repeat(3_000)}`]);
    try {
      const limits = { heldBytes: 4_000 };
      await expect(runOurs({ command: "rg -PU 'a(?=b)' f" }, place.path, limits)).rejects.toThrow("held");
      await expect(runOurs({ command: "rg -P --vimgrep 'a(?=b)' f" }, place.path, { heldBytes: 20_000 })).rejects.toThrow("held");
    } finally {
      place.remove();
    }
  });
});

describe("-P without PCRE2", () => {
  test.each(["(?<!a)b", "a++", "\\Qa\\E", "[[:alpha:]]", "[a&&b]", "\\h", "(?R)", "(?x) a", "a\\Kb", "\\<a", "(?>a)", "\\1", "[\\h]"])(
    "%s is not for the default engine",
    (pattern) => {
      expect(perlOnly(pattern)).toBeDefined();
    },
  );
  test.each(["\\d+\\.\\d", "(?i)a|b", "[^\\]]+", "\\bfoo\\b", "(?P<n>a)", "(?:a){2,3}?", "[]a]", "\\\\1", "\\p{Lu}"])(
    "%s is",
    (pattern) => {
      expect(perlOnly(pattern)).toBeUndefined();
    },
  );
});
