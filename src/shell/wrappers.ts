/**
 * Commands that run another with something changed: `command`, `builtin`, `env NAME=VALUE`, `timeout`, `nice`, `nohup`, `stdbuf`.
 * They are read with the line, so that what they run is a command like any other: the guard sees its name, flags and files, and data
 * chooses none of them. What cannot be read here stays as it was typed, and is refused by its name.
 */
import { SHELL_ALONE } from "./bash-builtins.ts";
import { staticText, type Assignment, type Word, type Wrapper } from "./tree.ts";

export interface Unwrapped {
  readonly words: readonly [Word, ...Word[]];
  /** Variables that are set for the command, by the shell and then by the wrappers. */
  readonly assignments: readonly Assignment[];
  readonly wrappers: readonly Wrapper[];
  /** The words of the wrappers. */
  readonly wrapped: readonly Word[];
}

/** Names of the wrappers. */
export const WRAPPERS: readonly string[] = ["builtin", "command", "env", "nice", "nohup", "stdbuf", "timeout"];

/** `words` without the wrappers in front; undefined where one of them would run what only a shell can, or a named pipeline. */
export function unwrapped(words: readonly [Word, ...Word[]], before: readonly Assignment[], line: string): Unwrapped | undefined {
  const wrappers: Wrapper[] = [];
  const assignments = [...before];
  let left = words;
  for (;;) {
    const name = line.slice(left[0].span.start, left[0].span.end);
    const text = staticText(left[0]) ?? "";
    if (wrappers.some(({ kind }) => kind !== "shell") && SHELL_ALONE.has(text)) return undefined;
    if (wrappers.length > 0 && text.startsWith("@") && text !== "@out") return undefined;
    const wrapped = words.slice(0, words.length - left.length);
    if (!WRAPPERS.includes(name)) return { words: left, wrappers, wrapped, assignments };
    const rest = new Arguments(left.slice(1), line);
    const wrapper = READERS[name]?.(rest, assignments);
    const [first, ...others] = rest.left;
    if (wrapper === undefined || first === undefined) return { words: left, wrappers, wrapped, assignments };
    wrappers.push(wrapper);
    left = [first, ...others];
  }
}

/** The arguments of a wrapper, from its options on. */
class Arguments {
  left: readonly Word[];
  readonly #line: string;

  constructor(left: readonly Word[], line: string) {
    this.left = left;
    this.#line = line;
  }

  /** Text of the next argument; undefined where it is not literal, or there is none. */
  get text(): string | undefined {
    return this.left[0] && staticText(this.left[0]);
  }

  /** True where an option may stand next: what is expanded could be one. */
  get mayBeOption(): boolean {
    const [next] = this.left;
    if (next === undefined) return false;
    const [part] = next.parts;
    return this.#line.startsWith("-", next.span.start) || (part?.kind === "text" ? part.text.startsWith("-") : part !== undefined);
  }

  next(): string | undefined {
    const { text } = this;
    this.left = this.left.slice(1);
    return text;
  }

  /**
   * Reads options up to the first operand: `values` take one, by letter or long name, `switches` none. Undefined where there is
   * another, or one that is not literal.
   */
  options(values: Readonly<Record<string, string>>, switches: Readonly<Record<string, string>>): ReadonlyMap<string, string> | undefined {
    const found = new Map<string, string>();
    while (this.mayBeOption) {
      const text = this.next();
      if (text === undefined || text === "-") return undefined;
      if (text === "--") return found;
      const [name, joined] = text.startsWith("--") ? split(text.slice(2)) : [text.charAt(1), text.slice(2) || undefined];
      const switched = Object.hasOwn(switches, name) ? switches[name] : undefined;
      const valued = Object.hasOwn(values, name) ? values[name] : undefined;
      if (switched !== undefined && joined === undefined) found.set(switched, "");
      else if (valued !== undefined) {
        const value = joined ?? this.next();
        if (value === undefined) return undefined;
        found.set(valued, found.has(valued) ? `${found.get(valued)}\0${value}` : value);
      } else return undefined;
    }
    return found;
  }
}

function split(option: string): [string, string | undefined] {
  const equals = option.indexOf("=");
  return equals < 0 ? [option, undefined] : [option.slice(0, equals), option.slice(equals + 1)];
}

const READERS: Readonly<Record<string, (args: Arguments, assignments: Assignment[]) => Wrapper | undefined>> = {
  command(args) {
    const options = args.options({}, { p: "p" });
    return options && { kind: "shell", name: "command" };
  },
  builtin(args) {
    const options = args.options({}, {});
    return options && { kind: "shell", name: "builtin" };
  },
  env(args, assignments) {
    if (args.text === "-") args.next();
    const options = args.options({ u: "unset", unset: "unset" }, { i: "clear", "ignore-environment": "clear" });
    if (options === undefined) return undefined;
    const set: Assignment[] = [];
    for (let [word] = args.left; word !== undefined; [word] = args.left) {
      const assignment = assignmentOf(word);
      if (assignment === undefined) break;
      if (!assignment.isWhole) return undefined;
      set.push(assignment);
      args.next();
    }
    if (args.left.length === 0) return undefined;
    const clear = options.has("clear");
    const unset = options.get("unset")?.split("\0") ?? [];
    const kept = assignments.filter(({ name }) => !clear && !unset.includes(name));
    assignments.splice(0, assignments.length, ...kept, ...set);
    return { kind: "environment", clear, unset };
  },
  timeout(args) {
    const options = args.options(
      { s: "signal", signal: "signal", k: "kill", "kill-after": "kill" },
      { foreground: "foreground", "preserve-status": "preserve", v: "verbose", verbose: "verbose" },
    );
    if (options === undefined || options.has("verbose")) return undefined;
    const seconds = secondsOf(args.next() ?? "");
    const kill = options.get("kill");
    const signal = SIGNALS.get((options.get("signal") ?? "TERM").toUpperCase().replace(/^SIG/, ""));
    if (seconds === undefined || signal === undefined || (kill !== undefined && secondsOf(kill) === undefined)) return undefined;
    return { kind: "timeout", seconds, exit: options.has("preserve") ? 128 + signal : 124 };
  },
  nice(args) {
    if (/^-\d+$/.test(args.text ?? "")) args.next();
    const options = args.options({ n: "n", adjustment: "n" }, {});
    return options === undefined || !/^[+-]?\d+$/.test(options.get("n") ?? "0") ? undefined : { kind: "program", name: "nice" };
  },
  nohup(args) {
    const options = args.options({}, {});
    return options && { kind: "program", name: "nohup" };
  },
  stdbuf(args) {
    const options = args.options({ i: "i", o: "o", e: "e", input: "i", output: "o", error: "e" }, {});
    if (options === undefined || options.size === 0 || options.get("i") === "L") return undefined;
    return [...options.values()].every((mode) => /^(L|\d+[kKMG]?B?)$/.test(mode)) ? { kind: "program", name: "stdbuf" } : undefined;
  },
};

/** `NAME=value` as a word; not whole where it may turn out to be several. */
function assignmentOf(word: Word): (Assignment & { readonly isWhole: boolean }) | undefined {
  const [first, ...others] = word.parts;
  const name = first?.kind === "text" ? /^([A-Za-z_]\w*)=/.exec(first.text)?.[1] : undefined;
  if (first?.kind !== "text" || name === undefined) return undefined;
  const parts = [{ ...first, text: first.text.slice(name.length + 1), quoted: true }, ...others];
  const isWhole = others.every((part) => part.kind === "text" || part.kind === "glob" || (part.kind !== "home" && part.quoted));
  return { name, append: false, value: { parts, span: word.span }, span: word.span, isWhole };
}

/** Seconds of a DURATION; 0 stands for no limit. */
function secondsOf(text: string): number | undefined {
  const [, number, unit = ""] = /^(\d+\.?\d*|\.\d+)([smhd]?)$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * ({ m: 60, h: 3600, d: 86_400 }[unit] ?? 1);
}

/** Not KILL, of which bash tells with the number of a process. */
const SIGNALS: ReadonlyMap<string, number> = new Map(
  Object.entries({ HUP: 1, INT: 2, QUIT: 3, USR1: 10, USR2: 12, ALRM: 14, TERM: 15 }).flatMap(([name, number]) => [
    [name, number],
    [String(number), number],
  ]),
);
