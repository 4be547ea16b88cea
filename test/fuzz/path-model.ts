/**
 * A file tree in memory, and what a path leads to in it: path_resolution(7) with a root that nothing leads above. Written
 * for reading, by recursion over what is left of the path; it shares nothing with src/workspace.
 */
export type Node =
  | { readonly kind: "directory"; readonly entries: Map<string, Node> }
  | { readonly kind: "file"; readonly content: string }
  | { readonly kind: "symlink"; readonly target: string };

/** Target of a path: the names from the root down, and the node there. */
export interface Found {
  readonly names: readonly string[];
  readonly node: Node;
}
export type Refusal = "PATH_ESCAPE" | "SYMLINK_ESCAPE" | "ENOENT" | "ENOTDIR" | "ELOOP" | "ENAMETOOLONG";

export const isFound = (result: Found | Refusal): result is Found => typeof result !== "string";

const MOST_LINKS = 40;
const NAME_BYTES = 255;
const PATH_BYTES = 4095;

export class PathModel {
  readonly top: Node & { kind: "directory" } = { kind: "directory", entries: new Map() };
  /** The root's absolute path, which absolute paths and link targets may begin with. */
  readonly rootPath: string;

  constructor(rootPath: string) {
    this.rootPath = rootPath;
  }

  /** Resolves `path` from the directory `from` (names as they were navigated). */
  resolve(path: string, follow: boolean, from: readonly string[] = []): Found | Refusal {
    if (path === "") return "ENOENT";
    const start = path.startsWith("/") ? this.#belowRoot(path) : [...from, ...path.split("/")];
    if (start === undefined) return "PATH_ESCAPE";
    if (Buffer.byteLength(path) > PATH_BYTES) return "ENAMETOOLONG";
    return this.#walk(
      [],
      start.map((name) => ({ name, typed: true })),
      follow,
      0,
    );
  }

  #belowRoot(absolute: string): string[] | undefined {
    const names = absolute.split("/").filter((name, at, all) => at === all.length - 1 || (name !== "" && name !== "."));
    const root = this.rootPath.slice(1).split("/");
    const isBelow = root.every((name, at) => names[at] === name);
    if (!isBelow) return undefined;
    // Under the root: "/root/" and "/root/x/" still ask for a directory.
    const below = names.slice(root.length);
    return below.length === 0 ? [""] : below;
  }

  #walk(
    at: readonly string[],
    left: readonly { readonly name: string; readonly typed: boolean }[],
    follow: boolean,
    links: number,
  ): Found | Refusal {
    const here = this.node(at);
    const [next, ...rest] = left;
    if (next === undefined) return { names: at, node: here };
    if (here.kind !== "directory") return "ENOTDIR";
    const { name, typed } = next;
    if (name === "" || name === ".") return this.#walk(at, rest, follow, links);
    if (name === "..") {
      if (at.length === 0) return typed ? "PATH_ESCAPE" : "SYMLINK_ESCAPE";
      return this.#walk(at.slice(0, -1), rest, follow, links);
    }
    if (Buffer.byteLength(name) > NAME_BYTES) return "ENAMETOOLONG";
    const child = here.entries.get(name);
    if (child === undefined) return "ENOENT";
    if (child.kind !== "symlink") {
      if (rest.length > 0 && child.kind !== "directory") return "ENOTDIR";
      return this.#walk([...at, name], rest, follow, links);
    }
    if (rest.length === 0 && !follow) return { names: [...at, name], node: child };
    if (links === MOST_LINKS) return "ELOOP";
    const isAbsolute = child.target.startsWith("/");
    const target = isAbsolute ? this.#belowRoot(child.target) : child.target.split("/");
    if (target === undefined) return "SYMLINK_ESCAPE";
    return this.#walk(isAbsolute ? [] : at, [...target.map((part) => ({ name: part, typed: false })), ...rest], follow, links + 1);
  }

  node(names: readonly string[]): Node {
    let node: Node = this.top;
    for (const name of names) {
      const child: Node | undefined = node.kind === "directory" ? node.entries.get(name) : undefined;
      if (child === undefined) throw new Error(`the model has no ${names.join("/")}`);
      node = child;
    }
    return node;
  }

  directories(): string[][] {
    const found: string[][] = [[]];
    const under = (names: readonly string[], node: Node): void => {
      if (node.kind !== "directory") return;
      for (const [name, child] of node.entries) {
        if (child.kind === "directory") found.push([...names, name]);
        under([...names, name], child);
      }
    };
    under([], this.top);
    return found;
  }
}
