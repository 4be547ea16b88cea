/** Entry of this server in a client's configuration: made, brought up to date where it is there, and read. */

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
}

/** Keys under which a client keeps the command line: the program and its arguments apart, or all in one array. */
export type EntryShape =
  | { readonly program: "command" | "cmd"; readonly args: "args"; readonly env: "env" | "envs" }
  | { readonly all: "command"; readonly env: "environment" };

export const COMMAND_AND_ARGS: EntryShape = { program: "command", args: "args", env: "env" };

type Entry = Readonly<Record<string, unknown>>;

/**
 * The entry that starts the server by `wish`. In one that is there only the program, the root and missing mounts change; one that
 * leads to a server by its address is given back as it is. A new one has what is `fixed` for the client besides.
 */
export function updatedEntry(held: unknown, shape: EntryShape, wish: EntryWish, fixed: Entry): Entry {
  if (!isEntry(held))
    return { ...fixed, ...commandLine(shape, [...wish.launch.program, "--root", wish.root, ...wish.mounts], wish.launch.env) };
  const old = wordsOf(held, shape);
  if (old === undefined) return held;
  const words = updatedWords(old, wish);
  const rest = commandLine(shape, words, undefined);
  const { env } = wish.launch;
  const given = held[shape.env];
  return { ...held, ...rest, ...(env === undefined ? {} : { [shape.env]: { ...(isEntry(given) ? given : {}), ...env } }) };
}

function commandLine(shape: EntryShape, [command = "", ...args]: readonly string[], env: Launch["env"]): Entry {
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
function updatedWords(old: readonly string[], { launch, root, isRoot, mounts }: EntryWish): readonly string[] {
  const first = old.findIndex((word) => word.startsWith("--"));
  const options = first === -1 ? [] : [...old.slice(first)];
  const at = options.findIndex((word) => word === "--root" || word.startsWith("--root="));
  if (at === -1) options.unshift("--root", root);
  else if (options[at] === "--root") {
    if (!isRoot(options[at + 1] ?? "")) options[at + 1] = root;
  } else if (!isRoot((options[at] as string).slice("--root=".length))) options[at] = `--root=${root}`;
  for (let index = 0; index < mounts.length; index += 2) {
    const [option = "", value = ""] = mounts.slice(index, index + 2);
    if (!options.some((word, place) => word === `${option}=${value}` || (word === option && options[place + 1] === value)))
      options.push(option, value);
  }
  return [...launch.program, ...options];
}

/** The value that `keys` lead to in a file's value; undefined where they lead to nothing. */
export function entryAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (isEntry(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value);
}

/** An entry as a client starts it. */
export interface StartedEntry {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The command line in the entry `held`; undefined where there is none: no entry, or one that leads to an address. */
export function startedEntry(held: unknown, shape: EntryShape): StartedEntry | undefined {
  const words = isEntry(held) ? wordsOf(held, shape) : undefined;
  if (words === undefined || !isEntry(held)) return undefined;
  const env = held[shape.env];
  const texts = Object.entries(isEntry(env) ? env : {}).filter((pair): pair is [string, string] => typeof pair[1] === "string");
  return { words, env: Object.fromEntries(texts) };
}

/** What an update leaves of an entry: options but `--root` and those of `mounts`, and names of variables; empty where there is nothing. */
export function keptOf({ words, env }: StartedEntry, mounts: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => word.startsWith("--"));
  const options = first === -1 ? [] : words.slice(first);
  const at = options.findIndex((word) => word === "--root" || word.startsWith("--root="));
  const others = at === -1 ? options : options.toSpliced(at, options[at] === "--root" ? 2 : 1);
  return [...others.filter((word) => !mounts.includes(word)), ...Object.keys(env)];
}

/** The root that a command line names; undefined where it names none. */
export function rootIn(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === "--root" || word.startsWith("--root="));
  return at === -1 ? undefined : words[at] === "--root" ? words[at + 1] : words[at]?.slice("--root=".length);
}

const isEntry = (value: unknown): value is Entry => typeof value === "object" && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((one) => typeof one === "string");
