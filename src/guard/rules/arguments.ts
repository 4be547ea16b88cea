/**
 * Rules about a stage's arguments. Where the reference tool would only print an error, the line is refused before
 * anything runs; what the tool would have printed goes with the refusal.
 */
import { nativeExit, nativeMessage, type UsageError, type UsageErrorKind } from "../../builtin/usage-error.ts";
import {
  argumentSpan,
  spliced,
  keepsGlobs,
  stageReplaced,
  without,
  type Finding,
  type GuardContext,
  type StageFacts,
  type StageRule,
} from "../rule.ts";
import { near, type Suggestion } from "../suggestion.ts";

export const unknownFlag: StageRule = {
  id: "flag:unknown",
  reason: "UNKNOWN_FLAG",
  refuses: [
    { line: "head --lins=2 a.txt", suggestion: "head --lines=2 a.txt" },
    { line: "ls | wc --wrods", suggestion: "ls | wc --words" },
    { line: "cat -Z a.txt" },
  ],
  allows: ["head --lines=2 a.txt", "head --li=2 a.txt", "cat -- -Z"],
  check: (stage) => finding(stage, ["unknown-flag"], (error) => [...asPattern(stage, error), ...nearestFlag(stage, error)]),
};

export const refusedFlag: StageRule = {
  id: "flag:refused",
  reason: "DISALLOWED_FLAG",
  refuses: [{ line: "tail -f app.log" }],
  allows: ["tail -n 20 app.log"],
  check: (stage, context) =>
    finding(stage, ["refused-flag"], (error) => [
      ...[recordedSuggestion(error, stage, context), suggestionOf(error)].flatMap((each) =>
        each === undefined ? [] : [{ line: stageReplaced(stage, each.line), lost: each.lost }].filter((way) => keepsGlobs(stage, way)),
      ),
      ...withoutDropped(stage, error),
    ]),
};

function recordedSuggestion({ whereRecorded }: UsageError, { directories }: StageFacts, { look }: GuardContext): Suggestion | undefined {
  const [directory, ...others] = directories ?? [];
  if (whereRecorded === undefined || directory === undefined || others.length > 0) return undefined;
  return look?.hasRecords(whereRecorded.path, directory) === true
    ? near(whereRecorded.suggestion, "the last change made here is taken back, and nothing else")
    : undefined;
}

/** The line without the arguments in question. */
function withoutDropped(stage: StageFacts, { dropped, lost }: UsageError): readonly Suggestion[] {
  if (dropped.length === 0) return [];
  const spans = dropped.map((argument) => argumentSpan(stage, argument)).reverse();
  return [{ line: spans.reduce(without, stage.line), lost }];
}

const suggestionOf = ({ suggestion, lost }: UsageError): Suggestion | undefined =>
  suggestion === undefined ? undefined : { line: suggestion, lost };

export const badValue: StageRule = {
  id: "flag:value",
  reason: "BAD_VALUE",
  refuses: [{ line: "head -n 2x a.txt" }, { line: "head -n" }],
  allows: ["head -n 2 a.txt", "head -n -2 a.txt"],
  check: (stage) => finding(stage, ["bad-value", "missing-value", "unexpected-value", "bad-program"], (error) => nearestWord(stage, error)),
};

export const wrongOperands: StageRule = {
  id: "arg:operands",
  reason: "USAGE",
  refuses: [{ line: "tr a" }, { line: "tr a b c" }],
  allows: ["echo a | tr a b", "cut -c 1 *"],
  check: (stage) => finding(stage, ["missing-operand", "extra-operand"], () => []),
};

function finding(
  stage: StageFacts,
  kinds: readonly UsageErrorKind[],
  candidates: (error: UsageError) => readonly Suggestion[],
): readonly Finding[] {
  const { usageError: error, name, definition } = stage;
  if (error === undefined || name === undefined || definition === undefined || !kinds.includes(error.kind)) return [];
  return [
    {
      span: argumentSpan(stage, error.argument),
      detail: `${error.kind === "refused-flag" ? "" : `${name}: `}${error.message.replaceAll("\n", " ")}`,
      candidates: () => candidates(error),
      ...(error.kind === "refused-flag"
        ? {}
        : { native: { stderr: nativeMessage(definition, name, error), exit: nativeExit(definition, error) } }),
    },
  ];
}

/** The line with -e before a word that is a pattern rather than a flag. */
function asPattern(stage: StageFacts, { argument }: UsageError): readonly Suggestion[] {
  if (argument === undefined || stage.definition?.operands.kind !== "pattern-then-paths") return [];
  const { line } = stage;
  const { start, end } = argumentSpan(stage, argument);
  return /[\s|\\]/.test(line.slice(start, end)) ? [near(`${line.slice(0, start)}-e ${line.slice(start)}`, "if it is the pattern")] : [];
}

/** The line with the nearest word in the place of one that is none of those there are. */
function nearestWord(stage: StageFacts, { suggestion, argument, subject }: UsageError): readonly Suggestion[] {
  if (suggestion === undefined || argument === undefined || /\s/.test(suggestion)) return [];
  const { start, end } = argumentSpan(stage, argument);
  const source = stage.line.slice(start, end);
  // The value of a flag may be joined to it.
  const isWord =
    source === subject ||
    (subject !== "" && /^--[^=]*=/.exec(source)?.[0] === source.slice(0, -subject.length) && source.endsWith(subject));
  if (!isWord) return [];
  return [near(spliced(stage.line, { start: end - subject.length, end }, suggestion), `if ${suggestion} was meant`)];
}

/** The nearest flag in the misspelt one's place; a value joined to it by `=` stays. */
function nearestFlag(stage: StageFacts, error: UsageError): readonly Suggestion[] {
  if (error.suggestion === undefined || error.argument === undefined) return [];
  const { line } = stage;
  const { start, end } = argumentSpan(stage, error.argument);
  const source = line.slice(start, end);
  if (!source.startsWith("-")) return [];
  const equals = source.indexOf("=");
  return [near(spliced(line, { start, end: equals < 0 ? end : start + equals }, error.suggestion), `if ${error.suggestion} was meant`)];
}
