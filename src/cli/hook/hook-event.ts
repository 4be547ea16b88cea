/**
 * Events that a client sends to a hook before it uses a tool of its own, and the answers it accepts. Claude Code, Codex and VS Code share
 * one shape (`PreToolUse`), Gemini CLI (`BeforeTool`), Cursor (`beforeShellExecution`) and Copilot CLI (no name) have their own.
 */
import { quoteWord } from "../../display/quote.ts";

/** A command line that the agent is about to run without us. */
export interface Attempt {
  readonly line: string;
  /** Host directory it would run in, where the client says so. */
  readonly directory: string | undefined;
  /** The answer that stops it and tells the agent `text`. */
  readonly denial: (text: string) => object;
}

/** The attempt that an event announces; undefined where we could not do it instead. */
export function attemptIn(event: unknown): Attempt | undefined {
  const name = textAt(event, "hook_event_name") ?? textAt(event, "hookEventName");
  const directory = textAt(event, "cwd");
  const attempt = (line: string | undefined, denial: Attempt["denial"]): Attempt | undefined =>
    line === undefined ? undefined : { line, directory, denial };
  switch (name) {
    case "beforeShellExecution":
      return attempt(textAt(event, "command"), cursorDenial);
    case "PreToolUse":
      return attempt(lineOf(textAt(event, "tool_name"), valueAt(event, "tool_input")), claudeDenial);
    case "BeforeTool":
      return attempt(lineOf(textAt(event, "tool_name"), valueAt(event, "tool_input")), geminiDenial);
    case undefined:
      return attempt(lineOf(textAt(event, "toolName"), objectIn(valueAt(event, "toolArgs"))), copilotDenial);
    default:
      return undefined;
  }
}

/** Copilot CLI gives a tool's arguments as JSON in a string. */
function objectIn(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The line that does what a client's tool would: its shell's own, or one for Claude Code's search tools. */
function lineOf(tool: string | undefined, input: unknown): string | undefined {
  switch (tool) {
    case "Bash":
    case "bash":
    case "shell":
    case "run_shell_command":
    case "run_in_terminal":
    case "runInTerminal":
    case "runTerminalCommand":
      return shellLine(valueAt(input, "command"));
    case "Grep":
      return grepLine(input);
    case "Glob":
      return globLine(input);
    default:
      return undefined;
  }
}

/** A command line, or the line in an array of a shell's arguments: ["bash", "-lc", "ls"]. */
function shellLine(command: unknown): string | undefined {
  if (typeof command === "string") return command;
  if (!Array.isArray(command) || !command.every((word) => typeof word === "string")) return undefined;
  const [program = "", flag = "", line, ...further] = command;
  if (/(?:^|\/)(?:ba|z|da)?sh$/.test(program) && /^-[a-z]*c$/.test(flag) && line !== undefined && further.length === 0) return line;
  return command.map(quoteWord).join(" ");
}

function grepLine(input: unknown): string | undefined {
  const pattern = textAt(input, "pattern");
  if (pattern === undefined) return undefined;
  const mode = textAt(input, "output_mode") ?? "files_with_matches";
  const words = ["rg", mode === "content" ? "-n" : mode === "count" ? "-c" : "-l"];
  if (valueAt(input, "-i") === true) words.push("-i");
  if (valueAt(input, "multiline") === true) words.push("-U", "--multiline-dotall");
  for (const flag of ["-A", "-B", "-C"]) {
    const count = valueAt(input, flag);
    if (mode === "content" && typeof count === "number") words.push(flag, String(count));
  }
  const type = textAt(input, "type");
  if (type !== undefined) words.push("-t", type);
  const glob = textAt(input, "glob");
  if (glob !== undefined) words.push("-g", glob);
  words.push("-e", pattern, textAt(input, "path") ?? ".");
  const most = valueAt(input, "head_limit");
  return `${words.map(quoteWord).join(" ")}${typeof most === "number" && most > 0 ? ` | head -n ${most}` : ""}`;
}

function globLine(input: unknown): string | undefined {
  const pattern = textAt(input, "pattern");
  return pattern === undefined ? undefined : ["rg", "--files", "-g", pattern, textAt(input, "path") ?? "."].map(quoteWord).join(" ");
}

const claudeDenial = (text: string): object => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: text },
});

const geminiDenial = (text: string): object => ({ decision: "deny", reason: text });

const copilotDenial = (text: string): object => ({ permissionDecision: "deny", permissionDecisionReason: text });

const cursorDenial = (text: string): object => ({ permission: "deny", user_message: "Taken to shelpa_pipe.", agent_message: text });

function valueAt(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function textAt(value: unknown, key: string): string | undefined {
  const found = valueAt(value, key);
  return typeof found === "string" ? found : undefined;
}
