/** Result of a call → answer to `tools/call`: text as a terminal would show it, and the same facts as data. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { NewCursor } from "../exec/call-cursors.ts";
import type { ExitStatus } from "../builtin/definition.ts";
import {
  MOST_REPORTS,
  type Completed,
  type Faulted,
  type Refused,
  type RunReport,
  type StageReport,
  type Stopped,
} from "../exec/result.ts";
import { OUTPUT_UNTIL_THEN, renderAnswer, renderRefusal, suggestedOnce, wireError } from "../guard/render.ts";
import type { Violation } from "../guard/violation.ts";
import type { CapturedOutput, ShellAnswer, ShellRequest } from "./shell-service.ts";
import { nextPage, pageAfter, pageOf, shownLinesOf, type NextPage, type ShownPage } from "./next-page.ts";
import { showErrors } from "./shown-errors.ts";
import { count } from "./shown-lines.ts";
import { showOutput, type ShownOutput } from "./shown-output.ts";
import { errorAnswer, outputData, runMeta, shownAssessment, text, type ErrorData, type Truncation } from "./answer-data.ts";
import { showName } from "../display/visible.ts";
import type { ShownText } from "./shown-text.ts";
import { stopViolation } from "./stop-violation.ts";
import { writeLines } from "./write-lines.ts";

export interface AnswerOptions {
  /** Shows control and invisible characters as they are. */
  readonly rawOutput: boolean;
  /** Gives the whole answer as data too. */
  readonly structured?: boolean;
  /** Most characters of standard output in one answer. */
  readonly maxOutputCharacters: number;
  /** Commands that the configuration has. Default: all. */
  readonly commandNames?: readonly string[];
}

/** Addresses of kept outputs: this and their id. */
export const OUTPUT_URI = "shelpa://output/";

export const DEFAULT_MAX_OUTPUT_CHARACTERS = 30_000;

/** The result of `tools/call`. A non-zero exit status is an answer; only refusals, limits and faults are errors. */
export function answerCall(request: ShellRequest, answer: ShellAnswer, options: AnswerOptions): CallToolResult {
  const { result } = answer;
  switch (result.kind) {
    case "completed":
      return completed(request, answer, result, options);
    case "refused":
      return refused(request, result, options);
    case "stopped":
      return ended(request, answer, result, stopViolation(request, result), options);
    case "faulted":
      return ended(request, answer, result, faultViolation(result.faultId), options);
  }
}

/** The answer to a call that ended in an exception of ours. */
export function answerFault(request: ShellRequest, faultId: string, structured?: boolean): CallToolResult {
  const violation = faultViolation(faultId);
  return errorAnswer([renderAnswer(request.command, violation)], withFaultId(wireError(request.command, violation), faultId), structured);
}

function completed(request: ShellRequest, answer: ShellAnswer, result: Completed, options: AnswerOptions): CallToolResult {
  const shaped = shape(request, answer, options);
  const output = { ...shaped, notes: [...shaped.notes, ...approvalNotes(result)] };
  const notices = noticesOf(request, answer, result, output, options);
  const printed = terminalText(answer, result, output);
  return {
    content: [printed, notices].flatMap((block) => (block === "" ? [] : [text(block)])),
    ...(options.structured === true
      ? { structuredContent: { ...shownAssessment(result.assessment), ...outputData(answer.cwd, result, output), exit_code: result.exit } }
      : {}),
    _meta: { exit_code: result.exit, ...runMeta(result, output.truncated) },
  };
}

function refused(request: ShellRequest, { violations }: Refused, { structured }: AnswerOptions): CallToolResult {
  const [first, ...others] = suggestedOnce(violations, 0);
  const data = {
    ...wireError(request.command, first as Violation),
    ...(others.length > 0 && { others: others.map((violation) => wireError(request.command, violation).error) }),
  };
  return errorAnswer([renderRefusal(request.command, saidOnce(violations))], data, structured);
}

/** The violations without a first sentence that one before them has. */
function saidOnce(violations: readonly Violation[]): readonly Violation[] {
  const said = new Set<string>();
  return violations.map((violation) => {
    const { reason, detail } = violation;
    const end = detail.indexOf(". ") + 2;
    const sentence = `${reason} ${detail.slice(0, end)}`;
    const isSaid = end > 1 && said.has(sentence);
    said.add(sentence);
    return { ...violation, detail: isSaid ? detail.slice(end) : detail };
  });
}

/** Stopped or faulted: the reason first, then what had been printed. */
function ended(
  request: ShellRequest,
  answer: ShellAnswer,
  result: Stopped | Faulted,
  violation: Violation,
  options: AnswerOptions,
): CallToolResult {
  const output = shape(request, answer, options);
  const printed = joinLines(output.stdout.text, output.stderr.text);
  const notices = noticesOf(request, answer, result, output, options);
  const wire = wireError(request.command, violation);
  const error = result.kind === "faulted" ? withFaultId(wire, result.faultId) : wire;
  const texts = [
    renderAnswer(request.command, violation),
    ...(printed === "" ? [] : [`${OUTPUT_UNTIL_THEN}\n${printed}`]),
    ...(notices === "" ? [] : [notices]),
  ];
  const ending = errorAnswer(texts, { ...error, ...outputData(answer.cwd, result, output) }, options.structured);
  return { ...ending, _meta: { ...ending._meta, ...runMeta(result, output.truncated) } };
}

/** Lines of ours, in a block of their own: data cannot begin a line so (src/display/visible.ts). "" where there is nothing to say. */
function noticesOf(
  request: ShellRequest,
  answer: ShellAnswer,
  { receipts, cursors = [] }: RunReport,
  { notices, notes }: Pick<ShapedOutput, "notices" | "notes">,
  options: AnswerOptions,
): string {
  const tagged = (lines: readonly string[]): readonly string[] => lines.map((line) => `[shelpa] ${showName(line)}`);
  return [
    ...tagged([...notices, ...cursorLines(request, answer, cursors)]),
    ...writeLines(receipts, offers(options, "undo")),
    ...tagged(notes),
  ].join("\n");
}

const offers = ({ commandNames }: AnswerOptions, command: string): boolean => commandNames?.includes(command) !== false;

interface ShapedOutput {
  readonly stdout: ShownOutput;
  readonly stderr: { readonly text: string };
  readonly truncated: Truncation | null;
  /** Lines about a cut, for the text block. */
  readonly notices: readonly string[];
  readonly notes: readonly string[];
}

function shape(request: ShellRequest, answer: ShellAnswer, options: AnswerOptions): ShapedOutput {
  const { stdout: out, stderr: err, result } = answer;
  const shownIn = options.rawOutput ? "raw" : result.kind === "completed" ? "output" : "error";
  const stages = result.kind === "refused" ? [] : result.stages;
  const page = answer.pagedLines === undefined ? undefined : pageOf(request, answer.pagedLines);
  const stdout = showOutput(out.bytes, {
    ...out,
    maxCharacters: options.maxOutputCharacters,
    shownIn,
    tells: page === undefined ? tellingPart(request, answer, stages) : page.direction === "on" ? "start" : "end",
  });
  const stderr = { text: showErrors(err, shownIn) };
  const isCut = stdout.bytes < out.totalBytes || stdout.longLines > 0;
  const isChanged = stdout.escapedCharacters + stdout.invalidBytes > 0;
  const resource = answer.output !== undefined && isCut ? OUTPUT_URI + answer.output.id : undefined;
  const notes = [...answer.notes, ...unsetNotes(answer), ...(isChanged ? escapeNotes(stdout, answer.output?.number) : [])].map(showName);
  const offered = (command: string): boolean => offers(options, command);
  const lines = page && shownLinesOf(page, out, stdout);
  const mayFollow = page?.direction === "back" ? offered("head") && offered("tail") : offered("sed");
  const following = page && lines !== undefined && mayFollow ? pageAfter(page, lines) : undefined;
  if (!isCut || resource === undefined) return { stdout, stderr, ...pageShape(page, lines, following, out, stdout), notes };
  const next = following ?? nextPage(request, answer, stdout, offered);
  const truncated = {
    shown_lines: stdout.startLines + stdout.endLines,
    total_lines: out.totalLines,
    shown_bytes: stdout.bytes,
    total_bytes: out.totalBytes,
    next: next?.command ?? null,
    resource,
  };
  return { stdout, stderr, truncated, notices: cutNotices(stdout, out, next), notes };
}

/** The part that says most: where errors are among the output of a line that has failed, its end as well. */
function tellingPart({ command }: ShellRequest, { result }: ShellAnswer, stages: RunReport["stages"]): "start" | "end" | undefined {
  const told = stages.findLast(({ tells }) => tells !== undefined)?.tells;
  const hasErrors = result.kind === "completed" && result.exit !== 0 && /2>&1|\|&/.test(command);
  return told === "start" && hasErrors ? undefined : told;
}

/** A page of a kept output is whole, and yet not all. */
function pageShape(
  page: ShownPage | undefined,
  lines: { readonly from: number; readonly to: number } | undefined,
  next: NextPage | undefined,
  { totalBytes }: CapturedOutput,
  { startLines, endLines, bytes: shown_bytes }: ShownOutput,
): Pick<ShapedOutput, "truncated" | "notices"> {
  if (page === undefined || lines === undefined) return { truncated: null, notices: [] };
  const { total: total_lines } = page.lines;
  return {
    truncated: {
      shown_lines: startLines + endLines,
      total_lines,
      shown_bytes,
      total_bytes: totalBytes,
      next: next?.command ?? null,
      resource: null,
    },
    notices: [`lines ${lines.from}-${lines.to} of ${total_lines}`, ...(next === undefined ? [] : [nextLine(next)])],
  };
}

function cutNotices(shown: ShownOutput, { totalBytes, totalLines, bytes }: CapturedOutput, next: NextPage | undefined): string[] {
  return [
    `shown: ${shownPart(shown, totalLines)} (${shown.bytes} of ${totalBytes} bytes)`,
    ...(shown.longLines === 0 ? [] : [`of ${shown.longLines} long lines only the start is shown`]),
    ...(next === undefined ? [] : [nextLine(next)]),
    ...(bytes.length < totalBytes ? [`kept: the first ${bytes.length} bytes`] : []),
  ];
}

/** Notes on writes that a human would have had to allow, had the configuration not allowed them in advance. */
function approvalNotes({ receipts, preApproved = [] }: Completed): string[] {
  const paths = [...preApproved, ...receipts.flatMap(({ path, permittedBy }) => (permittedBy === "configuration" ? [path] : []))];
  return [...new Set(paths)].map((path) => `pre-approved by the configuration (approval.pre_approved): ${showName(path)}`);
}

function nextLine({ command, with: given }: NextPage): string {
  const same = given.join(", ");
  return `next${same === "" ? "" : ` (with the same ${same})`}: ${command}`;
}

function shownPart({ startLines, endLines, insideLine, binary }: ShownOutput, totalLines: number): string {
  if (binary !== undefined) return `none of the ${binary}`;
  if (insideLine) return `the start of line 1 of ${totalLines}`;
  const start = startLines === 0 ? [] : [`1-${startLines}`];
  const end = endLines === 0 ? [] : [`${totalLines - endLines + 1}-${totalLines}`];
  return `lines ${[...start, ...end].join(" and ")} of ${totalLines}`;
}

/** A variable of an earlier call, or of the host, is the likeliest reason for an empty one. */
function unsetNotes({ result }: ShellAnswer): string[] {
  if (result.kind === "refused" || result.unsetVariables.length === 0) return [];
  const names = result.unsetVariables.map((name) => `$${name}`).join(", ");
  const positional = result.unsetVariables.every((name) => /^\d/.test(name));
  const why = positional
    ? "a line has no arguments; in double quotes the shell expands what awk or sed should see, so use single quotes"
    : "a variable lasts for one call, and the environment of the host is not seen here";
  return [`not set, and so empty: ${names} (${why})`];
}

/** `output`: the number by which a later call can name it. */
function escapeNotes(shown: Pick<ShownText, "escapedCharacters" | "invalidBytes">, output: number | undefined): string[] {
  const bytes = output === undefined ? "" : ` (their bytes: @out ${output} | xxd)`;
  const notes: string[] = [];
  if (shown.escapedCharacters > 0) {
    notes.push(`invisible or control characters are shown as \\u{…}: ${shown.escapedCharacters}${bytes}`);
  }
  if (shown.invalidBytes > 0) notes.push(`bytes that are not UTF-8 are shown as \\xNN: ${shown.invalidBytes}${bytes}`);
  return notes;
}

/** Standard output, then standard error, then the exit status where it is not 0; "" for a line that only wrote. */
function terminalText(answer: ShellAnswer, { exit, stages, receipts }: Completed, { stdout, stderr }: ShapedOutput): string {
  const { cwd, stdout: out } = answer;
  const binary = stdout.binary === undefined ? "" : `[shelpa: ${stdout.binary}, ${count(out.totalBytes)} bytes, not shown]\n`;
  const printed = joinLines(binary + stdout.text, stderr.text);
  if (printed !== "") return exit === 0 ? printed : joinLines(printed, `[exit ${exit}]`);
  const moved = cwd === "" ? "" : `, cwd ${showName(cwd)}`;
  // The changes say that it has run.
  if (exit === 0 && answer.cwd === answer.startedIn && receipts.length > 0) return "";
  const why = reasonOfSilence(stages, exit);
  if (why === undefined) return `(no output, exit ${exit}${moved})`;
  // The one command there is needs no name.
  return `[exit ${exit}: ${stages.length === 1 ? why.slice(why.indexOf(" ") + 1) : why}${moved}]`;
}

/**
 * The meaning of an output that is empty. It is that of the pipeline which ran last, where that has decided the status; else of a
 * command all of whose runs had the same one. Undefined where neither tells it.
 */
function reasonOfSilence(stages: readonly StageReport[], exit: ExitStatus): string | undefined {
  if (stages.length >= MOST_REPORTS) return undefined;
  const last = stages.slice(
    Math.max(
      0,
      stages.findLastIndex(({ startsPipeline }) => startsPipeline === true),
    ),
  );
  const decided = last.at(-1)?.exit === exit ? last.find(({ silence }) => silence !== undefined)?.silence : undefined;
  if (decided !== undefined) return decided;
  const reason = stages.find(({ silence }) => silence !== undefined)?.silence;
  const [name = ""] = reason?.split(" ") ?? [];
  return stages.every(({ command, silence }) => silence === reason || !command.includes(name)) ? reason : undefined;
}

function joinLines(first: string, second: string): string {
  if (first === "" || second === "" || first.endsWith("\n")) return first + second;
  return `${first}\n${second}`;
}

/**
 * The command that reads on from each cursor. It is the line itself with the new cursor put in, where the line has one
 * `--since` and the next call starts in the same directory.
 */
function cursorLines({ command, cwd }: ShellRequest, answer: ShellAnswer, cursors: readonly NewCursor[]): string[] {
  const [first, ...others] = cursors;
  const places = [...command.matchAll(/--since(?:=|[ \t]+)(?:new|[0-9a-z]+\.\d+)(?![^\s|;&)])/g)];
  const [place] = places;
  const moved = cwd === undefined && answer.cwd !== answer.startedIn;
  if (first === undefined) return [];
  if (place === undefined || places.length > 1 || others.length > 0 || moved) {
    return cursors.map(cursorLine);
  }
  const after = `${command.slice(0, place.index)}--since ${first.cursor}${command.slice(place.index + place[0].length)}`;
  // A line with characters that are shown as escapes cannot be run as it is shown.
  return showName(after) === after ? [`what comes after: ${after}`] : [cursorLine(first)];
}

const cursorLine = ({ cursor, files }: NewCursor): string => `cursor of ${files.map(({ path }) => showName(path)).join(", ")}: ${cursor}`;

const faultViolation = (faultId: string): Violation => ({
  code: "FAULT",
  reason: "FAULT",
  detail: `a fault of this server, not of your command (fault ${faultId}); its log says more`,
  suggestion: undefined,
  position: undefined,
});

function withFaultId({ error }: ErrorData, faultId: string): ErrorData {
  return { error: { ...error, fault_id: faultId } };
}
