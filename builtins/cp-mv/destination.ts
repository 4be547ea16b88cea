/** Places that cp and mv put their sources at: the last operand, or names in a directory. */
import type { Effect } from "../../src/builtin/effect.ts";
import type { EditedTree } from "../../src/builtin/edited-tree.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { WriteRefused } from "../../src/builtin/write-refused.ts";
import { quoteAlways } from "../../src/display/quote.ts";
import { FileError } from "../../src/workspace/file-error.ts";

export interface DestinationFlags {
  readonly targetDirectory: string | undefined;
  readonly noTargetDirectory: boolean;
}

/** One source and the path that it goes to, both as typed. */
export interface Transfer {
  readonly source: string;
  readonly target: string;
}

/** Throws UsageError where operands are missing or too many, in the words of cp and mv. */
export function checkOperands({ targetDirectory, noTargetDirectory }: DestinationFlags, operands: readonly string[]): void {
  const usage = (kind: "missing-operand" | "extra-operand" | "bad-value", message: string): never => {
    throw new UsageError(kind, message, { pointsToHelp: kind !== "bad-value" });
  };
  const [first, second, third] = operands;
  if (first === undefined) usage("missing-operand", "missing file operand");
  if (targetDirectory !== undefined && noTargetDirectory)
    usage("bad-value", "cannot combine --target-directory (-t) and --no-target-directory (-T)");
  if (targetDirectory === undefined && second === undefined)
    usage("missing-operand", `missing destination file operand after ${quoteAlways(first ?? "")}`);
  if (noTargetDirectory && third !== undefined) usage("extra-operand", `extra operand ${quoteAlways(third)}`);
}

/** The transfers of the operands; undefined, after the message, where they have no directory to go to. */
export function transfersOf(
  tree: EditedTree,
  { targetDirectory, noTargetDirectory, replacesLinks }: DestinationFlags & { readonly replacesLinks: boolean },
  operands: readonly string[],
): readonly Transfer[] | undefined {
  const into = (directory: string, sources: readonly string[]): readonly Transfer[] =>
    sources.map((source) => ({ source, target: inDirectory(directory, source) }));
  if (targetDirectory !== undefined) {
    return isDirectory(tree, targetDirectory, (words) => `target directory ${quoteAlways(targetDirectory)}: ${words}`, true) === true
      ? into(targetDirectory, operands)
      : undefined;
  }
  const sources = operands.slice(0, -1);
  const last = operands.at(-1) ?? "";
  const [source = ""] = sources;
  if (noTargetDirectory) return [{ source, target: last }];
  if (replacesLinks && sources.length === 1) checkLeadsInside(tree, last);
  const found = isDirectory(tree, last, (words) => `target ${quoteAlways(last)}: ${words}`, sources.length > 1);
  if (found === undefined) return undefined;
  return found ? into(last, sources) : [{ source, target: last }];
}

/** Whether `path` is a directory; where it must be one and is none, prints the message and gives undefined. */
function isDirectory(tree: EditedTree, path: string, say: (words: string) => string, mustBe: boolean): boolean | undefined {
  let is: boolean | undefined = false;
  const isKnown = tree.attempt(
    () => {
      const kind = tree.kind(path, { follow: true });
      is = kind === "directory";
      if (is || !mustBe) return;
      throw new FileError(kind === undefined ? "ENOENT" : "ENOTDIR", path);
    },
    ({ message }) => (mustBe ? say(message) : undefined),
  );
  return isKnown || !mustBe ? is : undefined;
}

/**
 * Throws WriteRefused for a symbolic link out of the workspace: one to a directory is written into, another is replaced, and which it
 * is cannot be seen from here.
 */
function checkLeadsInside(tree: EditedTree, path: string): void {
  try {
    tree.kind(path, { follow: true });
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    if (thrown.code === "SYMLINK_ESCAPE" && tree.kind(path) === "symlink") {
      throw new WriteRefused(new FileError("SYMLINK_ESCAPE", path, `${thrown.message}, to what may be a directory; -T replaces the link`));
    }
  }
}

/** False, after the message, where the target cannot be looked at: it is below a file, or a file that is named with a slash. */
export function isReachable(tree: EditedTree, target: string): boolean {
  return tree.attempt(
    () => {
      const bare = target.replace(/(?<=[^/])\/+$/, "");
      const kind = tree.kind(bare);
      if (bare !== target && kind !== undefined && tree.kind(bare, { follow: true }) !== "directory")
        throw new FileError("ENOTDIR", target);
    },
    ({ message }) => `cannot stat ${quoteAlways(target)}: ${message}`,
  );
}

function inDirectory(directory: string, source: string): string {
  const name = baseName(source);
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}

export const baseName = (path: string): string => {
  const stripped = path.replace(/(?<=[^/])\/+$/, "");
  return stripped.slice(stripped.lastIndexOf("/") + 1);
};

/** Effects of cp and mv: the change of each source, and the entry that comes to be at the destination. */
export function transferEffects(
  { targetDirectory, noTargetDirectory }: DestinationFlags,
  operands: readonly string[],
  sourceEffect: (path: string, operand: number) => Effect,
): readonly Effect[] {
  const sources = targetDirectory === undefined ? operands.slice(0, -1) : operands;
  const path = targetDirectory ?? operands.at(-1);
  const effects = sources.map(sourceEffect);
  if (path === undefined) return effects;
  const into = noTargetDirectory ? {} : { into: sources.map(baseName) };
  const operand = targetDirectory === undefined ? { operand: operands.length - 1 } : {};
  return [...effects, { kind: "write", path, change: "put", ...operand, ...into }];
}
