/**
 * Write permission where there are several trees, the root and mounts, which may lie in each other: a file is judged by the rules of
 * every tree that its place on the host is in.
 */
import { isAbsolutePath } from "../glob/absolute-path.ts";
import { pathBelow } from "../workspace/mount/prefix.ts";
import { WritePolicy, type WriteRules, type WriteVerdict } from "./write-policy.ts";

export class TreeWrites {
  readonly #root: Tree;
  /** Of two that a path is under, the longer name is first. */
  readonly #mounts: readonly Tree[];

  /** The first is of the root, and has no `mount`. */
  constructor(root: WriteRules, mounts: readonly WriteRules[]) {
    this.#root = treeOf(root);
    this.#mounts = mounts.map(treeOf).sort((a, b) => b.name.length - a.name.length);
  }

  /** True if the configuration allows a write to `path`, as WritePolicy has it, and no tree that protects the file does not. */
  isPreApproved(path: string): boolean {
    const { tree, below } = this.#placeOf(path);
    return tree.writes.isPreApproved(below) && this.#verdicts(path).every((verdict) => verdict !== "approval");
  }

  /** The strictest of all verdicts on writing to `path`: relative to the root, or absolute in a mount. */
  verdict(path: string): WriteVerdict {
    const verdicts = this.#verdicts(path);
    return STRICTEST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? "ordinary";
  }

  #verdicts(path: string): readonly WriteVerdict[] {
    const { tree, below } = this.#placeOf(path);
    const verdicts = [tree.writes.verdict(below)];
    // The text of a path that climbs says nothing of its place; the recorder asks again with the canonical one.
    if (tree.directory === undefined || isAbsolutePath(below) || below.split("/").includes("..")) return verdicts;
    const place = below === "" ? tree.directory : `${tree.directory === "/" ? "" : tree.directory}/${below}`;
    for (const other of [this.#root, ...this.#mounts]) {
      const there = other === tree || other.directory === undefined ? undefined : pathBelow(other.directory, place);
      if (there !== undefined) verdicts.push(other.writes.verdict(there));
    }
    return verdicts;
  }

  #placeOf(path: string): { readonly tree: Tree; readonly below: string } {
    const tree = this.#mounts.find(({ name }) => path === name || path.startsWith(`${name}/`));
    return tree === undefined ? { tree: this.#root, below: path } : { tree, below: path.slice(tree.name.length + 1) };
  }
}

interface Tree {
  readonly name: string;
  readonly directory: string | undefined;
  readonly writes: WritePolicy;
}

const treeOf = (rules: WriteRules): Tree => ({
  name: rules.mount ?? "",
  directory: rules.directory,
  writes: new WritePolicy(rules),
});

const STRICTEST_FIRST: readonly WriteVerdict[] = ["hard", "denied", "approval", "pre-approved"];
