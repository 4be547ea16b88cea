/** Files that -i edits: their new content is held until all are done, and then replaces the old one through the recorder. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { isStandardInput } from "../../src/builtin/inputs.ts";
import {
  checkDirectoryOf,
  checkWritable,
  isContentOf,
  recorderFor,
  replaceFiles,
  type FileContent,
} from "../../src/builtin/replace-files.ts";
import { writeError } from "../../src/builtin/write-refused.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { backupPath } from "./named-edits.ts";

/** A file that cannot be edited: it ends the reading, and the files before it are written. */
export class CannotEdit extends Error {
  override readonly name = "CannotEdit";
}

/** A file that could not be written, as sed says it. Exit status 4. */
export class EditFailed extends Error {
  override readonly name = "EditFailed";
}

interface EditedFile {
  readonly operand: string;
  /** The operand as a path: `-` is a file of that name. */
  readonly path: string;
  readonly canonical: string;
  readonly backup: string | undefined;
  readonly blocks: Buffer[];
}

export class EditedFiles {
  /** Output that goes to the file at hand. */
  readonly output = new BlockBuilder();
  /** Output of `w /dev/stdout`. */
  readonly stdout = new BlockBuilder();
  readonly #invocation: Pick<Invocation, "files" | "recorder" | "limits">;
  readonly #suffix: string;
  readonly #shown: Buffer[] = [];
  #files: EditedFile[] = [];
  #current: EditedFile | undefined;
  #heldBytes = 0;

  /** `suffix`: of the name under which the old file is kept; "": it is not. */
  constructor(invocation: Pick<Invocation, "files" | "recorder" | "limits">, suffix: string) {
    this.#invocation = invocation;
    this.#suffix = suffix;
  }

  /** Adds the file `operand`, and returns the path to open it by. Throws CannotEdit, EditFailed, FileError, WriteRefused. */
  add(operand: string): string {
    const { files } = this.#invocation;
    if (operand === "") throw new FileError("ENOENT", operand);
    if (operand === "/dev/null" || (operand !== "-" && (isStandardInput(operand) || files.descriptor(operand) !== undefined)))
      throw new CannotEdit(NOT_REGULAR);
    const path = operand === "-" ? "./-" : operand;
    const status = files.status(path);
    if (status.kind !== "file") throw new CannotEdit(NOT_REGULAR);
    try {
      checkWritable(recorderFor(this.#invocation, operand), files.currentDirectory, path);
    } catch (thrown) {
      throw new CannotEdit(writeError(thrown).message);
    }
    const canonical = files.realPath(path);
    const backup = this.#suffix === "" ? undefined : backupPath(path, this.#suffix);
    // A file is read as the edits before it have left it.
    if (this.#files.some((file) => file.canonical === canonical || (file.backup !== undefined && this.#leadsTo(file.backup, canonical))))
      this.#write();
    if (backup !== undefined) this.#checkBackup(operand, backup, status);
    const file = { operand, path, canonical, backup, blocks: [] };
    this.#files.push(file);
    this.#current ??= file;
    return path;
  }

  /** Output from here on is of the file that was added last. */
  begin(): void {
    this.take();
    this.#current = this.#files.at(-1);
  }

  /** Holds what was gathered in the outputs. Throws LimitReached past the bound of what is held. */
  take(): void {
    if (!this.output.empty) this.#hold(this.output.take(), this.#current?.blocks ?? []);
    if (!this.stdout.empty) this.#hold(this.stdout.take(), this.#shown);
  }

  /** Writes the files; returns what goes to standard output. Throws EditFailed, WriteRefused. */
  end(): readonly Uint8Array[] {
    this.#write();
    return this.#shown;
  }

  #hold(bytes: Uint8Array, into: Buffer[]): void {
    const { heldBytes } = this.#invocation.limits;
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > heldBytes) throw new LimitReached("held", heldBytes, "bytes");
    // A copy: the block's memory is used again.
    into.push(Buffer.from(bytes));
  }

  #leadsTo(path: string, canonical: string): boolean {
    try {
      return this.#invocation.files.realPath(path) === canonical;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      return path === canonical;
    }
  }

  /** Throws EditFailed, WriteRefused. */
  #checkBackup(operand: string, backup: string, { permissions }: FileStatus): void {
    const { files } = this.#invocation;
    try {
      checkDirectoryOf(files, backup);
      checkWritable(recorderFor(this.#invocation, backup), files.currentDirectory, backup);
    } catch (thrown) {
      throw new EditFailed(`cannot rename ${operand}: ${writeError(thrown).message}`);
    }
    if ((permissions & 0o004) === 0) {
      throw new EditFailed(`cannot rename ${operand}: its copy would be readable by more people than it is; edit it without a suffix`);
    }
  }

  #write(): void {
    this.take();
    const edited = this.#files;
    this.#files = [];
    const [first] = edited;
    if (first === undefined) return;
    const { files } = this.#invocation;
    try {
      const contents = edited.flatMap(({ path, backup, blocks }): FileContent[] => [
        ...(backup === undefined ? [] : [{ path: backup, content: files.open(path).blocks() }]),
        ...(isContentOf(files, path, blocks) ? [] : [{ path, content: blocks }]),
      ]);
      if (contents.length > 0) replaceFiles(recorderFor(this.#invocation, first.operand), files.currentDirectory, contents);
    } catch (thrown) {
      const { path, message } = writeError(thrown);
      const ofBackup = edited.find(({ backup }) => backup === path);
      throw new EditFailed(ofBackup === undefined ? `couldn't edit ${path}: ${message}` : `cannot rename ${ofBackup.operand}: ${message}`);
    }
  }
}

const NOT_REGULAR = "not a regular file";
