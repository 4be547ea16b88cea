/** Every rule of the guard, in the order in which they report on one stage. */
import type { StageRule, SyntaxRule } from "./rule.ts";
import { badValue, refusedFlag, unknownFlag, wrongOperands } from "./rules/arguments.ts";
import { commandLeftOut, disallowedCommand } from "./rules/disallowed-command.ts";
import { navigationInPipe } from "./rules/navigation.ts";
import { pathEscape } from "./rules/path-escape.ts";
import { pipelineLength } from "./rules/pipeline-length.ts";
import { runsCommand } from "./rules/runs-command.ts";
import { strictRedirect } from "./rules/strict-redirect.ts";
import { fileRedirect, parseProblem, unsupportedSyntax } from "./rules/syntax.ts";
import { deniedWrite, needsApproval, protectedWrite, readOnlyWrite } from "./rules/writes.ts";

export const syntaxRules: readonly SyntaxRule[] = [parseProblem, unsupportedSyntax, fileRedirect];

export const stageRules: readonly StageRule[] = [
  disallowedCommand,
  commandLeftOut,
  pipelineLength,
  strictRedirect,
  navigationInPipe,
  unknownFlag,
  refusedFlag,
  badValue,
  wrongOperands,
  pathEscape,
  readOnlyWrite,
  protectedWrite,
  deniedWrite,
  needsApproval,
  runsCommand,
];
