/**
 * Directories that the owner mounts beside the root: their notation on a command line and in a configuration file, and the conditions
 * under which they may stand beside it.
 */
import { isAbsolute, posix, resolve } from "node:path";
import { protectedPath } from "../audit/protected-paths.ts";
import { hostEntryExists, isHostDirectory, realPlace } from "../host/host-file.ts";
import type { MountPlace } from "../workspace/contract.ts";
import { FileError } from "../workspace/file-error.ts";
import { componentsBelow } from "../workspace/mount/prefix.ts";
import { aboveOf, fromHostPath, toHostPath } from "../workspace/walk/host-path.ts";
import { rulesBelow } from "../glob/path-rules.ts";
import { SCRATCH_PREFIX } from "../workspace/mount/scratch-files.ts";
import { ConfigurationError } from "./configuration-error.ts";
import type { Policy, PolicyMount } from "./policy.ts";

/** A mount as a program gives it. */
export interface MountOption {
  /** Absolute name under which the command lines find it: "/docs". */
  readonly name: string;
  /** Host directory, absolute. */
  readonly directory: string;
  /** Default: "read". */
  readonly access?: "read" | "write";
}

/** The mount that `/name=DIR`, `/name=DIR:ro` or `/name=DIR:rw` stands for. Throws ConfigurationError. */
export function mountOf(text: string, from: string): PolicyMount {
  const [, name, place] = /^(\/[^=]*)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || place === undefined) {
    const instead = text.startsWith("/") && !text.includes("=") ? `${text}=DIR, or --also-read ${text}` : "/docs=DIR, or /docs=DIR:rw";
    throw new ConfigurationError(`a mount is /NAME=DIR[:rw], and '${text}' is not: give ${instead}`);
  }
  return mountAt(name, place, from);
}

/** `place`: DIR, DIR:ro or DIR:rw; DIR is taken from the host directory `from`. */
export function mountAt(name: string, place: string, from: string): PolicyMount {
  const [, directory = place, access] = /^(.+):(ro|rw)$/s.exec(place) ?? [];
  return policyMount({ name, directory: resolve(from, directory), access: access === "rw" ? "write" : "read" });
}

/** The mount of a directory at its own path, for reading. */
export function alsoRead(directory: string, from: string): PolicyMount {
  const path = resolve(from, directory);
  return policyMount({ name: fromHostPath(path), directory: path });
}

/** Throws ConfigurationError. */
export function policyMount({ name, directory, access = "read" }: MountOption): PolicyMount {
  const plain = name.replace(/(?<=.)\/+$/, "");
  const names = plain.split("/").slice(1);
  if (!plain.startsWith("/") || names.some((each) => each === "" || each === "." || each === ".."))
    throw new ConfigurationError(`a mount's name is an absolute path such as /docs, and '${name}' is none`);
  if (!isAbsolute(directory)) throw new ConfigurationError(`${plain}: the directory '${directory}' is no absolute path`);
  if (/[\0-\x1f\x7f]/.test(plain + directory)) throw new ConfigurationError("a mount's name and directory have no control characters");
  return { name: plain, directory, access, own: [], denyRead: [] };
}

/** Throws ConfigurationError where the mounts may not stand beside this root, or not beside each other. */
export function checkMounts(mounts: readonly PolicyMount[], root: string, aliases: readonly string[]): void {
  if (mounts.length === 0) return;
  const realRoot = realDirectory(root, "the root");
  const held = mounts.map((mount) => ({ ...mount, real: realDirectory(mount.directory, `the mount ${mount.name}`) }));
  for (const [at, mount] of held.entries()) {
    checkName(mount, [fromHostPath(resolve(root)), realRoot, ...aliases]);
    if (areNested(mount.real, realRoot))
      throw new ConfigurationError(
        `the mount ${mount.name}: ${mount.real} and the root ${realRoot} lie in each other, and what the policy keeps there would have a second name`,
      );
    checkProtection(mount);
    for (const other of held.slice(0, at)) checkPair(other, mount);
  }
}

interface HeldMount extends PolicyMount {
  readonly real: string;
}

function checkName({ name, directory, access }: PolicyMount, rootNames: readonly string[]): void {
  if (rootNames.some((root) => areNested(root, name)))
    throw new ConfigurationError(`the mount ${name}: a path there would be one of the root; give it a name of its own, such as /docs`);
  // A directory of the host's own /tmp may be read at its path: what a session has there has other names.
  const isReadInPlace = access === "read" && name === directory && name !== SCRATCH_PREFIX;
  if (isAtOrBelow(name, SCRATCH_PREFIX) && !isReadInPlace)
    throw new ConfigurationError(
      `the mount ${name}: a path there would be one of a session's own ${SCRATCH_PREFIX}; give it another name, such as /docs`,
    );
  if (DEVICES.test(name))
    throw new ConfigurationError(`the mount ${name}: that name has a meaning of its own; give it another, such as /docs`);
}

/** Names that a line may use without a file: of descriptors, and of the null device. */
const DEVICES = /^\/dev(?:\/(?:null|tty|std(?:in|out|err)|fd)(?:\/|$)|$)/;

function checkPair(one: HeldMount, other: HeldMount): void {
  if (one.name === other.name) throw new ConfigurationError(`the mount ${one.name} is given twice`);
  const [outer, inner] = one.name.length < other.name.length ? [one, other] : [other, one];
  const below = componentsBelow(outer.name, inner.name)?.join("/");
  if (below !== undefined && inner.real !== posix.join(outer.real, below))
    throw new ConfigurationError(
      `the mount ${inner.name} would hide ${below} of ${outer.name}, which is another directory; give it a name of its own`,
    );
  if (one.access === "write" && other.access === "write" && areNested(one.real, other.real))
    throw new ConfigurationError(
      `the mounts ${one.name} and ${other.name} lie in each other, and both may be written: a change has one record, so let one of them only be read`,
    );
}

/**
 * Throws ConfigurationError where files of a mount for writing are protected for what lies above it on the host, which no path in the
 * mount shows.
 */
function checkProtection({ name, real, access }: HeldMount): void {
  if (access !== "write") return;
  const isProtected = protectedPath(real) !== undefined;
  const repository = waysUp(real).find(isGitDirectory);
  if (!isProtected && repository === undefined) return;
  const above = waysUp(repository ?? real).find((path) => path !== repository && protectedPath(path) === undefined);
  const why = isProtected
    ? "programs or agents on this host run or obey what is there, or it is this server's own, so that its files are protected"
    : "git takes it for a repository, or for a part of one, whose settings and hooks run commands";
  const instead = above === undefined || above === "/" ? "" : `, or mount ${above} for writing, below which it stays protected`;
  throw new ConfigurationError(
    `the mount ${name}: ${real} cannot be mounted for writing: ${why}; mount it for reading (${name}=${real})${instead}`,
  );
}

/** `path` and the directories above it. */
const waysUp = (path: string): readonly string[] => (path === aboveOf(path) ? [path] : [path, ...waysUp(aboveOf(path))]);

/** Tells whether a host directory looks to git as a repository (src/audit/git-directory.ts), by its names alone. */
function isGitDirectory(path: string): boolean {
  const has = (name: string): boolean => hostEntryExists(toHostPath(posix.join(path, name)));
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
}

const isAtOrBelow = (path: string, directory: string): boolean => componentsBelow(directory === "/" ? "" : directory, path) !== undefined;

const areNested = (one: string, other: string): boolean => isAtOrBelow(one, other) || isAtOrBelow(other, one);

function realDirectory(path: string, what: string): string {
  let real: string | undefined;
  try {
    real = realPlace(path);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new ConfigurationError(`${what}: ${path}: ${thrown.message}`);
  }
  if (real === undefined) throw new ConfigurationError(`${what}: ${path}: No such file or directory`);
  if (!isHostDirectory(toHostPath(real))) throw new ConfigurationError(`${what}: ${path}: Not a directory`);
  return real;
}

/** The name of the mount that an absolute path is at or under, by its text: of two, the longer. */
export const mountNamed = ({ mounts }: Policy, path: string): string | undefined =>
  mounts
    .map(({ name }) => name)
    .filter((name) => isAtOrBelow(path, name))
    .sort((a, b) => b.length - a.length)[0];

/**
 * The mounts as a workspace opens them. A rule of the policy that forbids is about what it names, and about paths from the top of each
 * tree.
 */
export const mountPlaces = ({ mounts, paths, readOnly }: Policy): readonly MountPlace[] =>
  mounts.map(({ name, directory, access, denyRead }) => ({
    prefix: name,
    directory,
    access: readOnly ? "read" : access,
    denyRead: rulesBelow(name, [...paths.denyRead, ...denyRead]),
  }));

/** Host paths, without links, of the mounts by their names, and of the root by "", for who opens none of them. */
export const hostPlaces = ({ mounts }: Policy, root: string): ReadonlyMap<string, string> =>
  new Map([{ name: "", directory: root }, ...mounts].map(({ name, directory }) => [name, realPlace(directory) ?? fromHostPath(directory)]));
