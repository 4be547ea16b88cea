/** A line through ours and through bash with the real tools, each in a tree of its own, and the trees afterwards. */
import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { toBytes, toText } from "../../../src/io/text.ts";
import type { Policy } from "../../../src/config/policy.ts";
import { runOurs } from "../../cases.ts";
import { tree, type TreeOptions } from "../../tree.ts";

export interface Changed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
  readonly tree: readonly string[];
}

/** Names below `directory`: kind, permission bits, and content or target; of old files the time of the last change too. */
export function snapshot(directory: string, below = ""): readonly string[] {
  return readdirSync(`${directory}/${below}`)
    .sort()
    .flatMap((name) => {
      const path = below === "" ? name : `${below}/${name}`;
      if (path === ".shelpa") return [];
      const status = lstatSync(`${directory}/${path}`);
      const mode = (status.mode & 0o7777).toString(8);
      if (status.isSymbolicLink()) return [`${path} -> ${readlinkSync(`${directory}/${path}`)}`];
      if (status.isDirectory()) return [`${path}/ ${mode}`, ...snapshot(directory, path)];
      const isOld = Date.now() - status.mtimeMs > 100_000;
      return [
        `${path} ${mode} ${isOld ? status.mtimeMs.toFixed(2) : "now"} ${JSON.stringify(readFileSync(`${directory}/${path}`, "latin1"))}`,
      ];
    });
}

export async function ours(
  command: string,
  lines: readonly string[],
  options: TreeOptions = {},
  policy: Partial<Policy> = {},
): Promise<Changed & { refused: string | undefined }> {
  const place = tree(lines, options);
  try {
    const { stdout, stderr, exit, refused } = await runOurs({ command }, place.path, {}, policy);
    return { stdout, stderr, exit, refused, tree: snapshot(place.path) };
  } finally {
    place.remove();
  }
}

export function real(command: string, lines: readonly string[], options: TreeOptions = {}): Changed {
  const place = tree(lines, options);
  try {
    const ran = spawnSync("bash", ["-c", command], {
      cwd: place.path,
      env: { PATH: "/usr/bin:/bin", HOME: place.path, LC_ALL: "C.UTF-8", TZ: "UTC" },
      input: toBytes(""),
    });
    return { stdout: toText(ran.stdout), stderr: toText(ran.stderr), exit: ran.status ?? 128, tree: snapshot(place.path) };
  } finally {
    place.remove();
  }
}
