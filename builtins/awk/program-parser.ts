/** Rules and functions: the whole program, out of one or more sources. */
import { ExpressionParser } from "./expression-parser.ts";
import { isReserved } from "./lexer.ts";
import { ProgramError } from "./program-error.ts";
import { placeText, type Place, type Source } from "./source.ts";
import { StatementParser } from "./statement-parser.ts";
import { TokenReader, type ParseSettings } from "./token-reader.ts";
import type { Block, FunctionDefinition, Program, Refusal, Rule } from "./tree.ts";

export interface ProgramSettings extends ParseSettings {
  /** The source that `@include "name"` means; undefined: it was included before. Throws ProgramError. */
  readonly include: (name: string, place: Place) => Source | undefined;
}

/** Names of variables that are in the namespace "awk" wherever they stand. */
export const SPECIAL_VARIABLES: ReadonlySet<string> = new Set(
  "ARGC ARGIND ARGV BINMODE CONVFMT ENVIRON ERRNO FIELDWIDTHS FILENAME FNR FPAT FS FUNCTAB IGNORECASE LINT NF NR OFMT OFS ORS PREC PROCINFO RLENGTH ROUNDMODE RS RSTART RT SUBSEP SYMTAB TEXTDOMAIN".split(
    " ",
  ),
);

/** Throws ProgramError. */
export function parseProgram(sources: readonly Source[], settings: ProgramSettings): Program {
  const parser = new ProgramParser(settings);
  for (const source of sources) parser.read(source, 0);
  return parser.program();
}

const MAX_INCLUDE_DEPTH = 100;

class ProgramParser {
  readonly #settings: ProgramSettings;
  readonly #begin: Block[] = [];
  readonly #end: Block[] = [];
  readonly #beginFile: Block[] = [];
  readonly #endFile: Block[] = [];
  readonly #rules: Rule[] = [];
  readonly #functions = new Map<string, FunctionDefinition>();
  readonly #refusals: Refusal[] = [];
  readonly #files: string[] = [];
  readonly #mistakes: string[] = [];
  readonly #variables: { readonly name: string; readonly place: Place }[] = [];
  readonly #variableNames = new Set<string>();
  #namespace = "awk";
  /** Of the function that is being read. */
  #parameters: ReadonlySet<string> = new Set();

  constructor(settings: ProgramSettings) {
    this.#settings = settings;
  }

  program(): Program {
    if (this.#mistakes.length > 0) throw new ProgramError(this.#mistakes);
    for (const { name, place } of this.#variables) {
      if (!this.#functions.has(name)) continue;
      throw new ProgramError([usedAsVariable(name, place)]);
    }
    return {
      begin: this.#begin,
      end: this.#end,
      beginFile: this.#beginFile,
      endFile: this.#endFile,
      rules: this.#rules,
      functions: this.#functions,
      refusals: this.#refusals,
      files: this.#files,
    };
  }

  read(source: Source, depth: number): void {
    if (depth > MAX_INCLUDE_DEPTH) throw new ProgramError(["fatal: @include nested too deeply"], 2);
    const reader = new TokenReader(source, this.#settings);
    const expressions = new ExpressionParser(
      reader,
      (name) => this.#qualified(name),
      (name, place, asFunction) => {
        const mistake = this.#noteUse(name, place, asFunction);
        if (mistake !== undefined) reader.mistakes.push(mistake);
      },
    );
    const statements = new StatementParser(reader, expressions);
    this.#namespace = "awk";
    try {
      for (;;) {
        reader.skipTerminators();
        if (reader.token.kind === "end") break;
        this.#item(reader, expressions, statements, depth);
      }
    } catch (thrown) {
      if (!(thrown instanceof ProgramError)) throw thrown;
      throw new ProgramError([...reader.mistakes, ...thrown.lines], thrown.exit);
    }
    this.#refusals.push(...reader.refusals);
    this.#files.push(...reader.files);
    this.#mistakes.push(...reader.mistakes);
  }

  #item(reader: TokenReader, expressions: ExpressionParser, statements: StatementParser, depth: number): void {
    const { token, place } = reader;
    if (token.kind === "directive") {
      this.#directive(reader, depth);
      return;
    }
    if (reader.is("function")) {
      this.#function(reader, statements);
      return;
    }
    if (token.kind === "keyword" && /^(?:BEGIN|END|BEGINFILE|ENDFILE)$/.test(token.text)) {
      reader.take();
      if (reader.token.kind === "newline" || reader.token.kind === "end" || reader.is(";")) {
        const line = place.line + (reader.token.kind === "newline" ? 1 : 0);
        throw new ProgramError([`${placeText({ ...place, line })} ${token.text} blocks must have an action part`]);
      }
      if (!reader.is("{")) throw reader.error();
      const kind = token.text as "BEGIN" | "END" | "BEGINFILE" | "ENDFILE";
      const blocks = { BEGIN: this.#begin, END: this.#end, BEGINFILE: this.#beginFile, ENDFILE: this.#endFile }[kind];
      blocks.push(statements.body(kind));
      this.#endItem(reader);
      return;
    }
    const patterns = [];
    if (!reader.is("{")) {
      patterns.push(expressions.expression());
      if (reader.accept(",")) {
        reader.skipNewlines();
        patterns.push(expressions.expression());
      }
    }
    const body = reader.is("{") ? statements.body("rule") : undefined;
    this.#rules.push({ patterns, body, place });
    if (body !== undefined) this.#endItem(reader);
    else if (reader.token.kind !== "newline" && reader.token.kind !== "end" && !reader.is(";")) throw reader.error();
  }

  /** Rules may follow each other on one line. */
  #endItem(reader: TokenReader): void {
    while (reader.is(";") || reader.token.kind === "newline") reader.take();
  }

  #function(reader: TokenReader, statements: StatementParser): void {
    const { place } = reader;
    reader.take();
    const { token } = reader;
    if (token.kind === "builtin") {
      throw reader.error(`\`${token.text}' is a built-in function, it cannot be redefined`, token);
    }
    if (token.kind !== "name" && token.kind !== "call") throw reader.error();
    reader.take();
    const name = this.#qualified(token.text);
    if (this.#functions.has(name) || this.#variableNames.has(name)) {
      throw new ProgramError([`${placeText(place)} error: function name \`${name}' previously defined`]);
    }
    reader.expect("(");
    const parameters: string[] = [];
    for (let isFirst = true; !isFirst || !reader.is(")"); isFirst = false) {
      const parameter = reader.token;
      if (parameter.kind !== "name" && !(parameter.kind === "builtin" && !isReserved(parameter.text))) throw reader.error();
      reader.take();
      this.#checkParameter(name, parameter.text, parameters, place);
      parameters.push(parameter.text);
      if (!reader.accept(",")) break;
      reader.skipNewlines();
    }
    reader.parameters = new Set(parameters);
    reader.expect(")");
    reader.skipNewlines();
    const qualified = parameters.map((parameter) => this.#qualified(parameter));
    this.#functions.set(name, { name, parameters: qualified, body: EMPTY_BODY(place), place });
    this.#parameters = new Set(qualified);
    const body = statements.body("function");
    this.#parameters = new Set();
    reader.parameters = new Set();
    this.#functions.set(name, { name, parameters: qualified, body, place });
    this.#endItem(reader);
  }

  #checkParameter(name: string, parameter: string, before: readonly string[], place: Place): void {
    const fail = (what: string): ProgramError => new ProgramError([`${placeText(place)} error: function \`${name}': ${what}`]);
    if (parameter === name) throw fail("cannot use function name as parameter name");
    if (SPECIAL_VARIABLES.has(parameter) && parameter !== "SYMTAB" && parameter !== "FUNCTAB") {
      throw fail(`parameter \`${parameter}': POSIX disallows using a special variable as a function parameter`);
    }
    const earlier = before.indexOf(parameter);
    if (earlier >= 0) throw fail(`parameter #${before.length + 1}, \`${parameter}', duplicates parameter #${earlier + 1}`);
  }

  #directive(reader: TokenReader, depth: number): void {
    const { place, token } = reader;
    reader.take();
    const name = reader.token;
    if (name.kind !== "string") throw reader.error();
    if (token.text === "namespace") {
      if (isReserved(name.text)) {
        throw new ProgramError([`${placeText(place)} error: using reserved identifier \`${name.text}' as a namespace is not allowed`]);
      }
      reader.namespace = name.text;
    }
    reader.take();
    if (reader.token.kind !== "newline" && reader.token.kind !== "end" && !reader.is(";")) throw reader.error();
    if (token.text === "include") {
      const source = this.#settings.include(name.text, place);
      const outer = this.#namespace;
      if (source !== undefined) this.read(source, depth + 1);
      this.#namespace = outer;
    } else if (token.text === "namespace") {
      if (!/^[A-Za-z_][A-Za-z_0-9]*$/.test(name.text)) {
        throw new ProgramError([`${placeText(place)} error: namespace name \`${name.text}' must meet identifier naming rules`]);
      }
      this.#namespace = name.text;
    } else {
      const what = `@load "${name.text}"`;
      this.#refusals.push({ kind: "load", what, place, at: token.at, end: name.end, literal: name.text, operator: "@load" });
    }
  }

  /** What is wrong with it. */
  #noteUse(name: string, place: Place, asFunction: boolean): string | undefined {
    const isParameter = this.#parameters.has(name);
    if (!asFunction) {
      if (isParameter) return undefined;
      if (this.#functions.has(name)) return usedAsVariable(name, place);
      this.#variables.push({ name, place });
      this.#variableNames.add(name);
      return undefined;
    }
    const isKnown = isParameter || SPECIAL_VARIABLES.has(name) || this.#variableNames.has(name);
    return isKnown ? `${placeText(place)} error: attempt to use non-function \`${name}' in function call` : undefined;
  }

  /** Names with all letters upper case, and those of builtins, are in the namespace "awk" everywhere. */
  #qualified(name: string): string {
    if (name.includes("::")) return name.startsWith("awk::") ? name.slice(5) : name;
    if (this.#namespace === "awk" || /^[A-Z][A-Z_0-9]*$/.test(name) || isReserved(name)) return name;
    return `${this.#namespace}::${name}`;
  }
}

const usedAsVariable = (name: string, place: Place): string =>
  `${placeText(place)} error: function \`${name}' called with space between name and \`(',\nor used as a variable or an array`;

const EMPTY_BODY = (place: Place): Block => ({ kind: "block", statements: [], place });
