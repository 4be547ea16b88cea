/** Tests of what a file is: its type, size, number, names, and whether it may be used. */
import { quoteCurly } from "../../src/display/quote.ts";
import type { FileKind, FileStatus } from "../../src/workspace/file-status.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { TreeFile } from "../../src/walk/tree-file.ts";
import type { GivenPrimary, PrimaryReader } from "./primary.ts";
import { FindFailure, test, type Compiled } from "./expression.ts";
import type { FindRun } from "./find-run.ts";
import { holds, readComparison, type Comparison } from "./numbers.ts";

/** A test of a file's status; a file whose status cannot be had is complained about and does not pass. */
export function statusTest(run: FindRun, passes: (status: FileStatus, file: TreeFile) => boolean): Compiled {
  return test((file) => {
    try {
      return passes(file.status, file);
    } catch (thrown) {
      run.fileFailed(file.path, thrown);
      return false;
    }
  });
}

/** The status of a file that a test compares with: of the link itself unless -H or -L was given. */
export function referenceStatus(run: FindRun, path: string): FileStatus {
  const { files } = run.invocation;
  try {
    return files.status(path, { follow: run.request.follow !== "never" });
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    if (run.request.follow !== "never" && thrown.code === "ENOENT") {
      try {
        return files.status(path, { follow: false });
      } catch {
        // Said below.
      }
    }
    throw new FindFailure(`${quoteCurly(path)}: ${thrown.message}`);
  }
}

const KINDS: Readonly<Record<string, FileKind>> = {
  b: "block-device",
  c: "character-device",
  d: "directory",
  f: "file",
  l: "symlink",
  p: "fifo",
  s: "socket",
};

function readKinds(given: GivenPrimary): ReadonlySet<FileKind> {
  const text = given.take();
  const { name } = given;
  if (text === "") throw given.bad(`Arguments to ${name} should contain at least one letter`);
  const kinds = new Set<FileKind>();
  for (let at = 0; at < text.length; at += 2) {
    const letter = text.charAt(at);
    if (letter === "D") {
      throw given.bad(`${name} D is not supported because Solaris doors are not supported on the platform find was compiled on.`);
    }
    const kind = Object.hasOwn(KINDS, letter) ? KINDS[letter] : undefined;
    if (kind === undefined) throw given.bad(`Unknown argument to ${name}: ${letter}`);
    if (kinds.has(kind)) throw given.bad(`Duplicate file type '${letter}' in the argument list to ${name}.`);
    kinds.add(kind);
    if (at + 1 === text.length) break;
    if (text.charAt(at + 1) !== ",") throw given.bad(`Must separate multiple arguments to ${name} using: ','`);
    if (at + 2 === text.length) throw given.bad(`Last file type in list argument to ${name} is missing, i.e., list is ending on: ','`);
  }
  return kinds;
}

/** -xtype looks at the other side of a link than the rest of the search does. */
function otherKind(file: TreeFile, run: FindRun): FileKind {
  if (run.request.follow === "always" || (run.request.follow === "starting-points" && file.depth === 0)) return file.ownStatus.kind;
  if (file.kind !== "symlink") return file.status.kind;
  try {
    return file.targetStatus.kind;
  } catch (thrown) {
    if (thrown instanceof FileError && (thrown.code === "ENOENT" || thrown.code === "ENOTDIR")) return "symlink";
    throw thrown;
  }
}

/** Bytes in a unit of -size. */
const UNITS: Readonly<Record<string, bigint>> = { b: 512n, c: 1n, w: 2n, k: 1n << 10n, M: 1n << 20n, G: 1n << 30n };

function readSize(given: GivenPrimary): Comparison & { readonly unit: bigint } {
  const text = given.take();
  if (text === "") throw given.bad("invalid null argument to -size");
  const last = text.slice(-1);
  const unit = Object.hasOwn(UNITS, last) ? UNITS[last] : /[0-9]/.test(last) ? UNITS["b"] : undefined;
  if (unit === undefined) throw given.bad(`invalid -size type \`${last}'`);
  const comparison = readComparison(/[0-9]/.test(last) ? text : text.slice(0, -1));
  if (comparison === undefined) throw given.bad(`Invalid argument \`${text}' to -size`);
  return { ...comparison, unit };
}

const numberTest = (actual: (status: FileStatus) => bigint): PrimaryReader => ({
  role: "test",
  read(given) {
    const text = given.take();
    const wanted = readComparison(text);
    if (wanted === undefined) throw given.invalid(text);
    return (run) => statusTest(run, (status) => holds(wanted, actual(status)));
  },
});

const accessTest = (wanted: "read" | "write" | "execute"): PrimaryReader => ({
  role: "test",
  read: () => (run) =>
    test((file) => {
      try {
        return run.invocation.files.access(file.path, wanted);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        return false;
      }
    }),
});

function isEmpty(file: TreeFile, isGone: (path: string) => boolean): boolean {
  const kind = file.kind ?? file.status.kind;
  if (kind === "file") return file.status.size === 0;
  if (kind !== "directory") return false;
  const directory = file.openDirectory();
  try {
    const prefix = file.path.endsWith("/") ? file.path : `${file.path}/`;
    for (const { name } of directory.entries()) if (!isGone(prefix + name)) return false;
    return true;
  } finally {
    directory.close();
  }
}

export const filePrimaries: Readonly<Record<string, PrimaryReader>> = {
  "-type": {
    role: "test",
    read(given) {
      const kinds = readKinds(given);
      return (run) =>
        test((file) => {
          if (file.kind !== undefined) return kinds.has(file.kind);
          try {
            return kinds.has(file.status.kind);
          } catch (thrown) {
            run.fileFailed(file.path, thrown);
            return false;
          }
        });
    },
  },
  "-xtype": {
    role: "test",
    read(given) {
      const kinds = readKinds(given);
      return (run) =>
        test((file) => {
          try {
            return kinds.has(otherKind(file, run));
          } catch (thrown) {
            run.fileFailed(file.path, thrown);
            return false;
          }
        });
    },
  },
  "-size": {
    role: "test",
    read(given) {
      const { unit, ...wanted } = readSize(given);
      return (run) => statusTest(run, ({ size }) => holds(wanted, (BigInt(size) + unit - 1n) / unit));
    },
  },
  "-empty": {
    role: "test",
    read: () => (run) =>
      test((file) => {
        try {
          return isEmpty(file, (path) => run.isGone(path));
        } catch (thrown) {
          run.fileFailed(file.path, thrown);
          return false;
        }
      }),
  },
  "-links": numberTest(({ links }) => BigInt(links)),
  "-inum": numberTest(({ inode }) => inode),
  "-samefile": {
    role: "test",
    read(given) {
      const path = given.takeFile();
      return (run) => {
        const { inode, device } = referenceStatus(run, path);
        return statusTest(run, (status) => status.inode === inode && status.device === device);
      };
    },
  },
  "-readable": accessTest("read"),
  "-writable": accessTest("write"),
  "-executable": accessTest("execute"),
};
