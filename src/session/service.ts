/** What the MCP server asks of the shell, over sessions. */
import type { CapturedOutput, ShellAnswer, ShellProgress, ShellRequest, ShellService, ShellServiceOptions } from "../mcp/shell-service.ts";
import { countByte } from "../io/count-byte.ts";
import { Shell, type RunOutcome } from "./shell.ts";

/** Most that is kept of one stream, in bytes; the rest is counted. */
const CAPTURE_BYTES = 8 << 20;

/** Rejects with FileError where the root cannot be opened. */
export async function createShellService(options: ShellServiceOptions): Promise<ShellService> {
  return new SessionService(await Shell.open({ ...options, client: "mcp" }));
}

class SessionService implements ShellService {
  readonly commandNames: readonly string[];
  readonly #shell: Shell;

  constructor(shell: Shell) {
    this.#shell = shell;
    this.commandNames = shell.builtinNames;
  }

  async call(request: ShellRequest, signal: AbortSignal, onProgress?: (progress: ShellProgress) => void): Promise<ShellAnswer> {
    const notes: string[] = [];
    let session = this.#shell.defaultSession;
    if (request.session !== undefined) {
      const known = this.#shell.session(request.session);
      session = known ?? this.#shell.newSession();
      if (known === undefined) notes.push(`That session is not known (any more); this is a new one: session ${session.handle}`);
    }
    const startedIn = request.cwd ?? session.currentDirectory;
    let outputBytes = 0;
    const outcome = await session.run(request.command, {
      signal,
      keepBytes: CAPTURE_BYTES,
      onOutput: (block) => onProgress?.({ outputBytes: (outputBytes += block.length) }),
      ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
      ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
      ...(request.timeoutSeconds === undefined ? {} : { timeMs: request.timeoutSeconds * 1000 }),
      ...(request.confirmOversize === undefined ? {} : { confirmOversize: request.confirmOversize }),
      ...(request.dryRun === undefined ? {} : { dryRun: request.dryRun }),
    });
    return { result: outcome.result, ...captured(outcome), startedIn, cwd: session.currentDirectory, notes };
  }

  async close(): Promise<void> {
    await this.#shell.close();
  }
}

function captured({ result, stdout, stderr }: RunOutcome): { stdout: CapturedOutput; stderr: CapturedOutput } {
  const counted = result.kind === "refused" || result.outputBytes < stdout.length ? undefined : result;
  return {
    stdout: { bytes: stdout, totalBytes: counted?.outputBytes ?? stdout.length, totalLines: counted?.outputLines ?? countLines(stdout) },
    stderr: { bytes: stderr, totalBytes: stderr.length, totalLines: countLines(stderr) },
  };
}

const countLines = (bytes: Buffer): number => countByte(bytes, 10) + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0);
