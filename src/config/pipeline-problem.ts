/** Conditions on the definition of a named pipeline, in a file or in a program's policy. */
import { definitionProblem, RESERVED_NAMES } from "../shell/named-pipeline.ts";
import { placeholdersOf } from "./placeholders.ts";

/** The name of a pipeline without its at-sign. */
export const PIPELINE_NAME = /^[A-Za-z_][\w-]*$/;
export const PIPELINE_NAME_WORDS = "a name begins with a letter and is of letters, digits, _ and -";

/** The reason why `command` cannot be the pipeline `@name`; undefined where it can. */
export function pipelineProblem(name: string, command: string): string | undefined {
  if (RESERVED_NAMES.includes(name)) return `@${name} is the output of an earlier call`;
  return definitionProblem(command, placeholdersOf(command));
}
