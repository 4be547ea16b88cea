/** A workspace of a server of many with the policy in force there: that of its file's sources, under the flags of the command. */
import { loadPolicy } from "../config/load.ts";
import type { Policy } from "../config/policy.ts";
import type { ServerSetup } from "../config/server/load-server.ts";
import type { WorkspaceSetup } from "../mcp/http/workspaces.ts";
import type { WorkspacesSettings } from "./mcp-arguments.ts";
import { policySources } from "./policy-sources.ts";

export interface ServedWorkspace extends WorkspaceSetup {
  readonly root: string;
  readonly policy: Policy;
}

/** undefined where there is none of that name. Rejects with ConfigurationError where its policy is wrong. */
export async function servedWorkspace(
  name: string,
  setup: ServerSetup,
  settings: WorkspacesSettings,
): Promise<ServedWorkspace | undefined> {
  const entry = setup.find(name);
  if (entry === undefined) return undefined;
  const { root, config = setup.config ?? settings.config, profile = settings.profile, readOnly, mounts } = entry;
  const secretFiles = [...setup.secretFiles, ...(settings.http.tokenFile === undefined ? [] : [settings.http.tokenFile])];
  const sources = policySources({
    ...settings,
    root,
    config,
    profile,
    "read-only": readOnly || settings["read-only"] === true,
    secretFiles,
  });
  const { policy } = await loadPolicy({ ...sources, flags: { ...sources.flags, mounts } });
  return { name, root, policy };
}
