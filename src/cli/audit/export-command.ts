/** `shelpa-mcp audit export`: every write as a line for another program, printed as the journal is read. */
import { resolve } from "node:path";
import { eachRecord } from "../../audit/write-records.ts";
import { Workspace } from "../../workspace/workspace.ts";
import type { Given } from "../command.ts";
import { CommandLineError } from "../command-line-error.ts";
import type { AUDIT_EXPORT } from "../commands.ts";
import { rootOrHere } from "../root-or-here.ts";
import { printEach } from "../print.ts";
import { csvLines, jsonLines, WRITE_FIELDS } from "./exported-lines.ts";
import { readFilter, withPath } from "./filters.ts";

export async function exportRecords({ values }: Given<typeof AUDIT_EXPORT.options>): Promise<number> {
  const format = values.format ?? "jsonl";
  if (format !== "jsonl" && format !== "csv") throw new CommandLineError(`audit export: --format takes jsonl or csv, not '${format}'`);
  const filter = readFilter(values);
  const workspace = Workspace.open(resolve(rootOrHere(values.root)));
  try {
    const records = eachRecord(workspace.writer(), withPath(filter, workspace, values.file));
    await printEach(format === "csv" ? csvLines(records, WRITE_FIELDS) : jsonLines(records, WRITE_FIELDS));
  } finally {
    workspace.close();
  }
  return 0;
}
