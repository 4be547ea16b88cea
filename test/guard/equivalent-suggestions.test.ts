/**
 * A `try:` prints, ends with and leaves what the refused line does in bash; what only comes near is an `instead:` that says what it
 * lacks. `npm run suggestions` asks the same of every refused line of the material.
 */
import { linkSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compared, Place } from "../../tools/evidence/suggestions/compared.ts";
import { type Refusal, Refusals } from "../../tools/evidence/suggestions/refusals.ts";
import { smallTree } from "../../tools/evidence/suggestions/small-tree.ts";
import { skipWithout } from "../needs.ts";

let small: string;
let place: Place;
let refusals: Refusals;
beforeAll(async () => {
  small = smallTree();
  place = new Place(small);
  refusals = await Refusals.open(place.root, "refuse");
});
afterAll(async () => {
  await refusals.close();
  place.remove();
  rmSync(dirname(small), { recursive: true, force: true });
});

async function refusalOf(line: string): Promise<Refusal> {
  const refusal = await refusals.of(line, "");
  if (refusal === undefined) throw new Error(`it is not refused: ${line}`);
  return refusal;
}

describe("try: is the refused line in other words", () => {
  test.each([
    "/bin/grep -c one words.txt",
    "/usr/bin/sort words.txt | uniq -c",
    "echo a > one.txt; echo b > two.txt",
    "printf '%s\\n' a b >> words.txt",
    "wc -l words.txt >> words.log",
    "grep -n zzz words.txt >> out.txt; echo $?",
    "echo x >| 'a b.txt' && cat 'a b.txt'",
    "cat <<EOF > out.txt\na\nb\nEOF",
    ": > words.txt",
    "sort words.txt > new.txt && cat new.txt",
    "echo x > src/new.txt",
    "mkdir -p d/e && echo x > d/e/new.txt",
    "grep zzz words.txt > new.txt || echo none",
    "sort words.txt | uniq -c > new.txt; echo $?",
    "grep zzz words.txt | grep one > new.txt || echo none",
    "ls src/deep > src/new.txt",
    "grep -rl one src > new.txt",
    'while read -r a b; do echo "$b $a"; done < words.txt > new.txt',
    "sort words.txt | uniq -c > o",
    "cat words.txt > words",
    "echo x > x",
    'echo "$(cat words.txt)" > words.txt',
    'echo "$(< words.txt)" > words.txt',
    "echo 1 > n; echo $(cat n) 2 > n; cat n",
    "for i in 1 2; do echo $i >> o.txt; done",
    'ls src | while read f; do echo "$f" >> list.txt; done',
    'for f in src/*.ts; do cat "$f" >> all.txt; done',
    "cat src/{a,b}.ts > both.txt",
    "mkdir -p d/e && cd d/e && echo a > x",
    "mkdir d && cd d && cat ../words.txt > x && cat x",
    "mkdir -p d && cat words.txt > d/x",
    "test -f words.txt && sort words.txt >> notes.md",
    "perl -ne 'print if /one/' words.txt",
    "perl -ne 'print unless /one/' src/*.ts",
    "perl -ne 'print if 2..3' words.txt",
    "perl -pe 's/one/1/g' words.txt",
    "perl -pi -e 's/one/1/' words.txt notes.md",
    "cat words.txt | perl -pe 's/one/1/'",
    "perl -0pe 's/\\n/,/g' words.txt",
    "perl -ne 'END { print $. }' words.txt notes.md",
    `perl -e 'print "done: 1\\n"'`,
    `python3 -c "print('hello world')"`,
    'python3 -c "import os; print(os.getcwd())"',
    `node -e 'console.log("done")'`,
    "python3 -c 'print(17*3)'",
    "node -p '1+2'",
    "sync",
  ])("%s", async (line) => {
    skipWithout("bash");
    place.restore();
    const { suggested } = await refusalOf(line);
    expect(suggested).toMatchObject({ lost: undefined });
    const verdict = await compared(place, { line, suggestion: suggested?.line ?? "", cwd: "", redirects: "refuse" }, {});
    // perl, python3 or node may not be installed.
    if (verdict.kind !== "not comparable") expect(verdict, suggested?.line).toEqual({ kind: "equal" });
  });
});

describe("instead: says what it lacks, and runs", () => {
  test.each([
    ["ls > out.txt", "set -o pipefail; ls | tee out.txt >/dev/null"],
    ["ls | sort > out.txt", "ls | sort | tee out.txt >/dev/null"],
    ["ls src > src/out.txt", "set -o pipefail; ls src | tee src/out.txt >/dev/null"],
    ["grep zzz words.txt > notes.md", "set -o pipefail; grep zzz words.txt | tee notes.md >/dev/null"],
    ["for i in 2 9; do grep $i words.txt > o; done", "set -o pipefail; for i in 2 9; do grep $i words.txt | tee o >/dev/null; done"],
    ["sort words.* | cat > words.txt", "sort words.* | cat | tee words.txt >/dev/null"],
    ["sort < nope > o", "set -o pipefail; sort < nope | tee o >/dev/null"],
    ["sh -c 'ls > o'", "sh -c 'set -o pipefail; ls | tee o >/dev/null'"],
    ["sort words.txt > words.txt", "set -o pipefail; sort words.txt | tee words.txt >/dev/null"],
    ["wc -l words.txt 2> err.txt", "set -o pipefail; wc -l words.txt 2>&1 | tee err.txt >/dev/null"],
    ["n=0; while read -r l; do n=$((n+1)); done < words.txt >> o; echo $n", undefined],
    ["echo x > new/out.txt", "echo x | tee new/out.txt >/dev/null"],
    ["ls src & wait", "ls src ; wait"],
    ["gerp one words.txt", "grep one words.txt"],
    ["ls --hlep", "ls --help"],
    ["ls --sort=tme", "ls --sort=time"],
    ["sort --sort numerc words.txt", "sort --sort numeric words.txt"],
    ["ls src | xargs -I{} sh -c 'echo {} > {}.out'", "ls src | xargs -I{} sh -c 'set -o pipefail; echo {} | tee -- {}.out >/dev/null'"],
    ["sudo ls src", "ls src"],
    ["tail -f app.log", "tail -n10 app.log"],
    ["rm -i words.txt", "rm words.txt"],
    ["cat /elsewhere/src/a.ts", "cat src/a.ts"],
    ["python3 -m json.tool data.json", "jq -a --indent 4 . data.json"],
    ["python3 -m json.tool --sort-keys < data.json | head -n 2", "jq -a --indent 4 -S . < data.json | head -n 2"],
    [`python3 -c 'import json; print(json.load(open("data.json"))["nested"]["key"])'`, "jq -r .nested.key data.json"],
    [`python3 -c 'import json; d = json.load(open("data.json")); print(len(d["items"]))'`, "jq '.items | length' data.json"],
    [`node -p 'require("./data.json").items[0]'`, "jq -r '.items[0]' ./data.json"],
    [`node -e 'console.log(JSON.stringify(require("./data.json").nested))'`, "jq -c .nested ./data.json"],
    ["perl -lane 'print $F[1]' words.txt", "awk '{ print $2 }' words.txt"],
    ["perl -F, -lane 'print $F[1]' table.csv", "awk -F, '{ print $2 }' table.csv"],
    ["perl -ne 'print if /one/' nope", "sed -n /one/p nope"],
    ["perl -pe 's/\\s+$/\\n/' words.txt", "sed 's/[[:space:]]*$//' words.txt"],
    [`perl -ne 'print "$.: $_"' words.txt`, `awk '{ print NR ": " $0 }' words.txt`],
    ["perl -lne 'print length' words.txt", "awk '{ print length($0) }' words.txt"],
    ["perl -lpe '$_ = uc' words.txt", "awk '{ print toupper($0) }' words.txt"],
    ["perl -nle 'print $1 if /one (\\d+)/' words.txt", "rg -NIo -r '$1' -e 'one (\\d+)' words.txt"],
    [`python3 -c "print(open('notes.md').read())"`, "cat notes.md"],
    [`python3 -c "print(sum(1 for _ in open('words.txt')))"`, "wc -l < words.txt"],
    [`python3 -c "import os; print(os.listdir('src'))"`, "ls -A src"],
    [`python3 -c "import json; json.load(open('data.json'))"`, "jq empty data.json"],
    [`python3 -c "import json; print(list(json.load(open('data.json')).keys()))"`, "jq -c keys_unsorted data.json"],
    [`python3 -c "import json; print(json.dumps(json.load(open('data.json')), indent=2))"`, "jq -a --indent 2 . data.json"],
    [`python3 -c "for l in open('words.txt'): print(l.strip())"`, "sed 's/^[[:space:]]*//; s/[[:space:]]*$//' words.txt"],
    [`node -e "const d=require('./data.json'); console.log(d.name)"`, "jq -r .name ./data.json"],
    [`node -e "console.log(JSON.stringify(require('./data.json'), null, 2))"`, "jq . ./data.json"],
    [`node -e "console.log(require('fs').readFileSync('words.txt','utf8'))"`, "cat words.txt"],
    [`node -p "Object.keys(require('./data.json'))"`, "jq -c keys_unsorted ./data.json"],
    ["su -c 'ls src' root", "ls src"],
    ["git sttaus", "git status"],
    ["jq --compact . data.json", "jq --compact-output . data.json"],
    [`rg -n "--flag|x" src`, `rg -n -e "--flag|x" src`],
    ["wc -l /elsewhere/src/*.ts", "wc -l src/*.ts"],
    ["git log -p --ext-diff -- src/*.ts", "git log -p -- src/*.ts"],
    ["git blame --show-stats words.txt", "git blame words.txt"],
  ])("%s", async (line, suggestion) => {
    const { suggested, runs } = await refusalOf(line);
    if (suggestion !== undefined) expect(suggested?.line).toBe(suggestion);
    expect(suggested?.lost).toMatch(/./);
    expect(runs).toBe(true);
  });
});

describe("nothing is offered where nothing comes near", () => {
  test.each([
    "git commit -m x",
    "git push",
    "git switch main",
    "git branch new",
    "npm test",
    "find . -name '*.ts' -exec node {} \\;",
    "ls | xargs node",
    "set",
    "diff --color=always src/a.ts src/b.ts",
    "awk '{ print > \"out.txt\" }' src/*.ts",
    "python3 -c 'import os; os.remove(\"x\")'",
    "node -p 'process.version'",
    "perl -ne 'print $1 if /(a)/' words.txt",
    "git help log",
    "cd src > o.txt; pwd",
    "pushd src >> o.txt && ls",
    "ls nope 2>&1 >o.txt | cat",
    "ls nope 2> o.txt | wc -l",
  ])("%s", async (line) => expect((await refusalOf(line)).suggested).toBeUndefined());
});

test("a file with two names is not written by both", async () => {
  writeFileSync(join(place.root, "one-name"), "x\n");
  linkSync(join(place.root, "one-name"), join(place.root, "other-name"));
  const refusal = await refusals.of("echo y > other-name", "");
  expect(refusal?.text).toMatch(/^instead: .*tee other-name.* # the file's other names keep what they have$/m);
});

describe("instead: tells what is another", () => {
  test.each([
    [`awk '/zzz/{print > "words.txt"}' notes.md`, /where nothing is printed, the file is made or emptied all the same/],
    [`awk '{print >> "o"}' nope`, /where nothing is printed, the file is made all the same/],
    ["grep one words.txt >> words.txt", /grep refuses a file that is its output, too/],
    ["cat notes.md words.txt > words.txt", /bash would empty the file before it is read, and cat refuses/],
    ["cat words.{log,txt} > words.txt", /bash would empty the file before it is read/],
    ['cat > words.txt <<< "$(cat words.txt)"', /bash would empty the file before it is read/],
    ["f() { cat words.txt; }; f > words.txt", /bash would empty the file before it is read/],
    ['while read -r a; do echo "$a" > words.txt; done < words.txt', /bash would empty the file before it is read/],
    ['for f in words.txt; do cat "$f" >> words.txt; done', /the command may read what tee has written/],
    ["cat newf > newf", /the file is made last, so it is not seen/],
    ["{ grep zzz words.txt | wc -l || echo none; } > o", /pipefail holds in it, too/],
    ["echo 1 > n; echo $(( $(cat n) + 1 )) > n", /its expansions are those of a part of a pipe/],
    ["shuf -o o nope", /a new file is made all the same/],
    ["git apply x.patch", /below the top of the working tree, names are taken from here/],
    [`python3 -c 'import json; print(json.load(open("data.json"))["nope"])'`, /a missing key is null, and no error/],
    [`node -p 'require("./data.json").nope'`, /what is not there is null, not undefined or an error/],
    ["git checkout -- untracked.txt", /if HEAD has it/],
  ])("%s", async (line, lost) => expect((await refusalOf(line)).suggested?.lost).toMatch(lost));
});

test("one suggestion for the whole line, after all reasons", async () => {
  const { text } = await refusalOf("sudo ls; sudo pwd; gerp x words.txt");
  expect(text.match(/\b(?:try|instead): /g)).toHaveLength(1);
  expect(text).toMatch(/instead: ls; pwd; grep x words\.txt {2}# .*\n$/);
});

describe("a redirection that a pipe does not stand for has no try:, or one that does the same", () => {
  test.each([
    'echo x > "-a"',
    "echo x >> '--help'",
    'f=-n; echo x > "$f"',
    "echo x >/dev/null >n1",
    "{ echo x; } >/dev/null 1>n1",
    "cat words.txt &>/dev/null > n1",
    "echo x >/dev/null 2>&1 > n1",
    "echo err >&2 > n1",
    "trap 'echo bye' EXIT > n1; echo x",
    "{ trap 'echo bye' EXIT; } > n1",
    "echo ${x:=5} > n1; echo $x",
    ': "${x:=1}" > n1 && echo $x',
    "s=abc; i=0; echo ${s:i++:1} > n1; echo $i",
    "a=(1 2 3); i=0; echo ${a[i++]} > n1; echo $i",
    "s=abc; echo ${s:1/0} > n1; echo after",
    'echo "${x?boom}" > n1; echo after',
    "echo $((1/0)) > n1; echo after",
    "ex''it 3 > n1; echo x",
    "r'ea'd x < words.txt > n1; echo $x",
    "c=read; { $c v < words.txt; } > n1; echo $v",
    "true > n1; echo ${PIPESTATUS[@]}",
    'echo $BASHPID > n1; test "$(cat n1)" = $$ && echo same',
    "diff -rq . src > n1",
    "diff -r src/deep src > src/n1",
    "grep -c -r one . > n1",
    "grep one -r > n1",
    "cat <&- > n1",
    "echo x > src",
  ])("%s", async (line) => {
    skipWithout("bash");
    place.restore();
    const { suggested } = await refusalOf(line);
    const isOffered = suggested !== undefined && suggested.lost === undefined;
    const verdict = isOffered && (await compared(place, { line, suggestion: suggested.line, cwd: "", redirects: "refuse" }, {}));
    expect(verdict, suggested?.line).toEqual(isOffered ? { kind: "equal" } : false);
  });
});
