/** Report on standard error, and exit status, for a command that could not be run as it was given. */
import { ConfigurationError } from "../config/configuration-error.ts";
import { CommandLineError } from "./command-line-error.ts";
import { complain, faultText, suggest } from "./print.ts";

const EXIT_USAGE = 2;
const EXIT_FAULT = 1;

/** Runs `command` and gives its exit status: 2 for bad usage, for which the message points to the help of `name`. */
export async function withUsageReport(name: string, command: () => Promise<number>): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof ConfigurationError) {
      complain(error.message);
      return EXIT_USAGE;
    }
    if (error instanceof CommandLineError) {
      complain(error.message);
      suggest(error.suggestion, `Try '${name} --help' for more information.`);
      return EXIT_USAGE;
    }
    // Not left to Node, which would print the message unescaped. Whatever still runs must not keep the process.
    complain(faultText(error));
    process.exit(EXIT_FAULT);
  }
}
