/** Commands refused in a script, and the pipeline that does the same. */
import type { StaticInvocation } from "../../src/builtin/definition.ts";
import type { OutputPolicy } from "../../src/builtin/output-files.ts";
import { quoteWord } from "../../src/display/quote.ts";
import type { Program, Refusal } from "./program.ts";
import { scriptIsOperand } from "./script-source.ts";
import type { FLAGS } from "./sed.ts";
import { scriptText, type ScriptChunk } from "./script-reader.ts";

export function reasonOf({ kind, what }: Refusal): string {
  if (kind === "write")
    return `w ${scriptText(what)}: a script writes no files here: its output is given to tee, which records what it replaces`;
  return what === ""
    ? "s///e would start a command, and no external program is ever started here"
    : `e ${scriptText(what)}: no external program is ever started here`;
}

/** Refusals of what the policy does not allow. */
export const refusedIn = ({ refusals }: Program, policy: OutputPolicy | undefined): readonly Refusal[] =>
  refusals.filter(({ kind, what }) => kind !== "write" || policy?.accepts(scriptText(what), false) !== true);

/** The same script that prints what it would have written, into tee; undefined where that would not be the same. */
export function printingInstead(
  invocation: Pick<StaticInvocation<typeof FLAGS>, "occurrences" | "operands">,
  chunks: readonly ScriptChunk[],
  program: Program,
): string | undefined {
  // Without -n every line is printed besides, which one pipeline does not do.
  if (!invocation.occurrences.some(({ key }) => key === "quiet")) return undefined;
  if (invocation.occurrences.some(({ key }) => key === "inPlace")) return undefined;
  const files = new Set(program.refusals.map(({ what }) => what));
  const [file] = files;
  const printsToo = program.commands.some(({ action }) =>
    action.kind === "letter"
      ? "=FpP".includes(action.letter)
      : action.kind === "substitute"
        ? action.substitution.prints
        : action.kind === "write"
          ? typeof action.to === "string"
          : ["append", "insert", "change", "list", "read"].includes(action.kind),
  );
  if (file === undefined || files.size > 1 || printsToo || program.refusals.some(({ kind }) => kind !== "write")) return undefined;
  const scripts = chunks.map(({ text }, chunk) => {
    let changed = text;
    for (const refusal of [...program.refusals].reverse()) {
      if (refusal.chunk !== chunk) continue;
      const letter = text[refusal.start] === "W" ? "P" : "p";
      changed = changed.slice(0, refusal.start) + letter + changed.slice(refusal.end);
    }
    return quoteWord(scriptText(changed));
  });
  const operands = scriptIsOperand(invocation) ? invocation.operands.slice(1) : invocation.operands;
  const given = new Set(invocation.occurrences.map(({ key }) => key));
  const letters = ["n", given.has("extended") ? "E" : "", given.has("separate") ? "s" : "", given.has("zero") ? "z" : ""].join("");
  const script = scripts.length === 1 ? scripts : scripts.flatMap((text) => ["-e", text]);
  return ["sed", `-${letters}`, ...script, ...operands.map(quoteWord), "| tee", quoteWord(scriptText(file)), ">/dev/null"].join(" ");
}
