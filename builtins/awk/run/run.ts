/** Runs a program: BEGIN, the records, END. */
import type { Invocation } from "../../../src/builtin/definition.ts";
import { isStandardInput } from "../../../src/builtin/inputs.ts";
import { LimitReached } from "../../../src/io/limit-reached.ts";
import { EXIT, NEXT, NEXT_FILE, NORMAL, Unwind, type BooleanOf, type Code, type Completion } from "../compile/closures.ts";
import { ExpressionCompiler } from "../compile/expression-compiler.ts";
import { GetlineCompiler } from "../compile/getline-compiler.ts";
import { Commands } from "./commands.ts";
import { MainInput, type InputFiles } from "./main-input.ts";
import { OpenFiles } from "./open-files.ts";
import { FatalError } from "../syntax/program-error.ts";
import { BUILTIN_FUNCTIONS } from "../library/function-table.ts";
import { FunctionTable, SymbolTable } from "../compile/symbol-table.ts";
import type { Runtime } from "./runtime.ts";
import type { FunctionSlot, Scope } from "../compile/name-scope.ts";
import { StatementCompiler } from "../compile/statement-compiler.ts";
import type { Block, Program, Rule } from "../syntax/tree.ts";
import { Input, type Value } from "../values/values.ts";
import { factsOf, functionFacts, type Facts } from "../compile/suspension.ts";

type Surroundings = Pick<Invocation, "stdin" | "files" | "limits" | "stderr" | "runScript" | "outputs">;

interface CompiledRule {
  /** Undefined: every record. */
  readonly condition: BooleanOf | undefined;
  /** What has to be there before the condition. */
  readonly before: Code | undefined;
  readonly body: Code;
}

/**
 * Yields what the program prints and returns the exit status. `names`: special variables that the program text mentions.
 * Throws FatalError, LimitReached.
 */
export async function* runProgram(
  program: Program,
  runtime: Runtime,
  surroundings: Surroundings,
  names: ReadonlySet<string>,
): AsyncGenerator<Uint8Array, number> {
  const run = new ProgramRun(program, runtime, surroundings, names);
  try {
    return yield* run.run();
  } finally {
    run.close();
  }
}

class ProgramRun {
  readonly #program: Program;
  readonly #runtime: Runtime;
  readonly #from: InputFiles;
  readonly #stderr: (bytes: Uint8Array) => void;
  readonly #input: MainInput;
  readonly #files: OpenFiles;
  readonly #commands: Commands | undefined;
  readonly #scope: Scope;
  readonly #begin: Code[];
  readonly #end: Code[];
  readonly #rules: CompiledRule[];
  /** Facts about the whole program. */
  readonly #facts: Facts;
  #exits = false;

  constructor(program: Program, runtime: Runtime, surroundings: Surroundings, names: ReadonlySet<string>) {
    const usesTerminator = names.has("RT") || names.has("SYMTAB");
    this.#program = program;
    this.#runtime = runtime;
    this.#stderr = surroundings.stderr;
    const { stdin, files, limits, outputs } = surroundings;
    this.#from = { stdin, files, limits, outputs, whole: undefined };
    this.#files = new OpenFiles(runtime, this.#from);
    this.#commands = program.commands.length === 0 ? undefined : new Commands(runtime, surroundings);
    runtime.commands = this.#commands;
    const functions = new Map<string, FunctionSlot>(
      [...program.functions].map(([name, definition]) => [name, { definition, code: undefined }]),
    );
    runtime.functionNames = new Set(functions.keys());
    this.#scope = { commands: this.#commands, runtime, program, functions, parameters: new Map(), needsWholeInput: false };
    const expressions = new ExpressionCompiler(
      this.#scope,
      (compiler) => new GetlineCompiler(compiler, () => this.#input, this.#files, usesTerminator),
    );
    if (names.has("SYMTAB")) runtime.globals[runtime.globalNumber("SYMTAB")] = new SymbolTable(runtime);
    if (names.has("FUNCTAB")) {
      runtime.globals[runtime.globalNumber("FUNCTAB")] = new FunctionTable(runtime, [...functions.keys(), ...BUILTIN_FUNCTIONS.keys()]);
    }
    const facts = functionFacts(program);
    this.#facts = factsOf(
      ...[...program.begin, ...program.end, ...[...program.functions.values()].map(({ body }) => body)],
      ...program.rules.flatMap(({ patterns, body }) => [...patterns, body]),
    );
    const statements = new StatementCompiler(expressions, facts);
    for (const slot of functions.values()) {
      this.#scope.parameters = new Map(slot.definition.parameters.map((name, index) => [name, index]));
      slot.code = statements.body(slot.definition.body);
    }
    this.#scope.parameters = new Map();
    const bodies = (blocks: readonly Block[]): Code[] => blocks.map((block) => statements.body(block));
    this.#begin = bodies(program.begin);
    this.#end = bodies(program.end);
    this.#rules = program.rules.map((rule) => this.#rule(rule, expressions, statements));
    const [beginFile, endFile] = [bodies(program.beginFile), bodies(program.endFile)];
    this.#input = new MainInput(
      runtime,
      this.#from,
      {
        begin: beginFile.length === 0 ? undefined : () => this.#runHook(beginFile, "BEGINFILE"),
        end: endFile.length === 0 ? undefined : () => void this.#runHook(endFile, "ENDFILE"),
      },
      usesTerminator,
    );
  }

  #rule({ patterns, body, place }: Rule, expressions: ExpressionCompiler, statements: StatementCompiler): CompiledRule {
    const code = statements.body(body ?? { kind: "block", statements: [{ kind: "print", values: [], output: undefined, place }], place });
    const [first, last] = patterns;
    if (first === undefined) return { condition: undefined, before: undefined, body: code };
    const { runtime } = expressions;
    // The parts of a range cannot be worked out before it is known which of them counts.
    const ahead = last === undefined ? statements.ahead(first) : { rest: [first], before: statements.recordsBefore(first, last) };
    const [rest = first] = ahead.rest;
    const before = ahead.before && statements.only(ahead.before, place);
    const begins = expressions.condition(rest);
    const placed =
      (condition: BooleanOf): BooleanOf =>
      () => {
        runtime.place = place;
        return condition();
      };
    if (last === undefined) return { condition: placed(begins), before, body: code };
    const ends = expressions.condition(last);
    let inside = false;
    const condition = (): boolean => {
      if (!inside && !begins()) return false;
      inside = !ends();
      return true;
    };
    return { condition: placed(condition), before, body: code };
  }

  async *run(): AsyncGenerator<Uint8Array, number> {
    const runtime = this.#runtime;
    if (this.#scope.needsWholeInput || this.#mayOpenInput()) this.#from.whole = await this.#readStandardInput();
    runtime.rule = "BEGIN";
    for (const code of this.#begin) {
      if ((yield* this.#runBlock(code)) === EXIT) {
        this.#exits = true;
        break;
      }
    }
    runtime.rule = undefined;
    const { rules, end, beginFile, endFile } = this.#program;
    if (!this.#exits && rules.length + end.length + beginFile.length + endFile.length > 0) yield* this.#readRecords();
    // The record stays as it was for END.
    runtime.rule = "END";
    for (const code of this.#end) {
      this.#exits = false;
      if ((yield* this.#runBlock(code)) === EXIT) break;
    }
    if (this.#commands !== undefined) yield* this.#commands.closeAll();
    runtime.streams?.closeAll();
    yield* this.#flush(true);
    return runtime.exitCode;
  }

  async *#readRecords(): AsyncGenerator<Uint8Array, void> {
    const runtime = this.#runtime;
    const { output, record } = runtime;
    const input = this.#input;
    const atOnce = this.#rules.every((rule) => rule.before === undefined && rule.body.steps === undefined);
    for (;;) {
      if (output.full || runtime.pending.length > 0) yield* this.#flush();
      let source: ReturnType<MainInput["next"]>;
      try {
        source = input.next();
      } catch (thrown) {
        if (!(thrown instanceof Unwind)) throw thrown;
        this.#exits = true;
        return;
      }
      if (source === "end") return;
      if (source === "wait") {
        await input.fill();
        continue;
      }
      record.setBytes(source.window.bytes, source.found.from, source.found.to, source.window.end);
      const completion = atOnce ? this.#runRules() : yield* this.#runRulesWaiting();
      if (completion === EXIT) {
        this.#exits = true;
        return;
      }
      if (completion === NEXT_FILE) {
        try {
          input.skipFile();
        } catch (thrown) {
          if (!(thrown instanceof Unwind)) throw thrown;
          this.#exits = true;
          return;
        }
      }
    }
  }

  /** The rules for one record, without waiting. */
  #runRules(): Completion {
    const rules = this.#rules;
    try {
      for (let at = 0; at < rules.length; at++) {
        const { condition, body } = rules[at] as CompiledRule;
        if (condition !== undefined && !condition()) continue;
        const completion = body.run();
        if (completion === NORMAL) continue;
        if (completion === NEXT) return NORMAL;
        return completion;
      }
      return NORMAL;
    } catch (thrown) {
      return this.#unwound(thrown);
    }
  }

  async *#runRulesWaiting(): AsyncGenerator<Uint8Array, Completion> {
    for (const { condition, before, body } of this.#rules) {
      let completion = before === undefined ? NORMAL : yield* this.#runBlock(before);
      if (completion !== NORMAL) return completion;
      try {
        if (condition !== undefined && !condition()) continue;
      } catch (thrown) {
        completion = this.#unwound(thrown);
        return completion;
      }
      completion = yield* this.#runBlock(body);
      if (completion === NORMAL) continue;
      return completion === NEXT ? NORMAL : completion;
    }
    return NORMAL;
  }

  async *#runBlock(code: Code): AsyncGenerator<Uint8Array, Completion> {
    try {
      if (code.steps === undefined) return code.run();
      const steps = code.steps();
      for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
        if (typeof step.value !== "number") yield* step.value();
        else if (step.value > 0) await this.#ensure(step.value);
        if (this.#runtime.output.full || this.#runtime.pending.length > 0) yield* this.#flush();
      }
    } catch (thrown) {
      return this.#unwound(thrown);
    }
  }

  /** BEGINFILE or ENDFILE; false: the file is passed over. */
  #runHook(codes: readonly Code[], kind: "BEGINFILE" | "ENDFILE"): boolean {
    const { rule } = this.#runtime;
    this.#runtime.rule = kind;
    try {
      return this.#runHookCode(codes);
    } finally {
      this.#runtime.rule = rule;
    }
  }

  #runHookCode(codes: readonly Code[]): boolean {
    for (const code of codes) {
      const completion = code.run();
      if (completion === EXIT) throw new Unwind(EXIT);
      if (completion === NEXT_FILE) return false;
    }
    return true;
  }

  /** `exit` or `next` in a function that was called within an expression. */
  #unwound(thrown: unknown): Completion {
    if (!(thrown instanceof Unwind)) throw overflow(thrown);
    this.#runtime.frame = [];
    this.#runtime.depth = 0;
    return thrown.completion;
  }

  async #ensure(records: number): Promise<void> {
    if (this.#facts.records > 0) while (!this.#input.holds(records)) await this.#input.fill();
    await this.#files.ensure([...this.#facts.files], records, this.#runtime.finder);
  }

  /** True if getline may be given a computed name of standard input: then it cannot wait for it. */
  #mayOpenInput(): boolean {
    const { opensAny, namesInput } = this.#facts;
    if (!opensAny || namesInput) return opensAny;
    const runtime = this.#runtime;
    const isInput = (value: Value): boolean => value instanceof Input && isStandardInput(value.text.replace(/^\w+=/, ""));
    const values = [...runtime.globals, ...[...runtime.globalArray("ARGV").entries()].map(([, value]) => value)];
    return values.some(isInput);
  }

  async #readStandardInput(): Promise<Buffer> {
    const parts: Buffer[] = [];
    let length = 0;
    const { heldBytes } = this.#runtime.options;
    for (let block = await this.#from.stdin.read(); block !== undefined; block = await this.#from.stdin.read()) {
      parts.push(Buffer.from(block));
      length += block.length;
      if (length > heldBytes) throw new LimitReached("held", heldBytes, "bytes");
    }
    return Buffer.concat(parts);
  }

  async *#flush(isEnd = false): AsyncGenerator<Uint8Array, void> {
    if (this.#commands !== undefined && !isEnd) {
      yield* this.#commands.written();
      return;
    }
    const { output, pending } = this.#runtime;
    for (const piece of pending.splice(0)) {
      if ("stdout" in piece) yield piece.stdout;
      else this.#stderr(Buffer.from(piece.stderr, "latin1"));
    }
    if (!output.empty) yield output.take();
  }

  close(): void {
    this.#input.close();
    this.#files.closeAll();
  }
}

/** The stack ends before our own count of calls does. */
function overflow(thrown: unknown): unknown {
  if (thrown instanceof RangeError && /call stack/.test(thrown.message)) return new FatalError("function calls are too deep in each other");
  return thrown;
}
