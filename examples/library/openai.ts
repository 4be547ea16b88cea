/**
 * A function tool in OpenAI's shape around `session.pipe`, for any API that speaks it. Give `definition` to the model,
 * and each call's arguments to `answer`.
 */
import type { Session, Violation } from "shelpa-mcp";

export const definition = {
  type: "function",
  function: {
    name: "shell",
    description:
      "Runs one shell command line in the project: pipelines of cat, grep, rg, sed, awk, jq, find, sort and the like. " +
      "Nothing outside the project can be reached, and no program is started. Files are written with '| tee FILE'.",
    strict: true,
    parameters: {
      type: "object",
      properties: { command: { type: "string", description: "The command line, as for bash." } },
      required: ["command"],
      additionalProperties: false,
    },
  },
} as const;

/** What the model is told. `given` are the call's arguments, as the model wrote them. */
export async function answer(session: Session, given: string): Promise<string> {
  const command = commandIn(given);
  return command === undefined ? 'The arguments are {"command": "…"}.' : await runLine(session, command);
}

function commandIn(given: string): string | undefined {
  try {
    const { command } = JSON.parse(given) as { readonly command?: unknown };
    return typeof command === "string" ? command : undefined;
  } catch {
    return undefined;
  }
}

/** Most that is shown of a stream: an endless line is stopped there, as by a closed pipe. */
const MOST_CHARACTERS = 20_000;

export async function runLine(session: Session, command: string): Promise<string> {
  const run = session.pipe(command);
  const [stdout, stderr] = await Promise.all([startOf(run.stdout), startOf(run.stderr)]);
  const result = await run.result;
  switch (result.kind) {
    case "completed":
      return `${stdout}${stderr}[exit ${result.exit}]`;
    case "refused":
      return result.violations.map(refusal).join("\n");
    case "stopped":
      return `${stdout}${stderr}[stopped: ${result.limit}]`;
    case "faulted":
      return `[a fault of the shell: ${result.message}]`;
  }
}

async function startOf(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const block of stream) {
    text += block.toString();
    if (text.length > MOST_CHARACTERS) return `${text.slice(0, MOST_CHARACTERS)}\n[cut here]\n`;
  }
  return text;
}

/** Why nothing ran, with a line that does what was meant. */
const refusal = ({ detail, suggestion }: Violation): string => (suggestion === undefined ? detail : `${detail}\nUse: ${suggestion}`);
