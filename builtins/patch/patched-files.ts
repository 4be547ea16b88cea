/** Files as patches leave them: read once, changed in memory, and written together at the end. */
import { isAbsolutePath } from "../../src/glob/absolute-path.ts";
import type { Invocation } from "../../src/builtin/definition.ts";
import { checkWritable, isContentOf, recorderFor, replaceFiles, type FileContent } from "../../src/builtin/replace-files.ts";
import { writeError } from "../../src/builtin/write-refused.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";

export interface FoundFile {
  readonly kind: FileStatus["kind"];
  readonly bytes: number;
  readonly permissions: number;
}

interface PatchedFile {
  readonly path: string;
  /** The file's new content; undefined: it is removed. */
  readonly blocks: readonly Buffer[] | undefined;
}

export class PatchedFiles {
  readonly #invocation: Pick<Invocation, "files" | "recorder" | "limits">;
  readonly #directory: string;
  readonly #patched = new Map<string, PatchedFile>();
  #heldBytes = 0;

  /** `directory`: of -d, from the current one; "": none. */
  constructor(invocation: Pick<Invocation, "files" | "recorder" | "limits">, directory: string) {
    this.#invocation = invocation;
    this.#directory = directory;
  }

  /** `name` as it is named from the stage's current directory. */
  path(name: string): string {
    return inDirectory(this.#directory, name);
  }

  /** The file `name` itself, no link followed; undefined where there is none. Throws WriteRefused, FileError. */
  find(name: string): FoundFile | undefined {
    const patched = this.#patched.get(this.#key(name));
    if (patched !== undefined) {
      return patched.blocks && { kind: "file", bytes: patched.blocks.reduce((sum, { length }) => sum + length, 0), permissions: 0o644 };
    }
    try {
      const { kind, size, permissions } = this.#invocation.files.status(this.path(name), { follow: false });
      return { kind, bytes: size, permissions };
    } catch (thrown) {
      const { code } = writeError(thrown);
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw thrown;
    }
  }

  /** The content of `name`. Throws FileError, LimitReached. */
  read(name: string): Buffer {
    const patched = this.#patched.get(this.#key(name));
    if (patched?.blocks !== undefined) return Buffer.concat(patched.blocks);
    const file = this.#invocation.files.open(this.path(name));
    this.#hold(file.size);
    return Buffer.concat([...file.blocks()].map((block) => Buffer.from(block)));
  }

  /** Throws what writing to `name` would: WriteRefused, FileError. */
  checkWritable(name: string): void {
    const path = this.path(name);
    try {
      checkWritable(recorderFor(this.#invocation, path), this.#invocation.files.currentDirectory, path);
    } catch (thrown) {
      throw writeError(thrown);
    }
  }

  put(name: string, blocks: readonly Buffer[] | undefined): void {
    const path = this.path(name);
    this.#hold(blocks?.reduce((sum, { length }) => sum + length, 0) ?? 0);
    this.#patched.set(this.#key(name), { path, blocks });
  }

  /** Writes and removes all files that have changed, together. Throws WriteRefused, FileError. */
  write(): void {
    const { files } = this.#invocation;
    const contents = [...this.#patched.values()].flatMap(({ path, blocks }): FileContent[] =>
      this.#isAsBefore(path, blocks) ? [] : [{ path, content: blocks }],
    );
    const [first] = contents;
    if (first === undefined) return;
    try {
      replaceFiles(recorderFor(this.#invocation, first.path), files.currentDirectory, contents);
    } catch (thrown) {
      throw writeError(thrown);
    }
  }

  /** One key for all spellings of a file: links among its directories are followed. */
  #key(name: string): string {
    const path = this.path(name);
    const at = path.lastIndexOf("/") + 1;
    try {
      return `${this.#invocation.files.realPath(at === 0 ? "." : path.slice(0, at))}/${path.slice(at)}`;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      return path
        .split("/")
        .filter((component) => component !== "." && component !== "")
        .join("/");
    }
  }

  #isAsBefore(path: string, blocks: readonly Buffer[] | undefined): boolean {
    try {
      if (blocks === undefined) return this.#invocation.files.status(path, { follow: false }) === undefined;
      return isContentOf(this.#invocation.files, path, blocks);
    } catch (thrown) {
      if (thrown instanceof FileError && thrown.code === "ENOENT") return blocks === undefined;
      throw thrown;
    }
  }

  #hold(bytes: number): void {
    const { heldBytes } = this.#invocation.limits;
    this.#heldBytes += bytes;
    if (this.#heldBytes > heldBytes) throw new LimitReached("held", heldBytes, "bytes");
  }
}

/** `path`, which is taken from `directory`, as it is named from where that is named. */
export function inDirectory(directory: string, path: string): string {
  return directory === "" || isAbsolutePath(path) ? path : `${directory.replace(/\/+$/, "") || "/"}/${path}`;
}
