/** Commands that a program defines: stages like any other, in the caller's process whatever runs the line. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CommandCall, ConfigurationError, defineCommand, DEFAULT_POLICY, Shell, type CommonOptions } from "../../src/index.ts";
import { CommandServer } from "../../src/exec/command-channel.ts";
import { hostOf, onlyAllowed } from "../../src/exec/custom-command.ts";
import { toText } from "../../src/io/text.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let shell: Shell | undefined;
/** What the functions have seen. */
let seen: string[];
beforeEach(() => {
  place = tree(["root/a.txt: one\ntwo\n", "root/b.txt: three\n", "root/.env: secret\n", "root/d/f: in d\n", "outside: outside\n"]);
  seen = [];
});
afterEach(async () => {
  await shell?.close();
  shell = undefined;
  place.remove();
});

const summary = "For a test.";
const never = (): Promise<never> => new Promise(() => {});

async function* counted({ signal }: CommandCall): AsyncGenerator<string, void> {
  try {
    for (let number = 1; ; number++) {
      seen.push(`${number}`);
      yield `${number}\n`;
    }
  } finally {
    seen.push(signal.aborted ? "ended, aborted" : "ended");
  }
}

const throwing = (): never => {
  throw new Error("looked at");
};
/** What cannot be turned into text. */
const ODD: readonly unknown[] = [
  Object.create(null),
  new Proxy({}, { get: throwing, getPrototypeOf: throwing }),
  Object.defineProperty(new Error(), "message", { get: throwing }),
  Object.assign(new Error(), { message: Object.create(null) as string }),
  { toString: throwing },
];

const commands = [
  defineCommand("shout", async ({ args, text }) => (args.length === 0 ? await text() : `${args.join("|")}\n`).toUpperCase(), {
    summary: "Print text in capitals.",
    example: "shout hello",
  }),
  defineCommand("bytes", () => Uint8Array.of(0, 255, 10), { summary }),
  defineCommand("nothing", () => {}, { summary }),
  defineCommand("status", ({ args }) => Number(args[0]), { summary }),
  defineCommand(
    "streamed",
    async function* ({ stdin, stderr }) {
      let blocks = 0;
      for await (const block of stdin) {
        blocks++;
        yield block;
      }
      stderr(`${blocks > 0 ? "some" : "no"} input\n`);
      return 3;
    },
    { summary },
  ),
  defineCommand("counted", counted, { summary }),
  defineCommand(
    "fails",
    ({ args }) => {
      throw new Error(args[0] ?? "broken\nin two lines");
    },
    { summary },
  ),
  defineCommand("odd", ({ args }) => Promise.reject(ODD[Number(args[0])]), { summary }),
  defineCommand("rejects", () => Promise.reject("no error"), { summary }),
  defineCommand("wrong", ({ args }) => (args[0] === "exit" ? 256 : ({ a: 1 } as unknown as string)), { summary }),
  defineCommand(
    "hangs",
    ({ signal }) => {
      seen.push("called");
      signal.addEventListener("abort", () => seen.push("aborted"));
      return never();
    },
    { summary },
  ),
  defineCommand(
    "reads",
    async ({ args, readFile }) => {
      seen.push("reads");
      return Buffer.concat(await Promise.all(args.map(readFile)));
    },
    { summary },
  ),
  defineCommand(
    "paths",
    async ({ args, readFile }) => {
      seen.push("paths");
      return Buffer.concat(await Promise.all(args.map(readFile)));
    },
    { summary, operands: "paths" },
  ),
  defineCommand("where", ({ currentDirectory }) => `${currentDirectory}\n`, { summary }),
];

async function open(options: Partial<CommonOptions> & { readonly isolation: "none" | "process" }): Promise<Shell> {
  shell = await Shell.open({ root: `${place.path}/root`, commands, ...options });
  return shell;
}

async function ran(line: string, options: Parameters<Shell["defaultSession"]["run"]>[1] = {}): Promise<string> {
  const { result, stdout, stderr } = await (shell as Shell).defaultSession.run(line, options);
  const how =
    result.kind === "completed"
      ? result.exit
      : result.kind === "refused"
        ? result.violations[0].reason
        : result.kind === "stopped"
          ? result.limit
          : result.message;
  return `${how}: ${toText(stdout)}${toText(stderr)}`;
}

describe.each(["none", "process"] as const)("isolation %s", (isolation) => {
  test.each<[string, string]>([
    ["shout 'a b' *.txt $((1 + 1))", "0: A B|A.TXT|B.TXT|2\n"],
    ["cat a.txt | shout | head -n 1", "0: ONE\n"],
    ["shout x | shout | tr X Y", "0: Y\n"],
    ["echo a b | xargs -n 1 shout", "0: A\nB\n"],
    ["x=$(shout in); echo $x; shout out && nothing || echo no", "0: IN\nOUT\n"],
    ["for i in 1 2 3; do shout $i; done | wc -l", "0: 3\n"],
    ["bytes | xxd -p", "0: 00ff0a\n"],
    ["status 7", "7: "],
    ["status 1 || echo failed", "0: failed\n"],
    ["nothing < a.txt", "0: "],
    ["seq 100000 | streamed | tail -n 1", "0: 100000\nsome input\n"],
    ["streamed; echo $?", "0: 3\nno input\n"],
    ["shout x | tee made; cat made", "0: X\nX\n"],
    ["fails", "1: fails: broken\\nin two lines\n"],
    ["fails 'own words'; echo $?", "0: 1\nfails: own words\n"],
    ["rejects", "1: rejects: no error\n"],
    ...ODD.map((_, at): [string, string] => [`odd ${at}`, "1: odd: a value was thrown that has no text\n"]),
    ["wrong", "1: wrong: what it returned is neither text, bytes, a stream of them nor an exit status\n"],
    ["wrong exit", "1: wrong: its exit status is not of 0 to 255\n"],
    ["cd d; where; reads f ../b.txt", "0: d\nin d\nthree\n"],
    ["reads nope", "1: reads: nope: No such file or directory\n"],
    ["reads ../outside", "1: reads: ../outside: Path is outside the workspace\n"],
    ["reads .env", "1: reads: .env: Permission denied: the policy of this server does not let it be read\n"],
    ["counted | head -n 2", "0: 1\n2\n"],
    ["type shout", "0: shout is a shell builtin\n"],
    ["shuot", "DISALLOWED_CMD: "],
  ])("%s", async (line, expected) => {
    await open({ isolation, policy: { ...DEFAULT_POLICY, paths: { ...DEFAULT_POLICY.paths, denyRead: [".env"] } } });
    expect(await ran(line)).toBe(expected);
    // Whatever it was, the next line runs.
    expect(await ran("shout next")).toBe("0: NEXT\n");
  });

  test("a reader that leaves stops the command after the blocks that it asked for", async () => {
    await open({ isolation });
    await ran("counted | head -n 3");
    await expect.poll(() => seen.at(-1), { timeout: 30_000 }).toBe("ended, aborted");
    expect(seen.length).toBeLessThan(10);
  });

  test("one that hangs ends at the line's time, and when the line is cancelled, and is told", async () => {
    await open({ isolation });
    expect(await ran("echo first; hangs", { timeMs: 1000 })).toBe("time: first\n");
    await expect.poll(() => seen, { timeout: 30_000 }).toEqual(["called", "aborted"]);
    const stop = new AbortController();
    const running = ran("hangs | cat", { signal: stop.signal });
    await expect.poll(() => seen.length, { timeout: 30_000 }).toBe(3);
    stop.abort();
    expect(await running).toBe("cancelled: ");
    await expect.poll(() => seen.slice(2), { timeout: 30_000 }).toEqual(["called", "aborted"]);
    expect(await ran("shout next")).toBe("0: NEXT\n");
  });

  test("its files are checked before the line runs where it says that they are its operands", async () => {
    await open({ isolation });
    expect(await ran("echo x | tee made; paths ../outside")).toBe("PATH_ESCAPE: ");
    expect(seen).toEqual([]);
    expect(await ran("paths a.txt b.txt; ls made")).toBe("2: one\ntwo\nthree\nls: cannot access 'made': No such file or directory\n");
    expect((await (shell as Shell).defaultSession.assess("paths a.txt")).stages[0]).toMatchObject({ reads: ["a.txt"] });
  });

  test("input longer than may be held is the command's fault, not the line's", async () => {
    await open({ isolation, limits: { heldBytes: 1000 } });
    expect(await ran("seq 1000 | shout; echo after")).toBe("0: after\nshout: more than 1000 bytes of standard input\n");
  });

  test("it is where the builtins are: help, policy, names; and gone where the policy leaves it out", async () => {
    const names = (await open({ isolation })).builtinNames;
    expect(names).toContain("shout");
    expect(await ran("help shout")).toMatch(/^0: Usage: shout \[OPERAND\]\.\.\.\nPrint text in capitals\.\n[^]*\n {2}shout hello\n/);
    expect(await ran("help | tail -n 3")).toMatch(/\bshout\b/);
    expect(await ran("policy | grep program")).toBe(`0: of the program  ${commands.map(({ facts }) => facts.name).join(" ")}\n`);
    await shell?.close();
    const only = await open({ isolation, policy: { ...DEFAULT_POLICY, commands: { only: ["cat", "help", "policy", "grep"], deny: [] } } });
    expect(only.builtinNames).toEqual(["cat", "grep", "help", "policy"]);
    expect(await ran("shout x")).toBe("DISALLOWED_CMD: ");
    expect(await ran("help shout")).toMatch(/^1: help: no command is called shout/);
    expect(await ran("policy | grep program")).toBe("1: ");
    await shell?.close();
    await open({ isolation, policy: { ...DEFAULT_POLICY, commands: { only: undefined, deny: ["shout"] } } });
    expect(await ran("shout x")).toBe("DISALLOWED_CMD: ");
    expect(seen).toEqual([]);
  });
});

test("what an executor asks for is not believed: a command that the policy leaves out is not run for it", async () => {
  const answers: unknown[] = [];
  const host = onlyAllowed(hostOf(commands), (name) => name === "shout");
  const server = new CommandServer(host, (answer) =>
    answers.push(answer.kind === "stderr" || answer.kind === "output" ? toText(answer.block) : answer),
  );
  for (const [id, name] of [
    [1, "reads"],
    [2, "nonesuch"],
    [3, "shout"],
  ] as const) {
    server.take({ id, kind: "start", call: { name, args: ["x"], currentDirectory: "", heldBytes: 100 } });
    server.take({ id, kind: "pull" });
    // Of no call, and of one that has ended: nothing.
    server.take({ id: 99, kind: "pull" });
  }
  await expect.poll(() => answers.length, { timeout: 30_000 }).toBe(5);
  expect(answers).toEqual(
    expect.arrayContaining([
      "reads: command not found\n",
      { id: 1, kind: "exit", exit: 127 },
      "nonesuch: command not found\n",
      { id: 2, kind: "exit", exit: 127 },
      "X\n",
    ]),
  );
  expect(seen).toEqual([]);
  server.close();
});

test("a pulled block at a time: a command that prints without end is not ahead of a slow reader", async () => {
  await open({ isolation: "process" });
  // Its reader asks for more than a window of the channel, and leaves.
  expect(await ran("counted | head -n 5000 | tail -n 1")).toBe("0: 5000\n");
  await expect.poll(() => seen.at(-1), { timeout: 30_000 }).toBe("ended, aborted");
  expect(seen.length).toBeLessThan(5010);
});

test.each<[string, () => unknown, string]>([
  ["a builtin's", () => [defineCommand("cat", never, { summary })], "the command cat: there is a command of that name"],
  ["an alias of one", () => [defineCommand("egrep", never, { summary })], "the command egrep: there is a command of that name"],
  [
    "a word of the language",
    () => [defineCommand("while", never, { summary })],
    "the command while: the shell itself has a meaning for that name",
  ],
  [
    "a command of bash",
    () => [defineCommand("source", never, { summary })],
    "the command source: the shell itself has a meaning for that name",
  ],
  [
    "the same twice",
    () => ["x", "x"].map((name) => defineCommand(name, never, { summary })),
    "the command x: there is a command of that name",
  ],
  ["no word", () => defineCommand("a b", never, { summary }), "'a b' is no name of a command"],
  ["a flag", () => defineCommand("-x", never, { summary }), "'-x' is no name of a command"],
  [
    "no sentence",
    () => defineCommand("x", never, { summary: "does x" }),
    "the command x: its summary is a sentence that ends in a full stop",
  ],
  ["no function", () => defineCommand("x", 3 as never, { summary }), "the command x has no function"],
])("a name or a definition that cannot be: %s", async (_, define, message) => {
  const opened = (async () => Shell.open({ files: {}, commands: define() as never, isolation: "none" }))();
  await expect(opened).rejects.toThrow(ConfigurationError);
  await expect(opened).rejects.toThrow(message);
});
