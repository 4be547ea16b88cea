/**
 * Edits that turn a refused line into one that runs: `cmd > f` → `cmd | tee f` and its relatives. The rest of the line keeps
 * its bytes. The caller (parse.ts) checks that the result parses, and drops it otherwise.
 */
import { lowerRedirect, NULL_DEVICE, type RedirectReading } from "./redirects.ts";
import type { Span } from "./tree.ts";

export interface Edit extends Span {
  readonly text: string;
}

/** `line` with the edits made; undefined where two overlap. */
export function applyEdits(line: string, edits: readonly Edit[]): string | undefined {
  const sorted = edits.map((edit, order) => ({ ...edit, order })).sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order);
  let out = "";
  let from = 0;
  for (const edit of sorted) {
    if (edit.start < from) return undefined;
    out += line.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return out + line.slice(from);
}

/** Text of a line that asks for the status of a command. */
const ASKS_STATUS = /&&|\|\||\$\?|\b(?:if|elif|while|until)\b|(?:^|[\s;(])!\s|\bset -\w*e/;
/** The pipe of a pipeline, and no part of `||` or `>|`. */
const PIPE = /(?<![|>])\|(?!\|)/;

/**
 * `line` with the edits made. A command whose status is asked for keeps it before the tee; undefined where other pipelines
 * would keep theirs with it.
 */
export function rewritten(line: string, edits: readonly Edit[]): string | undefined {
  const out = applyEdits(line, edits);
  if (out === undefined || !edits.some(({ text }) => text.startsWith(TEE)) || !ASKS_STATUS.test(line)) return out;
  return PIPE.test(line) ? undefined : `set -o pipefail; ${out}`;
}

const TEE = " | tee ";

export interface RedirectedCommand {
  readonly span: Span;
  /** Redirections to and from files and descriptors, in order; here-documents and here-strings are left out. */
  readonly readings: readonly RedirectReading[];
  /** No words at all: `> f`. */
  readonly bare: boolean;
}

/** The edits for one command with at least one refused redirection; undefined where syntax cannot tell. */
export function redirectEdits(line: string, command: RedirectedCommand): readonly Edit[] | undefined {
  const edits: Edit[] = [];
  const files: { readonly name: string; readonly append: boolean }[] = [];
  const inputs: string[] = [];
  const stdoutGoes = command.readings.filter((reading) => writesStdout(reading));
  // Where one output is kept, no pipe can take the place of the other.
  if (command.readings.some(isKept)) return undefined;
  for (const reading of command.readings) {
    const { operator, target, targetSource } = reading;
    const from = reading.descriptor ?? (operator.startsWith("<") ? 0 : 1);
    const replace = (text: string): void => void edits.push({ ...reading.span, text });
    const drop = (): void => void edits.push({ ...withBlanks(line, reading.span, command.span), text: "" });
    if (target === undefined || from > 2) return undefined;
    if (operator === "<") continue;
    if (operator === "<>" || operator === "<&") {
      if (from !== 0 || (operator === "<&" && target !== "-")) return undefined;
      if (operator === "<&") replace(`<${NULL_DEVICE}`);
      else if (target === "/dev/stdin") drop();
      else if (target.startsWith("/dev/")) return undefined;
      else {
        inputs.push(targetSource);
        drop();
      }
      continue;
    }
    if (target === NULL_DEVICE || (operator === ">&" && /^[12]$/.test(target))) continue;
    if (operator === ">&" && /^\d/.test(target)) return undefined;
    if (operator === ">&" && target === "-") {
      replace(`${from === 2 ? 2 : ""}>${NULL_DEVICE}`);
      continue;
    }
    const both = operator.startsWith("&") || operator === ">&";
    if (target === "/dev/stdout" || target === "/dev/stderr") {
      if (both) return undefined;
      const to = target === "/dev/stdout" ? 1 : 2;
      if (to === from) drop();
      else replace(from === 1 ? ">&2" : "2>&1");
      continue;
    }
    if (target.startsWith("/dev/")) return undefined;
    files.push({ name: targetSource, append: operator.endsWith(">>") });
    if (both) {
      replace("2>&1");
    } else if (from === 1) {
      drop();
    } else {
      const discarded = stdoutGoes.find((other) => other.target === NULL_DEVICE && other.span.start < reading.span.start);
      if (discarded === undefined) replace("2>&1");
      else {
        drop();
        edits.push({ start: discarded.span.start, end: discarded.span.start, text: "2>&1 " });
      }
    }
  }
  const [file, ...others] = files;
  if (others.some((other) => other.name !== file?.name || other.append !== file.append) || inputs.length > 1) return undefined;
  if (inputs[0] !== undefined) edits.push({ start: command.span.start, end: command.span.start, text: `cat ${asOperand(inputs[0])} | ` });
  if (command.bare) {
    if (command.readings.length > 1 || file === undefined) return undefined;
    const dropped = edits.every((edit) => edit.text === "");
    edits.push({ start: command.span.start, end: command.span.start, text: dropped ? ":" : ": " });
  }
  if (file !== undefined) {
    edits.push({ start: command.span.end, end: command.span.end, text: `${TEE}${file.append ? "-a " : ""}${asOperand(file.name)}` });
  }
  return edits;
}

const isKept = (reading: RedirectReading): boolean => {
  const lowered = lowerRedirect(reading);
  return lowered.kind === "accepted" && lowered.redirects.some(({ kind }) => kind === "output");
};

function writesStdout({ operator, descriptor }: RedirectReading): boolean {
  return operator.startsWith("&") || (operator.startsWith(">") && (descriptor ?? 1) === 1);
}

const asOperand = (source: string): string => (source.startsWith("-") ? `./${source}` : source);

/** The redirection with the blanks before it, or after it where it begins the command. */
function withBlanks(line: string, span: Span, command: Span): Span {
  let { start, end } = span;
  if (start > command.start) {
    while (start > command.start && /[ \t]/.test(line[start - 1] as string)) start--;
  } else {
    while (end < command.end && /[ \t]/.test(line[end] as string)) end++;
  }
  return { start, end };
}
