/**
 * Arguments of a git command. A command names its flags in one text: `--oneline` is a switch, `--since:` takes a value,
 * `--stat?` may be given one after `=` (`-M?`: joined).
 */
import { UsageError } from "../../../src/builtin/usage-error.ts";

export interface Option {
  /** As the command names it: "--stat", "-n". */
  readonly name: string;
  readonly value: string | undefined;
}

export class Options {
  readonly list: readonly Option[];
  readonly operands: readonly string[];
  /** The words after `--`; undefined if `--` is absent. */
  readonly paths: readonly string[] | undefined;
  /** Names of flags and operands as they came, before any `--`. */
  readonly sequence: readonly string[];

  constructor(
    list: readonly Option[],
    operands: readonly string[],
    paths: readonly string[] | undefined,
    sequence: readonly string[] = [],
  ) {
    this.list = list;
    this.sequence = sequence;
    this.operands = operands;
    this.paths = paths;
  }

  has(...names: string[]): boolean {
    return this.list.some(({ name }) => names.includes(name));
  }

  /** The value of the last of `names`; "" where it was given without one. */
  last(...names: string[]): string | undefined {
    const found = this.list.findLast(({ name }) => names.includes(name));
    return found === undefined ? undefined : (found.value ?? "");
  }

  /** Returns the name that came last of `names`. */
  lastOf(...names: string[]): string | undefined {
    return this.list.findLast(({ name }) => names.includes(name))?.name;
  }

  all(...names: string[]): string[] {
    return this.list.filter(({ name }) => names.includes(name)).map(({ value }) => value ?? "");
  }
}

/** `&`: the next argument, whatever it is; none where there is none. */
type Arity = "" | ":" | "?" | "&";

export interface CommandFlags {
  readonly flags: string;
  /** Flags known and refused: why, and what works. */
  readonly refused?: Readonly<Record<string, readonly [reason: string, suggestion: string]>>;
  /** Values of known flags that are refused; undefined where one is not. */
  readonly refusedValues?: Readonly<Record<string, (value: string) => readonly [reason: string, suggestion: string] | undefined>>;
  /** Long names must be whole, and unknown ones are told as the commands that walk history tell them. */
  readonly readsRevisions?: boolean;
  /** `-5` is `-n 5`. */
  readonly takesNumbers?: boolean;
  /** `-5` is a flag of this name instead. */
  readonly numberFlag?: string;
  /** Flags come before operands. */
  readonly stopsAtOperand?: boolean;
  /** Words that are flags although no dash is before them: "(". */
  readonly wordFlags?: readonly string[];
}

/** Runs something, or writes, whatever the command. */
const REFUSED: Readonly<Record<string, readonly [string, string]>> = {
  "--ext-diff": ["an external diff is a program, and none is started here", "git diff"],
  "--textconv": ["a text conversion is a program, and none is started here", "git diff"],
  "--output": ["tee is the only way to write", "git diff | tee diff.txt"],
  "--upload-pack": ["there is no network here, and no program is started", "git log"],
  "--open-files-in-pager": ["no program is started here", "git grep -n WORD"],
  "--show-signature": ["checking a signature starts a program", "git log"],
};

/**
 * Arity of the flag `name`, from the text of a command's flags with a space at both ends; undefined if it is no flag of the
 * command.
 */
function arityOf(text: string, name: string): Arity | undefined {
  if (name.includes(" ")) return undefined;
  for (let at = text.indexOf(` ${name}`); at >= 0; at = text.indexOf(` ${name}`, at + 1)) {
    const end = at + name.length + 1;
    const mark = text[end] as string;
    if (mark === " ") return "";
    if (text[end + 1] === " " && (mark === ":" || mark === "?" || mark === "&")) return mark;
  }
  return undefined;
}

/** Throws UsageError. `place` is the index of the first argument in the stage. */
export function readOptions(
  command: string,
  args: readonly string[],
  {
    flags,
    refused = {},
    refusedValues = {},
    takesNumbers = false,
    numberFlag = "-n",
    wordFlags = [],
    readsRevisions = false,
    stopsAtOperand = false,
  }: CommandFlags,
): Options {
  const text = ` ${flags} `;
  const list: Option[] = [];
  const operands: string[] = [];
  const sequence: string[] = [];
  const unknown = (subject: string): UsageError => {
    const isLong = subject.startsWith("--");
    if (readsRevisions) return new UsageError("unknown-flag", `${command}: unrecognized argument: ${subject}`, { subject, exit: 128 });
    const said = isLong ? `unknown option \`${subject.slice(2)}'` : `unknown switch \`${subject.slice(1)}'`;
    return new UsageError("unknown-flag", `${command}: ${said}`, { subject, exit: 129 });
  };
  /** The whole name that a shortened one stands for. */
  const completed = (name: string): string => {
    if (arityOf(text, name) !== undefined || refused[name] !== undefined || readsRevisions || name.length < 3) return name;
    const known = flags.split(" ").map((word) => word.replace(/[:?&]$/, ""));
    const found = known.filter((word) => word.startsWith(name));
    if (found.length > 1)
      throw new UsageError("unknown-flag", `${command}: ambiguous option: ${name.slice(2)} (could be ${found[0]} or ${found[1]})`, {
        subject: name,
        exit: 129,
      });
    return found[0] ?? name;
  };
  const add = (name: string, value: string | undefined): void => {
    const found = value === undefined ? undefined : refusedValues[name]?.(value);
    if (found !== undefined)
      throw new UsageError("refused-flag", `git ${command} ${name}=${value}: ${found[0]}`, { subject: name, suggestion: found[1] });
    list.push({ name, value });
    sequence.push(name);
  };
  const refuse = (name: string): void => {
    const found = refused[name] ?? (arityOf(text, name) !== undefined ? undefined : REFUSED[name]);
    if (found !== undefined)
      throw new UsageError("refused-flag", `git ${command} ${name}: ${found[0]}`, { subject: name, suggestion: found[1] });
  };
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] as string;
    if (argument === "--") return new Options(list, operands, args.slice(at + 1), sequence);
    if (wordFlags.includes(argument)) {
      add(argument, undefined);
      continue;
    }
    if (!argument.startsWith("-") || argument === "-" || (stopsAtOperand && operands.length > 0)) {
      operands.push(argument);
      sequence.push(argument);
      continue;
    }
    if (argument.startsWith("--")) {
      const equals = argument.indexOf("=");
      const name = completed(equals < 0 ? argument : argument.slice(0, equals));
      refuse(name);
      const arity = arityOf(text, name);
      if (arity === undefined) throw unknown(argument);
      if (equals >= 0) {
        if (arity === "") throw unknown(argument);
        add(name, argument.slice(equals + 1));
      } else if (arity === ":" || arity === "&") {
        const value = args[++at];
        if (value === undefined && arity === ":")
          throw new UsageError("missing-value", `option '${name.slice(2)}' requires a value`, { subject: name, exit: 129 });
        add(name, value);
      } else add(name, undefined);
      continue;
    }
    if (takesNumbers && /^-[0-9]+$/.test(argument)) {
      add(numberFlag, argument.slice(1));
      continue;
    }
    for (let letter = 1; letter < argument.length; letter++) {
      const name = `-${argument[letter]}`;
      refuse(name);
      const arity = arityOf(text, name);
      if (arity === undefined) throw unknown(argument);
      if (arity === "") {
        add(name, undefined);
        continue;
      }
      const joined = argument.slice(letter + 1);
      if (arity === "?" || joined !== "") add(name, joined === "" ? undefined : joined);
      else {
        const value = args[++at];
        if (value === undefined)
          throw new UsageError("missing-value", `switch \`${argument[letter]}' requires a value`, { subject: name, exit: 129 });
        add(name, value);
      }
      break;
    }
  }
  return new Options(list, operands, undefined, sequence);
}
