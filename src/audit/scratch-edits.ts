/**
 * An edit transaction whose paths may lie in the session's scratch, too. What is made there is made at once and not recorded; what is
 * removed there is removed last, so that nothing is lost if the recorded changes fail.
 */
import type { ContentSink, EditTransaction, EntryAttributes, WriteMode, WriteReceipt } from "../builtin/recorder.ts";
import { FileError } from "../workspace/file-error.ts";
import type { ScratchFiles } from "../workspace/mount/scratch-files.ts";

const FILE_MODE = 0o666;
const DIRECTORY_MODE = 0o777;

/** `recorded`: begins the transaction for all other paths, once, when there is one; throws FileError where none may be changed. */
export function editsWithScratch(scratch: ScratchFiles, recorded: (path: string) => EditTransaction): EditTransaction {
  const own = new ScratchEdits(scratch);
  let others: EditTransaction | undefined;
  const of = (path: string): EditTransaction => {
    if (scratch.holds(path)) return own;
    others ??= recorded(path);
    return others;
  };
  return {
    pending: (path) => (scratch.holds(path) ? own : others)?.pending(path),
    replace: (path, content, attributes) => of(path).replace(path, content, attributes),
    write: (path, mode) => of(path).write(path, mode),
    link: (path, text, like) => of(path).link(path, text, like),
    // What has gone into the scratch is kept by no record of its own: its removal counts as one.
    remove: (path, options) => of(path).remove(path, own.hasMade ? {} : options),
    makeDirectory: (path, attributes) => of(path).makeDirectory(path, attributes),
    removeDirectory: (path) => of(path).removeDirectory(path),
    setAttributes: (path, attributes) => of(path).setAttributes(path, attributes),
    commit() {
      const receipts = others?.commit() ?? [];
      own.commit();
      return receipts;
    },
    abort() {
      others?.abort();
      own.abort();
    },
  };
}

class ScratchEdits implements EditTransaction {
  readonly #scratch: ScratchFiles;
  /** Canonical path → the path as it was named, of what is still to be removed; in order. */
  readonly #going = new Map<string, string>();
  /** True once a file was made. */
  hasMade = false;

  constructor(scratch: ScratchFiles) {
    this.#scratch = scratch;
  }

  pending(path: string): "nothing" | undefined {
    const entry = this.#scratch.entry(path);
    return entry !== undefined && this.#going.has(entry.canonical) ? "nothing" : undefined;
  }

  replace(path: string, content: Iterable<Uint8Array>, { mode, creation, ...times }: EntryAttributes = {}): void {
    this.#finish(path);
    this.hasMade = true;
    const isNew = this.#scratch.create(path, mode ?? creation ?? FILE_MODE);
    const file = this.#scratch.open(path, "overwrite");
    try {
      for (const block of content) file.write(block);
    } finally {
      file.close();
    }
    this.#scratch.setAttributes(path, { ...times, ...(mode === undefined || isNew ? {} : { mode }) });
  }

  write(path: string, mode: WriteMode): ContentSink {
    this.#finish(path);
    return this.#scratch.open(path, mode);
  }

  link(path: string): void {
    throw new FileError("EPERM", path, "No symbolic link can be made there");
  }

  remove(path: string): void {
    const entry = this.#entry(path);
    if (entry.kind === "directory") throw new FileError("EISDIR", path);
    this.#going.set(entry.canonical, path);
  }

  makeDirectory(path: string, { mode, creation, ...times }: EntryAttributes = {}): void {
    this.#finish(path);
    if (!this.#scratch.makeDirectory(path, mode ?? creation ?? DIRECTORY_MODE)) throw new FileError("EEXIST", path);
    this.#scratch.setAttributes(path, { ...times, ...(mode === undefined ? {} : { mode }) });
  }

  removeDirectory(path: string): void {
    const { kind, canonical } = this.#entry(path);
    if (kind !== "directory") throw new FileError("ENOTDIR", path);
    const isEmptied = this.#scratch.names(path).every((name) => this.#going.has(`${canonical}/${name}`));
    if (!isEmptied) throw new FileError("ENOTEMPTY", path);
    this.#going.set(canonical, path);
  }

  setAttributes(path: string, { mode, modifiedNs, accessedNs }: EntryAttributes): void {
    this.#entry(path);
    this.#scratch.setAttributes(path, {
      ...(mode === undefined ? {} : { mode }),
      ...(modifiedNs === undefined ? {} : { modifiedNs }),
      ...(accessedNs === undefined ? {} : { accessedNs }),
    });
  }

  commit(): readonly WriteReceipt[] {
    for (const path of this.#going.values()) this.#remove(path);
    this.abort();
    return [];
  }

  abort(): void {
    this.#going.clear();
  }

  /** Removes what stands at `path`, and all that is still in it, where it was to go: something else comes to be there. */
  #finish(path: string): void {
    const canonical = this.#scratch.entry(path)?.canonical;
    if (canonical === undefined || !this.#going.has(canonical)) return;
    for (const [each, typed] of this.#going) {
      if (each !== canonical && !each.startsWith(`${canonical}/`)) continue;
      this.#remove(typed);
      this.#going.delete(each);
    }
  }

  #remove(path: string): void {
    if (this.#scratch.entry(path)?.kind === "directory") this.#scratch.removeDirectory(path);
    else this.#scratch.remove(path);
  }

  #entry(path: string): { readonly canonical: string; readonly kind: string } {
    const entry = this.#scratch.entry(path);
    if (entry === undefined || this.#going.has(entry.canonical)) throw new FileError("ENOENT", path);
    return entry;
  }
}
