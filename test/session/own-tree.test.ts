/** Workspaces on a tree of our own: an overlay over a root, and files in memory. Random histories are in overlay-histories.test.ts. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { builtins } from "../../builtins/registry.ts";
import type { BuiltinDefinition } from "../../src/builtin/definition.ts";
import { type ApprovalQuestion, DEFAULT_POLICY, FileError, Shell, type ShellOptions } from "../../src/index.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { removeLeftBases } from "../../src/workspace/mount/scratch-base.ts";
import { PrivateTree } from "../../src/workspace/private/private-tree.ts";
import { treeState } from "../builtins/writers/tree-state.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let shell: Shell | undefined;
beforeEach(() => {
  place = tree([
    "root/a.txt: one\ntwo\n",
    "root/d/f: in d\n",
    "root/d/g: g\n",
    "root/to-d => d",
    "root/.envrc: export A=1\n",
    "secret: outside\n",
  ]);
});
afterEach(async () => {
  await shell?.close();
  shell = undefined;
  place.remove();
});

const at = (path: string): string => `${place.path}/root/${path}`;
const read = (path: string): string | undefined => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined);

async function overlay(options: Partial<ShellOptions> = {}): Promise<Shell> {
  shell = await Shell.open({ root: `${place.path}/root`, overlay: true, isolation: "none", timeZone: "UTC", ...options });
  return shell;
}

async function printed(line: string, from = shell): Promise<string> {
  const { result, stdout, stderr } = await (from as Shell).defaultSession.run(line);
  if (result.kind === "refused") return result.violations[0].reason;
  if (result.kind !== "completed") throw new Error(JSON.stringify(result));
  return toText(stdout) + toText(stderr);
}

describe.each(["none", "process"] as const)("isolation %s", (isolation) => {
  test("an overlay shows the root, and changes what nobody else sees until it is applied", async () => {
    const opened = await overlay({ isolation });
    const root = `${place.path}/root`;
    expect(await printed(`pwd; cat ${root}/a.txt; ls -A; readlink to-d`)).toBe(
      `${root}\none\ntwo\na.txt\nd\n.envrc\nto-d\nd\n`.replace("a.txt\nd\n.envrc", ".envrc\na.txt\nd"),
    );
    await printed("sed -i s/one/ONE/ a.txt; rm d/g; mkdir -p n/m; echo new | tee n/m/f; touch -d 2020-01-01 d/f; cp -P to-d n/link");
    expect(await printed("cat a.txt n/m/f; ls d")).toBe("ONE\ntwo\nnew\nf\n");
    expect([read("a.txt"), read("d/g"), read("n/m/f")]).toEqual(["one\ntwo\n", "g\n", undefined]);
    expect(await opened.changes()).toEqual([
      { path: "a.txt", change: "changed", kind: "file" },
      { path: "d/f", change: "attributes", kind: "file" },
      { path: "d/g", change: "removed", kind: "file" },
      { path: "n", change: "created", kind: "directory" },
      { path: "n/link", change: "created", kind: "symlink" },
      { path: "n/m", change: "created", kind: "directory" },
      { path: "n/m/f", change: "created", kind: "file" },
    ]);
    const receipts = await opened.apply();
    expect(receipts.map(({ path }) => path).sort()).toEqual(["a.txt", "d/f", "d/g", "n", "n/link", "n/m", "n/m/f"]);
    expect([read("a.txt"), read("d/g"), read("n/m/f")]).toEqual(["ONE\ntwo\n", undefined, "new\n"]);
    expect(await opened.changes()).toEqual([]);
    expect(await printed("cat n/m/f")).toBe("new\n");
    const after = await Shell.open({ root, isolation: "none" });
    await printed(`undo ${receipts[0]?.recordId}`, after);
    await after.close();
    expect([read("a.txt"), read("d/g"), existsSync(at("n"))]).toEqual(["one\ntwo\n", "g\n", false]);
  });

  test("what is discarded is gone, and the overlay is over the root as it is then", async () => {
    const opened = await overlay({ isolation });
    await printed("echo x | tee a.txt; rm d/f");
    writeFileSync(at("late"), "late\n");
    await opened.discard();
    expect(await opened.changes()).toEqual([]);
    expect(await printed("cat a.txt d/f late")).toBe("one\ntwo\nin d\nlate\n");
  });

  test("files in memory are read, changed, undone and read back", async () => {
    shell = await Shell.open({ files: { "a.txt": "één\n", "d/b": Uint8Array.of(0, 255) }, isolation });
    expect(await printed("pwd; cat /workspace/a.txt; ls -l d | tail -n 1 | cut -c 1-10; xxd -p d/b")).toBe(
      "/workspace\néén\n-rw-r--r--\n00ff\n",
    );
    await printed("echo more | tee -a a.txt; rm d/b; echo n | tee n");
    expect(await shell.changes()).toEqual([
      { path: "a.txt", change: "changed", kind: "file" },
      { path: "d/b", change: "removed", kind: "file" },
      { path: "n", change: "created", kind: "file" },
    ]);
    expect([...(await shell.files())].map(([path, content]) => [path, content.toString()]).sort()).toEqual([
      ["a.txt", "één\nmore\n"],
      ["n", "n\n"],
    ]);
    await printed("undo; undo; undo");
    // The time of a file that tee wrote is no part of its record.
    expect(await shell.changes()).toEqual([{ path: "a.txt", change: "attributes", kind: "file" }]);
    expect(await printed("cat a.txt; xxd -p d/b; ls n")).toBe("één\n00ff\nls: cannot access 'n': No such file or directory\n");
    await expect(shell.apply()).rejects.toThrow("a workspace in memory has no root");
    await printed("rm -r d");
    await shell.discard();
    expect(await printed("ls d")).toBe("b\n");
  });
});

describe("conflicts", () => {
  test.each<[string, string, () => void]>([
    ["a file changed in both", "echo x | tee a.txt", () => writeFileSync(at("a.txt"), "theirs\n")],
    ["a file changed in the root that was removed here", "rm d/f", () => writeFileSync(at("d/f"), "theirs\n")],
    ["one that was touched", "echo x | tee a.txt", () => utimesSync(at("a.txt"), 1, 1)],
    ["a file that is gone there", "echo x | tee a.txt", () => rmSync(at("a.txt"))],
    ["a name made in both", "echo x | tee new", () => writeFileSync(at("new"), "theirs\n")],
    ["a directory made in both", "mkdir new", () => mkdirSync(at("new"))],
    ["a directory with something new in it", "rm -r d", () => writeFileSync(at("d/theirs"), "theirs\n")],
    ["a link that is a file now", "rm to-d", () => (rmSync(at("to-d")), writeFileSync(at("to-d"), ""))],
  ])("%s: nothing is applied", async (_, line, meanwhile) => {
    const opened = await overlay();
    await printed(`${line}; echo other | tee other`);
    meanwhile();
    const before = treeState(`${place.path}/root`);
    await expect(opened.apply()).rejects.toThrow(FileError);
    expect([...treeState(`${place.path}/root`)]).toEqual([...before]);
    expect(await opened.changes()).not.toEqual([]);
  });

  test("a change of the root elsewhere is none", async () => {
    const opened = await overlay();
    await printed("echo x | tee a.txt");
    writeFileSync(at("d/f"), "theirs\n");
    await opened.apply();
    expect([read("a.txt"), read("d/f")]).toEqual(["x\n", "theirs\n"]);
  });
});

describe("a protected file", () => {
  const agree = (answer: boolean, questions: ApprovalQuestion[]) => (question: ApprovalQuestion) => {
    questions.push(question);
    return answer;
  };

  test.each([true, false])("is put to the callback where the root is changed, too: %s", async (answer) => {
    const questions: ApprovalQuestion[] = [];
    const opened = await overlay({ approve: agree(true, []) });
    await printed("echo export B=2 | tee -a .envrc");
    await opened.close();
    // A second one of the same, whose callback answers both questions.
    const asked = await overlay({ approve: (question) => (question.line === "apply" ? agree(answer, questions)(question) : true) });
    await printed("echo export B=2 | tee -a .envrc; echo x | tee a.txt");
    const applied = asked.apply();
    if (answer) expect((await applied).map(({ path, permittedBy }) => [path, permittedBy])).toContainEqual([".envrc", "human"]);
    else await expect(applied).rejects.toMatchObject({ code: "NEEDS_APPROVAL", path: ".envrc" });
    expect(questions.map(({ writes }) => writes.map(({ path }) => path))).toEqual([[".envrc", "a.txt"]]);
    expect(read(".envrc")).toBe(answer ? "export A=1\nexport B=2\n" : "export A=1\n");
    expect(read("a.txt")).toBe(answer ? "x\n" : "one\ntwo\n");
  });

  test("what the policy denies, the overlay denies", async () => {
    await overlay({ policy: { ...DEFAULT_POLICY, paths: { denyRead: ["a.txt"], denyWrite: ["d/"], own: [] } } });
    expect(await printed("cat a.txt")).toMatch(/Permission denied/);
    expect(await printed("echo x | tee d/f")).toBe("PROTECTED_PATH");
  });
});

describe("confinement", () => {
  test("neither the place of the copy nor anything beside it has a path", async () => {
    const places: string[] = [];
    const made = Object.getOwnPropertyDescriptor(PrivateTree.prototype, "directory") as PropertyDescriptor;
    Object.defineProperty(PrivateTree.prototype, "directory", {
      configurable: true,
      get(this: PrivateTree) {
        const path = made.get?.call(this) as string;
        places.push(path);
        return path;
      },
    });
    await overlay();
    Object.defineProperty(PrivateTree.prototype, "directory", made);
    const [copy = ""] = places;
    expect(readdirSync(copy)).toContain("a.txt");
    for (const path of [`${copy}/a.txt`, `${place.path}/secret`, "../secret", "/etc/passwd"])
      expect(await printed(`cat ${path}`)).toMatch(/PATH_ESCAPE|outside/);
    expect(await printed("ls /tmp")).toBe("");
    await shell?.close();
    shell = undefined;
    expect(existsSync(copy)).toBe(false);
  });

  test("lines that run together, and what handles the whole tree, take turns", async () => {
    const opened = await overlay();
    const lines = Array.from({ length: 8 }, (_, number) => opened.newSession().run(`echo ${number} | tee n${number}; cat n${number}`));
    await new Promise(setImmediate);
    const applied = opened.apply();
    const late = opened.defaultSession.run("ls");
    await Promise.all(lines);
    expect((await applied).map(({ path }) => path).sort()).toEqual(Array.from({ length: 8 }, (_, number) => `n${number}`));
    expect((await late).stdout.toString()).toContain("n7\n");
  });
});

test("a line that comes while a question about the changes is open waits for its time at most, or until it is cancelled", async () => {
  let answer: (agreed: boolean) => void = () => {};
  const asked = new Promise<void>((resolve) => {
    void overlay({
      approve: ({ line }) => {
        if (line !== "apply") return true;
        resolve();
        return new Promise((done) => {
          answer = done;
        });
      },
    }).then(async (opened) => {
      await opened.defaultSession.run("echo export B=2 | tee -a .envrc");
      void opened.apply();
    });
  });
  await asked;
  const { defaultSession } = shell as Shell;
  const detail = expect.stringMatching(/^waited 0\.05 s for its turn, .*: the changes of its workspace are being applied/);
  expect((await defaultSession.run("ls", { timeMs: 50 })).result).toMatchObject({ violations: [{ reason: "BUSY", detail }] });
  const stop = new AbortController();
  const cancelled = defaultSession.run("ls", { signal: stop.signal });
  stop.abort();
  expect((await cancelled).result).toMatchObject({ kind: "stopped", limit: "cancelled" });
  const late = printed("cat .envrc");
  answer(true);
  expect(await late).toBe("export A=1\nexport B=2\n");
  expect(read(".envrc")).toBe("export A=1\nexport B=2\n");
});

describe("what cannot be", () => {
  const root = (): string => `${place.path}/root`;
  test.each<[string, () => Parameters<typeof Shell.open>[0], string | RegExp]>([
    [
      "a tree that is too large",
      () => ({ root: root(), overlay: { mostBytes: 10 } }),
      /^an overlay over .* would hold more than 10 bytes or 100000 names/,
    ],
    [
      "files that are too large",
      () => ({ files: { a: "x".repeat(11) }, mostBytes: 10 }),
      /^a workspace in memory would hold more than 10 bytes/,
    ],
    ["a size that is none", () => ({ files: {}, mostBytes: 1.5 }), "mostBytes: 1.5 is not a whole number of bytes of at least 1"],
    ["a copy in what is copied", () => ({ root: root(), overlay: { directory: at("d") } }), /^an overlay over .* would lie in that itself/],
    ["a relative directory", () => ({ root: root(), overlay: { directory: "d" } }), "overlay.directory: 'd' is no absolute path"],
    ["a path that climbs", () => ({ files: { "../x": "" } }), "Invalid argument"],
    ["an absolute one", () => ({ files: { "/x": "" } }), "Invalid argument"],
    ["our own records", () => ({ files: { ".shelpa/x": "" } }), "Protected path"],
    ["a file that is a directory", () => ({ files: { a: "", "a/b": "" } }), "Not a directory"],
    [
      "a path that is too long",
      () => ({ files: { [`${"d/".repeat(3000)}f`]: "" } }),
      /^files: 'd\/d\/.*…': a path has at most 4095 bytes$/,
    ],
    ["one that is too deep", () => ({ files: { [`${"d/".repeat(256)}f`]: "" } }), /: a path has at most 256 names$/],
    ["a name that is too long", () => ({ files: { ["é".repeat(128)]: "" } }), /: a name has at most 255 bytes$/],
    ["content that is neither", () => ({ files: { a: 3 as unknown as string } }), "files: 'a' is neither text nor bytes"],
    [
      "a mount that is written",
      () => ({ root: root(), overlay: true, mounts: [{ name: "/m", directory: "/usr", access: "write" }] }),
      /^the mount \/m: what is written there would be in no overlay/,
    ],
    ["no root", () => ({ root: `${root()}/nope`, overlay: true }), "No such file or directory"],
  ])("%s", async (_, options, message) => {
    await expect(Shell.open(options())).rejects.toThrow(message);
  });

  test("a shell on its root itself has no changes of its own", async () => {
    shell = await Shell.open({ root: root(), isolation: "none" });
    for (const ask of [() => shell?.changes(), () => shell?.files(), () => shell?.apply(), () => shell?.discard()])
      await expect(ask()).rejects.toThrow("open it with overlay: true, or with files");
  });

  test("more in memory than it may hold is no space left, and nothing of it is there", async () => {
    shell = await Shell.open({ files: { a: "x" }, mostBytes: 100_000, isolation: "none" });
    expect(await printed("seq 20000 | tee big >/dev/null")).toMatch(/tee: big: No space left on device/);
    expect(await printed("for i in 1 2 3 4 5 6 7 8; do seq 2500 | tee f$i >/dev/null || break; done; ls | wc -l")).toMatch(
      /No space left on device/,
    );
    expect(await printed("cp a b; cat b")).toBe("x");
  });
});

test("what a killed process leaves is removed by a later one", () => {
  const program = `
    import { Shell } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)};
    const shell = await Shell.open({ files: { secret: "x" }, isolation: "none" });
    await shell.defaultSession.run("cat secret");
    process.kill(process.pid, "SIGKILL");
  `;
  const { pid, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", program]);
  expect(signal).toBe("SIGKILL");
  const left = (): readonly string[] =>
    ["/dev/shm", tmpdir()]
      .filter((directory) => existsSync(directory))
      .flatMap((directory) => readdirSync(directory).filter((name) => name.startsWith(`shelpa-scratch-${pid}-`)));
  expect(left()).toHaveLength(1);
  removeLeftBases();
  expect(left()).toEqual([]);
});

/** The first example of each builtin: what it prints is the same wherever the files are. */
describe("contract", async () => {
  const definitions = new Set<BuiltinDefinition>(await Promise.all(builtins.map(({ load }) => load())));
  const rows = [...definitions].map(({ examples: [first] }) => first);
  const doors: Record<string, (files: Readonly<Record<string, string>>) => Promise<Shell>> = {
    memory: (files) =>
      Shell.open({ files: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, toBytes(text)])), ...OPTIONS }),
    overlay: async (files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(`${place.path}/examples/${path}`), { recursive: true });
        writeFileSync(`${place.path}/examples/${path}`, toBytes(text));
      }
      mkdirSync(`${place.path}/examples`, { recursive: true });
      return Shell.open({ root: `${place.path}/examples`, overlay: true, ...OPTIONS });
    },
  };
  const OPTIONS = { isolation: "none", timeZone: "UTC" } as const;
  describe.each(Object.entries(doors))("%s", (_, open) => {
    test.each(rows)("$command", async ({ command, stdin, files = {}, stdout, exit = 0 }) => {
      shell = await open(files);
      const outcome = await shell.defaultSession.run(command, { stdin: stdin === undefined ? undefined : toBytes(stdin) });
      expect([outcome.result.kind === "completed" ? outcome.result.exit : outcome.result.kind, toText(outcome.stdout)]).toEqual([
        exit,
        stdout,
      ]);
    });
  });
});
