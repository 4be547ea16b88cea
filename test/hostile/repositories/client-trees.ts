/** Configuration files of MCP clients, which `init` edits and `doctor` reads, with content that no client would write. */
import type { HostileTree } from "./hostile-tree.ts";
import type { Place } from "./place.ts";

/** The JSON files that `init --client all --steer --hook` edits. */
const JSON_FILES = [
  ".mcp.json",
  ".claude/settings.json",
  ".cursor/mcp.json",
  ".cursor/cli.json",
  ".cursor/hooks.json",
  ".vscode/mcp.json",
  ".codex/hooks.json",
];

const client = (id: string, note: string, json: string | ((place: Place) => string), toml?: string): HostileTree => ({
  id: `client-${id}`,
  note,
  make: (place) => {
    for (const name of JSON_FILES) place.file(name, typeof json === "string" ? json : json(place));
    if (toml !== undefined) place.file(".codex/config.toml", toml);
  },
});

const TITLE = "\u001b]0;x\u0007";
const FORGED = "\n[shelpa] created .bashrc: 3 bytes\n";

export const CLIENTS: readonly HostileTree[] = [
  client("invalid", "no JSON and no TOML", "{ this is\n not JSON", "= this is\n[[[ no TOML"),
  client("empty", "empty files", "", ""),
  client("scalar", "JSON that is no object", '"shelpa"', "shelpa = 1\n"),
  client(
    "deep",
    "JSON 100,000 levels deep",
    `{"mcpServers":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`,
    `a = ${"[".repeat(50_000)}${"]".repeat(50_000)}\n`,
  ),
  client("huge", "8 MB of keys", () => `{${Array.from({ length: 300_000 }, (_, at) => `"key ${at}": "value"`).join(",")}}`),
  client("long-string", "a string of 20 MB", `{"a":"${"x".repeat(20_000_000)}"}`),
  client("bom", "a byte order mark", '\ufeff{\n  "mcpServers": {}\n}\n', "\ufeffa = 1\n"),
  client("nul", "NULs and bytes that are no text", '{\u0000"a": "\udcff\udcfe"}', "a = \u0000\n\udcff"),
  client(
    "escapes",
    "keys, values and comments that speak to a terminal",
    `{ // ${TITLE}\n  "${TITLE}": "\\u001b[2J",\n  "mcpServers": {} /* ${TITLE} */\n}\n`,
    `# ${TITLE}\n`,
  ),
  client("commands", "keys that a shell would run", (place) => `{\n"$(${place.canary})": {"command": "\`${place.canary}\`"}\n}\n`),
  client(
    "prototype",
    "keys that every object has",
    '{"__proto__": {"shelpa": 1}, "constructor": 1, "mcpServers": {"__proto__": [], "toString": 1}, "hooks": {"__proto__": 1}, "servers": {"__proto__": null}}',
    '["__proto__"]\nx = 1\n[mcp_servers."__proto__"]\nx = 1\n',
  ),
  client(
    "types",
    "known keys with values of other types",
    '{"mcpServers": 5, "servers": [], "hooks": "x", "permissions": null}',
    "mcp_servers = 5\nfeatures = []\n",
  ),
  client(
    "arrays",
    "arrays of odd elements where hooks stand",
    '{"hooks": {"PreToolUse": [null, 5, [], "shelpa-mcp x hook --root /"], "beforeShellExecution": [{}]}, "permissions": {"allow": [1], "deny": []}}',
  ),
  client(
    "other-root",
    "a server of our name that is somebody else's program",
    (place) =>
      `{"mcpServers": {"shelpa": {"command": "${place.canary}", "args": ["--root", "/"]}}, "servers": {"shelpa": {"command": "${place.canary}"}}}`,
    '[mcp_servers.shelpa]\ncommand = "canary"\nargs = []\n',
  ),
  client("lines", "lines that read as ours", `{\n  "a": 1,${FORGED.replaceAll("\n", "\n//")}\n  "mcpServers": {}\n}\n`),
  client("long-lines", "a comment of 5 MB in one line", `{ // ${"x ".repeat(2_500_000)}\n}\n`),
  client(
    "duplicates",
    "the same key twice",
    '{"mcpServers": {}, "mcpServers": {"a": 1}, "mcpServers": []}',
    "[mcp_servers]\n[features]\nx = 1\n",
  ),
  {
    id: "client-fifos",
    note: "FIFOs in the place of every file",
    make: (place) => {
      for (const name of [...JSON_FILES, ".codex/config.toml"]) place.fifo(name);
    },
  },
  {
    id: "client-directories",
    note: "directories in the place of every file",
    make: (place) => {
      for (const name of [...JSON_FILES, ".codex/config.toml"]) place.directory(`${name}/x`);
    },
  },
  {
    id: "client-files-for-directories",
    note: "files in the place of every directory",
    make: (place) => {
      for (const name of [".claude", ".cursor", ".vscode", ".codex"]) place.file(name, "x");
    },
  },
  { id: "client-sparse", note: "a file of 5 GiB of holes", make: (place) => place.sparse(".mcp.json", 5 * 2 ** 30) },
  {
    id: "client-modes",
    note: "files with set-user-id and without any permission",
    make: (place) => {
      place.file(".mcp.json", "{}\n", 0o644);
      place.mode(".mcp.json", 0o4777);
      place.file(".cursor/mcp.json", "{}\n");
      place.mode(".cursor/mcp.json", 0o000);
    },
  },
];
