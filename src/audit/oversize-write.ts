/** More was to be written than may be without being asked. Nothing has been. */
import { byteAmount } from "../numbers/byte-amount.ts";
import { FileError } from "../workspace/file-error.ts";

export class OversizeWrite extends FileError {
  /** Bytes. */
  readonly cap: number;
  /** Bytes seen when the cap was passed; there may have been more to come. */
  readonly seen: number;
  /** Whether `confirm_oversize` would let it through. */
  readonly confirmable: boolean;

  constructor(path: string, cap: number, seen: number, confirmable: boolean) {
    const remedy = confirmable ? "confirm_oversize allows it" : "no write may be larger";
    super("OVERSIZE_WRITE", path, `More than ${byteAmount(cap)} to write, so nothing was written; ${remedy}`);
    this.cap = cap;
    this.seen = seen;
    this.confirmable = confirmable;
  }
}
