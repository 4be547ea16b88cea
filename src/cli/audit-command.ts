/** `shelpa-mcp audit`: lists recorded writes with their authors and reasons, verifies them, and takes them back. */
import { resolve } from "node:path";
import { AnchorError } from "../audit/ship/anchor.ts";
import { callRecords, type CallRecord } from "../audit/call-log.ts";
import { DamagedMirror, fileVersions } from "../audit/mirror.ts";
import { currentContent, NotRestorable, planRestore, recordedState, restore, type RecordedState } from "../audit/restore.ts";
import { missingRecord } from "../audit/stored-journal.ts";
import { verifyAudit } from "../audit/verify.ts";
import { writeRecords, type WriteRecord } from "../audit/write-records.ts";
import { unifiedDiff, type DiffSide } from "../compare/unified-diff.ts";
import { showName } from "../display/visible.ts";
import { FileError } from "../workspace/file-error.ts";
import { Workspace } from "../workspace/workspace.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { effectiveSettings } from "../config/effective.ts";
import { loadPolicy } from "../config/load.ts";
import { verifyAnchors } from "./audit/anchor-command.ts";
import { readFilter, withPath } from "./audit/filters.ts";
import { auditReport, type ReportedConfiguration } from "./audit/report.ts";
import { SECTIONS, type ReportSection } from "./audit/sections.ts";
import { recordTable, recordText, verificationText } from "./audit/text.ts";
import type { Given } from "./command.ts";
import { CommandLineError } from "./command-line-error.ts";
import {
  AUDIT_RESTORE,
  type AUDIT_DIFF,
  type AUDIT_LOG,
  type AUDIT_REPORT,
  type AUDIT_SERVE,
  type AUDIT_SHOW,
  type AUDIT_VERIFY,
} from "./commands.ts";
import { policySources, type PolicyFlags } from "./policy-sources.ts";
import { rootOrHere } from "./root-or-here.ts";
import { complain, print, printContent, printJson } from "./print.ts";

/** Reports errors of the record or the files that a command of the audit found, which are no faults of the command. */
export function audited<G>(command: (given: G) => number | Promise<number>): (given: G) => Promise<number> {
  return async (given) => {
    try {
      return await command(given);
    } catch (thrown) {
      if (thrown instanceof NotRestorable || thrown instanceof DamagedMirror || thrown instanceof AnchorError)
        return failed(thrown.message);
      if (thrown instanceof FileError) return failed(`${thrown.path || "."}: ${thrown.message}`);
      throw thrown;
    }
  };
}

export function log({ values }: Given<typeof AUDIT_LOG.options>): number {
  const filter = readFilter(values);
  const most = values.number === undefined ? Infinity : Number(values.number);
  if (!(most >= 0)) throw new CommandLineError(`audit log: -n takes a number, not '${values.number}'`);
  return inWorkspace(values.root, (workspace) => {
    const records = writeRecords(workspace.writer(), withPath(filter, workspace, values.file));
    const shown = records.slice(Math.max(0, records.length - most));
    if (values.json) for (const record of shown) printJson(record);
    else print(recordTable(shown));
    return 0;
  });
}

export function show({ values, operands }: Given<typeof AUDIT_SHOW.options>): number {
  return inWorkspace(values.root, (workspace) => {
    const typed = operands[0] as string;
    const record = found(workspace, typed);
    if (values.json) printJson(record);
    else if (!values.content) print(recordText(record));
    else {
      const id = typed === record.preimage ? record.preimage : record.id;
      const version = fileVersions(workspace.writer(), record.path).find(({ recordId }) => recordId === id);
      const bytes = version?.read();
      if (bytes === undefined) return failed(`record ${id}: its bytes were never recorded as a whole`);
      printContent(bytes);
    }
    return 0;
  });
}

export function diff({ values, operands }: Given<typeof AUDIT_DIFF.options>): number {
  return inWorkspace(values.root, (workspace) => {
    const [first = "", second] = operands;
    const id = recordIdOf(workspace, first);
    const after = recordedState(workspace, id, "after");
    const old = second === undefined ? recordedState(workspace, id, "before") : after;
    const now =
      second === undefined
        ? after
        : second === "current"
          ? { path: after.path, content: currentContent(workspace, after.path) }
          : recordedState(workspace, recordIdOf(workspace, second), "after");
    const side = ({ path, content }: RecordedState, when: string): DiffSide => (content === undefined ? "/dev/null" : { name: path, when });
    const sides = [side(old, second === undefined ? `before ${id}` : id), side(now, second ?? id)] as const;
    const text = unifiedDiff(old.content ?? Buffer.alloc(0), now.content ?? Buffer.alloc(0), sides);
    printContent(text);
    return text.length === 0 ? 0 : 1;
  });
}

export function verify({ values }: Given<typeof AUDIT_VERIFY.options>): number {
  const failOn = values["fail-on"] ?? "error";
  if (failOn !== "warn" && failOn !== "error") throw new CommandLineError(`audit verify: --fail-on takes warn or error, not '${failOn}'`);
  const { anchor, "public-key": publicKey } = values;
  if ((anchor === undefined) !== (publicKey === undefined))
    throw new CommandLineError("audit verify: --anchor and --public-key go together");
  const ofAnchors = anchor === undefined || publicKey === undefined ? 0 : verifyAnchors(values, anchor, publicKey);
  const status = inWorkspace(values.root, (workspace) => {
    const verification = verifyAudit(workspace);
    if (values.json) printJson(verification);
    else print(verificationText(verification));
    return verification.findings.some(({ severity }) => severity === "error" || failOn === "warn") ? 1 : 0;
  });
  return Math.max(status, ofAnchors);
}

export function restoreRecord({ values, operands, argv }: Given<typeof AUDIT_RESTORE.options>): number {
  return inWorkspace(values.root, (workspace) => {
    const plan = planRestore(workspace, recordIdOf(workspace, operands[0] as string), { undo: values.undo });
    const name = showName(plan.path);
    const what = plan.content === undefined ? "removed" : `${plan.content.length} bytes`;
    if (plan.isThere) {
      print(`${name} is so already\n`);
      return 0;
    }
    if (values["dry-run"]) {
      print(`${name}: ${plan.now === null ? "missing" : `${plan.now.bytes} bytes`} -> ${what} (nothing was written)\n`);
      return 0;
    }
    const line = [AUDIT_RESTORE.name, ...argv].join(" ");
    const id = restore(workspace, plan, { session: "", client: "audit", line });
    print(`${name}: ${what}, record ${id}\n`);
    return 0;
  });
}

export async function report({ values }: Given<typeof AUDIT_REPORT.options>): Promise<number> {
  const format = values.format ?? "md";
  if (format !== "md" && format !== "json") throw new CommandLineError(`audit report: --format takes md or json, not '${format}'`);
  const sections = (values.sections?.split(",") ?? SECTIONS).map((name) => {
    const known = SECTIONS.find((section) => section === name);
    if (known === undefined) throw new CommandLineError(`audit report: there is no section '${name}'; there are ${SECTIONS.join(", ")}`);
    return known;
  }) satisfies readonly ReportSection[];
  const given = readFilter(values);
  const configuration = sections.includes("config") ? await configurationOf(values) : undefined;
  return inWorkspace(values.root, (workspace) => {
    const writer = workspace.writer();
    const filter = withPath(given, workspace, values.file);
    const records = writeRecords(writer, filter);
    const ids = new Set(records.map(({ id }) => id));
    const isShown = ({ records: made }: CallRecord): boolean => filter.under === undefined || made.some((id) => ids.has(id));
    print(
      auditReport(
        {
          root: workspace.rootPath,
          reviewer: values.reviewer,
          madeAt: new Date().toISOString(),
          filter,
          records,
          calls: [...callRecords(writer, filter)].filter(isShown),
          verification: verifyAudit(workspace),
          configuration,
        },
        sections,
        format,
      ),
    );
    return 0;
  });
}

/** The configuration of a server with these flags, or the error that would stop its start: the rest of a report is still true. */
async function configurationOf({ root, config, profile }: PolicyFlags): Promise<ReportedConfiguration> {
  try {
    const { files, layers } = await loadPolicy(policySources({ root, config, profile }));
    return { files, settings: effectiveSettings(layers) };
  } catch (thrown) {
    if (!(thrown instanceof ConfigurationError)) throw thrown;
    return { error: thrown.message };
  }
}

export async function serve({ values }: Given<typeof AUDIT_SERVE.options>): Promise<number> {
  const port = Number(values.port ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new CommandLineError(`audit serve: --port takes a port, not '${values.port}'`);
  const { serveViewer } = await import("./viewer/viewer.ts");
  const workspace = Workspace.open(resolve(rootOrHere(values.root)));
  try {
    const { url, server } = await serveViewer(workspace, port);
    print(`${url}\n`);
    await new Promise<void>((done) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => done());
    });
    server.closeAllConnections();
    server.close();
  } finally {
    workspace.close();
  }
  return 0;
}

function inWorkspace(root: string | undefined, action: (workspace: Workspace) => number): number {
  const workspace = Workspace.open(resolve(rootOrHere(root)));
  try {
    return action(workspace);
  } finally {
    workspace.close();
  }
}

/** The record with this id, or the newest where `last` was typed. */
function found(workspace: Workspace, typed: string): WriteRecord {
  const writer = workspace.writer();
  const records = writeRecords(writer);
  const record = typed === "last" ? records.at(-1) : records.find(({ id, preimage }) => id === typed || preimage === typed);
  if (record === undefined) throw new NotRestorable(typed === "last" ? "nothing was ever recorded" : missingRecord(writer, typed));
  return record;
}

const recordIdOf = (workspace: Workspace, typed: string): string => (typed === "last" ? found(workspace, typed).id : typed);

function failed(message: string): number {
  complain(message);
  return 1;
}
