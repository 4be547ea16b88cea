/** The path of an operand as records name it. */
import { isAbsolutePath } from "../../src/glob/absolute-path.ts";
import type { Invocation } from "../../src/builtin/definition.ts";
import { FileError } from "../../src/workspace/file-error.ts";

/** Links resolved where the file is there, by its text where it is not any more. Throws FileError. */
export function recordedPath({ files }: Pick<Invocation, "files">, operand: string): string {
  try {
    return files.realPath(operand);
  } catch (thrown) {
    if (!(thrown instanceof FileError) || (thrown.code !== "ENOENT" && thrown.code !== "ENOTDIR")) throw thrown;
  }
  const inRoot = files.fromRoot(operand);
  if (inRoot !== undefined) return normal(inRoot);
  const path = isAbsolutePath(operand) ? operand : `${files.currentDirectory}/${operand}`;
  // The records of a mount name its files by their absolute paths.
  return `${files.mountOf(path) === undefined ? "" : "/"}${normal(path)}`;
}

/** The operand as a path from the root, as answers and records name files: for one of which nothing is recorded here. */
export const pathFromRoot = (operand: string): string => normal(operand);

function normal(path: string): string {
  const stack: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") stack.pop();
    else if (name !== "" && name !== ".") stack.push(name);
  }
  return stack.join("/");
}
