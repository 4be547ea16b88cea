/** The change of a binary file as git apply reads it: `GIT binary patch`, and both sides, each whole or as a delta of the other, in base 85. */
import type { LoadRequest } from "../commands/command.ts";
import type { Config } from "../config.ts";
import { GitError } from "../git-error.ts";
import type { Repository } from "../repository.ts";
import { deltaOf } from "./delta.ts";
import type { Print } from "./patch.ts";

/** Bytes in a line. */
const LINE_BYTES = 52;
/** Lines between two yields. */
const LINES_AT_ONCE = 1 << 10;

interface BinaryChange {
  /** Printed before the patch, once nothing is in its way. */
  readonly header: string;
  /** In messages, quoted. */
  readonly name: string;
  readonly old: Buffer;
  readonly now: Buffer;
}

/** Throws GitError where the sides are larger than what is worked on here, or the configured compression level is none. */
export function* printBinaryPatch(
  { config, limits: { heldBytes } }: Pick<Repository, "config" | "limits">,
  { header, name, old, now }: BinaryChange,
  print: Print,
): Generator<void | LoadRequest, void> {
  // The index of a side, and the streams that are made of it, take as much memory again.
  const mostBytes = Math.floor(heldBytes / 2);
  if (old.length + now.length > mostBytes)
    throw new GitError(`${name} is binary, and larger than the ${mostBytes} bytes of which a patch is made here`);
  const level = compressionLevel(config);
  let deflated: ((bytes: Uint8Array, level: number) => Generator<void, Buffer>) | undefined;
  yield {
    loading: import("./zlib-deflate.ts").then((module) => {
      deflated = module.deflated;
    }),
  };
  if (deflated === undefined) throw new Error("a binary patch went on before its code was loaded");
  print(`${header}GIT binary patch\n`);
  for (const [from, to] of [
    [old, now],
    [now, old],
  ] as const) {
    const whole = yield* deflated(to, level);
    const delta = yield* deltaOf(from, to, whole.length);
    const packed = delta === undefined ? undefined : yield* deflated(delta, level);
    if (delta === undefined || packed === undefined || packed.length >= whole.length)
      yield* printHunk(`literal ${to.length}`, whole, print);
    else yield* printHunk(`delta ${delta.length}`, packed, print);
  }
}

/** git's own where none is configured. */
const FASTEST = 1;

/** From -1, zlib's own choice, to 9. Throws GitError. */
function compressionLevel(config: Config): number {
  const name = ["core.loosecompression", "core.compression"].find((known) => config.get(known) !== undefined);
  if (name === undefined) return FASTEST;
  const text = config.get(name) ?? "";
  if (!/^[+-]?[0-9]+$/.test(text)) throw new GitError(`bad numeric config value '${text}' for '${name}': invalid unit`);
  const level = Number(text);
  if (level < -1 || level > 9) throw new GitError(`bad zlib compression level ${level}`);
  return level;
}

function* printHunk(title: string, bytes: Uint8Array, print: Print): Generator<void, void> {
  print(`${title}\n`);
  for (let at = 0; at < bytes.length; at += LINE_BYTES * LINES_AT_ONCE) {
    print(encodedLines(bytes.subarray(at, at + LINE_BYTES * LINES_AT_ONCE)));
    yield;
  }
  print("\n");
}

/** Digits of base 85, in order. */
const DIGITS = Buffer.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~");
/** Lengths of lines, from 1 on. */
const LENGTHS = Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

/** Each line is its length, and five digits for four bytes, of which the last are filled up with zeros. */
function encodedLines(bytes: Uint8Array): string {
  const text = Buffer.allocUnsafe(Math.ceil(bytes.length / LINE_BYTES) * 2 + Math.ceil(bytes.length / 4) * 5);
  let used = 0;
  for (let from = 0; from < bytes.length; from += LINE_BYTES) {
    const to = Math.min(bytes.length, from + LINE_BYTES);
    text[used++] = LENGTHS[to - from - 1] as number;
    for (let at = from; at < to; at += 4) {
      let word = 0;
      for (let byte = 0; byte < 4; byte++) word = word * 256 + (at + byte < to ? (bytes[at + byte] as number) : 0);
      for (let digit = 4; digit >= 0; digit--) {
        text[used + digit] = DIGITS[word % 85] as number;
        word = Math.floor(word / 85);
      }
      used += 5;
    }
    text[used++] = 10;
  }
  return text.toString("latin1", 0, used);
}
