/** Facts of one command before it runs: its builtin, its arguments as far as they are text, the files it names. */
import { isAbsolutePath } from "../glob/absolute-path.ts";
import { parseArguments, type Argument, type ParsedArguments } from "../builtin/arguments.ts";
import type { BuiltinDefinition } from "../builtin/definition.ts";
import { UsageError } from "../builtin/usage-error.ts";
import type { OutputPolicy } from "../builtin/output-files.ts";
import { quoteWord } from "../display/quote.ts";
import {
  isExpanded,
  isList,
  staticText,
  textWord,
  type Pipeline,
  type SimpleCommand,
  type Span,
  type Word,
  type WordPart,
} from "../shell/tree.ts";
import { fieldWord } from "../shell/word-expansion.ts";
import { knownFields, scratchPath } from "./known-values.ts";
import { isCertain, NAME_FROM_DATA, nestedStage } from "./nested-stage.ts";
import { isInScratch } from "./paths.ts";
import { withArgument } from "../builtin/item-script.ts";
import type { State } from "./reach.ts";
import type { GuardContext, PathUse, RunUse, ScriptUse, StageFacts } from "./rule.ts";

/** The facts of `command` as it stands in the line, where `state` holds when it starts. */
export function stageFacts(
  line: string,
  command: SimpleCommand,
  place: Pick<StageFacts, "pipeline" | "index">,
  state: State,
  context: GuardContext,
): StageFacts {
  const words = command.words.flatMap((word) => knownWords(word, state, context));
  // Words that all vanish are a command that does nothing.
  const seen = { ...command, words: words.length === 0 ? command.words : words };
  return factsOfWords(line, seen, place, state.places && [...state.places], context, (word) =>
    scratchPath(word, state.values, context.rootPath),
  );
}

/** The words `word` is known to give: itself where that is not known. */
function knownWords(word: Word, { values }: State, { rootPath }: GuardContext): readonly Word[] {
  if (!isExpanded(word)) return [word];
  return knownFields(word, values, rootPath)?.map((field) => fieldWord(field, word)) ?? [word];
}

type Found = Pick<StageFacts, "parsed" | "usageError" | "paths" | "unnamed" | "runs" | "scripts">;

const NOTHING_FOUND: Found = { parsed: undefined, usageError: undefined, paths: [], unnamed: [], runs: [], scripts: [] };

function factsOfWords(
  line: string,
  seen: Omit<SimpleCommand, "words"> & { readonly words: readonly Word[] },
  place: Pick<StageFacts, "pipeline" | "index">,
  directories: readonly string[] | undefined,
  context: GuardContext,
  scratchPathOf: (word: Word) => string | undefined = () => undefined,
): StageFacts {
  const [nameWord = { parts: [], span: seen.span }, ...words] = seen.words;
  const command: SimpleCommand = { ...seen, words: [nameWord, ...words] };
  const name = staticText(nameWord);
  const definition = name === undefined ? undefined : context.registry.find(name);
  const args = words.map((word) => argumentOf(word, context));
  // Written out: it is made for each command of a loop, and spreading took most of the time.
  const facts = ({ parsed, usageError, paths, unnamed, runs, scripts }: Found): StageFacts => ({
    line,
    command,
    pipeline: place.pipeline,
    index: place.index,
    name,
    definition,
    arguments: args,
    directories,
    parsed,
    usageError,
    paths,
    unnamed,
    runs,
    scripts,
  });
  if (name === undefined || definition === undefined) return facts(NOTHING_FOUND);
  try {
    const parsed = parseArguments(definition, name, args);
    if (parsed.informs !== undefined) return facts({ ...NOTHING_FOUND, parsed });
    definition.check?.(parsed, outputPolicy(directories, context));
    const { paths, unnamed, runs, scripts } = uses(
      definition,
      parsed,
      command,
      { isPiped: place.index > 0, directories },
      context,
      scratchPathOf,
    );
    return facts({ parsed, usageError: undefined, paths, unnamed, runs, scripts });
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    return facts(isCertain(thrown, args) ? { ...NOTHING_FOUND, usageError: thrown } : NOTHING_FOUND);
  }
}

/** A command with its words expanded; `directory` is relative to the root. */
export interface StartingCommand {
  readonly name: string;
  readonly args: readonly Argument[];
  readonly directory: string;
}

/** The facts of a stage whose arguments have been expanded, as it is about to start in `directory`. */
export function startingFacts(line: string, command: SimpleCommand, starting: StartingCommand, context: GuardContext): StageFacts {
  const words = [textWord(starting.name, command.span), ...starting.args.map((argument) => startingWord(argument, command.span))];
  const pipeline: Pipeline = { negated: false, commands: [command], span: command.span };
  return factsOfWords(line, { ...command, words }, { pipeline, index: 0 }, [starting.directory], context);
}

function startingWord({ text, operandOnly }: Argument, span: Span): Word {
  return { ...textWord(text, span), ...(operandOnly === true ? { isOperand: true } : {}) };
}

/**
 * A word as an argument. One that starts with a glob or an expansion stands for text that is not known yet: operands,
 * one or more. One that starts with text is that text where nothing matches (`--include=*.ts`), so a leading dash
 * makes it a flag.
 */
function argumentOf(word: Word, context: GuardContext): Argument {
  const plain = staticText(word);
  const isOperand = word.isOperand === true;
  if (plain !== undefined) return isOperand ? { text: plain, operandOnly: true } : { text: plain };
  let text = "";
  let source = "";
  for (const part of word.parts) {
    switch (part.kind) {
      case "glob":
        text += part.source;
        source += part.source;
        break;
      case "home":
        text += context.rootPath;
        source += "~";
        break;
      case "text":
        text += part.text;
        source += part.text === "" ? "" : quoteWord(part.text);
        break;
      case "parameter":
        text += `$${part.name}`;
        source += `"\${${part.name}}"`;
        break;
      case "command":
        text += "$(...)";
        source += '"$(...)"';
        break;
      case "process":
        text += "/dev/fd/63";
        source += "<(...)";
        break;
      case "arithmetic":
        text += "$((...))";
        source += '"$((...))"';
        break;
    }
  }
  const unknown = isExpanded(word);
  const hasGlob = word.parts.some((part) => part.kind === "glob");
  if (!isOperand && ((!hasGlob && !unknown) || text.startsWith("-"))) return { text, source, ...(unknown ? { unknown } : {}) };
  const many = hasGlob || word.parts.some(mayBeMany);
  return { text, source, operandOnly: true, ...(many ? { many } : {}), ...(unknown ? { unknown } : {}) };
}

/** Tells whether the part of a word may make several words of it. */
function mayBeMany(part: WordPart): boolean {
  if (part.kind === "text" || part.kind === "home" || part.kind === "glob") return false;
  return !part.quoted || (part.kind === "parameter" && isList(part));
}

const SCRIPT_FROM_DATA =
  'A script is typed text, and data is never read as commands: write "$1" where the data goes, and give it behind the script (sh -c \'COMMAND "$1"\' _ {}).';

/** The refusal of a script that data would be part of; where that is `{}`, with the script to which it is an argument. */
function scriptOfData(text: string, { words }: SimpleCommand, span: Span): RunUse {
  const refused = { what: "a shell", suggestion: "", why: SCRIPT_FROM_DATA };
  const word = words.find((each) => staticText(each) === text);
  const script = word === undefined ? undefined : withArgument(text);
  if (word === undefined || script === undefined) return { ...refused, span };
  return { ...refused, span: word.span, instead: `${quoteWord(script.script)} _ {}` };
}

const COMMAND_FROM_DATA = "The text of a command is typed, and data never becomes part of it.";

const commandOfData = (text: string, span: Span): RunUse => ({ what: `'${text}'`, suggestion: "", why: COMMAND_FROM_DATA, span });

/** Tells whether a program spells the text out: of a word that is not known yet, a text in which no expansion stands. */
const isTypedWithin = (text: string, word: Word): boolean => staticText(word) !== undefined || !text.includes("$");

function uses(
  definition: BuiltinDefinition,
  parsed: ParsedArguments,
  command: SimpleCommand,
  { isPiped, directories }: { readonly isPiped: boolean; readonly directories: readonly string[] | undefined },
  context: GuardContext,
  scratchPathOf: (word: Word) => string | undefined,
): Pick<StageFacts, "paths" | "unnamed" | "runs" | "scripts"> {
  const paths: PathUse[] = [];
  const unnamed = new Set<PathUse["access"] | "remove">();
  const runs: RunUse[] = [];
  const scripts: ScriptUse[] = [];
  /** Adds the paths that a stage uses. `wordOf` is the word of an argument; undefined for one that data will bring. */
  const add = (of: BuiltinDefinition, given: ParsedArguments, wordOf: (argument: number) => Word | undefined): void => {
    const spanOf = (argument: number | undefined): Span => (argument === undefined ? undefined : wordOf(argument))?.span ?? command.span;
    const use = (path: string, access: PathUse["access"], argument: number | undefined, more: PathChangeFacts = {}): void => {
      const word = argument === undefined ? undefined : wordOf(argument);
      if (argument !== undefined && word === undefined) {
        unnamed.add(access);
        if (more.change === "remove") unnamed.add("remove");
        return;
      }
      const isWhole = word !== undefined && argumentOf(word, context).text === path;
      const inScratch = isWhole && isExpanded(word) ? scratchPathOf(word) : undefined;
      if (inScratch !== undefined) {
        paths.push({ path: inScratch, access, span: spanOf(argument), replaceable: false, ...(appends ? { appends } : {}) });
        return;
      }
      // The name is made of a word that is not known yet (`sed -i.bak … "$f"`).
      if (access === "write" && word !== undefined && !isWhole && staticText(word) === undefined) {
        unnamed.add(access);
        if (more.change === "remove") unnamed.add("remove");
        return;
      }
      paths.push({
        path,
        access,
        span: spanOf(argument),
        replaceable: word !== undefined && staticText(word) === path,
        ...(isWhole ? { word } : {}),
        ...more,
      });
    };
    const shape = of.operands.kind === "paths" ? of.operands : undefined;
    const appends = shape?.appendsWith !== undefined && given.flags[shape.appendsWith] === true;
    const change = { ...(appends ? { appends } : {}), ...(shape?.change === undefined ? {} : { change: shape.change }) };
    for (const { path, access, argument } of namedPaths(of, given)) use(path, access, argument, access === "write" ? change : {});
    for (const effect of of.effects?.(given) ?? []) {
      if (effect.kind === "unnamed") {
        unnamed.add(effect.access);
        if (effect.change === "remove") unnamed.add("remove");
        continue;
      }
      const { operand, occurrence } = effect;
      const argument =
        operand !== undefined
          ? given.operandArguments[operand]
          : occurrence === undefined
            ? undefined
            : given.occurrenceArguments[occurrence];
      if (effect.kind === "script") {
        const word = argument === undefined ? undefined : wordOf(argument);
        const { text, isWithin = false } = effect;
        if (word !== undefined && (isWithin ? isTypedWithin(text, word) : staticText(word) === text))
          scripts.push({ text, span: word.span, isWithin });
        else runs.push(isWithin ? commandOfData(text, spanOf(argument)) : scriptOfData(text, command, spanOf(argument)));
        continue;
      }
      if (effect.kind === "recorded") {
        const files = context.look?.recorded(effect.record);
        if (files === undefined) unnamed.add("write");
        for (const path of files ?? []) use(fromHere(path, directories, context), "write", argument, { change: "put" });
        continue;
      }
      if (effect.kind !== "run") {
        if (effect.unlessPiped === true && isPiped) continue;
        const { change: changed, into, isPrefix = false, appends: added = false } = effect;
        // Where it may leave the scratch, it may be any file.
        if (isPrefix && (context.recordsRedirects || !beginsInScratch(effect.path, context))) {
          unnamed.add(effect.kind);
          continue;
        }
        use(effect.path, effect.kind, argument, {
          ...(added ? { appends: added } : {}),
          ...(changed === undefined ? {} : { change: changed }),
          ...(into === undefined ? {} : { into }),
        });
        continue;
      }
      const { what, suggestion, why, command: inner } = effect;
      if (inner === undefined || argument === undefined) {
        runs.push({ what, suggestion, span: spanOf(argument), ...(why === undefined ? {} : { why }) });
        continue;
      }
      if (wordOf(argument) === undefined) {
        runs.push({ what, suggestion, span: command.span, why: NAME_FROM_DATA });
        continue;
      }
      const nested = nestedStage(inner, outputPolicy(directories, context), context);
      // The word of its argument `at` stands as far behind that of its name.
      const innerWord = (at: number): Word | undefined => {
        const given = inner[at + 1];
        if (given?.operandOnly === true) return undefined;
        const word = wordOf(argument + 1 + at);
        if (given?.typedAs === undefined || word === undefined) return word;
        return staticText(word) === given.typedAs ? textWord(given.text, word.span) : undefined;
      };
      if (nested.kind === "allowed") add(nested.definition, nested.parsed, innerWord);
      else if (nested.kind === "refused")
        runs.push({
          what,
          suggestion,
          span: spanOf(argument + nested.at),
          why: nested.why,
          instead: nested.instead,
          rule: nested.rule,
          isMissing: nested.isMissing === true && of.runsOperands === "all" && of.operands.kind === "values",
        });
    }
  };
  add(definition, parsed, (argument) => command.words[argument + 1]);
  return { paths, unnamed: [...unnamed], runs, scripts };
}

/** Judges files that a program writes: those of the workspace pass where redirections are recorded. */
const outputPolicy = (directories: readonly string[] | undefined, context: GuardContext): OutputPolicy => ({
  accepts: (path, isPrefix) =>
    context.recordsRedirects || (isPrefix ? beginsInScratch(path, context) : isInScratch(path, directories, context)),
});

/** Tells whether a name with this beginning is one of the scratch: where the rest leads out of it, it is not opened. */
const beginsInScratch = (path: string, { scratch }: GuardContext): boolean => scratch !== undefined && path.startsWith(`${scratch}/`);

type PathChangeFacts = Pick<PathUse, "appends" | "change" | "into">;

/**
 * `path`, relative to the root or absolute in a mount, as it is named from the one directory that a stage may start in; absolute where
 * there are several, or that is in a mount.
 */
function fromHere(path: string, directories: readonly string[] | undefined, { rootPath }: GuardContext): string {
  const [directory = "", ...others] = directories ?? ["", ""];
  if (isAbsolutePath(path)) return path;
  if (others.length > 0 || directory.startsWith("/")) return `${rootPath}/${path}`;
  return `${directory.replaceAll(/[^/]+/g, "..")}${directory === "" ? "" : "/"}${path}`;
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
