/** `getline`: the next record of the input, or of a file. */
import { latin1 } from "../run/latin1.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import { FatalError } from "../syntax/program-error.ts";
import type { NumberOf, Step, TextOf } from "./closures.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { MainInput } from "../run/main-input.ts";
import type { OpenFiles } from "../run/open-files.ts";
import type { Runtime } from "../run/runtime.ts";
import type { Expression, Target } from "../syntax/tree.ts";
import type { RecordSource } from "../run/record-source.ts";
import type { Scalar } from "../values/values.ts";

type Getline = Extract<Expression, { kind: "getline" }>;
type Store = (value: Scalar) => void;

export class GetlineCompiler {
  readonly #expressions: ExpressionCompiler;
  readonly #runtime: Runtime;
  readonly #input: () => MainInput;
  readonly #files: OpenFiles;
  readonly #usesTerminator: boolean;

  constructor(expressions: ExpressionCompiler, input: () => MainInput, files: OpenFiles, usesTerminator: boolean) {
    this.#usesTerminator = usesTerminator;
    this.#expressions = expressions;
    this.#runtime = expressions.runtime;
    this.#input = input;
    this.#files = files;
  }

  /** close() of a file */
  readonly closeFile = (name: string): number => {
    if (this.#runtime.streams?.close(name) === true) return 0;
    const result = this.#files.close(name);
    if (result < 0) this.#runtime.setError("close of redirection that was never opened");
    return result;
  };

  /** Reads a record of a command. */
  *recordOf(source: RecordSource, store: Store | undefined): Generator<Step, number> {
    for (;;) {
      const missing = source.next(this.#runtime.finder);
      if (missing === "end") return 0;
      if (missing === undefined) return this.#take(source, store);
      yield async function* () {
        await source.fill();
      };
    }
  }

  /** Makes the record that was found $0, or stores it. */
  #take({ window, found }: RecordSource, store: Store | undefined): 1 {
    const runtime = this.#runtime;
    if (store === undefined) runtime.record.setBytes(window.bytes, found.from, found.to);
    else store(runtime.input(latin1(window.bytes, found.from, found.to)));
    if (this.#usesTerminator) runtime.setGlobal("RT", latin1(window.bytes, found.to, found.next) || undefined);
    return 1;
  }

  getline({ target, file }: Getline): NumberOf {
    return file === undefined ? this.#fromInput(target) : this.#fromFile(target, this.#expressions.text(file));
  }

  #fromInput(target: Target | undefined): NumberOf {
    const runtime = this.#runtime;
    const prepare = target && this.#expressions.places.prepare(target);
    return () => {
      const store = prepare?.();
      const { place } = runtime;
      const source = this.#input().next();
      // An operand that is an assignment has taken it away, for what is said of the operands.
      runtime.place = place;
      if (source === "end") return 0;
      if (source === "wait") throw new FatalError("getline from standard input within a function that is part of an expression");
      const { window, found } = source;
      if (store === undefined) runtime.record.setBytes(window.bytes, found.from, found.to);
      else store(runtime.input(latin1(window.bytes, found.from, found.to)));
      return 1;
    };
  }

  #fromFile(target: Target | undefined, file: TextOf): NumberOf {
    const runtime = this.#runtime;
    const prepare = target && this.#expressions.places.prepare(target);
    return () => {
      const name = file();
      const store = prepare?.();
      if (runtime.options.sandbox) throw new FatalError("redirection not allowed in sandbox mode");
      try {
        const source = this.#files.source(name);
        const missing = source.next(runtime.finder);
        if (missing === "end") return 0;
        if (missing === "wait") throw new FatalError(`getline < "${name}": standard input must be named in the program, or as an operand`);
        return this.#take(source, store);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        // A program takes -1 for "there is no such file", and that would not be true.
        if (thrown.code === "PATH_ESCAPE" || thrown.code === "SYMLINK_ESCAPE")
          throw new FatalError(`getline < "${name}": ${thrown.message}`);
        runtime.setError(thrown);
        return -1;
      }
    };
  }
}
