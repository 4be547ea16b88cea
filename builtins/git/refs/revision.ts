/** gitrevisions(7): names of objects, and ranges of commits. */
import { PatternError } from "../../../src/regex/pattern-error.ts";
import { BufferSearch } from "../../../src/search/buffer-search.ts";
import { bytesOf, toWord } from "../objects/byte-text.ts";
import { DateQueue } from "./date-queue.ts";
import { readDate } from "../dates/approximate-date.ts";
import { DatePrinter, readDateStyle } from "../dates/date-printer.ts";
import { GitError } from "../git-error.ts";
import { MODE } from "../objects/objects.ts";
import { entryAtStage, readIndex } from "../worktree/index-file.ts";
import { OF_WORKTREE, type Ref } from "./refs.ts";
import type { Repository } from "../repository.ts";

const RULES = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];

/** Names that git-check-ref-format(1) forbids, as far as the test saves a look at the disk. */
const NO_REFERENCE = /[ ~^:?*[\\]|\.\.|^\/|\/$|\/\//;

/** The full name of a reference typed in short; undefined where there is none. */
export function refNamed(repository: Repository, typed: string): string | undefined {
  const name = typed === "@" ? "HEAD" : typed;
  if (name === "" || NO_REFERENCE.test(name)) return undefined;
  for (const rule of RULES) {
    // Without `refs/` only files like HEAD and ORIG_HEAD are references.
    if (rule === "" && !name.startsWith("refs/") && !/^[A-Z_]+$/.test(name) && !OF_WORKTREE.test(name)) continue;
    if (repository.refs.resolve(rule + name) !== undefined) return rule + name;
  }
  const remoteHead = `refs/remotes/${name}/HEAD`;
  return repository.refs.resolve(remoteHead) === undefined ? undefined : remoteHead;
}

/** Every reference that a short name may stand for, the one that is meant first; that one alone where nobody is warned of others. */
export function namedRefs(repository: Repository, typed: string): readonly Ref[] {
  const found = refsOfName(repository, typed === "@" ? "HEAD" : typed);
  return warnsOfOthers(repository) ? found : found.slice(0, 1);
}

/** Tells whether a typed name may mean several references, or a reference and an object, as git warns of it. */
export function isAmbiguous(repository: Repository, typed: string): boolean {
  const found = warnsOfOthers(repository) ? refsOfName(repository, typed).length : 0;
  const mayBeId = /^[0-9a-f]{4,}$/i.test(typed) && typed.length <= repository.format.idDigits;
  return found > 1 || (found === 1 && mayBeId && repository.objects.matching(typed.toLowerCase()).length === 1);
}

/** core.warnAmbiguousRefs. */
export const warnsOfOthers = ({ config }: Repository): boolean => config.boolean("core.warnambiguousrefs", true);

function refsOfName(repository: Repository, name: string): readonly Ref[] {
  if (name === "" || NO_REFERENCE.test(name)) return [];
  return [...RULES.map((rule) => rule + name), `refs/remotes/${name}/HEAD`].flatMap((full, at) =>
    at > 0 || name.startsWith("refs/") || /^[A-Z_]+$/.test(name) ? (repository.refs.resolve(full) ?? []) : [],
  );
}

/** The id of what `typed` names; undefined where it names nothing. Throws GitError where it is ambiguous or cannot be. */
export function resolveRevision(repository: Repository, typed: string): string | undefined {
  const isOfMessage = typed.startsWith(":/") && typed.length > 2;
  const colon = isOfMessage ? -1 : colonOf(typed);
  if (colon >= 0) {
    const path = typed.slice(colon + 1);
    return entryNamed(repository, typed.slice(0, colon), path)?.id;
  }
  if (isOfMessage) {
    const starts = [
      ...repository.refs.list(),
      ...(repository.refs.resolve("HEAD") === undefined ? [] : [{ id: repository.refs.resolve("HEAD")?.id ?? "" }]),
    ];
    return commitSaying(
      repository,
      starts.flatMap(({ id }) => repository.asCommit(id) ?? []),
      typed.slice(2),
    );
  }
  let base = typed;
  const steps: string[] = [];
  for (;;) {
    const [all] = /(\^\{[^}]*\}|\^[0-9]*|~[0-9]*)$/.exec(base) ?? [];
    if (all === undefined || all === base) break;
    steps.unshift(all);
    base = base.slice(0, -all.length);
  }
  let id = baseOf(repository, base);
  for (const step of steps) {
    if (id === undefined) return undefined;
    id = stepped(repository, id, step);
  }
  return id;
}

/** The place of the colon of `REV:PATH`; below 0 where there is none. */
export const colonOf = (typed: string): number => {
  const brace = typed.lastIndexOf("}");
  const at = typed.indexOf(":");
  return at >= 0 && at < brace && typed.indexOf("{") < at ? typed.indexOf(":", brace) : at;
};

/**
 * The path in a commit's tree or in the index of the file or directory that `typed` names; "" for a commit and its own tree.
 * Undefined for an object that is named by its id, or by a reference: it does not say where it lies.
 */
export function placeNamed(repository: Repository, typed: string): string | undefined {
  const colon = typed.startsWith(":/") ? -1 : colonOf(typed);
  if (colon >= 0) {
    const path = pathNamed(repository, typed.slice(0, colon), typed.slice(colon + 1));
    const above = colon === 0 ? "" : placeNamed(repository, typed.slice(0, colon));
    if (above === undefined) return undefined;
    return above === "" || path === "" ? above + path : `${above}/${path}`;
  }
  const id = resolveRevision(repository, typed.replace(/\^\{tree\}$/, ""));
  return id !== undefined && repository.asCommit(id) !== undefined ? "" : undefined;
}

/** The path of `REV:PATH` or `:PATH`, from the top. */
function pathNamed(repository: Repository, revision: string, path: string): string {
  const plain = revision === "" && /^[0-3]:/.test(path) ? path.slice(2) : path;
  return plain.startsWith("./") || plain.startsWith("../")
    ? repository.fromHere(plain)
    : revision === ""
      ? plain
      : plain.replace(/\/+$/, "");
}

/** Finds the entry that `REV:PATH` or `:PATH` names, with its mode. */
export function entryNamed(
  repository: Repository,
  revision: string,
  path: string,
): { readonly id: string; readonly mode: number } | undefined {
  const stageText = revision === "" ? /^([0-3]):/.exec(path)?.[1] : undefined;
  const full = pathNamed(repository, revision, path);
  if (revision === "") {
    const found = entryAtStage(readIndex(repository), full, Number(stageText ?? "0"));
    return found === undefined ? undefined : { id: found.id, mode: found.mode };
  }
  const id = resolveRevision(repository, revision);
  const tree = id === undefined ? undefined : treeOf(repository, id);
  return tree === undefined ? undefined : entryAt(repository, tree, full);
}

export function entryAt(repository: Repository, tree: string, path: string): { readonly id: string; readonly mode: number } | undefined {
  return path === "" ? { id: tree, mode: MODE.tree } : repository.entryAt(tree, path);
}

/** The tree of a commit, of a tag of one, or itself. */
export function treeOf(repository: Repository, id: string): string | undefined {
  const peeled = repository.peeled(id);
  const type = repository.objects.find(peeled)?.type;
  return type === "commit" ? repository.commit(peeled).tree : type === "tree" ? peeled : undefined;
}

const STEPS_UNSEEN = 1000;

function stepped(repository: Repository, id: string, step: string): string | undefined {
  const [, type] = /^\^\{(.*)\}$/.exec(step) ?? [];
  if (type !== undefined) {
    if (type === "") return repository.peeled(id);
    if (type.startsWith("/")) {
      const from = repository.asCommit(id);
      return from === undefined ? undefined : type === "/" ? from : commitSaying(repository, [from], type.slice(1));
    }
    if (type === "object") return id;
    if (type === "tree") return treeOf(repository, id);
    if (type === "commit") return repository.asCommit(id);
    if (type === "tag") return repository.objects.find(id)?.type === "tag" ? id : undefined;
    if (type === "blob") return repository.objects.find(repository.peeled(id))?.type === "blob" ? repository.peeled(id) : undefined;
    return undefined;
  }
  let commit = repository.asCommit(id);
  if (commit === undefined) return undefined;
  const count = step.length === 1 ? 1 : Number(step.slice(1));
  if (step.startsWith("^")) return count === 0 ? commit : repository.commit(commit).parents[count - 1];
  // Grafts can lead in a circle, and counts may be any: what comes again comes again in the same order.
  const seen = new Map<string, number>();
  for (let left = count; left > 0 && commit !== undefined; left--) {
    const before = seen.get(commit);
    if (before !== undefined) {
      left %= before - left;
      seen.clear();
      if (left === 0) break;
    }
    if (count > STEPS_UNSEEN) seen.set(commit, left);
    commit = repository.commit(commit).parents[0];
  }
  return commit;
}

/** The youngest commit whose message matches `text`: an extended regular expression, or with `!-` before it one that it must not match. */
function commitSaying(repository: Repository, starts: readonly string[], text: string): string | undefined {
  if (text.startsWith("!") && !/^!(-|!)/.test(text)) return undefined;
  const negates = text.startsWith("!-");
  const pattern = negates ? text.slice(2) : text.startsWith("!!") ? text.slice(1) : text;
  const search = searchOf(pattern);
  if (search === undefined) return undefined;
  const queue = new DateQueue();
  const seen = new Set<string>();
  const add = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    queue.push(repository.commit(id));
  };
  starts.forEach(add);
  for (let commit = queue.pop(); commit !== undefined; commit = queue.pop()) {
    const bytes = bytesOf(commit.asStored.message);
    search.load(bytes, 0, bytes.length);
    if (search.find(0, false) !== negates) return commit.id;
    commit.parents.forEach(add);
  }
  return undefined;
}

/** Undefined for what is no regular expression: git takes it for no revision then. */
function searchOf(pattern: string): BufferSearch | undefined {
  try {
    return new BufferSearch(toWord(pattern), { syntax: "extended", foldCase: false });
  } catch (thrown) {
    if (thrown instanceof PatternError) return undefined;
    throw thrown;
  }
}

const PEELS = ["blob", "tree", "commit", "tag"];

/** The line that git prints on standard error for `REV^{TYPE}` of an object that leads to no such type; "" for any other word. */
export function peeledWrongly(repository: Repository, typed: string): string {
  for (const { index, 0: step, 1: type = "" } of typed.matchAll(/\^\{([a-z]+)\}/g)) {
    const isOfPath = colonOf(typed.slice(0, index)) >= 0;
    const id = PEELS.includes(type) && !isOfPath ? resolveRevision(repository, typed.slice(0, index)) : undefined;
    const name = typed.slice(0, index) + step;
    if (id === undefined || resolveRevision(repository, name) !== undefined) continue;
    const peeled = repository.objects.find(repository.peeled(id))?.type;
    return `error: ${name}: expected ${type} type, but the object dereferences to ${peeled === "commit" ? "tree" : peeled} type\n`;
  }
  return "";
}

function baseOf(repository: Repository, base: string): string | undefined {
  const { format } = repository;
  const lower = base.toLowerCase();
  if (format.isId(lower)) return lower;
  const [, name = "", inside] = /^([^]*?)@\{([^}]*)\}$/.exec(base) ?? [];
  if (inside !== undefined) return atBraces(repository, name, inside);
  const ref = refNamed(repository, base);
  if (ref !== undefined) {
    if (isAmbiguous(repository, base)) repository.warn(`warning: refname '${base}' is ambiguous.\n`);
    return repository.refs.resolve(ref)?.id;
  }
  const [, described] = /-g([0-9a-f]{4,})$/.exec(base) ?? [];
  const prefix = described ?? (/^[0-9a-f]{4,}$/.test(lower) ? lower : undefined);
  if (prefix === undefined || prefix.length > format.idDigits) return undefined;
  const found = repository.objects.matching(prefix);
  if (found.length <= 1) return found[0];
  const commits = found.filter((id) => repository.asCommit(id) !== undefined);
  if (commits.length === 1) return commits[0];
  throw new GitError(`ambiguous argument '${base}': unknown revision or path not in the working tree.\n${HOW_TO_SEPARATE}`);
}

function atBraces(repository: Repository, name: string, inside: string): string | undefined {
  const head = repository.refs.symbolic("HEAD");
  if (/^-[1-9][0-9]*$/.test(inside) && name === "") {
    const branch = previousBranch(repository, Number(inside.slice(1)));
    return branch === undefined ? undefined : baseOf(repository, branch);
  }
  if (/^(u|upstream|push)$/i.test(inside)) {
    const branch = name === "" || name === "HEAD" || name === "@" ? head?.replace(/^refs\/heads\//, "") : name;
    if (branch === undefined) throw new GitError("HEAD does not point to a branch");
    if (repository.refs.resolve(`refs/heads/${branch}`) === undefined) throw new GitError(`no such branch: '${branch}'`);
    const ref = upstreamOf(repository, branch);
    if (ref === undefined) throw new GitError(`no upstream configured for branch '${branch}'`);
    if (inside.toLowerCase() === "push") checkPush(repository, branch);
    return repository.refs.resolve(ref)?.id;
  }
  const ref = name === "" ? (head ?? "HEAD") : refNamed(repository, name);
  if (ref === undefined) return undefined;
  const log = repository.refs.log(ref);
  if (!/^0*[0-9]{1,8}$/.test(inside)) return atDate(repository, ref, name, inside);
  const count = Number(inside);
  if (count === 0) return repository.refs.resolve(ref)?.id;
  if (count < log.length) return log[log.length - 1 - count]?.id;
  if (count === log.length && log[0] !== undefined && !/^0+$/.test(log[0].old)) return log[0].old;
  if (log.length === 0) throw new ShortReflogError(`log for ${ref} is empty`);
  throw new ShortReflogError(
    `log for '${name === "" ? (head ?? "HEAD").replace(/^refs\/heads\//, "") : name}' only has ${log.length} entries`,
  );
}

/** The entry that `REF@{N}` asks for is not in the reflog any more. */
export class ShortReflogError extends GitError {}

function atDate(repository: Repository, ref: string, typed: string, text: string): string | undefined {
  const { clock } = repository;
  const { seconds, isDate } = readDate(text, clock);
  if (!isDate) return undefined;
  const log = repository.refs.log(ref);
  const found = log.findLast(({ who }) => who.seconds <= seconds);
  if (found !== undefined) return found.id;
  const [oldest] = log;
  const shown = typed === "" ? ref.replace(/^refs\/heads\//, "") : typed;
  if (oldest === undefined) throw new GitError(`log for ${ref} is empty`);
  const date = new DatePrinter(clock).text(oldest.who, readDateStyle("rfc"));
  repository.warn(`warning: log for '${shown}' only goes back to ${date}\n`);
  return /^0+$/.test(oldest.old) ? oldest.id : oldest.old;
}

const OF_PUSHING: ReadonlySet<string> = new Set(["push.default", "remote.pushdefault"]);

/** Throws GitError where @{push} is not the branch's upstream, as it is with git's own settings. */
function checkPush(repository: Repository, branch: string): void {
  if (!pushesUpstream(repository, branch)) throw new GitError("cannot resolve 'simple' push to a single destination");
}

/** Tells whether a push would go to the branch's upstream, by git's own settings. Throws GitError where others are about this branch. */
export function pushesUpstream(repository: Repository, branch: string): boolean {
  const remote = repository.config.get(`branch.${branch}.remote`) ?? "origin";
  const own = new Set([...OF_PUSHING, `remote.${remote}.push`, `branch.${branch}.pushremote`]);
  const setting = repository.config.settings.find(({ name }) => own.has(name));
  if (setting !== undefined) throw new GitError(`${setting.name} is set, which is not read here`);
  return repository.config.get(`branch.${branch}.merge`) === `refs/heads/${branch}`;
}

/** The branch that was left `back` checkouts ago. */
export function previousBranch(repository: Repository, back: number): string | undefined {
  const moves = repository.refs.log("HEAD").flatMap(({ message }) => /^checkout: moving from (\S+) to /.exec(message)?.[1] ?? []);
  return moves[moves.length - back];
}

/** The remote-tracking branch that `branch` is set to follow. */
export function upstreamOf(repository: Repository, branch: string): string | undefined {
  const remote = repository.config.get(`branch.${branch}.remote`);
  const merge = repository.config.get(`branch.${branch}.merge`);
  if (remote === undefined || merge === undefined) return undefined;
  if (remote === ".") return merge;
  for (const { name, value } of repository.config.settings) {
    if (name !== `remote.${remote}.fetch`) continue;
    const [, from = "", to = ""] = /^\+?([^:]*):(.*)$/.exec(value ?? "") ?? [];
    if (from.endsWith("*") && merge.startsWith(from.slice(0, -1))) return to.slice(0, -1) + merge.slice(from.length - 1);
    if (from === merge) return to;
  }
  return undefined;
}

export const HOW_TO_SEPARATE = "Use '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'";

export interface Range {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** `A...B`: what neither merge base holds. */
  readonly symmetric: readonly (readonly [string, string])[];
}

/** The two ends of `A..B` or `A...B`, HEAD where one is left out; undefined where it is none, as in `REV:../PATH`. */
export function rangeEnds(typed: string): { readonly from: string; readonly dots: ".." | "..."; readonly to: string } | undefined {
  const [, from, dots, to] = /^((?:(?!:\.{1,2}\/)[^])*?)(?<!:)(\.{2,3})([^]*)$/.exec(typed) ?? [];
  if (dots === undefined) return undefined;
  return { from: from || "HEAD", dots: dots === ".." ? ".." : "...", to: to || "HEAD" };
}

/** Commits that a typed range begins and ends with; undefined where it names nothing. */
export function resolveRange(repository: Repository, typed: string): Range | undefined {
  const none: readonly (readonly [string, string])[] = [];
  const ends = rangeEnds(typed);
  if (ends !== undefined && typed !== "..") {
    const from = commitNamed(repository, ends.from);
    const to = commitNamed(repository, ends.to);
    if (from === undefined || to === undefined) return undefined;
    return ends.dots === ".."
      ? { include: [to], exclude: [from], symmetric: none }
      : { include: [from, to], exclude: [], symmetric: [[from, to]] };
  }
  if (typed.startsWith("^")) {
    const id = commitNamed(repository, typed.slice(1));
    return id === undefined ? undefined : { include: [], exclude: [id], symmetric: none };
  }
  const [, of = "", mark] = /^([^]+)\^([@!])$/.exec(typed) ?? [];
  if (mark !== undefined) {
    const id = commitNamed(repository, of);
    if (id === undefined) return undefined;
    const { parents } = repository.commit(id);
    return mark === "@" ? { include: parents, exclude: [], symmetric: none } : { include: [id], exclude: parents, symmetric: none };
  }
  const [, branch = "", parent] = /^([^]+)\^-([0-9]*)$/.exec(typed) ?? [];
  if (parent !== undefined) {
    const id = commitNamed(repository, branch);
    const excluded = id === undefined ? undefined : repository.commit(id).parents[Number(parent || "1") - 1];
    return id === undefined || excluded === undefined ? undefined : { include: [id], exclude: [excluded], symmetric: none };
  }
  const id = commitNamed(repository, typed);
  return id === undefined ? undefined : { include: [id], exclude: [], symmetric: none };
}

/** The commit that `typed` names. */
export function commitNamed(repository: Repository, typed: string): string | undefined {
  const id = resolveRevision(repository, typed);
  return id === undefined ? undefined : repository.asCommit(id);
}

/** Throws what git says of a word that is neither a revision nor a path. */
export function unknownRevision(typed: string): GitError {
  return new GitError(`ambiguous argument '${typed}': unknown revision or path not in the working tree.\n${HOW_TO_SEPARATE}`);
}
