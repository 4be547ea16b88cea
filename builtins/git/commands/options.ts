/** Arguments of a git command, read by the table of its flags. */
import { quoteWord } from "../../../src/display/quote.ts";
import { nearest } from "../../../src/builtin/nearest.ts";
import { UsageError } from "../../../src/builtin/usage-error.ts";
import { REFUSED_EVERYWHERE, type Flag, type FlagTable, type IdleFlag, type ReadFlag, type Refusal, type Rewriting } from "./flags.ts";

export interface Option<Name extends string = string> {
  /** As the command names it: "--stat", "-n". */
  readonly name: Name;
  readonly value: string | undefined;
}

/** A flag behind an operand. */
export interface StrayFlag {
  readonly typed: string;
  /** So many operands stand before it. */
  readonly behind: number;
}

/** What was given of the flags `Name`: code may ask for no others. */
export class Options<in Name extends string = never> {
  readonly #list: readonly Option[];
  readonly operands: readonly string[];
  /** The words after `--`; undefined if `--` is absent. */
  readonly paths: readonly string[] | undefined;
  /** Names of flags and operands as they came, before any `--`. */
  readonly sequence: readonly string[];
  /** Flags that must not stand behind a path, and stand behind an operand. */
  readonly strays: readonly StrayFlag[];

  constructor(
    list: readonly Option[],
    operands: readonly string[],
    paths: readonly string[] | undefined,
    sequence: readonly string[] = [],
    strays: readonly StrayFlag[] = [],
  ) {
    this.strays = strays;
    this.#list = list;
    this.sequence = sequence;
    this.operands = operands;
    this.paths = paths;
  }

  has(...names: readonly Name[]): boolean {
    return this.#list.some(isOneOf(names));
  }

  /** True if some flag was given that is none of `names`. */
  hasOther(...names: readonly Name[]): boolean {
    return !this.#list.every(isOneOf(names));
  }

  /** The value of the last of `names`; "" where it was given without one. */
  last(...names: readonly Name[]): string | undefined {
    const found = this.#list.findLast(isOneOf(names));
    return found === undefined ? undefined : (found.value ?? "");
  }

  /** Returns the name that came last of `names`. */
  lastOf<Asked extends Name>(...names: readonly Asked[]): Asked | undefined {
    return this.each(...names).at(-1)?.name;
  }

  all(...names: readonly Name[]): string[] {
    return this.each(...names).map(({ value }) => value ?? "");
  }

  /** Those of `names` that were given, in order. */
  each<Asked extends Name>(...names: readonly Asked[]): readonly Option<Asked>[] {
    return this.#list.filter(isOneOf(names));
  }

  /** The same with `first` in front, and other operands where they are given. */
  after(first: readonly Option<Name>[], operands = this.operands, paths = this.paths): Options<Name> {
    return new Options([...first, ...this.#list], operands, paths, this.sequence, this.strays);
  }

  /** For code that reads flags of other commands too: those that this command has not were never given. */
  among<More extends string>(): Options<Name | More> {
    return this as Options as Options<Name | More>;
  }

  without<Left extends Name>(name: Left): Options<Exclude<Name, Left>> {
    const list = this.#list.filter((option) => option.name !== name);
    return new Options(list, this.operands, this.paths, this.sequence, this.strays);
  }
}

const isOneOf =
  <Name extends string>(names: readonly Name[]) =>
  (option: Option): option is Option<Name> =>
    names.some((name) => name === option.name);

/** How the arguments of a command are read, besides the table of its flags. */
export interface ArgumentRules {
  /** Long names must be whole, and unknown ones are told as the commands that walk history tell them. */
  readonly readsRevisions?: boolean;
  /** Long names that may be shortened, where others that the command has must be whole. */
  readonly shortened?: readonly string[];
  /** Flags that git reads wherever they stand, although those of a command that walks history come before its paths. */
  readonly anywhere?: "all" | readonly string[];
  /** `-5` is `-n 5`. */
  readonly takesNumbers?: boolean;
  /** `-5` is a flag of this name instead. */
  readonly numberFlag?: string;
  /** Flags come before operands. */
  readonly stopsAtOperand?: boolean;
  /** Words that are flags although no dash is before them: "(". */
  readonly wordFlags?: readonly string[];
}

/** The line without the refused flag at `at`; none where that would mean something else. */
function wayOut(
  command: string,
  name: string,
  flag: Flag | undefined,
  args: readonly string[],
  at: number,
  first: number,
): { readonly suggestion?: string; readonly lost?: string; readonly dropped?: readonly number[] } {
  const argument = args[at] as string;
  const isAlone = argument === name;
  const isApart = isAlone && (flag?.takes === "value" || flag?.takes === "next");
  const others = args.filter((_, index) => index !== at && !(isApart && index === at + 1));
  if (flag?.kind === "refused" && flag.isOutput === true) {
    const file = isApart ? args[at + 1] : argument.slice(name.length).replace(/^=/, "");
    // `-C` and its like say from where the file is named; other formats have other bytes.
    const isOther = command === "archive" && !(file?.endsWith(".tar") === true || others.some((word) => /^--format(=tar)?$/.test(word)));
    if (file === undefined || file === "" || first !== 1 || isOther) return {};
    const stage = ["git", command, ...others.map(quoteWord)].join(" ");
    return { suggestion: `${stage} | tee ${quoteWord(file)} >/dev/null`, lost: "the exit status is tee's" };
  }
  // Other letters of its bundle, or an action: what is left is another command.
  if (WRITING_COMMANDS.has(command) || (!argument.startsWith("--") && !isAlone)) return {};
  return { dropped: isApart && at + 1 < args.length ? [first + at, first + at + 1] : [first + at] };
}

/** Without the flag that says what is to be written, they would be another thing. */
export const WRITING_COMMANDS: ReadonlySet<string> = new Set(["branch", "config", "reflog", "remote", "symbolic-ref", "tag", "worktree"]);

/** The line in other words, with everything that stands behind the command; none where it is not known to mean the same. */
function rewritten(
  { words, lost }: Rewriting,
  command: string,
  args: readonly string[],
  at: number,
  first: number,
): { readonly suggestion?: string; readonly lost?: string } {
  // `-C` and its like say where the repository is, and are not among the words.
  const stage = first === command.split(" ").length ? words(args, at) : undefined;
  return stage === undefined ? {} : { suggestion: stage, lost };
}

/** The known flag that a long one most likely is; undefined where it is refused. */
function nearestFlag(typed: string, table: FlagTable): string | undefined {
  const name = typed.replace(/=[^]*$/, "");
  if (!name.startsWith("--")) return undefined;
  const near = nearest(
    name.slice(2),
    Object.keys(table).flatMap((flag) => (flag.startsWith("--") ? [flag.slice(2)] : [])),
  );
  return near === undefined || near === name.slice(2) || table[`--${near}`]?.kind === "refused" ? undefined : `--${near}`;
}

/** Throws UsageError. */
export function readOptions(
  command: string,
  args: readonly string[],
  {
    flags: table,
    takesNumbers = false,
    numberFlag = "-n",
    wordFlags = [],
    readsRevisions = false,
    stopsAtOperand = false,
    shortened,
    anywhere = readsRevisions ? [] : "all",
  }: ArgumentRules & { readonly flags: FlagTable },
  /** Index of the first of `args` among the stage's arguments. */
  first = 0,
): Options<string> {
  let index = 0;
  const list: Option[] = [];
  const operands: string[] = [];
  const sequence: string[] = [];
  const strays: StrayFlag[] = [];
  const here = (): number => first + index;
  const unknown = (subject: string): UsageError => {
    const facts = { subject, argument: here(), suggestion: nearestFlag(subject, table) };
    if (readsRevisions) return new UsageError("unknown-flag", `${command}: unrecognized argument: ${subject}`, { ...facts, exit: 128 });
    const isLong = subject.startsWith("--");
    const said = isLong ? `unknown option \`${subject.slice(2)}'` : `unknown switch \`${subject.slice(1)}'`;
    return new UsageError("unknown-flag", `${command}: ${said}`, { ...facts, exit: 129 });
  };
  const flagOf = (name: string): FlagTable[string] | undefined => (Object.hasOwn(table, name) ? table[name] : REFUSED_EVERYWHERE[name]);
  /** The whole name that a shortened one stands for. */
  const completed = (name: string): string => {
    if (Object.hasOwn(table, name) || readsRevisions || name.length < 3) return name;
    const found = (shortened ?? Object.keys(table)).filter((known) => known.startsWith(name) && table[known]?.kind !== "refused");
    if (found.length > 1)
      throw new UsageError("unknown-flag", `${command}: ambiguous option: ${name.slice(2)} (could be ${found[0]} or ${found[1]})`, {
        subject: name,
        argument: here(),
        exit: 129,
      });
    return found[0] ?? name;
  };
  const refusal = (said: string, name: string, [reason, , , instead]: Refusal): UsageError =>
    new UsageError("refused-flag", `git ${command} ${said}: ${reason}`, {
      subject: name,
      argument: here(),
      ...(instead === undefined
        ? wayOut(command, name, flagOf(name), args, index, first)
        : rewritten(instead, command, args, index, first)),
    });
  /** Throws UsageError for an unknown flag (`argument`: as it was typed) and for a refused one. */
  const taken = (name: string, argument: string): ReadFlag | IdleFlag => {
    const flag = flagOf(name);
    if (flag === undefined) throw unknown(argument);
    if (flag.kind === "refused") throw refusal(name, name, [flag.why, flag.instead, undefined, flag.rewrite]);
    return flag;
  };
  const add = (name: string, value: string | undefined): void => {
    const flag = flagOf(name);
    const found = flag?.kind === "refused" ? undefined : flag?.refuses?.(value);
    if (found !== undefined) throw refusal(value === undefined ? name : `${name}=${value}`, name, found);
    list.push({ name, value });
    sequence.push(name);
    if (operands.length > 0 && anywhere !== "all" && !anywhere.includes(name))
      strays.push({ typed: args[index] as string, behind: operands.length });
  };
  for (let at = 0; at < args.length; at++) {
    index = at;
    const argument = args[at] as string;
    if (argument === "--") return new Options(list, operands, args.slice(at + 1), sequence, strays);
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
      const { takes } = taken(name, argument);
      if (equals >= 0) {
        if (takes === "nothing") throw unknown(argument);
        add(name, argument.slice(equals + 1));
      } else if (takes === "value" || takes === "next") {
        const value = args[++at];
        if (value === undefined && takes === "value")
          throw new UsageError("missing-value", `option '${name.slice(2)}' requires a value`, {
            subject: name,
            argument: here(),
            exit: 129,
          });
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
      const { takes } = taken(name, argument);
      if (takes === "nothing") {
        add(name, undefined);
        continue;
      }
      const joined = argument.slice(letter + 1);
      if (takes === "optional" || joined !== "") add(name, joined === "" ? undefined : joined);
      else {
        const value = args[++at];
        if (value === undefined)
          throw new UsageError("missing-value", `switch \`${argument[letter]}' requires a value`, {
            subject: name,
            argument: here(),
            exit: 129,
          });
        add(name, value);
      }
      break;
    }
  }
  return new Options(list, operands, undefined, sequence, strays);
}
