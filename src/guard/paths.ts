/** Resolution of a path by its text alone. Symbolic links are not known here: see `leaves`. */
import { isStandardInput } from "../builtin/inputs.ts";
import { descriptorNumber } from "../workspace/read/held-descriptors.ts";
import type { GuardContext, PathUse } from "./rule.ts";

/** Tells whether `path` names no file of the workspace and may be used all the same. */
export function namesNoFile({ path, access }: Pick<PathUse, "path" | "access">): boolean {
  if (path === "" || path === "/dev/null") return true;
  if (access === "write") return /^\/dev\/(stdout|stderr|fd\/[12])$/.test(path);
  return descriptorNumber(path) !== undefined || (access === "read" && isStandardInput(path));
}

/** The paths of the entries that a write changes: in a directory that is there, each of its names (`cp a b DIR`). */
export function changedEntries(
  { path, into }: Pick<PathUse, "path" | "into">,
  directory: string,
  { look }: GuardContext,
): readonly string[] {
  if (into === undefined || look?.entry(path, directory).isDirectory !== true) return [path];
  return into.map((name) => `${path.replace(/\/+$/, "")}/${name}`);
}

/**
 * `path` seen from `directory`, relative to the root, with `.` and `..` taken out; undefined where that climbs above
 * the root or is an absolute path elsewhere.
 */
export function joined(directory: string, path: string, context: GuardContext): string | undefined {
  const below = path.startsWith("/") ? belowRoot(path, context) : path;
  if (below === undefined) return undefined;
  const stack = path.startsWith("/") ? [] : components(directory);
  for (const component of components(below)) {
    if (component !== "..") stack.push(component);
    else if (stack.pop() === undefined) return undefined;
  }
  return stack.join("/");
}

/** Tells whether `path` leads out of the root from `directory`, as far as can be known now. */
export function leaves(directory: string, path: string, context: GuardContext): boolean {
  if (joined(directory, path, context) !== undefined) return false;
  if (path.startsWith("/") && belowRoot(path, context) === undefined) return true;
  // Its `..` climb too far by the text; behind a symbolic link they may not.
  return context.probe === undefined || context.probe(path, directory) === "outside";
}

/** The part of an absolute path after the root's own components, `..` kept; undefined where it is not under the root. */
export function belowRoot(absolute: string, context: GuardContext): string | undefined {
  if (!context.insideRoot(absolute)) return undefined;
  const all = components(absolute);
  for (let taken = 0; taken < all.length; taken++) {
    if (context.insideRoot(`/${all.slice(0, taken).join("/")}`)) return all.slice(taken).join("/");
  }
  return "";
}

const components = (path: string): string[] => path.split("/").filter((component) => component !== "" && component !== ".");
