/** Invariants of a place after every door: nothing outside changed, read or shown, no program started. */
import { changes, forgetReadings, type Inventory, inventory, readings } from "./inventory.ts";
import type { HostileTree } from "./hostile-tree.ts";
import { CANARIES, Place } from "./place.ts";

/** Files of `init --client all --steer --hook` below the root and in the home directory, and the directories that lead to them. */
const INIT_ROOT = withTheWay([
  ...[".mcp.json", ".claude/settings.json", ".cursor/mcp.json", ".cursor/cli.json", ".cursor/hooks.json", ".vscode/mcp.json"],
  ...[".codex/config.toml", ".codex/hooks.json", ".gemini/settings.json", ".agents/mcp_config.json", "opencode.json", ".roo/mcp.json"],
  ...[".kilo/kilo.jsonc", ".continue/mcpServers/shelpa.json", ".junie/mcp/mcp.json", ".kiro/settings/mcp.json", ".amp/settings.json"],
  ".github/hooks/shelpa.json",
]);
const INIT_HOME = withTheWay([
  ...[".config/Claude/claude_desktop_config.json", ".codeium/windsurf/mcp_config.json", ".config/zed/settings.json"],
  ...[".copilot/mcp-config.json", ".cline/data/settings/cline_mcp_settings.json", ".config/goose/config.yaml", ".lmstudio/mcp.json"],
]);

interface Way {
  /** With their copies. */
  readonly files: ReadonlySet<string>;
  readonly directories: ReadonlySet<string>;
}

function withTheWay(files: readonly string[]): Way {
  const directories = files.flatMap((file) => file.split("/").map((_, depth, names) => names.slice(0, depth).join("/")));
  return { files: new Set(files.flatMap((file) => [file, `${file}.before-shelpa`])), directories: new Set(directories) };
}

/** Changes that a door may leave in the root. */
export type Leave = "nothing" | "init" | readonly string[];

export class GuardedPlace {
  readonly place = new Place();
  readonly tree: HostileTree;
  readonly #end: () => void;
  #outside: Inventory;
  #home: Inventory;
  #root: Inventory;
  #runs = 0;

  constructor(tree: HostileTree) {
    this.tree = tree;
    this.#end = tree.make(this.place) ?? (() => undefined);
    for (const directory of [this.place.outside, this.place.home]) forgetReadings(directory);
    this.#outside = inventory(this.place.outside);
    this.#home = inventory(this.place.home);
    this.#root = this.#rootNow();
  }

  /** Problems since the last look. `said` is the whole output of the door. */
  problems(said: string, leave: Leave): string[] {
    const { outside, home, runs } = this.place;
    const now = { outside: inventory(outside), home: inventory(home), root: this.#rootNow() };
    const problems = [
      ...changes(this.#outside, now.outside).map((line) => `outside: ${line}`),
      ...changes(this.#home, now.home).map((line) => `home: ${line}`),
      ...changes(this.#root, now.root).map((line) => `root: ${line}`),
    ].filter((line) => !isLeft(line, leave));
    const looks = [
      ...readings(outside, this.#outside).map((path) => `read outside/${path}`),
      ...readings(home, this.#home).map((path) => `read home/${path}`),
    ];
    problems.push(...looks);
    if (runs > this.#runs) problems.push(`${runs - this.#runs} programs ran`);
    for (const text of [...Object.values(CANARIES), ...(this.tree.secrets ?? [])]) if (said.includes(text)) problems.push(`shown: ${text}`);
    if (looks.length > 0) for (const directory of [outside, home]) forgetReadings(directory);
    this.#outside = looks.length > 0 ? inventory(outside) : now.outside;
    this.#home = looks.length > 0 ? inventory(home) : now.home;
    this.#root = now.root;
    this.#runs = runs;
    return problems;
  }

  remove(): void {
    this.#end();
    this.place.remove();
  }

  #rootNow(): Inventory {
    return inventory(this.place.root, (path) => path === ".shelpa" || path.startsWith(".shelpa/"));
  }
}

function isLeft(line: string, leave: Leave): boolean {
  if (leave === "nothing") return false;
  const [, where = "", what = "", path = ""] = /^(\w+): (\w+) ([^]*)$/.exec(line) ?? [];
  if (leave === "init") {
    const { files, directories } = where === "home" ? INIT_HOME : INIT_ROOT;
    if (where === "home" && what !== "made") return false;
    return (where === "home" || where === "root") && (files.has(path) || (what === "made" && directories.has(path)));
  }
  return where === "root" && leave.includes(path) && what !== "removed";
}
