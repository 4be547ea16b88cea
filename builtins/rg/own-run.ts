/** Our own searches over what the operands name: standard input, files, and trees that the module lists. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { mayHold } from "../../src/search/candidates.ts";
import { linuxWords } from "../../src/wasm/wasi-errno.ts";
import type { OpenDirectory, OpenFile } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { flags } from "./flags.ts";
import type { OwnPlan } from "./own-plan.ts";
import { OwnSearch } from "./own-search.ts";
import type { Found, OwnWalk } from "./own-walk.ts";
import { unpackedBlocks, unpackerOf } from "./packed-files.ts";
import type { BinaryRule, InputSearch } from "./own-settings.ts";
import type { PerlPlan } from "./perl/perl-plan.ts";
import { PerlSearch } from "./perl/perl-search.ts";

/** One operand. */
export interface OwnTarget {
  readonly path: string;
  /** A walk, else a file. */
  readonly isTree: boolean;
  /** Reason why it can be neither. */
  readonly problem?: FileError;
}

/** Blocks of paths, each with a 0 byte after it; returns the exit status of the listing. */
export type Listing = (path: string | undefined) => AsyncGenerator<Uint8Array, number>;

/** Files that are mapped where no more are named than this, and no directory (ripgrep, hiargs.rs). */
const MOST_MAPPED = 10;
const NOTHING_SEARCHED =
  "rg: No files were searched, which means ripgrep probably applied a filter you didn't expect.\n" +
  "Running with --debug will show why files are being skipped.\n";
/** Nothing is named: the current directory. */
const WHOLE = { path: undefined, isTree: true, problem: undefined } as const;
/** Paths that go out before there is a whole block of them: enough for most readers that want but a few. */
const FIRST_PATHS = 64;
/** Files searched between two looks at what else goes on. */
const FILES_PER_TURN = 512;

/** rg --files by our own walk. Returns the exit status. */
export async function* listFiles(
  targets: readonly OwnTarget[],
  walk: OwnWalk,
  options: { readonly endsWithZero: boolean; readonly complain: (message: string) => void },
): AsyncGenerator<Uint8Array, number> {
  const output = new BlockBuilder();
  let count = 0;
  let failed = false;
  const add = (path: string): void => {
    output.add(toBytes(path));
    output.addByte(options.endsWithZero ? 0 : 10);
    count++;
  };
  for (const { path, isTree, problem } of targets.length === 0 ? [WHOLE] : targets) {
    if (problem !== undefined) {
      failed = true;
      if (!output.empty) yield output.take();
      options.complain(`${problem.path}: ${linuxWords(problem)}`);
      continue;
    }
    if (!isTree && path !== undefined) {
      add(path);
      continue;
    }
    for (const found of walk(path, "names")) {
      if (found.what === "file") add(found.path);
      else {
        failed = true;
        if (!output.empty) yield output.take();
        options.complain(complaint(found));
      }
      if (output.full || (count === FIRST_PATHS && !output.empty)) yield output.take();
      if (count % FILES_PER_TURN === 0) await new Promise(setImmediate);
    }
  }
  if (!output.empty) yield output.take();
  return failed ? 2 : count > 0 ? 0 : 1;
}

export class OwnRun {
  readonly #plan: OwnPlan | PerlPlan;
  readonly #invocation: Invocation<typeof flags>;
  readonly #output = new BlockBuilder();
  readonly #search: InputSearch;
  /** Nothing is said of files that it is false of. */
  readonly #mayHold: ReturnType<typeof mayHold>;
  #matched = false;
  #failed = false;
  /** Number of files searched. */
  #searched = 0;
  #directory: { readonly path: string; readonly opened: OpenDirectory } | undefined;

  /** `isSerial`: ripgrep would do it with one thread. */
  constructor(plan: OwnPlan | PerlPlan, invocation: Invocation<typeof flags>, isSerial: boolean) {
    this.#plan = plan;
    this.#invocation = invocation;
    const { limits } = invocation;
    this.#search =
      plan.kind === "lines"
        ? new OwnSearch(plan.settings, this.#output, limits)
        : new PerlSearch(plan.settings, isSerial, this.#output, limits);
    this.#mayHold = plan.searchesPacked ? undefined : mayHold(plan.required);
  }

  /** Undefined where the input is not UTF-8, and none of it was taken. */
  async *standardInput(): AsyncGenerator<Uint8Array, number | undefined> {
    const { stdin } = this.#invocation;
    const first = await firstBytes(stdin);
    stdin.unread(first);
    const mark = markOf(first);
    if (mark === "utf-16le" || mark === "utf-16be") return undefined;
    const search = this.#search;
    search.start("<stdin>", this.#plan.showsPaths === true, "named", mark !== undefined);
    let skip = mark === undefined ? 0 : UTF8_MARK.length;
    for (let block = await stdin.read(); block !== undefined && !search.done; block = search.done ? undefined : await stdin.read()) {
      for (let from = skip; from < block.length && !search.done; ) {
        const room = search.room(block.length - from);
        const part = block.subarray(from, from + room.length);
        room.set(part);
        from += part.length;
        search.read(part.length);
        if (this.#output.full) yield this.#output.take();
      }
      skip = 0;
    }
    if (search.done) await stdin.close();
    yield* this.#finish();
    search.end();
    if (!this.#output.empty) yield this.#output.take();
    return this.#matched ? 0 : 1;
  }

  /** `walk`: our own way through a tree; without it the module lists the files. */
  async *files(targets: readonly OwnTarget[], list: Listing, walk: OwnWalk | undefined): AsyncGenerator<Uint8Array, number> {
    const { showsPaths, maps, searchesBinary } = this.#plan;
    const implied = targets.length === 0;
    const showsPath = showsPaths ?? (implied || targets.length > 1 || targets.some(({ isTree }) => isTree));
    const isMapped =
      maps ?? (!implied && targets.length <= MOST_MAPPED && !targets.some(({ isTree, problem }) => isTree || problem !== undefined));
    const mapping = isMapped ? ("-mapped" as const) : ("" as const);
    try {
      for (const { path, isTree, problem } of implied ? [WHOLE] : targets) {
        if (problem !== undefined) {
          yield* this.#complain(`${problem.path}: ${linuxWords(problem)}`);
          continue;
        }
        const rule = `${searchesBinary ? ("named" as const) : ("found" as const)}${mapping}` as const;
        if (isTree && walk !== undefined) yield* this.#walk(walk(path, "content", this.#mayHold), showsPath, rule);
        else if (isTree) yield* this.#tree(list(path), showsPath, rule);
        else if (path !== undefined) yield* this.#any(path, () => this.#invocation.files.open(path), showsPath, `named${mapping}`);
        if (this.#isEnough) break;
      }
    } finally {
      this.#directory?.opened.close();
    }
    if (!this.#output.empty) yield this.#output.take();
    if (implied && this.#searched === 0) {
      if (this.#plan.showsMessages) this.#invocation.stderr(NOTHING_SEARCHED);
      this.#failed = true;
    }
    this.#search.end();
    if (!this.#output.empty) yield this.#output.take();
    if (this.#failed && !(this.#matched && this.#plan.quits)) return 2;
    return this.#matched ? 0 : 1;
  }

  get #isEnough(): boolean {
    return this.#matched && this.#plan.quits;
  }

  /** The end of an input. */
  *#finish(): Generator<Uint8Array, void> {
    let isSelected = this.#search.finish();
    for (; isSelected === undefined; isSelected = this.#search.finish()) yield this.#output.take();
    if (isSelected) this.#matched = true;
  }

  async *#walk(walk: ReturnType<OwnWalk>, showsPath: boolean, rule: BinaryRule): AsyncGenerator<Uint8Array, void> {
    for (const found of walk) {
      if (found.what === "file") {
        // Not yield*, which would wait for every file and not only for every block.
        if (this.#isPacked(found.path)) yield* this.#packed(found.path, () => found.file.openFile(), showsPath, rule);
        else for (const block of this.#file(found.path, () => found.file.openFile(), showsPath, rule)) yield block;
        if (this.#isEnough) return;
        if (this.#searched % FILES_PER_TURN === 0) await new Promise(setImmediate);
        continue;
      }
      yield* this.#complain(complaint(found));
    }
  }

  *#complain(message: string): Generator<Uint8Array, void> {
    this.#failed = true;
    if (!this.#output.empty) yield this.#output.take();
    if (this.#plan.showsMessages) this.#invocation.warn(message);
  }

  async *#tree(listing: AsyncGenerator<Uint8Array, number>, showsPath: boolean, rule: BinaryRule): AsyncGenerator<Uint8Array, void> {
    let rest = Buffer.alloc(0);
    try {
      for (;;) {
        const next = await listing.next();
        if (next.done === true) {
          if (next.value === 2) this.#failed = true;
          return;
        }
        const bytes = rest.length === 0 ? Buffer.from(next.value) : Buffer.concat([rest, next.value]);
        let from = 0;
        for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
          const path = toText(bytes.subarray(from, end));
          from = end + 1;
          if (this.#isPacked(path)) yield* this.#packed(path, () => this.#openFound(path), showsPath, rule);
          else for (const block of this.#file(path, () => this.#openFound(path), showsPath, rule)) yield block;
          if (this.#isEnough) return;
          if (this.#searched % FILES_PER_TURN === 0) await new Promise(setImmediate);
        }
        rest = bytes.subarray(from);
      }
    } finally {
      await listing.return(0);
    }
  }

  /** Files of one directory mostly come one after another. */
  #openFound(path: string): OpenFile {
    const { files } = this.#invocation;
    const slash = path.lastIndexOf("/");
    // Through links the way is another for every file.
    if (slash <= 0 || this.#plan.listing.some(({ key }) => key === "follow")) return files.open(path);
    const parent = path.slice(0, slash);
    if (this.#directory?.path !== parent) {
      this.#directory?.opened.close();
      this.#directory = undefined;
      this.#directory = { path: parent, opened: files.openDirectory(parent) };
    }
    return this.#directory.opened.openFile(path.slice(slash + 1));
  }

  #isPacked(path: string): boolean {
    return this.#plan.searchesPacked && unpackerOf(path) !== undefined;
  }

  async *#any(path: string, open: () => OpenFile, showsPath: boolean, rule: BinaryRule): AsyncGenerator<Uint8Array, void> {
    if (this.#isPacked(path)) yield* this.#packed(path, open, showsPath, rule);
    else yield* this.#file(path, open, showsPath, rule);
  }

  /** -z: what a packed file holds is searched as a stream. */
  async *#packed(path: string, open: () => OpenFile, showsPath: boolean, rule: BinaryRule): AsyncGenerator<Uint8Array, void> {
    this.#searched++;
    const program = unpackerOf(path);
    if (program !== "gzip") return yield* this.#complain(`${path}: -z: packed by ${program}, which is not unpacked here`);
    try {
      const file = open();
      try {
        const fault = yield* this.#readUnpacked(file, path, showsPath, rule.startsWith("found") ? "found" : "named");
        if (fault !== undefined) yield* this.#complain(fault);
      } finally {
        file.close();
      }
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      return yield* this.#complain(`${path}: ${linuxWords(thrown)}`);
    }
    yield* this.#finish();
    if (this.#output.full) yield this.#output.take();
  }

  /** Returns what is wrong with the file. */
  async *#readUnpacked(file: OpenFile, path: string, showsPath: boolean, rule: BinaryRule): AsyncGenerator<Uint8Array, string | undefined> {
    const input = unpackedBlocks(file, path);
    const search = this.#search;
    search.start(path, showsPath, rule, false);
    let first: Buffer | undefined = Buffer.alloc(0);
    try {
      for (;;) {
        const next = await input.next();
        let bytes: Uint8Array = next.done === true ? Buffer.alloc(0) : next.value;
        if (first !== undefined) {
          first = Buffer.concat([first, bytes]);
          if (first.length < UTF8_MARK.length && next.done !== true) continue;
          bytes = first;
          const mark = markOf(bytes);
          if (mark === "utf-8") search.start(path, showsPath, rule, true);
          else if (mark !== undefined) return `${path}: -z: packed text in UTF-16 is not searched here`;
          if (mark === "utf-8") bytes = bytes.subarray(UTF8_MARK.length);
          first = undefined;
        }
        for (let from = 0; from < bytes.length && !search.done; ) {
          const room = search.room(bytes.length - from);
          const part = bytes.subarray(from, from + room.length);
          room.set(part);
          from += part.length;
          search.read(part.length);
          if (this.#output.full) yield this.#output.take();
        }
        if (next.done === true) return next.value;
        if (search.done) return undefined;
      }
    } finally {
      await input.return(undefined);
    }
  }

  *#file(path: string, open: () => OpenFile, showsPath: boolean, rule: BinaryRule): Generator<Uint8Array, void> {
    this.#searched++;
    try {
      const file = open();
      try {
        yield* this.#read(file, path, showsPath, rule);
      } finally {
        file.close();
      }
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      this.#failed = true;
      if (this.#plan.showsMessages) this.#invocation.warn(`${path}: ${linuxWords(thrown)}`);
      return;
    }
    yield* this.#finish();
    if (this.#output.full) yield this.#output.take();
  }

  *#read(file: OpenFile, path: string, showsPath: boolean, rule: BinaryRule): Generator<Uint8Array, void> {
    const search = this.#search;
    search.start(path, showsPath, rule, false);
    for (let position = 0; !search.done; ) {
      const room = search.room(file.size - position + 1);
      const count = file.readAt(room, position);
      if (count === 0) return;
      const mark = position === 0 && (room[0] as number) >= UTF8_MARK[0] ? markOf(room.subarray(0, count)) : undefined;
      position += count;
      if (mark === undefined) {
        search.read(count);
        if (this.#output.full) yield this.#output.take();
        if (position === file.size && count < room.length) return;
        continue;
      }
      // ripgrep does not search a map of what it must decode.
      search.start(path, showsPath, rule.startsWith("found") ? "found" : "named", true);
      if (mark !== "utf-8") {
        this.#readDecoded(file, mark);
        return;
      }
      room.copyWithin(0, UTF8_MARK.length, count);
      search.read(count - UTF8_MARK.length);
    }
  }

  /** All of a file in UTF-16, as UTF-8. */
  #readDecoded(file: OpenFile, encoding: "utf-16le" | "utf-16be"): void {
    const { heldBytes } = this.#invocation.limits;
    if (file.size > heldBytes) throw new LimitReached("held", heldBytes, "bytes");
    const text = new TextDecoder(encoding).decode(Buffer.concat([...file.blocks()]));
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length && !this.#search.done; ) {
      const room = this.#search.room(bytes.length - from);
      const part = bytes.subarray(from, from + room.length);
      room.set(part);
      this.#search.read(part.length);
      from += part.length;
    }
  }
}

/** ripgrep's message for a path it could not walk. */
function complaint(found: Exclude<Found, { what: "file" }>): string {
  if (found.what === "loop") return `File system loop found: ${found.path} points to an ancestor ${found.ancestor}`;
  return `${found.path}: ${found.isSerial ? `IO error for operation on ${found.path}: ` : ""}${linuxWords(found.error)}`;
}

const UTF8_MARK = [0xef, 0xbb, 0xbf] as const;

/** The encoding that a byte order mark at the front of `bytes` says. */
function markOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "utf-8" : undefined;
}

/** At least three bytes, if there are as many. */
async function firstBytes(stdin: { read(): Promise<Uint8Array | undefined> }): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  for (let length = 0; length < UTF8_MARK.length; ) {
    const block = await stdin.read();
    if (block === undefined) break;
    blocks.push(block.length >= UTF8_MARK.length ? block : Buffer.from(block));
    length += block.length;
  }
  return blocks.length === 1 ? (blocks[0] as Uint8Array) : Buffer.concat(blocks);
}
