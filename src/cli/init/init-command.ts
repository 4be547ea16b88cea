/** `shelpa-mcp init`: writes the server into the configuration files of MCP clients. */
import { homedir } from "node:os";
import { delimiter, relative, resolve } from "node:path";
import { alsoRead, checkMounts, mountOf } from "../../config/mounts.ts";
import { unifiedDiff } from "../../compare/unified-diff.ts";
import { FileError } from "../../workspace/file-error.ts";
import { executableIn } from "../../host/host-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Given } from "../command.ts";
import { CommandLineError } from "../command-line-error.ts";
import type { INIT } from "../commands.ts";
import { openRoot } from "../open-root.ts";
import { rootOrHere } from "../policy-sources.ts";
import { complain, print, printContent } from "../print.ts";
import { CLIENT_NAMES } from "./client-names.ts";
import { CLIENTS, type Client, type Place, type Wish } from "./clients.ts";
import { editedFile, type EditedFile } from "./edited-file.ts";
import { UneditableFile } from "./json-edit.ts";

/** Runs it and gives the exit status. Throws CommandLineError and ConfigurationError. */
export function init({ values }: Given<typeof INIT.options>): number {
  const { HOME: home = homedir(), APPDATA: appData, XDG_CONFIG_HOME: configHome, PATH = "" } = process.env;
  const place: Place = { root: resolve(rootOrHere(values.root)), home, platform: process.platform, appData, configHome };
  const program = ownProgram(PATH.split(delimiter), process.execPath, process.argv[1] ?? "");
  const wish: Wish = { program, mounts: mountArguments(values, place.root), steer: values.steer, hook: values.hook };
  const clients = clientsNamed(values.client.length === 0 ? ["claude-code"] : values.client);
  const project = openRoot(place.root);
  try {
    let exit = 0;
    for (const client of clients) if (!applied(client, project, place, wish, values.print)) exit = 1;
    return exit;
  } finally {
    project.close();
  }
}

/** The mounts with absolute directories: a client starts the server where it likes. Throws ConfigurationError. */
function mountArguments({ mount, "also-read": read }: Given<typeof INIT.options>["values"], root: string): readonly string[] {
  const here = resolve(".");
  const named = mount.map((text) => mountOf(text, here));
  const ownNames = read.map((directory) => alsoRead(directory, here));
  checkMounts([...named, ...ownNames], root, []);
  return [
    ...named.flatMap(({ name, directory, access }) => ["--mount", `${name}=${directory}${access === "write" ? ":rw" : ""}`]),
    ...ownNames.flatMap(({ directory }) => ["--also-read", directory]),
  ];
}

function clientsNamed(names: readonly string[]): readonly Client[] {
  if (names.includes("all")) return Object.values(CLIENTS);
  return names.map((name) => {
    const known = CLIENT_NAMES.find((client) => client === name);
    if (known === undefined) throw new CommandLineError(`init: there is no client '${name}'; there are ${CLIENT_NAMES.join(", ")}, all`);
    return CLIENTS[known];
  });
}

/**
 * Command by which a client starts this very program: its name where PATH leads to it; npx where npx brought it, because
 * its cache moves; else the absolute path.
 */
export function ownProgram(path: readonly string[], node: string, script: string): Wish["program"] {
  if (/[\\/]_npx[\\/]/.test(script)) return ["npx", "-y", "shelpa-mcp"];
  const here = executableIn([resolve(script, "..")], script.split(/[\\/]/).at(-1) ?? "");
  const found = executableIn(path, "shelpa-mcp");
  return found !== undefined && found === here ? ["shelpa-mcp"] : [node, here ?? resolve(script)];
}

interface Change {
  /** Host path. */
  readonly path: string;
  readonly file: EditedFile;
  readonly before: string | undefined;
  readonly after: string;
}

/** Changes the client's files, or says why not. All are looked at before the first is written. */
function applied(client: Client, project: Workspace, place: Place, wish: Wish, printOnly: boolean): boolean {
  let needed: readonly Change[];
  try {
    needed = changesOf(client, project, place, wish);
    for (const { path, file, before, after } of needed) {
      printContent(differenceOf(nameOf(path, place), before, after));
      if (!printOnly) file.replace(after);
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    complain(`${client.title}: ${thrown.path}: ${thrown.message}`);
    return false;
  }
  const cannot = client.cannot?.(wish);
  if (cannot !== undefined) print(`${client.title} ${cannot}.\n`);
  if (needed.length === 0) print(`${client.title}: nothing to change.\n`);
  else if (printOnly) print(`${client.title}: nothing was written (--print).\n`);
  else print(`${client.title}: ${client.restart}\n`);
  return true;
}

/** The client's files whose content must change. Throws FileError, also for a file that cannot be edited. */
function changesOf(client: Client, project: Workspace, place: Place, wish: Wish): readonly Change[] {
  const changes = client.files(place, wish).map(({ path, edited }): Change => {
    const file = editedFile(project, path);
    const before = file.text();
    try {
      return { path, file, before, after: edited(before) };
    } catch (thrown) {
      if (!(thrown instanceof UneditableFile)) throw thrown;
      throw new FileError("EINVAL", nameOf(path, place), thrown.message);
    }
  });
  return changes.filter(({ before, after }) => before !== after);
}

/** From the root, where the file is below it. */
function nameOf(path: string, { root }: Place): string {
  const fromRoot = relative(root, path);
  return fromRoot.startsWith("../") ? path : fromRoot;
}

function differenceOf(name: string, before: string | undefined, after: string): Buffer {
  return unifiedDiff(Buffer.from(before ?? ""), Buffer.from(after), [before === undefined ? "/dev/null" : name, name]);
}
