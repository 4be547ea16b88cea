/** A run of unzip or zipinfo on one archive. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { compileGlob } from "../../src/glob/glob-match.ts";
import { crc32 } from "../../src/io/crc32.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { byteLengthOf, toBytes, toText } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { ByteFile } from "./byte-file.ts";
import { directoryEntries, endRecord, extraFields, unicodeName, type EndRecord, type Entry } from "./central-directory.ts";
import { CoveredParts } from "./covered.ts";
import { CENTRAL_BROKEN_HINT, NO_DIRECTORY } from "./messages.ts";
import { inflated, stored } from "./member-data.ts";
import { EntryLines, HEADINGS, methodName, shownComment, shownName, shownPackedSize, totalLine } from "./member-line.ts";
import type { Settings } from "./settings.ts";

/** Exit statuses of Info-ZIP. */
const STATUS = { warning: 1, error: 2, broken: 3, password: 5, noArchive: 9, notFound: 11, bomb: 12, end: 51, unsupported: 81 } as const;

/** unzip reads so many entries before it unpacks them. */
const GROUP_ENTRIES = 64;

/** Ends the run with its status. */
class Stop extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Wanted = (entry: Entry) => boolean;

export class UnzipRun {
  readonly #invocation: Pick<Invocation, "files" | "stderr" | "timeZone" | "name">;
  readonly #settings: Settings;
  readonly #output = new BlockBuilder();
  #told = "";
  /** Of the members, and of the archive around them. */
  #status = 0;
  #archiveStatus = 0;
  readonly #found = new Set<number>();
  readonly #leftOut = new Set<number>();

  constructor(invocation: Pick<Invocation, "files" | "stderr" | "timeZone" | "name">, settings: Settings) {
    this.#invocation = invocation;
    this.#settings = settings;
  }

  async *run(): AsyncGenerator<Uint8Array, number> {
    const { archive } = this.#settings;
    let hasFile = false;
    for (const path of [archive, `${archive}.zip`, `${archive}.ZIP`]) {
      const file = this.#opened(path);
      if (file === undefined) continue;
      hasFile = true;
      try {
        if (!this.#settings.isQuiet) this.#print(`Archive:  ${path}\n`);
        const end = endRecord(file);
        if (end === undefined) {
          if (this.#settings.isQuiet) this.#tell(`[${path}]\n`);
          this.#tell(NO_DIRECTORY);
          continue;
        }
        yield* this.#archive(file, path, end);
        return Math.max(this.#status, this.#archiveStatus);
      } catch (thrown) {
        if (!(thrown instanceof Stop)) throw thrown;
        this.#tell(thrown.message);
        yield* this.#flushed();
        return thrown.status;
      } finally {
        file.close();
      }
    }
    this.#tellMissing(archive, hasFile);
    yield* this.#flushed();
    return STATUS.noArchive;
  }

  #opened(path: string): ByteFile | undefined {
    try {
      return new ByteFile(this.#invocation.files.open(path));
    } catch (thrown) {
      if (thrown instanceof FileError) return undefined;
      throw thrown;
    }
  }

  #tellMissing(archive: string, hasFile: boolean): void {
    const { action } = this.#settings;
    if (action === "print") return;
    const name = action === "names" ? "zipinfo" : "unzip";
    if (!hasFile) this.#tell(`${name}:  cannot find or open ${archive}, ${archive}.zip or ${archive}.ZIP.\n`);
    else
      this.#tell(
        `${name}:  cannot find zipfile directory in one of ${archive} or\n${" ".repeat(name.length + 3)}${archive}.zip, and cannot find ${archive}.ZIP, period.\n`,
      );
  }

  async *#archive(file: ByteFile, path: string, end: EndRecord): AsyncGenerator<Uint8Array, void> {
    const { action, isQuiet } = this.#settings;
    if (!isQuiet && end.comment.length > 0) {
      this.#print(shownComment(end.comment, !end.isCut));
      if (end.isCut) {
        yield* this.#flushed();
        this.#tell("\ncaution:  zipfile comment truncated\n");
        this.#archiveStatus = STATUS.warning;
      }
    }
    const extra = end.position - end.directoryOffset - end.directorySize;
    if (extra < 0)
      throw new Stop(
        STATUS.broken,
        `error [${path}]:  missing ${-extra} bytes in zipfile\n  (attempting to process anyway)\nerror [${path}]:  attempt to seek before beginning of zipfile\n${CENTRAL_BROKEN_HINT}`,
      );
    if (extra > 0) {
      this.#tell(
        `warning [${path}]:  ${extra} extra byte${extra === 1 ? "" : "s"} at beginning or within zipfile\n  (attempting to process anyway)\n`,
      );
      this.#archiveStatus = STATUS.warning;
    }
    if (end.directoryOffset === 0 && end.directorySize === 0) {
      if (action === "names") this.#print("Empty zipfile.\n");
      else this.#tell(`warning [${path}]:  zipfile is empty\n`);
      this.#raise(STATUS.warning);
    } else {
      const entries = this.#entries(file, end, extra);
      if (action === "print" || action === "test") yield* this.#unpack(file, path, entries, end, extra);
      else yield* this.#list(entries);
    }
    yield* this.#flushed();
  }

  /** Yields the entries, and tells of an end that is none. */
  *#entries(file: ByteFile, end: EndRecord, extra: number): Generator<Entry, void> {
    const state = yield* directoryEntries(file, end.directoryOffset + extra, end);
    if (state === "good") return;
    const number = this.#counted + 1;
    throw new Stop(STATUS.broken, `error:  expected central file header signature not found (file #${number}).\n${CENTRAL_BROKEN_HINT}`);
  }

  /** Entries listed or to be unpacked, by which unzip numbers one that is broken. */
  #counted = 0;
  #lastNumber = 0;

  /** Entries in order, each looked at for what cannot be read. */
  *#readable(entries: Iterable<Entry>): Generator<Entry, void> {
    for (const entry of entries) {
      this.#lastNumber = entry.number;
      if (entry.hasWrongUnicodeName && this.#settings.action !== "names") this.#tell("\nwarning:  Unicode Path checksum invalid\n");
      // unzip turns the characters of other systems into those of ISO 8859-1, and an empty name into the one before it.
      if (entry.host !== UNIX && /[^\0-\x7f]/.test(entry.name))
        throw new Stop(
          STATUS.unsupported,
          `${this.#invocation.name}: ${shownName(entry.name)}: a name in the characters of another system is not read here\n`,
        );
      if (entry.name === "")
        throw new Stop(STATUS.broken, `${this.#invocation.name}: file #${entry.number} has no name, and is not read here\n`);
      yield entry;
    }
  }

  #wants(): Wanted {
    const { members, excluded, ignoreCase } = this.#settings;
    const compiled = (texts: readonly string[]) => texts.map((text) => compileGlob(text, { caseFold: ignoreCase }));
    const [included, without] = [compiled(members), compiled(excluded)];
    return ({ name }) => {
      const asked = included.findIndex((glob) => glob.matches(name));
      if (included.length > 0 && asked < 0) return false;
      const against = without.findIndex((glob) => glob.matches(name));
      if (asked >= 0) this.#found.add(asked);
      if (against >= 0) this.#leftOut.add(against);
      return against < 0;
    };
  }

  *#list(entries: Iterable<Entry>): Generator<Uint8Array, void> {
    const { action, quiet } = this.#settings;
    const wants = this.#wants();
    const lines = new EntryLines(this.#invocation.timeZone);
    const form = action === "long" ? "long" : "short";
    if (action !== "names" && quiet < 2) this.#print(HEADINGS[form]);
    const total = { files: 0, size: 0n, packed: 0n };
    for (const entry of this.#readable(entries)) {
      this.#counted++;
      if (!wants(entry)) continue;
      if (entry.hasWrongUnicodeName && action === "names") this.#tell("\nwarning:  Unicode Path checksum invalid\n");
      total.files++;
      total.size += entry.size;
      total.packed += shownPackedSize(entry);
      if (action === "names") this.#print(`${shownName(entry.name)}\n`);
      else {
        this.#print(lines[form](entry));
        if (entry.comment.length > 0 && quiet === 0) this.#print(shownComment(entry.comment));
      }
      if (this.#output.full || this.#told !== "") yield* this.#flushed();
    }
    if (action === "names") this.#tellUnmatched();
    else if (quiet < 2) this.#print(totalLine(form, total.files, total.size, total.packed));
    if (total.files === 0 && this.#status <= STATUS.warning) this.#status = STATUS.notFound;
  }

  async *#unpack(file: ByteFile, path: string, entries: Iterable<Entry>, end: EndRecord, extra: number): AsyncGenerator<Uint8Array, void> {
    const wants = this.#wants();
    const covered = new CoveredParts();
    covered.add(end.directoryOffset + extra, file.size);
    const counts = { unpacked: 0, skipped: 0, locked: 0 };
    const group: Entry[] = [];
    const iterator = this.#readable(entries);
    for (let isLast = false; !isLast; ) {
      try {
        const next = iterator.next();
        isLast = next.done === true;
        if (next.done !== true && wants(next.value) && this.#canUnpack(next.value, counts)) {
          group.push(next.value);
          this.#counted++;
        }
      } catch (thrown) {
        if (!(thrown instanceof Stop)) throw thrown;
        this.#tell(thrown.message);
        this.#raise(thrown.status);
        isLast = true;
      }
      if (!isLast && this.#lastNumber % GROUP_ENTRIES !== 0) continue;
      for (const entry of group.splice(0)) {
        counts.unpacked++;
        yield* this.#member(file, entry, extra, covered);
      }
    }
    this.#tellUnmatched();
    if (this.#settings.action === "test" && this.#settings.quiet < 2) this.#printResult(path, counts);
    if (this.#status > STATUS.warning) return;
    if (counts.unpacked === 0) this.#status = counts.skipped > 0 ? STATUS.unsupported : STATUS.notFound;
    else if (counts.skipped > 0) this.#status = STATUS.unsupported;
  }

  /** False for a member that is skipped, which is told. */
  #canUnpack(entry: Entry, counts: { skipped: number; locked: number }): boolean {
    const { versionNeeded, method, flags } = entry;
    const version = `${Math.floor(versionNeeded / 10)}.${versionNeeded % 10}`;
    const known = methodName({ method, flags });
    const why =
      versionNeeded > 46
        ? `need PK compat. v${version} (can do v4.6)`
        : method === 0 || method === 8
          ? undefined
          : known.startsWith("Unk:")
            ? `unsupported compression method ${method}`
            : `\`${known}' method not supported`;
    if (why === undefined) return true;
    counts.skipped++;
    this.#skip(entry, why);
    return false;
  }

  #skip({ name }: Entry, why: string): void {
    this.#tell(`   skipping: ${padded(name)}  ${why}\n`);
  }

  async *#member(file: ByteFile, entry: Entry, extra: number, covered: CoveredParts): AsyncGenerator<Uint8Array, void> {
    const { place, start } = this.#dataPlace(file, entry, extra);
    if (start === undefined) return yield* this.#flushed();
    const packedSize = Number(entry.packedSize);
    if (!covered.add(place, start + packedSize))
      throw new Stop(STATUS.bomb, "error: invalid zip file with overlapped components (possible zip bomb)\n");
    this.#compareNames(file, entry, place, start);
    const isTest = this.#settings.action === "test";
    if ((entry.flags & 1) !== 0) {
      this.#tell(`   skipping: ${padded(entry.name)}  unable to get password\n`);
      this.#raise(STATUS.password);
      return yield* this.#flushed();
    }
    if (isTest && this.#settings.quiet < 1) this.#print(`    testing: ${padded(entry.name)}  `);
    yield* this.#flushed();
    let crc = 0;
    let fault = "";
    const chunks = entry.method === 0 ? stored(file, start, packedSize) : inflated(file, start, packedSize);
    for (;;) {
      const next = await chunks.next();
      if (next.done === true) {
        if (!next.value) fault = "data";
        break;
      }
      crc = crc32(next.value, crc);
      if (!isTest) yield next.value;
    }
    const quietTest = isTest && this.#settings.quiet > 0;
    if (fault !== "") {
      const inPlace = isTest && !quietTest;
      const message = `  error:  invalid compressed data to inflate${inPlace ? "" : ` ${shownName(entry.name)}`}\n`;
      if (inPlace) this.#print(`\n${message}`);
      else this.#tell(message);
      this.#raise(STATUS.error);
    } else if (crc !== entry.crc) {
      const message = ` bad CRC ${hex(crc)}  (should be ${hex(entry.crc)})\n`;
      if (isTest && !quietTest) this.#print(message);
      else this.#tell(`${padded(entry.name)} ${message}`);
      this.#raise(STATUS.error);
    } else if (isTest && !quietTest) this.#print(" OK\n");
    yield* this.#flushed();
  }

  /** Places of a member's local header and of its data. Where `extra` bytes in front lead nowhere, it is looked for without them. */
  #dataPlace(file: ByteFile, entry: Entry, extra: number): { readonly place: number; readonly start: number | undefined } {
    const place = entry.offset + extra;
    const signature = (at: number): string | undefined => file.at(at, 30)?.toString("latin1", 0, 4);
    if (extra === 0 || signature(place) === LOCAL || signature(entry.offset) !== LOCAL)
      return { place, start: this.#dataStart(file, entry, place) };
    this.#tell(`file #${entry.number}:  bad zipfile offset (local header sig):  ${place}\n  (attempting to re-compensate)\n`);
    this.#raise(STATUS.error);
    return { place: entry.offset, start: this.#dataStart(file, entry, entry.offset) };
  }

  /** Undefined where there is no local header, which is told. */
  #dataStart(file: ByteFile, entry: Entry, place: number): number | undefined {
    const header = file.at(place, 30);
    const bad = (what: string, shown: number, status: number): undefined => {
      this.#tell(`file #${entry.number}:  bad zipfile offset (${what}):  ${shown}\n`);
      this.#raise(status);
    };
    if (header === undefined && place - (place % 8192) >= file.size) return bad("lseek", place - (place % 8192), STATUS.broken);
    if (header === undefined) return bad("EOF", place, STATUS.end);
    if (header.toString("latin1", 0, 4) !== LOCAL) return bad("local header sig", place, STATUS.error);
    const nameBytes = header.readUInt16LE(26);
    const extraBytes = header.readUInt16LE(28);
    const rest = file.at(place + 30, nameBytes + extraBytes);
    if (rest === undefined) return bad("EOF", place, STATUS.end);
    return place + 30 + nameBytes + extraBytes;
  }

  /** Tells of a local header that has another name. */
  #compareNames(file: ByteFile, entry: Entry, place: number, start: number): void {
    const header = file.at(place, start - place);
    if (header === undefined) return;
    const nameEnd = 30 + header.readUInt16LE(26);
    const storedName = header.subarray(30, nameEnd);
    const unicode = unicodeName(extraFields(header.subarray(nameEnd)).get(0x7075), storedName);
    const local = toText(unicode === undefined || unicode === "wrong" ? storedName : unicode);
    if (local === entry.name) return;
    this.#tell(
      `${shownName(entry.name)}:  mismatching "local" filename (${shownName(local)}),\n         continuing with "central" filename version\n`,
    );
    this.#raise(STATUS.warning);
  }

  #tellUnmatched(): void {
    const { members, excluded } = this.#settings;
    for (const [index, member] of members.entries()) {
      if (this.#found.has(index)) continue;
      this.#tell(`caution: filename not matched:  ${member}\n`);
      if (this.#status <= STATUS.warning) this.#status = STATUS.notFound;
    }
    for (const [index, member] of excluded.entries())
      if (!this.#leftOut.has(index)) this.#tell(`caution: excluded filename not matched:  ${member}\n`);
  }

  #printResult(path: string, { unpacked, skipped }: { readonly unpacked: number; readonly skipped: number }): void {
    const { members, excluded } = this.#settings;
    const files = (count: number): string => `${count} file${count === 1 ? "" : "s"}`;
    if (this.#status > 0) this.#print(`At least one ${this.#status === STATUS.warning ? "warning-" : ""}error was detected in ${path}.\n`);
    else if (unpacked === 0) this.#print(`Caution:  zero files tested in ${path}.\n`);
    else if (members.length + excluded.length === 0 && skipped === 0) this.#print(`No errors detected in compressed data of ${path}.\n`);
    else this.#print(`No errors detected in ${path} for the ${files(unpacked)} tested.\n`);
    if (skipped > 0) this.#print(`${files(skipped)} skipped because of unsupported compression or encoding.\n`);
  }

  #raise(status: number): void {
    this.#status = Math.max(this.#status, status);
  }

  #print(text: string): void {
    this.#output.add(toBytes(text));
  }

  /** Messages stand among the results of a test, and apart from everything else. */
  #tell(text: string): void {
    if (this.#settings.action === "test") this.#print(text);
    else this.#told += text;
  }

  *#flushed(): Generator<Uint8Array, void> {
    if (!this.#output.empty) yield this.#output.take();
    if (this.#told !== "") this.#invocation.stderr(this.#told);
    this.#told = "";
  }
}

const UNIX = 3;
/** Signature of a local header. */
const LOCAL = "PK\x03\x04";
const padded = (name: string): string => {
  const shown = shownName(name);
  return shown + " ".repeat(Math.max(0, 22 - byteLengthOf(shown)));
};
const hex = (crc: number): string => crc.toString(16).padStart(8, "0");
