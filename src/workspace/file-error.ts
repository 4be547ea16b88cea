/**
 * An error of the workspace: a code to match on, and the message that the GNU tools print for it. No message holds a host
 * path or anything under /proc, and each is on one line whatever names it holds: they are spelled out as `showName` does.
 */
import { showName } from "../display/visible.ts";
import { FILE_ERROR_WORDS } from "./file-error-words.ts";

export class FileError extends Error {
  override readonly name = "FileError";
  /** Errno name, or one of ours. Match on this. */
  readonly code: FileErrorCode;
  /** The operand as it was typed. */
  readonly path: string;

  /** `words` replaces the code's own words where there is more to say. */
  constructor(code: FileErrorCode, path: string, words?: string) {
    super(words === undefined ? FILE_ERROR_WORDS[code] : showName(words));
    this.code = code;
    this.path = path;
  }
}

export type FileErrorCode = keyof typeof FILE_ERROR_WORDS;
