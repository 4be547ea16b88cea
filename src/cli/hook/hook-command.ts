/**
 * `shelpa-mcp hook`: the program a client asks before its own shell runs a line. Where the line runs here, the answer denies
 * it with the call to make instead; where it does not (`npm test`), there is no answer, and the client goes on.
 */
import { isAbsolute, relative } from "node:path";
import { text } from "node:stream/consumers";
import { builtins } from "../../../builtins/registry.ts";
import { loadPolicy } from "../../config/load.ts";
import { hostPlaces, mountNamed } from "../../config/mounts.ts";
import { planLine } from "../../guard/guard.ts";
import { policyContext } from "../../guard/policy-context.ts";
import { TOOL_NAME } from "../../mcp/tool.ts";
import type { Given } from "../command.ts";
import type { HOOK } from "../commands.ts";
import { policySources } from "../policy-sources.ts";
import { printJson } from "../print.ts";
import { attemptIn, type Attempt } from "./hook-event.ts";

/** Runs it and gives the exit status. Rejects with ConfigurationError. */
export async function hook({ values }: Given<typeof HOOK.options>): Promise<number> {
  const attempt = attemptIn(parsed(await text(process.stdin)));
  if (attempt === undefined) return 0;
  const sources = policySources(values);
  const { policy } = await loadPolicy(sources);
  const call = await callInstead(attempt, sources.root, policy);
  if (call !== undefined) printJson(attempt.denial(denialText(call)));
  return 0;
}

export const denialText = (call: object): string =>
  `Use the ${TOOL_NAME} tool of the server 'shelpa' for this, as it stands: ${JSON.stringify(call)}`;

/** The arguments of the call that runs the attempted line here, or undefined where it does not run here. */
export async function callInstead(
  { line, directory }: Pick<Attempt, "line" | "directory">,
  root: string,
  policy: Awaited<ReturnType<typeof loadPolicy>>["policy"],
): Promise<{ command: string; cwd?: string } | undefined> {
  const from = directory === undefined ? "" : relative(root, directory);
  if (from === ".." || from.startsWith("../") || isAbsolute(from)) return undefined;
  const context = policyContext(builtins, policy, hostPlaces(policy, root));
  const insideRoot = (path: string): boolean => path === root || path.startsWith(`${root}/`);
  const mountOf = (path: string): string | undefined => mountNamed(policy, path);
  const planned = await context.registry.whenLoaded(() =>
    planLine(line, { ...context, currentDirectory: from, rootPath: root, insideRoot, mountOf }),
  );
  if (planned.kind === "refused") return undefined;
  return from === "" ? { command: line } : { command: line, cwd: from };
}

/** The event as JSON; undefined, as for an unknown event, where it is not JSON. */
function parsed(event: string): unknown {
  try {
    return JSON.parse(event);
  } catch {
    return undefined;
  }
}
