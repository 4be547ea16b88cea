/** The risk assessment: what it says of lines, that it changes and runs nothing, and that a real run agrees with it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_POLICY, type Policy, profilePolicy } from "../../src/config/policy.ts";
import { everySeverity } from "../../src/config/severity.ts";
import type { Assessment } from "../../src/guard/assessment.ts";
import { foreignCommand } from "../../src/guard/foreign-commands.ts";
import { RULES } from "../../src/guard/rule-catalogue.ts";
import { callRules, stageRules, syntaxRules } from "../../src/guard/rules.ts";
import { mountWrite } from "../../src/guard/rules/writes.ts";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";

const TREE = [
  "a.txt: one\ntwo\n",
  "b.txt: two\n",
  "src/c.ts: x\n",
  "src/d.ts: y\n",
  "vendor/v: x\n",
  ".env: KEY=1\n",
  ".env.example: KEY=\n",
  "key.pem: k\n",
  ".envrc: export A=1\n",
  ".git/HEAD: ref: refs/heads/main\n",
  "hooks => .git",
  "link => a.txt",
  "leaving => /etc",
  "inside => src",
  "settings => .env",
];

let place: Tree;
beforeAll(() => {
  place = tree(TREE);
});
/** What is mounted. */
let beside: Tree;
beforeAll(() => {
  beside = tree(["a.txt: x\n"]);
});
afterAll(() => {
  place.remove();
  beside.remove();
});

const policies = {
  default: {},
  strict: { strict: true },
  contentOnly: profilePolicy("strict"),
  readOnly: { readOnly: true },
  withoutXargs: { commands: { only: undefined, deny: ["xargs"] } },
  named: {
    pipelines: {
      errors: { command: 'tail -n "${n}" "${file}" | grep ERROR', description: "", arguments: { n: "", file: "" } },
      say: { command: 'echo "${text}"', description: "", arguments: { text: "" } },
    },
  },
  mounted: { mounts: mountWrite.under?.mounts ?? [] },
  unread: { paths: { denyRead: ["/.env"], denyWrite: [], own: [] } },
  vendored: { paths: { denyRead: [], denyWrite: ["/vendor/"], own: [] } },
} satisfies Record<string, Partial<Policy>>;

async function inShell<T>(policy: Partial<Policy>, action: (shell: Shell) => Promise<T>, root = place.path): Promise<T> {
  const mounts = (policy.mounts ?? []).map((mount) => ({ ...mount, directory: beside.path }));
  const shell = await Shell.open({ root, isolation: "none", policy: { ...DEFAULT_POLICY, ...policy, mounts } });
  try {
    return await action(shell);
  } finally {
    await shell.close();
  }
}

const assessed = (line: string, policy: Partial<Policy> = {}, cwd?: string): Promise<Assessment> =>
  inShell(policy, (shell) => shell.defaultSession.assess(line, cwd === undefined ? {} : { cwd }));

interface Row {
  readonly line: string;
  /** Ids of the rules that match, in their order; none: left out. */
  readonly rules?: readonly string[];
  readonly severity?: Assessment["severity"];
  readonly risk?: Assessment["risk_level"];
  /** Default: no rule is a refusal. */
  readonly denied?: string;
  readonly reaches?: string;
  readonly reads?: readonly string[];
  readonly lists?: readonly string[];
  /** "create a", "append a", "replace a". */
  readonly writes?: readonly string[];
  readonly unknown?: readonly string[];
  readonly instead?: readonly string[];
  readonly asks?: boolean;
  readonly under?: keyof typeof policies;
  readonly cwd?: string;
}

const rm = (more: Partial<Row>): Partial<Row> => ({
  rules: ["cmd:disallowed", "cmd:removes"],
  severity: "High",
  risk: "Elevated",
  denied: "DISALLOWED_CMD",
  ...more,
});

const ROWS: readonly Row[] = [
  // What only reads.
  { line: "cat a.txt", reads: ["a.txt"] },
  { line: "cat *.txt | wc -l", reads: ["a.txt", "b.txt"] },
  { line: "cat a.txt b.txt | sort | uniq -c", reads: ["a.txt", "b.txt"] },
  { line: "grep -n x src/*.ts", reads: ["src/c.ts", "src/d.ts"] },
  { line: "grep -rn x", reads: ["."] },
  { line: "rg x", reads: ["."] },
  { line: "cat a.txt | rg x", reads: ["a.txt"] },
  { line: "ls", lists: ["."] },
  { line: "ls src a.txt", lists: ["src", "a.txt"] },
  { line: "find . -name '*.ts'", lists: ["."] },
  { line: "find src -name '*.ts' -exec cat {} +", lists: ["src"] },
  { line: "fd ts", lists: ["."] },
  { line: "cd src && cat c.ts", lists: ["src"], reads: ["src/c.ts"] },
  { line: "cd src; cat ../a.txt", lists: ["src"], reads: ["a.txt"] },
  { line: "cat c.ts", cwd: "src", reads: ["src/c.ts"] },
  { line: "cat ~/a.txt", reads: ["a.txt"] },
  { line: "f=a.txt; cat $f", reads: ["a.txt"] },
  { line: "cat $(ls)", unknown: ["$(ls)"], lists: ["."] },
  { line: "for f in *.txt; do head -1 $f; done", unknown: ["$f"] },
  { line: "[[ -f a.txt ]] && echo yes", lists: ["a.txt"] },
  { line: "x=$(< a.txt)", reads: ["a.txt"] },
  { line: "cat {a,b}.txt", reads: ["a.txt", "b.txt"] },
  { line: "cat nothing-here", reads: ["nothing-here"] },
  { line: "cat < /dev/null", reads: [] },
  { line: "echo 'rm -rf /'" },
  { line: "sed -n 'r b.txt' a.txt", reads: ["a.txt", "b.txt"] },
  { line: "cat .env.example", reads: [".env.example"] },
  { line: "cat leaving/passwd", reads: ["leaving/passwd"] },
  // What reads secrets.
  { line: "cat .env", rules: ["read:credentials"], severity: "Medium", risk: "Elevated", reaches: "MACHINE", reads: [".env"] },
  { line: "wc -c *.pem", rules: ["read:credentials"], severity: "Medium", risk: "Elevated", reaches: "MACHINE", reads: ["key.pem"] },
  { line: "cat settings", rules: ["read:credentials"], severity: "Medium", risk: "Elevated", reaches: "MACHINE", reads: ["settings"] },
  { line: "cat .env a.txt", under: "unread", rules: ["read:denied"], severity: "Info", reads: [".env", "a.txt"] },
  // What writes.
  { line: "echo x | tee new", rules: ["write:create"], severity: "Low", writes: ["create new"] },
  { line: "echo x | tee deep/er/new", rules: ["write:create"], severity: "Low", writes: ["create deep/er/new"] },
  { line: "echo x | tee -a a.txt", rules: ["write:append"], severity: "Low", writes: ["append a.txt"] },
  { line: "echo x | tee -a new", rules: ["write:create"], severity: "Low", writes: ["create new"] },
  {
    line: "sort a.txt | tee b.txt",
    rules: ["write:replace"],
    severity: "Medium",
    risk: "Elevated",
    reads: ["a.txt"],
    writes: ["replace b.txt"],
    instead: ["sort a.txt | diff b.txt -"],
  },
  {
    line: "echo x | tee *.txt",
    rules: ["write:replace"],
    severity: "Medium",
    risk: "Elevated",
    writes: ["replace a.txt", "replace b.txt"],
    instead: ["echo x | diff *.txt -"],
  },
  { line: "echo x | tee inside/new", rules: ["write:create"], severity: "Low", writes: ["create src/new"] },
  { line: "echo x | tee link" },
  { line: "echo x | tee src" },
  { line: "echo x | tee /dev/null" },
  { line: "ls | xargs tee", rules: ["write:unknown"], severity: "Medium", risk: "Elevated", reaches: "PROJECT", lists: ["."] },
  {
    line: "for f in a b; do echo x | tee $f; done",
    rules: ["write:unknown"],
    severity: "Medium",
    risk: "Elevated",
    reaches: "PROJECT",
    unknown: ["$f"],
  },
  {
    line: "echo x | tee .envrc",
    rules: ["write:approval"],
    severity: "High",
    risk: "Elevated",
    denied: "NEEDS_APPROVAL",
    asks: true,
    reaches: "MACHINE",
    writes: ["replace .envrc"],
  },
  {
    line: "echo x | tee .git/config",
    rules: ["write:protected"],
    severity: "Critical",
    risk: "Critical",
    denied: "PROTECTED_PATH",
    reaches: "MACHINE",
    writes: ["create .git/config"],
  },
  {
    line: "echo x | tee hooks/pre-commit",
    rules: ["write:protected"],
    severity: "Critical",
    risk: "Critical",
    denied: "PROTECTED_PATH",
    reaches: "MACHINE",
    writes: ["create .git/pre-commit"],
  },
  {
    line: "echo x | tee leaving/motd",
    rules: ["path:link"],
    severity: "High",
    risk: "Elevated",
    denied: "SYMLINK_ESCAPE",
    reaches: "MACHINE",
  },
  {
    line: "echo x | tee vendor/v",
    under: "vendored",
    rules: ["write:denied"],
    severity: "Medium",
    risk: "Elevated",
    denied: "PROTECTED_PATH",
    writes: ["replace vendor/v"],
  },
  {
    line: "cat a.txt | tee b.txt",
    under: "readOnly",
    rules: ["write:read-only"],
    severity: "Low",
    denied: "READ_ONLY",
    reaches: "PROJECT",
    reads: ["a.txt"],
    writes: ["replace b.txt"],
    instead: ["cat a.txt"],
  },
  {
    line: "cat a.txt | tee /docs/a.txt",
    under: "mounted",
    rules: ["write:mount"],
    severity: "Low",
    denied: "READ_ONLY",
    reads: ["a.txt"],
  },
  {
    line: "cat a.txt | tee b.txt /data/b.txt",
    under: "mounted",
    rules: ["write:two-trees", "write:replace", "write:create"],
    severity: "Medium",
    risk: "Elevated",
    denied: "CONFLICT",
    reads: ["a.txt"],
    writes: ["replace b.txt", "create /data/b.txt"],
  },
  // What is the session's own.
  { line: "sort a.txt > /tmp/x", reads: ["a.txt"] },
  { line: 't=$(mktemp); sort a.txt | tee "$t"', reads: ["a.txt"] },
  // What is refused.
  { line: "rm a.txt", rules: ["write:remove"], severity: "High", risk: "Elevated", reaches: "PROJECT", writes: ["remove a.txt"] },
  { line: "rm -rf src", rules: ["write:remove"], severity: "High", risk: "Elevated", reaches: "PROJECT", writes: ["remove src"] },
  {
    line: "rm -rf .git",
    rules: ["write:protected"],
    severity: "Critical",
    risk: "Critical",
    denied: "PROTECTED_PATH",
    reaches: "MACHINE",
    writes: ["remove .git"],
  },
  { line: "ls | xargs rm", rules: ["write:remove", "write:unknown"], severity: "High", risk: "Elevated", lists: ["."], reaches: "PROJECT" },
  {
    line: "rm a.txt",
    under: "contentOnly",
    rules: ["write:strict", "write:remove"],
    severity: "High",
    risk: "Elevated",
    denied: "DISALLOWED_CMD",
    reaches: "PROJECT",
    writes: ["remove a.txt"],
  },
  { line: "touch a.txt", rules: ["write:attributes"], severity: "Low", writes: ["attributes a.txt"] },
  { line: "mkdir new", rules: ["write:create"], severity: "Low", writes: ["create new"] },
  {
    line: "mv a.txt src",
    rules: ["write:remove", "write:create"],
    severity: "High",
    risk: "Elevated",
    reaches: "PROJECT",
    writes: ["remove a.txt", "create src/a.txt"],
  },
  { line: "cp a.txt b.txt", rules: ["write:replace"], severity: "Medium", risk: "Elevated", reads: ["a.txt"], writes: ["replace b.txt"] },
  { line: "shred a.txt", ...rm({}) },
  { line: "shred -r src", ...rm({ reaches: "PROJECT" }) },
  { line: "shred a.txt b.txt", ...rm({ reaches: "PROJECT" }) },
  { line: "shred *.txt", ...rm({ reaches: "PROJECT" }) },
  {
    line: "shred /",
    ...rm({ rules: ["cmd:disallowed", "cmd:removes", "cmd:removes-all"], severity: "Critical", risk: "Critical", reaches: "MACHINE" }),
  },
  {
    line: "shred .",
    ...rm({ rules: ["cmd:disallowed", "cmd:removes", "cmd:removes-all"], severity: "Critical", risk: "Critical", reaches: "PROJECT" }),
  },
  {
    line: "install a.txt c.txt",
    rules: ["cmd:disallowed", "cmd:changes-files"],
    severity: "Medium",
    risk: "Elevated",
    denied: "DISALLOWED_CMD",
    reaches: "PROJECT",
  },
  {
    line: "chmod +x a.txt",
    ...rm({ rules: ["cmd:disallowed", "cmd:permissions"], reaches: "PROJECT" }),
  },
  { line: "curl https://x.example", ...rm({ rules: ["cmd:disallowed", "cmd:network"], reaches: "MACHINE" }) },
  { line: "npm install x", ...rm({ rules: ["cmd:disallowed", "cmd:installs"], reaches: "MACHINE" }) },
  { line: "python3 x.py", ...rm({ rules: ["cmd:disallowed", "cmd:runs-code"], reaches: "MACHINE" }) },
  {
    line: "sudo ls",
    rules: ["cmd:disallowed", "cmd:privileges"],
    severity: "Critical",
    risk: "Critical",
    denied: "DISALLOWED_CMD",
    reaches: "MACHINE",
    instead: ["ls"],
  },
  {
    line: "kill 1",
    ...rm({ rules: ["cmd:disallowed", "cmd:processes"], severity: "Medium", reaches: "MACHINE" }),
  },
  {
    line: "vim a.txt",
    ...rm({ rules: ["cmd:disallowed", "cmd:terminal"], severity: "Medium" }),
  },
  {
    line: "gerp x a.txt",
    rules: ["cmd:disallowed"],
    severity: "Medium",
    risk: "Elevated",
    denied: "DISALLOWED_CMD",
    reaches: "MACHINE",
    instead: ["grep x a.txt"],
  },
  {
    line: "@errors n=1 file=a.txt",
    under: "named",
    reads: ["a.txt"],
  },
  {
    line: "@error n=1 file=a.txt",
    under: "named",
    rules: ["call:unknown"],
    severity: "Info",
    denied: "DISALLOWED_CMD",
    instead: ["@errors n=1 file=a.txt"],
  },
  {
    line: "@errors n=1",
    under: "named",
    rules: ["call:arguments"],
    severity: "Info",
    denied: "USAGE",
  },
  {
    line: "@say text=-n",
    under: "named",
    rules: ["call:dash"],
    severity: "Low",
    denied: "BAD_VALUE",
  },
  {
    line: "ls | xargs cat",
    under: "withoutXargs",
    rules: ["cmd:left-out"],
    severity: "Low",
    denied: "DISALLOWED_CMD",
    reaches: "PROJECT",
    lists: ["."],
  },
  {
    line: "find . -exec shred {} +",
    rules: ["run:command", "cmd:removes"],
    severity: "High",
    risk: "Elevated",
    denied: "RUNS_A_COMMAND",
    reaches: "MACHINE",
    lists: ["."],
  },
  { line: "head --lins=2 a.txt", rules: ["flag:unknown"], severity: "Info", denied: "UNKNOWN_FLAG", instead: ["head --lines=2 a.txt"] },
  {
    line: "tail -f a.txt",
    rules: ["flag:refused"],
    severity: "Medium",
    risk: "Elevated",
    denied: "DISALLOWED_FLAG",
    reaches: "PROJECT",
    instead: ["tail -n10 a.txt"],
  },
  { line: "head -n 2x a.txt", rules: ["flag:value"], severity: "Info", denied: "BAD_VALUE" },
  { line: "tr a", rules: ["arg:operands"], severity: "Info", denied: "USAGE" },
  {
    line: "cat /etc/passwd",
    rules: ["path:escape"],
    severity: "High",
    risk: "Elevated",
    denied: "PATH_ESCAPE",
    reaches: "MACHINE",
  },
  { line: "ls", cwd: "..", rules: ["path:escape"], severity: "High", risk: "Elevated", denied: "PATH_ESCAPE", reaches: "MACHINE" },
  { line: "ls", cwd: "nowhere", rules: ["path:directory"], severity: "Info", denied: "BAD_VALUE" },
  { line: "cd src | ls", rules: ["nav:pipe"], severity: "Info", denied: "NAV_IN_PIPE", lists: ["src", "."], instead: ["cd src && ls"] },
  {
    line: "ls > out",
    rules: ["redirect:file"],
    severity: "Medium",
    risk: "Elevated",
    denied: "REDIRECT",
    instead: ["set -o pipefail; ls | tee out >/dev/null"],
  },
  {
    line: "ls 2>/dev/null",
    under: "strict",
    rules: ["redirect:strict"],
    severity: "Info",
    denied: "REDIRECT",
    lists: ["."],
    instead: ["ls"],
  },
  {
    line: "POSIXLY_CORRECT=1 ls",
    rules: ["variable:environment"],
    severity: "Info",
    denied: "UNSUPPORTED_SYNTAX",
    lists: ["."],
    instead: ["ls"],
  },
  { line: "echo 'a", rules: ["syntax:parse"], severity: "Info", denied: "PARSE" },
  { line: "ls &", rules: ["syntax:unsupported"], severity: "Low", denied: "UNSUPPORTED_SYNTAX", reaches: "PROJECT", instead: ["ls"] },
  {
    line: `cat a.txt${" | cat".repeat(100)}`,
    rules: ["pipeline:length"],
    severity: "Low",
    denied: "UNSUPPORTED_SYNTAX",
    reaches: "MACHINE",
    reads: ["a.txt"],
  },
  {
    line: "cat /etc/passwd; sudo rm -rf / ; echo x | tee new",
    rules: ["path:escape", "cmd:disallowed", "cmd:privileges", "write:create"],
    severity: "Critical",
    risk: "Critical",
    denied: "PATH_ESCAPE",
    reaches: "MACHINE",
    writes: ["create new"],
  },
];

describe("what it says", () => {
  test.each(ROWS)("$line", async (row) => {
    const { line, rules = [], severity = null, risk = "Normal", denied, reaches = "RESOURCE", asks = false, instead = [] } = row;
    const assessment = await assessed(line, row.under === undefined ? {} : policies[row.under], row.cwd);
    const { stages } = assessment;
    expect({
      allowed: assessment.allowed,
      rules: assessment.matched_rules.map(({ id }) => id),
      severity: assessment.severity,
      risk: assessment.risk_level,
      denied: assessment.denial_reason?.split(":")[0],
      reaches: assessment.blast_radius_scope,
      asks: assessment.requires_human_approval,
      reads: stages.flatMap(({ reads }) => reads).sort(),
      lists: stages.flatMap(({ lists }) => lists).sort(),
      writes: stages.flatMap(({ writes }) => writes.map(({ change, path }) => `${change} ${path}`)),
      unknown: stages.flatMap(({ unknown }) => unknown),
      instead: assessment.alternatives.map(({ command }) => command),
    }).toEqual({
      allowed: denied === undefined,
      rules,
      severity,
      risk,
      denied,
      reaches,
      asks,
      reads: [...(row.reads ?? [])].sort(),
      lists: [...(row.lists ?? [])].sort(),
      writes: row.writes ?? [],
      unknown: row.unknown ?? [],
      instead,
    });
  });

  test("in the words of the wire", async () => {
    expect(await assessed("sort a.txt | tee b.txt", {}, "src")).toMatchObject({
      context: { risk_level: "Normal", labels: ["profile=standard", "branch=main", "cwd=src"] },
      denial_reason: null,
    });
    expect(await assessed("cat a.txt; npm test")).toMatchObject({ allowed: true, every_part_runs: false });
    expect(await assessed("echo x | tee .envrc")).toMatchObject({ allowed: false, every_part_runs: false });
    expect(await assessed("cat a.txt | tee b.txt")).toEqual({
      allowed: true,
      every_part_runs: true,
      risk_level: "Elevated",
      severity: "Medium",
      matched_rules: [
        {
          id: "write:replace",
          description: "The line replaces what is in a file. The old bytes are kept in the record and can be restored.",
          severity: "Medium",
          group: "writes",
          blast_radius_scope: "RESOURCE",
          blast_radius_detail: "b.txt",
        },
      ],
      alternatives: [
        {
          command: "cat a.txt | diff b.txt -",
          explanation: "shows what would change, and writes nothing",
          lost: "shows what would change, and writes nothing",
          source: "write:replace",
        },
      ],
      context: { risk_level: "Normal", labels: ["profile=standard", "branch=main"] },
      requires_human_approval: false,
      denial_reason: null,
      blast_radius_scope: "RESOURCE",
      blast_radius_detail: "b.txt",
      stages: [
        { command: "cat a.txt", builtin: "cat", reads: ["a.txt"], lists: [], writes: [], scratch: [], unknown: [], writes_unknown: false },
        {
          command: "tee b.txt",
          builtin: "tee",
          reads: [],
          lists: [],
          writes: [{ path: "b.txt", change: "replace" }],
          unknown: [],
          scratch: [],
          writes_unknown: false,
        },
      ],
    });
  });
});

describe("the catalogue", () => {
  test("every rule of the guard is in it", () => {
    for (const { id } of [...syntaxRules, ...callRules, ...stageRules]) expect(Object.keys(RULES)).toContain(id);
  });
  test("every entry is reached by a line above", () => {
    expect(Object.keys(RULES).sort()).toEqual([...new Set(ROWS.flatMap(({ rules = [] }) => rules))].sort());
  });
  test("what it says are sentences and clauses", () => {
    for (const { description, reach, instead } of Object.values(RULES)) {
      expect(description).toMatch(/^[A-Z].*\.$/);
      expect(reach + instead).not.toMatch(/\.$/);
    }
  });
  test("commands that do harm have a rule for it", () => {
    for (const name of ["shred", "chmod", "curl", "npm", "python", "sudo", "kill", "vim"]) expect(foreignCommand(name)?.rule).toBeDefined();
  });
});

/** Every file with its content, also those of the audit. */
function everything(root: string): unknown {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, entry.isFile() ? readFileSync(path, "utf8") : "-"];
    })
    .sort();
}

const tables = [
  ...[...syntaxRules, ...stageRules].flatMap(({ refuses, allows, under = {} }) =>
    [...refuses.map(({ line }) => line), ...allows].map((line) => ({ line, under: under as Partial<Policy> })),
  ),
  ...ROWS.map(({ line, under }) => ({ line, under: under === undefined ? {} : policies[under] })),
];

describe("a real run agrees", () => {
  test.each(tables)("$line", async ({ line, under }) => {
    const own = tree(TREE);
    try {
      await inShell(
        under,
        async (shell) => {
          const session = shell.newSession();
          const before = everything(own.path);
          const { allowed, stages } = await session.assess(line);
          expect(everything(own.path)).toEqual(before);
          expect(session.currentDirectory).toBe("");
          const { result } = await session.run(line, { stdin: "" });
          // What data names is checked again when it is known.
          if (!stages.some((stage) => stage.writes_unknown)) expect(result.kind).toBe(allowed ? "completed" : "refused");
        },
        own.path,
      );
    } finally {
      own.remove();
    }
  });
});

test("whatever the line, nothing runs and nothing changes", async () => {
  const before = everything(place.path);
  const word = fc.constantFrom(
    ...[
      "cat",
      "tee",
      "-a",
      "a.txt",
      "new",
      "*",
      "|",
      "&&",
      ";",
      "cd",
      "src",
      "xargs",
      "$x",
      "$(ls)",
      "rm",
      ".env",
      "'",
      "> f",
      ".envrc",
      "sed",
      "s/a/b/",
    ],
  );
  await inShell({}, async (shell) => {
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 10 }), async (words) => {
        const session = shell.newSession();
        const assessment = await session.assess(words.join(" "));
        expect(assessment.allowed).toBe(assessment.denial_reason === null);
        expect(assessment.severity === null).toBe(assessment.matched_rules.length === 0);
        for (const { command } of assessment.alternatives) expect((await session.assess(command)).allowed, command).toBe(true);
        expect(session.currentDirectory).toBe("");
      }),
      { numRuns: 150 },
    );
  });
  expect(everything(place.path)).toEqual(before);
  expect(existsSync(join(place.path, ".shelpa"))).toBe(false);
});

describe("approvals by severity", () => {
  const severity = (autoDeny: Policy["approval"]["severity"]["autoDeny"], asks = false, preApproved: readonly string[] = []) => ({
    approval: {
      ...DEFAULT_POLICY.approval,
      preApproved,
      severity: { autoDeny, actions: everySeverity(asks ? ("ask" as const) : ("allow" as const)) },
    },
  });
  const asksForLow: Partial<Policy> = {
    approval: { ...DEFAULT_POLICY.approval, severity: { autoDeny: undefined, actions: { ...everySeverity("allow"), Low: "ask" } } },
  };
  const rows: readonly [string, Partial<Policy>, string, boolean][] = [
    ["cat a.txt", severity("Info", true), "allowed", false],
    ["echo x | tee new", severity("Medium"), "allowed", false],
    ["echo x | tee new", severity("Low"), "SEVERITY_DENIED", false],
    ["echo x | tee a.txt", severity("Medium"), "SEVERITY_DENIED", false],
    ["echo x | tee a.txt", severity("High"), "allowed", false],
    ["f=$(echo a.txt); echo x | tee $f", severity("Medium"), "SEVERITY_DENIED", false],
    ["f=$(echo .envrc); echo x | tee $f", severity("High", false, [".envrc"]), "allowed", false],
    ["cat .env", severity("Medium"), "SEVERITY_DENIED", false],
    ["echo x | tee .envrc", severity("High"), "SEVERITY_DENIED", false],
    ["echo x | tee .envrc", severity("High", false, [".envrc"]), "SEVERITY_DENIED", false],
    ["echo x | tee .envrc", severity("Critical"), "NEEDS_APPROVAL", true],
    ["echo x | tee .envrc", severity("Critical", false, [".envrc"]), "allowed", false],
    ["echo x | tee a.txt", severity(undefined, true), "NEEDS_APPROVAL", true],
    ["echo x | tee a.txt", severity(undefined, true, ["a.txt"]), "allowed", false],
    ["ls | xargs tee", severity(undefined, true), "NEEDS_APPROVAL", true],
    ["cat .env", severity(undefined, true), "NEEDS_APPROVAL", true],
    ["ls | xargs tee", asksForLow, "NEEDS_APPROVAL", true],
    ["cd $x; echo x | tee new", asksForLow, "NEEDS_APPROVAL", true],
    ["echo x | tee a.txt", asksForLow, "allowed", false],
    ["cat .env", severity(undefined, true, [".env"]), "allowed", false],
    ["echo x | tee a.txt; shred b.txt", severity(undefined, true), "NEEDS_APPROVAL", false],
  ];
  test.each(rows)("%s under %j: %s", async (line, policy, expected, asks) => {
    const assessment = await assessed(line, policy);
    expect(assessment.denial_reason?.split(":")[0] ?? "allowed").toBe(expected);
    expect(assessment.requires_human_approval).toBe(asks);
  });
  test("say which line of the configuration would allow it", async () => {
    expect((await assessed("echo x | tee a.txt", severity("Medium"))).denial_reason).toBe(
      "SEVERITY_DENIED: 'a.txt' would be replaced: it is of severity Medium, and from Medium on lines are denied here. In the configuration: approval.auto_deny_severity = \"High\"",
    );
    expect((await assessed("echo x | tee a.txt", severity(undefined, true))).denial_reason).toBe(
      "NEEDS_APPROVAL: 'a.txt' would be replaced, which is of severity Medium, so a person must allow it. In the configuration: approval.pre_approved = [\"a.txt\"]",
    );
  });
  test("hold for a file that data names, once a variable holds its name", async () => {
    const result = await inShell(severity("Medium"), async (shell) => (await shell.defaultSession.run("f=$(echo .env); cat $f")).result);
    expect(result).toMatchObject({ kind: "refused", violations: [{ reason: "SEVERITY_DENIED", rule: "read:credentials" }] });
  });
  test("hold for what is known only when the stage starts", async () => {
    const own = tree(TREE);
    await inShell(
      severity("High", false, [".envrc"]),
      async (shell) => {
        const { result } = await shell.defaultSession.run("f=$(echo .envrc); echo x | tee $f");
        expect(result).toMatchObject({ kind: "refused", violations: [{ reason: "SEVERITY_DENIED", rule: "write:approval" }] });
      },
      own.path,
    );
    own.remove();
  });
});

describe("explain", () => {
  const run = (line: string) => inShell({}, async (shell) => (await shell.defaultSession.run(line)).stdout.toString());
  test("is a stage", async () => {
    expect(await run("explain 'shred a.txt' | grep ^risk; echo $?")).toBe("risk          Elevated, severity High\n0\n");
    expect(await run("explain shred src >/dev/null; echo $?; explain ls src >/dev/null; echo $?")).toBe("1\n0\n");
  });
  test("gives the same object as the library", async () => {
    expect(JSON.parse(await run("explain --json 'sort a.txt | tee b.txt'"))).toEqual(await assessed("sort a.txt | tee b.txt"));
  });
  test("starts where the session is by then", async () => {
    expect(JSON.parse(await run("cd src && explain --json 'cat *'"))).toMatchObject({ stages: [{ reads: ["src/c.ts", "src/d.ts"] }] });
  });
});

test("policy: rules, severities, audit, agent settings, session", async () => {
  const own = await inShell({}, async (shell) => (await shell.newSession().run("policy")).stdout.toString());
  expect(own).toMatch(/^rules +syntax 3, commands 13, arguments 8, paths 3, reads 2, writes 9$/m);
  expect(own).toMatch(/^min severity +Info: every rule is told; none is held up for its severity alone$/m);
  expect(own).toMatch(/^audit +on: /m);
  expect(own).toMatch(/^auto-deny +auto_deny_severity = none$/m);
  expect(own).toMatch(/^human approval +require_human_approval = false$/m);
  expect(own).toMatch(/^session +[0-9a-f]{12}$/m);
});
