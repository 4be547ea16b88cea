/** The MCP clients that `shelpa-mcp init` can write for. */
export const CLIENT_NAMES = ["claude-code", "claude-desktop", "cursor", "vscode", "codex"] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];
