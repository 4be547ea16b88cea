/**
 * Proof that a line that writes by tee does the same as one that redirects: from the files that there are now, for a line that
 * is checked whole. What is not certain is not shown.
 */
import type { LooksAt } from "../builtin/looks-at.ts";
import { forEachCommand, listsOf } from "../shell/tree-walk.ts";
import {
  isExpanded,
  isPlainParameter,
  staticText,
  textWord,
  type Command,
  type ForCommand,
  type List,
  type Redirect,
  type Span,
  type Word,
} from "../shell/tree.ts";
import { LOOK_AT_NO_DIRECTORY, type OpenLoss, type TeeProof } from "../shell/rewrite.ts";
import { joined } from "./paths.ts";
import type { GuardContext, PathUse, StageFacts } from "./rule.ts";
import { usesOf } from "./uses.ts";

interface CheckedLine {
  readonly line: string;
  readonly list: List | undefined;
  readonly stages: readonly StageFacts[];
}

/** The losses among `open` that are not shown to be none, and that of a file with several names (hard links): `>` writes to all. */
export function lostOf(open: readonly OpenLoss[], checked: CheckedLine, context: GuardContext): readonly string[] {
  const shared = checked.stages.some((stage) => stage.name === "tee" && changesShared(stage, context));
  const others = shared ? ["the file's other names keep what they have"] : [];
  if (open.length === 0) return others;
  const tees = teesOf(checked, context) ?? [];
  // Each once: a line may have a loss for each of many tees.
  const shown = new Map<TeeProof, boolean>();
  const isShown = (proof: TeeProof): boolean => {
    const isKnown = shown.get(proof);
    if (isKnown !== undefined) return isKnown;
    const is = tees.length > 0 && tees.every((tee) => PROOFS[proof](tee, context));
    shown.set(proof, is);
    return is;
  };
  return [...open.filter(({ unless }) => !isShown(unless)).map(({ lost }) => lost), ...others];
}

/** True if a tee of the line would be given a directory, a link or the like, which it does not write. */
export const writesNoFile = ({ stages }: Pick<CheckedLine, "stages">, { look }: GuardContext): boolean =>
  stages.some(
    ({ name, paths, directories = [""] }) =>
      name === "tee" &&
      paths.some(
        ({ access, path }) =>
          access === "write" &&
          // Of a directory that is not there yet nothing is known.
          directories.some(
            (from) => look?.target(path, from).kind === "unwritable" && (from === "" || look.entry(from, "").kind !== "new"),
          ),
      ),
  );

const changesShared = ({ paths, directories = [""] }: StageFacts, { look }: GuardContext): boolean =>
  paths.some(({ access, path }) => {
    const targets = access === "write" ? directories.map((directory) => look?.target(path, directory)) : [];
    return targets.some((target) => target !== undefined && "path" in target && target.isShared === true);
  });

interface Tee {
  /** The target, canonical. */
  readonly path: string;
  readonly isNew: boolean;
  /** True if it runs once, and no other command of the line writes the file. */
  readonly isOnce: boolean;
  /** The path as it was typed, from the directory that the tee starts in. */
  readonly typed: string;
  readonly directory: string;
  /** Directories that the line makes first. */
  readonly made: readonly string[];
  /** The other commands that run at the same time. */
  readonly commands: readonly Command[];
  /** All stages in them, the redirections of the commands around it, and what expands a here-document. */
  readonly within: readonly StageFacts[];
  /** The command whose output it takes: its words are expanded before the file is made. */
  readonly source: StageFacts | undefined;
}

/** More pairs of a tee and a command are not looked at. */
const MOST_PAIRS = 1 << 18;

/** What is known of a line for all its tees. */
interface LineFacts {
  /** With the files that a loop names in turn. */
  readonly stages: readonly StageFacts[];
  /** Those outside its commands, which expand a here-document. */
  readonly behind: ReadonlySet<StageFacts>;
  /** Directories that it makes first. */
  readonly made: readonly string[];
}

/** The tees of a line that each change one file; undefined where one does not, is in a function, or the line may remove a file. */
function teesOf({ line, list, stages }: CheckedLine, context: GuardContext): readonly Tee[] | undefined {
  if (list === undefined || stages.some((stage) => stage.line !== line)) return undefined;
  const uses = stages.map((stage) => usesOf(stage, context));
  if (uses.some(({ writesUnknown, removesUnknown }) => writesUnknown || removesUnknown)) return undefined;
  const writes = uses.flatMap((each) => each.writes);
  if (writes.some(({ change }) => change === "remove")) return undefined;
  const found = stages.filter(({ name }) => name === "tee");
  if (found.length * stages.length > MOST_PAIRS) return undefined;
  const places = placesIn(list);
  const facts = factsOf(list, stages, context);
  const tees: Tee[] = [];
  for (const stage of found) {
    const place = places.get(stage.command.span.start);
    const tee = place && teeOf(stage, place, facts, context);
    if (tee === undefined) return undefined;
    tees.push({ ...tee, isOnce: place?.isOnce === true });
  }
  // Below a directory that is not there yet no write is among those of the line.
  const isAlone = ({ path }: Tee): boolean => [tees, writes].every((all) => all.filter((each) => each.path === path).length <= 1);
  return tees.map((tee) => ({ ...tee, isOnce: tee.isOnce && isAlone(tee) }));
}

function factsOf(list: List, stages: readonly StageFacts[], context: GuardContext): LineFacts {
  const loops = new Map<string, ForCommand[]>();
  forEachCommand(list, (command) => {
    if (command.kind === "for") loops.set(command.name, [...(loops.get(command.name) ?? []), command]);
  });
  const seen = stages.map((stage) => ({ ...stage, paths: stage.paths.flatMap((path) => inTurn(path, stage, loops, context)) }));
  const inList = list.items.flatMap(({ pipeline }) => pipeline.commands);
  const isBehind = ({ line, command }: StageFacts): boolean => line.includes("<<") && !inList.some(({ span }) => isIn(command.span, span));
  return { stages: seen, behind: new Set(seen.filter(isBehind)), made: madeFirst(list, stages, context) };
}

function teeOf(
  stage: StageFacts,
  { others: commands, around }: CommandPlace,
  { stages, behind, made }: LineFacts,
  context: GuardContext,
): Omit<Tee, "isOnce"> | undefined {
  const [use, ...further] = stage.paths.filter(({ access, path }) => access === "write" && path !== "/dev/null");
  const [directory, ...elsewhere] = stage.directories ?? [];
  if (use?.word === undefined || further.length > 0 || directory === undefined || elsewhere.length > 0) return undefined;
  if (isExpanded(use.word) || isPattern(use.word)) return undefined;
  const path = made.includes(directory) ? joined(directory, use.path, context) : undefined;
  const target = path === undefined ? context.look?.target(use.path, directory) : ({ kind: "new", path } as const);
  if (target?.kind !== "new" && target?.kind !== "there") return undefined;
  const before = stage.pipeline.commands[stage.index - 1];
  const source = before && stageOf(before, stages);
  const inWords = source === undefined ? [] : spansExpandedFirst(source);
  const within = stages.flatMap((each) => {
    const { span } = each.command;
    const isOwn = source !== undefined && isIn(source.command.span, span);
    if (!isOwn && inWords.some((word) => isIn(span, word))) return [];
    const isAround = each.name === undefined && around.some((command) => isIn(span, command.span) && isIn(command.span, span));
    if (!isAround && !behind.has(each) && !commands.some((command) => isIn(span, command.span))) return [];
    return [{ ...each, paths: each.paths.filter((path) => each === source || !inWords.some((word) => isIn(path.span, word))) }];
  });
  return {
    path: target.path,
    isNew: target.kind === "new",
    typed: use.path,
    directory,
    commands,
    made,
    within,
    source,
  };
}

/** The files that a loop gives `use` in turn, where it is the loop's variable, which nothing else sets; else `use` itself. */
function inTurn(
  use: PathUse,
  { line, directories = [] }: StageFacts,
  loops: ReadonlyMap<string, readonly ForCommand[]>,
  { look }: GuardContext,
): readonly PathUse[] {
  const [part, ...parts] = use.word?.parts ?? [];
  const [directory, ...elsewhere] = directories;
  if (look === undefined || directory === undefined || elsewhere.length > 0 || parts.length > 0) return [use];
  if (part?.kind !== "parameter" || !isPlainParameter(part)) return [use];
  const [loop, ...others] = loops.get(part.name) ?? [];
  if (loop === undefined || others.length > 0 || !isIn(use.span, loop.body.span) || loop.words.some(isExpanded)) return [use];
  if ([...line.matchAll(new RegExp(`(?<![$\\w{])${part.name}(?!\\w)`, "g"))].length > 1) return [use];
  const given = loop.words.flatMap((word) => (isPattern(word) ? look.expand(word, directory) : [staticText(word) ?? ""]));
  if (given.some((path) => path === "" || (!part.quoted && /[\s*?[\\]/.test(path)))) return [use];
  return given.map((path) => ({ ...use, path, word: textWord(path, use.span) }));
}

const isIn = (inner: Span, outer: Span): boolean => inner.start >= outer.start && inner.end <= outer.end;

/** The words of a command, which are expanded before its output is opened; none where a part of them goes on beside it. */
function spansExpandedFirst({ line, command: { words } }: StageFacts): readonly Span[] {
  const spans = words.map(({ span }) => span);
  return spans.some(({ start, end }) => /[<>]\(/.test(line.slice(start, end))) ? [] : spans;
}

const isPattern = ({ parts }: Word): boolean => parts.some(({ kind }) => kind === "glob");

const stageOf = ({ kind, span }: Command, stages: readonly StageFacts[]): StageFacts | undefined =>
  kind === "simple" ? stages.find(({ command }) => span.start === command.span.start && span.end === command.span.end) : undefined;

/** The directories that the line's first command makes, if it is a mkdir of nothing that is there. A `set` may stand before it. */
function madeFirst({ items }: List, stages: readonly StageFacts[], context: GuardContext): readonly string[] {
  const isSet = ([command]: readonly Command[]): boolean => command?.kind === "simple" && staticText(command.words[0]) === "set";
  const [command, ...others] = items.find(({ pipeline: { commands } }) => !isSet(commands))?.pipeline.commands ?? [];
  const stage = command && stageOf(command, stages);
  if (stage?.name !== "mkdir" || others.length > 0) return [];
  return usesOf(stage, context).writes.flatMap(({ path, change }) => (change === "create" ? [path] : []));
}

interface CommandPlace {
  /** The commands that run at the same time. */
  readonly others: readonly Command[];
  /** The compound commands that it is in. */
  readonly around: readonly Command[];
  readonly isOnce: boolean;
}

/** The simple commands outside functions, by where they begin. */
function placesIn(
  list: List,
  outer: CommandPlace = { others: [], around: [], isOnce: true },
  found = new Map<number, CommandPlace>(),
): ReadonlyMap<number, CommandPlace> {
  for (const { pipeline } of list.items) {
    for (const command of pipeline.commands) {
      const others = [...outer.others, ...pipeline.commands.filter((each) => each !== command)];
      if (command.kind === "simple") found.set(command.span.start, { ...outer, others });
      if (command.kind === "function" || command.kind === "trap") continue;
      const isLoop = command.kind === "loop" || command.kind === "for" || command.kind === "arithmetic-for";
      const inner = { others, around: [...outer.around, command], isOnce: outer.isOnce && !isLoop };
      for (const body of listsOf(command)) placesIn(body, inner, found);
    }
  }
  return found;
}

const PROOFS: Readonly<Record<TeeProof, (tee: Tee, context: GuardContext) => boolean>> = {
  fresh: ({ isNew, isOnce }) => isNew && isOnce,
  directory({ path, typed, directory, made }, { look }) {
    const parent = directoryOf(typed);
    if (typed.endsWith("/")) return false;
    return parent === "." || made.includes(directoryOf(path)) || look?.entry(parent, directory).isDirectory === true;
  },
  unseen: (tee, context) => tee.within.every((stage) => !mightSee(stage, tee, context)),
  unread: (tee, context) => (tee.isNew && tee.isOnce) || opensNot(tee, context),
  unmissed: (tee, context) => !tee.isNew || opensNot(tee, context),
  inputs: ({ commands, directory }, { look }) =>
    commands.every(({ redirects = [] }: { readonly redirects?: readonly Redirect[] }) =>
      redirects.every((redirect) => {
        if (redirect.kind !== "input") return true;
        const path = staticText(redirect.file);
        return path !== undefined && look?.entry(path, directory).kind === "there";
      }),
    ),
};

const opensNot = (tee: Tee, context: GuardContext): boolean => tee.within.every((stage) => !mightRead(stage, tee, context));

const directoryOf = (path: string): string => /^(.*)\/[^/]+$/.exec(path)?.[1] ?? ".";

/** True if it reads the file, or a pattern of it might come to match the file meanwhile. */
function mightRead(stage: StageFacts, { path, isNew, source, directory }: Tee, context: GuardContext): boolean {
  const { command, definition, mayCall, scripts, runs, unnamed } = stage;
  // A file that is named only when it is opened.
  if (command.redirects.some((redirect) => redirect.kind === "input" && staticText(redirect.file) === undefined)) return true;
  const { reads, lists, unknown } = usesOf(stage, context);
  if (unknown.length > 0 || unnamed.length > 0 || reads.some((place) => holds(canonical(place, context), path, context))) return true;
  // The files that the shell opens for it are no uses of its own.
  if (!isOfShell(stage)) {
    if (definition === undefined || mayCall === true || scripts.length > 0 || runs.length > 0) return true;
    // Of a file that is not there yet it is told whether it is seen.
    if (!isNew && reads.length + lists.length === 0 && mightLookAnywhere(stage)) return true;
  }
  if (!isNew || stage.command === source?.command) return false;
  return stage.command.words.filter(isPattern).some(({ span }) => {
    const from = directoryOf(stage.line.slice(span.start, span.end));
    return /[*?["'\\$]/.test(from) || joined(directory, from, context) === joined("", directoryOf(path), context);
  });
}

/** True for the redirections and expansions of a command, which are facts of their own (shell-facts.ts). */
const isOfShell = ({ name, command }: StageFacts): boolean => name === undefined && command.words.every(({ parts }) => parts.length === 0);

/** True if it may look at files that it is not given. */
function mightLookAnywhere(stage: StageFacts): boolean {
  if (LOOK_AT_NO_DIRECTORY.has(stage.name ?? "")) return false;
  const looks = looksAt(stage);
  return looks === undefined || looks === "below";
}

function mightSee(stage: StageFacts, tee: Tee, context: GuardContext): boolean {
  const { name, line, command, runs, scripts, unnamed } = stage;
  const text = line.slice(command.span.start, command.span.end);
  if (isOfShell(stage)) return false;
  if (name === undefined || runs.length > 0 || scripts.length > 0 || unnamed.length > 0 || /[<>]\(|\$\(|`|\bexec|getline/.test(text))
    return true;
  if (LOOK_AT_NO_DIRECTORY.has(name)) return false;
  const looks = looksAt(stage);
  if (looks === "nothing") return false;
  const { reads, lists, unknown } = usesOf(stage, context);
  const places = [...reads, ...lists];
  if (looks === undefined || unknown.length > 0 || (places.length === 0 && looks !== "named")) return true;
  return places.some((place) => holds(canonical(place, context), tee.path, context));
}

function looksAt({ definition, arguments: words }: StageFacts): LooksAt | undefined {
  const args = words.map(({ text }) => text);
  if (typeof definition?.looksAt !== "function") return definition?.looksAt;
  return args.every((text) => text !== undefined) ? definition.looksAt(args) : undefined;
}

const canonical = (place: string, { look }: GuardContext): string => (place === "." ? "" : (look?.real(place) ?? place));

/** True if `path` is `place` or below it. */
function holds(place: string, path: string, context: GuardContext): boolean {
  const from = joined("", place === "" ? "." : place, context) ?? "";
  return from === "" || path === from || path.startsWith(`${from}/`);
}
