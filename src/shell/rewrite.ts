/**
 * Edits that turn a refused line into one that runs: `cmd > f` → `cmd | tee f` and its relatives. The rest of the line keeps
 * its bytes. The caller (parse.ts) checks that the result parses, and drops it otherwise.
 */
import { lowerRedirect, NULL_DEVICE, type RedirectReading } from "./redirects.ts";
import type { Span } from "./tree.ts";

export interface Edit extends Span {
  readonly text: string;
  /** What the line lacks with it, as a clause; absent: nothing. */
  readonly lost?: string;
}

/** A whole line in place of a refused one. */
export interface Rewrite {
  readonly line: string;
  /** What it lacks of the refused one, as clauses; undefined: nothing. */
  readonly lost: string | undefined;
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

/** Line whose only command never fails. */
const NEVER_FAILS = /^\s*(?:echo|:)\b[^;&|\n$`]*$/;
/** Text of a line that asks for the status of a command. */
const ASKS_STATUS = /&&|\|\||\$\?|\b(?:if|elif|while|until)\b|(?:^|[\s;(])!\s|\bset -\w*e/;
/** The pipe of a pipeline, and no part of `||` or `>|`. */
const PIPE = /(?<![|>])\|(?!\|)/;

/**
 * `line` with the edits made. A command keeps its status before the tee, but not where other pipelines would keep theirs with it;
 * undefined where it is asked for there.
 */
export function rewritten(line: string, edits: readonly Edit[]): Rewrite | undefined {
  const out = applyEdits(line, edits);
  if (out === undefined) return undefined;
  const lost = edits.flatMap((edit) => edit.lost ?? []);
  const hasTee = edits.some(({ text }) => text.startsWith(TEE));
  if (!hasTee || NEVER_FAILS.test(line)) return { line: out, lost: clauses(lost) };
  if (!PIPE.test(line)) return { line: `set -o pipefail; ${out}`, lost: clauses(lost) };
  return ASKS_STATUS.test(line) ? undefined : { line: out, lost: clauses([...lost, "the exit status is tee's"]) };
}

/** Each clause once; undefined where there is none. */
const clauses = (all: readonly string[]): string | undefined => (all.length === 0 ? undefined : [...new Set(all)].join("; "));

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
      const lost = "to write to a closed output is an error";
      edits.push({ ...reading.span, text: `${from === 2 ? 2 : ""}>${NULL_DEVICE}`, lost });
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
  if (inputs[0] !== undefined) {
    const lost = "a file that is not there is not made";
    edits.push({ start: command.span.start, end: command.span.start, text: `cat ${asOperand(inputs[0])} | `, lost });
  }
  if (command.bare) {
    if (command.readings.length > 1 || file === undefined) return undefined;
    const dropped = edits.every((edit) => edit.text === "");
    edits.push({ start: command.span.start, end: command.span.start, text: dropped ? ":" : ": " });
  }
  if (file !== undefined) {
    const lost = [lostInSubshell(line, command), lostByTee(line, command, file.name)].filter((each) => each !== undefined).join("; ");
    const text = `${TEE}${file.append ? "-a " : ""}${asOperand(file.name)} >${NULL_DEVICE}`;
    edits.push({ start: command.span.end, end: command.span.end, text, ...(lost === "" ? {} : { lost }) });
  }
  return edits;
}

/** Commands that see whether the file is there, because bash makes it before they run. */
const SEES_FILES = /\b(?:ls|find|fd|tree|du|stat|test|rg|ag|git|file|dir|grep\s+-\w*[rR]\w*)\b|\[/;
/** Commands that print something, or do not fail: tee keeps a file from being emptied by a command that failed. */
const PRINTS = /^\s*(?:echo|printf|pwd|date|seq|:|true|cat\s+<<-?\s*\S+)(?:\s|$)/;
/** Commands and words that change the shell they run in. */
const CHANGES_SHELL =
  /\b(?:read|cd|export|unset|local|declare|typeset|readonly|mapfile|readarray|getopts|exit|return|break|continue|shift|set|shopt|eval|exec|let|source|for|printf\s+-v|alias|pushd|popd)\b|[A-Za-z_]\w*\+?=|\(\(|:?=\}|^\s*["']?\$|^\s*\.\s/;

/** What is not the same where a pipe into tee takes the place of a redirection. */
function lostByTee(line: string, { span, readings }: RedirectedCommand, file: string): string | undefined {
  const files = readings.filter(({ target, operator }) => target !== undefined && target !== NULL_DEVICE && !operator.startsWith("<"));
  const toFile = files.findIndex(({ target, operator }) => !(operator === ">&" && /^[12]$/.test(target as string)));
  const joinedAt = files.findIndex(({ target, operator }) => operator === ">&" && /^[12]$/.test(target as string));
  if (files.some(({ descriptor, target }) => descriptor === 2 && !/^[12]$/.test(target as string)) && !isDiscarded(readings))
    return "both outputs go into the file";
  if (joinedAt >= 0 && joinedAt < toFile) return "both outputs go into the file";
  const own = withoutReadings(line, { span, readings });
  const bare = file.replace(/^["']|["']$|^\.\//g, "");
  if (own.includes(bare) || readings.some(({ operator, targetSource }) => operator === "<" && targetSource.includes(bare)))
    return "bash would empty the file before it is read";
  if (/[/$`]/.test(file) && !/^\.\/[^/$`]*$/.test(file)) return "a directory that is not there is made";
  if (SEES_FILES.test(own)) return "the file is made last, so it is not seen";
  const appends = readings.some(({ operator }) => operator.endsWith(">>"));
  return !appends && own.trim() !== "" && !PRINTS.test(own)
    ? "an existing file stays where the command fails and prints nothing"
    : undefined;
}

/** What is not the same because a command of a pipeline runs in a subshell. */
function lostInSubshell(line: string, command: RedirectedCommand): string | undefined {
  const rest = line.slice(command.span.end).trim();
  const calls = /\(\)|\bfunction\b/.test(line);
  const changes = calls || CHANGES_SHELL.test(withoutReadings(line, command));
  return rest !== "" && changes ? "what the command sets, its cd and its exit are gone after it" : undefined;
}

/** The text of the command without its redirections. */
const withoutReadings = (line: string, { span, readings }: Pick<RedirectedCommand, "span" | "readings">): string =>
  readings.reduce((text, reading) => text.replace(line.slice(reading.span.start, reading.span.end), ""), line.slice(span.start, span.end));

const isDiscarded = (readings: readonly RedirectReading[]): boolean =>
  readings[0]?.target === NULL_DEVICE && readings.some((reading) => writesStdout(reading));

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
