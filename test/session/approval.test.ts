/** Approval by a program's callback: what it is told, and that a line it agrees to makes the writes it was shown and no others. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ApprovalQuestion, type Approve, DEFAULT_POLICY, type Policy, Shell, type ShellOptions } from "../../src/index.ts";
import { everySeverity } from "../../src/config/severity.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let shell: Shell | undefined;
let questions: ApprovalQuestion[];
beforeEach(() => {
  place = tree([".envrc: export A=1\n", "sub/", "f: old\n"]);
  questions = [];
});
afterEach(async () => {
  await shell?.close();
  shell = undefined;
  place.remove();
});

const agreeing: Approve = (question) => {
  questions.push(question);
  return true;
};
const read = (path: string): string | undefined =>
  existsSync(`${place.path}/${path}`) ? readFileSync(`${place.path}/${path}`, "utf8") : undefined;

async function open(options: Partial<ShellOptions>): Promise<Shell> {
  shell = await Shell.open({ root: place.path, isolation: "none", ...options });
  return shell;
}

const withApproval = (approval: Partial<Policy["approval"]>): Policy => ({
  ...DEFAULT_POLICY,
  approval: { ...DEFAULT_POLICY.approval, ...approval },
});
const SEQ = "seq 200000 | tee big | tail -n 1";
const HUMAN = withApproval({ confirmOversize: "human" });

describe.each(["none", "process"] as const)("isolation %s", (isolation) => {
  test("a write that needs approval is put to the callback with its difference, and made if that agrees", async () => {
    const { defaultSession } = await open({ isolation, approve: agreeing });
    const { result, stdout } = await defaultSession.run("cd sub; cat ../.envrc; echo export B=2 | tee -a ../.envrc");
    expect([result.kind, stdout.toString()]).toEqual(["completed", "export A=1\nexport B=2\n"]);
    expect(result).toMatchObject({ receipts: [{ path: ".envrc", permittedBy: "human" }] });
    expect(read(".envrc")).toBe("export A=1\nexport B=2\n");
    expect(questions).toMatchObject([
      {
        line: "cd sub; cat ../.envrc; echo export B=2 | tee -a ../.envrc",
        currentDirectory: "",
        session: "default",
        violations: [{ reason: "NEEDS_APPROVAL" }],
        writes: [{ path: ".envrc", appends: true, created: false, diff: expect.stringMatching(/^\+export B=2$/m) }],
      },
    ]);
    expect(defaultSession.currentDirectory).toBe("sub");
  });

  test("an answer that comes later, about input that is a stream", async () => {
    let answer: (agreed: boolean) => void = () => {};
    let ask: (question: ApprovalQuestion) => void = () => {};
    const asked = new Promise<ApprovalQuestion>((resolve) => {
      ask = resolve;
    });
    const approve: Approve = (question) => {
      ask(question);
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const { defaultSession } = await open({ isolation, approve });
    const run = defaultSession.run("tee .envrc", { stdin: Readable.from([Buffer.from("one\n"), Buffer.from("two\n")]) });
    expect((await asked).writes).toMatchObject([{ path: ".envrc", bytes: 8 }]);
    expect(read(".envrc")).toBe("export A=1\n");
    answer(true);
    expect((await run).result).toMatchObject({ kind: "completed", exit: 0 });
    expect(read(".envrc")).toBe("one\ntwo\n");
  });
});

interface Row {
  readonly name: string;
  readonly line: string;
  readonly policy?: Policy;
  readonly approve?: Approve;
  readonly stdin?: string;
  /** Number of questions. */
  readonly asked: number;
  readonly ended: string | number;
  readonly stdout?: string;
  readonly files?: Readonly<Record<string, string | undefined>>;
}

test.each<Row>([
  {
    name: "a refusal stands where the callback says no",
    line: "echo x | tee .envrc",
    approve: () => false,
    asked: 0,
    ended: "NEEDS_APPROVAL",
    files: { ".envrc": "export A=1\n" },
  },
  {
    name: "what is not true is no",
    line: "echo x | tee .envrc",
    approve: (() => "yes") as unknown as Approve,
    asked: 0,
    ended: "NEEDS_APPROVAL",
  },
  { name: "a line that needs nothing is not asked about", line: "echo x | tee f", asked: 0, ended: 0, stdout: "x\n", files: { f: "x\n" } },
  { name: "nor one with another fault", line: "nonesuch | tee .envrc; echo x | tee .envrc", asked: 0, ended: "DISALLOWED_CMD" },
  {
    name: "nor one whose protected writes the policy denies",
    line: "echo x | tee .envrc",
    policy: withApproval({ protectedPaths: "deny" }),
    asked: 0,
    ended: "NEEDS_APPROVAL",
  },
  {
    name: "a large write is found when the line runs, and what it had printed by then is printed once",
    line: `echo first; ${SEQ}`,
    policy: HUMAN,
    asked: 1,
    ended: 0,
    stdout: "first\n200000\n",
  },
  {
    name: "a line that had written something by then is not run again",
    line: `echo x | tee f; ${SEQ}`,
    policy: HUMAN,
    asked: 0,
    ended: "NEEDS_APPROVAL",
    files: { f: "x\n", big: undefined },
  },
  {
    name: "a line without a write, for its severity",
    line: "rm f",
    policy: withApproval({ severity: { autoDeny: undefined, actions: { ...everySeverity("allow"), High: "ask" } } }),
    asked: 1,
    ended: 0,
    files: { f: undefined },
  },
  {
    name: "a file that changed while the question was open keeps its bytes",
    line: "echo x | tee .envrc",
    approve: () => {
      writeFileSync(`${place.path}/.envrc`, "theirs\n");
      return true;
    },
    asked: 0,
    ended: "CONFLICT",
    files: { ".envrc": "theirs\n" },
  },
  {
    name: "input longer than is kept",
    line: "tee .envrc >/dev/null",
    stdin: "x".repeat((8 << 20) + 1),
    asked: 0,
    ended: "NEEDS_APPROVAL",
  },
])("$name", async ({ line, policy, approve = agreeing, stdin, asked, ended, stdout, files = {} }) => {
  const { defaultSession } = await open({ approve, ...(policy === undefined ? {} : { policy }) });
  const outcome = await defaultSession.run(line, { stdin });
  const { result } = outcome;
  expect(result.kind === "refused" ? result.violations[0].reason : result.kind === "completed" && result.exit).toBe(ended);
  expect(questions).toHaveLength(asked);
  if (stdout !== undefined) expect(outcome.stdout.toString()).toBe(stdout);
  for (const [path, content] of Object.entries(files)) expect([path, read(path)]).toEqual([path, content]);
});

test("output that has gone out cannot be taken back, so a line that had printed is not run again", async () => {
  const { defaultSession } = await open({ approve: agreeing, policy: HUMAN });
  const blocks: string[] = [];
  const { result } = await defaultSession.run(`echo first; ${SEQ}`, { onOutput: (block) => blocks.push(String(block)) });
  expect([result.kind, blocks.join(""), questions.length]).toEqual(["refused", "first\n", 0]);
});

test("a line's own callback comes before the shell's, and an assessment asks nobody", async () => {
  const { defaultSession } = await open({ approve: agreeing });
  expect(await defaultSession.assess("echo x | tee .envrc")).toMatchObject({ allowed: false });
  expect((await defaultSession.run("echo x | tee .envrc", { approve: () => false })).result.kind).toBe("refused");
  expect(questions).toEqual([]);
});

test("a callback that throws is its caller's error, to the streams' reader as well", async () => {
  const { defaultSession } = await open({
    approve: () => {
      throw new Error("no human here");
    },
  });
  await expect(defaultSession.run("echo x | tee .envrc")).rejects.toThrow("no human here");
  const piped = defaultSession.pipe("echo x | tee .envrc");
  const failed = expect(piped.result).rejects.toThrow("no human here");
  for await (const _ of piped.stdout) throw new Error("nothing is printed");
  await failed;
});

test("a line that is cancelled while its question is open ends", async () => {
  const stop = new AbortController();
  const { defaultSession } = await open({
    approve: ({ signal }) => {
      stop.abort();
      expect(signal.aborted).toBe(true);
      return new Promise(() => {});
    },
  });
  expect((await defaultSession.run("echo x | tee .envrc", { signal: stop.signal })).result.kind).toBe("refused");
});
