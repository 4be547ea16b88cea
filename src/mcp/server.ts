/** The MCP server: one tool and the outputs it retained, for both protocol eras. */
import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type ReadResourceResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { renderAnswer, wireError } from "../guard/render.ts";
import type { Violation } from "../guard/violation.ts";
import { answerCall, answerFault, DEFAULT_MAX_OUTPUT_CHARACTERS } from "./answer.ts";
import { Approvals } from "./approval.ts";
import { ArgumentError, readArguments } from "./call-arguments.ts";
import { OUTPUT_URI, OutputStore } from "./output-store.ts";
import { redactedAnswer, type Redactor } from "./redaction.ts";
import type { ShellRequest, ShellService } from "./shell-service.ts";
import { instructions, TOOL_NAME, toolDefinition } from "./tool.ts";

export interface ShelpaServerOptions {
  readonly version: string;
  readonly readOnly: boolean;
  /** Shows control and invisible characters of an output as they are. */
  readonly rawOutput?: boolean;
  /** Asks a human about a write that needs one. Default: nobody is asked. Shared as `outputs` is. */
  readonly approvals?: Approvals;
  /** The policy in force, for the resource of that name; undefined: there is none. */
  readonly policyText?: string;
  /** Takes secrets out of what is shown. */
  readonly redactor?: Redactor;
  /** Most characters of standard output in one answer. */
  readonly maxOutputCharacters?: number;
  /** For faults of ours; one line each. Never standard output: that is the protocol's. */
  readonly log: (line: string) => void;
  /** Shared by the servers of one process, so that a reconnecting client still finds its outputs. */
  readonly outputs?: OutputStore;
}

/** A call that takes longer is reported once in this time, in milliseconds, where the client asked for progress. */
const PROGRESS_INTERVAL_MS = 1000;

/**
 * An unconnected server over `service`. It knows no state of the connection, so it answers a `tools/call` without
 * any handshake; the SDK's entry decides which revision's words it speaks.
 */
export function createShelpaServer(service: ShellService, options: ShelpaServerOptions): Server {
  const outputs = options.outputs ?? new OutputStore();
  const approvals = options.approvals ?? new Approvals({ asks: false, challenge: false });
  const server = new Server(
    { name: "shelpa-mcp", title: "shelpa", version: options.version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: instructions(options.readOnly),
      requestState: { verify: approvals.verify },
      cacheHints: { "tools/list": LASTING, "server/discover": LASTING },
    },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: [toolDefinition({ commandNames: service.commandNames, readOnly: options.readOnly })],
  }));
  server.setRequestHandler("tools/call", (request, context) => {
    const { name, arguments: given = {} } = request.params;
    if (name !== TOOL_NAME) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown tool '${name}': the only one is ${TOOL_NAME}`);
    }
    return callTool(service, given, context, { outputs, approvals, capabilities: capabilitiesOf(server, context) }, options);
  });
  server.setRequestHandler("resources/list", () => ({
    resources: [
      ...(options.policyText === undefined ? [] : [POLICY_RESOURCE]),
      ...outputs.list().map(({ uri, command, bytes }) => ({
        uri,
        name: shortened(command),
        description: "whole output of a recent call",
        mimeType: isUtf8(bytes) ? "text/plain" : "application/octet-stream",
        size: bytes.length,
      })),
    ],
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ uriTemplate: `${OUTPUT_URI}{id}`, name: "output", description: "whole output of a recent call" }],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) =>
    uri === POLICY_RESOURCE.uri && options.policyText !== undefined
      ? { contents: [{ uri, mimeType: POLICY_RESOURCE.mimeType, text: options.policyText }] }
      : readOutput(outputs, uri),
  );
  return server;
}

const POLICY_RESOURCE = {
  uri: "shelpa://policy",
  name: "policy",
  description: "what may be read, written and run here, and up to which limits",
  mimeType: "text/plain",
} as const;

/** The tool list changes with the process only. */
const LASTING = { ttlMs: 3_600_000, cacheScope: "private" } as const;

/** Said with each request since 2026-07-28, and once at the start before that. */
function capabilitiesOf(server: Server, { mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope;
  return (envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? server.getClientCapabilities();
}

interface ConnectionState {
  readonly outputs: OutputStore;
  readonly approvals: Approvals;
  /** What the client can do, as far as it has said so. */
  readonly capabilities: ClientCapabilities | undefined;
}

async function callTool(
  service: ShellService,
  given: unknown,
  context: ServerContext,
  { outputs, approvals, capabilities }: ConnectionState,
  options: ShelpaServerOptions,
): Promise<CallToolResult | InputRequiredResult> {
  let request: ShellRequest;
  try {
    request = readArguments(given);
  } catch (error) {
    if (error instanceof ArgumentError) return answerArgumentError(error);
    throw error;
  }
  const progress = reportProgress(context, options.log);
  try {
    const agreed = approvals.answered(request, context);
    const approved = agreed === undefined || agreed === "declined" ? {} : { approved: agreed };
    const plain = await service.call({ ...request, ...approved }, context.mcpReq.signal, progress.update);
    if (agreed === undefined && approvals.mayAsk(plain, capabilities)) {
      const previews = await service.preview(request, context.mcpReq.signal);
      if (previews !== undefined && previews.length > 0) return await approvals.ask(request, previews, context);
    }
    const answer = options.redactor === undefined ? plain : redactedAnswer(plain, options.redactor);
    if (answer.result.kind === "faulted") options.log(`fault ${answer.result.faultId}: ${answer.result.message}`);
    return await answerCall(request, answer, {
      outputs,
      rawOutput: options.rawOutput ?? false,
      maxOutputCharacters: options.maxOutputCharacters ?? DEFAULT_MAX_OUTPUT_CHARACTERS,
    });
  } catch (error) {
    const faultId = randomUUID();
    options.log(`fault ${faultId}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return answerFault(request, faultId);
  } finally {
    progress.end();
  }
}

/** Progress notifications for a long call, where the client gave a token. */
function reportProgress(
  { mcpReq }: ServerContext,
  log: (line: string) => void,
): { update: (progress: { outputBytes: number }) => void; end: () => void } {
  const progressToken = mcpReq._meta?.progressToken;
  let printed = "";
  let seconds = 0;
  const timer =
    progressToken === undefined
      ? undefined
      : setInterval(() => {
          seconds++;
          const message = `${seconds} s${printed}`;
          mcpReq
            .notify({ method: "notifications/progress", params: { progressToken, progress: seconds, message } })
            .catch((error: unknown) => log(`progress was not sent: ${String(error)}`));
        }, PROGRESS_INTERVAL_MS);
  return { update: (progress) => void (printed = `, ${progress.outputBytes} bytes of output`), end: () => clearInterval(timer) };
}

function answerArgumentError({ message, suggestion }: ArgumentError): CallToolResult {
  const violation: Violation = { code: "USAGE", reason: "USAGE", detail: message, suggestion: undefined, position: undefined };
  const { error } = wireError("", violation);
  const corrected = suggestion === undefined ? null : JSON.stringify(suggestion);
  const rendered = renderAnswer("", violation);
  return {
    isError: true,
    content: [{ type: "text", text: corrected === null ? rendered : `${rendered}try: ${corrected}\n` }],
    structuredContent: { error: { ...error, suggestion: corrected } },
  };
}

function readOutput(outputs: OutputStore, uri: string): ReadResourceResult {
  const output = outputs.get(uri);
  if (output === undefined) throw new ResourceNotFoundError(uri, `${uri} is no output of a recent call; run the command again`);
  const { bytes } = output;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    contents: [
      isUtf8(buffer)
        ? { uri, mimeType: "text/plain", text: buffer.toString("utf8") }
        : { uri, mimeType: "application/octet-stream", blob: buffer.toString("base64") },
    ],
  };
}

const shortened = (command: string): string => (command.length <= 80 ? command : `${command.slice(0, 79)}…`);
