/**
 * Commands typed at the prompt of `shelpa`, in memory and in a file of the user's own. Each is one line of the file, with the newlines
 * and backslashes in it escaped, so that several sessions append to it at once.
 */
import { join, resolve } from "node:path";
import { INVISIBLE } from "../display/visible.ts";
import { appendToPrivateFile, hostFileText, moveHostFile, placesInRoot } from "../host/host-file.ts";
import { FileError } from "../workspace/file-error.ts";

/** Most commands that Up and Ctrl-R go back over, and lines of the file. */
const MOST_COMMANDS = 5000;
/** The longest command kept, in UTF-16 units: one that holds a file's text is of no use later. */
const MOST_UNITS = 16 * 1024;

/**
 * Path of the history file: `shelpa/history` in `$XDG_STATE_HOME`, or in ~/.local/state. Undefined where `$SHELPA_HISTORY` is "off", where
 * no home is known, and where it would lie in `root`, whose lines could read it.
 */
export function historyPath(root: string, environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const { SHELPA_HISTORY: wanted, XDG_STATE_HOME: state, HOME: home } = environment;
  if (wanted === "off") return undefined;
  const directory = state || (home === undefined || home === "" ? undefined : join(home, ".local", "state"));
  if (directory === undefined) return undefined;
  const path = resolve(directory, "shelpa", "history");
  return placesInRoot(root, path).length > 0 ? undefined : path;
}

export class LineHistory {
  /** The newest first, each once; changed in place. */
  readonly commands: readonly string[];
  readonly #commands: string[];
  readonly #path: string | undefined;

  /** Reads the file at the host path `path`, if there is one; what cannot be read is no reason not to begin. */
  constructor(path: string | undefined) {
    this.#path = path;
    this.#commands = path === undefined ? [] : readHistory(path);
    this.commands = this.#commands;
  }

  /** Keeps `command`, unless it begins with a space, as bash has it with `HISTCONTROL=ignoreboth`. */
  add(command: string): void {
    if (/^\s/.test(command) || !isKept(command)) return;
    const isRepeated = this.#commands[0] === command;
    const at = this.#commands.indexOf(command);
    if (at >= 0) this.#commands.splice(at, 1);
    this.#commands.unshift(command);
    this.#commands.splice(MOST_COMMANDS);
    if (this.#path !== undefined && !isRepeated) appendToPrivateFile(this.#path, `${escaped(command)}\n`);
  }
}

/** A terminal would obey what is not visible, and a file may hold it. */
const isKept = (command: string): boolean => command !== "" && command.length <= MOST_UNITS && command.search(INVISIBLE) < 0;

/** Commands of the file and of the one before it, the newest first. A long file becomes the one before: its appenders lose nothing. */
function readHistory(path: string): string[] {
  const before = `${path}.1`;
  const newest = linesOf(path);
  const older = linesOf(before) ?? [];
  if (newest === undefined || newest.length > MOST_COMMANDS) moveHostFile(path, before);
  const commands = [...older, ...(newest ?? [])].map(unescaped).filter(isKept).reverse();
  return [...new Set(commands)].slice(0, MOST_COMMANDS);
}

/** Undefined for a file that is too long to be read. */
function linesOf(path: string): readonly string[] | undefined {
  try {
    return (hostFileText(path) ?? "").split("\n").slice(0, -1);
  } catch (thrown) {
    if (thrown instanceof FileError) return thrown.code === "EFBIG" ? undefined : [];
    throw thrown;
  }
}

const escaped = (command: string): string => command.replace(/[\\\n]/g, (character) => (character === "\n" ? "\\n" : "\\\\"));
const unescaped = (line: string): string => line.replace(/\\([\\n])/g, (_, character) => (character === "n" ? "\n" : "\\"));
