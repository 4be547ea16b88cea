/** File systems by the times of their directories. */

/**
 * f_type of statfs(2): file systems of this host's own kernel, on which POSIX's rule for the times of a directory is known to hold. It does
 * not on overlayfs, where a merged directory has the times of its upper layer alone.
 */
const STAMPING: ReadonlySet<number> = new Set(
  Object.values({
    ...{ ext: 0xef53, xfs: 0x58465342, btrfs: 0x9123683e, zfs: 0x2fc12fc1, f2fs: 0xf2f52010, bcachefs: 0xca451a4e },
    ...{ tmpfs: 0x01021994 },
  }),
);

/**
 * True if a file system of this f_type changes a directory's times with its entries. On others, as over a network or in user space, the
 * times may be older than what is listed.
 */
export const stampsEntries = (fileSystem: number): boolean => STAMPING.has(fileSystem);
