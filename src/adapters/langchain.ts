/**
 * `shelpa-mcp/langchain`: the shell as a tool of LangChain and LangGraph (the package `@langchain/core`, which the importer has). A refusal
 * is an answer that the model reads, and no exception.
 *
 *   const shell = await shelpaTool({ root: process.cwd() });
 *   const agent = createAgent({ model, tools: [shell.tool] });
 *   await shell.close();
 */
import { tool, type DynamicStructuredTool } from "@langchain/core/tools";
import { openAgentTool, type AgentToolOptions } from "./agent-tool.ts";

export interface ShelpaTool {
  /** For an agent's `tools`, or `model.bindTools`. */
  readonly tool: DynamicStructuredTool;
  /** Ends what still runs, and the process of lines. */
  close(): Promise<void>;
}

/** Opens a shell and makes a tool of it. Rejects as `Shell.open` does. */
export async function shelpaTool(options: AgentToolOptions): Promise<ShelpaTool> {
  const shell = await openAgentTool(options);
  const made = tool(async (given: unknown, { signal }: { readonly signal?: AbortSignal }) => (await shell.call(given, signal)).text, {
    name: shell.name,
    description: shell.description,
    schema: shell.parameters,
  });
  return { tool: made as DynamicStructuredTool, close: () => shell.close() };
}
