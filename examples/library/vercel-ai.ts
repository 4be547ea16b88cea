/**
 * A tool for the Vercel AI SDK around `session.pipe`:
 *
 *   const shell = await Shell.open({ root: process.cwd() });
 *   await generateText({ model, prompt, tools: { shell: shellTool(shell.defaultSession) }, stopWhen: stepCountIs(20) });
 *   await shell.close();
 */
import { tool } from "ai";
import { z } from "zod";
import type { Session } from "shelpa-mcp";
import { definition, runLine } from "./openai.ts";

export const shellTool = (session: Session) =>
  tool({
    description: definition.function.description,
    inputSchema: z.object({ command: z.string().describe(definition.function.parameters.properties.command.description) }),
    execute: ({ command }) => runLine(session, command),
  });
