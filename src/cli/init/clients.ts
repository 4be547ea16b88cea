/** The MCP clients that `shelpa-mcp init` knows: their configuration files, and the entries these get. */
import { join } from "node:path";
import { quoteWord } from "../../display/quote.ts";
import { TOOL_NAME } from "../../mcp/tool.ts";
import type { ClientName } from "./client-names.ts";
import { editedJson, type JsonChange } from "./json-edit.ts";
import { editedToml } from "./toml-edit.ts";

/** Directories in which the files of clients lie. Host paths, absolute. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** `%APPDATA%`, `$XDG_CONFIG_HOME`, as far as they are set. */
  readonly appData?: string | undefined;
  readonly configHome?: string | undefined;
}

export interface Wish {
  /** The command by which a client starts the server: program and first arguments. */
  readonly program: readonly [string, ...string[]];
  /** Arguments for the directories that are mounted: "--mount", "/docs=/srv/docs", …. */
  readonly mounts: readonly string[];
  /** Deny the client's own shell and search tools, and allow ours. */
  readonly steer: boolean;
  /** Ask `shelpa-mcp hook` before the client's own shell is used. */
  readonly hook: boolean;
}

export interface ClientFile {
  /** Host path. */
  readonly path: string;
  /** Gives the content after init for the present content. Throws UneditableFile. */
  readonly edited: (text: string | undefined) => string;
}

export interface Client {
  readonly title: string;
  readonly files: (place: Place, wish: Wish) => readonly ClientFile[];
  /** The step by a person after which the change takes effect. */
  readonly restart: string;
  /** The reason why the client has no file for a part of the wish, as a phrase; undefined: it has files for all of it. */
  readonly cannot?: (wish: Wish) => string | undefined;
}

const SERVER = "shelpa";

/** The tools of Claude Code that shelpa_pipe stands for. */
const CLAUDE_TOOLS = ["Bash", "Grep", "Glob"];

export const CLIENTS: Readonly<Record<ClientName, Client>> = {
  "claude-code": {
    title: "Claude Code",
    restart: "Restart Claude Code in this directory and approve the server 'shelpa' when it asks.",
    files: ({ root }, wish) => [
      // alwaysLoad: a tool that has to be searched for first is a tool that is not used.
      json(join(root, ".mcp.json"), [server("mcpServers", { type: "stdio", ...started(wish, root), alwaysLoad: true })]),
      ...jsonIfAny(join(root, ".claude", "settings.json"), [
        ...(wish.steer
          ? [
              element(["permissions", "allow"], `mcp__${SERVER}__${TOOL_NAME}`),
              ...CLAUDE_TOOLS.map((tool) => element(["permissions", "deny"], tool)),
            ]
          : []),
        ...(wish.hook ? [hook(["hooks", "PreToolUse"], wish, root, CLAUDE_TOOLS.join("|"))] : []),
      ]),
    ],
  },
  "claude-desktop": {
    title: "Claude Desktop",
    restart: "Quit Claude Desktop and start it again.",
    files: (place, wish) => [
      json(join(claudeDesktopDirectory(place), "claude_desktop_config.json"), [server("mcpServers", started(wish, place.root))]),
    ],
    cannot: ({ steer, hook: hooked }) => (steer || hooked ? "has no shell of its own, so there is nothing to steer" : undefined),
  },
  cursor: {
    title: "Cursor",
    restart: "Reload the Cursor window and switch the server 'shelpa' on under Settings, MCP.",
    files: ({ root }, wish) => [
      json(join(root, ".cursor", "mcp.json"), [server("mcpServers", started(wish, root))]),
      ...jsonIfAny(
        join(root, ".cursor", "cli.json"),
        wish.steer ? [element(["permissions", "allow"], `Mcp(${SERVER}:${TOOL_NAME})`), element(["permissions", "deny"], "Shell(*)")] : [],
      ),
      ...jsonIfAny(
        join(root, ".cursor", "hooks.json"),
        wish.hook
          ? [
              { kind: "set", path: ["version"], value: 1 },
              {
                kind: "element",
                path: ["hooks", "beforeShellExecution"],
                value: { command: hookCommand(wish, root) },
                replaces: (old) => isOwnHook(JSON.stringify(old)),
              },
            ]
          : [],
      ),
    ],
    cannot: ({ steer }) => (steer ? "obeys the denial in its command line agent alone; in the editor use --hook" : undefined),
  },
  vscode: {
    title: "VS Code",
    restart: "Run 'MCP: List Servers' in VS Code and start 'shelpa'.",
    files: ({ root }, wish) => [json(join(root, ".vscode", "mcp.json"), [server("servers", { type: "stdio", ...started(wish, root) })])],
    cannot: ({ steer, hook: hooked }) =>
      steer || hooked ? "has no file that denies its terminal tool: take runInTerminal out of the agent's tools" : undefined,
  },
  codex: {
    title: "Codex",
    restart: "Start Codex anew in this directory, which it must trust.",
    files: ({ root }, wish) => [
      {
        path: join(root, ".codex", "config.toml"),
        edited: (text) => {
          const registered = editedToml(text, { table: ["mcp_servers", SERVER], values: started(wish, root) });
          return wish.steer ? editedToml(registered, { table: ["features"], values: { shell_tool: false } }) : registered;
        },
      },
      ...jsonIfAny(join(root, ".codex", "hooks.json"), wish.hook ? [hook(["hooks", "PreToolUse"], wish, root, "Bash")] : []),
    ],
  },
};

function started({ program: [command, ...first], mounts }: Wish, root: string): { command: string; args: string[] } {
  return { command, args: [...first, "--root", root, ...mounts] };
}

const server = (key: string, value: unknown): JsonChange => ({ kind: "set", path: [key, SERVER], value });
const element = (path: readonly string[], value: unknown): JsonChange => ({ kind: "element", path, value });

/** In the shape that Claude Code and Codex share. */
function hook(path: readonly string[], wish: Wish, root: string, matcher: string): JsonChange {
  const value = { matcher, hooks: [{ type: "command", command: hookCommand(wish, root), timeout: 10 }] };
  return { kind: "element", path, value, replaces: (old) => isOwnHook(JSON.stringify(old)) };
}

/** A line for the client's shell. */
const hookCommand = ({ program, mounts }: Wish, root: string): string =>
  [...program, "hook", "--root", root, ...mounts].map(quoteWord).join(" ");

const isOwnHook = (text: string | undefined): boolean => text !== undefined && /shelpa-mcp.* hook --root /.test(text);

function claudeDesktopDirectory({ home, platform, appData, configHome }: Place): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", "Claude");
  if (platform === "win32") return join(appData ?? join(home, "AppData", "Roaming"), "Claude");
  return join(configHome ?? join(home, ".config"), "Claude");
}

const json = (path: string, changes: readonly JsonChange[]): ClientFile => ({ path, edited: (text) => editedJson(text, changes) });
const jsonIfAny = (path: string, changes: readonly JsonChange[]): ClientFile[] => (changes.length === 0 ? [] : [json(path, changes)]);
