/** The MCP clients that `shelpa-mcp init` knows, as one table: a row each, with the source of its format. */
import { isAbsolute, join, relative, sep } from "node:path";
import { quoteWord } from "../../display/quote.ts";
import { TOOL_NAME } from "../../mcp/tool-name.ts";
import type { ClientName } from "./client-names.ts";
import type { ConfigurationFile } from "./configuration-file.ts";
import { namesOfRoot } from "./container-entry.ts";
import { COMMAND_AND_ARGS, SERVER, updatedEntry, type EntryShape, type EntryWish } from "./entry.ts";
import { CLAUDE_TOOLS, claudeHook, copilotHook, cursorHook, element, geminiHook } from "./hook-entries.ts";
import type { Place } from "./place.ts";
import { isMadeOf } from "./replaced-entry.ts";
import type { Wish } from "./wish.ts";

/** Place and form of the server's entry in a client's file. */
export interface Registration {
  /** Host path of the file. */
  readonly path: string;
  readonly language: ConfigurationFile["changes"]["language"];
  /** Keys that lead to the entry. */
  readonly keys: readonly [string, ...string[]];
  readonly shape: EntryShape;
  /** Further keys of a new entry. */
  readonly fixed: Readonly<Record<string, unknown>>;
}

export interface Client {
  readonly title: string;
  /** Address of the documentation that describes the file. */
  readonly source: string;
  readonly registration: (place: Place) => Registration;
  /** The client's own variable for the project's directory, which its file may hold instead of a path. */
  readonly variable?: string;
  /** Paths below the root and below the home directory, and programs on PATH, one of which is there where the client is. */
  readonly signs: { readonly project?: readonly string[]; readonly home?: readonly string[]; readonly programs?: readonly string[] };
  /** Under `steer` it has no shell of its own left. */
  readonly deniesShell?: true;
  /** Further files for `steer` and `hook`. */
  readonly steering?: (place: Place, wish: Wish) => readonly ConfigurationFile[];
  /** The step by a person after which the change takes effect. */
  readonly restart: string;
  /** The reason why the client has no file for a part of the wish, as a phrase; undefined: it has files for all of it. */
  readonly cannot?: (wish: Wish) => string | undefined;
  /** Address that a click of which adds the server `entry`. */
  readonly link?: (entry: object) => string;
}

const nothingToSteer = ({ steer, hook }: Wish): string | undefined =>
  steer || hook ? "has no shell of its own, so there is nothing to steer" : undefined;
const noFileToSteer = ({ steer, hook }: Wish): string | undefined =>
  !steer && !hook
    ? undefined
    : `has no file that ${steer ? "denies" : "sets a hook for"} its terminal tool: switch that off in its settings`;

/** A file of the `mcpServers` kind, which most clients share. */
const mcpServers = (path: string, fixed: Registration["fixed"] = {}): Registration => ({
  path,
  language: "JSON",
  keys: ["mcpServers", SERVER],
  shape: COMMAND_AND_ARGS,
  fixed,
});

const COMMAND_ARRAY: EntryShape = { all: "command", env: "environment" };
const base64 = (entry: object): string => encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString("base64"));

export const CLIENTS: Readonly<Record<ClientName, Client>> = {
  "claude-code": {
    title: "Claude Code",
    deniesShell: true,
    source: "https://code.claude.com/docs/en/mcp",
    // alwaysLoad: a tool that has to be searched for first is a tool that is not used.
    registration: ({ root }) => mcpServers(join(root, ".mcp.json"), { type: "stdio", alwaysLoad: true }),
    // Claude Code sets the variable for the server alone; where it is not set, the server starts in the project.
    variable: "${CLAUDE_PROJECT_DIR:-.}",
    signs: { project: [".mcp.json", ".claude", "CLAUDE.md"], home: [".claude", ".claude.json"], programs: ["claude"] },
    restart: "Restart Claude Code in this directory and approve the server 'shelpa' when it asks.",
    steering: (place, wish) =>
      files(join(place.root, ".claude", "settings.json"), [
        ...(wish.steer
          ? [
              element(["permissions", "allow"], `mcp__${SERVER}__${TOOL_NAME}`),
              ...CLAUDE_TOOLS.map((tool) => element(["permissions", "deny"], tool)),
            ]
          : []),
        ...(wish.hook ? [claudeHook(wish, '"$CLAUDE_PROJECT_DIR"', CLAUDE_TOOLS.join("|"))] : []),
      ]),
  },
  "claude-desktop": {
    title: "Claude Desktop",
    source: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
    registration: (place) => mcpServers(join(place.applicationData("Claude"), "claude_desktop_config.json")),
    signs: { home: ["Library/Application Support/Claude", "AppData/Roaming/Claude", ".config/Claude"] },
    restart: "Quit Claude Desktop and start it again.",
    cannot: nothingToSteer,
  },
  cursor: {
    title: "Cursor",
    source: "https://cursor.com/docs/context/mcp",
    registration: ({ root }) => mcpServers(join(root, ".cursor", "mcp.json")),
    variable: "${workspaceFolder}",
    signs: { project: [".cursor"], home: [".cursor"], programs: ["cursor", "cursor-agent"] },
    restart: "Reload the Cursor window and switch the server 'shelpa' on under Settings, MCP.",
    steering: (place, wish) => [
      ...files(
        join(place.root, ".cursor", "cli.json"),
        wish.steer ? [element(["permissions", "allow"], `Mcp(${SERVER}:${TOOL_NAME})`), element(["permissions", "deny"], "Shell(*)")] : [],
      ),
      ...files(join(place.root, ".cursor", "hooks.json"), wish.hook ? cursorHook(wish) : []),
    ],
    cannot: ({ steer }) => (steer ? "obeys the denial in its command line agent alone; in the editor use --hook" : undefined),
    link: (entry) => `cursor://anysphere.cursor-deeplink/mcp/install?name=${SERVER}&config=${base64(entry)}`,
  },
  vscode: {
    title: "VS Code",
    source: "https://code.visualstudio.com/docs/copilot/customization/mcp-servers",
    registration: ({ root }) => ({
      ...mcpServers(join(root, ".vscode", "mcp.json"), { type: "stdio" }),
      keys: ["servers", SERVER],
    }),
    variable: "${workspaceFolder}",
    signs: { project: [".vscode"], home: [".vscode"], programs: ["code", "codium"] },
    restart: "Run 'MCP: List Servers' in VS Code and start 'shelpa'.",
    steering: (place, wish) => files(join(place.root, ".github", "hooks", "shelpa.json"), wish.hook ? copilotHook(wish) : []),
    cannot: ({ steer }) => (steer ? "has no file that denies its terminal tool: take runInTerminal out of the agent's tools" : undefined),
    link: (entry) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: SERVER, ...entry }))}`,
  },
  codex: {
    title: "Codex",
    deniesShell: true,
    source: "https://developers.openai.com/codex/mcp",
    registration: ({ root }) => ({
      path: join(root, ".codex", "config.toml"),
      language: "TOML",
      keys: ["mcp_servers", SERVER],
      shape: COMMAND_AND_ARGS,
      fixed: {},
    }),
    signs: { project: [".codex"], home: [".codex"], programs: ["codex"] },
    restart: "Start Codex anew in this directory, which it must trust.",
    steering: (place, wish) =>
      files(join(place.root, ".codex", "hooks.json"), wish.hook ? [claudeHook(wish, quoteWord(place.root), "Bash")] : []),
  },
  windsurf: {
    title: "Windsurf",
    source: "https://docs.windsurf.com/windsurf/cascade/mcp",
    registration: ({ home }) => mcpServers(join(home, ".codeium", "windsurf", "mcp_config.json")),
    signs: { project: [".windsurf", ".windsurfrules"], home: [".codeium/windsurf"], programs: ["windsurf"] },
    restart: "Press Refresh under MCP servers in Windsurf's Cascade.",
    cannot: noFileToSteer,
  },
  zed: {
    title: "Zed",
    source: "https://zed.dev/docs/ai/mcp",
    registration: (place) => ({
      ...mcpServers(join(place.platform === "win32" ? place.applicationData("Zed") : join(place.configuration, "zed"), "settings.json")),
      keys: ["context_servers", SERVER],
    }),
    signs: { project: [".zed"], home: [".config/zed", "AppData/Roaming/Zed"], programs: ["zed", "zeditor"] },
    restart: "Look for the green dot of 'shelpa' in the settings of Zed's agent panel.",
    cannot: noFileToSteer,
  },
  "gemini-cli": {
    title: "Gemini CLI",
    deniesShell: true,
    source: "https://geminicli.com/docs/tools/mcp-server",
    registration: ({ root }) => mcpServers(join(root, ".gemini", "settings.json")),
    signs: { project: [".gemini", "GEMINI.md"], home: [".gemini/settings.json"], programs: ["gemini"] },
    restart: "Start Gemini CLI anew in this directory, which it must trust.",
    steering: (place, wish) =>
      files(join(place.root, ".gemini", "settings.json"), [
        ...(wish.steer ? [element(["tools", "exclude"], "run_shell_command")] : []),
        ...(wish.hook ? [geminiHook(wish)] : []),
      ]),
  },
  antigravity: {
    title: "Antigravity",
    source: "https://antigravity.google/docs/mcp",
    registration: ({ root }) => mcpServers(join(root, ".agents", "mcp_config.json")),
    signs: { project: [".agents/mcp_config.json"], home: [".gemini/antigravity", ".gemini/config"], programs: ["agy", "antigravity"] },
    restart: "Press Refresh under Manage MCP Servers in Antigravity, or start agy anew.",
    cannot: noFileToSteer,
  },
  opencode: {
    title: "opencode",
    deniesShell: true,
    source: "https://opencode.ai/docs/mcp-servers",
    registration: (place) => commandArray(firstThere(place, ["opencode.jsonc", "opencode.json"]) ?? join(place.root, "opencode.json")),
    signs: { project: ["opencode.json", "opencode.jsonc", ".opencode"], home: [".config/opencode"], programs: ["opencode"] },
    restart: "Start opencode anew.",
    steering: (place, wish) => {
      const { path } = CLIENTS.opencode.registration(place);
      return files(path, wish.steer ? [{ kind: "value", path: ["permission", "bash"], value: () => "deny" }] : []);
    },
    cannot: ({ hook }) => (hook ? "has no hooks that a file sets: use --steer" : undefined),
  },
  "copilot-cli": {
    title: "GitHub Copilot CLI",
    source: "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
    registration: ({ home }) => mcpServers(join(home, ".copilot", "mcp-config.json"), { type: "stdio", tools: ["*"] }),
    signs: { home: [".copilot"], programs: ["copilot"] },
    restart: "Start copilot anew.",
    steering: (place, wish) => files(join(place.root, ".github", "hooks", "shelpa.json"), wish.hook ? copilotHook(wish) : []),
    cannot: ({ steer }) => (steer ? "has no file that denies its shell: start it with --deny-tool shell, or use --hook" : undefined),
  },
  cline: {
    title: "Cline",
    source: "https://docs.cline.bot/mcp/configuring-mcp-servers",
    registration: (place) =>
      mcpServers(
        place.exists(clineOfVsCode(place))
          ? join(clineOfVsCode(place), "settings", "cline_mcp_settings.json")
          : join(place.home, ".cline", "data", "settings", "cline_mcp_settings.json"),
      ),
    signs: {
      project: [".clinerules"],
      home: [".cline", ".config/Code/User/globalStorage/saoudrizwan.claude-dev"],
      programs: ["cline"],
    },
    restart: "Press Restart beside 'shelpa' under MCP Servers in Cline.",
    cannot: noFileToSteer,
  },
  roo: {
    title: "Roo Code",
    source: "https://docs.roocode.com/features/mcp/using-mcp-in-roo",
    registration: ({ root }) => mcpServers(join(root, ".roo", "mcp.json")),
    signs: { project: [".roo", ".roorules"] },
    restart: "Press Refresh under MCP Servers in Roo Code.",
    cannot: noFileToSteer,
  },
  kilo: {
    title: "Kilo Code",
    source: "https://kilo.ai/docs/automate/mcp/using-in-kilo-code",
    registration: (place) =>
      commandArray(
        firstThere(place, ["kilo.jsonc", "kilo.json", ".kilo/kilo.jsonc", ".kilo/kilo.json"]) ?? join(place.root, ".kilo", "kilo.jsonc"),
      ),
    signs: {
      project: [".kilo", ".kilocode", "kilo.json", "kilo.jsonc"],
      home: [".config/kilo", ".kilocode"],
      programs: ["kilo", "kilocode"],
    },
    restart: "Start Kilo Code anew.",
    cannot: noFileToSteer,
  },
  continue: {
    title: "Continue",
    source: "https://docs.continue.dev/customize/deep-dives/mcp",
    registration: ({ root }) => mcpServers(join(root, ".continue", "mcpServers", "shelpa.json")),
    signs: { project: [".continue", ".continuerc.json"], home: [".continue"], programs: ["cn"] },
    restart: "Reload the window, and use Continue in agent mode.",
    cannot: noFileToSteer,
  },
  junie: {
    title: "Junie",
    source: "https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html",
    registration: ({ root }) => mcpServers(join(root, ".junie", "mcp", "mcp.json")),
    signs: { project: [".junie"], home: [".junie"] },
    restart: "Look for 'shelpa' under Settings, Tools, Junie, MCP Settings.",
    cannot: noFileToSteer,
  },
  kiro: {
    title: "Kiro",
    source: "https://kiro.dev/docs/mcp/configuration",
    registration: ({ root }) => mcpServers(join(root, ".kiro", "settings", "mcp.json")),
    signs: { project: [".kiro"], home: [".kiro"], programs: ["kiro", "kiro-cli"] },
    restart: "Look for 'shelpa' among the MCP servers of Kiro's panel.",
    cannot: noFileToSteer,
  },
  goose: {
    title: "Goose",
    source: "https://block.github.io/goose/docs/guides/config-files",
    registration: (place) => ({
      path:
        place.platform === "win32"
          ? join(place.applicationData("Block"), "goose", "config", "config.yaml")
          : join(place.configuration, "goose", "config.yaml"),
      language: "YAML",
      keys: ["extensions", SERVER],
      shape: { program: "cmd", args: "args", env: "envs" },
      fixed: { enabled: true, type: "stdio", name: SERVER, description: "A shell that stays in one directory", timeout: 300 },
    }),
    signs: { project: [".goosehints"], home: [".config/goose", "AppData/Roaming/Block/goose"], programs: ["goose"] },
    restart: "Start a new session of Goose.",
    cannot: noFileToSteer,
    link: gooseLink,
  },
  amp: {
    title: "Amp",
    source: "https://ampcode.com/manual",
    registration: ({ root }) => ({ ...mcpServers(join(root, ".amp", "settings.json")), keys: ["amp.mcpServers", SERVER] }),
    signs: { project: [".amp"], home: [".config/amp"], programs: ["amp"] },
    restart: "Start Amp anew, and approve the server with 'amp mcp approve shelpa'.",
    cannot: noFileToSteer,
  },
  "lm-studio": {
    title: "LM Studio",
    source: "https://lmstudio.ai/docs/app/mcp",
    registration: ({ home }) => mcpServers(join(home, ".lmstudio", "mcp.json")),
    signs: { home: [".lmstudio"], programs: ["lms"] },
    restart: "Switch 'shelpa' on in the Program tab of LM Studio.",
    cannot: nothingToSteer,
    link: (entry) => `lmstudio://add_mcp?name=${SERVER}&config=${base64(entry)}`,
  },
};

/** Files that hold nothing but JSON changes, where there are any. */
function files(path: string, list: (ConfigurationFile["changes"] & { readonly language: "JSON" })["list"]): readonly ConfigurationFile[] {
  return list.length === 0 ? [] : [{ path, changes: { language: "JSON", list } }];
}

function commandArray(path: string): Registration {
  return { path, language: "JSON", keys: ["mcp", SERVER], shape: COMMAND_ARRAY, fixed: { type: "local", enabled: true } };
}

/** The first of these paths below the root that exists, absolute. */
function firstThere({ root, exists }: Place, paths: readonly string[]): string | undefined {
  return paths.map((path) => join(root, path)).find(exists);
}

const clineOfVsCode = (place: Place): string => join(place.applicationData("Code"), "User", "globalStorage", "saoudrizwan.claude-dev");

function gooseLink(entry: object): string {
  const { cmd = "", args = [] } = entry as { cmd?: string; args?: readonly string[] };
  const query = [["cmd", cmd], ...args.map((arg) => ["arg", arg]), ["id", SERVER], ["name", SERVER]];
  return `goose://extension?${query.map(([key = "", value = ""]) => `${key}=${encodeURIComponent(value)}`).join("&")}`;
}

/** Every file that a client has for the wish, the one that registers the server first. */
export function filesOf(client: Client, place: Place, wish: Wish): readonly ConfigurationFile[] {
  const registration = client.registration(place);
  const further = client.steering?.(place, wish) ?? [];
  const registered = registrationFile(client, registration, place, wish);
  const same = further.filter(({ path }) => path === registration.path);
  return [same.reduce(joined, registered), ...further.filter(({ path }) => path !== registration.path)];
}

/** The two changes to one file as one. */
function joined(one: ConfigurationFile, other: ConfigurationFile): ConfigurationFile {
  if (one.changes.language !== "JSON" || other.changes.language !== "JSON") return one;
  return { path: one.path, changes: { language: "JSON", list: [...one.changes.list, ...other.changes.list] } };
}

function registrationFile(
  client: Client,
  { path, language, keys, shape, fixed }: Registration,
  place: Place,
  wish: Wish,
): ConfigurationFile {
  const value = (held: unknown): Readonly<Record<string, unknown>> =>
    updatedEntry(held, shape, entryWish(client, path, place, wish), fixed);
  // A copy in a project may be a stranger's, and would bring in what nobody has agreed to.
  const isOurs = (held: unknown, earlier: unknown): boolean =>
    isBelow(place.root, path) || !isMadeOf(earlier, held, { shape, fixed, place });
  switch (language) {
    case "JSON":
      return { path, changes: { language, list: [{ kind: "value", path: keys, value, isOurs }] } };
    case "YAML":
      return { path, changes: { language, list: [{ path: [keys[0], SERVER], value, isOurs }] } };
    case "TOML":
      return {
        path,
        changes: {
          language,
          list: [
            { table: keys, values: (held) => tomlTable(value(held)), isOurs: true },
            ...(wish.steer ? [{ table: ["features"], values: () => ({ shell_tool: false }), isOurs: false }] : []),
          ],
        },
      };
  }
}

/** Strings, arrays of strings, booleans and tables of them alone: an entry has nothing else. */
const tomlTable = (entry: Readonly<Record<string, unknown>>): Record<string, string | string[] | boolean | Record<string, string>> =>
  entry as Record<string, string | string[] | boolean | Record<string, string>>;

/** A file of the project is started from where its client stands; one of the user's may be started from a desktop. */
export function entryWish({ variable }: Client, path: string, place: Place, { launch, mounts, container }: Wish): EntryWish {
  const { root } = place;
  const inProject = isBelow(root, path);
  // A variable with a default may stand for a relative path, which no engine mounts.
  const isUsable = variable !== undefined && (container === undefined || !variable.includes(":-"));
  const said = inProject && isUsable ? variable : root;
  const commands = container?.launch ?? launch;
  return {
    launch: inProject ? commands.terminal : commands.desktop,
    root: said,
    isRoot: (text) => text === said || text === root,
    mounts,
    names: namesOfRoot(place),
    container,
    bounds: inProject ? { root, names: namesOfRoot(place), mounts } : undefined,
  };
}

/** True where the host path `path` lies below `root`. */
export function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The entry that the client would get if it had none. */
export function newEntry(client: Client, place: Place, wish: Wish): Readonly<Record<string, unknown>> {
  const { path, shape, fixed } = client.registration(place);
  return updatedEntry(undefined, shape, entryWish(client, path, place, wish), fixed);
}
