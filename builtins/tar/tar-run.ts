/** A run of tar: members are listed, or printed to standard output. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { quoteInStyle } from "../../src/display/quoting-style.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { ArchiveBlocks } from "./archive-blocks.ts";
import { ArchiveReader, UNEXPECTED_END } from "./archive-reader.ts";
import { FatalError } from "./fatal-error.ts";
import type { FLAGS } from "./flags.ts";
import { escaped, Listing } from "./listing.ts";
import { endsWithSlash, type Member } from "./member.ts";
import { climbs, SaferNames, withoutComponents } from "./member-names.ts";
import { openArchive, type OpenedArchive } from "./open-archive.ts";
import type { Settings } from "./settings.ts";
import { isSparse, sparseMap } from "./sparse.ts";

/** Bytes of a hole that are printed at a time. */
const ZEROS = Buffer.alloc(1 << 16);

export class TarRun {
  readonly #invocation: Invocation<typeof FLAGS>;
  readonly #settings: Settings;
  readonly #output = new BlockBuilder();
  readonly #listing: Listing;
  readonly #safer: SaferNames;
  /** Text for standard error, which waits for what is held of the output. */
  #told = "";
  #hasFailed = false;

  constructor(invocation: Invocation<typeof FLAGS>, settings: Settings) {
    this.#invocation = invocation;
    this.#settings = settings;
    const { timeZone, characters, limits } = invocation;
    const { fullTime, numericOwner, utc, lines, absoluteNames } = settings;
    const zone = utc ? "UTC" : timeZone;
    this.#listing = new Listing({ isLong: lines === 2, fullTime, numericOwner, timeZone: zone, characters, complain: this.#complain });
    this.#safer = new SaferNames(absoluteNames, limits.heldBytes, this.#warn);
  }

  async *run(): AsyncGenerator<Uint8Array, number> {
    let archive: OpenedArchive | undefined;
    try {
      this.#lookAtDirectories();
      const { archive: name, unpacks } = this.#settings;
      const request = { archive: name, unpacks, stderr: (text: string) => void (this.#told += text), complain: this.#complain };
      archive = await openArchive(this.#invocation, request);
      const found = yield* this.#members(archive.blocks);
      if (archive.isPacked) await archive.blocks.drain();
      if (archive.unpackerStatus() !== 0) throw new FatalError(`Child returned status ${archive.unpackerStatus()}`);
      this.#tellMissing(found);
      if (this.#hasFailed) this.#warn("Exiting with failure status due to previous errors");
    } catch (thrown) {
      if (!(thrown instanceof FatalError)) throw thrown;
      this.#warn(thrown.message);
      this.#warn("Error is not recoverable: exiting now");
      this.#hasFailed = true;
    } finally {
      await archive?.blocks.close();
    }
    yield* this.#flushed();
    return this.#hasFailed ? 2 : 0;
  }

  /** Returns the names that were found, by their indexes. */
  async *#members(blocks: ArchiveBlocks): AsyncGenerator<Uint8Array, ReadonlySet<number>> {
    const { ignoreZeros, numericOwner, names, excluded, silenced } = this.#settings;
    const { limits, files } = this.#invocation;
    const reader = new ArchiveReader(blocks, {
      complain: this.#complain,
      warn: (warning, message) => silenced.has(warning) || this.#warn(message),
      passesZeros: ignoreZeros,
      numericOwner,
      heldBytes: limits.heldBytes,
      files,
    });
    const found = new Set<number>();
    for (let member = await reader.next(); member !== undefined; member = await reader.next()) {
      if (this.#told !== "") yield* this.#flushed();
      const { name } = member;
      const asked = names.findIndex(({ matches }) => matches(name));
      if (asked >= 0) found.add(asked);
      const isChosen = (names.length === 0 || asked >= 0) && !excluded.some(({ matches }) => matches(name));
      const isSought = isChosen || member.header.type === "V" || member.header.type === "M";
      if (isSought && this.#settings.prints) yield* this.#printed(member, blocks);
      else {
        if (isSought) yield* this.#listed(member);
        await this.#pass(member, blocks);
      }
      if (this.#told !== "" || this.#output.full) yield* this.#flushed();
    }
    return found;
  }

  *#listed(member: Member): Generator<Uint8Array, void> {
    this.#saferTarget(member);
    if (this.#told !== "") yield* this.#flushed();
    this.#addLine(member);
  }

  /** The name without what tar takes off its front. */
  #saferTarget(member: Member): string {
    const target = this.#safer.safer(member.name, "member");
    if (member.header.type === "1") member.linkName = this.#safer.safer(member.linkName, "link");
    return target;
  }

  #addLine(member: Member): void {
    const line = this.#listing.line(member);
    if (this.#settings.linesAside) this.#told += line;
    else this.#output.add(toBytes(line));
  }

  async #pass(member: Member, blocks: ArchiveBlocks): Promise<void> {
    let bytes = Number(member.storedBytes);
    if (isSparse(member)) bytes -= (await sparseMap(member, blocks, this.#complain)).mapBytes;
    if (member.header.type !== "5" && bytes > 0) await blocks.pass(bytes);
  }

  async *#printed(member: Member, blocks: ArchiveBlocks): AsyncGenerator<Uint8Array, void> {
    const { stripped, absoluteNames, lines } = this.#settings;
    const target = this.#saferTarget(member);
    const shortened = stripped > 0 ? withoutComponents(target, stripped) : target;
    if (shortened === "") return await this.#pass(member, blocks);
    if (!absoluteNames && climbs(member.storedName)) {
      this.#complain(`${this.#colon(member.storedName)}: Member name contains '..'`);
      return await this.#pass(member, blocks);
    }
    if (lines > 0) this.#addLine(member);
    if (!this.#isFile(member, shortened)) return await this.#pass(member, blocks);
    yield* this.#flushed();
    if (isSparse(member)) yield* this.#withHoles(member, blocks);
    else yield* this.#data(Number(member.storedBytes), Number(member.storedBytes), blocks);
  }

  /** Tells of members that tar does not print. */
  #isFile(member: Member, name: string): boolean {
    const { header } = member;
    switch (header.type) {
      case "0":
      case "\0":
      case "7":
      case "S":
        return !endsWithSlash(member);
      case "M":
        this.#complain(`${this.#colon(name)}: Cannot extract -- file is continued from another volume`);
        return false;
      case "1":
      case "2":
      case "3":
      case "4":
      case "5":
      case "6":
      case "D":
      case "V":
        return false;
      default:
        if (!this.#settings.silenced.has("unknown-cast"))
          this.#warn(`${this.#colon(name)}: Unknown file type '${header.shownType}', extracted as normal file`);
        return true;
    }
  }

  async *#withHoles(member: Member, blocks: ArchiveBlocks): AsyncGenerator<Uint8Array, void> {
    const { parts, mapBytes, isBroken } = await sparseMap(member, blocks, this.#complain);
    let left = Number(member.storedBytes) - mapBytes;
    let at = 0;
    for (const { from, bytes } of isBroken ? [] : parts) {
      for (; at < from; at += Math.min(ZEROS.length, from - at)) yield ZEROS.subarray(0, Math.min(ZEROS.length, from - at));
      yield* this.#data(bytes, left, blocks);
      left -= bytes + ((512 - (bytes % 512)) % 512);
      at = from + bytes;
    }
    if (left > 0) await blocks.pass(left);
  }

  /** `left`: bytes of the member from here on. */
  async *#data(bytes: number, left: number, blocks: ArchiveBlocks): AsyncGenerator<Uint8Array, void> {
    for (let wanted = bytes; wanted > 0; ) {
      const some = await blocks.some(wanted);
      if (this.#told !== "") yield* this.#flushed();
      if (some === undefined) {
        this.#complain(UNEXPECTED_END);
        await blocks.pass(left - (bytes - wanted));
        return;
      }
      yield some.subarray(0, Math.min(some.length, wanted));
      wanted -= some.length;
    }
  }

  /** Throws FatalError where a directory of -C is none. */
  #lookAtDirectories(): void {
    let directory = "";
    for (const next of this.#settings.directories) {
      directory = next.startsWith("/") || directory === "" ? next : `${directory}/${next}`;
      try {
        if (this.#invocation.files.status(directory).kind !== "directory") throw new FileError("ENOTDIR", directory);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        throw new FatalError(`${this.#colon(next)}: Cannot open: ${thrown.message}`);
      }
    }
  }

  #tellMissing(found: ReadonlySet<number>): void {
    let { warnsOfWildcards } = this.#settings;
    for (const [index, { text }] of this.#settings.names.entries()) {
      if (found.has(index)) continue;
      if (warnsOfWildcards && /[*?[]/.test(text)) {
        warnsOfWildcards = false;
        this.#warn("Pattern matching characters used in file names");
        this.#warn("Use --wildcards to enable pattern matching, or --no-wildcards to suppress this warning");
      }
      this.#complain(`${this.#colon(text)}: Not found in archive`);
    }
  }

  /** A name in front of a colon. */
  #colon(name: string): string {
    return this.#invocation.characters === "utf-8" ? quoteInStyle(name, "escape", ":") : escaped(name, "bytes").replaceAll(":", "\\:");
  }

  readonly #warn = (message: string): void => {
    this.#told += `tar: ${message}\n`;
  };

  readonly #complain = (message: string): void => {
    this.#hasFailed = true;
    this.#warn(message);
  };

  *#flushed(): Generator<Uint8Array, void> {
    if (!this.#output.empty) yield this.#output.take();
    if (this.#told !== "") this.#invocation.stderr(this.#told);
    this.#told = "";
  }
}
