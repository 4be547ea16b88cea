/** Sending of the records of a server's workspaces to the sinks of its file, as far as the server's part in it goes. */
import { homedir } from "node:os";
import { join } from "node:path";
import { type AuditSettings, auditSettings } from "../config/server/audit-settings.ts";
import type { ServerSetup } from "../config/server/load-server.ts";
import type { Site } from "../mcp/http/site.ts";
import type { OpenedService } from "../mcp/http/workspaces.ts";
import type { EndpointOptions } from "../mcp/http/workspace-endpoint.ts";
import type { ServerEvents } from "../mcp/server-events.ts";
import type { ShellService } from "../mcp/shell-service.ts";
import type { AuditShipping } from "../mcp/sinks/audit-shipping.ts";
import { printData } from "./print.ts";

/** The table `[audit]`; undefined where the file has none. Throws ConfigurationError. */
export function auditSettingsOf({ file, base }: ServerSetup): AuditSettings | undefined {
  if (file.audit === undefined) return undefined;
  const home = process.env["XDG_STATE_HOME"] || join(process.env["HOME"] ?? homedir(), ".local", "state");
  return auditSettings(file.audit, { directory: base, state: join(home, "shelpa", "audit") });
}

/** undefined where the file has no table `[audit]`. Rejects with ConfigurationError, also for a file that cannot be used as it is named. */
export async function openShipping(setup: ServerSetup, noted: Required<ServerEvents>["noted"]): Promise<AuditShipping | undefined> {
  const settings = auditSettingsOf(setup);
  if (settings === undefined) return undefined;
  // Loaded here: without the table nobody waits for it.
  const { AuditShipping: Shipping } = await import("../mcp/sinks/audit-shipping.ts");
  return Shipping.open(settings, noted, printData);
}

interface Served {
  readonly name: string;
  readonly root: string;
  readonly service: ShellService;
  readonly options: EndpointOptions;
}

/** The service of a workspace whose records are sent on after each of its calls. Rejects with ConfigurationError and FileError. */
export async function shippedService(shipping: AuditShipping, { name, root, service, options }: Served): Promise<OpenedService> {
  const watched = await shipping.watch(name, root);
  const { events = {} } = options;
  const callEnded: ServerEvents["callEnded"] = (event) => {
    watched.changed();
    events.callEnded?.(event);
  };
  return {
    service,
    options: { ...options, events: { ...events, callEnded }, writesRefusedBecause: () => watched.writesRefusedBecause() },
    isNeeded: () => watched.isUnfinished,
    closed: () => watched.close(),
  };
}

/** Opens the workspaces, one after the other, of which the last run of the server has left records to be sent. Never rejects. */
export async function resumeShipping(
  shipping: AuditShipping | undefined,
  workspaces: Pick<Site, "use">,
  setup: ServerSetup,
  log: (line: string) => void,
): Promise<void> {
  for (const name of shipping?.knownNames() ?? []) {
    try {
      const entry = setup.find(name);
      if (entry !== undefined && (await shipping?.isUnfinished(name, entry.root)) === true)
        await workspaces.use(name, true, async () => {});
    } catch (thrown) {
      log(`workspace ${name}: its records are not sent: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
}
