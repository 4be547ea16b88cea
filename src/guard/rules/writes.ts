/** Rules about what a line would write. The recorder checks again when it opens the file. */
import { protectedPath } from "../../audit/protected-paths.ts";
import { joined, namesNoFile } from "../paths.ts";
import { type Finding, type GuardContext, type PathUse, type StageFacts, type StageRule, without } from "../rule.ts";

export const readOnlyWrite: StageRule = {
  id: "write:read-only",
  reason: "READ_ONLY",
  description: "The workspace was opened with --read-only, and the line writes a file.",
  refuses: [
    { line: "ls | tee out.txt", suggestion: "ls | tee" },
    { line: "ls | tee a b | wc -l", suggestion: "ls | tee | wc -l" },
  ],
  allows: ["ls | tee /dev/null", "ls | tee"],
  under: { readOnly: true },
  check: (stage, context) =>
    context.readOnly
      ? written(stage).map((use) => ({
          span: use.span,
          detail: `'${use.path}' cannot be written: the workspace is open for reading only.`,
          candidates: () => (use.replaceable ? [without(stage.line, use.span)] : []),
        }))
      : [],
};

export const protectedWrite: StageRule = {
  id: "write:protected",
  reason: "PROTECTED_PATH",
  description: "The line writes below a directory that only its own tool may change: .git, and .shelpa, where the audit is kept.",
  refuses: [{ line: "echo x | tee .git/config" }, { line: "echo x | tee .shelpa/a" }, { line: "cd .git && echo x | tee hooks/pre-commit" }],
  allows: ["cat .git/config", "echo x | tee .gitignore"],
  check: (stage, context) =>
    protectedUses(stage, context, "hard").map(({ path, span }) => ({
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
    protectedUses(stage, context, "approval").map(({ path, span }) => ({
      span,
      detail: `'${path}' configures something that runs by itself, so a person must allow the change.`,
    })),
};

const written = (stage: StageFacts): readonly PathUse[] => stage.paths.filter((use) => use.access === "write" && !namesNoFile(use));

/** The writes that are protected from every directory or from one that the stage may start in. */
function protectedUses(
  stage: StageFacts,
  context: GuardContext,
  kind: "hard" | "approval",
): readonly Pick<Finding & PathUse, "path" | "span">[] {
  return written(stage).filter(({ path }) =>
    (stage.directories ?? [""]).some((directory) => {
      const target = joined(directory, path, context);
      return target !== undefined && protectedPath(target) === kind;
    }),
  );
}
