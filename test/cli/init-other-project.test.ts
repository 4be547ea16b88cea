/** `shelpa-mcp init` and the clients that have one entry for all projects: whose it is, who may change it, and what it was before. */
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CLIENT_NAMES, type ClientName } from "../../src/cli/init/client-names.ts";
import { CLIENTS } from "../../src/cli/init/clients.ts";
import { valueOf } from "../../src/cli/init/configuration-file.ts";
import { entryAt, rootIn, startedEntry } from "../../src/cli/init/entry.ts";
import { placeOf } from "../../src/cli/init/place.ts";
import { subcommandOf } from "../../src/cli/subcommands.ts";
import { needs } from "../needs.ts";

const [, script = ""] = process.argv;
let here: string;
let there: string;
let home: string;
let printed: string;

beforeEach(() => {
  here = mkdtempSync(join(tmpdir(), "shelpa-here-"));
  there = mkdtempSync(join(tmpdir(), "shelpa-there-"));
  home = mkdtempSync(join(tmpdir(), "shelpa-home-"));
  vi.stubEnv("HOME", home);
  vi.stubEnv("PATH", "");
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
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
  for (const directory of [here, there, home]) rmSync(directory, { recursive: true });
});

const registrationOf = (client: ClientName) => CLIENTS[client].registration(placeOf(here, process.platform, process.env));

async function init(root: string, ...args: string[]): Promise<string> {
  printed = "";
  expect(await subcommandOf(["init", "--root", root, ...args])?.run()).toBe(0);
  return printed;
}

/** The root that the client's entry names; undefined where it has no entry. */
function served(client: ClientName): string | undefined {
  const { path, language, keys, shape } = registrationOf(client);
  if (!existsSync(path)) return undefined;
  const changes = language === "YAML" ? { language, list: [{}] } : { language, list: [] };
  const entry = entryAt(valueOf({ path, changes } as Parameters<typeof valueOf>[0], readFileSync(path, "utf8")), keys);
  return rootIn(startedEntry(entry, shape)?.words ?? []);
}

const forAllProjects = (): readonly ClientName[] => CLIENT_NAMES.filter((name) => registrationOf(name).path.startsWith(home));

test("the clients whose file is the user's", () => {
  expect(forAllProjects()).toEqual(["claude-desktop", "windsurf", "zed", "copilot-cli", "cline", "goose", "lm-studio"]);
});

describe.each<ClientName>(["claude-desktop", "windsurf", "zed", "copilot-cli", "cline", "goose", "lm-studio"])("%s", (client) => {
  const { title } = CLIENTS[client];

  test("named, it is made to serve this project, and says so", async () => {
    await init(there, "--client", client);
    expect(await init(here, "--client", client)).toContain(
      `${title}: its one entry for all projects serves ${there} now; this makes it serve ${here}.\n`,
    );
    expect(served(client)).toBe(here);
    expect(await init(here, "--client", client)).not.toContain("serves");
  });

  test.each(["found", "all"])("among '%s', it is left, with the command that changes it", async (word) => {
    await init(there, "--client", client);
    expect(await init(here, "--client", word)).toContain(
      `${title}: its one entry for all projects serves ${there}, and stays. ` +
        `To have it serve ${here}: shelpa-mcp init --client ${client} --root ${here}\n`,
    );
    expect(served(client)).toBe(there);
  });

  test("--remove leaves the entry of another project, with the command that takes it out", async () => {
    await init(there, "--client", client);
    expect(await init(here, "--client", client, "--remove")).toBe(
      `${title}: its one entry for all projects serves ${there}, and stays. ` +
        `To take it out: shelpa-mcp init --remove --client ${client} --root ${there}\n`,
    );
    expect(served(client)).toBe(there);
    await init(there, "--client", client, "--remove");
    expect(served(client)).toBeUndefined();
  });

  test("--remove gives the other project its entry back", async () => {
    await init(there, "--client", client);
    await init(here, "--client", client);
    expect(await init(here, "--client", client, "--remove")).toContain(`${title}: the entry is again what it was before init;`);
    expect(served(client)).toBe(there);
    await init(there, "--client", client, "--remove");
    expect(existsSync(registrationOf(client).path)).toBe(false);
  });

  test("a project that is gone holds nothing up", async () => {
    const gone = join(there, "gone");
    mkdirSync(gone);
    await init(gone, "--client", client);
    rmSync(gone, { recursive: true });
    expect(await init(here, "--client", "all")).not.toContain("and stays");
    expect(served(client)).toBe(here);
    await init(here, "--client", client, "--remove");
    expect(served(client)).toBeUndefined();
  });
});

test("what lies in the project itself is written and taken out, though the entry serves another", async () => {
  await init(there, "--client", "copilot-cli", "--hook");
  await init(here, "--client", "all", "--hook");
  const hooks = join(here, ".github/hooks/shelpa.json");
  expect(existsSync(hooks)).toBe(true);
  await init(here, "--client", "copilot-cli", "--remove");
  expect(existsSync(hooks)).toBe(false);
  expect(served("copilot-cli")).toBe(there);
});

describe("a copy of the file is believed", () => {
  const entry = { command: "/usr/local/bin/shelpa-mcp", args: ["--root", "/gone", "--read-only"], env: { A: "1" } };
  const given = (path: string, value: object): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ mcpServers: { shelpa: value } }));
    return path;
  };
  const held = (path: string): unknown => JSON.parse(readFileSync(path, "utf8")).mcpServers?.shelpa;

  test("where the entry is what init made of it, with mounts that came since", async () => {
    const path = given(join(home, ".codeium/windsurf/mcp_config.json"), entry);
    await init(here, "--client", "windsurf", "--also-read", there);
    await init(here, "--client", "windsurf", "--remove");
    expect(held(path)).toEqual(entry);
    expect(existsSync(`${path}.before-shelpa`)).toBe(false);
  });

  test.each<[string, object]>([
    ["another option", { ...entry, args: ["--root", "/gone"] }],
    ["another variable", { ...entry, env: { A: "2" } }],
    ["another key", { ...entry, disabled: true }],
    ["a mount that is not there now", { ...entry, args: [...entry.args, "--also-read", "/"] }],
    ["an address", { url: "http://localhost:1" }],
  ])("not where it has %s", async (_, other) => {
    const path = given(join(home, ".codeium/windsurf/mcp_config.json"), entry);
    await init(here, "--client", "windsurf");
    given(`${path}.before-shelpa`, other);
    const said = await init(here, "--client", "windsurf", "--remove");
    expect(held(path)).toBeUndefined();
    expect(said).toContain(`Windsurf: with the entry went --read-only A; as it was before, the file is ${path}.before-shelpa\n`);
  });

  test("not in a project, which may have brought it", async () => {
    const path = given(join(here, ".mcp.json"), entry);
    await init(here, "--client", "claude-code");
    expect(await init(here, "--client", "claude-code", "--remove")).toContain(
      "Claude Code: with the entry went --read-only; as it was before, the file is .mcp.json.before-shelpa\n",
    );
    expect(existsSync(path) ? held(path) : undefined).toBeUndefined();
    expect(held(`${path}.before-shelpa`)).toEqual(entry);
  });

  needs({ name: "root's rights", isHere: process.geteuid?.() === 0 }).test("not where somebody else owns it", {}, async () => {
    const path = given(join(home, ".codeium/windsurf/mcp_config.json"), entry);
    await init(here, "--client", "windsurf");
    chownSync(`${path}.before-shelpa`, 12345, 12345);
    await init(here, "--client", "windsurf", "--remove");
    expect(existsSync(path) ? held(path) : undefined).toBeUndefined();
  });
});
