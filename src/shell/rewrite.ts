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
  /** What it may lack, by the files that there are. */
  readonly open?: readonly OpenLoss[];
  /** Of a tee at the end of a command: the start of the command, and whether that may fail. */
  readonly command?: { readonly start: number; readonly mayFail: boolean };
}

/** What a line that writes by tee lacks, as a clause, unless it is shown by a look at the files (guard/tee-proof.ts). */
export interface OpenLoss {
  readonly lost: string;
  readonly unless: TeeProof;
}

/**
 * "fresh": there is no such file yet; "directory": its directory is there; "unseen": the commands of the pipeline do not see the
 * file; "unread": they do not read what it held; "unmissed": they do not open it as a new file; "inputs": the files are there that are their input.
 */
export type TeeProof = "fresh" | "directory" | "unseen" | "unread" | "unmissed" | "inputs";

/** A whole line in place of a refused one. */
export interface Rewrite {
  readonly line: string;
  /** What it lacks of the refused one, as clauses; undefined: nothing. */
  readonly lost: string | undefined;
  readonly open?: readonly OpenLoss[];
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

/** Commands that never fail. */
const NEVER_FAILS = /^\s*(?:(?:echo|:)\b[^;&|\n$`(]*|printf\s+'[^'%]*'\s*|\s*)$/;
/** Commands that read standard input alone, and do not fail. */
const FILTERS = new RegExp(
  `^\\s*(?:${[
    "sort(?: -[bdfghinrsuV]+| -t\\S| -k[\\d,]+)*",
    "uniq(?: -[cdiu]+)*",
    "wc(?: -[clmwL]+)*",
    "(?:nl|tac|cat -[nAbs]+|cat)",
    "(?:head|tail)(?: -\\d+| -[nc] ?\\d+)?",
    "cut(?: -d ?\\S| -d'.'| -[fcb] ?[\\d,-]+)*",
    "column(?: -t| -s\\S)*",
    `tr(?: -[cds]+)?(?: ${"'[^'\\\\]+'"}| \\S+){1,2}`,
  ].join("|")})\\s*$`.replaceAll(" ", "[ \\t]+"),
);
const neverFails = (text: string, isPipedInto: boolean): boolean => NEVER_FAILS.test(text) || (isPipedInto && FILTERS.test(text));

/** False for a command that pipes on, where nothing asks for its status. */
const statusCounts = (line: string, { end }: Span): boolean =>
  !/^[ \t]*\|(?!\|)/.test(line.slice(end)) || /pipefail|PIPESTATUS|\bset[ \t]/.test(line);

/** The pipe of a pipeline, and no part of `||` or `>|`. */
const PIPE = /(?<![|>])\|(?!\|)/;

/** True if the status of a pipeline in the text of a command may count. */
const asksInPipes = (text: string): boolean =>
  PIPE.test(text) && (COMPOUND.test(text) || /\|\||&&|\$\?|\b(?:if|while|until|set)\b|!/.test(text));

/**
 * `line` with the edits made. A command keeps its status before the tee: by pipefail for the whole line, or where other pipelines
 * would keep theirs with it, for the command alone.
 */
export function rewritten(line: string, edits: readonly Edit[]): Rewrite | undefined {
  const failing = edits.flatMap(({ command, end }) => (command?.mayFail === true ? [{ ...command, end }] : []));
  const isWhole = failing.length > 0 && !PIPE.test(line);
  const wrapping = isWhole
    ? []
    : failing.flatMap(({ start, end }) => [
        { start, end: start, text: "(set -o pipefail; " },
        { start: end, end, text: ")" },
      ]);
  const out = applyEdits(line, [...wrapping.filter(({ text }) => text !== ")"), ...edits, ...wrapping.filter(({ text }) => text === ")")]);
  if (out === undefined) return undefined;
  const open = edits.flatMap((edit) => edit.open ?? []);
  const lost = edits.flatMap((edit) => edit.lost ?? []);
  if (failing.some(({ start, end }) => asksInPipes(line.slice(start, end)))) lost.push("pipefail holds in it, too");
  return {
    line: isWhole ? `set -o pipefail; ${out}` : out,
    lost: clauses(lost),
    ...(open.length === 0 ? {} : { open }),
  };
}

/** Each clause once; undefined where there is none. */
const clauses = (all: readonly string[]): string | undefined => (all.length === 0 ? undefined : [...new Set(all)].join("; "));

export interface RedirectedCommand {
  readonly span: Span;
  /** Redirections to and from files and descriptors, in order; here-documents and here-strings are left out. */
  readonly readings: readonly RedirectReading[];
  /** No words at all: `> f`. */
  readonly bare: boolean;
}

interface RedirectedFile {
  /** As it was typed. */
  readonly name: string;
  readonly append: boolean;
}

/** The edits for one command with at least one refused redirection; undefined where syntax cannot tell. */
export function redirectEdits(line: string, command: RedirectedCommand): readonly Edit[] | undefined {
  const edits: Edit[] = [];
  const files: RedirectedFile[] = [];
  const inputs: string[] = [];
  const stdoutGoes = command.readings.filter((reading) => writesStdout(reading));
  // Where one output is kept, no pipe can take the place of the other.
  if (command.readings.some(isKept)) return undefined;
  // A trap would run in the pipe, and the statuses of a pipeline are others.
  if (/\btrap\b/.test(line.slice(command.span.start, command.span.end)) || line.includes("PIPESTATUS")) return undefined;
  // The directory is another behind it, for tee as well.
  if (NAVIGATES.test(withoutReadings(line, command))) return undefined;
  const overridden = stdoutGoes.slice(0, -1).filter(({ target }) => target === NULL_DEVICE);
  const joinsOutputs = command.readings.some(({ operator }) => operator === ">&" || operator.startsWith("&"));
  if (overridden.length > 0 && joinsOutputs) return undefined;
  if (stdoutGoes.slice(0, -1).some(({ operator, target }) => operator === ">&" && /^\d/.test(target ?? ""))) return undefined;
  for (const reading of command.readings) {
    const { operator, target, targetSource } = reading;
    const from = reading.descriptor ?? (operator.startsWith("<") ? 0 : 1);
    const replace = (text: string): void => void edits.push({ ...reading.span, text });
    const drop = (): void => void edits.push({ ...withBlanks(line, reading.span, command.span), text: "" });
    if (target === undefined || from > 2) return undefined;
    if (operator === "<") continue;
    if (operator === "<>" || operator === "<&") {
      if (from !== 0 || (operator === "<&" && target !== "-")) return undefined;
      if (operator === "<&") edits.push({ ...reading.span, text: `<${NULL_DEVICE}`, lost: "to read from a closed input is an error" });
      else if (target === "/dev/stdin") drop();
      else if (target.startsWith("/dev/")) return undefined;
      else {
        inputs.push(targetSource);
        drop();
      }
      continue;
    }
    if (overridden.includes(reading)) {
      drop();
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
    const byTee = lostByTee(line, command);
    // All of it goes into the file, and nothing down the pipe.
    if (byTee === BOTH_INTO_FILE && isPipedOn(line, command.span)) return undefined;
    const lost = [lostInSubshell(line, command), byTee].filter((each) => each !== undefined).join("; ");
    const own = withoutReadings(line, command);
    edits.push({
      start: command.span.end,
      end: command.span.end,
      text: ` | tee ${file.append ? "-a " : ""}${asOperand(file.name)} >${NULL_DEVICE}`,
      ...(lost === "" ? {} : { lost }),
      open: openLosses(line, own, command, file),
      command: {
        start: command.span.start,
        mayFail: statusCounts(line, command.span) && !neverFails(own, isPipedInto(line, command.span)),
      },
    });
  }
  return edits;
}

/** Commands that look at no directory, and at no file but those they are given. bash makes its file before any command runs. */
export const LOOK_AT_NO_DIRECTORY: ReadonlySet<string> = new Set(
  [
    ": awk base64 basename cat cmp column comm csplit cut date dirname echo egrep expand expr factor false fgrep fmt fold gawk head",
    "hexdump iconv join jq mawk md5sum nl nproc numfmt od paste pr printf pwd rev sed seq sha1sum sha224sum sha256sum sha384sum",
    "sha512sum shuf sort sum tac tail tr true tsort unexpand uniq wc xxd yes",
    // Of the shell itself.
    "break continue let local read shift",
  ].flatMap((names) => names.split(" ")),
);
const FIRST_WORD = /^\s*([A-Za-z][\w.+-]*|:)(?=\s|$)/;
/** True unless each command of a pipeline is plainly one of those. */
const maySeeFiles = (pipeline: string): boolean =>
  !pipeline.split("|").every((command) => LOOK_AT_NO_DIRECTORY.has(FIRST_WORD.exec(command)?.[1] ?? ""));

/** Commands that print something, or do not fail: tee keeps a file from being emptied by a command that failed. */
const PRINTS = /^\s*(?:echo|printf|pwd|date|seq|:|true|cat\s+<<-?\s*\S+)(?:\s|$)/;
const NAVIGATES = /^\s*(?:(?:command|builtin)\s+)?(?:cd|pushd|popd)(?:\s|$)/;
/** Commands and words that change the shell they run in. */
const CHANGES_SHELL =
  /\b(?:read|cd|export|unset|local|declare|typeset|readonly|mapfile|readarray|getopts|exit|return|break|continue|shift|set|shopt|eval|exec|let|source|for|printf\s+-v|alias|pushd|popd)\b|[A-Za-z_]\w*\+?=|\(\(|:?=\}|^\s*["']?\$|^\s*\.\s/;

/** Expansions that set nothing, and do not fail: of a name, its length, parts and replacements by plain words. */
const PLAIN_EXPANSION =
  /^\$\{(?:#?(?:\w+|[@*#?!$-])(?:\[[\w@*]+\])?\}|[\w@*]+(?:\[[\w@*]+\])?(?::?[-+]|[#%/^,]|@[A-Z]|:\s*-?\d+(?::-?\d+)?\}))/;
const ARITHMETIC_THAT_ACTS = /\$(?:\(\(|\[)[^)\]]*(?:\+\+|--|[^=!<>]=(?!=)|[/%]|\$\(|`)/;
/** True if an expansion in the command may set a variable, tells of the process, or may fail, which ends a line in bash and a part of a pipe here. */
const expansionsAct = (own: string): boolean =>
  /BASHPID|BASH_SUBSHELL/.test(own) ||
  ARITHMETIC_THAT_ACTS.test(own) ||
  [...own.matchAll(/\$\{/g)].some(({ index }) => !PLAIN_EXPANSION.test(own.slice(index)));

/** What is not the same where a pipe into tee takes the place of a redirection. */
function lostByTee(line: string, { span, readings }: RedirectedCommand): string | undefined {
  const files = readings.filter(({ target, operator }) => target !== undefined && target !== NULL_DEVICE && !operator.startsWith("<"));
  const toFile = files.findIndex(({ target, operator }) => !(operator === ">&" && /^[12]$/.test(target as string)));
  const joinedAt = files.findIndex(({ target, operator }) => operator === ">&" && /^[12]$/.test(target as string));
  if (files.some(({ descriptor, target }) => descriptor === 2 && !/^[12]$/.test(target as string)) && !isDiscarded(readings))
    return BOTH_INTO_FILE;
  if (joinedAt >= 0 && joinedAt < toFile) return BOTH_INTO_FILE;
  const own = withoutReadings(line, { span, readings });
  if (expansionsAct(own)) return "its expansions are those of a part of a pipe";
  return COMPOUND.test(own) && /[*?[]/.test(own) ? MADE_LAST : undefined;
}

const MADE_LAST = "the file is made last, so it is not seen";
const BOTH_INTO_FILE = "both outputs go into the file";

/** What is not the same where a command reads the file. */
function lostByReader(pipeline: string, own: string, { name, append }: RedirectedFile): string {
  const [base = ""] = /[^/]*$/.exec(name.replace(/["'\\]/g, "")) ?? [];
  const isNamed = pipeline
    .replace(/["'\\]/g, "")
    .split(/[\s/;|&<>(){}=]/)
    .includes(base);
  const wary = isNamed ? WARY.exec(own)?.[1] : undefined;
  const refusal = wary === undefined ? "" : `${wary} refuses a file that is its output, too`;
  if (append) return refusal === "" ? "the command may read what tee has written" : refusal;
  return `bash would empty the file before it is read${refusal === "" ? "" : `, and ${refusal}`}${isNamed ? "" : ", if it is"}`;
}

/** Commands that refuse to read the file that they write. */
const WARY = /(?:^|[;&{]|\b(?:do|then|else)\b)\s*(cat|[ef]?grep)\s[^|]*$/;
/** A redirection of input from a file. */
const READS_A_FILE = /(?<!<)<(?![<(&])/;
/** Commands that read no file and no pattern of names. */
const READS_NOTHING = /^\s*(?:echo|printf|pwd|date|seq|:|true)(?=\s|$)[^`(<*?[{]*$/;

/** What is not the same, unless the files say so. */
function openLosses(line: string, own: string, { span, readings }: RedirectedCommand, file: RedirectedFile): readonly OpenLoss[] {
  const losses: OpenLoss[] = [];
  const behind = isPipedOn(line, span) ? line.slice(span.end) : "";
  const pipeline = `${isPipedInto(line, span) ? line.slice(0, span.start) : ""}${own}${behind}`;
  if (READS_A_FILE.test(line) || !pipeline.split("|").every((command) => READS_NOTHING.test(command)))
    losses.push(
      { lost: lostByReader(READS_A_FILE.test(line) ? line.replace(/>\s*\S+/g, "") : pipeline, own, file), unless: "unread" },
      { lost: MADE_LAST, unless: "unmissed" },
    );
  if (/[/$`]/.test(file.name) && !/^\.\/[^/$`]*$/.test(file.name))
    losses.push({ lost: "a directory that is not there is made", unless: "directory" });
  if (maySeeFiles(pipeline)) losses.push({ lost: MADE_LAST, unless: "unseen" });
  if (readings.some(({ operator }) => operator === "<"))
    losses.push({ lost: "the file is made although the input is missing", unless: "inputs" });
  if (!file.append && own.trim() !== "" && !PRINTS.test(own))
    losses.push({ lost: "an existing file stays where the command fails and prints nothing", unless: "fresh" });
  return losses;
}

/** Commands that hold others: bash makes the file before it expands their patterns. */
const COMPOUND = /^\s*(?:[({]|(?:for|while|until|if|case|select)\b|\[\[)/;

/** True if the command is behind a pipe. */
const isPipedInto = (line: string, { start }: Span): boolean => /(?<![|>])\|&?\s*$/.test(line.slice(0, start));

/** True if something is piped from it, or from what it is in. */
const isPipedOn = (line: string, { end }: Span): boolean => /^[ \t)}]*\|(?!\|)/.test(line.slice(end));

/** What is not the same because a command of a pipeline runs in a subshell. */
function lostInSubshell(line: string, command: RedirectedCommand): string | undefined {
  const rest = line.slice(command.span.end).trim();
  const calls = /\(\)|\bfunction\b/.test(line);
  const own = withoutReadings(line, command);
  const changes = calls || CHANGES_SHELL.test(own.replace(/'[^']*'/g, "''")) || !namesItsCommands(own);
  return rest !== "" && changes ? "what the command sets, its cd and its exit are gone after it" : undefined;
}

/** True if each command in the text is named by a plain word. */
const namesItsCommands = (own: string): boolean =>
  own
    .split(COMPOUND.test(own) ? /[;&|\n{}()]|\b(?:do|then|else|elif|if|while|until|done|fi)\b/ : /$/)
    .every((command) => command.trim() === "" || FIRST_WORD.test(command) || /^\s*\[/.test(command));

/** The text of the command without its redirections. */
function withoutReadings(line: string, { span, readings }: Pick<RedirectedCommand, "span" | "readings">): string {
  const parts: string[] = [];
  let from = span.start;
  for (const { span: reading } of readings) {
    parts.push(line.slice(from, Math.max(from, reading.start)));
    from = Math.max(from, reading.end);
  }
  return parts.join("") + line.slice(from, span.end);
}

const isDiscarded = (readings: readonly RedirectReading[]): boolean =>
  readings[0]?.target === NULL_DEVICE && readings.some((reading) => writesStdout(reading));

const isKept = (reading: RedirectReading): boolean => {
  const lowered = lowerRedirect(reading);
  return lowered.kind === "accepted" && lowered.redirects.some(({ kind }) => kind === "output");
};

function writesStdout({ operator, descriptor }: RedirectReading): boolean {
  return operator.startsWith("&") || (operator.startsWith(">") && (descriptor ?? 1) === 1);
}

/** A word that no command takes for a flag. */
function asOperand(source: string): string {
  if (/^["']?[$`]/.test(source)) return `-- ${source}`;
  return /^["'\\]*-/.test(source) ? `./${source}` : source;
}

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
