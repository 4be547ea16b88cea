/**
 * A real authorization server on the loopback: oidc-provider, with its pages for development, which take any name and password.
 * Access tokens for a resource are JWTs (RFC 9068, RFC 8707). A client gets one by the flow that people use: authorization code
 * with PKCE, a login and a consent.
 */
import { createHash, randomBytes } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { exportJWK, generateKeyPair, type JWK } from "jose";

export const CLIENT = "agent";
export const REDIRECT = "http://127.0.0.1:9/callback";
/** Validity of an access token, in seconds. */
export const TOKEN_SECONDS = 3600;

export interface Login {
  readonly user: string;
  readonly resource: string;
  readonly scope: string;
}

export interface Authorized {
  readonly code: string;
  /** The issuer, by which a client tells that the answer is of the one it asked (RFC 9207). */
  readonly iss: string;
}

export class Issuer {
  readonly url: string;
  readonly #port: number;
  #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async open(): Promise<Issuer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("no port");
    const issuer = new Issuer(server, address.port);
    server.on("request", await issuer.#provider());
    return issuer;
  }

  /** The issuer stops, and starts again with other keys and an empty memory. */
  async restartWithOtherKeys(): Promise<void> {
    const provider = await this.#provider();
    await this.close();
    this.#server = createServer(provider);
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #provider(): Promise<RequestListener> {
    const { Provider } = await import("oidc-provider");
    const provider = new Provider(this.url, {
      clients: [
        {
          client_id: CLIENT,
          redirect_uris: [REDIRECT],
          grant_types: ["authorization_code"],
          response_types: ["code"],
          token_endpoint_auth_method: "none",
          application_type: "native",
        },
      ],
      cookies: { keys: [randomBytes(16).toString("hex")] },
      jwks: { keys: [await newKey()] },
      features: {
        devInteractions: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context: unknown, resource: string) => ({
            scope: "shelpa:read shelpa:write shelpa:approve shelpa:metrics other",
            audience: resource,
            accessTokenFormat: "jwt",
            accessTokenTTL: TOKEN_SECONDS,
            jwt: { sign: { alg: "RS256" } },
          }),
        },
      },
    });
    return provider.callback();
  }

  /** What the issuer answers to a client that sent `user` to the page at `url`; they log in and consent. */
  approve(url: string, user: string): Promise<Authorized> {
    return new Browser().logIn(url, user);
  }

  /** An access token for `login.user`, who logs in and consents in the pages of the issuer. */
  async tokenFor({ user, resource, scope }: Login): Promise<string> {
    const verifier = randomBytes(32).toString("base64url");
    const metadata = await jsonOf<{ authorization_endpoint: string; token_endpoint: string }>(
      await fetch(`${this.url}/.well-known/openid-configuration`),
    );
    const asked = new URLSearchParams({
      client_id: CLIENT,
      redirect_uri: REDIRECT,
      response_type: "code",
      scope,
      resource,
      state: "the-state",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    const { code } = await this.approve(`${metadata.authorization_endpoint}?${asked}`, user);
    const answer = await fetch(metadata.token_endpoint, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: CLIENT,
        redirect_uri: REDIRECT,
        code,
        code_verifier: verifier,
        resource,
      }),
    });
    return (await jsonOf<{ access_token: string }>(answer)).access_token;
  }
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomBytes(8).toString("hex"), use: "sig", alg: "RS256" };
}

async function jsonOf<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url} answers ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}

/** Follows redirects with cookies, and fills in the issuer's two forms. */
class Browser {
  readonly #cookies = new Map<string, string>();

  async logIn(start: string, user: string): Promise<Authorized> {
    let url = start;
    let form: URLSearchParams | undefined;
    for (let step = 0; step < 20; step++) {
      const answer = await this.#request(url, form);
      form = undefined;
      const location = answer.headers.get("location");
      if (location !== null) {
        url = new URL(location, url).href;
        if (url.startsWith(REDIRECT)) return authorizedIn(url);
        continue;
      }
      const page = await answer.text();
      const prompt = /name="prompt" value="(login|consent)"/.exec(page)?.[1];
      const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
      if (prompt === undefined || action === undefined) throw new Error(`${url} answers ${answer.status}: ${page}`);
      url = new URL(action, url).href;
      form = new URLSearchParams({ prompt, ...(prompt === "login" ? { login: user, password: "any" } : {}) });
    }
    throw new Error("the login has no end");
  }

  async #request(url: string, body: URLSearchParams | undefined): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { redirect: "manual", headers: { cookie }, ...(body === undefined ? {} : { method: "POST", body }) });
    for (const set of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (set.split(";")[0] ?? "").split(/=(.*)/s);
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
}

function authorizedIn(url: string): Authorized {
  const { code, iss } = Object.fromEntries(new URL(url).searchParams);
  if (code === undefined || iss === undefined) throw new Error(`no code: ${url}`);
  return { code, iss };
}
