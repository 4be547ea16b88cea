/** The part of the guard's context that comes from the policy and is the same for every line. */
import { TreeWrites } from "../audit/tree-writes.ts";
import type { BuiltinDefinition } from "../builtin/definition.ts";
import { isWriter, Registry, type LazyBuiltin } from "../builtin/registry.ts";
import { rulesBelow } from "../glob/path-rules.ts";
import type { Policy } from "../config/policy.ts";
import { severityAction } from "../config/severity.ts";
import type { GuardContext, WithheldBuiltin } from "./rule.ts";
import { ruleEntry } from "./rule-catalogue.ts";

export type PolicyContext = Pick<
  GuardContext,
  | "withheld"
  | "pipelines"
  | "readOnly"
  | "strict"
  | "contentOnly"
  | "recordsRedirects"
  | "writeVerdict"
  | "isPreApproved"
  | "mountNames"
  | "isReadOnlyMount"
  | "severity"
> & {
  readonly registry: Registry;
};

/**
 * `all` are the builtins there are; those that the policy takes out of the language are in no registry. `places`: host paths, without
 * links, of the mounts by their names, and of the root by "". `foldsCase` as Workspace has it; default: cases are apart.
 */
export function policyContext(
  all: readonly (LazyBuiltin | BuiltinDefinition)[],
  policy: Policy,
  places: ReadonlyMap<string, string> = new Map(),
  foldsCase: (path: string) => boolean = () => false,
): PolicyContext {
  const { readOnly, strict, commands, approval, pipelines } = policy;
  const withheld = new Map<string, WithheldBuiltin>();
  const available = all.filter((builtin) => {
    const names = [builtin.name, ...(builtin.aliases ?? [])];
    const isListed = (list: readonly string[]): boolean => names.some((name) => list.includes(name));
    const writes = "load" in builtin ? builtin.writes !== undefined : isWriter(builtin);
    const isLeftOut = (commands.only !== undefined && !isListed(commands.only)) || isListed(commands.deny);
    // What writes to the scratch is there: each file is judged by its place.
    const why = readOnly && writes && policy.limits.scratchBytes === 0 ? "read-only" : isLeftOut ? "configuration" : undefined;
    if (why !== undefined) for (const name of names) withheld.set(name, why);
    return why === undefined;
  });
  const writes = treeWrites(policy, places, foldsCase);
  const { mounts } = policy;
  const { severity } = approval;
  // A write denied for its severity is not allowed by a path's name either.
  const deniesProtected = severityAction(severity, ruleEntry("write:approval").severity) === "deny";
  return {
    registry: new Registry(available),
    withheld,
    pipelines: new Map(Object.entries(pipelines)),
    readOnly,
    strict,
    recordsRedirects: policy.redirects === "record" && !strict,
    contentOnly: policy.profile === "strict",
    severity,
    isPreApproved: (path) => writes.isPreApproved(path),
    mountNames: mounts.map(({ name }) => name),
    isReadOnlyMount: mounts.length === 0 ? undefined : (name) => mounts.some((mount) => mount.name === name && mount.access === "read"),
    writeVerdict(path) {
      const verdict = writes.verdict(path);
      return verdict === "pre-approved" && deniesProtected ? "approval" : verdict;
    },
  };
}

/**
 * A rule that forbids is about what it names, and about paths from the top of each tree; one that permits, in a mount, about what it
 * names there alone.
 */
function treeWrites(
  { paths, approval, mounts }: Policy,
  places: ReadonlyMap<string, string>,
  foldsCase: (path: string) => boolean,
): TreeWrites {
  const root = { directory: places.get(""), denyWrite: paths.denyWrite, preApproved: approval.preApproved, foldsCase, own: paths.own };
  return new TreeWrites(
    root,
    mounts.map(({ name, own }) => ({
      mount: name,
      directory: places.get(name),
      denyWrite: rulesBelow(name, paths.denyWrite),
      preApproved: rulesBelow(name, approval.preApproved, { namedAlone: true }),
      foldsCase: (path) => foldsCase(`${name}/${path}`),
      own,
    })),
  );
}
