/** One call of the tool, from its arguments to what the caller is shown: run, redacted, shaped. The MCP server and the adapters share it. */
import { randomUUID } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { renderAnswer, wireError } from "../guard/render.ts";
import type { Violation } from "../guard/violation.ts";
import { thrownText } from "../display/thrown-text.ts";
import { showJson } from "../display/visible.ts";
import { answerCall, answerFault, DEFAULT_MAX_OUTPUT_CHARACTERS, type AnswerOptions } from "./answer.ts";
import { errorAnswer } from "./answer-data.ts";
import { ArgumentError, readArguments } from "./call-arguments.ts";
import { redactedAnswer, type Redactor } from "./redaction.ts";
import type { CallOptions, ShellRequest, ShellService } from "./shell-service.ts";

export interface AnsweringOptions extends Partial<Pick<AnswerOptions, "rawOutput" | "structured" | "maxOutputCharacters">> {
  /** Takes secrets out of what is shown. */
  readonly redactor?: Redactor;
  /** For faults of ours; one line each. */
  readonly log: (line: string) => void;
}

/** The request that the arguments of a call make, or the answer that says why they make none. */
export function requestOf(given: unknown, structured?: boolean): { readonly request: ShellRequest } | { readonly answer: CallToolResult } {
  try {
    return { request: readArguments(given) };
  } catch (error) {
    if (error instanceof ArgumentError) return { answer: answerArgumentError(error, structured) };
    throw error;
  }
}

/** Never rejects: a fault of ours is logged, and answered with its id. */
export async function answeredCall(
  service: ShellService,
  request: ShellRequest,
  signal: AbortSignal,
  call: CallOptions,
  options: AnsweringOptions,
): Promise<CallToolResult> {
  const { structured = false, rawOutput = false, maxOutputCharacters = DEFAULT_MAX_OUTPUT_CHARACTERS, redactor, log } = options;
  try {
    const plain = await service.call(request, signal, call);
    const answer = redactor === undefined ? plain : await redactedAnswer(plain, redactor);
    if (answer.result.kind === "faulted") log(`fault ${answer.result.faultId}: ${answer.result.message}`);
    return answerCall(request, answer, { rawOutput, structured, maxOutputCharacters, commandNames: service.commandNames });
  } catch (error) {
    const faultId = randomUUID();
    log(`fault ${faultId}: ${thrownText(error, { hasStack: true })}`);
    return answerFault(request, faultId, structured);
  }
}

function answerArgumentError({ message, suggestion }: ArgumentError, structured = false): CallToolResult {
  const violation: Violation = { code: "USAGE", reason: "USAGE", detail: message, suggestion: undefined, position: undefined };
  const { error } = wireError("", violation);
  const corrected = suggestion === undefined ? null : showJson(suggestion);
  const rendered = renderAnswer("", violation);
  // No line of the shell, and so no try.
  const shown = corrected === null ? rendered : `${rendered}Call it with these arguments: ${corrected}\n`;
  return errorAnswer([shown], { error: { ...error, suggestion: corrected } }, structured);
}
