/** Every line of git-further-lines.ts and git-agent-lines.ts through ours and the real git: bytes and exit status must be the same. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { toText } from "../../../src/io/text.ts";
import { runOurs } from "../../cases.ts";
import { testBesideReal, type LineSet } from "./beside-real.ts";
import { AGENT_LINES } from "./git-agent-lines.ts";
import { makeFeatureRepository } from "./git-feature-repositories.ts";
import {
  ALGORITHM_LINES,
  CIRCLE_LINES,
  ENCODED_LINES,
  GRAPH_LINES,
  OBJECT_LINES,
  REPLACED_LINES,
  UNTRACKED_LINES,
} from "./git-further-lines.ts";
import {
  makeCircle,
  makeEncodedRepository,
  makeGraftedRepository,
  makeLongRepository,
  makeReplacedRepository,
  makeUntrackedRepository,
} from "./git-further-repositories.ts";
import { ENVIRONMENT, hasGit, needsGit, makeRepository } from "./git-repositories.ts";

const SETS: readonly LineSet[] = [
  ["algorithms", makeFeatureRepository, ALGORITHM_LINES],
  ["objects", () => makeRepository(1), OBJECT_LINES],
  ["agents", () => makeRepository(1), AGENT_LINES],
  ["untracked", makeUntrackedRepository, UNTRACKED_LINES],
  ["grafts", () => makeGraftedRepository(["HEAD~6", "side"]), REPLACED_LINES],
  ["replacements", makeReplacedRepository, REPLACED_LINES],
  ["a circle of grafts", makeCircle, CIRCLE_LINES],
  ["encodings", makeEncodedRepository, ENCODED_LINES],
  ["a long history", () => makeLongRepository("none"), GRAPH_LINES],
  ["a commit-graph", () => makeLongRepository("whole"), GRAPH_LINES],
  ["a chain of commit-graphs", () => makeLongRepository("chain"), GRAPH_LINES],
  ["a commit-graph, sha256", () => makeLongRepository("whole", "sha256"), GRAPH_LINES],
  ["a chain of commit-graphs, sha256", () => makeLongRepository("chain", "sha256"), GRAPH_LINES],
];

testBesideReal("git, further", SETS);

/** Makes another graph of one; with `signs` its checksum is right again. */
interface Damage {
  readonly name: string;
  readonly signs: boolean;
  change(graph: Buffer, idBytes: number): Buffer;
}

const chunkAt = (graph: Buffer, id: string): number => {
  for (let at = 8; at < graph.length; at += 12)
    if (graph.toString("latin1", at, at + 4) === id) return Number(graph.readBigUInt64BE(at + 4));
  throw new Error(`no chunk ${id}`);
};

/** Every commit's first parent becomes what `position` says, given its own. */
const parentsAre =
  (position: (own: number) => number) =>
  (graph: Buffer, idBytes: number): Buffer => {
    const data = chunkAt(graph, "CDAT");
    for (let at = data, own = 0; at < chunkAt(graph, "EDGE"); at += idBytes + 16, own++) graph.writeUInt32BE(position(own), at + idBytes);
    return graph;
  };

const DAMAGES: readonly Damage[] = [
  { name: "cut short", signs: false, change: (graph) => graph.subarray(0, graph.length >> 1) },
  { name: "cut short and signed", signs: true, change: (graph) => graph.subarray(0, graph.length >> 1) },
  { name: "empty", signs: false, change: () => Buffer.alloc(0) },
  { name: "a byte that is another", signs: false, change: (graph) => graph.fill(7, 2000, 2001) },
  { name: "rubbish", signs: true, change: (graph) => graph.fill(255) },
  { name: "each its own parent", signs: true, change: parentsAre((own) => own) },
  { name: "all parents beyond the end", signs: true, change: parentsAre(() => 0x6fffffff) },
  { name: "no generations", signs: true, change: (graph) => graph.fill(0, chunkAt(graph, "CDAT"), chunkAt(graph, "EDGE")) },
  {
    name: "more parents than there are",
    signs: true,
    change: (graph, idBytes) => {
      for (let at = chunkAt(graph, "CDAT"); at < chunkAt(graph, "EDGE"); at += idBytes + 16)
        graph.writeUInt32BE(0xffffffff, at + idBytes + 4);
      return graph;
    },
  },
  { name: "chunks beyond the end", signs: true, change: (graph) => graph.fill(127, 12, 20) },
  { name: "fans that descend", signs: true, change: (graph) => graph.fill(255, chunkAt(graph, "OIDF"), chunkAt(graph, "OIDF") + 4) },
  { name: "a lower file that is not there", signs: true, change: (graph) => graph.fill(1, 7, 8) },
  { name: "all chunks one", signs: true, change: (graph) => graph.fill(255, 6, 7) },
  { name: "the other hash", signs: true, change: (graph) => graph.fill(3 - (graph[5] ?? 0), 5, 6) },
  { name: "a hash that is none", signs: true, change: (graph) => graph.fill(0, 5, 6) },
];

for (const [format, idBytes] of [
  ["sha1", 20],
  ["sha256", 32],
] as const) {
  needsGit.describe(`a malformed commit-graph is not used, ${format}`, () => {
    const made = hasGit ? makeLongRepository("whole", format) : undefined;
    afterAll(() => made?.remove());
    const path = made?.path ?? "";
    const file = `${path}/.git/objects/info/commit-graph`;
    const whole = hasGit ? readFileSync(file) : Buffer.alloc(0);
    const real = spawnSync("bash", ["-c", "git rev-list --parents --all"], { cwd: path, env: ENVIRONMENT, maxBuffer: 1 << 28 });
    if (hasGit) chmodSync(file, 0o644);
    const store = (graph: Buffer, signs: boolean): void => {
      const end = graph.length - idBytes;
      if (signs) createHash(format).update(graph.subarray(0, end)).digest().copy(graph, end);
      writeFileSync(file, graph);
    };
    for (const { name, signs, change } of DAMAGES) {
      test(name, async () => {
        store(change(Buffer.from(whole), idBytes), signs);
        const outcome = await runOurs({ command: "git rev-list --parents --all" }, path);
        expect(outcome).toEqual({ stdout: toText(real.stdout), stderr: "", exit: 0, refused: undefined });
      });
    }
    test("one that is well formed is used: its dates are those of the commits", async () => {
      const graph = Buffer.from(whole);
      const end = chunkAt(graph, "EDGE");
      for (let at = chunkAt(graph, "CDAT"); at < end; at += idBytes + 16) graph.writeUInt32BE(1_234_567_890, at + idBytes + 12);
      store(graph, true);
      const { stdout } = await runOurs({ command: "git rev-list --timestamp main" }, path);
      expect(stdout).toMatch(/^1234567890 /m);
    });
  });
}

needsGit.describe("what leads in a circle ends", () => {
  const circle = hasGit ? makeCircle() : undefined;
  afterAll(() => circle?.remove());
  for (const command of [
    "git blame same.txt",
    "git log --follow --oneline -- f.txt",
    "git log -L1,1:f.txt --oneline",
    "git log -p",
    "git log --graph --all",
  ]) {
    test(command, async () => {
      const { exit, stderr } = await runOurs({ command }, circle?.path ?? "");
      expect([exit, stderr.replace(/^hint:.*\n/gm, "")]).toEqual(
        command.startsWith("git blame") ? [128, "fatal: the history leads in a circle (info/grafts)\n"] : [0, ""],
      );
    });
  }
  test("a replacement of itself", async () => {
    const made = makeRepository(1);
    const id = spawnSync("/usr/bin/git", ["rev-parse", "HEAD"], { cwd: made.path, env: ENVIRONMENT }).stdout.toString().trim();
    writeFileSync(`${made.path}/.git/packed-refs`, `${id} refs/replace/${id}\n${readFileSync(`${made.path}/.git/packed-refs`, "utf8")}`);
    const outcome = await runOurs({ command: "git log" }, made.path);
    expect([outcome.exit, outcome.stderr]).toEqual([128, `fatal: replace depth too high for object ${id}\n`]);
    made.remove();
  });
});

test("a batch with endless input ends with its reader", async () => {
  const made = makeUntrackedRepository();
  const outcome = await runOurs({ command: "yes HEAD:t/tracked | git cat-file --batch-check | head -n 2" }, made.path);
  expect(outcome.stdout).toBe("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 blob 0\n".repeat(2));
  await expect(runOurs({ command: "yes | tr -d '\\n' | git cat-file --batch-check" }, made.path)).rejects.toThrow();
  made.remove();
});
