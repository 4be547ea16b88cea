/** Opens an archive: unpacked with -z, and without it where a file begins as one of gzip does. */
import { openInput, type InputSource } from "../../src/builtin/inputs.ts";
import type { Invocation } from "../../src/builtin/definition.ts";
import { GzipFault, unpacked } from "../../src/io/gzip-members.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { ArchiveBlocks, BLOCK_SIZE, FileBytes, StreamBytes } from "./archive-blocks.ts";
import { FatalError } from "./fatal-error.ts";
import { headerState } from "./header.ts";

export interface OpenedArchive {
  readonly blocks: ArchiveBlocks;
  /** Exit status of what unpacks it: 0 as long as all is well. */
  readonly unpackerStatus: () => number;
  readonly isPacked: boolean;
}

interface Request {
  readonly archive: string;
  readonly unpacks: boolean;
  readonly stderr: (text: string) => void;
  readonly complain: (message: string) => void;
}

/** Formats by their first bytes: the flag that names each, and the program. */
const PACKED: readonly (readonly [magic: string, flag: string, program: string])[] = [
  ["\x1f\x9d", "-Z", "compress"],
  ["\x1f\x8b", "-z", "gzip"],
  ["BZh", "-j", "bzip2"],
  ["LZIP", "--lzip", "lzip"],
  ["\xffLZMA", "--lzma", "lzma"],
  ["\x5d\x00\x00", "--lzma", "lzma"],
  ["\x89LZO", "--lzop", "lzop"],
  ["\xfd7zXZ", "-J", "xz"],
  ["\x28\xb5\x2f\xfd", "--zstd", "zstd"],
];

/** Throws FatalError. */
export async function openArchive(invocation: Pick<Invocation, "files" | "stdin">, request: Request): Promise<OpenedArchive> {
  const { archive, unpacks, complain } = request;
  const source = opened(invocation, request);
  if (unpacks) return unpackedArchive(source, request);
  const isInput = archive === "-";
  const first = await beginning(source);
  // Where the first block is a header, nothing else is looked for.
  if (first.length >= BLOCK_SIZE && headerState(first.subarray(0, BLOCK_SIZE)) !== "broken") return plainArchive(source, first);
  const packed = PACKED.find(([magic]) => first.toString("latin1", 0, magic.length) === magic);
  if (packed === undefined) {
    if (first.length < BLOCK_SIZE) complain("This does not look like a tar archive");
    return plainArchive(source, first);
  }
  const [, flag, program] = packed;
  if (isInput) {
    source.close();
    throw new FatalError(`Archive is compressed. Use ${flag} option`);
  }
  if (program !== "gzip") {
    source.close();
    throw new FatalError(`${archive}: packed by ${program}, which is not unpacked here`);
  }
  if (source.file === undefined) source.unread(first);
  return unpackedArchive(source, request);
}

/** tar reads what is packed in a process of its own, whose messages say so. */
function opened(invocation: Pick<Invocation, "files" | "stdin">, { archive, unpacks, stderr }: Request): InputSource {
  try {
    return openInput(invocation, archive);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    const messages =
      thrown.code === "EISDIR"
        ? [`${archive}: Cannot read: ${thrown.message}`, "At beginning of tape, quitting now"]
        : [`${archive}: Cannot open: ${thrown.message}`];
    const last = messages.pop() as string;
    const name = unpacks ? "tar (child)" : "tar";
    for (const message of messages) stderr(`${name}: ${message}\n`);
    if (!unpacks) throw new FatalError(last);
    stderr(`tar (child): ${last}\ntar (child): Error is not recoverable: exiting now\n`);
    if (thrown.code === "EISDIR") stderr("\ngzip: stdin: unexpected end of file\n");
    throw new FatalError("Child returned status 2");
  }
}

/** At least a block from the start of `source`, where there is so much. */
async function beginning(source: InputSource): Promise<Buffer> {
  if (source.file !== undefined) {
    const block = Buffer.alloc(BLOCK_SIZE);
    return block.subarray(0, source.file.readAt(block, 0));
  }
  let first = Buffer.alloc(0);
  while (first.length < BLOCK_SIZE) {
    const more = await source.read();
    if (more === undefined) break;
    first = Buffer.concat([first, more]);
  }
  return first;
}

function plainArchive(source: InputSource, first: Buffer): OpenedArchive {
  const { file } = source;
  if (file === undefined) source.unread(first);
  const bytes = file === undefined ? new StreamBytes(source) : new FileBytes(source, file);
  return { blocks: new ArchiveBlocks(bytes), unpackerStatus: () => 0, isPacked: false };
}

function unpackedArchive(source: InputSource, { stderr }: Request): OpenedArchive {
  let status = 0;
  async function* bytes(): AsyncGenerator<Uint8Array, void> {
    try {
      yield* unpacked(source, { copiesOther: false });
    } catch (thrown) {
      if (!(thrown instanceof GzipFault)) throw thrown;
      status = thrown.exit;
      stderr(`${thrown.isApart ? "\n" : ""}gzip: stdin: ${thrown.message}\n`);
    }
  }
  return { blocks: new ArchiveBlocks(new StreamBytes(bytes())), unpackerStatus: () => status, isPacked: true };
}
