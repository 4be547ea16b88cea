/** `shelpa-mcp --workspaces DIR|FILE --check`: what a server would serve, or each fault that it would meet. Nothing is started or written. */
import { ConfigurationError } from "../config/configuration-error.ts";
import type { NamedCaller } from "../config/server/callers.ts";
import { loadServer, type ServerSetup } from "../config/server/load-server.ts";
import { isHostDirectory, placesInRoot, realPlace } from "../host/host-file.ts";
import { showName } from "../display/visible.ts";
import { tokenOf } from "./http-settings.ts";
import type { WorkspacesSettings } from "./mcp-arguments.ts";
import { auditSettingsOf, openShipping } from "./shipped-workspaces.ts";
import { complain, print } from "./print.ts";
import { type ServedWorkspace, servedWorkspace } from "./served-workspace.ts";

/** Some workspaces would not be served. */
const EXIT_WORKSPACES = 1;

/**
 * Gives the exit status: 1 where the server would start without some of its workspaces. Rejects with ConfigurationError or CommandLineError
 * where it would not start.
 */
export async function checkServer(settings: WorkspacesSettings): Promise<number> {
  const setup = loadServer(settings.workspaces);
  const { callers, oauth } = setup.callers;
  // Reads its certificates, headers and key, and opens nothing.
  await openShipping(setup, () => undefined);
  const state = auditSettingsOf(setup)?.state;
  if (callers.length === 0 && oauth === undefined) tokenOf(settings.http, process.env);
  const lines: string[] = [];
  let faults = 0;
  for (const name of setup.names()) {
    const found = await lookedAt(name, setup, settings, state);
    if (typeof found !== "string") {
      lines.push(workspaceLine(found));
      continue;
    }
    faults++;
    complain(`workspace ${name}: ${found}`);
  }
  for (const { name, expiresMs = Infinity } of callers) {
    if (expiresMs > Date.now()) continue;
    faults++;
    complain(`caller ${name}: its token expired at ${new Date(expiresMs).toISOString()}`);
  }
  lines.push(...callers.map(callerLine));
  if (oauth !== undefined) lines.push(`issuer\t${oauth.issuer}\taudience ${oauth.audience}\n`);
  if (callers.length === 0 && oauth === undefined) lines.push("caller\twhoever has the one token\n");
  print(lines.join(""));
  return faults === 0 ? 0 : EXIT_WORKSPACES;
}

/** The workspace as it would be served, or why it would not. */
async function lookedAt(
  name: string,
  setup: ServerSetup,
  settings: WorkspacesSettings,
  state: string | undefined,
): Promise<ServedWorkspace | string> {
  try {
    const workspace = await servedWorkspace(name, setup, settings);
    if (workspace === undefined) return "it is gone";
    const places = [workspace.root, ...workspace.policy.mounts.map(({ directory }) => directory)];
    const missing = places.find((place) => !isHostDirectory(realPlace(place) ?? place));
    if (missing !== undefined) return `'${missing}' is no directory`;
    return state !== undefined && placesInRoot(workspace.root, state).length > 0 ? `audit.state: '${state}' lies in its root` : workspace;
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) return thrown.message;
    throw thrown;
  }
}

function workspaceLine({ name, root, policy: { readOnly, mounts } }: ServedWorkspace): string {
  const besides = mounts.map(({ name: at, access }) => ` ${showName(at)}${access === "read" ? "" : ":rw"}`).join("");
  return `workspace\t${name}\t${showName(root)}\t${readOnly ? "read-only" : "read and write"}${besides}\n`;
}

function callerLine({ name, rights, rightsIn, workspaces, expiresMs }: NamedCaller): string {
  const until = expiresMs === undefined ? "" : `\t${expiresMs <= Date.now() ? "expired" : "expires"} ${new Date(expiresMs).toISOString()}`;
  const where = rightsIn === undefined ? [[workspaces.map(showName).join(" "), rights] as const] : Object.entries(rightsIn);
  return where.map(([names, each]) => `caller\t${name}\t${each.join(" ")}\tin ${names}${until}\n`).join("");
}
