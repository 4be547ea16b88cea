/** `shelpa-mcp audit`: what was written, by whom and why, whether it still stands, and how to take it back. */
import { resolve } from "node:path";
import { callRecords } from "../audit/call-log.ts";
import { DamagedMirror, fileVersions } from "../audit/mirror.ts";
import { currentContent, NotRestorable, planRestore, recordedState, restore, type RecordedState } from "../audit/restore.ts";
import { verifyAudit } from "../audit/verify.ts";
import { writeRecords, type WriteRecord } from "../audit/write-records.ts";
import { unifiedDiff } from "../compare/unified-diff.ts";
import { FileError } from "../workspace/file-error.ts";
import { Workspace } from "../workspace/workspace.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { effectiveSettings } from "../config/effective.ts";
import { loadPolicy } from "../config/load.ts";
import { auditReport, SECTIONS, type ReportedConfiguration, type ReportSection } from "./audit/report.ts";
import { recordTable, recordText, verificationText } from "./audit/text.ts";
import { COMMON, readCommand, readInstant, rootOrHere } from "./command-arguments.ts";
import { CommandLineError } from "./command-line-error.ts";

type Subcommand = (argv: readonly string[]) => number | Promise<number>;

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = { log, show, diff, verify, restore: restoreRecord, report, serve };

/** Runs it and gives the exit status. Throws CommandLineError. */
export async function auditCommand(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "--help" || name === "-h") {
    process.stdout.write(AUDIT_HELP);
    return 0;
  }
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (subcommand === undefined)
    throw new CommandLineError(`audit: there is no '${name}'; there are ${Object.keys(SUBCOMMANDS).join(", ")}`);
  if (rest.includes("--help") || rest.includes("-h")) {
    process.stdout.write(AUDIT_HELP);
    return 0;
  }
  // `audit log | head -1`: a reader that has seen enough is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  try {
    return await subcommand(rest);
  } catch (thrown) {
    if (thrown instanceof NotRestorable || thrown instanceof DamagedMirror) return failed(thrown.message);
    if (thrown instanceof FileError) return failed(`${thrown.path || "."}: ${thrown.message}`);
    throw thrown;
  }
}

function log(argv: readonly string[]): number {
  const options = {
    ...COMMON,
    json: { type: "boolean" },
    file: { type: "string" },
    session: { type: "string" },
    since: { type: "string" },
    until: { type: "string" },
    number: { type: "string", short: "n" },
  } as const;
  const { values } = readCommand("audit log", argv, options, { min: 0, max: 0, names: "" });
  const sinceMs = readInstant("--since", values.since);
  const untilMs = readInstant("--until", values.until);
  const most = values.number === undefined ? Infinity : Number(values.number);
  if (!(most >= 0)) throw new CommandLineError(`audit log: -n takes a number, not '${values.number}'`);
  return inWorkspace(values.root, (workspace) => {
    const filter = {
      ...(values.file === undefined ? {} : { path: workspace.fromRoot(values.file) ?? values.file }),
      ...(values.session === undefined ? {} : { session: values.session }),
      ...(sinceMs === undefined ? {} : { sinceMs }),
      ...(untilMs === undefined ? {} : { untilMs }),
    };
    const records = writeRecords(workspace.writer(), filter);
    const shown = records.slice(Math.max(0, records.length - most));
    if (values.json === true) for (const record of shown) print(`${JSON.stringify(record)}\n`);
    else print(recordTable(shown));
    return 0;
  });
}

function show(argv: readonly string[]): number {
  const options = { ...COMMON, json: { type: "boolean" }, content: { type: "boolean" } } as const;
  const { values, operands } = readCommand("audit show", argv, options, { min: 1, max: 1, names: "RECORD" });
  return inWorkspace(values.root, (workspace) => {
    const records = writeRecords(workspace.writer());
    const typed = operands[0] as string;
    const record = found(records, typed);
    if (values.json === true) print(`${JSON.stringify(record)}\n`);
    else if (values.content !== true) print(recordText(record));
    else {
      const id = typed === record.preimage ? record.preimage : record.id;
      const version = fileVersions(workspace.writer(), record.path).find(({ recordId }) => recordId === id);
      const bytes = version?.read();
      if (bytes === undefined) return failed(`record ${id}: its bytes were never recorded as a whole`);
      process.stdout.write(bytes);
    }
    return 0;
  });
}

function diff(argv: readonly string[]): number {
  const { values, operands } = readCommand("audit diff", argv, COMMON, { min: 1, max: 2, names: "RECORD [RECORD|current]" });
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
    const name = ({ path, content }: RecordedState, what: string): string => (content === undefined ? "/dev/null" : `${path}\t${what}`);
    const names = [name(old, second === undefined ? `before ${id}` : id), name(now, second ?? id)] as const;
    const text = unifiedDiff(old.content ?? Buffer.alloc(0), now.content ?? Buffer.alloc(0), names);
    process.stdout.write(text);
    return text.length === 0 ? 0 : 1;
  });
}

function verify(argv: readonly string[]): number {
  const options = { ...COMMON, json: { type: "boolean" }, "fail-on": { type: "string" } } as const;
  const { values } = readCommand("audit verify", argv, options, { min: 0, max: 0, names: "" });
  const failOn = values["fail-on"] ?? "error";
  if (failOn !== "warn" && failOn !== "error") throw new CommandLineError(`audit verify: --fail-on takes warn or error, not '${failOn}'`);
  return inWorkspace(values.root, (workspace) => {
    const verification = verifyAudit(workspace);
    print(values.json === true ? `${JSON.stringify(verification)}\n` : verificationText(verification));
    return verification.findings.some(({ severity }) => severity === "error" || failOn === "warn") ? 1 : 0;
  });
}

function restoreRecord(argv: readonly string[]): number {
  const options = { ...COMMON, undo: { type: "boolean" }, "dry-run": { type: "boolean" }, json: { type: "boolean" } } as const;
  const { values, operands } = readCommand("audit restore", argv, options, { min: 1, max: 1, names: "RECORD" });
  return inWorkspace(values.root, (workspace) => {
    const plan = planRestore(workspace, recordIdOf(workspace, operands[0] as string), { undo: values.undo === true });
    const what = plan.content === undefined ? "removed" : `${plan.content.length} bytes`;
    if (plan.isThere) {
      print(`${plan.path} is so already\n`);
      return 0;
    }
    if (values["dry-run"] === true) {
      print(`${plan.path}: ${plan.now === null ? "missing" : `${plan.now.bytes} bytes`} -> ${what} (nothing was written)\n`);
      return 0;
    }
    const line = ["shelpa-mcp audit restore", ...argv].join(" ");
    const id = restore(workspace, plan, { session: "", client: "audit", line });
    print(`${plan.path}: ${what}, record ${id}\n`);
    return 0;
  });
}

async function report(argv: readonly string[]): Promise<number> {
  const options = {
    ...COMMON,
    sections: { type: "string" },
    reviewer: { type: "string" },
    format: { type: "string" },
    config: { type: "string" },
    profile: { type: "string" },
  } as const;
  const { values } = readCommand("audit report", argv, options, { min: 0, max: 0, names: "" });
  const format = values.format ?? "md";
  if (format !== "md" && format !== "json") throw new CommandLineError(`audit report: --format takes md or json, not '${format}'`);
  const sections = (values.sections?.split(",") ?? SECTIONS).map((name) => {
    const known = SECTIONS.find((section) => section === name);
    if (known === undefined) throw new CommandLineError(`audit report: there is no section '${name}'; there are ${SECTIONS.join(", ")}`);
    return known;
  }) satisfies readonly ReportSection[];
  const configuration = sections.includes("config") ? await configurationOf(values) : undefined;
  return inWorkspace(values.root, (workspace) => {
    const writer = workspace.writer();
    print(
      auditReport(
        {
          root: workspace.rootPath,
          reviewer: values.reviewer,
          madeAt: new Date().toISOString(),
          records: writeRecords(writer),
          calls: [...callRecords(writer)],
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

/** What a server with these flags would run with. One that would not start is said to be so: the rest of a report is still true. */
async function configurationOf(values: {
  readonly root: string | undefined;
  readonly config: string | undefined;
  readonly profile: string | undefined;
}): Promise<ReportedConfiguration> {
  try {
    const { files, layers } = await loadPolicy({
      root: resolve(rootOrHere(values.root)),
      file: values.config,
      environment: process.env,
      flags: { profile: values.profile },
    });
    return { files, settings: effectiveSettings(layers) };
  } catch (thrown) {
    if (!(thrown instanceof ConfigurationError)) throw thrown;
    return { error: thrown.message };
  }
}

async function serve(argv: readonly string[]): Promise<number> {
  const options = { ...COMMON, port: { type: "string" } } as const;
  const { values } = readCommand("audit serve", argv, options, { min: 0, max: 0, names: "" });
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
function found(records: readonly WriteRecord[], typed: string): WriteRecord {
  const record = typed === "last" ? records.at(-1) : records.find(({ id, preimage }) => id === typed || preimage === typed);
  if (record === undefined) throw new NotRestorable(typed === "last" ? "nothing was ever recorded" : `there is no record ${typed}`);
  return record;
}

const recordIdOf = (workspace: Workspace, typed: string): string =>
  typed === "last" ? found(writeRecords(workspace.writer()), typed).id : typed;

function print(text: string): void {
  process.stdout.write(text);
}

function failed(message: string): number {
  process.stderr.write(`shelpa-mcp: ${message}\n`);
  return 1;
}

const AUDIT_HELP = `Usage: shelpa-mcp audit COMMAND [OPTION]...
What was written below a root, by whom and why; whether it still stands; and how to take it back.

  log                   every write: time, record, file, size, command
      --file PATH         of this file
      --session ID        of this session
      --since TIME        from then on: 2026-02-25, 2026-02-25T13:17:30Z, or an age (2h, 3d)
      --until TIME        until then
      -n NUM              the last NUM
      --json              one JSON object a line
  show RECORD           one write in full ('last' is the newest record)
      --content           the file's bytes as that write left them, and nothing else; of a pre-image, those it holds
      --json
  diff RECORD [RECORD|current]
                        what that write changed; or between two states. Exit 1 where they differ
  verify                check the chain, every record's bytes, and every file against its last record
      --fail-on LEVEL     exit 1 from this level on: error (default) or warn
      --json
  restore RECORD        put the file back as that record has it; this is itself recorded
      --undo              as it was before that write
      --dry-run           only say what would be written
  report                for a reviewer
      --sections LIST     ${SECTIONS.join(",")} (default: all)
      --reviewer NAME
      --format FORMAT     md (default) or json
      --config FILE, --profile NAME   as for the server, for the section config

  serve                 show all of this in a browser on this machine: open the address that is printed
      --port PORT         (default: one that is free)

  --root DIR            the root (default: $SHELPA_ROOT, or the current directory)

Exit status: 0; 1 where something was found or could not be done; 2 on bad usage.
`;
