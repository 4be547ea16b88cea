/**
 * Asks a human about a write that needs approval. A preview finds what would be written without writing it, the question
 * shows the differences, and the write that follows must be exactly that one. The SDK carries the question in either
 * protocol era.
 */
import {
  acceptedContent,
  type ClientCapabilities,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { WritePreview } from "../audit/preview.ts";
import type { AgreedWrites } from "../builtin/recorder.ts";
import { lacksOnlyApproval } from "../exec/lacks-approval.ts";
import type { RunResult } from "../exec/result.ts";
import * as z from "zod";
import { type RequestFacts, requestFactsOf } from "./request-facts.ts";
import type { ShellRequest } from "./shell-service.ts";
import { showName, showText } from "../display/visible.ts";

/** The question as it was asked, sealed by this server and brought back by the client. */
interface Question {
  /** SHA-256 of the request it was asked about. */
  readonly request: string;
  /** Path, SHA-256 of what is given to be written, of the file as it was, and as it will be. */
  readonly writes: readonly (readonly [path: string, content: string, before: string | null, after: string | null])[];
  /** Random; different for each question. */
  readonly id: string;
}

/** The name of the question in a request for input. */
const ANSWER = "approval";
const approval = z.object({ approve: z.boolean() });
const challenge = z.object({ file_name: z.string() });

export interface ApprovalOptions {
  /**
   * True if a human is asked about files that run by themselves and about large writes. About a line's severity one is
   * always asked.
   */
  readonly asks: boolean;
  /** The human types the file's name. */
  readonly challenge: boolean;
}

/** Time in which a question may be answered, in seconds. */
const ANSWER_SECONDS = 600;

export class Approvals {
  readonly #options: ApprovalOptions;
  readonly #codec = createRequestStateCodec<Question>({
    key: randomBytes(32),
    ttlSeconds: ANSWER_SECONDS,
    // An answer is of use to the caller alone that was asked.
    bind: (context) => JSON.stringify([context.mcpReq.method, ...boundTo(requestFactsOf(context))]),
  });
  /** Questions that were agreed to, with the time from which on their answer is too late anyhow (performance.now()). */
  readonly #used = new Map<string, number>();

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  /** For the server's options: checks what comes back from the client. */
  readonly verify = (state: string, context: ServerContext): Promise<Question> => this.#codec.verify(state, context);

  /** Tells whether human approval is all that the line lacks, and the client can ask for it. */
  mayAsk(result: RunResult, capabilities: ClientCapabilities | undefined): boolean {
    return capabilities?.elicitation !== undefined && lacksOnlyApproval(result, this.#options.asks);
  }

  /** Tells whether the human types the file's name. Without a write there is no name to type. */
  #isChallenge(writes: readonly unknown[]): boolean {
    return this.#options.challenge && writes.length > 0;
  }

  /** The question about `previews`, as the result of the call. `reasons` are why, a sentence each. */
  async ask(
    request: ShellRequest,
    previews: readonly WritePreview[],
    reasons: readonly string[],
    context: ServerContext,
  ): Promise<InputRequiredResult> {
    const question: Question = {
      request: digestOf(request),
      writes: previews.map(({ path, sha256, before, after }) => [path, sha256, before, after]),
      id: randomUUID(),
    };
    return inputRequired({
      inputRequests: {
        [ANSWER]: inputRequired.elicit({
          message: messageOf(request, previews, reasons, this.#isChallenge(previews)),
          requestedSchema: this.#isChallenge(previews) ? challenge : approval,
        }),
      },
      requestState: await this.#codec.mint(question, context),
    });
  }

  /**
   * The writes that the human agreed to, if this request brings their answer for the first time: an agreement holds for one
   * call. "declined" if they did not agree; undefined if the request brings no answer.
   */
  answered(request: ShellRequest, context: ServerContext): AgreedWrites | "declined" | undefined {
    const question = context.mcpReq.requestState<Question | undefined>();
    if (question === undefined || question.request !== digestOf(request) || this.#used.has(question.id)) return undefined;
    const responses = context.mcpReq.inputResponses;
    const isAgreed = this.#isChallenge(question.writes)
      ? question.writes.every(([path]) => showName(nameOf(path)) === acceptedContent(responses, ANSWER, challenge)?.file_name.trim())
      : acceptedContent(responses, ANSWER, approval)?.approve === true;
    if (!isAgreed) return "declined";
    this.#useUp(question.id);
    return new Map(question.writes.map(([path, content, before, after]) => [path, { content, before, after }]));
  }

  #useUp(id: string): void {
    const nowMs = performance.now();
    for (const [used, tooLateMs] of this.#used) if (tooLateMs < nowMs) this.#used.delete(used);
    this.#used.set(id, nowMs + 2 * ANSWER_SECONDS * 1000);
  }
}

function messageOf({ command }: ShellRequest, previews: readonly WritePreview[], reasons: readonly string[], isChallenge: boolean): string {
  const files = previews.map(({ path, created, appends, bytes, diff, change }) => {
    if (change !== undefined) return `${APPROVED[change]} ${showName(path)}\n\n${showText(diff)}`;
    const how = created ? "create" : appends ? "append to" : "replace";
    return `${how} ${showName(path)} (${bytes} bytes)\n\n${showText(diff)}`;
  });
  const [first] = previews;
  const how = isChallenge ? `To allow it, type the file's name: ${first === undefined ? "" : showName(nameOf(first.path))}` : "Allow it?";
  const what = files.length === 0 ? "run a line that writes nothing" : files.join("\n\n");
  const why = reasons.length === 0 ? ["Programs on this host may run or obey such files, or the write is unusually large."] : reasons;
  return `An agent wants to ${what}\nwith: ${showName(command)}\n\n${why.map(showName).join("\n")}\n${how}`;
}

const APPROVED: Readonly<Record<NonNullable<WritePreview["change"]>, string>> = {
  removed: "remove",
  "made a directory": "make the directory",
  "made a symbolic link": "make the symbolic link",
  touched: "set the attributes of",
};

const boundTo = (facts: RequestFacts | undefined): readonly unknown[] =>
  facts === undefined ? [] : [facts.workspace, facts.principal.name, facts.principal.subject];

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function digestOf({ command, cwd, stdin, session, confirmOversize }: ShellRequest): string {
  const parts = [command, cwd ?? null, stdin ?? null, session ?? null, confirmOversize ?? null];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
