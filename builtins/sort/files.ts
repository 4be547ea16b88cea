/** The files that sort reads, and what it says where it cannot. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { isStandardInput, openInput } from "../../src/builtin/inputs.ts";
import { quoteAlways, quoteCurly, quoteName } from "../../src/display/quote.ts";
import { toText } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { FILE_ERROR_WORDS } from "../../src/workspace/file-error-words.ts";
import { SALT_BYTES } from "./random-order.ts";

type Reader = Pick<Invocation, "files" | "stdin" | "randomBytes">;

/** What ends the stage with exit status 2; the message is GNU sort's, without its name. */
export class SortTrouble extends Error {
  override readonly name = "SortTrouble";
}

/** SortTrouble for a FileError about `file`; anything else is returned as it is. */
export function troubleOf(thrown: unknown, file: string): unknown {
  if (!(thrown instanceof FileError)) return thrown;
  const step = thrown.code === "EISDIR" || thrown.code === "EIO" ? "read failed" : "open failed";
  return new SortTrouble(`${step}: ${quoteName(file)}: ${thrown.message}`);
}

/** Throws SortTrouble for a file that cannot be read: all are looked at before any is. */
export function checkReadable({ files }: Reader, file: string): void {
  if (isStandardInput(file)) return;
  try {
    files.status(file);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new SortTrouble(`cannot read: ${quoteName(file)}: ${thrown.message}`);
  }
  if (!files.access(file, "read")) throw new SortTrouble(`cannot read: ${quoteName(file)}: ${FILE_ERROR_WORDS.EACCES}`);
}

/** The names that `list` holds, each ended by NUL. */
export async function filesNamedIn(invocation: Reader, list: string): Promise<readonly string[]> {
  const bytes = await contentOf(invocation, list, Infinity, (error) =>
    error.code === "EISDIR" || error.code === "EIO"
      ? `cannot read file names from ${quoteAlways(list)}`
      : `open failed: ${quoteName(list)}: ${error.message}`,
  );
  const names = toText(bytes).split("\0");
  if (names.at(-1) === "") names.pop();
  if (names.length === 0) throw new SortTrouble(`no input from ${quoteAlways(list)}`);
  names.forEach((name, at) => {
    if (name === "-") throw new SortTrouble("when reading file names from stdin, no file name of '-' allowed");
    if (name === "") throw new SortTrouble(`${quoteName(list)}:${at + 1}: invalid zero-length file name`);
  });
  return names;
}

/** The salt of -R: the first bytes of `source`, else bytes that nobody can foresee. */
export async function saltOf(invocation: Reader, source: string | undefined): Promise<Uint8Array> {
  if (source === undefined) return invocation.randomBytes(SALT_BYTES);
  const bytes = await contentOf(invocation, source, SALT_BYTES, (error) =>
    error.code === "EISDIR" || error.code === "EIO"
      ? `${quoteCurly(source)}: read error: ${error.message}`
      : `open failed: ${quoteName(source)}: ${error.message}`,
  );
  if (bytes.length < SALT_BYTES) throw new SortTrouble(`${quoteCurly(source)}: end of file`);
  return bytes.subarray(0, SALT_BYTES);
}

/** The first bytes of a file, at least `wanted` of them where there are so many. */
async function contentOf(invocation: Reader, file: string, wanted: number, complaint: (error: FileError) => string): Promise<Buffer> {
  const blocks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const block of openInput(invocation, file)) {
      blocks.push(Buffer.from(block));
      length += block.length;
      if (length >= wanted) break;
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new SortTrouble(complaint(thrown));
  }
  return Buffer.concat(blocks);
}
