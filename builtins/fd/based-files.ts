/** The files of a stage as they are seen from another directory (--base-directory). */
import { isAbsolutePath } from "../../src/glob/absolute-path.ts";
import type { ByteInput } from "../../src/io/input.ts";
import type { Files, HandedOver, OpenDirectory, OpenFile, Spill } from "../../src/workspace/contract.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";

/** Relative paths are taken from `base`, which is relative to the current directory of `files`, or absolute. */
export function filesFrom(files: Files, base: string): Files {
  return new BasedFiles(files, base);
}

class BasedFiles implements Files {
  readonly rootPath: string;
  readonly aboveRoot: FileStatus;
  readonly hiddenName: string;
  readonly userId: number;
  readonly groupId: number;
  readonly currentDirectory: string;
  readonly #files: Files;
  readonly #base: string;

  constructor(files: Files, base: string) {
    this.#files = files;
    this.#base = base.endsWith("/") ? base : `${base}/`;
    this.rootPath = files.rootPath;
    this.aboveRoot = files.aboveRoot;
    this.hiddenName = files.hiddenName;
    this.userId = files.userId;
    this.groupId = files.groupId;
    this.currentDirectory = files.realPath(base);
  }

  open(path: string): OpenFile {
    return this.#files.open(this.#from(path));
  }

  descriptor(path: string): ByteInput | undefined {
    return this.#files.descriptor(path);
  }

  openStore(path: string): OpenFile {
    return this.#files.openStore(this.#from(path));
  }

  openDirectory(path: string): OpenDirectory {
    return this.#files.openDirectory(this.#from(path));
  }

  status(path: string, options?: { readonly follow?: boolean }): FileStatus {
    return this.#files.status(this.#from(path), options);
  }

  readLink(path: string): string {
    return this.#files.readLink(this.#from(path));
  }

  realPath(path: string): string {
    return this.#files.realPath(this.#from(path));
  }

  get deniesReading(): boolean {
    return this.#files.deniesReading;
  }

  whyDenied(canonical: string): string | undefined {
    return this.#files.whyDenied(canonical);
  }

  whyDeniedFrom(directory: string, path: string): string | undefined {
    return this.#files.whyDeniedFrom(directory, path);
  }

  whyDeniedBelowAnyTop(path: string): string | undefined {
    return this.#files.whyDeniedBelowAnyTop(path);
  }

  fromRoot(path: string): string | undefined {
    return this.#files.fromRoot(path);
  }

  mountOf(path: string): string | undefined {
    return this.#files.mountOf(path);
  }

  inMount(path: string): Files | undefined {
    return this.#files.inMount(path);
  }

  access(path: string, wanted: "read" | "write" | "execute"): boolean {
    return this.#files.access(this.#from(path), wanted);
  }

  userName(userId: number): string | undefined {
    return this.#files.userName(userId);
  }

  userNumber(name: string): number | undefined {
    return this.#files.userNumber(name);
  }

  groupNumber(name: string): number | undefined {
    return this.#files.groupNumber(name);
  }

  openSpill(mostBytes: number): Spill {
    return this.#files.openSpill(mostBytes);
  }

  groupName(groupId: number): string | undefined {
    return this.#files.groupName(groupId);
  }

  handOver(): HandedOver {
    return { ...this.#files.handOver(), currentDirectory: this.currentDirectory };
  }

  #from(path: string): string {
    return isAbsolutePath(path) ? path : this.#base + path;
  }
}
