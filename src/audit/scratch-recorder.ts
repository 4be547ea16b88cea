/** A recorder for writes into the session's scratch, which are made at once and not recorded; all others are given on. */
import type { EditTransaction, Recorder, WriteMode, WriteTransaction } from "../builtin/recorder.ts";
import { FileError } from "../workspace/file-error.ts";
import type { ScratchFile, ScratchFiles } from "../workspace/mount/scratch-files.ts";
import { editsWithScratch } from "./scratch-edits.ts";
import { NULL_DEVICE } from "../workspace/read/null-device.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** `recorder`: undefined where the workspace is read-only. */
export function withScratch(recorder: Recorder | undefined, workspace: Workspace): Recorder | undefined {
  if (workspace.scratchPrefix === undefined) return recorder;
  return {
    begin(targets, mode, currentDirectory) {
      const scratch = workspace.at(currentDirectory).scratch();
      const own = scratch === undefined ? [] : targets.filter((target) => scratch.holds(target));
      const others = targets.filter((target) => !own.includes(target));
      const denied = others.find((target) => target !== NULL_DEVICE);
      if (recorder === undefined && denied !== undefined) throw new FileError("READ_ONLY", denied);
      if (scratch === undefined || own.length === 0) return recorder?.begin(others, mode, currentDirectory) ?? NOTHING;
      for (const target of own) scratch.check(target);
      const files = new ScratchTransaction(scratch, [...new Set(own)], mode);
      return others.length === 0 ? files : both(files, recorder?.begin(others, mode, currentDirectory) ?? NOTHING);
    },
    edit(currentDirectory) {
      const scratch = workspace.at(currentDirectory).scratch();
      const recorded = (path: string): EditTransaction => {
        if (recorder === undefined) throw new FileError("READ_ONLY", path);
        return recorder.edit(currentDirectory);
      };
      return scratch === undefined ? recorded(currentDirectory) : editsWithScratch(scratch, recorded);
    },
  };
}

const NOTHING: WriteTransaction = { write: () => {}, commit: () => [], abort: () => {} };

function both(files: ScratchTransaction, recorded: WriteTransaction): WriteTransaction {
  return {
    write(bytes) {
      recorded.write(bytes);
      files.write(bytes);
    },
    commit() {
      const receipts = recorded.commit();
      files.commit();
      return receipts;
    },
    abort() {
      recorded.abort();
      files.abort();
    },
  };
}

/** The files are opened when the first bytes come: a file that is read in the same pipeline is not cut off before. */
class ScratchTransaction implements WriteTransaction {
  readonly #scratch: ScratchFiles;
  readonly #paths: readonly string[];
  readonly #mode: WriteMode;
  #files: readonly ScratchFile[] | undefined;

  constructor(scratch: ScratchFiles, paths: readonly string[], mode: WriteMode) {
    this.#scratch = scratch;
    this.#paths = paths;
    this.#mode = mode;
  }

  write(bytes: Uint8Array): void {
    for (const file of this.#opened()) file.write(bytes);
  }

  commit(): readonly [] {
    this.#opened();
    this.abort();
    return [];
  }

  abort(): void {
    for (const file of this.#files ?? []) file.close();
    this.#files = [];
  }

  #opened(): readonly ScratchFile[] {
    if (this.#files !== undefined) return this.#files;
    const opened: ScratchFile[] = [];
    this.#files = opened;
    for (const path of this.#paths) opened.push(this.#scratch.open(path, this.#mode));
    return opened;
  }
}
