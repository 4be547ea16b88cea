/** `/dev/null` as builtins see it: a character device (1,3) that is always empty. No host file is touched. */
import type { OpenFile } from "../contract.ts";
import type { FileStatus } from "../file-status.ts";

export const NULL_DEVICE = "/dev/null";

export const NULL_STATUS: FileStatus = {
  kind: "character-device",
  permissions: 0o666,
  size: 0,
  modifiedNs: 0n,
  accessedNs: 0n,
  changedNs: 0n,
  bornNs: 0n,
  inode: 0n,
  device: 0n,
  specialDevice: 0x103n,
  links: 1,
  userId: 0,
  groupId: 0,
  blocks: 0,
  ioBytes: 4096,
};

export class NullFile implements OpenFile {
  readonly status = NULL_STATUS;
  readonly size = 0;
  *blocks(): Generator<Uint8Array, void> {}
  readAt(): number {
    return 0;
  }
  close(): void {}
}
