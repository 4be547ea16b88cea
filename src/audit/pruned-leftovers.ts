/**
 * Files that a prune leaves without a record, listed in the store before the journal is replaced, so that the next writer removes
 * them if the prune was killed. Anybody may have written such a list: only mirrors and kept links that no line of the journal names
 * are removed, below `.shelpa` alone.
 */
import { FileError } from "../workspace/file-error.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import { hasContent, isFilePath } from "./journal-lines.ts";
import { directoryOf, nameOf } from "./paths.ts";
import type { PrunePlan } from "./prune-plan.ts";
import { OUR_NAME } from "./random-name.ts";
import { isMirrorOf } from "./record-paths.ts";
import { storedLines } from "./stored-journal.ts";
import { RECORD_DIRECTORY } from "../workspace/write/mirror-path.ts";

const NAME = "pruned.json";
const PERMISSIONS = 0o600;
/** A mirror takes some hundred bytes. A repository may bring a list, whose names are looked for before the first write. */
const MOST_BYTES = 8 << 20;

interface Leftovers {
  readonly mirrors: readonly { readonly path: string; readonly mirror: string }[];
  readonly links: readonly string[];
}

/** Lists what the plan removes. The list is on disk afterwards. */
export function noteLeftovers(stored: WritableDirectory, { mirrors, links }: PrunePlan): void {
  const list: Leftovers = {
    mirrors: mirrors.flatMap(({ path, mirror, from }) => (from === undefined ? [{ path, mirror }] : [])),
    links,
  };
  const bytes = Buffer.from(JSON.stringify(list));
  if (bytes.length > MOST_BYTES) throw new FileError("EFBIG", NAME, "too many files at once: prune in parts, older records first");
  stored.remove(NAME);
  const file = stored.create(NAME, PERMISSIONS, { durable: true });
  if (file === undefined) throw new FileError("ESTALE", NAME);
  try {
    file.write(bytes);
  } finally {
    file.close();
  }
  stored.sync();
}

/** Removes what is listed and no longer named by a line. The caller holds the lock. Cheap where there is no list. */
export function finishPrune(writer: WorkspaceWriter, stored: WritableDirectory): void {
  if (stored.status(NAME)?.kind !== "file") return;
  const { mirrors, links } = listed(stored);
  const named = new Set<string>();
  for (const line of storedLines(writer)) {
    const record = line.kind === "kept" ? line.record : line;
    if (record.kind !== "preimage" && record.kind !== "intent") continue;
    if (record.kind === "preimage" || hasContent(record)) named.add(record.mirror);
    if (record.kind === "intent") named.add(record.backup);
  }
  for (const { path, mirror } of mirrors)
    if (isFilePath(path) && isMirrorOf(mirror, path) && !named.has(mirror)) removeMirror(writer, mirror);
  for (const link of links) {
    if (OUR_NAME.test(link) && !named.has(link) && stored.status(link)?.kind === "symlink") stored.remove(link);
  }
  stored.remove(NAME);
}

function listed(stored: WritableDirectory): Leftovers {
  const file = stored.open(NAME);
  const none: Leftovers = { mirrors: [], links: [] };
  if (file === undefined) return none;
  try {
    const value = JSON.parse(file.size > MOST_BYTES ? "{}" : file.bytes(0, file.size).toString("utf8")) as Partial<Leftovers> | null;
    if (!Array.isArray(value?.mirrors) || !Array.isArray(value.links)) return none;
    const mirrors = (value.mirrors as Partial<Leftovers["mirrors"][number]>[]).flatMap((each) =>
      typeof each?.path === "string" && typeof each.mirror === "string" ? [{ path: each.path, mirror: each.mirror }] : [],
    );
    return { mirrors, links: (value.links as unknown[]).filter((link) => typeof link === "string") };
  } catch (thrown) {
    // A prune that was killed while it wrote the list has removed nothing.
    if (thrown instanceof SyntaxError) return none;
    throw thrown;
  } finally {
    file.close();
  }
}

/** Errors of names that are no mirrors of ours, in a list that somebody else has made. */
const NO_MIRRORS: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "EINVAL", "ELOOP", "SYMLINK_ESCAPE"]);

/** Removes the mirror, and the directories above it that are empty then. */
function removeMirror(writer: WorkspaceWriter, mirror: string): void {
  for (let path = mirror; path !== RECORD_DIRECTORY; path = directoryOf(path)) {
    try {
      const directory = writer.directory(directoryOf(path));
      try {
        if (path === mirror) directory.remove(nameOf(path));
        else directory.removeEmptyDirectory(nameOf(path));
      } finally {
        directory.close();
      }
    } catch (thrown) {
      if (!(thrown instanceof FileError && NO_MIRRORS.has(thrown.code))) throw thrown;
    }
  }
}
