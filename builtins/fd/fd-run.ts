/** One run of fd: from its flags to the walk, and from what is found to standard output or to commands. */
import { isAbsolutePath } from "../../src/glob/absolute-path.ts";
import type { ExitStatus, Invocation } from "../../src/builtin/definition.ts";
import { toBytes } from "../../src/io/text.ts";
import { GlobError } from "../../src/glob/byte-glob-parser.ts";
import { absolutePath } from "../../src/walk/canonical-path.ts";
import { FileTree, type TreeStep } from "../../src/walk/file-tree.ts";
import type { TreeFile } from "../../src/walk/tree-file.ts";
import { overrideRules, type IgnoreRules } from "../../src/glob/ignore-rules.ts";
import { ignoreScope, readIgnoreFile, type IgnoreOptions } from "../../src/walk/ignore-scope.ts";
import { comparePaths } from "../../src/walk/traversal-order.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { filesFrom } from "./based-files.ts";
import { CommandRunner } from "./commands.ts";
import { FdError } from "./fd-error.ts";
import { fileTests, ownerTest, type FileTest } from "./filters.ts";
import type { flags } from "./flags.ts";
import { compilePatterns, type NameTest } from "./patterns.ts";
import { settingsOf, type Settings } from "./settings.ts";
import { fillTemplate, parseTemplate, separated } from "./template.ts";

type Flags = typeof flags;

/** Text gathered before it is made into a block, in UTF-16 units; and into the first, which is enough for most `| head`. */
const BLOCK_UNITS = 32 * 1024;
const FIRST_UNITS = 1024;
/** Steps without output after which the caller gets a turn. */
const STEPS_PER_TURN = 4096;
const NOTHING = new Uint8Array(0);
/** Results of several starting points that are sorted before they are printed: as many as fd itself holds back. */
const MOST_SORTED = 1000;

export async function* runFd(invocation: Invocation<Flags>): AsyncGenerator<Uint8Array, ExitStatus> {
  const warn = (message: string): void => invocation.stderr(toBytes(`[fd error]: ${message}\n`));
  try {
    return yield* new FdRun(invocation, warn).run();
  } catch (thrown) {
    if (!(thrown instanceof FdError)) throw thrown;
    warn(thrown.message);
    return 1;
  }
}

class FdRun {
  readonly #invocation: Invocation<Flags>;
  readonly #settings: Settings;
  readonly #warn: (message: string) => void;
  readonly #files: Files;
  /** Relative to the root, where it is not the stage's own. */
  readonly #directory: string | undefined;

  constructor(invocation: Invocation<Flags>, warn: (message: string) => void) {
    const { files } = invocation;
    const settings = settingsOf(invocation.flags);
    const { baseDirectory } = settings;
    this.#invocation = invocation;
    this.#settings = settings;
    this.#warn = warn;
    if (baseDirectory !== undefined && !isDirectory(files, baseDirectory))
      throw new FdError(`The '--base-directory' path '${baseDirectory}' is not a directory.`);
    this.#files = baseDirectory === undefined ? files : filesFrom(files, baseDirectory);
    this.#directory = baseDirectory === undefined ? undefined : files.realPath(baseDirectory);
  }

  async *run(): AsyncGenerator<Uint8Array, ExitStatus> {
    const { operands, nowMs, timeZone } = this.#invocation;
    const settings = this.#settings;
    const { and, patterns, matchesFullPath, filters, owner: typedOwner, quiet, commands } = settings;
    const starts = this.#starts();
    const pattern = operands[0] ?? "";
    const owner = typedOwner === undefined ? [] : ownerTest(typedOwner, this.#files);
    const withSlash = matchesFullPath ? undefined : [pattern, ...and].find((text) => text.includes("/"));
    if (withSlash !== undefined) throw new FdError(pathMessage(withSlash));
    // What is wrong with a time is told of before the patterns, and with an owner before all.
    const tests = fileTests(filters, { files: this.#files, nowMs, timeZone, owner });
    const names = compilePatterns([...and, pattern], patterns);
    const found = this.#found(starts, names, tests, this.#ignoreOptions(starts, patterns.skipHidden));
    if (quiet) {
      for (const file of found) if (file !== undefined) return 0;
      return 1;
    }
    if (commands === undefined) {
      yield* this.#print(found, starts.length > 1);
      return 0;
    }
    const runner = new CommandRunner(commands, settings, this.#invocation, this.#directory);
    for (const file of found) {
      if (file === undefined) yield NOTHING;
      else yield* runner.add(this.#shown(file.path));
    }
    yield* runner.finish();
    return runner.exit;
  }

  /** The directories to search. Throws FdError where none is left. */
  #starts(): readonly string[] {
    const { operands } = this.#invocation;
    const { searchPaths } = this.#settings;
    const typed = operands.length > 1 ? operands.slice(1) : searchPaths;
    if (typed.length === 0) return [this.#start("./")];
    const starts = typed.filter((path) => {
      const exists = isDirectory(this.#files, path);
      if (!exists) this.#warn(`Search path '${path}' is not a directory.`);
      return exists;
    });
    if (starts.length === 0) throw new FdError("No valid search paths given.");
    return starts.map((path) => this.#start(path));
  }

  #start(path: string): string {
    if (this.#settings.isAbsolute) return this.#absolute(this.#files.realPath(path));
    if (path === ".") return "./";
    return path === "-" ? "./-" : path;
  }

  #absolute(path: string): string {
    return absolutePath(this.#files, path);
  }

  #ignoreOptions(starts: readonly string[], skipHidden: boolean): IgnoreOptions {
    const { dotIgnore, gitIgnore, parents, requireGit, files, excluded } = this.#settings.ignoring;
    const explicit: IgnoreRules[] = [];
    for (const path of files) {
      try {
        const rules = readIgnoreFile(this.#files, path);
        if (rules !== undefined) explicit.push(rules);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        this.#warn(`Malformed pattern in custom ignore file. ${path}: ${systemWords(thrown)}.`);
      }
    }
    const overrides = exclusion(excluded);
    return {
      skipHidden,
      custom: dotIgnore ? ".fdignore" : undefined,
      dotIgnore,
      gitIgnore,
      gitExclude: gitIgnore,
      parents,
      requireGit,
      overrides: overrides && { rules: overrides, relativeTo: starts[0] ?? "." },
      explicit,
    };
  }

  /** What is found, as it is found; undefined where nothing was for a while. */
  *#found(
    starts: readonly string[],
    names: readonly NameTest[],
    tests: readonly FileTest[],
    ignore: IgnoreOptions,
  ): Generator<TreeFile | undefined, void> {
    const { mostResults, maxDepth, minDepth, follows, oneDevice, prunes, commands } = this.#settings;
    const textOf = this.#searched();
    let count = 0;
    let steps = 0;
    for (const start of starts) {
      if (this.#isLeftOut(start)) continue;
      const tree = new FileTree(this.#files, start, {
        follow: follows ? "always" : "starting-points",
        contentsFirst: false,
        maxDepth,
        oneDevice,
        order: "name",
        filter: ignoreScope(this.#files, start, ignore),
        ...(commands === undefined ? { ahead: {} } : {}),
      });
      try {
        for (let step = tree.next(); step !== undefined; step = tree.next()) {
          if (++steps % STEPS_PER_TURN === 0) yield undefined;
          const file = this.#fileOf(step);
          if (file === undefined || file.depth === 0) continue;
          if (file.kind === "directory" && this.#isLeftOut(file.path)) {
            tree.skip();
            continue;
          }
          // fd does not know how deep a link is that it could not follow.
          if (minDepth !== undefined && (file.depth < minDepth || (follows && file.kind === "symlink"))) continue;
          const text = names.length === 0 ? "" : textOf(file);
          if (!names.every((matches) => matches(text)) || !tests.every((test) => test(file))) continue;
          yield file;
          if (++count >= mostResults) return;
          if (prunes) tree.skip();
        }
      } finally {
        tree.close();
      }
    }
  }

  /** undefined for a step that is no result, which --show-errors tells of. */
  #fileOf(step: TreeStep): TreeFile | undefined {
    if (step.what === "file") return step.file;
    if (step.what === "error" && step.error.code === "SYMLINK_ESCAPE" && step.link !== undefined) return step.link;
    if (!this.#settings.showsErrors) return undefined;
    this.#warn(
      step.what === "loop"
        ? `File system loop found: ${asText(step.path)} points to an ancestor ${asText(step.ancestor)}`
        : `${asText(step.path)}: ${systemWords(step.error)}`,
    );
    return undefined;
  }

  /** What the patterns are matched against. */
  #searched(): (file: TreeFile) => string {
    if (!this.#settings.matchesFullPath) return (file) => file.name;
    const directory = this.#absolute(this.#files.realPath("."));
    const prefix = directory.endsWith("/") ? directory : `${directory}/`;
    return ({ path }) => (isAbsolutePath(path) ? path : prefix + withoutDotSlash(path));
  }

  /** --ignore-contain. */
  #isLeftOut(directory: string): boolean {
    return this.#settings.ignoring.contained.some((name) => {
      try {
        this.#files.status(directory.endsWith("/") ? directory + name : `${directory}/${name}`);
        return true;
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        return false;
      }
    });
  }

  #shown(path: string): string {
    const { stripsDot, searchPaths } = this.#settings;
    if (this.#invocation.operands.length > 1 || searchPaths.length > 0) return path;
    // What would look like a flag keeps it.
    return stripsDot && !path.startsWith("./-") ? withoutDotSlash(path) : path;
  }

  *#print(found: Iterable<TreeFile | undefined>, sorts: boolean): Generator<Uint8Array, void> {
    const { end, pathSeparator, format } = this.#settings;
    const template = format === undefined ? undefined : parseTemplate(format);
    const line = ({ path, kind }: TreeFile): string => {
      const shown = this.#shown(path);
      if (template !== undefined) return asText(fillTemplate(template, shown, pathSeparator)) + end;
      const whole = separated(shown, pathSeparator) + (kind === "directory" ? (pathSeparator ?? "/") : "") + end;
      return pathSeparator === undefined ? whole : asText(whole);
    };
    let text = "";
    let blockUnits = FIRST_UNITS;
    let held: { path: string; line: string }[] | undefined = sorts ? [] : undefined;
    for (const file of found) {
      if (file === undefined) {
        yield NOTHING;
        continue;
      }
      if (held === undefined) text += line(file);
      else if (held.push({ path: file.path, line: line(file) }) > MOST_SORTED) {
        text += held.map((result) => result.line).join("");
        held = undefined;
      }
      if (text.length < blockUnits) continue;
      yield toBytes(text);
      text = "";
      blockUnits = BLOCK_UNITS;
    }
    held?.sort((a, b) => comparePaths(a.path, b.path));
    text += (held ?? []).map((result) => result.line).join("");
    if (text !== "") yield toBytes(text);
  }
}

const withoutDotSlash = (path: string): string => (path.startsWith("./") ? path.slice(2) : path);

function exclusion(globs: readonly string[]): IgnoreRules | undefined {
  try {
    return overrideRules(globs.map((glob) => `!${glob}`));
  } catch (thrown) {
    if (!(thrown instanceof GlobError)) throw thrown;
    throw new FdError(`Malformed exclude pattern: ${thrown.message}`);
  }
}

function isDirectory(files: Files, path: string): boolean {
  try {
    return files.status(path).kind === "directory";
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return false;
  }
}

const ERRNO: Readonly<Record<string, number>> = {
  ...{ EPERM: 1, ENOENT: 2, EIO: 5, ENXIO: 6, EACCES: 13, ENOTDIR: 20, EISDIR: 21, EINVAL: 22, ENFILE: 23, EMFILE: 24 },
  ...{ ENAMETOOLONG: 36, ELOOP: 40, ESTALE: 116 },
};

/** As Rust shows an error of the system. */
function systemWords({ code, message }: FileError): string {
  const number = ERRNO[code];
  return number === undefined ? message : `${message} (os error ${number})`;
}

const pathMessage = (pattern: string): string =>
  `The search pattern '${pattern}' contains a path-separation character and will not lead to any search results.\n\nIf you want to search for all files inside the '${pattern}' directory, use a match-all pattern:\n\n  fd . '${pattern}'\n\nInstead, if you want your pattern to match the full file path, use:\n\n  fd --full-path '${pattern}'`;

/** As Rust's String::from_utf8_lossy: what is no text is replaced. */
const asText = (path: string): string => (path.isWellFormed() ? path : toBytes(path).toString("utf8"));
