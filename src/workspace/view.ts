/** Parts that a view of a workspace is made of. Types only. */
import type { StartLookAhead } from "./ahead/look-ahead.ts";
import type { MountPlace } from "./contract.ts";
import type { MountTable } from "./mount/mount-table.ts";
import type { CallReads } from "./read/call-reads.ts";
import type { StageDescriptors } from "./read/held-descriptors.ts";
import type { InheritedRoot } from "./walk/root.ts";

export interface WorkspaceOptions {
  /** Further absolute prefixes that mean the root (a container's mount point on the host). */
  readonly aliases?: readonly string[];
  /** See RootOptions. */
  readonly knownAs?: string | undefined;
  /** See RootOptions. */
  readonly isCopy?: boolean | undefined;
  /** Rules as of gitignore(5) for files that may not be read. */
  readonly denyRead?: readonly string[];
  /** The owner's mounts. */
  readonly mounts?: readonly MountPlace[];
  /** For a process that may open no host path. */
  readonly inherited?: InheritedRoot;
  /** Lets walks read ahead in a second thread. */
  readonly startLookAhead?: StartLookAhead | undefined;
}

/** What a view has besides the root and its current directory. */
export interface View {
  readonly mounts: MountTable;
  /** It is a mount that may only be read. */
  readonly isOnlyRead?: boolean;
  readonly descriptors?: StageDescriptors | undefined;
  readonly reads?: CallReads | undefined;
}
