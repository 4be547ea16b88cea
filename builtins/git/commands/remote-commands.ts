/** git remote and git ls-remote: other repositories, as far as the configuration and the workspace tell of them. */
import { compileGlob } from "../../../src/glob/glob-match.ts";
import { fromWord, toWord } from "../objects/byte-text.ts";
import { parseTag } from "../objects/objects.ts";
import { GitError } from "../git-error.ts";
import { fetchUrls, pushUrls, remoteNames, valuesOf } from "../refs/remotes.ts";
import type { Ref } from "../refs/refs.ts";
import { versionOrder } from "../refs/version-name-order.ts";
import type { Repository } from "../repository.ts";
import { repositoryAtPlace } from "../repository-search.ts";
import { command, type CommandRun } from "./command.ts";
import { limited, noEffect, refused, SWITCH, VALUE } from "./flags.ts";

const WRITES = "the repository is only read here";

export const remote = command({
  flags: {
    "-v": SWITCH,
    "--verbose": SWITCH,
    "--all": SWITCH,
    "--push": SWITCH,
    "-n": SWITCH,
  },
  check: (options) => {
    const [action, name] = options.operands;
    if (action === undefined || action === "get-url") return undefined;
    if (action !== "show") return [`git remote ${action}: ${WRITES}`, "git remote -v"];
    if (name === undefined || options.has("-n")) return undefined;
    return [
      "git remote show NAME asks the network, which is not there; with -n it tells what is known here",
      "git remote -v",
      { flag: "-n", behind: "show", lost: "without what the remote has" },
    ];
  },
  *run(run) {
    const { options, repository, print } = run;
    const { config } = repository;
    const [action, name] = options.operands.map(fromWord);
    const stray =
      action === "get-url"
        ? options.lastOf("-n")
        : (options.lastOf("--all", "--push") ?? (action === "show" ? undefined : options.lastOf("-n")));
    if (stray !== undefined)
      throw new GitError(stray === "-n" ? "unknown switch `n'" : `unknown option \`${stray.slice(2)}'`, { prefix: "error: ", exit: 129 });
    const names = remoteNames(config);
    if (action === "get-url" && name !== undefined) {
      if (!names.includes(name)) throw new GitError(`No such remote '${name}'`, { exit: 2, prefix: "error: " });
      const all = options.has("--push") ? pushUrls(config, name) : fetchUrls(config, name);
      for (const one of options.has("--all") ? all : all.slice(0, 1)) print(`${one}\n`);
      return 0;
    }
    if (action === "show" && name !== undefined) {
      for (const one of options.operands.slice(1).map(fromWord)) showRemote(run, one);
      return 0;
    }
    for (const of of names) {
      if (!options.has("-v", "--verbose")) print(`${of}\n`);
      else {
        const filter = config.get(`remote.${of}.partialclonefilter`);
        print(`${of}\t${fetchUrls(config, of)[0]} (fetch)${filter === undefined ? "" : ` [${filter}]`}\n`);
        for (const url of pushUrls(config, of)) print(`${of}\t${url} (push)\n`);
      }
    }
    yield;
    return 0;
  },
});

/** `git remote show -n NAME`: nothing of it is asked of the remote. */
function showRemote({ repository, print }: CommandRun, name: string): void {
  const { config, refs } = repository;
  print(`* remote ${name}\n  Fetch URL: ${fetchUrls(config, name)[0]}\n`);
  for (const url of pushUrls(config, name)) print(`  Push  URL: ${url}\n`);
  print("  HEAD branch: (not queried)\n");
  const list = (title: string, titles: string, suffix: string, lines: readonly string[]): void => {
    if (lines.length > 0) print(`  ${lines.length === 1 ? title : titles}${suffix}\n${lines.map((line) => `    ${line}\n`).join("")}`);
  };
  const known = refs.list(`refs/remotes/${name}/`).filter((ref) => refs.symbolic(ref.name) === undefined);
  const remoteBranches = known.map((ref) => ref.name.slice(`refs/remotes/${name}/`.length));
  list("Remote branch:", "Remote branches:", " (status not queried)", remoteBranches);
  list("Local branch configured for 'git pull':", "Local branches configured for 'git pull':", "", pulledBranches(repository, name));
  const specs = valuesOf(config, `remote.${name}.push`);
  list(
    "Local ref configured for 'git push'",
    "Local refs configured for 'git push'",
    " (status not queried):",
    specs.length === 0 ? ["(matching) pushes to (matching)"] : pushLines(specs),
  );
}

function pulledBranches({ config }: Repository, remote: string): readonly string[] {
  const branches = [...new Set(config.settings.flatMap(({ name }) => /^branch\.(.+)\.[^.]+$/.exec(name)?.[1] ?? []))].sort();
  const pulled = branches.flatMap((branch) => {
    const merges = valuesOf(config, `branch.${branch}.merge`).map((ref) => ref.replace(/^refs\/heads\//, ""));
    if (config.get(`branch.${branch}.remote`) !== remote || merges.length === 0) return [];
    return [{ branch, merges, rebases: config.boolean(`branch.${branch}.rebase`, false) }];
  });
  const width = Math.max(0, ...pulled.map(({ branch }) => branch.length));
  const anyRebases = pulled.some(({ rebases }) => rebases);
  return pulled.map(({ branch, merges: [first, ...more], rebases }) => {
    const said = rebases ? "rebases onto remote" : `${anyRebases ? " " : ""}merges with remote`;
    const further = more.map((name) => `\n    ${"".padEnd(width)} ${anyRebases ? " " : ""}   and with remote ${name}`).join("");
    return `${branch.padEnd(width)} ${said} ${first}${further}`;
  });
}

function pushLines(specs: readonly string[]): readonly string[] {
  const pushed = specs.map((spec) => {
    const forces = spec.startsWith("+");
    const [from = "", to = from] = spec.slice(forces ? 1 : 0).split(":");
    if (from === "" && to === "") return { from: "(matching)", to: "(matching)", forces };
    return { from: from === "" ? "(delete)" : from, to, forces };
  });
  const width = Math.max(...pushed.map(({ from }) => from.length));
  return pushed
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
    .map(({ from, to, forces }) => `${from.padEnd(width)} ${forces ? "forces to" : "pushes to"} ${to}`);
}

const SORT_KEYS = /^-?(refname|version:refname|v:refname)$/;

export const lsRemote = command({
  flags: {
    "--heads": SWITCH,
    "-h": SWITCH,
    "--tags": SWITCH,
    "-t": SWITCH,
    "--refs": SWITCH,
    "--symref": SWITCH,
    "--exit-code": SWITCH,
    "--get-url": SWITCH,
    "-q": SWITCH,
    "--quiet": SWITCH,
    "--sort": limited(VALUE, (key = "") =>
      SORT_KEYS.test(key) ? undefined : [`references are not ordered by ${key} here`, "git ls-remote ."],
    ),
    "-o": refused("there is no network here", "git ls-remote .", "value"),
    "--server-option": refused("there is no network here", "git ls-remote .", "value"),
    "--exec": noEffect("no program is started here", "value"),
  },
  *run({ options, repository, print, complain }) {
    const [typed, ...patterns] = options.operands.map(fromWord);
    const names = remoteNames(repository.config);
    const remoteName = typed ?? defaultRemote(repository, names);
    const url = names.includes(remoteName) ? (fetchUrls(repository.config, remoteName)[0] as string) : remoteName;
    if (options.has("--get-url")) {
      print(`${url}\n`);
      return 0;
    }
    const place = url.replace(/^file:\/\//, "");
    if (/^[a-z][a-z+.-]*:\/\//i.test(place) || /^[^/]+:(?!\/\/)/.test(place))
      throw new GitError(`unable to access '${url}': there is no network here`);
    const other = repositoryAtPlace(repository, place);
    if (other === undefined)
      throw new GitError(
        `'${url}' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.`,
      );
    try {
      if (typed === undefined && !options.has("-q", "--quiet")) complain(`From ${url}\n`);
      const shown = listed(other, options, patterns);
      for (const line of shown) print(line);
      yield;
      return shown.length === 0 && options.has("--exit-code") ? 2 : 0;
    } finally {
      other.close();
    }
  },
});

function defaultRemote(repository: Repository, names: readonly string[]): string {
  const branch = (repository.refs.symbolic("HEAD") ?? "").replace(/^refs\/heads\//, "");
  const set = repository.config.get(`branch.${branch}.remote`) ?? (names.length === 1 ? names[0] : "origin");
  if (set === undefined || !names.includes(set)) throw new GitError("No remote configured to list refs from.");
  return set;
}

type ListOptions = CommandRun<"--heads" | "-h" | "--tags" | "-t" | "--refs" | "--symref" | "--sort">["options"];

/** Lines, in the order that the options ask for. */
function listed({ refs, objects }: Repository, options: ListOptions, patterns: readonly string[]): readonly string[] {
  const head = refs.resolve("HEAD");
  const all: readonly Ref[] = [...(head === undefined ? [] : [{ ...head, name: "HEAD" }]), ...refs.list()];
  const globs = patterns.map((pattern) => compileGlob(toWord(`*/${pattern}`)));
  const isWanted = (name: string): boolean => globs.length === 0 || globs.some((glob) => glob.matches(toWord(`/${name}`)));
  const [wantsHeads, wantsTags, plainOnly] = [options.has("--heads", "-h"), options.has("--tags", "-t"), options.has("--refs")];
  const isOfKind = (name: string): boolean =>
    (wantsHeads || wantsTags
      ? (wantsHeads && name.startsWith("refs/heads/")) || (wantsTags && name.startsWith("refs/tags/"))
      : !plainOnly || name.startsWith("refs/")) &&
    // A name of one part ("refs/stash") is not well formed.
    (!plainOnly || /^refs\/[^/]+\//.test(name)) &&
    isWanted(name);
  const rows = all.flatMap(({ name, id }) => {
    const object = plainOnly || !name.startsWith("refs/") ? undefined : objects.find(id);
    const peeled = object?.type === "tag" ? [{ name: `${name}^{}`, id: peeledOf(objects, object.data) }] : [];
    return [{ name, id }, ...peeled].filter((row) => isOfKind(row.name));
  });
  const [key] = options.all("--sort").slice(-1);
  if (key !== undefined) {
    const order =
      key.includes("refname") && /v(ersion)?:/.test(key) ? versionOrder : (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    rows.sort((a, b) => (key.startsWith("-") ? order(b.name, a.name) : order(a.name, b.name)));
  }
  return rows.map(({ name, id }) => {
    const target = options.has("--symref") ? refs.symbolic(name) : undefined;
    return `${target === undefined ? "" : `ref: ${target}\t${name}\n`}${id}\t${name}\n`;
  });
}

/** What a tag leads to at last. */
function peeledOf(objects: Repository["objects"], data: Buffer): string {
  let id = parseTag(data).object;
  for (let depth = 0; depth < 64; depth++) {
    const found = objects.find(id);
    if (found?.type !== "tag") break;
    id = parseTag(found.data).object;
  }
  return id;
}
