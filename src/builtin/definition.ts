/**
 * A builtin as one object. Argument parsing, inferred types, help, docs, the guard, the audit and half the tests
 * are derived from it, so that a fact is written once.
 */
import type { KeptValues } from "./kept-values.ts";
import type { ByteInput } from "../io/input.ts";
import type { Files } from "../workspace/contract.ts";
import type { ScratchFiles } from "../workspace/mount/scratch-files.ts";
import type { Argument } from "./arguments.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Effect } from "./effect.ts";
import type { LooksAt } from "./looks-at.ts";
import type { NamedFlag } from "./flag-names.ts";
import type { Unread } from "./flag-values.ts";
import type { FailedProducer } from "./failed-producer.ts";
import type { FollowCursors } from "./follow.ts";
import type { OutputFiles, OutputPolicy } from "./output-files.ts";
import type { PathChange } from "./path-change.ts";
import type { Recorder } from "./recorder.ts";
import type { RespelledArgument } from "./respelled-arguments.ts";
import type { ScriptCall } from "./script-call.ts";
import type { ServerFacts } from "./server-facts.ts";
import type { ShellAccess } from "./shell-access.ts";
import type { SoughtDefinition } from "./sought-definition.ts";
import type { Subcommands } from "./subcommands.ts";
import type { UndoAccess } from "./undo-access.ts";
import type { UsageError } from "./usage-error.ts";

export interface BuiltinDefinition<F extends FlagTable = FlagTable> {
  readonly name: string;
  /** Other names that run this definition; `invocation.name` says which one was typed. */
  readonly aliases?: readonly string[];
  /** One sentence, ending in a full stop. */
  readonly summary: string;
  /** URL of the standard or the manual that binds. */
  readonly standard: string;
  /** Tool and version the tests compare to: "GNU coreutils 9.1". */
  readonly reference: string;
  readonly operands: OperandShape;
  readonly flags: F;
  /**
   * The rules by which arguments are read. "gnu" (default): flags anywhere before `--`. "posix": flags end at the first operand
   * (xargs). "raw": every argument is an operand (echo, test, find). A function: the tool's own parser (fd has Rust's clap).
   */
  readonly syntax?: "gnu" | "posix" | "raw" | ArgumentReader;
  /**
   * True if the argument decides about the action, and so must have been typed; for syntax "raw", where every argument is an
   * operand. Brought by data (a variable, a command, the name of a file, an item of xargs) it is an error.
   */
  readonly mustBeTyped?: (argument: string) => boolean;
  /**
   * Operands that become the words of another command: all of them, or those behind a word for which it is true. What such a word
   * brought by data begins with is never a flag of that command: it is an error.
   */
  readonly runsOperands?: "all" | ((argument: string) => boolean);
  /** True if an argument is an operand although it begins with a dash: `seq -5 5`. */
  readonly operandLike?: (argument: string) => boolean;
  /** Turns an old form into today's (`-20` → `-n 20`, `+3` → `-n +3`), or returns undefined. May throw UsageError. `args`: all arguments. */
  readonly legacy?: (argument: string, position: number, args: readonly string[]) => readonly string[] | undefined;
  /** Turns the arguments into those that are parsed (`tar tf FILE`); undefined where they stay as they are. May throw UsageError. */
  readonly respelled?: (args: readonly Argument[]) => readonly RespelledArgument[] | undefined;
  /** True if, after these flags, an argument with an unknown flag and all that follow it are operands (`awk -f FILE -x`). */
  readonly takesStrayFlags?: (occurrences: readonly Occurrence[]) => boolean;
  /** The tool's words for arguments it cannot read, where they are not getopt_long(3)'s; it then knows no abbreviated names. */
  readonly argumentWords?: ArgumentWords;
  /** Exit status of a usage error (default 1; grep, sort, ls: 2). */
  readonly usageExit?: number;
  /** The hint after a usage error that points to help, where it is not "Try 'NAME --help' for more information." alone. */
  readonly usageHint?: (name: string) => string;
  /** All that the tool prints for a usage error, if other than "NAME: MESSAGE" and the hint. */
  readonly usageText?: (error: UsageError) => string;
  /** The commands of a tool that has several, for help and docs. */
  readonly subcommands?: () => Subcommands;
  /** Shown in help and run as tests. */
  readonly examples: readonly [Example, ...Example[]];
  readonly deviations?: readonly Deviation[];
  /** The most useful part of a long output: the start of a list, the end where the newest comes last. Default: both ends. */
  readonly tells?: "start" | "end" | ((args: readonly string[]) => "start" | "end" | "both");
  /** The meaning of an empty output, by exit status, as a phrase to follow the name: "found nothing". */
  readonly silence?: Readonly<Record<ExitStatus, string>>;
  /**
   * Every file that it reads is opened by `openInput` (src/builtin/inputs.ts), so that it reads a process substitution as far as it
   * likes, however much there is. Otherwise process substitutions are read to their end before the stage begins.
   */
  readonly readsStreams?: true;
  /** The files whose being there its output may tell of. Absent: not known. */
  readonly looksAt?: LooksAt | ((args: readonly string[]) => LooksAt | undefined);
  /** True if, with these arguments, its output is its input, which it has written to files. */
  readonly passesOn?: (args: readonly string[]) => boolean;
  /** It writes files, though not those that its operands name: by its effects. "tree": it makes, moves or removes files. */
  readonly writes?: true | "tree";
  /**
   * Moves the session: only such a stage gets `invocation.navigation`, and it cannot stand in a pipeline. "operand" (cd): to its operand;
   * "stack" (pushd): to one that does not begin with a sign, or where the stack says.
   */
  readonly navigates?: "operand" | "stack";
  /**
   * Reads (`test -v`) or changes (`printf -v`) the shell that runs it, or is nothing without one (`read`, `exit`): only
   * such a stage gets `invocation.shell`. Variables that it may change are among its operands.
   */
  readonly sharesShell?: "reads" | "changes" | "needs";
  /** Tells of, or changes, what a session keeps (undo, history, policy): `shelpa NAME` opens one for it. */
  readonly needsSession?: true;
  /** Changes `$1` and on (set, shift). */
  readonly setsPositional?: true;
  /** Cross-flag checks before anything runs: throws UsageError (`cut` without a list). */
  check?(invocation: StaticInvocation<F>, outputs?: OutputPolicy): void;
  /** The definition of a name that a search by text seeks, else undefined; the answer may then suggest a better command. */
  seeks?(invocation: StaticInvocation<F>): SoughtDefinition | undefined;
  /** Files and stages that the arguments would read, write or run, besides those given by `operands` and path flags. */
  effects?(invocation: StaticInvocation<F>): readonly Effect[];
  /** Yields standard output in blocks and returns the exit status. */
  run(invocation: Invocation<F>): AsyncGenerator<Uint8Array, ExitStatus>;
}

/**
 * Arguments → flags and operands by the tool's own parser. `name` stands in its messages. Throws UsageError. Of the properties of
 * flags it alone reads `counts`, `takesDash`, `words`, and flags of the kind "command".
 */
export type ArgumentReader = (name: string, flags: readonly NamedFlag[], args: readonly Argument[]) => ReadArguments;

export interface ReadArguments {
  readonly occurrences: readonly Occurrence[];
  /** For each occurrence, the index of the argument that holds its value, or the flag where it has none. */
  readonly occurrenceArguments: readonly number[];
  readonly operands: readonly string[];
  /** For each operand, the index of its argument. */
  readonly operandArguments: readonly number[];
  /** Set where `--help` or `--version` stands in flag position: the stage prints that and does nothing else. */
  readonly informs: "help" | "version" | undefined;
}

/** Messages of a usage error, without the tool's name. Flags with their dashes, as typed. */
export interface ArgumentWords {
  readonly unknown: (flag: string) => string;
  readonly missingValue: (flag: string) => string;
  readonly unexpectedValue: (flag: string, value: string) => string;
}

/** 0–255. */
export type ExitStatus = number;

/** A line that runs as it stands, with its output. `files` are path → content. */
export interface Example {
  readonly command: string;
  readonly stdin?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly stdout: string;
  readonly exit?: ExitStatus;
  /** The point of the example, where the command does not show it by itself. */
  readonly note?: string;
}

/** A wanted difference from the reference tool; collected into docs/deviations.md. */
export interface Deviation {
  /** The tool it differs from. */
  readonly from: string;
  readonly what: string;
  readonly why: string;
}

export type OperandShape =
  | { readonly kind: "none" }
  /** Anything: text that names no file. */
  | { readonly kind: "values"; readonly min?: number; readonly max?: number }
  | {
      readonly kind: "paths";
      readonly access: PathAccess;
      readonly min?: number;
      readonly max?: number;
      /** Key of the switch that makes a write append and keep the present content. */
      readonly appendsWith?: string;
      /** Kind of the change, where it is not the writing of a file. */
      readonly change?: PathChange;
    }
  /** First operand is a pattern or a program unless one of the flags `unless` was given; the others are paths. */
  | { readonly kind: "pattern-then-paths" | "program-then-paths"; readonly unless?: readonly string[] };

export type PathAccess = "read" | "write" | "status";

export type FlagTable = Readonly<Record<string, Flag>>;
export type Flag = SwitchFlag | ValueFlag | PathFlag | CommandFlag | RefusedFlag;

interface FlagNames {
  /** The letters after `-`: one, or several spellings of the same flag ("rR"). */
  readonly short?: string;
  /** The name after `--`: default the key in kebab-case; false for a flag without one; several for synonyms. */
  readonly long?: string | false | readonly string[];
  /** A phrase without a capital or a full stop: "print the first NUM lines". */
  readonly help: string;
  /** True if the reference tool's help and messages leave the flag out. */
  readonly unlisted?: true;
  /** Accepted, and its value is nothing that a run could read: it has no effect here, or only that of `overrides`. */
  readonly unread?: true;
}

/** A flag without a value: on or off. */
export interface SwitchFlag extends FlagNames {
  readonly kind: "switch";
  /** True if its repetition has a meaning in the reference tool (ArgumentReader). */
  readonly counts?: boolean;
  /** `--no-x`-like partners and last-one-wins sets: giving this flag turns those off. Keys of the same table. */
  readonly overrides?: readonly string[];
}

/** Takes a value. `read` turns its text, given with the flag as it was spelled, into T or throws BadValue with the reference tool's own words. */
export interface ValueFlag<T = unknown, D = unknown> extends FlagNames {
  readonly kind: "value";
  readonly arg: string;
  readonly read: (text: string, spelling: string) => T;
  /** The value where the flag is absent. */
  readonly otherwise: D;
  /** Collects every occurrence into an array (absent: empty). */
  readonly repeats?: boolean;
  /** The value where none is given (`--color`); one that is given must then be joined (`--color=never`, `-U3`). */
  readonly ifBare?: T;
  readonly overrides?: readonly string[];
  /** True if a value that is an argument of its own may begin with a dash (ArgumentReader). */
  readonly takesDash?: boolean;
  /** The words that errors list (ArgumentReader). */
  readonly words?: readonly string[];
}

/** Takes a file name, which the guard checks like an operand. */
export interface PathFlag extends FlagNames {
  readonly kind: "path";
  readonly arg: string;
  readonly access: PathAccess;
  readonly repeats?: boolean;
  /** True if every argument after the flag is an operand, `--` as well (`awk -E`). */
  readonly endsFlags?: true;
}

/** For an ArgumentReader: takes the words of a command, up to an argument that is `until` or to the end. Its value is all of them. */
export interface CommandFlag extends FlagNames {
  readonly kind: "command";
  readonly arg: string;
  readonly until: string;
}

/** A flag of the reference tool that is known and refused. */
export interface RefusedFlag extends FlagNames {
  readonly kind: "refused";
  /** The name of its value if it takes one (`argOptional`: only joined), so that the argument after it is not misread. */
  readonly arg?: string;
  readonly argOptional?: boolean;
  /** The reason, as a clause: "tail -f never ends, and a pipeline here must finish". */
  readonly reason: string;
  /** A stage in place of the refused one; a function gets the other arguments, quoted for the shell. undefined: none. */
  readonly suggestion?: string | ((rest: readonly string[], value: string | undefined) => string | undefined);
  /** What the suggestion lacks, as a clause. Default: that it is without the flag. */
  readonly lost?: string;
}

/** The values of a flag table that a running builtin gets, by key. */
export type FlagValues<F extends FlagTable> = {
  readonly [K in keyof F]: F[K] extends RefusedFlag | { readonly unread: true } ? Unread : FlagValue<F[K]>;
};

type FlagValue<T extends Flag> = T extends SwitchFlag
  ? boolean
  : T extends ValueFlag<infer V, infer D>
    ? T extends { readonly repeats: true }
      ? readonly V[]
      : V | D
    : T extends CommandFlag
      ? readonly (readonly Argument[])[]
      : T extends PathFlag
        ? T extends { readonly repeats: true }
          ? readonly string[]
          : string | undefined
        : undefined;

/**
 * One flag as it was given, in order: for tools where order decides (`ls -t -S`, `grep -e … -f …`). A union over the keys of the
 * table: a switch over `key` knows the value, and does not compile once a key is missing (`noFlagLeft`, flag-values.ts).
 */
export type Occurrence<F extends FlagTable = FlagTable> = {
  readonly [K in GivenKey<F>]: {
    readonly key: K;
    readonly value: GivenValue<F[K]>;
    /** The flag as typed: "-n", "--lines". */
    readonly spelling: string;
    /** Number of operands before it. */
    readonly operandsBefore: number;
  };
}[GivenKey<F>];

/** Keys of flags that may be given: a refused one ends the parsing. */
export type GivenKey<F extends FlagTable> = { readonly [K in keyof F & string]: F[K] extends RefusedFlag ? never : K }[keyof F & string];

/** The value of one occurrence; where the guard cannot know it yet (`--width="$x"`), that of a flag which is absent. */
type GivenValue<T extends Flag> = T extends SwitchFlag
  ? true
  : T extends ValueFlag<infer V, infer D>
    ? V | D
    : T extends PathFlag
      ? string
      : T extends CommandFlag
        ? readonly Argument[]
        : undefined;

/** A stage's arguments after parsing, before anything runs. */
export interface StaticInvocation<F extends FlagTable = FlagTable> {
  /** The name that was typed. */
  readonly name: string;
  readonly flags: FlagValues<F>;
  readonly occurrences: readonly Occurrence<F>[];
  readonly operands: readonly string[];
  /** The arguments that are no operands, as typed and in order: `diff -r` prints them above each pair of files. */
  readonly flagArguments: readonly string[];
}

/** Everything a builtin gets. Nothing else exists: no process, no clock. */
export interface Invocation<F extends FlagTable = FlagTable> extends StaticInvocation<F> {
  readonly stdin: ByteInput;
  /** A stage that the input comes from and that failed; asked at the input's end. Absent where no stage gives the input. */
  readonly failedProducer?: (() => FailedProducer | undefined) | undefined;
  readonly files: Files;
  /** Recorded writing; undefined where nothing may be written. */
  readonly recorder: Recorder | undefined;
  /** Files that a program writes as it runs; absent where it may write none. */
  readonly outputs?: OutputFiles | undefined;
  /** The way to change the session's temporary files; undefined where it has none. */
  readonly scratch: () => ScratchFiles | undefined;
  /** Taking recorded changes back; undefined where the workspace is read-only, or there is no audit. */
  readonly undo?: UndoAccess | undefined;
  /** Given where standard output is a terminal that shows colours, as the mark of their sequences (colourSequence, src/display/colour.ts). */
  readonly colourMark?: string | undefined;
  /** Writes to standard error as it is. First yield the output you have gathered (see BlockBuilder). */
  readonly stderr: (bytes: Uint8Array | string) => void;
  /** Writes `NAME: message\n` to standard error. */
  readonly warn: (message: string) => void;
  readonly limits: StageLimits;
  /** Milliseconds since the epoch, read once per call so that a line sees one instant. */
  readonly nowMs: number;
  /** IANA name: "UTC". */
  readonly timeZone: string;
  /** The encoding of characters: "bytes" where the environment asks for the locale C (`LC_ALL=C`), in which each byte is one. */
  readonly characters: "utf-8" | "bytes";
  /** The line's own exported variables; nothing of the host's. */
  readonly environment: () => ReadonlyMap<string, string>;
  /** Lets `milliseconds` pass, at most until the call must end; then it throws. A long computation calls it with 0 now and then. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** `count` unpredictable bytes. */
  readonly randomBytes: (count: number) => Uint8Array;
  /** What builtins keep from one call to the next. */
  readonly kept: KeptValues;
  /** Every builtin, for `help`, `type` and the like. */
  readonly catalogue: Catalogue;
  /** Texts of the scripts that the guard has seen in the words of this stage. */
  readonly scripts: ReadonlySet<string>;
  /** Runs one of `scripts`; undefined for any other text. */
  readonly runScript: (text: string, call: ScriptCall) => AsyncGenerator<Uint8Array, ExitStatus> | undefined;
  /**
   * Runs another builtin as a stage of this one (`find -exec`, `xargs`): `command` is its name and its arguments, of
   * which those made of data are `operandOnly`. `directory` (relative to the root) is its current directory where that
   * is not this stage's own. For a name that cannot be run, standard error says so and the exit status is 127.
   */
  readonly runStage: (command: readonly Argument[], stdin: ByteInput, directory?: string) => AsyncGenerator<Uint8Array, ExitStatus>;
  /** The store of follow cursors (tail --since); undefined without a session. */
  readonly cursors?: FollowCursors | undefined;
  /** Facts about the server that a stage may show; undefined where a builtin runs without one. */
  readonly server?: ServerFacts | undefined;
  /** Given only where the definition says `navigates`. */
  readonly navigation?: Navigation | undefined;
  /** Given only where the definition says `sharesShell`. */
  readonly shell?: ShellAccess | undefined;
}

/** The session's current directory, as `cd` sees and moves it. Paths are relative to the root, logical. */
export interface Navigation {
  /** The target of `cd -`; undefined before the first move. */
  readonly previousDirectory: string | undefined;
  /** The place of the command in bash's own messages: "bash: line 3". */
  readonly place: string;
  moveTo(directory: string): void;
  /** Relative to the root, as navigated. */
  readonly currentDirectory: string;
  /** Directories that pushd keeps below the current one, the top first. */
  stack: readonly string[];
  /** Value of HOME. */
  readonly home: string | undefined;
}

/** Caps a builtin must keep itself, each with its unit. */
export interface StageLimits {
  /** The longest line or record held at once, in bytes. */
  readonly lineBytes: number;
  /** The most a stage may hold that must hold its input (sort, tac), in bytes. */
  readonly heldBytes: number;
  /** The most that stages may put aside in temporary space (sort), together, in bytes. */
  readonly spillBytes: number;
}

/** Gives the compiler the flag table's exact type. */
export function defineBuiltin<const F extends FlagTable>(definition: BuiltinDefinition<F>): BuiltinDefinition<F> {
  return definition;
}
