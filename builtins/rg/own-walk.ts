/**
 * Our own walk to the files below a directory that ripgrep searches: its ignore files, -g, --hidden and the like (crates/ignore).
 */
import { isAbsolutePath } from "../../src/glob/absolute-path.ts";
import { GlobError } from "../../src/glob/byte-glob-parser.ts";
import { FileTree, type TreeOptions } from "../../src/walk/file-tree.ts";
import type { TreeFile } from "../../src/walk/tree-file.ts";
import { overrideRules } from "../../src/glob/ignore-rules.ts";
import { ignoreScope, type IgnoreOptions } from "../../src/walk/ignore-scope.ts";
import type { Files, MayHold } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { type TypeChoice, typeFilter } from "./file-types.ts";
import type { ListingFlag } from "./own-options.ts";

type Key = ListingFlag["key"];

export type Found =
  | { readonly what: "file"; readonly file: TreeFile; readonly path: string }
  /** `isSerial`: ripgrep would walk in one thread, and says the same in other words. */
  | { readonly what: "error"; readonly path: string; readonly error: FileError; readonly isSerial: boolean }
  | { readonly what: "loop"; readonly path: string; readonly ancestor: string };

/**
 * Walks from `start`; undefined is the current directory, whose `./` is not shown. `use`: what of the files is asked for,
 * and what those must hold that are worth it.
 */
export type OwnWalk = (start: string | undefined, use: "content" | "names", mayHold?: MayHold) => Generator<Found, void>;

/** Undefined where the flags ask for what only the module knows: types of the line's own, sizes, other orders. */
export function ownWalk(files: Files, listing: readonly ListingFlag[], starts: readonly string[]): OwnWalk | undefined {
  const options = optionsOf(listing, starts);
  if (options === undefined) return undefined;
  const { tree, ignore } = options;
  const isSerial = tree.order === "name" || listing.findLast((given) => given.key === "threads")?.value === "1";
  return function* (start, use, mayHold) {
    const from = start ?? ".";
    const walk = new FileTree(files, from, {
      ...tree,
      filter: ignoreScope(files, from, ignore),
      ahead: use === "content" ? { content: () => true, mayHold } : {},
    });
    const shown = (path: string): string => (start === undefined && path.startsWith("./") ? path.slice(2) : path);
    try {
      for (let step = walk.next(); step !== undefined; step = walk.next()) {
        if (step.what === "loop") yield { what: "loop", path: step.path, ancestor: step.ancestor };
        else if (step.what === "error") yield { what: "error", path: step.path, error: step.error, isSerial };
        else if (step.file.kind === "symlink" && tree.follow === "always")
          yield { what: "error", path: step.file.path, error: new FileError("ENOENT", step.file.path), isSerial };
        else if (step.file.kind === "file") yield { what: "file", file: step.file, path: shown(step.file.path) };
      }
    } finally {
      walk.close();
    }
  };
}

function optionsOf(
  listing: readonly ListingFlag[],
  starts: readonly string[],
): { readonly tree: TreeOptions; readonly ignore: IgnoreOptions } | undefined {
  const last = (on: Key, off: Key): boolean => listing.findLast(({ key }) => key === on || key === off)?.key === on;
  const has = (key: Key): boolean => listing.some((occurrence) => occurrence.key === key);
  if ((["iglob", "globCaseInsensitive", "typeAdd", "typeClear", "maxFilesize", "sortr", "ignoreFile"] as const).some(has)) return undefined;
  const globs = listing.flatMap(({ key, value }) => (key === "glob" ? [value] : []));
  // Globs are relative to the current directory, which an absolute path must be measured by.
  if (globs.length > 0 && starts.some((start) => isAbsolutePath(start))) return undefined;
  const sort = listing.findLast((given) => given.key === "sort" || given.key === "sortFiles");
  const order =
    sort === undefined || sort.value === "none" ? "last-first" : sort.value === true || sort.value === "path" ? "name" : undefined;
  const depth = listing.findLast((given) => given.key === "maxDepth")?.value ?? "999999999";
  const overrides = overridesOf(globs);
  const types = typeFilter(typeChoices(listing));
  if (types === undefined || order === undefined || !/^\d{1,9}$/.test(depth) || overrides === "unusable") return undefined;
  const unrestricted = listing.filter(({ key }) => key === "unrestricted").length;
  const noIgnore = has("noIgnore") || unrestricted > 0;
  const usesGit = !noIgnore && !has("noIgnoreVcs");
  const usesDot = !noIgnore && !has("noIgnoreDot");
  return {
    tree: {
      follow: last("follow", "noFollow") ? "always" : "starting-points",
      contentsFirst: false,
      maxDepth: Number(depth),
      oneDevice: has("oneFileSystem"),
      order,
    },
    ignore: {
      foldCase: has("ignoreFileCaseInsensitive"),
      skipHidden: !last("hidden", "noHidden") && unrestricted < 2,
      custom: usesDot ? ".rgignore" : undefined,
      dotIgnore: usesDot,
      gitIgnore: usesGit,
      gitExclude: usesGit && !has("noIgnoreExclude"),
      parents: !noIgnore && !has("noIgnoreParent"),
      requireGit: !has("noRequireGit"),
      overrides: overrides && { rules: overrides, relativeTo: "." },
      types: types === "any" ? undefined : types,
    },
  };
}

const typeChoices = (listing: readonly ListingFlag[]): readonly TypeChoice[] =>
  listing.flatMap((given) =>
    given.key === "type" || given.key === "typeNot" ? [{ name: given.value, isWanted: given.key === "type" }] : [],
  );

/** Tells whether ripgrep has a type of each name that is given. */
export const knowsTypes = (listing: readonly ListingFlag[]): boolean =>
  listing.some(({ key }) => key === "typeAdd") || typeFilter(typeChoices(listing)) !== undefined;

function overridesOf(globs: readonly string[]): ReturnType<typeof overrideRules> | "unusable" {
  try {
    return overrideRules(globs);
  } catch (thrown) {
    if (thrown instanceof GlobError) return "unusable";
    throw thrown;
  }
}
