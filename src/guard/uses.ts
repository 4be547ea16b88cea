/** Files that a stage would read and write, as far as they are known before it runs: expanded, and looked up. */
import { isAbsolutePath } from "../glob/absolute-path.ts";
import { isExpanded, type Span, type Word } from "../shell/tree.ts";
import type { PathChange } from "../builtin/path-change.ts";
import { changedEntries, joined, namesNoFile } from "./paths.ts";
import type { GuardContext, PathUse, StageFacts } from "./rule.ts";

/** Paths are relative to the root; the root itself is ".". */
export interface StageUses {
  /** Files whose content is read, and directories that are gone through. */
  readonly reads: readonly string[];
  /** Files and directories that are listed, or asked about. */
  readonly lists: readonly string[];
  readonly writes: readonly WriteUse[];
  /** Files of the session's scratch that are written. */
  readonly scratch: readonly string[];
  /** Words, as typed, that name files only when the stage starts. */
  readonly unknown: readonly string[];
  /** True if it writes files that are not among `writes`, because data names them. */
  readonly writesUnknown: boolean;
  /** True if it removes such files. */
  readonly removesUnknown: boolean;
}

export interface WriteUse {
  /** Canonical where the workspace was looked at. */
  readonly path: string;
  readonly change: "create" | "append" | "replace" | "remove" | "attributes";
  readonly span: Span;
}

/** Most paths of one stage that are looked up; the others are reported as unknown. */
const MOST_PATHS = 1000;

export function usesOf(stage: StageFacts, context: GuardContext): StageUses {
  const reads = new Set<string>();
  const lists = new Set<string>();
  const writes = new Map<string, WriteUse>();
  const scratch = new Set<string>();
  const unknown = new Set<string>();
  let writesUnknown = stage.unnamed.includes("write");
  let removesUnknown = stage.unnamed.includes("remove");
  for (const use of stage.paths) {
    if (namesNoFile(use)) continue;
    const found = pathsOf(use, stage, context);
    if (found === undefined || reads.size + lists.size + writes.size + found.length > MOST_PATHS) {
      unknown.add(stage.line.slice(use.span.start, use.span.end));
      writesUnknown ||= use.access === "write";
      removesUnknown ||= use.change === "remove";
      continue;
    }
    for (const { directory, path } of found) {
      const fromRoot = joined(directory, path, context);
      if (use.access === "write" && fromRoot?.startsWith("/") === true && context.mountOf?.(fromRoot) === context.scratch) {
        scratch.add(fromRoot);
      } else if (use.access === "write") {
        for (const write of writesOf(use, directory, path, fromRoot, context)) writes.set(write.path, write);
      } else if (fromRoot !== undefined) {
        (use.access === "read" ? reads : lists).add(fromRoot === "" ? "." : fromRoot);
      }
    }
  }
  return {
    reads: [...reads],
    lists: [...lists],
    writes: [...writes.values()],
    scratch: [...scratch],
    unknown: [...unknown],
    writesUnknown,
    removesUnknown,
  };
}

interface FoundPath {
  readonly directory: string;
  readonly path: string;
}

/** Each path that `use` stands for, from each directory that the stage may start in; undefined where that is not known. */
function pathsOf({ path, word }: PathUse, { directories }: StageFacts, context: GuardContext): readonly FoundPath[] | undefined {
  if (word !== undefined && isExpanded(word)) return undefined;
  const from = isAbsolutePath(path) ? [""] : directories;
  if (from === undefined) return undefined;
  return from.flatMap((directory) => expanded(path, word, directory, context).map((each) => ({ directory, path: each })));
}

function expanded(path: string, word: Word | undefined, directory: string, { look }: GuardContext): readonly string[] {
  if (look === undefined || word?.parts.some(({ kind }) => kind === "glob") !== true) return [path];
  return look.expand(word, directory);
}

/** The writes that a path use would make. */
function writesOf(use: PathUse, directory: string, path: string, fromRoot: string | undefined, context: GuardContext): readonly WriteUse[] {
  const { change } = use;
  if (change === undefined) {
    const write = writeOf(use, directory, path, fromRoot, context);
    return write === undefined ? [] : [write];
  }
  return changedEntries({ ...use, path }, directory, context).flatMap((each): WriteUse[] => {
    const found = context.look?.entry(each, directory);
    const kind = found === undefined ? "there" : found.kind;
    const at = found === undefined ? joined(directory, each, context) : "path" in found ? found.path : undefined;
    if (at === undefined || kind === "outside" || kind === "unwritable") return [];
    const made = changeOf(change, kind);
    return made === undefined ? [] : [{ path: at, change: made, span: use.span }];
  });
}

/** The change of an entry that is there, or is new; undefined where nothing would be changed. */
function changeOf(change: PathChange, kind: "there" | "new"): WriteUse["change"] | undefined {
  if (kind === "new") return change === "remove" ? undefined : "create";
  if (change === "make") return undefined;
  return change === "put" ? "replace" : change;
}

/** The write that a path use would make; undefined where it would write no file. */
function writeOf(
  { span, appends = false }: PathUse,
  directory: string,
  path: string,
  fromRoot: string | undefined,
  { look }: GuardContext,
): WriteUse | undefined {
  const target = look?.target(path, directory);
  // Without a look the file is taken to be there: that is the worse.
  if (target === undefined) return fromRoot === undefined ? undefined : { path: fromRoot, change: appends ? "append" : "replace", span };
  if (target.kind === "outside" || target.kind === "unwritable") return undefined;
  return { path: target.path, change: target.kind === "new" ? "create" : appends ? "append" : "replace", span };
}
