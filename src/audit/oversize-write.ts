/** Thrown when a write exceeds the size that needs confirmation, or the largest that is ever allowed; nothing was written. */
import { byteAmount } from "../numbers/byte-amount.ts";
import { FileError } from "../workspace/file-error.ts";

export class OversizeWrite extends FileError {
  /** The size that was exceeded, in bytes. */
  readonly cap: number;
  /** Bytes seen when the cap was passed; there may have been more to come. */
  readonly seen: number;
  /** True if `confirm_oversize` allows this write. */
  readonly confirmable: boolean;

  constructor(path: string, cap: number, seen: number, confirmable: boolean) {
    const remedy = confirmable
      ? "confirm_oversize allows it, unless somebody else's bytes would go: that a human must allow"
      : "no write may be larger";
    super("OVERSIZE_WRITE", path, `More than ${byteAmount(cap)} to write or remove, so nothing was changed; ${remedy}`);
    this.cap = cap;
    this.seen = seen;
    this.confirmable = confirmable;
  }
}
