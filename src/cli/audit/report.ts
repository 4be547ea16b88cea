/** The report for a reviewer, as Markdown or JSON. */
import type { CallRecord } from "../../audit/call-log.ts";
import type { EffectiveSetting } from "../../config/effective.ts";
import type { RecordFilter } from "../../audit/record-filter.ts";
import type { Verification } from "../../audit/verify.ts";
import { changeOf, type WriteRecord } from "../../audit/write-records.ts";
import { showJson, showText } from "../../display/visible.ts";
import { filterText } from "./filters.ts";
import type { ReportSection } from "./sections.ts";
import { verificationText } from "./text.ts";
import { approvalOf, authorOf, callAuthor } from "./who.ts";

export interface ReportFacts {
  readonly root: string;
  readonly reviewer: string | undefined;
  /** ISO 8601. */
  readonly madeAt: string;
  /** Selection of the records and calls. */
  readonly filter: RecordFilter;
  readonly records: readonly WriteRecord[];
  readonly calls: readonly CallRecord[];
  readonly verification: Verification;
  /** The configuration; undefined where the report has no such section. */
  readonly configuration: ReportedConfiguration | undefined;
}

/** Configuration with which a server for the root would start now, or the error that would stop it. */
export type ReportedConfiguration =
  | { readonly files: readonly string[]; readonly settings: readonly EffectiveSetting[] }
  | { readonly error: string };

/** The sections in the order they were asked for. */
export function auditReport(facts: ReportFacts, sections: readonly ReportSection[], format: "md" | "json"): string {
  const filter = filterText(facts.filter);
  if (format === "json") {
    const { root, reviewer = null, madeAt } = facts;
    const parts = Object.fromEntries(sections.map((section) => [section, CONTENT[section](facts)]));
    return `${showJson({ root, reviewer, made_at: madeAt, filter: filter ?? null, ...parts }, 2)}\n`;
  }
  const by = facts.reviewer === undefined ? "" : ` for ${facts.reviewer}`;
  const head = `# Audit of ${cell(facts.root)}\n\nMade ${facts.madeAt}${by}.${filter === undefined ? "" : ` Only ${cell(filter)}.`}\n`;
  return head + sections.map((section) => `\n## ${section[0]?.toUpperCase()}${section.slice(1)}\n\n${MARKDOWN[section](facts)}`).join("");
}

const CONTENT: Readonly<Record<ReportSection, (facts: ReportFacts) => unknown>> = {
  writes: ({ records }) => records,
  approvals: ({ calls }) => calls.filter(isApproval),
  refusals: ({ calls }) => calls.filter(({ outcome }) => outcome === "refused"),
  limits: ({ calls }) => calls.filter(({ outcome }) => outcome === "stopped" || outcome === "faulted"),
  integrity: ({ verification }) => verification,
  config: ({ configuration }) => configuration,
};

const MARKDOWN: Readonly<Record<ReportSection, (facts: ReportFacts) => string>> = {
  writes: ({ records }) => {
    const rows = records.map((record) => [
      record.ts,
      record.id,
      changeOf(record),
      String(record.after?.bytes ?? 0),
      record.path,
      authorOf(record),
      approvalOf(record),
      record.command,
    ]);
    const files = new Set(records.map(({ path }) => path)).size;
    return `${records.length} writes to ${files} files.\n${markdownTable(["time", "record", "change", "bytes", "file", "who", "approved by", "command"], rows)}`;
  },
  approvals: ({ calls }) => {
    const found = calls.filter(isApproval);
    const rows = found.map((call) => [call.ts, call.approved_by ?? "asked", callAuthor(call), call.command]);
    return found.length === 0
      ? "None.\n"
      : `Questions to a human, and calls that needed approval and had it.\n${markdownTable(["time", "approved by", "who", "command"], rows)}`;
  },
  refusals: ({ calls }) => callsTable(calls.filter(({ outcome }) => outcome === "refused")),
  limits: ({ calls }) => callsTable(calls.filter(({ outcome }) => outcome === "stopped" || outcome === "faulted")),
  integrity: ({ verification }) => `\`\`\`\n${verificationText(verification)}\`\`\`\n`,
  config: ({ configuration }) => {
    if (configuration === undefined) return "";
    if ("error" in configuration) return `A server would not start: ${cell(configuration.error)}\n`;
    const { files, settings } = configuration;
    const rows = settings.map(({ key, value, source }) => [key, typeof value === "string" ? value : JSON.stringify(value), source]);
    return `Files: ${files.length === 0 ? "none" : files.map(cell).join(", ")}.\n${markdownTable(["setting", "value", "from"], rows)}`;
  },
};

const isApproval = ({ outcome, approved_by }: CallRecord): boolean => outcome === "asked" || approved_by !== undefined;

/** Number of occurrences of each reason, and then every call. */
function callsTable(calls: readonly CallRecord[]): string {
  if (calls.length === 0) return "None.\n";
  const counts = new Map<string, number>();
  for (const { reason } of calls) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const frequent = [...counts].toSorted((a, b) => b[1] - a[1]).map(([reason, count]) => [reason, String(count)]);
  const rows = calls.map((call) => [call.ts, call.reason, callAuthor(call), call.command]);
  return `${markdownTable(["reason", "calls"], frequent)}${markdownTable(["time", "reason", "who", "command"], rows)}`;
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  return `\n${line(head)}${line(head.map(() => "---"))}${rows.map((row) => line(row.map(cell))).join("")}`;
}

/** One cell: a command line is data, and must not become markup. */
const cell = (text: string): string =>
  showText(text)
    .replaceAll("\\", "\\\\")
    .replaceAll(/\r?\n/g, "⏎")
    .replace(/[|<>`*_[\]]/g, (mark) => `\\${mark}`);
