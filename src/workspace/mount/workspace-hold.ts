/**
 * The root and the owner's mounts held open for processes that inherit them, which may open no host path. Each is at its canonical
 * path from then on (root-hold.ts).
 */
import type { MountPlace } from "../contract.ts";
import { RootHold } from "../walk/root-hold.ts";

export class WorkspaceHold {
  readonly root: RootHold;
  readonly mounts: readonly MountHold[];

  private constructor(root: RootHold, mounts: readonly MountHold[]) {
    this.root = root;
    this.mounts = mounts;
  }

  /** `root` is a host path. Throws FileError ENOENT, ENOTDIR or EACCES. */
  static open(root: string, places: readonly MountPlace[]): WorkspaceHold {
    const held: RootHold[] = [];
    try {
      held.push(RootHold.open(root));
      for (const { directory } of places) held.push(RootHold.open(directory));
    } catch (thrown) {
      for (const hold of held) hold.release();
      throw thrown;
    }
    const [first, ...others] = held as [RootHold, ...RootHold[]];
    return new WorkspaceHold(
      first,
      others.map((hold, at) => ({ place: places[at] as MountPlace, hold, isThere: true })),
    );
  }

  /** All as it is now; this one where nothing has changed. undefined if the root is gone. What is replaced is released. */
  current(): WorkspaceHold | undefined {
    const root = this.root.current();
    if (root === undefined) return undefined;
    const mounts = this.mounts.map((mount) => {
      const hold = mount.hold.current();
      if (hold === mount.hold && mount.isThere) return mount;
      return hold === undefined ? (mount.isThere ? { ...mount, isThere: false } : mount) : { ...mount, hold, isThere: true };
    });
    if (root === this.root && mounts.every((mount, at) => mount === this.mounts[at])) return this;
    if (root !== this.root) this.root.release();
    for (const [at, { hold }] of mounts.entries()) if (hold !== this.mounts[at]?.hold) this.mounts[at]?.hold.release();
    return new WorkspaceHold(root, mounts);
  }

  /** The trees that may be changed, by the mount's name, "" for the root. */
  get writable(): readonly { readonly name: string; readonly descriptor: number }[] {
    const mounts = this.mounts.filter(({ place, isThere }) => isThere && place.access === "write");
    return [
      { name: "", descriptor: this.root.descriptor },
      ...mounts.map(({ place, hold }) => ({ name: place.prefix, descriptor: hold.descriptor })),
    ];
  }

  /** Host paths of all the directories, without links. */
  get canonicals(): readonly string[] {
    return [this.root, ...this.mounts.map(({ hold }) => hold)].map(({ canonical }) => canonical);
  }

  release(): void {
    for (const { hold } of [{ hold: this.root }, ...this.mounts]) hold.release();
  }
}

interface MountHold {
  readonly place: MountPlace;
  readonly hold: RootHold;
  /** False while no directory is at its canonical path, or only a symbolic link. */
  readonly isThere: boolean;
}
