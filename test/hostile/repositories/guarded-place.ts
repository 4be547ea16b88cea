/** Invariants of a place after every door: nothing outside changed, read or shown, no program started. */
import { changes, forgetReadings, type Inventory, inventory, readings } from "./inventory.ts";
import type { HostileTree } from "./hostile-tree.ts";
import { CANARIES, Place } from "./place.ts";

/** Files of `init --client all`: the one in the home directory is Claude Desktop's, which has no other. */
const INIT_FILES =
  /^(\.mcp\.json|\.claude\/settings\.json|\.cursor\/(mcp|cli|hooks)\.json|\.vscode\/mcp\.json|\.codex\/(config\.toml|hooks\.json))(\.before-shelpa)?$/;
const INIT_DIRECTORIES = /^\.(claude|cursor|vscode|codex)$/;
const INIT_HOME = /^\.config(\/Claude(\/claude_desktop_config\.json(\.before-shelpa)?)?)?$/;

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
    if (where === "home") return what === "made" && INIT_HOME.test(path);
    return where === "root" && (INIT_FILES.test(path) || (what === "made" && INIT_DIRECTORIES.test(path)));
  }
  return where === "root" && leave.includes(path) && what !== "removed";
}
