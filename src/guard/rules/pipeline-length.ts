/** Rule against a pipeline of more stages than anybody types: all of them are alive at once, each with its buffers. */
import type { StageRule } from "../rule.ts";

/** Most stages of one pipeline. Agents' longest has fewer than 20. */
const MOST_STAGES = 100;

export const pipelineLength: StageRule = {
  id: "pipeline:length",
  reason: "UNSUPPORTED_SYNTAX",
  refuses: [{ line: `cat a.txt${" | cat".repeat(MOST_STAGES)}` }],
  allows: [`cat a.txt${" | cat".repeat(MOST_STAGES - 1)}`],
  check: ({ command, index, pipeline }) =>
    index === MOST_STAGES
      ? [
          {
            span: command.span,
            detail: `The pipeline has ${pipeline.commands.length} stages, and at most ${MOST_STAGES} run at once. Use several calls.`,
          },
        ]
      : [],
};
