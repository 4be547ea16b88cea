/**
 * `shelpa-mcp/openai-agents`: the shell as a function tool of the OpenAI Agents SDK (the package `@openai/agents`, which the importer has).
 *
 *   const shell = await shelpaTool({ root: process.cwd() });
 *   await run(new Agent({ name: "a", tools: [shell.tool] }), "…");
 *   await shell.close();
 */
import { tool, type FunctionTool } from "@openai/agents";
import { openAgentTool, type AgentToolOptions } from "./agent-tool.ts";

export interface ShelpaTool {
  /** For an agent's `tools`. */
  readonly tool: FunctionTool<unknown, ShellParameters, string>;
  /** Ends what still runs, and the process of lines. */
  close(): Promise<void>;
}

/** JSON Schema of the arguments, in the form that the SDK asks for. */
export interface ShellParameters {
  type: "object";
  properties: Record<string, object>;
  required: string[];
  additionalProperties: true;
}

/** Opens a shell and makes a tool of it. Rejects as `Shell.open` does. */
export async function shelpaTool(options: AgentToolOptions): Promise<ShelpaTool> {
  const shell = await openAgentTool(options);
  const { type, properties, required } = shell.parameters;
  const parameters: ShellParameters = { type, properties: { ...properties }, required: [...required], additionalProperties: true };
  const made = tool({
    name: shell.name,
    description: shell.description,
    // Not strict: that would make a model give every argument, and most calls have one.
    strict: false,
    parameters,
    execute: async (given, _context, details): Promise<string> => (await shell.call(given, details?.signal)).text,
  });
  return { tool: made, close: () => shell.close() };
}
