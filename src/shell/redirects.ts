/**
 * Redirections: descriptor duplications and those to or from /dev/null are lowered, every other is a problem at its span
 * (DESIGN §2).
 */
import type { Redirect as SourceRedirect } from "unbash";
import type { RedirectConstruct, SyntaxProblem } from "./problem.ts";
import type { Redirect, Span } from "./tree.ts";

/** A redirection whose target has been read. */
export interface RedirectReading {
  readonly operator: SourceRedirect["operator"];
  /** The number before the operator. */
  readonly descriptor: number | undefined;
  /** The target without quotes; undefined where it is known only at run time. */
  readonly target: string | undefined;
  /** The target as typed. */
  readonly targetSource: string;
  readonly span: Span;
}

export type LoweredRedirect =
  | { readonly kind: "accepted"; readonly redirects: readonly Redirect[] }
  | { readonly kind: "refused"; readonly problem: SyntaxProblem };

export const NULL_DEVICE = "/dev/null";

export function lowerRedirect(reading: RedirectReading): LoweredRedirect {
  const accepted = acceptedRedirects(reading);
  if (accepted !== undefined) return { kind: "accepted", redirects: accepted };
  const construct = constructOf(reading);
  return { kind: "refused", problem: { reason: "REDIRECT", construct, span: reading.span, detail: sentence(construct, reading) } };
}

function acceptedRedirects({ operator, descriptor, target, span }: RedirectReading): readonly Redirect[] | undefined {
  switch (operator) {
    case ">":
    case ">>":
    case ">|": {
      const from = descriptor ?? 1;
      if (target !== NULL_DEVICE || (from !== 1 && from !== 2)) return undefined;
      return [{ kind: "discard", from, span }];
    }
    case "&>":
    case "&>>":
      return target === NULL_DEVICE && descriptor === undefined ? discardBoth(span) : undefined;
    case ">&": {
      const from = descriptor ?? 1;
      if (target === NULL_DEVICE && from === 1) return discardBoth(span);
      const to = target === "1" ? 1 : target === "2" ? 2 : undefined;
      if (to === undefined || (from !== 1 && from !== 2)) return undefined;
      return [{ kind: "duplicate", from, to, span }];
    }
    case "<":
      return target === NULL_DEVICE && (descriptor ?? 0) === 0 ? [{ kind: "no-input", span }] : undefined;
    case "<&":
    case "<>":
      return undefined;
  }
}

function discardBoth(span: Span): readonly Redirect[] {
  return [
    { kind: "discard", from: 1, span },
    { kind: "discard", from: 2, span },
  ];
}

function constructOf({ operator, descriptor, target }: RedirectReading): RedirectConstruct {
  if (descriptor !== undefined && descriptor > 2) return "redirect-descriptor";
  switch (operator) {
    case ">":
    case ">|":
    case "&>":
      return "redirect-out";
    case ">>":
    case "&>>":
      return "redirect-append";
    case "<":
      return "redirect-in";
    case "<>":
      return "redirect-readwrite";
    case "<&":
      return "redirect-descriptor";
    case ">&":
      return (descriptor ?? 1) === 1 && target !== undefined && !/^(\d+-?|-)$/.test(target) ? "redirect-out" : "redirect-descriptor";
  }
}

function sentence(construct: RedirectConstruct, { descriptor, operator, target, targetSource: file }: RedirectReading): string {
  if (target === "/dev/stderr" || target === "/dev/stdout")
    return `Files under /dev are not opened here, other than ${NULL_DEVICE}. Use ${target === "/dev/stderr" ? ">&2" : "2>&1"}.`;
  const tee = descriptor === 2 || operator.startsWith("&") || operator === ">&" ? "2>&1 | tee" : "| tee";
  switch (construct) {
    case "redirect-out":
      return `Output is not redirected into files here: every write goes through tee, which records it. Use ${tee} ${file}.`;
    case "redirect-append":
      return `Output is not redirected into files here: every write goes through tee, which records it. Use ${tee} -a ${file}.`;
    case "redirect-in":
      return `Input is not redirected from files here. Name the file as an operand, or use cat ${file} | COMMAND.`;
    case "redirect-readwrite":
      return `A file cannot be opened for reading and writing at once. Use cat ${file} | COMMAND to read it, | tee ${file} to write it.`;
    case "redirect-descriptor":
      return "Only standard input, output and error exist here. Use 2>&1, >&2, 2>/dev/null or >/dev/null.";
  }
}
