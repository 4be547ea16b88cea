/** Errors of writes that are too large: more than needs confirmation, than is ever allowed, or than there is room for. */
import { byteAmount } from "../numbers/byte-amount.ts";
import { FileError } from "../workspace/file-error.ts";

/** Bytes that a write of so many takes: its record keeps them once more. */
export const bytesTaken = (bytes: number): number => bytes * 2;

/** Nothing was written. */
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
