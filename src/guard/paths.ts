/** Resolution of a path by its text alone. Symbolic links are not known here: see `leaves`. */
import { isAbsolutePath } from "../glob/absolute-path.ts";
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
 * `path` seen from `directory`, relative to the root, or absolute in a mount, with `.` and `..` taken out; undefined where that
 * climbs above the root or the mount, or is an absolute path elsewhere.
 */
export function joined(directory: string, path: string, context: GuardContext): string | undefined {
  const absolute = isAbsolutePath(path) ? path : isAbsolutePath(directory) ? `${directory}/${path}` : undefined;
  const mount = absolute === undefined ? undefined : context.mountOf?.(absolute);
  if (absolute !== undefined && mount !== undefined) {
    const below = resolved([], components(absolute).slice(components(mount).length));
    return below === undefined ? undefined : [mount, ...below].join("/");
  }
  const below = absolute === undefined ? path : belowRoot(absolute, context);
  if (below === undefined) return undefined;
  return resolved(absolute === undefined ? components(directory) : [], components(below))?.join("/");
}

function resolved(from: readonly string[], names: readonly string[]): readonly string[] | undefined {
  const stack = [...from];
  for (const name of names) {
    if (name !== "..") stack.push(name);
    else if (stack.pop() === undefined) return undefined;
  }
  return stack;
}

/**
 * Tells whether a path can only lead to the session's scratch, from every directory that a stage may start in: what is written
 * there is no file of the workspace. The end of the path need not be known.
 */
export function isInScratch(path: string, directories: readonly string[] | undefined, context: GuardContext): boolean {
  const { scratch } = context;
  if (scratch === undefined) return false;
  const from = isAbsolutePath(path) ? [""] : directories;
  if (from === undefined || from.length === 0) return false;
  return from.every((directory) => {
    const place = joined(directory, path, context);
    return place !== undefined && context.mountOf?.(place) === scratch;
  });
}

/** Tells whether `path` leads out of the root from `directory`, as far as can be known now. */
export function leaves(directory: string, path: string, context: GuardContext): boolean {
  if (joined(directory, path, context) !== undefined) return false;
  const absolute = isAbsolutePath(path) ? path : isAbsolutePath(directory) ? `${directory}/${path}` : undefined;
  if (absolute !== undefined && (context.mountOf?.(absolute) !== undefined || belowRoot(absolute, context) === undefined)) return true;
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
