/**
 * A directory held open: names in it are reached from its descriptor, without walking the path again. It is held only while
 * one builtin uses it; path-walk.ts says why no longer.
 */
import type { Dir, Dirent } from "node:fs";
import { toText } from "../../io/text.ts";
import type { Expected, ExpectedListing, MayHold, OpenDirectory, OpenFile, PathList, StampsBelow } from "../contract.ts";
import {
  descriptorsCanBeInherited,
  fileSystemOf,
  holdAny,
  holdDirectory,
  kindAndSize,
  linkStamp,
  linkStatus,
  listHeld,
  ownName,
  readLinkIn,
  release,
  statusOfHandle,
} from "./descriptor.ts";
import { stampsEntries } from "./directory-times.ts";
import { entriesByName, entriesInKernelOrder, kindOf, openDirectoryStream } from "./directory-reader.ts";
import { FileError } from "../file-error.ts";
import { UNLISTED_WORDS } from "./listed-names.ts";
import { asFileError, fileErrorFrom } from "../system-error.ts";
import type { DirectoryEntry, FileStamp, FileStatus } from "../file-status.ts";
import { openListedFile, openRegular, ReadFile } from "../read/held-file.ts";
import { Expectations } from "../ahead/expected-directory.ts";
import type { ReadListing } from "../ahead/look-ahead-results.ts";
import type { StampList } from "../ahead/stamp-list.ts";
import { walkPath, type Place } from "./path-walk.ts";
import type { HeldTree } from "./held-tree.ts";
import type { CallReads } from "../read/call-reads.ts";

export class HeldDirectory implements OpenDirectory {
  readonly #tree: HeldTree;
  /** For messages about the directory itself. */
  readonly #typed: string;
  /** Path from the top of its tree, free of symbolic links when it was opened; "" is the top. */
  readonly #canonical: string;
  /** True if each name in it leads to what is listed by that name, on its file system (listed-names.ts). */
  readonly #isAsTyped: boolean;
  #handle: number | undefined;
  /** Readers that have not come to their end. */
  readonly #streams = new Set<Dir>();
  #expectations: Expectations | undefined;
  readonly #lists: StampList[] = [];
  /** Its statuses and entries, if they were read ahead; the entries are given away once. */
  readonly #statuses: ReadListing["statuses"];
  #entries: DirectoryEntry[] | undefined;
  /** Notes of what is read in it. */
  readonly #reads: CallReads | undefined;

  /** Takes over the handle. */
  private constructor(tree: HeldTree, held: Held, typed: string, reads: CallReads | undefined, listing?: ReadListing) {
    const { handle, canonical, isAsTyped } = held;
    this.#isAsTyped = isAsTyped;
    this.#reads = reads;
    this.#tree = tree;
    this.#handle = handle;
    this.#canonical = canonical;
    this.#typed = typed;
    this.#entries = listing?.entries;
    this.#statuses = listing?.statuses;
  }

  /** The directory that a walk came to; its handle is taken. */
  static at(tree: HeldTree, place: Place, typed: string, reads: CallReads | undefined): HeldDirectory {
    const isAsTyped = tree.names === undefined || tree.names.isAsTyped(place.status?.device);
    return new HeldDirectory(tree, { handle: place.takeHandle(), canonical: place.canonical, isAsTyped }, typed, reads);
  }

  get status(): FileStatus {
    return statusOfHandle(this.#held);
  }

  get stampsEntries(): boolean {
    return descriptorsCanBeInherited && stampsEntries(fileSystemOf(this.#held));
  }

  *entries(): Generator<DirectoryEntry, void> {
    let count = 0;
    let isExact = true;
    for (const entry of this.#read("text")) {
      isExact = !entry.name.includes("\uFFFD");
      if (!isExact) break;
      count++;
      if (!this.#isHidden(entry.name)) yield { name: entry.name, kind: kindOf(entry) };
    }
    if (isExact) return;
    // A name that may be no text: from here on once more, in bytes.
    for (const entry of this.#read("bytes")) {
      if (count-- > 0) continue;
      const name = toText(entry.name as unknown as Buffer);
      if (!this.#isHidden(name)) yield { name, kind: kindOf(entry) };
    }
  }

  /** All entries. A listing read ahead is in the order that is asked for: the walk announced it so. */
  list(order: "kernel" | "name"): DirectoryEntry[] {
    const ahead = this.#entries;
    this.#entries = undefined;
    if (ahead !== undefined) return ahead;
    let entries: DirectoryEntry[];
    try {
      entries = listHeld(this.#held, order === "name" ? entriesByName : entriesInKernelOrder);
    } catch (thrown) {
      throw fileErrorFrom(thrown, this.#typed);
    }
    return this.#canonical === "" ? entries.filter(({ name }) => name !== this.#tree.hiddenName) : entries;
  }

  expect(expected: readonly Expected[], listing: ExpectedListing): void {
    // Where a name may lead to what is listed by another, and by name, nothing is opened at once.
    if (!descriptorsCanBeInherited || !this.#isAsTyped) return;
    const { lookAhead, deniesReading } = this.#tree;
    const memory = lookAhead.whenWorth(expected);
    const mayBeRead = ({ name }: Expected): boolean => {
      try {
        this.#tree.checkReadable(this.#below(component(name)), name);
        return true;
      } catch (thrown) {
        if (thrown instanceof FileError) return false;
        throw thrown;
      }
    };
    const reads = this.#reads;
    const note = reads && ((names: readonly string[], stamps: Buffer): void => reads.noteAll(this.#canonical, names, stamps));
    this.#expectations ??= new Expectations(lookAhead, this.#held, note);
    const mayPass = listing.mayPass === true && !this.#tree.mayHoldKernelFiles();
    this.#expectations.add(deniesReading ? expected.filter(mayBeRead) : expected, { ...listing, mayPass }, memory);
  }

  passes(name: string, mayHold: MayHold): boolean {
    return this.#expectations?.passes(name, mayHold) === true;
  }

  #isHidden(name: string): boolean {
    return this.#canonical === "" && name === this.#tree.hiddenName;
  }

  *#read(names: "text" | "bytes"): Generator<Dirent, void> {
    let stream: Dir | undefined;
    try {
      stream = listHeld(this.#held, (path) => openDirectoryStream(path, names));
      this.#streams.add(stream);
      for (let entry = stream.readSync(); entry !== null; entry = stream.readSync()) yield entry;
    } catch (thrown) {
      throw fileErrorFrom(thrown, this.#typed);
    } finally {
      if (stream !== undefined && this.#streams.delete(stream)) stream.closeSync();
    }
  }

  statusOf(name: string, options: { readonly follow?: boolean } = {}): FileStatus {
    const ahead = this.#statuses?.get(name);
    const status = ahead ?? asFileError(name, () => linkStatus(this.#held, component(name)));
    if (options.follow !== true || status.kind !== "symlink") return status;
    return this.#followed(name, (place) => place.status as FileStatus);
  }

  stampOf(name: string): FileStamp | undefined {
    try {
      return linkStamp(this.#held, component(name));
    } catch (thrown) {
      const error = fileErrorFrom(thrown, name);
      if (error.code === "ENOENT") return undefined;
      throw error;
    }
  }

  stampsBelow(paths: PathList): StampsBelow | undefined {
    // A rule is asked about each directory, and by name the long way is the safe one.
    if (!descriptorsCanBeInherited || this.#tree.deniesReading) return undefined;
    const list = this.#tree.lookAhead.stampsBelow(this.#held, paths);
    if (list !== undefined) this.#lists.push(list);
    return list;
  }

  readLinkOf(name: string): string {
    return asFileError(name, () => readLinkIn(this.#held, component(name)));
  }

  openFile(name: string, options: { readonly isListed?: boolean } = {}): OpenFile {
    const ahead = options.isListed === true ? this.#expectations?.takeFile(name) : undefined;
    // Opened once more it is looked at, and not read.
    if (ahead !== undefined) return new ReadFile(ahead, () => this.#openNow(name, undefined));
    const listed =
      options.isListed === true && this.#isAsTyped
        ? openListedFile(this.#tree, this.#held, component(name), this.#below(name), this.#reads)
        : undefined;
    return listed ?? this.#openNow(name, this.#reads);
  }

  #openNow(name: string, reads: CallReads | undefined): OpenFile {
    const file = asFileError(name, () => {
      const own = this.#own(name);
      const handle = holdAny(this.#held, own);
      try {
        const status = kindAndSize(handle);
        if (status.kind === "symlink") return undefined;
        return openRegular(this.#tree, handle, { status, canonical: this.#below(ownName(handle, own)) }, name, { reads });
      } finally {
        release(handle);
      }
    });
    return file ?? this.#followed(name, (place) => openRegular(this.#tree, place.handle as number, place, name, { reads }));
  }

  openDirectory(name: string, options: { readonly follow?: boolean } = {}): OpenDirectory {
    const ahead = this.#expectations?.takeDirectory(name);
    if (ahead !== undefined) return this.#child(ahead.handle, name, name, ahead);
    try {
      const own = this.#own(name);
      const handle = holdDirectory(this.#held, own);
      const listed = ownName(handle, own);
      try {
        this.#tree.checkReadable(this.#below(listed), name, true);
      } catch (thrown) {
        release(handle);
        throw thrown;
      }
      return this.#child(handle, listed, name);
    } catch (thrown) {
      const error = fileErrorFrom(thrown, name);
      if (options.follow !== true || error.code !== "ENOTDIR") throw error;
    }
    return this.#followed(name, (place) => {
      if (place.status?.kind !== "directory") throw new FileError("ENOTDIR", name);
      this.#tree.checkReadable(place.canonical, name, true);
      return HeldDirectory.at(this.#tree, place, name, this.#reads);
    });
  }

  /** `name` as it is listed here. */
  #own(name: string): string {
    const asked = component(name);
    if (this.#isAsTyped) return asked;
    const own = this.#tree.names?.nameIn(this.#held, asked);
    if (own === undefined) throw new FileError("EACCES", name, UNLISTED_WORDS);
    return own;
  }

  /** The directory `own` of this one, which `handle` holds; another file system may be mounted on it. */
  #child(handle: number, own: string, typed: string, listing?: ReadListing): HeldDirectory {
    const { names } = this.#tree;
    const isSameKind = (): boolean =>
      names === undefined || !this.#tree.mayHoldKernelFiles() || names.isAsTyped(statusOfHandle(handle).device);
    const isAsTyped = this.#isAsTyped && isSameKind();
    return new HeldDirectory(this.#tree, { handle, canonical: this.#below(own), isAsTyped }, typed, this.#reads, listing);
  }

  #below(name: string): string {
    return this.#canonical === "" ? name : `${this.#canonical}/${name}`;
  }

  close(): void {
    // A walk that stops early leaves its readers where they are.
    for (const stream of this.#streams) stream.closeSync();
    this.#streams.clear();
    if (this.#handle === undefined) return;
    this.#expectations?.close();
    for (const list of this.#lists) this.#tree.lookAhead.end(list);
    release(this.#handle);
    this.#handle = undefined;
  }

  get #held(): number {
    if (this.#handle === undefined) throw new Error("use after close");
    return this.#handle;
  }

  /** A symbolic link is walked from the top by this directory's canonical path: its `..` may lead above us. */
  #followed<T>(name: string, use: (place: Place) => T): T {
    const components = [...this.#canonical.split("/"), name];
    const place = walkPath(this.#tree, components, name, { follow: true });
    try {
      return asFileError(name, () => use(place));
    } finally {
      place.release();
    }
  }
}

interface Held {
  readonly handle: number;
  readonly canonical: string;
  readonly isAsTyped: boolean;
}

/** `name` if it is one component. `..` or a slash here would be a way out, and only a fault of ours brings it here. */
function component(name: string): string {
  if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes("\0")) {
    throw new Error("not the name of a directory entry");
  }
  return name;
}
