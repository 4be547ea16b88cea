/** A tar archive (POSIX ustar, with pax records for what does not fit) as git-archive(1) writes it. */
import { isLink, isRegular } from "./objects.ts";

const BLOCK = 512;
/** The whole is a multiple of this. */
const RECORD = 20 * BLOCK;
const NAME = 100;
const PREFIX = 155;

export interface TarEntry {
  /** With a slash at its end where it is a directory. */
  readonly path: string;
  readonly mode: number;
  readonly id: string;
  readonly seconds: number;
  /** Content of a file, or the target of a link. */
  readonly data: Buffer;
}

/** Blocks of an archive, as byte strings. */
export class TarWriter {
  readonly #umask: number;
  #written = 0;

  /** `umask`: permission bits that no file and no directory has. */
  constructor(umask: number) {
    this.#umask = umask;
  }

  /** The first entry, which names the commit. */
  *comment(id: string, seconds: number): Generator<string, void> {
    yield* this.#records("pax_global_header", "g", [["comment", id]], seconds);
  }

  *entry({ path, mode, id, seconds, data }: TarEntry): Generator<string, void> {
    const records: [string, string][] = [];
    let [prefix, name] = ["", path];
    if (path.length > NAME) {
      const at = slashBefore(path, PREFIX);
      if (at > 0 && path.length - at - 1 <= NAME) [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
      else {
        name = `${id}.data`;
        records.push(["path", path]);
      }
    }
    const linked = isLink(mode);
    let link = linked ? data.toString("latin1") : "";
    if (link.length > NAME) {
      records.push(["linkpath", link]);
      link = `see ${id}.paxheader`;
    }
    if (records.length > 0) yield* this.#records(`${id}.paxheader`, "x", records, seconds);
    const isFile = isRegular(mode);
    const permissions = linked ? 0o777 : (isFile && (mode & 0o100) === 0 ? 0o666 : 0o777) & ~this.#umask;
    const type = linked ? "2" : isFile ? "0" : "5";
    yield* this.#blocks(header({ name, prefix, type, link, permissions, seconds, size: isFile ? data.length : 0 }), isFile ? data : EMPTY);
  }

  *end(): Generator<string, void> {
    const rest = RECORD - (this.#written % RECORD);
    yield "\0".repeat(rest < 2 * BLOCK ? rest + RECORD : rest);
  }

  *#records(name: string, type: string, records: readonly (readonly [string, string])[], seconds: number): Generator<string, void> {
    const text = records.map(([key, value]) => paxRecord(key, value)).join("");
    const data = Buffer.from(text, "latin1");
    yield* this.#blocks(header({ name, prefix: "", type, link: "", permissions: 0o666, seconds, size: data.length }), data);
  }

  *#blocks(head: string, data: Buffer): Generator<string, void> {
    const padding = (BLOCK - (data.length % BLOCK)) % BLOCK;
    this.#written += BLOCK + data.length + padding;
    yield head;
    if (data.length > 0) yield data.toString("latin1") + "\0".repeat(padding);
  }
}

const EMPTY = Buffer.alloc(0);

/** The last slash that leaves no more than `most` before it, and something behind it; 0 where there is none. */
function slashBefore(path: string, most: number): number {
  let at = Math.min(path.endsWith("/") ? path.length - 1 : path.length, most);
  do at--;
  while (at > 0 && path[at] !== "/");
  return at;
}

/** "LENGTH KEY=VALUE\n", where the length counts itself. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return `${length}${rest}`;
}

interface HeaderFields {
  readonly name: string;
  readonly prefix: string;
  readonly type: string;
  readonly link: string;
  readonly permissions: number;
  readonly seconds: number;
  readonly size: number;
}

function header({ name, prefix, type, link, permissions, seconds, size }: HeaderFields): string {
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`;
  const text = (value: string, length: number): string => value.padEnd(length, "\0");
  const before = text(name, NAME) + octal(permissions, 7) + octal(0, 7) + octal(0, 7) + octal(size, 11) + octal(seconds, 11);
  const after = `${type}${text(link, NAME)}ustar\0${"00"}${text("root", 32)}${text("root", 32)}${octal(0, 7)}${octal(0, 7)}${text(prefix, PREFIX)}`;
  let sum = 8 * 32;
  for (const part of [before, after]) for (let at = 0; at < part.length; at++) sum += part.charCodeAt(at);
  return text(before + octal(sum, 7) + after, BLOCK);
}
