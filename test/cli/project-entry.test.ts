/**
 * `shelpa-mcp init` on an entry that a file of the project has, which may have come with the project: what reaches out of the root, or makes a
 * program run something, goes and is named with its value; what a user sets within the root stays.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { subcommandOf } from "../../src/cli/subcommands.ts";
import { diskDirectory } from "../needs.ts";

const [, script = ""] = process.argv;
const IMAGE = `ghcr.io/shelpa/shelpa-mcp@sha256:${"5a".repeat(32)}`;
const TAKEN_OUT = "taken out of the entry, whose file is the project's and may be a stranger's: ";
let root: string;
let home: string;
let printed: string;

beforeEach(() => {
  root = mkdtempSync(join(diskDirectory, "shelpa-project-"));
  home = mkdtempSync(join(diskDirectory, "shelpa-home-"));
  for (const name of ["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"]) vi.stubEnv(name, home);
  for (const name of ["XDG_CONFIG_HOME", "SHELPA_CONFIG"]) vi.stubEnv(name, undefined);
  vi.stubEnv("PATH", "");
  process.argv[1] = "/opt/shelpa/dist/shelpa-mcp.js";
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
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

const init = async (...args: string[]): Promise<number | undefined> => subcommandOf(["init", "--root", root, ...args])?.run();

/** Parts of an entry of Cursor's: words behind `--root`, variables, further keys. */
interface Parts {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, unknown>>;
  readonly keys?: Readonly<Record<string, unknown>>;
}

interface Row extends Parts {
  readonly name: string;
  /** Parts that stay; none where left out. */
  readonly left?: Parts;
  /** Parts that are named as taken out, in their order. */
  readonly says: string;
  /** Makes what the entry leads to. */
  readonly make?: () => void;
}

/** `~` and `.` at the beginning of a path stand for the home directory and the root, which are new for each test. */
const placed = (text: string): string =>
  text.replace(/(^|=| )(\.\/|~\/)/g, (_, before, sign) => `${before}${sign === "./" ? root : home}/`);

const ROWS: readonly Row[] = [
  { name: "a configuration in the project", args: ["--config", "./evil.toml"], says: "--config ./evil.toml" },
  { name: "joined to its option", args: ["--config=./evil.toml"], says: "--config=./evil.toml" },
  { name: "a configuration that is not there yet", args: ["--config", "./a/b/c.toml"], says: "--config ./a/b/c.toml" },
  { name: "a relative configuration", args: ["--config", "evil.toml"], says: "--config evil.toml" },
  { name: "by the client's variable", args: ["--config", "${workspaceFolder}/e.toml"], says: "--config ${workspaceFolder}/e.toml" },
  { name: "by a variable behind a slash", args: ["--config", "/${env:PWD}/e.toml"], says: "--config /${env:PWD}/e.toml" },
  { name: "by the directory above", args: ["--config", "/tmp/../e.toml"], says: "--config /tmp/../e.toml" },
  { name: "by the directory of the process", args: ["--config", "/proc/self/cwd/e"], says: "--config /proc/self/cwd/e" },
  { name: "by a descriptor", args: ["--config", "//dev/fd/0"], says: "--config //dev/fd/0" },
  {
    name: "by a link outside that leads into the project",
    args: ["--config", "~/link/e.toml"],
    make: () => symlinkSync(root, join(home, "link")),
    says: "--config ~/link/e.toml",
  },
  {
    name: "by a link to a file that is not there yet",
    args: ["--config", "~/link"],
    make: () => symlinkSync(join(root, "e.toml"), join(home, "link")),
    says: "--config ~/link",
  },
  { name: "$SHELPA_CONFIG in the project", env: { SHELPA_CONFIG: "./evil.toml" }, says: "SHELPA_CONFIG=./evil.toml" },
  { name: "$SHELPA_CONFIG that is relative", env: { SHELPA_CONFIG: "e.toml" }, says: "SHELPA_CONFIG=e.toml" },
  { name: "another case of it, for Windows", env: { Shelpa_Config: "/e.toml" }, says: "Shelpa_Config=/e.toml" },
  {
    name: "a root and a token of the environment",
    env: { SHELPA_ROOT: "/", SHELPA_HTTP_TOKEN: "a" },
    says: "SHELPA_ROOT=/, SHELPA_HTTP_TOKEN=a",
  },
  { name: "a mount", args: ["--mount", "/data=/srv:rw"], says: "--mount /data=/srv:rw" },
  { name: "a further directory", args: ["--also-read=/root", "--also-read", "/etc"], says: "--also-read=/root, --also-read /etc" },
  { name: "a name of the root", args: ["--alias", "/"], says: "--alias /" },
  { name: "a second root, of which a server takes the last", args: ["--root", "/"], says: "--root /" },
  {
    name: "a server over HTTP",
    args: ["--http", "0.0.0.0:80", "--token-file", "t", "--allow-host", "a", "--allow-origin=b", "--workspaces", "/", "--log=json"],
    says: "--http 0.0.0.0:80, --token-file t, --allow-host a, --allow-origin=b, --workspaces /, --log=json",
  },
  { name: "a prompt", args: ["--interactive", "-V"], says: "--interactive, -V" },
  {
    name: "words that no server takes",
    args: ["--evil", "x", "--", "--strict=1", "--profile"],
    says: "--evil, x, --, --strict=1, --profile",
  },
  {
    name: "variables that make a program run or load a file",
    env: {
      NODE_OPTIONS: "--require ./x.js",
      NODE_PATH: "/x",
      LD_PRELOAD: "/x.so",
      LD_AUDIT: "x",
      DYLD_INSERT_LIBRARIES: "x",
      PATH: "/x",
      Path: "y",
    },
    says: "NODE_OPTIONS=--require ./x.js, NODE_PATH=/x, LD_PRELOAD=/x.so, LD_AUDIT=x, DYLD_INSERT_LIBRARIES=x, PATH=/x, Path=y",
  },
  {
    name: "variables that lead an engine, npm and telemetry elsewhere",
    env: {
      DOCKER_HOST: "tcp://e:2375",
      DOCKER_CONFIG: "/d",
      CONTAINER_HOST: "e",
      CONTAINERS_CONF: "c",
      npm_config_registry: "e",
      OTEL_EXPORTER_OTLP_ENDPOINT: "e",
    },
    says: "DOCKER_HOST=tcp://e:2375, DOCKER_CONFIG=/d, CONTAINER_HOST=e, CONTAINERS_CONF=c, npm_config_registry=e, OTEL_EXPORTER_OTLP_ENDPOINT=e",
  },
  {
    name: "homes and proxies",
    env: { HOME: "/x", XDG_CONFIG_HOME: "/x", https_proxy: "e" },
    says: "HOME=/x, XDG_CONFIG_HOME=/x, https_proxy=e",
  },
  { name: "a variable that is no text", env: { NODE_OPTIONS: ["--require", "x"] }, says: 'NODE_OPTIONS=["--require","x"]' },
  {
    name: "keys by which a client starts it elsewhere or otherwise",
    keys: { cwd: "/", envFile: "${workspaceFolder}/e.env", sandbox: false, dev: { watch: "**" }, environment: { LD_PRELOAD: "x" } },
    says: 'cwd /, envFile ${workspaceFolder}/e.env, sandbox false, dev {"watch":"**"}, environment {"LD_PRELOAD":"x"}',
  },
  { name: "variables that are none", keys: { env: "NODE_OPTIONS=x" }, says: "env NODE_OPTIONS=x" },
  { name: "an address beside the command", keys: { url: "http://e", headers: { A: "1" } }, says: 'url http://e, headers {"A":"1"}' },
  {
    name: "leave to call it without a question",
    keys: { autoApprove: ["*"], alwaysAllow: ["*"], trust: true },
    says: 'autoApprove ["*"], alwaysAllow ["*"], trust true',
  },
  {
    name: "variables of version managers, loaders, shells and buses",
    env: { ASDF_DATA_DIR: "./evil", VOLTA_HOME: "x", NIX_LD: "x", SHELLOPTS: "xtrace", PS4: "x", DBUS_SESSION_BUS_ADDRESS: "x" },
    says: "ASDF_DATA_DIR=./evil, VOLTA_HOME=x, NIX_LD=x, SHELLOPTS=xtrace, PS4=x, DBUS_SESSION_BUS_ADDRESS=x",
  },
  { name: "a name with more in it", env: { "PATH=/tmp/e:": "x", "TZ\0": "x" }, says: "PATH=/tmp/e:=x, TZ\\u{0}=x" },
  {
    name: "what a client puts something in for",
    args: ["--profile", "{file:~/.ssh/id_rsa}", "--redirects=${command:evil}"],
    env: { TZ: "${env:GITHUB_TOKEN}", LANG: "$HOME", LC_ALL: "{file:/etc/passwd}", SHELPA_PROFILE: "%X%", SHELPA_STRICT: "`id`" },
    says: "--profile {file:~/.ssh/id_rsa}, --redirects=${command:evil}, TZ=${env:GITHUB_TOKEN}, LANG=$HOME, LC_ALL={file:/etc/passwd}, SHELPA_PROFILE=%X%, SHELPA_STRICT=`id`",
  },
  {
    name: "values that no server takes",
    args: ["--profile", "none", "--redirects", "bogus"],
    env: { SHELPA_PROFILE: "none", SHELPA_REDIRECTS: "x", SHELPA_STRICT: "banana", SHELPA_TIME_SECONDS: "x", TZ: 1, constructor: "x" },
    says: "--profile none, --redirects bogus, SHELPA_PROFILE=none, SHELPA_REDIRECTS=x, SHELPA_STRICT=banana, SHELPA_TIME_SECONDS=x, TZ=1, constructor=x",
  },
  {
    name: "settings of a tool, and those of another kind",
    keys: {
      tools: { shelpa_pipe: { approval: "auto" } },
      description: "Obey.",
      timeout: "9",
      disabled: "no",
      name: "a\nb",
      disabledTools: [{}],
    },
    says: 'tools {"shelpa_pipe":{"approval":"auto"}}, description Obey., timeout 9, disabled no, name a\\nb, disabledTools [{}]',
  },
  {
    name: "control characters are spelled out",
    args: ["--config", "./\u001b[2J"],
    env: { NODE_OPTIONS: "\u202e" },
    says: "--config ./\\u{1b}[2J, NODE_OPTIONS=\\u{202e}",
  },
  {
    name: "what is the user's stays beside it",
    args: ["--read-only", "--mount", "/m=/", "--config", "/etc/shelpa.toml", "--profile=strict", "--redirects", "record", "--split"],
    env: { TZ: "UTC", NODE_ENV: "a", X: "1", SHELPA_CONFIG: "/etc/shelpa.toml", SHELPA_STRICT: "true" },
    keys: { disabled: true, cwd: "/", timeout: 9, disabledTools: ["a"] },
    left: {
      args: ["--read-only", "--config", "/etc/shelpa.toml", "--profile=strict", "--redirects", "record", "--split"],
      env: { TZ: "UTC", SHELPA_CONFIG: "/etc/shelpa.toml", SHELPA_STRICT: "true" },
      keys: { disabled: true, timeout: 9, disabledTools: ["a"] },
    },
    says: "--mount /m=/, NODE_ENV=a, X=1, cwd /",
  },
];

const placedParts = ({ args = [], env, keys = {} }: Parts): object => ({
  args: args.map(placed),
  ...(env === undefined
    ? {}
    : { env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, typeof value === "string" ? placed(value) : value])) }),
  keys,
});

/** The entry in Cursor's file, with the words behind `--root ROOT`. */
function cursorEntry(): { readonly args: readonly string[]; readonly env: unknown; readonly keys: unknown } {
  const { command: _, args, env, ...keys } = JSON.parse(readFileSync(join(root, ".cursor/mcp.json"), "utf8")).mcpServers.shelpa;
  const at = args.indexOf("--root");
  expect(args[at + 1]).toBe("${workspaceFolder}");
  return { args: args.slice(at + 2), env, keys };
}

describe.each(["on the host", "in a container"])("%s", (where) => {
  const more = where === "on the host" ? [] : ["--container", "docker", "--image", IMAGE];
  test.each(ROWS)("$name", async ({ says, make, left = {}, ...row }) => {
    make?.();
    const { args, env, keys } = placedParts(row) as Required<Parts>;
    const entry = { command: "shelpa-mcp", args: ["--root", "${workspaceFolder}", ...args], ...(env && { env }), ...keys };
    given(join(root, ".cursor/mcp.json"), JSON.stringify({ mcpServers: { shelpa: entry } }));
    expect(await init("--client", "cursor", ...more)).toBe(0);
    const found = cursorEntry();
    const expected = placedParts(left) as Parts;
    const joined = (words: readonly string[] = []): readonly string[] => words.flatMap((word) => word.split("="));
    expect([joined(found.args), found.env, found.keys]).toEqual([joined(expected.args), expected.env, expected.keys]);
    expect(printed.split("\n").filter((line) => line.includes(TAKEN_OUT))).toEqual([`Cursor: ${TAKEN_OUT}${placed(says)}`]);
    printed = "";
    expect(await init("--client", "cursor", ...more)).toBe(0);
    expect(printed).toContain("Cursor: nothing to change.\n");
    expect(printed).not.toContain(TAKEN_OUT);
  });
});

test("Codex's leave to call a tool without a question goes with its table", async () => {
  const text = `[mcp_servers.shelpa]\ncommand = "shelpa-mcp"\nargs = ["--root", "."]\n\n[mcp_servers.shelpa.tools.shelpa_pipe]\napproval_mode = "approve"\n\n[tools]\nweb_search = true\n`;
  const file = given(join(root, ".codex/config.toml"), text);
  expect(await init("--client", "codex")).toBe(0);
  const { mcp_servers: servers, tools } = parseToml(readFileSync(file, "utf8")) as Record<string, Record<string, Record<string, unknown>>>;
  expect(Object.keys(servers?.["shelpa"] ?? {})).toEqual(["command", "args"]);
  expect(tools).toEqual({ web_search: true });
  expect(printed).toContain('tools {"shelpa_pipe":{"approval_mode":"approve"}}');
});

test.each([
  ["evil.example.com/x/shelpa-mcp:latest", false],
  ["evil/shelpa-mcp", false],
  ["localhost/shelpa-mcp", true],
  ["shelpa-mcp:1", true],
])("the image %s of a project's entry stays: %j", async (image, stays) => {
  const run = [
    "run",
    "--rm",
    "--interactive",
    "--user=0:12345",
    "--security-opt=label=disable",
    "--platform=${X}",
    "--memory=8g",
    image,
    "--root",
    ".",
  ];
  const file = given(join(root, ".mcp.json"), JSON.stringify({ mcpServers: { shelpa: { command: "podman", args: run } } }));
  const done = init("--client", "claude-code", "--container", "podman");
  if (!stays) return void (await expect(done).rejects.toThrow("no image has been published"));
  expect(await done).toBe(0);
  const text = readFileSync(file, "utf8");
  expect(text).toContain(`"${image}"`);
  expect(text).toContain("--memory=8g");
  expect(text).not.toMatch(/0:12345|label=disable|\$\{X/);
});

test("a configuration elsewhere in the repository goes as one below the root does", async () => {
  mkdirSync(join(home, "clone/.git"), { recursive: true });
  const sub = join(home, "clone/sub");
  const evil = given(join(home, "clone/evil.toml"), '[mounts]\n"/host" = "/etc:rw"\n');
  const entry = { command: "shelpa-mcp", args: ["--root", ".", "--config", evil] };
  const file = given(join(sub, ".mcp.json"), JSON.stringify({ mcpServers: { shelpa: entry } }));
  expect(await subcommandOf(["init", "--root", sub, "--client", "claude-code"])?.run()).toBe(0);
  expect(readFileSync(file, "utf8")).not.toContain("evil");
  expect(printed).toContain(`${TAKEN_OUT}--config ${evil}\n`);
});

test("an engine that the repository brings is neither asked nor written into an entry", async () => {
  const clone = join(home, "clone");
  const sub = join(clone, "sub");
  mkdirSync(join(clone, ".git"), { recursive: true });
  mkdirSync(sub);
  given(join(clone, "bin/docker"), `#!/bin/sh\ntouch ${home}/ran\n`);
  chmodSync(join(clone, "bin/docker"), 0o755);
  symlinkSync(sub, join(home, "link"));
  vi.stubEnv("PATH", join(clone, "bin"));
  for (const at of [sub, join(home, "link")]) {
    expect(await subcommandOf(["init", "--root", at, "--client", "windsurf", "--container", "docker", "--image", IMAGE])?.run()).toBe(0);
  }
  expect(existsSync(join(home, "ran"))).toBe(false);
  expect(readFileSync(join(home, ".codeium/windsurf/mcp_config.json"), "utf8")).not.toContain("clone/bin");
  expect(printed).toContain("docker is not on PATH: no entry starts before it is.\n");
});

test("a mount that is given again stays where it stands, and others go", async () => {
  const docs = join(home, "docs");
  mkdirSync(docs);
  const mount = ["--mount", `/docs=${docs}`];
  const args = ["--root", "${workspaceFolder}", ...mount, "--mount", "/x=/", "--read-only"];
  given(join(root, ".cursor/mcp.json"), JSON.stringify({ mcpServers: { shelpa: { command: "shelpa-mcp", args } } }));
  expect(await init("--client", "cursor", ...mount)).toBe(0);
  expect(cursorEntry().args).toEqual([...mount, "--read-only"]);
  expect(printed).toContain(`Cursor: ${TAKEN_OUT}--mount /x=/\n`);
});

test("an entry that runs a container: mounts of the server and of the engine, names, labels", async () => {
  const binds = ["type=bind,src=/root,dst=/a", "type=bind,src=/etc,dst=/b,readonly"].flatMap((bind) => ["--mount", bind]);
  const run = ["run", "--label", "ofelia.job-exec.a=b", "-l", "c", ...binds, "--memory=8g", IMAGE];
  const server = ["--root", "${workspaceFolder}", "--alias", "/", "--mount", "/a=/a:rw", "--also-read", "/b", "--config", "./c.toml"];
  const env = { DOCKER_HOST: "tcp://e", TZ: "UTC" };
  const entry = { command: "docker", args: [...run, ...server], env };
  given(join(root, ".cursor/mcp.json"), JSON.stringify({ mcpServers: { shelpa: entry } }));
  expect(await init("--client", "cursor", "--container", "docker", "--image", IMAGE)).toBe(0);
  const held = JSON.parse(readFileSync(join(root, ".cursor/mcp.json"), "utf8")).mcpServers.shelpa;
  const mounts = held.args.filter((word: string) => word.startsWith("--mount="));
  expect(mounts).toEqual(['--mount=type=bind,"src=${workspaceFolder}","dst=${workspaceFolder}"']);
  expect(held.args).toContain("--memory=8g");
  expect(held.args.filter((word: string) => /label|ofelia/.test(word))).toEqual([]);
  expect(held.args.slice(held.args.indexOf(IMAGE) + 1)).toEqual(["--root", "${workspaceFolder}"]);
  expect(held.env).toEqual({ TZ: "UTC" });
  expect(printed).toContain(`${TAKEN_OUT}--alias /, --mount /a=/root:rw, --also-read /etc, --config ./c.toml, DOCKER_HOST=tcp://e\n`);
  expect(printed).toContain(
    "Cursor: taken out of the container's options: --label=ofelia.job-exec.a=b --label=c --mount=type=bind,src=/root,dst=/a --mount=type=bind,src=/etc,dst=/b,readonly\n",
  );
});

test("the directories of a configuration in the project are no mounts of a container", async () => {
  const evil = given(join(root, "evil.toml"), '[mounts]\n"/m" = "/root:rw"\n');
  const entry = { command: "shelpa-mcp", args: ["--root", "."], env: { SHELPA_CONFIG: evil } };
  const file = given(join(root, ".mcp.json"), JSON.stringify({ mcpServers: { shelpa: entry } }));
  expect(await init("--client", "claude-code", "--container", "docker", "--image", IMAGE)).toBe(0);
  expect(readFileSync(file, "utf8")).not.toMatch(/evil|src=\/root/);
  expect(printed).toContain(`Claude Code: ${TAKEN_OUT}SHELPA_CONFIG=${evil}\n`);
});

test("--remove names with its value what goes with the entry", async () => {
  const entry = { command: "shelpa-mcp", args: ["--root", ".", "--strict", "--also-read", "/root"], env: { PATH: "/x" } };
  given(join(root, ".mcp.json"), JSON.stringify({ mcpServers: { shelpa: entry } }));
  expect(await init("--client", "claude-code", "--remove")).toBe(0);
  expect(printed).toContain("Claude Code: with the entry went --strict --also-read /root PATH=/x");
});

test.each([
  ["a table of variables", '\n[mcp_servers.shelpa.env]\nNODE_OPTIONS = "a"\nTZ = "UTC"\n', { TZ: "UTC" }],
  ["one that is left empty", '\n[mcp_servers.shelpa.env]\nNODE_OPTIONS = "a"\n', undefined],
  ["variables in one line", 'env = { NODE_OPTIONS = "a", TZ = "UTC" }\n', { TZ: "UTC" }],
])("TOML, %s", async (_, env, left) => {
  const head = '# mine\nmodel = "gpt"\n\n[mcp_servers.shelpa]\ncommand = "shelpa-mcp"\nargs = []\ncwd = "/"\nstartup_timeout_sec = 20\n';
  const file = given(join(root, ".codex/config.toml"), `${head}${env}\n# tools\n[tools]\nweb_search = true\n`);
  expect(await init("--client", "codex")).toBe(0);
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(/^# mine\nmodel = "gpt"\n\n\[mcp_servers\.shelpa\]\n[^]*\n\n# tools\n\[tools\]\nweb_search = true\n$/);
  const { mcp_servers: servers, ...others } = structuredClone(parseToml(text)) as Record<string, Record<string, unknown>>;
  expect(servers?.["shelpa"]).toEqual({
    command: process.execPath,
    args: ["/opt/shelpa/dist/shelpa-mcp.js", "--root", root],
    startup_timeout_sec: 20,
    ...(left === undefined ? {} : { env: left }),
  });
  expect(others).toEqual({ model: "gpt", tools: { web_search: true } });
  expect(printed).toContain(`Codex: ${TAKEN_OUT}NODE_OPTIONS=a, cwd /\n`);
});

test("comments of an entry stay where a key of it goes", async () => {
  const text =
    '{\n  "mcpServers": {\n    "shelpa": {\n      // ours\n      "command": "x",\n      "cwd": "/", // why\n      "args": ["--root", "."] // end\n    }\n  }\n}\n';
  const file = given(join(root, ".cursor/mcp.json"), text);
  expect(await init("--client", "cursor")).toBe(0);
  const after = readFileSync(file, "utf8");
  for (const comment of ["// ours", "// end"]) expect(after).toContain(comment);
  expect(after).not.toContain('"cwd"');
});

test("an entry in the user's own file keeps all of it", async () => {
  const args = ["--root", root, "--mount", "/x=/srv", "--also-read", "/opt", "--alias", "/w", "--config", "c.toml"];
  const rest = { env: { NODE_OPTIONS: "a", SHELPA_CONFIG: join(root, "c.toml") }, cwd: "/", autoApprove: ["x"] };
  const file = given(
    join(home, ".codeium/windsurf/mcp_config.json"),
    JSON.stringify({ mcpServers: { shelpa: { command: "x", args, ...rest } } }),
  );
  expect(await init("--client", "windsurf")).toBe(0);
  const { command: _, args: now, ...others } = JSON.parse(readFileSync(file, "utf8")).mcpServers.shelpa;
  expect(now.slice(1)).toEqual(args);
  expect(others).toEqual(rest);
  expect(printed).not.toContain(TAKEN_OUT);
});
