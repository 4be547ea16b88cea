/** Rules about calls of named pipelines (`@name key=value`), which the configuration defines. */
import { nearest } from "../../builtin/nearest.ts";
import { quoteWord } from "../../display/quote.ts";
import { staticText } from "../../shell/tree.ts";
import { near } from "../suggestion.ts";
import { spliced, type CallRule, type Finding, type StageRule } from "../rule.ts";

const EXAMPLES = {
  errors: {
    command: 'tail -n "${n}" "${file}" | grep ERROR',
    description: "the newest errors",
    arguments: { n: "how many lines", file: "a log" },
  },
  say: { command: 'echo "${text}"', description: "", arguments: { text: "" } },
};

export const unknownPipeline: CallRule = {
  id: "call:unknown",
  reason: "DISALLOWED_CMD",
  refuses: [{ line: "@error n=1 file=a.log", suggestion: "@errors n=1 file=a.log" }, { line: "@rm x" }],
  allows: ["@errors n=1 file=a.log", "echo @error"],
  under: { pipelines: EXAMPLES },
  explain({ kind, name, span, detail }, line, known) {
    if (kind !== "unknown") return undefined;
    const meant = nearest(name, known);
    return {
      span,
      detail,
      candidates: () => (meant === undefined ? [] : [near(spliced(line, span, `@${meant}`), `if @${meant} was meant`)]),
    };
  },
};

export const pipelineArguments: CallRule = {
  id: "call:arguments",
  reason: "USAGE",
  refuses: [
    { line: "@errors n=1" },
    { line: "@errors n=1 file=a.log level=WARN" },
    { line: "@errors n=1 n=2 file=a.log" },
    { line: "@errors 1 a.log" },
    { line: "@errors n=1 file=*.log" },
    { line: "@errors n=1 file={a,b}.log" },
  ],
  allows: ["@errors n=1 file='*.log'", "@errors file=a.log n=1 | wc -l", 'for f in *.log; do @errors n=1 file="$f"; done'],
  under: { pipelines: EXAMPLES },
  explain({ kind, span, detail }): Finding | undefined {
    return kind === "arguments" ? { span, detail } : undefined;
  },
};

/** A command whose arguments are all operands reads its flags itself: `find`, `echo`, `test`. */
export const dashInArgument: StageRule = {
  id: "call:dash",
  reason: "BAD_VALUE",
  refuses: [{ line: "@say text=-n" }],
  allows: ["@say text=n", "@errors n=1 file=-n"],
  under: { pipelines: EXAMPLES },
  check({ definition, command }) {
    if (definition?.syntax !== "raw") return [];
    return command.words.slice(1).flatMap((word): readonly Finding[] => {
      const text = word.isOperand === true ? staticText(word) : undefined;
      if (text?.startsWith("-") !== true || text === "-") return [];
      return [{ span: word.span, detail: `${quoteWord(text)} begins with a dash, and ${definition.name} would take it for a flag.` }];
    });
  },
};
