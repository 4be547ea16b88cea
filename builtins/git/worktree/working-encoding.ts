/** gitattributes(5) `working-tree-encoding`: files of the working tree that are stored as UTF-8. */
import { GitError } from "../git-error.ts";

export interface Reencoded {
  readonly bytes: Buffer;
  /** Reason why the bytes were left unchanged, in git's words. */
  readonly error?: string;
}

/** The encoding of an attribute's value; undefined where there is nothing to do. Throws GitError. */
export function workingEncoding(value: true | false | string | undefined): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "boolean") throw new GitError("true/false are no valid working-tree-encodings");
  return /^utf-?8$/i.test(value) ? undefined : value;
}

/** `bytes` of the file `path` in UTF-8. */
export function reencoded(path: string, bytes: Buffer, encoding: string): Reencoded {
  const [, width, order, withMark] = /^UTF-?(16|32)(LE|BE)?(-BOM)?$/i.exec(encoding) ?? [];
  if (width === undefined) {
    const text = /^(iso-?8859-1|latin-?1)$/i.test(encoding) ? bytes.toString("latin1") : decoded(bytes, encoding);
    return text === undefined ? failed(path, bytes, encoding) : { bytes: Buffer.from(text) };
  }
  const mark = markOf(bytes, width);
  if (order !== undefined && withMark === undefined && mark !== undefined)
    return {
      bytes,
      error:
        `hint: The file '${path}' contains a byte order mark (BOM). Please use UTF-${width} as working-tree-encoding.\n` +
        `error: BOM is prohibited in '${path}' if encoded as ${encoding}\n`,
    };
  if (order === undefined && mark === undefined)
    return {
      bytes,
      error:
        `hint: The file '${path}' is missing a byte order mark (BOM). Please use UTF-${width}BE or UTF-${width}LE (depending on the byte order) as working-tree-encoding.\n` +
        `error: BOM is required in '${path}' if encoded as ${encoding}\n`,
    };
  const isLittle = (mark ?? order?.toUpperCase()) === "LE";
  const rest = mark === undefined ? bytes : bytes.subarray(Number(width) / 8);
  const text = width === "16" ? decoded(rest, isLittle ? "utf-16le" : "utf-16be") : decodedWide(rest, isLittle);
  return text === undefined ? failed(path, bytes, encoding) : { bytes: Buffer.from(text) };
}

const failed = (path: string, bytes: Buffer, encoding: string): Reencoded => ({
  bytes,
  error: `error: failed to encode '${path}' from ${encoding} to UTF-8\n`,
});

function markOf(bytes: Buffer, width: string): "LE" | "BE" | undefined {
  const first = bytes.toString("hex", 0, Number(width) / 8);
  if (first === (width === "16" ? "fffe" : "fffe0000")) return "LE";
  return first === (width === "16" ? "feff" : "0000feff") ? "BE" : undefined;
}

/** Undefined where the bytes are not in that encoding, or it is unknown. */
function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (thrown) {
    if (thrown instanceof TypeError || thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

function decodedWide(bytes: Buffer, isLittle: boolean): string | undefined {
  if (bytes.length % 4 !== 0) return undefined;
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 4) {
    const point = isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    if (point > 0x10_ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    parts.push(String.fromCodePoint(point));
  }
  return parts.join("");
}
