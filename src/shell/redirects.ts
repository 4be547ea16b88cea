/**
 * Redirections: those that read, and those that name no file, are lowered; every other is a problem at its span (DESIGN §2).
 */
import type { Redirect as SourceRedirect } from "unbash";
import type { RedirectConstruct, SyntaxProblem } from "./problem.ts";
import type { Redirect, Span, Word } from "./tree.ts";

/** A redirection whose target has been read. */
export interface RedirectReading {
  readonly operator: SourceRedirect["operator"];
  /** The number before the operator. */
  readonly descriptor: number | undefined;
  /** The target without quotes; undefined where it is known only at run time. */
  readonly target: string | undefined;
  /** The target as one word with its expansions, for `<` and for files that may be written; undefined where it is none. */
  readonly word: Word | undefined;
  /** True if the file that it names may be written without a record: it is in the session's scratch. */
  readonly isAllowed: boolean;
  /** The target as typed. */
  readonly targetSource: string;
  readonly span: Span;
}

export type LoweredRedirect =
  | { readonly kind: "accepted"; readonly redirects: readonly Redirect[] }
  | { readonly kind: "refused"; readonly problem: SyntaxProblem };

export const NULL_DEVICE = "/dev/null";

export function lowerRedirect(reading: RedirectReading): LoweredRedirect {
  const accepted = acceptedRedirects(reading) ?? outputTo(reading);
  if (accepted !== undefined) return { kind: "accepted", redirects: accepted };
  const construct = constructOf(reading);
  return { kind: "refused", problem: { reason: "REDIRECT", construct, span: reading.span, detail: sentence(construct, reading) } };
}

/** The largest descriptor that is typed as one digit: from 10 on bash uses them itself. */
const MOST_DESCRIPTOR = 9;

function acceptedRedirects(reading: RedirectReading): readonly Redirect[] | undefined {
  const { operator, descriptor, target, word, span } = reading;
  if (descriptor !== undefined && descriptor > MOST_DESCRIPTOR) return undefined;
  switch (operator) {
    case ">":
    case ">>":
    case ">|": {
      const from = descriptor ?? 1;
      if (from === 0) return undefined;
      if (target === NULL_DEVICE) return [{ kind: "discard", from, span }];
      const to = OUTPUTS.get(target ?? "");
      return to === undefined ? undefined : [{ kind: "duplicate", from, to, span }];
    }
    case "&>":
    case "&>>":
      return descriptor === undefined ? both(target, span) : undefined;
    case ">&":
      return (descriptor ?? 1) === 1 && !/^[\d-]/.test(target ?? "") ? both(target, span) : duplicated(reading);
    case "<":
      if (target === NULL_DEVICE) return [{ kind: "no-input", from: descriptor ?? 0, span }];
      return word === undefined || !readsFrom(descriptor) ? undefined : [{ kind: "input", from: descriptor ?? 0, file: word, span }];
    case "<&":
      if (target === "-" && descriptor !== undefined && descriptor > 2) return [{ kind: "close", from: descriptor, span }];
      if (!/^[0-9]$/.test(target ?? "") || !readsFrom(descriptor)) return undefined;
      return [{ kind: "duplicate-input", from: descriptor ?? 0, to: Number(target), span }];
    case "<>":
      return undefined;
  }
}

/** A redirection into a file that may be written. */
function outputTo({ operator, descriptor, target, word, isAllowed, span }: RedirectReading): readonly Redirect[] | undefined {
  if (!isAllowed || word === undefined || target?.startsWith("/dev/") === true) return undefined;
  const append = operator.endsWith(">>");
  switch (operator) {
    case ">":
    case ">>":
    case ">|": {
      const from = descriptor ?? 1;
      return from === 0 || from > MOST_DESCRIPTOR ? undefined : [{ kind: "output", from, both: false, file: word, append, span }];
    }
    case "&>":
    case "&>>":
      return descriptor === undefined ? [{ kind: "output", from: 1, both: true, file: word, append, span }] : undefined;
    case ">&":
      // A word that turns out to be a number is a descriptor's.
      if ((descriptor ?? 1) !== 1 || target === undefined || /^[\d-]/.test(target)) return undefined;
      return [{ kind: "output", from: 1, both: true, file: word, append: false, span }];
    case "<":
    case "<&":
    case "<>":
      return undefined;
  }
}

/** Devices that are the command's own outputs. */
const OUTPUTS: ReadonlyMap<string, number> = new Map([
  ["/dev/stdout", 1],
  ["/dev/fd/1", 1],
  ["/dev/stderr", 2],
  ["/dev/fd/2", 2],
]);

const readsFrom = (descriptor: number | undefined): boolean => descriptor === undefined || descriptor === 0 || descriptor > 2;

/** `N>&M`, `N>&M-`, `N>&-`. */
function duplicated({ descriptor, target = "", span }: RedirectReading): readonly Redirect[] | undefined {
  const from = descriptor ?? 1;
  if (from === 0) return undefined;
  if (target === "-") return from > 2 ? [{ kind: "close", from, span }] : undefined;
  if (!/^([1-9]|[3-9]-)$/.test(target)) return undefined;
  const to = Number.parseInt(target, 10);
  const duplicate = { kind: "duplicate", from, to, span } as const;
  return target.endsWith("-") && to !== from ? [duplicate, { kind: "close", from: to, span }] : [duplicate];
}

/** Both outputs into `target`. */
function both(target: string | undefined, span: Span): readonly Redirect[] | undefined {
  if (target === NULL_DEVICE) {
    return [
      { kind: "discard", from: 1, span },
      { kind: "discard", from: 2, span },
    ];
  }
  const to = OUTPUTS.get(target ?? "");
  if (to === undefined) return undefined;
  return [
    { kind: "duplicate", from: 1, to, span },
    { kind: "duplicate", from: 2, to: 1, span },
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

function sentence(construct: RedirectConstruct, { descriptor, operator, targetSource: file }: RedirectReading): string {
  if (descriptor === 2 && (construct === "redirect-out" || construct === "redirect-append"))
    return `Output is not redirected into files of the workspace: every write goes through tee, which records it. Standard error is shown apart in the answer, and joins a pipe with 2>&1.`;
  const tee = operator.startsWith("&") || operator === ">&" ? "2>&1 | tee" : "| tee";
  switch (construct) {
    case "redirect-out":
      return `Output is not redirected into files of the workspace: every write goes through tee, which records it. Use ${tee} ${file}.`;
    case "redirect-append":
      return `Output is not redirected into files of the workspace: every write goes through tee, which records it. Use ${tee} -a ${file}.`;
    case "redirect-in":
      return `${file} is not one file for a descriptor that is read: 0 (where none is written), or 3 to 9. Name one file.`;
    case "redirect-readwrite":
      return `A file cannot be opened for reading and writing at once. Use cat ${file} | COMMAND to read it, | tee ${file} to write it.`;
    case "redirect-descriptor":
      return "A descriptor is one digit, made a copy of another (2>&1, 3>&1, >&3), led to /dev/null, read from a file (3< FILE) or, from 3 on, closed (3>&-).";
  }
}
