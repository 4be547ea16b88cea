/**
 * `.shelpa/.gitignore`: keeps the records out of the user's repository. Made with the first record. The mirror of the root's
 * own `.gitignore` would have its place there, and lies aside instead, unless it was there first.
 */
import { RECORD_DIRECTORY } from "../workspace/write/mirror-path.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";

const NAME = ".gitignore";
/** Its path, relative to the root. */
export const IGNORE_PATH = `${RECORD_DIRECTORY}/${NAME}`;
const CONTENT = "# Made by shelpa: its records are no part of the repository.\n*\n";

/** Makes the file where nothing has its name, and writes it again where a killed writer left it empty. Throws FileError. */
export function makeIgnoreFile(writer: WorkspaceWriter): void {
  const directory = writer.directory(RECORD_DIRECTORY);
  try {
    const found = directory.status(NAME);
    if (found !== undefined && (found.kind !== "file" || found.size > 0 || found.links !== 1)) return;
    const file = found === undefined ? directory.create(NAME, 0o600) : directory.openLog(NAME, 0o600, { durable: false }).file;
    try {
      file?.write(Buffer.from(CONTENT));
    } finally {
      file?.close();
    }
  } finally {
    directory.close();
  }
}

/** True if the file at that path is ours, and no mirror. Throws FileError. */
export function isIgnoreFile(writer: WorkspaceWriter): boolean {
  const directory = writer.directory(RECORD_DIRECTORY);
  try {
    const file = directory.open(NAME);
    if (file === undefined) return false;
    try {
      return file.size === CONTENT.length && Buffer.from(file.bytes(0, CONTENT.length)).toString() === CONTENT;
    } finally {
      file.close();
    }
  } finally {
    directory.close();
  }
}
