/** `[[ … ]]` (bash manual §3.2.5.2): words are neither split nor matched against files. */
import { compareFiles, compareNumbers, fileHolds, fileProbe } from "../builtin/conditions.ts";
import { toBytes } from "../io/text.ts";
import { IndexedArray } from "../shell/arrays.ts";
import { evaluateArithmetic } from "../shell/arithmetic.ts";
import { expandToRegex, expandToShownPattern, expandUnsplit } from "../shell/word-expansion.ts";
import type { Condition, ConditionCommand, Word } from "../shell/tree.ts";
import { patternMatches, regexGroups } from "../shell/pattern.ts";
import { ExpansionError } from "../shell/variables.ts";
import type { ListRun } from "./list-run.ts";
import { isSet } from "./shell-access.ts";
import type { Surroundings } from "./stage.ts";
import { expanded } from "./substitution.ts";
import { trace } from "./trace.ts";

/** Thrown when the pattern after `=~` is not a valid regular expression. */
class BadRegex extends Error {}

export async function runCondition(run: ListRun, command: ConditionCommand, surroundings: Surroundings): Promise<0 | 1 | 2> {
  try {
    return (await holds(run, command.condition, surroundings, "")) ? 0 : 1;
  } catch (thrown) {
    if (thrown instanceof BadRegex) return 2;
    if (!(thrown instanceof ExpansionError) || thrown.exit !== 1) throw thrown;
    await surroundings.stderr(toBytes(`${run.place(command.span, surroundings.shell)}: [[: ${thrown.message}\n`));
    return 1;
  }
}

/** `inverted` is "! " for a term behind one, which the trace shows. */
async function holds(run: ListRun, condition: Condition, surroundings: Surroundings, inverted: "" | "! "): Promise<boolean> {
  switch (condition.kind) {
    case "not":
      return !(await holds(run, condition.condition, surroundings, inverted === "" ? "! " : ""));
    case "and":
    case "or":
      for (const inner of condition.conditions) {
        const value = await holds(run, inner, surroundings, "");
        if (value === (condition.kind === "or")) return value;
      }
      return condition.kind === "and";
    case "unary": {
      const text = await textOf(run, condition.operand, surroundings);
      await traceTerm(surroundings, [condition.operator, text], inverted);
      return unaryHolds(run, condition.operator, text, surroundings);
    }
    case "binary":
      return binaryHolds(run, condition, surroundings, (words) => traceTerm(surroundings, words, inverted));
  }
}

const traceTerm = (surroundings: Surroundings, words: readonly string[], inverted: string): Promise<void> =>
  trace(surroundings, `[[ ${inverted}${words.map((word) => (word === "" ? "''" : word)).join(" ")} ]]`);

const textOf = async (run: ListRun, word: Word, surroundings: Surroundings): Promise<string> =>
  (await expanded(run, expandUnsplit(word, surroundings.shell), surroundings)).text;

function unaryHolds(run: ListRun, operator: string, text: string, { shell }: Surroundings): boolean {
  switch (operator) {
    case "-n":
      return text !== "";
    case "-z":
      return text === "";
    case "-v":
      return isSet(shell, text);
    case "-R":
      return shell.referenceOf(text) !== undefined;
    case "-o":
      return (
        (text === "errexit" || text === "errtrace" || text === "nounset" || text === "pipefail" || text === "xtrace") && shell.options[text]
      );
    default:
      return fileHolds(operator.charAt(1), text, fileProbe(run.context.workspace.at(shell.currentDirectory)));
  }
}

async function binaryHolds(
  run: ListRun,
  { operator, left: leftWord, right: rightWord }: Extract<Condition, { kind: "binary" }>,
  surroundings: Surroundings,
  traced: (words: readonly string[]) => Promise<void>,
): Promise<boolean> {
  const { shell } = surroundings;
  const left = await textOf(run, leftWord, surroundings);
  switch (operator) {
    case "=":
    case "==":
    case "!=": {
      const { pattern, shown } = await expanded(run, expandToShownPattern(rightWord, shell), surroundings);
      await traced([left, operator, shown]);
      return patternMatches(pattern, left, { extended: true, caseFold: shell.options.nocasematch }) === (operator !== "!=");
    }
    case "=~": {
      const regex = await expanded(run, expandToRegex(rightWord, shell), surroundings);
      await traced([left, operator, regex]);
      const groups = regexGroups(regex, left);
      if (groups === undefined) throw new BadRegex();
      shell.setArray("BASH_REMATCH", IndexedArray.of(groups.map((text) => ({ text, typed: false }))));
      return groups.length > 0;
    }
  }
  const right = await textOf(run, rightWord, surroundings);
  await traced([left, operator, right]);
  switch (operator) {
    case "<":
      return Buffer.compare(toBytes(left), toBytes(right)) < 0;
    case ">":
      return Buffer.compare(toBytes(left), toBytes(right)) > 0;
    case "-nt":
    case "-ot":
    case "-ef": {
      const probe = fileProbe(run.context.workspace.at(shell.currentDirectory));
      return compareFiles(operator, probe.status(left, true), probe.status(right, true));
    }
    default:
      return compareNumbers(operator, evaluateArithmetic(left, shell), evaluateArithmetic(right, shell));
  }
}
