/**
 * The only way to a file. `Workspace.open` is the one function that turns a host path into authority; everything
 * else takes paths that are relative to the root (or absolute and under it) and walks them by descriptor.
 *
 * Linux: confinement holds against other processes that change the tree meanwhile (see path-walk.ts).
 * Over 400 lines: one class, one contract.
 */
import { isAbsolutePath, withSlashes } from "../glob/absolute-path.ts";
import { type ByteInput, inputFrom } from "../io/input.ts";
import type { Files, HandedOver, OpenDirectory, OpenFile, Spill } from "./contract.ts";
import { allowsUse, holdAny, kindAndSize, linkStatus, readLinkIn, release } from "./walk/descriptor.ts";
import { FileError } from "./file-error.ts";
import { fileErrorFrom } from "./system-error.ts";
import type { FileStatus } from "./file-status.ts";
import { HeldDirectory } from "./walk/held-directory.ts";
import type { CallReads } from "./read/call-reads.ts";
import { openRegular } from "./read/held-file.ts";
import { LookAhead } from "./ahead/look-ahead.ts";
import { RECORD_DIRECTORY } from "./write/mirror-path.ts";
import { descriptorNumber, descriptorStatus, HeldFile, type StageDescriptors } from "./read/held-descriptors.ts";
import { NULL_DEVICE, NULL_STATUS, NullFile } from "./read/null-device.ts";
import { DirectoryMount } from "./mount/directory-mount.ts";
import { MountTable } from "./mount/mount-table.ts";
import { Scratch } from "./mount/scratch.ts";
import { ScratchMount } from "./mount/scratch-mount.ts";
import { ScratchWriter } from "./mount/scratch-writer.ts";
import type { HeldTree } from "./walk/held-tree.ts";
import { walkPath, type Place, type WalkOptions } from "./walk/path-walk.ts";
import type { HeldParent } from "./walk/last-directory.ts";
import { DeniedPlaces } from "./walk/denied-places.ts";
import { Root } from "./walk/root.ts";
import type { View, WorkspaceOptions } from "./view.ts";
import { WorkspaceWriter } from "./write/write-access.ts";

export class Workspace implements Files {
  readonly currentDirectory: string;
  readonly hiddenName = RECORD_DIRECTORY;
  readonly #root: Root;
  readonly #view: View;

  private constructor(root: Root, currentDirectory: string, view: View) {
    this.#root = root;
    this.currentDirectory = currentDirectory;
    this.#view = view;
  }

  /**
   * Opens the host directory `hostDirectory` (absolute) as a workspace.
   * Throws FileError ENOENT, ENOTDIR or EACCES.
   */
  static open(hostDirectory: string, options: WorkspaceOptions = {}): Workspace {
    const { aliases = [], knownAs, isCopy, denyRead = [], mounts = [], inherited, startLookAhead } = options;
    const lookAhead = new LookAhead(startLookAhead);
    const denied = new DeniedPlaces();
    const root = new Root({ path: hostDirectory, aliases, knownAs, isCopy, denyRead, denied, inherited, lookAhead });
    try {
      const directories = DirectoryMount.openAll(mounts, { lookAhead, denied }, inherited && (inherited.mounts ?? []));
      return new Workspace(root, "", { mounts: new MountTable(directories, undefined) });
    } catch (thrown) {
      root.close();
      throw thrown;
    }
  }

  /** The view that another thread of this process has handed over. It must be closed before the other thread's is. */
  static takeOver(handed: HandedOver): Workspace {
    const { rootPath, aliases, knownAs, isCopy, denyRead, rootDescriptor, canonical, aboveRoot, currentDirectory, whole, scratch, mounts } =
      handed;
    const inherited = { descriptor: rootDescriptor, canonical, aboveRoot, mounts: mounts.map((mount) => mount.inherited) };
    const opened = Workspace.open(rootPath, { aliases, knownAs, isCopy, denyRead, inherited, mounts: mounts.map(({ place }) => place) });
    return (scratch === undefined ? opened : opened.withScratch(Scratch.takeOver(scratch)))
      .at(currentDirectory)
      .withDescriptors({ input: () => undefined, whole });
  }

  /** Before each call: see Root.follow. Throws FileError ROOT_GONE; a mount that is gone is an error of the paths into it. */
  followRoot(): void {
    this.#root.follow(".");
    for (const mount of this.#view.mounts.directories) mount.follow();
  }

  openSpill(mostBytes: number): Spill {
    return this.#root.spillSpace.open(mostBytes);
  }

  handOver(): HandedOver {
    const { path, aliases, knownAs, isCopy, denyRead, handle, canonical, aboveRoot } = this.#root;
    const { currentDirectory } = this;
    const whole = this.#view.descriptors?.whole ?? new Map<string, Uint8Array>();
    const scratch = this.#view.mounts.scratch?.scratch.handOver();
    this.#view.reads?.noteAny();
    const mounts = this.#view.mounts.handOver();
    const root = { rootPath: path, aliases, knownAs, isCopy, denyRead, rootDescriptor: handle, canonical, aboveRoot };
    return { ...root, currentDirectory, whole, scratch, mounts };
  }

  /** A view of the same workspace from another current directory (as Files.currentDirectory). */
  at(currentDirectory: string): Workspace {
    return new Workspace(this.#root, currentDirectory, this.#view);
  }

  /** A view from the same directory in which a stage has these descriptors. */
  withDescriptors(descriptors: StageDescriptors): Workspace {
    return new Workspace(this.#root, this.currentDirectory, { ...this.#view, descriptors });
  }

  /** A view from the same directory in which the files that are read in the root are noted. */
  noting(reads: CallReads): Workspace {
    return new Workspace(this.#root, this.currentDirectory, { ...this.#view, reads });
  }

  /** A view in which `scratch` is at its own name; this one where that name is the root's already. */
  withScratch(scratch: Scratch): Workspace {
    if (this.isUnderRoot(scratch.prefix)) return this;
    const mount = new ScratchMount(scratch, this.#root.lookAhead, () => this.#root.namesBelow(scratch.prefix));
    return new Workspace(this.#root, this.currentDirectory, { ...this.#view, mounts: this.#view.mounts.withScratch(mount) });
  }

  /** Host paths, without links, of the owner's mounts by their names, and of the root by "". */
  get places(): ReadonlyMap<string, string> {
    const mounts = this.#view.mounts.directories.map(({ prefix, canonical }) => [prefix, canonical] as const);
    return new Map([["", this.#root.canonical], ...mounts]);
  }

  /** Absolute name of the scratch; undefined where there is none. */
  get scratchPrefix(): string | undefined {
    return this.#view.mounts.scratch?.prefix;
  }

  /** The way to change files of the scratch; undefined where there is none. */
  scratch(): ScratchWriter | undefined {
    const mount = this.#view.mounts.scratch;
    if (mount === undefined) return undefined;
    return new ScratchWriter(
      mount.scratch,
      (path) => this.#locate(path).tree === mount,
      (path, options) => this.#walk(path, options),
    );
  }

  /** Closes every view of this workspace. */
  close(): void {
    this.#view.mounts.close();
    this.#root.close();
    this.#root.lookAhead.close();
  }

  /** The way to change files, for src/audit and `shelpa-mcp init` alone: a builtin gets its recorder. */
  writer(): WorkspaceWriter {
    if (this.#view.isOnlyRead === true) throw new FileError("READ_ONLY", this.#root.path);
    return new WorkspaceWriter(this.#root, (path, options) => {
      if (this.#locate(path).tree !== this.#root) throw new FileError("PATH_ESCAPE", path);
      return this.#walk(path, options);
    });
  }

  get rootPath(): string {
    return this.#root.path;
  }

  get aboveRoot(): FileStatus {
    return this.#root.aboveRoot;
  }

  /** Tells whether an absolute path is at or under the root or one of its aliases, by its text alone. */
  isUnderRoot(absolutePath: string): boolean {
    return this.#root.componentsOf(absolutePath) !== undefined;
  }

  get userId(): number {
    return process.geteuid?.() ?? 0;
  }

  get groupId(): number {
    return process.getegid?.() ?? 0;
  }

  userName(userId: number): string | undefined {
    return this.#root.accounts.users.get(userId);
  }

  groupName(groupId: number): string | undefined {
    return this.#root.accounts.groups.get(groupId);
  }

  userNumber(name: string): number | undefined {
    return this.#root.accounts.userNumbers.get(name);
  }

  groupNumber(name: string): number | undefined {
    return this.#root.accounts.groupNumbers.get(name);
  }

  descriptor(path: string): ByteInput | undefined {
    const number = descriptorNumber(path);
    const whole = this.#view.descriptors?.whole.get(path);
    if (whole !== undefined) return inputFrom([whole]);
    return number === undefined ? undefined : this.#view.descriptors?.input(number);
  }

  open(path: string): OpenFile {
    if (path === NULL_DEVICE) return new NullFile();
    const whole = this.#view.descriptors?.whole.get(path);
    if (whole !== undefined) return new HeldFile(descriptorNumber(path) as number, whole);
    return (
      this.#inRecent(path, (parent, name) => this.#openIn(parent, name, path)) ??
      this.#use(path, FOLLOW, (place, tree) => openRegular(tree, place.handle as number, place, path, { reads: this.#readsIn(tree) }))
    );
  }

  openStore(path: string): OpenFile {
    return this.#use(path, FOLLOW, (place, tree) =>
      openRegular(tree, place.handle as number, place, path, { asStore: true, reads: this.#readsIn(tree) }),
    );
  }

  openDirectory(path: string): OpenDirectory {
    if (path === NULL_DEVICE) throw new FileError("ENOTDIR", path);
    return this.#use(path, FOLLOW, (place, tree) => {
      if (place.status?.kind !== "directory") throw new FileError("ENOTDIR", path);
      tree.checkReadable(place.canonical, path, true);
      return HeldDirectory.at(tree, place, path, this.#readsIn(tree));
    });
  }

  status(path: string, options: { readonly follow?: boolean } = {}): FileStatus {
    if (path === NULL_DEVICE) return NULL_STATUS;
    const number = descriptorNumber(path);
    if (number !== undefined && this.#view.descriptors?.input(number) !== undefined) return descriptorStatus(number);
    const follow = options.follow !== false;
    const status = this.#inRecent(path, ({ handle }, name) => linkStatus(handle, name));
    if (status !== undefined && !(follow && status.kind === "symlink")) return status;
    return this.#use(path, follow ? FOLLOW : NO_FOLLOW, (place) => place.status as FileStatus);
  }

  readLink(path: string): string {
    if (path === NULL_DEVICE) throw new FileError("EINVAL", path);
    return this.#use(path, NO_FOLLOW, (place) => {
      if (place.status?.kind !== "symlink") throw new FileError("EINVAL", path);
      return readLinkIn(place.parent as number, place.name);
    });
  }

  realPath(path: string): string {
    return this.#use(path, FOLLOW, ({ canonical }, tree) => tree.named(tree.spelled(canonical)));
  }

  get deniesReading(): boolean {
    return this.#root.deniesReading;
  }

  whyDenied(canonical: string): string | undefined {
    return this.whyDeniedFrom(canonical, "");
  }

  whyDeniedFrom(directory: string, path: string): string | undefined {
    if (!directory.startsWith("/")) return this.#root.whyDeniedFrom(directory, path);
    const found = this.#view.mounts.directoryOf(directory);
    return found?.mount.whyDeniedFrom(found.below, path);
  }

  whyDeniedBelowAnyTop(path: string): string | undefined {
    return this.#root.whyDeniedBelowAnyTop(path);
  }

  /** A canonical path of the root as its directories have it; as it is where they cannot be asked. */
  spelled(canonical: string): string {
    try {
      return this.#root.spelled(canonical);
    } catch (thrown) {
      if (thrown instanceof FileError) return canonical;
      throw thrown;
    }
  }

  /**
   * Tells whether a name on the way to `path`, a canonical path or an absolute one, is found in any case, or cannot be told. False
   * outside.
   */
  foldsCase(path: string): boolean {
    const found = path.startsWith("/") ? this.#view.mounts.directoryOf(path) : undefined;
    if (found !== undefined) return found.mount.foldsCase(found.below);
    const below = path.startsWith("/") ? this.fromRoot(path) : path;
    return below !== undefined && this.#root.foldsCase(below);
  }

  fromRoot(path: string): string | undefined {
    return isAbsolutePath(path) ? this.#root.componentsOf(path)?.join("/") : undefined;
  }

  mountOf(path: string): string | undefined {
    if (!isAbsolutePath(path) || this.#root.componentsOf(path) !== undefined) return undefined;
    return this.#view.mounts.find(withSlashes(path))?.tree.prefix;
  }

  /** Names of the owner's mounts. */
  get mountNames(): readonly string[] {
    return this.#view.mounts.directories.map(({ prefix }) => prefix);
  }

  /** Tells whether files of the mount `prefix` may be changed. */
  mayWrite(prefix: string): boolean {
    return this.#view.mounts.directory(prefix)?.place.access === "write";
  }

  /**
   * The view in which `path`, taken from this one's current directory, is a path of the root: this one, or that of the owner's mount
   * (`inMount`), with its name. Throws FileError PATH_ESCAPE and MOUNT_GONE.
   */
  home(path: string): { readonly files: Workspace; readonly mount: string | undefined } {
    const { tree } = this.#locate(path);
    const mount = tree instanceof DirectoryMount ? tree.prefix : undefined;
    return { files: (mount === undefined ? undefined : this.inMount(mount)) ?? this, mount };
  }

  inMount(path: string): Workspace | undefined {
    const { descriptors, mounts } = this.#view;
    const mount = mounts.directory(this.mountOf(path) ?? "");
    if (mount === undefined) return undefined;
    const here = this.mountOf(this.currentDirectory) === mount.prefix ? mount.componentsOf(this.currentDirectory) : undefined;
    const view = { descriptors, mounts: MountTable.empty, isOnlyRead: mount.place.access === "read" };
    return new Workspace(mount.root, here?.join("/") ?? "", view);
  }

  access(path: string, wanted: "read" | "write" | "execute"): boolean {
    if (path === NULL_DEVICE) return wanted !== "execute";
    if (descriptorNumber(path) !== undefined) return wanted === "read" && this.status(path) !== undefined;
    return this.#use(path, FOLLOW, (place) => allowsUse(place.handle as number, wanted));
  }

  /**
   * The result of `use` on the last component of `path` in its directory, if that directory is held (last-directory.ts).
   * undefined if it is not, or if something failed: a walk then finds the error.
   */
  #inRecent<T>(path: string, use: (parent: HeldParent, name: string) => T): T | undefined {
    const slash = path.lastIndexOf("/");
    const name = path.slice(slash + 1);
    if (slash === 0 || name === "" || name === "." || name === ".." || path.length > SHORT_PATH || path.includes("\0")) return undefined;
    // In a mount every path is walked.
    if (isAbsolutePath(path) ? this.mountOf(path) !== undefined : this.currentDirectory.startsWith("/")) return undefined;
    const typed = slash < 0 ? "." : path.slice(0, slash);
    try {
      const parent = this.#root.recentDirectory.at(`${this.currentDirectory}\0${typed}`, () => this.#walk(typed, FOLLOW));
      return parent && use(parent, name);
    } catch (thrown) {
      fileErrorFrom(thrown, path);
      return undefined;
    }
  }

  /** undefined for a symbolic link: it is walked. */
  #openIn(parent: HeldParent, name: string, path: string): OpenFile | undefined {
    const handle = holdAny(parent.handle, name);
    try {
      const status = kindAndSize(handle);
      if (status.kind === "symlink") return undefined;
      return openRegular(this.#root, handle, { status, canonical: `${parent.canonical}/${name}` }, path, { reads: this.#view.reads });
    } finally {
      release(handle);
    }
  }

  /** Nobody else changes what is in a mount. */
  #readsIn(tree: HeldTree): CallReads | undefined {
    return tree === this.#root ? this.#view.reads : undefined;
  }

  /** Walks `path` and gives the place to `use`; every descriptor that `use` does not take is closed afterwards. */
  #use<T>(path: string, options: WalkOptions, use: (place: Place, tree: HeldTree) => T): T {
    const place = this.#walk(path, options);
    try {
      return use(place, this.#locate(path).tree);
    } catch (thrown) {
      throw fileErrorFrom(thrown, path);
    } finally {
      place.release();
    }
  }

  #walk(path: string, options: WalkOptions): Place {
    if (path === "") throw new FileError("ENOENT", path);
    if (path.includes("\0")) throw new FileError("EINVAL", path);
    const { tree, components } = this.#locate(path);
    try {
      const place = walkIn(tree, components, path, options);
      // A removed directory still answers its holder, and lists as empty: never let that pass for the root.
      if (place.name !== "" || place.status?.links !== 0) return place;
      place.release();
      tree.foundAgain(path);
    } catch (thrown) {
      if (thrown instanceof FileError && thrown.code === "MOUNT_GONE") throw new FileError("MOUNT_GONE", path);
      // ESTALE is what a root that goes by name answers once another is in its place.
      const mayBeRoot = thrown instanceof FileError && (thrown.code === "ENOENT" || thrown.code === "ESTALE");
      if (!mayBeRoot || !tree.foundAgain(path)) throw thrown;
    }
    return walkIn(tree, components, path, options);
  }

  /** The tree that `path` leads into, by its text, and the way below. What is under the root is the root's. */
  #locate(path: string): { readonly tree: HeldTree; readonly components: readonly string[] } {
    if (isAbsolutePath(path)) return this.#locateAbsolute(path, path);
    const typed = path.split("/");
    if (!this.currentDirectory.startsWith("/")) return { tree: this.#root, components: [...this.currentDirectory.split("/"), ...typed] };
    const { tree, components } = this.#locateAbsolute(this.currentDirectory, path);
    return { tree, components: [...components, ...typed] };
  }

  #locateAbsolute(absolute: string, typed: string): { readonly tree: HeldTree; readonly components: readonly string[] } {
    const components = this.#root.componentsOf(absolute);
    const found = components === undefined ? this.#view.mounts.find(withSlashes(absolute)) : { tree: this.#root, components };
    if (found === undefined) throw new FileError("PATH_ESCAPE", typed);
    return found;
  }
}

const walkIn = (tree: HeldTree, components: readonly string[], path: string, options: WalkOptions): Place =>
  walkPath(tree, components, path, options);

const FOLLOW: WalkOptions = { follow: true };
const NO_FOLLOW: WalkOptions = { follow: false };
/** Far below PATH_MAX, which a path in UTF-8 of up to three bytes a unit cannot reach by then. */
const SHORT_PATH = 1000;
