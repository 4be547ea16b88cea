/** One name whose recorded changes are to be taken back: as it was, as it is, as they left it, and the change that leads back. */
import type { NameState, UndoneName } from "../builtin/undo-access.ts";
import { FileError } from "../workspace/file-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { DesiredEntry, GivenContent, SetAttributes } from "./desired-entry.ts";
import { digestOf, entryAt, inDirectoryOf, isSameDigest, leafBytes, type FoundEntry } from "./entry-state.ts";
import { hasContent, type Digest, type EntryState } from "./journal-lines.ts";
import { DamagedMirror, versionsOfAll, type FileVersion } from "./mirror.ts";
import { pathIn } from "./paths.ts";
import { elsewhereNow, NotRestorable, startOf } from "./restore.ts";
import type { WriteRecord } from "./write-records.ts";

/** The records of one name that are taken back, oldest first. */
export type NameRecords = readonly [WriteRecord, ...WriteRecord[]];

export interface PlannedName extends UndoneName {
  /** The entry as it is. */
  readonly found: FoundEntry | undefined;
  /** The state that leads back; computed when asked, because it may need bytes that are not to be had. */
  readonly desired: () => DesiredEntry;
}

/** The plan for each name, in the order given; `latest`: the last record of each name, taken back or not. Throws FileError. */
export function planNames(
  workspace: Workspace,
  names: ReadonlyMap<string, NameRecords>,
  latest: ReadonlyMap<string, WriteRecord> = new Map(),
): readonly PlannedName[] {
  const versions = versionsOfAll(workspace.writer(), new Set(names.keys()));
  const planned = new Map<string, PlannedName>();
  // What is in a directory first: whether that can go depends on it.
  const inwards = [...names].sort(([a], [b]) => depth(b) - depth(a));
  for (const [path, records] of inwards) {
    planned.set(
      path,
      new NamePlan(workspace, path, records, latest.get(path), versions.get(path) ?? []).planned((name) => goes(planned.get(name))),
    );
  }
  return [...names.keys()].map((path) => planned.get(path) as PlannedName);
}

export const depth = (path: string): number => path.split("/").length;

/** True if nothing will be there. */
const goes = (name: PlannedName | undefined): boolean => name?.before.kind === "nothing" && name.state !== "held";

/** A state as recorded; `digest` undefined: no record says, since only attributes were changed. */
interface RecordedName {
  readonly kind: NameState["kind"];
  readonly digest: Digest | null | undefined;
  readonly attributes: SetAttributes;
}

class NamePlan {
  readonly #workspace: Workspace;
  readonly #path: string;
  readonly #records: NameRecords;
  readonly #latest: WriteRecord | undefined;
  readonly #versions: readonly FileVersion[];
  readonly #last: WriteRecord;
  readonly #found: FoundEntry | undefined;

  constructor(workspace: Workspace, path: string, records: NameRecords, latest: WriteRecord | undefined, versions: readonly FileVersion[]) {
    const denied = workspace.whyDenied(path);
    if (denied !== undefined) throw new FileError("EACCES", path, denied);
    this.#workspace = workspace;
    this.#path = path;
    this.#records = records;
    this.#latest = latest;
    this.#versions = versions;
    this.#last = records.at(-1) ?? records[0];
    checkDirect(workspace, path);
    this.#found = entryAt(workspace.writer(), path);
  }

  planned(goes: (path: string) => boolean): PlannedName {
    const after = this.#after();
    const before = this.#keepingMode(this.#before(), after);
    return {
      path: this.#path,
      first: this.#records[0].id,
      last: this.#last.id,
      state: this.#state(before, after, goes),
      before: { ...shownState(before), content: () => this.#contentBefore() },
      now: { kind: this.#found?.kind ?? "nothing", permissions: this.#found?.status.permissions, content: () => this.#contentNow() },
      after: { ...shownState(after), content: () => this.#contentAfter() },
      found: this.#found,
      desired: () => this.#desired(before),
    };
  }

  #state(before: RecordedName, after: RecordedName, goes: (path: string) => boolean): UndoneName["state"] {
    const found = this.#found;
    if (isIn(found, before) && hasAttributes(found, before, after)) return "undone";
    if (!isIn(found, after) || !hasModeLeft(found, before, after) || !this.#hasTimeLeft(before, after) || !this.#isUnbroken())
      return "changed";
    return before.kind === "nothing" && found?.kind === "directory" && !this.#isEmptied(goes) ? "held" : "as recorded";
  }

  /** True unless somebody else has written between two of the changes. */
  #isUnbroken(): boolean {
    const contents = this.#records.filter(hasContent);
    return contents.every(({ before }, at) => at === 0 || before?.sha256 === contents[at - 1]?.after?.sha256);
  }

  /** True unless the file's time alone was changed, and somebody else has written to it since: it has another than the last record left. */
  #hasTimeLeft(before: RecordedName, after: RecordedName): boolean {
    const left = this.#latest?.new?.modified_ns;
    if (this.#found?.kind !== "file" || left === undefined || !isTimeAlone(before, after)) return true;
    return this.#found.status.modifiedNs / 1000n === BigInt(left) / 1000n;
  }

  /** True if nothing is left in the directory once the others are taken back. */
  #isEmptied(goes: (path: string) => boolean): boolean {
    const names = inDirectoryOf(this.#workspace.writer(), pathIn(this.#path, "."), (directory) => directory.names()) ?? [];
    return names.every((name) => goes(pathIn(this.#path, name)));
  }

  #before(): RecordedName {
    const [first] = this.#records;
    const content = this.#records.find(hasContent);
    const state = first.old === undefined ? fileState(first.before) : first.old;
    // A write by tee keeps the permission bits, so that those recorded later are those of before.
    const permissions = first.old?.permissions ?? this.#records.find(({ old }) => old?.kind === state?.kind)?.old?.permissions;
    return {
      kind: state?.kind ?? "nothing",
      digest: state === null || state.kind === "directory" ? null : content?.before,
      attributes: {
        ...(permissions === undefined ? {} : { mode: permissions }),
        ...(first.old === undefined || first.old === null ? {} : { modifiedNs: BigInt(first.old.modified_ns) }),
      },
    };
  }

  #after(): RecordedName {
    const state = this.#last.new === undefined ? fileState(this.#last.after) : this.#last.new;
    const digest = state === null || state.kind === "directory" ? null : this.#records.findLast(hasContent)?.after;
    const mode = this.#last.new?.permissions;
    return { kind: state?.kind ?? "nothing", digest, attributes: mode === undefined ? {} : { mode } };
  }

  /** `before` without the permission bits where the records did not change them: those of now stay. */
  #keepingMode(before: RecordedName, after: RecordedName): RecordedName {
    const { mode, ...others } = before.attributes;
    const isKept = mode === after.attributes.mode && before.kind === after.kind && this.#found?.kind === before.kind;
    return isKept ? { ...before, attributes: others } : before;
  }

  /** The change from what is there to what was. */
  #desired({ kind, digest, attributes }: RecordedName): DesiredEntry {
    if (kind === "nothing") return { kind: "nothing" };
    const found = this.#found;
    const isKept = kind === "directory" ? found?.kind === "directory" : digest === undefined || isSameDigest(found?.digest, digest);
    if (found?.kind === kind && isKept) return { kind: "same", attributes };
    if (kind === "directory") return { kind: "directory", attributes };
    if (!digest) throw new NotRestorable(`the bytes of ${this.#path} were never recorded`);
    const content: GivenContent = { digest, blocks: () => [this.#contentBefore() ?? Buffer.alloc(0)] };
    if (kind === "file") return { kind, content, attributes };
    return { kind, content, like: this.#records.find(hasContent)?.keptLink };
  }

  #contentBefore(): Buffer | undefined {
    const record = this.#records.find(hasContent);
    if (record === undefined || record.before === null) return undefined;
    return this.#version(record.previous, record.before);
  }

  #contentAfter(): Buffer | undefined {
    const record = this.#records.findLast(hasContent);
    if (record === undefined || record.after === null) return undefined;
    return this.#version(record.id, record.after);
  }

  /** Bytes after the record `id`; those that the file began with where there is none, or where it only added to those. */
  #version(id: string | null, digest: Digest): Buffer {
    const version = this.#versions.find(({ recordId }) => recordId === id);
    if (version === undefined && id !== null) throw new NotRestorable(`no bytes of ${this.#path} are recorded as record ${id}`);
    try {
      const bytes = version?.read();
      if (bytes !== undefined) return bytes;
    } catch (thrown) {
      // Somebody else's mirror may hold anything; what was appended to is in the file itself.
      if (!(thrown instanceof DamagedMirror) || this.#records.find(hasContent)?.mode !== "append") throw thrown;
    }
    return startOf(this.#workspace, this.#path, digest);
  }

  #contentNow(): Buffer | undefined {
    const found = this.#found;
    if (found === undefined || found.kind === "directory") return undefined;
    const { kind } = found;
    const bytes = inDirectoryOf(this.#workspace.writer(), this.#path, (directory, name) =>
      Buffer.concat([...leafBytes(directory, name, kind)]),
    );
    if (bytes === undefined || !isSameDigest(digestOf(bytes), found.digest)) throw new FileError("CONFLICT", this.#path);
    return bytes;
  }
}

/** Throws CONFLICT where a directory above is a symbolic link now. */
function checkDirect(workspace: Workspace, path: string): void {
  let canonical: string;
  try {
    canonical = workspace.writer().entry(path).canonical;
  } catch (thrown) {
    // A file stands where a directory was.
    if (thrown instanceof FileError && thrown.code === "ENOTDIR") return;
    throw thrown;
  }
  if (canonical !== path) throw elsewhereNow(path, canonical);
}

/** State of a file of which only the bytes were recorded. */
const fileState = (digest: Digest | null): (Pick<EntryState, "kind"> & { readonly permissions?: number }) | null =>
  digest === null ? null : { kind: "file" };

const isIn = (found: FoundEntry | undefined, { kind, digest }: RecordedName): boolean =>
  found === undefined
    ? kind === "nothing"
    : found.kind === kind && (kind === "directory" || digest === undefined || isSameDigest(found.digest, digest));

/** True if the permission bits are those that the last record left, as far as it matters to what comes back. */
function hasModeLeft(found: FoundEntry | undefined, before: RecordedName, after: RecordedName): boolean {
  const { mode } = after.attributes;
  if (found === undefined || mode === undefined) return true;
  return found.status.permissions === mode || (before.kind !== "nothing" && before.attributes.mode === undefined);
}

const isTimeAlone = (before: RecordedName, after: RecordedName): boolean =>
  before.kind === after.kind && (before.digest === undefined || isSameDigest(before.digest, after.digest));

const shownState = ({ kind, attributes: { mode } }: RecordedName): Pick<NameState, "kind" | "permissions"> => ({ kind, permissions: mode });

/** True if permission bits are those recorded, and the time where nothing else was changed. A link's time is never set. */
function hasAttributes(found: FoundEntry | undefined, before: RecordedName, after: RecordedName): boolean {
  const { mode, modifiedNs } = before.attributes;
  if (found === undefined) return true;
  if (mode !== undefined && found.status.permissions !== mode) return false;
  return (
    !isTimeAlone(before, after) ||
    before.kind === "symlink" ||
    modifiedNs === undefined ||
    found.status.modifiedNs / 1000n === modifiedNs / 1000n
  );
}
