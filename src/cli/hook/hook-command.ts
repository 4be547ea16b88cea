/**
 * `shelpa-mcp hook`: the program a client asks before its own shell runs a line. Where every part of the line runs here, the answer
 * denies it with the call to make instead; where one does not (`ls && npm test`), there is no answer, and the client goes on. A server that runs for the
 * same root is asked, so that this process reads none of the shell's code; where there is none, it reads it.
 */
import { isAbsolute, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { TOOL_NAME } from "../../mcp/tool-name.ts";
import type { Given } from "../command.ts";
import type { HOOK } from "../commands.ts";
import { printJson } from "../print.ts";
import { rootOrHere } from "../root-or-here.ts";
import { serverRuns } from "./ask-server.ts";
import { attemptIn, type Attempt } from "./hook-event.ts";

/** Runs it and gives the exit status. Rejects with ConfigurationError. */
export async function hook({ values }: Given<typeof HOOK.options>): Promise<number> {
  const attempt = attemptIn(parsed(await text(process.stdin)));
  if (attempt === undefined) return 0;
  const root = resolve(rootOrHere(values.root));
  const directory = directoryInRoot(attempt, root);
  if (directory === undefined) return 0;
  const runsHere =
    (await serverRuns(root, { line: attempt.line, directory })) ??
    (await (await import("./hook-planning.ts")).runsBy(values, attempt.line, directory));
  if (runsHere) printJson(attempt.denial(denialText(callInstead(attempt.line, directory))));
  return 0;
}

/** The directory of the attempt, relative to the root at the host path `root`; undefined where it lies outside. */
export function directoryInRoot({ directory }: Pick<Attempt, "directory">, root: string): string | undefined {
  const from = directory === undefined ? "" : relative(root, directory);
  return from === ".." || from.startsWith("../") || isAbsolute(from) ? undefined : from;
}

/** The arguments of the call that runs the line in `directory`. */
export const callInstead = (line: string, directory: string): { readonly command: string; readonly cwd?: string } =>
  directory === "" ? { command: line } : { command: line, cwd: directory };

export const denialText = (call: object): string =>
  `Use the ${TOOL_NAME} tool of the server 'shelpa' for this, as it stands: ${JSON.stringify(call)}`;

/** The event as JSON; undefined, as for an unknown event, where it is not JSON. */
function parsed(event: string): unknown {
  try {
    return JSON.parse(event);
  } catch {
    return undefined;
  }
}
