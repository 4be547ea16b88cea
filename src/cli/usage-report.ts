/** What is said of a command that could not be run as it was given. */
import { ConfigurationError } from "../config/configuration-error.ts";
import { CommandLineError } from "./command-line-error.ts";

const EXIT_USAGE = 2;

/** Runs `command` and gives its exit status; of bad usage that is 2. `name` is whose help tells more. */
export async function withUsageReport(name: string, command: () => Promise<number>): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof ConfigurationError) {
      log(error.message);
      return EXIT_USAGE;
    }
    if (!(error instanceof CommandLineError)) throw error;
    log(error.message);
    process.stderr.write(error.suggestion === undefined ? `Try '${name} --help' for more information.\n` : `try: ${error.suggestion}\n`);
    return EXIT_USAGE;
  }
}

/** One line on standard error. */
export function log(line: string): void {
  process.stderr.write(`shelpa-mcp: ${line}\n`);
}
