/** Names under which a stage's guest will reach the workspace, from the paths that were typed. See guest-paths.ts. */
import { UsageError } from "../builtin/usage-error.ts";
import type { Files } from "../workspace/contract.ts";
import { UNTYPED_ROOT, type GuestNames } from "./guest-paths.ts";

/**
 * Chooses the guest's names for the root and its current directory. Throws UsageError if a relative path among `typed` could
 * not be distinguished from an absolute one: the guest's C library drops the leading slash.
 */
export function guestNames(files: Files, typed: readonly string[], walksCurrentDirectory: boolean): GuestNames {
  const roots = [...new Set(typed.map((path) => rootPrefixOf(files, path)).filter((prefix) => prefix !== undefined))];
  const isInMount = files.currentDirectory.startsWith("/");
  const mounts = [...new Set([...typed, files.currentDirectory].map((path) => files.mountOf(path)).filter((mount) => mount !== undefined))];
  for (const root of [...roots, ...mounts]) {
    const bare = root.slice(1);
    const clash = typed.find(
      (path) => !path.startsWith("/") && (bare === "" ? files.currentDirectory !== "" : path === bare || path.startsWith(`${bare}/`)),
    );
    if (clash !== undefined) throw new UsageError("bad-value", `${clash}: beside an absolute path, name it ./${clash}`);
    if (bare === "" && files.currentDirectory !== "")
      throw new UsageError("bad-value", `${root}: name it relative to the current directory`);
  }
  const [first = UNTYPED_ROOT, ...others] = roots;
  const below = files.currentDirectory === "" ? first : `${first === "/" ? "" : first}/${files.currentDirectory}`;
  const currentDirectory = isInMount ? files.currentDirectory : below;
  return { rootNames: [first, ...others], mounts, currentDirectory, operands: typed, walksCurrentDirectory };
}

/** The leading part of an absolute path that names the root; undefined for other paths. */
function rootPrefixOf(files: Files, path: string): string | undefined {
  if (!path.startsWith("/")) return undefined;
  const components = path.split("/").filter((component) => component !== "");
  for (let taken = 0; taken <= components.length; taken++) {
    const prefix = `/${components.slice(0, taken).join("/")}`;
    if (files.fromRoot(prefix) !== undefined) return prefix;
  }
  return undefined;
}
