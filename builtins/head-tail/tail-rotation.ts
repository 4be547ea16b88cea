/** Tells how a followed file has changed: appended to, truncated, rotated, or gone. */
import { isAbsolutePath } from "../../src/glob/absolute-path.ts";
import type { Invocation } from "../../src/builtin/definition.ts";
import type { FollowedFile } from "../../src/builtin/follow.ts";
import { quoteAlways } from "../../src/display/quote.ts";
import type { OpenFile } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";

/** What there is to show of one operand, and where the next look goes on. */
export interface Look {
  readonly operand: string;
  /** Bytes `from` up to `to`. */
  readonly pieces: readonly { readonly file: OpenFile; readonly from: number; readonly to: number }[];
  /** Files that were opened and have nothing to show. */
  readonly unread: readonly { readonly file: OpenFile }[];
  readonly next: FollowedFile;
  readonly failed: boolean;
  readonly note: string | undefined;
}

/** Bytes kept of a file's start and of what stands before the cursor. */
const KEPT_BYTES = 256;
/** Entries of a directory that are looked at for a rotated file. */
const MOST_ENTRIES = 10_000;
const BLOCK_BYTES = 64 * 1024;

/** Throws FileError. */
export function lookAt(invocation: Invocation, operand: string, before: FollowedFile, separator: number): Look {
  const name = quoteAlways(operand);
  const opened = openOrComplain(invocation, operand, before.inode === 0n);
  const base = { operand, unread: [], failed: false, note: undefined };
  if (opened === undefined) {
    const old = before.inode === 0n ? undefined : rotated(invocation, operand, before);
    if (old === undefined) return { ...base, pieces: [], next: before, failed: true };
    const end = old.file.status.size;
    const next = identityOf(before.path, old.file, end);
    return {
      ...base,
      ...pieceOf(old.file, before.position, end),
      next,
      note: `${name} is gone; its rest was read from ${quoteAlways(old.name)}`,
    };
  }
  const goesOn = (from: number, old?: RotatedFile, note?: string): Look => {
    const end = separatorEnd(opened, from, separator);
    const own = pieceOf(opened, from, end);
    const rest = old === undefined ? { pieces: [], unread: [] } : pieceOf(old.file, before.position, old.file.status.size);
    const openBytes = opened.status.size - end;
    const open = openBytes === 0 ? undefined : `${name}: a last line without its end (${openBytes} bytes so far) is left for the next look`;
    const said = [note, open].filter((sentence) => sentence !== undefined).join("; ");
    return {
      ...base,
      pieces: [...rest.pieces, ...own.pieces],
      unread: [...rest.unread, ...own.unread],
      next: identityOf(before.path, opened, end),
      note: said === "" ? undefined : said,
    };
  };
  if (before.inode === 0n) return goesOn(0);
  const isSame = opened.status.inode === before.inode && opened.status.device === before.device;
  if (isSame && continues(opened, before)) return goesOn(before.position);
  const old = rotated(invocation, operand, before);
  if (old !== undefined) {
    const how = isSame ? "truncated" : "rotated";
    return goesOn(0, old, `${name} was ${how}: its rest was read from ${quoteAlways(old.name)}, then the new one from its start`);
  }
  // Written anew under the same name with what it held and more, as tee -a and editors do it.
  if (!isSame && before.position > 0 && continues(opened, before)) return goesOn(before.position);
  const what = isSame ? "truncated" : "replaced";
  return goesOn(
    0,
    undefined,
    `${name} was ${what}, and what it held is not beside it under another name: shown from its start, and something may be missing before that`,
  );
}

interface RotatedFile {
  readonly name: string;
  readonly file: OpenFile;
}

/** The file as it was before, under another name in the same directory: itself, or a copy (copytruncate). */
function rotated({ files }: Invocation, operand: string, before: FollowedFile): RotatedFile | undefined {
  const slash = operand.lastIndexOf("/");
  const own = operand.slice(slash + 1);
  const [stem = own] = own.split(".");
  let directory: ReturnType<typeof files.openDirectory>;
  try {
    directory = files.openDirectory(slash < 0 ? "." : operand.slice(0, slash + 1));
  } catch (thrown) {
    if (thrown instanceof FileError) return undefined;
    throw thrown;
  }
  const copies: { name: string; modifiedNs: bigint }[] = [];
  try {
    let looked = 0;
    for (const { name, kind } of directory.entries()) {
      if (++looked > MOST_ENTRIES) break;
      if (name === own || (kind !== undefined && kind !== "file")) continue;
      const status = unlessMissing(() => directory.statusOf(name, { follow: false }));
      if (status?.kind !== "file") continue;
      if (status.inode === before.inode && status.device === before.device) {
        const file = opensAs(() => directory.openFile(name), before);
        if (file !== undefined) return { name, file };
      } else if (before.first.length > 0 && status.size >= before.position && name.startsWith(stem)) {
        copies.push({ name, modifiedNs: status.modifiedNs });
      }
    }
    for (const { name } of copies.sort((a, b) => Number(b.modifiedNs - a.modifiedNs))) {
      const file = opensAs(() => directory.openFile(name), before);
      if (file !== undefined) return { name, file };
    }
    return undefined;
  } finally {
    directory.close();
  }
}

/** The opened file where it is what had been read, and goes on. */
function opensAs(open: () => OpenFile, before: FollowedFile): OpenFile | undefined {
  const file = unlessMissing(open);
  if (file === undefined || continues(file, before)) return file;
  file.close();
  return undefined;
}

/** Whether the file still begins as it did, and holds up to the cursor what it held. */
function continues(file: OpenFile, { position, first, last }: FollowedFile): boolean {
  if (file.status.size < position) return false;
  return same(file, first, 0) && same(file, last, position - last.length);
}

const same = (file: OpenFile, expected: Uint8Array, at: number): boolean =>
  Buffer.compare(bytesAt(file, at, expected.length), expected) === 0;

/** How the file is known again, read up to `position`. */
export function identityOf(path: string, file: OpenFile, position: number): FollowedFile {
  const { device, inode } = file.status;
  const length = Math.min(position, KEPT_BYTES);
  return { path, device, inode, position, first: bytesAt(file, 0, length), last: bytesAt(file, position - length, length) };
}

function bytesAt(file: OpenFile, at: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = file.readAt(bytes.subarray(filled), at + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function pieceOf(file: OpenFile, from: number, to: number): Pick<Look, "pieces" | "unread"> {
  return from < to ? { pieces: [{ file, from, to }], unread: [] } : { pieces: [], unread: [{ file }] };
}

/** Behind the last separator at or after `from`; `from` where there is none. A line is shown when it is whole. */
export function separatorEnd(file: OpenFile, from: number, separator: number): number {
  let end = file.status.size;
  while (end > from) {
    const start = Math.max(from, end - BLOCK_BYTES);
    const at = bytesAt(file, start, end - start).lastIndexOf(separator);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return from;
}

/** Opens the operand; undefined where that fails, which is said unless it was missing before. */
export function openOrComplain(
  { files, warn }: Pick<Invocation, "files" | "warn">,
  operand: string,
  wasMissing = false,
): OpenFile | undefined {
  try {
    return files.open(operand);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    const isDirectory = thrown.code === "EISDIR";
    const action = isDirectory ? `error reading ${quoteAlways(operand)}` : `cannot open ${quoteAlways(operand)} for reading`;
    warn(`${action}: ${thrown.message}${wasMissing && thrown.code === "ENOENT" ? " (still)" : ""}`);
    return undefined;
  }
}

/** The path that a cursor keeps: from the root, so that it holds in every directory. */
export function canonicalOperand({ files }: Pick<Invocation, "files">, operand: string): string {
  const stack: string[] = [];
  const path = files.fromRoot(operand) ?? (isAbsolutePath(operand) ? operand : `${files.currentDirectory}/${operand}`);
  for (const part of path.split("/")) {
    if (part === "..") stack.pop();
    else if (part !== "" && part !== ".") stack.push(part);
  }
  const absolute = `/${stack.join("/")}`;
  return path.startsWith("/") && files.mountOf(absolute) !== undefined ? absolute : absolute.slice(1);
}

function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof FileError) return undefined;
    throw thrown;
  }
}
