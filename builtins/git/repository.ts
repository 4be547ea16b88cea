/** A repository, with what all commands ask of it. */
import { isAbsolutePath } from "../../src/glob/absolute-path.ts";
import type { Invocation } from "../../src/builtin/definition.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import { Attributes } from "./worktree/attributes.ts";
import { fromWord } from "./objects/byte-text.ts";
import { mayHold, type PathKey } from "./objects/changed-paths.ts";
import { CommitGraph } from "./objects/commit-graph.ts";
import { Config, parseConfig, type Setting } from "./config.ts";
import { DeniedFiles } from "./objects/denied-files.ts";
import type { Place } from "./repository-place.ts";
import type { Disk } from "./objects/disk.ts";
import { GitError } from "./git-error.ts";
import type { IndexFile } from "./worktree/index-file.ts";
import { KEPT_STORES } from "./objects/kept-objects.ts";
import { formatNamed, USUAL_FORMAT, type ObjectFormat } from "./objects/object-format.ts";
import { normal, ObjectStore } from "./objects/object-store.ts";
import { readGrafts, Replacements } from "./objects/replacements.ts";
import { knownCommit, parseCommit, parseTag, parseTree, type Commit, type TreeEntry } from "./objects/objects.ts";
import { Refs } from "./refs/refs.ts";

/** Read commits take so many bytes at most, each so many beside its text. */
const MOST_COMMIT_BYTES = 32 << 20;
const COMMIT_BYTES = 512;
/** Reading the commit-graph costs as much as reading a commit for so many of its bytes; few commits are read without it. */
const GRAPH_BYTES_A_COMMIT = 8192;
const COMMITS_WITHOUT_GRAPH = 64;

export class Repository {
  readonly disk: Disk;
  readonly format: ObjectFormat;
  readonly objects: ObjectStore;
  readonly refs: Refs;
  readonly config: Config;
  /** Relative to the root of the workspace; undefined where there is none, or not from here. */
  readonly #worktree: string | undefined;
  readonly gitDirectory: string;
  readonly commonDirectory: string;
  /** The current directory below the worktree, with a slash at the end: "src/", or "". */
  readonly prefix: string;
  readonly isInsideGitDirectory: boolean;
  /** There is no repository, but a place from which files are compared. */
  readonly isAbsent: boolean;
  /** See Place.home. */
  readonly home: string | undefined;
  /** See Place.shownAt. */
  readonly shownAt: string | undefined;
  /** Of its own, wherever one stands. */
  readonly isBare: boolean;
  /** Directory that it was looked for from, relative to the root. */
  readonly start: string;
  /** Of --git-dir, as typed. */
  readonly typedGitDirectory: string | undefined;
  readonly limits: Invocation["limits"];
  readonly kept: Invocation["kept"];
  readonly denied = new DeniedFiles(this);
  /** Current time, for dates that are typed. */
  readonly clock: { readonly nowMs: number; readonly timeZone: string };
  readonly #said = new Set<string>();
  #complain: (text: string) => void = () => {};
  readonly #commits = new Map<string, Commit>();
  #commitBytes = 0;
  #shallow: ReadonlySet<string> | undefined;
  #grafts: ReadonlyMap<string, readonly string[]> | undefined;
  #replacements: Replacements | undefined;
  #commitGraph: CommitGraph | undefined;
  #areFiltersRead: boolean | undefined;
  #commitsRead = 0;
  #graphPays = COMMITS_WITHOUT_GRAPH;
  readonly #abbreviations = new Map<string, string>();
  #abbreviation: number | undefined;
  readonly #made = new WeakMap<object, unknown>();
  #attributes: Attributes | undefined;
  #index: IndexFile | undefined;
  #quotesAll: boolean | undefined;

  constructor(
    disk: Disk,
    place: Place,
    prefix: string,
    { limits, nowMs, timeZone, kept }: Pick<Invocation, "limits" | "nowMs" | "timeZone" | "kept">,
    extra: readonly Setting[],
  ) {
    this.disk = disk;
    this.limits = limits;
    this.clock = { nowMs, timeZone };
    this.#worktree = place.worktree;
    this.home = place.home;
    this.shownAt = place.shownAt;
    this.typedGitDirectory = place.typed;
    this.start = place.start;
    this.gitDirectory = place.gitDirectory;
    this.commonDirectory = place.commonDirectory;
    this.isInsideGitDirectory = place.isInside;
    disk.holdsStore(place.gitDirectory);
    disk.holdsStore(place.commonDirectory);
    this.isAbsent = place.isAbsent === true;
    this.prefix = prefix;
    const shown = /^(?:[^]*\/)?\.git$/.test(place.gitDirectory) ? ".git/config" : `${place.commonDirectory}/config`;
    const stored = parseConfig(disk.text(`${place.commonDirectory}/config`) ?? "", shown);
    this.config = new Config([...stored, ...worktreeSettings(disk, place.gitDirectory, stored), ...extra]);
    const version = this.config.get("core.repositoryformatversion");
    if (version !== undefined && Number(version) > 1) throw new GitError(`Expected git repo version <= 1, found ${version}`);
    const format = formatOf(new Config(stored));
    this.format = format;
    this.isBare = place.worktree === undefined && this.config.boolean("core.bare", false);
    this.refs = new Refs(disk, place.gitDirectory, place.commonDirectory, format);
    this.kept = kept;
    this.objects = new ObjectStore(disk, `${place.commonDirectory}/objects`, format, limits, kept.of(KEPT_STORES));
    this.objects.replacesWith(() => this.replacements);
  }

  /** Sets the receiver of warnings from now on. */
  warnsTo(complain: (text: string) => void): void {
    this.#complain = complain;
  }

  /** Says `text` on standard error, however often. */
  say(text: string): void {
    this.#complain(text);
  }

  /** Says `text` on standard error, once. */
  warn(text: string): void {
    if (this.#said.has(text)) return;
    this.#said.add(text);
    this.#complain(text);
  }

  /** The -l with which all diffs would have looked for all renames; 0 where they did. */
  renameLimitNeeded = 0;

  /** What `act` gives. git compares the sides of a combined diff apart, and forgets which limit they met. */
  withoutLimitWarning<T>(act: () => T): T {
    const needed = this.renameLimitNeeded;
    const result = act();
    this.renameLimitNeeded = needed;
    return result;
  }

  /** Throws GitError. */
  commit(id: string): Commit {
    let commit = this.#commits.get(id);
    if (commit === undefined) {
      const parents = this.grafts.get(id) ?? (this.shallow.has(id) ? [] : undefined);
      const known = parents === undefined ? this.#graph()?.find(id) : undefined;
      if (known !== undefined) {
        commit = knownCommit(id, this.format, known, () => this.objects.get(id, "commit").data);
        this.#commitBytes += COMMIT_BYTES;
      } else {
        const { data } = this.objects.get(id, "commit");
        commit = parseCommit(id, this.format, data, parents);
        this.#commitBytes += data.length + COMMIT_BYTES;
      }
      if (this.#commitBytes > MOST_COMMIT_BYTES) {
        this.#commits.clear();
        this.#commitBytes = 0;
      }
      this.#commits.set(id, commit);
    }
    return commit;
  }

  /** The commit-graph, once so many commits were read that reading it whole pays. */
  #graph(): CommitGraph | undefined {
    const directory = `${this.commonDirectory}/objects`;
    if (this.#commitsRead++ < this.#graphPays) return this.#commitGraph;
    if (this.#graphPays === COMMITS_WITHOUT_GRAPH) {
      const size = this.#usesGraph ? CommitGraph.sizeIn(this.disk, directory, this.format) : 0;
      this.#graphPays = size === 0 ? Infinity : COMMITS_WITHOUT_GRAPH + 1 + Math.ceil(size / GRAPH_BYTES_A_COMMIT);
      return undefined;
    }
    this.#graphPays = Infinity;
    this.#commitGraph = CommitGraph.open(this.disk, directory, this.format);
    return this.#commitGraph;
  }

  get #usesGraph(): boolean {
    const isWhole = this.grafts.size === 0 && this.shallow.size === 0 && this.replacements.isEmpty;
    return isWhole && this.config.boolean("core.commitgraph", true);
  }

  /** The commit-graph, whether or not reading it pays. */
  wholeGraph(): CommitGraph | undefined {
    return this.#usesGraph ? CommitGraph.open(this.disk, `${this.commonDirectory}/objects`, this.format) : undefined;
  }

  /**
   * False if the commit changed none of `paths` against its first parent (the first, an empty tree) for certain, by the filters of
   * the commit-graph. `keys`: of each path.
   */
  mayHaveChanged(id: string, keys: readonly (readonly PathKey[])[]): boolean {
    const filter = this.#readsFilters ? this.#commitGraph?.filterOf(id) : undefined;
    return filter === undefined || keys.some((key) => mayHold(filter, key));
  }

  get #readsFilters(): boolean {
    return (this.#areFiltersRead ??= this.config.boolean("commitgraph.readchangedpaths", true));
  }

  get replacements(): Replacements {
    return (this.#replacements ??= new Replacements(this.refs, this.config, this.format));
  }

  /** Parents that stand for those of a commit. */
  get grafts(): ReadonlyMap<string, readonly string[]> {
    return (this.#grafts ??= readGrafts(this.disk, this.commonDirectory, this, (text) => this.warn(text)));
  }

  /** Ends of a shallow clone's history: commits whose parents are not here. */
  get shallow(): ReadonlySet<string> {
    if (this.#shallow === undefined) {
      const lines = this.disk.text(`${this.commonDirectory}/shallow`)?.split("\n") ?? [];
      this.#shallow = new Set(lines.filter((line) => this.format.isId(line)));
    }
    return this.#shallow;
  }

  tree(id: string): TreeEntry[] {
    return parseTree(this.objects.get(id, "tree").data, this.format);
  }

  /** A tree as it is stored, for a TreeReader. */
  treeBytes(id: string): Buffer {
    return this.objects.get(id, "tree").data;
  }

  /** The file or directory `path` of a tree; undefined where there is none. */
  entryAt(tree: string, path: string): TreeEntry | undefined {
    return this.objects.entryAt(tree, path);
  }

  /** The content of the file `path` (below the worktree), stored as `id`. Throws FileError where the policy denies it. */
  blob(id: string, path: string): Buffer {
    this.denied.check(path);
    return this.objects.get(id, "blob").data;
  }

  /** What `act` gives of that content, whose bytes are good only until the next object is read. */
  lookAtBlob<T>(id: string, path: string, act: (data: Buffer) => T): T {
    this.denied.check(path);
    return this.objects.look(id, "blob", act);
  }

  /** Follows tags to what they tag. */
  peeled(id: string): string {
    let at = id;
    for (let depth = 0; depth < 64; depth++) {
      const object = this.objects.find(at);
      if (object?.type !== "tag") return at;
      at = parseTag(object.data).object;
    }
    return at;
  }

  /** The commit that `id` is, or is a tag of; undefined where it is none. */
  asCommit(id: string): string | undefined {
    const peeled = this.peeled(id);
    return this.objects.find(peeled)?.type === "commit" ? peeled : undefined;
  }

  /** An abbreviated id, as long as it must be to be the only one. */
  short(id: string, length?: number): string {
    const key = length === undefined ? id : `${id} ${length}`;
    let short = this.#abbreviations.get(key);
    if (short === undefined) {
      short = id.slice(0, this.objects.uniqueLength(id, Math.min(this.format.idDigits, Math.max(4, length ?? this.abbreviation))));
      this.#abbreviations.set(key, short);
    }
    return short;
  }

  get abbreviation(): number {
    if (this.#abbreviation === undefined) {
      const wanted = this.config.get("core.abbrev");
      this.#abbreviation =
        wanted !== undefined && /^[0-9]+$/.test(wanted)
          ? Number(wanted)
          : wanted === "no"
            ? this.format.idDigits
            : this.objects.abbreviation;
    }
    return this.#abbreviation;
  }

  /** The index, which `read` reads the first time. */
  index(read: () => IndexFile): IndexFile {
    return (this.#index ??= read());
  }

  /** What `make` gives, made once for `key`. */
  once<T>(key: object, make: () => T): T {
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key) as T;
  }

  get attributes(): Attributes {
    return (this.#attributes ??= new Attributes(this));
  }

  get quotesAll(): boolean {
    return (this.#quotesAll ??= this.config.boolean("core.quotepath", true));
  }

  get hasWorktree(): boolean {
    return this.#worktree !== undefined;
  }

  /** Throws GitError where there is none. */
  needsWorktree(): void {
    if (!this.hasWorktree) throw new GitError("this operation must be run in a work tree");
  }

  /** Relative to the root of the workspace. Throws GitError where there is none. */
  get worktree(): string {
    this.needsWorktree();
    return this.#worktree ?? "";
  }

  /** A file below the worktree; undefined where there is none, or no worktree. */
  statusInWorktree(path: string): FileStatus | undefined {
    return this.hasWorktree ? this.disk.status(this.inWorktree(path), false) : undefined;
  }

  /** A path below the worktree, as one relative to the root of the workspace. */
  inWorktree(path: string): string {
    return this.worktree === "" ? path : path === "" ? this.worktree : `${this.worktree}/${path}`;
  }

  /** A path typed in the current directory (or in `from`), as one below the worktree. Throws GitError where it is outside. */
  fromHere(typed: string, from = this.prefix): string {
    if (isAbsolutePath(typed)) {
      const inside = this.disk.files.fromRoot(typed);
      const relative = inside === undefined || !this.hasWorktree ? undefined : this.#below(normal(fromWord(inside)) ?? "");
      if (relative === undefined) throw this.#outside(typed);
      return relative;
    }
    const joined = normal(from + typed);
    if (joined === undefined) throw this.#outside(typed);
    return joined;
  }

  #outside(typed: string): GitError {
    const place = this.disk.absolute(this.#worktree ?? this.gitDirectory);
    return new GitError(`${typed}: '${typed}' is outside repository at '${place}'`);
  }

  #below(path: string): string | undefined {
    if (this.worktree === "" || path === this.worktree) return path === this.worktree ? "" : path;
    return path.startsWith(`${this.worktree}/`) ? path.slice(this.worktree.length + 1) : undefined;
  }

  close(): void {
    this.disk.close();
    this.objects.close();
  }
}

/** Settings of one worktree alone (git-worktree(1), CONFIGURATION FILE), where the repository's `settings` say that there are any. */
function worktreeSettings(disk: Disk, gitDirectory: string, settings: readonly Setting[]): readonly Setting[] {
  if (!new Config(settings).boolean("extensions.worktreeconfig", false)) return [];
  return parseConfig(disk.text(`${gitDirectory}/config.worktree`) ?? "", ".git/config.worktree").map((setting) => ({
    ...setting,
    isWorktree: true,
  }));
}

/** The object format that a repository's own configuration names: -c names none, and extensions need a version. Throws GitError. */
function formatOf(stored: Config): ObjectFormat {
  const name = stored.get("extensions.objectformat");
  if (name === undefined) return USUAL_FORMAT;
  const format = formatNamed(name);
  if (format === undefined) throw new GitError(`repositories of the object format '${name}' are not read here`);
  const version = stored.get("core.repositoryformatversion");
  if (version === undefined) return USUAL_FORMAT;
  if (Number(version) === 0) throw new GitError("repo version is 0, but v1-only extension found:\n\tobjectformat");
  return format;
}
