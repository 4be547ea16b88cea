/** Commands by which a client starts this very program. */
import { delimiter, dirname, join, resolve } from "node:path";
import { executableIn, hostEntryExists } from "../../host/host-file.ts";
import type { Launch } from "./entry.ts";
import type { Commands, Wish } from "./wish.ts";

export interface OwnProcess {
  /** Directories of PATH. */
  readonly path: readonly string[];
  /** Host path of Node's executable. */
  readonly node: string;
  /** Host path of the script that runs, as it was started. */
  readonly script: string;
  /** Host path of npm's own script where npx started this process (`$npm_execpath`). */
  readonly npm?: string | undefined;
}

/**
 * From a terminal: the name where PATH leads to this program; npx where npx brought it, because its cache moves; else Node with the
 * absolute path. From a desktop, where PATH has the system's directories alone, always absolute paths.
 */
export function ownLaunch({ path, node, script, npm }: OwnProcess): Commands {
  if (/[\\/]_npx[\\/]/.test(script)) return { terminal: { program: ["npx", "-y", "shelpa-mcp"] }, desktop: npxLaunch(path, node, npm) };
  const here = executableIn([resolve(script, "..")], script.split(/[\\/]/).at(-1) ?? "");
  const found = executableIn(path, "shelpa-mcp");
  const absolute: Launch = { program: [node, here ?? resolve(script)] };
  return { terminal: found !== undefined && found === here ? { program: ["shelpa-mcp"] } : absolute, desktop: absolute };
}

/** The commands for this process's program. */
export function launchHere(): Wish["launch"] {
  const { PATH: path = "", npm_execpath: npm } = process.env;
  return ownLaunch({ path: path.split(delimiter), node: process.execPath, script: process.argv[1] ?? "", npm });
}

/** npx without a PATH; the program that it starts is found by its first line, which asks PATH for Node. */
function npxLaunch(path: readonly string[], node: string, npm: string | undefined): Launch {
  const npx = npm === undefined ? undefined : join(dirname(npm), "npx-cli.js");
  const env = { PATH: [...new Set([dirname(node), "/usr/local/bin", "/usr/bin", "/bin"])].join(":") };
  if (npx !== undefined && hostEntryExists(npx)) return { program: [node, npx, "-y", "shelpa-mcp"], env };
  return { program: [executableIn(path, "npx") ?? "npx", "-y", "shelpa-mcp"], env };
}
