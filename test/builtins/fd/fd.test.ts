/** fd. The rows hold for fd 10.5.0 too (npm run test:reference). */
import { describe } from "vitest";
import { fd } from "../../../builtins/fd/fd.ts";
import { cases, lineCases } from "../../cases.ts";
import { messages } from "../messages.ts";

const PLAIN = [
  "a.ts:",
  "b.TS:",
  "Cap.txt: 12345",
  ".hidden:",
  "d/e.ts: x",
  "d/deep/f.txt:",
  "d/empty/",
  "é.ts:",
  "link => d",
  "dead => nowhere",
  "pipe|",
];
const IGNORED = [
  ".git/",
  ".gitignore: *.log\n/out/\n",
  ".ignore: skip\n",
  ".fdignore: no-fd\n",
  "a.log:",
  "out/x:",
  "skip:",
  "no-fd:",
  "keep:",
  "d/.gitignore: !b.log\n",
  "d/b.log:",
  "d/out/y:",
];
const ODD = ["a\nb:", "c\udcff:", "-x:", "{}:", "a b/c:"];

cases(fd, [
  {
    name: "--format and --path-separator replace what is no text",
    command: "fd --format '{}'; fd --path-separator /; fd",
    files: { "a\udcff": "" },
    stdout: "a\ufffd\na\ufffd\na\udcff\n",
  },
  {
    name: "everything, in the order of paths",
    command: "fd",
    tree: PLAIN,
    stdout: "Cap.txt\na.ts\nb.TS\nd/\nd/deep/\nd/deep/f.txt\nd/e.ts\nd/empty/\ndead\nlink\npipe\né.ts\n",
  },
  { name: "a pattern is found anywhere in the name", command: "fd e", tree: PLAIN, stdout: "d/deep/\nd/e.ts\nd/empty/\ndead\npipe\n" },
  {
    name: "smart case: a capital makes case count",
    command: "fd TS; fd ts; fd C",
    tree: PLAIN,
    stdout: "b.TS\na.ts\nb.TS\nd/e.ts\né.ts\nCap.txt\n",
  },
  {
    name: "-s and -i decide",
    command: "fd -s ts; fd -i TS; fd -i -s TS",
    tree: PLAIN,
    stdout: "a.ts\nd/e.ts\né.ts\na.ts\nb.TS\nd/e.ts\né.ts\nb.TS\n",
  },
  { name: "a regular expression", command: "fd '^.\\.ts$'", tree: PLAIN, stdout: "a.ts\nb.TS\nd/e.ts\né.ts\n" },
  {
    name: "classes of Unicode",
    command: "fd '^\\w\\.ts$' ; fd '^\\P{ASCII}' ; fd '^[[:alpha:]]\\.'",
    tree: PLAIN,
    stdout: "a.ts\nd/e.ts\né.ts\né.ts\na.ts\nb.TS\nd/deep/f.txt\nd/e.ts\n",
  },
  {
    name: "-g is for the whole name",
    command: "fd -g '*.ts'; fd -g 'a'; fd -g '{a,é}.ts'",
    tree: PLAIN,
    stdout: "a.ts\nb.TS\nd/e.ts\né.ts\na.ts\né.ts\n",
  },
  {
    name: "-F and --exact",
    command: "fd -F .t; fd --exact a.ts; fd -F TS",
    tree: PLAIN,
    stdout: "Cap.txt\na.ts\nb.TS\nd/deep/f.txt\nd/e.ts\né.ts\na.ts\nb.TS\n",
  },
  { name: "--and", command: "fd e --and ts; fd --and d --and p ''", tree: PLAIN, stdout: "d/e.ts\nd/deep/\n" },
  { name: "-p is for the whole path", command: "fd -p '/d/.*ts$'; fd -p -g '**/deep/*'", tree: PLAIN, stdout: "d/e.ts\nd/deep/f.txt\n" },
  { name: "-H", command: "fd -H hidden; fd hidden", tree: PLAIN, stdout: ".hidden\n" },
  {
    name: "a pattern for hidden names alone",
    command: "fd '^\\.h'",
    tree: PLAIN,
    stderr:
      "[fd error]: The pattern(s) seems to only match files with a leading dot, but hidden files are filtered by default. Consider adding -H/--hidden to search hidden files as well or adjust your search pattern(s).\n",
    exit: 1,
  },
  {
    name: "-e",
    command: "fd -e ts; fd -e .TXT -e TS",
    tree: PLAIN,
    stdout: "a.ts\nb.TS\nd/e.ts\né.ts\nCap.txt\na.ts\nb.TS\nd/deep/f.txt\nd/e.ts\né.ts\n",
  },
  {
    name: "types",
    command: "fd -t f; echo -- ; fd -t d; echo --; fd -tl; echo --; fd -t pipe",
    tree: PLAIN,
    stdout: "Cap.txt\na.ts\nb.TS\nd/deep/f.txt\nd/e.ts\né.ts\n--\nd/\nd/deep/\nd/empty/\n--\ndead\nlink\n--\npipe\n",
  },
  {
    name: "executable and empty",
    command: "fd -tx; echo --; fd -te; echo --; fd -te -td",
    tree: PLAIN,
    modes: { "a.ts": 493 },
    stdout: "a.ts\n--\na.ts\nb.TS\nd/deep/f.txt\nd/empty/\né.ts\n--\nd/empty/\n",
  },
  {
    name: "sizes",
    command: "fd -S +1b; fd -S 5b; fd -S -1b -tf; fd -S 1ki",
    tree: PLAIN,
    stdout: "Cap.txt\nd/e.ts\nCap.txt\na.ts\nb.TS\nd/deep/f.txt\nd/e.ts\né.ts\n",
  },
  {
    name: "times",
    command: "fd -tf --changed-before 2020-06-01; echo --; fd -tf --changed-within '2020-01-01 00:00:00' --changed-before @1577923200",
    tree: PLAIN,
    mtimes: { "a.ts": "2020-01-01T12:00:00Z", "d/e.ts": "2020-01-02T12:00:00Z" },
    stdout: "a.ts\nd/e.ts\n--\na.ts\n",
  },
  {
    name: "durations",
    command: "fd -tf --older 1y; fd --newer '1 day, 2 hours' Cap",
    tree: PLAIN,
    mtimes: { "a.ts": "2020-01-01T12:00:00Z" },
    stdout: "a.ts\nCap.txt\n",
  },
  { name: "owner by number", command: "fd -o 0 Cap; fd -o '!0'; fd -o 0: a.ts", tree: PLAIN, stdout: "Cap.txt\na.ts\n" },
  {
    name: "depths",
    command: "fd -d 1 -td; fd --exact-depth 2; fd --min-depth 3; fd -d 0",
    tree: PLAIN,
    stdout: "d/\nd/deep/\nd/e.ts\nd/empty/\nd/deep/f.txt\n",
  },
  {
    name: "-L",
    command: "fd -L e; fd -L -tl",
    tree: PLAIN,
    stdout: "d/deep/\nd/e.ts\nd/empty/\ndead\nlink/deep/\nlink/e.ts\nlink/empty/\npipe\ndead\n",
  },
  { name: "--prune", command: "fd --prune d", tree: PLAIN, stdout: "d/\ndead\n" },
  {
    name: "-E",
    command: "fd -E d; fd -E '*.ts' -E 'pipe' ; fd -E /e.ts . d",
    tree: PLAIN,
    stdout:
      "Cap.txt\na.ts\nb.TS\ndead\nlink\npipe\né.ts\nCap.txt\nb.TS\nd/\nd/deep/\nd/deep/f.txt\nd/empty/\ndead\nlink\nd/deep/\nd/deep/f.txt\nd/empty/\n",
  },
  { name: "--ignore-contain", command: "fd --ignore-contain e.ts", tree: PLAIN, stdout: "Cap.txt\na.ts\nb.TS\ndead\nlink\npipe\né.ts\n" },
  {
    name: "search paths",
    command: "fd . d; fd . d/ ./d; fd --search-path d/deep --search-path d/empty",
    tree: PLAIN,
    stdout:
      "d/deep/\nd/deep/f.txt\nd/e.ts\nd/empty/\n./d/deep/\n./d/deep/f.txt\n./d/e.ts\n./d/empty/\nd/deep/\nd/deep/f.txt\nd/e.ts\nd/empty/\nd/deep/f.txt\n",
  },
  {
    name: "several search paths are sorted as one",
    command: "fd . d/empty d d/deep",
    tree: PLAIN,
    stdout: "d/deep/\nd/deep/f.txt\nd/deep/f.txt\nd/e.ts\nd/empty/\n",
  },
  {
    name: "-C",
    command: "fd -C d; fd -C d e.ts -x echo; fd -C d --search-path .; fd -C nope",
    tree: PLAIN,
    stdout: "deep/\ndeep/f.txt\ne.ts\nempty/\n./e.ts\n./deep/\n./deep/f.txt\n./e.ts\n./empty/\n",
    stderr: "[fd error]: The '--base-directory' path 'nope' is not a directory.\n",
    exit: 1,
  },
  {
    name: "-0 keeps ./",
    command: "fd -0 ts; fd -0 --strip-cwd-prefix 'a.ts'",
    tree: PLAIN,
    stdout: "./a.ts\u0000./b.TS\u0000./d/e.ts\u0000./é.ts\u0000a.ts\u0000",
  },
  { name: "--strip-cwd-prefix=never", command: "fd --strip-cwd-prefix=never a.ts", tree: PLAIN, stdout: "./a.ts\n" },
  {
    name: "--path-separator",
    command: "fd --path-separator '\\' deep; fd --path-separator :: e.ts",
    tree: PLAIN,
    stdout: "d\\deep\\\nd::e.ts\n",
  },
  {
    name: "--format",
    command: "fd --format '{}|{/}|{//}|{.}|{/.}|{{|}}|{}}' e.ts; fd --format x a.ts",
    tree: PLAIN,
    stdout: "d/e.ts|e.ts|d|d/e|e|{|}|{}\nx\n",
  },
  {
    name: "-q and -1",
    command: "fd -q ts && echo yes; fd -q nothing || echo no; fd -1 a.ts; fd --max-results 1 a.ts",
    tree: PLAIN,
    stdout: "yes\nno\na.ts\na.ts\n",
  },
  {
    name: "-x",
    command: "fd e.ts -x echo {/} {//} {.} {/.} a{}b '{{' ';' -d 1; fd a.ts -x echo {/} ';' -x echo b",
    tree: PLAIN,
    stdout: "a.ts\nb ./a.ts\n",
  },
  {
    name: "-x fails if one run does",
    command: "fd a.ts -x false || echo no; fd nothing -x false && echo yes",
    tree: PLAIN,
    stdout: "no\nyes\n",
  },
  {
    name: "-X",
    command: "fd ts -X wc -c | sort; fd nothing -X echo; fd a.ts -X echo {/} x",
    tree: PLAIN,
    stdout: "0 ./a.ts\n0 ./b.TS\n0 ./é.ts\n1 ./d/e.ts\n1 total\na.ts x\n",
  },
  { name: "-l", command: "fd -l nothing; fd -l e.ts | cut -c 1-10", tree: PLAIN, stdout: "-rw-r--r--\n" },
  {
    name: "--show-errors",
    command: "fd -L --show-errors e.ts",
    tree: ["e.ts:", "l => l"],
    stdout: "e.ts\n",
    stderr: "[fd error]: ./l: Too many levels of symbolic links (os error 40)\n",
  },
  { name: "head ends the walk", command: "fd | head -1", tree: PLAIN, stdout: "Cap.txt\n" },
  { name: ".gitignore, .ignore, .fdignore", command: "fd", tree: IGNORED, stdout: "d/\nd/b.log\nd/out/\nd/out/y\nkeep\n" },
  {
    name: "-I, -u, --no-ignore-vcs",
    command: "fd -I; echo --; fd -u -E .git; echo --; fd --no-ignore-vcs",
    tree: IGNORED,
    stdout:
      "a.log\nd/\nd/b.log\nd/out/\nd/out/y\nkeep\nno-fd\nout/\nout/x\nskip\n--\n.fdignore\n.gitignore\n.ignore\na.log\nd/\nd/.gitignore\nd/b.log\nd/out/\nd/out/y\nkeep\nno-fd\nout/\nout/x\nskip\n--\na.log\nd/\nd/b.log\nd/out/\nd/out/y\nkeep\nout/\nout/x\n",
  },
  {
    name: "below, the files above count",
    command: "fd . d; echo --; fd --no-ignore-parent . d",
    tree: IGNORED,
    stdout: "d/b.log\nd/out/\nd/out/y\n--\nd/b.log\nd/out/\nd/out/y\n",
  },
  {
    name: "--ignore-file",
    command: "fd --ignore-file rules; fd --ignore-file nope keep",
    tree: ["rules: a\n", "a:", "keep:"],
    stdout: "keep\nrules\nkeep\n",
    stderr: "[fd error]: Malformed pattern in custom ignore file. nope: No such file or directory (os error 2).\n",
  },
  {
    name: "outside a repository .gitignore needs --no-require-git",
    command: "fd; echo --; fd --no-require-git",
    tree: [".gitignore: a\n", "a:", "b:"],
    stdout: "a\nb\n--\nb\n",
  },
  {
    name: "odd names",
    command: "fd -0; fd -g '???'; fd -e x; fd -F {} -X echo",
    tree: ODD,
    stdout: "./-x\u0000./a\nb\u0000./a b/\u0000./a b/c\u0000./c\udcff\u0000./{}\u0000a\nb\na b/\n./{}\n",
  },
  { name: "names of bytes are no characters", command: "fd '^c.$'; fd -g 'c?'", tree: ODD, stdout: "c\udcff\n" },
  {
    name: "a slash in the pattern",
    command: "fd a/b; fd a --and b/c",
    stderr:
      "[fd error]: The search pattern 'a/b' contains a path-separation character and will not lead to any search results.\n\nIf you want to search for all files inside the 'a/b' directory, use a match-all pattern:\n\n  fd . 'a/b'\n\nInstead, if you want your pattern to match the full file path, use:\n\n  fd --full-path 'a/b'\n[fd error]: The search pattern 'b/c' contains a path-separation character and will not lead to any search results.\n\nIf you want to search for all files inside the 'b/c' directory, use a match-all pattern:\n\n  fd . 'b/c'\n\nInstead, if you want your pattern to match the full file path, use:\n\n  fd --full-path 'b/c'\n",
    exit: 1,
  },
  {
    name: "a search path that is none",
    command: "fd . nope; fd . nope .",
    stderr:
      "[fd error]: Search path 'nope' is not a directory.\n[fd error]: No valid search paths given.\n[fd error]: Search path 'nope' is not a directory.\n",
  },
  {
    name: "a bad glob",
    command: "fd -g '['; fd -E '{'; fd -g '[b-a]'",
    stderr:
      "[fd error]: error parsing glob '[': unclosed character class; missing ']'\n[fd error]: Malformed exclude pattern: error parsing glob '!{': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)\n[fd error]: error parsing glob '[b-a]': invalid range; 'b' > 'a'\n",
    exit: 1,
  },
  {
    name: "a bad date",
    command: "fd --changed-within foo",
    stderr: "[fd error]: 'foo' is not a valid date or duration. See 'fd --help'.\n",
    exit: 1,
  },
  {
    name: "a bad expression",
    command: "fd '('; fd 'a{x}'; fd '(?P<x>a)(?P<x>b)'; fd '[b-a]'; fd '\\q'; fd '(?=a)'; fd '*'",
    stderr:
      "[fd error]: regex parse error:\n    (\n    ^\nerror: unclosed group\n\nNote: You can search for literal substrings with '--fixed-strings' or literal strings with '--exact' options (instead of a regular expression). Alternatively, you can also use the '--glob' option to match on a glob pattern.\n[fd error]: regex parse error:\n    a{x}\n      ^\nerror: repetition quantifier expects a valid decimal\n\nNote: You can search for literal substrings with '--fixed-strings' or literal strings with '--exact' options (instead of a regular expression). Alternatively, you can also use the '--glob' option to match on a glob pattern.\n[fd error]: regex parse error:\n    (?P<x>a)(?P<x>b)\n        ^       ^\nerror: duplicate capture group name\n\nNote: You can search for literal substrings with '--fixed-strings' or literal strings with '--exact' options (instead of a regular expression). Alternatively, you can also use the '--glob' option to match on a glob pattern.\n[fd error]: regex parse error:\n    [b-a]\n     ^^^\nerror: invalid character class range, the start must be <= the end\n\nNote: You can search for literal substrings with '--fixed-strings' or literal strings with '--exact' options (instead of a regular expression). Alternatively, you can also use the '--glob' option to match on a glob pattern.\n[fd error]: regex parse error:\n    \\q\n    ^^\nerror: unrecognized escape sequence\n\nNote: You can search for literal substrings with '--fixed-strings' or literal strings with '--exact' options (instead of a regular expression). Alternatively, you can also use the '--glob' option to match on a glob pattern.\n[fd error]: regex parse error:\n    (?=a)\n    ^^^\nerror: look-around, including look-ahead and look-behind, is not supported\n\nNote: You can search for literal substrings with '--fixed-strings' or literal strings with '--exact' options (instead of a regular expression). Alternatively, you can also use the '--glob' option to match on a glob pattern.\n[fd error]: regex parse error:\n    *\n    ^\nerror: repetition operator missing expression\n\nNote: You can search for literal substrings with '--fixed-strings' or literal strings with '--exact' options (instead of a regular expression). Alternatively, you can also use the '--glob' option to match on a glob pattern.\n",
    exit: 1,
  },
  {
    name: "a link that leaves the root is a link",
    command: "fd -L -tl",
    tree: ["out => /etc", "in => d", "d/x:"],
    stdout: "out\n",
    differs: "nothing outside the root is looked at",
  },
  {
    name: "the record directory is passed over",
    command: "fd -H -I",
    tree: [".shelpa/a:", "b:"],
    stdout: "b\n",
    differs: "an audit never doubles what is found",
  },
  { name: "--color=always", command: "fd --color=always", refused: "DISALLOWED_FLAG" },
  { name: "-x with a program", command: "fd -x chmod", refused: "RUNS_A_COMMAND" },
  { name: "-x with a name for its command", command: "fd -x {}", refused: "RUNS_A_COMMAND" },
  {
    name: "a name is no flag of the command",
    command: "fd -F -x cat {/} ';' -- -n",
    tree: ["-n: x\n"],
    stdout: "x\n",
    differs: "cat would take the name for a flag",
  },
  { name: "a search path outside the root", command: "fd . /etc", refused: "PATH_ESCAPE" },
  {
    name: "a switched mode that needs lines",
    command: "fd '(?m)^a'",
    stderr:
      "[fd error]: (?m) is not available here: ^ is an end of the whole text\n\nNote: You can search for literal substrings with '--fixed-strings' or literal strings with '--exact' options (instead of a regular expression). Alternatively, you can also use the '--glob' option to match on a glob pattern.\n",
    exit: 1,
    differs: "names are text of one line here",
  },
]);

cases(fd, [
  {
    name: "what is wrong with a time is told of before the pattern",
    command: "fd --changed-within x '*'",
    stderr: "[fd error]: 'x' is not a valid date or duration. See 'fd --help'.\n",
    exit: 1,
  },
]);

messages(fd, [
  [
    ["-uu", "--strip-cwd-prefix", "x", "y"],
    "error: the argument '--strip-cwd-prefix[=<when>]' cannot be used with '[path]...'\n\nUsage: fd --unrestricted... --strip-cwd-prefix[=<when>] <pattern> [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-c", ""],
    "error: a value is required for '--color <when>' but none was supplied\n  [possible values: auto, always, never]\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["--nope"],
    "error: unexpected argument '--nope' found\n\n  tip: a similar argument exists: '--ignore'\n\nUsage: fd [OPTIONS] [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["--hid"],
    "error: unexpected argument '--hid' found\n\n  tip: a similar argument exists: '--hidden'\n\nUsage: fd --hidden [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-Z"],
    "error: unexpected argument '-Z' found\n\n  tip: to pass '-Z' as a value, use '-- -Z'\n\nUsage: fd [OPTIONS] [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-name", "x"],
    "error: unexpected argument '-n' found\n\n  tip: to pass '-n' as a value, use '-- -n'\n\nUsage: fd [OPTIONS] [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [["-e"], "error: a value is required for '--extension <ext>' but none was supplied\n\nFor more information, try '--help'.\n", 2],
  [["-d", "-1"], "error: a value is required for '--max-depth <depth>' but none was supplied\n\nFor more information, try '--help'.\n", 2],
  [
    ["-t", "fil"],
    "error: invalid value 'fil' for '--type <filetype>'\n  [possible values: file, directory, symlink, block-device, char-device, executable, empty, socket, pipe]\n\n  tip: a similar value exists: 'file'\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-t"],
    "error: a value is required for '--type <filetype>' but none was supplied\n  [possible values: file, directory, symlink, block-device, char-device, executable, empty, socket, pipe]\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["--hidden=3"],
    "error: unexpected value '3' for '--hidden' found; no more were expected\n\nUsage: fd --hidden [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-S", "5"],
    "error: invalid value '5' for '--size <size>': '5' is not a valid size constraint. See 'fd --help'.\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-d", "x"],
    "error: invalid value 'x' for '--max-depth <depth>': invalid digit found in string\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-j", "0"],
    "error: invalid value '0' for '--threads <num>': number would be zero for non-zero type\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["--max-results", "99999999999999999999"],
    "error: invalid value '99999999999999999999' for '--max-results <count>': number too large to fit in target type\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-d=", "x"],
    "error: invalid value '' for '--max-depth <depth>': cannot parse integer from empty string\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-F", "-g", "x"],
    "error: the argument '--fixed-strings' cannot be used with '--glob'\n\nUsage: fd --fixed-strings <pattern> [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-1", "-x", "echo"],
    "error: the argument '-1' cannot be used with:\n  --exec <cmd>...\n  --exec-batch <cmd>...\n  --list-details\n\nUsage: fd -1 [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-l", "-q"],
    "error: the argument '--list-details' cannot be used with '--quiet'\n\nUsage: fd --list-details [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["--search-path", "a", "b", "c"],
    "error: the argument '--search-path <search-path>' cannot be used with '[path]...'\n\nUsage: fd --search-path <search-path> <pattern> [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["--strip-cwd-prefix", ".", "a"],
    "error: the argument '--strip-cwd-prefix[=<when>]' cannot be used with '[path]...'\n\nUsage: fd --strip-cwd-prefix[=<when>] <pattern> [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-l", "-x", "ls"],
    "error: the argument '--list-details' cannot be used with '--exec <cmd>...'\n\nUsage: fd --list-details [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-H", "-1", "-q", "-x", "ls"],
    "error: the argument '-1' cannot be used with:\n  --exec <cmd>...\n  --exec-batch <cmd>...\n  --list-details\n\nUsage: fd --hidden -1 --quiet [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["foo", "a", "b", "-g", "-F"],
    "error: the argument '--glob' cannot be used with '--fixed-strings'\n\nUsage: fd --glob <pattern> <path>...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["--batch-size", "2"],
    "error: the following required arguments were not provided:\n  --exec-batch <cmd>...\n\nUsage: fd --exec-batch <cmd>... --batch-size <size> [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-H", "a", "--batch-size", "3"],
    "error: the following required arguments were not provided:\n  --exec-batch <cmd>...\n\nUsage: fd --exec-batch <cmd>... --hidden --batch-size <size> <pattern> [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-X", "echo", "{}", "{}"],
    "error: Only one placeholder allowed for batch commands\n\nUsage: fdfind [OPTIONS] [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-X", "{}", "a"],
    "error: First argument of --exec-batch must be a fixed executable, not a placeholder\n\nUsage: fdfind [OPTIONS] [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-o", "nobody-at-all"],
    "error: invalid value 'nobody-at-all' for '--owner <user:group>': 'nobody-at-all' is not a recognized user name\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-o", "a:b:c"],
    "error: invalid value 'a:b:c' for '--owner <user:group>': more than one ':' present in owner string 'a:b:c'. See 'fd --help'.\n\nFor more information, try '--help'.\n",
    2,
  ],
  [["-x"], "error: a value is required for '--exec <cmd>...' but none was supplied\n\nFor more information, try '--help'.\n", 2],
  [["--format", "--"], "error: a value is required for '--format <fmt>' but none was supplied\n\nFor more information, try '--help'.\n", 2],
  [
    ["--color", "al"],
    "error: invalid value 'al' for '--color <when>'\n  [possible values: auto, always, never]\n\n  tip: a similar value exists: 'always'\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["--hyperlink=x"],
    "error: invalid value 'x' for '--hyperlink[=<when>]'\n  [possible values: auto, always, never]\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["--depth", "3"],
    "error: unexpected argument '--depth' found\n\n  tip: a similar argument exists: '--mindepth'\n\nUsage: fd --min-depth <depth> [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["foo", "--nope"],
    "error: unexpected argument '--nope' found\n\n  tip: a similar argument exists: '--ignore'\n\nUsage: fd <pattern> [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-H", "--nope"],
    "error: unexpected argument '--nope' found\n\n  tip: a similar argument exists: '--ignore'\n\nUsage: fd --hidden [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["foo", "bar", "--zzz"],
    "error: unexpected argument '--zzz' found\n\n  tip: to pass '--zzz' as a value, use '-- --zzz'\n\nUsage: fd <pattern> <path>...\n\nFor more information, try '--help'.\n",
    2,
  ],
  [
    ["-H", "foo", "--hidden=3"],
    "error: unexpected value '3' for '--hidden' found; no more were expected\n\nUsage: fd --hidden [pattern] [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
]);

describe("what random lines have found", () => {
  lineCases([{ name: "a dash in front keeps ./", command: "fd . | sort", files: { "-d/x": "", a: "" }, stdout: "./-d/\n./-d/x\na\n" }]);
});

cases(fd, [
  {
    name: "what `..dots` leaves without its extension is nothing",
    command: "fd -H --format '{/.}x|{.}x' dots; fd -H --format '{.}x' dots a",
    files: { "..dots": "", "a/..dots": "" },
    stdout: "x|x\nx|a/.x\na/.x\n",
  },
]);

messages(fd, [
  [
    ["--strip-cwd-prefix", "-0", "--strip-cwd-prefix", "x", "y"],
    "error: the argument '--strip-cwd-prefix[=<when>]' cannot be used with '[path]...'\n\nUsage: fd --print0 --strip-cwd-prefix[=<when>] <pattern> [path]...\n\nFor more information, try '--help'.\n",
    2,
  ],
]);
