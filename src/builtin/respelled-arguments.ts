/** Arguments that are parsed in place of those that were typed, as for tar's first one, whose letters have no dash. */
import type { Argument, ParsedArguments } from "./arguments.ts";
import type { FlagTable } from "./definition.ts";
import { UsageError } from "./usage-error.ts";

/** An argument that is parsed in place of one that was typed. */
export interface RespelledArgument {
  readonly argument: Argument;
  /** Index of the typed argument. */
  readonly from: number;
}

/** Parses `respelled`, and tells every place by the arguments that were typed. Throws UsageError. */
export function parseRespelled<F extends FlagTable>(
  typed: readonly Argument[],
  respelled: readonly RespelledArgument[],
  parse: (args: readonly Argument[]) => ParsedArguments<F>,
): ParsedArguments<F> {
  const place = (at: number): number => respelled[at]?.from ?? typed.length;
  try {
    const parsed = parse(respelled.map(({ argument }) => argument));
    const operandArguments = parsed.operandArguments.map(place);
    const operands = new Set(operandArguments);
    const flagArguments = typed.flatMap(({ text }, at) => (operands.has(at) ? [] : [text]));
    return { ...parsed, flagArguments, operandArguments, occurrenceArguments: parsed.occurrenceArguments.map(place) };
  } catch (thrown) {
    if (!(thrown instanceof UsageError) || thrown.argument === undefined) throw thrown;
    throw new UsageError(thrown.kind, thrown.message, { ...thrown, argument: place(thrown.argument) });
  }
}
