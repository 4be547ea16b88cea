/** --gitignore and --gitfile as tree 2.1 has them, which is not git's way: a file's `!` lines take back whatever any file left out. */
import { toText } from "../../src/io/text.ts";
import type { Files, OpenFile } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { compileTreePattern, type TreePattern } from "./pattern.ts";

interface IgnorePattern {
  readonly pattern: TreePattern;
  /** Matched against the path below the file's directory, not against the name. */
  readonly wholePath: boolean;
}

/** One ignore file, linked to those of the directories above. */
export interface IgnoreFile {
  readonly above: IgnoreFile | undefined;
  /** The directory as it is shown, with a slash at the end; undefined where no shown path begins so. */
  readonly directory: string | undefined;
  readonly removes: readonly IgnorePattern[];
  readonly restores: readonly IgnorePattern[];
}

/** Whether an entry is left out. */
export function isIgnored(innermost: IgnoreFile | undefined, path: string, name: string, isDirectory: boolean): boolean {
  return anyMatches(innermost, "removes", path, name, isDirectory) && !anyMatches(innermost, "restores", path, name, isDirectory);
}

function anyMatches(
  innermost: IgnoreFile | undefined,
  which: "removes" | "restores",
  path: string,
  name: string,
  isDirectory: boolean,
): boolean {
  for (let file = innermost; file !== undefined; file = file.above) {
    const { directory } = file;
    const below = directory !== undefined && path.startsWith(directory) ? path.slice(directory.length) : undefined;
    for (const { pattern, wholePath } of file[which]) {
      const text = wholePath ? below : name;
      if (text !== undefined && pattern.matches(text, isDirectory)) return true;
    }
  }
  return false;
}

/** Longer files are not read to their end: no ignore file is that long. */
const MOST_BYTES = 8 << 20;

/** `above` itself where the file cannot be read. */
export function readIgnoreFile(
  open: () => OpenFile,
  directory: string | undefined,
  foldCase: boolean,
  above: IgnoreFile | undefined,
): IgnoreFile | undefined {
  const blocks: Buffer[] = [];
  try {
    let size = 0;
    for (const block of open().blocks()) {
      blocks.push(Buffer.from(block));
      size += block.length;
      if (size >= MOST_BYTES) break;
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return above;
  }
  const removes: IgnorePattern[] = [];
  const restores: IgnorePattern[] = [];
  for (const line of toText(Buffer.concat(blocks)).split("\n")) {
    if (line.startsWith("#")) continue;
    const trimmed = trimmedLine(line);
    if (trimmed === "") continue;
    const restored = line.startsWith("!");
    const text = restored ? trimmed.slice(1) : trimmed;
    const slash = text.indexOf("/");
    const wholePath = slash >= 0 && slash < text.length - 1;
    (restored ? restores : removes).push({ pattern: compileTreePattern(text.replace(/^\//, ""), foldCase), wholePath });
  }
  return { above, directory: directory === undefined || directory.endsWith("/") ? directory : `${directory}/`, removes, restores };
}

/** Spaces at the end go, unless escaped; escapes go too, in the rest of the line as well. */
function trimmedLine(line: string): string {
  let end = line.replace(/\r+$/, "").length;
  while (end > 0 && line[end - 1] === " " && line[end - 2] !== "\\") end--;
  return line.slice(0, end).replace(/\\(.)/gs, "$1");
}

/** The ignore file that holds at the start: its own, or else the nearest above, up to the root. */
export function ignoreFileAbove(files: Files, start: string, foldCase: boolean, above: IgnoreFile | undefined): IgnoreFile | undefined {
  const own = start.endsWith("/") ? start : `${start}/`;
  if (isFile(files, `${own}.gitignore`)) return readIgnoreFile(() => files.open(`${own}.gitignore`), start, foldCase, above);
  try {
    const real = files.realPath(start);
    const mount = files.mountOf(real);
    const components = real.slice(mount === undefined ? 0 : mount.length + 1).split("/");
    const top = mount ?? files.rootPath;
    for (let count = components.length - 1; count >= 0 && components[0] !== ""; count--) {
      const path = [top === "/" ? "" : top, ...components.slice(0, count), ".gitignore"].join("/");
      if (isFile(files, path)) return readIgnoreFile(() => files.open(path), undefined, foldCase, above);
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
  }
  return above;
}

function isFile(files: Files, path: string): boolean {
  try {
    return files.status(path).kind === "file";
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return false;
  }
}
