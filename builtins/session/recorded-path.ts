/** The path of an operand as records name it. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { FileError } from "../../src/workspace/file-error.ts";

/** Links resolved where the file is there, by its text where it is not any more. Throws FileError. */
export function recordedPath({ files }: Pick<Invocation, "files">, operand: string): string {
  try {
    return files.realPath(operand);
  } catch (thrown) {
    if (!(thrown instanceof FileError) || (thrown.code !== "ENOENT" && thrown.code !== "ENOTDIR")) throw thrown;
  }
  const stack: string[] = [];
  for (const name of (files.fromRoot(operand) ?? `${files.currentDirectory}/${operand}`).split("/")) {
    if (name === "..") stack.pop();
    else if (name !== "" && name !== ".") stack.push(name);
  }
  return stack.join("/");
}
