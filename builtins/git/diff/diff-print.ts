/** Pairs, filtered and joined as the settings say, in every format that was asked for. */
import { PatternError } from "../../../src/regex/pattern-error.ts";
import { compilePosix, type LineMatcher } from "../../../src/regex/posix-matcher.ts";
import type { LoadRequest } from "../commands/command.ts";
import { bytesOf, fromWord, quotedName, toWord } from "../objects/byte-text.ts";
import { ByteCache } from "../objects/byte-cache.ts";
import { contentOf, contentToCompare, isDenied, skipsPair } from "../objects/contents.ts";
import { Options } from "../commands/options.ts";
import { diffSettings, hasFormat, STAT_FORMATS, type DiffSettings } from "./diff-options.ts";
import { contentDamage, lineDamage, printDirectoryStat } from "./directory-stat.ts";
import { printNumStat, printShortStat, printStat, renamedName, statOf, isNothing } from "./diff-stat.ts";
import { byPath, idText, NO_ID, type FilePair, type Side } from "./file-pairs.ts";
import { GitError } from "../git-error.ts";
import { isSubmodule, modeText } from "../objects/objects.ts";
import { halvesOf, printPatch, type Print } from "./patch.ts";
import { MOST_SCORE, rejoined, withRenames } from "./renames.ts";
import { shownPath } from "./shown-path.ts";
import type { Repository } from "../repository.ts";
import { resolveRevision } from "../refs/revision.ts";
import { brokenPairs } from "./rewrites.ts";
import { isBinarySide } from "./userdiff.ts";
import { isShownInside, printSubmodule } from "./submodule-diff.ts";
import { printWhiteSpaceErrors } from "./white-space.ts";

/** The pairs that are printed: with renames, without those that a filter or a pickaxe leaves out. */
export function shownPairs(
  repository: Repository,
  found: readonly FilePair[],
  settings: DiffSettings,
  /** Every file there was, as if it were new: what copies are looked for in with --find-copies-harder. */
  allOld?: () => readonly FilePair[],
): FilePair[] {
  return chosenPairs(repository, asAsked(found, settings), settings, allOld).sort(byPath);
}

/** The pairs that are looked at, as they are turned: below --relative, without ignored submodules, and the other way round with -R. */
export function asAsked(found: readonly FilePair[], { relativeTo, submodules, reverses }: DiffSettings): FilePair[] {
  let pairs = [...found];
  if (relativeTo !== undefined) pairs = pairs.filter(({ now }) => now.path.startsWith(relativeTo));
  if (submodules.ignore === "all")
    pairs = pairs.filter(
      ({ old, now }) => !isSubmodule(old.mode === 0 ? now.mode : old.mode) || (now.mode !== 0 && !isSubmodule(now.mode)),
    );
  return reverses ? pairs.map(reversed) : pairs;
}

/** The same of pairs that are in order already, and are not turned round. */
export function chosenPairs(
  repository: Repository,
  found: readonly FilePair[],
  settings: DiffSettings,
  allOld?: () => readonly FilePair[],
): FilePair[] {
  let pairs = [...found];
  if (settings.breaks !== undefined) pairs = brokenPairs(pairs, settings.breaks, (side) => contentToCompare(repository, side));
  // Where renames are looked for, the contents of files that came or went are known.
  if (settings.renames && pairs.some(({ status }) => status === "D") && pairs.some(({ status }) => status === "A"))
    pairs = pairs.map((pair) => {
      if (pair.status === "A") return { ...pair, now: withId(repository, pair.now) };
      return pair.status === "D" ? { ...pair, old: withId(repository, pair.old) } : pair;
    });
  if (!settings.renames) pairs = rejoined(pairs);
  else
    pairs = withRenames(pairs, {
      minimumScore: settings.minimumScore,
      unjoinedId: settings.joinsEmpty ? undefined : repository.format.emptyBlob,
      limit: settings.renameLimit,
      noteLimit: (needed) => {
        // With -C -C git goes on with the files that changed, if these are few enough.
        if (needed > 0 && settings.copies === "all")
          throw new GitError(`-C -C: so many files are not compared here\nhint: git diff -C -C -l ${needed} HEAD~1 HEAD`);
        repository.renameLimitNeeded = Math.max(needed, repository.renameLimitNeeded);
      },
      content: (side) => contentToCompare(repository, side),
      copySources: copySources(pairs, settings, allOld),
    });
  // Texts that were compared for likeness are made again, with the commit.
  if (settings.copies !== "no" || pairs.some(({ status, score }) => status === "D" || (status === "R" && score < MOST_SCORE)))
    pairs = pairs.map((pair) => ({ ...pair, old: withOwnText(pair.old), now: withOwnText(pair.now) }));
  if (settings.findObject !== undefined) {
    const wanted = resolveRevision(repository, fromWord(settings.findObject));
    if (wanted === undefined) throw new GitError(`unable to resolve '${settings.findObject}'`, { prefix: "error: ", exit: 129 });
    if (repository.objects.find(wanted)?.type === "tree")
      throw new GitError("--find-object looks for files and submodules alone here\nhint: git log --oneline -- DIRECTORY");
    pairs = pairs.filter(({ old, now }) => old.id === wanted || now.id === wanted);
  }
  if (settings.pickaxe !== undefined) {
    const wanted = settings.pickaxe;
    const holds = repository.once(wanted, () => pickaxe(repository, wanted, settings.text));
    const found = pairs.filter((pair) => !skipsPair(repository, pair.old, pair.now) && holds(pair));
    pairs = settings.pickaxeAll && found.length > 0 ? pairs : found;
  }
  if (settings.filter !== "") pairs = filtered(pairs, settings.filter);
  return pairs;
}

function copySources(
  pairs: readonly FilePair[],
  { copies }: DiffSettings,
  allOld: (() => readonly FilePair[]) | undefined,
): readonly Side[] | undefined {
  if (copies === "no") return undefined;
  const changed = pairs.filter(({ status }) => status === "M" || status === "T").map(({ old }) => old);
  if (copies === "changed" || pairs.every(({ status }) => status !== "A")) return changed;
  if (allOld === undefined) throw new GitError("-C -C: files that did not change are looked for between two commits alone here");
  const deleted = new Set(pairs.filter(({ status }) => status === "D").map(({ old }) => old.path));
  return allOld().flatMap(({ now }) => (deleted.has(now.path) ? [] : [now]));
}

const withOwnText = (side: Side): Side => (side.textId === undefined ? side : { ...side, textId: undefined });

function withId(repository: Repository, side: Side): Side {
  const { format } = repository;
  // git has no id of it yet when it first makes its text, and keeps both.
  const textId = format.noId;
  if (side.rawId !== undefined) return { ...side, rawId: format.idOf("blob", bytesOf(`Subproject commit ${textId}\n`)), textId };
  return side.isWorking === true && side.id === NO_ID && side.mode !== 0 && !isDenied(repository, side)
    ? { ...side, id: format.idOf("blob", contentOf(repository, side)) }
    : side;
}

function reversed(pair: FilePair): FilePair {
  if (pair.status === "U") return pair;
  const status = pair.status === "A" ? "D" : pair.status === "D" ? "A" : pair.status;
  return { ...pair, status, old: pair.now, now: pair.old };
}

function filtered(pairs: FilePair[], filter: string): FilePair[] {
  const found = pairs.filter(({ status, score }) => filter.includes(status === "M" && score > 0 ? "B" : status));
  return filter.includes("*") && found.length > 0 ? pairs : found;
}

type Pickaxe = NonNullable<DiffSettings["pickaxe"]>;

/** Tells whether a pair's change is what -S or -G looks for. Throws GitError. */
function pickaxe(repository: Repository, wanted: Pickaxe, isText: boolean): (pair: FilePair) => boolean {
  if (wanted.kind === "S" && wanted.text === "") throw new GitError("-S requires a non-empty argument");
  if (wanted.kind === "S") {
    const count = countsOf(repository, wanted);
    return ({ old, now, status }) => status !== "U" && count(old) !== count(now);
  }
  const isFound = changesLine(wanted);
  // Lines are those of texts.
  const isPassed = (side: Side, content: Buffer): boolean => !isText && isBinarySide(repository, side, content);
  return ({ old, now, status }) => {
    if (status === "U") return false;
    const [before, after] = [contentOf(repository, old), contentOf(repository, now)];
    return !isPassed(old, before) && !isPassed(now, after) && isFound(before, after);
  };
}

type SideTest = (old: Buffer, now: Buffer) => boolean;

/** Bytes of the counts of one search that are kept, and of one of them. */
const MOST_COUNT_BYTES = 4 << 20;
const COUNT_BYTES = 128;

/** How often the text of -S stands in a side. Each content of a history is a new one once and an old one once: it is counted once. */
function countsOf(repository: Repository, wanted: Pickaxe): (side: Side) => number {
  const count = counter(wanted);
  const known = new ByteCache<string, number>(MOST_COUNT_BYTES);
  return (side) => {
    const isObject = side.mode !== 0 && side.id !== NO_ID && side.read === undefined && side.isWorking !== true && !isSubmodule(side.mode);
    if (!isObject) return count(contentOf(repository, side));
    let times = known.get(side.id);
    if (times === undefined) {
      times = repository.lookAtBlob(side.id, side.path, count);
      known.set(side.id, times, COUNT_BYTES);
    }
    return times;
  };
}

function counter({ text, isRegex, foldCase }: Pickaxe): (bytes: Buffer) => number {
  if (!isRegex && !foldCase) {
    const wanted = Buffer.from(text, "latin1");
    return (bytes) => {
      let times = 0;
      for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + wanted.length)) times++;
      return times;
    };
  }
  const matcher = pickaxePattern(text, { syntax: isRegex ? "extended" : "fixed", foldCase });
  return (bytes) => {
    let times = 0;
    for (let from = 0; from < bytes.length; ) {
      const newline = bytes.indexOf(10, from);
      const end = newline < 0 ? bytes.length : newline;
      const matches = matcher.matchesIn(bytes, from, end);
      for (let at = from; at <= end && matches.find(at); times++) at = Math.max(matches.end, matches.start + 1);
      from = end + 1;
    }
    return times;
  };
}

/** -G: a line that was added or removed matches. */
function changesLine({ text, foldCase }: Pickaxe): SideTest {
  const matcher = pickaxePattern(text, { syntax: "extended", foldCase });
  const lines = (bytes: Buffer): string[] => bytes.toString("latin1").split("\n");
  return (old, now) => {
    const counts = new Map<string, number>();
    for (const line of lines(old)) counts.set(line, (counts.get(line) ?? 0) - 1);
    for (const line of lines(now)) counts.set(line, (counts.get(line) ?? 0) + 1);
    for (const [line, count] of counts) {
      if (count === 0) continue;
      const bytes = Buffer.from(line, "latin1");
      if (matcher.test(bytes, 0, bytes.length)) return true;
    }
    return false;
  };
}

function pickaxePattern(text: string, options: { readonly syntax: "extended" | "fixed"; readonly foldCase: boolean }): LineMatcher {
  try {
    return compilePosix([toWord(text)], options);
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    throw new GitError(`invalid regex: ${thrown.message}`);
  }
}

/** Prints `pairs`, unless --quiet was given. Returns the exit status: 1 if they differ and --exit-code or --quiet asks for it. */
export function* answeredPairs(
  repository: Repository,
  pairs: readonly FilePair[],
  settings: DiffSettings,
  print: Print,
): Generator<void | LoadRequest, number> {
  const { quiet, exitCode } = settings;
  let hasErrors = false;
  const watched: Print = (text) => {
    hasErrors ||= settings.checks;
    print(text);
  };
  const differs = yield* printPairs(repository, pairs, quiet ? { ...settings, formats: NO_FORMATS, checks: false } : settings, watched);
  return ((quiet || exitCode) && differs ? 1 : 0) | (hasErrors ? 2 : 0);
}

const NO_FORMATS: DiffSettings["formats"] = new Set();

/**
 * Tells whether lines are what counts for --exit-code: some differences are none. Then git looks at what a patch shows, and where
 * nothing at all is shown at what it would show.
 */
const countsLines = ({ changes, ignoredLines }: DiffSettings): boolean =>
  changes.rule.whiteSpace.kind !== "exact" || ignoredLines.length > 0;

/** Prints `pairs`, which `shownPairs` gave. Returns true if they differ, as --exit-code counts it. Yields whenever a pair is done, so that a long diff can be left early. */
export function* printPairs(
  repository: Repository,
  pairs: readonly FilePair[],
  settings: DiffSettings,
  print: Print,
): Generator<void | LoadRequest, boolean> {
  if (pairs.length === 0) return false;
  const { formats } = settings;
  const differs = !countsLines(settings);
  if (formats.size === 0 && !settings.checks && !differs) {
    for (const pair of pairs) if (yield* printWhole(repository, pair, settings, () => undefined)) return true;
    return false;
  }
  const quote = (name: string): string => (settings.endsInNull ? cut(name) : quotedName(cut(name), repository.quotesAll));
  const cut = (path: string): string => shownPath(path, settings);
  const [tab, end] = settings.endsInNull ? ["\0", "\0"] : ["\t", "\n"];
  const isMoved = ({ status }: FilePair): boolean => status === "R" || status === "C";
  const letter = (pair: FilePair): string => {
    const { status, score } = pair;
    return isMoved(pair) || score > 0 ? `${status}${String(Math.trunc((score * 100) / MOST_SCORE)).padStart(3, "0")}` : status;
  };
  let isFirst = true;
  if (formats.has("raw") || formats.has("name-status") || formats.has("name-only")) {
    for (const pair of pairs) {
      const { old, now } = pair;
      const names = isMoved(pair) ? `${quote(old.path)}${tab}${quote(now.path)}` : quote(old.mode === 0 ? now.path : old.path);
      if (formats.has("raw")) {
        const isWhole = settings.rawIsWhole === true;
        const short = (id: string): string => idText(repository, id, isWhole, settings.abbreviation);
        print(
          `:${modeText(old.mode)} ${modeText(now.mode)} ${short(old.rawId ?? old.id)} ${short(now.rawId ?? now.id)} ${letter(pair)}${tab}${names}${end}`,
        );
      } else if (formats.has("name-status")) print(`${letter(pair)}${tab}${names}${end}`);
      else print(`${quote(now.path)}${end}`);
    }
    isFirst = false;
  }
  const directories = formats.has("dirstat") ? settings.directories : undefined;
  const damageIsLines = directories?.by === "lines";
  if (damageIsLines || hasFormat(settings, STAT_FORMATS)) {
    const stats = [];
    for (const pair of pairs) {
      const stat = statOf(repository, pair, settings);
      if (!isNothing(stat)) stats.push(stat);
      yield;
    }
    if (formats.has("numstat")) printNumStat(repository, stats, settings, print);
    if (formats.has("stat") || formats.has("compact-summary")) printStat(repository, stats, settings, print);
    if (formats.has("shortstat")) printShortStat(stats, print);
    if (damageIsLines) printDirectoryStat(lineDamage(stats, settings), directories, print);
    isFirst = false;
  }
  if (directories !== undefined && !damageIsLines) printDirectoryStat(contentDamage(repository, pairs, directories), directories, print);
  if (formats.has("summary")) {
    for (const pair of pairs)
      printSummary(repository, pair, (text) => {
        isFirst = false;
        print(text);
      });
  }
  if (settings.checks) {
    for (const pair of pairs) if (!skipsPair(repository, pair.old, pair.now)) printWhiteSpaceErrors(repository, pair, settings, print);
    return differs;
  }
  if (!formats.has("patch")) return differs;
  if (!isFirst) print(end);
  let showsLines = false;
  for (const pair of pairs) {
    showsLines = (yield* printWhole(repository, pair, settings, print)) || showsLines;
    yield;
  }
  return differs || showsLines;
}

/** A pair as a patch, a submodule as the settings have it. Returns true if it printed lines that count for --exit-code. */
/** A pair as a patch, of a submodule as the settings say. Returns true if it printed more than a header. */
function* printWhole(repository: Repository, pair: FilePair, settings: DiffSettings, print: Print): Generator<void | LoadRequest, boolean> {
  if (settings.submodules.format === "short") return yield* printPatch(repository, pair, settings, print);
  let showsLines = false;
  for (const half of halvesOf(pair)) {
    if (!isShownInside(half, settings)) showsLines = (yield* printPatch(repository, half, settings, print)) || showsLines;
    else
      yield* printSubmodule(repository, half, settings, print, function* (inner, pairs, prefixes) {
        const usual = diffSettings(new Options<never>([], [], undefined).among(), inner.config, "");
        const own: DiffSettings = {
          ...usual,
          formats: new Set(["patch"]),
          oldPrefix: prefixes.old,
          newPrefix: prefixes.now,
          submodules: { ...usual.submodules, format: "diff" },
        };
        for (const each of shownPairs(inner, pairs, own)) yield* printWhole(inner, each, own, print);
      });
  }
  return showsLines;
}

function printSummary(repository: Repository, { status, old, now, score }: FilePair, print: Print): void {
  const quote = (name: string): string => quotedName(name, repository.quotesAll);
  if (status === "A") print(` create mode ${modeText(now.mode)} ${quote(now.path)}\n`);
  else if (status === "D") print(` delete mode ${modeText(old.mode)} ${quote(old.path)}\n`);
  else if (status === "R" || status === "C") {
    print(
      ` ${status === "R" ? "rename" : "copy"} ${renamedName(old.path, now.path, repository.quotesAll)} (${Math.trunc((score * 100) / MOST_SCORE)}%)\n`,
    );
    if (old.mode !== now.mode) print(` mode change ${modeText(old.mode)} => ${modeText(now.mode)}\n`);
  } else {
    if (score > 0) print(` rewrite ${quote(now.path)} (${Math.trunc((score * 100) / MOST_SCORE)}%)\n`);
    const name = score > 0 ? "" : ` ${quote(now.path)}`;
    if (old.mode !== now.mode && status !== "U") print(` mode change ${modeText(old.mode)} => ${modeText(now.mode)}${name}\n`);
  }
}
