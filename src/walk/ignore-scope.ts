/**
 * Ignore files as they nest: the entries of a directory that a walk like that of ripgrep and fd leaves out. A scope is
 * made for the starting point and goes down with the walk (`DirectoryFilter` of file-tree.ts):
 *
 *     new FileTree(files, ".", { …, filter: ignoreScope(files, ".", { custom: ".rgignore", dotIgnore: true, … }) })
 *
 * Precedence, and within each the deepest directory first: command-line globs, `custom`, `.ignore`, `.gitignore`,
 * `.git/info/exclude`, files given by name. Ignore files of the directories above the starting point count, up to the
 * workspace's root. Nothing of git's own configuration is read (`core.excludesFile` lies outside the root).
 */
import type { Files, OpenDirectory, OpenFile } from "../workspace/contract.ts";
import { FileError } from "../workspace/file-error.ts";
import { byteString } from "../glob/byte-glob-parser.ts";
import type { DirectoryFilter, EnteredPlace } from "./file-tree.ts";
import { parseIgnoreFile, type IgnoreRules, type RuleOptions, type Verdict } from "../glob/ignore-rules.ts";

export interface IgnoreOptions extends RuleOptions {
  /** Names beginning with a dot are left out, unless a rule takes them in. */
  readonly skipHidden: boolean;
  /** A tool's own ignore file, which wins over the others: ".rgignore", ".fdignore". */
  readonly custom: string | undefined;
  /** Reads `.ignore`. */
  readonly dotIgnore: boolean;
  readonly gitIgnore: boolean;
  readonly gitExclude: boolean;
  /** Ignore files above the starting point count. */
  readonly parents: boolean;
  /** git's files count only inside a repository: below a directory with `.git` or `.jj`. */
  readonly requireGit: boolean;
  /** Globs of the command line, which decide before everything else, and the path they are relative to, as typed. */
  readonly overrides?: { readonly rules: IgnoreRules; readonly relativeTo: string } | undefined;
  /** Verdict on files by their name alone (a byte string), asked where no rule leaves them out; command-line globs come before it. */
  readonly types?: ((name: string) => Verdict | undefined) | undefined;
  /** Ignore files given by name, the last one first asked; relative to the current directory. */
  readonly explicit?: readonly IgnoreRules[];
}

/** The filter of a walk that starts at `start`. Reads the ignore files above it; what cannot be read is passed over. */
export function ignoreScope(files: Files, start: string, options: IgnoreOptions): DirectoryFilter {
  const settings: Settings = { files, options, paths: pathRules(options) };
  return new StartFilter(settings, start);
}

interface Settings {
  readonly files: Files;
  readonly options: IgnoreOptions;
  readonly paths: PathRules;
}

/** Rules that see the whole path as it is shown. */
interface PathRules {
  readonly overrides: ((path: string, name: string, isDirectory: boolean) => Verdict | undefined) | undefined;
  readonly explicit: ((path: string, name: string, isDirectory: boolean) => Verdict | undefined) | undefined;
}

function pathRules({ overrides, explicit = [] }: IgnoreOptions): PathRules {
  const base = overrides === undefined ? "" : withoutDotSlash(byteString(overrides.relativeTo));
  return {
    overrides:
      overrides === undefined
        ? undefined
        : (path, name, isDirectory) => {
            const { rules } = overrides;
            const relative =
              base !== "." && path.includes("/") && path.startsWith(base) ? path.slice(base.length).replace(/^\//, "") : path;
            return rules.verdict(relative, name, isDirectory);
          },
    explicit:
      explicit.length === 0
        ? undefined
        : (path, name, isDirectory) => {
            for (let at = explicit.length - 1; at >= 0; at--) {
              const found = explicit[at]?.verdict(path, name, isDirectory);
              if (found !== undefined) return found;
            }
            return undefined;
          },
  };
}

/** Above the starting point: nothing is left out yet. */
class StartFilter implements DirectoryFilter {
  readonly #settings: Settings;
  readonly #start: string;

  constructor(settings: Settings, start: string) {
    this.#settings = settings;
    this.#start = start;
  }

  keeps(): boolean {
    return true;
  }

  enter(place: EnteredPlace): DirectoryFilter {
    const { options } = this.#settings;
    const readsNothing = !options.parents && !options.gitIgnore && !options.gitExclude;
    const above = readsNothing ? undefined : this.#above();
    const rules = readRules(this.#settings, place, place.path, above);
    return new ScopeFilter(this.#settings, rules);
  }

  /** The rules of the directories above, outermost first. */
  #above(): DirectoryRules | undefined {
    const { files } = this.#settings;
    let rules: DirectoryRules | undefined;
    try {
      const start = files.realPath(this.#start);
      const mount = files.mountOf(start);
      const components = start.slice(mount === undefined ? 0 : mount.length + 1).split("/");
      const absolute = (count: number): string => [mount ?? files.rootPath, ...components.slice(0, count)].join("/").replace(/^\/\//, "/");
      if (components[0] === "") return undefined;
      for (let count = 0; count < components.length; count++) {
        const directory = files.openDirectory(absolute(count));
        try {
          const place = { path: "", entries: directory.list("kernel"), directory };
          const before = byteString(`${components.slice(count).join("/")}/`);
          rules = readRules(this.#settings, place, absolute(count), rules, { before, start: this.#start });
        } finally {
          directory.close();
        }
      }
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
    }
    return rules;
  }
}

class ScopeFilter implements DirectoryFilter {
  readonly #settings: Settings;
  readonly #rules: DirectoryRules | undefined;

  constructor(settings: Settings, rules: DirectoryRules | undefined) {
    this.#settings = settings;
    this.#rules = rules;
  }

  keeps(name: string, path: string, isDirectory: boolean): boolean {
    const { options, paths } = this.#settings;
    const hidden = options.skipHidden && name.charCodeAt(0) === 46;
    const { types } = options;
    if (this.#rules === undefined && paths.overrides === undefined && paths.explicit === undefined && types === undefined) return !hidden;
    const bytes = byteString(path);
    const nameBytes = bytes.length === path.length ? name : byteString(name);
    const shown = paths.overrides === undefined && paths.explicit === undefined ? "" : withoutDotSlash(bytes);
    const overridden = paths.overrides?.(shown, nameBytes, isDirectory);
    if (overridden !== undefined) return overridden === "include";
    const ruled = nested(this.#rules, options, bytes, nameBytes, isDirectory) ?? paths.explicit?.(shown, nameBytes, isDirectory);
    const typed = ruled === "ignore" || isDirectory ? undefined : types?.(nameBytes);
    const verdict = typed ?? ruled;
    return verdict === undefined ? !hidden : verdict === "include";
  }

  enter(place: EnteredPlace): DirectoryFilter {
    const rules = readRules(this.#settings, place, place.path, this.#rules);
    return rules === this.#rules ? this : new ScopeFilter(this.#settings, rules);
  }
}

/** Rules of one directory's ignore files, linked to the nearest directory above that has some. */
interface DirectoryRules {
  readonly above: DirectoryRules | undefined;
  /** A walked path becomes relative to this directory by replacing its first `cut` bytes with `before`. */
  readonly cut: number;
  readonly before: string;
  readonly custom: IgnoreRules | undefined;
  readonly dotIgnore: IgnoreRules | undefined;
  readonly gitIgnore: IgnoreRules | undefined;
  readonly gitExclude: IgnoreRules | undefined;
  /** Rules of git end here. */
  readonly isRepository: boolean;
  /** True if this directory or one above is a repository, or if git's rules need none. */
  readonly inRepository: boolean;
}

function nested(
  rules: DirectoryRules | undefined,
  { parents }: IgnoreOptions,
  path: string,
  name: string,
  isDirectory: boolean,
): Verdict | undefined {
  let dotIgnore: Verdict | undefined;
  let git: Verdict | undefined;
  let exclude: Verdict | undefined;
  let usesGit = rules?.inRepository === true;
  for (let at = rules; at !== undefined; at = at.above) {
    if (at.before !== "" && !parents) break;
    const relative = at.before === "" ? path.slice(at.cut) : at.before + path.slice(at.cut);
    const custom = at.custom?.verdict(relative, name, isDirectory);
    if (custom !== undefined) return custom;
    dotIgnore ??= at.dotIgnore?.verdict(relative, name, isDirectory);
    if (usesGit) {
      git ??= at.gitIgnore?.verdict(relative, name, isDirectory);
      exclude ??= at.gitExclude?.verdict(relative, name, isDirectory);
      if (at.isRepository) usesGit = false;
    }
  }
  return dotIgnore ?? git ?? exclude;
}

/** `above` itself where this directory says nothing. `readAt` is a path to it. */
function readRules(
  { files, options }: Settings,
  { path, entries, directory }: EnteredPlace,
  readAt: string,
  above: DirectoryRules | undefined,
  over?: { readonly before: string; readonly start: string },
): DirectoryRules | undefined {
  let hasCustom = false;
  let hasDotIgnore = false;
  let hasGitIgnore = false;
  let hasGit = false;
  let hasJujutsu = false;
  for (const { name } of entries) {
    if (name.charCodeAt(0) !== 46) continue;
    if (name === options.custom) hasCustom = true;
    else if (name === ".ignore") hasDotIgnore = options.dotIgnore;
    else if (name === ".gitignore") hasGitIgnore = options.gitIgnore;
    else if (name === ".git") hasGit = options.gitIgnore || options.gitExclude;
    else if (name === ".jj") hasJujutsu = options.gitIgnore || options.gitExclude;
  }
  if (!hasCustom && !hasDotIgnore && !hasGitIgnore && !hasGit && !hasJujutsu) return above;
  const read = (name: string): IgnoreRules | undefined => rulesIn(() => directory.openFile(name), options);
  const isRepository = options.requireGit && (hasJujutsu || (hasGit && exists(directory, ".git")));
  const shown = over === undefined ? byteString(path) : byteString(over.start);
  return {
    above,
    cut: shown.length + (shown === "" || shown.endsWith("/") ? 0 : 1),
    before: over?.before ?? "",
    custom: hasCustom && options.custom !== undefined ? read(options.custom) : undefined,
    dotIgnore: hasDotIgnore ? read(".ignore") : undefined,
    gitIgnore: hasGitIgnore ? read(".gitignore") : undefined,
    gitExclude: hasGit && options.gitExclude ? excludeRules(files, directory, readAt, options) : undefined,
    isRepository,
    inRepository: isRepository || !options.requireGit || above?.inRepository === true,
  };
}

/** `.git/info/exclude`; where `.git` is a file, of the repository that this is a worktree of (gitrepository-layout(5)). */
function excludeRules(files: Files, directory: OpenDirectory, path: string, options: IgnoreOptions): IgnoreRules | undefined {
  const inside = path.endsWith("/") ? path : `${path}/`;
  try {
    if (!options.requireGit || directory.statusOf(".git", { follow: true }).kind === "directory")
      return rulesIn(() => files.open(`${inside}.git/info/exclude`), options);
    const [, worktree] = /^gitdir: (.*)/.exec(contentOf(directory.openFile(".git")).toString()) ?? [];
    if (worktree === undefined) return undefined;
    const [common = ""] = contentOf(files.open(`${worktree}/commondir`))
      .toString()
      .split(/\r?\n/, 1);
    return rulesIn(() => files.open(`${common.startsWith(".") ? `${worktree}/` : ""}${common}/info/exclude`), options);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return undefined;
  }
}

/** The rules of an ignore file given by name (`--ignore-file`); undefined if it has none. Throws FileError. */
export function readIgnoreFile(files: Files, path: string, options: RuleOptions = {}): IgnoreRules | undefined {
  return parseIgnoreFile(contentOf(files.open(path)), options);
}

function rulesIn(open: () => OpenFile, options: RuleOptions): IgnoreRules | undefined {
  try {
    return parseIgnoreFile(contentOf(open()), options);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return undefined;
  }
}

/** Rules past this many bytes of one file are not read: no ignore file is that long. */
const MOST_BYTES = 8 << 20;

function contentOf(file: OpenFile): Buffer {
  const blocks: Buffer[] = [];
  let size = 0;
  for (const block of file.blocks()) {
    blocks.push(Buffer.from(block));
    size += block.length;
    if (size >= MOST_BYTES) break;
  }
  return Buffer.concat(blocks);
}

function exists(directory: OpenDirectory, name: string): boolean {
  try {
    directory.statusOf(name, { follow: true });
    return true;
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return false;
  }
}

const withoutDotSlash = (path: string): string => (path.startsWith("./") ? path.slice(2) : path);
