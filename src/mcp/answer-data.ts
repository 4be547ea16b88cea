/** An answer's facts as data: what `_meta` has for programs, and with `--structured` all of it. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ChangeSummary, WriteReceipt } from "../builtin/recorder.ts";
import { showName, showText } from "../display/visible.ts";
import type { NewCursor } from "../exec/call-cursors.ts";
import type { Completed, RunReport } from "../exec/result.ts";
import type { Assessment } from "../guard/assessment.ts";

/** An answer that is an error: what people and models read, and the error for programs. */
export function errorAnswer(texts: readonly string[], data: ErrorData, structured = false): CallToolResult {
  const { error, others } = data;
  return {
    isError: true,
    content: texts.map(text),
    ...(structured ? { structuredContent: { ...data } } : {}),
    _meta: { "shelpa/error": error, ...(others === undefined ? {} : { "shelpa/others": others }) },
  };
}

export interface ErrorData {
  readonly error: object;
  /** Further errors of the same line. */
  readonly others?: readonly object[];
}

/** Facts of a run for programs. Clients keep `_meta` from the model, so it may say more than the text. */
export function runMeta(
  { stages, receipts, cursors = [], ...result }: RunReport & Pick<Completed, "assessment">,
  truncated: Truncation | null,
): Record<string, unknown> {
  return {
    ...(stages.length > 1 ? { "shelpa/steps": stepData(stages, truncated) } : {}),
    ...(receipts.length > 0 ? { "shelpa/writes": receipts.map(receiptData) } : {}),
    ...(cursors.length > 0 ? { "shelpa/cursors": cursors.map(cursorData) } : {}),
    ...(truncated === null ? {} : { "shelpa/truncated": truncated }),
    ...(result.assessment === undefined ? {} : { "shelpa/assessment": shownAssessment(result.assessment) }),
  };
}

const stepData = (stages: RunReport["stages"], truncated: Truncation | null): readonly object[] =>
  stages.map((stage, index) => ({
    command: showName(stage.command),
    output_size: stage.outputBytes,
    truncated: truncated !== null && index === stages.length - 1,
    execution_time_ms: Math.round(stage.elapsedMs),
    exit_code: stage.exit,
  }));

export interface Truncation {
  readonly shown_lines: number;
  readonly total_lines: number;
  readonly shown_bytes: number;
  readonly total_bytes: number;
  /** A command line that shows what follows; null where the line cannot be run again as it is. */
  readonly next: string | null;
  /** The whole output; null for a page of one that is kept. */
  readonly resource: string | null;
}

/** The parts of an output as they are shown. */
interface ShownData {
  readonly stdout: { readonly text: string };
  readonly stderr: { readonly text: string };
  readonly truncated: Truncation | null;
  readonly notes: readonly string[];
}

export function outputData(
  cwd: string,
  { stages, receipts, cursors = [] }: RunReport,
  { stdout, stderr, truncated, notes }: ShownData,
): Record<string, unknown> {
  return {
    stdout: stdout.text,
    meta: {
      steps: stepData(stages, truncated),
      tee: receipts.length === 0 ? null : receiptData(receipts[0] as WriteReceipt),
      ...(receipts.length > 1 && { writes: receipts.map(receiptData) }),
      ...(cursors.length > 0 && { cursors: cursors.map(cursorData) }),
    },
    stderr: stderr.text,
    cwd: showName(cwd),
    truncated,
    notes: [...notes],
  };
}

const cursorData = ({ cursor, files }: NewCursor): Record<string, unknown> => ({
  cursor,
  files: files.map(({ path, position }) => ({ path: showName(path), position })),
});

const receiptData = (receipt: WriteReceipt): Record<string, unknown> => ({
  path: showName(receipt.path),
  mirror: showName(receipt.mirror),
  mode: receipt.mode,
  bytes: receipt.bytes,
  record_id: receipt.recordId,
  created: receipt.created,
  ...(receipt.directories === undefined ? {} : { directories: receipt.directories }),
  previous: receipt.previous,
  ...(receipt.mode === "remove" ? { removed: true } : {}),
  ...(receipt.change === undefined ? {} : { change: changeData(receipt.change) }),
});

const changeData = ({ added, removed, diff, more }: ChangeSummary): Record<string, unknown> => ({
  added,
  removed,
  ...(diff.length === 0 ? {} : { diff: diff.map((line) => showText(line)).join("\n") }),
  ...(more === 0 ? {} : { more }),
});

/** An assessment whose names, and parts of the line, are spelled out. What could not be copied then is left out of its lines. */
export function shownAssessment(assessment: Assessment | undefined): Assessment | undefined {
  if (assessment === undefined) return undefined;
  const { denial_reason, blast_radius_detail, matched_rules, alternatives, context, stages } = assessment;
  return {
    ...assessment,
    denial_reason: denial_reason && showName(denial_reason),
    blast_radius_detail: showName(blast_radius_detail),
    matched_rules: matched_rules.map((rule) => ({ ...rule, blast_radius_detail: showName(rule.blast_radius_detail) })),
    alternatives: alternatives.filter(({ command }) => showText(command) === command),
    context: { ...context, labels: context.labels.map(showName) },
    stages: stages.map((stage) => ({
      ...stage,
      command: showName(stage.command),
      reads: stage.reads.map(showName),
      lists: stage.lists.map(showName),
      unknown: stage.unknown.map(showName),
      writes: stage.writes.map((write) => ({ ...write, path: showName(write.path) })),
    })),
  };
}

export const text = (content: string): { type: "text"; text: string } => ({ type: "text", text: content });
