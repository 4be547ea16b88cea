/**
 * `shelpa-mcp hook`: what a client asks before its own shell runs a line. Where the line runs here, the answer denies
 * it with the call to make instead; where it does not (`npm test`), there is no answer, and the client goes on.
 */
import { isAbsolute, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { builtins } from "../../../builtins/registry.ts";
import { loadPolicy } from "../../config/load.ts";
import { planLine } from "../../guard/guard.ts";
import { policyContext } from "../../guard/policy-context.ts";
import { TOOL_NAME } from "../../mcp/tool.ts";
import { COMMON, readCommand, rootOrHere } from "../command-arguments.ts";
import { attemptIn, type Attempt } from "./hook-event.ts";

const HOOK_HELP = `Usage: shelpa-mcp hook [--root DIR] [--config FILE] [--profile NAME] < EVENT
Answer a client that asks before it uses its own shell: PreToolUse of Claude Code and Codex,
beforeShellExecution of Cursor. 'shelpa-mcp init --hook' installs it.

A line that runs in the server for DIR is denied, with the ${TOOL_NAME} call that runs it. Anything
else is left to the client: nothing is printed.
Exit status: 0, whatever the answer; 2 on bad usage.
`;

/** Runs it and gives the exit status. Rejects with CommandLineError or ConfigurationError. */
export async function hookCommand(argv: readonly string[]): Promise<number> {
  if (argv.includes("--help") || argv.includes("-h")) {
    process.stdout.write(HOOK_HELP);
    return 0;
  }
  const options = { ...COMMON, config: { type: "string" }, profile: { type: "string" } } as const;
  const { values } = readCommand("hook", argv, options, { min: 0, max: 0, names: "" });
  const attempt = attemptIn(parsed(await text(process.stdin)));
  if (attempt === undefined) return 0;
  const root = resolve(rootOrHere(values.root));
  const { policy } = await loadPolicy({
    root,
    file: values.config,
    environment: process.env,
    flags: { profile: values.profile },
  });
  const call = await callInstead(attempt, root, policy);
  if (call !== undefined) process.stdout.write(`${JSON.stringify(attempt.denial(denialText(call)))}\n`);
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
  const context = policyContext(builtins, policy);
  const insideRoot = (path: string): boolean => path === root || path.startsWith(`${root}/`);
  const planned = await context.registry.whenLoaded(() =>
    planLine(line, { ...context, currentDirectory: from, rootPath: root, insideRoot }),
  );
  if (planned.kind === "refused") return undefined;
  return from === "" ? { command: line } : { command: line, cwd: from };
}

/** An event that is no JSON is one that we know nothing of. */
function parsed(event: string): unknown {
  try {
    return JSON.parse(event);
  } catch {
    return undefined;
  }
}
