/** Every rule of the guard, in the order in which they report on one stage. */
import type { CallRule, StageRule, SyntaxRule } from "./rule.ts";
import { badValue, refusedFlag, unknownFlag, wrongOperands } from "./rules/arguments.ts";
import { commandLeftOut, disallowedCommand } from "./rules/disallowed-command.ts";
import { environmentVariable } from "./rules/environment.ts";
import { dashInArgument, pipelineArguments, unknownPipeline } from "./rules/named-pipeline.ts";
import { navigationInPipe } from "./rules/navigation.ts";
import { pathEscape } from "./rules/path-escape.ts";
import { pipelineLength } from "./rules/pipeline-length.ts";
import { runsCommand } from "./rules/runs-command.ts";
import { strictRedirect } from "./rules/strict-redirect.ts";
import { fileRedirect, parseProblem, unsupportedSyntax } from "./rules/syntax.ts";
import {
  deniedWrite,
  linkedWrite,
  mountWrite,
  needsApproval,
  oneTree,
  protectedWrite,
  readOnlyWrite,
  strictWrite,
} from "./rules/writes.ts";

export const syntaxRules: readonly SyntaxRule[] = [parseProblem, unsupportedSyntax, fileRedirect];

export const callRules: readonly CallRule[] = [unknownPipeline, pipelineArguments];

/** Rules for the work of the shell itself, without a builtin. */
export const shellRules: readonly StageRule[] = [
  strictRedirect,
  environmentVariable,
  pathEscape,
  readOnlyWrite,
  protectedWrite,
  deniedWrite,
  needsApproval,
  mountWrite,
  oneTree,
  linkedWrite,
];

/** Rules for a stage whose words were not all known before. */
export const startingRules: readonly StageRule[] = [
  dashInArgument,
  readOnlyWrite,
  strictWrite,
  protectedWrite,
  deniedWrite,
  needsApproval,
  mountWrite,
  oneTree,
  linkedWrite,
  runsCommand,
];

/** Rules for a stage whose builtin is known when it starts alone. */
export const chosenRules: readonly StageRule[] = [pipelineLength, environmentVariable, strictRedirect];

export const stageRules: readonly StageRule[] = [
  disallowedCommand,
  commandLeftOut,
  pipelineLength,
  environmentVariable,
  strictRedirect,
  navigationInPipe,
  unknownFlag,
  refusedFlag,
  badValue,
  wrongOperands,
  dashInArgument,
  pathEscape,
  readOnlyWrite,
  strictWrite,
  protectedWrite,
  deniedWrite,
  needsApproval,
  mountWrite,
  oneTree,
  linkedWrite,
  runsCommand,
];
