/** The objects of a repository, loose and packed, with what is read lately kept. */
import { fromWord } from "./byte-text.ts";
import { DeltaBases } from "./delta-bases.ts";
import type { Disk } from "./disk.ts";
import { GitError } from "../git-error.ts";
import { inflatedAll, Inflater } from "./inflate.ts";
import { stampText, type KeptEntry, type KeptObject, type KeptObjects, type KeptStores, type Origin } from "./kept-objects.ts";
import type { ObjectFormat } from "./object-format.ts";
import { isTree, type TreeEntry } from "./objects.ts";
import type { Replacements } from "./replacements.ts";
import { Pack, type ObjectSummary, type ObjectType, type RawObject, type Reading } from "./pack.ts";
import { entryNamed } from "./tree-reader.ts";

/** Bytes counted for an object beside its data. */
const ENTRY_BYTES = 256;
/** What a longer path leads to is looked up anew each time, as everything is where objects are replaced. */
const MOST_KEPT_PATH = 1024;

export class ObjectStore {
  readonly #disk: Disk;
  readonly #format: ObjectFormat;
  /** Its own and those it borrows from, relative to the root of the workspace. */
  readonly directories: readonly string[];
  readonly #limits: { readonly heldBytes: number };
  #packs: readonly Pack[] | undefined;
  readonly #inflater = new Inflater();
  readonly #bases = new DeltaBases();
  /** Names in the object directories: most are not there once all is packed. */
  #looseDirectories: ReadonlySet<string> | undefined;
  readonly #looseNames = new Map<string, ReadonlySet<string>>();
  /** Of files of kept objects, each looked at once. */
  readonly #looseStamps = new Map<string, string | undefined>();
  #replacements: (() => Replacements) | undefined;
  readonly #kept: KeptObjects;

  /** `directory`: `objects`, relative to the root of the workspace. Throws GitError where alternates lead outside. */
  constructor(disk: Disk, directory: string, format: ObjectFormat, limits: { readonly heldBytes: number }, stores: KeptStores) {
    this.#disk = disk;
    this.#format = format;
    this.#kept = stores.of(directory, disk.status(directory, true) ?? { device: 0n, inode: 0n });
    this.#limits = limits;
    this.directories = withAlternates(disk, directory);
  }

  /** Objects that stand for others are given for them from now on. */
  replacesWith(replacements: () => Replacements): void {
    this.#replacements = replacements;
  }

  close(): void {
    for (const pack of this.#packs ?? []) pack.close();
    this.#inflater.close();
  }

  has(id: string): boolean {
    return this.#packed().some((pack) => pack.index.offsetOf(id) !== undefined) || this.#looseNamesOf(id.slice(0, 2)).has(id);
  }

  /** Undefined where there is no such object. `likely`: its type, where that is known. Throws GitError where it is broken. */
  find(id: string, likely?: ObjectType): RawObject | undefined {
    if (id === this.#format.emptyTree) return { type: "tree", data: Buffer.alloc(0) };
    return this.#located(this.#replacements?.().of(id) ?? id, likely)?.object;
  }

  /**
   * What `act` gives of an object's bytes, which are good only until the next object is read, and are not kept. Throws GitError where
   * there is no such object, or it is of another type.
   */
  look<T>(id: string, type: ObjectType, act: (data: Buffer) => T): T {
    const stored = this.#replacements?.().of(id) ?? id;
    const kept = this.#kept.objects.get(stored);
    const found = kept !== undefined && this.#isThere(stored, kept) ? kept : this.#findPacked(stored, { likely: type, isBrief: true }, 0);
    return act(found?.object.type === type ? found.object.data : this.get(id, type).data);
  }

  #located(stored: string, likely: ObjectType | undefined): KeptObject | undefined {
    const kept = this.#kept.objects.get(stored);
    if (kept !== undefined && this.#isThere(stored, kept)) return kept;
    const found = this.#findPacked(stored, { likely }, 0) ?? this.#findLoose(stored);
    if (found !== undefined) this.#kept.objects.set(stored, found, found.object.data.length + ENTRY_BYTES);
    return found;
  }

  /** The file or directory `path` of a tree; undefined where there is none. Throws GitError. */
  entryAt(tree: string, path: string): TreeEntry | undefined {
    const names = path.split("/");
    if (path.length > MOST_KEPT_PATH || this.#replacements?.().isEmpty !== true) return this.#entryBelow(tree, names);
    const way: { readonly key: string; readonly origin: Origin | undefined }[] = [];
    let at = tree;
    let end: { readonly entry: TreeEntry | undefined; readonly origin: Origin | undefined } | undefined;
    for (let start = 0, depth = 0; end === undefined; depth++) {
      const key = `${at}/${path.slice(start)}`;
      const kept = this.#kept.entries.get(key);
      if (kept !== undefined && this.#isThere(at, kept)) {
        end = { entry: kept.entry, origin: kept };
        break;
      }
      const name = names[depth] ?? "";
      const found = this.#entryBelow(at, [name]);
      const origin = this.#kept.objects.get(at);
      way.push({ key, origin });
      start += name.length + 1;
      if (found === undefined || depth === names.length - 1) end = { entry: found, origin };
      else if (isTree(found.mode)) at = found.id;
      else end = { entry: undefined, origin };
    }
    const { entry, origin } = end;
    if (origin?.pack === undefined) return entry;
    const kept: KeptEntry = { entry, pack: origin.pack, stamp: origin.stamp };
    // A way through several packs is not kept, because the entry would have to go with any of them.
    for (let step = way.pop(); step !== undefined && isOf(step.origin, kept); step = way.pop())
      this.#kept.entries.set(step.key, kept, step.key.length + ENTRY_BYTES);
    return entry;
  }

  #entryBelow(tree: string, names: readonly string[]): TreeEntry | undefined {
    let at: TreeEntry | undefined;
    for (const name of names) {
      if (at !== undefined && !isTree(at.mode)) return undefined;
      at = entryNamed(this.get(at?.id ?? tree, "tree").data, name, this.#format);
      if (at === undefined) return undefined;
    }
    return at;
  }

  /** The object, of type `type` where one is given. Throws GitError. */
  get(id: string, type?: ObjectType): RawObject {
    const found = this.find(id, type);
    if (found === undefined)
      throw new GitError(type === "tree" ? `unable to read tree ${id}` : type === "commit" ? `bad object ${id}` : `unable to read ${id}`);
    if (type !== undefined && found.type !== type) throw new GitError(`object ${id} is a ${found.type}, not a ${type}`);
    return found;
  }

  /** Ids that begin with `prefix` (4 hexadecimal digits at least), in order; no more than `most`. */
  matching(prefix: string, most = 1000): readonly string[] {
    const found = new Set<string>();
    for (const pack of this.#packed()) {
      for (let at = pack.index.lowerBound(prefix); at < pack.index.count && found.size < most; at++) {
        const id = pack.index.idAt(at);
        if (!id.startsWith(prefix)) break;
        found.add(id);
      }
    }
    for (const id of this.#looseNamesOf(prefix.slice(0, 2))) if (id.startsWith(prefix) && found.size < most) found.add(id);
    return [...found].sort();
  }

  /** All ids, in order. */
  all(): readonly string[] {
    const found = new Set<string>();
    for (const { index } of this.#packed()) for (let at = 0; at < index.count; at++) found.add(index.idAt(at));
    for (let first = 0; first < 256; first++) for (const id of this.#looseNamesOf(first.toString(16).padStart(2, "0"))) found.add(id);
    return [...found].sort();
  }

  /** Type and size of an object, without its data where it is packed; undefined where there is none. Throws GitError where it is broken. */
  summaryOf(id: string): ObjectSummary | undefined {
    if (id === this.#format.emptyTree) return { type: "tree", size: 0 };
    return this.#summaryOf(this.#replacements?.().of(id) ?? id, 0);
  }

  #summaryOf(stored: string, depth: number): ObjectSummary | undefined {
    const kept = this.#kept.objects.get(stored);
    if (kept !== undefined && this.#isThere(stored, kept)) return summarized(kept);
    for (const pack of this.#packed()) {
      const offset = pack.index.offsetOf(stored);
      if (offset === undefined) continue;
      const found = pack.summaryAt(offset, (base) => (depth > MOST_DEPTH ? undefined : this.#summaryOf(base, depth + 1)?.type));
      if (found === undefined) throw corrupt(stored, pack);
      return found;
    }
    const loose = this.#findLoose(stored);
    return loose === undefined ? undefined : summarized(loose);
  }

  /** Summaries of all packed objects that stand for themselves, by id: each pack is read once from its beginning to its end. */
  packedSummaries(): ReadonlyMap<string, ObjectSummary> {
    const summaries = new Map<string, ObjectSummary>();
    for (const pack of this.#packed()) {
      for (const { id, offset } of pack.index.offsets()) {
        if (summaries.has(id) || (this.#replacements?.().of(id) ?? id) !== id) continue;
        const found = pack.summaryAt(offset, (base) => this.#summaryOf(base, 0)?.type);
        if (found !== undefined) summaries.set(id, found);
      }
    }
    return summaries;
  }

  /** Bytes that an object takes where it is stored, and the base of its delta. */
  storageOf(id: string): { readonly bytes: number; readonly base: string | undefined } | undefined {
    for (const pack of this.#packed()) {
      const offset = pack.index.offsetOf(id);
      if (offset !== undefined) return pack.storageAt(offset);
    }
    for (const directory of this.directories) {
      const status = this.#disk.status(`${directory}/${id.slice(0, 2)}/${id.slice(2)}`);
      if (status !== undefined) return { bytes: status.size, base: undefined };
    }
    return undefined;
  }

  /** The pack of the file `path`, without its extension. */
  packAt(path: string): Pack | undefined {
    return this.#packed().find(({ directory, name }) => `${directory}/${name}` === path);
  }

  /** Number of digits that tell `id` from every other object, `least` at least. */
  uniqueLength(id: string, least: number): number {
    const { idDigits } = this.#format;
    let length = least;
    for (const pack of this.#packed()) length = Math.max(length, pack.index.sharedDigits(id) + 1);
    for (const other of this.#looseNamesOf(id.slice(0, 2))) {
      let same = 0;
      while (same < idDigits && other[same] === id[same]) same++;
      if (same < idDigits) length = Math.max(length, same + 1);
    }
    return Math.min(idDigits, length);
  }

  /** The length of abbreviated ids for so many packed objects, as git's core.abbrev=auto has it. */
  get abbreviation(): number {
    let count = 0;
    for (const pack of this.#packed()) count += pack.index.count;
    const bits = count === 0 ? 0 : 32 - Math.clz32(count);
    return Math.max(7, Math.ceil(bits / 2));
  }

  /** The packs of one of `directories`. */
  packedIn(directory: string): { readonly count: number; has(id: string): boolean } {
    const packs = this.#packed().filter((pack) => pack.directory === `${directory}/pack`);
    return {
      count: packs.reduce((sum, { index }) => sum + index.count, 0),
      has: (id) => packs.some(({ index }) => index.offsetOf(id) !== undefined),
    };
  }

  #packed(): readonly Pack[] {
    if (this.#packs !== undefined) return this.#packs;
    this.#packs = this.directories.flatMap((directory) => {
      const names = (this.#disk.list(`${directory}/pack`) ?? []).map(({ name }) => name);
      return names
        .filter((name) => name.endsWith(".idx") && names.includes(`${name.slice(0, -4)}.pack`))
        .map((name) => {
          const path = `${directory}/pack/${name.slice(0, -4)}`;
          return new Pack(this.#disk, path, this.#format, { inflater: this.#inflater, limits: this.#limits, bases: this.#bases.ofPack() });
        });
    });
    return this.#packs;
  }

  /** False where the pack or the file that a kept object was read from is gone, or is not as it was. */
  #isThere(id: string, { pack, stamp }: Origin): boolean {
    if (pack !== undefined) return this.#packed().some((one) => one.name === pack && one.stamp === stamp);
    return this.#looseNamesOf(id.slice(0, 2)).has(id) && this.#looseStampOf(id) === stamp;
  }

  #looseStampOf(id: string): string | undefined {
    if (this.#looseStamps.has(id)) return this.#looseStamps.get(id);
    let stamp: string | undefined;
    for (const directory of this.directories) {
      const status = stamp === undefined ? this.#disk.status(`${directory}/${id.slice(0, 2)}/${id.slice(2)}`, true) : undefined;
      if (status !== undefined) stamp = stampText(status);
    }
    this.#looseStamps.set(id, stamp);
    return stamp;
  }

  #findPacked(id: string, reading: Reading, depth: number): KeptObject | undefined {
    for (const pack of this.#packed()) {
      const offset = pack.index.offsetOf(id);
      if (offset === undefined) continue;
      const { stamp } = pack;
      const found = pack.read(offset, reading, (base) =>
        depth > MOST_DEPTH ? undefined : (this.#findPacked(base, { likely: reading.likely }, depth + 1) ?? this.#findLoose(base))?.object,
      );
      if (found === undefined) throw corrupt(id, pack);
      return { object: found, pack: pack.name, stamp };
    }
    return undefined;
  }

  #findLoose(id: string): KeptObject | undefined {
    for (const directory of this.directories) {
      const path = `${directory}/${id.slice(0, 2)}/${id.slice(2)}`;
      const file = this.#disk.openStore(path);
      if (file === undefined) continue;
      const stamp = stampText(file.status);
      const packed = this.#disk.readHeld(file, path);
      const bytes = inflatedAll(packed, this.#limits.heldBytes);
      if (bytes === "too large") throw new GitError(`object ${id} is larger than the ${this.#limits.heldBytes} bytes held here`);
      const [header, type, size] =
        bytes === "broken" ? [] : (/^(commit|tree|blob|tag) ([0-9]+)\0/.exec(bytes.toString("latin1", 0, 32)) ?? []);
      if (header === undefined || typeof bytes === "string" || bytes.length !== header.length + Number(size))
        throw new GitError(`loose object ${id} (stored in .git/objects/${id.slice(0, 2)}/${id.slice(2)}) is corrupt`);
      return { object: { type: type as ObjectType, data: bytes.subarray(header.length) }, pack: undefined, stamp };
    }
    return undefined;
  }

  #looseNamesOf(first: string): ReadonlySet<string> {
    this.#looseDirectories ??= new Set(this.directories.flatMap((directory) => (this.#disk.list(directory) ?? []).map(({ name }) => name)));
    if (!this.#looseDirectories.has(first)) return NO_NAMES;
    let names = this.#looseNames.get(first);
    if (names === undefined) {
      const found = this.directories.flatMap((directory) => this.#disk.list(`${directory}/${first}`) ?? []);
      names = new Set(found.map(({ name }) => first + name).filter((id) => this.#format.isId(id)));
      this.#looseNames.set(first, names);
    }
    return names;
  }
}

/** Of bases in other packs, one behind the other. */
const MOST_DEPTH = 50;

const corrupt = (id: string, { name }: Pack): GitError =>
  new GitError(`packed object ${id} (stored in .git/objects/pack/${name}.pack) is corrupt`);

const summarized = ({ object: { type, data } }: KeptObject): ObjectSummary => ({ type, size: data.length });

const isOf = (origin: Origin | undefined, { pack, stamp }: Origin): boolean => origin?.pack === pack && origin?.stamp === stamp;

const NO_NAMES: ReadonlySet<string> = new Set();

/** The object directory and those it borrows from, each once: all inside the workspace, five deep as in git. */
function withAlternates(disk: Disk, directory: string): readonly string[] {
  const found = new Set<string>();
  const add = (place: string, depth: number): void => {
    if (found.has(place)) return;
    found.add(place);
    const listed = depth < 5 ? disk.text(`${place}/info/alternates`) : undefined;
    for (const line of (listed ?? "").split("\n")) if (line !== "" && !line.startsWith("#")) add(insideRoot(disk, place, line), depth + 1);
  };
  add(directory, 0);
  return [...found];
}

/** A path found in a repository's own files, as one relative to the workspace's root. Throws GitError where it is outside. */
export function insideRoot(disk: Disk, directory: string, path: string): string {
  if (path.startsWith("/")) {
    const inside = disk.files.fromRoot(path);
    if (inside === undefined) throw leadsOutside(disk, path);
    return normal(inside) ?? "";
  }
  const joined = normal(`${directory}/${path}`);
  if (joined === undefined) throw leadsOutside(disk, `${disk.absolute(directory)}/${path}`, path);
  return joined;
}

/** Names the directory that would hold both, unless it is at the top of the file system: a root that holds nearly everything is no way. */
function leadsOutside(disk: Disk, absolute: string, typed = absolute): GitError {
  const there = (normal(absolute) ?? "").split("/");
  const root = (normal(fromWord(disk.files.rootPath)) ?? "").split("/");
  const differs = root.findIndex((name, depth) => name !== there[depth]);
  const shared = root.slice(0, differs < 0 ? root.length : differs);
  const hint = shared.length < LEAST_SHARED ? "" : `\nhint: the root /${shared.join("/")} holds both (--root)`;
  return new GitError(`the repository leads outside the workspace: ${typed}${hint}`);
}

/** Names in the path of a root that is suggested. */
const LEAST_SHARED = 2;

/** Without `.` and `..`; undefined where it leads above the root. */
export function normal(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}
