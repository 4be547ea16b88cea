/**
 * Runs a command line of the server's own, for a resource, a prompt or a completion: it sees what a call may see, and no
 * more.
 */
import { redactedAnswer, type Redactor } from "./redaction.ts";
import type { ShellService } from "./shell-service.ts";

export interface LookUp {
  /** Standard output, without secrets. */
  readonly stdout: string;
  readonly exit: number;
}

/** Runs `line` in `cwd` (default: the root). undefined where it did not run to its end, as where the policy leaves a builtin out. */
export async function lookUp(
  service: ShellService,
  line: string,
  { signal, redactor, cwd = "" }: { readonly signal: AbortSignal; readonly redactor?: Redactor | undefined; readonly cwd?: string },
): Promise<LookUp | undefined> {
  const plain = await service.call({ command: line, cwd }, signal, { isLookUp: true });
  const answer = redactor === undefined ? plain : await redactedAnswer(plain, redactor);
  if (answer.result.kind !== "completed") return undefined;
  const { bytes } = answer.stdout;
  return { stdout: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"), exit: answer.result.exit };
}
