/**
 * Expressions that run commands. Closures cannot wait, so the parts of an expression up to the last one that has to are worked out
 * before, one after the other, and are held in the frame; what is left is an expression of what is held, and compiles as any other.
 */
import type { Before, Completion, ValueOf } from "./closures.ts";
import { enter, leave } from "./frames.ts";
import { factsOf, type FunctionFacts } from "./suspension.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { FunctionSlot } from "./name-scope.ts";
import type { Commands } from "../run/commands.ts";
import type { RecordSource } from "../run/record-source.ts";
import { notOpen } from "../library/function-closures.ts";
import { BUILTIN_FUNCTIONS } from "../library/function-table.ts";
import { FatalError } from "../syntax/program-error.ts";
import type { Expression, Target } from "../syntax/tree.ts";
import type { Scalar } from "../values/values.ts";

type Kind<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;
type Held = Kind<"held">;

export class CommandParts {
  readonly #expressions: ExpressionCompiler;
  readonly #commands: Commands;
  readonly #functions: ReadonlyMap<string, FunctionFacts>;
  /** Values held by the function that is compiled. */
  #count = 0;

  constructor(expressions: ExpressionCompiler, commands: Commands, functions: ReadonlyMap<string, FunctionFacts>) {
    this.#expressions = expressions;
    this.#commands = commands;
    this.#functions = functions;
  }

  /** Tells whether the expression, or a function that it calls, runs commands. */
  runs(expression: Expression): boolean {
    const facts = factsOf(expression);
    return facts.runs || [...facts.calls].some((name) => this.#functions.get(name)?.runs === true);
  }

  /**
   * The expressions that are left, with what comes before them added to `before`: those that are held are compiled by `compile`, and
   * those that are fixed stay as they are.
   */
  all(
    expressions: readonly Expression[],
    before: Before[],
    isFixed: (expression: Expression, at: number) => boolean = isConstant,
    compile = this.#settled,
  ): Expression[] {
    const last = expressions.findLastIndex((expression) => this.runs(expression));
    return expressions.map((expression, at) => {
      if (at > last) return expression;
      const rest = this.#rest(expression, before);
      return at === last || isFixed(rest, at) ? rest : this.#hold(compile(rest), before);
    });
  }

  /** As `all`, of the arguments of a function of the program. */
  arguments(values: readonly Expression[], before: Before[]): Expression[] {
    return this.all(values, before, isPattern, (value) => this.#expressions.calls.argument(value));
  }

  #rest(expression: Expression, before: Before[]): Expression {
    if (!this.runs(expression)) return expression;
    const all = (parts: readonly Expression[], isFixed?: (part: Expression, at: number) => boolean): Expression[] =>
      this.all(parts, before, isFixed);
    switch (expression.kind) {
      case "command-getline":
        return this.#getline(expression, before);
      case "builtin":
        return this.#builtin(expression, before);
      case "call":
        return this.#call(expression, before);
      case "and":
      case "or":
      case "conditional":
        return this.#choice(expression, before);
      case "group":
        return { ...expression, inner: this.#rest(expression.inner, before) };
      case "minus":
      case "plus":
      case "not":
        return { ...expression, operand: this.#rest(expression.operand, before) };
      case "arithmetic":
      case "compare":
      case "match": {
        const isFixed = expression.kind === "match" ? isPattern : isConstant;
        const [left, right] = all([expression.left, expression.right], isFixed) as [Expression, Expression];
        return { ...expression, left, right };
      }
      case "concatenation":
        return { ...expression, parts: all(expression.parts) };
      case "in":
        return { ...expression, subscripts: all(expression.subscripts) };
      case "assign": {
        // The value comes first, then the subscripts of the target.
        const inTarget = partsOfTarget(expression.target);
        const [value, ...parts] = all([expression.value, ...inTarget]) as [Expression, ...Expression[]];
        return { ...expression, value, target: targetOf(expression.target, parts) };
      }
      case "increment":
        return { ...expression, target: targetOf(expression.target, all(partsOfTarget(expression.target))) };
      case "element":
      case "field":
        return targetOf(expression, all(partsOfTarget(expression)));
      case "getline": {
        const file = expression.file && this.#rest(expression.file, before);
        const { target } = expression;
        return { ...expression, file, target: target && targetOf(target, all(partsOfTarget(target))) };
      }
      case "indirect":
        return { ...expression, values: this.arguments(expression.values, before) };
      case "number":
      case "string":
      case "regex":
      case "typed-regex":
      case "name":
      case "held":
        return expression;
    }
  }

  /** A new place in the frame, behind the parameters. */
  #place(): Held {
    return { kind: "held", index: this.#expressions.scope.parameters.size + this.#count++ };
  }

  readonly #settled = (expression: Expression): ValueOf => this.#expressions.settledValue(expression);

  #hold(value: ValueOf, before: Before[]): Held {
    const place = this.#place();
    const { runtime } = this.#expressions;
    before.push(function* () {
      const held = value();
      runtime.frame[place.index] = held;
    });
    return place;
  }

  /** `&&`, `||` and `?:`, of which a part is worked out only where it counts. */
  #choice(expression: Kind<"and" | "or" | "conditional">, before: Before[]): Held {
    const place = this.#place();
    const { runtime } = this.#expressions;
    const first = this.#condition(expression.kind === "conditional" ? expression.condition : expression.left);
    const set = (value: Scalar): void => {
      runtime.frame[place.index] = value;
    };
    if (expression.kind === "conditional") {
      const then = this.#value(expression.then);
      const otherwise = this.#value(expression.otherwise);
      before.push(function* () {
        yield* first.before();
        const part = first.read() ? then : otherwise;
        yield* part.before();
        set(part.read());
      });
      return place;
    }
    const second = this.#condition(expression.right);
    const decides = expression.kind === "or";
    before.push(function* () {
      yield* first.before();
      if (first.read() === decides) set(decides ? 1 : 0);
      else {
        yield* second.before();
        set(second.read() ? 1 : 0);
      }
    });
    return place;
  }

  #condition(expression: Expression): { readonly before: Before; readonly read: () => boolean } {
    const before: Before[] = [];
    const rest = this.#rest(expression, before);
    return { before: inTurn(before), read: this.#expressions.condition(rest) };
  }

  #value(expression: Expression): { readonly before: Before; readonly read: () => Scalar } {
    const before: Before[] = [];
    const rest = this.#rest(expression, before);
    return { before: inTurn(before), read: this.#expressions.value(rest) };
  }

  #builtin(expression: Kind<"builtin">, before: Before[]): Expression {
    const { name } = expression;
    const { arrays = [], regex = [], target } = BUILTIN_FUNCTIONS.get(name) ?? {};
    const values = this.all(
      expression.values,
      before,
      (value, at) => isConstant(value) || arrays.includes(at) || regex.includes(at) || at === target,
    );
    if (name !== "system" && name !== "close" && name !== "fflush") return { ...expression, values };
    const place = this.#place();
    const { runtime, getline } = this.#expressions;
    const commands = this.#commands;
    const text = values[0] === undefined ? () => undefined : this.#expressions.text(values[0]);
    const set = (value: number): void => {
      runtime.frame[place.index] = value;
    };
    before.push(function* () {
      const given = text();
      if (name === "fflush") {
        yield () =>
          commands.flush(given, (result) => {
            if (result < 0) runtime.warn(notOpen(given ?? ""));
            set(result);
          });
      } else if (name === "close") {
        const closed = given ?? "";
        if (commands.has(closed)) yield () => commands.close(closed, set);
        else set(getline.closeFile(closed));
      } else {
        if (runtime.options.sandbox) throw new FatalError("'system' function not allowed in sandbox mode");
        yield () => commands.system(given ?? "", set);
      }
    });
    return place;
  }

  #getline({ command, target }: Kind<"command-getline">, before: Before[]): Held {
    const [left = command, ...parts] = this.all([command, ...(target === undefined ? [] : partsOfTarget(target))], before);
    const place = this.#place();
    const text = this.#expressions.text(left);
    const prepare = target && this.#expressions.places.prepare(targetOf(target, parts));
    const { runtime, getline } = this.#expressions;
    const commands = this.#commands;
    before.push(function* () {
      const name = text();
      const store = prepare?.();
      if (runtime.options.sandbox) throw new FatalError("redirection not allowed in sandbox mode");
      if (commands.source(name) === undefined) yield () => commands.open(name);
      const read = yield* getline.recordOf(commands.source(name) as RecordSource, store);
      runtime.frame[place.index] = read;
    });
    return place;
  }

  #call(expression: Kind<"call">, before: Before[]): Expression {
    const values = this.arguments(expression.values, before);
    const call = { ...expression, values };
    const { calls } = this.#expressions;
    const slot = calls.slot(call);
    if (slot === undefined || this.#functions.get(expression.name)?.runs !== true) return call;
    return this.#called(calls.values(call, slot), slot, before);
  }

  #called(frameOf: () => ReturnType<ReturnType<ExpressionCompiler["calls"]["values"]>>, slot: FunctionSlot, before: Before[]): Held {
    const place = this.#place();
    const { runtime, calls } = this.#expressions;
    before.push(function* () {
      const frame = frameOf();
      const saved = { frame: runtime.frame, place: runtime.place };
      enter(runtime, frame);
      const { run, steps } = slot.code as NonNullable<FunctionSlot["code"]>;
      const completion: Completion = steps === undefined ? run() : yield* steps();
      leave(runtime, saved);
      runtime.frame[place.index] = calls.result(completion);
    });
    return place;
  }
}

export const inTurn = (parts: readonly Before[]): Before =>
  function* () {
    for (const part of parts) yield* part();
  };

const isConstant = ({ kind }: Expression): boolean => kind === "number" || kind === "string" || kind === "held";
const isPattern = (expression: Expression): boolean =>
  isConstant(expression) || expression.kind === "regex" || expression.kind === "typed-regex";

/** The parts of a target that are worked out before it is assigned to. */
const partsOfTarget = (target: Target): readonly Expression[] =>
  target.kind === "element" ? target.subscripts : target.kind === "field" ? [target.index] : [];

function targetOf<T extends Target>(target: T, parts: readonly Expression[]): T {
  if (target.kind === "element") return { ...target, subscripts: parts };
  return target.kind === "field" ? { ...target, index: parts[0] as Expression } : target;
}
