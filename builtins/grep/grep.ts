/** grep: prints the lines that match. See grep/ for its parts, src/search/ for the patterns. */
import { BacktrackLimit } from "../../src/regex/perl-machine.ts";
import { defineBuiltin, type ExitStatus, type Invocation, type Occurrence } from "../../src/builtin/definition.ts";
import { soughtDefinition } from "../../src/builtin/sought-definition.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toText } from "../../src/io/text.ts";
import { mayHold } from "../../src/search/candidates.ts";
import { FileTree, type DirectoryFilter } from "../../src/walk/file-tree.ts";
import type { OpenFile } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { NameFilter, type NamePattern } from "../../src/glob/name-filter.ts";
import { FileSearch } from "./file-search.ts";
import { contextNumber, flags } from "./flags.ts";
import { compilePatterns, fileLines } from "./patterns.ts";
import { requestOf, type Request } from "./request.ts";
import type { Settings } from "./settings.ts";

type Flags = typeof flags;

export const grep = defineBuiltin({
  name: "grep",
  aliases: ["egrep", "fgrep"],
  summary: "Print the lines of each file, or of standard input, that match a pattern.",
  standard: "https://www.gnu.org/software/grep/manual/grep.html",
  reference: "GNU grep 3.8",
  operands: { kind: "pattern-then-paths", unless: ["regexp", "file"] },
  flags,
  legacy: contextNumber,
  usageExit: 2,
  usageHint: () => USAGE,
  tells: "start",
  looksAt: (args) => (args.some((arg) => /^-\w*[rR]|^--(?:dereference-)?r|^--dir/.test(arg)) ? "below" : "named"),
  silence: { 1: "found nothing" },
  examples: [
    { command: "grep -n b", stdin: "abc\nxyz\nb\n", stdout: "1:abc\n3:b\n" },
    { command: "grep -oE '[0-9]+'", stdin: "a1 b22\n", stdout: "1\n22\n", note: "only what matched" },
    { command: "grep -v '^#'", stdin: "# note\nx=1\n", stdout: "x=1\n" },
    { command: "grep -rn --include='*.ts' TODO src", files: { "src/a.ts": "x\n// TODO y\n" }, stdout: "src/a.ts:2:// TODO y\n" },
    {
      command: "grep -A1 'two\\|three'",
      stdin: "one\ntwo\nthree\nfour\nfive\n",
      stdout: "two\nthree\nfour\n",
      note: "with one line of context",
    },
    { command: "grep -c x", stdin: "a\n", stdout: "0\n", exit: 1 },
  ],
  deviations: [
    {
      from: "GNU grep 3.8",
      what: "A FIFO, socket or device named as a file is an error, not read.",
      why: "Reading one may never end, and a pipeline here must.",
    },
    {
      from: "GNU grep 3.8",
      what: "With -E and -o a brace that nothing stands before is itself, as it is where lines are chosen.",
      why: "GNU grep chooses lines with it, and then passes over it: `grep -oE '{a'` prints `a`.",
    },
    {
      from: "GNU grep 3.8",
      what: "With -P and -o the search goes on at the next character after an empty match.",
      why: "GNU grep goes on at the next byte, inside the character, and a look-behind finds none there: `echo éb | grep -oP '(?<=é)b|x*'` prints nothing.",
    },
    {
      from: "GNU grep 3.8",
      what: "\\b, \\<, \\> and a back-reference hold in every round of a group that a count repeats.",
      why: "glibc forgets some of them from the second round on: `echo cocoa | grep -E '(\\bco){2}'` prints the line.",
    },
  ],
  check(invocation) {
    const { given, matching } = requestOf(invocation);
    if (given !== undefined) compilePatterns(given.patterns, { ...matching, characters: "utf-8", warn: () => {} });
  },
  effects({ flags, operands, occurrences }) {
    const hasPattern = occurrences.some(({ key }) => key === "regexp" || key === "file");
    const isHere = (flags.recursive || flags.dereferenceRecursive) && operands.length <= (hasPattern ? 0 : 1);
    return isHere ? [{ kind: "read", path: "." }] : [];
  },
  seeks(invocation) {
    const { directories, patternFiles, search, given } = requestOf(invocation);
    const isSought = directories === "recurse" && !search.invert && patternFiles.length === 0;
    return isSought && given !== undefined ? soughtDefinition(given.patterns, given.files) : undefined;
  },
  async *run(invocation) {
    return yield* new GrepRun(invocation).run();
  },
});

class GrepRun {
  readonly #invocation: Invocation<Flags>;
  readonly #output = new BlockBuilder();
  readonly #request: Request;
  readonly #settings: Settings;
  #nameFilter = new NameFilter([]);
  readonly #directoryFilter: NameFilter;
  /** Nothing is said of files that it is false of. */
  #mayHold: ReturnType<typeof mayHold>;
  #matched = false;
  #failed = false;
  #over = false;
  /** Name of the input that is read. */
  #current = "";

  constructor(invocation: Invocation<Flags>) {
    this.#invocation = invocation;
    const request = requestOf(invocation);
    this.#request = request;
    this.#settings = { ...request.search, everyByteIsText: invocation.characters === "bytes" };
    this.#directoryFilter = new NameFilter(
      request.excludedDirectories.map((glob) => ({ glob: glob.replace(/(?<=.)\/+$/, ""), wanted: false })),
    );
  }

  async *run(): AsyncGenerator<Uint8Array, ExitStatus> {
    const settings = this.#settings;
    const { warn, stderr, limits, occurrences, characters } = this.#invocation;
    const { given, patternFiles, matching, directories, choosesNames, showsNames, warnings } = this.#request;
    if (given === undefined) {
      stderr(USAGE);
      return 2;
    }
    for (const warning of warnings) warn(warning);
    const patterns = [...given.patterns];
    try {
      for (const path of patternFiles) patterns.push(...fileLines(await this.#readText(path)));
      if (choosesNames) this.#nameFilter = new NameFilter(await this.#namePatterns(occurrences));
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      warn(`${thrown.path}: ${thrown.message}`);
      return 2;
    }
    const matcher = compilePatterns(patterns, { ...matching, characters, warn });
    const matchesAll = matching.extent === "any" && patterns.length > 0 && patterns.every((pattern) => pattern === "");
    const selectsNothing = settings.maxCount === 0 || (settings.invert ? matchesAll : patterns.length === 0);
    if (selectsNothing && settings.list !== "nonmatching") return 1;

    const search = new FileSearch(matcher, settings, this.#output, limits);
    const { invert, count, list } = settings;
    if (!invert && !count && list !== "nonmatching") this.#mayHold = mayHold(matcher.required);
    const recurse = directories === "recurse";
    const implied = given.files.length === 0;
    const paths = implied ? [recurse ? "." : "-"] : given.files;
    const names = (showsNames ?? paths.length > 1) ? "shown" : recurse && showsNames !== false ? "in-trees" : "hidden";
    try {
      for (const path of paths) {
        if (path === "-") yield* this.#standardInput(search, names === "shown");
        else yield* this.#named(search, path, names, implied);
        if (this.#over) break;
      }
    } catch (thrown) {
      if (!(thrown instanceof BacktrackLimit)) throw thrown;
      yield* this.#flush();
      warn(`${this.#current}: exceeded PCRE's backtracking limit`);
      return 2;
    }
    yield* this.#flush();
    if (settings.quiet && this.#matched) return 0;
    return this.#failed ? 2 : this.#matched ? 0 : 1;
  }

  async *#standardInput(search: FileSearch, showName: boolean): AsyncGenerator<Uint8Array, void> {
    const { stdin } = this.#invocation;
    const { label } = this.#request;
    this.#current = label;
    search.start(showName ? label : undefined, undefined);
    for (let block = await stdin.read(); block !== undefined && !search.done; block = search.done ? undefined : await stdin.read()) {
      for (let from = 0; from < block.length && !search.done; ) {
        const room = search.room(block.length - from);
        const part = block.subarray(from, from + room.length);
        room.set(part);
        from += part.length;
        search.read(part.length);
        if (this.#output.full) yield this.#output.take();
      }
    }
    if (search.done) await stdin.close();
    yield* this.#finish(search, label);
  }

  /** Opens a regular file; undefined for any other, and for one that its name may exclude: these are looked at first. */
  #openedAtOnce(path: string): OpenFile | undefined {
    if (this.#request.devices === "skip" || this.#nameFilter.skipsTyped(path)) return undefined;
    try {
      return this.#invocation.files.open(path);
    } catch (thrown) {
      if (thrown instanceof FileError && (thrown.code === "EISDIR" || thrown.code === "NOT_REGULAR_FILE")) return undefined;
      throw thrown;
    }
  }

  /** A file or directory named on the command line. `implied`: the `.` of a walk without operands. */
  *#named(search: FileSearch, path: string, names: "shown" | "hidden" | "in-trees", implied: boolean): Generator<Uint8Array, void> {
    const { files } = this.#invocation;
    const { directories, devices } = this.#request;
    try {
      const file = this.#openedAtOnce(path);
      if (file !== undefined) {
        yield* this.#file(search, file, path, names === "shown");
        return;
      }
      const { kind } = files.status(path);
      if (kind === "directory") {
        if (directories === "skip" || (!implied && this.#directoryFilter.skipsTyped(path))) return;
        if (directories === "read") {
          yield* this.#fileFailed(new FileError("EISDIR", path), path);
          // It is read as a file without lines, which -c counts and -L lists.
          search.start(names === "shown" ? path : undefined, 0);
          yield* this.#finish(search, path);
          return;
        }
        yield* this.#tree(search, path, names !== "hidden", implied);
        return;
      }
      if (this.#nameFilter.skipsTyped(path)) return;
      if (kind !== "file" && devices === "skip") return;
      yield* this.#file(search, files.open(path), path, names === "shown");
    } catch (thrown) {
      yield* this.#fileFailed(thrown, path);
    }
  }

  *#tree(search: FileSearch, path: string, showNames: boolean, implied: boolean): Generator<Uint8Array, void> {
    const { files, warn } = this.#invocation;
    const { follow, devices, complains } = this.#request;
    const enters: DirectoryFilter = {
      keeps: (name, _path, isDirectory) => !isDirectory || !this.#directoryFilter.skips(name),
      enter: () => enters,
    };
    const tree = new FileTree(files, path.replace(/(?<=[^/])\/+$/, ""), {
      follow,
      contentsFirst: false,
      maxDepth: Infinity,
      oneDevice: false,
      filter: enters,
      ahead: { content: (name) => !this.#nameFilter.skips(name), mayHold: this.#mayHold },
    });
    // The `.` that nobody typed is not shown.
    const shown = (full: string): string => (implied ? full.slice(2) : full);
    const opensAll = devices === "read";
    try {
      for (let step = tree.next(); step !== undefined; step = tree.next()) {
        if (step.what === "loop") {
          yield* this.#flush();
          if (complains) warn(`${shown(step.path)}: warning: recursive directory loop`);
        } else if (step.what === "error") {
          yield* this.#fileFailed(step.error, shown(step.path));
        } else {
          const { kind, name } = step.file;
          const isLink = kind === "symlink";
          // A link that is still one where links are followed leads nowhere, which opening it says.
          if (kind === "directory" || (isLink ? follow !== "always" : kind !== "file" && !opensAll)) continue;
          if (this.#nameFilter.skips(name)) continue;
          const path = shown(step.file.path);
          try {
            yield* this.#file(search, step.file.openFile(), path, showNames);
          } catch (thrown) {
            yield* this.#fileFailed(thrown, path);
          }
          if (this.#over) return;
        }
      }
    } finally {
      tree.close();
    }
  }

  *#file(search: FileSearch, file: OpenFile, path: string, showName: boolean): Generator<Uint8Array, void> {
    try {
      const { size } = file;
      this.#current = path;
      search.start(showName ? path : undefined, size);
      for (let position = 0; !search.done; ) {
        const room = search.room(size - position + 1);
        const count = file.readAt(room, position);
        if (count === 0) break;
        position += count;
        search.read(count);
        if (this.#output.full) yield this.#output.take();
        if (position === size && count < room.length) break;
      }
    } finally {
      file.close();
    }
    yield* this.#finish(search, path);
  }

  *#finish(search: FileSearch, name: string): Generator<Uint8Array, void> {
    const { list, count, quiet } = this.#settings;
    const selected = search.finish();
    if (selected > 0) this.#matched = true;
    if (quiet) {
      this.#over = selected > 0;
      return;
    }
    if (search.leftOutBinary) {
      yield* this.#flush();
      this.#invocation.warn(`${name}: binary file matches`);
    }
    if (list === "none") {
      if (count) search.printer.count(selected);
    } else if (selected > 0 === (list === "matching")) {
      search.printer.fileName(name);
    }
    if (this.#output.full) yield this.#output.take();
  }

  /** Sends the gathered output before a message, as the real tool does. */
  *#flush(): Generator<Uint8Array, void> {
    if (!this.#output.empty) yield this.#output.take();
  }

  *#fileFailed(thrown: unknown, path: string): Generator<Uint8Array, void> {
    if (!(thrown instanceof FileError)) throw thrown;
    yield* this.#flush();
    if (this.#request.complains) this.#invocation.warn(`${path}: ${thrown.message}`);
    this.#failed = true;
  }

  /** The whole of a file of patterns; `-` is standard input. */
  async #readText(path: string): Promise<string> {
    const { files, stdin } = this.#invocation;
    const blocks: Uint8Array[] = [];
    if (path === "-") for await (const block of stdin) blocks.push(Buffer.from(block));
    else for (const block of files.open(path).blocks()) blocks.push(block);
    return toText(Buffer.concat(blocks));
  }

  /** --include, --exclude and --exclude-from, in the order they were given. */
  async #namePatterns(occurrences: readonly Occurrence<Flags>[]): Promise<NamePattern[]> {
    const patterns: NamePattern[] = [];
    for (const { key, value } of occurrences) {
      if (key === "include" || key === "exclude") patterns.push({ glob: value, wanted: key === "include" });
      if (key !== "excludeFrom") continue;
      for (const glob of fileLines(await this.#readText(value))) if (glob.trim() !== "") patterns.push({ glob, wanted: false });
    }
    return patterns;
  }
}

const USAGE = "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n";
