/** What is known of one command before it runs: its builtin, its arguments as far as they are text, the files it names. */
import { parseArguments, type Argument, type ParsedArguments } from "../builtin/arguments.ts";
import type { BuiltinDefinition } from "../builtin/definition.ts";
import { UsageError } from "../builtin/usage-error.ts";
import { quoteWord } from "../io/quote.ts";
import { staticText, type SimpleCommand, type Span, type Word } from "../shell/tree.ts";
import type { GuardContext, PathUse, RunUse, StageFacts } from "./rule.ts";

/** The facts of `command`, without the directories it may start in. */
export function stageFacts(
  line: string,
  command: SimpleCommand,
  place: Pick<StageFacts, "pipeline" | "index">,
  context: GuardContext,
): StageFacts {
  const [nameWord, ...words] = command.words;
  const name = staticText(nameWord);
  const definition = name === undefined ? undefined : context.registry.find(name);
  const args = words.map((word) => argumentOf(word, context));
  const base = { line, command, ...place, name, definition, arguments: args, directories: undefined };
  if (name === undefined || definition === undefined) {
    return { ...base, parsed: undefined, usageError: undefined, paths: [], runs: [] };
  }
  try {
    const parsed = parseArguments(definition, name, args);
    if (parsed.informs !== undefined) return { ...base, parsed, usageError: undefined, paths: [], runs: [] };
    definition.check?.(parsed);
    return { ...base, parsed, usageError: undefined, ...uses(definition, parsed, command) };
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    return { ...base, parsed: undefined, usageError: thrown, paths: [], runs: [] };
  }
}

/**
 * A word as an argument. One that starts with a glob stands for names that are not known yet: operands, one or more.
 * One that starts with text is that text where nothing matches (`--include=*.ts`), so a leading dash makes it a flag.
 */
function argumentOf(word: Word, context: GuardContext): Argument {
  const plain = staticText(word);
  if (plain !== undefined) return { text: plain };
  let text = "";
  let source = "";
  for (const part of word.parts) {
    if (part.kind === "glob") {
      text += part.source;
      source += part.source;
    } else if (part.kind === "home") {
      text += context.rootPath;
      source += "~";
    } else {
      text += part.text;
      source += part.text === "" ? "" : quoteWord(part.text);
    }
  }
  const hasGlob = word.parts.some((part) => part.kind === "glob");
  return hasGlob && !text.startsWith("-") ? { text, source, operandOnly: true, many: true } : { text, source };
}

function uses(
  definition: BuiltinDefinition,
  parsed: ParsedArguments,
  command: SimpleCommand,
): { paths: readonly PathUse[]; runs: readonly RunUse[] } {
  const paths: PathUse[] = [];
  const runs: RunUse[] = [];
  const spanOf = (argument: number | undefined): Span => {
    const word = argument === undefined ? undefined : command.words[argument + 1];
    return word?.span ?? command.span;
  };
  const wholeWord = (argument: number | undefined, path: string): boolean => {
    const word = argument === undefined ? undefined : command.words[argument + 1];
    return word !== undefined && staticText(word) === path;
  };
  const use = (path: string, access: PathUse["access"], argument: number | undefined): void => {
    paths.push({ path, access, span: spanOf(argument), replaceable: wholeWord(argument, path) });
  };
  const shape = definition.operands;
  if (shape.kind === "paths" || shape.kind === "pattern-then-paths" || shape.kind === "program-then-paths") {
    const access = shape.kind === "paths" ? shape.access : "read";
    const given = (key: string): boolean => parsed.occurrences.some((occurrence) => occurrence.key === key);
    const from = shape.kind === "paths" || (shape.unless ?? []).some(given) ? 0 : 1;
    parsed.operands.forEach((path, at) => {
      if (at >= from) use(path, access, parsed.operandArguments[at]);
    });
  }
  parsed.occurrences.forEach((occurrence, at) => {
    const flag = definition.flags[occurrence.key];
    if (flag?.kind === "path" && typeof occurrence.value === "string") {
      use(occurrence.value, flag.access, parsed.occurrenceArguments[at]);
    }
  });
  for (const effect of definition.effects?.(parsed) ?? []) {
    const argument = effect.operand === undefined ? undefined : parsed.operandArguments[effect.operand];
    if (effect.kind === "run") runs.push({ what: effect.what, suggestion: effect.suggestion, span: spanOf(argument) });
    else use(effect.path, effect.kind, argument);
  }
  return { paths, runs };
}
