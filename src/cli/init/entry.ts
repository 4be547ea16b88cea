/** Entry of this server in a client's configuration: made, brought up to date where it is there, and read. */
import { containerArguments, foreignOptions, hostOptions, isKept, type Container } from "./container-entry.ts";
import { containerRunOf, type ContainerRun, type RunOption } from "./container-run.ts";
import type { Engine } from "./engine-names.ts";
import { isKeptOfProject, siftedOptions, siftedSettings, siftedVariables, type ProjectBounds } from "./project-entry.ts";

/** The name under which clients know the server. */
export const SERVER = "shelpa";

/** A program with its first arguments, and variables it needs besides. */
export interface Launch {
  readonly program: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

export interface EntryWish {
  readonly launch: Launch;
  /** The root as the client's file says it: a host path, or the client's own variable for it. */
  readonly root: string;
  /** True for another text that means the same root. */
  readonly isRoot: (text: string) => boolean;
  /** Arguments for the directories that are mounted: "--mount", "/docs=/srv/docs", …. */
  readonly mounts: readonly string[];
  /** The absolute paths that mean the root in a container. */
  readonly names: readonly string[];
  /** The container that `launch` runs the server in; undefined: it is started on the host. */
  readonly container?: Container | undefined;
  /** Bounds of what an entry keeps, where the client's file is the project's; undefined: it is the user's, and keeps all. */
  readonly bounds?: ProjectBounds | undefined;
}

/** Keys under which a client keeps the command line: the program and its arguments apart, or all in one array. */
export type EntryShape =
  | { readonly program: "command" | "cmd"; readonly args: "args"; readonly env: "env" | "envs" }
  | { readonly all: "command"; readonly env: "environment" };

export const COMMAND_AND_ARGS: EntryShape = { program: "command", args: "args", env: "env" };

type Entry = Readonly<Record<string, unknown>>;

/**
 * The entry that starts the server by `wish`. In one that is there only the program, the root and missing mounts change, and all options
 * of a container's run but those that stay; in a file of the project what is past its bounds goes. One that leads to a server by its address is
 * given back as it is, and one that can start nothing is replaced whole. A new one has what is `fixed` for the client besides. Throws
 * ConfigurationError for a path that has no place in a container.
 */
export function updatedEntry(held: unknown, shape: EntryShape, wish: EntryWish, fixed: Entry): Entry {
  const { env } = wish.launch;
  if (!isEntry(held)) return { ...fixed, ...commandLine(shape, wordsFor(NO_PARTS, wish), env) };
  if (hasAddress(held, shape)) return held;
  const parts = heldParts(held, shape, wish, fixed);
  if (parts === undefined) return updatedEntry(undefined, shape, wish, fixed);
  const { variables, settings } = parts;
  const isGone = (key: string): boolean => !Object.hasOwn(settings, key) && (!keysOf(shape).includes(key) || key === shape.env);
  const others = Object.fromEntries(Object.entries(held).filter(([key]) => !isGone(key)));
  const set = variables === undefined ? env : { ...variables, ...env };
  return { ...others, ...commandLine(shape, wordsFor(parts, wish), set) };
}

const ADDRESSES = ["url", "serverUrl", "httpUrl", "uri"];

const hasAddress = (entry: Entry, shape: EntryShape): boolean =>
  entry["all" in shape ? shape.all : shape.program] === undefined && ADDRESSES.some((key) => typeof entry[key] === "string");

/** Parts of an entry that an update leaves. */
interface HeldParts {
  /** The container that it runs, where it runs one. */
  readonly run: ContainerRun | undefined;
  /** Options of its server, as they are on the host. */
  readonly options: readonly string[];
  /** Options of the container's run. */
  readonly runOptions: readonly RunOption[];
  /** Undefined where it sets none. */
  readonly variables: Entry | undefined;
  /** Its other keys. */
  readonly settings: Entry;
  /** Parts that are taken out, each in words with its value. */
  readonly goes: readonly string[];
}

const NO_PARTS: HeldParts = { run: undefined, options: [], runOptions: [], variables: undefined, settings: {}, goes: [] };

/** The parts of the entry `held` that an update by `wish` leaves; undefined where it can start nothing. */
function heldParts(held: Entry, shape: EntryShape, { names, bounds }: EntryWish, fixed: Entry): HeldParts | undefined {
  const words = wordsOf(held, shape);
  if (words === undefined) return undefined;
  const run = containerRunOf(words);
  const options = run === undefined ? serverOptions(words) : hostOptions(run, names);
  const env = held[shape.env];
  const variables = isEntry(env) ? env : undefined;
  const own = keysOf(shape).filter((key) => key !== shape.env || variables !== undefined);
  const settings = Object.fromEntries(Object.entries(held).filter(([key]) => !own.includes(key)));
  const runOptions = run?.options.filter(bounds === undefined ? isKept : isKeptOfProject) ?? [];
  if (bounds === undefined) return { run, options, runOptions, variables, settings, goes: [] };
  const ofServer = siftedOptions(options, bounds);
  const ofProcess = siftedVariables(variables ?? {}, bounds);
  const ofClient = siftedSettings(settings, fixed);
  const isEmptied = ofProcess.goes.length > 0 && Object.keys(ofProcess.stays).length === 0;
  return {
    run,
    options: ofServer.stays,
    runOptions,
    variables: variables === undefined || isEmptied ? undefined : ofProcess.stays,
    settings: ofClient.stays,
    goes: [...ofServer.goes, ...ofProcess.goes, ...ofClient.goes],
  };
}

const keysOf = (shape: EntryShape): readonly string[] => Object.values(shape);

/** The command line by `wish`, with the parts of an entry that is there. */
function wordsFor({ run, options: held, runOptions, variables }: HeldParts, wish: EntryWish): readonly string[] {
  const { launch, container } = wish;
  // The root of a container is one of our own making.
  const options = updatedOptions(run === undefined ? held : withRoot(held, wish.root), wish);
  if (container === undefined) return [...launch.program, ...options];
  const named = variables?.["SHELPA_CONFIG"];
  const configuration = typeof named === "string" && named !== "" ? named : undefined;
  return [...launch.program, ...containerArguments(container, { options, kept: runOptions, configuration })];
}

function commandLine(shape: EntryShape, [command = "", ...args]: readonly string[], env: Entry | undefined): Entry {
  const words = "all" in shape ? { [shape.all]: [command, ...args] } : { [shape.program]: command, [shape.args]: args };
  return env === undefined ? words : { ...words, [shape.env]: env };
}

/** Program and arguments of an entry; undefined where it has no command. */
function wordsOf(entry: Entry, shape: EntryShape): readonly string[] | undefined {
  if ("all" in shape) {
    const all = entry[shape.all];
    return isTexts(all) && all.length > 0 ? all : undefined;
  }
  const program = entry[shape.program];
  const args = entry[shape.args] ?? [];
  return typeof program === "string" && isTexts(args) ? [program, ...args] : undefined;
}

/** The options of a server's command line start at its first word with two dashes: before it stands the program. */
export function serverOptions(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => word.startsWith("--"));
  return first === -1 ? [] : words.slice(first);
}

const rootAt = (options: readonly string[]): number => options.findIndex((word) => word === "--root" || word.startsWith("--root="));

function withRoot(options: readonly string[], root: string): readonly string[] {
  const at = rootAt(options);
  if (at === -1) return ["--root", root, ...options];
  return options[at] === "--root" ? options.toSpliced(at, 2, "--root", root) : options.with(at, `--root=${root}`);
}

function updatedOptions(held: readonly string[], { root, isRoot, mounts }: EntryWish): readonly string[] {
  const given = rootIn(held);
  const options = [...(given !== undefined && isRoot(given) ? held : withRoot(held, root))];
  for (let index = 0; index < mounts.length; index += 2) {
    const [option = "", value = ""] = mounts.slice(index, index + 2);
    if (!options.some((word, place) => word === `${option}=${value}` || (word === option && options[place + 1] === value)))
      options.push(option, value);
  }
  return options;
}

/** The value that `keys` lead to in a file's value; undefined where they lead to nothing. */
export function entryAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (isEntry(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value);
}

/** An entry as a client starts it. */
export interface StartedEntry {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The directory that it asks its client for. */
  readonly directory?: string;
}

/** The command line in the entry `held`; undefined where there is none: no entry, or one that leads to an address. */
export function startedEntry(held: unknown, shape: EntryShape): StartedEntry | undefined {
  const words = isEntry(held) ? wordsOf(held, shape) : undefined;
  if (words === undefined || !isEntry(held)) return undefined;
  const env = held[shape.env];
  const texts = Object.entries(isEntry(env) ? env : {}).filter((pair): pair is [string, string] => typeof pair[1] === "string");
  const directory = held["cwd"];
  return { words, env: Object.fromEntries(texts), ...(typeof directory === "string" ? { directory } : {}) };
}

/** Parts of an entry that is there which need not be its user's own. */
export interface Remains {
  /** Options but `--root` and those of `mounts`, and names of variables, which an update leaves; empty where there is nothing. */
  readonly kept: readonly string[];
  /** Options of a container's run that init does not write and takes out. */
  readonly dropped: readonly string[];
  /** Further parts that are past the bounds of a file of the project, each with its value. */
  readonly foreign: readonly string[];
  /** The engine whose container the server leaves for the host. */
  readonly leaves?: Engine;
  /** The entry can start nothing, and is replaced whole. */
  readonly isReplaced?: true;
}

/** The remains of an entry of which nothing is kept. */
export const NO_REMAINS: Remains = { kept: [], dropped: [], foreign: [] };

/** The parts of `held` that `updatedEntry` leaves and takes out; of no entry, and of one that leads to an address, there are none. */
export function remainsOf(held: unknown, shape: EntryShape, wish: EntryWish, fixed: Entry): Remains {
  if (!isEntry(held) || hasAddress(held, shape)) return NO_REMAINS;
  const parts = heldParts(held, shape, wish, fixed);
  if (parts === undefined) return { ...NO_REMAINS, isReplaced: true };
  const { run, options, runOptions, variables = {}, goes: foreign } = parts;
  const own = [...optionsBeside(options, wish.mounts), ...Object.keys(variables)];
  if (run === undefined) return { kept: own, dropped: [], foreign };
  if (wish.container === undefined) return { kept: own, dropped: [], foreign, leaves: run.engine };
  const { kept, dropped } = foreignOptions(wish.container, run, runOptions, containerRunOf(wordsFor(parts, wish)));
  return { kept: [...kept, ...own], dropped, foreign };
}

/** Options of a server on the host but its root and those of `mounts`. */
export function optionsBeside(options: readonly string[], mounts: readonly string[]): readonly string[] {
  const at = rootAt(options);
  const others = at === -1 ? options : options.toSpliced(at, options[at] === "--root" ? 2 : 1);
  return others.filter((word) => !mounts.includes(word));
}

/** The root that a command line names; undefined where it names none. */
export function rootIn(words: readonly string[]): string | undefined {
  const at = rootAt(words);
  return at === -1 ? undefined : words[at] === "--root" ? words[at + 1] : words[at]?.slice("--root=".length);
}

const isEntry = (value: unknown): value is Entry => typeof value === "object" && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((one) => typeof one === "string");
