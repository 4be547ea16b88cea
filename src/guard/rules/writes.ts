/** Rules about the files a line would write. The recorder checks again when it opens the file. */
import type { WriteVerdict } from "../../audit/write-policy.ts";
import { writesContent } from "../../builtin/registry.ts";
import type { Policy } from "../../config/policy.ts";
import { severityAction } from "../../config/severity.ts";
import type { LookedTarget, WorkspaceLook } from "../path-lookup.ts";
import { changedEntries, isInScratch, joined, namesNoFile } from "../paths.ts";
import { deniedBecause } from "../risks.ts";
import { whyReadOnly, writingToolOf } from "../reads-only.ts";
import { ruleEntry } from "../rule-catalogue.ts";
import { type Finding, type GuardContext, type PathUse, type StageFacts, type StageRule, without } from "../rule.ts";
import { near, type Suggestion } from "../suggestion.ts";

/** Mounts of the examples. */
const EXAMPLE_MOUNTS: Policy["mounts"] = (["/docs", "/data"] as const).map((name) => ({
  name,
  directory: name,
  access: name === "/data" ? "write" : "read",
  own: [],
  denyRead: [],
}));

export const readOnlyWrite: StageRule = {
  id: "write:read-only",
  reason: "READ_ONLY",
  refuses: [
    { line: "ls | tee out.txt", suggestion: "ls" },
    { line: "ls | tee a b | wc -l", suggestion: "ls | wc -l" },
  ],
  allows: ["ls | wc -l"],
  under: { readOnly: true },
  check(stage, context) {
    if (!context.readOnly) return [];
    const why = whyReadOnly(context);
    // Whoever can have the whole line done wants no part of it.
    const candidates = (parts: () => readonly Suggestion[]) => (writingToolOf(context) === undefined ? parts : () => []);
    if (stage.name !== undefined && context.withheld.get(stage.name) === "read-only") {
      const { span } = stage.command.words[0];
      const detail = `'${stage.name}' is not available: ${why}`;
      return [{ span, detail, candidates: candidates(() => leftOut(stage).map(unwritten)) }];
    }
    if (stage.unnamed.includes("write")) {
      const detail = `${stage.name === undefined ? "A redirection" : `'${stage.name}'`} would write files here: ${why}`;
      return [{ span: stage.command.span, detail, candidates: () => [] }];
    }
    return written(stage, context).map((use) => ({
      span: use.span,
      detail: `'${use.path}' cannot be written: ${why}`,
      // A command that nothing is piped into would do something else without its operand.
      candidates: candidates(() =>
        use.replaceable && stage.index > 0 ? [...leftOut(stage), without(stage.line, use.span)].map(unwritten) : [],
      ),
    }));
  },
};

export const strictWrite: StageRule = {
  id: "write:strict",
  reason: "DISALLOWED_CMD",
  refuses: [{ line: "rm a.txt" }],
  allows: ["ls | tee out.txt"],
  under: { profile: "strict" },
  check(stage, context) {
    const { definition, name, command, unnamed } = stage;
    if (!context.contentOnly || definition === undefined || writesContent(definition)) return [];
    const [use] = written(stage, context);
    if (use === undefined && !unnamed.includes("write") && !unnamed.includes("remove")) return [];
    const detail = `'${name}' would change files, and the profile here (strict) leaves that to tee, which writes a file's whole content.`;
    return [{ span: use?.span ?? command.span, detail }];
  },
};

const unwritten = (line: string): Suggestion => near(line, "nothing is written");

/** The line without a stage that others give their output to. */
function leftOut({ line, pipeline, index, command }: StageFacts): readonly string[] {
  const before = pipeline.commands[index - 1];
  return before === undefined ? [] : [line.slice(0, before.span.end) + line.slice(command.span.end)];
}

export const deniedWrite: StageRule = {
  id: "write:denied",
  reason: "PROTECTED_PATH",
  refuses: [{ line: "echo x | tee vendor/a.txt" }, { line: "cd vendor && ls | tee -a b/c" }],
  allows: ["cat vendor/a.txt", "echo x | tee a.txt"],
  under: { paths: { denyRead: [], denyWrite: ["/vendor/"], own: [] } },
  check: (stage, context) =>
    writesOf(stage, context, "denied").map(({ path, span }) => ({
      span,
      detail: `'${path}' cannot be written: the configuration of this server (paths.deny_write) keeps it as it is.`,
    })),
};

export const protectedWrite: StageRule = {
  id: "write:protected",
  reason: "PROTECTED_PATH",
  refuses: [{ line: "echo x | tee .git/config" }, { line: "echo x | tee .shelpa/a" }, { line: "cd .git && echo x | tee hooks/pre-commit" }],
  allows: ["cat .git/config", "echo x | tee .gitignore"],
  check(stage, context) {
    const hard = writesOf(stage, context, "hard");
    return hard
      .map(
        ({ path, span }): Finding => ({
          span,
          detail: `'${path}' is protected: what is in it belongs to its own tool, and a change there can run code or hide a record.`,
        }),
      )
      .concat(writesToGitDirectories(stage, context, new Set(hard)));
  },
};

/**
 * Findings for the first of the directories that the stage may start in, in which git would find a repository because of the files
 * written. The uses in `told` are left out.
 */
function writesToGitDirectories(stage: StageFacts, context: GuardContext, told: ReadonlySet<PathUse>): readonly Finding[] {
  const { look } = context;
  if (look === undefined) return [];
  for (const directory of stage.directories ?? [""]) {
    const uses = written(stage, context)
      .flatMap((use) => changedEntries(use, directory, context).map((path) => ({ ...use, path, of: use })))
      .map(({ of, ...use }) => ({ use: of, path: use.path, target: lookedAt(use, directory, look) }));
    const paths = uses.flatMap(({ target }) => ("path" in target ? [target.path] : []));
    const found = uses.flatMap(({ use, path, target }) => {
      const { span } = use;
      const why = "path" in target && !told.has(use) ? look.gitDirectory(target.path, paths) : undefined;
      return why === undefined ? [] : [{ span, detail: `'${path}': ${why}.` }];
    });
    if (found.length > 0) return found;
  }
  return [];
}

export const needsApproval: StageRule = {
  id: "write:approval",
  reason: "NEEDS_APPROVAL",
  refuses: [{ line: "echo x | tee .envrc" }, { line: "echo x | tee .vscode/tasks.json" }],
  allows: ["cat .envrc", "echo x | tee envrc"],
  check: (stage, context) =>
    writesOf(stage, context, "approval").map(({ path, span }) => {
      const { severity } = ruleEntry("write:approval");
      const what = `'${path}' is run or obeyed by programs or agents`;
      if (severityAction(context.severity, severity) === "deny") {
        return { span, reason: "SEVERITY_DENIED", detail: `${what}: ${deniedBecause(severity, context.severity)}` };
      }
      const setting = `approval.pre_approved = [${JSON.stringify(path)}]`;
      return { span, detail: `${what}, so a person must allow the change. In the configuration: ${setting}` };
    }),
};

export const mountWrite: StageRule = {
  id: "write:mount",
  reason: "READ_ONLY",
  refuses: [{ line: "echo x | tee /docs/a.txt" }, { line: "cd /docs && ls | tee a.txt" }],
  allows: ["cat /docs/a.txt", "cat /docs/a.txt | tee a.txt", "echo x | tee /data/a.txt"],
  under: { mounts: EXAMPLE_MOUNTS },
  check: (stage, context) =>
    written(stage, context).flatMap((use) => {
      // Where a `cd` may fail, the recorder knows.
      const trees = treesOf(use, stage, context);
      const [mount] = trees;
      return mount === undefined || !trees.every((name) => context.isReadOnlyMount?.(name) === true)
        ? []
        : [{ span: use.span, detail: `'${use.path}' cannot be written: ${mount} is mounted for reading only.` }];
    }),
};

export const oneTree: StageRule = {
  id: "write:two-trees",
  reason: "CONFLICT",
  refuses: [{ line: "echo x | tee a.txt /data/a.txt" }, { line: "echo x | tee /data/a.txt && echo x | tee a.txt" }],
  allows: ["cat a.txt | tee /data/a.txt", "cat /data/a.txt | tee a.txt b.txt"],
  under: { mounts: EXAMPLE_MOUNTS },
  check(stage, context, line = [stage]) {
    const { isReadOnlyMount } = context;
    if (isReadOnlyMount === undefined) return [];
    // What no line may change is for mountWrite.
    const treesIn = (use: PathUse, each: StageFacts): readonly string[] =>
      treesOf(use, each, context).filter((name) => name === ROOT || !isReadOnlyMount(name));
    const all = line.flatMap((each) => written(each, context).map((use) => treesIn(use, each)));
    const first = all.find((trees) => trees.length > 0);
    if (first === undefined) return [];
    const isElsewhere = (trees: readonly string[]): boolean => trees.length > 0 && !trees.some((name) => first.includes(name));
    const other = written(stage, context).find((use) => isElsewhere(treesIn(use, stage)));
    if (other === undefined) return [];
    const name = first.map((each) => (each === ROOT ? "the root" : each)).join(" or ");
    const detail = `'${other.path}' would be changed besides files of ${name}. Each keeps its own records, and one undo takes a line back: change each in a line of its own.`;
    return [{ span: other.span, detail }];
  },
};

const ROOT = "";

/** Names of the mounts that a write may be in, or ROOT; more than one where a `cd` before it may fail. */
const treesOf = ({ path }: PathUse, { directories }: StageFacts, context: GuardContext): readonly string[] =>
  (directories ?? [""]).flatMap((directory) => {
    const place = joined(directory, path, context);
    return place === undefined ? [] : [ownersMount(place, context) ?? ROOT];
  });

/** The mount that the owner has put at `place`, a path as `joined` gives it; undefined for one in the root or in the scratch. */
function ownersMount(place: string, { mountOf, scratch }: GuardContext): string | undefined {
  const mount = place.startsWith("/") ? mountOf?.(place) : undefined;
  return mount === scratch ? undefined : mount;
}

export const linkedWrite: StageRule = {
  id: "path:link",
  reason: "SYMLINK_ESCAPE",
  refuses: [{ line: "echo x | tee leaving/a.txt" }],
  allows: ["cat leaving/a.txt", "echo x | tee staying/a.txt"],
  under: {},
  check: (stage, context) =>
    written(stage, context)
      .filter((use) =>
        (stage.directories ?? [""]).some(
          // A path that leaves the root by its text alone is for path:escape.
          (directory) =>
            joined(directory, use.path, context) !== undefined &&
            !isInScratch(use.path, [directory], context) &&
            context.look !== undefined &&
            lookedAt(use, directory, context.look).kind === "outside",
        ),
      )
      .map(({ path, span }) => ({
        span,
        detail: `'${path}' leads out of the workspace through a symbolic link; nothing outside it can be written here.`,
      })),
};

/** Writes to files of the workspace. */
const written = ({ paths, directories }: StageFacts, context: GuardContext): readonly PathUse[] =>
  paths.filter((use) => use.access === "write" && !namesNoFile(use) && !isInScratch(use.path, directories, context));

/** The writes with that verdict from one of the directories that the stage may start in. */
function writesOf(stage: StageFacts, context: GuardContext, verdict: WriteVerdict): readonly PathUse[] {
  return written(stage, context).filter((use) =>
    (stage.directories ?? [""]).some((directory) =>
      [use.path, ...changedEntries(use, directory, context)].some((path) => {
        // Both the typed path and the one it resolves to are judged: a link may hide a protected directory's name in either.
        const looked = context.look && lookedAt({ ...use, path }, directory, context.look);
        const place = joined(directory, path, context);
        if (place?.startsWith("/") === true && ownersMount(place, context) === undefined) return false;
        const targets = [place, looked !== undefined && "path" in looked ? looked.path : undefined];
        return targets.some((target) => target !== undefined && context.writeVerdict(target) === verdict);
      }),
    ),
  );
}

/** The entry or the file that a write changes. */
const lookedAt = ({ path, change }: PathUse, directory: string, look: WorkspaceLook): LookedTarget =>
  change === undefined ? look.target(path, directory) : look.entry(path, directory);
