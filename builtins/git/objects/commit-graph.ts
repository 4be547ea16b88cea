/**
 * The commit-graph (gitformat-commit-graph(5)): trees, parents and dates of commits, without reading the commits. It only
 * saves work: where it is malformed, or says of a commit what cannot be, it is not used.
 */
import type { PathFilter } from "./changed-paths.ts";
import type { Disk } from "./disk.ts";
import { GitError } from "../git-error.ts";
import type { ObjectFormat } from "./object-format.ts";

export interface GraphEntry {
  readonly tree: string;
  readonly parents: readonly string[];
  /** Time of the commit, in seconds since the epoch. */
  readonly seconds: number;
}

const HEADER_BYTES = 8;
const CHUNK_BYTES = 12;
/** Parents, generation and date, which follow the tree's id. */
const FACT_BYTES = 16;
const NO_PARENT = 0x7000_0000;
const MORE_PARENTS = 0x8000_0000;
/** No merge has more; a longer list is malformed. */
const MOST_PARENTS = 4096;
/** Parents whose places are kept. */
const MOST_TOLD = 1 << 12;
const FILTER_HEADER_BYTES = 12;
/** Times that a filter is asked for one path: git writes 7. */
const MOST_HASHES = 64;
/** Files of a chain. */
const MOST_LAYERS = 64;

/** A file of the graph; positions count on from those of the files below it. */
interface Layer {
  readonly bytes: Buffer;
  readonly idBytes: number;
  readonly first: number;
  readonly count: number;
  readonly fans: number;
  readonly ids: number;
  readonly data: number;
  /** Parents beyond the second; undefined where there are none. */
  readonly edges: { readonly from: number; readonly to: number } | undefined;
  /** Of changed paths: where the ends of the commits' filters stand, and the filters; undefined where there are none. */
  readonly filters: { readonly ends: number; readonly from: number; readonly to: number; readonly hashes: number } | undefined;
}

export class CommitGraph {
  readonly #layers: readonly Layer[];
  /** Places of parents that were returned: they are asked for next. */
  readonly #places = new Map<string, { readonly layer: Layer; readonly place: number }>();
  #isBroken = false;

  private constructor(layers: readonly Layer[]) {
    this.#layers = layers;
  }

  /** Size in bytes of the graph in `directory` (`objects`); 0 without a graph. */
  static sizeIn(disk: Disk, directory: string, format: ObjectFormat): number {
    let size = 0;
    for (const path of pathsIn(disk, directory, format)) size += disk.status(path, true)?.size ?? 0;
    return size;
  }

  /** Undefined where there is none, or it is malformed. */
  static open(disk: Disk, directory: string, format: ObjectFormat): CommitGraph | undefined {
    const layers: Layer[] = [];
    for (const path of pathsIn(disk, directory, format)) {
      const last = layers.at(-1);
      const layer = readLayer(disk, path, format, layers.length, last === undefined ? 0 : last.first + last.count);
      if (layer === undefined) return undefined;
      layers.push(layer);
    }
    return layers.length === 0 ? undefined : new CommitGraph(layers);
  }

  /** Undefined where the graph does not know the commit. */
  find(id: string): GraphEntry | undefined {
    if (this.#isBroken) return undefined;
    const told = this.#places.get(id);
    if (told !== undefined) {
      this.#places.delete(id);
      return this.#told(told.layer, told.place);
    }
    for (const layer of this.#layers) {
      const at = placeOf(layer, id);
      if (at === undefined) continue;
      return this.#told(layer, at);
    }
    return undefined;
  }

  /** The filter of the paths that the commit changed against its first parent; undefined where there is none. */
  filterOf(id: string): PathFilter | undefined {
    for (const layer of this.#layers) {
      const place = layer.filters === undefined ? undefined : placeOf(layer, id);
      if (place !== undefined) return filterAt(layer, place);
    }
    return undefined;
  }

  #told(layer: Layer, place: number): GraphEntry | undefined {
    const entry = this.#entry(layer, place);
    if (entry === undefined) this.#isBroken = true;
    return entry;
  }

  #entry(layer: Layer, place: number): GraphEntry | undefined {
    const { bytes, idBytes, edges } = layer;
    const at = layer.data + place * (idBytes + FACT_BYTES);
    const positions: number[] = [];
    const [first, second] = [bytes.readUInt32BE(at + idBytes), bytes.readUInt32BE(at + idBytes + 4)];
    if (first !== NO_PARENT) positions.push(first);
    if (second >= MORE_PARENTS) {
      if (edges === undefined) return undefined;
      for (let edge = edges.from + (second - MORE_PARENTS) * 4; ; edge += 4) {
        if (edge + 4 > edges.to || positions.length > MOST_PARENTS) return undefined;
        const position = bytes.readUInt32BE(edge);
        positions.push(position % MORE_PARENTS);
        if (position >= MORE_PARENTS) break;
      }
    } else if (second !== NO_PARENT) positions.push(second);
    const parents: string[] = [];
    const generation = generationOf(layer, place);
    for (const position of positions) {
      const parent = this.#layers.find(({ first: from, count }) => position >= from && position < from + count);
      // Each is further from the roots than its parents: so no commit is its own ancestor.
      if (parent === undefined || generationOf(parent, position - parent.first) >= generation) return undefined;
      const id = idAt(parent, position - parent.first);
      parents.push(id);
      if (this.#places.size < MOST_TOLD) this.#places.set(id, { layer: parent, place: position - parent.first });
    }
    const date = bytes.readUInt32BE(at + idBytes + 8);
    const seconds = (date & 3) * 2 ** 32 + bytes.readUInt32BE(at + idBytes + 12);
    return {
      // Few that walk commits ask for it.
      get tree() {
        return bytes.toString("hex", at, at + idBytes);
      },
      parents,
      seconds,
    };
  }
}

/** The files from the lowest up. */
function pathsIn(disk: Disk, directory: string, format: ObjectFormat): readonly string[] {
  const single = `${directory}/info/commit-graph`;
  if (disk.status(single, true)?.kind === "file") return [single];
  const chain = `${directory}/info/commit-graphs`;
  const names = (readable(() => disk.text(`${chain}/commit-graph-chain`)) ?? "").split("\n").filter((line) => line !== "");
  const isChain = names.length <= MOST_LAYERS && names.every((name) => format.isId(name));
  return isChain ? names.map((name) => `${chain}/graph-${name}.graph`) : [];
}

/** Undefined where the file is larger than what is held. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof GitError)) throw thrown;
    return undefined;
  }
}

function readLayer(disk: Disk, path: string, format: ObjectFormat, below: number, first: number): Layer | undefined {
  const { idBytes } = format;
  const bytes = readable(() => disk.read(path));
  if (bytes === undefined || bytes.length < HEADER_BYTES + CHUNK_BYTES + idBytes) return undefined;
  // The signature, version 1, the hash, and how many files are below.
  if (bytes.toString("latin1", 0, 4) !== "CGPH" || bytes[4] !== 1 || bytes[5] !== format.hashVersion || bytes[7] !== below)
    return undefined;
  const end = bytes.length - idBytes;
  if (!format.checksumOf(bytes.subarray(0, end)).equals(bytes.subarray(end))) return undefined;
  const chunks = new Map<string, { readonly from: number; readonly to: number }>();
  const chunkCount = bytes[6] as number;
  const table = HEADER_BYTES + (chunkCount + 1) * CHUNK_BYTES;
  if (table > end) return undefined;
  for (let chunk = 0, from = 0; chunk <= chunkCount; chunk++) {
    const at = HEADER_BYTES + chunk * CHUNK_BYTES;
    const to = Number(bytes.readBigUInt64BE(at + 4));
    if (to < Math.max(table, from) || to > end) return undefined;
    if (chunk > 0) chunks.set(bytes.toString("latin1", at - CHUNK_BYTES, at - CHUNK_BYTES + 4), { from, to });
    from = to;
  }
  const [fans, ids, data] = [chunks.get("OIDF"), chunks.get("OIDL"), chunks.get("CDAT")];
  if (fans === undefined || ids === undefined || data === undefined || fans.to - fans.from !== 1024) return undefined;
  for (let at = fans.from + 4; at < fans.to; at += 4) if (bytes.readUInt32BE(at) < bytes.readUInt32BE(at - 4)) return undefined;
  const count = bytes.readUInt32BE(fans.to - 4);
  if (ids.to - ids.from !== count * idBytes || data.to - data.from !== count * (idBytes + FACT_BYTES)) return undefined;
  const filters = filtersIn(bytes, count, chunks.get("BIDX"), chunks.get("BDAT"));
  return { bytes, idBytes, first, count, fans: fans.from, ids: ids.from, data: data.from, edges: chunks.get("EDGE"), filters };
}

type Chunk = { readonly from: number; readonly to: number } | undefined;

/** Those of version 1 of the hash; undefined where there are none. */
function filtersIn(bytes: Buffer, count: number, ends: Chunk, data: Chunk): Layer["filters"] {
  if (ends === undefined || data === undefined) return undefined;
  if (ends.to - ends.from !== count * 4 || data.to - data.from < FILTER_HEADER_BYTES) return undefined;
  const [version, hashes] = [bytes.readUInt32BE(data.from), bytes.readUInt32BE(data.from + 4)];
  if (version !== 1 || hashes > MOST_HASHES) return undefined;
  return { ends: ends.from, from: data.from + FILTER_HEADER_BYTES, to: data.to, hashes };
}

/** Undefined where the commit's was not computed, or is malformed. */
function filterAt({ bytes, filters }: Layer, place: number): PathFilter | undefined {
  if (filters === undefined) return undefined;
  const from = filters.from + (place === 0 ? 0 : bytes.readUInt32BE(filters.ends + (place - 1) * 4));
  const to = filters.from + bytes.readUInt32BE(filters.ends + place * 4);
  return from < to && to <= filters.to ? { bytes, from, to, hashes: filters.hashes } : undefined;
}

const idAt = ({ bytes, idBytes, ids }: Layer, place: number): string =>
  bytes.toString("hex", ids + place * idBytes, ids + (place + 1) * idBytes);

const generationOf = ({ bytes, idBytes, data }: Layer, place: number): number =>
  bytes.readUInt32BE(data + place * (idBytes + FACT_BYTES) + idBytes + 8) >>> 2;

function placeOf(layer: Layer, id: string): number | undefined {
  const { bytes, idBytes, fans, ids } = layer;
  const start = Number.parseInt(id.slice(0, 2), 16);
  const wanted = Number.parseInt(id.slice(0, 8), 16);
  let low = start === 0 ? 0 : bytes.readUInt32BE(fans + (start - 1) * 4);
  const end = bytes.readUInt32BE(fans + start * 4);
  for (let high = end; low < high; ) {
    const middle = (low + high) >>> 1;
    const found = bytes.readUInt32BE(ids + middle * idBytes);
    if (found < wanted || (found === wanted && idAt(layer, middle) < id)) low = middle + 1;
    else high = middle;
  }
  return low < end && idAt(layer, low) === id ? low : undefined;
}
