/**
 * Words → arguments, at the moment a stage starts: pathname expansion in the workspace, as bash does it with its
 * default options in C.UTF-8 (bash manual §3.5.8), and `~`. A name that a pattern found is an operand whatever it
 * looks like: a file named `-rf` never becomes a flag. A pattern that found nothing is what was typed
 * (`--include=*.ts`).
 */
import type { Argument } from "../builtin/arguments.ts";
import { LimitReached } from "../io/limit-reached.ts";
import { toBytes } from "../io/text.ts";
import { compileGlob, type Glob } from "../glob/glob-match.ts";
import type { Files, OpenDirectory } from "../workspace/contract.ts";
import { FileError, type FileErrorCode } from "../workspace/file-error.ts";
import { staticText, type Word } from "./tree.ts";
import { ExpansionError } from "./variables.ts";

/** Names one stage's words may expand to, and files and directories that may be looked at for them. */
export const MOST_NAMES = 100_000;

/** Options of the shell (`shopt`, `set -f`); what is left out is off. */
export interface PathnameOptions {
  readonly noglob?: boolean;
  readonly nullglob?: boolean;
  readonly failglob?: boolean;
  readonly dotglob?: boolean;
  readonly nocaseglob?: boolean;
  readonly globstar?: boolean;
}

/**
 * Pathname expansion for the words of one stage. Throws LimitReached "held" past MOST_NAMES, and FileError where the
 * host itself fails (EIO, EMFILE). A directory that is missing, closed to us or outside the root matches nothing.
 */
export class Pathnames {
  readonly #files: Files;
  readonly #options: PathnameOptions;
  #names = 0;
  #looks = 0;

  constructor(files: Files, options: PathnameOptions = {}) {
    this.#files = files;
    this.#options = options;
  }

  /** Expands a word of text, patterns and `~` to arguments. */
  expand(word: Word): readonly Argument[] {
    const text = staticText(word);
    if (text !== undefined) return [argumentOf(text, word)];
    const pieces = piecesOf(word, this.#files.rootPath);
    const literal = pieces.map((piece) => (piece.special ? piece.text.replace(/\\(.)/gsu, "$1") : piece.text)).join("");
    const { noglob = false, nullglob = false, failglob = false } = this.#options;
    if (noglob || !pieces.some((piece) => piece.special)) return [argumentOf(literal, word)];
    const found: string[] = [];
    this.#walk("", componentsOf(pieces, this.#options), 0, found);
    if (found.length === 0) {
      if (failglob) throw new ExpansionError(`no match: ${literal}`);
      return nullglob ? [] : [argumentOf(literal, word)];
    }
    return inByteOrder(found).map((name) => ({ text: name, operandOnly: true }));
  }

  /** Every name that begins with `prefix` and goes on as `components` from `index` say. */
  #walk(prefix: string, components: readonly Component[], index: number, found: string[]): void {
    let path = prefix;
    let at = index;
    for (let next = components[at]; next !== undefined && next.glob === undefined; next = components[++at])
      path += next.text + next.slashes;
    const component = components[at];
    if (component?.glob === undefined) {
      if (this.#exists(path)) this.#found(path, found);
      return;
    }
    const last = at + 1 === components.length;
    if (component.isDeep) {
      this.#walkDeep(path, components, at, found);
      return;
    }
    for (const name of this.#matching(path, component.glob, component.slashes !== "")) {
      const entry = path + name + component.slashes;
      if (last) this.#found(entry, found);
      else this.#walk(entry, components, at + 1, found);
    }
  }

  /** `**`: the directory at `path` and all below it; as the last of a pattern, files too. Links are not followed. */
  #walkDeep(path: string, components: readonly Component[], at: number, found: string[]): void {
    const { glob, slashes } = components[at] as Component;
    const isLast = at + 1 === components.length;
    if (path !== "" && !this.#exists(path)) return;
    const pending = [path];
    for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
      if (!isLast) this.#walk(directory, components, at + 1, found);
      else if (directory !== "" && (slashes !== "" || directory === path)) this.#found(directory, found);
      for (const { name, kind } of this.#entries(directory)) {
        if (glob?.matches(name) !== true) continue;
        if (kind === "directory") pending.push(`${directory}${name}/`);
        if (isLast && slashes === "") this.#found(directory + name, found);
      }
    }
  }

  #entries(path: string): readonly { readonly name: string; readonly kind: string | undefined }[] {
    this.#look();
    const directory = unlessAbsent(() => this.#files.openDirectory(path === "" ? "." : path));
    if (directory === undefined) return [];
    try {
      return [...directory.entries()].map(({ name, kind }) => ({
        name,
        kind: kind ?? unlessAbsent(() => directory.statusOf(name, { follow: false }))?.kind,
      }));
    } finally {
      directory.close();
    }
  }

  #found(path: string, found: string[]): void {
    if (++this.#names > MOST_NAMES) throw new LimitReached("held", MOST_NAMES, "names");
    found.push(path);
  }

  /** A pattern like `a/b/x` with a star in each place finds little and looks everywhere. */
  #look(): void {
    if (++this.#looks > MOST_NAMES) throw new LimitReached("held", MOST_NAMES, "files looked at for a pattern");
  }

  #exists(path: string): boolean {
    this.#look();
    return unlessAbsent(() => this.#files.status(path, { follow: false })) !== undefined;
  }

  /** Names in the directory `path` that match; only directories (through links too) where one must follow. */
  #matching(path: string, glob: Glob, directoriesOnly: boolean): readonly string[] {
    this.#look();
    const directory = unlessAbsent(() => this.#files.openDirectory(path === "" ? "." : path));
    if (directory === undefined) return [];
    try {
      const names: string[] = [];
      for (const entry of directory.entries()) {
        if (!glob.matches(entry.name)) continue;
        if (directoriesOnly && entry.kind !== "directory" && !leadsToDirectory(directory, entry.name, entry.kind)) continue;
        names.push(entry.name);
      }
      return names;
    } finally {
      directory.close();
    }
  }
}

function leadsToDirectory(directory: OpenDirectory, name: string, kind: string | undefined): boolean {
  if (kind !== "symlink" && kind !== undefined) return false;
  return unlessAbsent(() => directory.statusOf(name, { follow: true }))?.kind === "directory";
}

/** `text` as it was typed, or as the caller of a named pipeline gave it. */
const argumentOf = (text: string, { isOperand }: Word): Argument => (isOperand === true ? { text, operandOnly: true } : { text });

/** The result of `read`; undefined if the file does not exist or cannot be reached. Any other error is thrown. */
function unlessAbsent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof FileError && ABSENT.has(thrown.code)) return undefined;
    throw thrown;
  }
}

const ABSENT: ReadonlySet<FileErrorCode> = new Set([
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "EPERM",
  "ELOOP",
  "ENAMETOOLONG",
  "EINVAL",
  "PATH_ESCAPE",
  "SYMLINK_ESCAPE",
  "NOT_REGULAR_FILE",
  "PROTECTED_PATH",
  "NEEDS_APPROVAL",
]);

interface Piece {
  readonly text: string;
  /** A pattern; otherwise its own text. */
  readonly special: boolean;
}

function piecesOf(word: Word, rootPath: string): readonly Piece[] {
  return word.parts.map((part, index) => {
    switch (part.kind) {
      case "parameter":
      case "command":
      case "process":
      case "arithmetic":
        throw new Error("a word reached pathname expansion with a variable in it");
      case "text":
        return { text: part.text, special: false };
      case "glob":
        return { text: part.source, special: true };
      case "home": {
        const next = word.parts[index + 1];
        const slashFollows = next?.kind === "text" && next.text.startsWith("/");
        return { text: rootPath === "/" && slashFollows ? "" : rootPath, special: false };
      }
    }
  });
}

/** The text between slashes, with the slashes after it: as typed before the first pattern, then one, as in bash. */
interface Component {
  readonly text: string;
  readonly glob: Glob | undefined;
  /** `**` under globstar. */
  readonly isDeep: boolean;
  readonly slashes: string;
}

function componentsOf(pieces: readonly Piece[], options: PathnameOptions): readonly Component[] {
  const { dotglob = false, nocaseglob = false, globstar = false } = options;
  const components: Component[] = [];
  let text = "";
  let pattern = "";
  let special = false;
  let matching = false;
  const finish = (slashes: string): void => {
    matching ||= special;
    const isDeep = globstar && special && pattern === "**";
    // Of several in a row one does the same.
    if (isDeep && components.at(-1)?.isDeep === true) components.pop();
    components.push({
      text,
      glob: special ? compileGlob(pattern, { period: !dotglob, caseFold: nocaseglob, extended: true }) : undefined,
      isDeep,
      slashes: matching ? slashes.slice(0, 1) : slashes,
    });
    text = "";
    pattern = "";
    special = false;
  };
  for (const piece of pieces) {
    if (piece.special) {
      special = true;
      pattern += piece.text;
      continue;
    }
    for (const [run] of piece.text.matchAll(/\/+|[^/]+/g)) {
      if (run.startsWith("/")) finish(run);
      else {
        text += run;
        pattern += run.replace(/[*?[\]\\!^+@(|)-]/g, "\\$&");
      }
    }
  }
  if (text !== "" || special) finish("");
  return components;
}

/** bash sorts by strcoll(3), which in C.UTF-8 is the order of bytes; UTF-16 order differs past U+D800. */
function inByteOrder(names: readonly string[]): readonly string[] {
  if (!names.some((name) => /[\ud800-\uffff]/.test(name))) return [...names].sort();
  const withBytes = names.map((name) => ({ name, bytes: toBytes(name) }));
  return withBytes.sort((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ name }) => name);
}
