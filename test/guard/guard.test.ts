import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planLine } from "../../src/guard/guard.ts";
import type { Policy } from "../../src/config/policy.ts";
import type { GuardContext } from "../../src/guard/rule.ts";
import type { List } from "../../src/shell/tree.ts";
import { context, ROOT } from "./stand-ins.ts";

function refusal(line: string, changes: Partial<GuardContext> = {}, policy: Partial<Policy> = {}) {
  const planned = planLine(line, context(changes, policy));
  if (planned.kind === "plan") throw new Error("it passed");
  return planned.violations;
}

const reasons = (line: string, changes: Partial<GuardContext> = {}, policy: Partial<Policy> = {}): readonly string[] =>
  refusal(line, changes, policy).map(
    ({ reason, position }) => `${reason} ${position === undefined ? "" : line.slice(position.start, position.end)}`,
  );

const passes = (line: string, changes: Partial<GuardContext> = {}): boolean => planLine(line, context(changes)).kind === "plan";

describe("a plan", () => {
  it("keeps the list as it was: conditions, negation, groups, redirections, words", () => {
    const line = "! cat a | wc -l && { ls 2>/dev/null; pwd; } || ( cd src )";
    const planned = planLine(line, context());
    if (planned.kind === "refused") throw new Error(planned.violations[0].detail);
    const { plan } = planned;
    const shape = ({ items }: List): unknown =>
      items.map(({ when, pipeline }) => [
        when,
        pipeline.negated,
        pipeline.commands.map((stage) => {
          if (stage.kind === "group") return { subshell: stage.subshell, body: shape(stage.body) };
          const runs = stage.kind === "simple" ? plan.stages.get(stage) : undefined;
          if (stage.kind !== "simple" || runs === undefined) throw new Error("a command without a builtin");
          return [runs.name, runs.definition?.name, stage.words.length - 1, stage.redirects.length];
        }),
      ]);
    expect(planned.plan.line).toBe(line);
    expect(shape(planned.plan.body)).toEqual([
      [
        "always",
        true,
        [
          ["cat", "cat", 1, 0],
          ["wc", "wc", 1, 0],
        ],
      ],
      [
        "success",
        false,
        [
          {
            subshell: false,
            body: [
              ["always", false, [["ls", "ls", 0, 1]]],
              ["always", false, [["pwd", "pwd", 0, 0]]],
            ],
          },
        ],
      ],
      ["failure", false, [{ subshell: true, body: [["always", false, [["cd", "cd", 1, 0]]]] }]],
    ]);
  });

  it("knows an alias by the name that was typed", () => {
    const planned = planLine("egrep x", context());
    if (planned.kind === "refused") throw new Error(planned.violations[0].detail);
    expect([...planned.plan.stages.values()]).toMatchObject([{ name: "egrep", definition: { name: "grep" } }]);
  });

  it("of an empty line is an empty list", () => {
    expect(planLine("", context())).toMatchObject({ kind: "plan", plan: { body: { items: [] } } });
    expect(planLine("# nothing", context())).toMatchObject({ kind: "plan", plan: { body: { items: [] } } });
  });
});

describe("the whole line is checked", () => {
  it.each([["ls; shred a"], ["true || shred a"], ["{ ls; ( true && shred a ); }"], ["ls | ( cat; shred a ) | wc -l"], ["! shred a"]])(
    "%s",
    (line) => expect(reasons(line)).toEqual(["DISALLOWED_CMD shred"]),
  );

  it("all violations are reported, in the order of the line", () => {
    expect(reasons("cat -Z /etc/passwd | shred x; cd a | ls; tee .git/x")).toEqual([
      "UNKNOWN_FLAG -Z",
      "DISALLOWED_CMD shred",
      "NAV_IN_PIPE cd a",
      "PROTECTED_PATH .git/x",
    ]);
  });

  it("the position names the stage of its pipeline", () => {
    expect(refusal("ls; cat a | wc -l | shred b").map(({ position }) => position?.stage)).toEqual([2]);
    expect(refusal("ls | ( shred b )").map(({ position }) => position?.stage)).toEqual([0]);
  });

  it("no more than ten are", () => expect(refusal("shred a;".repeat(50))).toHaveLength(10));
});

describe("bad arguments", () => {
  it("carry what the tool itself prints, and its exit status", () => {
    expect(refusal("grep --nope x")[0].native).toEqual({
      stderr: "grep: unrecognized option '--nope'\nTry 'grep --help' for more information.\n",
      exit: 2,
    });
    expect(refusal("head -n 1x a")[0].native).toEqual({ stderr: "head: invalid number of lines: ‘1x’\n", exit: 1 });
    expect(refusal("shred a")[0].native).toBeUndefined();
  });

  it("a check across flags counts like the flags", () => {
    expect(reasons("awk '{{'")).toEqual(["BAD_VALUE '{{'"]);
  });

  it("--help passes with anything after it", () => expect(passes("tr --help")).toBe(true));
});

describe("globs", () => {
  it("are operands that are not known yet", () => {
    expect(passes("tr *")).toBe(true);
    expect(passes("cat *.txt")).toBe(true);
    expect(passes("grep -n x src/*.ts")).toBe(true);
  });
  it("after text that begins with a dash leave a flag", () => {
    expect(passes("grep -rn x --include=*.ts .")).toBe(true);
    expect(reasons("cat -*")).toEqual(["UNKNOWN_FLAG -*"]);
  });
  it("stay globs in a suggestion", () => expect(refusal("tail -f *.log ~/x 'a b'")[0].suggestion).toBe("tail -n 200 *.log ~/x 'a b'"));
  it("do not hide a path that leaves", () => {
    expect(reasons("cat /etc/*")).toEqual(["PATH_ESCAPE /etc/*"]);
    expect(reasons("cat ../*.txt")).toEqual(["PATH_ESCAPE ../*.txt"]);
    expect(reasons("tee .git/*")).toEqual(["PROTECTED_PATH .git/*"]);
  });
});

describe("paths", () => {
  it.each([
    [`cat ${ROOT}/a`],
    [`ls ${ROOT}`],
    [`cat ${ROOT}/src/../a`],
    ["cat src/../src/./a"],
    ["cd src && cat ../a && cd .. && cat a"],
    ["cd src; cd ..; ls"],
    ["( cd src/deep ) ; cat src/../a"],
    ["cd $'src' && ls .."],
    ["cd s* && ls ../.."],
    ["cd - && ls .."],
    ["cd /dev/null && ls .."],
    ["ls ~/src/.."],
    ["cat - < /dev/null"],
    ["cat /dev/stdin"],
    ["grep -e x a b"],
    ["grep /etc/passwd a"],
  ])("stay inside: %s", (line) => expect(reasonsOrNone(line)).toEqual([]));

  it.each([
    ["ls ..", ".."],
    [`cat ${ROOT}/../x`, `${ROOT}/../x`],
    [`cat ${ROOT}x/a`, `${ROOT}x/a`],
    ["cd src && ls ../..", "../.."],
    ["cd src; ls ../..", "../.."],
    ["cd src || ls ..", ".."],
    ["( cd src/deep ); ls ..", ".."],
    ["cd src && cd .. && ls ..", ".."],
    ["{ cd src; } && ls ../..", "../.."],
    ["ls | ( cd src; cat ) && ls .. | tee x", ".."],
    ["cat ~/../x", "~/../x"],
    ["grep -e /x /etc/passwd", "/etc/passwd"],
    ["grep x /etc/passwd", "/etc/passwd"],
    ["grep --file=/etc/passwd a", "--file=/etc/passwd"],
    ["less-than -o /tmp/x", "/tmp/x"],
    ["cd ..", ".."],
    ["awk '{ print > \"/etc/x\" }'", "'{ print > \"/etc/x\" }'"],
  ])("leave: %s", (line, at) => expect(reasons(line)).toEqual([`PATH_ESCAPE ${at}`]));

  it("are seen from the current directory", () => {
    expect(passes("ls ..", { currentDirectory: "src" })).toBe(true);
    expect(passes("ls ../..", { currentDirectory: "src" })).toBe(false);
    expect(refusal("ls ../..", { currentDirectory: "src" })[0].suggestion).toBeUndefined();
  });

  it("go through symbolic links as the workspace finds them", () => {
    const probe: NonNullable<GuardContext["probe"]> = (path, directory) =>
      `${directory}/${path}` === "/link/../../x" ? "exists" : "outside";
    expect(passes("cat link/../../x", { probe })).toBe(true);
    expect(passes("cat plain/../../x", { probe })).toBe(false);
  });

  it("that name another checkout of the same tree are matched to this one", () => {
    const probe: NonNullable<GuardContext["probe"]> = (path) => (path === "src/a.ts" ? "exists" : "missing");
    expect(refusal("cat /work/project/src/a.ts")[0].suggestion).toBe("cat src/a.ts");
    expect(refusal("cat /elsewhere/src/a.ts", { probe })[0].suggestion).toBe("cat src/a.ts");
    expect(refusal("cat /elsewhere/src/a.ts", { probe, currentDirectory: "lib" })[0].suggestion).toBe("cat ~/src/a.ts");
    expect(refusal("cat /elsewhere/a.ts", { probe })[0].suggestion).toBeUndefined();
  });

  it("of a root that is the whole file system are all inside", () => {
    const all = { rootPath: "/", insideRoot: () => true };
    expect(passes("cat /etc/passwd", all)).toBe(true);
    expect(reasons("echo x | tee /.git/config", all)).toEqual(["PROTECTED_PATH /.git/config"]);
    expect(reasons("ls /..", all)).toEqual(["PATH_ESCAPE /.."]);
  });
});

function reasonsOrNone(line: string): readonly string[] {
  return passes(line) ? [] : reasons(line);
}

describe("writes", () => {
  it.each([
    ["tee .git/hooks/pre-commit"],
    [`tee ${ROOT}/.git/config`],
    ["tee a/../.GIT/config"],
    ["tee ~/.shelpa/journal"],
    ["cd .git && tee config"],
    ["cd src; tee ../.git/config"],
    ["cd $'.git'; ls && tee hooks/x"],
    ["less-than --output=.git/config"],
    ["awk '{ print > \".git/config\" }'"],
  ])("protected: %s", (line) => expect(refusal(line).map(({ reason }) => reason)).toEqual(["PROTECTED_PATH"]));

  it("all are refused where the workspace is read-only, also those of a program", () => {
    for (const line of ["tee a", "tee -a a b", "less-than -o a", "awk '{ print > \"a\" }'"]) {
      expect(reasons(line, {}, { readOnly: true })[0], line).toMatch(/^READ_ONLY/);
    }
  });
});

describe("suggestions", () => {
  it("mend everything, not their own violation alone", () => {
    expect(refusal("timeout 9 cat --numbr a | /usr/bin/wc -l").map(({ suggestion }) => suggestion)).toEqual(
      Array.from({ length: 2 }, () => "timeout 9 cat --number a | wc -l"),
    );
  });

  it("are left out where the rest of the line cannot be mended", () => {
    expect(refusal("/bin/cat a | python x").map(({ suggestion }) => suggestion)).toEqual([undefined, undefined]);
  });

  it("never join two commands", () => {
    expect(refusal("ls\n2>/dev/null cat a", {}, { strict: true })[0].suggestion).toBe("ls\n cat a");
    expect(refusal("ls | tee a\nls | tee b", {}, { readOnly: true })[0].suggestion).toBe("ls\nls");
  });

  it("keep redirections that stood among the words", () => {
    expect(refusal("tail 2>/dev/null -f a")[0].suggestion).toBe("tail -n 200 a 2>/dev/null");
  });

  it.each([
    ["sudo -u me ls", "ls"],
    ["timeout -v 5 ls -l", "ls -l"],
    ["nohup -x ls", "ls"],
    ["zsh -c 'cat a; ls'", "cat a; ls"],
    ["sh run.sh", undefined],
    ["x=ls; eval $x", "x=ls; ls"],
    ["most a | wc -l", "cat a | wc -l"],
    ["cp -r a b", undefined],
    ["man ls", "help ls"],
    ["LS -l", "ls -l"],
  ])("for %s: %s", (line, suggestion) => expect(refusal(line)[0].suggestion).toBe(suggestion));
});

const word = fc.constantFrom(
  ...[
    "ls",
    "cat",
    "rm",
    "cd",
    "tee",
    "grep",
    "head",
    "-n",
    "-f",
    "--lins=3",
    "2>/dev/null",
    "> x",
    "a",
    "..",
    "/etc/x",
    "~",
    "*",
    "'q q'",
    "sed",
    "-n",
    "1,2p",
    "sudo",
    "bash",
    "-c",
    "'ls; rm x'",
    "{a,b}",
    "/bin/ls",
    "é",
  ],
);
const glue = fc.constantFrom(" ", " | ", " && ", " ; ", " || ", " |& ", "\n", " ( ", " ) ", " { ", "; } ", "& ");

it("whatever the line: an answer, spans inside it, and suggestions that pass", () => {
  const line = fc.array(fc.tuple(word, glue), { maxLength: 12 }).map((pairs) => pairs.flat().join(""));
  fc.assert(
    fc.property(line, fc.boolean(), (text, strict) => {
      const here = context({ strict });
      const planned = planLine(text, here);
      if (planned.kind === "plan") return;
      for (const { suggestion, position, detail } of planned.violations) {
        expect(detail).not.toBe("");
        if (position !== undefined) {
          expect(position.start).toBeLessThanOrEqual(position.end);
          expect(position.end).toBeLessThanOrEqual(text.length);
        }
        if (suggestion !== undefined) expect(planLine(suggestion, here).kind, suggestion).toBe("plan");
      }
    }),
    { numRuns: 400 },
  );
});

it.each(["cd|", "shred a;", "cat -Z|", "cd a;", "(", "tee .git/x;"])(
  "a long line of %s is examined a few times, not once per violation",
  (unit) => {
    const here = context();
    let looked = 0;
    const registry: GuardContext["registry"] = {
      names: () => here.registry.names(),
      has: (name) => here.registry.has(name),
      find(name) {
        looked++;
        return here.registry.find(name);
      },
    };
    const times = Math.floor(20_000 / unit.length);
    planLine(`${unit.repeat(times)}ls`, { ...here, registry });
    expect(looked).toBeLessThan(times * 6);
  },
);
