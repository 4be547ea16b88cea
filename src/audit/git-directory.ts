/**
 * Directories that git would take for a repository, whatever their name (git's setup.c, is_git_directory): a HEAD that
 * names a reference or a commit beside objects and refs, or beside commondir, which says where those are. Its files decide
 * which commands the next `git status` there runs (core.fsmonitor, hooks), so nothing is written in such a directory, and
 * nothing that would make a directory one.
 */
import { FileError } from "../workspace/file-error.ts";
import type { FileStatus } from "../workspace/file-status.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import { foldedName } from "./protected-paths.ts";

export interface GitDirectory {
  /** Canonical. */
  readonly path: string;
  /** "inside": the directory is a repository, and the file would be in it. "completes": the file would make it one. */
  readonly how: "inside" | "completes";
}

/**
 * The directory above the canonical path `canonical` that is a git directory, or would be one once it and `alongside` (canonical
 * paths that are written with it) are there; undefined where there is none. Changes nothing. Throws FileError.
 */
export function gitDirectoryOf(writer: WorkspaceWriter, canonical: string, alongside: readonly string[] = []): GitDirectory | undefined {
  const names = canonical.split("/");
  const written = [canonical, ...alongside].map((path) => path.split("/"));
  let here: WritableDirectory | undefined = writer.root();
  try {
    for (let depth = 0; depth < names.length; depth++) {
      const path = names.slice(0, depth).join("/");
      if (here !== undefined && isGitDirectory(here)) return { path, how: "inside" };
      if (completes(here, names.slice(0, depth), written)) return { path, how: "completes" };
      const next: WritableDirectory | undefined = here && directoryIn(here, names[depth] as string);
      here?.close();
      here = next;
    }
    return undefined;
  } finally {
    here?.close();
  }
}

/** Throws FileError PROTECTED_PATH, which names `typed`, where `gitDirectoryOf` finds one. */
export function checkGitDirectory(writer: WorkspaceWriter, canonical: string, typed: string, alongside: readonly string[] = []): void {
  const found = gitDirectoryOf(writer, canonical, alongside);
  if (found !== undefined) throw new FileError("PROTECTED_PATH", typed, gitDirectoryRefusal(found));
}

/** Throws as `checkGitDirectory` for one of `targets`. `written`: canonical paths that are made together. */
export function checkGitDirectories(
  writer: WorkspaceWriter,
  targets: readonly { readonly canonical: string; readonly typed: string }[],
  written: readonly string[],
): void {
  // Only these names can make a repository of a directory, and there may be thousands of others.
  const parts = written.filter((path) => path.split("/").some((name) => PARTS.has(foldedName(name))));
  const seen = new Set<string>();
  for (const { canonical, typed } of targets) {
    const slash = canonical.lastIndexOf("/");
    const isPart = PARTS.has(foldedName(canonical.slice(slash + 1)));
    const directory = canonical.slice(0, Math.max(0, slash));
    if (!isPart && seen.has(directory)) continue;
    seen.add(directory);
    checkGitDirectory(writer, canonical, typed, parts);
  }
}

/** Reason of the refusal, as a clause after the path's name in a message. */
export function gitDirectoryRefusal({ path, how }: GitDirectory): string {
  const directory = path === "" ? "the directory it is in" : `'${path}'`;
  return how === "inside"
    ? `Protected path: git takes ${directory} for a repository, whose settings and hooks run commands`
    : `Protected path: with it, git would take ${directory} for a repository, whose settings and hooks run commands`;
}

function isGitDirectory(directory: WritableDirectory): boolean {
  if (!isHead(directory, "HEAD")) return false;
  if (directory.status("commondir") !== undefined) return true;
  return ["objects", "refs"].every((name) => isSearchable(directory.status(name)));
}

/** True if git takes `name` for the HEAD of a repository (validate_headref), or if it cannot be read. */
function isHead(directory: WritableDirectory, name: string): boolean {
  try {
    const kind = directory.status(name)?.kind;
    if (kind === "symlink") return directory.linkTarget(name)?.startsWith("refs/") === true;
    const file = kind === "file" ? directory.open(name) : undefined;
    if (file === undefined) return false;
    try {
      return HEAD_TEXT.test(file.bytes(0, MOST_HEAD_BYTES).toString("latin1"));
    } finally {
      file.close();
    }
  } catch (thrown) {
    if (thrown instanceof FileError) return true;
    throw thrown;
  }
}

/** Bytes that git reads of a HEAD. */
const MOST_HEAD_BYTES = 255;
/** Of a commit's 40 or 64 digits the first 40 suffice: git ignores the text after them. */
const HEAD_TEXT = /^(?:ref:[ \t\n\r]*refs\/|[0-9a-f]{40})/i;

/** True if access(2) with X_OK could succeed, which is git's only test: most plain files fail it. */
const isSearchable = (status: FileStatus | undefined): boolean =>
  status !== undefined && (status.kind === "directory" || status.kind === "symlink" || (status.permissions & 0o111) !== 0);

/** True if `parts`, folded names in a directory, make it a repository. */
const isRepository = (parts: ReadonlySet<string>): boolean =>
  parts.has("head") && (parts.has("commondir") || (parts.has("objects") && parts.has("refs")));

const PARTS: ReadonlySet<string> = new Set(["head", "commondir", "objects", "refs"]);

/**
 * True if the paths in `written` make the directory `here`, whose components are `above`, a git directory. A HEAD among
 * them counts whatever it says now: the write decides its content.
 */
function completes(here: WritableDirectory | undefined, above: readonly string[], written: readonly (readonly string[])[]): boolean {
  const parts = new Set<string>();
  for (const path of written) {
    const part = foldedName(path[above.length] ?? "");
    if (PARTS.has(part) && above.every((name, index) => path[index] === name)) parts.add(part);
  }
  if (parts.size === 0) return false;
  for (const name of here?.names() ?? []) {
    const part = foldedName(name);
    if (part !== "head" || (here !== undefined && isHead(here, name))) parts.add(part);
  }
  return isRepository(parts);
}

/** The directory `name` in `above`; undefined where there is none, or where the name is a file or a link. */
function directoryIn(above: WritableDirectory, name: string): WritableDirectory | undefined {
  try {
    return above.directory(name);
  } catch (thrown) {
    if (thrown instanceof FileError && (thrown.code === "ENOTDIR" || thrown.code === "ELOOP")) return undefined;
    throw thrown;
  }
}
