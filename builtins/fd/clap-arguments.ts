/**
 * Arguments → flags and operands, as Rust's clap 4 reads them (https://docs.rs/clap): flags anywhere before `--`, no
 * abbreviations, a value of its own may not look like a flag. Errors in clap's words.
 */
import { dataFlag } from "../../src/builtin/dash-operand.ts";
import type { Argument } from "../../src/builtin/arguments.ts";
import type { Occurrence, ReadArguments } from "../../src/builtin/definition.ts";
import type { NamedFlag } from "../../src/builtin/flag-names.ts";
import { BadValue, UsageError, type UsageErrorKind } from "../../src/builtin/usage-error.ts";

/** Parses `args`. `name` stands in usage lines. Throws UsageError. */
export function clapArguments(name: string, flags: readonly NamedFlag[], args: readonly Argument[]): ReadArguments {
  return new ClapParser(name, flags, args).parse();
}

/** Everything that clap prints for `error`. */
export const clapText = ({ message, details }: UsageError): string =>
  `error: ${message}\n${details}\nFor more information, try '--help'.\n`;

/** A flag as clap shows it: "--type <filetype>", "--color[=<when>]", "-1", "--exec <cmd>...". */
export function clapSpelling({ flag, letters, longNames }: NamedFlag): string {
  const spelled = longNames[0] === undefined ? `-${letters[0] ?? ""}` : `--${longNames[0]}`;
  if (flag.kind === "switch" && flag.counts === true) return `${spelled}...`;
  if (flag.kind === "switch" || flag.arg === undefined) return spelled;
  if (flag.kind === "command") return `${spelled} <${flag.arg}>...`;
  return flag.kind === "value" && "ifBare" in flag ? `${spelled}[=<${flag.arg}>]` : `${spelled} <${flag.arg}>`;
}

/** "Usage: fd --type <filetype> <pattern> [path]...": with the flags that were used, but those that clap hides. */
export function clapUsage(name: string, used: readonly NamedFlag[], operandCount: number): string {
  const shown = [...new Set(used)].filter(({ flag }) => flag.unlisted !== true).map(clapSpelling);
  const pattern = operandCount > 0 ? "<pattern>" : "[pattern]";
  const paths = operandCount > 1 ? "<path>..." : "[path]...";
  const options = shown.length > 0 ? shown : operandCount > 0 ? [] : ["[OPTIONS]"];
  return `\nUsage: ${[name, ...options, pattern, paths].join(" ")}\n`;
}

class ClapParser {
  readonly #name: string;
  readonly #flags: readonly NamedFlag[];
  readonly #args: readonly Argument[];
  readonly #occurrences: Occurrence[] = [];
  readonly #occurrenceArguments: number[] = [];
  readonly #operands: string[] = [];
  readonly #operandArguments: number[] = [];
  #informs: "help" | "version" | undefined;
  #at = 0;

  constructor(name: string, flags: readonly NamedFlag[], args: readonly Argument[]) {
    this.#name = name;
    this.#flags = flags;
    this.#args = args;
  }

  parse(): ReadArguments {
    let flagsEnded = false;
    for (this.#at = 0; this.#at < this.#args.length && this.#informs === undefined; this.#at++) {
      const { text, operandOnly, data } = this.#args[this.#at] as Argument;
      if (flagsEnded || operandOnly === true || !text.startsWith("-") || text === "-") this.#operand(text);
      else if (data === true) throw new UsageError("data-flag", dataFlag(text), { argument: this.#at, subject: text });
      else if (text === "--") flagsEnded = true;
      else if (text.startsWith("--")) this.#long(text);
      else this.#bundle(text);
    }
    return {
      occurrences: this.#occurrences,
      occurrenceArguments: this.#occurrenceArguments,
      operands: this.#operands,
      operandArguments: this.#operandArguments,
      informs: this.#informs,
    };
  }

  #operand(text: string): void {
    this.#operands.push(text);
    this.#operandArguments.push(this.#at);
  }

  #long(text: string): void {
    const equals = text.indexOf("=");
    const typed = text.slice(2, equals < 0 ? undefined : equals);
    const joined = equals < 0 ? undefined : text.slice(equals + 1);
    const named = this.#flags.find(({ longNames }) => longNames.includes(typed));
    if (named !== undefined) return this.#given(named, `--${typed}`, joined);
    if (typed !== "help" && typed !== "version") throw this.#unknown(`--${typed}`);
    if (joined !== undefined) throw this.#unexpected(joined, `--${typed}`, `\nUsage: ${this.#name} --${typed} [pattern] [path]...\n`);
    this.#informs = typed;
  }

  #bundle(text: string): void {
    const letters = [...text.slice(1)];
    for (let at = 0; at < letters.length; at++) {
      const letter = letters[at] as string;
      const named = this.#flags.find((candidate) => candidate.letters.includes(letter));
      if (named === undefined && (letter === "h" || letter === "V")) {
        this.#informs = letter === "h" ? "help" : "version";
        return;
      }
      if (named === undefined) throw this.#unknown(`-${letter}`);
      if (named.flag.kind === "switch") {
        this.#given(named, `-${letter}`, undefined);
        continue;
      }
      const rest = letters.slice(at + 1).join("");
      this.#given(named, `-${letter}`, rest === "" ? undefined : rest.replace(/^=/, ""));
      return;
    }
  }

  #given(named: NamedFlag, spelling: string, joined: string | undefined): void {
    const { flag, key } = named;
    switch (flag.kind) {
      case "switch":
        if (joined !== undefined) throw this.#unexpected(joined, spelling, clapUsage(this.#name, [named], 0));
        this.#occur(key, true, spelling);
        return;
      case "command":
        this.#command(named, spelling, joined);
        return;
      case "refused": {
        const first = this.#at;
        if (flag.arg !== undefined && joined === undefined) this.#at++;
        const rest = this.#args.filter((_, index) => index < first || index > this.#at).map(({ source, text }) => source ?? text);
        const suggestion = typeof flag.suggestion === "string" ? flag.suggestion : flag.suggestion?.(rest, joined);
        throw new UsageError("refused-flag", `${spelling}: ${flag.reason}`, {
          argument: first,
          subject: spelling,
          suggestion,

          lost: flag.lost,
        });
      }
      case "path":
        this.#occur(key, this.#value(named, joined), spelling);
        return;
      case "value": {
        if (joined === undefined && "ifBare" in flag) return this.#occur(key, flag.ifBare, spelling);
        const text = this.#value(named, joined);
        this.#occur(key, this.#read(named, text, spelling), spelling);
      }
    }
  }

  #occur(key: string, value: unknown, spelling: string): void {
    this.#occurrences.push({ key, value, spelling, operandsBefore: this.#operands.length });
    this.#occurrenceArguments.push(this.#at);
  }

  #value(named: NamedFlag, joined: string | undefined): string {
    if (joined !== undefined) return joined;
    const next = this.#args[this.#at + 1];
    const { flag } = named;
    const takesDash = flag.kind === "value" && flag.takesDash === true;
    const looksLikeFlag = next?.operandOnly !== true && next?.text.startsWith("-") === true && next.text !== "-";
    if (next === undefined || (looksLikeFlag && (!takesDash || next.text === "--"))) throw this.#missing(named);
    this.#at++;
    return next.text;
  }

  #command(named: NamedFlag, spelling: string, joined: string | undefined): void {
    if (joined !== undefined) return this.#occur(named.key, [{ text: joined }], spelling);
    const { flag } = named;
    const first = this.#at + 1;
    let end = first;
    while (end < this.#args.length && !(flag.kind === "command" && this.#args[end]?.text === flag.until)) end++;
    for (let at = this.#at + 1; at < end; at++) {
      const { text, operandOnly, data } = this.#args[at] as Argument;
      if ((operandOnly === true || data === true) && text.startsWith("-"))
        throw new UsageError("data-flag", dataFlag(text), { argument: at, subject: text });
    }
    if (end === first || this.#args[first]?.text === "--") throw this.#missing(named);
    this.#at = first;
    this.#occur(named.key, this.#args.slice(first, end), spelling);
    this.#at = Math.min(end, this.#args.length - 1);
  }

  #read(named: NamedFlag, text: string, spelling: string): unknown {
    const { flag } = named;
    if (flag.kind !== "value") return text;
    try {
      return flag.read(text, spelling);
    } catch (thrown) {
      if (!(thrown instanceof BadValue)) throw thrown;
      const { words } = flag;
      if (text === "" && words !== undefined) throw this.#missing(named);
      const reason = thrown.message === "" ? "" : `: ${thrown.message}`;
      const near = words === undefined ? undefined : mostAlike(text, words);
      const details = `${possible(words)}${near === undefined ? "" : `\n  tip: a similar value exists: '${near}'\n`}`;
      throw this.#error("bad-value", `invalid value '${text}' for '${clapSpelling(named)}'${reason}`, text, details);
    }
  }

  #missing(named: NamedFlag): UsageError {
    const { flag } = named;
    const words = flag.kind === "value" ? flag.words : undefined;
    const spelled = clapSpelling(named);
    return this.#error("missing-value", `a value is required for '${spelled}' but none was supplied`, spelled, possible(words));
  }

  #unexpected(value: string, spelling: string, usage: string): UsageError {
    return this.#error("unexpected-value", `unexpected value '${value}' for '${spelling}' found; no more were expected`, spelling, usage);
  }

  #unknown(spelling: string): UsageError {
    const names = [...this.#flags.flatMap(({ longNames }) => longNames), "help", "version"];
    const near = spelling.startsWith("--") ? mostAlike(spelling.slice(2), names) : undefined;
    const used = this.#occurrences.flatMap(({ key }) => this.#flags.find((named) => named.key === key) ?? []);
    const meant = this.#flags.find(({ longNames }) => near !== undefined && longNames.includes(near));
    const tip = near === undefined ? `to pass '${spelling}' as a value, use '-- ${spelling}'` : `a similar argument exists: '--${near}'`;
    // Of a letter clap says nothing about what came before it.
    const usage = spelling.startsWith("--")
      ? clapUsage(this.#name, meant === undefined ? used : [...used, meant], this.#operands.length)
      : clapUsage(this.#name, [], 0);
    return this.#error(
      "unknown-flag",
      `unexpected argument '${spelling}' found`,
      spelling,
      `\n  tip: ${tip}\n${usage}`,
      near && `--${near}`,
    );
  }

  #error(kind: UsageErrorKind, message: string, subject: string, details: string, suggestion?: string): UsageError {
    return new UsageError(kind, message, { argument: Math.min(this.#at, this.#args.length - 1), subject, details, suggestion });
  }
}

const possible = (words: readonly string[] | undefined): string =>
  words === undefined ? "" : `  [possible values: ${words.join(", ")}]\n`;

/** The word that is most like `text`, if any is like it enough (Jaro similarity above 0.7). Of equals the last. */
function mostAlike(text: string, words: readonly string[]): string | undefined {
  let best: string | undefined;
  let most = 0.7;
  for (const word of words) {
    const likeness = jaro(text, word);
    if (likeness > 0.7 && likeness >= most) [best, most] = [word, likeness];
  }
  return best;
}

function jaro(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  if (a.length === 0 && b.length === 0) return 1;
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Uint8Array(b.length);
  const matched: string[] = [];
  a.forEach((character, at) => {
    for (let other = Math.max(0, at - reach); other < Math.min(b.length, at + reach + 1); other++) {
      if (taken[other] === 1 || b[other] !== character) continue;
      taken[other] = 1;
      matched.push(character);
      return;
    }
  });
  if (matched.length === 0) return 0;
  let swapped = 0;
  let next = 0;
  b.forEach((character, at) => {
    if (taken[at] === 1 && matched[next++] !== character) swapped++;
  });
  const count = matched.length;
  return (count / a.length + count / b.length + (count - swapped / 2) / count) / 3;
}
