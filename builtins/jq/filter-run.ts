/** A filter (filter.ts) as closures over the values of a tape. Whatever would be an error throws HandOver. */
import type { Comparison, Filter } from "./filter.ts";
import { functionOf } from "./filter-functions.ts";
import { HandOver } from "./hand-over.ts";
import {
  compare,
  fieldOf,
  Fields,
  isEqual,
  isTrue,
  itemOf,
  itemsOf,
  KIND,
  kindOf,
  List,
  madeText,
  Text,
  textOf,
  type Value,
} from "./json-value.ts";
import { jsonTextOf, sumOf } from "./json-operations.ts";
import type { JsonTape } from "./json-tape.ts";

/** Gives its results to `emit`, in their order. */
export type Many = (input: Value, emit: (value: Value) => void) => void;
/** Has one result for every input. */
export type One = (input: Value) => Value;
export type Running = { readonly one: One } | { readonly many: Many };

export class FilterRun {
  readonly #tape: JsonTape;

  constructor(tape: JsonTape) {
    this.#tape = tape;
  }

  running(filter: Filter): Running {
    const tape = this.#tape;
    switch (filter.kind) {
      case "identity":
        return { one: (input) => input };
      case "literal":
        return { one: () => filter.value };
      case "recurse":
        return { many: (input, emit) => this.#recurse(input, emit) };
      case "field": {
        const { name } = filter;
        return this.#after(filter.of, filter.optional, {
          one: (input) => fieldOf(tape, input, name),
          fits: (kind) => kind === KIND.object || kind === KIND.null,
        });
      }
      case "index": {
        const { index } = filter;
        return this.#after(filter.of, filter.optional, {
          one: (input) => itemOf(tape, input, index),
          fits: (kind) => kind === KIND.array || kind === KIND.null,
        });
      }
      case "slice": {
        const { from, to } = filter;
        return this.#after(filter.of, filter.optional, {
          one: (input) => this.#slice(input, from, to),
          fits: (kind) => kind === KIND.array || kind === KIND.null || kind === KIND.string,
        });
      }
      case "each": {
        const { optional } = filter;
        const each: Many = (input, emit) => {
          if (optional && kindOf(tape, input) < KIND.array) return;
          for (const item of itemsOf(tape, input)) {
            this.#tape.spend(1);
            emit(item);
          }
        };
        return piped(this.running(filter.of), { many: each });
      }
      case "text":
        return this.#text(filter.parts);
      case "pipe":
        return piped(this.running(filter.left), this.running(filter.right));
      case "comma": {
        const [left, right] = [manyOf(this.running(filter.left)), manyOf(this.running(filter.right))];
        return {
          many: (input, emit) => {
            this.#tape.spend(1);
            left(input, emit);
            right(input, emit);
          },
        };
      }
      case "alternative":
        return this.#alternative(this.running(filter.left), this.running(filter.right));
      case "and":
      case "or":
        return this.#logical(this.running(filter.left), this.running(filter.right), filter.kind === "or");
      case "comparison":
        return binary(this.running(filter.left), this.running(filter.right), comparing(tape, filter.operator));
      case "sum":
        return binary(this.running(filter.left), this.running(filter.right), (left, right) => sumOf(tape, left, right));
      case "array":
        return this.#array(filter.of);
      case "object":
        return this.#object(
          filter.names,
          filter.values.map((value) => this.running(value)),
        );
      case "if":
        return conditional(tape, this.running(filter.condition), this.running(filter.then), this.running(filter.otherwise));
      case "call":
        return this.#call(filter.name, filter.args);
    }
  }

  /** `step` after `of`; where it is optional, nothing for what it does not fit. */
  #after(of: Filter, optional: boolean, step: { readonly one: One; readonly fits: (kind: number) => boolean }): Running {
    const before = this.running(of);
    if (!optional) return piped(before, step);
    const many: Many = (input, emit) => {
      if (step.fits(kindOf(this.#tape, input))) emit(step.one(input));
    };
    return piped(before, { many });
  }

  #recurse(input: Value, emit: (value: Value) => void): void {
    this.#tape.spend(1);
    emit(input);
    if (kindOf(this.#tape, input) >= KIND.array) for (const item of itemsOf(this.#tape, input)) this.#recurse(item, emit);
  }

  #slice(input: Value, from: number | undefined, to: number | undefined): Value {
    const kind = kindOf(this.#tape, input);
    if (kind === KIND.null) return null;
    if (kind === KIND.string) return madeText(this.#tape, [...textOf(this.#tape, input)].slice(from, to).join(""));
    if (kind !== KIND.array) throw new HandOver();
    return new List(this.#tape, itemsOf(this.#tape, input).slice(from, to));
  }

  #text(parts: readonly (string | Filter)[]): Running {
    const tape = this.#tape;
    const running = parts.map((part): Running => {
      if (typeof part !== "string") return this.running(part);
      const text = new Text(part);
      return { one: () => text };
    });
    return product(running, "last", (values) => madeText(tape, values.map((value) => jsonTextOf(tape, value)).join("")));
  }

  #alternative(left: Running, right: Running): Running {
    const tape = this.#tape;
    if ("one" in left && "one" in right)
      return {
        one: (input) => {
          const value = left.one(input);
          return isTrue(tape, value) ? value : right.one(input);
        },
      };
    const [first, otherwise] = [manyOf(left), manyOf(right)];
    return {
      many: (input, emit) => {
        let found = false;
        first(input, (value) => {
          if (!isTrue(tape, value)) return;
          found = true;
          emit(value);
        });
        if (!found) otherwise(input, emit);
      },
    };
  }

  /** `decides`: the truth of the left side that makes the right one not matter. */
  #logical(left: Running, right: Running, decides: boolean): Running {
    const tape = this.#tape;
    if ("one" in left && "one" in right)
      return { one: (input) => (isTrue(tape, left.one(input)) === decides ? decides : isTrue(tape, right.one(input))) };
    const [first, second] = [manyOf(left), manyOf(right)];
    return {
      many: (input, emit) =>
        first(input, (value) => {
          if (isTrue(tape, value) === decides) emit(decides);
          else second(input, (other) => emit(isTrue(tape, other)));
        }),
    };
  }

  #array(of: Filter | undefined): Running {
    const tape = this.#tape;
    const many: Many = of === undefined ? () => {} : manyOf(this.running(of));
    return {
      one: (input) => {
        const items: Value[] = [];
        many(input, (value) => {
          this.#tape.spend(1);
          items.push(value);
        });
        return new List(tape, items);
      },
    };
  }

  #object(names: readonly Text[], values: readonly Running[]): Running {
    const tape = this.#tape;
    return product(values, "first", (made) => new Fields(tape, names, made));
  }

  #call(name: string, args: readonly Filter[]): Running {
    const tape = this.#tape;
    const [argument] = args;
    if (argument === undefined) {
      if (name === "empty") return { many: () => {} };
      if (name === "recurse") return { many: (input, emit) => this.#recurse(input, emit) };
      return functionOf(tape, name, undefined);
    }
    const running = this.running(argument);
    if (name === "select") {
      const nothing: Running = { many: () => {} };
      return conditional(tape, running, { one: (input) => input }, nothing);
    }
    if (name === "map")
      return this.#array({ kind: "pipe", left: { kind: "each", of: { kind: "identity" }, optional: false }, right: argument });
    if (!("one" in running)) return { one: handOver };
    return functionOf(tape, name, running.one);
  }
}

const handOver: One = () => {
  throw new HandOver();
};

export function manyOf(running: Running): Many {
  if ("many" in running) return running.many;
  const { one } = running;
  return (input, emit) => emit(one(input));
}

function piped(left: Running, right: Running): Running {
  if ("one" in left) {
    const { one } = left;
    if ("one" in right) return { one: (input) => right.one(one(input)) };
    return { many: (input, emit) => right.many(one(input), emit) };
  }
  if ("one" in right) return { many: (input, emit) => left.many(input, (value) => emit(right.one(value))) };
  return { many: (input, emit) => left.many(input, (value) => right.many(value, emit)) };
}

function conditional(tape: JsonTape, condition: Running, then: Running, otherwise: Running): Running {
  if ("one" in condition && "one" in then && "one" in otherwise)
    return { one: (input) => (isTrue(tape, condition.one(input)) ? then.one(input) : otherwise.one(input)) };
  const [yes, no] = [manyOf(then), manyOf(otherwise)];
  if ("one" in condition) return { many: (input, emit) => (isTrue(tape, condition.one(input)) ? yes : no)(input, emit) };
  return { many: (input, emit) => condition.many(input, (value) => (isTrue(tape, value) ? yes : no)(input, emit)) };
}

/** Of several results on both sides, each of the right side's goes with all of the left's in turn. */
function binary(left: Running, right: Running, of: (left: Value, right: Value) => Value): Running {
  if ("one" in left && "one" in right) return { one: (input) => of(left.one(input), right.one(input)) };
  return product([left, right], "last", ([first, second]) => of(first as Value, second as Value));
}

/** Each combination of results; `outer` is which of them changes last. */
function product(parts: readonly Running[], outer: "first" | "last", made: (values: readonly Value[]) => Value): Running {
  const ones = parts.flatMap((part) => ("one" in part ? [part.one] : []));
  if (ones.length === parts.length) return { one: (input) => made(ones.map((one) => one(input))) };
  const order = [...parts.keys()];
  if (outer === "last") order.reverse();
  const filters = parts.map(manyOf);
  return {
    many: (input, emit) => {
      const values: Value[] = parts.map(() => null);
      const choose = (step: number): void => {
        const part = order[step];
        if (part === undefined) {
          emit(made([...values]));
          return;
        }
        filters[part]?.(input, (value) => {
          values[part] = value;
          choose(step + 1);
        });
      };
      choose(0);
    },
  };
}

function comparing(tape: JsonTape, operator: Comparison): (left: Value, right: Value) => boolean {
  switch (operator) {
    case "==":
      return (left, right) => isEqual(tape, left, right);
    case "!=":
      return (left, right) => !isEqual(tape, left, right);
    case "<":
      return (left, right) => compare(tape, left, right) < 0;
    case "<=":
      return (left, right) => compare(tape, left, right) <= 0;
    case ">":
      return (left, right) => compare(tape, left, right) > 0;
    case ">=":
      return (left, right) => compare(tape, left, right) >= 0;
  }
}
