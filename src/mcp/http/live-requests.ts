/** Requests that a server is answering, with the callers they were let in for: they end where a caller's token is no longer taken. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { callerKey, type Principal } from "../principal.ts";
import { type Authenticator, isRefusal } from "./authenticator.ts";

export interface LetIn {
  readonly request: Pick<IncomingMessage, "headers">;
  readonly response: ServerResponse;
  /** Path of the endpoint. */
  readonly path: string;
  readonly workspace: string | undefined;
  readonly principal: Principal;
}

export interface LiveRequest {
  /** Aborts when the token is revoked. */
  readonly revoked: AbortSignal;
  /** For a stream, which nobody waits for: it ends when the token expires. */
  endAtExpiry(): void;
}

/** Longest time of a timer of Node's. */
const LONGEST_MS = 2 ** 31 - 1;

export class LiveRequests {
  readonly #all = new Map<LetIn, AbortController>();

  /** Keeps it until it has been answered, or its client has gone. */
  add(letIn: LetIn): LiveRequest {
    const { response, principal } = letIn;
    const revoked = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    this.#all.set(letIn, revoked);
    response.once("close", () => {
      clearTimeout(timer);
      this.#all.delete(letIn);
    });
    const endAtExpiry = (): void => {
      const leftMs = (principal.expiresMs ?? Infinity) - Date.now();
      if (leftMs <= 0) response.destroy();
      else if (leftMs < Infinity && !response.destroyed) timer = setTimeout(endAtExpiry, Math.min(leftMs, LONGEST_MS)).unref();
    };
    return { revoked: revoked.signal, endAtExpiry };
  }

  /**
   * Ends those whose token `authenticator` would not let in as they were: it is gone, or has lost a right or the workspace. A call that had
   * begun before its token expired goes on, and so does one whose token cannot be checked now. Gives the number of those that were ended.
   */
  async endRevoked(authenticator: Authenticator): Promise<number> {
    const all = await Promise.all(
      [...this.#all].map(async ([letIn, revoked]) => {
        if (await isStillLetIn(letIn, authenticator)) return 0;
        revoked.abort();
        letIn.response.destroy();
        return 1;
      }),
    );
    return all.reduce<number>((sum, ended) => sum + ended, 0);
  }
}

async function isStillLetIn({ request, path, workspace, principal }: LetIn, authenticator: Authenticator): Promise<boolean> {
  if ((principal.expiresMs ?? Infinity) <= Date.now()) return true;
  const now = await authenticator.authenticate(request.headers, path);
  if (isRefusal(now)) return now.status === 503;
  const hasRights = [...principal.rights].every((right) => now.rights.has(right));
  return callerKey(now) === callerKey(principal) && hasRights && (workspace === undefined || now.mayEnter(workspace));
}
