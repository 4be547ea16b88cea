/**
 * Filter for the entry that a file of the project has: the file may have come with the project, from a stranger. Parts that reach out of the
 * root, or make a program that starts for it run or load something, are taken out and named with their values; all others stay.
 */
import { isAbsolute, resolve } from "node:path";
import { isInHostDirectory } from "../../host/host-file.ts";
import { SERVE } from "../commands.ts";
import type { Option } from "../command.ts";
import { isKept, POLICY_VARIABLES } from "./container-entry.ts";
import type { RunOption } from "./container-run.ts";

/** The project whose file has the entry, and the things beside it that a person has given to this run of init. */
export interface ProjectBounds {
  /** Host path of the root. */
  readonly root: string;
  /** The absolute paths that mean the root. */
  readonly names: readonly string[];
  /** Arguments for mounts: "--mount", "/docs=/srv/docs", …. */
  readonly mounts: readonly string[];
}

/** Parts of one kind: those that stay, and those that go, each in words with its value. */
export interface Sifted<T> {
  readonly stays: T;
  readonly goes: readonly string[];
}

type Entry = Readonly<Record<string, unknown>>;

/** Options that say how a server works within its root. */
const WITHIN_ROOT: ReadonlySet<string> = new Set(["profile", "read-only", "strict", "redirects", "split", "structured", "raw-output"]);

/** The options of a server's command line; words that are none, or lack their value, go. */
export function siftedOptions(words: readonly string[], bounds: ProjectBounds): Sifted<readonly string[]> {
  const stays: string[] = [];
  const goes: string[] = [];
  for (let at = 0; at < words.length; ) {
    const { name, value, length } = optionAt(words, at);
    const own = words.slice(at, at + length);
    at += length;
    // Of several roots a server takes the last, and init knows the first.
    const isRepeatedRoot = name === "root" && stays.some((word) => word === "--root" || word.startsWith("--root="));
    if (name !== undefined && !isRepeatedRoot && staysOption(name, value, bounds)) stays.push(...own);
    else goes.push(own.join(" "));
  }
  return { stays, goes };
}

/** The option at `at` with its value and its number of words; without a name where no server takes what stands there. */
function optionAt(
  words: readonly string[],
  at: number,
): { readonly name?: string; readonly value?: string | undefined; readonly length: number } {
  const [, name = "", joined] = /^--([^=]+)(?:=(.*))?$/s.exec(words[at] ?? "") ?? [];
  const options: Readonly<Record<string, Option>> = SERVE.options;
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  const next = words[at + 1];
  if (option === undefined) return { length: 1 };
  if (option.arg === undefined) return joined === undefined ? { name, length: 1 } : { length: 1 };
  if (joined !== undefined) return joined === "" ? { length: 1 } : { name, value: joined, length: 1 };
  return next === undefined || next === "" || /^-./.test(next) ? { length: 1 } : { name, value: next, length: 2 };
}

function staysOption(name: string, value: string | undefined, { root, names, mounts }: ProjectBounds): boolean {
  switch (name) {
    case "root":
      return true;
    case "config":
      return value !== undefined && isOutside(value, root);
    case "mount":
    case "also-read":
      return mounts.some((word, at) => word === `--${name}` && mounts[at + 1] === value);
    case "alias":
      return value !== undefined && names.includes(value);
    default:
      return WITHIN_ROOT.has(name);
  }
}

/**
 * Names of variables by which a program is made to run, load or trust a file, or to go to another daemon, registry, proxy or home: of the
 * loaders and the C library, shells, Node and npm, the engines, OpenSSL, OpenTelemetry and the systems. In any case, as Windows has them.
 */
const OF_PROGRAMS = new RegExp(
  `^(?:${[
    "LD_.*|DYLD_.*|GLIBC_.*|MALLOC_.*|GCONV_PATH|LOCPATH|NLSPATH|HOSTALIASES|RES_OPTIONS|PATH|PATHEXT|ENV|BASH_.*|SHELL|IFS",
    "NODE_.*|NPM_.*|UV_.*|OPENSSL_.*|SSL.*|OTEL_.*|.*_PROXY",
    "DOCKER_.*|BUILDKIT_.*|CONTAINERS?_.*|PODMAN_.*|STORAGE_.*|REGISTRY_.*|KUBE.*",
    "HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|XDG_.*|TMPDIR|TMP|TEMP|APPDATA|LOCALAPPDATA|PROGRAM.*|COMMONPROGRAM.*|SYSTEMROOT|WINDIR|COMSPEC",
  ].join("|")})$`,
  "i",
);

/** The variables that the entry sets. */
export function siftedVariables(variables: Entry, { root }: ProjectBounds): Sifted<Entry> {
  return sifted(variables, "=", (name, value) => {
    if (name === "SHELPA_CONFIG") return typeof value === "string" && isOutside(value, root);
    return /^SHELPA_/i.test(name) ? POLICY_VARIABLES.includes(name) : !OF_PROGRAMS.test(name);
  });
}

/** Keys by which clients switch a server off, give it time, name it or narrow its tools. None lets it be called without a question. */
const SETTINGS: ReadonlySet<string> = new Set(
  [
    "type name description disabled enabled required timeout startup_timeout_sec startup_timeout_ms tool_timeout_sec",
    "tools includeTools excludeTools enabled_tools disabled_tools disabledTools",
  ].flatMap((names) => names.split(" ")),
);

/** The client's own settings of the entry, beside its command line and variables; `fixed` are those of a new entry. */
export const siftedSettings = (settings: Entry, fixed: Entry): Sifted<Entry> =>
  sifted(settings, " ", (name) => SETTINGS.has(name) || Object.hasOwn(fixed, name));

function sifted(values: Entry, joint: string, stays: (name: string, value: unknown) => boolean): Sifted<Entry> {
  const all = Object.entries(values);
  return {
    stays: Object.fromEntries(all.filter(([name, value]) => stays(name, value))),
    goes: all
      .filter(([name, value]) => !stays(name, value))
      .map(([name, value]) => `${name}${joint}${typeof value === "string" ? value : JSON.stringify(value)}`),
  };
}

/** True for an option of a container's run that an update leaves. Labels are orders to other programs that watch an engine. */
export const isKeptOfProject = (option: RunOption): boolean => option.name !== "--label" && isKept(option);

/**
 * True for a file that lies outside the root for whoever starts the server: a relative path is from the client's directory, a variable of the
 * client's may be the project, and a name below /proc or of a descriptor is another file for each process.
 */
const isOutside = (path: string, root: string): boolean =>
  isAbsolute(path) &&
  !/[$%{`]/.test(path) &&
  !path.split(/[\\/]/).includes("..") &&
  !/^\/(?:proc|dev\/(?:fd|std(?:in|out|err)))(?:\/|$)/.test(resolve(path)) &&
  !isInHostDirectory(root, path);
