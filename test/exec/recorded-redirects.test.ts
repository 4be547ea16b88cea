/** Redirections into files of the workspace where the policy has them recorded: against bash, and what stays refused. */
import { describe, expect, test } from "vitest";
import { ours, real } from "../builtins/writers/against-tools.ts";
import { needs } from "../needs.ts";

const LINES = ["f: one\ntwo\n", "g: other\n", "empty:", "d/", "d/a: a\n", "lf => f", "with space: s\n"];
const RECORD = { redirects: "record" } as const;

const SAME: readonly string[] = [
  "echo x > new; cat new",
  "echo x > f; cat f",
  "echo x >> f; cat f",
  "echo x >| f",
  "echo x > d/new; ls d",
  "echo x > nope/new; echo $?",
  "echo x > d; echo $?",
  "ls nope 2> err; cat err",
  "ls nope f > out 2>&1; cat out",
  "ls nope f &> out; cat out",
  "ls nope f &>> f; cat f",
  "{ echo a; echo b; } > out; cat out",
  "for i in 1 2 3; do echo $i; done > out; wc -l < out",
  "for i in 1 2 3; do echo $i >> out; done; cat out",
  'while read -r l; do echo "[$l]"; done < f > out; cat out',
  "> new; ls",
  ": > f; cat f; ls -s empty",
  "x=1 > new2; ls; echo $x",
  "sort -r f > sorted && cat sorted",
  "cat f | tee g > h; cat g h",
  'n=\'with space\'; echo y > "$n"; cat "$n"',
  "for n in p q; do echo $n > $n.txt; done; cat p.txt q.txt",
  "(echo sub; echo err >&2) > o 2> e; cat o e",
  "f() { echo in f; }; f > o; cat o",
  "if true; then echo yes; fi > o; cat o",
  "echo a > o; echo b > o; cat o",
  "printf 'a\\0b' > bin; cksum bin",
  "cat <<'E' > doc\nline 1\nline 2\nE\ncat doc",
  "echo x 3> o >&3; cat o",
  "cd d; echo y > ../up; cd ..; cat up",
  "sh -c 'echo inner > o'; cat o",
  "seq 5 > o; head -2 o > p; cat p",
  "grep nothing f > out; echo $?; ls out",
  "exec > o; echo x",
  "exec 2> e; ls nope; echo done",
  "{ echo a >&2; } 2> e; cat e",
];

needs("bash").describe("as in bash", () => {
  for (const line of SAME) {
    needs("bash").test(line, {}, async () => {
      expect(await ours(line, LINES, {}, RECORD)).toEqual({ refused: undefined, ...real(line, LINES) });
    });
  }
});

describe("refused", () => {
  const rows: readonly (readonly [line: string, reason: string, policy?: object])[] = [
    ["echo x > out", "REDIRECT", {}],
    ["echo x > out", "REDIRECT", { ...RECORD, strict: true }],
    ["echo x > out", "READ_ONLY", { ...RECORD, readOnly: true }],
    ["echo x > .git/config", "PROTECTED_PATH", RECORD],
    ["echo x > .envrc", "NEEDS_APPROVAL", RECORD],
    ["n=.git; echo x > $n/config", "PROTECTED_PATH", RECORD],
    ["n=$(printf .git); echo x > $n/config", "PROTECTED_PATH", RECORD],
    ["echo x > ../out", "PATH_ESCAPE", RECORD],
    ["echo x > /etc/passwd", "PATH_ESCAPE", RECORD],
    ["{ echo x; } > .shelpa/x", "PROTECTED_PATH", RECORD],
    ["cat nope > f; cat f", "CONFLICT", RECORD],
    ["echo x <> f", "REDIRECT", RECORD],
    ["yes | head -c 2000000 > big", "OVERSIZE_WRITE", RECORD],
  ];
  for (const [line, reason, policy = RECORD] of rows) {
    test(`${line}: ${reason}`, async () => {
      const { refused, tree } = await ours(line, LINES, {}, policy);
      expect(refused).toBe(reason);
      expect(tree.find((entry) => entry.startsWith("f "))).toContain("one");
    });
  }
});
