/** Entries that make a client ask `shelpa-mcp hook` before it uses its own shell, in the shape of each client. */
import { quoteWord } from "../../display/quote.ts";
import type { JsonChange } from "./json-edit.ts";
import type { Wish } from "./wish.ts";

/** The tools of Claude Code that shelpa_pipe stands for. */
export const CLAUDE_TOOLS: readonly string[] = ["Bash", "Grep", "Glob"];

/** The change that adds `value` to the array at `path`. */
export const element = (path: readonly string[], value: unknown) => ({ kind: "element", path, value }) as const satisfies JsonChange;

/** In the shape that Claude Code and Codex share. `root` is a word of their shell. */
export function claudeHook(wish: Wish, root: string, matcher: string): JsonChange {
  const value = { matcher, hooks: [{ type: "command", command: hookCommand(wish, root), timeout: 10 }] };
  return { ...element(["hooks", "PreToolUse"], value), isOld: isOwnHook };
}

/** As in Claude Code, with milliseconds and another event: https://geminicli.com/docs/hooks/reference. */
export function geminiHook(wish: Wish): JsonChange {
  const command = { type: "command", name: "shelpa", command: hookCommand(wish, '"$GEMINI_PROJECT_DIR"'), timeout: 10_000 };
  return { ...element(["hooks", "BeforeTool"], { matcher: "run_shell_command", hooks: [command] }), isOld: isOwnHook };
}

/** Hooks of a project start in its directory. */
export function cursorHook(wish: Wish): readonly JsonChange[] {
  return [
    { kind: "value", path: ["version"], value: () => 1 },
    { ...element(["hooks", "beforeShellExecution"], { command: hookCommand(wish, ".") }), isOld: isOwnHook },
  ];
}

/** For Copilot CLI and VS Code, which start it in the repository: https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference. */
export function copilotHook(wish: Wish): readonly JsonChange[] {
  const command = hookCommand(wish, ".");
  return [
    { kind: "value", path: ["version"], value: () => 1 },
    { ...element(["hooks", "preToolUse"], { type: "command", bash: command, powershell: command, timeoutSec: 10 }), isOld: isOwnHook },
  ];
}

/** A line for the client's shell, in which `root` is a word. */
const hookCommand = ({ launch, mounts }: Wish, root: string): string =>
  [...[...launch.terminal.program, "hook", "--root"].map(quoteWord), root, ...mounts.map(quoteWord)].join(" ");

const isOwnHook = (held: unknown): boolean => /shelpa-mcp.* hook --root /.test(JSON.stringify(held) ?? "");
