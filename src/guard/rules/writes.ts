/** Rules about what a line would write. The recorder checks again when it opens the file. */
import type { WriteVerdict } from "../../audit/write-policy.ts";
import { joined, namesNoFile } from "../paths.ts";
import { type Finding, type GuardContext, type PathUse, type StageFacts, type StageRule, without } from "../rule.ts";

export const readOnlyWrite: StageRule = {
  id: "write:read-only",
  reason: "READ_ONLY",
  description: "The workspace was opened with --read-only, and the line writes a file.",
  refuses: [
    { line: "ls | tee out.txt", suggestion: "ls" },
    { line: "ls | tee a b | wc -l", suggestion: "ls | wc -l" },
  ],
  allows: ["ls | wc -l"],
  under: { readOnly: true },
  check(stage, context) {
    if (!context.readOnly) return [];
    if (stage.name !== undefined && context.withheld.get(stage.name) === "read-only") {
      const { span } = stage.command.words[0];
      const detail = `'${stage.name}' is not available: the workspace is open for reading only.`;
      return [{ span, detail, candidates: () => leftOut(stage) }];
    }
    return written(stage).map((use) => ({
      span: use.span,
      detail: `'${use.path}' cannot be written: the workspace is open for reading only.`,
      candidates: () => (use.replaceable ? [without(stage.line, use.span)] : []),
    }));
  },
};

/** The line without a stage that others give their output to. */
function leftOut({ line, pipeline, index, command }: StageFacts): readonly string[] {
  const before = pipeline.commands[index - 1];
  return before === undefined ? [] : [line.slice(0, before.span.end) + line.slice(command.span.end)];
}

export const deniedWrite: StageRule = {
  id: "write:denied",
  reason: "PROTECTED_PATH",
  description: "The line writes a file that the configuration of this server keeps from being written.",
  refuses: [{ line: "echo x | tee vendor/a.txt" }, { line: "cd vendor && ls | tee -a b/c" }],
  allows: ["cat vendor/a.txt", "echo x | tee a.txt"],
  under: { paths: { denyRead: [], denyWrite: ["/vendor/"] } },
  check: (stage, context) =>
    writesOf(stage, context, "denied").map(({ path, span }) => ({
      span,
      detail: `'${path}' cannot be written: the configuration of this server (paths.deny_write) keeps it as it is.`,
    })),
};

export const protectedWrite: StageRule = {
  id: "write:protected",
  reason: "PROTECTED_PATH",
  description: "The line writes below a directory that only its own tool may change: .git, and .shelpa, where the audit is kept.",
  refuses: [{ line: "echo x | tee .git/config" }, { line: "echo x | tee .shelpa/a" }, { line: "cd .git && echo x | tee hooks/pre-commit" }],
  allows: ["cat .git/config", "echo x | tee .gitignore"],
  check: (stage, context) =>
    writesOf(stage, context, "hard").map(({ path, span }) => ({
      span,
      detail: `'${path}' is protected: what is in it belongs to its own tool, and a change there can run code or hide a record.`,
    })),
};

export const needsApproval: StageRule = {
  id: "write:approval",
  reason: "NEEDS_APPROVAL",
  description: "The line writes a file that an agent, an editor or a shell runs by itself. A person must allow it.",
  refuses: [{ line: "echo x | tee .envrc" }, { line: "echo x | tee .vscode/tasks.json" }],
  allows: ["cat .envrc", "echo x | tee envrc"],
  check: (stage, context) =>
    writesOf(stage, context, "approval").map(({ path, span }) => ({
      span,
      detail: `'${path}' configures something that runs by itself, so a person must allow the change. In the configuration: approval.pre_approved = [${JSON.stringify(path)}]`,
    })),
};

const written = (stage: StageFacts): readonly PathUse[] => stage.paths.filter((use) => use.access === "write" && !namesNoFile(use));

/** The writes with that verdict from one of the directories that the stage may start in. */
function writesOf(stage: StageFacts, context: GuardContext, verdict: WriteVerdict): readonly Pick<Finding & PathUse, "path" | "span">[] {
  return written(stage).filter(({ path }) =>
    (stage.directories ?? [""]).some((directory) => {
      const target = joined(directory, path, context);
      return target !== undefined && context.writeVerdict(target) === verdict;
    }),
  );
}
