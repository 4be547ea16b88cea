/**
 * find's arguments: flags in front, starting points, then the expression, by precedence: `!`, then `-a` (or nothing
 * between), then `-o`, then `,`. Nothing here looks at a file. Throws UsageError in GNU find's words.
 */
import { UsageError } from "../../src/builtin/usage-error.ts";
import type { TreeOptions } from "../../src/walk/file-tree.ts";
import type { StageCommand } from "./exec.ts";
import type { Expression, Primary } from "./expression.ts";
import { leadingFlags } from "./leading-flags.ts";
import { GivenPrimary } from "./primary.ts";
import { print } from "./print.ts";
import { primaries } from "./primaries.ts";
import type { RegexType } from "./regex-type.ts";

/** A whole command line of find, understood. */
export interface FindRequest extends TreeOptions {
  readonly startPoints: readonly string[];
  readonly minDepth: number;
  /** A file that is gone by the time it is looked at is no error. */
  readonly ignoresRaces: boolean;
  /** -files0-from: where the starting points are read. */
  readonly startPointsFrom: string | undefined;
  readonly expression: Expression;
  readonly printsUnasked: boolean;
  /** Files that tests compare with, for the guard; `operand` is an index in the arguments. */
  readonly references: readonly Reference[];
  readonly stages: readonly StageCommand[];
  /** -delete is among the actions. */
  readonly deletes: boolean;
  readonly informs: "help" | "version" | undefined;
}

export interface Reference {
  readonly path: string;
  readonly operand: number;
}

/** Settings that parsing an expression changes besides building it. The primaries write to it. */
export interface FindSettings {
  follow: TreeOptions["follow"];
  contentsFirst: boolean;
  maxDepth: number;
  minDepth: number;
  oneDevice: boolean;
  ignoresRaces: boolean;
  startPointsFrom: string | undefined;
  startPoints: readonly string[];
  warns: boolean;
  fromMidnight: boolean;
  /** -delete, -depth and -prune are among the words. */
  deletes: boolean;
  asksForDepth: boolean;
  prunes: boolean;
  regexType: RegexType;
  informs: "help" | "version" | undefined;
  readonly warnings: string[];
  readonly references: Reference[];
  readonly stages: StageCommand[];
}

/** Reads all arguments. */
export function parseCommandLine(words: readonly string[]): FindRequest {
  const settings: FindSettings = {
    follow: "never",
    contentsFirst: false,
    maxDepth: Infinity,
    minDepth: 0,
    oneDevice: false,
    ignoresRaces: false,
    startPointsFrom: undefined,
    startPoints: [],
    warns: false,
    fromMidnight: false,
    deletes: false,
    asksForDepth: false,
    prunes: false,
    regexType: "emacs",
    informs: undefined,
    warnings: [],
    references: [],
    stages: [],
  };
  let at = leadingFlags(words, settings);
  const firstStart = at;
  while (at < words.length && !beginsExpression(words[at] as string, true)) at++;
  const startPoints = words.slice(firstStart, at);
  settings.startPoints = startPoints;
  const { expression, printsOrRuns } = expressionOf(words, at, settings);
  const { follow, contentsFirst, maxDepth, minDepth, oneDevice, ignoresRaces, startPointsFrom, informs } = settings;
  if (startPointsFrom !== undefined && startPoints.length > 0) {
    throw new UsageError(
      "extra-operand",
      [
        ...settings.warnings,
        `extra operand \u2018${startPoints[0] as string}\u2019`,
        "file operands cannot be combined with -files0-from",
      ].join("\nfind: "),
      { argument: firstStart, subject: startPoints[0] as string },
    );
  }
  if (settings.deletes && settings.prunes && !settings.asksForDepth) throw deletesPruned(words);
  return {
    follow,
    contentsFirst: contentsFirst || settings.deletes,
    deletes: settings.deletes,
    maxDepth,
    minDepth,
    oneDevice,
    ignoresRaces,
    startPointsFrom,
    informs,
    startPoints,
    expression: expression ?? { kind: "primary", primary: print },
    printsUnasked: expression !== undefined && !printsOrRuns,
    references: [...startPoints.map((path, index) => ({ path, operand: firstStart + index })), ...settings.references],
    stages: settings.stages,
  };
}

function deletesPruned(words: readonly string[]): UsageError {
  const message =
    "The -delete action automatically turns on -depth, but -prune does nothing when -depth is in effect.  If you want to carry on anyway, just explicitly use the -depth option.";
  return new UsageError("bad-value", message, { argument: words.indexOf("-delete"), subject: "-delete" });
}

/** `leading`: before the expression, where a lone `)` or `,` is a name. */
function beginsExpression(word: string, leading: boolean): boolean {
  switch (word.charAt(0)) {
    case "-":
      return word.length > 1;
    case ")":
    case ",":
      return word.length === 1 && !leading;
    case "(":
    case "!":
      return word.length === 1;
    default:
      return false;
  }
}

type Token =
  | { readonly kind: "primary"; readonly primary: Primary; readonly word: string }
  | { readonly kind: "open" | "close" | "not" | "and" | "or" | "comma"; readonly word: string };

const OPERATORS: Readonly<Record<string, Exclude<Token["kind"], "primary">>> = {
  "(": "open",
  ")": "close",
  "!": "not",
  "-not": "not",
  "-a": "and",
  "-and": "and",
  "-o": "or",
  "-or": "or",
  ",": "comma",
};

/** `compile`, which first says what was warned of since there were `from` warnings. */
function warning(warnings: readonly string[], from: number, compile: Primary["compile"]): Primary["compile"] {
  const own = warnings.slice(from);
  if (own.length === 0) return compile;
  return (run) => {
    for (const message of own) run.invocation.warn(message);
    return compile(run);
  };
}

const ALWAYS_TRUE: Primary["compile"] = () => ({ kind: "test", test: () => true });

/** Parses the expression. Warnings are printed before the error that follows them. */
function expressionOf(
  words: readonly string[],
  from: number,
  settings: FindSettings,
): { readonly expression: Expression | undefined; readonly printsOrRuns: boolean } {
  try {
    const parser = new ExpressionParser(words, from, settings);
    return { expression: parser.parse(), printsOrRuns: parser.printsOrRuns };
  } catch (thrown) {
    const { warnings } = settings;
    if (!(thrown instanceof UsageError) || thrown.kind === "refused-flag" || warnings.length === 0) throw thrown;
    throw new UsageError(thrown.kind, [...warnings, thrown.message].join("\nfind: "), thrown);
  }
}

class ExpressionParser {
  readonly #words: readonly string[];
  readonly #settings: FindSettings;
  readonly #tokens: Token[] = [];
  #at = 0;
  printsOrRuns = false;

  constructor(words: readonly string[], from: number, settings: FindSettings) {
    this.#words = words;
    this.#settings = settings;
    this.#readTokens(from);
  }

  /** undefined for an empty expression. */
  parse(): Expression | undefined {
    if (this.#tokens.length === 0) return undefined;
    const expression = this.#comma();
    if (this.#peek()?.kind === "close") throw this.#error("you have too many ')'");
    return expression;
  }

  #readTokens(from: number): void {
    let first: string | undefined;
    let previous: string | undefined;
    for (let at = from; at < this.#words.length; at++) {
      const word = this.#words[at] as string;
      if (!beginsExpression(word, false)) {
        const hint =
          previous !== undefined && PATTERNS.has(previous) ? `\nfind: possible unquoted pattern after predicate \`${previous}'?` : "";
        throw new UsageError("bad-value", `paths must precede expression: \`${word}'${hint}`, { argument: at, subject: word });
      }
      const operator = Object.hasOwn(OPERATORS, word) ? OPERATORS[word] : undefined;
      if (operator !== undefined) {
        this.#tokens.push({ kind: operator, word });
        first ??= word;
        previous = undefined;
        continue;
      }
      const reader = primaries.find(word);
      if (reader === undefined) {
        const near = primaries.nearest(word);
        throw new UsageError("unknown-flag", `unknown predicate \`${word}'`, { argument: at, subject: word, suggestion: near });
      }
      const given = new GivenPrimary(word, this.#words, at, this.#settings);
      const warned = this.#settings.warnings.length;
      if (reader.role === "option" && first !== undefined) {
        given.warn(
          `you have specified the global option ${word} after the argument ${first}, but global options are not positional, i.e., ${word} affects tests specified before it as well as those specified after it.  Please specify global options before other arguments.`,
        );
      }
      const compile = warning(this.#settings.warnings, warned, reader.read(given) ?? ALWAYS_TRUE);
      at = given.at;
      previous = word;
      if (reader.role === "setting") continue;
      if (reader.role === "test" || reader.role === "action") first ??= word;
      const replacesPrint = reader.role === "action";
      if (replacesPrint) this.printsOrRuns = true;
      this.#tokens.push({ kind: "primary", word, primary: { name: word, replacesPrint, compile } });
    }
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #comma(): Expression {
    let left = this.#or();
    while (this.#peek()?.kind === "comma") {
      this.#binary();
      left = { kind: "comma", left, right: this.#or() };
    }
    return left;
  }

  #or(): Expression {
    let left = this.#and();
    while (this.#peek()?.kind === "or") {
      this.#binary();
      left = { kind: "or", left, right: this.#and() };
    }
    return left;
  }

  #and(): Expression {
    let left = this.#operand();
    for (;;) {
      const next = this.#peek();
      if (next === undefined || next.kind === "or" || next.kind === "comma" || next.kind === "close") return left;
      if (next.kind === "and") this.#binary();
      left = { kind: "and", left, right: this.#operand() };
    }
  }

  /** Takes a binary operator, which must have something after it. */
  #binary(): void {
    this.#operatorHasOperand((this.#tokens[this.#at++] as Token).word);
  }

  #operatorHasOperand(word: string): void {
    const next = this.#peek();
    if (next === undefined) throw this.#error(`expected an expression after '${word}'`);
    if (next.kind === "close") throw this.#error(`expected an expression between '${word}' and ')'`);
  }

  #operand(): Expression {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw this.#error("expected an expression");
    switch (token.kind) {
      case "primary":
        return { kind: "primary", primary: token.primary };
      case "not":
        this.#operatorHasOperand(token.word);
        return { kind: "not", operand: this.#operand() };
      case "open":
        return this.#group(token.word);
      case "close":
        throw this.#error("invalid expression; you have too many ')'");
      case "and":
      case "or":
      case "comma":
        throw this.#error(`invalid expression; you have used a binary operator '${token.word}' with nothing before it.`);
    }
  }

  #group(word: string): Expression {
    const next = this.#peek();
    if (next === undefined) {
      throw this.#error(
        `invalid expression; expected to find a ')' but didn't see one. Perhaps you need an extra predicate after '${word}'`,
      );
    }
    if (next.kind === "close") throw this.#error("invalid expression; empty parentheses are not allowed.");
    const inner = this.#comma();
    if (this.#peek()?.kind !== "close")
      throw this.#error("invalid expression; I was expecting to find a ')' somewhere but did not see one.");
    this.#at++;
    return inner;
  }

  #error(message: string): UsageError {
    return new UsageError("bad-program", message);
  }
}

/** Primaries after which a word too many was most likely a pattern that the shell expanded. */
const PATTERNS: ReadonlySet<string> = new Set([
  "-name",
  "-iname",
  "-path",
  "-ipath",
  "-wholename",
  "-iwholename",
  "-regex",
  "-iregex",
  "-lname",
  "-ilname",
]);
