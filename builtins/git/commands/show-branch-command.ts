/** git show-branch: branches beside each other, and the commits that each has. */
import { atoi } from "../../../src/numbers/strtol.ts";
import { compileGlob } from "../../../src/glob/glob-match.ts";
import { fromWord, toWord } from "../objects/byte-text.ts";
import { readDate } from "../dates/approximate-date.ts";
import { readDateStyle } from "../dates/date-printer.ts";
import { GitError } from "../git-error.ts";
import { subjectOf } from "../log/message.ts";
import { SharedHistory } from "../log/shared-history.ts";
import { topologicalOrder } from "../log/topological-order.ts";
import type { Commit } from "../objects/objects.ts";
import { refNamed, resolveRevision } from "../refs/revision.ts";
import type { Repository } from "../repository.ts";
import { command, type CommandRun, type Running } from "./command.ts";
import { COLOURLESS, noColours, OPTIONAL, SWITCH, type NamesRead } from "./flags.ts";
import { readOptions, type Options } from "./options.ts";

/** Tips beside each other, as many as git shows. */
const MOST_TIPS = 26;
const USUAL_ENTRIES = 4;

const SHOW_BRANCH_FLAGS = {
  "-a": SWITCH,
  "--all": SWITCH,
  "-r": SWITCH,
  "--remotes": SWITCH,
  "--more": OPTIONAL,
  "--list": SWITCH,
  "--no-name": SWITCH,
  "--current": SWITCH,
  "--sha1-name": SWITCH,
  "--merge-base": SWITCH,
  "--independent": SWITCH,
  "--topo-order": SWITCH,
  "--date-order": SWITCH,
  "--sparse": SWITCH,
  "--topics": SWITCH,
  "-g": OPTIONAL,
  "--reflog": OPTIONAL,
  "--color": noColours("git show-branch --color=never"),
  "--no-color": COLOURLESS,
} as const;

type ShowBranchFlag = NamesRead<typeof SHOW_BRANCH_FLAGS>;
type ShowBranchRun = CommandRun<ShowBranchFlag>;

export const showBranch = command({
  flags: SHOW_BRANCH_FLAGS,
  stopsAtOperand: true,
  check: (options) => {
    const other = options.lastOf("--list", "--more", "-g", "--reflog");
    const one = options.lastOf("--independent", "--merge-base");
    return one !== undefined && other !== undefined
      ? [`git show-branch ${one} with ${other}: each is an answer of its own`, `git show-branch ${one}`]
      : undefined;
  },
  *run(run) {
    const usual = run.repository.config.settings.flatMap(({ name, value }) => (name === "showbranch.default" ? [value ?? ""] : []));
    const isBare = run.options.sequence.length === 0 && run.options.paths === undefined;
    const words = isBare && usual.length > 0 ? usual.map(toWord) : undefined;
    const options =
      words === undefined
        ? run.options
        : readOptions("show-branch", words, { flags: SHOW_BRANCH_FLAGS, stopsAtOperand: true }).among<ShowBranchFlag>();
    return yield* shown({ ...run, options });
  },
});

/** A tip as it is named, and what is said of it if it is an entry of a reflog. */
interface Tip {
  readonly name: string;
  readonly said?: string;
}

function* shown(run: ShowBranchRun): Running {
  const { repository, options, print, complain } = run;
  const extra = extraOf(options);
  const current = repository.refs.resolve("HEAD");
  const head = current === undefined ? undefined : (current.target ?? "HEAD");
  const tips = options.has("-g", "--reflog") ? reflogTips(run) : namedTips(run);
  if (options.has("--current") && head !== undefined && !tips.some(({ name }) => isHead(head, name)))
    addNamed(run, head.replace(/^refs\/heads\//, ""), tips);
  if (tips.length === 0) {
    complain("No revs to be shown.\n");
    return 0;
  }
  const ids = tips.map(({ name }) => {
    const id = resolveRevision(repository, name);
    const commit = id === undefined ? undefined : repository.asCommit(id);
    if (commit === undefined) throw new GitError(`'${name}' is not a valid ref.`);
    return commit;
  });
  const history = new SharedHistory(repository, ids, extra);
  yield;
  if (options.has("--merge-base")) {
    for (const id of history.mergeBases) print(`${id}\n`);
    return history.mergeBases.length === 0 ? 1 : 0;
  }
  if (options.has("--independent")) {
    for (const id of history.independent) print(`${id}\n`);
    return 0;
  }
  let headAt = -1;
  if (tips.length > 1 || extra < 0) {
    tips.forEach(({ name, said }, at) => {
      const isCurrent = head !== undefined && isHead(head, name) && ids[at] === current?.id;
      if (isCurrent) headAt = at;
      const mark = extra < 0 ? (isCurrent ? "*" : " ") : `${" ".repeat(at)}${isCurrent ? "*" : "!"}`;
      print(`${mark} [${name}] ${said ?? titleOf(repository.commit(ids[at] as string))}\n`);
    });
    if (extra >= 0) print(`${"-".repeat(tips.length)}\n`);
  }
  if (extra < 0) return 0;
  const order = options.lastOf("--topo-order", "--date-order") === "--date-order" ? "date" : "topo";
  const commits = topologicalOrder(
    history.commits.map((commit) => ({ commit, parents: commit.parents, isRead: true })),
    order,
  ).map(({ commit }) => commit);
  const nameOf = namesOf(run, commits, tips, ids);
  yield* printCommits(run, { commits, history, ids, extra, headAt, nameOf });
  return 0;
}

interface Drawing {
  readonly commits: readonly Commit[];
  readonly history: SharedHistory;
  readonly ids: readonly string[];
  readonly extra: number;
  readonly headAt: number;
  readonly nameOf: (id: string) => string;
}

function* printCommits({ options, print }: ShowBranchRun, drawing: Drawing): Generator<void, void> {
  const { commits, history, ids, headAt, nameOf } = drawing;
  let left = drawing.extra;
  let isPastAll = false;
  for (const commit of commits) {
    const isShared = history.isOfAll(commit.id);
    isPastAll ||= isShared;
    if (ids.length > 1) {
      const isMerge = commit.parents.length > 1;
      const of = ids.map((_, at) => history.isOf(commit.id, at));
      if (options.has("--topics") && !isShared && of[0] === true) continue;
      const isAlone = of.filter((has) => has).length === 1 && !ids.includes(commit.id);
      if (isMerge && isAlone && !options.has("--sparse")) continue;
      print(`${of.map((has, at) => (!has ? " " : isMerge ? "-" : at === headAt ? "*" : "+")).join("")} `);
    }
    print(`${nameOf(commit.id)}${titleOf(commit)}\n`);
    if (isPastAll && --left < 0) return;
    yield;
  }
}

function extraOf(options: Options<ShowBranchFlag>): number {
  const last = options.each("--more", "--list").at(-1);
  if (last === undefined) return 0;
  if (last.name === "--list") return -1;
  if (last.value === undefined) return 1;
  if (!/^[-+]?[0-9]+$/.test(last.value)) throw new GitError("option `more' expects a numerical value", { prefix: "error: ", exit: 129 });
  return Number(last.value);
}

const titleOf = ({ message }: Commit): string => subjectOf(message).replace(/^\[PATCH\] /, "");

const isHead = (head: string, name: string): boolean => head.replace(/^refs\/heads\//, "") === name.replace(/^(refs\/)?heads\//, "");

function namedTips(run: ShowBranchRun): Tip[] {
  const { options } = run;
  const typed = [...options.operands, ...(options.paths ?? [])].map(fromWord);
  const hasAll = options.has("-a", "--all");
  const hasRemotes = hasAll || options.has("-r", "--remotes");
  const tips: Tip[] = [];
  for (const word of typed) addNamed(run, word, tips);
  const isUsual = typed.length <= (options.has("--topics") ? 1 : 0) && !hasRemotes;
  if (hasAll || isUsual) addSorted(tips, (found) => addReferences(run, "refs/heads/", found));
  if (hasRemotes) addSorted(tips, (found) => addReferences(run, "refs/remotes/", found));
  return tips;
}

/** What `add` adds stands in order of its names. */
function addSorted(tips: Tip[], add: (tips: Tip[]) => void): void {
  const before = tips.length;
  add(tips);
  tips.push(...tips.splice(before).sort((a, b) => compareNames(a.name, b.name)));
}

/** Numbers in names count as numbers. */
function compareNames(a: string, b: string): number {
  // Text and numbers take turns, and a number is first: 0 where there is none.
  const parts = (name: string): readonly string[] => /^([0-9]*)([^]*)$/.exec(name)?.slice(1) ?? [];
  for (let [x, y] = [a, b]; x !== "" || y !== ""; ) {
    const [[p = "", restOfX = ""], [q = "", restOfY = ""]] = [parts(x), parts(y)];
    if (Number(p) !== Number(q)) return Number(p) - Number(q);
    const [s = ""] = /^[^0-9]*/.exec(restOfX) ?? [];
    const [t = ""] = /^[^0-9]*/.exec(restOfY) ?? [];
    if (s !== t) return compareSigned(s, t);
    [x, y] = [restOfX.slice(s.length), restOfY.slice(t.length)];
  }
  return 0;
}

/** Bytes above 127 are below all others, as in C on most machines. */
function compareSigned(a: string, b: string): number {
  const signed = (text: string, at: number): number => ((text.charCodeAt(at) || 0) << 24) >> 24;
  for (let at = 0; at < Math.max(a.length, b.length); at++) if (a[at] !== b[at]) return signed(a, at) - signed(b, at);
  return 0;
}

function addReferences(run: ShowBranchRun, prefix: string, tips: Tip[]): void {
  for (const { name, id } of run.repository.refs.list(prefix)) add(run, shortName(run.repository, name, id), id, tips);
}

/** A name without what it begins with, unless that would mean another one. */
function shortName(repository: Repository, name: string, id: string): string {
  const short = name.replace(/^refs\/(heads|remotes)\//, "");
  return resolveRevision(repository, short) === id ? short : name.replace(/^refs\//, "");
}

function add({ repository, complain }: ShowBranchRun, name: string, id: string, tips: Tip[]): void {
  if (repository.asCommit(id) === undefined || tips.some((tip) => tip.name === name)) return;
  if (tips.length >= MOST_TIPS) complain(`warning: ignoring ${name}; cannot handle more than ${MOST_TIPS} refs\n`);
  else tips.push({ name });
}

/** Adds a revision, or the references that a pattern matches at their end. Throws GitError. */
function addNamed(run: ShowBranchRun, word: string, tips: Tip[]): void {
  const { repository, complain } = run;
  const id = resolveRevision(repository, word);
  if (id !== undefined) return add(run, word, id, tips);
  if (!/[*?[]/.test(word)) throw new GitError(`bad sha1 reference ${word}`);
  const glob = compileGlob(toWord(word));
  const slashes = word.split("/").length;
  const before = tips.length;
  addSorted(tips, (found) => {
    for (const ref of repository.refs.list()) {
      const parts = ref.name.split("/");
      const tail = parts.slice(Math.max(0, parts.length - slashes)).join("/");
      if (tail === "" || !glob.matches(toWord(tail))) continue;
      if (ref.name.startsWith("refs/heads/")) add(run, shortName(repository, ref.name, ref.id), ref.id, found);
      else add(run, ref.name.replace(/^refs\/(?=tags\/)/, ""), ref.id, found);
    }
  });
  if (tips.length === before && tips.length < MOST_TIPS) complain(`error: no matching refs with ${word}\n`);
}

/** Entries of a reflog. Throws GitError. */
function reflogTips(run: ShowBranchRun): Tip[] {
  const { repository, options, dates, invocation } = run;
  const given = options.last("-g", "--reflog") ?? "";
  const [all, counted = "", from] = /^\s*([0-9]*)(?:,([^]*))?$/.exec(given) ?? [];
  if (all === undefined) throw new GitError(`unrecognized reflog param '${given}'`, { prefix: "error: ", exit: 129 });
  const most = Number(counted) || USUAL_ENTRIES;
  const [more, hasRemotes] = [extraOf(options) > 0, options.has("-a", "--all", "-r", "--remotes")];
  if (more || hasRemotes) throw new GitError("options '--reflog' and '--all/--remotes/--independent/--merge-base' cannot be used together");
  if (options.has("--current")) throw new GitError("options '--reflog' and '--current' cannot be used together");
  const typed = [...options.operands, ...(options.paths ?? [])].map(fromWord);
  const [name = repository.refs.symbolic("HEAD") ?? "HEAD", ...others] = typed;
  if (typed.length === 0 && repository.refs.resolve(name) === undefined) throw new GitError("no branches given, and HEAD is not valid");
  if (others.length > 0) throw new GitError("--reflog option needs one branch name");
  if (most > MOST_TIPS) throw new GitError(`only ${MOST_TIPS} entries can be shown at one time.`);
  const ref = refNamed(repository, name);
  if (ref === undefined) throw new GitError(`no such ref ${name}`);
  const entries = [...repository.refs.log(repository.refs.resolve(ref)?.target ?? ref)].reverse();
  let base = 0;
  if (from !== undefined && /^[0-9]*$/.test(from)) base = atoi(from);
  else if (from !== undefined) {
    const { seconds } = readDate(from, invocation);
    const found = entries.findIndex(({ who }) => who.seconds <= seconds);
    base = found < 0 ? entries.length : found;
  }
  const tips: Tip[] = [];
  for (let at = base; at < base + most; at++) {
    // Beyond the first, git says of an entry what its successor says.
    const entry = entries[Math.max(0, at - 1)];
    if (entry === undefined || (at > 0 && /^0+$/.test(entry.old))) break;
    tips.push({ name: `${name}@{${at}}`, said: `(${dates.text(entry.who, readDateStyle("relative"))}) ${entry.message || "(none)"}` });
  }
  return tips;
}

/** A name for each commit, in brackets: by the way to it from a tip, or by its id. */
function namesOf(
  { options, repository }: ShowBranchRun,
  commits: readonly Commit[],
  tips: readonly Tip[],
  ids: readonly string[],
): (id: string) => string {
  if (options.has("--no-name")) return () => "";
  const byId = (id: string): string => `[${repository.short(id)}] `;
  if (options.has("--sha1-name")) return byId;
  const names = new Map<string, Name>();
  // Git knows the parents of the commits that it has read alone.
  const read = new Set(commits.map(({ id }) => id));
  for (const { id } of commits) {
    const at = ids.indexOf(id);
    if (at >= 0) names.set(id, { from: (tips[at] as Tip).name, steps: 0 });
  }
  /** Names the first parents of a commit that has a name. */
  const nameChain = (start: Commit): boolean => {
    let isChanged = false;
    for (let commit = start; ; ) {
      const name = names.get(commit.id);
      const [parent] = commit.parents;
      if (name === undefined || parent === undefined || names.has(parent) || !read.has(commit.id)) return isChanged;
      names.set(parent, { from: name.from, steps: name.steps + 1 });
      isChanged = true;
      commit = repository.commit(parent);
    }
  };
  for (let isChanged = true; isChanged; ) isChanged = commits.map(nameChain).includes(true);
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const commit of commits) {
      const name = names.get(commit.id);
      if (name === undefined) continue;
      commit.parents.forEach((parent, at) => {
        if (names.has(parent)) return;
        names.set(parent, { from: `${written(name)}^${at === 0 ? "" : at + 1}`, steps: 0 });
        isChanged = true;
        nameChain(repository.commit(parent));
      });
    }
  }
  return (id) => {
    const name = names.get(id);
    return name === undefined ? byId(id) : `[${written(name)}] `;
  };
}

interface Name {
  readonly from: string;
  /** To first parents. */
  readonly steps: number;
}

const written = ({ from, steps }: Name): string => (steps === 0 ? from : steps === 1 ? `${from}^` : `${from}~${steps}`);
