/** What is known of one command before it runs: its builtin, its arguments as far as they are text, the files it names. */
import { parseArguments, type Argument, type ParsedArguments } from "../builtin/arguments.ts";
import type { BuiltinDefinition } from "../builtin/definition.ts";
import { UsageError } from "../builtin/usage-error.ts";
import { quoteWord } from "../io/quote.ts";
import { staticText, type SimpleCommand, type Span, type Word } from "../shell/tree.ts";
import { nestedStage } from "./nested-stage.ts";
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
    return { ...base, parsed, usageError: undefined, ...uses(definition, parsed, command, context) };
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
  context: GuardContext,
): { paths: readonly PathUse[]; runs: readonly RunUse[] } {
  const paths: PathUse[] = [];
  const runs: RunUse[] = [];
  /** Adds what a stage uses. `wordOf` is the word of an argument; undefined for one that data will bring. */
  const add = (of: BuiltinDefinition, given: ParsedArguments, wordOf: (argument: number) => Word | undefined): void => {
    const spanOf = (argument: number | undefined): Span => (argument === undefined ? undefined : wordOf(argument))?.span ?? command.span;
    const use = (path: string, access: PathUse["access"], argument: number | undefined): void => {
      const word = argument === undefined ? undefined : wordOf(argument);
      if (argument !== undefined && word === undefined) return;
      paths.push({ path, access, span: spanOf(argument), replaceable: word !== undefined && staticText(word) === path });
    };
    for (const { path, access, argument } of namedPaths(of, given)) use(path, access, argument);
    for (const effect of of.effects?.(given) ?? []) {
      const argument = effect.operand === undefined ? undefined : given.operandArguments[effect.operand];
      if (effect.kind !== "run") {
        use(effect.path, effect.kind, argument);
        continue;
      }
      const { what, suggestion, command: inner } = effect;
      if (inner === undefined || argument === undefined) {
        runs.push({ what, suggestion, span: spanOf(argument) });
        continue;
      }
      const nested = nestedStage(inner, context);
      // The word of its argument `at` stands as far behind that of its name.
      const innerWord = (at: number): Word | undefined => (inner[at + 1]?.operandOnly === true ? undefined : wordOf(argument + 1 + at));
      if (nested.kind === "allowed") add(nested.definition, nested.parsed, innerWord);
      else runs.push({ what, suggestion, span: spanOf(argument + nested.at), why: nested.why, instead: nested.instead });
    }
  };
  add(definition, parsed, (argument) => command.words[argument + 1]);
  return { paths, runs };
}

/** The paths that the operands and flags of a stage name, with the index of the argument each is in. */
function* namedPaths(
  definition: BuiltinDefinition,
  parsed: ParsedArguments,
): Generator<{ path: string; access: PathUse["access"]; argument: number | undefined }> {
  const shape = definition.operands;
  if (shape.kind === "paths" || shape.kind === "pattern-then-paths" || shape.kind === "program-then-paths") {
    const access = shape.kind === "paths" ? shape.access : "read";
    const given = (key: string): boolean => parsed.occurrences.some((occurrence) => occurrence.key === key);
    const from = shape.kind === "paths" || (shape.unless ?? []).some(given) ? 0 : 1;
    for (const [at, path] of parsed.operands.entries()) {
      if (at >= from) yield { path, access, argument: parsed.operandArguments[at] };
    }
  }
  for (const [at, occurrence] of parsed.occurrences.entries()) {
    const flag = definition.flags[occurrence.key];
    if (flag?.kind === "path" && typeof occurrence.value === "string") {
      yield { path: occurrence.value, access: flag.access, argument: parsed.occurrenceArguments[at] };
    }
  }
}
