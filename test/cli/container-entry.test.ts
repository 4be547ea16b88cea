/**
 * `shelpa-mcp init --container`: the entry that runs the server in a container, for every client, and back again; its arguments as docker's
 * and podman's own parsers read them.
 */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml, stringify as tomlText } from "smol-toml";
import { parse as parseYaml, stringify as yamlText } from "yaml";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { diskDirectory } from "../needs.ts";
import { bindMountOf, bindMountText, type BindMount } from "../../src/cli/init/bind-mount.ts";
import { CLIENT_NAMES, type ClientName } from "../../src/cli/init/client-names.ts";
import { CLIENTS } from "../../src/cli/init/clients.ts";
import { publishedImage } from "../../src/cli/init/container-choice.ts";
import { containerArguments, hostOptions, isKept, namesOfRoot, type Container } from "../../src/cli/init/container-entry.ts";
import { containerRunOf } from "../../src/cli/init/container-run.ts";
import { ENGINES } from "../../src/cli/init/engine-names.ts";
import { startedEntry, type EntryShape } from "../../src/cli/init/entry.ts";
import { placeOf } from "../../src/cli/init/place.ts";
import { subcommandOf } from "../../src/cli/subcommands.ts";
import { needs } from "../needs.ts";

const IMAGE = `ghcr.io/shelpa/shelpa-mcp@sha256:${"5a".repeat(32)}`;
const VARIABLES = ["SHELPA_PROFILE", "SHELPA_READ_ONLY", "SHELPA_STRICT", "SHELPA_REDIRECTS", "SHELPA_TIME_SECONDS"];

const [, script = ""] = process.argv;
const ownPath = process.env["PATH"];
let root: string;
let home: string;
let printed: string;
let complained: string;

beforeEach(() => {
  root = mkdtempSync(join(diskDirectory, "shelpa-container-"));
  home = mkdtempSync(join(diskDirectory, "shelpa-home-"));
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
  vi.stubEnv("SHELPA_CONFIG", undefined);
  vi.stubEnv("PATH", "");
  process.argv[1] = "/opt/shelpa/dist/shelpa-mcp.js";
  printed = complained = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    complained += String(text);
    return true;
  });
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

const init = async (...args: string[]): Promise<number | undefined> => subcommandOf(["init", "--root", root, ...args])?.run();

const registrationOf = (client: ClientName): ReturnType<(typeof CLIENTS)[ClientName]["registration"]> =>
  CLIENTS[client].registration(placeOf(root, process.platform, process.env));

function given(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

type Language = "JSON" | "TOML" | "YAML";
const valueOf = (language: Language, text: string): Record<string, Record<string, unknown>> =>
  language === "TOML"
    ? (structuredClone(parseToml(text)) as Record<string, Record<string, unknown>>)
    : language === "YAML"
      ? parseYaml(text)
      : parseJson(text);

function textOf(language: Language, value: object): string {
  if (language === "TOML") return tomlText(value);
  return language === "YAML" ? yamlText(value) : `${JSON.stringify(value, undefined, 2)}\n`;
}

/** An entry with the command line `words`. */
const entryOf = (shape: EntryShape, [program, ...args]: readonly string[], env: Record<string, string>): object => ({
  ...("all" in shape ? { [shape.all]: [program, ...args] } : { [shape.program]: program, [shape.args]: args }),
  [shape.env]: env,
});

/** Docker's rule for --mount (docker/cli, opts/mount.go): one record of CSV, of which each field is KEY=VALUE or the name of a switch. */
function mountFields(text: string): Record<string, string> {
  const fields: string[] = [];
  for (let at = 0; at <= text.length; ) {
    if (text[at] !== '"') {
      const end = text.indexOf(",", at) === -1 ? text.length : text.indexOf(",", at);
      if (text.slice(at, end).includes('"')) throw new Error(`a bare quote in ${text}`);
      fields.push(text.slice(at, end));
      at = end + 1;
      continue;
    }
    let value = "";
    for (at++; !(text[at] === '"' && text[at + 1] !== '"'); at++) {
      if (at >= text.length) throw new Error(`no closing quote in ${text}`);
      if (text[at] === '"') at++;
      value += text[at];
    }
    if (text[at + 1] !== undefined && text[at + 1] !== ",") throw new Error(`text behind a quote in ${text}`);
    fields.push(value);
    at += 2;
  }
  return Object.fromEntries(fields.map((field) => (field.includes("=") ? field.split(/=(.*)/s, 2) : [field, "true"])));
}

/** Asserts that a command line runs `image` with everything taken away, and returns its mounts and the server's own words. */
function checkedRun(words: readonly string[]): { readonly mounts: readonly Record<string, string>[]; readonly server: readonly string[] } {
  const at = words.indexOf(IMAGE);
  const options = words.slice(2, at);
  expect(words[1]).toBe("run");
  for (const option of [
    ...["--rm", "--interactive", "--read-only", "--network=none", "--cap-drop=ALL", "--security-opt=no-new-privileges"],
    ...["--ipc=none", "--log-driver=none", "--tmpfs=/tmp:rw,noexec,nosuid,nodev,mode=1777,size=1g"],
  ])
    expect(options.filter((each) => each === option)).toEqual([option]);
  // One word each, so that nothing that stands there is the value of another.
  expect(options.filter((option) => !option.startsWith("--"))).toEqual([]);
  expect(options.filter((option) => /^--(?:privileged|cap-add|volume|device|publish|pid|network)(?:=(?!none$)|$)/.test(option))).toEqual(
    [],
  );
  const mounts = options.filter((option) => option.startsWith("--mount=")).map((option) => mountFields(option.slice("--mount=".length)));
  return { mounts, server: words.slice(at + 1) };
}

const JSON_OTHERS = ([holder = ""]: readonly string[]): string =>
  `{\n    "theme": "dark",\n    "${holder}": {\n        "other": { "command": "other-server", "args": ["a",  "b"] }\n    }\n}\n`;
const OTHERS = (language: Language, keys: readonly string[]): string =>
  ({
    JSON: JSON_OTHERS(keys),
    TOML: '# mine\n[mcp_servers.other]\ncommand = "other"\n',
    YAML: "# mine\nextensions:\n  developer:\n    enabled: true\n",
  })[language];

describe.each(CLIENT_NAMES.flatMap((client) => ENGINES.map((engine) => ({ client, engine }))))("$client, $engine", ({ client, engine }) => {
  const contained = (...args: string[]): Promise<number | undefined> =>
    init("--client", client, "--container", engine, "--image", IMAGE, ...args);
  const wordsIn = (): readonly string[] => {
    const { path, language, keys, shape } = registrationOf(client);
    return startedEntry(valueOf(language, readFileSync(path, "utf8"))[keys[0]]?.["shelpa"], shape)?.words ?? [];
  };

  test.each(["no file", "entries of others"])("%s: an entry that is the same the second time, and goes without a trace", async (state) => {
    const { path, language, keys } = registrationOf(client);
    const before = state === "no file" ? undefined : OTHERS(language, keys);
    if (before !== undefined) given(path, before);
    expect(await contained()).toBe(0);
    const after = readFileSync(path, "utf8");
    const words = wordsIn();
    expect(words[0]).toBe(engine);
    const { mounts, server } = checkedRun(words);
    const said = path.startsWith(root) ? (client === "claude-code" ? root : (CLIENTS[client].variable ?? root)) : root;
    expect(mounts).toEqual([{ type: "bind", src: said, dst: said }]);
    expect(server).toEqual(["--root", said]);
    expect(words).toContain(`--workdir=${said}`);
    expect(await contained()).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(after);
    // Another entry of ours in between leaves no more behind.
    expect(await init("--client", client)).toBe(0);

    expect(await init("--client", client, "--remove")).toBe(0);
    if (before === undefined) expect(existsSync(path)).toBe(false);
    else expect(readFileSync(path, "utf8")).toBe(before);
    expect(readdirSync(dirname(path)).filter((file) => file.includes("before-shelpa"))).toEqual([]);
  });

  test("a plain entry of ours keeps what is somebody's, in a container and back", async () => {
    const { path, language, keys, shape } = registrationOf(client);
    const docs = join(home, "docs");
    mkdirSync(docs);
    const config = given(join(home, "shelpa.toml"), "read_only = true\n");
    const said = path.startsWith(root) ? (CLIENTS[client].variable ?? root) : root;
    const mount = ["--mount", `/docs=${docs}`];
    const options = ["--root", said, "--read-only", "--config", config, ...mount, "--profile", "strict"];
    // Mounts in a file of the project stay only where they are given again.
    const [again, kept] = path.startsWith(root) ? [mount, []] : [[], mount];
    const entry = entryOf(shape, ["shelpa-mcp", ...options], { TZ: "UTC", SHELPA_STRICT: "true" });
    given(path, textOf(language, { [keys[0]]: { shelpa: { ...entry, disabled: true } } }));
    expect(await init("--client", client, ...again)).toBe(0);
    const plain = readFileSync(path, "utf8");

    expect(await contained(...again)).toBe(0);
    const held = valueOf(language, readFileSync(path, "utf8"))[keys[0]]?.["shelpa"] as Record<string, unknown>;
    expect(held["disabled"]).toBe(true);
    expect(held[shape.env]).toEqual({ TZ: "UTC", SHELPA_STRICT: "true" });
    const { mounts, server } = checkedRun(wordsIn());
    expect(server.slice(2)).toEqual(options.slice(2));
    expect(mounts.slice(1)).toEqual([config, docs].map((source) => ({ type: "bind", src: source, dst: source, readonly: "true" })));
    expect(printed).toContain(`keeps ${["--read-only --config", config, ...kept].join(" ")} --profile strict TZ SHELPA_STRICT\n`);

    expect(await init("--client", client, ...again)).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(plain);
    const leaves = `: the server leaves its container and runs on the host; --container ${engine} keeps it there.\n`;
    expect(printed.split(leaves)).toHaveLength(2);
  });
});

/** A container on a machine that is none of the tests'. */
const container = (changes: Partial<Container> = {}): Container => ({
  engine: "docker",
  image: IMAGE,
  user: { uid: 1000, gid: 1001 },
  platform: "linux",
  root: "/home/a/p",
  realRoot: "/home/a/p",
  configuration: undefined,
  mountsIn: () => [],
  ...changes,
});

const TAKEN_AWAY = [
  ...["run", "--rm", "--interactive", "--read-only", "--network=none", "--cap-drop=ALL", "--security-opt=no-new-privileges"],
  ...["--ipc=none", "--log-driver=none"],
];
const SCRATCH = "--tmpfs=/tmp:rw,noexec,nosuid,nodev,mode=1777,size=1g";
const HANDED_ON = VARIABLES.map((name) => `--env=${name}`);

test.each<{ name: string; changes: Partial<Container>; options: readonly string[]; limits: readonly string[]; rest: readonly string[] }>([
  {
    name: "docker",
    changes: {},
    options: ["--root", "/home/a/p"],
    limits: ["--user=1000:1001", "--memory=4g", "--pids-limit=512"],
    rest: ["--workdir=/home/a/p", "--mount=type=bind,src=/home/a/p,dst=/home/a/p", IMAGE, "--root", "/home/a/p"],
  },
  {
    name: "podman without root's rights",
    changes: { engine: "podman" },
    options: ["--root", "/home/a/p"],
    limits: ["--userns=keep-id", "--user=1000:1001", "--memory=4g", "--pids-limit=512"],
    rest: ["--workdir=/home/a/p", "--mount=type=bind,src=/home/a/p,dst=/home/a/p", IMAGE, "--root", "/home/a/p"],
  },
  {
    name: "podman as root, which knows no keep-id",
    changes: { engine: "podman", user: { uid: 0, gid: 0 } },
    options: ["--root", "/home/a/p"],
    limits: ["--user=0:0", "--memory=4g", "--pids-limit=512"],
    rest: ["--workdir=/home/a/p", "--mount=type=bind,src=/home/a/p,dst=/home/a/p", IMAGE, "--root", "/home/a/p"],
  },
  {
    name: "a root behind a link has both names",
    changes: { realRoot: "/srv/p" },
    options: ["--root", "/home/a/p"],
    limits: ["--user=1000:1001", "--memory=4g", "--pids-limit=512"],
    rest: ["--workdir=/home/a/p", "--mount=type=bind,src=/home/a/p,dst=/home/a/p", IMAGE, "--root", "/home/a/p", "--alias", "/srv/p"],
  },
  {
    name: "a root that would hide the image's own files",
    changes: { root: "/usr", realRoot: "/usr" },
    options: ["--root", "/usr", "--config", "/usr/c.toml"],
    limits: ["--user=1000:1001", "--memory=4g", "--pids-limit=512"],
    rest: [
      ...["--workdir=/workspace", "--mount=type=bind,src=/usr,dst=/workspace", IMAGE],
      ...["--root", "/workspace", "--alias", "/usr", "--config", "/workspace/c.toml"],
    ],
  },
  {
    name: "mounts of the owner, and those of the user's configuration",
    changes: {
      configuration: "/home/a/.config/shelpa/config.toml",
      mountsIn: () => [
        { directory: "/srv/data", access: "write" },
        { directory: "/opt/lib", access: "read" },
        { directory: "/srv/docs", access: "write" },
      ],
    },
    options: ["--root", "/home/a/p", "--mount", "/docs=/srv/docs", "--mount=/out=/srv/out:rw", "--also-read", "/opt/lib", "--http"],
    limits: ["--user=1000:1001", "--memory=4g", "--pids-limit=512"],
    rest: [
      ...["--env=SHELPA_CONFIG=/home/a/.config/shelpa/config.toml", "--workdir=/home/a/p"],
      "--mount=type=bind,src=/home/a/p,dst=/home/a/p",
      "--mount=type=bind,src=/srv/docs,dst=/srv/docs",
      "--mount=type=bind,src=/srv/out,dst=/srv/out",
      "--mount=type=bind,src=/opt/lib,dst=/opt/lib,readonly",
      "--mount=type=bind,src=/home/a/.config/shelpa/config.toml,dst=/home/a/.config/shelpa/config.toml,readonly",
      "--mount=type=bind,src=/srv/data,dst=/srv/data",
      ...[IMAGE, "--root", "/home/a/p", "--mount", "/docs=/srv/docs", "--mount", "/out=/srv/out:rw", "--also-read", "/opt/lib", "--http"],
    ],
  },
  {
    name: "a configuration in the project is the project's: no line may write it there",
    changes: { configuration: "/home/a/p/shelpa.toml" },
    options: ["--root", "${workspaceFolder}"],
    limits: ["--user=1000:1001", "--memory=4g", "--pids-limit=512"],
    rest: [
      ...["--env=SHELPA_CONFIG=/home/a/p/shelpa.toml", "--workdir=${workspaceFolder}"],
      '--mount=type=bind,"src=${workspaceFolder}","dst=${workspaceFolder}"',
      ...[IMAGE, "--root", "${workspaceFolder}"],
    ],
  },
  {
    name: "Windows, whose paths no container has",
    changes: { platform: "win32", user: undefined, root: "C:\\my, p", realRoot: "C:\\my, p", configuration: "C:\\c.toml" },
    options: ["--root", "C:\\my, p", "--mount", "/docs=D:\\docs"],
    limits: ["--memory=4g", "--pids-limit=512"],
    rest: [
      ...["--env=SHELPA_CONFIG=/usr/local/etc/shelpa.toml", "--workdir=/workspace"],
      '--mount=type=bind,"src=C:\\my, p",dst=/workspace',
      "--mount=type=bind,src=D:\\docs,dst=/mounts/docs,readonly",
      "--mount=type=bind,src=C:\\c.toml,dst=/usr/local/etc/shelpa.toml,readonly",
      ...[IMAGE, "--root", "/workspace", "--alias", "/c/my, p", "--alias", "/mnt/c/my, p", "--alias", "/cygdrive/c/my, p"],
      ...["--mount", "/docs=/mounts/docs"],
    ],
  },
])("exact arguments: $name", ({ changes, options, limits, rest }) => {
  const held = container(changes);
  expect(containerArguments(held, { options, kept: [], configuration: undefined })).toEqual([
    ...TAKEN_AWAY,
    ...(held.engine === "podman" ? ["--read-only-tmpfs=false"] : []),
    SCRATCH,
    ...limits,
    ...HANDED_ON,
    ...rest,
  ]);
});

test.each<[string, Partial<Container>, readonly string[], string]>([
  ["Windows, --also-read", { platform: "win32", root: "C:\\p" }, ["--also-read", "D:\\lib"], "give --mount /NAME=D:\\lib"],
  ["a mount over the image", {}, ["--mount", "/docs=/usr/lib"], "/usr/lib cannot be mounted in a container at its own path"],
  ["a mount of everything", {}, ["--mount", "/x=/:rw"], "/ cannot be mounted"],
  ["a mount of the kernel's", {}, ["--also-read", "/proc/1"], "/proc/1 cannot be mounted"],
])("a path without a place is refused: %s", (_, changes, mounts, why) => {
  const options = ["--root", changes.root ?? "/home/a/p", ...mounts];
  expect(() => containerArguments(container(changes), { options, kept: [], configuration: undefined })).toThrow(why);
});

test.each([
  ["Linux", {}, ["--root", "/home/a/p", "--mount", "/docs=/srv/docs:rw", "--config", "../c.toml", "--alias", "/w", "--read-only"]],
  ["a root with two names", { realRoot: "/srv/p" }, ["--root", "/home/a/p", "--split"]],
  ["a root that has no place", { root: "/usr", realRoot: "/usr" }, ["--root", "/usr", "--mount", "/docs=/srv/docs"]],
  [
    "Windows",
    { platform: "win32", root: "C:\\p", realRoot: "C:\\p", user: undefined },
    ["--root", "C:\\p", "--mount", "/docs=D:\\a, b:ro", "--config", "D:\\c.toml"],
  ],
] as const)("the options of a server on the host come back: %s", (_, changes, options) => {
  const held = container(changes);
  const run = containerRunOf(["docker", ...containerArguments(held, { options, kept: [], configuration: undefined })]);
  const names = namesOfRoot(held);
  expect(run && hostOptions(run, names)).toEqual(options);
});

const PATHS = [
  ...["/home/a/p", "/home/a/my project", "/a,b", '/a"b"', '/a, "b"', '/"', "/a:b", "/a=b,c=d", "/$HOME/${x}", "/é/日本", "/a'b`c", "/a\\b"],
  ...["/a\nb", "/ a ", "C:\\Users\\a, b"],
];

test.each(PATHS)("a mount of %j is what docker's rule makes of its text", (path) => {
  const mount: BindMount = { source: path, target: `${path}/t`, access: "read" };
  const text = bindMountText(mount);
  expect(mountFields(text)).toEqual({ type: "bind", src: path, dst: `${path}/t`, readonly: "true" });
  expect(bindMountOf(text)).toEqual(mount);
});

test.each<[string, BindMount | undefined]>([
  ["type=bind,source=/a,target=/b,ro", { source: "/a", target: "/b", access: "read" }],
  ["type=bind,src=/a,destination=/b,readonly=false", { source: "/a", target: "/b", access: "write" }],
  ["type=volume,src=a,dst=/b", undefined],
  ["type=tmpfs,dst=/b", undefined],
  ['type=bind,src=/a"b,dst=/b', undefined],
  ['type=bind,"src=/a,dst=/b', undefined],
  ["", undefined],
])("the mount %j is read", (text, mount) => expect(bindMountOf(text)).toEqual(mount));

describe("a command line of an engine", () => {
  test.each<[string, readonly string[], string, readonly string[]]>([
    [
      "docker run -it --rm -v /a:/b -e A=1 img --root /p",
      ["--interactive", "--rm", "--volume=/a:/b", "--env=A=1"],
      "img",
      ["--root", "/p"],
    ],
    ["/opt/podman run --network=host -m4g -u 0 --privileged img", ["--network=host", "--memory=4g", "--user=0", "--privileged"], "img", []],
    ["docker.exe run --read-only --label x img --read-only", ["--read-only", "--label=x"], "img", ["--read-only"]],
    ["podman run -- img", [], "img", []],
  ])("%s", (line, options, image, server) => {
    const run = containerRunOf(line.split(" "));
    expect(run?.options.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`))).toEqual(options);
    expect([run?.image, run?.server]).toEqual([image, server]);
  });

  test.each(["docker ps", "docker run --rm", "dockerd run img", "npx run img", "shelpa-mcp --root ."])("%s is no run", (line) => {
    expect(containerRunOf(line.split(" "))).toBeUndefined();
  });
});

test.each([
  ["/tmp:rw,noexec,nosuid,nodev,mode=1777,size=8g", true],
  ["/tmp:rw,noexec,nosuid,nodev,mode=1777,size=8g,exec", false],
  ["/tmp:exec,size=8g", false],
  ["/usr/local/lib:rw,noexec,nosuid,nodev,mode=1777,size=8g", false],
])("the size of /tmp is somebody's to set, and nothing else of it: %s", (value, stays) => {
  const kept = containerRunOf(["docker", "run", `--tmpfs=${value}`, IMAGE])?.options.filter(isKept) ?? [];
  const words = containerArguments(container(), { options: ["--root", "/home/a/p"], kept, configuration: undefined });
  expect(words.filter((word) => word.startsWith("--tmpfs"))).toEqual([stays ? `--tmpfs=${value}` : SCRATCH]);
});

/** The file of a client's that is the user's own. */
const windsurfFile = (): string => join(home, ".codeium/windsurf/mcp_config.json");

test("options of somebody's run that open the container go, its limits stay, and both is said", async () => {
  const args =
    "run -it --privileged -v /:/host --network host --cap-add SYS_ADMIN --user 7:8 --memory 8g --security-opt label=disable --security-opt seccomp=unconfined -e K=secret --mount type=bind,src=/,dst=/all --rm";
  const entry = { command: "docker", args: [...args.split(" "), "evil", "--root", "/", "--mount", "/x=/srv:rw"] };
  const file = given(windsurfFile(), JSON.stringify({ mcpServers: { shelpa: entry } }));
  expect(await init("--client", "windsurf", "--container", "docker", "--image", IMAGE)).toBe(0);
  const words = ["docker", ...JSON.parse(readFileSync(file, "utf8")).mcpServers.shelpa.args];
  const { mounts, server } = checkedRun(words);
  expect(server).toEqual(["--root", root, "--mount", "/x=/srv:rw"]);
  expect(mounts.map(({ src }) => src)).toEqual([root, "/srv"]);
  expect(words).toEqual(expect.arrayContaining(["--user=7:8", "--memory=8g", "--security-opt=label=disable"]));
  expect(printed).toContain(
    "Windsurf: the entry that was there keeps --user=7:8 --memory=8g --security-opt=label=disable --mount /x=/srv:rw\n",
  );
  expect(printed).toContain(
    "Windsurf: taken out of the container's options: -it --privileged --volume=/:/host --network=host --cap-add=SYS_ADMIN --security-opt=seccomp=unconfined --env=K=… --mount=type=bind,src=/,dst=/all\n",
  );
  printed = "";
  expect(await init("--client", "windsurf", "--container", "docker", "--image", IMAGE)).toBe(0);
  expect(printed).not.toContain("taken out");
});

test("the user's configuration and the directories in it are mounted", async () => {
  const data = join(home, "data");
  mkdirSync(data);
  const config = given(join(home, ".config/shelpa/config.toml"), `[mounts]\n"/data" = ${JSON.stringify(`${data}:rw`)}\n`);
  expect(await init("--client", "claude-code", "--container", "podman", "--image", IMAGE)).toBe(0);
  const { args } = JSON.parse(readFileSync(join(root, ".mcp.json"), "utf8")).mcpServers.shelpa;
  expect(args).toContain(`--env=SHELPA_CONFIG=${config}`);
  expect(checkedRun(["podman", ...args]).mounts.slice(1)).toEqual([
    { type: "bind", src: config, dst: config, readonly: "true" },
    { type: "bind", src: data, dst: data },
  ]);
  writeFileSync(config, "nonsense");
  expect(await init("--client", "claude-code", "--container", "podman", "--image", IMAGE)).toBe(1);
  expect(complained).toContain(`shelpa-mcp: Claude Code: .mcp.json: ${config}:1:`);
});

test("a mount of somebody's that has no place in a container is told of, and the next client is written", async () => {
  const entry = { command: "shelpa-mcp", args: ["--root", root, "--mount", "/all=/:rw"] };
  const text = JSON.stringify({ mcpServers: { shelpa: entry } });
  const file = given(windsurfFile(), text);
  const clients = ["--client", "windsurf", "--client", "roo"];
  expect(await init(...clients, "--container", "docker", "--image", IMAGE)).toBe(1);
  expect(complained).toBe(
    `shelpa-mcp: Windsurf: ${file}: / cannot be mounted in a container at its own path, where the image has files of its own\n`,
  );
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(existsSync(join(root, ".roo/mcp.json"))).toBe(true);
});

test.each([
  [`{ "reference": "${IMAGE}" }\n`, IMAGE],
  ["{}", undefined],
  [undefined, undefined],
])("the published image in %j", (text, reference) => {
  const file = join(home, "container-image.json");
  if (text !== undefined) writeFileSync(file, text);
  expect(publishedImage(file)).toBe(reference);
});

test.each([
  [["--container", "docker"], "no image has been published for this version: build it in a clone of its repository"],
  [["--container", "lxc", "--image", IMAGE], "'lxc' is no engine that runs containers here; there are docker and podman"],
  [["--container", "docker", "--image", "--privileged"], "--image"],
  [["--container", "docker", "--image", "A B"], "'A B' is no reference of an image"],
  [["--container", "docker", "--image", "-v"], "--image"],
  [["--image", IMAGE], "--image is about --container, which was not given"],
])("%j is bad usage", async (args, why) => {
  await expect((async () => init("--client", "claude-code", ...args))()).rejects.toThrow(why);
  expect(readdirSync(root)).toEqual([]);
});

test("what a container needs is said, and what an entry names of this machine", async () => {
  expect(await init("--client", "cursor", "--container", "docker", "--image", "shelpa-mcp", "--hook")).toBe(0);
  expect(printed).toContain("docker is not on PATH: no entry starts before it is.\n");
  expect(printed).toContain(
    "may not wait for it: build it in a clone of the repository: docker build -t shelpa-mcp . (docs/container.md)\n",
  );
  expect(printed).toContain("Hooks run on this machine, not in the container.\n");
  if (process.getuid !== undefined) expect(printed).toContain(".cursor/mcp.json names the user of this machine: not for a commit.\n");
  const hooks = readFileSync(join(root, ".cursor/hooks.json"), "utf8");
  expect(hooks).toContain("/opt/shelpa/dist/shelpa-mcp.js hook --root .");
});

test("the image is asked for where there is an engine, and nothing is said of one that is there", async () => {
  const engine = given(
    join(home, "bin/docker"),
    "#!/bin/sh\ncase $4 in *missing*) echo 'No such image' >&2; exit 1 ;; esac\necho shelpa-mcp\n",
  );
  chmodSync(engine, 0o755);
  vi.stubEnv("PATH", dirname(engine));
  expect(await init("--client", "cursor", "--container", "docker", "--image", "shelpa-mcp")).toBe(0);
  expect(printed).not.toContain("must be there");
  expect(await init("--client", "cursor", "--container", "docker", "--image", "missing")).toBe(0);
  expect(printed).toContain("The image must be there before a client starts it");
});

test.each([
  [["--client", "cursor", "--print", "--container", "podman"], "--client cursor --print --container podman --image shelpa-mcp"],
  [["--client", "cursor", "--container=podman", "--image=A B"], "--client cursor --container=podman --image shelpa-mcp"],
  [["--image", "A B", "--container", "podman"], "--container podman --image shelpa-mcp"],
  [["--print", "--image", "x"], "--print --image x --container docker"],
  [["--container", "docker", "--image", "x"], "--container docker --image x --client claude-code"],
])("%j: the command that works is what was typed, and what was missing", async (args, suggestion) => {
  await expect((async () => subcommandOf(["init", ...args])?.run())()).rejects.toMatchObject({
    suggestion: `shelpa-mcp init ${suggestion}`,
  });
});

test("an entry that names an image keeps it, and another run changes nothing", async () => {
  expect(await init("--client", "cursor", "--container", "podman", "--image", "shelpa-mcp")).toBe(0);
  const file = join(root, ".cursor/mcp.json");
  const before = readFileSync(file, "utf8");
  printed = "";
  expect(await init("--client", "cursor", "--container", "podman")).toBe(0);
  expect(printed).toContain("Cursor: the image of its entry stays: shelpa-mcp\n");
  expect(printed).toContain("Cursor: nothing to change.\n");
  expect(readFileSync(file, "utf8")).toBe(before);
  // Another client has none.
  await expect((async () => init("--client", "cursor", "--client", "vscode", "--container", "podman"))()).rejects.toThrow("no image");
});

/** A daemon that records what docker's own client makes of a command line, and refuses to do it. */
async function askedOfDaemon(args: readonly string[]): Promise<Record<string, unknown>> {
  const socket = join(home, "docker.sock");
  let asked: Record<string, unknown> = {};
  const daemon = createServer((request, answer) => {
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
    request.on("end", () => {
      // The order of the variables is another one each time.
      if (request.url?.includes("/containers/create") === true) asked = { ...JSON.parse(body), Env: JSON.parse(body).Env.toSorted() };
      answer.setHeader("Api-Version", "1.41").setHeader("Content-Type", "application/json");
      answer.statusCode = request.url?.includes("_ping") === true ? 200 : 500;
      answer.end('{"message":"recorded"}');
    });
  });
  await new Promise<void>((resolve) => daemon.listen(socket, resolve));
  try {
    await new Promise<void>((resolve, reject) => {
      const env = { PATH: ownPath, HOME: home, DOCKER_HOST: `unix://${socket}`, SHELPA_PROFILE: "strict" };
      const client = spawn("docker", args, { env, stdio: "ignore" });
      client.on("error", reject).on("close", () => resolve());
    });
  } finally {
    daemon.close();
  }
  return asked;
}

needs("docker").test("docker's own client reads the arguments as they are meant", { timeout: 60_000 }, async () => {
  for (const path of PATHS.filter((each) => each.startsWith("/"))) {
    const options = ["--root", path, "--mount", `/docs=/srv${path}`];
    const args = containerArguments(container({ root: path, realRoot: path }), { options, kept: [], configuration: undefined });
    expect(await askedOfDaemon(args)).toMatchObject({
      User: "1000:1001",
      OpenStdin: true,
      StdinOnce: true,
      Tty: false,
      Env: ["SHELPA_PROFILE=strict", ...VARIABLES.slice(1)].toSorted(),
      Cmd: options,
      Image: IMAGE,
      WorkingDir: path,
      HostConfig: {
        AutoRemove: true,
        CapAdd: null,
        CapDrop: ["ALL"],
        IpcMode: "none",
        LogConfig: { Type: "none" },
        Memory: 4 * 2 ** 30,
        NetworkMode: "none",
        PidsLimit: 512,
        Privileged: false,
        ReadonlyRootfs: true,
        SecurityOpt: ["no-new-privileges"],
        Tmpfs: { "/tmp": "rw,noexec,nosuid,nodev,mode=1777,size=1g" },
        Mounts: [
          { Type: "bind", Source: path, Target: path },
          { Type: "bind", Source: `/srv${path}`, Target: `/srv${path}`, ReadOnly: true },
        ],
      },
    });
  }
});

test.each([
  ["--memory=8g", true],
  ["--memory=-1", false],
  ["--memory=0", false],
  ["--memory-swap=-1", false],
  ["--pids-limit=0", false],
  ["--pids-limit=100", true],
  ["--cpus=0.5", true],
  ["--cpus=+2", true],
  ["--memory=1.5 GiB", true],
  ["--memory=0512M", true],
  ["--memory=1b", true],
  ...["0.0", "+0", "-0", "0b", "00", ".0", "0 g", "0.0GiB", "0.5", "0.9b", "0e5", "1e-9", "0x0", "", "x"].map((zero): [string, boolean] => [
    `--memory=${zero}`,
    false,
  ]),
  ...["0.0", "+0", "00", "0x0", "0b0", "0.5"].map((zero): [string, boolean] => [`--pids-limit=${zero}`, false]),
  ...["0.0", "+0", "00", "0.000", "0e1"].map((zero): [string, boolean] => [`--cpus=${zero}`, false]),
  ["--pull=always", false],
])("%s stays in an entry: %s", (option, stays) => {
  expect(containerRunOf(["docker", "run", option, IMAGE])?.options.map(isKept)).toEqual([stays]);
});
