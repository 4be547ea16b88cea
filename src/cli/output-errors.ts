/** Errors of the process's standard streams, for every command that does not read them itself. */
import { complain } from "./print.ts";

const EXIT_FAULT = 1;

/**
 * Lets a command end normally where nobody reads its output (`doctor | head -1`): it still writes its files.
 * Output that cannot be written for another reason, as on a full disk, ends the process with a sentence.
 */
export function handleOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // A command that listens too, as `run` and the server do, handles the error itself.
      if (error.code === "EPIPE" || stream.listenerCount("error") > 1) return;
      if (stream === process.stdout) complain(`standard output: ${error.message}`);
      process.exit(EXIT_FAULT);
    });
  }
}
