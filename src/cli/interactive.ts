/**
 * `shelpa-mcp --interactive`: a prompt in front of the server itself. A command line is the tool call an agent would
 * make, a JSON-RPC message is sent as it stands; the answers are shown for a person.
 */
import { PassThrough } from "node:stream";
import { serveOverStdio } from "../mcp/serve-stdio.ts";
import type { ShelpaServerOptions } from "../mcp/server.ts";
import type { ShellService } from "../mcp/shell-service.ts";
import { TOOL_NAME, WRITING_TOOL_NAME } from "../mcp/tool-name.ts";
import { showJson } from "../display/visible.ts";
import { ProgressLine } from "./progress-line.ts";
import { TypedLines } from "./typed-lines.ts";

const HELP = `A command line is run as an agent's call of ${TOOL_NAME} would be, with the answer an agent gets.
A JSON-RPC message, on one line, is sent to the server as it stands:
  {"jsonrpc":"2.0","id":1,"method":"tools/list"}
Ctrl-C ends the line that is running, or drops the one being typed. 'quit' or Ctrl-D leaves.
'help NAME' tells of a builtin; these there are:
`;

export interface InteractiveStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Receives the answers. */
  readonly output: NodeJS.WritableStream;
  /** Receives the prompt and everything but the answers. */
  readonly terminal: NodeJS.WriteStream;
}

/** Reads and answers until `quit`, the end of input, or `stop`. */
export async function interactive(
  service: ShellService,
  options: ShelpaServerOptions,
  { input, output, terminal }: InteractiveStreams,
  stop: AbortSignal,
): Promise<void> {
  const lines = new TypedLines({ input, output: terminal });
  const progress = new ProgressLine(terminal);
  const talk = new Talk(service, options, {
    show: (text) => {
      progress.clear();
      output.write(text);
    },
    progress: (text) => progress.show(text),
  });
  const end = (): void => lines.close();
  stop.addEventListener("abort", end);
  if (input.isTTY === true) terminal.write("shelpa-mcp: a command line, or a JSON-RPC message; 'help' tells more, 'quit' leaves\n");
  try {
    for (;;) {
      const typed = await lines.next("> ");
      if (typed.kind === "end") return;
      if (typed.kind === "dropped" || typed.line.trim() === "") continue;
      const { line } = typed;
      if (/^\s*(quit|exit)\s*$/.test(line)) return;
      if (line.trim() === "help") output.write(HELP);
      const ending = await lines.interruptibly((signal) => talk.say(line, signal));
      progress.clear();
      if (ending === "cancelled") terminal.write("cancelled\n");
    }
  } finally {
    stop.removeEventListener("abort", end);
    lines.close();
    await talk.end();
  }
}

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>>; readonly progressToken?: unknown; readonly message?: string };
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
}

interface Shown {
  readonly show: (text: string) => void;
  readonly progress: (text: string) => void;
}

const ENVELOPE_KEY = "io.modelcontextprotocol/protocolVersion";

/** Conversation with the server: messages to it and its answers. */
class Talk {
  readonly #connect: () => Connection;
  readonly #shown: Shown;
  /** The tool that takes every line. */
  readonly #tool: string;
  /** One for each era, because the first message of a connection decides which one it speaks. */
  readonly #connections = new Map<"enveloped" | "plain", Connection>();
  #lastCall = 0;
  /** Gets every message while an answer is awaited; true if the message is that answer. */
  #onMessage: (message: Message) => boolean = () => false;

  constructor(service: ShellService, options: ShelpaServerOptions, shown: Shown) {
    this.#shown = shown;
    this.#tool = options.split === true && !options.readOnly ? WRITING_TOOL_NAME : TOOL_NAME;
    this.#connect = () => new Connection(service, options, (message) => this.#receive(message));
  }

  /** Resolves once there is nothing more to wait for; aborting `signal` cancels the call. */
  async say(line: string, signal: AbortSignal): Promise<"answered" | "cancelled"> {
    if (/^\s*(\{\s*"|\[\s*\{)/.test(line)) return this.#send(line, parsed(line), signal);
    const id = `line ${++this.#lastCall}`;
    const params = { name: this.#tool, arguments: { command: line }, _meta: { progressToken: id } };
    const message = { jsonrpc: "2.0", id, method: "tools/call", params };
    return this.#send(JSON.stringify(message), message, signal);
  }

  async end(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.end()));
  }

  async #send(line: string, message: Message | undefined, signal: AbortSignal): Promise<"answered" | "cancelled"> {
    const era = message?.params?._meta?.[ENVELOPE_KEY] === undefined ? "plain" : "enveloped";
    const connection = this.#connections.get(era) ?? this.#connect();
    this.#connections.set(era, connection);
    const id = message?.id;
    const answer = new Promise<"answered" | "cancelled">((resolve) => {
      this.#onMessage = (received) => {
        const isOurs = received.method === undefined && (received.id === id || received.id === null || received.id === undefined);
        if (isOurs) this.#showAnswer(received, id === `line ${this.#lastCall}`);
        // A message with both is a question to the client: only the person who types can answer it.
        if (isOurs || (received.method !== undefined && received.id !== undefined)) resolve("answered");
        return isOurs;
      };
      signal.addEventListener("abort", () => {
        if (id !== undefined) connection.send(JSON.stringify(cancellation(id)));
        resolve("cancelled");
      });
    });
    connection.send(line);
    const asksForNone = message !== undefined && (message.method === undefined ? "result" in message : message.id === undefined);
    const ending = asksForNone ? "answered" : await answer;
    this.#onMessage = () => false;
    return ending;
  }

  #receive(message: Message): void {
    if (message.method === "notifications/progress" && String(message.params?.progressToken).startsWith("line ")) {
      this.#shown.progress(message.params?.message ?? "");
    } else if (!this.#onMessage(message)) this.#shown.show(pretty(message));
  }

  /** A command line's answer is its text; any other is shown whole. */
  #showAnswer(message: Message, isOfLine: boolean): void {
    const content = isOfLine ? message.result?.content : undefined;
    if (content === undefined) this.#shown.show(pretty(message));
    for (const { text = "" } of content ?? []) this.#shown.show(text === "" || text.endsWith("\n") ? text : `${text}\n`);
  }
}

/** A server of its own, fed and heard in this process. */
class Connection {
  readonly #input = new PassThrough();
  readonly #served: Promise<void>;

  constructor(service: ShellService, options: ShelpaServerOptions, onMessage: (message: Message) => void) {
    const output = new PassThrough();
    output.setEncoding("utf8");
    let rest = "";
    output.on("data", (piece: string) => {
      const heard = `${rest}${piece}`.split("\n");
      rest = heard.pop() ?? "";
      for (const line of heard) onMessage(JSON.parse(line) as Message);
    });
    this.#served = serveOverStdio(service, { ...options, input: this.#input, output, stop: new AbortController().signal });
  }

  send(line: string): void {
    this.#input.write(`${line}\n`);
  }

  end(): Promise<void> {
    this.#input.end();
    return this.#served;
  }
}

const cancellation = (requestId: string | number | null): object => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

const pretty = (message: Message): string => `${showJson(message, 2)}\n`;

/** The message in `line`; undefined where it is no JSON, which the server reports itself. */
function parsed(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined;
  }
}
