/** Calls of the program's own functions. */
import { AwkArray } from "../values/array.ts";
import { EXIT, NEXT, NEXT_FILE, Unwind, type Completion, type ScalarOf, type ValueOf } from "./closures.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import { BUILTIN_FUNCTIONS, type FunctionShape } from "../library/function-table.ts";
import { functionClosures } from "../library/functions.ts";
import { FatalError } from "../syntax/program-error.ts";
import { enter, leave } from "./frames.ts";
import type { FunctionSlot } from "./name-scope.ts";
import type { Expression } from "../syntax/tree.ts";
import { UNASSIGNED, Untyped, type Scalar, type Value } from "../values/values.ts";

type Call = Extract<Expression, { kind: "call" }>;
type IndirectCall = Extract<Expression, { kind: "indirect" }>;

export class CallCompiler {
  readonly #expressions: ExpressionCompiler;

  constructor(expressions: ExpressionCompiler) {
    this.#expressions = expressions;
  }

  call(expression: Call): ScalarOf {
    const { runtime, scope } = this.#expressions;
    const slot = this.slot(expression);
    if (slot === undefined) return this.#undefined(expression);
    const values = this.values(expression, slot);
    if (slot.code?.steps !== undefined) scope.needsWholeInput = true;
    return () => {
      const frame = values();
      const saved = { frame: runtime.frame, place: runtime.place };
      enter(runtime, frame);
      const completion = (slot.code as { run: () => Completion }).run();
      leave(runtime, saved);
      return this.result(completion);
    };
  }

  /** None where there is no such function. */
  slot(expression: Call): FunctionSlot | undefined {
    return this.#expressions.scope.functions.get(expression.name);
  }

  /** It fails when it is called, and not before. */
  #undefined(expression: Call): ScalarOf {
    const closures = expression.values.map((value) => this.argument(value));
    return () => {
      for (const value of closures) value();
      throw new FatalError(`function \`${expression.shown}' not defined`);
    };
  }

  /** Result of a call; `exit` and `next` go on to the rule that it was called from. */
  result(completion: Completion): Scalar {
    const { runtime } = this.#expressions;
    if (completion === EXIT || completion === NEXT || completion === NEXT_FILE) throw new Unwind(completion);
    const { returned } = runtime;
    runtime.returned = undefined;
    if (returned instanceof AwkArray) throw new FatalError(`attempt to use array \`${returned.name}' in a scalar context`);
    return returned;
  }

  /** The arguments of a call as the frame of the function. */
  values(expression: Call, slot: FunctionSlot): () => Value[] {
    const { parameters } = slot.definition;
    const { runtime } = this.#expressions;
    const closures = expression.values.map((value) => this.argument(value));
    const { length } = parameters;
    return () => {
      const frame: Value[] = new Array<Value>(length).fill(undefined);
      for (let at = 0; at < closures.length; at++) {
        const value = (closures[at] as ValueOf)();
        if (at < length) frame[at] = value;
      }
      if (closures.length > length) runtime.warn(`function \`${expression.name}' called with more arguments than declared`);
      return frame;
    };
  }

  /** An argument: a name or an element without a value may become an array in the function. */
  argument(expression: Expression): ValueOf {
    if (expression.kind !== "name") return this.#expressionArgument(expression);
    const { runtime, scope, places } = this.#expressions;
    const { name } = expression;
    const raw = places.rawName(name);
    const parameter = scope.parameters.get(name);
    const number = parameter === undefined ? runtime.globalNumber(name) : -1;
    return () => {
      const value = raw();
      if (value !== undefined) return value;
      const { frame } = runtime;
      if (parameter !== undefined) {
        return new Untyped(
          () => frame[parameter],
          (made) => {
            frame[parameter] = made;
          },
        );
      }
      return new Untyped(
        () => runtime.globals[number],
        (made) => {
          if (made instanceof AwkArray) made.name = name;
          runtime.globals[number] = made;
        },
      );
    };
  }

  /** An argument that is more than a name: an element that it comes to may become an array too, anything else is a scalar. */
  #expressionArgument(expression: Expression): ValueOf {
    const { places } = this.#expressions;
    switch (expression.kind) {
      case "group":
        return this.#expressionArgument(expression.inner);
      case "conditional":
        return this.#expressions.chosen(expression, (part) => this.#expressionArgument(part));
      case "element": {
        const array = places.array(expression.array);
        const key = places.key(expression.subscripts);
        return () => {
          const at = key();
          const outer = array();
          const value = outer.get(at);
          if (value !== undefined) return value;
          return new Untyped(
            () => outer.peek(at),
            (made) => {
              if (made instanceof AwkArray) made.name = `${outer.name}["${at}"]`;
              outer.set(at, made);
            },
          );
        };
      }
      default: {
        const value = this.#expressions.value(expression);
        return () => value() ?? UNASSIGNED;
      }
    }
  }

  /** `@name(…)`: the name of a function is the value of a variable. */
  indirect(expression: IndirectCall): ScalarOf {
    const { runtime, scope } = this.#expressions;
    const name = this.#expressions.text(expression.name);
    const values = expression.values.map((value) => this.argument(value));
    const { parameters } = scope;
    const byBuiltin = new Map<string, ScalarOf>();
    scope.needsWholeInput ||= [...scope.functions.values()].some(({ code }) => code?.steps !== undefined);
    return () => {
      const called = name();
      const plain = called.replace(/^awk::/, "");
      const slot = scope.functions.get(called) ?? scope.functions.get(plain);
      if (slot !== undefined) {
        const { length } = slot.definition.parameters;
        if (values.length > length) runtime.warn(`function \`${called}' called with more arguments than declared`);
        const frame: Value[] = new Array<Value>(length).fill(undefined);
        for (const [at, value] of values.entries()) {
          const given = value();
          if (at < length) frame[at] = given;
        }
        const saved = { frame: runtime.frame, place: runtime.place };
        enter(runtime, frame);
        const completion = (slot.code as { run: () => Completion }).run();
        leave(runtime, saved);
        return this.result(completion);
      }
      const shape = BUILTIN_FUNCTIONS.get(plain);
      if (shape === undefined) {
        for (const value of values) value();
        throw new FatalError(`\`${called}' is not a function, so it cannot be called indirectly`);
      }
      let builtin = byBuiltin.get(plain);
      if (builtin === undefined) {
        // It is compiled when it is met, as if it stood in the function at hand.
        scope.parameters = parameters;
        builtin = this.#indirectBuiltin(plain, shape, expression);
        scope.parameters = new Map();
        byBuiltin.set(plain, builtin);
      }
      return builtin();
    };
  }

  /** Throws FatalError. */
  #indirectBuiltin(name: string, shape: FunctionShape, { values }: IndirectCall): ScalarOf {
    if (name === "sub" || name === "gsub") {
      if (values.length !== 2) throw new FatalError(`${name}: can be called indirectly only with two arguments`);
    } else if (values.length > shape.max || values.length < (name === "length" ? 1 : shape.min)) {
      throw new FatalError(`${name}: called with ${values.length} arguments`);
    }
    // A regular expression is what it matches: 0 or 1.
    const given = values.map(
      (value): Expression => (value.kind === "regex" ? { kind: "group", inner: { kind: "plus", operand: value } } : value),
    );
    return functionClosures({ kind: "builtin", name, values: given }, this.#expressions).value;
  }
}
