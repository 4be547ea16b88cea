/** The process of an executor: the program, what it is handed, and what Node lets it touch. */
import { fork, type ChildProcess } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ScratchBase } from "../workspace/mount/scratch-base.ts";
import { MOUNTS } from "../workspace/read/kernel-file-systems.ts";
import { openNamelessFile } from "../workspace/read/spill.ts";
import { descriptorsCanBeInherited, release } from "../workspace/walk/descriptor.ts";
import type { InheritedRoot } from "../workspace/walk/root.ts";
import type { RootHold } from "../workspace/walk/root-hold.ts";
import type { RunnerOptions } from "./runner.ts";

/**
 * The descriptor number that an executor finds the root under: the first after stdin, stdout, stderr and IPC. The base of the
 * scratch is behind it, and the file without a name that is its temporary space, as far as the host gives them.
 */
const ROOT_DESCRIPTOR = 4;

/**
 * Starts an executor, and says what it finds its root under. The permission model lets it read its own code, the account names, and what it reaches through
 * descriptors that it holds: no host path of the workspace, so nothing outside the root even by a fault of ours.
 */
export function startExecutor(
  options: RunnerOptions,
  root: RootHold,
  scratchBase: ScratchBase | undefined,
): { readonly child: ChildProcess; readonly inheritedRoot: InheritedRoot } {
  const spill = spillFile();
  const scratch = heldScratch(scratchBase);
  const program = executorPath();
  // On hosts that cannot hand a directory over as a descriptor, the executor reaches it by its path: all of it, and no more.
  const files = descriptorsCanBeInherited ? ["/proc/self/fd/*"] : [options.root, join(options.root, "*")];
  const scratchFiles = scratch === undefined || descriptorsCanBeInherited ? [] : [scratch.path, join(scratch.path, "*")];
  const readable = [join(dirname(program), "*"), ...files, ...scratchFiles, "/etc/passwd", "/etc/group", MOUNTS, ...LOCK_IDENTITY];
  // In a workspace that is open for reading only, the scratch is written, and Node cannot tell one descriptor from another.
  const mayWrite = !options.policy.readOnly || (scratch !== undefined && descriptorsCanBeInherited);
  const writable = [...(mayWrite ? files : []), ...scratchFiles];
  const handedOver = descriptorsCanBeInherited
    ? [root.descriptor, scratch?.descriptor, spill].filter((descriptor) => descriptor !== undefined)
    : [];
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const permission = major > 23 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13);
  const child = fork(program, [], {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc", ...handedOver],
    // All that is taken from our environment.
    env: process.env["TZ"] === undefined ? {} : { TZ: process.env["TZ"] },
    execArgv: [
      permission ? "--permission" : "--experimental-permission",
      ...readable.map((path) => `--allow-fs-read=${path}`),
      ...writable.map((path) => `--allow-fs-write=${path}`),
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
  const next = ROOT_DESCRIPTOR + 1;
  const inheritedRoot = {
    descriptor: ROOT_DESCRIPTOR,
    canonical: root.canonical,
    aboveRoot: root.aboveRoot,
    ...(scratch === undefined ? {} : { scratch: { descriptor: next, path: scratch.path } }),
    ...(spill === undefined ? {} : { spillDescriptor: scratch === undefined ? next : next + 1 }),
  };
  return { child, inheritedRoot };
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

/** Files that tell one process, one PID namespace and one boot from another, for the lock that guards the records (write-lock.ts). */
const LOCK_IDENTITY = ["/proc/self/ns/pid", "/proc/self/stat", "/proc/sys/kernel/random/boot_id"];

/** The executor's bundle: beside ours in dist/, or dist/ of the checkout when we run from source (tests). */
function executorPath(): string {
  const here = fileURLToPath(import.meta.url);
  const fromSource = here.endsWith(".ts");
  return fileURLToPath(new URL(fromSource ? "../../dist/executor.js" : "./executor.js", import.meta.url));
}

/** Half of the resident limit: the rest is for blocks outside the heap. */
export const heapMebibytes = (options: RunnerOptions): number => Math.floor(options.policy.limits.residentBytes / 2 / (1 << 20));
