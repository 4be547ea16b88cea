/** --stat, --numstat and --shortstat. */
import { painted } from "./colours.ts";
import { lineText, type LineText } from "../../../src/compare/line-text.ts";
import { textWidth } from "../../../src/display/character-width.ts";
import { quotedName, toWord } from "../objects/byte-text.ts";
import { contentOf, isDenied, isDirty, skipsPair } from "../objects/contents.ts";
import type { DiffSettings } from "./diff-options.ts";
import { isRewritten, NO_ID, type FilePair } from "./file-pairs.ts";
import { hunksOf, markedChanges } from "./hunks.ts";
import { MODE } from "../objects/objects.ts";
import type { Print } from "./patch.ts";
import { shownPath } from "./shown-path.ts";
import type { Repository } from "../repository.ts";
import { isBinarySide } from "./userdiff.ts";
import { fromWord } from "../objects/byte-text.ts";

export interface FileStat {
  readonly pair: FilePair;
  /** Lines, or bytes of a binary file. */
  readonly added: number;
  readonly removed: number;
  readonly isBinary: boolean;
  /** The policy denies its content, and nothing of it was counted. */
  readonly isDenied?: boolean;
}

export function statOf(repository: Repository, pair: FilePair, settings: DiffSettings): FileStat {
  const { old, now } = pair;
  const none = { pair, added: 0, removed: 0, isBinary: false };
  if (pair.status === "U") return none;
  const same = old.id === now.id && old.id !== NO_ID;
  if (isDenied(repository, old) || isDenied(repository, now))
    return same || !skipsPair(repository, old, now) ? none : { ...none, isDenied: true };
  const [a, b] = [contentOf(repository, old), contentOf(repository, now)];
  if (isBinarySide(repository, old, a) || isBinarySide(repository, now, b))
    return { pair, added: same ? 0 : b.length, removed: same ? 0 : a.length, isBinary: true };
  if (isRewritten(pair)) return { pair, added: lineText(b).lineCount, removed: lineText(a).lineCount, isBinary: false };
  if (same || a.equals(b)) return none;
  const hasContext = settings.context > 0 || settings.functionContext;
  const [oldText, newText] = hasContext ? [lineText(a), lineText(b)] : textsWithoutTail(a, b);
  let added = 0;
  let removed = 0;
  const changes = markedChanges(oldText, newText, settings);
  // Changes that do not count are counted where a hunk shows them.
  const shown = changes.some(({ isIgnored }) => isIgnored)
    ? hunksOf(oldText, newText, changes, { ...settings, functionLine: () => undefined }).flatMap((hunk) => hunk.changes)
    : changes;
  for (const change of shown) {
    added += change.added;
    removed += change.removed;
  }
  return { pair, added, removed, isBinary: false };
}

/** True if all that changed are lines that count as none. */
export const isNothing = ({ pair, added, removed, isBinary: binary, isDenied: denied }: FileStat): boolean =>
  pair.status === "M" &&
  added + removed === 0 &&
  pair.old.mode === pair.now.mode &&
  !binary &&
  denied !== true &&
  !isDirty(pair.now) &&
  !isDirty(pair.old);

/** Without context git leaves out what both end in, in pieces of 1024 bytes, before it looks for changes. */
export function textsWithoutTail(a: Buffer, b: Buffer): readonly [LineText, LineText] {
  let trimmed = 0;
  const least = Math.min(a.length, b.length);
  while (trimmed + 1024 <= least) {
    const [atA, atB] = [a.length - trimmed, b.length - trimmed];
    if (a.compare(b, atB - 1024, atB, atA - 1024, atA) !== 0) break;
    trimmed += 1024;
  }
  let kept = 0;
  while (kept < trimmed) if (a[a.length - trimmed + kept++] === 10) break;
  return [lineText(a.subarray(0, a.length - trimmed + kept)), lineText(b.subarray(0, b.length - trimmed + kept))];
}

/** `dir/{old => new}/name`. Names that need quotes are given whole. */
export function renamedName(old: string, now: string, quotesAll: boolean): string {
  const quoted = [quotedName(old, quotesAll), quotedName(now, quotesAll)];
  if (quoted[0] !== old || quoted[1] !== now) return `${quoted[0]} => ${quoted[1]}`;
  let prefix = 0;
  for (let at = 0; at < old.length && at < now.length && old[at] === now[at]; at++) if (old[at] === "/") prefix = at + 1;
  const least = prefix > 0 ? prefix - 1 : 0;
  let suffix = 0;
  for (let a = old.length, b = now.length; ; ) {
    // The slash that ends the prefix may begin the suffix too.
    if (a < old.length && old[a] === "/") suffix = old.length - a;
    a--;
    b--;
    if (!(least <= a && least <= b && old[a] === now[b])) break;
    if (old[a] === "/") suffix = old.length - a;
  }
  const middle = (name: string): string => name.slice(prefix, Math.max(prefix, name.length - suffix));
  if (prefix + suffix === 0) return `${old} => ${now}`;
  return `${old.slice(0, prefix)}{${middle(old)} => ${middle(now)}}${old.slice(old.length - suffix)}`;
}

const nameOf = (repository: Repository, { old, now }: FilePair, settings: DiffSettings): string => {
  const cut = (path: string): string => shownPath(path, settings);
  return old.path !== now.path
    ? renamedName(cut(old.path), cut(now.path), repository.quotesAll)
    : quotedName(cut(now.path), repository.quotesAll);
};

export function printStat(repository: Repository, all: readonly FileStat[], settings: DiffSettings, print: Print): void {
  if (all.length === 0) return;
  const compact = settings.formats.has("compact-summary");
  const stats = settings.statCount > 0 ? all.slice(0, settings.statCount) : all;
  const names = stats.map(({ pair }) => nameOf(repository, pair, settings) + (compact ? compactNote(pair) : ""));
  let widestName = 0;
  let most = 0;
  let numberWidth = 0;
  let binaryWidth = 0;
  stats.forEach((stat, index) => {
    widestName = Math.max(widestName, textWidth(toWord(names[index] as string)));
    if (stat.pair.status === "U" || stat.isDenied === true) binaryWidth = Math.max(binaryWidth, 8);
    else if (stat.isBinary) {
      binaryWidth = Math.max(binaryWidth, 14 + String(stat.added).length + String(stat.removed).length);
      numberWidth = 3;
    } else most = Math.max(most, stat.added + stat.removed);
  });
  numberWidth = Math.max(numberWidth, String(most).length);
  const width = Math.max(settings.statWidth, 16 + 6 + numberWidth);
  const widestGraph = settings.statGraphWidth > 0 ? settings.statGraphWidth : Infinity;
  let graphWidth = Math.min(most + 4 > binaryWidth ? most : binaryWidth - 4, widestGraph);
  let nameWidth = settings.statNameWidth > 0 && settings.statNameWidth < widestName ? settings.statNameWidth : widestName;
  if (nameWidth + numberWidth + 6 + graphWidth > width) {
    const share = Math.trunc((width * 3) / 8) - numberWidth - 6;
    if (graphWidth > share) graphWidth = Math.min(Math.max(6, share), widestGraph);
    if (nameWidth > width - numberWidth - 6 - graphWidth) nameWidth = width - numberWidth - 6 - graphWidth;
    else graphWidth = width - numberWidth - 6 - nameWidth;
  }
  stats.forEach((stat, index) => {
    const name = fitted(names[index] as string, nameWidth);
    if (stat.pair.status === "U") return print(` ${name} | ${"Unmerged".padStart(numberWidth)}`);
    if (stat.isDenied === true) return print(` ${name} | Not shown\n`);
    const shown = (text: string, as: "removed" | "added"): string => (settings.isColoured && text !== "" ? painted(text, as) : text);
    if (stat.isBinary) {
      const [from, to] = [shown(String(stat.removed), "removed"), shown(String(stat.added), "added")];
      const same = stat.added === 0 && stat.removed === 0;
      return print(` ${name} | ${"Bin".padStart(numberWidth)}${same ? "" : ` ${from} -> ${to} bytes`}\n`);
    }
    const total = stat.added + stat.removed;
    const [plus, minus] = graphOf(stat, graphWidth, most);
    print(
      ` ${name} | ${String(total).padStart(numberWidth)}${total > 0 ? " " : ""}${shown("+".repeat(plus), "added")}${shown("-".repeat(minus), "removed")}\n`,
    );
  });
  if (stats.length < all.length) print(" ...\n");
  printShortStat(all, print);
}

function graphOf({ added, removed }: FileStat, width: number, most: number): readonly [number, number] {
  if (width > most) return [added, removed];
  const scaled = (count: number): number => (count === 0 ? 0 : 1 + Math.trunc((count * (width - 1)) / most));
  const total = added > 0 && removed > 0 ? Math.max(2, scaled(added + removed)) : scaled(added + removed);
  if (added < removed) {
    const plus = scaled(added);
    return [plus, total - plus];
  }
  const minus = scaled(removed);
  return [total - minus, minus];
}

/** A name in its column; of a long one the end, from a slash on where there is one. */
function fitted(name: string, width: number): string {
  const wide = textWidth(toWord(name));
  if (wide <= width) return name + " ".repeat(width - wide);
  const most = Math.max(0, width - 3);
  let kept = toWord(name);
  while (textWidth(kept) > most) kept = kept.slice(1);
  const slash = kept.indexOf("/");
  if (slash > 0) kept = kept.slice(slash);
  return `...${fromWord(kept)}${" ".repeat(Math.max(0, most - textWidth(kept)))}`;
}

function compactNote({ status, old, now }: FilePair): string {
  const isMoved = old.path !== now.path;
  if (status === "A" && !isMoved) return now.mode === MODE.executable ? " (new +x)" : now.mode === MODE.link ? " (new +l)" : " (new)";
  if (status === "D" && !isMoved) return " (gone)";
  if ((old.mode === MODE.link) !== (now.mode === MODE.link)) return now.mode === MODE.link ? " (mode +l)" : " (mode -l)";
  if (old.mode === MODE.file && now.mode === MODE.executable) return " (mode +x)";
  return old.mode === MODE.executable && now.mode === MODE.file ? " (mode -x)" : "";
}

export function printShortStat(all: readonly FileStat[], print: Print): void {
  const stats = all.filter(({ pair }) => pair.status !== "U");
  if (all.length === 0) return;
  let added = 0;
  let removed = 0;
  for (const stat of stats) {
    if (stat.isBinary) continue;
    added += stat.added;
    removed += stat.removed;
  }
  if (stats.length === 0) return print(" 0 files changed\n");
  let line = ` ${stats.length} file${stats.length === 1 ? "" : "s"} changed`;
  if (added > 0 || removed === 0) line += `, ${added} insertion${added === 1 ? "" : "s"}(+)`;
  if (removed > 0 || added === 0) line += `, ${removed} deletion${removed === 1 ? "" : "s"}(-)`;
  print(`${line}\n`);
}

export function printNumStat(repository: Repository, stats: readonly FileStat[], settings: DiffSettings, print: Print): void {
  for (const { pair, added, removed, isBinary: binary, isDenied } of stats) {
    const counts = isDenied === true ? "?\t?\t" : binary ? "-\t-\t" : `${added}\t${removed}\t`;
    if (settings.endsInNull)
      print(
        `${counts}${pair.old.path !== pair.now.path ? `\0${shownPath(pair.old.path, settings)}\0` : ""}${shownPath(pair.now.path, settings)}\0`,
      );
    else print(`${counts}${nameOf(repository, pair, settings)}\n`);
  }
}
