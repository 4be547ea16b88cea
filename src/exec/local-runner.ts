/** Runs command lines in this process: parse, guard, engine. */
import { builtins } from "../../builtins/registry.ts";
import type { WriteVerdict } from "../audit/write-policy.ts";
import { createPreviewRecorder } from "../audit/preview.ts";
import { createRecorder, type RecordContext } from "../audit/recorder.ts";
import { policyContext, type PolicyContext } from "../guard/policy-context.ts";
import { checkStarting, planLine, type GuardContext } from "../guard/guard.ts";
import { policyText } from "../config/policy-text.ts";
import { changeOf, writeRecords, type WriteRecord } from "../audit/write-records.ts";
import type { Policy } from "../config/policy.ts";
import type { AuditedWrite, NamedPipelineFacts, ServerFacts } from "../builtin/server-facts.ts";
import type { Violation } from "../guard/violation.ts";
import { FileError } from "../workspace/file-error.ts";
import { Workspace } from "../workspace/workspace.ts";
import { runPlan } from "./engine.ts";
import type { RunResult } from "./result.ts";
import type { Runner, RunnerOptions, RunRequest, RunStreams } from "./runner.ts";

export class LocalRunner implements Runner {
  readonly #options: RunnerOptions;
  readonly #workspace: Workspace;
  readonly #policy: PolicyContext;
  readonly #facts: ServerFacts;

  /** Throws FileError where the root cannot be opened. */
  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#workspace = Workspace.open(options.root, {
      aliases: options.aliases,
      denyRead: options.policy.paths.denyRead,
      ...(options.inheritedRoot === undefined ? {} : { inherited: options.inheritedRoot }),
    });
    this.#policy = policyContext(builtins, options.policy);
    this.#facts = {
      policy: () => policyText(options.policy),
      pipelines: namedPipelines(options.policy),
      writes: (path) => writeRecords(this.#workspace.writer(), path === undefined ? {} : { path }).map(auditedWrite),
    };
  }

  get builtinNames(): readonly string[] {
    return this.#policy.registry.names();
  }

  async run(request: RunRequest, streams: RunStreams, signal: AbortSignal): Promise<RunResult> {
    const { policy, timeZone } = this.#options;
    const { previousDirectory } = request;
    let currentDirectory: string;
    try {
      currentDirectory = request.cwd === undefined ? request.currentDirectory : this.#directory(request.cwd);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      return { kind: "refused", violations: [badDirectory(thrown)] };
    }
    const context = this.#guardContext(currentDirectory, request);
    const planned = await this.#policy.registry.whenLoaded(() => planLine(request.line, context));
    if (planned.kind === "refused") return planned;
    if (request.dryRun === true) {
      return {
        kind: "completed",
        exit: 0,
        outputBytes: 0,
        outputLines: 0,
        stages: [],
        receipts: [],
        unsetVariables: [],
        currentDirectory,
        previousDirectory,
      };
    }
    const recordContext = { ...this.#recordContext(request), expandedLine: planned.plan.expandedLine ?? request.line };
    const preview = request.preview === true ? createPreviewRecorder(this.#workspace, recordContext) : undefined;
    const nowMs = Date.now();
    const result = await runPlan(planned.plan, {
      workspace: this.#workspace,
      catalogue: this.#policy.registry,
      currentDirectory,
      previousDirectory,
      stdin: streams.stdin,
      sink: streams,
      recorder: policy.readOnly ? undefined : (preview?.recorder ?? createRecorder(this.#workspace, recordContext)),
      server: this.#facts,
      cursors: request.cursors ?? [],
      limits: { ...policy.limits, timeMs: request.timeMs ?? policy.limits.timeMs },
      keepBytes: request.keepBytes ?? Infinity,
      signal,
      nowMs,
      timeZone,
      checkStarting: (line, command, name, args, directory) =>
        this.#policy.registry.whenLoaded(() => checkStarting(line, command, { name, args, directory }, context)),
    });
    return preview === undefined || result.kind !== "completed" ? result : { ...result, receipts: [], previews: preview.previews };
  }

  #recordContext(request: RunRequest): RecordContext {
    const { session, client, line, confirmOversize = false, approved = new Map() } = request;
    const { oversizeBytes, confirmOversize: oversizeNeeds } = this.#options.policy.approval;
    const writeVerdict = (path: string): WriteVerdict => this.#writeVerdict(path, request);
    return { session, client, line, confirmOversize, approved, oversizeBytes, oversizeNeeds, writeVerdict };
  }

  async close(): Promise<void> {
    this.#workspace.close();
  }

  /** The directory `typed` names, canonical and relative to the root. Throws FileError. */
  #directory(typed: string): string {
    const path = typed === "" ? "." : typed;
    if (this.#workspace.status(path).kind !== "directory") throw new FileError("ENOTDIR", typed);
    return this.#workspace.realPath(path);
  }

  /** What a human has agreed to, or is about to be asked, is as if it had been allowed beforehand. */
  #writeVerdict(path: string, { approved, preview }: RunRequest): WriteVerdict {
    const verdict = this.#policy.writeVerdict(path);
    return verdict === "approval" && (preview === true || approved?.has(path) === true) ? "pre-approved" : verdict;
  }

  #guardContext(currentDirectory: string, request: RunRequest): GuardContext {
    return {
      ...this.#policy,
      writeVerdict: (path) => this.#writeVerdict(path, request),
      currentDirectory,
      rootPath: this.#workspace.rootPath,
      insideRoot: (path) => this.#workspace.isUnderRoot(path),
      probe: (path, directory) => this.#probe(path, directory),
    };
  }

  #probe(path: string, directory: string): "exists" | "missing" | "outside" {
    try {
      this.#workspace.at(directory).status(path);
      return "exists";
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      return thrown.code === "PATH_ESCAPE" || thrown.code === "SYMLINK_ESCAPE" ? "outside" : "missing";
    }
  }
}

function namedPipelines({ pipelines }: Policy): readonly NamedPipelineFacts[] {
  return Object.entries(pipelines).map(([name, pipeline]) => ({ name, ...pipeline }));
}

function auditedWrite(record: WriteRecord): AuditedWrite {
  const { id, ts, path, after, command } = record;
  return { id, ts, path, change: changeOf(record), bytes: after?.bytes ?? 0, command };
}

function badDirectory(error: FileError): Violation {
  const escapes = error.code === "PATH_ESCAPE" || error.code === "SYMLINK_ESCAPE";
  return {
    code: "GUARD_VIOLATION",
    reason: escapes ? error.code : "BAD_VALUE",
    detail: `cwd '${error.path}': ${error.message}. Name a directory relative to the root, or leave cwd out for the session's own.`,
    suggestion: undefined,
    position: undefined,
  };
}
