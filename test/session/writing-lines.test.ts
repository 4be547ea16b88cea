/** Lines that may write, by their text: no line that the guard says to write is missed, and common readers are none. */
import { describe, expect, test } from "vitest";
import { loadBuiltins } from "../../builtins/registry.ts";
import { mayWrite } from "../../src/session/writing-lines.ts";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { Shell } from "../../src/session/shell.ts";

const WRITING = [
  "echo 1 | tee -a f",
  "echo 1 | t'e'e f",
  "echo 1 | te\\\ne f",
  "echo 1 | $'t\\x65e' f",
  "a=te b=e; echo 1 | $a$b f",
  "echo 1 | te{e,} f",
  "f() { rm a; }; f",
  "ls | xargs rm",
  "find . -name a -exec rm {} +",
  "find . -name a -delete",
  "for f in *; do mv $f x$f; done",
  "sh -c 'cp a b'",
  "alias t='tee f'\necho 1 | t",
  "undo",
  "patch < p.diff",
  "sed -i s/a/b/ f",
  "sed -Ei s/a/b/ f",
  "sed --in-place s/a/b/ f",
  "sed 's/a/b/w out' f",
  "sed 's/a/b/gw out' f",
  "sed -n '/a/wout' f",
  "sed -n '1wout' f",
  "sed w\\ out f",
  "sed -n /a/wout f",
  "sed -e 1w\\ out f",
  "sed --expression=1wout f",
  "sed -f script f",
  "sort -uo f f",
  "sort --output=f f",
  "awk -f script f",
  "awk '{ print > \"f\" }' g",
  "ls > f",
  "ls >> f 2>&1",
  "ls &> f",
  ">f",
  "cat <<< a >| f",
  "t=$(mktemp)",
  "@release version=1",
  "ls; @release",
];

const READING = [
  "ls -la",
  "rg -n foo src 2>/dev/null | head -5",
  "cat a.txt 2>&1 | sort -u | uniq -c",
  "sed -n '1,200p' src/workspace/workspace.ts",
  "sed -n 1,200p src/wasm.ts",
  "sed -e 's/a/b/g' f",
  "awk -F: '{ print $1 }' f",
  "awk '/x/ { n++ } END { print n }' f",
  "find . -name '*.ts' -newer a",
  "git log --patch -- src/patch.ts",
  "git diff | grep touch.ts",
  'x=$(cat f); echo "$x"',
  "{ cat a; cat b; } | wc -l",
  'for f in *; do wc -l "$f"; done',
  "if [ -f $x ]; then cat $x; fi",
  "jq -r '.scripts | keys[]' package.json",
  "@out 3 | grep x",
  "cd src && ls",
];

describe("by its text", () => {
  test.each(WRITING)("%s may write", (line) => expect(mayWrite(line)).toBe(true));
  test.each(READING)("%s only reads", (line) => expect(mayWrite(line)).toBe(false));
});

test("every example that the guard says to write may write", async () => {
  const shell = await Shell.open({ files: {}, isolation: "none", policy: { ...DEFAULT_POLICY, redirects: "record" } });
  try {
    let writing = 0;
    for (const { examples } of await loadBuiltins()) {
      for (const { command } of examples) {
        const { stages } = await shell.defaultSession.assess(command);
        if (!stages.some(({ writes, writes_unknown: unknown }) => writes.length > 0 || unknown)) continue;
        writing++;
        expect(mayWrite(command), command).toBe(true);
      }
    }
    expect(writing).toBeGreaterThan(15);
  } finally {
    await shell.close();
  }
}, 60_000);
