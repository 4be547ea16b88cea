/** Small random trees with what makes writing hard: modes, links of both kinds, empty files, names that shells and tools stumble over. */
import { chmodSync, linkSync, lutimesSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import type { Dice } from "../../fuzz/dice.ts";

export interface PlantedEntry {
  readonly kind: "directory" | "file" | "symlink" | "hard link";
  /** Relative to the root. */
  readonly path: string;
  /** Of a file its content, of a link its target. */
  readonly text: string;
  readonly mode: number;
  /** Seconds since the epoch. */
  readonly mtime: number;
}

/** Names of files and directories; the plain ones come often, so that lines meet one another. */
export const NAMES: readonly string[] = [
  ...["a", "b", "c", "d", "a", "b", "c", "d", "e", "f.txt", "g.c"],
  ...["with space", "-dash", "--", "new\nline", "é", "日本 語", "e\u0301", "tab\there", ".hidden", ".gitignore"],
  ...["it's", 'q"q', "*", "[a]", "$HOME", "back\\slash", "~t", "#h", "x;y", "x=y"],
];

const FILE_MODES = [0o644, 0o644, 0o644, 0o600, 0o755, 0o640, 0o664, 0o444, 0o711];
const DIRECTORY_MODES = [0o755, 0o755, 0o755, 0o700, 0o750, 0o775, 0o1777, 0o2755];

/** Lines that edits of other lines find again. */
export const WORDS: readonly string[] = ["alpha", "beta", "gamma", "a b", "", "délta", "x=1"];

export const randomText = (dice: Dice, number: number): string => {
  if (dice.chance(15)) return "";
  const lines = [`line ${number}`, ...dice.some(0, 4, () => dice.pick(WORDS))];
  return lines.join("\n") + (dice.chance(85) ? "\n" : "");
};

/** Entries in an order in which they can be made. `most`: most of them. */
export function randomTree(dice: Dice, most: number): readonly PlantedEntry[] {
  const entries: PlantedEntry[] = [];
  const taken = new Set<string>();
  const directories = [""];
  for (let left = 3 + dice.below(most - 2); left > 0; left--) {
    const path = `${dice.pick(directories)}${dice.pick(NAMES)}`;
    if (taken.has(path)) continue;
    taken.add(path);
    const entry = randomEntry(dice, path, entries);
    entries.push(entry);
    if (entry.kind === "directory") directories.push(`${path}/`);
  }
  return entries;
}

function randomEntry(dice: Dice, path: string, others: readonly PlantedEntry[]): PlantedEntry {
  const mtime = 1_500_000_000 + dice.below(100_000_000);
  const kind = dice.below(10);
  const files = others.filter((other) => other.kind === "file");
  if (kind < 3) return { kind: "directory", path, text: "", mode: dice.pick(DIRECTORY_MODES), mtime };
  if (kind === 3) {
    // Relative to the link's own directory, so that some lead nowhere.
    const target = dice.pick([dice.pick(NAMES), `../${dice.pick(NAMES)}`, others.at(-1)?.path ?? "nothing", ".", "./"]);
    return { kind: "symlink", path, text: target, mode: 0, mtime };
  }
  if (kind === 4 && files.length > 0) return { kind: "hard link", path, text: dice.pick(files).path, mode: 0, mtime };
  return { kind: "file", path, text: randomText(dice, dice.below(1000)), mode: dice.pick(FILE_MODES), mtime };
}

export function plant(root: string, entries: readonly PlantedEntry[]): void {
  for (const { kind, path, text } of entries) {
    const at = `${root}/${path}`;
    if (kind === "directory") mkdirSync(at);
    else if (kind === "file") writeFileSync(at, text);
    else if (kind === "symlink") symlinkSync(text, at);
    else linkSync(`${root}/${text}`, at);
  }
  for (const { kind, path, mode, mtime } of [...entries].reverse()) {
    if (kind === "hard link") continue;
    if (kind !== "symlink") chmodSync(`${root}/${path}`, mode);
    lutimesSync(`${root}/${path}`, mtime, mtime);
  }
}
