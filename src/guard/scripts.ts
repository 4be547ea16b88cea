/**
 * Scripts that stages of the line run (`sh -c SCRIPT`, also behind `xargs` and `find -exec`; commands that a program spells out):
 * text that was typed, and that is checked as a line of its own, with arguments and variables that are not known.
 */
import { withArgument } from "../builtin/item-script.ts";
import type { Found } from "./guard.ts";
import type { Plan } from "./plan.ts";
import type { Finding, GuardContext, ScriptUse, StageFacts } from "./rule.ts";

/** Scripts within scripts. */
const MOST_NESTED = 8;

/** The check of a whole line, as it starts from `directories`. */
export type ExamineScript = (
  text: string,
  context: GuardContext,
  directories: readonly string[] | undefined,
) => { readonly plan: Plan | undefined; readonly found: readonly Found[]; readonly stages: readonly StageFacts[] };

export interface ExaminedScripts {
  readonly plans: ReadonlyMap<string, Plan>;
  readonly found: readonly Found[];
  /** Of the parts of scripts that fail at their turn. */
  readonly faults: readonly Found[];
  readonly stages: readonly StageFacts[];
}

export function examineScripts(stages: Iterable<StageFacts>, context: GuardContext, examine: ExamineScript): ExaminedScripts {
  const plans = new Map<string, Plan>();
  const found: Found[] = [];
  const faults: Found[] = [];
  const inner: StageFacts[] = [];
  const depth = context.scriptDepth ?? 0;
  for (const stage of stages) {
    for (const script of stage.scripts) {
      if (depth >= MOST_NESTED) {
        const detail = `Scripts are nested more than ${MOST_NESTED} deep, which is past what a line may hold.`;
        found.push({ rule: { id: "syntax:parse", reason: "PARSE" }, finding: { span: script.span, detail }, stage: stage.index });
        continue;
      }
      const examined = examine(script.text, { ...context, scriptDepth: depth + 1 }, stage.directories);
      inner.push(...examined.stages);
      for (const { command: _, ...each } of examined.found) {
        const placed = { ...each, finding: inScript(each.finding, script, stage), stage: stage.index };
        (examined.plan === undefined ? found : faults).push(placed);
      }
      if (examined.plan !== undefined) plans.set(script.text, { ...examined.plan, faults: [] });
    }
  }
  return { plans, found, faults, stages: inner };
}

/** A finding in a script at its place in the line: of one in single quotes, the very characters. */
function inScript({ span, detail, candidates }: Finding, { text, span: word, isWithin }: ScriptUse, { line }: StageFacts): Finding {
  const at = placeOf(text, isWithin, line.slice(word.start, word.end), word.start);
  if (at === undefined) return inItemScript({ span: word, detail, ...(candidates === undefined ? {} : { candidates }) }, text, line);
  const replaced = (script: string): string => line.slice(0, at) + script + line.slice(at + text.length);
  return {
    span: { start: at + span.start, end: at + span.end },
    detail,
    ...(candidates === undefined
      ? {}
      : {
          candidates: () =>
            candidates()
              .filter(({ line: script }) => !(isWithin ? /['"\\]/ : /'/).test(script))
              .map(({ line: script, ...rest }) => ({ ...rest, line: replaced(script) })),
        }),
  };
}

/** The same in a script that was typed with `{}` and is run with an argument: in the words that were typed. */
function inItemScript({ span, detail, candidates }: Finding, text: string, line: string): Finding {
  const typed = /^'([^']*)'$/.exec(line.slice(span.start, span.end))?.[1];
  const isOfItem = (script: string, made: string): boolean => withArgument(script)?.script === made;
  if (typed === undefined || !isOfItem(typed, text)) return { span, detail: `in the script: ${detail}` };
  const withItem = (script: string): string => script.replaceAll('"$1"', "{}");
  return {
    span,
    detail: `in the script: ${withItem(detail)}`,
    candidates: () =>
      (candidates?.() ?? [])
        .filter(({ line: script }) => !script.includes("'") && isOfItem(withItem(script), script))
        .map(({ line: script, ...rest }) => ({
          ...rest,
          line: `${line.slice(0, span.start)}'${withItem(script)}'${line.slice(span.end)}`,
        })),
  };
}

/** Place in the line of a script in single quotes; of one within a program there, as a string of its own. */
function placeOf(text: string, isWithin: boolean, source: string, start: number): number | undefined {
  if (!isWithin) return source === `'${text}'` ? start + 1 : undefined;
  const literal = `"${text}"`;
  const at = source.indexOf(literal);
  return source.startsWith("'") && source.indexOf("'", 1) === source.length - 1 && at >= 0 && source.indexOf(literal, at + 1) < 0
    ? start + at + 1
    : undefined;
}
