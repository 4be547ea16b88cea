/** The move to another directory that `cd` and `pushd` make. */
import { isAbsolutePath } from "../../src/glob/absolute-path.ts";
import type { Navigation } from "../../src/builtin/definition.ts";
import { absolutePath, belowMount } from "../../src/walk/canonical-path.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";

/** Moves the session as `cd` with these operands. The line that bash prints then (`cd -`), "" for none, or its error. */
export function changeDirectory(
  files: Files,
  navigation: Navigation,
  [typed, ...others]: readonly string[],
  physical = false,
): string | { readonly error: string } {
  if (others.length > 0) return { error: "too many arguments" };
  const { previousDirectory } = navigation;
  if (typed === "-" && previousDirectory === undefined) return { error: "OLDPWD not set" };
  try {
    const to = typed === "-" && previousDirectory !== undefined ? previousDirectory : destination(files, typed, physical);
    navigation.moveTo(to);
    return typed === "-" ? absolutePath(files, to) : "";
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return { error: `${typed ?? ""}: ${thrown.message}` };
  }
}

/** The directory `typed` names, as Files.currentDirectory. Throws FileError where it is none or may not be entered. */
function destination(files: Files, typed: string | undefined, physical: boolean): string {
  if (typed === undefined) return "";
  if (typed === "" && !physical) return files.currentDirectory;
  files.openDirectory(typed).close();
  return physical ? files.realPath(typed) : logicalPath(files, typed);
}

/** `..` takes back the last name that was navigated, whatever link that was; what it takes back must be a directory. */
function logicalPath(files: Files, typed: string): string {
  const fromRoot = files.fromRoot(typed);
  const mount = fromRoot === undefined ? files.mountOf(isAbsolutePath(typed) ? typed : files.currentDirectory) : undefined;
  const isRelative = fromRoot === undefined && !isAbsolutePath(typed);
  const names = isRelative
    ? files.currentDirectory
        .slice(mount?.length ?? 0)
        .split("/")
        .filter((name) => name !== "")
    : [];
  const rest = fromRoot ?? (isRelative || mount === undefined ? typed : belowMount(mount, typed));
  for (const name of rest.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) throw new FileError("PATH_ESCAPE", typed);
  }
  const logical = mount === undefined ? names.join("/") : [mount, ...names].join("/");
  files.openDirectory(absolutePath(files, logical)).close();
  return logical;
}
