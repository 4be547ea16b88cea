/** git rev-list: ids of commits, or how many there are. */
import { command, type CommandRun } from "./command.ts";
import { COLOURLESS, limited, OPTIONAL, refused, SWITCH, VALUE, type NamesRead } from "./flags.ts";
import { bisected, stepsLeft, type Bisected } from "../log/bisect-list.ts";
import { bisectionOf } from "../refs/bisection.ts";
import { Decorations } from "../refs/decorations.ts";
import { chosenFormat } from "../log/chosen-format.ts";
import { prettyContext, type ContextFlag } from "../log/commit-printer.ts";
import { GitError } from "../git-error.ts";
import { Graph } from "../log/graph.ts";
import type { HistoryCommit } from "../log/history.ts";
import { PLAIN_MAIL } from "../log/mail.ts";
import { NO_LOG_FLAGS, WALK_FLAGS, WALK_REFUSED } from "../log/walk-flags.ts";
import { chosenCommits, historyRequest, type HistoryFlag, type HistoryRequest } from "../log/history-request.ts";
import { isSubmodule, isTree, parseTag, type Commit } from "../objects/objects.ts";
import { skipSame, TreeReader } from "../objects/tree-reader.ts";
import { prettyParts, type PrettyContext } from "../log/pretty.ts";
import type { Repository } from "../repository.ts";
import { splitRevisions } from "../refs/revision-arguments.ts";
import { rangeEnds, resolveRange, resolveRevision } from "../refs/revision.ts";
import type { Pathspec } from "../worktree/pathspec.ts";
import { walkCommits } from "../log/revision-walk.ts";
import { humanBytes } from "./human-bytes.ts";

const REV_LIST_FLAGS = {
  ...WALK_FLAGS,
  ...NO_LOG_FLAGS,
  "--full-diff": refused("no differences are shown", "git log --full-diff -p -- PATH"),
  "--count": SWITCH,
  "--objects": SWITCH,
  "--oneline": SWITCH,
  "--pretty": OPTIONAL,
  "--format": VALUE,
  "--abbrev-commit": SWITCH,
  "--no-abbrev-commit": SWITCH,
  "--no-commit-header": SWITCH,
  "--date": VALUE,
  "--abbrev": OPTIONAL,
  "--no-abbrev": SWITCH,
  "--timestamp": SWITCH,
  "--no-color": COLOURLESS,
  "--quiet": SWITCH,
  "--object-names": SWITCH,
  "--no-object-names": SWITCH,
  ...WALK_REFUSED,
  "--header": SWITCH,
  "--bisect": SWITCH,
  "--bisect-vars": SWITCH,
  "--bisect-all": SWITCH,
  "--disk-usage": OPTIONAL,
  "--objects-edge": refused("objects are listed with --objects", "git rev-list --objects HEAD"),
  "--use-bitmap-index": SWITCH,
  "--in-commit-order": SWITCH,
  "--filter": limited(VALUE, (value) =>
    value === "blob:none" ? undefined : ["trees are listed whole", "git rev-list --objects --filter=blob:none HEAD"],
  ),
} as const;

type RevListRun = CommandRun<NamesRead<typeof REV_LIST_FLAGS>>;

export const revList = command({
  flags: REV_LIST_FLAGS,

  takesNumbers: true,
  readsRevisions: true,
  check: (options) => {
    if (options.has("--objects") && options.has("--use-bitmap-index", "--in-commit-order"))
      return ["objects are listed in one order here, behind all commits", "git rev-list --objects HEAD"];
    const [unsized] = options.has("--disk-usage") ? options.each("--use-bitmap-index", "--graph", ...BISECTING) : [];
    if (unsized !== undefined) return [`sizes are not added up beside ${unsized.name} here`, "git rev-list --disk-usage HEAD"];
    if (!options.has(...BISECTING)) return undefined;
    const [beside] = options.each("--objects", "--graph", "--no-walk", "--boundary", "--simplify-by-decoration", "--children");
    return beside === undefined ? undefined : [`a range is not halved beside ${beside.name} here`, "git rev-list --bisect HEAD"];
  },
  *run(given) {
    const run = given.options.has("--bisect") ? { ...given, options: given.options.after([], bisectionEnds(given)) } : given;
    const { options, repository, print } = run;
    const hasStart = options.operands.length > 0 || options.has("--all", "--branches", "--tags", "--remotes", "--glob");
    if (!hasStart && options.has("--bisect")) {
      if (options.has("--count") && !options.has("--bisect-vars")) print("0\n");
      return options.has("--bisect-vars") ? 1 : 0;
    }
    if (!hasStart) throw new GitError("usage: git rev-list [<options>] <commit>... [--] [<path>...]", { exit: 129, prefix: "" });
    const walk = historyRequest({ ...run, options: options.among<HistoryFlag>() }, { isRevList: true });
    const findsAll = options.has("--bisect-all");
    let halved: Bisected | undefined;
    const request: HistoryRequest = options.has(...BISECTING)
      ? { ...walk, choose: (list, nodes) => (halved = bisected(list, nodes, { firstParent: walk.firstParent, all: findsAll })).nodes }
      : walk;
    if (options.has("--filter") && !options.has("--objects")) throw new GitError("object filtering requires --objects");
    const hidesFiles = options.has("--filter");
    const isMarked = options.has("--cherry-mark", "--cherry");
    if (options.has("--count") && options.has("--objects") && (options.has("--left-right") || isMarked))
      throw new GitError("marked counting and '--objects' cannot be used together");
    const isGraph = request.isGraph;
    if (isGraph && options.has("--count"))
      throw new GitError("--count is not done here beside --graph: git draws a graph without commits\nhint: git rev-list --count HEAD");
    const isVerbose = options.has("--oneline", "--pretty", "--format", "--header");
    const printer = isGraph || isVerbose ? new RevListPrinter(run) : undefined;
    let rest = "";
    if (options.has("--bisect-vars")) {
      for (const _ of chosenCommits(repository, { ...request, most: Infinity, skip: 0 })) yield;
      if (halved === undefined || halved.nodes.length === 0) return 1;
      rest = halvedText(halved);
      if (!findsAll) {
        print(rest);
        return 0;
      }
      rest = `------\n${rest}`;
    }
    const decorations = findsAll ? new Decorations(repository, "short", { include: [""], exclude: [] }) : undefined;
    const decorated = ({ commit: { id } }: HistoryCommit): string => {
      const distance = halved?.distances.get(id);
      if (decorations === undefined || distance === undefined) return "";
      return ` (${[...(decorations.of(id) === "" ? [] : [decorations.of(id)]), `dist=${distance}`].join(", ")})`;
    };
    const counts = { left: 0, right: 0, same: 0 };
    const addsSizes = options.has("--disk-usage");
    const units = options.all("--disk-usage").filter((unit) => unit !== "");
    const unknown = units.find((unit) => unit !== "human");
    if (unknown !== undefined)
      throw new GitError(`invalid value for '--disk-usage=<format>': '${unknown}', the only allowed format is 'human'`);
    let storedBytes = 0;
    const addSize = (id: string): void => void (storedBytes += repository.objects.storageOf(id)?.bytes ?? 0);
    const lister = new ObjectLister(repository);
    const commits: Commit[] = [];
    for (const place of chosenCommits(repository, request)) {
      const { commit } = place;
      // Git counts only what it would print.
      if (addsSizes) addSize(commit.id);
      else if (place.isSame) counts.same++;
      else if (place.isLeft) counts.left++;
      else counts.right++;
      if (options.has("--objects")) commits.push(commit);
      if (options.has("--count", "--quiet", "--disk-usage")) continue;
      if (printer !== undefined) printer.print(place, decorated(place));
      else {
        const id = (of: string): string =>
          options.has("--abbrev-commit") && options.lastOf("--abbrev", "--no-abbrev") !== "--no-abbrev"
            ? repository.short(of, Number(options.last("--abbrev")) || undefined)
            : of;
        const list = (ids: readonly string[]): string => ids.map((one) => ` ${id(one)}`).join("");
        const time = options.has("--timestamp") ? `${commit.seconds} ` : "";
        const parents = options.has("--parents") ? list(knownParents(place)) : "";
        print(
          `${time}${markOf(run, place)}${id(commit.id)}${parents}${options.has("--children") ? list(place.children) : ""}${decorated(place)}\n`,
        );
      }
      yield;
    }
    if (rest !== "") {
      print(rest);
      return 0;
    }
    const namesObjects = options.lastOf("--object-names", "--no-object-names") !== "--no-object-names";
    // What the commits that a range leaves out have, it has not.
    const edges = request.exclude.length === 0 || commits.length === 0 ? [] : edgesOf(repository, request);
    for (const id of edges) {
      lister.list(repository.commit(id).tree, "", () => {});
      yield;
    }
    const printObject = (id: string, name: string): void => {
      if (addsSizes) addSize(id);
      else if (options.has("--count")) counts.right++;
      else if (!options.has("--quiet")) print(namesObjects ? `${id} ${name.replace(/\n[^]*$/, "")}\n` : `${id}\n`);
    };
    for (const { id, name, type } of options.has("--objects") ? tagsOf(run) : []) {
      if (type === "tree") lister.list(id, "", printObject, request.paths, hidesFiles);
      else if (type === "tag" || lister.add(id)) printObject(id, name);
    }
    for (const { tree } of commits) {
      lister.list(tree, "", printObject, request.paths, hidesFiles);
      yield;
    }
    if (options.has("--count")) {
      const { left, right, same } = counts;
      if (options.has("--left-right")) print(isMarked ? `${left}\t${right}\t${same}\n` : `${left}\t${right + same}\n`);
      else print(isMarked ? `${left + right}\t${same}\n` : `${left + right + same}\n`);
    }
    if (addsSizes) print(`${units.length > 0 ? humanBytes(storedBytes) : storedBytes}\n`);
    return 0;
  },
});

/** Flags that halve a range. */
const BISECTING = ["--bisect", "--bisect-vars", "--bisect-all"] as const;

/** The revisions of the line, with the ends of a bisection before them. */
function bisectionEnds({ repository, options }: RevListRun): readonly string[] {
  const { bad, good } = bisectionOf(repository);
  return [...(bad === undefined ? [] : [bad]), ...good.map((name) => `^${name}`), ...options.operands];
}

/** Lines of --bisect-vars: the commit to test, and what is left whatever the test says. */
function halvedText({ nodes, reached, count }: Bisected): string {
  const most = Math.max(reached, count - reached);
  return [
    `bisect_rev='${nodes[0]?.commit.id ?? ""}'\nbisect_nr=${most - 1}\nbisect_good=${count - reached - 1}\n`,
    `bisect_bad=${reached - 1}\nbisect_all=${count}\nbisect_steps=${stepsLeft(count)}\n`,
  ].join("");
}

/** The commits just outside of the range, whatever filters leave of the range. */
function edgesOf(repository: Repository, request: HistoryRequest): ReadonlySet<string> {
  const whole = { ...request, keeps: () => true, paths: undefined, skip: 0, most: Infinity, reverse: false } as const;
  const inside = [...walkCommits(repository, whole)];
  const ids = new Set(inside.map(({ id }) => id));
  return new Set(inside.flatMap(({ parents }) => parents.filter((parent) => !ids.has(parent))));
}

interface ListedObject {
  readonly id: string;
  readonly name: string;
  readonly type: "tag" | "tree" | "blob";
}

/**
 * The tag objects on the way from the revisions to their commits, without those on the way from excluded ones; and what tags lead to
 * that is no commit.
 */
function tagsOf({ options, repository }: RevListRun): readonly ListedObject[] {
  const ends = splitRevisions(repository, options).revisions.flatMap((typed) => {
    const range = rangeEnds(typed);
    if (range !== undefined) return [`${range.dots === ".." ? "^" : ""}${range.from}`, range.to];
    // Its objects would be listed, which is not done here.
    if (resolveRange(repository, typed) === undefined) throw new GitError(`bad revision '${typed}'`);
    return [typed];
  });
  const listed = options.has("--all", "--tags") ? repository.refs.list("refs/tags/").map(({ name }) => name) : [];
  const found = new Map<string, ListedObject>();
  const excluded = new Set<string>();
  for (const typed of [...ends, ...listed]) {
    const isExcluded = typed.startsWith("^");
    for (let id = resolveRevision(repository, isExcluded ? typed.slice(1) : typed); id !== undefined && !found.has(id); ) {
      const object = repository.objects.get(id);
      if (object.type !== "tag") {
        if (object.type !== "commit" && !isExcluded) found.set(id, { id, name: "", type: object.type });
        break;
      }
      const tag = parseTag(object.data);
      if (isExcluded) excluded.add(id);
      else found.set(id, { id, name: tag.name, type: "tag" });
      id = tag.object;
    }
  }
  return [...found.values()].filter(({ id }) => !excluded.has(id));
}

/** Lister of what trees hold, each object once. */
class ObjectLister {
  readonly #repository: Repository;
  readonly #seen = new Set<string>();
  /** The last tree that was listed at each path: whatever another has in common with it was seen. */
  readonly #last = new Map<string, Buffer>();

  constructor(repository: Repository) {
    this.#repository = repository;
  }

  /** True the first time that it is asked for `id`. */
  add(id: string): boolean {
    const { size } = this.#seen;
    return this.#seen.add(id).size > size;
  }

  /** Gives `print` what a tree holds that was not seen yet: with `paths` what they match, and the trees on the way. */
  list(tree: string, path: string, print: (id: string, path: string) => void, paths?: Pathspec, hidesFiles = false): void {
    if (!this.add(tree)) return;
    print(tree, path.replace(/\/$/, ""));
    const { format } = this.#repository;
    const bytes = this.#repository.treeBytes(tree);
    const now = new TreeReader(bytes, format);
    const last = new TreeReader(this.#last.get(path) ?? EMPTY, format);
    this.#last.set(path, bytes);
    for (;;) {
      skipSame(now, last);
      const { entry } = now;
      if (entry === undefined) return;
      now.advance();
      const { id, name, mode } = entry;
      while (last.entry !== undefined && last.entry.name <= name) last.advance();
      const full = path + name;
      if (paths?.isEmpty === false && !(isTree(mode) ? paths.listsTree(full) : paths.matches(full))) continue;
      if (isTree(mode)) this.list(id, `${full}/`, print, paths, hidesFiles);
      else if (!isSubmodule(mode) && !hidesFiles && this.add(id)) print(id, full);
    }
  }
}

const EMPTY = Buffer.alloc(0);

/** git has not read what was not walked. */
const knownParents = ({ parents, isRead }: HistoryCommit): readonly string[] => (isRead ? parents : []);

function markOf({ options }: RevListRun, place: HistoryCommit): string {
  if (place.isBoundary) return "-";
  if (place.isSame) return "=";
  if (options.has("--left-right")) return place.isLeft ? "<" : ">";
  return options.has("--cherry-mark", "--cherry") && !options.has("--graph") ? "+" : "";
}

/** rev-list with a format: `commit ID` stands above each; with --header alone the raw form, each ended by NUL. */
class RevListPrinter {
  readonly #run: RevListRun;
  readonly #graph: Graph | undefined;
  readonly #chosen: ReturnType<typeof chosenFormat>;
  readonly #context: PrettyContext;

  constructor(run: RevListRun) {
    this.#run = run;
    this.#graph = run.options.has("--graph") ? new Graph() : undefined;
    this.#chosen = this.#hasFormat
      ? chosenFormat(run.options, run.repository, false)
      : { format: { kind: "raw" }, wasGiven: true, isOneline: false };
    const context = prettyContext({ ...run, options: run.options.among<ContextFlag>() }, { ...this.#chosen, wasGiven: true });
    // Messages are as stored, and so are names.
    this.#context = { ...context, mailmap: undefined, tabColumns: 0, mail: { ...PLAIN_MAIL, encodesHeaders: false } };
  }

  get #hasFormat(): boolean {
    return this.#run.options.has("--oneline", "--pretty", "--format");
  }

  /** `decorated`: what stands behind the ids. */
  print(place: HistoryCommit, decorated: string): void {
    const { options, repository, print } = this.#run;
    const { commit } = place;
    const graph = this.#graph;
    graph?.update({ id: commit.id, parents: place.shownParents, mark: place.isBoundary ? "o" : markOf(this.#run, place) || "*" });
    const hasFormat = this.#hasFormat;
    const isVerbose = hasFormat || options.has("--header");
    const time = options.has("--timestamp") ? `${commit.seconds} ` : "";
    const { format } = this.#chosen;
    const isOneline = format.kind === "oneline";
    const mark = graph === undefined ? markOf(this.#run, place) : "";
    const id = this.#context.abbreviates ? repository.short(commit.id, this.#context.abbreviation) : commit.id;
    const related = [...(options.has("--parents") ? knownParents(place) : []), ...(options.has("--children") ? place.children : [])];
    const ids = `${mark}${id}${related.map((one) => ` ${one}`).join("")}${decorated}`;
    print(`${graph?.commitLines() ?? ""}${time}`);
    if (!isVerbose) {
      print(`${ids}\n`);
      const rest = graph?.remainder() ?? "";
      if (rest !== "") print(`${rest}\n`);
      return;
    }
    const { text } = prettyParts(commit, format, this.#context, { mail: { isBare: true } });
    if (isOneline) print(`${ids} `);
    else if (format.kind !== "user" || !options.has("--no-commit-header")) print(`${hasFormat ? "commit " : ""}${ids}\n`);
    if (text === "" && graph !== undefined) {
      const rest = graph.remainder();
      print(`${rest === "" ? "" : `${rest}\n`}${isOneline ? "\n" : ""}`);
      return;
    }
    if (graph !== undefined && !isOneline) print(graph.nextLine());
    print(graph === undefined ? text : graph.beside(text));
    if (graph !== undefined && text.endsWith("\n")) print(graph.paddingLine());
    if (format.kind !== "user" || text !== "") print(hasFormat ? "\n" : "\0");
  }
}
