/** `shelpa-mcp init`: writes the server into the configuration files of MCP clients. */
import { homedir } from "node:os";
import { delimiter, relative, resolve } from "node:path";
import { unifiedDiff } from "../../compare/unified-diff.ts";
import { executableIn, hostFileText, replaceHostFile } from "../../workspace/host-file.ts";
import type { Given } from "../command.ts";
import { CommandLineError } from "../command-line-error.ts";
import type { INIT } from "../commands.ts";
import { rootOrHere } from "../policy-sources.ts";
import { CLIENT_NAMES } from "./client-names.ts";
import { CLIENTS, type Client, type Place, type Wish } from "./clients.ts";
import { UneditableFile } from "./json-edit.ts";

/** Runs it and gives the exit status. Throws CommandLineError. */
export function init({ values }: Given<typeof INIT.options>): number {
  const { HOME: home = homedir(), APPDATA: appData, XDG_CONFIG_HOME: configHome, PATH = "" } = process.env;
  const place: Place = { root: resolve(rootOrHere(values.root)), home, platform: process.platform, appData, configHome };
  const program = ownProgram(PATH.split(delimiter), process.execPath, process.argv[1] ?? "");
  const wish: Wish = { program, steer: values.steer, hook: values.hook };
  let exit = 0;
  for (const client of clientsNamed(values.client.length === 0 ? ["claude-code"] : values.client)) {
    if (!applied(client, place, wish, values.print)) exit = 1;
  }
  return exit;
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
 * How a client starts this very program: by its name where PATH leads to it; by npx where npx brought it, because its
 * cache moves; else by absolute path.
 */
export function ownProgram(path: readonly string[], node: string, script: string): Wish["program"] {
  if (/[\\/]_npx[\\/]/.test(script)) return ["npx", "-y", "shelpa-mcp"];
  const here = executableIn([resolve(script, "..")], script.split(/[\\/]/).at(-1) ?? "");
  const found = executableIn(path, "shelpa-mcp");
  return found !== undefined && found === here ? ["shelpa-mcp"] : [node, here ?? resolve(script)];
}

/** Changes the client's files, or says why not. All are looked at before the first is written. */
function applied(client: Client, place: Place, wish: Wish, printOnly: boolean): boolean {
  const changes: { path: string; before: string | undefined; after: string }[] = [];
  for (const { path, edited } of client.files(place, wish)) {
    const before = hostFileText(path);
    try {
      changes.push({ path, before, after: edited(before) });
    } catch (thrown) {
      if (!(thrown instanceof UneditableFile)) throw thrown;
      process.stderr.write(`shelpa-mcp: ${client.title}: ${path}: ${thrown.message}\n`);
      return false;
    }
  }
  const needed = changes.filter(({ before, after }) => before !== after);
  for (const { path, before, after } of needed) {
    const shown = relative(place.root, path).startsWith("..") ? path : relative(place.root, path);
    process.stdout.write(differenceOf(shown, before, after));
    if (!printOnly) replaceHostFile(path, after, `${path}.before-shelpa`);
  }
  const cannot = client.cannot?.(wish);
  if (cannot !== undefined) process.stdout.write(`${client.title} ${cannot}.\n`);
  if (needed.length === 0) process.stdout.write(`${client.title}: nothing to change.\n`);
  else if (printOnly) process.stdout.write(`${client.title}: nothing was written (--print).\n`);
  else process.stdout.write(`${client.title}: ${client.restart}\n`);
  return true;
}

function differenceOf(name: string, before: string | undefined, after: string): Buffer {
  return unifiedDiff(Buffer.from(before ?? ""), Buffer.from(after), [before === undefined ? "/dev/null" : name, name]);
}
