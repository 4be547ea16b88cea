/** Records and findings as a terminal shows them. */
import type { Verification } from "../../audit/verify.ts";
import { changeOf, type WriteRecord } from "../../audit/write-records.ts";
import { shortName, showName } from "../../display/visible.ts";
import { approvalOf, authorOf } from "./who.ts";

const MOST_COMMAND_CHARACTERS = 80;
const MOST_AUTHOR_CHARACTERS = 40;

/** One line a record, under a heading; "no writes" without any. */
export function recordTable(records: readonly WriteRecord[]): string {
  if (records.length === 0) return "no writes\n";
  const rows = records.map((record) => [
    showName(record.ts),
    record.id,
    changeOf(record),
    // Of a removal, what went; of what has no bytes (a directory), nothing.
    record.after === null ? (record.before === null ? "-" : `-${record.before.bytes}`) : String(record.after.bytes),
    shortName(authorOf(record), MOST_AUTHOR_CHARACTERS),
    record.permittedBy ?? "-",
    showName(record.path),
    shortName(record.command, MOST_COMMAND_CHARACTERS),
  ]);
  return table([["TIME", "RECORD", "CHANGE", "BYTES", "WHO", "APPROVED", "FILE", "COMMAND"], ...rows], 3);
}

/** Every fact of one record, a line each. */
export function recordText(record: WriteRecord): string {
  const size = (digest: WriteRecord["before"]): string => (digest === null ? "no file" : `${digest.bytes} bytes, sha256 ${digest.sha256}`);
  const facts: readonly (readonly [string, string])[] = [
    ["record", record.id],
    ["time", record.ts],
    ["file", record.path],
    ["change", changeOf(record)],
    ["written", `${record.content.bytes} bytes`],
    ["before", `${size(record.before)}${record.previous === null ? "" : ` (record ${record.previous})`}`],
    ["after", size(record.after)],
    ["mirror", record.mirror],
    ["command", record.command],
    ...(record.ran === null ? [] : [["ran", record.ran] as const]),
    ["session", record.session],
    ["client", record.client],
    ...(record.clientName === null && record.token === null && record.subject === null ? [] : [["who", authorOf(record)] as const]),
    ...(record.requestId === null ? [] : [["request", record.requestId] as const]),
    ...(record.permittedBy === null ? [] : [["allowed by", approvalOf(record)] as const]),
    ...(record.transaction === record.id ? [] : [["transaction", record.transaction] as const]),
  ];
  return facts.map(([name, value]) => `${name.padEnd(12)}${showName(value)}\n`).join("");
}

/** The findings, worst first, and a last line that sums up. */
export function verificationText({ records, files, findings }: Verification): string {
  const lines = findings
    .toSorted((a, b) => Number(a.severity === "warn") - Number(b.severity === "warn"))
    .map(({ severity, code, path, recordId, detail }) => {
      const about = [path === "" ? "" : showName(path), recordId === null ? "" : `record ${recordId}`]
        .filter((part) => part !== "")
        .join(", ");
      return `${severity}  ${code}${about === "" ? "" : `  ${about}`}: ${showName(detail)}\n`;
    });
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return `${lines.join("")}${records} records of ${files} files: ${errors} errors, ${findings.length - errors} warnings\n`;
}

/** Columns set under one another by two blanks; the column `right` is set to the right. The last is as long as it is. */
function table(rows: readonly (readonly string[])[], right: number): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => {
      const cells = row.map((cell, column) => {
        if (column === row.length - 1) return cell;
        const width = widths[column] ?? 0;
        return column === right ? cell.padStart(width) : cell.padEnd(width);
      });
      return `${cells.join("  ")}\n`;
    })
    .join("");
}
