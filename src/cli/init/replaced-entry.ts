/** The entry that init found in a client's file and changed, told from one that init itself had written. */
import { isDeepStrictEqual } from "node:util";
import { containerRunOf } from "./container-run.ts";
import { optionsBeside, rootIn, serverOptions, startedEntry, type EntryShape, type StartedEntry } from "./entry.ts";
import { isAnotherRoot, type Place } from "./place.ts";

interface Origin {
  readonly shape: EntryShape;
  /** Keys that init gives a new entry besides. */
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly place: Place;
}

/**
 * True where init has made the entry `held` of `earlier`: they differ in the program, the root and added mounts alone. Of an entry that
 * init may itself have written only one for another project counts.
 */
export function isMadeOf(earlier: unknown, held: unknown, { shape, fixed, place }: Origin): boolean {
  const before = startedEntry(earlier, shape);
  const now = startedEntry(held, shape);
  if (before === undefined || now === undefined) return false;
  // What init makes of a container's options is not told from what they were.
  if ([before, now].some(({ words }) => containerRunOf(words) !== undefined)) return false;
  const { PATH: _path, ...variables } = now.env;
  const { PATH: _own, ...variablesBefore } = before.env;
  const mounts = mountsOf(now);
  const isSame =
    isDeepStrictEqual(variables, variablesBefore) &&
    isDeepStrictEqual(othersOf(earlier, shape), othersOf(held, shape)) &&
    isDeepStrictEqual(optionsOf(before), optionsOf(now)) &&
    mountsOf(before).every((word) => mounts.includes(word));
  if (!isSame) return false;
  const isOwn = optionsOf(before).length === 0 && isDeepStrictEqual(othersOf(earlier, shape), fixed) && startsThis(before);
  const root = rootIn(before.words);
  return !isOwn || (root !== undefined && isAnotherRoot(root, place));
}

/** True for an entry that has nothing but what init gives a new one, on the host or in a container. */
export function isOwnEntry(entry: StartedEntry | undefined): boolean {
  if (entry === undefined) return false;
  const isPlain = optionsOf(entry).length === 0 && Object.keys(entry.env).every((name) => name === "PATH");
  return (isPlain && startsThis(entry)) || containerRunOf(entry.words) !== undefined;
}

/** The options of the server but its root and its mounts. */
const optionsOf = (entry: StartedEntry): readonly string[] => optionsBeside(serverOptions(entry.words), mountsOf(entry));

function mountsOf({ words }: StartedEntry): readonly string[] {
  return words.flatMap((word, at) => {
    if (word === "--mount" || word === "--also-read") return words.slice(at, at + 2);
    return /^--(?:mount|also-read)=/.test(word) ? [word] : [];
  });
}

/** The entry without its command line and variables. */
function othersOf(entry: unknown, shape: EntryShape): Readonly<Record<string, unknown>> {
  const own: readonly string[] = Object.values(shape);
  return Object.fromEntries(Object.entries(entry as object).filter(([key]) => !own.includes(key)));
}

const startsThis = ({ words }: StartedEntry): boolean => words.some((word) => /(?:^|[\\/])shelpa-mcp(?:\.js|\.cmd)?$/.test(word));
