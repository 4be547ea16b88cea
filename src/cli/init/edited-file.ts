/**
 * A configuration file that `init` changes for a person, and `doctor` reads. Below a project's root, where files and
 * links are somebody else's work, no link is followed, neither for reading nor for writing. Anywhere else the file is the
 * user's own, and may lie behind a link. Everywhere only a regular file of ordinary size is read, and a file is replaced
 * at once or not at all, by a new file of a name that nobody can foresee.
 */
import { basename, dirname } from "node:path";
import { randomName } from "../../audit/random-name.ts";
import { FileError } from "../../workspace/file-error.ts";
import type { FileStatus } from "../../workspace/file-status.ts";
import { madeHostDirectory, placesInRoot, realHostPath } from "../../host/host-file.ts";
import { isOwnUser } from "../../host/private-directory.ts";
import { plainHostPath } from "../../workspace/walk/host-path.ts";
import { Workspace } from "../../workspace/workspace.ts";
import type { WritableDirectory } from "../../workspace/write/write-directory.ts";

/** Every method throws FileError. */
export interface EditedFile {
  /** The content of the file; undefined where no file is. */
  text(): string | undefined;
  /** The content of the copy of it; undefined where there is none. */
  copied(): string | undefined;
  /**
   * Gives the file the content `text`, after its content has been copied to a file beside it whose name ends in COPY_ENDING. A copy that
   * is there is replaced only with `copiesAgain`.
   */
  replace(text: string, copiesAgain: boolean): void;
  /** Gives the file the content `text`, or removes it where that is undefined; the copy goes, too, if `withCopy`. */
  restore(text: string | undefined, withCopy: boolean): void;
  /** True where nothing at all lies in the file's directory. */
  isDirectoryEmpty(): boolean;
}

/** The end of the name of a copy, which lies beside its file. */
export const COPY_ENDING = ".before-shelpa";
/** More than any client's configuration has. */
const MOST_BYTES = 1 << 20;
/** Less the umask. */
const NEW_FILE_PERMISSIONS = 0o666;
const NEW_DIRECTORY_PERMISSIONS = 0o777;

/** The file at the host path `path`; `project` is the root that it may lie below, by its name or once a link on the way is followed. */
export function editedFile(project: Workspace, path: string): EditedFile {
  const below = project.fromRoot(path) ?? placesInRoot(plainHostPath(project.rootPath), path)[0];
  return below === undefined ? new OwnFile(path) : new ProjectFile(project, below);
}

class ProjectFile implements EditedFile {
  readonly #project: Workspace;
  /** Relative to the root. */
  readonly #path: string;

  constructor(project: Workspace, path: string) {
    this.#project = project;
    this.#path = path;
  }

  text(): string | undefined {
    return this.#content(basename(this.#path));
  }

  copied(): string | undefined {
    return this.#content(`${basename(this.#path)}${COPY_ENDING}`);
  }

  #content(name: string): string | undefined {
    try {
      return this.#inDirectory(undefined, (directory) => contentIn(directory, name))?.bytes.toString("utf8");
    } catch (thrown) {
      if (thrown instanceof FileError && thrown.code === "ENOENT") return undefined;
      throw thrown;
    }
  }

  replace(text: string, copiesAgain: boolean): void {
    this.#inDirectory(NEW_DIRECTORY_PERMISSIONS, (directory) => replaceIn(directory, basename(this.#path), text, directory, copiesAgain));
  }

  restore(text: string | undefined, withCopy: boolean): void {
    this.#inDirectory(undefined, (directory) => restoreIn(directory, basename(this.#path), text, directory, withCopy));
  }

  isDirectoryEmpty(): boolean {
    return this.#inDirectory(undefined, isEmpty);
  }

  /** Missing directories are made where there are `permissions` for them. */
  #inDirectory<T>(permissions: number | undefined, action: (directory: WritableDirectory) => T): T {
    try {
      return using(this.#project.writer().directory(dirname(this.#path).replace(/^\.$/, ""), permissions), action);
    } catch (thrown) {
      throw this.#explained(thrown);
    }
  }

  /** `thrown`, in words about links where a symbolic link is the cause. */
  #explained(thrown: unknown): unknown {
    if (!(thrown instanceof FileError) || (thrown.code !== "ENOTDIR" && thrown.code !== "NOT_REGULAR_FILE")) return thrown;
    const { kind } = this.#project.status(thrown.path, { follow: false });
    return kind === "symlink" ? new FileError(thrown.code, thrown.path, LINK_WORDS) : thrown;
  }
}

const LINK_WORDS = "is a symbolic link, and none is followed in a project, because it may lead out of it: put the file itself there";

class OwnFile implements EditedFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  text(): string | undefined {
    return ownContent(this.#path)?.bytes.toString("utf8");
  }

  copied(): string | undefined {
    const found = ownContent(`${this.#path}${COPY_ENDING}`);
    // What somebody else has put there is no copy of ours.
    return found !== undefined && isOwnUser(found.status.userId) ? found.bytes.toString("utf8") : undefined;
  }

  replace(text: string, copiesAgain: boolean): void {
    const beside = madeHostDirectory(dirname(this.#path));
    this.#inBoth(beside, (directory, name, copies) => replaceIn(directory, name, text, copies, copiesAgain, basename(this.#path)));
  }

  restore(text: string | undefined, withCopy: boolean): void {
    this.#inBoth(dirname(this.#path), (directory, name, copies) =>
      restoreIn(directory, name, text, copies, withCopy, basename(this.#path)),
    );
  }

  isDirectoryEmpty(): boolean {
    return inHostDirectory(dirname(this.#path), isEmpty);
  }

  /** Copies lie beside the name by which the user knows the file, which may be a link into another directory. */
  #inBoth(beside: string, action: (directory: WritableDirectory, name: string, copies: WritableDirectory) => void): void {
    const real = realHostPath(this.#path) ?? `${beside}/${basename(this.#path)}`;
    inHostDirectory(dirname(real), (directory) => inHostDirectory(beside, (copies) => action(directory, basename(real), copies)));
  }
}

const isEmpty = (directory: WritableDirectory): boolean => directory.names().length === 0;

function ownContent(path: string): Content | undefined {
  const real = realHostPath(path);
  return real === undefined ? undefined : inHostDirectory(dirname(real), (directory) => contentIn(directory, basename(real)));
}

/** `known` is the name by which the user knows the file, after which its copy is called. */
function replaceIn(
  directory: WritableDirectory,
  name: string,
  text: string,
  copies: WritableDirectory,
  copiesAgain: boolean,
  known: string = name,
): void {
  const old = contentIn(directory, name);
  const copy = `${known}${COPY_ENDING}`;
  if (old !== undefined && (copiesAgain || !isThere(copies, copy))) put(copies, copy, old.bytes, old.status);
  put(directory, name, Buffer.from(text), old?.status);
}

function restoreIn(
  directory: WritableDirectory,
  name: string,
  text: string | undefined,
  copies: WritableDirectory,
  withCopy: boolean,
  known: string = name,
): void {
  if (text === undefined) directory.remove(name);
  else put(directory, name, Buffer.from(text), contentIn(directory, name)?.status);
  if (withCopy && isThere(copies, `${known}${COPY_ENDING}`)) copies.remove(`${known}${COPY_ENDING}`);
}

/** True where a regular file has the name; anything else there is left to what is done next. */
function isThere(directory: WritableDirectory, name: string): boolean {
  try {
    return contentIn(directory, name) !== undefined;
  } catch (thrown) {
    if (thrown instanceof FileError) return false;
    throw thrown;
  }
}

/** Errors name the host path. */
function inHostDirectory<T>(path: string, action: (directory: WritableDirectory) => T): T {
  const workspace = Workspace.open(path);
  try {
    return using(workspace.writer().root(), action);
  } catch (thrown) {
    throw thrown instanceof FileError && !thrown.path.startsWith("/")
      ? new FileError(thrown.code, `${path}/${thrown.path}`, thrown.message)
      : thrown;
  } finally {
    workspace.close();
  }
}

function using<T>(directory: WritableDirectory, action: (directory: WritableDirectory) => T): T {
  try {
    return action(directory);
  } finally {
    directory.close();
  }
}

interface Content {
  readonly bytes: Buffer;
  readonly status: FileStatus;
}

/** The content of `name`; undefined where it does not exist. Anything but a regular file is NOT_REGULAR_FILE, and never opened. */
function contentIn(directory: WritableDirectory, name: string): Content | undefined {
  const file = directory.open(name);
  if (file === undefined) return undefined;
  try {
    const { status } = file;
    const bytes = file.bytes(0, MOST_BYTES + 1);
    if (bytes.length <= MOST_BYTES) return { bytes, status };
    throw new FileError("EFBIG", directory.path === "" ? name : `${directory.path}/${name}`, `is longer than ${MOST_BYTES} bytes`);
  } finally {
    file.close();
  }
}

/** Puts a new file with `bytes`, and the owner and permissions of `like`, in the place of whatever is called `name`. */
function put(directory: WritableDirectory, name: string, bytes: Buffer, like: FileStatus | undefined): void {
  const fresh = randomName("new");
  try {
    putAs(fresh, directory, name, bytes, like);
  } catch (thrown) {
    // Nobody knows the new file by its name.
    throw thrown instanceof FileError ? new FileError(thrown.code, thrown.path.replace(fresh, name), thrown.message) : thrown;
  }
}

function putAs(fresh: string, directory: WritableDirectory, name: string, bytes: Buffer, like: FileStatus | undefined): void {
  // Nobody is to read it before it has the permissions it is to have.
  const file = directory.create(fresh, like === undefined ? NEW_FILE_PERMISSIONS : 0o600, { durable: true });
  if (file === undefined) throw new FileError("EEXIST", fresh);
  try {
    file.write(bytes);
    if (like !== undefined) file.takeModeFrom(like);
    directory.rename(fresh, name);
  } catch (thrown) {
    directory.remove(fresh);
    throw thrown;
  } finally {
    file.close();
  }
  directory.sync();
}
