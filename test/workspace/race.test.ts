/**
 * Promise 1 against another process: while it exchanges a directory and a symbolic link that leads outside, as fast
 * as it can, nothing outside is ever read, listed or named through any door.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { createShellService } from "../../src/mcp/service.ts";
import { startLookAhead } from "../../src/exec/look-ahead-thread.ts";
import { toText } from "../../src/io/text.ts";
import type { OpenDirectory } from "../../src/workspace/contract.ts";
import { NO_FILE, NOT_TOLD, STAMP_WORDS, type FileStatus } from "../../src/workspace/file-status.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { Expected } from "../../src/workspace/contract.ts";
import { ScratchBase } from "../../src/workspace/mount/scratch-base.ts";
import { PrivateTree } from "../../src/workspace/private/private-tree.ts";
import { CopiedRoot } from "../../src/workspace/private/tree-source.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { stressRuns } from "../stress-settings.ts";
import { has, needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";
import { pathList } from "./path-list.ts";

/** `npm run stress -- race SECONDS` runs longer. */
const RACE_MS = stressRuns(2, 6) * 1000;
/** More that is expected: what the thread and the walk divide among them. */
const padding = (what: Expected["what"]): readonly Expected[] =>
  Array.from({ length: 24 }, (_, number) => ({ name: `none-${number}`, what }));

/** renameat2(2) with RENAME_EXCHANGE: at every instant both names exist, one the directory and one the link. */
const SWAPPER = `
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
pairs = [(os.fsencode(a), os.fsencode(b)) for a, b in zip(sys.argv[1::2], sys.argv[2::2])]
for a, b in pairs:
    if libc.renameat2(-100, a, -100, b, 2) != 0:
        sys.exit("renameat2: " + os.strerror(ctypes.get_errno()))
print("swapping", flush=True)
while True:
    for a, b in pairs:
        libc.renameat2(-100, a, -100, b, 2)
`;

/** Exchanges the two paths of each pair until it is killed. */
async function startSwapper(pairs: readonly (readonly [string, string])[]): Promise<ChildProcess> {
  const process = spawn("python3", ["-c", SWAPPER, ...pairs.flat()], { stdio: ["ignore", "pipe", "pipe"] });
  await new Promise<void>((resolve, reject) => {
    let complaint = "";
    process.once("error", (error) => reject(new Error(`the swapper did not start: ${error.message}`)));
    process.once("exit", (code) => reject(new Error(`the swapper ended with ${code}: ${complaint}`)));
    process.stderr?.on("data", (text) => (complaint += String(text)));
    process.stdout?.once("data", () => resolve());
  });
  return process;
}

let host: Tree;
let swapper: ChildProcess | undefined;

beforeAll(async () => {
  host = tree([
    "outside/f: OUTSIDE\n",
    "outside/sub/f: OUTSIDE\n",
    "outside/only-outside: OUTSIDE\n",
    "root/d/f: inside\n",
    "root/d/sub/f: inside\n",
    "root/link => ../outside",
    "root/deep/d/f: inside\n",
    "root/deep/d/sub/f: inside\n",
    "root/deep/link => ../../outside",
    "root/f: inside\n",
    "root/file-link => ../outside/f",
    "root/via => d/sub",
    "other/",
  ]);
  const at = (name: string): string => `${host.path}/root/${name}`;
  if (!has("python3")) return;
  swapper = await startSwapper([
    [at("d"), at("link")],
    [at("deep/d"), at("deep/link")],
    [at("f"), at("file-link")],
  ]);
});
afterAll(() => {
  swapper?.kill("SIGKILL");
  host.remove();
});

/** The swapped tree as the root, and as a mount of another root. */
const trees = {
  "the root": () => Workspace.open(`${host.path}/root`, { startLookAhead }),
  "a mount": () => {
    const mount = { prefix: "/docs", directory: `${host.path}/root`, access: "read", denyRead: [] } as const;
    return Workspace.open(`${host.path}/other`, { startLookAhead, mounts: [mount] }).at("/docs");
  },
} as const;

for (const [name, open] of Object.entries(trees)) {
  needs("python3").test(`no escape from ${name} in ${RACE_MS / 1000} s through any door`, { timeout: RACE_MS + 20_000 }, () => {
    const workspace = open();
    const below = (path: string): string => [workspace.currentDirectory, path].filter((part) => part !== "").join("/");
    const held = workspace.openDirectory(".");
    const outsideInodes = insideOut();
    const escapes: string[] = [];
    const counts: Record<string, { done: number; refused: number; reached: number }> = {};

    const seesText = (text: string): string | undefined => (text.includes("OUTSIDE") || text.includes("only-outside") ? text : undefined);
    const seesStatus = (status: FileStatus): string | undefined => (outsideInodes.has(status.inode) ? `inode ${status.inode}` : undefined);
    const read = (file: { blocks(): Iterable<Uint8Array> }): string | undefined =>
      seesText([...file.blocks()].map((block) => toText(block)).join(""));
    const list = (directory: ReturnType<Workspace["openDirectory"]>): string | undefined => {
      try {
        const names = [...directory.entries()].map((entry) => entry.name).join("\n");
        return seesStatus(directory.status) ?? seesText(names) ?? (names.includes("f") ? read(directory.openFile("f")) : undefined);
      } finally {
        directory.close();
      }
    };

    const expecting = (name: string, what: Expected["what"], ask: (directory: OpenDirectory) => string | undefined): string | undefined => {
      const directory = workspace.openDirectory(".");
      try {
        directory.expect([...padding(what), { name, what }], { order: "kernel", withStatus: true });
        return ask(directory);
      } finally {
        directory.close();
      }
    };

    const doors: Record<string, (path: string) => string | undefined> = {
      open: (path) => read(workspace.open(`${path}/f`)),
      "open a swapped file": () => read(workspace.open("f")),
      "open below": (path) => read(workspace.open(`${path}/sub/f`)),
      "open through dots": (path) => read(workspace.open(`${path}/sub/../f`)),
      "open through a link": () => read(workspace.open("via/f")),
      "open from a current directory": (path) => read(workspace.at(below(`${path}/sub`)).open("../f")),
      list: (path) => list(workspace.openDirectory(path)),
      status: (path) => seesStatus(workspace.status(`${path}/f`)) ?? seesStatus(workspace.status(path)),
      "status of the link": (path) => seesStatus(workspace.status(`${path}/sub`, { follow: false })),
      realPath: (path) => seesText(workspace.realPath(`${path}/only-outside`)),
      access: (path) => (workspace.access(`${path}/only-outside`, "read") ? "only-outside" : undefined),
      "held: open": () => read(held.openFile("f")),
      "held: open as listed": () => read(held.openFile("f", { isListed: true })),
      "held: list": (path) => list(held.openDirectory(path.split("/")[0] as string)),
      "held: list a link": () => list(held.openDirectory("d", { follow: true })),
      "held: open what was expected": () => expecting("f", "content", (directory) => read(directory.openFile("f", { isListed: true }))),
      "held: list what was expected": (path) =>
        expecting(path.split("/")[0] as string, "entries", (directory) => {
          const below = directory.openDirectory(path.split("/")[0] as string);
          const names = below.list("kernel").map(({ name }) => name);
          return seesText(names.join("\n")) ?? (names.includes("f") ? seesStatus(below.statusOf("f")) : undefined) ?? list(below);
        }),
      "held: stamps of a list": (path) => {
        const directory = workspace.openDirectory(".");
        try {
          const more = Array.from({ length: 200 }, (_, number) => `d/sub/none-${number}`);
          const stamps = directory.stampsBelow(pathList([`${path}/f`, `${path}/sub/f`, `${path}/only-outside`, ...more]))?.take();
          const [[first, size], [second, sizeBelow], [third]] = [0, 1, 2].map((file) => [
            ...(stamps?.subarray(file * STAMP_WORDS, file * STAMP_WORDS + 2) ?? []),
          ]) as [number[], number[], number[]];
          if (third !== NO_FILE && third !== NOT_TOLD) return "only-outside";
          const isOutside = (mode = NOT_TOLD, bytes = 0): boolean =>
            mode > 0 && (mode & 0o170000) === 0o100000 && bytes === "OUTSIDE\n".length;
          if (isOutside(first, size) || isOutside(second, sizeBelow)) return "the size of a file outside";
          if (first === NOT_TOLD) throw new FileError("ENOTDIR", path);
          return undefined;
        } finally {
          directory.close();
        }
      },
      "held: status": () => seesStatus(held.statusOf("d", { follow: true })) ?? seesStatus(held.statusOf("link", { follow: true })),
    };

    const end = performance.now() + RACE_MS;
    while (performance.now() < end) {
      for (const [name, door] of Object.entries(doors)) {
        const count = (counts[name] ??= { done: 0, refused: 0, reached: 0 });
        for (const path of ["d", "link", "deep/d", "deep/link"]) {
          count.done++;
          try {
            const seen = door(path);
            if (seen === undefined) count.reached++;
            else escapes.push(`${name} ${path}: ${seen}`);
          } catch (thrown) {
            if (!(thrown instanceof FileError)) throw thrown;
            count.refused++;
          }
        }
      }
    }
    held.close();
    workspace.close();

    console.table(counts);
    const done = Object.values(counts).reduce((sum, count) => sum + count.done, 0);
    console.log(`${done} operations, ${escapes.length} escapes`);
    expect(swapper?.exitCode).toBeNull();
    expect(escapes).toEqual([]);
    // The race was on: doors that meet a swapped name were both refused and let through.
    for (const name of [
      "open",
      "open a swapped file",
      "list",
      "status",
      "held: list a link",
      "held: open",
      "held: open what was expected",
      "held: stamps of a list",
    ]) {
      const count = counts[name];
      expect(count?.refused, name).toBeGreaterThan(0);
      expect(count?.reached, name).toBeGreaterThan(0);
    }
  });

  test("no byte from outside is in an overlay that is made meanwhile", { timeout: RACE_MS + 30_000 }, async () => {
    const counts = { copies: 0, without: 0 };
    for (const end = performance.now() + RACE_MS; performance.now() < end; counts.copies++) {
      const base = ScratchBase.inMemory([]);
      if (base === undefined) throw new Error("no place for a copy");
      const copy = await PrivateTree.in(base, new CopiedRoot(`${host.path}/root`, { mostBytes: 1 << 20, mostEntries: 1000 }));
      try {
        const files = await copy.files();
        for (const [path, content] of files) expect([path, content.toString()]).toEqual([path, "inside\n"]);
        // A directory that was a link when it was looked into.
        if (!files.has("d/f")) counts.without++;
      } finally {
        copy.close();
      }
    }
    console.log(`${counts.copies} overlays, ${counts.without} without the swapped directory`);
    expect(counts.without).toBeGreaterThan(0);
    expect(counts.without).toBeLessThan(counts.copies);
  });

  /** Inodes of everything outside the root that a link leads to. */
  function insideOut(): ReadonlySet<bigint> {
    const outside = Workspace.open(`${host.path}/outside`);
    const inodes = new Set([".", "f", "sub", "sub/f", "only-outside"].map((path) => outside.status(path).inode));
    outside.close();
    return inodes;
  }

  test("the link that is swapped does lead outside", () => {
    const links = ["d", "link"].flatMap((name) => {
      try {
        return [readlinkSync(`${host.path}/root/${name}`)];
      } catch {
        return [];
      }
    });
    expect(links.every((link) => link === "../outside")).toBe(true);
  });
}

describe.each(["process", "none"] as const)("isolation %s", (isolation) => {
  needs("python3").test(
    `no escape in ${RACE_MS / 1000} s of calls while the root and its parent are swapped`,
    { timeout: RACE_MS + 30_000 },
    async () => {
      const tops = tree([
        "above/root/f: inside\n",
        "above/link => ../outside",
        "outside/f: OUTSIDE\n",
        "outside/only-outside: OUTSIDE\n",
        "elsewhere/root/f: OUTSIDE\n",
        "elsewhere/root/only-outside: OUTSIDE\n",
        "above-link => elsewhere",
      ]);
      const at = (name: string): string => `${tops.path}/${name}`;
      const policy = { ...DEFAULT_POLICY, audit: { calls: "all" as const } };
      const service = await createShellService({ root: at("above/root"), policy, aliases: [], isolation });
      const topSwapper = await startSwapper([
        [at("above/root"), at("above/link")],
        [at("above"), at("above-link")],
      ]);
      const counts = { done: 0, refused: 0 };
      const escapes: string[] = [];
      try {
        const end = performance.now() + RACE_MS;
        for (let turn = 0; performance.now() < end; turn++) {
          for (const command of [
            "cat f; ls",
            `echo ${turn} | tee new`,
            "rm f",
            `cat ${at("above/root/f")}`,
            "find . | head -n 50; realpath f",
          ]) {
            const { result, stdout, stderr } = await service.call({ command }, new AbortController().signal);
            const text = Buffer.concat([stdout.bytes, stderr.bytes]).toString();
            if (/OUTSIDE|only-outside/.test(text)) escapes.push(`${command}: ${text}`);
            if (result.kind === "faulted") escapes.push(`${command}: fault ${result.message}`);
            const isGone = result.kind === "refused" && result.violations[0].reason === "ROOT_GONE";
            counts[isGone ? "refused" : "done"]++;
          }
        }
      } finally {
        topSwapper.kill("SIGKILL");
        await service.close();
      }
      console.log(`${isolation}: ${counts.done} calls, ${counts.refused} without a root, ${escapes.length} escapes`);
      expect(escapes).toEqual([]);
      expect(readdirSync(at("outside")).sort()).toEqual(["f", "only-outside"]);
      expect(
        readdirSync(at("elsewhere"))
          .concat(readdirSync(at("above")))
          .sort()
          .join(),
      ).not.toContain("new");
      expect(counts.refused).toBeGreaterThan(0);
      expect(counts.done).toBeGreaterThan(0);
      tops.remove();
    },
  );
});
