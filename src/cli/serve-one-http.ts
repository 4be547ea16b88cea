/** `shelpa-mcp --root DIR --http`: one workspace at /mcp, with its operator's view, until a signal ends it. */
import type { ExecutorPool } from "../exec/executor-pool.ts";
import { singleTokenAuthenticator } from "../mcp/http/open-authenticator.ts";
import { serveSite } from "../mcp/http/serve-http.ts";
import { MCP_PATH, SingleSite } from "../mcp/http/site.ts";
import { WorkspaceEndpoint, type EndpointOptions } from "../mcp/http/workspace-endpoint.ts";
import type { ShellService } from "../mcp/shell-service.ts";
import { gateOf, type HttpSettings, type HttpToken } from "./http-settings.ts";
import { goingDown, openOperatorView } from "./operator-view.ts";
import type { UntilSignal } from "./until-signal.ts";

export interface OneHttpOptions {
  readonly http: HttpSettings;
  readonly token: HttpToken;
  readonly pool: ExecutorPool;
  readonly endpoint: EndpointOptions;
  readonly stop: UntilSignal;
}

/** Rejects with what `listen` says. */
export async function serveOneOverHttp(service: ShellService, { http, token, pool, endpoint, stop }: OneHttpOptions): Promise<void> {
  const { host, port, socket, graceMs } = http;
  const view = await openOperatorView({
    format: http.log,
    gauges: {
      openWorkspaces: () => 1,
      sessions: () => served.sessions,
      journalBytes: () => service.journalBytes(),
    },
    pool,
    isRootThere: () => service.isRootThere(),
  });
  const { events, metrics, readiness, say } = view;
  const log = (message: string): void => events.noted({ level: "error", message });
  const served = new WorkspaceEndpoint(service, { ...endpoint, events, log, isAuthenticated: true });
  const gate = gateOf(http);
  const authenticator = singleTokenAuthenticator(token.token, token.name);
  const serving = await serveSite(new SingleSite(served), MCP_PATH, {
    ...{ host, port, socket, gate, authenticator, events, metrics, readiness, log },
  });
  say(`listening on ${serving.url}`);
  if (token.isNew) say(`clients send the header  Authorization: Bearer ${token.token}`);
  await stop.stopped;
  if (graceMs > 0) events.noted(goingDown(graceMs));
  await serving.close(graceMs);
  await view.close();
}
