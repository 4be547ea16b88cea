/** --dirstat: the share that each directory has of all that changed. */
import { compareBytes, fromWord } from "../objects/byte-text.ts";
import type { Config } from "../config.ts";
import { contentOf, skipsPair } from "../objects/contents.ts";
import { isSubmodule } from "../objects/objects.ts";
import type { FileStat } from "./diff-stat.ts";
import { NO_ID, type FilePair } from "./file-pairs.ts";
import { GitError } from "../git-error.ts";
import type { Options } from "../commands/options.ts";
import type { DiffFlag } from "./diff-flags.ts";
import type { DiffSettings } from "./diff-options.ts";
import type { Print } from "./patch.ts";
import { countChanges } from "./renames.ts";
import { shownPath } from "./shown-path.ts";
import type { Repository } from "../repository.ts";

export interface DirectoryStatSettings {
  readonly by: "changes" | "lines" | "files";
  /** True if the changes of a listed directory count for its parents too. */
  readonly isCumulative: boolean;
  /** Directories with less of the whole are left out, in thousandths. */
  readonly leastPermille: number;
}

export const USUAL_DIRECTORIES: DirectoryStatSettings = { by: "changes", isCumulative: false, leastPermille: 30 };

/** Throws GitError. */
export function directoryStatSettings(options: Options<DiffFlag>, config: Config): DirectoryStatSettings {
  const configured = config.get("diff.dirstat");
  let settings = configured === undefined ? USUAL_DIRECTORIES : read(configured, USUAL_DIRECTORIES, () => undefined);
  for (const { name, value } of options.each("--cumulative", "--dirstat-by-file", "--dirstat", "-X")) {
    const complain = (text: string): never => {
      throw new GitError(`Failed to parse --dirstat/-X option parameter:\n${text}`);
    };
    if (name === "--cumulative") settings = { ...settings, isCumulative: true };
    else if (name === "--dirstat-by-file") settings = read(fromWord(value ?? ""), { ...settings, by: "files" }, complain);
    else settings = read(fromWord(value ?? ""), settings, complain);
  }
  return settings;
}

/** `complain` gets a line for each word that says nothing. */
function read(text: string, before: DirectoryStatSettings, complain: (text: string) => void): DirectoryStatSettings {
  let settings = before;
  let wrong = "";
  for (const word of text === "" ? [] : text.split(",")) {
    const [, whole, tenth] = /^([0-9]+)(?:\.([0-9])[0-9]*)?$/.exec(word) ?? [];
    if (word === "changes" || word === "lines" || word === "files") settings = { ...settings, by: word };
    else if (word === "cumulative" || word === "noncumulative") settings = { ...settings, isCumulative: word === "cumulative" };
    else if (whole !== undefined) settings = { ...settings, leastPermille: Number(whole) * 10 + Number(tenth ?? "0") };
    else if (/^[0-9]/.test(word)) wrong += `  Failed to parse dirstat cut-off percentage '${word}'\n`;
    else wrong += `  Unknown dirstat parameter '${word}'\n`;
  }
  if (wrong !== "") complain(wrong);
  return settings;
}

interface Damage {
  readonly path: string;
  readonly amount: number;
}

/** By lines: binary files count a line for 64 bytes. */
export function lineDamage(stats: readonly FileStat[], settings: DiffSettings): Damage[] {
  return stats.map(({ pair, added, removed, isBinary }) => ({
    path: shownPath(pair.now.path, settings),
    amount: isBinary ? Math.ceil((added + removed) / 64) : added + removed,
  }));
}

/** By files or by bytes. What differs counts for something even where no byte was found to. */
export function contentDamage(repository: Repository, pairs: readonly FilePair[], { by }: DirectoryStatSettings): Damage[] {
  return pairs.flatMap((pair) => {
    const { old, now } = pair;
    if (old.mode === 0 && now.mode === 0) return [];
    const path = now.path;
    // Git trusts no id of a file that is in no repository; a submodule's is that of its commit, whatever is changed in it.
    const isKnown = [old, now].every(({ isWorking, mode }) => isWorking !== true || isSubmodule(mode));
    if (isKnown && old.mode !== 0 && now.mode !== 0 && old.id === now.id && old.id !== NO_ID) return [{ path, amount: 0 }];
    if (by === "files") return [{ path, amount: 1 }];
    if (skipsPair(repository, old, now)) return [];
    const [a, b] = [contentOf(repository, old), contentOf(repository, now)];
    const { copied, added } =
      old.mode === 0 ? { copied: 0, added: b.length } : now.mode === 0 ? { copied: 0, added: 0 } : countChanges(a, b);
    return [{ path, amount: Math.max(1, a.length - copied + added) }];
  });
}

export function printDirectoryStat(damages: readonly Damage[], settings: DirectoryStatSettings, print: Print): void {
  const files = [...damages].sort((a, b) => compareBytes(a.path, b.path));
  let whole = 0;
  for (const { amount } of files) whole += amount;
  if (whole === 0) return;
  let next = 0;
  /** Lists the directories below the first `length` bytes of the next file's path. Returns the sum that counts further up. */
  const gather = (length: number): number => {
    const base = files[next]?.path.slice(0, length) ?? "";
    let sum = 0;
    let sources = 0;
    for (let file = files[next]; file?.path.startsWith(base); file = files[next]) {
      const slash = file.path.indexOf("/", length);
      if (slash >= 0) {
        sum += gather(slash + 1);
        sources++;
      } else {
        sum += file.amount;
        next++;
        sources += 2;
      }
    }
    // Not of the top, nor where all comes from one directory below.
    if (length === 0 || sources === 1 || sum === 0) return sum;
    const permille = Math.trunc((sum * 1000) / whole);
    if (permille < settings.leastPermille) return sum;
    print(`${String(Math.trunc(permille / 10)).padStart(4)}.${permille % 10}% ${base}\n`);
    return settings.isCumulative ? sum : 0;
  };
  gather(0);
}
