/** The part of the guard's context that comes from the policy and is the same for every line. */
import { WritePolicy, type WriteRules } from "../audit/write-policy.ts";
import type { BuiltinDefinition } from "../builtin/definition.ts";
import { isWriter, Registry, type LazyBuiltin } from "../builtin/registry.ts";
import { rulesIn } from "../config/mounts.ts";
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

const writeRulesIn = (mount: string, own: readonly string[], { paths, approval }: Policy): WriteRules => ({
  denyWrite: rulesIn(mount, paths.denyWrite),
  preApproved: rulesIn(mount, approval.preApproved, { onlyNamed: true }),
  own,
});

/** `all` are the builtins there are; those that the policy takes out of the language are in no registry. */
export function policyContext(all: readonly (LazyBuiltin | BuiltinDefinition)[], policy: Policy): PolicyContext {
  const { readOnly, strict, commands, paths, approval, pipelines } = policy;
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
  const writes = new WritePolicy({ denyWrite: paths.denyWrite, preApproved: approval.preApproved, own: paths.own });
  // Of two mounts that a path is under, the longer name is the mount's.
  const mounts = policy.mounts
    .map(({ name, own, access }) => ({ name, access, writes: new WritePolicy(writeRulesIn(name, own, policy)) }))
    .sort((a, b) => b.name.length - a.name.length);
  const placeOf = (path: string): { readonly writes: WritePolicy; readonly below: string } => {
    const mount = mounts.find(({ name }) => path.startsWith(`${name}/`));
    return mount === undefined ? { writes, below: path } : { writes: mount.writes, below: path.slice(mount.name.length + 1) };
  };
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
    isPreApproved(path) {
      const place = placeOf(path);
      return place.writes.isPreApproved(place.below);
    },
    mountNames: policy.mounts.map(({ name }) => name),
    isReadOnlyMount: mounts.length === 0 ? undefined : (name) => mounts.some((mount) => mount.name === name && mount.access === "read"),
    writeVerdict(path) {
      const place = placeOf(path);
      const verdict = place.writes.verdict(place.below);
      return verdict === "pre-approved" && deniesProtected ? "approval" : verdict;
    },
  };
}
