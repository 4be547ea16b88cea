/** The course of a listing: operands first, then the directories among them, and those below with -R. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { quoteName } from "../../src/display/quote.ts";
import { formatSize } from "../../src/numbers/size-format.ts";
import type { OpenDirectory } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { DirectoryEntry, FileKind, FileStatus } from "../../src/workspace/file-status.ts";
import { ShortFormat } from "./columns.ts";
import { isDirectory, needsStatus, type Entry } from "./entry.ts";
import { LongFormat } from "./long.ts";
import { Names } from "./names.ts";
import { sortEntries } from "./order.ts";
import type { Report } from "./report.ts";
import type { Settings } from "./settings.ts";

/** A directory still to be listed; or, with -R, the mark that one and all below it are done. */
type Pending = { readonly path: string; readonly isOperand: boolean } | { readonly leaves: string };

type Found = Generator<DirectoryEntry, void>;

/** How one thing is asked about, be it an operand or a name in a directory. */
interface Source {
  status(follow: boolean): FileStatus;
  readLink(): string;
  /** For messages. */
  readonly fullName: string;
  readonly isOperand: boolean;
}

export class Listing {
  readonly #invocation: Pick<Invocation, "files" | "operands" | "nowMs" | "timeZone">;
  readonly #settings: Settings;
  readonly #report: Report;
  readonly #names: Names;
  readonly #format: LongFormat | ShortFormat;
  /** The next one is last. */
  readonly #pending: Pending[] = [];
  /** With -R, the directories that we are in: "device:inode". */
  readonly #active = new Set<string>();
  #hasHeader = false;

  constructor(invocation: Pick<Invocation, "files" | "operands" | "nowMs" | "timeZone">, settings: Settings, report: Report) {
    this.#invocation = invocation;
    this.#settings = settings;
    this.#report = report;
    this.#names = new Names(settings, report);
    const { files, nowMs, timeZone } = invocation;
    this.#format =
      settings.format === "long"
        ? new LongFormat({ settings, names: this.#names, report, files, nowMs, timeZone })
        : new ShortFormat(settings, this.#names, report);
  }

  /** Yields whenever the report holds something to be handed on. */
  *run(): Generator<void> {
    const { operands } = this.#invocation;
    const gathered: Entry[] = [];
    if (operands.length === 0 && !this.#settings.directoryItself) this.#pending.push({ path: ".", isOperand: true });
    for (const operand of operands.length === 0 && this.#settings.directoryItself ? ["."] : operands) {
      const entry = this.#operand(operand);
      if (entry !== undefined) gathered.push(entry);
    }
    // What could not be looked at counts too.
    this.#names.begin(operands.map((name) => ({ name })));
    const sorted = [...gathered];
    this.#sort(sorted);
    for (const entry of sorted.toReversed()) if (entry.isListed) this.#pending.push({ path: entry.name, isOperand: true });
    const shown = sorted.filter((entry) => !entry.isListed);
    let isNamed = true;
    if (shown.length > 0) {
      yield* this.#format.print(shown, gathered);
      if (this.#pending.length > 0) this.#report.print("\n");
    } else if (operands.length <= 1 && this.#pending.length === 1) {
      isNamed = false;
    }
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      if ("leaves" in next) {
        this.#active.delete(next.leaves);
        continue;
      }
      yield* this.#directory(next.path, next.isOperand, isNamed);
      isNamed = true;
    }
    this.#printDired();
  }

  #operand(operand: string): Entry | undefined {
    const { files } = this.#invocation;
    return this.#gather(operand, undefined, {
      status: (follow) => files.status(operand, { follow }),
      readLink: () => files.readLink(operand),
      fullName: operand,
      isOperand: true,
    });
  }

  /** undefined for an operand that is not there; what is found and cannot be looked at is shown with question marks. */
  #gather(name: string, kind: FileKind | undefined, source: Source): Entry | undefined {
    const settings = this.#settings;
    let status: FileStatus | undefined;
    if (source.isOperand || this.#needsStatus(kind)) {
      try {
        status = this.#status(source);
      } catch (thrown) {
        this.#fail("cannot access", source.fullName, thrown, source.isOperand);
        if (source.isOperand) return undefined;
      }
    }
    const isLink = status?.kind === "symlink" && (settings.format === "long" || settings.directoriesFirst);
    const showsTarget = settings.directoriesFirst || settings.indicator === "file-type" || settings.indicator === "classify";
    const known = status?.kind ?? kind;
    const link = isLink ? this.#readLink(source) : undefined;
    return {
      name,
      kind: known,
      status,
      isListed: source.isOperand && known === "directory" && !settings.directoryItself,
      link,
      target: link !== undefined && showsTarget ? targetOf(source) : undefined,
    };
  }

  #needsStatus(kind: FileKind | undefined): boolean {
    const { color, indicator, recursive, directoriesFirst, follow, showsInode } = this.#settings;
    if (needsStatus(this.#settings) || showsInode) return true;
    if (!(recursive || color || indicator !== "none" || directoriesFirst)) return false;
    if (kind === undefined) return true;
    if (kind === "directory") return color;
    if (kind === "symlink") return follow === "always" || directoriesFirst;
    return kind === "file" && (indicator === "classify" || color);
  }

  #status(source: Source): FileStatus {
    switch (this.#settings.follow) {
      case "always":
        return source.status(true);
      case "operands":
        return source.status(source.isOperand);
      case "operands-to-directories": {
        if (!source.isOperand) return source.status(false);
        const status = attempt(() => source.status(true), "ENOENT");
        return status?.kind === "directory" ? status : source.status(false);
      }
      case "never":
        return source.status(false);
    }
  }

  #readLink(source: Source): string | undefined {
    try {
      return source.readLink();
    } catch (thrown) {
      this.#fail("cannot read symbolic link", source.fullName, thrown, source.isOperand);
      return undefined;
    }
  }

  *#directory(path: string, isOperand: boolean, isNamed: boolean): Generator<void> {
    let directory: OpenDirectory;
    try {
      directory = this.#invocation.files.openDirectory(path);
    } catch (thrown) {
      this.#fail("cannot open directory", path, thrown, isOperand);
      return;
    }
    const found = directory.entries();
    try {
      yield* this.#listed(directory, found, path, isOperand, isNamed);
    } finally {
      found.return();
      directory.close();
    }
  }

  *#listed(directory: OpenDirectory, found: Found, path: string, isOperand: boolean, isNamed: boolean): Generator<void> {
    const { recursive, format, sort, showsBlocks, dired, lineEnd, blockFormat } = this.#settings;
    let first: IteratorResult<DirectoryEntry, void>;
    try {
      first = found.next();
    } catch (thrown) {
      this.#fail("cannot open directory", path, thrown, isOperand);
      return;
    }
    let mark = "";
    if (recursive) {
      const { device, inode } = directory.status;
      mark = `${device}:${inode}`;
      if (this.#active.has(mark)) {
        this.#report.complain(`${quoteName(path)}: not listing already-listed directory`, true);
        return;
      }
      this.#active.add(mark);
    }
    if (recursive || isNamed) this.#printHeader(path);

    // Names one by one are printed as they come, so that a huge directory is never held.
    const streams = format === "single" && sort === "none" && !showsBlocks && !recursive;
    const gathered: Entry[] = [];
    let blocks = 0;
    try {
      for (const entry of this.#entries(directory, path, first, found)) {
        blocks += entry.status?.blocks ?? 0;
        if (streams) {
          this.#names.begin([entry]);
          yield* this.#format.print([entry], [entry]);
        } else gathered.push(entry);
      }
    } catch (thrown) {
      this.#fail("reading directory", path, thrown, isOperand);
    }
    this.#names.begin(gathered);
    this.#sort(gathered);
    if (recursive) {
      this.#pending.push({ leaves: mark });
      for (const entry of gathered.toReversed()) {
        if (isDirectory(entry) && entry.name !== "." && entry.name !== "..")
          this.#pending.push({ path: below(path, entry.name), isOperand: false });
      }
    }
    if (format === "long" || showsBlocks) this.#report.print(`${dired ? "  " : ""}total ${formatSize(blocks, blockFormat, 512)}${lineEnd}`);
    if (gathered.length > 0) yield* this.#format.print(gathered, gathered);
    yield;
  }

  /** `.` and `..`, then `first` and what else is found. */
  *#entries(directory: OpenDirectory, path: string, first: IteratorResult<DirectoryEntry, void>, found: Found): Generator<Entry> {
    const { ignored } = this.#settings;
    for (const name of [".", ".."]) {
      if (ignored(name)) continue;
      const status = (): FileStatus => this.#statusOfDots(path, name);
      const entry = this.#gather(name, "directory", { status, readLink: () => "", fullName: joined(path, name), isOperand: false });
      if (entry !== undefined) yield entry;
    }
    for (let next = first; next.done !== true; next = found.next()) {
      const { name, kind } = next.value;
      if (ignored(name)) continue;
      const entry = this.#gather(name, kind, {
        status: (follow) => directory.statusOf(name, { follow }),
        readLink: () => directory.readLinkOf(name),
        fullName: joined(path, name),
        isOperand: false,
      });
      if (entry !== undefined) yield entry;
    }
  }

  /** `.` or `..`, looked up like any name; also where `..` is above the root. */
  #statusOfDots(path: string, name: string): FileStatus {
    const { files } = this.#invocation;
    return attempt(() => files.status(below(path, name)), "PATH_ESCAPE") ?? files.aboveRoot;
  }

  #sort(entries: Entry[]): void {
    sortEntries(entries, this.#settings, (entry) => this.#names.width(entry));
  }

  #printHeader(path: string): void {
    if (this.#hasHeader) this.#report.print("\n");
    this.#hasHeader = true;
    if (this.#settings.dired) this.#report.print("  ");
    this.#names.printHeader(path);
  }

  #printDired(): void {
    if (!this.#settings.dired) return;
    const { dired, subdired } = this.#names;
    if (dired.length > 0) this.#report.print(`//DIRED// ${dired.join(" ")}\n`);
    if (subdired.length > 0) this.#report.print(`//SUBDIRED// ${subdired.join(" ")}\n`);
    this.#report.print(`//DIRED-OPTIONS// --quoting-style=${this.#settings.quoting}\n`);
  }

  #fail(doing: string, file: string, thrown: unknown, isOperand: boolean): void {
    if (!(thrown instanceof FileError)) throw thrown;
    this.#report.fail(doing, file, thrown.message, isOperand);
  }
}

/** What a link leads to; undefined where it leads nowhere, or out of the workspace. */
function targetOf(source: Source): FileStatus | undefined {
  try {
    return source.status(true);
  } catch (thrown) {
    if (thrown instanceof FileError) return undefined;
    throw thrown;
  }
}

/** The result of `action`, or undefined where it fails with `code`. */
function attempt<T>(action: () => T, code: string): T | undefined {
  try {
    return action();
  } catch (thrown) {
    if (thrown instanceof FileError && thrown.code === code) return undefined;
    throw thrown;
  }
}

/** gnulib's file_name_concat(): the path of a directory below, as -R shows it. One of the slashes at its end is kept. */
const below = (path: string, name: string): string => `${path.replace(/(?<=.)\/+$/, "")}${path === "/" ? "" : "/"}${name}`;

/** How messages name what is in a directory: with all the slashes at its end, and what is in `.` alone. */
const joined = (path: string, name: string): string => (path === "." ? name : `${path}${path.endsWith("/") ? "" : "/"}${name}`);
