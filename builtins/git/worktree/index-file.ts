/** The index, versions 2 to 4 (gitformat-index(5)). */
import type { PathList } from "../../../src/workspace/contract.ts";
import { GitError } from "../git-error.ts";
import { readRange } from "../objects/disk.ts";
import type { Repository } from "../repository.ts";
import { KEPT_INDEXES, type IndexVersion } from "./kept-indexes.ts";
import { knownTrees, type KnownTree } from "./known-trees.ts";

const HEADER_BYTES = 12;
/** In an entry: where its id begins, and how long the flags behind that are. */
const ID_AT = 40;
const FLAG_BYTES = 2;

/** Words kept for an entry: its offset in the bytes, begin and end of its name, the rest of its flags. */
const PLACE_WORDS = 4;

/** An IndexEntry, and its place in a list. */
const ENTRY_BYTES = 32;

/** One file of the index, read out of the bytes as it is asked. */
export class IndexEntry {
  readonly #index: IndexFile;
  readonly #number: number;

  constructor(index: IndexFile, number: number) {
    this.#index = index;
    this.#number = number;
  }

  get name(): string {
    return this.#index.nameAt(this.#number);
  }

  get mode(): number {
    return this.#index.wordAt(this.#number, 24);
  }

  get id(): string {
    return this.#index.idAt(this.#number);
  }

  /** 0, or 1–3 of a conflict. */
  get stage(): number {
    return (this.#flags >> 12) & 3;
  }

  get size(): number {
    return this.#index.wordAt(this.#number, 36);
  }

  get modifiedSeconds(): number {
    return this.#index.wordAt(this.#number, 8);
  }

  get modifiedNanoseconds(): number {
    return this.#index.wordAt(this.#number, 12);
  }

  get assumedUnchanged(): boolean {
    return (this.#flags & 0x8000) !== 0;
  }

  get intentToAdd(): boolean {
    return (this.#index.moreFlagsAt(this.#number) & 0x2000) !== 0;
  }

  get skipsWorktree(): boolean {
    return (this.#index.moreFlagsAt(this.#number) & 0x4000) !== 0;
  }

  /** Times, device, file number and owners, as stat(2) said them when the entry was written: the words before and behind the mode. */
  get stat(): readonly number[] {
    return STAT_WORDS.map((at) => this.#index.wordAt(this.#number, at));
  }

  /** The flags without the length of the name; those of version 3 are in the upper half. */
  get flags(): number {
    return ((this.#flags & 0xf000) | (this.#index.moreFlagsAt(this.#number) << 16)) >>> 0;
  }

  get #flags(): number {
    return this.#index.flagsAt(this.#number);
  }
}

/** Offsets in an entry: seconds and nanoseconds of ctime and of mtime, device, file number, user, group, size. */
const STAT_WORDS: readonly number[] = [0, 4, 8, 12, 16, 20, 28, 32, 36];

/** An entry of the index, or of what stands in its place. */
export type EntryFacts = Readonly<Pick<IndexEntry, keyof IndexEntry>>;

export class IndexFile {
  readonly count: number;
  /** Time at which the index was written, in nanoseconds: a file as new as that is compared by its content. */
  readonly writtenNs: bigint;
  /** By path with a slash at the end; "" is the whole. */
  readonly trees: ReadonlyMap<string, KnownTree>;
  /** Some file has a stage. */
  readonly hasConflicts: boolean;
  readonly #bytes: Buffer;
  readonly #idBytes: number;
  readonly #places: Uint32Array;
  /** All names of version 4, which stores but the ends; of others they are parts of one text, which cost nothing to make. */
  readonly #names: readonly string[] | string;
  #entries: readonly IndexEntry[] | undefined;

  constructor({ bytes, idBytes, places, names, hasConflicts }: StoredEntries, trees: ReadonlyMap<string, KnownTree>, writtenNs: bigint) {
    this.count = places.length / PLACE_WORDS;
    this.writtenNs = writtenNs;
    this.trees = trees;
    this.hasConflicts = hasConflicts;
    this.#bytes = bytes;
    this.#idBytes = idBytes;
    this.#places = places;
    this.#names = names;
  }

  /** Approximate memory that it takes. */
  get heldBytes(): number {
    const text = typeof this.#names === "string" ? this.#names.length : this.#bytes.length * 2;
    return this.#bytes.length + text + this.#places.byteLength + this.count * ENTRY_BYTES;
  }

  /** All of them, in order of their names: where each is looked at, `at` costs less. */
  get entries(): readonly IndexEntry[] {
    return (this.#entries ??= Array.from({ length: this.count }, (_, number) => new IndexEntry(this, number)));
  }

  at(number: number): IndexEntry | undefined {
    return number < this.count ? new IndexEntry(this, number) : undefined;
  }

  /** Of an entry that there is. */
  nameAt(number: number): string {
    const names = this.#names;
    const place = number * PLACE_WORDS;
    return typeof names === "string" ? names.slice(this.#places[place + 1], this.#places[place + 2]) : (names[number] as string);
  }

  /**
   * The names of the entries `from` to `to` (exclusive), `end` behind each; undefined where one holds a byte of which `isPlain` is 0,
   * or they are not stored whole.
   */
  namesText(from: number, to: number, end: number, isPlain: Uint8Array): string | undefined {
    if (typeof this.#names !== "string") return undefined;
    const bytes = this.#bytes;
    const places = this.#places;
    let size = to - from;
    for (let place = from * PLACE_WORDS; place < to * PLACE_WORDS; place += PLACE_WORDS)
      size += (places[place + 2] as number) - (places[place + 1] as number);
    const text = Buffer.allocUnsafe(size);
    let used = 0;
    for (let place = from * PLACE_WORDS; place < to * PLACE_WORDS; place += PLACE_WORDS) {
      const nameEnd = places[place + 2] as number;
      for (let at = places[place + 1] as number; at < nameEnd; at++) {
        const byte = bytes[at] as number;
        if (isPlain[byte] === 0) return undefined;
        text[used++] = byte;
      }
      text[used++] = end;
    }
    return text.toString("latin1", 0, used);
  }

  /** The names of some entries, by their numbers, where they lie. */
  pathsOf(numbers: Uint32Array): PathList {
    const names = this.#names;
    const bounds = new Uint32Array(numbers.length * 2);
    if (typeof names === "string") {
      for (let at = 0; at < numbers.length; at++) {
        const place = (numbers[at] as number) * PLACE_WORDS;
        bounds[at * 2] = this.#places[place + 1] as number;
        bounds[at * 2 + 1] = this.#places[place + 2] as number;
      }
      return { bytes: this.#bytes, bounds };
    }
    let text = "";
    for (let at = 0; at < numbers.length; at++) {
      bounds[at * 2] = text.length;
      text += names[numbers[at] as number];
      bounds[at * 2 + 1] = text.length;
    }
    return { bytes: Buffer.from(text, "latin1"), bounds };
  }

  idAt(number: number): string {
    const at = this.#places[number * PLACE_WORDS] as number;
    return this.#bytes.toString("hex", at + ID_AT, at + ID_AT + this.#idBytes);
  }

  /** Half a word: whether it is assumed unchanged, its stage, and the length of its name. */
  flagsAt(number: number): number {
    const at = (this.#places[number * PLACE_WORDS] as number) + ID_AT + this.#idBytes;
    return ((this.#bytes[at] as number) << 8) | (this.#bytes[at + 1] as number);
  }

  moreFlagsAt(number: number): number {
    return this.#places[number * PLACE_WORDS + 3] as number;
  }

  /** Not in conflict, not left out, not to be added. */
  isUsual(number: number): boolean {
    return (this.flagsAt(number) & 0xb000) === 0 && this.moreFlagsAt(number) === 0;
  }

  /** Four bytes, `from` bytes into an entry. */
  wordAt(number: number, from: number): number {
    const bytes = this.#bytes;
    const at = (this.#places[number * PLACE_WORDS] as number) + from;
    const high = ((bytes[at] as number) << 24) | ((bytes[at + 1] as number) << 16);
    return (high | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)) >>> 0;
  }

  /** The number of the first entry whose name is not before `name`. */
  lowerBound(name: string): number {
    let low = 0;
    for (let high = this.count; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.nameAt(middle) < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** End of the entries whose names begin with `prefix`, as that of `from` does. */
  endOf(prefix: string, from: number): number {
    const belongs = (number: number): boolean => number < this.count && this.nameAt(number).startsWith(prefix);
    let step = 1;
    while (belongs(from + step)) step *= 2;
    let low = from + Math.trunc(step / 2);
    for (let high = from + step; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (belongs(middle)) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}

interface StoredEntries {
  readonly bytes: Buffer;
  readonly idBytes: number;
  /** PLACE_WORDS of each. */
  readonly places: Uint32Array;
  readonly names: readonly string[] | string;
  readonly hasConflicts: boolean;
}

/** Without any file. */
export const emptyIndex = (): IndexFile =>
  new IndexFile({ bytes: Buffer.alloc(0), idBytes: 0, places: new Uint32Array(0), names: "", hasConflicts: false }, new Map(), 0n);

/** Throws GitError where it is malformed. An index that is not there is empty. It is read once. */
export const readIndex = (repository: Repository): IndexFile => repository.index(() => currentIndex(repository));

/** The entry of a file that is not in conflict. */
export function entryOf(index: IndexFile, path: string): IndexEntry | undefined {
  const found = index.at(index.lowerBound(path));
  return found?.name === path && found.stage === 0 ? found : undefined;
}

/** True if the index has the file, in conflict or not. */
export function hasEntry(index: IndexFile, path: string): boolean {
  return index.at(index.lowerBound(path))?.name === path;
}

/** The name under which the index would have what is listed as a directory ("dir/"). */
export const withoutSlash = (path: string): string => (path.endsWith("/") ? path.slice(0, -1) : path);

/** The entry of a file at a stage. */
export function entryAtStage(index: IndexFile, path: string, stage: number): IndexEntry | undefined {
  for (let number = index.lowerBound(path); number < index.count && index.nameAt(number) === path; number++) {
    const entry = index.at(number);
    if (entry?.stage === stage) return entry;
  }
  return undefined;
}

function currentIndex(repository: Repository): IndexFile {
  const path = `${repository.gitDirectory}/index`;
  const file = repository.disk.openHeld(path);
  if (file === undefined) return emptyIndex();
  const { idBytes } = repository.format;
  let version: IndexVersion;
  try {
    const { size, status } = file;
    version = { path, status, checksum: readRange(file, Math.max(0, size - idBytes), size), readMs: repository.clock.nowMs };
    const kept = repository.kept.of(KEPT_INDEXES).find(version);
    if (kept !== undefined) {
      file.close();
      return kept;
    }
  } catch (thrown) {
    file.close();
    throw thrown;
  }
  const bytes = repository.disk.readHeld(file, path);
  const index = parsedIndex(bytes, idBytes, version.status.modifiedNs);
  if (bytes.subarray(-idBytes).equals(version.checksum)) repository.kept.of(KEPT_INDEXES).keep(version, index);
  return index;
}

/** Throws GitError. */
function parsedIndex(bytes: Buffer, idBytes: number, writtenNs: bigint): IndexFile {
  const fixedBytes = ID_AT + idBytes + FLAG_BYTES;
  if (bytes.length < HEADER_BYTES + idBytes) throw new GitError(".git/index: index file smaller than expected");
  if (bytes.toString("latin1", 0, 4) !== "DIRC")
    throw new GitError("index file corrupt", {
      prefix: `error: bad signature 0x${bytes.readUInt32BE(0).toString(16).padStart(8, "0")}\nfatal: `,
    });
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) throw new GitError("index file corrupt", { prefix: `error: bad index version ${version}\nfatal: ` });
  const count = bytes.readUInt32BE(8);
  const end = bytes.length - idBytes;
  const corrupt = (): GitError => new GitError("index file corrupt");
  // An entry takes so many bytes and its name: no more is made room for than there is.
  if (count > (end - HEADER_BYTES) / fixedBytes) throw corrupt();
  const places = new Uint32Array(count * PLACE_WORDS);
  const names: string[] = [];
  let hasConflicts = false;
  let at = HEADER_BYTES;
  let previous = "";
  for (let number = 0, place = 0; number < count; number++, place += PLACE_WORDS) {
    if (at + fixedBytes > end) throw corrupt();
    const start = at;
    at += fixedBytes;
    const flags = ((bytes[at - 2] as number) << 8) | (bytes[at - 1] as number);
    if ((flags & 0x3000) !== 0) hasConflicts = true;
    places[place] = start;
    if ((flags & 0x4000) !== 0) {
      places[place + 3] = bytes.readUInt16BE(at);
      at += 2;
    }
    if (version === 4) {
      let strip = 0;
      for (let byte = bytes[at++] as number; ; byte = bytes[at++] as number) {
        strip += byte & 0x7f;
        if ((byte & 0x80) === 0) break;
        strip = (strip + 1) * 128;
        if (at >= end) throw corrupt();
      }
      const zero = bytes.indexOf(0, at);
      if (zero < 0 || zero > end || strip > previous.length) throw corrupt();
      previous = previous.slice(0, previous.length - strip) + bytes.toString("latin1", at, zero);
      names.push(previous);
      at = zero + 1;
    } else {
      // The length is among the flags, unless it is too long for them.
      const length = flags & 0xfff;
      const zero = length < 0xfff && bytes[at + length] === 0 ? at + length : bytes.indexOf(0, at);
      if (zero < 0 || zero > end) throw corrupt();
      places[place + 1] = at;
      places[place + 2] = zero;
      at = start + ((zero - start + 8) & ~7);
    }
  }
  const stored = { bytes, idBytes, places, names: version === 4 ? names : bytes.toString("latin1", 0, end), hasConflicts };
  return new IndexFile(stored, knownTrees(bytes, idBytes, at, end), writtenNs);
}
