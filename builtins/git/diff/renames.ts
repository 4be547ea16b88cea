/**
 * Rename detection as git does it: the same content first, then names that are alike in their last part, then the most
 * similar of all pairs. Similarity is how many bytes of short pieces (a line, 64 bytes at most) both files have.
 */
import { compareBytes } from "../objects/byte-text.ts";
import { isRegular } from "../objects/objects.ts";
import type { FilePair, Side } from "./file-pairs.ts";

/** A score of this much is the same content. */
export const MOST_SCORE = 60_000;
export const HALF = 30_000;

export interface RenameOptions {
  /** Id of a content that is joined to none: that of empty files (--no-rename-empty). */
  readonly unjoinedId?: string | undefined;
  readonly minimumScore: number;
  /** Past this many sources times destinations, squared, only exact renames are sought. */
  readonly limit: number;
  /** Told of the limit that would do, or 0 where it did. */
  readonly noteLimit?: (needed: number) => void;
  /** Undefined for a file that is like no other, because it may not be read. */
  readonly content: (side: Side) => Buffer | undefined;
  /** Sources of copies besides those of renames: files that changed, or all there were. */
  readonly copySources?: readonly Side[] | undefined;
}

interface Found {
  readonly source: number;
  readonly score: number;
}

/** The pairs with deleted and added files joined to renames. */
export function withRenames(pairs: readonly FilePair[], options: RenameOptions): FilePair[] {
  const { copySources, unjoinedId } = options;
  const mayJoin = ({ id }: Side): boolean => id !== unjoinedId;
  const deleted = pairs.filter(({ status, old }) => status === "D" && mayJoin(old)).map(({ old }) => old);
  const targets = pairs.filter(({ status, now }) => status === "A" && mayJoin(now)).map(({ now }) => now);
  // Among sources that are as like, the order of all paths decides.
  const ordered = [
    ...deleted.map((side) => ({ side, isGone: true })),
    ...(copySources ?? []).filter(mayJoin).map((side) => ({ side, isGone: false })),
  ].sort((a, b) => compareBytes(a.side.path, b.side.path));
  const sources = ordered.map(({ side }) => side);
  const isBroken = pairs.some((pair) => pair.isBroken === true);
  if (sources.length === 0 || targets.length === 0) return isBroken ? rejoined(pairs) : [...pairs];
  // What is still there counts as used: it can be copied and not renamed. So does what was taken apart for too little.
  const stays = new Set(pairs.flatMap(({ isBroken: half, score, old }) => (half === true && score === 0 ? [old.path] : [])));
  const used: number[] = ordered.map(({ side, isGone }) => (isGone && !stays.has(side.path) ? 0 : 1));
  const found = new Array<Found | undefined>(targets.length).fill(undefined);
  const join = (target: number, source: number, score: number): void => {
    found[target] = { source, score };
    used[source] = (used[source] ?? 0) + 1;
  };
  const copies = copySources !== undefined;
  findExact(sources, targets, used, copies, join);
  if (options.minimumScore < MOST_SCORE) {
    const similarity = similarityOf(options);
    if (!copies && !isBroken) findByName(sources, targets, used, found, options.minimumScore, similarity, join);
    findSimilar(sources, targets, used, found, options, isBroken, similarity, join);
  }
  const joined = new Map(found.flatMap((entry, index) => (entry === undefined ? [] : [[(targets[index] as Side).path, entry] as const])));
  return rejoined(
    pairs,
    joined,
    ordered.map(({ side, isGone }) => (isGone ? side : undefined)),
    used,
    sources,
  );
}

/** Pairs without their halves that both survived; those are one again. */
export function rejoined(
  pairs: readonly FilePair[],
  joined: ReadonlyMap<string, Found> = new Map(),
  /** Those of the sources that are gone, each in its place. */
  renamed: readonly (Side | undefined)[] = [],
  used: number[] = [],
  sources: readonly Side[] = [],
): FilePair[] {
  const moved = new Set(renamed.flatMap((side, index) => (side !== undefined && used[index] !== 0 ? [side.path] : [])));
  const comes = new Map(pairs.flatMap((pair) => (pair.isBroken === true && pair.status === "A" ? [[pair.now.path, pair] as const] : [])));
  // First, for a file that is whole again stays where it was, and what comes from it is a copy.
  renamed.forEach((side, index) => {
    const path = side?.path;
    if (path !== undefined && comes.has(path) && !joined.has(path)) used[index] = (used[index] ?? 0) + 1;
  });
  return pairs.flatMap((pair): FilePair[] => {
    const half = pair.isBroken === true;
    const { path } = pair.now;
    if (half && !joined.has(path)) {
      const now = comes.get(path)?.now;
      if (pair.status === "A" || now === undefined) return [];
      return [{ status: sameKind(pair.old, now) ? "M" : "T", old: pair.old, now, score: pair.score }];
    }
    if (pair.status === "D" && (half || moved.has(pair.old.path))) return [];
    const entry = pair.status === "A" ? joined.get(path) : undefined;
    if (entry === undefined) return [pair];
    const source = sources[entry.source] as Side;
    if (source.path === path) return [{ status: "M", old: source, now: pair.now, score: pair.score }];
    // Of several that come from one file, the last is the rename.
    const left = (used[entry.source] ?? 0) - 1;
    used[entry.source] = left;
    return [{ status: left > 0 ? "C" : "R", old: source, now: pair.now, score: entry.score }];
  });
}

const sameKind = (a: Side, b: Side): boolean => (a.mode & 0o170000) === (b.mode & 0o170000);

const lastPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function findExact(
  sources: readonly Side[],
  targets: readonly Side[],
  used: readonly number[],
  copies: boolean,
  join: (target: number, source: number, score: number) => void,
): void {
  const byId = new Map<string, number[]>();
  sources.forEach(({ id, isWorking }, index) => {
    if (isWorking === true && /^0+$/.test(id)) return;
    const same = byId.get(id);
    if (same === undefined) byId.set(id, [index]);
    else same.push(index);
  });
  targets.forEach((target, index) => {
    let best = -1;
    let bestScore = -1;
    for (const source of byId.get(target.id) ?? []) {
      if (used[source] !== 0 && !copies) continue;
      const { mode, path } = sources[source] as Side;
      if ((!isRegular(mode) || !isRegular(target.mode)) && mode !== target.mode) continue;
      const score = (used[source] === 0 ? 1 : 0) + (lastPart(path) === lastPart(target.path) ? 1 : 0);
      if (score <= bestScore) continue;
      bestScore = score;
      best = source;
      if (score === 2) break;
    }
    if (best >= 0) join(index, best, MOST_SCORE);
  });
}

type Similarity = (source: Side, target: Side, least: number) => number;

/** A last part that one source and one target alone have joins them where they are alike enough. */
function findByName(
  sources: readonly Side[],
  targets: readonly Side[],
  used: readonly number[],
  found: readonly (Found | undefined)[],
  minimumScore: number,
  similarity: Similarity,
  join: (target: number, source: number, score: number) => void,
): void {
  const least = minimumScore + Math.trunc(0.5 * (MOST_SCORE - minimumScore));
  const only = (sides: readonly Side[], isTaken: (index: number) => boolean): Map<string, number> => {
    const names = new Map<string, number>();
    sides.forEach(({ path }, index) => {
      if (!isTaken(index)) names.set(lastPart(path), names.has(lastPart(path)) ? -1 : index);
    });
    return names;
  };
  const sourceNames = only(sources, (index) => used[index] !== 0);
  const targetNames = only(targets, (index) => found[index] !== undefined);
  sources.forEach((source, index) => {
    const name = lastPart(source.path);
    const target = targetNames.get(name) ?? -1;
    if (used[index] !== 0 || sourceNames.get(name) !== index || target < 0) return;
    const score = similarity(source, targets[target] as Side, least);
    if (score >= least) join(target, index, score);
  });
}

/** Sources that are kept for each target. */
const CANDIDATES = 4;

interface Candidate {
  readonly target: number;
  readonly source: number;
  readonly score: number;
  readonly sameName: number;
}

const better = (a: Candidate, b: Candidate): number => b.score - a.score || b.sameName - a.sameName;

function findSimilar(
  sources: readonly Side[],
  targets: readonly Side[],
  used: readonly number[],
  found: readonly (Found | undefined)[],
  { minimumScore, limit, noteLimit, copySources }: RenameOptions,
  keepsAll: boolean,
  similarity: Similarity,
  join: (target: number, source: number, score: number) => void,
): void {
  const openSources = sources.map((_, index) => index).filter((index) => copySources !== undefined || keepsAll || used[index] === 0);
  const openTargets = targets.map((_, index) => index).filter((index) => found[index] === undefined);
  if (openSources.length === 0 || openTargets.length === 0) return;
  const isTooMany = limit > 0 && openSources.length * openTargets.length > limit * limit;
  noteLimit?.(isTooMany ? Math.max(openSources.length, openTargets.length) : 0);
  if (isTooMany) return;
  const all: Candidate[] = [];
  for (const target of openTargets) {
    const kept: (Candidate | undefined)[] = new Array<undefined>(CANDIDATES).fill(undefined);
    for (const source of openSources) {
      const [from, to] = [sources[source] as Side, targets[target] as Side];
      const score = similarity(from, to, minimumScore);
      const candidate = { target, source, score, sameName: lastPart(from.path) === lastPart(to.path) ? 1 : 0 };
      let worst = 0;
      for (let at = 1; at < CANDIDATES; at++) if (order(kept[at], kept[worst]) > 0) worst = at;
      if (order(kept[worst], candidate) > 0) kept[worst] = candidate;
    }
    for (const candidate of kept) if (candidate !== undefined) all.push(candidate);
  }
  all.sort(better);
  for (const { target, source, score } of all) {
    if (score < minimumScore) break;
    if (found[target] === undefined && used[source] === 0) join(target, source, score);
  }
  if (copySources === undefined) return;
  for (const { target, source, score } of all) {
    if (score < minimumScore) break;
    if (found[target] === undefined) join(target, source, score);
  }
}

/** Empty places come last. */
function order(a: Candidate | undefined, b: Candidate | undefined): number {
  if (a === undefined) return b === undefined ? 0 : 1;
  return b === undefined ? -1 : better(a, b);
}

function similarityOf({ content }: RenameOptions): Similarity {
  const pieces = new Map<string, { readonly size: number; readonly counts: ReadonlyMap<number, number> }>();
  const piecesOf = (side: Side): { readonly size: number; readonly counts: ReadonlyMap<number, number> } => {
    const key = `${side.isWorking === true} ${side.id} ${side.path}`;
    let known = pieces.get(key);
    if (known === undefined) {
      const bytes = content(side);
      known = bytes === undefined ? { size: 0, counts: new Map() } : { size: bytes.length, counts: pieceCounts(bytes) };
      if (pieces.size > 2000) pieces.clear();
      pieces.set(key, known);
    }
    return known;
  };
  return (source, target, least) => {
    if (!isRegular(source.mode) || !isRegular(target.mode)) return 0;
    const [a, b] = [piecesOf(source), piecesOf(target)];
    const most = Math.max(a.size, b.size);
    if (a.size === 0 || b.size === 0) return 0;
    if (most * (MOST_SCORE - least) < (most - Math.min(a.size, b.size)) * MOST_SCORE) return 0;
    let copied = 0;
    for (const [hash, count] of a.counts) copied += Math.min(count, b.counts.get(hash) ?? 0);
    return Math.trunc((copied * MOST_SCORE) / most);
  };
}

/** Counts the bytes of `a` that are in `b` too (`copied`), and the bytes of `b` that are not in `a` (`added`). */
export function countChanges(a: Buffer, b: Buffer): { readonly copied: number; readonly added: number } {
  const [before, after] = [pieceCounts(a), pieceCounts(b)];
  let copied = 0;
  let added = 0;
  for (const [hash, count] of after) {
    const same = Math.min(count, before.get(hash) ?? 0);
    copied += same;
    added += count - same;
  }
  return { copied, added };
}

/** A file with a NUL byte in its first 8000 bytes is binary. */
export const isBinary = (bytes: Uint8Array): boolean => {
  const at = bytes.indexOf(0);
  return at >= 0 && at < 8000;
};

/** Bytes by the hash of the piece they are in. Two 32-bit registers, turned by seven bits for each byte. */
function pieceCounts(bytes: Buffer): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const isText = !isBinary(bytes);
  let low = 0;
  let high = 0;
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (isText && byte === 13 && bytes[at + 1] === 10) continue;
    const before = low;
    low = ((low << 7) ^ (high >>> 25)) >>> 0;
    high = ((high << 7) ^ (before >>> 25)) >>> 0;
    low = (low + byte) >>> 0;
    if (++length < 64 && byte !== 10) continue;
    const hash = ((low + Math.imul(high, 0x61)) >>> 0) % 107_927;
    counts.set(hash, (counts.get(hash) ?? 0) + length);
    length = 0;
    low = 0;
    high = 0;
  }
  return counts;
}
