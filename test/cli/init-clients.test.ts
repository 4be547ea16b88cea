/**
 * `shelpa-mcp init` and `init --remove` for every client and every state of its file: the entry comes and goes, and everything else in
 * the file stays as it was, byte for byte.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { parse as parseJson } from "jsonc-parser";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { protectedPath } from "../../src/audit/protected-paths.ts";
import { CLIENT_NAMES, type ClientName } from "../../src/cli/init/client-names.ts";
import { CLIENTS, filesOf } from "../../src/cli/init/clients.ts";
import { rootIn, startedEntry } from "../../src/cli/init/entry.ts";
import { placeOf } from "../../src/cli/init/place.ts";
import { subcommandOf } from "../../src/cli/subcommands.ts";

/** Where the program lies as `init` sees it. */
const SCRIPT = resolve("/opt/shelpa/dist/shelpa-mcp.js");
const [, script = ""] = process.argv;
let root: string;
let home: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "shelpa-init-"));
  home = mkdtempSync(join(tmpdir(), "shelpa-home-"));
  // Windows keeps the places of a user in these.
  for (const name of ["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"]) vi.stubEnv(name, home);
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
  process.argv[1] = SCRIPT;
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});

afterEach(() => {
  process.argv[1] = script;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const directory of [root, home]) rmSync(directory, { recursive: true });
});

const registrationOf = (client: ClientName): ReturnType<(typeof CLIENTS)[ClientName]["registration"]> =>
  CLIENTS[client].registration(placeOf(root, process.platform, process.env));

const init = async (...args: string[]): Promise<number | undefined> => subcommandOf(["init", "--root", root, ...args])?.run();

/** A file as somebody keeps it, without an entry of ours. */
interface Kept {
  readonly name: string;
  readonly JSON: (keys: readonly string[]) => string | undefined;
  readonly TOML: string | undefined;
  readonly YAML: string | undefined;
}

const TOML_OTHERS = '# mine\nmodel = "gpt" # the model\n\n[mcp_servers.other]\ncommand = "other"\n\n# tools\n[tools]\nweb_search = true\n';
const YAML_OTHERS =
  "# mine\nGOOSE_MODEL: gpt # the model\nextensions:\n  # the shell\n  developer:\n    enabled: true\n    type: builtin\n\nGOOSE_MODE: auto\n";
const jsonOthers = ([holder = ""]: readonly string[]): string =>
  `{\n    "theme": "dark",\n    "${holder}": {\n        "other": { "command": "other-server", "args": ["a",  "b"] }\n    },\n    "last": [1,\n 2]\n}\n`;

const STATES: readonly Kept[] = [
  { name: "no file", JSON: () => undefined, TOML: undefined, YAML: undefined },
  { name: "an empty file", JSON: () => "", TOML: "", YAML: "" },
  { name: "an empty object", JSON: () => "{}", TOML: "\n", YAML: "{}\n" },
  { name: "other servers", JSON: jsonOthers, TOML: TOML_OTHERS, YAML: YAML_OTHERS },
  { name: "an empty holder", JSON: ([holder = ""]) => `{ "a": 1, "${holder}": {} }`, TOML: "[mcp_servers]\n", YAML: "extensions:\na: 1\n" },
  {
    name: "comments and trailing commas",
    JSON: ([holder = ""]) =>
      `// the team's\n{\n  "${holder}": {\n    // keep\n    "git": { "command": "x" }, // always\n  },\n  /* end */\n}\n`,
    TOML: `${TOML_OTHERS}# the end\n`,
    YAML: `${YAML_OTHERS}# the end\n`,
  },
  {
    name: "CRLF and tabs",
    JSON: ([holder = ""]) => `{\r\n\t"${holder}": {\r\n\t\t"db": { "url": "http://localhost:1" }\r\n\t}\r\n}\r\n`,
    TOML: TOML_OTHERS.replaceAll("\n", "\r\n"),
    YAML: YAML_OTHERS.replaceAll("\n", "\r\n"),
  },
  { name: "a byte order mark", JSON: (keys) => `\ufeff${jsonOthers(keys)}`, TOML: `\ufeff${TOML_OTHERS}`, YAML: `\ufeff${YAML_OTHERS}` },
];

const valueOf = (language: "JSON" | "TOML" | "YAML", text: string): Record<string, unknown> => {
  const plain = text.replace(/^\ufeff/, "");
  if (language === "TOML") return structuredClone(parseToml(plain));
  return (language === "YAML" ? parseYaml(plain) : parseJson(plain)) ?? {};
};

/** Lines of `before` in which nothing but a comma changed, and in their order, are all in `after`. */
function linesKept(before: string, after: string): readonly string[] {
  const lines = after.split("\n");
  let at = 0;
  return before.split("\n").filter((line) => {
    const same = (other: string): boolean => other.replace(/,(?=\r?$)/, "") === line.replace(/,(?=\r?$)/, "");
    const found = lines.findIndex((other, index) => index >= at && same(other));
    if (found === -1) return true;
    at = found + 1;
    return false;
  });
}

test("a pipeline cannot write a client's file unless a person agrees", () => {
  const place = placeOf(root, "linux", { HOME: root });
  const program = ["shelpa-mcp"] as const;
  const wish = { launch: { terminal: { program }, desktop: { program } }, mounts: [], steer: true, hook: true };
  const paths = CLIENT_NAMES.flatMap((name) => filesOf(CLIENTS[name], place, wish).map(({ path }) => relative(root, path)));
  expect(paths.filter((path) => protectedPath(path) === undefined)).toEqual([]);
});

describe.each(CLIENT_NAMES)("%s", (client) => {
  test.each(STATES)("$name", async (state) => {
    const { path, language, keys, shape } = registrationOf(client);
    const before = language === "JSON" ? state.JSON(keys) : state[language];
    if (before !== undefined) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, before);
    }
    expect(await init("--client", client)).toBe(0);
    const after = readFileSync(path, "utf8");
    const [holder, name] = keys as readonly [string, string];
    const { [holder]: entries, ...others } = valueOf(language, after) as Record<string, Record<string, unknown>>;
    const { [name]: entry, ...otherEntries } = entries ?? {};
    const words = startedEntry(entry, shape)?.words ?? [];
    expect(words.slice(0, 2)).toEqual([process.execPath, SCRIPT]);
    expect(rootIn(words)).toBe(path.startsWith(root) ? (CLIENTS[client].variable ?? root) : root);
    const { [holder]: entriesBefore, ...othersBefore } = valueOf(language, before ?? "") as Record<string, Record<string, unknown> | null>;
    expect(others).toEqual(othersBefore);
    expect(otherEntries).toEqual(entriesBefore ?? {});
    if (before?.includes("\n") === true && before !== "\n" && before !== "{}\n") expect(linesKept(before, after)).toEqual([]);
    expect(after.startsWith("\ufeff")).toBe(before?.startsWith("\ufeff") === true);
    expect(await init("--client", client)).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(after);

    expect(await init("--client", client, "--remove")).toBe(0);
    if (before === undefined) expect(existsSync(path)).toBe(false);
    else expect(readFileSync(path, "utf8")).toBe(before);
    expect(readdirSync(dirname(path)).filter((file) => file.includes("shelpa") && file !== "shelpa.json")).toEqual([]);
  });

  test("an entry that was there keeps its options, and is what it was when ours goes; in a project it goes whole", async () => {
    const { path, language, keys, shape } = registrationOf(client);
    const words = ["shelpa-mcp", "--root", "/gone", "--read-only", "--config", "/etc/shelpa.toml"];
    const [program, ...args] = words;
    const entry = {
      ...("all" in shape ? { command: words } : { [shape.program]: program, args }),
      [shape.env]: { X: "1" },
      disabled: true,
    };
    const list = JSON.stringify(args);
    const text = {
      JSON: JSON.stringify({ [keys[0]]: { before: { a: 1 }, shelpa: entry, behind: { b: 2 } } }, undefined, 2),
      TOML: `[mcp_servers.shelpa]\ncommand = "shelpa-mcp"\nargs = ${list}\ndisabled = true\n\n[mcp_servers.shelpa.env]\nX = "1"\n\n[mcp_servers.behind]\nb = 2\n`,
      YAML: `extensions:\n  before:\n    a: 1\n  shelpa:\n    cmd: shelpa-mcp\n    args: ${list}\n    envs: { X: "1" }\n    disabled: true\n  behind:\n    b: 2\n`,
    }[language];
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    expect(await init("--client", client)).toBe(0);
    const held = (valueOf(language, readFileSync(path, "utf8"))[keys[0]] as Record<string, Record<string, unknown>>)["shelpa"];
    const started = startedEntry(held, shape);
    expect(started?.words.slice(2)).toEqual(["--root", rootIn(started?.words ?? []), "--read-only", "--config", "/etc/shelpa.toml"]);
    // In a file of the project a name that may mean something to a program does not stay.
    expect(started?.env).toEqual(path.startsWith(root) ? {} : { X: "1" });
    expect(held?.["disabled"]).toBe(true);

    expect(await init("--client", client, "--remove")).toBe(0);
    if (!path.startsWith(root)) {
      expect(valueOf(language, readFileSync(path, "utf8"))).toEqual(valueOf(language, text));
      if (language === "JSON") expect(readFileSync(path, "utf8")).toBe(text);
      return;
    }
    const left = {
      JSON: JSON.stringify({ [keys[0]]: { before: { a: 1 }, behind: { b: 2 } } }, undefined, 2),
      TOML: `\n[mcp_servers.behind]\nb = 2\n`,
      YAML: `extensions:\n  before:\n    a: 1\n  behind:\n    b: 2\n`,
    }[language];
    expect(readFileSync(path, "utf8")).toBe(left);
  });
});
