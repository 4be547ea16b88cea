/**
 * Handles where the system gives no path by a descriptor (macOS, Windows): a host path, and the identity of the file when it was
 * taken (device, inode, kind, birth). Every operation goes by the path, and only while the path still leads to that file: it is
 * checked before and after, and an opened file is compared with the one that was checked.
 *
 * The weaker guarantee of these platforms: links and `..` lead nowhere outside, as on Linux, because the same walk reads
 * each of them itself. Another process that swaps directories at the very moment is seen afterwards, and nothing is
 * given out that was read then; one that swaps there and back between two checks may be missed. Such a process must hit
 * two gaps of microseconds in a row.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  accessSync,
  statSync,
  statfsSync,
} from "node:fs";
import { posix } from "node:path";
import { isWindows } from "../../io/platform.ts";
import { toBytes, toText } from "../../io/text.ts";
import { isWindowsName } from "../../glob/windows-name.ts";
import { fromHostPath, toHostPath, windowsLinkText } from "./host-path.ts";
import { folded } from "./name-folding.ts";

interface Held {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
  /**
   * A removed file's inode number goes to the next one that is made: only its kind and its birth tell the two apart. Windows gives a
   * name that is made anew the birth of the one that it had, and numbers of NTFS and ReFS are not used again: there the birth is 0.
   */
  readonly kind: bigint;
  readonly bornNs: bigint;
}

/** Far above any descriptor, so that one number says which it is. */
const FIRST = 1 << 30;
/** Windows has neither. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants as { O_NOFOLLOW?: number; O_NONBLOCK?: number; O_NOCTTY?: number };

/** Every method throws what node:fs would: an error with a `code`. */
export class NamedHandles {
  /** Handles of the whole process, not of one caller, as descriptors are in the system's table. */
  readonly #held = new Map<number, Held>();
  readonly #isWindows: boolean;
  #next = FIRST;

  constructor(platform: NodeJS.Platform) {
    this.#isWindows = platform === "win32";
  }

  owns(handle: number): boolean {
    return handle >= FIRST;
  }

  holdHost(path: string, follow: boolean): number {
    const given = fromHostPath(path);
    const real = follow ? realOf(given) : given;
    const status = lstatSync(toHostPath(real), { bigint: true });
    if (!status.isDirectory()) throw systemError("ENOTDIR", path);
    return this.#keep(real, status);
  }

  holdDirectory(parent: number, name: string): number {
    const { path, status } = this.#look(parent, name);
    if (!status.isDirectory()) throw systemError("ENOTDIR", name);
    return this.#keep(path, status);
  }

  holdAny(parent: number, name: string): number {
    const { path, status } = this.#look(parent, name);
    return this.#keep(path, status);
  }

  release(handle: number): void {
    this.#held.delete(handle);
  }

  /** Opens what `handle` holds; what was opened is that, or ESTALE. */
  reopen(handle: number, flags: number): number {
    const held = this.#confirmed(handle);
    const descriptor = openSync(toHostPath(held.path), flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    try {
      if (!isSame(held, fstatSync(descriptor, { bigint: true }))) throw systemError("ESTALE", held.path);
      this.#confirmed(handle);
      return descriptor;
    } catch (thrown) {
      closeSync(descriptor);
      throw thrown;
    }
  }

  /** The result of `read` on the directory that `handle` holds. */
  list<T>(handle: number, read: (path: string | Buffer) => T): T {
    const found = read(toHostPath(this.#confirmed(handle).path));
    this.#confirmed(handle);
    return found;
  }

  status(handle: number): BigIntStats {
    return this.#confirmed(handle).status;
  }

  linkStatus(parent: number, name: string): BigIntStats {
    const { path, status } = this.#look(parent, name);
    this.#confirmed(parent);
    return this.#isWindows ? withPermissions(status, path) : status;
  }

  readLink(parent: number, name: string): Buffer {
    const { path } = this.#look(parent, name);
    const target = readlinkSync(toHostPath(path), { encoding: "buffer" });
    this.#confirmed(parent);
    return this.#isWindows ? toBytes(windowsLinkText(toText(target))) : target;
  }

  access(handle: number, mode: number): void {
    accessSync(toHostPath(this.#confirmed(handle).path), mode);
  }

  /** The name in its directory of what `handle` holds, as that lists it. */
  nameOf(handle: number): string {
    return posix.basename(this.#held.get(handle)?.path ?? "");
  }

  pathOf(handle: number): string {
    return this.#checked(handle).path;
  }

  /** statfs(2) f_type. */
  fileSystem(handle: number): number {
    return statfsSync(toHostPath(this.#checked(handle).path)).type;
  }

  isDead(handle: number): boolean {
    try {
      this.#confirmed(handle);
      return false;
    } catch {
      return true;
    }
  }

  /** The host path of `name` in the directory that `parent` holds, for a system call that makes, renames or removes it. */
  pathIn(parent: number, name: string): string | Buffer {
    this.#confirmed(parent);
    return toHostPath(this.#pathIn(parent, name));
  }

  #pathIn(parent: number, name: string): string {
    const { path } = this.#checked(parent);
    if (name === ".") return path;
    if (this.#isWindows && !isWindowsName(name)) throw systemError("ENOENT", name);
    return posix.join(path, name);
  }

  #look(parent: number, name: string): { readonly path: string; readonly status: BigIntStats } {
    const asked = this.#pathIn(parent, name);
    const status = lstatSync(toHostPath(asked), { bigint: true });
    const path = this.#isWindows && name !== "." ? ownPath(asked, status) : asked;
    this.#checked(parent);
    return { path, status };
  }

  #keep(path: string, status: BigIntStats): number {
    const handle = this.#next++;
    this.#held.set(handle, { path, device: status.dev, inode: status.ino, kind: status.mode & KIND_BITS, bornNs: bornNs(status) });
    return handle;
  }

  /** The file that `handle` holds, if its path still leads there. Throws ESTALE if it does not. */
  #checked(handle: number): Held & { readonly status: BigIntStats } {
    const held = this.#held.get(handle);
    if (held === undefined) throw systemError("EBADF", "");
    const status = lstatSync(toHostPath(held.path), { bigint: true });
    if (!isSame(held, status)) throw systemError("ESTALE", held.path);
    return { ...held, status: this.#isWindows ? withPermissions(status, held.path) : status };
  }

  /**
   * Checks as `#checked` does, and that no link is on the way: for whatever is given out or changed. The steps of a walk do
   * without, as this costs a check of each component, and the walk ends in one that has it.
   */
  #confirmed(handle: number): Held & { readonly status: BigIntStats } {
    const checked = this.#checked(handle);
    const directory = checked.status.isDirectory() ? checked.path : posix.dirname(checked.path);
    // realpath(3) gives each name as its directory has it, in whatever case and composition it was asked for.
    if (folded(realOf(directory)) !== folded(directory)) throw systemError("ESTALE", checked.path);
    return checked;
  }
}

/**
 * The path of the file at `path`, in a directory without links, by its own name: Windows finds it by that in any case, and by a short
 * one (`SECRET~1.TXT`). Throws an error with a `code`. A link's own name is looked for in its directory, which lists no short ones.
 */
function ownPath(path: string, status: BigIntStats): string {
  if (status.isSymbolicLink()) {
    const asked = posix.basename(path).toLowerCase();
    const name = readdirSync(toHostPath(posix.dirname(path))).find((each) => each.toLowerCase() === asked);
    if (name === undefined) throw systemError("ENOENT", path);
    return posix.join(posix.dirname(path), name);
  }
  const own = realOf(path);
  if (posix.dirname(own) !== posix.dirname(path)) throw systemError("ESTALE", path);
  return own;
}

/**
 * What a Linux tool says of a file on a file system without permissions: all may be read, what is not marked read-only is the user's to
 * write, directories may be entered, and programs are known by their names.
 */
function withPermissions(status: BigIntStats, path: string): BigIntStats {
  const kind = status.mode & KIND_BITS;
  const isRun = status.isDirectory() || /\.(?:exe|com|bat|cmd)$/i.test(path);
  const write = (status.mode & 0o200n) === 0n && !status.isDirectory() ? 0n : 0o200n;
  status.mode = kind | 0o444n | write | (isRun ? 0o111n : 0n);
  return status;
}

/** The status of a host directory. */
export function namedHostStatus(path: string): BigIntStats {
  const status = statSync(toHostPath(path), { bigint: true });
  return isWindows ? withPermissions(status, path) : status;
}

const realOf = (path: string): string => fromHostPath(toText(realpathSync.native(toHostPath(path), { encoding: "buffer" })));

/** inode(7): the file type bits of st_mode. */
const KIND_BITS = 0o170000n;

const isSame = (held: Held, status: BigIntStats): boolean =>
  held.device === status.dev && held.inode === status.ino && held.kind === (status.mode & KIND_BITS) && held.bornNs === bornNs(status);

const bornNs = ({ birthtimeNs }: BigIntStats): bigint => (isWindows ? 0n : birthtimeNs);

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
