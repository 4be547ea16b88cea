/**
 * Promise 1 for writing: while another process exchanges a directory and a link that leads outside, nothing outside
 * the root is made, changed or removed, and what was said to be written is recorded.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { createRecorder } from "../../src/audit/recorder.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { extent } from "../extent.ts";
import { has, needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";
import { isFileIntent, journal, sha256 } from "./tree-check.ts";

const RACE_MS = extent(2_000, 5_000);

/** renameat2(2) with RENAME_EXCHANGE, over and over. */
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

// What is raced is the walk, not the disk.
if (existsSync("/dev/shm")) process.env.TMPDIR = "/dev/shm";

let host: Tree;
let swapper: ChildProcess | undefined;

beforeAll(async () => {
  host = tree([
    "outside/f: OUTSIDE",
    "outside/sub/f: OUTSIDE",
    "root/d/f: inside",
    "root/d/sub/f: inside",
    "root/link => ../outside",
    "root/f: inside",
    "root/file-link => ../outside/f",
    "other/",
  ]);
  const at = (name: string): string => `${host.path}/root/${name}`;
  if (!has("python3")) return;
  swapper = spawn("python3", ["-c", SWAPPER, at("d"), at("link"), at("f"), at("file-link")], { stdio: ["ignore", "pipe", "inherit"] });
  await once(swapper.stdout as NonNullable<ChildProcess["stdout"]>, "data");
});
afterAll(() => {
  swapper?.kill("SIGKILL");
  host.remove();
});

/** The swapped tree as the root, and as a mount of another root. */
const trees = {
  "the root": () => Workspace.open(`${host.path}/root`),
  "a mount": () => {
    const mount = { prefix: "/data", directory: `${host.path}/root`, access: "write", denyRead: [] } as const;
    return Workspace.open(`${host.path}/other`, { mounts: [mount] }).home("/data/f").files;
  },
} as const;

describe.each(Object.entries(trees))("%s", (_, open) => {
  needs("python3").test(`no escape in ${RACE_MS / 1000} s of writing`, { timeout: RACE_MS + 20_000 }, () => {
    const workspace = open();
    const linesBefore = existsSync(`${host.path}/root/.shelpa`) ? journal(`${host.path}/root`).lines.length : 0;
    const outside = (): string => JSON.stringify(readdirSync(`${host.path}/outside`, { recursive: true, encoding: "utf8" }).sort());
    const before = outside();
    const codes: Record<string, number> = {};
    let written = 0;
    const end = performance.now() + RACE_MS;
    for (let round = 0; performance.now() < end; round++) {
      for (const target of ["d/f", "link/f", "d/sub/f", "link/sub/f", "f", "d/new/f", `d/n${round % 50}/f`]) {
        for (const mode of ["overwrite", "append"] as const) {
          try {
            const transaction = createRecorder(workspace, { session: "", client: "", line: "", confirmOversize: false }).begin(
              [target],
              mode,
              "",
            );
            transaction.write(Buffer.from(`${round}\n`));
            written += transaction.commit().length;
          } catch (thrown) {
            if (!(thrown instanceof FileError)) throw thrown;
            codes[thrown.code] = (codes[thrown.code] ?? 0) + 1;
          }
        }
      }
    }
    workspace.close();
    console.log(`${written} writes, refused: ${JSON.stringify(codes)}`);
    expect(swapper?.exitCode).toBeNull();
    expect(outside()).toBe(before);
    for (const file of ["f", "sub/f"]) expect(readFileSync(`${host.path}/outside/${file}`, "utf8")).toBe("OUTSIDE");
    expect(written).toBeGreaterThan(0);
    expect(Object.keys(codes).length).toBeGreaterThan(0);
    const { lines: all, problems } = journal(`${host.path}/root`);
    expect(problems).toEqual([]);
    const lines = all.slice(linesBefore);
    const ofFiles = new Set(lines.filter(isFileIntent).map(({ id }) => id));
    const done = lines.filter((line) => line.kind === "outcome" && line.result === "done" && ofFiles.has(line.record_id));
    expect(done).toHaveLength(written);
    for (const line of lines.filter(({ kind, id }) => kind === "intent" && done.some(({ record_id }) => record_id === id)).slice(-200)) {
      const mirrored = readFileSync(`${host.path}/root/${line.mirror}`).subarray(
        line.content_offset,
        line.content_offset + line.content.bytes,
      );
      expect(sha256(mirrored)).toBe(line.content.sha256);
    }
  });
});
