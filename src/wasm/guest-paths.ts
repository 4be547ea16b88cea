/**
 * Names of the workspace's files as a guest sees them.
 *
 * The guest's C library knows no current directory; it hands us paths relative to a preopened directory, chosen by the
 * longest name that its path begins with, and drops leading slashes on the way: `/a/b` and `a/b` reach us alike. So:
 * preopen 3, named ".", is the stage's current directory. Every absolute prefix that was typed for the root ("/work")
 * is a preopen of its own. Where none was typed the root still needs a name, because the guest looks for ignore files
 * above its current directory: one that nobody types.
 */
import { descriptorNumber } from "../workspace/read/held-descriptors.ts";
export interface GuestNames {
  /** Names of the root: absolute paths, without a slash at the end. */
  readonly rootNames: readonly [string, ...string[]];
  /** Mounts that the guest may reach, by their names. */
  readonly mounts?: readonly string[];
  /** The guest's current directory: the first of the root's names, or a mount, and the way below. */
  readonly currentDirectory: string;
  /** Paths as typed. */
  readonly operands: readonly string[];
  /** True if no path was typed to be searched, so that the guest walks "./" and then opens what it finds without the "./". */
  readonly walksCurrentDirectory: boolean;
}

/** The root's name where no absolute path was typed. */
export const UNTYPED_ROOT = "/\u0001root";

/** The first preopened descriptor: the current directory. */
export const FIRST_PREOPEN = 3;

/** Target of a guest's path: a path for Files, or a place above the root, where nothing but directories is known. */
export type GuestPlace = { readonly kind: "path"; readonly path: string } | { readonly kind: "above-root" } | { readonly kind: "nothing" };

export class GuestPaths {
  readonly names: GuestNames;
  readonly #rootPath: string;
  /** Directories above the root, as the guest would name them, without the leading slash. */
  readonly #above = new Set<string>();
  readonly #typed: ReadonlySet<string>;
  #walkBegan = false;

  constructor(names: GuestNames, rootPath: string) {
    this.names = names;
    this.#rootPath = rootPath;
    this.#typed = new Set(names.operands.map((operand) => operand.replace(/\/+$/, "")));
    for (const name of this.preopens.slice(1)) {
      const components = name.split("/").slice(1);
      for (let taken = 0; taken < components.length; taken++) this.#above.add(components.slice(0, taken).join("/"));
    }
  }

  /** The names of the preopened directories, from FIRST_PREOPEN on. */
  get preopens(): readonly string[] {
    return [".", ...this.names.rootNames, ...(this.names.mounts ?? [])];
  }

  /** The guest lists a directory: from now on a bare name may be a file of the current directory. */
  walkBegins(): void {
    this.#walkBegan = true;
  }

  /** `path` as the guest gives it, below preopen number `descriptor`. */
  placeOf(descriptor: number, path: string): GuestPlace {
    const { rootNames, mounts = [] } = this.names;
    const mount = mounts[descriptor - FIRST_PREOPEN - 1 - rootNames.length];
    if (descriptor > FIRST_PREOPEN) return { kind: "path", path: `${mount ?? this.#rootPath}/${path}` };
    if (this.#typed.has(path)) return { kind: "path", path };
    if (path === "dev/null" && this.#typed.has("/dev/null")) return { kind: "path", path: "/dev/null" };
    if (descriptorNumber(`/${path}`) !== undefined) return { kind: "path", path: `/${path}` };
    if (this.#walkBegan && this.names.walksCurrentDirectory) return { kind: "path", path };
    if (path !== "" && this.#above.has(path)) return { kind: "above-root" };
    const slash = path.lastIndexOf("/");
    const parent = slash < 0 ? "" : path.slice(0, slash);
    const isAbove = this.#above.has(parent) && IGNORE_NAMES.has(path.slice(slash + 1));
    return isAbove ? { kind: "nothing" } : { kind: "path", path };
  }
}

/**
 * Names that ripgrep looks for in every directory above the one it searches. In the current directory itself it asks for
 * `./.gitignore`; the bare name is the rest of `/.gitignore`, which is outside the workspace. It looks above before it lists
 * anything.
 */
const IGNORE_NAMES: ReadonlySet<string> = new Set([".gitignore", ".ignore", ".rgignore", ".git", ".jj"]);
