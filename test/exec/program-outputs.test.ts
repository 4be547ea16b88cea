/** Files that awk and sed write as they run, where the policy has redirections recorded: against the real tools, and what is refused. */
import { describe, expect, test } from "vitest";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import { LocalRunner } from "../../src/exec/local-runner.ts";
import { inputOf } from "../../src/io/input.ts";
import { Shell } from "../../src/session/shell.ts";
import { ours, real, snapshot } from "../builtins/writers/against-tools.ts";
import { needs } from "../needs.ts";
import { tree } from "../tree.ts";

const LINES = ["f: a 1\nb 2\na 3\n", "g: other\n", "empty:", "unended: x", "d/", "d/a: a\n", "lf => f", "é: x\n"];
const RECORD = { redirects: "record" } as const;

const SAME: readonly string[] = [
  // awk
  `awk '{ print > $1 ".txt" }' f; cat a.txt b.txt`,
  `awk '{ print > ("part-" NR ".txt") }' f; ls`,
  `awk -F' ' 'NR > 1 { out = $1 ".csv"; print $2, $1 > out }' f`,
  `awk '{ print > "g" }' f; cat g`,
  `awk '{ print >> "g" }' f; cat g`,
  `awk '{ printf "%s-%d\\n", $1, NR > "g" }' f`,
  `awk 'BEGIN { printf "" > "g" }'`,
  `awk 'BEGIN { printf "" >> "g"; printf "" > "new" }'`,
  `awk '{ print > "g"; close("g") }' f`,
  `awk '{ print > "g"; close("g"); print "x" >> "g" }' f`,
  `awk '{ print > "g"; print "again" >> "g" }' f`,
  `awk '{ print > "g" } END { exit 3 }' f; echo $?`,
  `awk '{ print > "g" } NR == 2 { print substr() }' f; echo $?`,
  `awk '{ print > "" }' f; echo $?`,
  `awk '{ print > "nope/x" }' f; echo $?`,
  `awk '{ print > "d" }' f; echo $?`,
  `awk '{ print > "new"; print > "d" }' f; echo $?; cat new`,
  `awk 'BEGIN { print close("q"); print "a" > "g"; print close("g"), close("g"), ERRNO }'`,
  `awk 'BEGIN { print "a" > "g"; print fflush("g"), fflush(""), fflush() }'`,
  `awk 'BEGIN { print "a" > "g"; print fflush("zz") }'`,
  `awk 'BEGIN { x = "/dev/stdout"; print "a" > x; x = "/dev/stderr"; print "b" > x; x = "/dev/null"; print "c" > x; print close("/dev/null") }'`,
  `awk 'BEGIN { print "a" > "/dev/stdout"; print "b" > "/dev/stderr"; print "c" > "new" }'`,
  `awk 'BEGIN { while ((getline l < "g") > 0) print l "!" > "g" }'`,
  `awk '{ print > FILENAME ".copy" }' f g`,
  `awk '{ print toupper($0) > FILENAME }' g; cat g`,
  `awk 'BEGIN { print "warn" | "cat 1>&2"; print "b" > "g" }'`,
  `awk 'BEGIN { print "b" > "g"; print "x" | "sort -r"; print "y" | "sort -r"; system("echo hi") }'`,
  `awk 'BEGIN { while (("ls d" | getline l) > 0) print l > "list" }'`,
  `awk 'BEGIN { print "a" > 3; print "b" > 3.0; print "c" > 1e6 }'`,
  `awk 'BEGIN { for (i = 0; i < 3000; i++) print i, "a longer line of text" > "many" }'; cksum many`,
  `awk 'BEGIN { for (i = 0; i < 300; i++) print i > ("d/" i) }'; ls d | wc -l`,
  `awk 'function w(s) { print s > "new" } BEGIN { w("a"); w("b") }'`,
  `awk '{ print > "é2"; printf "\\377" > "bin" }' é`,
  `awk --sandbox '{ print > "g" }' f; echo $?`,
  `awk -v o=new '{ print > o }' f`,
  `for n in p q; do awk -v o=$n.txt '{ print > o }' f; done; ls`,
  `awk '{ print > "e" }' f > o 2> err; cat e; ls`,
  `ls f g | xargs -n1 awk '{ print FILENAME > "log" }'; cat log`,
  `ls f g | xargs -n1 awk '{ print FILENAME >> "log" }'; cat log`,
  `find . -name f -exec awk '{ print > "q" }' {} \\; ; cat q`,
  `awk '{ print > "out" } END { print NR }' f | head -n 1; cat out`,
  `cd d; awk '{ print > "../up" }' ../f; cd ..; cat up`,
  `sh -c 'awk "{ print > \\"inner\\" }" f'; cat inner`,
  `awk 'NR % 2 { print > "odd"; next } { print > "even" }' f; cat odd even`,
  // sed
  `sed -n '/a/w g' f; cat g`,
  `sed -n '/zzz/w g' f`,
  `sed -n '/zzz/w new' f`,
  `sed -n -e '/a/w x' -e '/b/w y' -e '2w x' f; cat x y`,
  `sed 's/a/X/w g' f`,
  `sed -n 's/a/X/pw g' f; cat g`,
  `sed -i 's/a/X/w changes' f; cat f changes`,
  `sed 'w nope/x' f; echo $?`,
  `sed 'w d' f; echo $?`,
  `sed -n 'w new' nope f; echo $?`,
  `sed -n 'w new' nope; echo $?`,
  `sed -n -e 'w new' -e 'w new' unended`,
  `sed -n 'w new' unended f`,
  `sed -s -n '/a/w new' f f`,
  `sed -n '2{w new\nq5\n}' f; echo $?`,
  `sed 'w g' < /dev/null`,
  `sed -n '$!N;W new' f`,
  `sed -n 'w /dev/null' f`,
  `sed -z 'w new' f`,
  `sed 'w new' f | head -n 1; cat new`,
  `sed -n 'w ü' f; sed '1r é' f`,
  `sed -n -e '/a/{w x' -e '}' -e 's/2/&&/w y' f`,
  `seq 2000 | sed -n 'w new'; cksum new`,
  `sed --sandbox 'w new' f; echo $?`,
];

needs("bash").describe("as with gawk and GNU sed", () => {
  for (const line of SAME) {
    needs("gawk").test(line, {}, async () => {
      expect(await ours(line, LINES, {}, RECORD)).toEqual({ refused: undefined, ...real(line, LINES) });
    });
  }
});

describe("refused, and nothing has changed", () => {
  const strict = { ...RECORD, profile: "strict" } as const;
  const rows: readonly (readonly [line: string, reason: string, policy?: Partial<Policy>])[] = [
    [`awk '{ print > "new" }' f`, "DISALLOWED_FLAG", {}],
    [`awk '{ print > $1 }' f`, "DISALLOWED_FLAG", {}],
    [`awk '{ print > "new" }' f`, "DISALLOWED_FLAG", { ...RECORD, strict: true }],
    [`awk '{ print > "new" }' f`, "READ_ONLY", { ...RECORD, readOnly: true }],
    [`awk '{ print > $1 }' f`, "READ_ONLY", { ...RECORD, readOnly: true }],
    [`awk '{ print > "new" }' f`, "DISALLOWED_CMD", strict],
    [`awk '{ print > $1 }' f`, "DISALLOWED_CMD", strict],
    [`awk '{ print > ("/tmp/" $1) }' f`, "DISALLOWED_CMD", strict],
    [`awk '{ print > ".git/config" }' f`, "PROTECTED_PATH"],
    [`awk '{ print > (".git" "/config") }' f`, "PROTECTED_PATH"],
    [`awk '{ x = ".shelpa/x"; print > x }' f`, "PROTECTED_PATH"],
    [`awk '{ print > ".envrc" }' f`, "NEEDS_APPROVAL"],
    [`awk '{ x = ".envrc"; print > x }' f`, "NEEDS_APPROVAL"],
    [`awk '{ print > "new"; x = ".envrc"; print > x }' f`, "NEEDS_APPROVAL"],
    [`awk '{ print > "../new" }' f`, "PATH_ESCAPE"],
    [`awk '{ x = "../new"; print > x }' f`, "PATH_ESCAPE"],
    [`awk '{ x = "/etc/passwd"; print > x }' f`, "PATH_ESCAPE"],
    [`n=$(printf .git); awk "{ print > \\"$n/config\\" }" f`, "PROTECTED_PATH"],
    [`awk 'BEGIN { for (;;) print "y" > "big" }'`, "OVERSIZE_WRITE"],
    [`awk 'BEGIN { for (i = 0; i < 1001; i++) { print i > ("d/" i); close("d/" i) } }'`, "OVERSIZE_WRITE"],
    [`awk 'BEGIN { printf "" > "g"; exit 1 }'`, "CONFLICT"],
    [`awk '{ print > "g" } END { close("g"); getline l < "g"; print l }' f`, "CONFLICT"],
    [`awk '{ print > "g" } END { close("g"); getline l < "./g"; print l }' f`, "CONFLICT"],
    [`awk '{ print > "f" } END { getline l < "lf"; print l }' é`, "CONFLICT"],
    [`awk '{ print > "g" }' f g`, "CONFLICT"],
    [`awk '{ print > "g" } END { system("cat g") }' f`, "CONFLICT"],
    [`awk '{ print > "g" } END { while (("sort g" | getline l) > 0) print l }' f`, "CONFLICT"],
    [`awk '{ print > "g" } END { system("grep -r other .") }' f`, "CONFLICT"],
    [`awk '{ print > "g" } END { system("test -s g") }' f`, "CONFLICT"],
    [`awk '{ print > "g" } END { close("g"); system("mv g h") }' f`, "CONFLICT"],
    [`awk '{ print > "g" } END { close("g"); system("rm -f g") }' f`, "CONFLICT"],
    [`awk '{ print > "g" } END { close("g"); system("echo more >> g") }' f`, "CONFLICT"],
    [`awk '{ print > "g" } END { close("g"); print "more" | "tee -a g" }' f`, "CONFLICT"],
    [`awk '{ print > "g" } END { close("g"); system("mkdir g2") }' f`, "CONFLICT"],
    [`awk '{ print > "g" } END { close("g"); system("echo g*") }' f`, "CONFLICT"],
    [`awk 'BEGIN { print "a" > "new"; print "b" > "./new" }'`, "CONFLICT"],
    [`awk '{ print > "new" }' f > new`, "CONFLICT"],
    ["echo x > new 2> new", "CONFLICT"],
    ["sed 'w new' f", "DISALLOWED_FLAG", {}],
    ["sed 'w new' f", "READ_ONLY", { ...RECORD, readOnly: true }],
    ["sed 'w new' f", "DISALLOWED_CMD", strict],
    ["sed 's/a/b/w .git/config' f", "PROTECTED_PATH"],
    ["sed 'w .envrc' f", "NEEDS_APPROVAL"],
    ["sed 'w ../new' f", "PATH_ESCAPE"],
    ["sed -n '/zzz/w g' nope f", "CONFLICT"],
    ["sed 'w f' f", "CONFLICT"],
    ["sed -i 'w f' f", "CONFLICT"],
    ["sed -e 'w g' -e 'r g' f", "CONFLICT"],
    ["sed -e 'w g' -e 'R ./g' f", "CONFLICT"],
    ["sed -e 'w new' -e 'w ./new' f", "CONFLICT"],
    ["sed 'w new' f > new", "CONFLICT"],
  ];
  for (const [line, reason, policy = RECORD] of rows) {
    test(`${line}: ${reason}`, async () => {
      const before = tree(LINES);
      const unchanged = snapshot(before.path).map((entry) => entry.replace(/ (now|\d+\.\d+) /, " "));
      before.remove();
      const { refused, tree: after } = await ours(line, LINES, {}, policy);
      expect(refused).toBe(reason);
      expect(after.map((entry) => entry.replace(/ (now|\d+\.\d+) /, " "))).toEqual(unchanged);
    });
  }

  test.each([`awk '{ print > "lf" }' g`, "sed 'w lf' g"])("%s: a symbolic link is told of, with its file", async (line) => {
    const { exit, stderr, tree: after } = await ours(line, LINES, {}, RECORD);
    expect(exit).not.toBe(0);
    expect(stderr).toMatch(/lf.*\bf\b/);
    expect(after).toContain("lf -> f");
    expect(after.find((entry) => entry.startsWith("f "))).toContain("a 1");
  });

  test("a program in a file writes to /tmp alone", async () => {
    const lines = [...LINES, 'p.awk: { print > "new" }', "p.sed: w new\n", 'q.awk: { print > ("/tmp/" n) }'];
    // Below the host's /tmp.
    const place = tree(lines, { isOnDisk: true });
    const shell = await Shell.open({ root: place.path, isolation: "none", policy: { ...DEFAULT_POLICY, ...RECORD } });
    const said = async (line: string): Promise<string> => String((await shell.defaultSession.run(line)).stderr);
    try {
      expect(await said("awk -f p.awk f")).toContain("would write a file");
      expect(await said("sed -f p.sed f")).toContain("a script writes no files here");
      expect(await said(`awk -v n=${place.path.slice("/tmp/".length)}/new -f q.awk f`)).toMatch(/writes to \/tmp alone/);
      expect(snapshot(place.path).filter((entry) => entry.startsWith("new"))).toEqual([]);
    } finally {
      await shell.close();
      place.remove();
    }
  });
});

describe("as one change", () => {
  const inShell = async (lines: readonly string[], policy: Partial<Policy> = {}): Promise<readonly string[]> => {
    const place = tree(LINES);
    const shell = await Shell.open({
      root: place.path,
      isolation: "none",
      timeZone: "UTC",
      policy: { ...DEFAULT_POLICY, ...RECORD, ...policy },
    });
    try {
      const said: string[] = [];
      for (const line of lines) {
        const { result, stdout, stderr } = await shell.defaultSession.run(line);
        said.push(`${stdout}${stderr}${result.kind === "refused" ? result.violations[0].reason : ""}`);
      }
      return said;
    } finally {
      await shell.close();
      place.remove();
    }
  };

  test("all files of a stage have one record's transaction, and one undo", async () => {
    const [, , back, , after] = await inShell([
      `awk '{ print > $1; print >> "g" }' f > out`,
      "cat a b g out",
      "undo",
      "history g",
      "ls; cat g",
    ]);
    expect(back).toBe("removed out\nremoved a\nrestored g\nremoved b\n");
    expect(after).toBe("d\nempty\nf\ng\nlf\nunended\né\nother\n");
  });

  test("what is appended is recorded as that", async () => {
    const [, history = "", back] = await inShell([`awk '{ print >> "g" }' f`, "history g", "undo; cat g"]);
    expect(history).toMatch(/\tappended\t\d+\tg\t/);
    expect(back).toBe("restored g\nother\n");
  });

  test("explain names the files that are spelled out, and says that others are written", async () => {
    const [spelled = "", computed = ""] = await inShell([
      `explain 'awk "{ print > \\"new\\" }" f | sed "w g"'`,
      `explain 'awk "{ print > \\$1 }" f'`,
    ]);
    expect(spelled).toMatch(/new/);
    expect(spelled).toMatch(/\bg\b/);
    expect(computed).toMatch(/writ/);
  });

  test("a preview shows every file, by whatever name, and changes none", async () => {
    const place = tree(LINES);
    const runner = new LocalRunner({ root: place.path, aliases: [], timeZone: "UTC", policy: { ...DEFAULT_POLICY, ...RECORD } });
    try {
      const before = snapshot(place.path);
      const line = `awk '{ print > $1; print "n" >> "g"; x = ".envrc"; print > x }' f`;
      const result = await runner.run(
        { line, currentDirectory: "", previousDirectory: undefined, session: "test", client: "test", preview: true },
        { stdin: inputOf(), stdout: () => {}, stderr: () => {} },
        new AbortController().signal,
      );
      if (result.kind !== "completed") throw new Error(result.kind);
      const shown = result.previews?.map(({ path, created, appends, bytes, diff }) => [path, created, appends, bytes, /^\+/m.test(diff)]);
      expect(shown).toEqual([
        ["a", true, false, 8, true],
        ["g", false, true, 6, true],
        [".envrc", true, false, 12, true],
        ["b", true, false, 4, true],
      ]);
      expect(snapshot(place.path)).toEqual(before);
    } finally {
      await runner.close();
      place.remove();
    }
  });

  test("a full scratch is told of, and what was written before stays", async () => {
    const limits = { ...DEFAULT_POLICY.limits, scratchBytes: 10_000 };
    const [said, size] = await inShell([`awk 'BEGIN { for (;;) print "y" > "/tmp/big" }'; sed -n 'w /tmp/more' f`, "stat -c %s /tmp/big"], {
      limits,
    });
    expect(said).toMatch(/awk: cmd. line:1: fatal: print to "\/tmp\/big" failed: No space left on device\nsed: couldn't /);
    expect(size).toBe("10000\n");
  });

  test("what is approved by its name is written", async () => {
    const approval = { ...DEFAULT_POLICY.approval, preApproved: [".envrc"] };
    const [, said] = await inShell([`awk '{ x = ".envrc"; print > x }' f`, "cat .envrc"], { approval });
    expect(said).toBe("a 1\nb 2\na 3\n");
  });
});
