/**
 * The tool `shelpa_pipe` without a protocol, for agents that run in the same process as their tools: the description, the arguments and
 * the answers are those of the MCP server.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { DEFAULT_POLICY } from "../config/policy.ts";
import { answeredCall, requestOf } from "../mcp/answered-call.ts";
import { Redactor } from "../mcp/redaction.ts";
import { createShellService } from "../mcp/service.ts";
import { INPUT_SCHEMA, toolDefinitions } from "../mcp/tool.ts";
import { SHELL_CLOSED } from "../session/shell-closed.ts";
import type { ShellOptions } from "../session/shell.ts";

export interface AgentToolOptions extends ShellOptions {
  /** Most characters of standard output in one answer; default 30,000. */
  readonly maxOutputCharacters?: number;
  /** Values of variables whose names are secret are taken out of answers; default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** For faults of ours, one line each; default: standard error. */
  readonly log?: (line: string) => void;
}

/** A tool for the model of an agent. One agent's calls share a session: its directory, its /tmp, its `@out`. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObjectSchema;
  /** Runs one call. Never rejects: a refusal, a limit and a fault of ours are answers, with `isError`. */
  call(given: unknown, signal?: AbortSignal): Promise<AgentAnswer>;
  /** Ends what still runs, and the process of lines. */
  close(): Promise<void>;
}

export interface JsonObjectSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

export interface AgentAnswer {
  /** What the model is to read. */
  readonly text: string;
  readonly isError: boolean;
}

/** Opens a shell and makes a tool of it. Rejects as `Shell.open` does. */
export async function openAgentTool({
  maxOutputCharacters,
  environment = process.env,
  log = (line) => void process.stderr.write(`shelpa-mcp: ${line}\n`),
  ...options
}: AgentToolOptions): Promise<AgentTool> {
  const given = options.policy ?? DEFAULT_POLICY;
  const policy = { ...given, readOnly: options.readOnly ?? given.readOnly, redirects: options.redirects ?? given.redirects };
  const { aliases = [], isolation = "process" } = options;
  const service = await createShellService({ ...options, policy, aliases, isolation });
  const session = service.openSession();
  const redactor = new Redactor(policy.redaction, environment);
  let isClosed = false;
  // A line that goes on when the tool is closed loses its process, which is no fault.
  const logged = (line: string): void => (isClosed ? undefined : log(line));
  const answering = { redactor, log: logged, ...(maxOutputCharacters === undefined ? {} : { maxOutputCharacters }) };
  const facts = { commandNames: service.commandNames, readOnly: policy.readOnly, recordsRedirects: policy.redirects === "record" };
  const [definition] = toolDefinitions({ ...facts, structured: false, split: false });
  return {
    name: definition?.name ?? "",
    description: definition?.description ?? "",
    parameters: INPUT_SCHEMA,
    call: async (args, signal = NEVER) => {
      if (isClosed) return { text: SHELL_CLOSED, isError: true };
      const read = requestOf(args);
      const answer = "answer" in read ? read.answer : await answeredCall(service, read.request, signal, { session }, answering);
      return { text: textOf(answer), isError: answer.isError === true };
    },
    close: () => {
      isClosed = true;
      return service.close();
    },
  };
}

const NEVER = new AbortController().signal;

const textOf = ({ content }: CallToolResult): string => content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
