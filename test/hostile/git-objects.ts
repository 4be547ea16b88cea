/** Objects, packs and indexes of a repository, written byte by byte: what git itself would never write. */
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { mkdirSync, writeFileSync } from "node:fs";

export type Type = "commit" | "tree" | "blob" | "tag";

export const idOf = (type: Type, data: Buffer): string => createHash("sha1").update(`${type} ${data.length}\0`).update(data).digest("hex");

export function treeData(entries: readonly (readonly [mode: string, name: string, id: string])[]): Buffer {
  return Buffer.concat(entries.flatMap(([mode, name, id]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]));
}

export function commitData(tree: string, parents: readonly string[] = [], message = "m\n", extra = ""): Buffer {
  const who = "A <a@example.org> 1700000000 +0000";
  return Buffer.from(
    `tree ${tree}\n${parents.map((id) => `parent ${id}\n`).join("")}author ${who}\ncommitter ${who}\n${extra}\n${message}`,
  );
}

/** Below a directory that is a repository with nothing in it but HEAD on the branch main. */
export class HostileRepository {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    for (const directory of ["objects/pack", "objects/info", "refs/heads", "info"])
      mkdirSync(`${path}/.git/${directory}`, { recursive: true });
    this.file(".git/HEAD", "ref: refs/heads/main\n");
  }

  file(name: string, bytes: Uint8Array | string): void {
    mkdirSync(`${this.path}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true });
    writeFileSync(`${this.path}/${name}`, bytes);
  }

  /** A loose object; returns its id. */
  object(type: Type, data: Buffer): string {
    const id = idOf(type, data);
    this.file(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`, deflateSync(Buffer.concat([Buffer.from(`${type} ${data.length}\0`), data])));
    return id;
  }

  /** A commit of `tree` on the branch main. */
  commit(tree: string, parents: readonly string[] = [], extra = ""): string {
    const id = this.object("commit", commitData(tree, parents, "m\n", extra));
    this.file(".git/refs/heads/main", `${id}\n`);
    return id;
  }

  pack(entries: readonly PackEntry[], name = "1"): void {
    const { pack, index } = packOf(entries);
    this.file(`.git/objects/pack/pack-${name}.pack`, pack);
    this.file(`.git/objects/pack/pack-${name}.idx`, index);
  }
}

/** Entry of a pack and its id: `bytes` from the header on. */
export interface PackEntry {
  readonly id: string;
  readonly bytes: Buffer;
}

const NUMBERS = { commit: 1, tree: 2, blob: 3, tag: 4, ofs: 6, ref: 7 } as const;

/** The type and the announced size of an entry. */
export function header(type: keyof typeof NUMBERS, size: number): Buffer {
  const bytes = [(NUMBERS[type] << 4) | (size & 15)];
  for (let left = Math.floor(size / 16); left > 0; left = Math.floor(left / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) as number) | 0x80;
    bytes.push(left % 128);
  }
  return Buffer.from(bytes);
}

/** Distance from an entry back to its base, encoded as in a pack. */
export function backTo(distance: number): Buffer {
  const bytes = [distance % 128];
  for (let left = Math.floor(distance / 128) - 1; left >= 0; left = Math.floor(left / 128) - 1) bytes.unshift((left % 128) | 0x80);
  return Buffer.from(bytes);
}

export const whole = (type: Type, data: Buffer): PackEntry => ({
  id: idOf(type, data),
  bytes: Buffer.concat([header(type, data.length), deflateSync(data)]),
});

const sizeOf = (size: number): number[] => (size < 128 ? [size] : [(size & 127) | 128, ...sizeOf(size >> 7)]);

/** A delta that copies all `length` bytes of its base (up to 65,535) and adds `added`. */
export function delta(length: number, added: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([...sizeOf(length), ...sizeOf(length + added.length), 0xb0, length & 255, length >> 8, added.length]),
    added,
  ]);
}

/** A pack of these entries in their order, and its index, whatever they hold. */
export function packOf(entries: readonly PackEntry[]): { readonly pack: Buffer; readonly index: Buffer } {
  const offsets = new Map<string, number>();
  let at = 12;
  for (const { id, bytes } of entries) {
    offsets.set(id, at);
    at += bytes.length;
  }
  const start = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
  start.writeUInt32BE(entries.length, 8);
  const ids = [...offsets.keys()].sort();
  const index = Buffer.alloc(1032 + ids.length * 28 + 40);
  index.writeUInt32BE(0xff744f63, 0);
  index.writeUInt32BE(2, 4);
  ids.forEach((id, position) => {
    for (let first = Number.parseInt(id.slice(0, 2), 16); first < 256; first++) index.writeUInt32BE(position + 1, 8 + first * 4);
    index.write(id, 1032 + position * 20, "hex");
    index.writeUInt32BE(offsets.get(id) as number, 1032 + ids.length * 24 + position * 4);
  });
  return { pack: Buffer.concat([start, ...entries.map(({ bytes }) => bytes), Buffer.alloc(20)]), index };
}

/** An index file of version 2 with `names` as files of the id `id`; `count`: what its header says. */
export function indexFile(names: readonly string[], id: string, count = names.length): Buffer {
  const start = Buffer.from("DIRC\0\0\0\x02\0\0\0\0", "latin1");
  start.writeUInt32BE(count, 8);
  const entries = names.map((name) => {
    const bytes = Buffer.from(name);
    const entry = Buffer.alloc((62 + bytes.length + 8) & ~7);
    entry.writeUInt32BE(0o100644, 24);
    entry.write(id, 40, "hex");
    entry.writeUInt16BE(Math.min(0xfff, bytes.length), 60);
    bytes.copy(entry, 62);
    return entry;
  });
  return Buffer.concat([start, ...entries, Buffer.alloc(20)]);
}
