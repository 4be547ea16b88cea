/** The state in which a line or a script begins, and what a stage makes of it. */
import { DEFAULT_IFS, type Value } from "../shell/variables.ts";
import { INHERITED, POSITIONAL } from "./known-values.ts";
import { joined } from "./paths.ts";
import type { State } from "./reach.ts";
import type { GuardContext, StageFacts } from "./rule.ts";

/** Variables that a stage may change: all whose names stand in its arguments. */
export function assignedBy({ definition, arguments: args }: StageFacts): readonly string[] {
  if (definition?.sharesShell === undefined || definition.sharesShell === "reads") return [];
  const names = args.flatMap(({ text }) => text.match(/[A-Za-z_]\w*/g) ?? []);
  return definition.setsPositional === true ? [...names, POSITIONAL] : names;
}

/** `$HOME` and `$IFS` are set in every line; `$PWD` and `$OLDPWD` depend on where it is by then. */
export function startingState(context: GuardContext): State {
  const { currentDirectory, rootPath } = context;
  return {
    places: new Set([currentDirectory]),
    functions: new Set(),
    values: new Map<string, Value | "unknown">([
      ["HOME", { text: rootPath, typed: true }],
      ["IFS", { text: DEFAULT_IFS, typed: true }],
      ...(context.scratch === undefined ? [] : [["TMPDIR", { text: context.scratch, typed: true }] as const]),
      ["PWD", "unknown"],
      ["OLDPWD", "unknown"],
    ]),
  };
}

/** A script begins where its stage is, with arguments, and with variables that the line may have exported. */
export function scriptState(context: GuardContext, directories: readonly string[] | undefined): State {
  const state = startingState(context);
  const values = new Map(state.values).set(POSITIONAL, "unknown").set(INHERITED, "unknown");
  return { ...state, places: directories && new Set(directories), values };
}

/**
 * Directory to which a stage moves the session from `from`: its one path operand, or the root without one. Undefined where the text
 * does not tell it, as for `-`, which depends on the directory before.
 */
export function destination({ definition, parsed, arguments: args }: StageFacts, from: string, context: GuardContext): string | undefined {
  if (definition?.navigates === undefined) return from;
  if (parsed === undefined || args.some((argument) => argument.unknown === true)) return undefined;
  const [operand, ...others] = parsed.operands;
  if (definition.navigates === "stack" && (operand === undefined || /^[+-]/.test(operand))) return undefined;
  if (operand === undefined) return "";
  if (operand === "-" || others.length > 0 || /[*?[]/.test(operand)) return undefined;
  return joined(from, operand, context);
}
