/** The command `shelpa-mcp`: a subcommand where a word comes first, else the server. The code of the other is never read. */
import { keepCompiledCode } from "../host/compiled-code.ts";
import { handleOutputErrors } from "./output-errors.ts";

keepCompiledCode();
handleOutputErrors();
const argv = process.argv.slice(2);
const beginsWithWord = argv[0] !== undefined && !argv[0].startsWith("-");
process.exitCode =
  (beginsWithWord ? await (await import("./subcommand-main.ts")).subcommandMain(argv) : undefined) ??
  (await (await import("./server-main.ts")).serverMain(argv));
