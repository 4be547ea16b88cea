/**
 * A host directory that the owner mounts beside the root (`--mount`, `--also-read`): held by descriptor and held to its place as the
 * root is, with the same rules for what may not be read. Where it is gone, paths into it fail, and the rest goes on.
 */
import type { LookAhead } from "../ahead/look-ahead.ts";
import type { HandedMount, MountPlace } from "../contract.ts";
import { FileError } from "../file-error.ts";
import type { DeniedPlaces } from "../walk/denied-places.ts";
import type { ListedNames } from "../walk/listed-names.ts";
import { type GoneDirectory, type InheritedDirectory, Root } from "../walk/root.ts";
import { type Mount, pathInMount } from "./mount.ts";
import { componentsBelow } from "./prefix.ts";

export class DirectoryMount implements Mount {
  readonly prefix: string;
  readonly place: MountPlace;
  readonly lookAhead: LookAhead;
  /** Undefined where it was gone from the start. */
  readonly #root: Root | undefined;
  /** Host path, free of symbolic links. */
  readonly canonical: string;
  #isGone: boolean;

  /** Throws FileError ENOENT, ENOTDIR or EACCES. */
  private constructor(place: MountPlace, { lookAhead, denied }: Shared, inherited: InheritedDirectory | GoneDirectory | "own") {
    const { prefix: name, directory: path, denyRead } = place;
    this.prefix = name;
    this.place = place;
    this.lookAhead = lookAhead;
    this.#isGone = inherited !== "own" && !("descriptor" in inherited);
    if (inherited !== "own" && !("descriptor" in inherited)) {
      // The rules are about its place, which another mount may still show.
      denied.add({ canonical: inherited.canonical, prefix: name, denyRead });
      this.canonical = inherited.canonical;
      return;
    }
    this.#root = new Root({ path, name, denyRead, denied, lookAhead, ...(inherited === "own" ? {} : { inherited }) });
    this.canonical = this.#root.canonical;
  }

  /** The mounts of all these places, for a process that may open host paths or is given them. Throws FileError: none is open then. */
  static openAll(
    places: readonly MountPlace[],
    shared: Shared,
    inherited?: readonly (InheritedDirectory | GoneDirectory)[],
  ): readonly DirectoryMount[] {
    const mounts: DirectoryMount[] = [];
    try {
      for (const [at, place] of places.entries())
        mounts.push(new DirectoryMount(place, shared, inherited === undefined ? "own" : (inherited[at] ?? { canonical: place.directory })));
    } catch (thrown) {
      for (const mount of mounts) mount.close();
      throw thrown;
    }
    // The longest name is that of the innermost.
    return mounts.sort((a, b) => b.prefix.length - a.prefix.length);
  }

  /** The directory as the root of a tree. Throws FileError MOUNT_GONE. */
  get root(): Root {
    if (this.#root === undefined || this.#isGone) throw new FileError("MOUNT_GONE", this.prefix);
    return this.#root;
  }

  get handle(): number {
    return this.root.handle;
  }

  get names(): ListedNames | undefined {
    return this.root.names;
  }

  get deniesReading(): boolean {
    return this.#root?.deniesReading === true;
  }

  get hiddenName(): string | undefined {
    return this.#root?.hiddenName;
  }

  componentsOf(absolute: string): readonly string[] | undefined {
    return componentsBelow(this.prefix, absolute);
  }

  named(canonical: string): string {
    return pathInMount(this.prefix, canonical);
  }

  /** See Root.foldsCase. */
  foldsCase(canonical: string): boolean {
    return this.#root?.foldsCase(canonical) ?? true;
  }

  spelled(canonical: string): string {
    return this.root.spelled(canonical);
  }

  foundAgain(typed: string): boolean {
    try {
      return this.root.foundAgain(typed);
    } catch (thrown) {
      if (!(thrown instanceof FileError) || thrown.code !== "ROOT_GONE") throw thrown;
      this.#isGone = true;
      throw new FileError("MOUNT_GONE", typed);
    }
  }

  /** Before each call: see Root.follow. */
  follow(): void {
    try {
      this.#root?.follow(this.prefix);
      this.#isGone = this.#root === undefined;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      this.#isGone = true;
    }
  }

  checkReadable(canonical: string, typed: string, asStore = false): void {
    this.root.checkReadable(canonical, typed, asStore);
  }

  /** See Files.whyDeniedFrom; `directory` is relative to the mount. */
  whyDeniedFrom(directory: string, path: string): string | undefined {
    return this.#root?.whyDeniedFrom(directory, path);
  }

  isKernelFile(handle: number, device: bigint): boolean {
    return this.root.isKernelFile(handle, device);
  }

  mayHoldKernelFiles(): boolean {
    return this.root.mayHoldKernelFiles();
  }

  handOver(): HandedMount {
    const { place } = this;
    if (this.#root === undefined || this.#isGone) return { place, inherited: { canonical: this.canonical } };
    const { handle: descriptor, canonical, aboveRoot } = this.#root;
    return { place, inherited: { descriptor, canonical, aboveRoot } };
  }

  close(): void {
    this.#root?.close();
  }
}

/** What all trees of a workspace have in common. */
interface Shared {
  readonly lookAhead: LookAhead;
  readonly denied: DeniedPlaces;
}
