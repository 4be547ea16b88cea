/** Errors of usage: the words of the reference tool, and the facts that the guard's message needs. */
import type { BuiltinDefinition } from "./definition.ts";

/** Bad arguments, in the reference tool's words, with the facts that the guard's message needs. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly kind: UsageErrorKind;
  /** Index of the offending argument in the stage's arguments (after the name), where there is one. */
  readonly argument: number | undefined;
  /** The flag or value in question, as typed. */
  readonly subject: string;
  /** For an unknown flag: the nearest known one. For a refused flag: the stage that works instead. */
  readonly suggestion: string | undefined;
  /** Arguments by index without which the line runs: a better suggestion, with everything else as it was typed. */
  readonly dropped: readonly number[];
  /** What the suggested stage lacks, as a clause; undefined: nothing. */
  readonly lost: string | undefined;
  /** A better suggestion where a change to the file (from the current directory) is recorded. */
  readonly whereRecorded: { readonly path: string; readonly suggestion: string } | undefined;
  /** True if the reference tool adds "Try 'NAME --help' for more information."; "alone": it prints its usage and no message. */
  readonly pointsToHelp: boolean | "alone";
  /** Exit status, where it is not the one that the definition gives usage errors. */
  readonly exit: number | undefined;
  /** Lines that the reference tool prints below the message (`usageText`). */
  readonly details: string;

  constructor(kind: UsageErrorKind, message: string, facts: UsageErrorFacts = {}) {
    super(message);
    this.kind = kind;
    this.argument = facts.argument;
    this.subject = facts.subject ?? "";
    this.suggestion = facts.suggestion;
    this.dropped = facts.dropped ?? [];
    this.lost = facts.isSame === true ? undefined : (facts.lost ?? (this.subject === "" ? "another way" : `without ${this.subject}`));
    this.whereRecorded = facts.whereRecorded;
    this.pointsToHelp = facts.pointsToHelp ?? false;
    this.exit = facts.exit;
    this.details = facts.details ?? "";
  }
}

export type UsageErrorKind =
  | "unknown-flag"
  | "refused-flag"
  | "missing-value"
  | "unexpected-value"
  | "bad-value"
  | "missing-operand"
  | "extra-operand"
  | "bad-program"
  /** A word from data begins with a dash where a flag may stand. Only found when the stage starts. */
  | "data-flag";

interface UsageErrorFacts {
  readonly argument?: number | undefined;
  readonly subject?: string;
  readonly suggestion?: string | undefined;
  readonly dropped?: readonly number[];
  /** True if the suggested stage prints, ends with and leaves what the refused one would have. */
  readonly isSame?: boolean | undefined;
  /** Default: that it is without `subject`. */
  readonly lost?: string | undefined;
  readonly whereRecorded?: { readonly path: string; readonly suggestion: string } | undefined;
  readonly pointsToHelp?: boolean | "alone";
  readonly exit?: number | undefined;
  readonly details?: string;
}

/** Thrown by a flag's `read` for an invalid value. The message is the reference tool's, without its name. */
export class BadValue extends Error {
  override readonly name = "BadValue";
  readonly pointsToHelp: boolean | "alone";
  readonly exit: number | undefined;
  /** The nearest valid value. */
  readonly suggestion: string | undefined;

  constructor(
    message: string,
    options: { readonly pointsToHelp?: boolean | "alone"; readonly exit?: number; readonly suggestion?: string | undefined } = {},
  ) {
    super(message);
    this.pointsToHelp = options.pointsToHelp ?? false;
    this.exit = options.exit;
    this.suggestion = options.suggestion;
  }
}

/** The reference tool's text on standard error for `error`; for a refused flag, the reason and the stage that works instead. */
export function nativeMessage(definition: Pick<BuiltinDefinition, "usageHint" | "usageText">, name: string, error: UsageError): string {
  if (error.kind === "refused-flag" && error.suggestion !== undefined) {
    const way = error.lost === undefined ? `try: ${error.suggestion}` : `instead: ${error.suggestion}  # ${error.lost}`;
    return `${name}: ${error.message}\n${way}\n`;
  }
  if (definition.usageText !== undefined) return definition.usageText(error);
  const hint = definition.usageHint?.(name) ?? `Try '${name} --help' for more information.\n`;
  if (error.pointsToHelp === "alone") return hint;
  return `${name}: ${error.message}\n${error.pointsToHelp ? hint : ""}`;
}

/** The exit status the reference tool ends with after `error`. */
export function nativeExit(definition: Pick<BuiltinDefinition, "usageExit">, error: UsageError): number {
  return error.exit ?? definition.usageExit ?? 1;
}
