/** The MCP server: one tool, one prompt and the resources, for both protocol eras. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  TRACEPARENT_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Caller } from "../audit/caller.ts";
import { needsWrites } from "../exec/lacks-approval.ts";
import type { RunProgress, RunResult } from "../exec/result.ts";
import { answeredCall, requestOf } from "./answered-call.ts";
import { Approvals } from "./approval.ts";
import { callRights, type CallRights } from "./caller-rights.ts";
import { callerKey, type Principal } from "./principal.ts";
import { completePrompt, PROMPT, promptText } from "./prompt.ts";
import { redactedResult, type Redactor } from "./redaction.ts";
import { type RequestFacts, requestFactsOf, signalOf } from "./request-facts.ts";
import { Resources } from "./resources.ts";
import type { EndedToolCall } from "./server-events.ts";
import type { CallOptions, ShellService } from "./shell-service.ts";
import { shortName } from "../display/visible.ts";
import { TOOL_NAME, WRITING_TOOL_NAME } from "./tool-name.ts";
import { ICON, type InstructionFacts, instructions, toolDefinitions } from "./tool.ts";

export interface ShelpaServerOptions {
  readonly version: string;
  readonly readOnly: boolean;
  /** Shows control and invisible characters of an output as they are. */
  readonly rawOutput?: boolean;
  /** Gives answers as data too (`structuredContent`). Default false: known clients give the model that in place of the text. */
  readonly structured?: boolean;
  /** `> FILE` is a recorded write. Default false. */
  readonly recordsRedirects?: boolean;
  /** Asks a human about a write that needs one. Default: nobody is asked. Shared by the servers of one process. */
  readonly approvals?: Approvals;
  /** Instead of that of `approvals`, for a test's server whose own tools ask for input. */
  readonly verifyState?: (state: string, context: ServerContext) => Promise<unknown>;
  /** The policy in force, for the resource `shelpa://policy`; undefined: the resource does not exist. */
  readonly policyText?: string;
  /** Two tools: one that only reads, and one for the lines that write. Default: one. */
  readonly split?: boolean;
  /** The owner's mounts, for the instructions. Default: none. */
  readonly mounts?: InstructionFacts["mounts"];
  /** Takes secrets out of what is shown. */
  readonly redactor?: Redactor;
  /** Most characters of standard output in one answer. */
  readonly maxOutputCharacters?: number;
  /** For faults of ours; one line each. Never standard output: that is the protocol's. */
  readonly log: (line: string) => void;
  /** True if the service keeps outputs of this client alone, and so may list them to it. Default: true. */
  readonly listsOutputs?: boolean;
  /** True where each message comes with its caller (request-facts.ts): one without is a fault, and not a caller with every right. */
  readonly isAuthenticated?: boolean;
  /** Asked before each call: why no line may write now, as a sentence without its full stop. Default: they may. */
  readonly writesRefusedBecause?: (() => string | undefined) | undefined;
  /** The session of a call that names none. Default: the process's. */
  readonly session?: CallOptions["session"];
  /** Told of each call's ending, with what its transport knows of the request. Must not throw. */
  readonly onCallEnded?: ((call: EndedToolCall, context: ServerContext) => void) | undefined;
}

/** A call that takes longer is reported once in this time, in milliseconds, where the client asked for progress. */
const PROGRESS_INTERVAL_MS = 1000;
/** Most characters, in a progress message, of the stage that it names. */
const MOST_STAGE_CHARACTERS = 80;

/**
 * An unconnected server over `service`. It knows no state of the connection, so it answers a `tools/call` without
 * any handshake; the SDK's entry decides which revision's words it speaks.
 */
export function createShelpaServer(service: ShellService, options: ShelpaServerOptions): Server {
  const approvals = options.approvals ?? new Approvals({ asks: false, challenge: false });
  const { version, readOnly, policyText, redactor, structured = false, recordsRedirects = false, split = false, mounts = [] } = options;
  const server = new Server(
    { name: "shelpa-mcp", title: "shelpa", version, icons: [ICON] },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: instructions({ readOnly, split, mounts }),
      requestState: { verify: options.verifyState ?? approvals.verify },
      cacheHints: {
        "tools/list": LASTING,
        "prompts/list": LASTING,
        "resources/templates/list": LASTING,
        "server/discover": LASTING,
      },
    },
  );
  const factsOf = (context: ServerContext): RequestFacts | undefined => {
    const facts = requestFactsOf(context);
    if (facts === undefined && options.isAuthenticated === true) throw new Error("a message came without its caller");
    return facts;
  };
  const principalOf = (context: ServerContext): Principal | undefined => factsOf(context)?.principal;
  const tools = toolDefinitions({ commandNames: service.commandNames, readOnly, recordsRedirects, structured, split });
  server.setRequestHandler("tools/list", () => ({ tools: [...tools] }));
  server.setRequestHandler("tools/call", async (request, context) => {
    const { name, arguments: given = {} } = request.params;
    if (!tools.some((tool) => tool.name === name)) {
      const known = tools.length === 1 ? `the only one is ${TOOL_NAME}` : `there are ${tools.map((tool) => tool.name).join(" and ")}`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown tool '${name}': ${known}`);
    }
    const writingTool = tools.length > 1 && name === TOOL_NAME ? WRITING_TOOL_NAME : undefined;
    const { principal, requestId } = factsOf(context) ?? {};
    const state = {
      approvals,
      capabilities: capabilitiesOf(server, context),
      caller: { ...statedBy(server, context), token: principal?.name, subject: principal?.subject, request: requestId },
      callerKey: principal && callerKey(principal),
      rights: callRights(principal, writingTool, options.writesRefusedBecause?.()),
      tool: name,
    };
    const result = await callTool(service, given, context, state, options);
    return isAnswer(result) ? redactedResult(result, redactor) : result;
  });
  const resources = new Resources(service, { listsOutputs: options.listsOutputs ?? true, policyText, redactor });
  server.setRequestHandler("resources/list", () => resources.list());
  server.setRequestHandler("resources/templates/list", () => resources.templates());
  server.setRequestHandler("resources/read", ({ params: { uri } }, context) => {
    const principal = principalOf(context);
    return resources.read(uri, { signal: signalOf(context), callerKey: principal && callerKey(principal) });
  });
  server.setRequestHandler("prompts/list", () => ({ prompts: [PROMPT] }));
  server.setRequestHandler("prompts/get", ({ params }, context) => {
    const { readsOnly } = callRights(principalOf(context), undefined);
    return promptText(service, params, { readOnly, readsOnly, split, redactor, signal: signalOf(context) });
  });
  server.setRequestHandler("completion/complete", async ({ params: { ref, argument } }, context) => ({
    completion:
      ref.type === "ref/prompt"
        ? { ...(await completePrompt(service, ref.name, argument, { redactor, signal: signalOf(context) })) }
        : { ...(await resources.complete(ref.uri, argument.value, signalOf(context))) },
  }));
  return server;
}

const isAnswer = (result: CallToolResult | InputRequiredResult): result is CallToolResult => Array.isArray(result["content"]);

/** Cache hints for lists that change with the process only. */
const LASTING = { ttlMs: 3_600_000, cacheScope: "private" } as const;

/** Said with each request since 2026-07-28, and once at the start before that. */
function capabilitiesOf(server: Server, { mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope;
  return (envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? server.getClientCapabilities();
}

/** Name and version that the client states of itself, in the same places as its capabilities. */
function statedBy(server: Server, { mcpReq }: ServerContext): Pick<Caller, "name" | "version"> {
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope;
  const stated = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  if (!isSpecType.Implementation(stated)) return {};
  return { name: stated.name, version: stated.version };
}

interface ConnectionState extends Pick<CallOptions, "callerKey"> {
  readonly caller: Caller;
  readonly approvals: Approvals;
  /** The client's capabilities, as far as it has stated them. */
  readonly capabilities: ClientCapabilities | undefined;
  readonly rights: CallRights;
  /** Name of the tool that is called. */
  readonly tool: string;
}

async function callTool(
  service: ShellService,
  given: unknown,
  context: ServerContext,
  { approvals, capabilities, caller, callerKey: key, rights, tool }: ConnectionState,
  options: ShelpaServerOptions,
): Promise<CallToolResult | InputRequiredResult> {
  const read = requestOf(given, options.structured);
  if ("answer" in read) return read.answer;
  const { request } = read;
  const progress = reportProgress(context, options.log);
  try {
    const mayApprove = rights.mayNotApprove === undefined;
    const agreed = mayApprove ? approvals.answered(request, context) : undefined;
    const approved = agreed === undefined || agreed === "declined" ? {} : { approved: agreed };
    const signal = signalOf(context);
    let question: InputRequiredResult | undefined;
    const asks = async (result: RunResult): Promise<boolean> => {
      if (!approvals.mayAsk(result, capabilities)) return false;
      const previews = await service.preview(request, signal, { session: options.session, callerKey: key, ...rights });
      if (previews === undefined || (previews.length === 0 && result.kind === "refused" && needsWrites(result))) return false;
      question = await approvals.ask(request, previews, reasonsToAsk(result), context);
      return true;
    };
    const call: CallOptions = {
      onProgress: progress?.update,
      session: options.session,
      caller,
      callerKey: key,
      ...rights,
      asks: mayApprove && agreed === undefined ? asks : undefined,
      onEnded: (call) => options.onCallEnded?.({ ...call, tool, traceparent: traceparentOf(context) }, context),
    };
    const answer = await answeredCall(service, { ...request, ...approved }, signal, call, options);
    return question ?? answer;
  } finally {
    progress?.end();
  }
}

function traceparentOf({ mcpReq }: ServerContext): string | undefined {
  const traceparent = mcpReq._meta?.[TRACEPARENT_META_KEY];
  return typeof traceparent === "string" ? traceparent : undefined;
}

/** Reasons for asking a human: the rules that the guard names for the line. */
const reasonsToAsk = (result: RunResult): readonly string[] =>
  result.kind === "refused" ? result.violations.flatMap(({ rule, detail }) => (rule === undefined ? [] : [`${rule}: ${detail}`])) : [];

/** Progress notifications for a long call; undefined where the client gave no token. */
function reportProgress(
  { mcpReq }: ServerContext,
  log: (line: string) => void,
): { update: (progress: RunProgress) => void; end: () => void } | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let printed = "";
  let seconds = 0;
  const timer = setInterval(() => {
    seconds++;
    const message = `${seconds} s${printed}`;
    mcpReq
      .notify({ method: "notifications/progress", params: { progressToken, progress: seconds, message } })
      .catch((error: unknown) => log(`progress was not sent: ${String(error)}`));
  }, PROGRESS_INTERVAL_MS);
  return {
    update: ({ outputBytes, stage }) => {
      printed = `, ${outputBytes} bytes of output${stage === undefined ? "" : `, in ${shortName(stage, MOST_STAGE_CHARACTERS)}`}`;
    },
    end: () => clearInterval(timer),
  };
}
