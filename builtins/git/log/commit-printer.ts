/** Commits as log and show print them: the rails, the header, the message, and the diff to one or to all parents. */
import { fromWord } from "../objects/byte-text.ts";
import { combinedFiles, printCombinedPatch, printCombinedRaw } from "../diff/combined-diff.ts";
import type { CommandRun, LoadRequest } from "../commands/command.ts";
import { DEFAULT_DATE, readDateStyle } from "../dates/date-printer.ts";
import { decorationFilter, decorationOf, Decorations } from "../refs/decorations.ts";
import { readDescription } from "../refs/describe.ts";
import { COUNT_FORMATS, hasFormat, NAME_FORMATS, onlyFormats, type DiffSettings } from "../diff/diff-options.ts";
import { printPairs, shownPairs } from "../diff/diff-print.ts";
import { treePairs, type FilePair } from "../diff/file-pairs.ts";
import { GitError } from "../git-error.ts";
import { Graph } from "./graph.ts";
import type { FollowedPath } from "./followed-path.ts";
import { differsFromParent } from "./path-changes.ts";
import type { HistoryCommit } from "./history.ts";
import { PLAIN_MAIL, type MailPlace, type MailRules } from "./mail.ts";
import { mailmapOf, usesMailmap, type Mailmap } from "./mailmap.ts";
import { noteRefs, Notes } from "./notes.ts";
import type { Commit } from "../objects/objects.ts";
import type { MergeDiff } from "./merge-diff.ts";
import type { PrettyFlag, WalkFlag } from "./walk-flags.ts";
import { chosenFormat, type ChosenFormat } from "./chosen-format.ts";
import { checkCommitColours, paintedHeader } from "./commit-colours.ts";
import type { DiffFlag } from "../diff/diff-flags.ts";
import type { Print } from "../diff/patch.ts";
import type { Pathspec } from "../worktree/pathspec.ts";
import { prettyParts, REFERENCE, type PrettyContext, type PrettyFormat, type PrettyPlace } from "./pretty.ts";
import type { Repository } from "../repository.ts";

export interface PrinterOptions {
  readonly mergeDiff: MergeDiff;
  /** Files that the diff is about; undefined: all. */
  readonly paths: Pathspec | undefined;
  /** The starting points' names take part (--source, %S). */
  readonly sources?: boolean;
  /** Whether a commit has changes is looked for although no diff is shown (--exit-code). */
  readonly countsChanges?: boolean;
  /** No other commit has a diff (--diff-merges without -p). */
  readonly onlyMerges?: boolean;
  /** Only what has a diff is shown, as with a pickaxe. */
  readonly skipsUnchanged?: boolean;
  /** False: `log.*` and format.pretty do not count. */
  readonly obeysLog?: boolean;
  /** Mails are as format-patch makes them. */
  readonly mail?: MailRules;
  /** The diff is that of one path, under the names that it had (--follow), and commits without one are left out. */
  readonly followed?: FollowedPath;
}

/** A commit, with the facts about it that it does not hold itself. */
export interface PrintedCommit {
  readonly commit: Commit;
  readonly place?: HistoryCommit | undefined;
  /** The diff to print where it is not that of the trees. */
  readonly pairs?: readonly FilePair[] | undefined;
  readonly reflog?: PrettyPlace["reflog"];
  /** Prints a diff of its own below the message (log -L). */
  readonly diff?: ((print: Print) => void) | undefined;
  readonly mail?: MailPlace | undefined;
}

export class CommitPrinter {
  readonly #run: CommandRun<CommitFlag>;
  readonly #diff: DiffSettings;
  readonly #wanted: PrinterOptions;
  readonly #format: PrettyFormat;
  readonly #context: PrettyContext;
  readonly #graph: Graph | undefined;
  readonly #repository: Repository;
  readonly #print: Print;
  readonly #usesMarks: { readonly leftRight: boolean; readonly cherry: boolean };
  readonly #end: string;
  /** --check found white space errors. */
  foundErrors = false;
  /** The last diff that was made had changes, as --exit-code counts them. */
  hasChanges = false;
  #shownOne = false;
  #missesNewline = false;
  #atLineStart = true;
  #shownDashes = false;

  constructor(run: CommandRun<CommitFlag>, diff: DiffSettings, wanted: PrinterOptions) {
    const { options, repository } = run;
    this.#run = run;
    this.#diff = diff;
    this.#wanted = wanted;
    this.#repository = repository;
    this.#end = diff.endsInNull ? "\0" : "\n";
    this.#graph = options.lastOf("--graph", "--no-graph") === "--graph" ? new Graph() : undefined;
    const prefix = diff.linePrefix;
    this.#print = prefix === "" ? run.print : (text) => run.print(this.#prefixed(text, prefix));
    this.#usesMarks = {
      leftRight: options.has("--left-right"),
      cherry: options.has("--cherry-mark", "--cherry"),
    };
    const { format, wasGiven, isOneline } = chosenFormat(options, repository, wanted.obeysLog !== false);
    this.#format = format;
    const context = prettyContext(run, { format, wasGiven, isOneline }, wanted.mail === undefined && wanted.obeysLog !== false);
    this.#context = wanted.mail === undefined ? context : { ...context, mail: wanted.mail, mailmap: undefined };
    if (diff.isColoured)
      checkCommitColours(format, {
        isGraph: this.#graph !== undefined,
        hasNames: this.#context.decorations !== undefined || wanted.sources === true,
        hasRelated: options.has("--parents", "--children"),
      });
  }

  /** Something else was printed: what separates commits comes before the next one. */
  noteShown(): void {
    this.#shownOne = true;
    this.#missesNewline = false;
  }

  /** False where it is left out for having no diff that is asked for. */
  *print(shown: PrintedCommit): Generator<void | LoadRequest, boolean> {
    const { commit, place } = shown;
    if (this.#graph !== undefined)
      this.#graph.update({
        id: commit.id,
        parents: place?.shownParents ?? commit.parents,
        mark: place?.isBoundary === true ? "o" : this.#markOf(place) || "*",
      });
    const { isPickaxed, isPickedBlindly, formats } = this.#diff;
    const follows = this.#wanted.followed !== undefined;
    const skipsOthers = isPickaxed || follows;
    const wantsDiff = formats.size > 0 || (isPickaxed && !isPickedBlindly) || follows || this.#wanted.onlyMerges === true;
    if (shown.diff !== undefined) {
      this.#showHeader(shown, undefined);
      const print = this.#besideGraph(this.#print);
      if (!this.#diff.isSilent) print("\n");
      if (!this.#diff.isSilent) shown.diff(print);
      yield;
      return true;
    }
    const isChanged = (): boolean => differsFromParent(this.#repository, commit, this.#wanted.paths);
    const isShown = wantsDiff ? yield* this.#showDiff(shown) : false;
    if (!wantsDiff && this.#wanted.countsChanges === true && commit.parents.length < 2) this.hasChanges = isChanged();
    if (!isShown) {
      if (skipsOthers || (this.#wanted.skipsUnchanged === true && (wantsDiff || !isChanged()))) return false;
      this.#showHeader(shown, undefined);
    }
    yield;
    return true;
  }

  *#showDiff(shown: PrintedCommit): Generator<void | LoadRequest, boolean> {
    const { commit } = shown;
    const repository = this.#repository;
    const treeOf = (parent: string | undefined): string | undefined => (parent === undefined ? undefined : repository.commit(parent).tree);
    const { followed } = this.#wanted;
    const pairsTo = (parent: string | undefined): readonly FilePair[] =>
      followed === undefined
        ? shownPairs(repository, treePairs(repository, treeOf(parent), commit.tree, { paths: this.#wanted.paths }), this.#diff, () =>
            treePairs(repository, undefined, this.#diff.reverses ? commit.tree : treeOf(parent)),
          )
        : followed.pairs(treeOf(parent), commit.tree);
    if (commit.parents.length < 2 && this.#wanted.onlyMerges === true) return false;
    if (commit.parents.length < 2) return yield* this.#showPairs(shown, shown.pairs ?? pairsTo(commit.parents[0]), undefined);
    switch (this.#wanted.mergeDiff) {
      case "none":
        return false;
      case "first-parent":
        return yield* this.#showPairs(shown, pairsTo(commit.parents[0]), undefined);
      case "separate": {
        let isShown = false;
        for (const parent of commit.parents) isShown = (yield* this.#showPairs(shown, pairsTo(parent), parent)) || isShown;
        return isShown;
      }
      case "combined":
      case "dense": {
        const toEach = (): (readonly FilePair[])[] => commit.parents.map((parent) => pairsTo(parent));
        yield* this.#showCombined(
          shown,
          repository.withoutLimitWarning(() => followed?.aside(toEach) ?? toEach()),
        );
        return true;
      }
    }
  }

  *#showPairs(shown: PrintedCommit, pairs: readonly FilePair[], from: string | undefined): Generator<void | LoadRequest, boolean> {
    this.hasChanges = false;
    if (pairs.length === 0) return false;
    this.#showHeader(shown, from);
    const print = this.#besideGraph(this.#print);
    if (this.#diff.formats.size > 0) this.#separateDiff();
    this.hasChanges = yield* printPairs(this.#repository, pairs, this.#inGraph(), (text) => {
      this.foundErrors ||= this.#diff.checks;
      print(text);
    });
    return true;
  }

  /** Prints the separator between the message and the diff. */
  #separateDiff(): void {
    if (this.#format.kind === "oneline" || this.#isEmptyFormat) return;
    const { formats } = this.#diff;
    const hasDashes = formats.has("patch") && formats.has("stat") && !this.#shownDashes;
    this.#print(`${this.#graph?.paddingLine() ?? ""}${hasDashes ? "---" : ""}\n`);
  }

  *#showCombined(shown: PrintedCommit, diffs: readonly (readonly FilePair[])[]): Generator<void | LoadRequest, void> {
    this.#showHeader(shown, undefined);
    const { formats } = this.#diff;
    const print = this.#besideGraph(this.#print);
    if (formats.size === 0) return;
    if (!this.#isEmptyFormat) print(this.#end);
    const files = combinedFiles(diffs);
    const settings = this.#inGraph();
    const counts = onlyFormats(settings, COUNT_FORMATS);
    if (counts.formats.size > 0) yield* printPairs(this.#repository, diffs[0] ?? [], counts, print);
    if (files.length === 0) return;
    const hasNames = hasFormat(this.#diff, NAME_FORMATS);
    if (hasNames) for (const file of files) printCombinedRaw(this.#repository, file, this.#diff, print);
    if (!formats.has("patch")) return;
    if (hasNames || counts.formats.size > 0) print(this.#end);
    for (const file of files) {
      printCombinedPatch(this.#repository, file, this.#diff, this.#wanted.mergeDiff === "dense", print, this.#print);
      yield;
    }
  }

  get #isEmptyFormat(): boolean {
    return this.#format.kind === "user" && this.#format.format === "";
  }

  get #endsEach(): boolean {
    return this.#format.kind === "user" ? this.#format.endsEach : this.#format.kind === "oneline";
  }

  #markOf(place: HistoryCommit | undefined): string {
    if (place === undefined) return "";
    if (place.isBoundary) return "-";
    if (place.isSame) return "=";
    if (this.#usesMarks.leftRight) return place.isLeft ? "<" : ">";
    return this.#usesMarks.cherry && this.#graph === undefined ? "+" : "";
  }

  #showHeader(shown: PrintedCommit, from: string | undefined): void {
    const graph = this.#graph;
    const print = this.#print;
    const { commit, place, reflog } = shown;
    if (this.#shownOne && !this.#endsEach) {
      if (graph !== undefined && this.#end === "\n" && !this.#missesNewline) print(graph.paddingLine());
      if (this.#end === "\n") print(this.#end);
      else this.#run.print(this.#end);
    }
    this.#shownOne = true;
    const options = this.#run.options;
    const mark = this.#markOf(place);
    // Without a diff git has not read what was not walked yet.
    const knownParents = place?.isRead === false && this.#diff.formats.size === 0 ? [] : (place?.parents ?? commit.parents);
    const {
      header,
      text: body,
      hasDashes = false,
    } = prettyParts(commit, this.#format, this.#context, {
      reflog,
      from,
      mark: graph === undefined ? mark : undefined,
      side: place === undefined ? undefined : place.isBoundary ? "-" : place.isSame ? "=" : place.isLeft ? "<" : ">",
      rewritten: place?.parents,
      parents: options.has("--parents") ? knownParents : undefined,
      children: options.has("--children") ? (place?.children ?? []) : undefined,
      source: this.#wanted.sources === true ? place?.source : undefined,
      mail: shown.mail,
    });
    this.#shownDashes = hasDashes;
    if (graph !== undefined) print(graph.commitLines());
    if (header !== undefined) {
      const first = this.#diff.isColoured ? paintedHeader(header, this.#format, from !== undefined) : header;
      print(this.#format.kind === "oneline" ? first : `${first}\n${graph?.nextLine() ?? ""}`);
    }
    if (options.has("--log-size")) print(`log size ${body.length}\n${graph?.nextLine() ?? ""}`);
    this.#missesNewline = !body.endsWith("\n");
    print(graph === undefined ? body : graph.beside(body));
    if (!this.#endsEach || this.#isEmptyFormat) return;
    if (graph !== undefined && !this.#missesNewline) print(graph.paddingLine());
    print(this.#end);
  }

  /** Each line of a diff stands beside the rails. */
  #besideGraph(print: Print): Print {
    const graph = this.#graph;
    if (graph === undefined) return print;
    let isStart = true;
    return (text) => {
      const rails = graph.paddingLine();
      let out = "";
      for (let at = 0; at < text.length; ) {
        const newline = text.indexOf("\n", at);
        const end = newline < 0 ? text.length : newline + 1;
        out += (isStart ? rails : "") + text.slice(at, end);
        isStart = newline >= 0 || this.#endsRecord(text);
        at = end;
      }
      print(out);
    };
  }

  /** With -z the files of a diff are records that end in NUL, and are printed one by one. */
  #endsRecord(text: string): boolean {
    return this.#diff.endsInNull && text.endsWith("\0");
  }

  /** The settings of a diff that has less room for its graphs. */
  #inGraph(): DiffSettings {
    if (this.#graph === undefined) return this.#diff;
    const diff = { ...this.#diff, isPrefixed: true };
    return diff.statWidthIsGiven ? diff : { ...diff, statWidth: diff.statWidth - this.#graph.paddingLine().length };
  }

  #prefixed(text: string, prefix: string): string {
    let out = "";
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline + 1;
      out += (this.#atLineStart ? prefix : "") + text.slice(at, end);
      this.#atLineStart = newline >= 0 || this.#endsRecord(text);
      at = end;
    }
    return out;
  }
}

/** The flags that say how a commit is printed. */
export type CommitFlag = PrettyFlag | WalkFlag | DiffFlag | "-m";

export type ContextFlag = PrettyFlag | "--abbrev" | "--no-abbrev";

/** Context of the formats, from the repository and the flags. `obeysLog`: of a command that goes by `log.*`. */
export function prettyContext(
  run: CommandRun<ContextFlag>,
  { format, wasGiven, isOneline }: ChosenFormat,
  obeysLog = false,
): PrettyContext {
  const { options, repository } = run;
  const decorating = options.lastOf("--decorate", "--no-decorate");
  const configured = obeysLog && !(wasGiven && format.kind === "raw") ? decorationOf(repository.config) : "no";
  const decorate = decorating === undefined ? configured : decorating === "--decorate" ? (options.last("--decorate") as string) : "no";
  if (!["", "short", "full", "auto", "no"].includes(decorate)) throw new GitError(`invalid --decorate option: ${decorate}`);
  let all: Decorations | undefined;
  const filter = decorationFilter(options);
  const allDecorations = (): Decorations => (all ??= new Decorations(repository, decorate === "full" ? "full" : "short", filter));
  const date = options.has("--relative-date")
    ? "relative"
    : (options.last("--date") ?? (obeysLog ? repository.config.get("log.date") : undefined));
  const isReference = format.kind === "user" && format.format === REFERENCE;
  const abbrev = options.last("--abbrev");
  // --oneline is --pretty=oneline --abbrev-commit.
  const short = options.lastOf("--abbrev-commit", "--no-abbrev-commit", "--oneline");
  let mailmap: Mailmap | undefined;
  const fullMailmap = (): Mailmap => (mailmap ??= mailmapOf(repository));
  let notes: Notes | undefined;
  const allNotes = (): Notes => (notes ??= new Notes(repository, noteRefs(options)));
  const noting = options.lastOf("--notes", "--show-notes", "--no-notes");
  const formatBefore = options.all("--pretty", "--format").findLast((value) => /%|^t?format:/.test(value));
  const asksNotes = format.kind !== "user" && formatBefore?.includes("%N") === true;
  const showsNotes = noting === undefined ? !wasGiven || asksNotes : noting !== "--no-notes";
  const tabs = options.each("--expand-tabs", "--no-expand-tabs").at(-1);
  const encoding = options.lastOf("--encode-email-headers", "--no-encode-email-headers");
  const descriptions = new Map<string, ((id: string) => string) | undefined>();
  return {
    described: (words) => {
      if (!descriptions.has(words)) descriptions.set(words, readDescription(repository, words));
      return descriptions.get(words);
    },
    repository,
    dates: run.dates,
    dateStyle:
      date === undefined || date === "default" ? (isReference ? readDateStyle("short") : DEFAULT_DATE) : readDateStyle(fromWord(date)),
    abbreviates:
      short === undefined
        ? isOneline || (obeysLog && repository.config.boolean("log.abbrevcommit", false))
        : short !== "--no-abbrev-commit",
    abbreviation:
      options.lastOf("--abbrev", "--no-abbrev") === "--no-abbrev"
        ? Infinity
        : abbrev === undefined || abbrev === ""
          ? undefined
          : Number(abbrev),
    decorations: decorate === "no" || decorate === "auto" ? undefined : allDecorations(),
    allDecorations,
    mailmap: usesMailmap(options, repository) && !fullMailmap().isEmpty ? fullMailmap() : undefined,
    fullMailmap,
    notes: showsNotes ? allNotes() : undefined,
    allNotes,
    mail: {
      ...PLAIN_MAIL,
      subjectPrefix: repository.config.get("format.subjectprefix") ?? PLAIN_MAIL.subjectPrefix,
      encodesHeaders:
        encoding === undefined ? repository.config.boolean("format.encodeemailheaders", true) : encoding === "--encode-email-headers",
    },
    tabColumns: tabs === undefined ? undefined : tabs.name === "--no-expand-tabs" ? 0 : tabs.value === undefined ? 8 : Number(tabs.value),
  };
}
