/**
 * A host directory that the owner mounts beside the root (`--mount`, `--also-read`): held by descriptor and held to its place as the
 * root is, with the same rules for what may not be read. Where it is gone, paths into it fail, and the rest goes on.
 */
import type { LookAhead } from "../ahead/look-ahead.ts";
import type { HandedMount, MountPlace } from "../contract.ts";
import { FileError } from "../file-error.ts";
import { type InheritedDirectory, Root } from "../walk/root.ts";
import { type Mount, pathInMount } from "./mount.ts";
import { componentsBelow } from "./prefix.ts";

export class DirectoryMount implements Mount {
  readonly prefix: string;
  readonly place: MountPlace;
  readonly lookAhead: LookAhead;
  /** Undefined where it was gone from the start. */
  readonly #root: Root | undefined;
  #isGone: boolean;

  /** `inherited`: undefined where it is gone. Throws FileError ENOENT, ENOTDIR or EACCES. */
  private constructor(place: MountPlace, lookAhead: LookAhead, inherited: InheritedDirectory | "own" | undefined) {
    const { prefix: name, directory: path, denyRead } = place;
    this.prefix = name;
    this.place = place;
    this.lookAhead = lookAhead;
    this.#isGone = inherited === undefined;
    if (inherited === undefined) return;
    this.#root = new Root({ path, name, denyRead, lookAhead, ...(inherited === "own" ? {} : { inherited }) });
  }

  /** The mounts of all these places, for a process that may open host paths or is given them. Throws FileError: none is open then. */
  static openAll(
    places: readonly MountPlace[],
    lookAhead: LookAhead,
    inherited?: readonly (InheritedDirectory | undefined)[],
  ): readonly DirectoryMount[] {
    const mounts: DirectoryMount[] = [];
    try {
      for (const [at, place] of places.entries())
        mounts.push(new DirectoryMount(place, lookAhead, inherited === undefined ? "own" : inherited[at]));
    } catch (thrown) {
      for (const mount of mounts) mount.close();
      throw thrown;
    }
    for (const mount of mounts)
      for (const other of mounts) if (other !== mount && other.#root !== undefined) mount.#root?.obey(other.#root);
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

  /** See Files.whyDenied; `canonical` is relative to the mount. */
  whyDenied(canonical: string): string | undefined {
    return this.#root?.whyDenied(canonical);
  }

  isKernelFile(handle: number, device: bigint): boolean {
    return this.root.isKernelFile(handle, device);
  }

  mayHoldKernelFiles(): boolean {
    return this.root.mayHoldKernelFiles();
  }

  handOver(): HandedMount {
    const { place } = this;
    if (this.#root === undefined || this.#isGone) return { place, inherited: undefined };
    const { handle: descriptor, canonical, aboveRoot } = this.#root;
    return { place, inherited: { descriptor, canonical, aboveRoot } };
  }

  close(): void {
    this.#root?.close();
  }
}
