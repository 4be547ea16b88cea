/**
 * Files that a stage writes as it runs: where its redirections lead, and those that its program opens. Files of the workspace change
 * together when the stage has ended, as one transaction of the recorder; until then they can still be read by other stages.
 */
import type { ExitStatus } from "../builtin/definition.ts";
import type { OutputFiles, OutputPolicy } from "../builtin/output-files.ts";
import type { ContentSink, EditTransaction, WriteMode } from "../builtin/recorder.ts";
import { writeError, WriteRefused } from "../builtin/write-refused.ts";
import { quoteWord } from "../display/quote.ts";
import { FileError } from "../workspace/file-error.ts";
import { NULL_DEVICE } from "../workspace/read/null-device.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { StageRefused } from "./late-refusal.ts";
import type { CallContext } from "./stage.ts";

/** Files of the workspace that one stage writes. */
const MOST_FILES = 1000;

/** A file of the workspace that is written. */
interface Written {
  /** Bytes that would be lost if nothing came. */
  present: number;
  isEmpty: boolean;
}

type Surroundings = Pick<CallContext, "workspace" | "recorder" | "recordsRedirects">;

export class StageOutputs implements OutputFiles {
  readonly #context: Surroundings;
  readonly #place: { readonly currentDirectory: string };
  #edits: EditTransaction | undefined;
  /** By path. Nothing is made before a file is opened: every command of a loop has such an object. */
  #written: Map<string, Written> | undefined;
  #open: Set<ContentSink> | undefined;

  /** `place`: paths are taken from its directory of the moment, relative to the root. */
  constructor(context: Surroundings, place: { readonly currentDirectory: string }) {
    this.#context = context;
    this.#place = place;
  }

  accepts(path: string, isPrefix: boolean): boolean {
    return this.#context.recordsRedirects || this.#isScratch(path, isPrefix);
  }

  untyped(): OutputPolicy {
    return { accepts: (path, isPrefix) => this.#isScratch(path, isPrefix) };
  }

  /** Those of a stage that this one runs in a directory. */
  nested(place: { readonly currentDirectory: string }): StageOutputs {
    return new StageOutputs(this.#context, place);
  }

  /** Throws FileError, WriteRefused, and StageRefused for a file that no output is redirected into. */
  open(path: string, mode: WriteMode): ContentSink {
    if (path === "") throw new FileError("ENOENT", path);
    const { recordsRedirects, recorder } = this.#context;
    const workspace = this.#workspace;
    const isScratch = this.#isScratch(path);
    if (!isScratch && !recordsRedirects) throw new StageRefused(notInScratch(path, mode));
    if (recorder === undefined) throw new WriteRefused(new FileError("READ_ONLY", path));
    if (path === NULL_DEVICE) return { write: () => {}, close: () => {} };
    try {
      this.#edits ??= recorder.edit(workspace.currentDirectory);
      const sink = this.#edits.write(path, mode);
      const own = this.#closing(sink);
      return isScratch ? own : this.#noted(path, mode, own, workspace);
    } catch (thrown) {
      const leaves = thrown instanceof FileError && (thrown.code === "PATH_ESCAPE" || thrown.code === "SYMLINK_ESCAPE");
      throw isScratch && leaves ? new StageRefused(notInScratch(path, mode)) : writeError(thrown);
    }
  }

  /** Throws StageRefused for a file of the workspace, where descriptor `number` lasts to the end of the shell (`exec 3> FILE`). */
  requireScratch(path: string, number: number): void {
    if (this.#isScratch(path) || !this.#context.recordsRedirects) return;
    const detail = `exec ${number}> FILE would change '${path}' at the end of the shell only, and what comes before that would not find it. Use a group: { COMMANDS; } ${number}> FILE.`;
    throw new StageRefused({ code: "GUARD_VIOLATION", reason: "REDIRECT", detail, suggestion: undefined, position: undefined });
  }

  checkRead(path: string): void {
    if (this.#isPending(path)) throw new WriteRefused(new FileError("CONFLICT", path, early("this read of it")));
  }

  /** Throws WriteRefused where a file of the workspace is written, which the command `text` might read too early. */
  checkCommand(text: string): void {
    const [path] = this.#written?.keys() ?? [];
    if (path !== undefined) throw new WriteRefused(new FileError("CONFLICT", path, early(quoteWord(text))));
  }

  /** Makes the changes, once the stage has ended or its reader has left. Throws WriteRefused, FileError. */
  finish(exit: ExitStatus): void {
    if (exit !== 0) {
      for (const [path, { isEmpty, present }] of this.#written ?? []) {
        if (isEmpty && present > 0) throw new WriteRefused(new FileError("CONFLICT", path, lossOf(exit)));
      }
    }
    try {
      this.#edits?.commit();
    } catch (thrown) {
      throw writeError(thrown);
    }
  }

  /** Closes all; changes that were not made are dropped. */
  close(): void {
    for (const sink of this.#open ?? []) sink.close();
    this.#open = undefined;
    this.#edits?.abort();
  }

  get #workspace(): Workspace {
    return this.#context.workspace.at(this.#place.currentDirectory);
  }

  #isScratch(path: string, isPrefix = false): boolean {
    const scratch = this.#workspace.scratch();
    return scratch !== undefined && (isPrefix ? path.startsWith(`${scratch.prefix}/`) : scratch.holds(path));
  }

  /** The sink, whose closing is noted. */
  #closing(sink: ContentSink): ContentSink {
    const open = (this.#open ??= new Set());
    open.add(sink);
    return {
      write: (bytes) => sink.write(bytes),
      close: () => {
        if (open.delete(sink)) sink.close();
      },
    };
  }

  /** The sink of a file of the workspace. */
  #noted(path: string, mode: WriteMode, sink: ContentSink, workspace: Workspace): ContentSink {
    const files = (this.#written ??= new Map());
    const known = files.get(path);
    if (known === undefined && files.size >= MOST_FILES)
      throw new FileError("OVERSIZE_WRITE", path, `More than ${MOST_FILES} files written by one command, so nothing was changed`);
    const written = known ?? { present: 0, isEmpty: true };
    if (mode === "overwrite") {
      written.isEmpty = true;
      written.present = sizeOf(workspace, path);
    }
    files.set(path, written);
    return {
      write(bytes) {
        written.isEmpty &&= bytes.length === 0;
        try {
          sink.write(bytes);
        } catch (thrown) {
          throw writeError(thrown);
        }
      },
      close: () => sink.close(),
    };
  }

  /** True if it is a file whose change is still to be made. */
  #isPending(path: string): boolean {
    if (this.#written === undefined) return false;
    const workspace = this.#workspace;
    const isIt = (each: string): boolean => this.#edits?.pending(each) !== undefined;
    try {
      return isIt(path) || isIt(`${workspace.rootPath}/${workspace.realPath(path)}`);
    } catch (thrown) {
      if (thrown instanceof FileError) return false;
      throw thrown;
    }
  }
}

const early = (what: string): string =>
  `It changes when the command that writes it has ended, and ${what} would come before that: read it in a command that follows`;

const lossOf = (exit: ExitStatus): string =>
  `It would be emptied, because the command printed nothing and failed (exit ${exit}). To empty it: : > FILE`;

function notInScratch(path: string, mode: WriteMode): StageRefused["violation"] {
  const detail = `'${path}' is no file of this session's /tmp, and output is redirected into no other: every write to the workspace goes through tee, which records it. Use | tee ${mode === "append" ? "-a " : ""}FILE.`;
  return { code: "GUARD_VIOLATION", reason: "REDIRECT", rule: "redirect:file", detail, suggestion: undefined, position: undefined };
}

/** 0 where there is no file, or none that can be looked at. */
function sizeOf(workspace: Workspace, path: string): number {
  try {
    return workspace.status(path).size;
  } catch (thrown) {
    if (thrown instanceof FileError) return 0;
    throw thrown;
  }
}
