/** The files of code at and below the operands, in order of path, with ignore files respected below a folder. */
import { quoteName } from "../../src/display/quote.ts";
import { toText } from "../../src/io/text.ts";
import { FileTree } from "../../src/walk/file-tree.ts";
import type { TreeFile } from "../../src/walk/tree-file.ts";
import { ignoreScope } from "../../src/walk/ignore-scope.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { Language } from "./language.ts";
import { languageOfFirstLine, languageOfName } from "./languages.ts";

/** A file, a folder that was entered, or why something is passed over (`isError`: it could not be looked at). */
export type CodeStep =
  | { readonly what: "file"; readonly path: string; readonly depth: number; readonly language: Language; read(): Uint8Array | Passed }
  | { readonly what: "directory"; readonly path: string; readonly depth: number }
  | Passed
  /** Nothing found for a while. */
  | { readonly what: "turn" };

export interface Passed {
  readonly what: "passed";
  readonly message: string;
  readonly isError: boolean;
}

/**
 * The longest file that is parsed, in bytes: 2 MiB. A syntax tree takes some thirty times its text, and code that long is made by
 * a program.
 */
export const MOST_FILE_BYTES = 2 << 20;

/** Entries looked at between two turns. */
const STEPS_PER_TURN = 256;

/** `starts` are paths as typed; below "." paths have no "./". */
export function* codeFiles(files: Files, starts: readonly string[]): Generator<CodeStep, void> {
  for (const start of starts) {
    const tree = new FileTree(files, start, {
      follow: "starting-points",
      contentsFirst: false,
      maxDepth: Infinity,
      oneDevice: false,
      order: "name",
      filter: ignoreScope(files, start, IGNORE),
    });
    try {
      let steps = 0;
      for (let step = tree.next(); step !== undefined; step = tree.next()) {
        if (++steps % STEPS_PER_TURN === 0) yield { what: "turn" };
        if (step.what === "error") yield passed(step.path, step.error.message, true);
        else if (step.what === "file") yield* codeFile(step.file);
      }
    } finally {
      tree.close();
    }
  }
}

const IGNORE = {
  skipHidden: true,
  custom: undefined,
  dotIgnore: true,
  gitIgnore: true,
  gitExclude: true,
  parents: true,
  // A tree that was copied without its .git has the same generated files in it.
  requireGit: false,
} as const;

function* codeFile(file: TreeFile): Generator<CodeStep, void> {
  const path = file.path.startsWith("./") ? file.path.slice(2) : file.path;
  const isStart = file.depth === 0;
  if (file.kind === "directory") {
    yield { what: "directory", path, depth: file.depth };
    return;
  }
  if (file.kind !== "file") {
    if (isStart) yield passed(path, "Not a regular file", true);
    return;
  }
  let language: Language | undefined;
  try {
    const named = languageOfName(file.name);
    language = named === "unknown" ? languageOfFirstLine(start(file)) : named;
  } catch (thrown) {
    yield unreadable(path, thrown);
    return;
  }
  if (language === undefined) {
    if (isStart) yield passed(path, "there is no grammar for this kind of file", true);
    return;
  }
  yield { what: "file", path, depth: file.depth, language, read: () => content(file, path) };
}

/** Enough for a first line. */
const FIRST_LINE_BYTES = 256;

function start(file: TreeFile): string {
  const open = file.openFile();
  try {
    const bytes = Buffer.alloc(FIRST_LINE_BYTES);
    return toText(bytes.subarray(0, open.readAt(bytes, 0)));
  } finally {
    open.close();
  }
}

function content(file: TreeFile, path: string): Uint8Array | Passed {
  try {
    const open = file.openFile();
    const blocks: Uint8Array[] = [];
    let size = 0;
    // The generator closes the file.
    for (const block of open.blocks()) {
      blocks.push(Buffer.from(block));
      size += block.length;
      if (size > MOST_FILE_BYTES) return passed(path, "longer than 2 MiB, not parsed", false);
    }
    const [only] = blocks;
    const bytes = blocks.length === 1 && only !== undefined ? only : Buffer.concat(blocks);
    return bytes.includes(0) ? passed(path, "binary file, not parsed", false) : bytes;
  } catch (thrown) {
    return unreadable(path, thrown);
  }
}

function unreadable(path: string, thrown: unknown): Passed {
  if (!(thrown instanceof FileError)) throw thrown;
  return passed(path, thrown.message, true);
}

const passed = (path: string, message: string, isError: boolean): Passed => ({
  what: "passed",
  message: `${quoteName(path)}: ${message}`,
  isError,
});
