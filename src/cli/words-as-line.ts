/** One builtin with its arguments (`shelpa NAME ARGUMENT…`) as a line, where that is the only way to run it. */
import { parseArguments, type Argument } from "../builtin/arguments.ts";
import type { BuiltinDefinition } from "../builtin/definition.ts";
import { UsageError } from "../builtin/usage-error.ts";
import { quoteWord } from "../display/quote.ts";

/**
 * The line for a builtin that is nothing without a session or the shell that runs it, that runs scripts out of its arguments, or where
 * redirections are recorded writes files that its program names: those are checked with a line. Undefined for any other.
 */
export function lineOf(
  definition: BuiltinDefinition,
  name: string,
  args: readonly Argument[],
  recordsRedirects: boolean,
): string | undefined {
  try {
    const parsed = parseArguments(definition, name, args);
    if (parsed.informs !== undefined) return undefined;
    const isOfLine =
      needsLine(definition) || definition.effects?.(parsed).some(({ kind }) => kind === "script" || (recordsRedirects && kind === "write"));
    return isOfLine === true ? [name, ...args.map(({ text }) => text)].map(quoteWord).join(" ") : undefined;
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    return undefined;
  }
}

const needsLine = ({ needsSession, navigates, sharesShell }: BuiltinDefinition): boolean =>
  needsSession === true || navigates !== undefined || sharesShell === "needs" || sharesShell === "changes";
