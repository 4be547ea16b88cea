/** git branch, git tag and git show-ref: what references there are. */
import { compileGlob } from "../../src/walk/glob-match.ts";
import { fromWord, toWord } from "./byte-text.ts";
import type { Command } from "./command.ts";
import { GitError } from "./git-error.ts";
import { parseTag } from "./objects.ts";
import { subjectOf } from "./pretty.ts";
import { shortRefName } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { commitNamed, resolveRevision, upstreamOf } from "./revision.ts";
import { isAncestor } from "./revision-walk.ts";
import { aheadBehind } from "./status-command.ts";

const WRITES = "the repository is only read here";

export const branch: Command = {
  flags:
    "-a --all -r --remotes -v --verbose --show-current -l --list --contains? --no-contains? --merged? --no-merged? --sort: --format: --color? --no-color --abbrev: --no-abbrev --column? --no-column --points-at: -i --ignore-case",
  refused: Object.fromEntries(
    [
      "-d",
      "-D",
      "--delete",
      "-m",
      "-M",
      "--move",
      "-c",
      "-C",
      "--copy",
      "-u",
      "--set-upstream-to",
      "--unset-upstream",
      "--edit-description",
      "-f",
      "--force",
      "-t",
      "--track",
    ].map((name) => [name, [WRITES, "git branch -a"] as const]),
  ),
  *run({ options, repository, print }) {
    for (const name of ["--sort", "--format", "--column", "--points-at", "--no-contains"])
      if (options.has(name)) throw new GitError(`${name} is not available here yet; git for-each-ref lists references`);
    const head = repository.refs.symbolic("HEAD");
    const headId = repository.refs.resolve("HEAD")?.id;
    if (options.has("--show-current")) {
      if (head?.startsWith("refs/heads/") === true) print(`${head.slice(11)}\n`);
      return 0;
    }
    const lists = options.has("-l", "--list", "--contains", "--merged", "--no-merged");
    // What follows one of these is its commit.
    const operands = options.operands.map(fromWord);
    const commitOf = (name: string): string | undefined => {
      if (!options.has(name)) return undefined;
      const typed = options.last(name) || operands.shift() || "HEAD";
      const id = commitNamed(repository, fromWord(typed));
      if (id === undefined) throw new GitError(`malformed object name ${typed}`, { exit: 129, prefix: "error: " });
      return id;
    };
    const contains = commitOf("--contains");
    const merged = commitOf("--merged");
    const unmerged = commitOf("--no-merged");
    if (operands.length > 0 && !lists)
      throw new GitError(`git branch NAME makes a branch: ${WRITES}\ntry: git branch --list ${operands[0]}`);
    const globs = operands.map((pattern) => compileGlob(toWord(pattern)));
    const all = options.has("-a", "--all");
    const remotes = options.has("-r", "--remotes");
    const refs = [
      ...(remotes ? [] : repository.refs.list("refs/heads/")),
      ...(all || remotes ? repository.refs.list("refs/remotes/") : []),
    ];
    const shown = refs
      .filter(({ name, id }) => {
        const short = shortRefName(name);
        if (globs.length > 0 && !globs.some((glob) => glob.matches(toWord(short)))) return false;
        if (contains !== undefined && !isAncestor(repository, contains, id)) return false;
        if (merged !== undefined && !isAncestor(repository, id, merged)) return false;
        return unmerged === undefined || !isAncestor(repository, id, unmerged);
      })
      .map(({ name, id, target }) => ({
        name,
        id,
        target,
        text: name.startsWith("refs/remotes/") && all ? name.slice(5) : shortRefName(name),
        isHead: name === head,
      }));
    const detached =
      head === undefined &&
      headId !== undefined &&
      !remotes &&
      globs.length === 0 &&
      (contains === undefined || isAncestor(repository, contains, headId));
    const detachedText = detached ? `(${detachedName(repository, headId)})` : "";
    const isVerbose = options.has("-v", "--verbose");
    const width = Math.max(0, ...shown.map(({ text }) => text.length), detachedText.length);
    if (detached)
      print(
        isVerbose && headId !== undefined
          ? `* ${detachedText.padEnd(width)} ${repository.short(headId)} ${subjectOf(repository.commit(headId).message)}\n`
          : `* ${detachedText}\n`,
      );
    const twice = options.list.filter(({ name }) => name === "-v" || name === "--verbose").length > 1;
    for (const { name, id, target, text, isHead } of shown) {
      const mark = isHead ? "* " : "  ";
      const points = target !== undefined && name !== head ? ` -> ${shortRefName(target)}` : "";
      if (!isVerbose) print(`${mark}${text}${points}\n`);
      else if (points !== "") print(`${mark}${text.padEnd(width)}${points}\n`);
      else
        print(
          `${mark}${text.padEnd(width)} ${repository.short(id)}${tracking(repository, name, id, twice)} ${subjectOf(repository.commit(id).message)}\n`,
        );
      yield;
    }
    return 0;
  },
};

function detachedName(repository: Repository, id: string): string {
  const left = repository.refs.log("HEAD").findLast(({ message }) => message.startsWith("checkout: moving from "));
  const to = /^checkout: moving from \S+ to (\S+)$/.exec(left?.message ?? "")?.[1];
  if (to === undefined) return "no branch";
  const shown = /^[0-9a-f]{40}$/.test(to) ? repository.short(to) : to;
  return `HEAD detached ${left?.id === id ? "at" : "from"} ${shown}`;
}

function tracking(repository: Repository, name: string, id: string, withName: boolean): string {
  const upstream = name.startsWith("refs/heads/") ? upstreamOf(repository, name.slice(11)) : undefined;
  if (upstream === undefined) return "";
  const counts = aheadBehind(repository, id, upstream);
  const parts =
    counts === undefined
      ? ["gone"]
      : [...(counts.ahead > 0 ? [`ahead ${counts.ahead}`] : []), ...(counts.behind > 0 ? [`behind ${counts.behind}`] : [])];
  const text = [...(withName ? [shortRefName(upstream)] : []), ...(parts.length > 0 ? [parts.join(", ")] : [])].join(": ");
  return text === "" ? "" : ` [${text}]`;
}

export const tag: Command = {
  flags: "-l --list -n? --sort: --contains? --points-at: --merged? --format: --color? --no-color --column? --no-column -i --ignore-case",
  refused: Object.fromEntries(
    ["-a", "-d", "--delete", "-m", "-s", "-u", "-f", "--force", "-F", "--annotate", "--sign", "-v", "--verify"].map((name) => [
      name,
      [WRITES, "git tag -n"] as const,
    ]),
  ),
  *run({ options, repository, print }) {
    for (const name of ["--format", "--column", "--merged"])
      if (options.has(name)) throw new GitError(`${name} is not available here yet; git for-each-ref lists references`);
    const operands = options.operands.map(fromWord);
    const commitOf = (name: string): string | undefined => {
      if (!options.has(name)) return undefined;
      const typed = options.last(name) || operands.shift() || "HEAD";
      const id = resolveRevision(repository, fromWord(typed));
      if (id === undefined) throw new GitError(`malformed object name ${typed}`, { exit: 129, prefix: "error: " });
      return id;
    };
    const containsId = commitOf("--contains");
    const contains = containsId === undefined ? undefined : repository.asCommit(containsId);
    const pointsAt = commitOf("--points-at");
    if (operands.length > 0 && !options.has("-l", "--list", "-n", "--contains", "--points-at"))
      throw new GitError(`git tag NAME makes a tag: ${WRITES}\ntry: git tag -l '${operands[0]}'`);
    const globs = operands.map((pattern) => compileGlob(toWord(pattern)));
    const sort = options.last("--sort") ?? repository.config.get("tag.sort") ?? "refname";
    const lines = options.has("-n") ? Number(options.last("-n") || 1) : 0;
    let refs = repository.refs.list("refs/tags/").filter(({ name, id }) => {
      if (globs.length > 0 && !globs.some((glob) => glob.matches(toWord(name.slice(10))))) return false;
      const commit = repository.asCommit(id);
      if (pointsAt !== undefined && id !== pointsAt && commit !== pointsAt) return false;
      return contains === undefined || (commit !== undefined && isAncestor(repository, contains, commit));
    });
    refs = sortedRefs(repository, refs, [sort]);
    for (const { name, id } of refs) {
      const short = name.slice(10);
      if (lines === 0) print(`${short}\n`);
      else {
        const object = repository.objects.get(id);
        const message =
          object.type === "tag" ? parseTag(object.data).message : object.type === "commit" ? repository.commit(id).message : "";
        const subject = subjectOf(message);
        const shown = lines === 1 ? [subject] : message.trimEnd().split("\n").slice(0, lines);
        print(`${short.padEnd(15)} ${shown.join("\n    ")}\n`);
      }
      yield;
    }
    return 0;
  },
};

type ListedRef = ReturnType<Repository["refs"]["list"]>[number];

function sortedRefs(repository: Repository, refs: readonly ListedRef[], keys: readonly string[]): ListedRef[] {
  let sorted = [...refs];
  for (const key of keys) {
    const descends = key.startsWith("-");
    const field = key.replace(/^-/, "");
    const sign = descends ? -1 : 1;
    const date = ({ id }: ListedRef): number => {
      const object = repository.objects.find(id);
      if (object?.type === "tag" && field !== "committerdate") return parseTag(object.data).tagger?.seconds ?? 0;
      return object?.type === "commit" ? repository.commit(id)[field === "authordate" ? "author" : "committer"].seconds : 0;
    };
    if (field === "refname") sorted = sorted.sort((a, b) => sign * (a.name < b.name ? -1 : 1));
    else if (["committerdate", "authordate", "creatordate", "taggerdate"].includes(field))
      sorted.sort((a, b) => sign * (date(a) - date(b)));
    else if (/^(v|version):refname$/.test(field)) sorted.sort((a, b) => sign * versionOrder(a.name, b.name));
    else throw new GitError(`--sort=${key} is not available here yet`);
  }
  return sorted;
}

function versionOrder(a: string, b: string): number {
  const parts = (text: string): readonly string[] => text.match(/[0-9]+|[^0-9]+/g) ?? [];
  const [x, y] = [parts(a), parts(b)];
  for (let at = 0; at < x.length && at < y.length; at++) {
    const [p, q] = [x[at] as string, y[at] as string];
    if (p === q) continue;
    return /^[0-9]/.test(p) && /^[0-9]/.test(q) ? Number(p) - Number(q) || p.length - q.length : p < q ? -1 : 1;
  }
  return x.length - y.length;
}

export const showRef: Command = {
  flags: "--heads --tags -d --dereference --head -s --hash? -q --quiet --verify --abbrev?",
  *run({ options, repository, print }) {
    const operands = options.operands.map(fromWord);
    const id = (full: string): string =>
      options.has("--abbrev") || options.last("--hash")
        ? repository.short(full, Number(options.last("--abbrev") || options.last("--hash")) || undefined)
        : full;
    const line = (full: string, name: string): void => {
      if (!options.has("-q", "--quiet")) print(options.has("-s", "--hash") ? `${id(full)}\n` : `${id(full)} ${name}\n`);
    };
    if (options.has("--verify")) {
      for (const name of operands) {
        const ref = name.startsWith("refs/") || name === "HEAD" ? repository.refs.resolve(name) : undefined;
        if (ref !== undefined) line(ref.id, name);
        else if (options.has("-q", "--quiet")) return 1;
        else throw new GitError(`'${name}' - not a valid ref`);
      }
      return 0;
    }
    const head = repository.refs.resolve("HEAD");
    const chosen = [...(options.has("--head") && head !== undefined ? [head] : []), ...repository.refs.list()].filter(({ name }) => {
      if (
        name !== "HEAD" &&
        options.has("--heads", "--tags") &&
        !((options.has("--heads") && name.startsWith("refs/heads/")) || (options.has("--tags") && name.startsWith("refs/tags/")))
      )
        return false;
      return name === "HEAD" || operands.length === 0 || operands.some((wanted) => name === wanted || name.endsWith(`/${wanted}`));
    });
    for (const { name, id: full } of chosen) {
      line(full, name);
      if (options.has("-d", "--dereference") && repository.peeled(full) !== full) line(repository.peeled(full), `${name}^{}`);
      yield;
    }
    return chosen.length === 0 ? 1 : 0;
  },
};
