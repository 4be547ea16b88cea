/**
 * Arguments → flags and operands, as getopt_long(3) of glibc reads them: bundled letters, `-nVALUE`, `--name=value`, `--`,
 * abbreviations of long names, flags after operands unless the definition says otherwise.
 */
import { dataFlag } from "./dash-operand.ts";
import type { BuiltinDefinition, FlagTable, FlagValues, Occurrence, ReadArguments, StaticInvocation } from "./definition.ts";
import { takesValue, valueMayBeAbsent, type NamedFlag } from "./flag-names.ts";
import { flagsOf, valuesOf } from "./flag-values.ts";
import { nearest } from "./nearest.ts";
import { parseRespelled } from "./respelled-arguments.ts";
import { BadValue, UsageError } from "./usage-error.ts";
import { quoteCurly, quoteWord } from "../display/quote.ts";
import { firstByteOf } from "../io/text.ts";

/** One argument of a stage. A word that a glob produced is an operand whatever it looks like. */
export interface Argument {
  readonly text: string;
  readonly operandOnly?: boolean;
  /**
   * Begins with text that came while the line ran (a variable, `$(…)`): where a flag may stand, a dash there is an error,
   * because data must not choose flags and must not silently be something else than in a shell either.
   */
  readonly data?: boolean;
  /**
   * True if the text is not, or not wholly, known yet: the guard's stand-in for a word that is expanded when the stage
   * starts.
   */
  readonly unknown?: boolean;
  /** True if it stands for one or more operands that are not known yet: a glob before it is expanded. */
  readonly many?: boolean;
  /** The word as typed, where that is not simply `text` quoted (a glob, `~`): for suggestions. */
  readonly source?: string;
  /** The word of the line, where a fixed rule has made `text` of it (a script with `"$1"` in the place of `{}`). */
  readonly typedAs?: string;
}

/** The result of parsing, with the position of each operand and value. */
export type ParsedArguments<F extends FlagTable = FlagTable> = StaticInvocation<F> & Omit<ReadArguments, "occurrences">;

/** Parses `args` (without the name). Throws UsageError. `name` is the one that was typed. */
export function parseArguments<F extends FlagTable>(
  definition: BuiltinDefinition<F>,
  name: string,
  args: readonly Argument[],
): ParsedArguments<F> {
  if (typeof definition.syntax === "function") {
    const parsed = definition.syntax(name, flagsOf(definition.flags), args);
    const flags = valuesOf(definition.flags, parsed.occurrences) as FlagValues<F>;
    const flagArguments = withoutOperands(args, parsed.operandArguments);
    return { name, flags, flagArguments, ...parsed } as unknown as ParsedArguments<F>;
  }
  const parse = (parsed: readonly Argument[]) => new ArgumentParser(definition, name, parsed).parse() as unknown as ParsedArguments<F>;
  const respelled = definition.respelled?.(args);
  return respelled === undefined ? parse(args) : parseRespelled(args, respelled, parse);
}

class ArgumentParser {
  readonly #definition: BuiltinDefinition;
  readonly #name: string;
  readonly #args: readonly Argument[];
  readonly #flags: readonly NamedFlag[];
  /** Used when the flags of an old form are parsed: the stage's other arguments. */
  readonly #around: readonly Argument[];
  readonly #occurrences: Occurrence[] = [];
  readonly #occurrenceArguments: number[] = [];
  readonly #operands: string[] = [];
  readonly #operandArguments: number[] = [];
  #informs: "help" | "version" | undefined;
  #at = 0;
  /** True once all further arguments are operands. */
  #flagsEnded = false;

  constructor(
    definition: BuiltinDefinition<never> | BuiltinDefinition,
    name: string,
    args: readonly Argument[],
    around: readonly Argument[] = [],
  ) {
    this.#around = around;
    this.#definition = definition as BuiltinDefinition;
    this.#name = name;
    this.#args = args;
    this.#flags = flagsOf(definition.flags as FlagTable);
  }

  parse(): ParsedArguments {
    const syntax = this.#definition.syntax ?? "gnu";
    if (syntax === "raw") {
      for (this.#at = 0; this.#at < this.#args.length; this.#at++) {
        const argument = this.#args[this.#at] as Argument;
        const acts = this.#definition.mustBeTyped?.(argument.text) === true || this.#mayBeInnerFlag(argument);
        if (isData(argument) && acts) throw this.#error("data-flag", dataFlag(argument.text), argument.text, false);
        this.#operand(this.#at);
      }
      return this.#result();
    }
    const texts = this.#args.map((argument) => argument.text);
    for (this.#at = 0; this.#at < this.#args.length && this.#informs === undefined; this.#at++) {
      const argument = this.#args[this.#at] as Argument;
      const { text, operandOnly, data } = argument;
      if (isData(argument) && this.#mayBeInnerFlag(argument)) {
        throw this.#error("data-flag", dataFlag(text), text, false);
      } else if (this.#flagsEnded || operandOnly === true || this.#definition.operandLike?.(text) === true) {
        this.#operand(this.#at);
        if (syntax === "posix") this.#flagsEnded = true;
      } else if (data === true && text.startsWith("-") && text.length > 1) {
        throw this.#error("data-flag", dataFlag(text), text, false);
      } else if (text === "--") {
        this.#flagsEnded = true;
      } else {
        const rewritten = this.#definition.legacy?.(text, this.#at, texts);
        if (rewritten !== undefined) this.#legacy(rewritten);
        else if (text.startsWith("-") && text.length > 1) this.#flag(text);
        else {
          this.#operand(this.#at);
          if (syntax === "posix") this.#flagsEnded = true;
        }
      }
    }
    if (this.#informs === undefined) this.#countOperands();
    return this.#result();
  }

  /** Tells whether the command that the tool makes of its operands would take the argument for a flag. */
  #mayBeInnerFlag({ text }: Argument): boolean {
    const begins = this.#definition.runsOperands;
    if (begins === undefined || !text.startsWith("-") || text.length < 2) return false;
    return begins === "all" ? this.#flagsEnded : this.#args.slice(0, this.#at).some((before) => begins(before.text));
  }

  #flag(text: string): void {
    try {
      if (text.startsWith("--")) this.#long(text);
      else this.#bundle(text);
    } catch (thrown) {
      const isStray = thrown instanceof UsageError && thrown.kind === "unknown-flag";
      if (!isStray || this.#definition.takesStrayFlags?.(this.#occurrences) !== true) throw thrown;
      this.#operand(this.#at);
      this.#flagsEnded = true;
    }
  }

  #operand(at: number): void {
    this.#operands.push((this.#args[at] as Argument).text);
    this.#operandArguments.push(at);
  }

  /** An old form stands for whole flags: each is parsed as if it had been typed. */
  #legacy(rewritten: readonly string[]): void {
    const inner = new ArgumentParser(
      { ...this.#definition, legacy: () => undefined },
      this.#name,
      rewritten.map((text) => ({ text })),
      this.#args.filter((_, index) => index !== this.#at),
    );
    inner.#parseFlagsOnly(this.#at);
    const operandsBefore = this.#operands.length;
    this.#occurrences.push(...inner.#occurrences.map((occurrence) => ({ ...occurrence, operandsBefore })));
    this.#occurrenceArguments.push(...inner.#occurrences.map(() => this.#at));
  }

  #parseFlagsOnly(reportAs: number): void {
    try {
      for (this.#at = 0; this.#at < this.#args.length; this.#at++) {
        const { text } = this.#args[this.#at] as Argument;
        if (text.startsWith("--")) this.#long(text);
        else this.#bundle(text);
      }
    } catch (thrown) {
      if (!(thrown instanceof UsageError)) throw thrown;
      throw new UsageError(thrown.kind, thrown.message, { ...thrown, argument: reportAs });
    }
  }

  #long(text: string): void {
    const equals = text.indexOf("=");
    const typed = equals < 0 ? text.slice(2) : text.slice(2, equals);
    const joined = equals < 0 ? undefined : text.slice(equals + 1);
    const found = this.#findLong(typed, text);
    if (found === "help" || found === "version") {
      if (joined !== undefined) throw this.#error("unexpected-value", `option '--${found}' doesn't allow an argument`, text, true);
      this.#informs = found;
      return;
    }
    const { named, long } = found;
    const spelling = `--${long}`;
    if (!takesValue(named)) {
      if (joined !== undefined) {
        const words = this.#definition.argumentWords?.unexpectedValue(spelling, joined);
        throw this.#error("unexpected-value", words ?? `option '${spelling}' doesn't allow an argument`, text, true);
      }
      this.#occur(named, undefined, spelling, 1);
      return;
    }
    if (joined !== undefined) {
      this.#occur(named, joined, spelling, 1);
      return;
    }
    if (valueMayBeAbsent(named)) {
      this.#occur(named, undefined, spelling, 1);
      return;
    }
    const next = this.#args[this.#at + 1];
    if (next === undefined) {
      const words = this.#definition.argumentWords?.missingValue(spelling);
      throw this.#error("missing-value", words ?? `option '${spelling}' requires an argument`, spelling, true);
    }
    this.#at++;
    this.#occur(named, next.text, spelling, 2);
  }

  #findLong(typed: string, text: string): { named: NamedFlag; long: string } | "help" | "version" {
    const candidates: { named: NamedFlag; long: string }[] = [];
    const words = this.#definition.argumentWords;
    const abbreviates = words === undefined;
    for (const named of this.#flags) {
      for (const long of named.longNames) {
        if (long === typed) return { named, long };
        if (abbreviates && named.flag.unlisted !== true && long.startsWith(typed)) candidates.push({ named, long });
      }
    }
    const informing = (["help", "version"] as const).filter(
      (word) => (abbreviates ? word.startsWith(typed) : word === typed) && !this.#flags.some((named) => named.longNames.includes(word)),
    );
    const exact = informing.find((word) => word === typed);
    if (exact !== undefined) return exact;
    const [first] = candidates;
    // Two names of one flag are not ambiguous, and glibc lists only the first of them.
    const rivals = candidates.filter(({ named }) => named !== first?.named);
    if (first !== undefined && rivals.length === 0 && informing.length === 0) return first;
    if (first === undefined && informing.length === 1) return informing[0] as "help" | "version";
    if (first !== undefined || informing.length > 0) {
      const possibilities = [...(first === undefined ? [] : [first.long]), ...rivals.map(({ long }) => long), ...informing];
      throw this.#error(
        "unknown-flag",
        `option '${text}' is ambiguous; possibilities: ${possibilities.map((long) => `'--${long}'`).join(" ")}`,
        text,
        true,
        `--${possibilities[0] ?? ""}`,
      );
    }
    const known = this.#flags.flatMap((named) => named.longNames);
    const near = nearest(typed, abbreviates ? [...known, "help", "version"] : known);
    const message = words?.unknown(`--${typed}`) ?? `unrecognized option '${text}'`;
    throw this.#error("unknown-flag", message, `--${typed}`, true, near && `--${near}`);
  }

  #bundle(text: string): void {
    const letters = [...text.slice(1)];
    for (let i = 0; i < letters.length; i++) {
      const letter = letters[i] as string;
      const named = this.#flags.find((candidate) => candidate.letters.includes(letter));
      if (named === undefined) {
        const near = this.#nearestForBundle(text);
        const message = this.#definition.argumentWords?.unknown(`-${letter}`) ?? `invalid option -- '${firstByteOf(letter)}'`;
        throw this.#error("unknown-flag", message, `-${letter}`, true, near);
      }
      const spelling = `-${letter}`;
      if (!takesValue(named)) {
        this.#occur(named, undefined, spelling, 1, letters.toSpliced(i, 1));
        continue;
      }
      const before = letters.slice(0, i);
      const rest = letters.slice(i + 1).join("");
      if (rest !== "") {
        this.#occur(named, rest, spelling, 1, before);
        return;
      }
      if (valueMayBeAbsent(named)) {
        this.#occur(named, undefined, spelling, 1, before);
        return;
      }
      const next = this.#args[this.#at + 1];
      if (next === undefined) {
        const words = this.#definition.argumentWords?.missingValue(spelling);
        throw this.#error("missing-value", words ?? `option requires an argument -- '${letter}'`, spelling, true);
      }
      this.#at++;
      this.#occur(named, next.text, spelling, 2, before);
      return;
    }
  }

  /** `-lines` is a long flag with a dash missing more often than five letters. */
  #nearestForBundle(text: string): string | undefined {
    if (text.length < 4) return undefined;
    const near = nearest(
      text.slice(1),
      this.#flags.flatMap((named) => named.longNames),
    );
    return near === undefined ? undefined : `--${near}`;
  }

  /** `width` arguments hold the flag and its value; `bundled` are the other letters of its bundle. */
  #occur(named: NamedFlag, text: string | undefined, spelling: string, width: number, bundled: readonly string[] = []): void {
    const { key, flag } = named;
    if (flag.kind === "refused") {
      const first = this.#at - width + 1;
      const kept = bundled.length === 0 ? [] : [{ text: `-${bundled.join("")}` }];
      const others: readonly Argument[] = [...this.#args.slice(0, first), ...kept, ...this.#args.slice(this.#at + 1), ...this.#around];
      const rest = others.map((argument) => argument.source ?? quoteWord(argument.text));
      const suggestion = typeof flag.suggestion === "string" ? flag.suggestion : flag.suggestion?.(rest, text);
      throw new UsageError("refused-flag", `${spelling}: ${flag.reason}`, {
        argument: first,
        subject: spelling,
        suggestion,

        lost: flag.lost,
      });
    }
    if (flag.kind === "path" && flag.endsFlags === true) this.#flagsEnded = true;
    this.#occurrences.push({ key, value: this.#valueOf(named, text, spelling), spelling, operandsBefore: this.#operands.length });
    this.#occurrenceArguments.push(this.#at);
  }

  #valueOf({ flag }: NamedFlag, text: string | undefined, spelling: string): unknown {
    if (flag.kind === "switch") return true;
    if (flag.kind === "path") return text ?? "";
    if (flag.kind === "refused" || flag.kind === "command") return undefined;
    if (text === undefined) return flag.ifBare;
    try {
      return flag.read(text, spelling);
    } catch (thrown) {
      if (!(thrown instanceof BadValue)) throw thrown;
      if (this.#args[this.#at]?.unknown === true && flag.kind === "value") return flag.otherwise;
      const { message, pointsToHelp, exit, suggestion } = thrown;
      throw new UsageError("bad-value", message, { argument: this.#at, subject: text, pointsToHelp, exit, suggestion });
    }
  }

  #countOperands(): void {
    const shape = this.#definition.operands;
    const count = this.#operands.length;
    const min = "min" in shape ? (shape.min ?? 0) : 0;
    const max = shape.kind === "none" ? 0 : "max" in shape ? (shape.max ?? Infinity) : Infinity;
    if (count > max) {
      const extra = this.#operands[max] as string;
      throw new UsageError("extra-operand", `extra operand ${quoteCurly(extra)}`, {
        argument: this.#operandArguments[max],
        subject: extra,
        pointsToHelp: true,
      });
    }
    if (count < min && !this.#args.some((argument) => argument.many === true)) {
      const last = this.#operands[count - 1];
      const message = last === undefined ? "missing operand" : `missing operand after ${quoteCurly(last)}`;
      throw new UsageError("missing-operand", message, { pointsToHelp: true });
    }
  }

  #error(kind: UsageError["kind"], message: string, subject: string, pointsToHelp: boolean, suggestion?: string): UsageError {
    return new UsageError(kind, message, { argument: this.#at, subject, pointsToHelp, suggestion });
  }

  #result(): ParsedArguments {
    return {
      name: this.#name,
      flags: valuesOf(this.#definition.flags as FlagTable, this.#occurrences),
      occurrences: this.#occurrences,
      occurrenceArguments: this.#occurrenceArguments,
      operands: this.#operands,
      flagArguments: withoutOperands(this.#args, this.#operandArguments),
      operandArguments: this.#operandArguments,
      informs: this.#informs,
    };
  }
}

/** `operandArguments`: ascending. */
function withoutOperands(args: readonly Argument[], operandArguments: readonly number[]): readonly string[] {
  const texts: string[] = [];
  let operand = 0;
  for (let at = 0; at < args.length; at++) {
    if (operandArguments[operand] === at) operand++;
    else texts.push((args[at] as Argument).text);
  }
  return texts;
}

/** Tells whether the line did not spell the argument out: a variable, a command or the names of files gave it. */
const isData = ({ operandOnly, data }: Argument): boolean => operandOnly === true || data === true;
