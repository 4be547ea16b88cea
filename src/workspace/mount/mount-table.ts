/** Trees that stand beside the root of a view: the directories that the owner mounts, and the session's scratch. */
import type { HandedMount } from "../contract.ts";
import type { DirectoryMount } from "./directory-mount.ts";
import type { Mount } from "./mount.ts";
import type { ScratchMount } from "./scratch-mount.ts";

export class MountTable {
  static readonly empty = new MountTable([], undefined);
  readonly directories: readonly DirectoryMount[];
  /** Undefined where the session has none. */
  readonly scratch: ScratchMount | undefined;

  /** `directories`: of two names that a path is under, the longer is first. */
  constructor(directories: readonly DirectoryMount[], scratch: ScratchMount | undefined) {
    this.directories = directories;
    this.scratch = scratch;
  }

  withScratch(scratch: ScratchMount): MountTable {
    return new MountTable(this.directories, scratch);
  }

  /** The mount that an absolute path leads into, by its text, and the way below. A directory that is mounted below the scratch's name has the longer one. */
  find(absolute: string): { readonly tree: Mount; readonly components: readonly string[] } | undefined {
    for (const tree of this.scratch === undefined ? this.directories : [...this.directories, this.scratch]) {
      const components = tree.componentsOf(absolute);
      if (components !== undefined) return { tree, components };
    }
    return undefined;
  }

  directory(prefix: string): DirectoryMount | undefined {
    return this.directories.find((mount) => mount.prefix === prefix);
  }

  /** The owner's mount that holds `absolute`, a canonical path, and the path below it. */
  directoryOf(absolute: string): { readonly mount: DirectoryMount; readonly below: string } | undefined {
    for (const mount of this.directories) {
      const below = mount.componentsOf(absolute)?.join("/");
      if (below !== undefined) return { mount, below };
    }
    return undefined;
  }

  handOver(): readonly HandedMount[] {
    return this.directories.map((mount) => mount.handOver());
  }

  close(): void {
    for (const mount of this.directories) mount.close();
  }
}
