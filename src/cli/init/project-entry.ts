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
import { repositoryOf } from "./repository.ts";

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
      return WITHIN_ROOT.has(name) && (value === undefined || isTaken(name, value));
  }
}

/** True for a value that a server takes for the option. */
function isTaken(name: string, value: string): boolean {
  const { completes } = (SERVE.options as Readonly<Record<string, Option>>)[name] ?? {};
  return Array.isArray(completes) ? completes.includes(value) : isPlain(value);
}

/** True for a text in which no client puts a file, a variable or the output of a command, and that has no line break or NUL in it. */
const isPlain = (text: string): boolean => !/[$%{}`\0\r\n]/.test(text);

/** Variables besides the policy's that say how a server works within its root. */
const OF_LOCALE = /^(?:TZ|LANG|LC_[A-Z]+)$/;

/** The variables that the entry sets. */
export function siftedVariables(variables: Entry, { root }: ProjectBounds): Sifted<Entry> {
  return sifted(variables, "=", (name, value) => {
    if (typeof value !== "string" || !isPlain(value)) return false;
    if (name === "SHELPA_CONFIG") return isOutside(value, root);
    const option = Object.hasOwn(OPTION_OF, name) ? OPTION_OF[name] : undefined;
    if (option !== undefined) return isTaken(option, value);
    if (name === "SHELPA_TIME_SECONDS") return Number(value) > 0;
    return POLICY_VARIABLES.includes(name) ? /^(?:true|false|yes|no|1|0)$/.test(value) : OF_LOCALE.test(name);
  });
}

/** Variables that have the values of an option. */
const OPTION_OF: Readonly<Record<string, string>> = { SHELPA_PROFILE: "profile", SHELPA_REDIRECTS: "redirects" };

const isTrueOrFalse = (value: unknown): boolean => typeof value === "boolean";
const isTime = (value: unknown): boolean => typeof value === "number";
const isWord = (value: unknown): boolean => typeof value === "string" && /^[\w ./-]{1,100}$/.test(value);
const areWords = (value: unknown): boolean => Array.isArray(value) && value.every(isWord);

/** Keys by which clients switch a server off, give it time, name it or narrow its tools. None lets it be called without a question. */
const SETTINGS: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...{ type: isWord, name: isWord },
  ...{ disabled: isTrueOrFalse, enabled: isTrueOrFalse, required: isTrueOrFalse },
  ...{ timeout: isTime, startup_timeout_sec: isTime, startup_timeout_ms: isTime, tool_timeout_sec: isTime },
  ...{ includeTools: areWords, excludeTools: areWords, enabled_tools: areWords, disabled_tools: areWords, disabledTools: areWords },
};

/** The client's own settings of the entry, beside its command line and variables; `fixed` are those of a new entry. */
export const siftedSettings = (settings: Entry, fixed: Entry): Sifted<Entry> =>
  sifted(settings, " ", (name, value) => {
    const isKind = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
    return isKind?.(value) === true || (Object.hasOwn(fixed, name) && JSON.stringify(value) === JSON.stringify(fixed[name]));
  });

function sifted(values: Entry, joint: string, stays: (name: string, value: unknown) => boolean): Sifted<Entry> {
  const all = Object.entries(values);
  return {
    stays: Object.fromEntries(all.filter(([name, value]) => stays(name, value))),
    goes: all
      .filter(([name, value]) => !stays(name, value))
      .map(([name, value]) => `${name}${joint}${typeof value === "string" ? value : JSON.stringify(value)}`),
  };
}

/**
 * True for an option of a container's run that an update leaves. Labels are orders to other programs that watch an engine; the user in the
 * container and its SELinux label are a part of the wall.
 */
export const isKeptOfProject = (option: RunOption): boolean =>
  !["--label", "--user", "--security-opt"].includes(option.name) && isPlain(option.value ?? "") && isKept(option);

/**
 * True for a file that lies outside the repository for whoever starts the server: a relative path is from the client's directory, a variable of the
 * client's may be the project, and a name below /proc or of a descriptor is another file for each process.
 */
const isOutside = (path: string, root: string): boolean =>
  isAbsolute(path) &&
  !/[$%{`]/.test(path) &&
  !path.split(/[\\/]/).includes("..") &&
  !/^\/(?:proc|dev\/(?:fd|std(?:in|out|err)))(?:\/|$)/.test(resolve(path)) &&
  !isInHostDirectory(repositoryOf(root), path);
