/** The file that a redirection writes: one of the session's scratch or, where the policy has such writes recorded, of the workspace. */
import type { ExitStatus } from "../builtin/definition.ts";
import type { Recorder, WriteTransaction } from "../builtin/recorder.ts";
import { checkDirectoryOf } from "../builtin/replace-files.ts";
import { writeError, WriteRefused } from "../builtin/write-refused.ts";
import { toBytes } from "../io/text.ts";
import { FileError } from "../workspace/file-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Redirect } from "../shell/tree.ts";
import { StageRefused } from "./late-refusal.ts";
import type { ListRun } from "./list-run.ts";
import { redirectedPath } from "./substitution.ts";
import type { Surroundings } from "./stage.ts";

export type OutputRedirect = Extract<Redirect, { kind: "output" }>;

export interface OutputFile {
  /** Throws FileError where it is full, WriteRefused where a recorded write would be too large. */
  write(bytes: Uint8Array): void;
  /** Makes the write, once its command has ended. Throws WriteRefused, FileError. */
  finish?(exit: ExitStatus): void;
  /** Closes it; a recorded write that was not made is dropped. */
  close(): void;
}

/** Opens it. Throws FileError, RedirectionError, WriteRefused, and StageRefused where its words name a file elsewhere. */
export async function openedOutput(run: ListRun, redirect: OutputRedirect, surroundings: Surroundings): Promise<OutputFile> {
  const path = await redirectedPath(run, redirect.file, surroundings);
  if (path === "") throw new FileError("ENOENT", path);
  const { recordsRedirects, recorder } = run.context;
  const workspace = run.context.workspace.at(surroundings.shell.currentDirectory);
  const scratch = workspace.scratch();
  if (scratch?.holds(path) !== true) {
    if (!recordsRedirects) throw new StageRefused(notInScratch(path, redirect));
    if (recorder === undefined) throw new WriteRefused(new FileError("READ_ONLY", path));
    return new RecordedOutput(path, redirect, workspace, recorder);
  }
  try {
    return scratch.open(path, redirect.append ? "append" : "overwrite");
  } catch (thrown) {
    const leaves = thrown instanceof FileError && (thrown.code === "PATH_ESCAPE" || thrown.code === "SYMLINK_ESCAPE");
    throw leaves ? new StageRefused(notInScratch(path, redirect)) : thrown;
  }
}

/** The message about output that could not be written, as bash's own commands (at `place`) and GNU's word it. Throws what is no FileError. */
export function unwrittenMessage(
  thrown: unknown,
  command: { readonly name: string; readonly isOfShell: boolean } | undefined,
  place: string,
): Uint8Array {
  if (!(thrown instanceof FileError)) throw thrown;
  const { name, isOfShell } = command ?? { name: "echo", isOfShell: true };
  return toBytes(`${isOfShell ? `${place}: ` : ""}${name}: write error: ${thrown.message}\n`);
}

function notInScratch(path: string, { append }: OutputRedirect): StageRefused["violation"] {
  const detail = `'${path}' is no file of this session's /tmp, and output is redirected into no other: every write to the workspace goes through tee, which records it. Use | tee ${append ? "-a " : ""}FILE.`;
  return { code: "GUARD_VIOLATION", reason: "REDIRECT", rule: "redirect:file", detail, suggestion: undefined, position: undefined };
}

/** A recorded write of what a command prints. The file changes when the command has ended: until then it can still be read. */
class RecordedOutput implements OutputFile {
  readonly #path: string;
  readonly #transaction: WriteTransaction;
  /** Bytes that would be lost if nothing came. */
  readonly #present: number;
  #isEmpty = true;

  constructor(path: string, { append }: OutputRedirect, workspace: Workspace, recorder: Recorder) {
    this.#path = path;
    try {
      this.#transaction = recorder.begin([path], append ? "append" : "overwrite", workspace.currentDirectory);
      requireDirectory(workspace, path);
    } catch (thrown) {
      throw writeError(thrown);
    }
    this.#present = append ? 0 : sizeOf(workspace, path);
  }

  write(bytes: Uint8Array): void {
    this.#isEmpty &&= bytes.length === 0;
    try {
      this.#transaction.write(bytes);
    } catch (thrown) {
      throw writeError(thrown);
    }
  }

  finish(exit: ExitStatus): void {
    if (this.#isEmpty && exit !== 0 && this.#present > 0) throw new WriteRefused(new FileError("CONFLICT", this.#path, lossOf(exit)));
    try {
      this.#transaction.commit();
    } catch (thrown) {
      throw writeError(thrown);
    }
  }

  close(): void {
    this.#transaction.abort();
  }
}

/** Throws FileError, with the file's name, unless its directory is there, which a write here would make. */
function requireDirectory(workspace: Workspace, path: string): void {
  try {
    checkDirectoryOf(workspace, path);
  } catch (thrown) {
    throw thrown instanceof FileError ? new FileError(thrown.code, path, thrown.message) : thrown;
  }
}

const lossOf = (exit: ExitStatus): string =>
  `It would be emptied, because the command printed nothing and failed (exit ${exit}). To empty it: : > FILE`;

/** 0 where there is no file, or none that can be looked at. */
function sizeOf(workspace: Workspace, path: string): number {
  try {
    return workspace.status(path).size;
  } catch (thrown) {
    if (thrown instanceof FileError) return 0;
    throw thrown;
  }
}
