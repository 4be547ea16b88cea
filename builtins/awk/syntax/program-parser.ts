/** Parser of a whole awk program: rules and functions, from one or more sources and the files that they include. */
import { ExpressionParser } from "./expression-parser.ts";
import { isReserved, isWord } from "./lexer.ts";
import type { Token } from "./token.ts";
import { CannotInclude, ProgramError } from "./program-error.ts";
import { includedFromLines, type Place, type Source } from "./source.ts";
import { SPECIAL_VARIABLES } from "../run/special-variables.ts";
import { StatementParser } from "./statement-parser.ts";
import { TokenReader, type Jumps, type ParseSettings } from "./token-reader.ts";
import type { Block, CommandUse, FunctionDefinition, Program, Refusal, Rule } from "./tree.ts";

export interface ProgramSettings extends ParseSettings {
  /** The source that `@include "name"` at a place means; undefined: it was included before. Throws CannotInclude, ProgramError. */
  readonly include: (name: string, from: Place) => Source | undefined;
}

/** Throws ProgramError. */
export function parseProgram(sources: readonly Source[], settings: ProgramSettings): Program {
  const parser = new ProgramParser(settings);
  for (const source of sources) parser.read(source);
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
  readonly #commands: CommandUse[] = [];
  readonly #files: string[] = [];
  #mistakes = 0;
  readonly #jumps: Jumps = { isUnchecked: false, stray: undefined };
  readonly #variableNames = new Set<string>();
  #namespace = "awk";
  /** Of the function that is being read. */
  #parameters: ReadonlySet<string> = new Set();

  constructor(settings: ProgramSettings) {
    this.#settings = settings;
  }

  program(): Program {
    if (this.#mistakes > 0) throw new ProgramError([]);
    if (this.#jumps.stray !== undefined) throw new ProgramError([this.#jumps.stray]);
    return {
      begin: this.#begin,
      end: this.#end,
      beginFile: this.#beginFile,
      endFile: this.#endFile,
      rules: this.#rules,
      functions: this.#functions,
      refusals: this.#refusals,
      commands: this.#commands,
      files: this.#files,
    };
  }

  /** `depth`: of sources that include it. */
  read(source: Source, depth = 0): void {
    if (depth > MAX_INCLUDE_DEPTH) throw new ProgramError(["fatal: @include nested too deeply"], 2);
    const reader = new TokenReader(source, this.#settings, this.#jumps, depth > 0);
    const expressions = new ExpressionParser(
      reader,
      (name) => this.#qualified(name),
      (name, place, asFunction) => {
        const mistake = this.#noteUse(name, asFunction);
        if (mistake !== undefined) reader.mistake(mistake, place.line);
      },
    );
    const statements = new StatementParser(reader, expressions);
    this.#namespace = "awk";
    reader.skipNewlines();
    reader.wantsName = false;
    for (; reader.token.kind !== "end"; reader.skipNewlines()) this.#item(reader, expressions, statements, depth);
    this.#refusals.push(...reader.refusals);
    this.#commands.push(...reader.commands);
    this.#files.push(...reader.files);
    this.#mistakes += reader.mistakes;
  }

  #item(reader: TokenReader, expressions: ExpressionParser, statements: StatementParser, depth: number): void {
    const { token, place } = reader;
    reader.rule = "rule";
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
      if (reader.is("{")) {
        const kind = token.text as "BEGIN" | "END" | "BEGINFILE" | "ENDFILE";
        const blocks = { BEGIN: this.#begin, END: this.#end, BEGINFILE: this.#beginFile, ENDFILE: this.#endFile }[kind];
        blocks.push(statements.body(kind));
        this.#endAction(reader);
      } else this.#withoutAction(reader, `${token.text} blocks must have an action part`);
      return;
    }
    if (reader.is(";")) {
      this.#withoutAction(reader, "each rule must have a pattern or an action part");
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
    if (body === undefined) reader.endStatement();
    else this.#endAction(reader);
  }

  #withoutAction(reader: TokenReader, message: string): void {
    reader.endStatement();
    reader.mistakes++;
    reader.tell(message);
  }

  /** One semicolon may stand behind an action, and rules may follow each other on one line. */
  #endAction(reader: TokenReader): void {
    if (reader.is(";")) reader.endStatement();
  }

  #function(reader: TokenReader, statements: StatementParser): void {
    const { place } = reader;
    reader.take();
    const { token } = reader;
    if (token.kind === "builtin") {
      const word = reader.source.text.slice(token.at, token.end);
      throw reader.error(`\`${word}' is a built-in function, it cannot be redefined`, token);
    }
    if (token.kind !== "name" && token.kind !== "call") throw reader.errorBehindAt();
    reader.take();
    const name = this.#qualified(token.text);
    if (!reader.is("(")) throw reader.error();
    reader.names = { kind: "header" };
    reader.take();
    const parameters = this.#parametersOf(reader);
    reader.expect(")");
    reader.skipNewlines();
    if (this.#functions.has(name) || this.#variableNames.has(name) || SPECIAL_VARIABLES.has(name)) {
      reader.mistake(`function name \`${name}' previously defined`, place.line);
      throw new ProgramError([]);
    }
    const names = parameters.map(({ text }) => text);
    for (const [at, parameter] of parameters.entries()) this.#checkParameter(reader, name, parameter, names.slice(0, at));
    reader.names = { kind: "body", parameters: new Set(names) };
    const qualified = names.map((parameter) => this.#qualified(parameter));
    this.#functions.set(name, { name, parameters: qualified, body: EMPTY_BODY(place), place });
    this.#parameters = new Set(qualified);
    reader.within = name;
    const body = statements.body("function");
    reader.within = undefined;
    this.#parameters = new Set();
    this.#functions.set(name, { name, parameters: qualified, body, place });
    this.#endAction(reader);
    reader.names = undefined;
  }

  #parametersOf(reader: TokenReader): Token[] {
    const parameters: Token[] = [];
    while (parameters.length > 0 || !reader.is(")")) {
      if (reader.token.kind !== "name") throw reader.error();
      parameters.push(reader.take());
      if (!reader.accept(",")) break;
      reader.skipNewlines();
    }
    return parameters;
  }

  #checkParameter(reader: TokenReader, name: string, { text: parameter, line }: Token, before: readonly string[]): void {
    const told = (what: string): void => reader.mistake(`function \`${name}': ${what}`, line);
    if (parameter === name) told("cannot use function name as parameter name");
    else if (SPECIAL_VARIABLES.has(parameter) && parameter !== "SYMTAB" && parameter !== "FUNCTAB") {
      told(`parameter \`${parameter}': POSIX disallows using a special variable as a function parameter`);
    } else if (parameter.includes(":")) told(`parameter \`${parameter}' cannot contain a namespace`);
    for (const [at, earlier] of before.entries()) {
      if (earlier === parameter) told(`parameter #${before.length + 1}, \`${parameter}', duplicates parameter #${at + 1}`);
    }
  }

  #directive(reader: TokenReader, depth: number): void {
    const { place, token } = reader;
    reader.wantsName = true;
    reader.take();
    const name = reader.token;
    if (name.kind !== "file-name") throw reader.error();
    const { line } = name;
    if (token.text === "namespace" && isIdentifier(name.text) && !isWord(name.text)) reader.namespace = name.text;
    reader.take();
    if (reader.token.kind !== "newline" && !reader.is(";") && !reader.is("}")) throw reader.error();
    if (token.text === "include") {
      const source = name.text === "" ? undefined : this.#included(name.text, line, reader);
      const outer = this.#namespace;
      if (source !== undefined) {
        // The name is over with the first token of what is included.
        reader.wantsName = false;
        this.read(source, depth + 1);
      }
      this.#namespace = outer;
      reader.endStatement();
    } else if (token.text === "namespace") {
      reader.endStatement();
      if (!isIdentifier(name.text)) reader.mistake(`namespace name \`${name.text}' must meet identifier naming rules`, line);
      else if (isWord(name.text)) reader.mistake(`using reserved identifier \`${name.text}' as a namespace is not allowed`, line);
      else this.#namespace = name.text;
    } else {
      const what = `@load "${name.text}"`;
      this.#refusals.push({ kind: "load", what, place, at: token.at, end: name.end, literal: name.text, operator: "@load" });
      reader.endStatement();
    }
    reader.wantsName = false;
  }

  #included(name: string, line: number, { source, token }: TokenReader): Source | undefined {
    try {
      return this.#settings.include(name, { source, line: token.lineAfter - (token.kind === "newline" ? 1 : 0) });
    } catch (thrown) {
      if (!(thrown instanceof CannotInclude)) throw thrown;
      if (thrown.isFatal) throw new ProgramError([`${source.label}:${token.lineAfter}: fatal: ${thrown.message}`], 2);
      throw new ProgramError([...includedFromLines(source), `${source.label}:${line}: error: ${thrown.message}`]);
    }
  }

  /** Records a use of the name. Returns the error in it, if any. */
  #noteUse(name: string, asFunction: boolean): string | undefined {
    const isParameter = this.#parameters.has(name);
    if (!asFunction) {
      if (isParameter) return undefined;
      if (this.#functions.has(name)) {
        return `function \`${name}' called with space between name and \`(',\nor used as a variable or an array`;
      }
      this.#variableNames.add(name);
      return undefined;
    }
    const isKnown = isParameter || SPECIAL_VARIABLES.has(name) || this.#variableNames.has(name);
    return isKnown ? `attempt to use non-function \`${name}' in function call` : undefined;
  }

  /** Names with all letters upper case, and those of builtins, are in the namespace "awk" everywhere. */
  #qualified(name: string): string {
    if (name.includes("::")) return name.startsWith("awk::") ? name.slice(5) : name;
    if (this.#namespace === "awk" || /^[A-Z][A-Z_0-9]*$/.test(name) || isReserved(name)) return name;
    return `${this.#namespace}::${name}`;
  }
}

const isIdentifier = (name: string): boolean => /^[A-Za-z_][A-Za-z_0-9]*$/.test(name);

const EMPTY_BODY = (place: Place): Block => ({ kind: "block", statements: [], place });
