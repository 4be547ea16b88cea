/** `/dev/null` as builtins see it: a character device (1,3) that is always empty. No host file is touched. */
import type { OpenFile } from "../contract.ts";
import { statusOfNone } from "../file-status.ts";

export const NULL_DEVICE = "/dev/null";

export const NULL_STATUS = statusOfNone("character-device", 0o666, 0x103n);

export class NullFile implements OpenFile {
  readonly status = NULL_STATUS;
  readonly size = 0;
  *blocks(): Generator<Uint8Array, void> {}
  readAt(): number {
    return 0;
  }
  close(): void {}
}
