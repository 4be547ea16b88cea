/** git show and git cat-file: objects by name. */
import { fromWord } from "./byte-text.ts";
import type { Command, CommandRun, Running } from "./command.ts";
import { chosenFormat, CommitPrinter, mergeDiffOf } from "./commit-printer.ts";
import { diffSettings, DIFF_FLAGS, DIFF_REFUSED, DIFF_REFUSED_VALUES } from "./diff-options.ts";
import { GitError } from "./git-error.ts";
import { chosenCommits, historyRequest, PRETTY_FLAGS, WALK_FLAGS } from "./history-request.ts";
import { walkHistory } from "./history.ts";
import { isSubmodule, isTree, modeText, parseTag, parseTree, type Signature } from "./objects.ts";
import type { Options } from "./options.ts";
import type { Pathspec } from "./pathspec.ts";
import type { Repository } from "./repository.ts";
import { splitRevisions } from "./revision-arguments.ts";
import { HOW_TO_SEPARATE, resolveRange, resolveRevision } from "./revision.ts";
import { quotedName } from "./byte-text.ts";

export const show: Command = {
  flags: `${DIFF_FLAGS} ${WALK_FLAGS} ${PRETTY_FLAGS}`,
  refused: DIFF_REFUSED,
  refusedValues: DIFF_REFUSED_VALUES,
  takesNumbers: true,
  readsRevisions: true,
  *run(run) {
    const { repository, options, print, dates } = run;
    for (const word of options.operands) complainOfPath(repository, fromWord(word), options);
    const asked = diffSettings(options, repository.config, repository.prefix);
    const settings = asked.formats.size === 0 && !asked.isSilent ? { ...asked, formats: new Set(["patch" as const]) } : asked;
    const { revisions, paths } = splitRevisions(repository, options);
    const printer = new CommitPrinter(run, settings, {
      mergeDiff: mergeDiffOf(options, "dense"),
      paths: options.has("--full-diff") ? undefined : paths,
    });
    const isRange = (typed: string): boolean => typed.includes("..") || typed.startsWith("^") || /\^(!|-[0-9]*)$/.test(typed);
    if (revisions.some(isRange) || options.has("-n", "--max-count", "--do-walk")) {
      for (const place of chosenCommits(repository, historyRequest(run))) yield* printer.print({ commit: place.commit, place });
      return 0;
    }
    let isFirst = true;
    let isChosen: ((id: string) => boolean) | undefined;
    const named = revisions.flatMap((typed) => (typed.endsWith("^@") ? (resolveRange(repository, typed)?.include ?? typed) : typed));
    for (const typed of revisions.length === 0 ? ["HEAD"] : named) {
      let id = resolveRevision(repository, typed);
      if (id === undefined && typed === "HEAD") {
        const branch = (repository.refs.symbolic("HEAD") ?? "").replace(/^refs\/heads\//, "");
        throw new GitError(`your current branch '${branch}' does not have any commits yet`);
      }
      if (id === undefined)
        throw new GitError(`ambiguous argument '${typed}': unknown revision or path not in the working tree.\n${HOW_TO_SEPARATE}`);
      let object = repository.objects.get(id);
      while (object.type === "tag") {
        const tag = parseTag(object.data);
        if (!isFirst) print("\n");
        print(`tag ${tag.name}\n`);
        if (tag.tagger !== undefined)
          print(
            taggerLines(tag.tagger, chosenFormat(options, repository).format.kind, (who) =>
              dates.text(who, { kind: "default", isLocal: false, format: "" }),
            ),
          );
        print(`\n${tag.message}`);
        isFirst = false;
        id = tag.object;
        object = repository.objects.get(id);
        printer.noteShown();
      }
      if (object.type === "commit") {
        isChosen ??= choice(run, typed, paths);
        if (isChosen(id)) yield* printer.print({ commit: repository.commit(id) });
      } else if (object.type === "tree") {
        print(`${isFirst ? "" : "\n"}tree ${typed}\n\n`);
        for (const { name, mode } of parseTree(object.data)) print(`${name}${isTree(mode) ? "/" : ""}\n`);
      } else print(object.data.toString("latin1"));
      isFirst = false;
      yield;
    }
    return printer.foundErrors ? 2 : 0;
  },
};

/** Whether a commit that is named is shown: where it changes none of the paths, or a filter leaves it out, it is not. */
function choice(run: CommandRun, typed: string, paths: Pathspec | undefined): (id: string) => boolean {
  const { repository } = run;
  const request = { ...historyRequest(run, { revisions: [typed] }), paths, exclude: [], walksNot: true };
  let { skip } = request;
  return (id) => {
    const [found] = walkHistory(repository, { ...request, include: [id], skip: 0 });
    return found !== undefined && skip-- <= 0;
  };
}

function taggerLines({ name, mail, ...rest }: Signature, kind: string, date: (who: Signature) => string): string {
  const who = { name, mail, ...rest };
  if (kind === "oneline") return "";
  if (kind === "fuller") return `Tagger:     ${name} <${mail}>\nTaggerDate: ${date(who)}\n`;
  return `Tagger: ${name} <${mail}>\n${kind === "medium" ? `Date:   ${date(who)}\n` : ""}`;
}

/** `REV:PATH` that is not there gets words of its own. */
export function complainOfPath(repository: Repository, typed: string, options: Options): void {
  const colon = typed.indexOf(":");
  if (colon <= 0 || typed.includes("{") || options.paths !== undefined) return;
  const revision = typed.slice(0, colon);
  const id = resolveRevision(repository, revision);
  if (id === undefined) throw new GitError(`invalid object name '${revision}'.`);
  if (resolveRevision(repository, typed) !== undefined) return;
  const path = typed.slice(colon + 1);
  const onDisk = repository.disk.status(repository.inWorktree(path), false) !== undefined;
  const below = repository.prefix !== "" && resolveRevision(repository, `${revision}:${repository.prefix}${path}`) !== undefined;
  if (below)
    throw new GitError(
      `path '${repository.prefix}${path}' exists, but not '${path}'\nhint: Did you mean '${revision}:${repository.prefix}${path}' aka '${revision}:./${path}'?`,
    );
  throw new GitError(onDisk ? `path '${path}' exists on disk, but not in '${revision}'` : `path '${path}' does not exist in '${revision}'`);
}

export const catFile: Command = {
  flags: "-p -t -s -e --path: --allow-unknown-type --use-mailmap --no-use-mailmap --mailmap --no-mailmap",
  refused: {
    "--batch": ["objects are named in the line", "git cat-file -p HEAD"],
    "--batch-check": ["objects are named in the line", "git cat-file -t HEAD"],
    "--batch-command": ["objects are named in the line", "git cat-file -p HEAD"],
    "--batch-all-objects": ["objects are named in the line", "git rev-list --objects HEAD"],
    "--textconv": ["a text conversion is a program, and none is started here", "git cat-file -p HEAD"],
    "--filters": ["a filter is a program, and none is started here", "git cat-file -p HEAD"],
  },
  *run(run): Running {
    const { options, repository, print } = run;
    const [first = "", second] = options.operands.map(fromWord);
    const mode = options.lastOf("-p", "-t", "-s", "-e");
    const typed = mode === undefined ? (second ?? "") : first;
    if (typed === "")
      throw new GitError(
        "usage: git cat-file <type> <object>\n   or: git cat-file (-e | -p) <object>\n   or: git cat-file (-t | -s) [--allow-unknown-type] <object>",
        { exit: 129, prefix: "" },
      );
    const id = resolveRevision(repository, typed);
    if (id === undefined) {
      complainOfPath(repository, typed, options);
      throw new GitError(`Not a valid object name ${typed}`);
    }
    const object = repository.objects.find(id);
    if (object === undefined) {
      if (mode === "-e") return 1;
      throw new GitError(mode === "-p" ? `Not a valid object name ${typed}` : "git cat-file: could not get object info");
    }
    if (mode === "-e") return 0;
    if (mode === "-t") print(`${object.type}\n`);
    else if (mode === "-s") print(`${object.data.length}\n`);
    else if (mode === "-p" && object.type === "tree") printTree(run, object.data);
    else {
      const wanted = mode === undefined ? first : object.type;
      const found = wanted === object.type ? object : peeledTo(repository, id, wanted);
      if (found === undefined) throw new GitError(`git cat-file ${typed}: bad file`);
      print(found.data.toString("latin1"));
    }
    yield;
    return 0;
  },
};

function peeledTo(repository: Repository, id: string, type: string): { readonly data: Buffer } | undefined {
  const peeled = repository.peeled(id);
  const object = repository.objects.find(peeled);
  if (object?.type === type) return object;
  return object?.type === "commit" && type === "tree" ? repository.objects.find(repository.commit(peeled).tree) : undefined;
}

function printTree({ print, repository }: CommandRun, data: Buffer): void {
  for (const { mode, name, id } of parseTree(data))
    print(
      `${modeText(mode)} ${isTree(mode) ? "tree" : isSubmodule(mode) ? "commit" : "blob"} ${id}\t${quotedName(name, repository.quotesAll)}\n`,
    );
}
