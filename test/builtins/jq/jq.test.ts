/** jq: the rows are what jq 1.8.2 printed. What filters mean is the module's affair; these are about its surroundings. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jq } from "../../../builtins/jq/jq.ts";
import { Shell } from "../../../src/session/shell.ts";
import { cases } from "../../cases.ts";
import { tree, type Tree } from "../../tree.ts";

const A = '{"a":1,"b":[2,null],"s":"h\\u00e9"}\n';
const USAGE = "Use jq --help for help with command-line options,\nor see the jq manpage, or online docs at https://jqlang.org\n";

cases(jq, [
  {
    name: "the length of a number is written as the number is",
    command: "jq -c '(.[0]|length), (.[1:]|map(length))'",
    stdin: "[3.0,-3.0,-7,0,1.50,12345678901234567890]\n",
    stdout: "3.0\n[3.0,7,0,1.50,12345678901234567890]\n",
  },
  {
    name: "the length of a number alone in an object",
    command: "jq -c '.a|length'",
    stdin: '{"a":3.0}{"a":-3.0}{"a":-12}{"a":5}\n',
    stdout: "3.0\n3.0\n12\n5\n",
  },
  {
    name: "what keeps a file from being opened, in the words of Linux",
    command: "jq . l nope; jq --rawfile a l . f; jq -f l f",
    files: { f: "1\n" },
    tree: ["l => l"],
    stderr:
      "jq: error: Could not open file l: Too many levels of symbolic links\njq: error: Could not open file nope: No such file or directory\njq: Bad JSON in --rawfile a l: Could not open l: Too many levels of symbolic links\njq: Could not open l: Too many levels of symbolic links\n",
    exit: 2,
  },
  {
    name: "pretty-printed with two blanks",
    command: "jq . f",
    files: { f: A },
    stdout: '{\n  "a": 1,\n  "b": [\n    2,\n    null\n  ],\n  "s": "hé"\n}\n',
  },
  {
    name: "what is wrong first is told, before an option that there is none of",
    command: "jq --indent x . -z",
    stderr:
      "jq: --indent takes a number between -1 and 7\nUse jq --help for help with command-line options,\nor see the jq manpage, or online docs at https://jqlang.org\n",
    exit: 2,
  },
  { name: "no filter: the identity", command: "jq", stdin: "[1]", stdout: "[\n  1\n]\n" },
  { name: "nothing on standard input", command: "jq .a", stdin: "", stdout: "" },
  {
    name: "-c, -r, -j, -a, -S in one bundle",
    command: "jq -cS . f && jq -r .s f && jq -j '.a,.s' f && jq -a .s f",
    files: { f: A },
    stdout: '{"a":1,"b":[2,null],"s":"hé"}\nhé\n1hé"h\\u00e9"\n',
  },
  {
    name: "--indent, --tab",
    command: "jq --indent 1 .b f && jq --tab .b f",
    files: { f: A },
    stdout: "[\n 2,\n null\n]\n[\n\t2,\n\tnull\n]\n",
  },
  {
    name: "-C colours",
    command: "jq -Cc . f",
    files: { f: "[1,null]\n" },
    stdout: "\u001b[1;39m[\u001b[0m\u001b[0;39m1\u001b[0m\u001b[1;39m,\u001b[0m\u001b[0;90mnull\u001b[0m\u001b[1;39m]\u001b[0m\n",
  },
  { name: "colour is off", command: "jq -c . f", files: { f: "[1]\n" }, stdout: "[1]\n" },
  {
    name: "several files, one missing",
    command: "jq .a f nope f",
    files: { f: A },
    stdout: "1\n1\n",
    stderr: "jq: error: Could not open file nope: No such file or directory\n",
    exit: 2,
  },
  {
    name: "a directory as an operand",
    command: "jq . d f",
    tree: ["d/"],
    files: { f: "1\n" },
    stdout: "1\n",
    stderr: "jq: error: Is a directory\n",
    exit: 2,
  },
  { name: "- is standard input", command: "jq -c . - f", stdin: "[1]", files: { f: "2\n" }, stdout: "[1]\n2\n" },
  { name: "/dev/stdin is standard input", command: "cat f | jq .a /dev/stdin", files: { f: A }, stdout: "1\n" },
  { name: "/dev/null is empty", command: "jq . /dev/null", stdout: "" },
  {
    name: "input_filename as typed",
    command: "jq -c '[.,input_filename]' ./f d/g",
    files: { f: "1\n", "d/g": "2" },
    stdout: '[1,"./f"]\n[2,"d/g"]\n',
  },
  { name: "-n, input and inputs", command: "jq -nc 'input, [inputs]' f", files: { f: "1 2\n3" }, stdout: "1\n[2,3]\n" },
  {
    name: "-s, -R, -Rs",
    command: "jq -cs . f && jq -R . f && jq -Rs . f",
    files: { f: "1\n2\n" },
    stdout: '[1,2]\n"1"\n"2"\n"1\\n2\\n"\n',
  },
  { name: "--stream", command: "jq -c --stream . f", files: { f: '{"a":[1]}' }, stdout: '[["a",0],1]\n[["a",0]]\n[["a"]]\n' },
  { name: "--seq", command: "jq --seq -c . f", files: { f: "\u001e[1]\n" }, stdout: "\u001e[1]\n" },
  { name: "--raw-output0", command: "jq --raw-output0 '.[]' f", files: { f: '["a","b"]' }, stdout: "a\0b\0" },
  {
    name: "--arg, --argjson",
    command: "jq -nc '[$a,$b,$ARGS.named]' --arg a x --argjson b '{\"c\":1}'",
    stdout: '["x",{"c":1},{"a":"x","b":{"c":1}}]\n',
  },
  {
    name: "--slurpfile, --rawfile",
    command: "jq -nc '[$a,$b]' --slurpfile a f --rawfile b f",
    files: { f: "1 2\n" },
    stdout: '[[1,2],"1 2\\n"]\n',
  },
  {
    name: "--slurpfile without the file",
    command: "jq -n '$a' --slurpfile a nope",
    stderr: `jq: Bad JSON in --slurpfile a nope: Could not open nope: No such file or directory\n`,
    exit: 2,
  },
  { name: "--args, --jsonargs", command: "jq -nc '$ARGS.positional' --args a b --jsonargs 1 '[2]'", stdout: '["a","b",1,[2]]\n' },
  { name: "--args: nothing is a file", command: "jq -nc '$ARGS.positional' --args /etc/passwd", stdout: '["/etc/passwd"]\n' },
  { name: "-f takes the filter from the first operand, wherever it stands", command: "jq p -f f", files: { f: A, p: ".a" }, stdout: "1\n" },
  { name: "-f FILE, bundled", command: "jq -rf p f", files: { p: "# comment\n.s\n", f: A }, stdout: "hé\n" },
  {
    name: "--arg with one value",
    command: "jq --arg a",
    stderr: `jq: --arg takes two parameters (e.g. --arg varname value)\n${USAGE}`,
    exit: 2,
  },
  {
    name: "--argjson that is none",
    command: "jq . --argjson a '{'",
    stderr: `jq: invalid JSON text passed to --argjson\n${USAGE}`,
    exit: 2,
  },
  { name: "--indent out of range", command: "jq . --indent 9", stderr: `jq: --indent takes a number between -1 and 7\n${USAGE}`, exit: 2 },
  { name: "an unknown option", command: "jq --foo .", refused: "UNKNOWN_FLAG" },
  { name: "an unknown letter", command: "jq -rZ .", refused: "UNKNOWN_FLAG" },
  { name: "a dash and a digit is a filter", command: "jq -5", stdin: "1", stdout: "-5\n" },
  {
    name: "a compile error",
    command: "jq '1 +'",
    stderr: "jq: error: syntax error, unexpected end of file at <top-level>, line 1, column 3:\n    1 +\n      ^\njq: 1 compile error\n",
    exit: 3,
  },
  {
    name: "an unknown function",
    command: "jq foo",
    stderr: "jq: error: foo/0 is not defined at <top-level>, line 1, column 1:\n    foo\n    ^^^\njq: 1 compile error\n",
    exit: 3,
  },
  {
    name: "a parse error after a good value",
    command: "jq -c . f",
    files: { f: '{"a":1}\n{"b" 2}\n' },
    stdout: '{"a":1}\n',
    stderr: "jq: parse error: Expected separator between values at line 2, column 7\n",
    exit: 5,
  },
  {
    name: "an error says where",
    command: "jq .a.b f",
    files: { f: A },
    stderr: 'jq: error (at f:1): Cannot index number with string ("b")\n',
    exit: 5,
  },
  { name: "halt_error", command: "jq -n '\"bye\\n\"|halt_error(3)'", stderr: "bye\n", exit: 3 },
  {
    name: "-e: null and false, nothing, something",
    command: "jq -e .zz f || jq -e empty f || jq -e .a f",
    files: { f: A },
    stdout: "null\n1\n",
  },
  { name: "debug, stderr", command: "jq -c '.a|debug|stderr' f", files: { f: A }, stdout: "1\n", stderr: '["DEBUG:",1]\n1' },
  {
    name: "2>&1: standard error comes first, as output waits in its buffer",
    command: "jq '.[]|if . > 1 then error(\"x\") else . end' f 2>&1",
    files: { f: "[1,2]\n" },
    stdout: "jq: error (at f:1): x\n1\n",
    exit: 5,
  },
  { name: "the environment is the line's", command: "A=1 B=é jq -nc '[$ENV,env]|map([.A,.B])'", stdout: '[["1","é"],["1","é"]]\n' },
  { name: "nothing of the host's", command: "jq -nc 'env|keys'", stdout: '["HOME","PWD"]\n', differs: "there is a host's environment" },
  { name: "an exported variable", command: "export A=x; jq -nr env.A; jq -nr '$ENV.A'", stdout: "x\nx\n" },
  {
    name: "modules of the workspace",
    command: "jq -n 'import \"m\" as m; m::f' -L lib",
    files: { "lib/m.jq": 'import "./sub/n" as n; def f: n::g + 1;', "lib/sub/n.jq": "def g: 41;" },
    stdout: "42\n",
  },
  { name: "a module's data", command: "jq -nc 'import \"d\" as $d; $d' -L lib", files: { "lib/d.json": "1 2" }, stdout: "[1,2]\n" },
  { name: "a module path outside", command: "jq -n -L /etc 1", refused: "PATH_ESCAPE" },
  { name: "a file outside", command: "jq . /etc/passwd", refused: "PATH_ESCAPE" },
  { name: "a filter file outside", command: "jq -f ../x", refused: "PATH_ESCAPE" },
  { name: "--rawfile outside", command: "jq -n --rawfile a /etc/passwd '$a'", refused: "PATH_ESCAPE" },
  { name: "a module that leads outside is not there", command: "jq -n 'import \"/etc/passwd\" as $p; 1' 2>/dev/null", exit: 3 },
  {
    name: "big and precise numbers",
    command: "jq -c '[.,.+0]' f",
    files: { f: "100000000000000000000000001 1.000" },
    stdout: "[100000000000000000000000001,1e+26]\n[1.000,1]\n",
  },
  {
    name: "keys that are names of JavaScript",
    command: "jq -c keys",
    stdin: '{"__proto__":1,"constructor":2}',
    stdout: '["__proto__","constructor"]\n',
  },
  { name: "invalid UTF-8 becomes U+FFFD", command: "jq .", stdin: '"a\udcff"', stdout: '"a\uFFFD"\n' },
  { name: "10,000 levels", command: "jq -nc 'reduce range(9999) as $_ ([];[.]) | tojson | fromjson | flatten'", stdout: "[]\n" },
  {
    name: "strptime and mktime",
    command: `jq -nc '"Thu, 05 Mar 2015 23:51:47 Z" | strptime("%a, %d %b %Y %T %Z") | ., mktime'`,
    stdout: "[2015,2,5,23,51,47,4,63]\n1425599507\n",
  },
  { name: "a day by its week", command: `jq -nc '"2015 10 4"|strptime("%Y %U %w")'`, stdout: "[2015,2,12,0,0,0,4,70]\n" },
  {
    name: "a date that does not fit",
    command: `jq -n '"2015-13-05"|strptime("%F")'`,
    stderr: 'jq: error (at <unknown>): date "2015-13-05" does not match format "%F"\n',
    exit: 5,
  },
  {
    name: "local time is UTC's",
    command: `jq -nc '0|strflocaltime("%H:%M %Z %z"), strftime("%Z"), (localtime|mktime)'`,
    stdout: '"00:00 UTC +0000"\n"GMT"\n0\n',
  },
  { name: "a reader that has enough", command: "jq -n 'range(1e12)' | head -n 2", stdout: "0\n1\n" },
  { name: "an endless producer", command: "yes '{\"a\":1}' | jq -n 'input' -c", stdout: '{"a":1}\n' },
]);

describe("what will not end", () => {
  let place: Tree;
  let shell: Shell;
  beforeAll(async () => {
    place = tree(["f: [1]\n"]);
    shell = await Shell.open({ root: place.path, isolation: "process", limits: { timeMs: 30_000 } });
  });
  afterAll(async () => {
    await shell.close();
    place.remove();
  });

  test("an endless search is given up by oniguruma, or meets the limit where that takes longer", { timeout: 60_000 }, async () => {
    const line = 'jq -n \'"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" | test("^(a|aa)+$")\'';
    const { result, stderr } = await shell.defaultSession.run(line, { timeMs: 1500 });
    if (result.kind === "completed") expect(stderr.toString()).toContain("retry-limit-in-match over");
    else expect(result).toMatchObject({ kind: "stopped", limit: "time" });
    expect((await shell.defaultSession.run("jq -c . f")).stdout.toString()).toBe("[1]\n");
  });

  test.each([
    ["a loop", "jq -n 'def f: f; f'", "time"],
    ["an array without end", "jq -n '[range(1e9)]'", "held"],
    ["a string without end", "jq -n '\"a\" * 1e9 | length'", "held"],
  ])("%s meets a limit, and the next call is served", { timeout: 60_000 }, async (_, line, limit) => {
    const { result } = await shell.defaultSession.run(line, limit === "time" ? { timeMs: 1500 } : {});
    expect(result).toMatchObject({ kind: "stopped", limit });
    expect((await shell.defaultSession.run("jq -c . f")).stdout.toString()).toBe("[1]\n");
  });
});
