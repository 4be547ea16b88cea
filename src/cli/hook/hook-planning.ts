/** The guard's word on a line in this process, for a hook that finds no server to ask. */
import { builtins } from "../../../builtins/registry.ts";
import { loadPolicy } from "../../config/load.ts";
import { hostPlaces, mountNamed } from "../../config/mounts.ts";
import type { Policy } from "../../config/policy.ts";
import { examineLine } from "../../guard/guard.ts";
import { policyContext } from "../../guard/policy-context.ts";
import { policySources, type PolicyFlags } from "../policy-sources.ts";

/** True where a server with these settings would run every part of the line in `directory`, relative to the root. Rejects with ConfigurationError. */
export async function runsBy(flags: PolicyFlags, line: string, directory: string): Promise<boolean> {
  const sources = policySources(flags);
  const { policy } = await loadPolicy(sources);
  return runsUnder(policy, sources.root, line, directory);
}

/** The same under `policy`; `root` is a host path. */
export async function runsUnder(policy: Policy, root: string, line: string, directory: string): Promise<boolean> {
  const context = policyContext(builtins, policy, hostPlaces(policy, root));
  const insideRoot = (path: string): boolean => path === root || path.startsWith(`${root}/`);
  const mountOf = (path: string): string | undefined => mountNamed(policy, path);
  const { everyPartRuns } = await context.registry.whenLoaded(() =>
    examineLine(line, { ...context, currentDirectory: directory, rootPath: root, insideRoot, mountOf }),
  );
  return everyPartRuns;
}
