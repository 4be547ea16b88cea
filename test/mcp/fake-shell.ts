/** A ShellService that answers from a function, and the answers tests need most. */
import type { Completed, RunProgress, RunReport, RunResult, StageReport } from "../../src/exec/result.ts";
import { KeptOutputs } from "../../src/mcp/kept-outputs.ts";
import type { CallOptions, KeptOutput, OpenSession, ShellAnswer, ShellRequest, ShellService } from "../../src/mcp/shell-service.ts";

export type Responder = (
  request: ShellRequest,
  signal: AbortSignal,
  onProgress: (progress: RunProgress) => void,
) => ShellAnswer | Promise<ShellAnswer>;

/** Names for a tool description of about the real length. */
export const COMMAND_NAMES =
  "awk base64 basename cat cd cksum cmp column comm cut date diff dirname du echo expand fd file find fold grep head help history join jq ls md5sum nl od paste policy printf pwd readlink realpath rg sed seq sha256sum sort stat strings tac tail tee test tr tree type uniq wc xargs xxd yes".split(
    " ",
  );

export class FakeShell implements ShellService {
  readonly commandNames = COMMAND_NAMES;
  readonly requests: ShellRequest[] = [];
  isClosed = false;
  keepsSessions = false;
  #opened = 0;
  #printed = 0;
  readonly #outputs = new KeptOutputs();
  readonly #respond: Responder;

  constructor(respond: Responder = ({ command }) => completed({ stdout: `ran ${command}\n` })) {
    this.#respond = respond;
  }

  async call(
    request: ShellRequest,
    signal: AbortSignal,
    { onProgress = () => undefined, callerKey }: CallOptions = {},
  ): Promise<ShellAnswer> {
    this.requests.push(request);
    const answer = await this.#respond(request, signal, onProgress);
    if (answer.stdout.bytes.length === 0) return answer;
    return { ...answer, output: this.keep(answer.stdout.bytes, callerKey, request.command) };
  }

  /** Keeps `bytes` as if a line had printed them. */
  keep(bytes: Uint8Array, callerKey?: string, command = "printed"): KeptOutput {
    const session = { handle: "default", nextOutputNumber: () => ++this.#printed };
    return this.#outputs.add(session, command, { bytes, totalBytes: bytes.length, totalLines: countLines(bytes) }, callerKey);
  }

  keptOutput(id: string, callerKey: string | undefined): KeptOutput | undefined {
    return this.#outputs.get(id, callerKey);
  }

  keptOutputs(): readonly KeptOutput[] {
    return this.#outputs.list();
  }

  closeSession(): void {}

  isRootThere(): boolean {
    return true;
  }

  journalBytes(): number {
    return 0;
  }

  openSession(): OpenSession {
    return { handle: `session ${++this.#opened}` };
  }

  async preview(): Promise<undefined> {
    return undefined;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

export interface CompletedFacts {
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string | Uint8Array;
  /** Size of the whole output, where more was printed than kept. */
  readonly totalBytes?: number;
  readonly totalLines?: number;
  readonly exit?: number;
  readonly cwd?: string;
  readonly startedIn?: string;
  readonly notes?: readonly string[];
  readonly stages?: readonly StageReport[];
  readonly receipts?: Completed["receipts"];
}

export const completed = (facts: CompletedFacts): ShellAnswer =>
  answerWith({ kind: "completed", exit: facts.exit ?? 0, ...reportOf(facts) }, facts);

/** Report of every run, without the way it ended. The MCP answer takes sizes from the capture, not from here. */
export function reportOf({ stages = [], receipts = [], cwd = "" }: CompletedFacts = {}): RunReport {
  return { outputBytes: 0, outputLines: 0, stages, receipts, currentDirectory: cwd, previousDirectory: undefined, unsetVariables: [] };
}

export function answerWith(result: RunResult, facts: CompletedFacts = {}): ShellAnswer {
  const stdout = bytesOf(facts.stdout ?? "");
  const stderr = bytesOf(facts.stderr ?? "");
  return {
    result,
    stdout: { bytes: stdout, totalBytes: facts.totalBytes ?? stdout.length, totalLines: facts.totalLines ?? countLines(stdout) },
    stderr: { bytes: stderr, totalBytes: stderr.length, totalLines: countLines(stderr) },
    startedIn: facts.startedIn ?? facts.cwd ?? "",
    cwd: facts.cwd ?? "",
    notes: facts.notes ?? [],
  };
}

export const stage = (command: string, outputBytes = 0, exit: number | null = 0): StageReport => ({
  command,
  outputBytes,
  elapsedMs: 1.4,
  exit,
});

/** Resolves with `answer` once the call is aborted. */
export const untilAborted = (signal: AbortSignal, answer: ShellAnswer): Promise<ShellAnswer> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(answer)));

const bytesOf = (content: string | Uint8Array): Uint8Array => (typeof content === "string" ? Buffer.from(content) : content);

function countLines(bytes: Uint8Array): number {
  let lines = bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0;
  for (const byte of bytes) if (byte === 10) lines++;
  return lines;
}
