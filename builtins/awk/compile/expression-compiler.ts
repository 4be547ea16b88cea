/**
 * Expressions → closures, one form for each way in which a value is used: as it is, as a number, as text, as a condition.
 * One file because the four forms of an expression must say the same.
 */
import { divided, power, remainder } from "../values/arithmetic.ts";
import { CallCompiler } from "./call-compiler.ts";
import type { BooleanOf, NumberOf, ScalarOf, TextOf } from "./closures.ts";
import { functionClosures } from "../library/functions.ts";
import type { GetlineCompiler } from "./getline-compiler.ts";
import { isSubscriptIn } from "../syntax/operand-facts.ts";
import { FatalError, NO_WAITING } from "../syntax/program-error.ts";
import { LvalueCompiler } from "./lvalues.ts";
import type { AwkRegex } from "../run/regex.ts";
import type { Runtime } from "../run/runtime.ts";
import type { Scope } from "./name-scope.ts";
import type { Arithmetic, AssignOperator, Comparison, Expression } from "../syntax/tree.ts";
import { toText } from "../values/text-conversion.ts";
import { Input, Regexp, toBoolean, type Scalar } from "../values/values.ts";

export class ExpressionCompiler {
  readonly scope: Scope;
  readonly runtime: Runtime;
  readonly places: LvalueCompiler;
  readonly getline: GetlineCompiler;
  readonly calls: CallCompiler;

  constructor(scope: Scope, getline: (expressions: ExpressionCompiler) => GetlineCompiler) {
    this.scope = scope;
    this.runtime = scope.runtime;
    this.places = new LvalueCompiler(scope, this);
    this.getline = getline(this);
    this.calls = new CallCompiler(this);
  }

  /** A closure for the value as it is. */
  value(expression: Expression): ScalarOf {
    switch (expression.kind) {
      case "number": {
        const { value } = expression;
        return () => value;
      }
      case "string": {
        const { value } = expression;
        return () => value;
      }
      case "typed-regex": {
        const regexp = new Regexp(expression.source);
        return () => regexp;
      }
      case "held":
        return this.#held(expression.index);
      case "command-getline":
        return () => {
          throw new FatalError(`| getline: ${NO_WAITING}`);
        };
      case "name":
        return this.places.name(expression.name);
      case "element":
      case "field":
        return this.places.read(expression);
      case "group":
        return this.value(expression.inner);
      case "regex":
      case "not":
      case "compare":
      case "and":
      case "or":
      case "match":
      case "in": {
        const condition = this.condition(expression);
        return () => (condition() ? 1 : 0);
      }
      case "minus":
      case "plus":
      case "arithmetic":
      case "increment":
      case "getline":
        return this.number(expression);
      case "concatenation":
        return this.text(expression);
      case "conditional":
        return this.chosen(expression, (part) => this.value(part));
      case "assign":
        if (expression.operator !== "=") return this.number(expression);
        return this.places.store(expression.target, this.#unfielded(expression.value));
      case "call":
        return this.calls.call(expression);
      case "indirect":
        return this.calls.indirect(expression);
      case "builtin":
        return functionClosures(expression, this).value;
    }
  }

  #held(index: number): ScalarOf {
    const { runtime } = this;
    return () => runtime.frame[index] as Scalar;
  }

  /** A choice between what `compile` makes of its two parts. */
  chosen<T>(of: Extract<Expression, { kind: "conditional" }>, compile: (part: Expression) => () => T): () => T {
    const condition = this.condition(of.condition);
    const then = compile(of.then);
    const otherwise = compile(of.otherwise);
    return () => (condition() ? then() : otherwise());
  }

  /** As `value`, of what is assigned: a copy of a field, so that what is done to one of them leaves the other as it is. */
  #unfielded(expression: Expression): ScalarOf {
    if (expression.kind === "group") return this.#unfielded(expression.inner);
    if (expression.kind === "conditional") return this.chosen(expression, (part) => this.#unfielded(part));
    const value = this.value(expression);
    if (expression.kind !== "field") return value;
    return () => {
      const field = value();
      return field instanceof Input ? field.copy() : field;
    };
  }

  /** As `value`, of what print, sprintf, atan2 and index take: an element without value is a scalar afterwards. */
  settledValue(expression: Expression): ScalarOf {
    if (expression.kind === "group") return this.settledValue(expression.inner);
    if (expression.kind === "conditional") return this.chosen(expression, (part) => this.settledValue(part));
    return expression.kind === "element" ? this.places.readSettled(expression) : this.value(expression);
  }

  number(expression: Expression): NumberOf {
    const { runtime } = this;
    switch (expression.kind) {
      case "number": {
        const { value } = expression;
        return () => value;
      }
      case "group":
        return this.number(expression.inner);
      case "field": {
        const { record } = runtime;
        if (expression.index.kind === "number" && expression.index.value >= 0 && !runtime.options.nonDecimalData) {
          const at = Math.trunc(expression.index.value);
          return () => record.fieldNumber(at);
        }
        break;
      }
      case "minus": {
        const operand = this.number(expression.operand);
        return () => -operand();
      }
      case "plus":
        return this.number(expression.operand);
      case "arithmetic":
        return this.#arithmetic(expression.operator, ...this.#operands(expression.left, expression.right));
      case "increment": {
        const { by } = expression;
        return this.places.update(
          expression.target,
          (value) => (value as number) + by,
          expression.isPrefix,
          (value) => runtime.numberOf(value),
        );
      }
      case "assign":
        if (expression.operator !== "=") return this.#compound(expression.operator, expression);
        break;
      case "getline":
        return this.getline.getline(expression);
      case "builtin": {
        const closures = functionClosures(expression, this);
        if (closures.number !== undefined) return closures.number;
        const { value } = closures;
        return () => runtime.numberOf(value());
      }
      case "regex":
      case "not":
      case "compare":
      case "and":
      case "or":
      case "match":
      case "in": {
        const condition = this.condition(expression);
        return () => (condition() ? 1 : 0);
      }
    }
    const value = this.value(expression);
    return () => {
      const current = value();
      return typeof current === "number" ? current : runtime.numberOf(current);
    };
  }

  text(expression: Expression): TextOf {
    const { runtime } = this;
    switch (expression.kind) {
      case "string": {
        const { value } = expression;
        return () => value;
      }
      case "group":
        return this.text(expression.inner);
      case "field": {
        const { record } = runtime;
        if (expression.index.kind === "number" && expression.index.value >= 0) {
          const at = Math.trunc(expression.index.value);
          return () => record.fieldText(at);
        }
        break;
      }
      case "concatenation":
        return this.#concatenation(expression.parts);
    }
    const value = this.value(expression);
    return () => {
      const current = value();
      return typeof current === "string" ? current : toText(current, runtime);
    };
  }

  condition(expression: Expression): BooleanOf {
    const { runtime } = this;
    switch (expression.kind) {
      case "group":
        return this.condition(expression.inner);
      case "regex": {
        const regex = this.regex(expression);
        const { record } = runtime;
        return () => {
          record.settle();
          return regex().testRecord(record.bytes, record.from, record.to, record.inputEnd);
        };
      }
      case "not": {
        const operand = this.condition(expression.operand);
        return () => !operand();
      }
      case "and": {
        const left = this.condition(expression.left);
        const right = this.condition(expression.right);
        return () => left() && right();
      }
      case "or": {
        const left = this.condition(expression.left);
        const right = this.condition(expression.right);
        return () => left() || right();
      }
      case "compare":
        return this.#comparison(expression.operator, expression.left, expression.right);
      case "match": {
        const text = this.text(expression.left);
        const regex = this.regex(expression.right);
        const { negated } = expression;
        return () => {
          const subject = text();
          return regex().test(subject) !== negated;
        };
      }
      case "in": {
        const key = this.places.key(expression.subscripts);
        const array = this.places.array(expression.array);
        return () => {
          const at = key();
          return array().has(at);
        };
      }
    }
    const value = this.value(expression);
    return () => toBoolean(value());
  }

  /**
   * The regular expression that an operand means: a literal, or text that is compiled when it is met. A literal in parentheses
   * is what it says of $0, 1 or 0.
   */
  regex(expression: Expression): () => AwkRegex {
    const { runtime } = this;
    if (expression.kind === "regex" || expression.kind === "typed-regex") {
      const { source } = expression;
      const exact = runtime.regexes.fresh(source, false, false, true);
      let folding: AwkRegex | undefined;
      return () => {
        if (!runtime.ignoreCase) return exact;
        folding ??= runtime.regexes.fresh(source, true);
        return folding;
      };
    }
    const value = this.value(expression);
    let lastText: string | undefined;
    let lastFolds = false;
    let last: AwkRegex | undefined;
    return () => {
      const current = value();
      const source = current instanceof Regexp ? current.source : toText(current, runtime);
      if (last !== undefined && source === lastText && runtime.ignoreCase === lastFolds) return last;
      last = runtime.regexes.get(source, runtime.ignoreCase);
      lastText = source;
      lastFolds = runtime.ignoreCase;
      return last;
    };
  }

  #operands(left: Expression, right: Expression): [NumberOf, NumberOf] {
    const late = this.#lateNumber(left, right);
    if (late === undefined) return [this.number(left), this.number(right)];
    const number = this.number(right);
    return [
      late.read,
      () => {
        const result = number();
        late.settle();
        return result;
      },
    ];
  }

  /** The number of a field that is a subscript in `other` too: gawk makes a number of it once it knows both. */
  #lateNumber(operand: Expression, other: Expression): { readonly read: NumberOf; readonly settle: () => void } | undefined {
    if (!isSubscriptIn(operand, other)) return undefined;
    const value = this.value(operand);
    let field: Scalar;
    const read = (): number => {
      field = value();
      return this.runtime.numberOf(field instanceof Input ? field.copy() : field);
    };
    return { read, settle: () => void (field instanceof Input && field.number) };
  }

  #arithmetic(operator: Arithmetic, left: NumberOf, right: NumberOf): NumberOf {
    switch (operator) {
      case "+":
        return () => left() + right();
      case "-":
        return () => left() - right();
      case "*":
        return () => left() * right();
      case "/":
        return () => {
          const top = left();
          return divided(top, right(), "division by zero attempted");
        };
      case "%":
        return () => {
          const top = left();
          return remainder(top, right(), "division by zero attempted in `%%'");
        };
      case "^":
        return () => {
          const base = left();
          return power(base, right());
        };
    }
  }

  #compound(operator: AssignOperator, expression: Extract<Expression, { kind: "assign" }>): NumberOf {
    const { target } = expression;
    const late = this.#lateNumber(expression.value, target);
    const value = late?.read ?? this.number(expression.value);
    let operand = 0;
    const apply = (before: Scalar): number => {
      const old = before as number;
      switch (operator) {
        case "+=":
          return old + operand;
        case "-=":
          return old - operand;
        case "*=":
          return old * operand;
        case "/=":
          return divided(old, operand, "division by zero attempted in `/='");
        case "%=":
          return remainder(old, operand, "division by zero attempted in `%%='");
        case "^=":
          return power(old, operand);
        case "=":
          return operand;
      }
    };
    const update = this.places.update(target, apply, true, (before) => this.runtime.numberOf(before));
    return () => {
      const right = value();
      // Subscripts may assign too.
      const outer = operand;
      operand = right;
      const result = update();
      operand = outer;
      late?.settle();
      return result;
    };
  }

  #concatenation(parts: readonly Expression[]): TextOf {
    const { runtime } = this;
    const texts = parts.map((part) => this.text(part));
    const [first, second] = texts as [TextOf, TextOf];
    if (texts.length === 2) {
      return () => {
        const left = first();
        const joined = left + second();
        return joined.length > 1 << 20 ? runtime.checkLength(joined) : joined;
      };
    }
    return () => {
      let joined = "";
      for (let at = 0; at < texts.length; at++) joined += (texts[at] as TextOf)();
      return joined.length > 1 << 20 ? runtime.checkLength(joined) : joined;
    };
  }

  #comparison(operator: Comparison, left: Expression, right: Expression): BooleanOf {
    const { runtime } = this;
    const a = this.value(left);
    const b = this.value(right);
    switch (operator) {
      case "<":
        return () => {
          const first = a();
          return runtime.compare(first, b()) < 0;
        };
      case "<=":
        return () => {
          const first = a();
          return runtime.compare(first, b()) <= 0;
        };
      case "==":
        return () => {
          const first = a();
          return runtime.compare(first, b()) === 0;
        };
      case "!=":
        return () => {
          const first = a();
          return runtime.compare(first, b()) !== 0;
        };
      case ">":
        return () => {
          const first = a();
          return runtime.compare(first, b()) > 0;
        };
      case ">=":
        return () => {
          const first = a();
          return runtime.compare(first, b()) >= 0;
        };
    }
  }
}
