/** Of which line a message is, where an expression goes on over several: the place of the part that it is about. */
import type { Runtime } from "../run/runtime.ts";
import type { Place } from "../syntax/source.ts";
import type { Expression } from "../syntax/tree.ts";

export class ExpressionLines {
  readonly #runtime: Runtime;
  /** Of what is being compiled. */
  #line: number | undefined;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Compiles a statement or a pattern, which sets its place when it runs. */
  within<T>(place: Place, compile: () => T): T {
    const outer = this.#line;
    this.#line = place.line;
    const compiled = compile();
    this.#line = outer;
    return compiled;
  }

  /** The closure of an expression; it sets its place too where that is on another line than what is around it. */
  of<T>(expression: Expression, compile: () => () => T): () => T {
    if (!("place" in expression) || expression.kind === "number" || expression.place.line === this.#line) return compile();
    const { place } = expression;
    const isWithin = this.#line !== undefined;
    const closure = this.within(place, compile);
    if (!isWithin) return closure;
    const runtime = this.#runtime;
    return () => {
      const before = runtime.place;
      runtime.place = place;
      const result = closure();
      runtime.place = before;
      return result;
    };
  }
}
