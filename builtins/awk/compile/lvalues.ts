/** Reading and writing what has a name: variables, elements, fields. */
import { toLong } from "../values/arithmetic.ts";
import { AwkArray } from "../values/array.ts";
import type { Key } from "../values/array-order.ts";
import type { ArrayOf, NumberOf, ScalarOf, ValueOf } from "./closures.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import { FatalError } from "../syntax/program-error.ts";
import { elementRead, elementScalar, scalarHere, setOrigin, storeElement } from "./scalar-access.ts";
import type { Runtime } from "../run/runtime.ts";
import { LIVE_VARIABLES, type Scope } from "./name-scope.ts";
import type { Expression, Target } from "../syntax/tree.ts";
import { UNASSIGNED, Untyped, type Scalar, type Value } from "../values/values.ts";
import { toText } from "../values/text-conversion.ts";

export type KeyOf = () => Key;

export class LvalueCompiler {
  readonly #scope: Scope;
  readonly #runtime: Runtime;
  readonly #expressions: ExpressionCompiler;

  constructor(scope: Scope, expressions: ExpressionCompiler) {
    this.#scope = scope;
    this.#runtime = scope.runtime;
    this.#expressions = expressions;
  }

  /** The value of a name as it is: an array too, for the argument of a function. */
  rawName(name: string): ValueOf {
    const runtime = this.#runtime;
    const parameter = this.#scope.parameters.get(name);
    if (parameter !== undefined) return () => runtime.frame[parameter];
    if (name === "NR") return () => (runtime.shownNr === undefined ? runtime.nr : runtime.shownNr.value);
    if (name === "FNR") return () => (runtime.shownFnr === undefined ? runtime.fnr : runtime.shownFnr.value);
    if (name === "NF") return () => runtime.record.countValue;
    const [{ globals }, number] = [runtime, runtime.globalNumber(name)];
    return () => globals[number];
  }

  /** The scalar value of a name. */
  name(name: string): ScalarOf {
    const runtime = this.#runtime;
    const parameter = this.#scope.parameters.get(name);
    if (parameter !== undefined) {
      return () => {
        const { frame } = runtime;
        const value = frame[parameter];
        if (value === undefined) {
          frame[parameter] = UNASSIGNED;
          return value;
        }
        if (value instanceof Untyped) value.becomeScalar();
        return typeof value === "object" ? scalarHere(value, name) : value;
      };
    }
    if (LIVE_VARIABLES.has(name)) {
      const raw = this.rawName(name);
      return raw as ScalarOf;
    }
    const { globals } = runtime;
    const number = runtime.globalNumber(name);
    return () => {
      const value = globals[number];
      if (value === undefined) globals[number] = UNASSIGNED;
      return typeof value === "object" ? scalarHere(value, name) : value;
    };
  }

  /** The array that an expression names, made where there is nothing yet. */
  array(expression: Expression): ArrayOf {
    const runtime = this.#runtime;
    if (expression.kind === "element") {
      const outer = this.array(expression.array);
      const key = this.key(expression.subscripts);
      return () => {
        // gawk works out the subscripts first.
        const at = key();
        return outer().subarray(at);
      };
    }
    if (expression.kind !== "name") throw new Error("not an array");
    const { name } = expression;
    const parameter = this.#scope.parameters.get(name);
    if (parameter !== undefined) {
      return () => {
        const value = runtime.frame[parameter];
        return value instanceof AwkArray ? value : this.#parameterArray(parameter, value, name);
      };
    }
    const { globals } = runtime;
    const number = runtime.globalNumber(name);
    return () => {
      const value = globals[number];
      if (value instanceof AwkArray) return value;
      if (this.#scope.functions.has(name)) throw new FatalError(`attempt to use function \`${name}' as an array`);
      return runtime.globalArray(name);
    };
  }

  #parameterArray(parameter: number, value: Value, name: string): AwkArray {
    const { frame } = this.#runtime;
    if (value instanceof Untyped && !value.isScalar) {
      const known = value.array;
      const array = known ?? this.#runtime.newArray(name);
      if (known === undefined) setOrigin(value, array);
      frame[parameter] = array;
      return array;
    }
    if (value !== undefined) throw new FatalError(`attempt to use scalar parameter \`${name}' as an array`);
    const array = this.#runtime.newArray(name);
    frame[parameter] = array;
    return array;
  }

  /** Subscripts as one key. */
  key(subscripts: readonly Expression[]): KeyOf {
    const runtime = this.#runtime;
    const [only] = subscripts;
    if (only !== undefined && subscripts.length === 1) {
      if (only.kind === "field" && only.index.kind === "number") {
        const [text, at] = [this.#expressions.text(only), Math.trunc(only.index.value)];
        return () => runtime.subscripts.keyOfField(at, text());
      }
      const value = this.#expressions.value(only);
      return () => runtime.subscripts.keyOf(value());
    }
    const texts = subscripts.map((subscript) => this.#expressions.text(subscript));
    return () => {
      let joined = (texts[0] as () => string)();
      for (let at = 1; at < texts.length; at++) joined += runtime.subscriptSeparator + (texts[at] as () => string)();
      return runtime.subscripts.keyOf(joined);
    };
  }

  /** An element's array and subscript; the subscript is to be asked for first, because it stands behind those of the array. */
  element(of: { readonly array: Expression; readonly subscripts: readonly Expression[] }): {
    readonly array: ArrayOf;
    readonly key: KeyOf;
  } {
    const array = this.array(of.array);
    const key = this.key(of.subscripts);
    if (of.array.kind !== "element") return { array, key };
    let found: AwkArray | undefined;
    return {
      key: () => {
        const into = array();
        const at = key();
        found = into;
        return at;
      },
      array: () => found as AwkArray,
    };
  }

  /** A field's number. Throws FatalError. */
  fieldIndex(index: Expression): NumberOf {
    const number = this.#expressions.number(index);
    return () => {
      const at = Math.trunc(number());
      if (at >= 0 && at < 2 ** 63) return at;
      throw new FatalError(`attempt to access field ${BigInt(toLong(at))}`);
    };
  }

  /** The value of a target. */
  read(target: Target): ScalarOf {
    switch (target.kind) {
      case "name":
        return this.name(target.name);
      case "field": {
        const { record } = this.#runtime;
        if (target.index.kind === "number" && target.index.value >= 0) {
          const at = Math.trunc(target.index.value);
          return () => record.field(at);
        }
        const index = this.fieldIndex(target.index);
        return () => record.field(index());
      }
      case "element": {
        const { array, key } = this.element(target);
        return () => {
          const at = key();
          return elementRead(array(), at);
        };
      }
    }
  }

  /** Stores into a target what `value` gives, and gives it back. The value comes first, the subscripts after it. */
  store(target: Target, value: ScalarOf): ScalarOf {
    const runtime = this.#runtime;
    const { record, globals } = runtime;
    switch (target.kind) {
      case "name": {
        const { name } = target;
        const parameter = this.#scope.parameters.get(name);
        if (parameter !== undefined) {
          return () => {
            const stored = value();
            const before = runtime.frame[parameter];
            if (typeof before === "object") scalarHere(before, name);
            if (before instanceof Untyped) before.becomeScalar();
            runtime.frame[parameter] = stored === undefined ? UNASSIGNED : stored;
            return stored;
          };
        }
        const number = runtime.globalNumber(name);
        if (LIVE_VARIABLES.has(name)) {
          return () => {
            const stored = value();
            globals[number] = stored;
            runtime.changed(name, stored);
            return stored;
          };
        }
        return () => {
          const stored = value();
          if (globals[number] instanceof AwkArray) scalarHere(globals[number], name);
          globals[number] = stored === undefined ? UNASSIGNED : stored;
          return stored;
        };
      }
      case "field": {
        const index = this.fieldIndex(target.index);
        return () => {
          const stored = value();
          record.setField(index(), stored);
          return stored;
        };
      }
      case "element": {
        const { array, key } = this.element(target);
        return () => {
          const stored = value();
          const at = key();
          storeElement(array(), at, stored);
          return stored;
        };
      }
    }
  }

  /** Reads an element, which is a scalar from then on. */
  readSettled(element: Extract<Expression, { kind: "element" }>): ScalarOf {
    const { array, key } = this.element(element);
    return () => {
      const at = key();
      const from = array();
      elementRead(from, at);
      return elementScalar(from, at);
    };
  }

  /** Makes a target what can be stored into, subscripts worked out, and gives what stores. */
  prepare(target: Target): () => (value: Scalar) => void {
    const { record } = this.#runtime;
    switch (target.kind) {
      case "name": {
        const read = this.name(target.name);
        let stored: Scalar;
        const store = this.store(target, () => stored);
        return () => {
          read();
          return (value) => {
            stored = value;
            store();
          };
        };
      }
      case "field": {
        const index = this.fieldIndex(target.index);
        return () => {
          const at = index();
          record.extend(at);
          return (value) => record.setField(at, value);
        };
      }
      case "element": {
        const { array, key } = this.element(target);
        return () => {
          const at = key();
          const into = array();
          elementScalar(into, at);
          return (value) => storeElement(into, at, value);
        };
      }
    }
  }

  /** Puts what `change` makes of a target's value in its place, where it makes something: subscripts are worked out once. */
  modify(target: Target, change: (before: Scalar) => Scalar): () => void {
    const { record } = this.#runtime;
    switch (target.kind) {
      case "name": {
        const read = this.name(target.name);
        let after: Scalar;
        const store = this.store(target, () => after);
        return () => {
          after = change(read());
          if (after !== undefined) store();
        };
      }
      case "field": {
        const index = this.fieldIndex(target.index);
        return () => {
          const at = index();
          // To name a field as a target is enough to make it.
          record.extend(at);
          const after = change(record.field(at));
          if (after !== undefined) record.setField(at, after);
        };
      }
      case "element": {
        const { array, key } = this.element(target);
        return () => {
          const at = key();
          const into = array();
          const after = change(elementScalar(into, at));
          if (after !== undefined) into.set(at, after);
        };
      }
    }
  }

  /** Changes a target in place: `change` gets its value and gives the new one, `result` says what the expression is. */
  update(target: Target, change: (before: Scalar) => number, isPrefix: boolean, before: (value: Scalar) => number): NumberOf {
    const runtime = this.#runtime;
    const { record, globals } = runtime;
    switch (target.kind) {
      case "name": {
        const { name } = target;
        const read = this.name(name);
        const parameter = this.#scope.parameters.get(name);
        if (parameter !== undefined) {
          return () => {
            const old = before(read());
            const now = change(old);
            runtime.frame[parameter] = now;
            return isPrefix ? now : old;
          };
        }
        const number = runtime.globalNumber(name);
        const isLive = LIVE_VARIABLES.has(name);
        return () => {
          const old = before(read());
          const now = change(old);
          globals[number] = now;
          if (isLive) runtime.changed(name, now);
          return isPrefix ? now : old;
        };
      }
      case "field": {
        const index = this.fieldIndex(target.index);
        return () => {
          const at = index();
          const old = before(record.field(at));
          const now = change(old);
          // What is infinite or a NaN is text in $0 then, where one that is assigned has no fields.
          record.setField(at, at === 0 && !Number.isFinite(now) ? toText(now, runtime) : now);
          return isPrefix ? now : old;
        };
      }
      case "element": {
        const { array, key } = this.element(target);
        return () => {
          const at = key();
          const into = array();
          const old = before(elementScalar(into, at));
          const now = change(old);
          into.set(at, now);
          return isPrefix ? now : old;
        };
      }
    }
  }
}
