/**
 * Calls that rename or remove a file on Windows, where one that any program has open may keep its name: an indexer or a scanner has a new
 * file for a moment, an editor for long. They are tried again for a while.
 */
import { isWindows } from "../../io/platform.ts";
import { isSystemError } from "../system-error.ts";

const PATIENCE_MS = 2_000;
const WAIT_MS = 20;
/** What a call says of a file that is open elsewhere. */
const IN_USE = ["EPERM", "EACCES", "EBUSY"];

/** The result of `call`, tried again while it fails as with a file in use. Throws its last error, on Windows EBUSY for these. */
export const patiently: <T>(call: () => T) => T = isWindows ? onWindows : (call) => call();

function onWindows<T>(call: () => T): T {
  const deadlineMs = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return call();
    } catch (thrown) {
      if (!IN_USE.some((code) => isSystemError(thrown, code))) throw thrown;
      if (Date.now() > deadlineMs) throw Object.assign(new Error("EBUSY"), { code: "EBUSY" });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
  }
}
