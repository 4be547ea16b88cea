/** git show: objects by name. */
import { command, type CommandRun } from "./command.ts";
import { SWITCH, type NamesRead } from "./flags.ts";
import { chosenFormat } from "../log/chosen-format.ts";
import { CommitPrinter, type CommitFlag } from "../log/commit-printer.ts";
import { usesMailmap } from "../log/mailmap.ts";
import { mergeDiffOf } from "../log/merge-diff.ts";
import { DIFF_FLAGS } from "../diff/diff-flags.ts";
import { painted } from "../diff/colours.ts";
import { diffSettings } from "../diff/diff-options.ts";
import { DEFAULT_DATE, readDateStyle, type DateStyle } from "../dates/date-printer.ts";
import { PLAIN_MAIL, senderLine } from "../log/mail.ts";
import type { PrettyFormat } from "../log/pretty.ts";
import { GitError } from "../git-error.ts";
import { chosenCommits, historyRequest, usesSources, type HistoryFlag } from "../log/history-request.ts";
import { LOG_ANYWHERE, NO_LOG_FLAGS, SHOW_REFUSED, PRETTY_FLAGS, WALK_FLAGS } from "../log/walk-flags.ts";
import { walkHistory, type HistoryCommit } from "../log/history.ts";
import { isTree, parseTag, parseTree, type Signature } from "../objects/objects.ts";
import type { Pathspec } from "../worktree/pathspec.ts";
import { splitRevisions } from "../refs/revision-arguments.ts";
import { HOW_TO_SEPARATE, placeNamed, resolveRange, resolveRevision, rangeEnds } from "../refs/revision.ts";

const SHOW_FLAGS = {
  ...DIFF_FLAGS,
  ...WALK_FLAGS,
  ...NO_LOG_FLAGS,
  "--full-diff": SWITCH,
  ...PRETTY_FLAGS,
  ...SHOW_REFUSED,
  "--exit-code": SWITCH,
} as const;

export const show = command({
  flags: SHOW_FLAGS,
  takesNumbers: true,
  readsRevisions: true,
  anywhere: LOG_ANYWHERE,
  *run(run) {
    const { repository, options, print, dates } = run;
    const asked = diffSettings(options, repository.config, repository.prefix);
    const settings = asked.quiet
      ? { ...asked, formats: new Set<never>(), isSilent: true }
      : asked.formats.size === 0 && !asked.isSilent
        ? { ...asked, formats: new Set(["patch" as const]) }
        : asked;
    const titled = (title: string): string => (settings.isColoured ? painted(title, "commit") : title);
    const { revisions, paths, missing } = splitRevisions(repository, options);
    const walk = { ...run, options: options.among<HistoryFlag>() };
    const readsMailmap = usesMailmap(options, repository);
    const showsSources = usesSources(run);
    const printer = new CommitPrinter({ ...run, options: options.among<CommitFlag>() }, settings, {
      mergeDiff: mergeDiffOf(options, "dense"),
      paths: options.has("--full-diff") ? undefined : paths,
      sources: showsSources,
      countsChanges: options.has("--exit-code"),
    });
    const exit = (): number => (printer.foundErrors ? 2 : options.has("--exit-code") && printer.hasChanges ? 1 : 0);
    const isRange = (typed: string): boolean => rangeEnds(typed) !== undefined || typed.startsWith("^") || /\^(!|-[0-9]*)$/.test(typed);
    if (revisions.some(isRange) || options.has("-n", "--max-count", "--do-walk")) {
      for (const place of chosenCommits(repository, historyRequest(walk, { readsMailmap })))
        yield* printer.print({ commit: place.commit, place });
      return exit();
    }
    if (options.lastOf("--graph", "--no-graph") === "--graph")
      throw new GitError("options '--no-walk' and '--graph' cannot be used together");
    let isFirst = true;
    let chosen: ((id: string) => HistoryCommit | undefined) | undefined;
    const shown = new Set<string>();
    const named = revisions.flatMap((typed) => (typed.endsWith("^@") ? (resolveRange(repository, typed)?.include ?? typed) : typed));
    for (const typed of revisions.length + missing.length === 0 ? ["HEAD"] : named) {
      let id = resolveRevision(repository, typed);
      if (id === undefined && typed === "HEAD") {
        const branch = (repository.refs.symbolic("HEAD") ?? "").replace(/^refs\/heads\//, "");
        throw new GitError(`your current branch '${branch}' does not have any commits yet`);
      }
      if (id === undefined)
        throw new GitError(`ambiguous argument '${typed}': unknown revision or path not in the working tree.\n${HOW_TO_SEPARATE}`);
      let object = repository.objects.get(id);
      const tags = new Set<string>();
      while (object.type === "tag") {
        if (tags.has(id)) throw new GitError(`bad tag pointer to ${id} in ${id}`);
        tags.add(id);
        const tag = parseTag(object.data);
        if (!isFirst) print("\n");
        print(`${titled(`tag ${tag.name}`)}\n`);
        if (tag.tagger !== undefined)
          print(
            taggerLines(tag.tagger, chosenFormat(options, repository).format.kind, (who, style = DEFAULT_DATE) => dates.text(who, style)),
          );
        print(`\n${tag.message}`);
        isFirst = false;
        id = tag.object;
        object = repository.objects.get(id);
        printer.noteShown();
      }
      if (object.type === "commit") {
        chosen ??= choice(run, typed, paths);
        const found = shown.has(id) ? undefined : chosen(id);
        const place = found !== undefined && showsSources ? { ...found, source: typed } : undefined;
        if (found !== undefined) yield* printer.print({ commit: repository.commit(id), place });
        shown.add(id);
        // What is told by the status is the last to be shown.
        if (exit() !== 0) return exit();
      } else if (object.type === "tree") {
        print(`${isFirst ? "" : "\n"}${titled(`tree ${typed}`)}\n\n`);
        for (const { name, mode } of parseTree(object.data, repository.format)) print(`${name}${isTree(mode) ? "/" : ""}\n`);
      } else {
        repository.denied.checkNamed(id === resolveRevision(repository, typed) ? placeNamed(repository, typed) : undefined, typed);
        print(object.data.toString("latin1"));
      }
      isFirst = false;
      yield;
    }
    return exit();
  },
});

/** Finds the place of a named commit that is shown: not if it changes none of the paths, nor if a filter leaves it out. */
function choice(
  run: CommandRun<NamesRead<typeof SHOW_FLAGS>>,
  typed: string,
  paths: Pathspec | undefined,
): (id: string) => HistoryCommit | undefined {
  const { repository } = run;
  const walk = { ...run, options: run.options.among<HistoryFlag>() };
  const request = {
    ...historyRequest(walk, { revisions: [typed], readsMailmap: usesMailmap(run.options, repository) }),
    paths,
    exclude: [],
    walksNot: true,
  };
  let { skip } = request;
  return (id) => {
    const [found] = walkHistory(repository, { ...request, include: [id], skip: 0 });
    return found !== undefined && skip-- <= 0 ? found : undefined;
  };
}

function taggerLines(
  { name, mail, ...rest }: Signature,
  kind: PrettyFormat["kind"],
  date: (who: Signature, style?: DateStyle) => string,
): string {
  const who = { name, mail, ...rest };
  if (kind === "oneline") return "";
  if (kind === "email" || kind === "mboxrd")
    return `${senderLine(who, { ...PLAIN_MAIL, encodesHeaders: false })}\nDate: ${date(who, readDateStyle("rfc"))}\n`;
  if (kind === "fuller") return `Tagger:     ${name} <${mail}>\nTaggerDate: ${date(who)}\n`;
  return `Tagger: ${name} <${mail}>\n${kind === "medium" ? `Date:   ${date(who)}\n` : ""}`;
}
