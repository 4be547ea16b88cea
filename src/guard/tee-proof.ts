/**
 * Proof that a line that writes by tee does the same as one that redirects: from the files that there are now, for a line that
 * is checked whole. What is not certain is not shown.
 */
import type { LooksAt } from "../builtin/looks-at.ts";
import { isExpanded, staticText, type Command, type List, type Redirect, type Word } from "../shell/tree.ts";
import { LOOK_AT_NO_DIRECTORY, type OpenLoss, type TeeProof } from "../shell/rewrite.ts";
import { joined } from "./paths.ts";
import type { GuardContext, StageFacts } from "./rule.ts";
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
  const isShown = (proof: TeeProof): boolean => tees.length > 0 && tees.every((tee) => PROOFS[proof](tee, context));
  return [...open.filter(({ unless }) => !isShown(unless)).map(({ lost }) => lost), ...others];
}

/** True if a tee of the line would be given a directory, a link or the like, which it does not write. */
export const writesNoFile = ({ stages }: Pick<CheckedLine, "stages">, { look }: GuardContext): boolean =>
  stages.some(
    ({ name, paths, directories = [""] }) =>
      name === "tee" &&
      paths.some(({ access, path }) => access === "write" && directories.some((from) => look?.target(path, from).kind === "unwritable")),
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
  /** The path as it was typed, from the directory that the tee starts in. */
  readonly typed: string;
  readonly directory: string;
  /** Directories that the line makes first. */
  readonly made: readonly string[];
  /** The other commands that run at the same time. */
  readonly commands: readonly Command[];
  /** All stages in them. */
  readonly within: readonly StageFacts[];
  /** The command whose output it takes: its patterns are expanded before the file is made. */
  readonly source: StageFacts | undefined;
}

/** The tees of a line that each run once and change one file that nothing else in the line changes; undefined for all others. */
function teesOf({ line, list, stages }: CheckedLine, context: GuardContext): readonly Tee[] | undefined {
  if (list === undefined || stages.some((stage) => stage.line !== line)) return undefined;
  const uses = stages.map((stage) => usesOf(stage, context));
  if (uses.some(({ writesUnknown, removesUnknown }) => writesUnknown || removesUnknown)) return undefined;
  const writes = uses.flatMap((each) => each.writes);
  const isTwice = new Set(writes.map(({ path }) => path)).size < writes.length;
  if (isTwice || writes.some(({ change }) => change === "remove")) return undefined;
  const once = commandsThatRunOnce(list);
  const tees: Tee[] = [];
  for (const stage of stages.filter(({ name }) => name === "tee")) {
    const commands = once.get(stage.command.span.start);
    const tee = commands && teeOf(stage, commands, stages, context);
    if (tee === undefined) return undefined;
    tees.push({ ...tee, made: madeFirst(list, stages, context) });
  }
  return tees;
}

function teeOf(
  stage: StageFacts,
  commands: readonly Command[],
  stages: readonly StageFacts[],
  context: GuardContext,
): Omit<Tee, "made"> | undefined {
  const [use, ...others] = stage.paths.filter(({ access, path }) => access === "write" && path !== "/dev/null");
  const [directory, ...elsewhere] = stage.directories ?? [];
  if (use?.word === undefined || others.length > 0 || directory === undefined || elsewhere.length > 0) return undefined;
  if (isExpanded(use.word) || isPattern(use.word)) return undefined;
  const target = context.look?.target(use.path, directory);
  if (target?.kind !== "new" && target?.kind !== "there") return undefined;
  const source = stage.pipeline.commands[stage.index - 1];
  return {
    path: target.path,
    isNew: target.kind === "new",
    typed: use.path,
    directory,
    commands,
    within: stages.filter(({ command: { span } }) => commands.some((each) => span.start >= each.span.start && span.end <= each.span.end)),
    source: source && stageOf(source, stages),
  };
}

const isPattern = ({ parts }: Word): boolean => parts.some(({ kind }) => kind === "glob");

const stageOf = ({ kind, span }: Command, stages: readonly StageFacts[]): StageFacts | undefined =>
  kind === "simple" ? stages.find(({ command }) => span.start === command.span.start && span.end === command.span.end) : undefined;

/** The directories that the line's first command makes, if it is a mkdir of nothing that is there. */
function madeFirst({ items }: List, stages: readonly StageFacts[], context: GuardContext): readonly string[] {
  const [command, ...others] = items[0]?.pipeline.commands ?? [];
  const stage = command && stageOf(command, stages);
  if (stage?.name !== "mkdir" || others.length > 0) return [];
  return usesOf(stage, context).writes.flatMap(({ path, change }) => (change === "create" ? [path] : []));
}

/** The simple commands outside loops, functions and branches, by their places, with the others that run at the same time. */
function commandsThatRunOnce(
  list: List,
  outer: readonly Command[] = [],
  found = new Map<number, readonly Command[]>(),
): ReadonlyMap<number, readonly Command[]> {
  for (const { pipeline } of list.items) {
    for (const command of pipeline.commands) {
      const others = [...outer, ...pipeline.commands.filter((each) => each !== command)];
      if (command.kind === "simple") found.set(command.span.start, others);
      else if (command.kind === "group") commandsThatRunOnce(command.body, others, found);
    }
  }
  return found;
}

const PROOFS: Readonly<Record<TeeProof, (tee: Tee, context: GuardContext) => boolean>> = {
  fresh: ({ isNew }) => isNew,
  directory({ path, typed, directory, made }, { look }) {
    const parent = directoryOf(typed);
    if (typed.endsWith("/")) return false;
    return parent === "." || made.includes(directoryOf(path)) || look?.entry(parent, directory).isDirectory === true;
  },
  unseen: (tee, context) => tee.within.every((stage) => !mightSee(stage, tee, context)),
  unread: (tee, context) => tee.within.every((stage) => !mightRead(stage, tee, context)),
  inputs: ({ commands, directory }, { look }) =>
    commands.every(({ redirects = [] }: { readonly redirects?: readonly Redirect[] }) =>
      redirects.every((redirect) => {
        if (redirect.kind !== "input") return true;
        const path = staticText(redirect.file);
        return path !== undefined && look?.entry(path, directory).kind === "there";
      }),
    ),
};

const directoryOf = (path: string): string => /^(.*)\/[^/]+$/.exec(path)?.[1] ?? ".";

/** True if it reads the file, or a pattern of it might come to match the file meanwhile. */
function mightRead(stage: StageFacts, { path, isNew, source, directory }: Tee, context: GuardContext): boolean {
  const { reads, unknown } = usesOf(stage, context);
  const text = stage.line.slice(stage.command.span.start, stage.command.span.end);
  // Files that the shell opens for it are no uses of its own.
  if (
    unknown.length > 0 ||
    stage.unnamed.length > 0 ||
    /<\s*[^\s;]*[$*?[]/.test(text) ||
    reads.some((place) => canonical(place, context) === path)
  )
    return true;
  if (!isNew || stage === source) return false;
  return stage.command.words.filter(isPattern).some(({ span }) => {
    const from = directoryOf(stage.line.slice(span.start, span.end));
    return /[*?["'\\$]/.test(from) || joined(directory, from, context) === joined("", directoryOf(path), context);
  });
}

function mightSee(stage: StageFacts, tee: Tee, context: GuardContext): boolean {
  const { name, line, command, runs, scripts, unnamed } = stage;
  const text = line.slice(command.span.start, command.span.end);
  // The files that a compound command opens are none of a command.
  if (name === undefined && command.words.every(({ parts }) => parts.length === 0)) return false;
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
