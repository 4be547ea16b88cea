/** A pair as a patch: git's own header, then hunks as in unified diff. */
import { lineEnd, lineText, type LineText } from "../../src/compare/line-text.ts";
import type { Change } from "../../src/compare/changes.ts";
import { quotedName } from "./byte-text.ts";
import { contentOf } from "./contents.ts";
import type { DiffSettings } from "./diff-options.ts";
import { NO_ID, type FilePair } from "./file-pairs.ts";
import { lineChanges } from "./line-changes.ts";
import { isSubmodule, modeText } from "./objects.ts";
import { isBinary, MOST_SCORE } from "./renames.ts";
import type { Repository } from "./repository.ts";
import { objectId } from "./contents.ts";

/** What a command prints to. */
export type Print = (text: string) => void;

export function printPatch(repository: Repository, pair: FilePair, settings: DiffSettings, print: Print): void {
  if (pair.status === "U") {
    print(`* Unmerged path ${quotedName(shown(pair.now.path, settings), repository.quotesAll)}\n`);
    return;
  }
  if (pair.status === "T" && pair.old.mode !== 0 && pair.now.mode !== 0) {
    // A file that becomes a link is said as a deletion and a creation.
    printPatch(repository, { ...pair, status: "D", now: { path: pair.now.path, mode: 0, id: NO_ID } }, settings, print);
    printPatch(repository, { ...pair, status: "A", old: { path: pair.old.path, mode: 0, id: NO_ID } }, settings, print);
    return;
  }
  const { old, now } = pair;
  const quote = (name: string): string => quotedName(name, repository.quotesAll);
  const oldName = shown(old.path, settings);
  const newName = shown(now.path, settings);
  const oldLabel = quote(settings.oldPrefix + oldName);
  const newLabel = quote(settings.newPrefix + newName);
  let header = `diff --git ${oldLabel} ${newLabel}\n`;
  if (old.mode === 0) header += `new file mode ${modeText(now.mode)}\n`;
  else if (now.mode === 0) header += `deleted file mode ${modeText(old.mode)}\n`;
  else if (old.mode !== now.mode) header += `old mode ${modeText(old.mode)}\nnew mode ${modeText(now.mode)}\n`;
  let mustShow = old.mode !== now.mode || old.mode === 0 || now.mode === 0;
  if (pair.status === "R") {
    header += `similarity index ${Math.trunc((pair.score * 100) / MOST_SCORE)}%\nrename from ${quote(oldName)}\nrename to ${quote(newName)}\n`;
    mustShow = true;
  }
  const a = contentOf(repository, old);
  const b = contentOf(repository, now);
  const isSame = old.mode !== 0 && now.mode !== 0 && (a.equals(b) || (old.id === now.id && old.id !== NO_ID));
  const ids = (): string => {
    const short = (id: string): string =>
      settings.fullIndex
        ? id
        : id === NO_ID
          ? NO_ID.slice(0, settings.abbreviation ?? repository.abbreviation)
          : repository.short(id, settings.abbreviation);
    const [from, to] = [short(old.id), short(idOf(pair, b))];
    return `index ${from}..${to}${old.mode === now.mode ? ` ${modeText(old.mode)}` : ""}\n`;
  };
  if (isSame) {
    if (mustShow) print(header);
    return;
  }
  const fullHeader = header + ids();
  const oldFile = old.mode === 0 ? "/dev/null" : label(oldLabel);
  const newFile = now.mode === 0 ? "/dev/null" : label(newLabel);
  if (!settings.text && (isBinary(a) || isBinary(b))) {
    print(`${fullHeader}Binary files ${old.mode === 0 ? "/dev/null" : oldLabel} and ${now.mode === 0 ? "/dev/null" : newLabel} differ\n`);
    return;
  }
  const [oldText, newText] = [lineText(a), lineText(b)];
  const changes = lineChanges(oldText, newText, settings.changes);
  if (changes.length === 0) {
    if (mustShow) print(fullHeader);
    return;
  }
  print(`${fullHeader}--- ${oldFile}\n+++ ${newFile}\n`);
  printHunks(oldText, newText, changes, settings.context, print);
}

/** Labels with white space in them end in a tab, so that patch(1) finds their end. */
const label = (name: string): string => (name.includes(" ") && !name.startsWith('"') ? `${name}\t` : name);

const shown = (path: string, { relativeTo }: DiffSettings): string =>
  relativeTo !== undefined && path.startsWith(relativeTo) ? path.slice(relativeTo.length) : path;

/** Files of the working tree have an id that is asked for only here. */
function idOf({ now }: FilePair, content: Buffer): string {
  if (now.isWorking !== true || now.id !== NO_ID || now.mode === 0) return now.id;
  return isSubmodule(now.mode) ? now.id : objectIdOf(content);
}

const objectIdOf = (content: Buffer): string => objectId("blob", content);

export function printHunks(old: LineText, now: LineText, changes: readonly Change[], context: number, print: Print): void {
  let searched = 0;
  let functionLine = "";
  for (let first = 0; first < changes.length; ) {
    let last = first;
    for (; last + 1 < changes.length; last++) {
      const change = changes[last] as Change;
      if ((changes[last + 1] as Change).oldFrom - (change.oldFrom + change.removed) > 2 * context) break;
    }
    const [begin, end] = [changes[first] as Change, changes[last] as Change];
    const oldFrom = Math.max(0, begin.oldFrom - context);
    const newFrom = Math.max(0, begin.newFrom - context);
    const oldTo = Math.min(old.lineCount, end.oldFrom + end.removed + context);
    const newTo = Math.min(now.lineCount, end.newFrom + end.added + context);
    for (let at = oldFrom - 1; at >= searched; at--) {
      const found = functionText(old, at);
      if (found === undefined) continue;
      functionLine = found;
      break;
    }
    searched = Math.max(searched, oldFrom);
    print(`@@ -${span(oldFrom, oldTo)} +${span(newFrom, newTo)} @@${functionLine === "" ? "" : ` ${functionLine}`}\n`);
    let at = oldFrom;
    for (let index = first; index <= last; index++) {
      const { oldFrom: from, removed, newFrom: to, added } = changes[index] as Change;
      for (; at < from; at++) print(` ${lineOf(old, at)}`);
      for (; at < from + removed; at++) print(`-${lineOf(old, at)}`);
      for (let line = to; line < to + added; line++) print(`+${lineOf(now, line)}`);
    }
    for (; at < oldTo; at++) print(` ${lineOf(old, at)}`);
    first = last + 1;
  }
}

function span(from: number, to: number): string {
  const count = to - from;
  return count === 1 ? String(from + 1) : `${count === 0 ? from : from + 1},${count}`;
}

function lineOf(text: LineText, line: number): string {
  const end = text.starts[line + 1] as number;
  const content = text.bytes.toString("latin1", text.starts[line] as number, end);
  return text.bytes[end - 1] === 10 ? content : `${content}\n\\ No newline at end of file\n`;
}

/** A line that begins like a function does: with a letter, `_` or `$`. Up to 80 bytes of it. */
function functionText(text: LineText, line: number): string | undefined {
  const start = text.starts[line] as number;
  const byte = text.bytes[start] ?? 0;
  if (!((byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) || byte === 95 || byte === 36)) return undefined;
  const found = text.bytes.toString("latin1", start, Math.min(lineEnd(text, line), start + 80));
  return found.replace(/[\t-\r ]+$/, "");
}
