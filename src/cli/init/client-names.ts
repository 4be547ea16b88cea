/** The MCP clients that `shelpa-mcp init` can write for. */
export const CLIENT_NAMES = [
  "claude-code",
  "claude-desktop",
  "cursor",
  "vscode",
  "codex",
  "windsurf",
  "zed",
  "gemini-cli",
  "antigravity",
  "opencode",
  "copilot-cli",
  "cline",
  "roo",
  "kilo",
  "continue",
  "junie",
  "kiro",
  "goose",
  "amp",
  "lm-studio",
] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];
