/** print and printf. */
import type { TextOf } from "./closures.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import { FatalError } from "../syntax/program-error.ts";
import type { Expression, Statement } from "../syntax/tree.ts";
import type { Scalar } from "../values/values.ts";
import { toText } from "../values/text-conversion.ts";

type Print = Extract<Statement, { kind: "print" | "printf" }>;

export function printClosure(statement: Print, expressions: ExpressionCompiler): () => void {
  const { runtime } = expressions;
  const { output: target } = statement;
  if (target !== undefined && runtime.options.sandbox) {
    const values = statement.values.map((value) => expressions.settledValue(value));
    return () => {
      for (const value of values) value();
      throw new FatalError("redirection not allowed in sandbox mode");
    };
  }
  if (target === undefined || target === "stdout") {
    const direct = statement.kind === "print" ? directPrint(statement.values, expressions) : undefined;
    if (direct !== undefined) return direct;
    const text = printedText(statement, expressions);
    const { output } = runtime;
    return () => output.addLatin1(text());
  }
  const text = printedText(statement, expressions);
  if (target === "none") return () => void text();
  return () => runtime.writeError(text());
}

/** The text that is printed to a command or a file, and the text that names it. */
export function printedTo(statement: Print, target: Expression, expressions: ExpressionCompiler): { text: TextOf; target: TextOf } {
  const { runtime } = expressions;
  const text = printedText(statement, expressions);
  const name = expressions.text(target);
  if (!runtime.options.sandbox) return { text, target: name };
  return {
    text,
    target: () => {
      throw new FatalError("redirection not allowed in sandbox mode");
    },
  };
}

function printedText(statement: Print, expressions: ExpressionCompiler): () => string {
  const { runtime } = expressions;
  const values = statement.values.map((value) => expressions.settledValue(value));
  if (statement.kind === "printf") {
    const [format, ...rest] = values;
    if (format === undefined) {
      return () => {
        throw new FatalError("printf: no arguments");
      };
    }
    return () => {
      const given: Scalar[] = [];
      const pattern = toText(format(), runtime);
      for (const value of rest) given.push(value());
      return runtime.formatted(pattern, given);
    };
  }
  if (values.length === 0) return () => runtime.record.text + runtime.recordSeparator;
  return () => {
    const given = values.map((value) => value());
    let line = runtime.outputText(given[0]);
    for (let at = 1; at < given.length; at++) line += runtime.outputSeparator + runtime.outputText(given[at]);
    return line + runtime.recordSeparator;
  };
}

/** A print of nothing but fields and constants: their bytes go straight to the output. */
function directPrint(values: readonly Expression[], expressions: ExpressionCompiler): (() => void) | undefined {
  const { runtime } = expressions;
  const { output, record } = runtime;
  const printRecord = (): void => {
    record.settle();
    output.add(record.bytes, record.from, record.to);
  };
  const parts: (() => void)[] = [];
  if (values.length === 0) parts.push(printRecord);
  for (const value of values) {
    if (parts.length > 0) parts.push(() => output.addLatin1(runtime.outputSeparator));
    if (value.kind === "string") parts.push(() => output.addLatin1(value.value));
    else if (value.kind === "field" && value.index.kind === "number" && value.index.value >= 0) {
      const index = Math.trunc(value.index.value);
      if (index === 0) parts.push(printRecord);
      else
        parts.push(() => {
          const at = record.plainIndex(index);
          const { table } = record;
          if (at >= 0) output.add(record.bytes, table.starts[at] as number, table.ends[at] as number);
          else output.addLatin1(runtime.outputText(record.field(index)));
        });
    } else return undefined;
  }
  return () => {
    for (let at = 0; at < parts.length; at++) (parts[at] as () => void)();
    output.addLatin1(runtime.recordSeparator);
  };
}
