/**
 * `shelpa-mcp/ai-sdk`: the shell as a tool of the Vercel AI SDK (the package `ai`, which the importer has).
 *
 *   const shell = await shelpaTools({ root: process.cwd() });
 *   await generateText({ model, prompt, tools: shell.tools, stopWhen: isStepCount(20) });
 *   await shell.close();
 */
import { jsonSchema, tool, type Tool } from "ai";
import { openAgentTool, type AgentToolOptions } from "./agent-tool.ts";

export interface ShelpaTools {
  /** For `generateText`, `streamText` and agents. */
  readonly tools: { readonly shelpa_pipe: Tool<ShellArguments, string> };
  /** Ends what still runs, and the process of lines. */
  close(): Promise<void>;
}

/** Arguments as a model gives them; they are checked when the tool is called. */
export type ShellArguments = Readonly<Record<string, unknown>>;

/** Opens a shell and makes a tool of it. Rejects as `Shell.open` does. */
export async function shelpaTools(options: AgentToolOptions): Promise<ShelpaTools> {
  const shell = await openAgentTool(options);
  const shelpaPipe = tool({
    description: shell.description,
    inputSchema: jsonSchema<ShellArguments>(shell.parameters as Parameters<typeof jsonSchema>[0]),
    execute: async (given, { abortSignal }): Promise<string> => (await shell.call(given, abortSignal)).text,
  });
  return { tools: { shelpa_pipe: shelpaPipe }, close: () => shell.close() };
}
