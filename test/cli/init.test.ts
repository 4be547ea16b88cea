/** `shelpa-mcp init`: what it writes into the files of clients, and that nothing else in them moves. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  existsSync,
  lstatSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { editedFile } from "../../src/cli/init/edited-file.ts";
import { editedJson } from "../../src/cli/init/json-edit.ts";
import { editedToml } from "../../src/cli/init/toml-edit.ts";
import { editedYaml } from "../../src/cli/init/yaml-edit.ts";
import { ownLaunch } from "../../src/cli/init/own-launch.ts";
import { subcommandOf } from "../../src/cli/subcommands.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { makeFifo } from "../tree.ts";

const [, script = ""] = process.argv;

let root: string;
let home: string;
let printed: string;
let complained: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "shelpa-init-"));
  home = mkdtempSync(join(tmpdir(), "shelpa-home-"));
  // Windows keeps the places of a user in these.
  for (const name of ["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"]) vi.stubEnv(name, home);
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
  process.argv[1] = "/opt/shelpa/dist/shelpa-mcp.js";
  printed = complained = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    complained += String(text);
    return true;
  });
});

afterEach(() => {
  process.argv[1] = script;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const directory of [root, home]) rmSync(directory, { recursive: true });
});

function given(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Every path below `directories`, without what they are called themselves. */
const entriesOf = (...directories: readonly string[]): readonly string[] =>
  directories.flatMap((directory) => readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted());

const content = (path: string): string => readFileSync(path, "utf8");
/** For Claude Code, where no client is named. */
const init = async (...args: string[]): Promise<number | undefined> =>
  subcommandOf(["init", "--root", root, ...(args.includes("--client") ? args : ["--client", "claude-code", ...args])])?.run();

/** The earlier content of each client's file, and lines of it that must still be there afterwards. */
const EXISTING: readonly { client: string; path: () => string; text: string; kept: readonly string[]; has: RegExp }[] = [
  {
    client: "claude-code",
    path: () => join(root, ".mcp.json"),
    text: '{\n    "mcpServers": {\n        "other": { "command": "other-server", "args": ["a"] }\n    }\n}\n',
    kept: ['        "other": { "command": "other-server", "args": ["a"] }'],
    has: /"shelpa": \{\n {12}"type": "stdio",/,
  },
  {
    client: "claude-desktop",
    path: () =>
      join(home, process.platform === "darwin" ? "Library/Application Support/Claude" : ".config/Claude", "claude_desktop_config.json"),
    text: '{"globalShortcut":"Ctrl+Space","mcpServers":{}}',
    kept: ['"globalShortcut":"Ctrl+Space"'],
    has: /"shelpa"/,
  },
  {
    client: "cursor",
    path: () => join(root, ".cursor", "mcp.json"),
    text: '{\r\n\t"mcpServers": {\r\n\t\t"db": { "url": "http://localhost:1" }\r\n\t}\r\n}\r\n',
    kept: ['\t\t"db": { "url": "http://localhost:1" }'],
    has: /\r\n\t\t"shelpa": \{\r\n\t\t\t"command":/,
  },
  {
    client: "vscode",
    path: () => join(root, ".vscode", "mcp.json"),
    text: '{\n  // servers of the team\n  "servers": {\n    "git": { "type": "stdio", "command": "x" }, // keep\n  },\n}\n',
    kept: ["  // servers of the team", '    "git": { "type": "stdio", "command": "x" }, // keep'],
    has: /"shelpa"/,
  },
  {
    client: "codex",
    path: () => join(root, ".codex", "config.toml"),
    text: '# mine\nmodel = "gpt" # the model\n\n[mcp_servers.other]\ncommand = "other"\n\n# about shelpa\n[mcp_servers.shelpa]\ncommand = "old"\nstartup_timeout_sec = 20\n\n# tools\n[tools]\nweb_search = true\n',
    kept: [
      "# mine",
      'model = "gpt" # the model',
      'command = "other"',
      "# about shelpa",
      "startup_timeout_sec = 20",
      "# tools",
      "web_search = true",
    ],
    has: /\[mcp_servers\.shelpa\]\ncommand = "(?!old)/,
  },
];

const expectedRoot = (client: string): string =>
  ({ "claude-code": "${CLAUDE_PROJECT_DIR:-.}", cursor: "${workspaceFolder}", vscode: "${workspaceFolder}" })[client] ?? root;

describe.each(EXISTING)("init --client $client", ({ client, path, text, kept, has }) => {
  test("adds itself, keeps the rest, keeps a copy, and changes nothing the second time", async () => {
    const file = given(path(), text);
    chmodSync(file, 0o600);
    expect(await init("--client", client)).toBe(0);
    const after = content(file);
    expect(after).toMatch(has);
    expect(after).toContain(expectedRoot(client));
    for (const line of kept) expect(after).toContain(line);
    expect(content(`${file}.before-shelpa`)).toBe(text);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(printed).toContain("+++ ");
    printed = "";
    expect(await init("--client", client)).toBe(0);
    expect(content(file)).toBe(after);
    expect(printed).toMatch(/^[^\n]*: nothing to change\.\n$/);
  });

  test("--print writes nothing", async () => {
    const file = given(path(), text);
    expect(await init("--client", client, "--print", "--steer", "--hook")).toBe(0);
    expect(content(file)).toBe(text);
    expect(existsSync(`${file}.before-shelpa`)).toBe(false);
    expect(printed).toContain("nothing was written");
  });
});

test("makes the files where there are none, for all clients, and is idempotent with --steer and --hook", async () => {
  expect(await init("--client", "all", "--steer", "--hook")).toBe(0);
  const files = [
    ...[".mcp.json", ".claude/settings.json", ".cursor/mcp.json", ".cursor/cli.json", ".cursor/hooks.json", ".vscode/mcp.json"],
    ...[".github/hooks/shelpa.json", ".gemini/settings.json", "opencode.json"],
  ];
  const before = files.map((file) => content(join(root, file)));
  for (const text of before) JSON.parse(text);
  expect(JSON.parse(content(join(root, ".mcp.json"))).mcpServers.shelpa.alwaysLoad).toBe(true);
  expect(JSON.parse(content(join(root, ".claude/settings.json"))).permissions).toEqual({
    allow: ["mcp__shelpa__shelpa_pipe"],
    deny: ["Bash", "Grep", "Glob"],
  });
  expect(content(join(root, ".codex/config.toml"))).toMatch(/\[features\]\nshell_tool = false\n$/);
  printed = "";
  expect(await init("--client", "all", "--steer", "--hook")).toBe(0);
  expect(files.map((file) => content(join(root, file)))).toEqual(before);
  expect(printed).not.toContain("+++ ");
});

test("a hook of ours is renewed, those of others stay", async () => {
  const other = { matcher: "Bash", hooks: [{ type: "command", command: "mine" }] };
  const old = { matcher: "Bash", hooks: [{ type: "command", command: "/old/shelpa-mcp hook --root /gone" }] };
  const file = given(join(root, ".claude/settings.json"), JSON.stringify({ hooks: { PreToolUse: [old, other] } }));
  expect(await init("--hook")).toBe(0);
  const [ours, theirs, ...rest] = JSON.parse(content(file)).hooks.PreToolUse;
  expect(ours.hooks[0].command).toMatch(/hook --root "\$CLAUDE_PROJECT_DIR"$/);
  expect(theirs).toEqual(other);
  expect(rest).toEqual([]);
});

test.each([
  ["text", "{ nonsense", "it is no JSON: line 1: a word that is no value"],
  ["a brace too few", '{\n  "mcpServers": {}\n', "it is no JSON: line 3: a } is missing"],
  ["a bracket too few", '{ "a": [1', "it is no JSON: line 1: a ] is missing"],
  ["a comma too few", '{ "a": 1\n"b": 2 }', "it is no JSON: line 2: a , is missing"],
  ["no colon", '{ "a" 1 }', "it is no JSON: line 1: a : is missing"],
  ["no value", '{ "a": }', "it is no JSON: line 1: a value is missing"],
  ["a string without an end", '{ "a": "x\n}', 'it is no JSON: line 1: a string has no end, "'],
  ["a comment without an end", "{ /* x }", "it is no JSON: line 1: a comment has no end, */"],
  ["two values", "{} {}", "it is no JSON: line 1: something follows the end of the value"],
  ["an array", "[]", "it holds no JSON object"],
  ["servers that are a list", '{ "mcpServers": [] }', ".mcp.json: 'mcpServers' is a list, and must be an object"],
  [
    "two holders of servers",
    '{"mcpServers":{"shelpa":{"command":"a"}},"mcpServers":{"shelpa":{"command":"evil","args":["1"]}}}',
    "'mcpServers' stands in it twice",
  ],
  ["two entries of the name", '{"mcpServers":{"shelpa":{"command":"a"},"shelpa":{"command":"evil"}}}', "'shelpa' stands in it twice"],
  ["a key of the entry twice", '{"mcpServers":{"shelpa":{"command":"a","command":"evil"}}}', "'command' stands in it twice"],
  ["servers that are null", '{ "mcpServers": null }', ".mcp.json: 'mcpServers' is null, and must be an object"],
])("a file with %s is left alone", async (_, text, why) => {
  const file = given(join(root, ".mcp.json"), text);
  expect(await init("--steer")).toBe(1);
  expect(content(file)).toBe(text);
  expect(complained).toContain(why);
  expect(existsSync(join(root, ".claude/settings.json"))).toBe(false);
});

/** A project is somebody else's work: what lies in it must not lead init elsewhere, for reading or for writing. */
describe("a hostile project", () => {
  const SECRET = '{ "secret": "of the user" }\n';
  const place = (): string => join(home, "victim.json");

  test.each<{ name: string; client: string; make: () => void; says: string }>([
    {
      name: "the file is a link",
      client: "claude-code",
      make: () => symlinkSync(place(), join(root, ".mcp.json")),
      says: "Claude Code: .mcp.json: is a symbolic link",
    },
    {
      name: "the second file is a link: the first is not written either",
      client: "claude-code",
      make: () => {
        mkdirSync(join(root, ".claude"));
        symlinkSync(place(), join(root, ".claude/settings.json"));
      },
      says: "Claude Code: .claude/settings.json: is a symbolic link",
    },
    {
      name: "a directory is a link",
      client: "cursor",
      make: () => {
        given(join(home, ".cursor/mcp.json"), SECRET);
        symlinkSync(join(home, ".cursor"), join(root, ".cursor"));
      },
      says: "Cursor: .cursor: is a symbolic link",
    },
    {
      name: "a directory is a link within the project",
      client: "cursor",
      make: () => {
        mkdirSync(join(root, "config"));
        symlinkSync("config", join(root, ".cursor"));
      },
      says: "Cursor: .cursor: is a symbolic link",
    },
    {
      name: "a link to nothing",
      client: "vscode",
      make: () => symlinkSync(join(home, "new"), join(root, ".vscode")),
      says: "VS Code: .vscode: is a symbolic link",
    },
    {
      name: "a FIFO",
      client: "claude-code",
      make: () => makeFifo(join(root, ".mcp.json")),
      says: "Claude Code: .mcp.json: Not a regular file",
    },
    {
      name: "a directory",
      client: "claude-code",
      make: () => mkdirSync(join(root, ".mcp.json")),
      says: "Claude Code: .mcp.json: Not a regular file",
    },
    {
      name: "a file in the place of the directory",
      client: "codex",
      make: () => writeFileSync(join(root, ".codex"), ""),
      says: "Codex: .codex: Not a directory",
    },
    {
      name: "more than a configuration can be",
      client: "claude-code",
      make: () => truncateSync(given(join(root, ".mcp.json"), "{}"), 2 ** 40),
      says: "Claude Code: .mcp.json: is longer than 1048576 bytes",
    },
  ])("$name", async ({ client, make, says }) => {
    given(place(), SECRET);
    make();
    const before = entriesOf(home, root);
    expect(await init("--client", client, "--steer", "--hook")).toBe(1);
    expect(complained).toContain(`shelpa-mcp: ${says}`);
    expect(printed).toBe("");
    expect(content(place())).toBe(SECRET);
    expect(entriesOf(home, root)).toEqual(before);
  });

  test("a link in the place of the copy is replaced, and what it leads to is not", async () => {
    const bashrc = given(join(home, ".bashrc"), "# precious\n");
    const text = '{ "$(echo PWNED >&2)": {"command":"x"}\n}\n';
    const file = given(join(root, ".mcp.json"), text);
    symlinkSync(bashrc, `${file}.before-shelpa`);
    expect(await init()).toBe(0);
    expect(content(bashrc)).toBe("# precious\n");
    expect(lstatSync(`${file}.before-shelpa`).isFile()).toBe(true);
    expect(content(`${file}.before-shelpa`)).toBe(text);
  });

  test("a file that cannot be copied away is not replaced", async () => {
    const file = given(join(root, ".mcp.json"), "{}");
    given(`${file}.before-shelpa/kept`, "");
    expect(await init()).toBe(1);
    expect(complained).toContain("shelpa-mcp: Claude Code: .mcp.json.before-shelpa: Is a directory");
    expect(content(file)).toBe("{}");
    expect(entriesOf(root)).toEqual([".mcp.json", ".mcp.json.before-shelpa", ".mcp.json.before-shelpa/kept"]);
  });

  test("its text reaches a terminal spelled out, and a pipe as it is", async () => {
    given(join(root, ".mcp.json"), "{\n  // \u001b]0;title\u0007\u202e\n}\n");
    expect(await init("--print")).toBe(0);
    expect(printed).toContain("// \u001b]0;title\u0007\u202e\n");
    printed = "";
    const { isTTY } = process.stdout;
    process.stdout.isTTY = true;
    try {
      expect(await init("--print")).toBe(0);
    } finally {
      process.stdout.isTTY = isTTY;
    }
    expect(printed).toContain("// \\u{1b}]0;title\\u{7}\\u{202e}\n");
    expect(printed).not.toContain("\u001b");
  });
});

describe("a file of the user's own, outside the project", () => {
  const file = (): string =>
    join(home, process.platform === "darwin" ? "Library/Application Support" : ".config", "Claude", "claude_desktop_config.json");

  test("is changed where it lies, behind a symbolic link of a dotfile manager", async () => {
    const target = given(join(home, "dotfiles/claude.json"), "{}");
    chmodSync(target, 0o600);
    mkdirSync(dirname(file()), { recursive: true });
    symlinkSync(target, file());
    const elsewhere = given(join(home, "elsewhere"), "kept\n");
    symlinkSync(elsewhere, `${file()}.before-shelpa`);
    expect(await init("--client", "claude-desktop")).toBe(0);
    expect(lstatSync(file()).isSymbolicLink()).toBe(true);
    expect(JSON.parse(content(target)).mcpServers.shelpa.args).toContain(root);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(content(`${file()}.before-shelpa`)).toBe("{}");
    expect(content(elsewhere)).toBe("kept\n");
  });

  test("is a project's like any other where the root is the home directory", async () => {
    const target = given(join(home, "dotfiles/claude.json"), "{}");
    mkdirSync(dirname(file()), { recursive: true });
    symlinkSync(target, file());
    expect(await subcommandOf(["init", "--root", home, "--client", "claude-desktop"])?.run()).toBe(1);
    expect(complained).toContain("is a symbolic link");
    expect(content(target)).toBe("{}");
  });
  test("is so, too, where the home directory is reached by a link", async () => {
    const target = given(join(home, "out/claude_desktop_config.json"), "{}");
    mkdirSync(dirname(dirname(file())), { recursive: true });
    symlinkSync(join(home, "out"), dirname(file()));
    const linked = join(root, "home");
    symlinkSync(home, linked);
    vi.stubEnv("HOME", linked);
    expect(await subcommandOf(["init", "--root", home, "--client", "claude-desktop"])?.run()).toBe(1);
    expect(complained).toContain("is a symbolic link");
    expect(content(target)).toBe("{}");
  });
});

test("mounts are part of the entry and of the hook, with absolute directories", async () => {
  mkdirSync(join(home, "docs"));
  mkdirSync(join(home, "lib"));
  const mounts = ["--mount", `/docs=${join(home, "docs")}:rw`, "--also-read", join(home, "lib")];
  expect(await init("--hook", ...mounts)).toBe(0);
  expect(JSON.parse(content(join(root, ".mcp.json"))).mcpServers.shelpa.args.slice(-4)).toEqual(mounts);
  expect(content(join(root, ".claude/settings.json"))).toContain(`hook --root \\"$CLAUDE_PROJECT_DIR\\" ${mounts.join(" ")}`);
  await expect(init("--mount", "/docs=gone")).rejects.toThrow("No such file or directory");
  await expect(init("--mount", `/docs=${root}`)).rejects.toThrow("lie in each other");
});

test("a root that is not there is bad usage, and is not made", async () => {
  await expect(subcommandOf(["init", "--client", "cursor", "--root", join(root, "gone")])?.run()).rejects.toThrow("cannot open the root");
  expect(existsSync(join(root, "gone"))).toBe(false);
});

test("an unknown client is named with those there are", async () => {
  await expect(init("--client", "emacs")).rejects.toThrow("there is no client 'emacs'; there are claude-code,");
});

describe("the command of an entry", () => {
  test("is the name where PATH leads to it, and absolute for a program that is started from a desktop", () => {
    const bin = given(join(home, "bin/shelpa-mcp"), "#!/bin/sh\n");
    chmodSync(bin, 0o755);
    const absolute = { program: ["/usr/bin/node", bin] };
    const own = { node: "/usr/bin/node", script: bin };
    expect(ownLaunch({ ...own, path: [join(home, "bin")] })).toEqual({ terminal: { program: ["shelpa-mcp"] }, desktop: absolute });
    expect(ownLaunch({ ...own, path: ["/nowhere"] })).toEqual({ terminal: absolute, desktop: absolute });
  });

  test("is npx where npx brought it, with a PATH that has Node where it is started from a desktop", () => {
    const npm = given(join(home, "lib/npm/bin/npm-cli.js"), "");
    given(join(home, "lib/npm/bin/npx-cli.js"), "");
    const script = "/home/a/.npm/_npx/12/node_modules/.bin/shelpa-mcp";
    expect(ownLaunch({ path: [], node: "/opt/node/bin/node", script, npm })).toEqual({
      terminal: { program: ["npx", "-y", "shelpa-mcp"] },
      desktop: {
        program: ["/opt/node/bin/node", join(home, "lib/npm/bin/npx-cli.js"), "-y", "shelpa-mcp"],
        env: { PATH: "/opt/node/bin:/usr/local/bin:/usr/bin:/bin" },
      },
    });
  });
});

describe("without --client", () => {
  test("the clients that are there are named, with the command for them", async () => {
    mkdirSync(join(root, ".cursor"));
    mkdirSync(join(home, ".codeium/windsurf"), { recursive: true });
    vi.stubEnv("PATH", "");
    await expect(subcommandOf(["init", "--root", root])?.run()).rejects.toMatchObject({
      message: "init: for which client? Found here: cursor, windsurf",
      suggestion: `shelpa-mcp init --root ${root} --client found`,
    });
    expect(await init("--client", "found")).toBe(0);
    expect(existsSync(join(root, ".cursor/mcp.json"))).toBe(true);
    expect(existsSync(join(home, ".codeium/windsurf/mcp_config.json"))).toBe(true);
    expect(existsSync(join(root, ".mcp.json"))).toBe(false);
  });

  test("where there is none, it is said", async () => {
    vi.stubEnv("PATH", "");
    await expect(subcommandOf(["init", "--root", root])?.run()).rejects.toMatchObject({
      message: "init: no client was found here: name one with --client",
    });
  });
});

test.each([
  ["Claude Code", ".mcp.json"],
  ["claude", ".mcp.json"],
  ["vs-code", ".vscode/mcp.json"],
  ["Kilo Code", ".kilo/kilo.jsonc"],
])("'%s' is understood", async (name, file) => {
  expect(await init("--client", name)).toBe(0);
  expect(existsSync(join(root, file))).toBe(true);
});

test("--print gives the link that does the same, and a committed file with a path of this machine is told of", async () => {
  expect(await init("--client", "cursor", "--print")).toBe(0);
  const [, config = ""] = /cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=shelpa&config=(\S+)/.exec(printed) ?? [];
  expect(JSON.parse(Buffer.from(decodeURIComponent(config), "base64").toString())).toEqual({
    command: process.execPath,
    args: ["/opt/shelpa/dist/shelpa-mcp.js", "--root", "${workspaceFolder}"],
  });
  expect(printed).toContain("Cursor: .cursor/mcp.json names paths of this machine: not for a commit.");
});

test("what an entry keeps is said", async () => {
  const args = ["--mount", "/x=/:rw", "--root", "/gone", "--config", "./c\u001b[2J.toml"];
  const entry = { command: "shelpa-mcp", args, env: { NODE_OPTIONS: "--require ./evil.cjs" } };
  given(join(home, ".codeium/windsurf/mcp_config.json"), JSON.stringify({ mcpServers: { shelpa: entry } }));
  const says = "Windsurf: the entry that was there keeps --mount /x=/:rw --config ./c\\u{1b}[2J.toml NODE_OPTIONS\n";
  expect(await init("--client", "windsurf")).toBe(0);
  expect(printed).toContain(says);
  printed = "";
  expect(await init("--client", "windsurf")).toBe(0);
  expect(printed).toContain(`nothing to change.\n${says}`);
});

describe("--remove", () => {
  test("takes denials, hooks and settings out again, and gives back what they replaced", async () => {
    const before = '{\n  "permissions": { "deny": ["Bash"] },\n  "model": "x"\n}\n';
    const settings = given(join(root, ".claude/settings.json"), before);
    const opencode = given(join(root, "opencode.json"), '{ "permission": { "bash": "ask" } }\n');
    const codex = given(join(root, ".codex/config.toml"), "[features]\nother = true\n");
    const clients = ["claude-code", "opencode", "codex", "cursor", "gemini-cli"].flatMap((name) => ["--client", name]);
    expect(await init(...clients, "--steer", "--hook")).toBe(0);
    expect(JSON.parse(content(settings)).permissions.deny).toEqual(["Bash", "Grep", "Glob"]);
    expect(JSON.parse(content(opencode)).permission.bash).toBe("deny");
    expect(content(codex)).toContain("shell_tool = false");
    expect(await init(...clients, "--remove")).toBe(0);
    expect(content(settings)).toBe(before);
    expect(content(opencode)).toBe('{ "permission": { "bash": "ask" } }\n');
    expect(content(codex)).toBe("[features]\nother = true\n");
    expect(entriesOf(root).filter((path) => /\.(?:json|toml|before-shelpa)$/.test(path))).toEqual([
      ".claude/settings.json",
      ".codex/config.toml",
      "opencode.json",
    ]);
  });

  test("leaves directories, and names those that are empty", async () => {
    given(join(root, ".claude/commands/mine.md"), "");
    const clients = ["claude-code", "cursor", "kiro", "windsurf"].flatMap((name) => ["--client", name]);
    expect(await init(...clients, "--steer", "--hook")).toBe(0);
    printed = "";
    expect(await init(...clients, "--remove", "--print")).toBe(0);
    expect(printed).not.toContain("empty");
    expect(await init(...clients, "--remove")).toBe(0);
    const stays = "is empty now, and stays: it may have been there before.";
    expect(printed.split("\n").filter((line) => line.includes("empty"))).toEqual([
      `Cursor: .cursor ${stays}`,
      `Kiro: .kiro/settings ${stays}`,
      `Windsurf: ${join(home, ".codeium/windsurf")} ${stays}`,
    ]);
    expect(entriesOf(root).filter((path) => !/mine|commands/.test(path))).toEqual([".claude", ".cursor", ".kiro", ".kiro/settings"]);
  });

  test("leaves what somebody added since", async () => {
    const file = given(join(root, ".mcp.json"), "{}");
    expect(await init()).toBe(0);
    const now = JSON.parse(content(file));
    writeFileSync(file, JSON.stringify({ ...now, mcpServers: { ...now.mcpServers, mine: { command: "x" } } }));
    expect(await init("--remove")).toBe(0);
    expect(JSON.parse(content(file))).toEqual({ mcpServers: { mine: { command: "x" } } });
    expect(content(`${file}.before-shelpa`)).toBe("{}");
  });

  test("where nothing is, changes nothing", async () => {
    expect(await init("--client", "all", "--remove")).toBe(0);
    expect(entriesOf(root, home)).toEqual([]);
    expect(printed).toContain("Claude Code: nothing to change.");
  });
});

test("a file that cannot be written is a sentence, and no difference is printed as if it had been", async () => {
  const file = given(join(root, ".mcp.json"), "{}");
  given(`${file}.before-shelpa/kept`, "");
  expect(await init()).toBe(1);
  expect(printed).toBe("");
  expect(complained).toMatch(/^shelpa-mcp: Claude Code: [^\n]*\n$/);
});

test("a table that stands in another form is not guessed at", () => {
  const changes = [{ table: ["mcp_servers", "shelpa"], values: () => ({ command: "x" }), isOurs: true }];
  expect(() => editedToml('mcp_servers = { shelpa = { command = "y" } }\n', changes)).toThrow("write it by hand:\n[mcp_servers.shelpa]");
  expect(() => editedToml("b = 1\na = \n", changes)).toThrow("it is no TOML: line 2: invalid value");
  const hostile = 'mcp_servers = { shelpa = { command = "shelpa-mcp", args = ["--mount", "/h=/:rw"] } }\n';
  expect(() => editedToml(hostile, changes)).toThrow(/write it by hand:\n\[mcp_servers\.shelpa\]\ncommand = "x"$/);
  const tables = '[mcp_servers.shelpa]\ncommand = "/tmp/evil"\n[[mcp_servers.shelpa.args]]\n';
  expect(() => editedToml(tables, changes)).toThrow("in a form that cannot be changed line by line");
  expect(editedToml('[mcp_servers."shelpa"]\r\ncommand = "y"\r\n', changes)).toBe('[mcp_servers.shelpa]\r\ncommand = "x"\r\n');
});

test.each([
  ["extensions: { developer: { enabled: true } }\n", "in a form that cannot be changed line by line"],
  ["extensions: [1]\n", "'extensions' is a list, and must be a mapping"],
  ["a: [\n", "it is no YAML: Flow sequence in block collection must be sufficiently indented and end with a ] at line 2, column 1"],
  ["- 1\n", "it holds no YAML mapping"],
  ["extensions: &x\n  shelpa: *x\n", "is reached by an anchor or an alias"],
  ["a: &a\n  cmd: y\nextensions:\n  shelpa: *a\n", "is reached by an anchor or an alias"],
  ["a: &a\n  shelpa: {}\nextensions:\n  <<: *a\n", "is reached by an anchor or an alias"],
  ["a: *gone\n", "it is no YAML: "],
])("YAML %j is not guessed at", (text, why) => {
  const change = { path: ["extensions", "shelpa"], value: () => ({ cmd: "x" }), isOurs: () => true } as const;
  expect(() => editedYaml(text, change)).toThrow(why);
});

test("an element that is there already is not added again", () => {
  const change = { kind: "element", path: ["a"], value: "x" } as const;
  expect(editedJson('{"a":["x"]}', [change])).toBe('{"a":["x"]}');
  expect(JSON.parse(editedJson('{"a":["y"]}', [change]))).toEqual({ a: ["y", "x"] });
});

test("an element of what is no list is not added", () => {
  const change = { kind: "element", path: ["permissions", "deny"], value: "x" } as const;
  expect(() => editedJson('{"permissions":{"deny":"Bash"}}', [change])).toThrow("'permissions.deny' is a string, and must be a list");
});

test("a directory in which nothing can be made is told of by the file's own name", () => {
  const project = Workspace.open(root);
  const path = `/proc/${process.pid}/mcp.json`;
  try {
    expect(() => editedFile(project, path).replace("{}", false)).toThrow(expect.objectContaining({ name: "FileError", path }));
  } finally {
    project.close();
  }
});

describe("what --steer and --hook come to is said", () => {
  const denied = "its own shell is denied, so that the agent can run no other program (npm test, git commit)";
  test.each([
    ["claude-code", ["--steer"], `Claude Code: ${denied}; --hook instead of --steer leaves it the shell for these.\n`],
    ["codex", ["--steer", "--hook"], `Codex: ${denied}, and a hook has nothing to answer: give --hook without --steer`],
    ["gemini-cli", ["--steer", "--hook"], `Gemini CLI: ${denied}, and a hook has nothing to answer: give --hook without --steer`],
    ["opencode", ["--steer", "--hook"], `opencode: ${denied}.\n`],
    ["opencode", ["--hook"], "opencode has no hooks that a file sets: use --steer.\n"],
    ["windsurf", ["--hook"], "Windsurf has no file that sets a hook for its terminal tool: switch that off in its settings.\n"],
    ["windsurf", ["--steer"], "Windsurf has no file that denies its terminal tool: switch that off in its settings.\n"],
  ])("%s %j", async (client, flags, says) => {
    expect(await init("--client", client, ...flags)).toBe(0);
    expect(printed).toContain(says);
    printed = "";
    expect(await init("--client", client, ...flags)).toBe(0);
    expect(printed).toContain(says);
  });

  test("nothing of it where nothing of it was asked for", async () => {
    expect(await init("--client", "all")).toBe(0);
    expect(await init("--client", "claude-code", "--hook")).toBe(0);
    expect(printed).not.toMatch(/denied|has no/);
  });

  test("a second time for all of them, only of those that change", async () => {
    const lacks = /has no (?:file|hooks)/g;
    expect(await init("--client", "all", "--hook")).toBe(0);
    expect(printed.match(lacks)).toHaveLength(12);
    printed = "";
    expect(await init("--client", "all", "--hook")).toBe(0);
    expect(printed.match(lacks)).toBeNull();
  });
});
