/** Notes what a call wrote, for its report. */
import type { Recorder, WriteReceipt } from "../builtin/recorder.ts";

/** The same recorder, which also appends the receipts of every commit to `receipts`. */
export function collectingReceipts(recorder: Recorder, receipts: WriteReceipt[]): Recorder {
  return {
    begin(targets, mode, currentDirectory) {
      const transaction = recorder.begin(targets, mode, currentDirectory);
      return {
        write: (bytes) => transaction.write(bytes),
        commit() {
          const written = transaction.commit();
          receipts.push(...written);
          return written;
        },
        abort: () => transaction.abort(),
      };
    },
  };
}
