/** Runs command lines in this process: parse, guard, engine. */
import { hostEntryExists } from "../host/host-file.ts";
import { builtins } from "../../builtins/registry.ts";
import type { WriteVerdict } from "../audit/write-policy.ts";
import { withScratch } from "../audit/scratch-recorder.ts";
import { recordsInTrees, TreeRecords, type TreeRecordContext } from "../audit/tree-records.ts";
import { undoPlansAlone } from "../audit/undo.ts";
import { activeRules } from "../guard/active-rules.ts";
import { assess, assessRefusal } from "../guard/assess.ts";
import type { Assessment } from "../guard/assessment.ts";
import { assessmentText } from "../guard/assessment-text.ts";
import { KeptValues } from "../builtin/kept-values.ts";
import { policyContext, type PolicyContext } from "../guard/policy-context.ts";
import { checkStarting, planLine, type GuardContext, type Planned } from "../guard/guard.ts";
import { mountPlaces } from "../config/mounts.ts";
import { policyText } from "../config/policy-text.ts";
import { severityAction } from "../config/severity.ts";
import { changeOf } from "../audit/write-records.ts";
import type { Policy } from "../config/policy.ts";
import type { AuditedWrite, NamedPipelineFacts, ServerFacts } from "../builtin/server-facts.ts";
import { ruleEntry } from "../guard/rule-catalogue.ts";
import type { Violation } from "../guard/violation.ts";
import { FileError } from "../workspace/file-error.ts";
import { CallReads } from "../workspace/read/call-reads.ts";
import { Scratch } from "../workspace/mount/scratch.ts";
import { ScratchBase } from "../workspace/mount/scratch-base.ts";
import { TreeRoom } from "../workspace/private/tree-room.ts";
import { Workspace } from "../workspace/workspace.ts";
import type { LockOwner } from "../workspace/write/lock-owner.ts";
import { MOST_SCRATCH_FILES } from "../config/limits.ts";
import { countByte } from "../io/count-byte.ts";
import { HOST_ZONE, hostZone } from "../dates/date-format.ts";
import { toBytes } from "../io/text.ts";
import { isTooDeep } from "./engine-limits.ts";
import { runPlan } from "./engine.ts";
import { rootGone } from "./root-gone.ts";
import { startLookAhead } from "./look-ahead-thread.ts";
import { assessedPlace, workspaceLook } from "./path-lookup.ts";
import type { CommandHost } from "./command-host.ts";
import { customBuiltins } from "./custom-builtin.ts";
import type { RunResult } from "./result.ts";
import type { ElsewhereRoot, Runner, RunnerOptions, RunRequest, RunStreams } from "./runner.ts";

export class LocalRunner implements Runner {
  readonly #options: RunnerOptions;
  readonly #workspace: Workspace;
  /** Undefined where there is no scratch. */
  readonly #scratch: ScratchBase | undefined;
  readonly #policy: PolicyContext;
  readonly #kept = new KeptValues();
  /** Undefined where the root is not bounded. */
  readonly #room: TreeRoom | undefined;
  #timeZone: string;

  /** `host` runs the program's commands. Throws FileError where the root cannot be opened. */
  constructor(options: RunnerOptions, host?: CommandHost) {
    this.#options = options;
    const { elsewhere } = options;
    this.#workspace = Workspace.open(elsewhere?.directory ?? options.root, {
      aliases: options.aliases,
      knownAs: elsewhere && options.root,
      isCopy: elsewhere?.copyOf !== undefined,
      denyRead: options.policy.paths.denyRead,
      mounts: mountPlaces(options.policy),
      startLookAhead,
      ...(options.inheritedRoot === undefined ? {} : { inherited: options.inheritedRoot }),
    });
    const { inheritedRoot } = options;
    const isOn = options.policy.limits.scratchBytes > 0 && (inheritedRoot === undefined || inheritedRoot.scratch !== undefined);
    this.#scratch = !isOn
      ? undefined
      : inheritedRoot?.scratch === undefined
        ? ScratchBase.outside([...this.#workspace.places.values()])
        : ScratchBase.inherited(inheritedRoot.scratch);
    this.#room = elsewhere && new TreeRoom(elsewhere.mostBytes, () => this.#workspace.writer().root());
    const { places } = this.#workspace;
    const available = host === undefined ? builtins : [...builtins, ...customBuiltins(options.commands ?? [], host)];
    const policyPlaces = elsewhere === undefined ? places : placesOf(places, elsewhere);
    this.#policy = policyContext(available, options.policy, policyPlaces, (path) => this.#workspace.foldsCase(path));
    this.#timeZone = options.timeZone ?? HOST_ZONE;
  }

  /** Learns the host's zone between two lines: it takes longer than many a line, and that zone stays. */
  learnTimeZone(): void {
    if (this.#timeZone === HOST_ZONE) this.#timeZone = hostZone();
  }

  get isRootThere(): boolean {
    return hostEntryExists(this.#options.elsewhere?.directory ?? this.#options.root);
  }

  get timeMs(): number {
    return this.#options.policy.limits.timeMs;
  }

  get builtinNames(): readonly string[] {
    return this.#policy.registry.names();
  }

  async run(request: RunRequest, streams: RunStreams, signal: AbortSignal): Promise<RunResult> {
    const { policy } = this.#options;
    if (this.#scratch === undefined || request.scratch === undefined) return this.#run(request, this.#workspace, streams, signal);
    const limits = { mostBytes: policy.limits.scratchBytes, mostFiles: MOST_SCRATCH_FILES };
    // What is only shown leaves no trace in the session's own.
    const name = request.preview === true ? this.#scratch.copyOf(request.scratch) : request.scratch;
    const scratch = new Scratch(this.#scratch, name, limits);
    try {
      const result = await this.#run(request, this.#workspace.withScratch(scratch), streams, signal);
      return scratch.isUsed && result.kind !== "refused" ? { ...result, usedScratch: true } : result;
    } finally {
      scratch.release();
      if (name !== request.scratch) this.#scratch.remove(name);
    }
  }

  removeScratch(name: string): void {
    this.#scratch?.remove(name);
  }

  async #run(request: RunRequest, workspace: Workspace, streams: RunStreams, signal: AbortSignal): Promise<RunResult> {
    const { policy } = this.#options;
    const { previousDirectory } = request;
    let currentDirectory: string;
    try {
      // One that inherits its root is only given calls while that is in its place.
      if (this.#options.inheritedRoot === undefined) workspace.followRoot();
      currentDirectory = request.cwd === undefined ? request.currentDirectory : directoryOf(workspace, request.cwd);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      if (thrown.code === "ROOT_GONE") return { kind: "refused", violations: [rootGone()] };
      const violation = badDirectory(thrown);
      if (request.dryRun !== true) return { kind: "refused", violations: [violation] };
      const place = assessedPlace(workspace, policy, request.currentDirectory);
      return this.#assessed(assessRefusal(violation, violation.rule ?? "path:directory", place), request, streams);
    }
    const context = this.#guardContext(currentDirectory, request, workspace);
    let planned: Planned;
    try {
      if (request.dryRun === true) return this.#assessed(await this.#assess(request.line, context, workspace), request, streams);
      planned = await this.#policy.registry.whenLoaded(() => planLine(request.line, context));
    } catch (thrown) {
      if (!isTooDeep(thrown)) throw thrown;
      return { kind: "refused", violations: [TOO_DEEP] };
    }
    if (planned.kind === "refused") return planned;
    // Noting takes some time of a search.
    const reads = planned.plan.removes ? new CallReads(Date.now, (path) => workspace.spelled(path)) : undefined;
    const isPreview = request.preview === true;
    const expandedLine = planned.plan.expandedLine ?? request.line;
    const records = new TreeRecords(workspace, {
      ...this.#recordContext(request),
      expandedLine,
      reads,
      isPreview: isPreview || context.readOnly,
    });
    const nowMs = Date.now();
    const result = await runPlan(planned.plan, {
      workspace: reads === undefined ? workspace : workspace.noting(reads),
      reads,
      catalogue: this.#policy.registry,
      currentDirectory,
      previousDirectory,
      stdin: streams.stdin,
      sink: streams,
      recorder: withScratch(context.readOnly ? undefined : records.recorder(), workspace),
      recordsRedirects: this.#policy.recordsRedirects,
      undo: context.readOnly ? undoPlansAlone(records.undo()) : records.undo(),
      server: this.#factsOf(request, workspace),
      cursors: request.cursors ?? [],
      kept: this.#kept,
      limits: { ...policy.limits, timeMs: request.timeMs ?? policy.limits.timeMs },
      waitedMs: request.waitedMs,
      keepBytes: request.keepBytes ?? Infinity,
      colourMark: request.colourMark,
      signal,
      nowMs,
      timeZone: this.#timeZone,
      checkStarting: (line, command, starting) => this.#policy.registry.whenLoaded(() => checkStarting(line, command, starting, context)),
    });
    if (result.kind === "refused") return result;
    if (isPreview) return result.kind === "completed" ? { ...result, receipts: [], previews: records.previews } : result;
    return planned.preApproved.length === 0 ? result : { ...result, preApproved: planned.preApproved };
  }

  #assess(line: string, context: GuardContext, workspace: Workspace): Promise<Assessment> {
    const { policy } = this.#options;
    const assessedIn = {
      context,
      place: assessedPlace(workspace, policy, context.currentDirectory),
      asksForProtected: policy.approval.protectedPaths === "ask",
    };
    return this.#policy.registry.whenLoaded(() => assess(line, assessedIn));
  }

  async #assessed(assessment: Assessment, request: RunRequest, streams: RunStreams): Promise<RunResult> {
    const text = toBytes(assessmentText(assessment));
    await streams.stdout(text);
    await streams.stdin.close();
    const { currentDirectory, previousDirectory } = request;
    return {
      kind: "completed",
      exit: assessment.allowed ? 0 : 1,
      outputBytes: text.length,
      outputLines: countByte(text, NEWLINE),
      stages: [],
      receipts: [],
      unsetVariables: [],
      currentDirectory,
      previousDirectory,
      assessment,
    };
  }

  #factsOf(request: RunRequest, workspace: Workspace): ServerFacts {
    return {
      policy: () =>
        policyText(this.#options.policy, {
          session: request.session,
          rules: activeRules(this.#options.policy),
          commands: this.#ownCommands,
        }),
      pipelines: namedPipelines(this.#options.policy),
      writing:
        this.#policy.readOnly || request.readsOnly !== undefined ? "nothing" : this.#policy.recordsRedirects ? "redirections" : "commands",
      output: (number) => request.outputs?.get(number),
      writes: (path) => auditedWrites(workspace, path),
      assess: async (line, directory) => {
        const assessment = await this.#assess(line, this.#guardContext(directory, request, workspace), workspace);
        return { allowed: assessment.allowed, text: assessmentText(assessment), json: JSON.stringify(assessment) };
      },
    };
  }

  /** Names of the program's commands that the policy leaves. */
  get #ownCommands(): readonly string[] {
    return (this.#options.commands ?? []).map(({ name }) => name).filter((name) => this.#policy.registry.has(name));
  }

  #recordContext(request: RunRequest): Omit<TreeRecordContext, "isPreview"> {
    const { session, client, caller, line, confirmOversize = false, approved } = request;
    const goneLockOwner = (mount = ""): LockOwner | undefined => request.goneLockOwners?.get(mount);
    const { oversizeBytes, confirmOversize: oversizeNeeds } = this.#options.policy.approval;
    const { severity } = this.#options.policy.approval;
    const asks = (): boolean => ORDINARY_WRITES.some((rule) => severityAction(severity, ruleEntry(rule).severity) === "ask");
    const writeVerdict = (path: string): WriteVerdict => {
      const verdict = this.#writeVerdict(path, request);
      // A write that somebody would be asked about for its severity is allowed by the configuration, and its receipt says so.
      return verdict === "ordinary" && asks() && this.#policy.isPreApproved(path) ? "pre-approved" : verdict;
    };
    const call = { first: undefined };
    return {
      session,
      room: this.#room,
      client,
      caller,
      line,
      call,
      confirmOversize,
      approved,
      oversizeBytes,
      oversizeNeeds,
      writeVerdict,
      goneLockOwner,
    };
  }

  async close(): Promise<void> {
    this.#scratch?.close();
    this.#workspace.close();
  }

  /** The policy's verdict, where a write that a human has agreed to, or is about to be asked about, counts as pre-approved. */
  #writeVerdict(path: string, { approved, preview }: RunRequest): WriteVerdict {
    const verdict = this.#policy.writeVerdict(path);
    return verdict === "approval" && (preview === true || approved?.has(path) === true) ? "pre-approved" : verdict;
  }

  #guardContext(currentDirectory: string, request: RunRequest, workspace: Workspace): GuardContext {
    return {
      ...this.#policy,
      readOnly: this.#policy.readOnly || request.readsOnly !== undefined,
      readsOnly: this.#policy.readOnly ? undefined : request.readsOnly,
      writeVerdict: (path) => this.#writeVerdict(path, request),
      agreed: request.preview === true || request.approved !== undefined,
      look: workspaceLook(workspace, request.caller?.origin),
      currentDirectory,
      rootPath: workspace.rootPath,
      insideRoot: (path) => workspace.isUnderRoot(path),
      mountOf: (path) => workspace.mountOf(path),
      scratch: workspace.scratchPrefix,
      probe: (path, directory) => probe(workspace, path, directory),
    };
  }
}

/** `places`, where what is protected is what is so in the root that the files are a copy of. */
function placesOf(places: ReadonlyMap<string, string>, { copyOf }: ElsewhereRoot): ReadonlyMap<string, string> {
  const mounts = [...places].filter(([name]) => name !== "");
  return new Map(copyOf === undefined ? mounts : [["", copyOf], ...mounts]);
}

/** The directory `typed` names, canonical (Files.realPath). Throws FileError. */
function directoryOf(workspace: Workspace, typed: string): string {
  const path = typed === "" ? "." : typed;
  if (workspace.status(path).kind !== "directory") throw new FileError("ENOTDIR", typed);
  return workspace.realPath(path);
}

function probe(workspace: Workspace, path: string, directory: string): "exists" | "missing" | "outside" {
  try {
    workspace.at(directory).status(path);
    return "exists";
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return thrown.code === "PATH_ESCAPE" || thrown.code === "SYMLINK_ESCAPE" ? "outside" : "missing";
  }
}

function namedPipelines({ pipelines }: Policy): readonly NamedPipelineFacts[] {
  return Object.entries(pipelines).map(([name, pipeline]) => ({ name, ...pipeline }));
}

const TOO_DEEP: Violation = {
  code: "LIMIT",
  reason: "LIMIT_MEMORY",
  detail: "The line, or a pattern or an expression in it, nests deeper than can be read.",
  suggestion: undefined,
  position: undefined,
};

const NEWLINE = 10;
const ORDINARY_WRITES = ["write:create", "write:append", "write:replace", "write:remove", "write:attributes"] as const;

function* auditedWrites(workspace: Workspace, file: string | undefined): Generator<AuditedWrite, void> {
  for (const record of recordsInTrees(workspace, file)) {
    const { id, ts, path, after, command } = record;
    yield { id, ts, path, change: changeOf(record), bytes: after?.bytes ?? 0, command };
  }
}

function badDirectory(error: FileError): Violation {
  const escapes = error.code === "PATH_ESCAPE" || error.code === "SYMLINK_ESCAPE";
  return {
    code: "GUARD_VIOLATION",
    reason: escapes ? error.code : "BAD_VALUE",
    rule: escapes ? "path:escape" : "path:directory",
    detail: `cwd '${error.path}': ${error.message}. Name a directory relative to the root, or leave cwd out for the session's own.`,
    suggestion: undefined,
    position: undefined,
  };
}
