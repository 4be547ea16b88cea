/** git symbolic-ref, name-rev, worktree list, cherry and check-attr. */
import { compileGlob } from "../../../src/glob/glob-match.ts";
import { fromWord, quotedName, toWord } from "../objects/byte-text.ts";
import { command } from "./command.ts";
import { OPTIONAL, refused, SWITCH, VALUE } from "./flags.ts";
import { GitError } from "../git-error.ts";
import { nameCommits } from "../refs/commit-names.ts";
import { ObjectTable } from "../refs/object-table.ts";
import { plainRequest } from "../log/history-request.ts";
import { walkHistory } from "../log/history.ts";
import { subjectOf } from "../log/message.ts";
import { shortestRefName } from "../refs/ref-values.ts";
import type { Repository } from "../repository.ts";
import { commitNamed, resolveRevision, upstreamOf } from "../refs/revision.ts";
import { mergeBases, PLAIN_WALK, walkCommits } from "../log/revision-walk.ts";
import { wholeInput } from "./standard-input.ts";
import { Attributes } from "../worktree/attributes.ts";
import { entryOf, readIndex } from "../worktree/index-file.ts";
import { worktreesOf } from "../worktree/worktrees.ts";

const WRITES = "the repository is only read here";

export const symbolicRef = command({
  flags: {
    "-q": SWITCH,
    "--quiet": SWITCH,
    "--short": SWITCH,
    "-d": refused(WRITES, "git symbolic-ref HEAD"),
    "--delete": refused(WRITES, "git symbolic-ref HEAD"),
    "-m": refused(WRITES, "git symbolic-ref HEAD"),
  },
  check: ({ operands }) => (operands.length > 1 ? [`git symbolic-ref NAME REF sets it: ${WRITES}`, "git symbolic-ref HEAD"] : undefined),
  *run({ options, repository, print }) {
    const [typed] = options.operands.map(fromWord);
    if (typed === undefined) throw new GitError("git symbolic-ref [-m <reason>] <name> <ref>", { prefix: "usage: ", exit: 129 });
    const target = repository.refs.symbolic(typed);
    if (target === undefined) {
      if (options.has("-q", "--quiet")) return 1;
      throw new GitError(`ref ${typed} is not a symbolic ref`);
    }
    yield;
    print(`${options.has("--short") ? shortestRefName(repository, target) : target}\n`);
    return 0;
  },
});

export const nameRev = command({
  flags: {
    "--name-only": SWITCH,
    "--tags": SWITCH,
    "--refs": VALUE,
    "--exclude": VALUE,
    "--no-undefined": SWITCH,
    "--undefined": SWITCH,
    "--always": SWITCH,
    "--all": SWITCH,
    "--stdin": SWITCH,
    "--annotate-stdin": SWITCH,
  },
  *run({ options, repository, print, complain }) {
    const globs = (name: "--refs" | "--exclude") => options.all(name).map((pattern) => compileGlob(pattern));
    const includes = globs("--refs");
    const excludes = globs("--exclude");
    const matches = (list: readonly { matches(name: string): boolean }[], name: string): boolean => {
      // A pattern may be about the end of a name.
      const parts = name.split("/");
      return parts.some((_, at) => list.some((glob) => glob.matches(toWord(parts.slice(at).join("/")))));
    };
    const isTagsOnly = options.has("--tags");
    const nameOnly = options.has("--name-only");
    const keeps = (name: string): boolean =>
      (!isTagsOnly || name.startsWith("refs/tags/")) && (includes.length === 0 || matches(includes, name)) && !matches(excludes, name);
    const shorten = (name: string): string =>
      name.startsWith("refs/heads/")
        ? name.slice(11)
        : isTagsOnly && nameOnly
          ? shortestRefName(repository, name)
          : name.replace(/^refs\//, "");
    const isAll = options.has("--all");
    const others = [options.operands.length > 0, options.has("--stdin", "--annotate-stdin")].filter((is) => is).length;
    if (isAll && others > 0) throw new GitError("Specify either a list, or --all, not both!", { prefix: "error: ", exit: 129 });
    const table = isAll ? new ObjectTable(repository) : undefined;
    if (table !== undefined) for (const { id, name } of repository.refs.list()) table.readNamed(id, keeps(name));
    const names = nameCommits(repository, {
      keeps,
      shorten,
      ...(isAll || options.has("--stdin", "--annotate-stdin") ? {} : { asked: namedCommits(repository, options.operands.map(fromWord)) }),
      onParent: (id) => table?.readParent(id),
    });
    const exactly = (id: string): string | undefined => {
      const ref = repository.refs.list().find((each) => each.id === id && keeps(each.name));
      return ref === undefined ? undefined : shorten(ref.name);
    };
    const show = (id: string, typed: string): void => {
      const name = names(id) ?? exactly(id);
      print(nameOnly ? "" : `${typed} `);
      if (name !== undefined) print(`${name}\n`);
      else if (options.lastOf("--undefined", "--no-undefined") !== "--no-undefined") print("undefined\n");
      else if (options.has("--always")) print(`${repository.short(id)}\n`);
      else throw new GitError(`cannot describe '${id}'`);
    };
    if (options.has("--stdin"))
      complain(
        "warning: --stdin is deprecated. Please use --annotate-stdin instead, which is functionally equivalent.\nThis option will be removed in a future release.\n",
      );
    if (options.has("--stdin", "--annotate-stdin")) {
      const text = (yield* wholeInput(repository)).toString("latin1");
      print(
        text.replace(/(?<![0-9a-fA-F])[0-9a-f]{40,}(?![0-9a-fA-F])/g, (id) => {
          const name = !repository.format.isId(id)
            ? undefined
            : repository.objects.find(id) === undefined
              ? undefined
              : (names(id) ?? exactly(id));
          return name === undefined ? id : nameOnly ? name : `${id} (${name})`;
        }),
      );
      return 0;
    }
    for (const id of table?.ids ?? []) {
      if (repository.objects.find(id)?.type === "commit") show(id, id);
      yield;
    }
    for (const typed of options.operands.map(fromWord)) {
      const id = resolveRevision(repository, typed);
      if (id === undefined) {
        complain(`Could not get sha1 for ${typed}. Skipping.\n`);
        continue;
      }
      const object = repository.objects.find(id);
      if (object === undefined) continue;
      show(id, typed);
      yield;
    }
    return 0;
  },
});

/** Ids of the commits among what is typed, and of those that tags lead to. */
const namedCommits = (repository: Repository, typed: readonly string[]): readonly string[] =>
  typed.flatMap((name) => {
    const id = resolveRevision(repository, name);
    return (id === undefined ? undefined : repository.asCommit(id)) ?? [];
  });

export const worktree = command({
  flags: {
    "--porcelain": SWITCH,
    "-v": SWITCH,
    "--verbose": SWITCH,
    "-z": SWITCH,
    "--expire": refused("no worktree is called out of date here", "git worktree list", "value"),
  },
  check: ({ operands: [action] }) => (action === "list" ? undefined : [`git worktree ${action ?? ""}: ${WRITES}`, "git worktree list"]),
  *run({ options, repository, print }) {
    const list = worktreesOf(repository);
    const isVerbose = options.has("-v", "--verbose");
    if (isVerbose && options.has("--porcelain")) throw new GitError("options '--verbose' and '--porcelain' cannot be used together");
    if (options.has("-z") && !options.has("--porcelain")) throw new GitError("the option '-z' requires '--porcelain'");
    const end = options.has("-z") ? "\0" : "\n";
    const quotesReason = end === "\n";
    const widest = Math.max(...list.map(({ path }) => path.length));
    const short = (id: string): string => (/^0+$/.test(id) ? id.slice(0, repository.abbreviation) : repository.short(id));
    const idWidth = Math.max(...list.map(({ id }) => short(id).length));
    for (const { path, branch, id, lock, isBare } of list) {
      if (isBare) {
        print(options.has("--porcelain") ? `worktree ${path}${end}bare${end}${end}` : `${path.padEnd(widest + 1)} (bare)\n`);
        continue;
      }
      if (options.has("--porcelain")) {
        const lines = [
          `worktree ${path}`,
          `HEAD ${id}`,
          branch === undefined ? "detached" : `branch ${branch}`,
          ...(lock === undefined
            ? []
            : [lock === "" ? "locked" : `locked ${quotesReason ? quotedName(lock, repository.quotesAll) : lock}`]),
        ];
        print(`${lines.join(end)}${end}${end}`);
      } else
        print(
          `${path.padEnd(widest + 1)} ${short(id).padEnd(idWidth)} ${branch === undefined ? "(detached HEAD)" : `[${shortestRefName(repository, branch)}]`}${isVerbose && lock ? `\n\tlocked: ${lock}` : lock !== undefined ? " locked" : ""}\n`,
        );
      yield;
    }
    return 0;
  },
});

const CHERRY_USAGE = `usage: git cherry [-v] [<upstream> [<head> [<limit>]]]

    --abbrev[=<n>]        use <n> digits to display object names
    -v, --verbose         be verbose
`;

export const cherry = command({
  flags: {
    "-v": SWITCH,
    "--verbose": SWITCH,
    "--abbrev": OPTIONAL,
  },
  *run({ options, repository, print }) {
    const typed = options.operands.map(fromWord);
    const branch = (repository.refs.symbolic("HEAD") ?? "").replace(/^refs\/heads\//, "");
    const [upstream = upstreamOf(repository, branch), head = "HEAD", limit] = typed;
    if (upstream === undefined)
      throw new GitError(`Could not find a tracked remote branch, please specify <upstream> manually.\n${CHERRY_USAGE}`, {
        prefix: "",
        exit: 129,
      });
    const commit = (name: string): string => {
      const id = commitNamed(repository, name);
      if (id === undefined) throw new GitError(`unknown commit ${name}`);
      return id;
    };
    const [left, right] = [commit(upstream), commit(head)];
    // What the limit leaves out of the list is compared all the same.
    const limited =
      limit === undefined ? undefined : [...walkCommits(repository, { ...PLAIN_WALK, include: [right], exclude: [commit(limit)] })];
    const isWithin = (id: string): boolean => limited?.some((one) => one.id === id) !== false;
    const found = [
      ...walkHistory(repository, {
        ...plainRequest(repository),
        cherry: "mark",
        include: [left, right],
        left: [left],
        exclude: mergeBases(repository, left, [right]),
        keeps: ({ parents }) => parents.length < 2,
      }),
    ].filter(({ isLeft, commit: { id } }) => !isLeft && isWithin(id));
    const short = (id: string): string =>
      options.has("--abbrev") ? repository.short(id, Number(options.last("--abbrev")) || undefined) : id;
    for (const { commit: one, isSame } of found.reverse()) {
      print(`${isSame ? "-" : "+"} ${short(one.id)}${options.has("-v", "--verbose") ? ` ${subjectOf(one.message)}` : ""}\n`);
      yield;
    }
    return 0;
  },
});

export const checkAttr = command({
  flags: {
    "-a": SWITCH,
    "--all": SWITCH,
    "-z": SWITCH,
    "--cached": SWITCH,
    "--stdin": refused("paths are named in the line", "git check-attr -a FILE"),
    "--source": refused("attributes of the working tree are read", "git check-attr -a FILE", "value"),
  },
  *run({ options, repository, print }) {
    const operands = options.operands.map(fromWord);
    const all = options.has("-a", "--all");
    const names = all ? [] : options.paths === undefined ? operands.splice(0, 1) : operands.splice(0);
    const paths = [...operands, ...(options.paths ?? []).map(fromWord)];
    if (paths.length === 0) throw new GitError("No file specified", { prefix: "error: ", exit: 129 });
    const attributes = options.has("--cached")
      ? new Attributes(repository, (path) => {
          const entry = entryOf(readIndex(repository), path);
          return entry === undefined ? undefined : repository.blob(entry.id, path).toString("latin1");
        })
      : repository.attributes;
    const said = (value: string | boolean | undefined): string =>
      value === true ? "set" : value === false ? "unset" : value === undefined ? "unspecified" : value;
    for (const typed of paths) {
      const path = repository.fromHere(typed);
      const found = attributes.all(path);
      const shown = all ? attributes.names.filter((name) => found.has(name)) : names;
      for (const name of shown) {
        if (options.has("-z")) print(`${typed}\0${name}\0${said(found.get(name))}\0`);
        else print(`${quotedName(typed, repository.quotesAll)}: ${name}: ${said(found.get(name))}\n`);
      }
      yield;
    }
    return 0;
  },
});
