/** One call, `echo ok`, as a client of each era of the protocol would make it, and the answer to it. */
import { conversationWith } from "../../exec/own-server.ts";
import { TOOL_NAME } from "../../mcp/tool-name.ts";
import { VERSION } from "../version.ts";

const CLIENT_INFO = { name: "shelpa-mcp doctor", version: VERSION };
const CALL = { name: TOOL_NAME, arguments: { command: "echo ok" } };
const CALL_ID = 2;

const lines = (messages: readonly object[]): string => messages.map((message) => `${JSON.stringify(message)}\n`).join("");

/** By revision: the lines that go to the server's standard input. */
export const CONVERSATIONS = {
  "2025-11-25": lines([
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: CLIENT_INFO },
    },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: CALL_ID, method: "tools/call", params: CALL },
  ]),
  "2026-07-28": lines([
    {
      jsonrpc: "2.0",
      id: CALL_ID,
      method: "tools/call",
      params: {
        ...CALL,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    },
  ]),
} as const;

export interface CallAnswer {
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text?: string }[]; readonly _meta?: { readonly exit_code?: number } };
}

/** The answer to the call among the lines of a server's standard output; undefined where there is none. */
export function answerIn(output: string): CallAnswer | undefined {
  for (const line of output.split("\n")) {
    const message = messageIn(line);
    if (message?.id === CALL_ID) return message;
  }
  return undefined;
}

/** The last line of a server that was ended may be cut. */
function messageIn(line: string): CallAnswer | undefined {
  try {
    return JSON.parse(line) as CallAnswer;
  } catch {
    return undefined;
  }
}

/** True for the answer that the call has. */
export const isAnswered = (answer: CallAnswer | undefined): boolean =>
  answer?.result?._meta?.exit_code === 0 && answer.result.content?.[0]?.text === "ok\n";

/** Time for a server to start, answer and end. */
export const START_MS = 30_000;

/** "no answer" with the reason, and the first line of what the server complained. */
export const noAnswer = (failure: string | undefined, errors: string): string =>
  ["no answer", failure ?? "", errors.trim().split("\n")[0] ?? ""].filter((part) => part !== "").join(": ");

/** One conversation with a client's server: the lack of an answer, in words, or undefined; and the time that it took, "276 ms". */
export async function trial(
  words: readonly [string, ...string[]],
  directory: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly lack: string | undefined; readonly took: string }> {
  const startedMs = performance.now();
  const input = CONVERSATIONS["2025-11-25"];
  const { output, errors, failure } = await conversationWith({ words, directory, environment, input, timeoutMs: START_MS });
  const lack = isAnswered(answerIn(output)) ? undefined : noAnswer(failure, errors);
  return { lack, took: `${Math.round(performance.now() - startedMs)} ms` };
}
