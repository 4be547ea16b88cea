/**
 * Check of a builtin that another would run as a stage (`find -exec`, `xargs`): as for a stage of the line, with the
 * arguments that data will bring left unknown.
 */
import { parseArguments, type Argument, type ParsedArguments } from "../builtin/arguments.ts";
import type { BuiltinDefinition } from "../builtin/definition.ts";
import type { OutputPolicy } from "../builtin/output-files.ts";
import { nearest } from "../builtin/nearest.ts";
import { UsageError } from "../builtin/usage-error.ts";
import { foreignCommand, reasonOf } from "./foreign-commands.ts";
import type { GuardContext } from "./rule.ts";
import type { RuleId } from "./rule-catalogue.ts";

export type NestedStage =
  | { readonly kind: "allowed"; readonly definition: BuiltinDefinition; readonly parsed: ParsedArguments }
  /** Nothing is wrong but what data may yet change (`sed -n '{},+3p'`): the stage is checked as it starts. */
  | { readonly kind: "open" }
  | {
      readonly kind: "refused";
      readonly why: string;
      /** Index in the command of the wrong argument. */
      readonly at: number;
      /** Replacement for it. */
      readonly instead: string | undefined;
      /** The rule for the harm that the command would have done. */
      readonly rule?: RuleId | undefined;
      /** True if there is no builtin of that name, and it is no path. */
      readonly isMissing?: boolean;
    };

export const NAME_FROM_DATA = "The name of a command must be spelled out: data never decides what is run.";

/** `command` is a name and its arguments. */
export function nestedStage([name, ...args]: readonly Argument[], outputs: OutputPolicy, context: GuardContext): NestedStage {
  if (name === undefined) throw new Error("a command without a name");
  if (name.operandOnly === true)
    return {
      kind: "refused",
      why: NAME_FROM_DATA,
      at: 0,
      instead: undefined,
    };
  const definition = context.registry.find(name.text);
  if (definition === undefined) return unknown(name.text, context);
  if (definition.navigates !== undefined) {
    return { kind: "refused", why: `'${name.text}' moves the session, and a command inside another cannot.`, at: 0, instead: undefined };
  }
  if (definition.sharesShell === "needs") {
    return {
      kind: "refused",
      why: `'${name.text}' is about the shell of the line, and a command inside another has none.`,
      at: 0,
      instead: undefined,
    };
  }
  try {
    const parsed = parseArguments(definition, name.text, args);
    if (parsed.informs === undefined) definition.check?.(parsed, outputs);
    return { kind: "allowed", definition, parsed };
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    if (!isCertain(thrown, args)) return { kind: "open" };
    const { kind, message, argument, suggestion } = thrown;
    const instead = kind === "unknown-flag" ? suggestion : undefined;
    return { kind: "refused", why: `${name.text}: ${message.replaceAll("\n", " ")}.`, at: (argument ?? -1) + 1, instead };
  }
}

/** Tells whether the error remains an error, whatever the unknown words turn out to be. */
export function isCertain({ kind, argument }: UsageError, args: readonly Argument[]): boolean {
  if (!args.some((each) => each.unknown === true)) return true;
  return (
    (kind === "unknown-flag" || kind === "refused-flag" || kind === "missing-value") &&
    argument !== undefined &&
    args[argument]?.unknown !== true
  );
}

/** A path to a builtin is the builtin; a foreign command has its own sentence; anything else may be misspelt. */
function unknown(name: string, context: GuardContext): NestedStage {
  const base = name.split("/").at(-1) ?? "";
  if (base !== name && context.registry.has(base)) {
    return { kind: "refused", why: `'${base}' is a builtin of this server and has no path.`, at: 0, instead: base };
  }
  const foreign = foreignCommand(base);
  if (foreign !== undefined)
    return { kind: "refused", why: reasonOf(foreign, context), at: 0, instead: undefined, rule: foreign.rule, isMissing: base === name };
  const near = nearest(base.toLowerCase(), context.registry.names());
  return { kind: "refused", why: near === undefined ? "" : `Did you mean '${near}'?`, at: 0, instead: near, isMissing: base === name };
}
