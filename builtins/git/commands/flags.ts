/**
 * The flags of a git command as a table: for each name how it takes values, and whether code of the command reads it, it has no
 * effect (and why), or it is refused. A test looks for the code: see test/builtins/git/git-flags.test.ts.
 */

/**
 * "value": joined, or the next argument. "optional": joined, or none. "next": the next argument, whatever it is; none where there
 * is none.
 */
export type Takes = "nothing" | "value" | "optional" | "next";

/** Another stage for a refused one. */
export interface Rewriting {
  /** The stage for the words behind the command's name, of which the one at `at` is refused; undefined: none. */
  readonly words: (args: readonly string[], at: number) => string | undefined;
  /** What it lacks, as a clause. */
  readonly lost: string;
}

/**
 * The suggestion is a line that works; `flag`: so does the typed one with this flag (behind the operand `behind`, where there is one),
 * and what it then lacks; `rewrite`: the stage in other words, where the typed one without the flag would mean something else.
 */
export type Refusal = readonly [
  reason: string,
  suggestion: string,
  flag?: { readonly flag: string; readonly behind?: string; readonly lost: string } | undefined,
  rewrite?: Rewriting | undefined,
];

interface TakenFlag {
  readonly takes: Takes;
  /** Refuses one of its values, or the flag without one; undefined where it is taken. */
  readonly refuses?: (value: string | undefined) => Refusal | undefined;
}

/** Code of the command asks `options` for it by its name. */
export interface ReadFlag extends TakenFlag {
  readonly kind: "read";
}

/** Git prints the same with it and without it, here; no code may ask for it. */
export interface IdleFlag extends TakenFlag {
  readonly kind: "no effect";
  readonly why: string;
}

export interface RefusedFlag {
  readonly kind: "refused";
  readonly why: string;
  /** A line that works. */
  readonly instead: string;
  /** Tells which words a line without it lacks; default: "nothing". */
  readonly takes?: Takes;
  /** True if its value is the file that the output goes to. */
  readonly isOutput?: boolean;
  /** The stage in other words, where the typed one without the flag would mean something else. */
  readonly rewrite?: Rewriting;
}

export type Flag = ReadFlag | IdleFlag | RefusedFlag;
export type FlagTable = Readonly<Record<string, Flag>>;

/** The names that code may ask for. */
export type NamesRead<Table extends FlagTable> = {
  [Name in keyof Table]: Table[Name] extends ReadFlag ? Name : never;
}[keyof Table] &
  string;

export const SWITCH: ReadFlag = { kind: "read", takes: "nothing" };
export const VALUE: ReadFlag = { kind: "read", takes: "value" };
export const OPTIONAL: ReadFlag = { kind: "read", takes: "optional" };
export const NEXT: ReadFlag = { kind: "read", takes: "next" };

const NO_COLOURS = "output has no colours here";

export const noEffect = (why: string, takes: Takes = "nothing"): IdleFlag => ({ kind: "no effect", takes, why });

export const refused = (why: string, instead: string, takes: Takes = "nothing"): RefusedFlag => ({ kind: "refused", why, instead, takes });

/** Refuses a flag whose value is the file that the output goes to. */
export const refusedOutput = (why: string, instead: string): RefusedFlag => ({ ...refused(why, instead, "value"), isOutput: true });

/** Refuses a flag that another stage stands for. */
export const rewrittenFlag = (flag: RefusedFlag, rewrite: Rewriting): RefusedFlag => ({ ...flag, rewrite });

/** No stage comes near. */
export const NO_WAY: Rewriting = { words: () => undefined, lost: "" };

/** The same flag, without the values that `refuses` refuses. */
export const limited = <F extends ReadFlag | IdleFlag>(flag: F, refuses: NonNullable<TakenFlag["refuses"]>): F => ({ ...flag, refuses });

/** Refuses several flags for one reason. */
export const refusedAll = <Name extends string>(
  names: readonly Name[],
  why: string,
  instead: string,
  takes: Takes = "nothing",
): Readonly<Record<Name, RefusedFlag>> =>
  Object.fromEntries(names.map((name) => [name, refused(why, instead, takes)])) as Record<Name, RefusedFlag>;

export const keysOf = <Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] => Object.keys(table) as Name[];

/** --color, which only says that there are none. */
export const noColours = (instead: string): IdleFlag =>
  limited(noEffect(NO_COLOURS, "optional"), (value = "always") =>
    /^(never|auto|false|no|off)$/.test(value) ? undefined : [NO_COLOURS, instead],
  );

/** --no-color */
export const COLOURLESS = noEffect(NO_COLOURS);

/** Refused whatever the command, unless its own table knows them: they run something, or write. */
export const REFUSED_EVERYWHERE: FlagTable = {
  "--ext-diff": refused("an external diff is a program, and none is started here", "git diff"),
  "--textconv": refused("a text conversion is a program, and none is started here", "git diff"),
  "--output": refusedOutput("git writes no files here: tee does, and records it", "git diff | tee diff.txt"),
  "--upload-pack": refused("there is no network here, and no program is started", "git log", "value"),
  "--open-files-in-pager": refused("no program is started here", "git grep -n WORD"),
  "--show-signature": refused("checking a signature starts a program", "git log"),
};
