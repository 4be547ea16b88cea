/**
 * Statements → closures. What may have to wait gets a second form, a generator, which does the same and stops where
 * input is missing or enough was printed. One file because the two forms of each statement must say the same.
 */
import { enter, leave } from "./frames.ts";
import {
  BREAK,
  CONTINUE,
  EXIT,
  NEXT,
  NEXT_FILE,
  NORMAL,
  RETURN,
  type Before,
  type BooleanOf,
  type Code,
  type Run,
  type ScalarOf,
  type Steps,
} from "./closures.ts";
import { CommandParts, inTurn } from "./command-parts.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import { forInOrder } from "../library/sorting.ts";
import { printClosure, printedTo } from "./print-compiler.ts";
import { FatalError, NO_WAITING } from "../syntax/program-error.ts";
import type { Runtime } from "../run/runtime.ts";
import type { FunctionSlot } from "./name-scope.ts";
import type { Block, Expression, Statement } from "../syntax/tree.ts";
import type { Input } from "../values/values.ts";
import { toText } from "../values/text-conversion.ts";
import { factsOf, type FunctionFacts } from "./suspension.ts";

/** Expressions, with what has to be worked out before them. */
interface Ahead {
  readonly rest: readonly Expression[];
  readonly before: Before | undefined;
  /** They are nothing without `before`. */
  readonly runsCommands: boolean;
}

type Ending = Extract<Statement, { kind: "exit" | "return" }>;

export class StatementCompiler {
  readonly #expressions: ExpressionCompiler;
  readonly #runtime: Runtime;
  readonly #functions: ReadonlyMap<string, FunctionFacts>;
  readonly #commands: CommandParts | undefined;

  constructor(expressions: ExpressionCompiler, functions: ReadonlyMap<string, FunctionFacts>) {
    this.#expressions = expressions;
    this.#runtime = expressions.runtime;
    this.#functions = functions;
    const { commands } = expressions.scope;
    this.#commands = commands && new CommandParts(expressions, commands, functions);
  }

  body(block: Block): Code {
    return this.#block(block.statements);
  }

  /** The expressions without what they may have to wait for, and that. */
  ahead(...expressions: readonly Expression[]): Ahead {
    const records = this.#recordsOf(...expressions);
    const parts: Before[] = [];
    const rest = this.#commands?.all(expressions, parts) ?? expressions;
    const runsCommands = parts.length > 0;
    if (records === 0 && !runsCommands) return { rest, before: undefined, runsCommands };
    const before: Before = function* () {
      if (records > 0) yield records;
      for (const part of parts) yield* part();
    };
    return { rest, before, runsCommands };
  }

  /** What has to be there before the expressions, where they run no commands. */
  recordsBefore(...expressions: readonly Expression[]): Before | undefined {
    const records = this.#recordsOf(...expressions);
    if (records === 0) return undefined;
    return function* () {
      yield records;
    };
  }

  /** Code that is nothing but what comes before something. */
  only(before: Before, place: Statement["place"]): Code {
    return this.#after({ before, runsCommands: true }, place, () => NORMAL);
  }

  /** As `ahead`, of one expression, if any. */
  #aheadOf(expression: Expression | undefined): Omit<Ahead, "rest"> & { readonly rest: Expression | undefined } {
    const { rest, ...ahead } = this.ahead(...(expression === undefined ? [] : [expression]));
    return { ...ahead, rest: rest[0] };
  }

  /** Number of records an expression may ask for before it is done; 0: it never waits. */
  #recordsOf(...expressions: readonly (Expression | undefined)[]): number {
    const facts = factsOf(...expressions);
    const called = [...facts.calls].some((name) => this.#functions.get(name)?.waits);
    if (called) this.#expressions.scope.needsWholeInput = true;
    return facts.records + facts.files.size;
  }

  #block(statements: readonly Statement[]): Code {
    const codes = statements.filter((statement) => statement.kind !== "empty").map((statement) => this.#statement(statement));
    const runs = codes.map((code) => code.run);
    const run = sequence(runs);
    if (codes.every((code) => code.steps === undefined)) return { run, steps: undefined };
    return {
      run,
      *steps() {
        for (const code of codes) {
          const completion = code.steps === undefined ? code.run() : yield* code.steps();
          if (completion !== NORMAL) return completion;
        }
        return NORMAL;
      },
    };
  }

  #statement(statement: Statement): Code {
    switch (statement.kind) {
      case "block":
        return this.#block(statement.statements);
      case "empty":
        return { run: () => NORMAL, steps: undefined };
      case "expression":
        return this.#expressionStatement(statement);
      case "print":
      case "printf":
        return this.#print(statement);
      case "if":
        return this.#if(statement);
      case "while":
        return this.#loop(statement, undefined, statement.condition, undefined, statement.body, false);
      case "do":
        return this.#loop(statement, undefined, statement.condition, undefined, statement.body, true);
      case "for":
        return this.#loop(statement, statement.first, statement.condition, statement.step, statement.body, false);
      case "for-in":
        return this.#forIn(statement);
      case "switch":
        return this.#switch(statement);
      case "delete":
        return this.#delete(statement);
      case "break":
        return { run: () => BREAK, steps: undefined };
      case "continue":
        return { run: () => CONTINUE, steps: undefined };
      case "next":
      case "nextfile":
        return { run: this.#next(statement.kind, statement.place), steps: undefined };
      case "exit":
        return this.#exit(statement);
      case "return":
        return this.#return(statement);
    }
  }

  /** Out of a function that is called in BEGIN or END there is no next record. */
  #next(kind: "next" | "nextfile", place: Statement["place"]): Run {
    const runtime = this.#runtime;
    const completion = kind === "next" ? NEXT : NEXT_FILE;
    return () => {
      const { rule } = runtime;
      if (rule !== undefined && !(kind === "nextfile" && rule === "BEGINFILE")) {
        runtime.place = place;
        throw new FatalError(`\`${kind}' cannot be called from a \`${rule}' rule`);
      }
      return completion;
    };
  }

  /** A statement that does `effect` and goes on. */
  #plain(effect: () => void, statement: Statement, ahead: Omit<Ahead, "rest"> = AT_ONCE): Code {
    const runtime = this.#runtime;
    const { place } = statement;
    const run: Run = () => {
      runtime.place = place;
      effect();
      return NORMAL;
    };
    return this.#after(ahead, place, run);
  }

  /** A statement that `run` runs once what is ahead of it is there. */
  #after({ before, runsCommands }: Omit<Ahead, "rest">, place: Statement["place"], run: Run): Code {
    if (before === undefined) return { run, steps: undefined };
    const runtime = this.#runtime;
    return {
      run: runsCommands ? cannotWait : run,
      *steps() {
        runtime.place = place;
        yield* before();
        return run();
      },
    };
  }

  #print(statement: Extract<Statement, { kind: "print" | "printf" }>): Code {
    const { output, place } = statement;
    const { commands } = this.#expressions.scope;
    if (typeof output !== "object") {
      const ahead = this.ahead(...statement.values);
      return this.#plain(printClosure({ ...statement, values: ahead.rest }, this.#expressions), statement, ahead);
    }
    const ahead = this.ahead(...statement.values, output.name);
    const { rest, before } = ahead;
    const { text, target: command } = printedTo({ ...statement, values: rest.slice(0, -1) }, rest.at(-1) as Expression, this.#expressions);
    const runtime = this.#runtime;
    if (output.to === "file" || commands === undefined) {
      const { operator } = output as Extract<typeof output, { to: "file" }>;
      const print = (): void => {
        const printed = text();
        runtime.streams?.print(command(), printed, operator);
      };
      return this.#plain(print, statement, ahead);
    }
    return {
      run: cannotWait,
      *steps() {
        runtime.place = place;
        if (before !== undefined) yield* before();
        const printed = text();
        const name = command();
        if (!commands.printAtOnce(name, printed)) yield () => commands.print(name, printed);
        return NORMAL;
      },
    };
  }

  #expressionStatement(statement: Extract<Statement, { kind: "expression" }>): Code {
    const { expression } = statement;
    const slot = expression.kind === "call" && this.#steppingCall(expression.name) ? this.#expressions.calls.slot(expression) : undefined;
    if (expression.kind === "call" && slot !== undefined) return this.#callStatement(statement, expression, slot);
    const ahead = this.ahead(expression);
    const [rest = expression] = ahead.rest;
    const effect =
      rest.kind === "increment" || rest.kind === "assign"
        ? rest.kind === "assign" && rest.operator === "="
          ? this.#expressions.value(rest)
          : this.#expressions.number(rest)
        : this.#expressions.value(rest);
    return this.#plain(effect, statement, ahead);
  }

  #steppingCall(name: string): boolean {
    const facts = this.#functions.get(name);
    return facts !== undefined && (facts.waits || facts.prints || (facts.runs && this.#commands !== undefined));
  }

  /** A call that stands alone can wait in the middle. */
  #callStatement(statement: Statement, call: Extract<Expression, { kind: "call" }>, slot: FunctionSlot): Code {
    const runtime = this.#runtime;
    const { calls } = this.#expressions;
    const { rest, before, runsCommands } = this.#commands === undefined ? { ...AT_ONCE, rest: call.values } : this.#argumentsAhead(call);
    const values = calls.values({ ...call, values: rest }, slot);
    const { place } = statement;
    this.#recordsOf(...call.values);
    const plain = (): number => {
      runtime.place = place;
      const frame = values();
      const saved = { frame: runtime.frame, place: runtime.place };
      enter(runtime, frame);
      const completion = (slot.code as Code).run();
      leave(runtime, saved);
      calls.result(completion);
      return NORMAL;
    };
    return {
      run: runsCommands ? cannotWait : plain,
      *steps() {
        const code = slot.code as Code;
        if (before !== undefined) yield* before();
        if (code.steps === undefined) return plain();
        runtime.place = place;
        const frame = values();
        const saved = { frame: runtime.frame, place: runtime.place };
        enter(runtime, frame);
        const completion = yield* code.steps();
        leave(runtime, saved);
        calls.result(completion);
        return NORMAL;
      },
    };
  }

  #argumentsAhead(call: Extract<Expression, { kind: "call" }>): Ahead {
    const parts: Before[] = [];
    const rest = this.#commands?.arguments(call.values, parts) ?? call.values;
    return { rest, before: parts.length === 0 ? undefined : inTurn(parts), runsCommands: parts.length > 0 };
  }

  #if(statement: Extract<Statement, { kind: "if" }>): Code {
    const runtime = this.#runtime;
    const { place } = statement;
    const { rest = statement.condition, before, runsCommands } = this.#aheadOf(statement.condition);
    const condition = this.#expressions.condition(rest);
    const then = this.#statement(statement.then);
    const otherwise = statement.otherwise && this.#statement(statement.otherwise);
    const { run: runThen } = then;
    const runOtherwise = otherwise?.run;
    const run: Run = () => {
      runtime.place = place;
      if (condition()) return runThen();
      return runOtherwise === undefined ? NORMAL : runOtherwise();
    };
    if (before === undefined && then.steps === undefined && otherwise?.steps === undefined) return { run, steps: undefined };
    return {
      run: runsCommands ? cannotWait : run,
      *steps() {
        runtime.place = place;
        if (before !== undefined) yield* before();
        const code = condition() ? then : otherwise;
        if (code === undefined) return NORMAL;
        return code.steps === undefined ? code.run() : yield* code.steps();
      },
    };
  }

  #loop(
    statement: Statement,
    first: Statement | undefined,
    test: Expression | undefined,
    step: Statement | undefined,
    inner: Statement,
    testsLast: boolean,
  ): Code {
    const runtime = this.#runtime;
    const { place } = statement;
    const begin = first && this.#statement(first);
    const { rest, before, runsCommands } = this.#aheadOf(test);
    const condition: BooleanOf = rest === undefined ? () => true : this.#expressions.condition(rest);
    const after = step && this.#statement(step);
    const body = this.#statement(inner);
    const { run: runBody } = body;
    const runStep = after?.run;
    const run: Run = () => {
      runtime.place = place;
      begin?.run();
      if (testsLast) {
        do {
          const completion = runBody();
          if (completion === BREAK) return NORMAL;
          if (completion > CONTINUE) return completion;
        } while (condition());
        return NORMAL;
      }
      while (condition()) {
        const completion = runBody();
        if (completion === BREAK) return NORMAL;
        if (completion > CONTINUE) return completion;
        runStep?.();
      }
      return NORMAL;
    };
    if (before === undefined && !this.#printsWithin(statement) && [begin, after, body].every((code) => code?.steps === undefined)) {
      return { run, steps: undefined };
    }
    const { output } = runtime;
    const steps: Steps = function* () {
      runtime.place = place;
      if (begin !== undefined) {
        if (begin.steps === undefined) begin.run();
        else yield* begin.steps();
      }
      for (let isFirst = testsLast; ; isFirst = false) {
        if (output.full) yield 0;
        if (!isFirst) {
          if (before !== undefined) yield* before();
          if (!condition()) return NORMAL;
        }
        const completion = body.steps === undefined ? body.run() : yield* body.steps();
        if (completion === BREAK) return NORMAL;
        if (completion > CONTINUE) return completion;
        if (after === undefined) continue;
        if (after.steps === undefined) after.run();
        else yield* after.steps();
      }
    };
    return { run: runsCommands ? cannotWait : run, steps };
  }

  #printsWithin(statement: Statement): boolean {
    const facts = factsOf(statement);
    return facts.prints || [...facts.calls].some((name) => this.#functions.get(name)?.prints);
  }

  #forIn(statement: Extract<Statement, { kind: "for-in" }>): Code {
    const runtime = this.#runtime;
    const { place } = statement;
    const array = this.#expressions.places.array(statement.array);
    let key: string | Input = "";
    const store = this.#expressions.places.store(statement.variable, () => key);
    const body = this.#statement(statement.body);
    const { run: runBody } = body;
    const keys = (): readonly (string | Input)[] => {
      runtime.place = place;
      const from = array();
      return forInOrder(from, this.#expressions).map(from.subscripts());
    };
    const run: Run = () => {
      for (const next of keys()) {
        key = next;
        store();
        const completion = runBody();
        if (completion === BREAK) return NORMAL;
        if (completion > CONTINUE) return completion;
      }
      return NORMAL;
    };
    if (body.steps === undefined && !this.#printsWithin(statement)) return { run, steps: undefined };
    const { output } = runtime;
    return {
      run,
      *steps() {
        for (const next of keys()) {
          if (output.full) yield 0;
          key = next;
          store();
          const completion = body.steps === undefined ? body.run() : yield* body.steps();
          if (completion === BREAK) return NORMAL;
          if (completion > CONTINUE) return completion;
        }
        return NORMAL;
      },
    };
  }

  #switch(statement: Extract<Statement, { kind: "switch" }>): Code {
    const runtime = this.#runtime;
    const { place } = statement;
    const { rest = statement.value, before, runsCommands } = this.#aheadOf(statement.value);
    const value = this.#expressions.value(rest);
    const tests = statement.cases.map(({ value: label }) => {
      if (label === undefined) return undefined;
      if (label.kind === "regex") {
        const regex = this.#expressions.regex(label);
        return (text: string): boolean => regex().test(text);
      }
      const constant = this.#expressions.value(label);
      return (_: string, subject: ReturnType<ScalarOf>): boolean => {
        const wanted = constant();
        return runtime.compare(subject, wanted) === 0;
      };
    });
    const bodies = statement.cases.map(({ body }) => this.#block(body));
    const find = (): number => {
      runtime.place = place;
      const subject = value();
      const text = toText(subject, runtime);
      const found = tests.findIndex((test) => test?.(text, subject));
      return found >= 0 ? found : tests.indexOf(undefined);
    };
    const run: Run = () => {
      const start = find();
      if (start < 0) return NORMAL;
      for (let at = start; at < bodies.length; at++) {
        const completion = (bodies[at] as Code).run();
        if (completion === BREAK) return NORMAL;
        if (completion !== NORMAL) return completion;
      }
      return NORMAL;
    };
    if (before === undefined && bodies.every((body) => body.steps === undefined)) return { run, steps: undefined };
    return {
      run: runsCommands ? cannotWait : run,
      *steps() {
        runtime.place = place;
        if (before !== undefined) yield* before();
        const start = find();
        if (start < 0) return NORMAL;
        for (let at = start; at < bodies.length; at++) {
          const body = bodies[at] as Code;
          const completion = body.steps === undefined ? body.run() : yield* body.steps();
          if (completion === BREAK) return NORMAL;
          if (completion !== NORMAL) return completion;
        }
        return NORMAL;
      },
    };
  }

  #delete(statement: Extract<Statement, { kind: "delete" }>): Code {
    const { places } = this.#expressions;
    if (statement.subscripts.length === 0) {
      const whole = places.array(statement.array);
      return this.#plain(() => whole().clear(), statement);
    }
    const ahead = this.ahead(...statement.subscripts);
    const { array, key } = places.element({ ...statement, subscripts: ahead.rest });
    return this.#plain(
      () => {
        const at = key();
        array().delete(at);
      },
      statement,
      ahead,
    );
  }

  #exit(statement: Ending): Code {
    const runtime = this.#runtime;
    const { rest, ...ahead } = this.#aheadOf(statement.value);
    const number = rest && this.#expressions.number(rest);
    const run: Run = () => {
      runtime.place = statement.place;
      if (number !== undefined) runtime.exitCode = Math.trunc(number()) & 0xff;
      return EXIT;
    };
    return this.#after(ahead, statement.place, run);
  }

  #return(statement: Ending): Code {
    const runtime = this.#runtime;
    const { rest, ...ahead } = this.#aheadOf(statement.value);
    const scalar = rest && this.#expressions.value(rest);
    const run: Run = () => {
      runtime.place = statement.place;
      const returned = scalar?.();
      runtime.returned = returned;
      return RETURN;
    };
    return this.#after(ahead, statement.place, run);
  }
}

const AT_ONCE = { before: undefined, runsCommands: false } as const;

const cannotWait = (): never => {
  throw new FatalError(NO_WAITING);
};

/** Statements one after the other. */
function sequence(runs: readonly Run[]): Run {
  const [first, second, third] = runs;
  if (first === undefined) return () => NORMAL;
  if (second === undefined) return first;
  if (third === undefined) {
    return () => {
      const completion = first();
      return completion === NORMAL ? second() : completion;
    };
  }
  return () => {
    for (let at = 0; at < runs.length; at++) {
      const completion = (runs[at] as Run)();
      if (completion !== NORMAL) return completion;
    }
    return NORMAL;
  };
}
