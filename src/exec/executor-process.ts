/** The process of an executor: the program, what it is handed, and what Node lets it touch. */
import { fork, type ChildProcess } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isWindows } from "../io/platform.ts";
import type { ScratchBase } from "../workspace/mount/scratch-base.ts";
import { MOUNTS } from "../workspace/read/kernel-file-systems.ts";
import { seesResidentMemory } from "../host/process-memory.ts";
import { openNamelessFile } from "../workspace/read/spill.ts";
import { descriptorsCanBeInherited, release, statusOfHandle } from "../workspace/walk/descriptor.ts";
import { plainHostPath } from "../workspace/walk/host-path.ts";
import type { FileStatus } from "../workspace/file-status.ts";
import type { InheritedRoot } from "../workspace/walk/root.ts";
import type { RootHold } from "../workspace/walk/root-hold.ts";
import type { WorkspaceHold } from "../workspace/mount/workspace-hold.ts";
import type { RunnerOptions } from "./runner.ts";

/**
 * The descriptor number that an executor finds the root under: the first after stdin, stdout, stderr and IPC. Behind it are the base
 * of the scratch, the file without a name that is its temporary space, and the mounts, as far as they are there.
 */
const ROOT_DESCRIPTOR = 4;

/**
 * Starts an executor, and says what it finds its root under. The permission model lets it read its own code, the account names, and what it
 * reaches through descriptors that it holds: no host path of the workspace, so nothing outside the root even by a fault of ours.
 * `hasNeighbours`: other workspaces have the same server, and `..` of the root is shown as the root itself.
 */
export function startExecutor(
  options: RunnerOptions,
  held: WorkspaceHold,
  scratchBase: ScratchBase | undefined,
  hasNeighbours: boolean,
): { readonly child: ChildProcess; readonly inheritedRoot: InheritedRoot } {
  const spill = spillFile();
  const scratch = heldScratch(scratchBase);
  const program = executorPath();
  // On hosts that cannot hand a directory over as a descriptor, the executor reaches it by its path: all of it, and no more.
  const rootFiles = descriptorsCanBeInherited ? ["/proc/self/fd/*"] : all(held.root.canonical);
  const mounts = descriptorsCanBeInherited ? [] : held.mounts.map(({ place, hold }) => ({ ...place, directory: hold.canonical }));
  const files = [...rootFiles, ...mounts.flatMap(({ directory }) => all(directory))];
  const scratchFiles = scratch === undefined || descriptorsCanBeInherited ? [] : all(scratch.path);
  const readable = [join(dirname(program), "*"), ...files, ...scratchFiles, ...FACTS_OF_THE_HOST];
  // In a workspace that is open for reading only, the scratch is written, and Node cannot tell one descriptor from another.
  const mayWrite = !options.policy.readOnly || (scratch !== undefined && descriptorsCanBeInherited);
  const mountFiles = mounts.flatMap(({ directory, access }) => (access === "write" ? all(directory) : []));
  const writable = [...(mayWrite ? rootFiles : []), ...mountFiles, ...scratchFiles];
  const { root } = held;
  const given: number[] = [];
  /** The number under which the executor finds a descriptor of ours. */
  const handed = (descriptor: number): number => ROOT_DESCRIPTOR + given.push(descriptor) - 1;
  /** The same of a directory, which is a number of ours alone where it cannot be handed over. */
  const handedDirectory = (directory: number): number => (descriptorsCanBeInherited ? handed(directory) : directory);
  // Of the directory that holds them all, not even how many there are.
  const aboveOf = (hold: RootHold): FileStatus => (hasNeighbours ? statusOfHandle(hold.descriptor) : hold.aboveRoot);
  const inheritedRoot = {
    descriptor: handedDirectory(root.descriptor),
    canonical: root.canonical,
    aboveRoot: aboveOf(root),
    ...(scratch === undefined ? {} : { scratch: { descriptor: handedDirectory(scratch.descriptor), path: scratch.path } }),
    ...(spill === undefined ? {} : { spillDescriptor: handed(spill) }),
    mounts: held.mounts.map(({ hold, isThere }) =>
      isThere
        ? { descriptor: handedDirectory(hold.descriptor), canonical: hold.canonical, aboveRoot: aboveOf(hold) }
        : { canonical: hold.canonical },
    ),
  };
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const permission = major > 23 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13);
  const child = fork(program, [], {
    serialization: "advanced",
    // On its standard output it says that it takes too much memory, where we cannot see that ourselves.
    stdio: ["ignore", seesResidentMemory() ? "ignore" : "pipe", "inherit", "ipc", ...given],
    // All that is taken from our environment.
    env: process.env["TZ"] === undefined ? {} : { TZ: process.env["TZ"] },
    execArgv: [
      permission ? "--permission" : "--experimental-permission",
      ...outermost(readable).map((path) => `--allow-fs-read=${path}`),
      ...outermost(writable).map((path) => `--allow-fs-write=${path}`),
      `--max-old-space-size=${heapMebibytes(options)}`,
      "--disallow-code-generation-from-strings",
      "--disable-proto=delete",
      // For the threads of WebAssembly tools (src/wasm), which may open no more than the rest of the process.
      "--allow-worker",
      "--enable-experimental-regexp-engine-on-excessive-backtracks",
      "--no-warnings",
    ],
  });
  if (spill !== undefined) release(spill);
  return { child, inheritedRoot };
}

/**
 * A host directory, free of symbolic links, and everything below it, for Node's permission model. Node 20 reads the directory's own name
 * as the same and aborts over what is named twice.
 */
const all = (directory: string): readonly string[] => [join(plainHostPath(directory), "*")];

/**
 * The paths that no other one of them holds: where both are named (this program below the root, C:\), Node 20 forbids the outer directory
 * itself.
 */
function outermost(paths: readonly string[]): readonly string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && other.endsWith("*") && path.startsWith(other.slice(0, -1))));
}

/** The base of the scratch; undefined where the host has no room for one: a line that names it then says so. */
function heldScratch(base: ScratchBase | undefined): { readonly descriptor: number; readonly path: string } | undefined {
  try {
    return base && { descriptor: base.handle, path: base.path };
  } catch {
    return undefined;
  }
}

/** Opens a temporary file without a name. Undefined where the host gives none: a stage that needs one then says so. */
function spillFile(): number | undefined {
  try {
    return openNamelessFile();
  } catch {
    return undefined;
  }
}

/**
 * Names of accounts, the list of mounts, and for the lock that guards the records (write-lock.ts) what tells one process, one PID namespace
 * and one boot from another. Windows has no such files.
 */
const FACTS_OF_THE_HOST = isWindows
  ? []
  : ["/etc/passwd", "/etc/group", MOUNTS, "/proc/self/ns/pid", "/proc/self/stat", "/proc/sys/kernel/random/boot_id"];

/** The executor's bundle: beside ours in dist/, or dist/ of the checkout when we run from source (tests). */
function executorPath(): string {
  const here = fileURLToPath(import.meta.url);
  const fromSource = here.endsWith(".ts");
  return fileURLToPath(new URL(fromSource ? "../../dist/executor.js" : "./executor.js", import.meta.url));
}

/** Half of the resident limit: the rest is for blocks outside the heap. */
export const heapMebibytes = (options: RunnerOptions): number => Math.floor(options.policy.limits.residentBytes / 2 / (1 << 20));
