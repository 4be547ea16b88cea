/** The caller of a request as the server has authenticated it, and the rights that it has. */
import type { Right } from "../config/server/rights.ts";

export interface Principal {
  /** Name of the token ("ci"), or of the issuer's client: for the audit, the logs and the limits per caller. Never the token. */
  readonly name: string;
  /** Subject of a token that an issuer signed. */
  readonly subject?: string | undefined;
  readonly rights: ReadonlySet<Right>;
  /** Instant from which on its token is of no use, in milliseconds since the epoch; undefined: it does not expire. */
  readonly expiresMs?: number | undefined;
  /** Tells whether it may call in the workspace of this name; whether there is one is another question. */
  mayEnter(workspace: string): boolean;
}

/** A caller by what may be said of it. */
export type CallerName = Pick<Principal, "name" | "subject">;

/** One caller as against all others: the users of an issuer's client are several. */
export const callerKey = ({ name, subject }: CallerName): string => JSON.stringify([name, subject]);
