/**
 * Public keys of an issuer, fetched when a token needs them and kept for ten minutes: from its JWK Set, which its metadata names
 * (RFC 8414 or OpenID Connect Discovery). Each fetch is limited in time and in bytes, and a failed one is not repeated at once.
 */
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, type RemoteJWKSet } from "jose";
import { isTrustworthy, type OAuthSettings } from "../../config/server/callers.ts";

/** Thrown where a key cannot be had, so that the token is neither right nor wrong. */
export class IssuerUnavailable extends Error {
  override readonly name = "IssuerUnavailable";
}

export interface FetchedKeysOptions {
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Told why keys cannot be had. */
  readonly log: (line: string) => void;
  /** Time in which a token of an unknown key makes no second fetch, in milliseconds: anybody can make such tokens. */
  readonly cooldownMs?: number;
  /** Time that the metadata, and the keys, may take, in milliseconds. */
  readonly fetchMs?: number;
}

const COOLDOWN_MS = 30_000;
const FETCH_MS = 5_000;
/** Time after a failed fetch in which none is tried, in milliseconds. */
const PAUSE_MS = 5_000;
/** Time that keys are kept, in milliseconds: a key that its issuer withdraws is of use for no longer. */
const KEPT_MS = 600_000;
/** Many times the metadata or the keys of any issuer. */
const MOST_BYTES = 256 << 10;

type IssuerKeysOptions = FetchedKeysOptions & Pick<OAuthSettings, "issuer" | "jwksUri">;

export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #set: Promise<RemoteJWKSet> | undefined;
  /** No fetch before this time, in milliseconds since the epoch. */
  #pausedUntilMs = -Infinity;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
  }

  /** The key for a token, by its header. Rejects with jose's errors for a token that no key of the issuer fits, and IssuerUnavailable. */
  readonly find: JWTVerifyGetKey = async ({ alg, kid }) => {
    const set = await this.#keySet();
    try {
      // Of the header nothing else is looked at: a token may not say where its key is (jwk, jku, x5u, x5c).
      return await set({ alg, ...(kid === undefined ? {} : { kid }) });
    } catch (thrown) {
      if (thrown instanceof errors.JWKSNoMatchingKey || thrown instanceof errors.JWKSMultipleMatchingKeys) throw thrown;
      // The metadata may name another place by now.
      if (!set.fresh) this.#set = undefined;
      throw this.#unavailable(thrown);
    }
  };

  #keySet(): Promise<RemoteJWKSet> {
    this.#set ??= this.#found().catch((thrown: unknown) => {
      this.#set = undefined;
      throw this.#unavailable(thrown);
    });
    return this.#set;
  }

  async #found(): Promise<RemoteJWKSet> {
    const { issuer, jwksUri, cooldownMs = COOLDOWN_MS, fetchMs = FETCH_MS } = this.#options;
    const url = jwksUri ?? (await this.#fetching(() => jwksUriOf(issuer, AbortSignal.timeout(fetchMs))));
    return createRemoteJWKSet(new URL(url), {
      cooldownDuration: cooldownMs,
      cacheMaxAge: KEPT_MS,
      timeoutDuration: fetchMs,
      [customFetch]: (keys, { signal }) => this.#fetching(async () => Response.json(await fetchedJson(keys, signal))),
    });
  }

  async #fetching<T>(fetched: () => Promise<T>): Promise<T> {
    const { nowMs } = this.#options;
    if (nowMs() < this.#pausedUntilMs) throw new IssuerUnavailable("the last attempt has just failed");
    try {
      return await fetched();
    } catch (thrown) {
      this.#pausedUntilMs = nowMs() + PAUSE_MS;
      this.#options.log(`oauth: the keys of ${this.#options.issuer} cannot be fetched: ${reasonOf(thrown)}`);
      throw thrown;
    }
  }

  #unavailable(cause: unknown): IssuerUnavailable {
    return cause instanceof IssuerUnavailable ? cause : new IssuerUnavailable(reasonOf(cause), { cause });
  }
}

/** The place of the keys in the metadata. The signal ends all attempts together. */
async function jwksUriOf(issuer: string, signal: AbortSignal): Promise<string> {
  let failure: unknown;
  for (const url of metadataUrls(issuer)) {
    try {
      const metadata = await fetchedJson(url, signal);
      const { issuer: named, jwks_uri: keys } = typeof metadata === "object" && metadata !== null ? { ...metadata } : NONE;
      // RFC 8414, 3.3: what another issuer says of itself is of no use.
      if (named !== issuer) throw new Error(`${url} is the metadata of another issuer`);
      if (typeof keys !== "string" || !isTrustworthy(keys)) throw new Error(`${url} names no jwks_uri with https`);
      return keys;
    } catch (thrown) {
      failure = thrown;
      if (signal.aborted) break;
    }
  }
  throw failure;
}

const NONE: { readonly issuer?: unknown; readonly jwks_uri?: unknown } = {};

/** The addresses that the protocol's specification lists, in its order. */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    ...(path === "" ? [] : [`${origin}/.well-known/openid-configuration${path}`]),
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}

async function fetchedJson(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, redirect: "manual", headers: { Accept: "application/json" } });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${url} answers ${response.status}`);
  }
  const blocks: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    bytes += next.value.length;
    if (bytes > MOST_BYTES) {
      await reader?.cancel();
      throw new Error(`${url} answers more than ${MOST_BYTES} bytes`);
    }
    blocks.push(next.value);
  }
  try {
    return JSON.parse(Buffer.concat(blocks).toString("utf8"));
  } catch {
    throw new Error(`${url} answers no JSON`);
  }
}

/** The message, and why the connection failed, which `fetch` says only in the cause. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error ? `${thrown.message}: ${thrown.cause.message}` : thrown.message;
}
