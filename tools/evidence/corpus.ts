/** Command lines that agents typed, and the trees they were typed in: `agent-commands` of the material (material.ts). */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** One line of the corpus. */
export interface CorpusLine {
  readonly id: string;
  readonly tree: string;
  readonly cwd: string;
  /** `{root}` stands for the path of the tree. */
  readonly command: string;
  readonly commands: readonly string[];
  readonly tags: readonly string[];
  /** Number of times it was typed. */
  readonly count: number;
}

/** Cache of the trees and of the real tools' answers. */
export const CORPUS_CACHE = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "shelpa-replay");

export const readCorpus = (file: string): readonly CorpusLine[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text) as CorpusLine);

/**
 * The path of the tree, which is made if it does not exist yet. `material` is the directory of the material. A server leaves
 * its log in a tree: a caller that starts one takes trees of another `place` than those that the real tools run in.
 */
export function treeOf(name: string, material: string, place = "trees"): string {
  // In a directory of their own: `ls -la` at the root of a tree shows the times of the directory above.
  const root = join(CORPUS_CACHE, place, name);
  if (existsSync(root)) return root;
  mkdirSync(join(CORPUS_CACHE, place), { recursive: true });
  const make = join(material, "agent-commands/make-tree.mjs");
  execFileSync("node", [make, join(material, `agent-commands/${name}.json`), root], { stdio: "inherit" });
  return root;
}

/** The directory of the real tools, which are installed where they are not there yet. `project` is this checkout. */
export const installedTools = (project: string): string =>
  execFileSync("bash", [join(project, "tools/run/oracle.sh")], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
