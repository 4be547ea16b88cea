/** A pair as a patch: git's own header, then hunks as in unified diff. */
import { lineText } from "../../../src/compare/line-text.ts";
import type { LoadRequest } from "../commands/command.ts";
import { quotedName } from "../objects/byte-text.ts";
import { contentOf, isDirty, skipsPair } from "../objects/contents.ts";
import { notColoured, paintedLines } from "./colours.ts";
import { hasFormat, STAT_FORMATS, type DiffSettings } from "./diff-options.ts";
import { printBinaryPatch } from "./binary-patch.ts";
import { idText, isRewritten, NO_ID, type FilePair, type Side } from "./file-pairs.ts";
import { GitError } from "../git-error.ts";
import { hunksOf, markedChanges, printHunks, printRewrite } from "./hunks.ts";
import { isSubmodule, modeText } from "../objects/objects.ts";
import { MOST_SCORE } from "./renames.ts";
import { shownPath } from "./shown-path.ts";
import type { Repository } from "../repository.ts";
import { driverOfSide, isBinarySide } from "./userdiff.ts";
import { printWordHunks } from "./word-diff.ts";

/** Output function of a command. */
export type Print = (text: string) => void;

/** The patch of a pair as text, in which a binary file is only said to differ. */
export function patchText(repository: Repository, pair: FilePair, settings: DiffSettings): string {
  let text = "";
  const steps = printPatch(repository, pair, { ...settings, binary: false }, (part) => void (text += part));
  while (steps.next().done !== true);
  return text;
}

/** Returns true if it printed more than a header. Yields within what is long to make. */
export function* printPatch(
  repository: Repository,
  pair: FilePair,
  settings: DiffSettings,
  print: Print,
): Generator<void | LoadRequest, boolean> {
  if (pair.status === "U") {
    print(`* Unmerged path ${quotedName(shownPath(pair.now.path, settings), repository.quotesAll)}\n`);
    return false;
  }
  if (pair.status === "T" && pair.old.mode !== 0 && pair.now.mode !== 0) {
    let printsLines = false;
    for (const half of halvesOf(pair)) printsLines = (yield* printPatch(repository, half, settings, print)) || printsLines;
    return printsLines;
  }
  const { old, now } = pair;
  const quote = (name: string): string => quotedName(name, repository.quotesAll);
  const oldName = shownPath(old.path, settings);
  const newName = shownPath(now.path, settings);
  // A side without a file is named as the other one; no label has two slashes.
  const labelled = (name: string): string => name.replace(/^\//, "");
  const oldLabel = quote(settings.oldPrefix + labelled(old.mode === 0 ? newName : oldName));
  const newLabel = quote(settings.newPrefix + labelled(now.mode === 0 ? oldName : newName));
  const painted = settings.isColoured ? paintedLines : (text: string): string => text;
  let header = `diff --git ${oldLabel} ${newLabel}\n`;
  if (old.mode === 0) header += `new file mode ${modeText(now.mode)}\n`;
  else if (now.mode === 0) header += `deleted file mode ${modeText(old.mode)}\n`;
  else if (old.mode !== now.mode) header += `old mode ${modeText(old.mode)}\nnew mode ${modeText(now.mode)}\n`;
  let mustShow = old.mode !== now.mode || old.mode === 0 || now.mode === 0;
  if (pair.status === "R" || pair.status === "C") {
    const word = pair.status === "R" ? "rename" : "copy";
    header += `similarity index ${Math.trunc((pair.score * 100) / MOST_SCORE)}%\n${word} from ${quote(oldName)}\n${word} to ${quote(newName)}\n`;
    mustShow = true;
  }
  if (isRewritten(pair)) {
    header += `dissimilarity index ${Math.trunc((pair.score * 100) / MOST_SCORE)}%\n`;
    mustShow = true;
  }
  if (old.mode !== 0 && now.mode !== 0 && old.id === now.id && old.id !== NO_ID && !isDirty(old) && !isDirty(now)) {
    if (mustShow) print(painted(header));
    return false;
  }
  if (skipsPair(repository, old, now)) {
    const index = [old.id, now.id].map((id) => idText(repository, id, settings.fullIndex, id === NO_ID ? 7 : undefined));
    const same = old.mode === now.mode ? ` ${modeText(old.mode)}` : "";
    print(painted(`${header}index ${index.join("..")}${same}\n`));
    print(`Not shown: ${repository.denied.why(old.path) ?? repository.denied.why(now.path) ?? ""}\n`);
    return true;
  }
  const a = contentOf(repository, old);
  const b = contentOf(repository, now);
  const isSame = old.mode !== 0 && now.mode !== 0 && a.equals(b);
  const ids = (isWhole: boolean): string => {
    const short = (id: string): string => idText(repository, id, isWhole, settings.abbreviation);
    const [oldId, newId] = [idOf(repository, old, a), idOf(repository, now, b)];
    if (oldId === newId) return "";
    const [from, to] = [short(oldId), short(newId)];
    return `index ${from}..${to}${old.mode === now.mode ? ` ${modeText(old.mode)}` : ""}\n`;
  };
  if (isSame) {
    if (mustShow) print(painted(header + ids(settings.fullIndex)));
    return false;
  }
  const [oldDriver, newDriver] = [driverOfSide(repository, old), driverOfSide(repository, now)];
  const isBinaryPair = isBinarySide(repository, old, a) || isBinarySide(repository, now, b);
  const fullHeader = painted(header + ids(settings.fullIndex || (settings.binary && isBinaryPair)));
  if (settings.hidesDeleted && now.mode === 0) {
    print(fullHeader);
    return false;
  }
  const named = (mark: string, name: string): string => painted(`${mark} ${label(name)}`).replace(/\t([^\t]*)$/, "$1\t");
  const oldLine = named("---", old.mode === 0 ? "/dev/null" : oldLabel);
  const newLine = named("+++", now.mode === 0 ? "/dev/null" : newLabel);
  if (!settings.text && isBinaryPair) {
    if (settings.formats.has("patch") && settings.binary) {
      yield* printBinaryPatch(repository, { header: fullHeader, name: quote(newName), old: a, now: b }, print);
      return true;
    }
    print(`${fullHeader}Binary files ${old.mode === 0 ? "/dev/null" : oldLabel} and ${now.mode === 0 ? "/dev/null" : newLabel} differ\n`);
    // Git has let go of the bytes by then, where it has counted them.
    return !hasFormat(settings, STAT_FORMATS);
  }
  // Git prints a word up to its first NUL.
  if (settings.words !== undefined && (a.includes(0) || b.includes(0)))
    throw new GitError(`${quote(newName)} has NUL in it, and its words are not compared here`);
  const [oldText, newText] = [lineText(a), lineText(b)];
  if (isRewritten(pair)) {
    // Turned round (-R), git's labels of such a file are not.
    const labels = settings.reverses ? [newLabel, oldLabel] : [oldLabel, newLabel];
    if (settings.isColoured) throw notColoured("--color-words", "what was written anew is");
    print(`${fullHeader}--- ${label(labels[0] ?? "")}\n+++ ${label(labels[1] ?? "")}\n`);
    printRewrite(oldText, newText, settings, print);
    return true;
  }
  const changes = markedChanges(oldText, newText, settings);
  const hunks = hunksOf(oldText, newText, changes, { ...settings, functionLine: (old.mode === 0 ? newDriver : oldDriver).functionLine });
  if (hunks.length === 0) {
    if (mustShow) print(fullHeader);
    return false;
  }
  print(`${fullHeader}${oldLine}\n${newLine}\n`);
  if (settings.words !== undefined) {
    const { style, typedPattern, usualPattern } = settings.words;
    const pattern = typedPattern ?? oldDriver.wordPattern() ?? newDriver.wordPattern() ?? usualPattern;
    printWordHunks(oldText, newText, hunks, { ...settings, style, pattern }, print);
  } else printHunks(oldText, newText, hunks, settings.marks, print);
  return true;
}

/** A file that becomes a link, or a submodule, is said as a deletion and a creation. */
export function halvesOf(pair: FilePair): readonly FilePair[] {
  if (pair.status !== "T" || pair.old.mode === 0 || pair.now.mode === 0) return [pair];
  return [
    { ...pair, status: "D", now: { path: pair.now.path, mode: 0, id: NO_ID } },
    { ...pair, status: "A", old: { path: pair.old.path, mode: 0, id: NO_ID } },
  ];
}

/** Labels with white space in them end in a tab, so that patch(1) finds their end. */
const label = (name: string): string => (name.includes(" ") ? `${name}\t` : name);

/** Files of the working tree have an id that is asked for only here. */
function idOf({ format }: Repository, { id, mode, isWorking }: Side, content: Buffer): string {
  if (isWorking !== true || id !== NO_ID || mode === 0) return id;
  return isSubmodule(mode) ? id : format.idOf("blob", content);
}
