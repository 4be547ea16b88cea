/** git ls-files: names of the files in the index, and of others beside it. */
import { fromWord, quotedName } from "../objects/byte-text.ts";
import { command, type CommandRun } from "./command.ts";
import { OPTIONAL, refused, SWITCH, VALUE } from "./flags.ts";
import { GitError } from "../git-error.ts";
import { entryAtStage, readIndex, type EntryFacts, type IndexFile } from "../worktree/index-file.ts";
import { isRegular, modeText } from "../objects/objects.ts";
import { Pathspec } from "../worktree/pathspec.ts";
import { relativePath } from "../worktree/relative-path.ts";
import { entriesWithin } from "../worktree/submodule-entries.ts";
import { overlaidEntries } from "../worktree/tree-overlay.ts";
import { killedFiles, untrackedFiles, type UntrackedOptions } from "../worktree/untracked.ts";
import { Ignored, STANDARD_IGNORES } from "../worktree/ignored.ts";
import { lineEndAttributes, lineEndNames } from "../worktree/conversion.ts";
import { insideRoot } from "../objects/object-store.ts";
import { parseIgnoreFile } from "../../../src/glob/ignore-rules.ts";
import type { Repository } from "../repository.ts";
import { StatusReader } from "../worktree/status-reader.ts";
import { fileState, workingPairs } from "../worktree/working-tree.ts";

import { entryFormat } from "./entry-format.ts";
export const lsFiles = command({
  flags: {
    "-c": SWITCH,
    "--cached": SWITCH,
    "-d": SWITCH,
    "--deleted": SWITCH,
    "-m": SWITCH,
    "--modified": SWITCH,
    "-o": SWITCH,
    "--others": SWITCH,
    "-s": SWITCH,
    "--stage": SWITCH,
    "-u": SWITCH,
    "--unmerged": SWITCH,
    "-i": SWITCH,
    "--ignored": SWITCH,
    "--exclude-standard": SWITCH,
    "--directory": SWITCH,
    "-z": SWITCH,
    "--full-name": SWITCH,
    "--error-unmatch": SWITCH,
    "-t": SWITCH,
    "-v": SWITCH,
    "--deduplicate": SWITCH,
    "--format": VALUE,
    "-x": VALUE,
    "--exclude": VALUE,
    "-X": VALUE,
    "--exclude-from": VALUE,
    "--exclude-per-directory": VALUE,
    "--eol": SWITCH,
    "--abbrev": OPTIONAL,
    "--no-empty-directory": SWITCH,
    "--empty-directory": SWITCH,
    "-k": SWITCH,
    "--killed": SWITCH,
    "-f": refused("nothing watches the files here", "git ls-files -v"),
    "--resolve-undo": refused("conflicts that were resolved are not told here", "git ls-files -u"),
    "--sparse": refused("the index is shown whole", "git ls-files"),
    "--with-tree": VALUE,
    "--recurse-submodules": SWITCH,
    "--debug": SWITCH,
  },
  check: (options) => {
    if (options.has("--recurse-submodules") && options.has("--eol", "--format", "--abbrev", "-i", "--ignored"))
      return ["--recurse-submodules: names, ids and stages alone are listed of a submodule here", "git ls-files --recurse-submodules"];
    if (!options.has("-o", "--others", "-k", "--killed")) return undefined;
    // Git's walk for other files leaves a mark in the flags that --debug shows, and not always; and it takes the tree's files for tracked ones.
    if (options.has("--debug")) return ["--debug: flags of entries are not shown beside other files here", "git ls-files --debug"];
    return options.has("--with-tree") ? ["--with-tree: other files are listed without a tree here", "git ls-files --others"] : undefined;
  },
  *run(run) {
    const { options, repository, print, complain } = run;
    const isTagged = options.has("-t", "-v");
    const tag = (letter: string): string => (isTagged ? `${letter} ` : "");
    const typed = [...options.operands, ...(options.paths ?? [])].map(fromWord);
    const here = typed.length === 0 && repository.prefix !== "" ? ["."] : typed;
    const paths = here.length === 0 ? undefined : new Pathspec(repository, here, true);
    const index = readIndex(repository);
    const end = options.has("-z") ? "\0" : "\n";
    if (paths === undefined && !options.hasOther(...PLAIN_FLAGS)) {
      yield* listNames(index, print, { end, quotes: !options.has("-z"), quotesAll: repository.quotesAll });
      return 0;
    }
    const name = (path: string): string => {
      const shown = options.has("--full-name") ? path : relativePath(repository.prefix, path);
      return options.has("-z") ? shown : quotedName(shown, repository.quotesAll);
    };
    const rules = ignoreRules(run);
    const eol = (entry: EntryFacts | undefined, path: string): string =>
      options.has("--eol") ? lineEnds(repository, entry && storedOf(entry), path) : "";
    const overTree = options.last("--with-tree");
    /** Git reads a file in conflict at stage 2, which nothing has once a tree is laid over the index. */
    const storedOf = (entry: EntryFacts): StoredFile => {
      const { name, mode, stage } = entry;
      const read = stage === 0 ? entry : overTree === undefined ? entryAtStage(index, name, 2) : undefined;
      return { mode, id: read?.id };
    };
    const format = options.has("--format") ? entryFormat("ls-files", fromWord(options.last("--format") ?? "")) : undefined;
    if (format !== undefined && options.has("-s", "--stage", "-o", "--others", "-k", "--killed", "-t", "-v", "--deduplicate", "--eol"))
      throw new GitError("--format cannot be used with -s, -o, -k, -t, --resolve-undo, --deduplicate, --eol", { exit: 129 });
    const staged = options.has("-s", "--stage", "-u", "--unmerged");
    const shownId = (id: string): string =>
      options.has("--abbrev") ? repository.short(id, Number(options.last("--abbrev")) || undefined) : id;
    const others = options.has("-o", "--others");
    const deleted = options.has("-d", "--deleted");
    const modified = options.has("-m", "--modified");
    const killed = options.has("-k", "--killed");
    const recurses = options.has("--recurse-submodules");
    if (recurses && (others || deleted || modified || killed || options.has("-u", "--unmerged", "--with-tree")))
      throw new GitError("ls-files --recurse-submodules unsupported mode");
    if (recurses && options.has("--error-unmatch")) throw new GitError("ls-files --recurse-submodules does not support --error-unmatch");
    const listed: string[] = [];
    const wantsIgnored = options.has("-i", "--ignored");
    const wanted: UntrackedOptions = {
      joinsDirectories: options.has("--directory"),
      listsIgnored: wantsIgnored,
      rules: rules ?? "none",
      listsEmpty: options.lastOf("--no-empty-directory", "--empty-directory") !== "--no-empty-directory",
      paths,
      onlyInPlace: !others,
    };
    const listOthers = (found: readonly string[], mark: string): void => {
      for (const path of found) {
        listed.push(path);
        print(`${tag(mark)}${eol(undefined, path)}${name(path)}${end}`);
      }
    };
    if (!others && options.has("-i", "--ignored") && !options.has("-c", "--cached"))
      throw new GitError("ls-files -i must be used with either -o or -c");
    if (options.has("-i", "--ignored") && rules === undefined) throw new GitError("ls-files --ignored needs some exclude pattern");
    if (overTree !== undefined && staged) throw new GitError("options 'ls-files --with-tree' and '-s/-u' cannot be used together");
    const entries = recurses
      ? entriesWithin(repository, index)
      : overTree === undefined
        ? index.entries
        : overlaidEntries(repository, index, fromWord(overTree));
    if (others) {
      const found = untrackedFiles(repository, index, wanted);
      listOthers(wantsIgnored ? found.ignored : found.untracked, "?");
    }
    if (killed) listOthers(killedFiles(repository, index, wanted), "K");
    const changed =
      deleted || modified
        ? new Set(workingPairs(repository, index, paths, { submodules: "dirty" }).map((pair) => pair.now.path))
        : undefined;
    const listsAll = options.has("-c", "--cached") || staged || !(others || killed || deleted || modified);
    const namesOnce = options.has("--deduplicate") && !isTagged && !staged;
    const statuses = changed && new StatusReader(repository.disk, repository.worktree);
    let shown: string | undefined;
    const facts = (entry: EntryFacts): string => (options.has("--debug") ? entryFacts(entry) : "");
    for (const entry of entries) {
      if (paths !== undefined && !paths.matches(entry.name)) continue;
      if (!others && options.has("-i", "--ignored") && rules?.has(entry.name, false) !== true) continue;
      const valid = (mark: string): string => (options.has("-v") && entry.assumedUnchanged ? mark.toLowerCase() : mark);
      const letter = valid(entry.stage > 0 ? "M" : entry.skipsWorktree ? "S" : "H");
      const line =
        format !== undefined
          ? `${format((field) => entryField(repository, entry, field, { shownName: name(entry.name), stored: storedOf(entry) }))}${end}`
          : staged
            ? `${tag(letter)}${modeText(entry.mode)} ${shownId(entry.id)} ${entry.stage}\t${eol(entry, entry.name)}${name(entry.name)}${end}`
            : `${tag(letter)}${eol(entry, entry.name)}${name(entry.name)}${end}`;
      // Git looks no more for what one path has named whole.
      if (options.has("--error-unmatch") && entry.name === listed.at(-1) && paths?.matchesBeyond(entry.name) === false) continue;
      const show = (text: string): void => {
        if (namesOnce && entry.name === shown) return;
        shown = entry.name;
        listed.push(entry.name);
        print(text + facts(entry));
      };
      if (listsAll && !(options.has("-u", "--unmerged") && entry.stage === 0)) show(line);
      if (statuses === undefined || entry.skipsWorktree) continue;
      // Of the others it is known that their files are as they were.
      if (changed?.has(entry.name) !== true && !entry.assumedUnchanged && entry.stage === 0) continue;
      const state = fileState(repository, index, entry, statuses);
      const marked = (mark: string): string => (isTagged ? tag(valid(mark)) + line.slice(2) : line);
      if (deleted && state === "absent") show(marked("R"));
      if (modified && state !== "same") show(marked("C"));
    }
    statuses?.close();
    yield;
    const missing = options.has("--error-unmatch") ? (paths?.unmatched(listed) ?? []) : [];
    for (const word of missing) complain(`error: pathspec '${word}' did not match any file(s) known to git\n`);
    if (missing.length > 0) complain("Did you forget to 'git add'?\n");
    return missing.length > 0 ? 1 : 0;
  },
});

/** Flags with which ls-files prints the names of all that is tracked, and nothing else. */
const PLAIN_FLAGS = [
  ...(["-c", "--cached", "-z", "--full-name", "--error-unmatch", "--abbrev"] as const),
  ...(["--directory", "--empty-directory", "--no-empty-directory"] as const),
];

/** Names printed at a time. */
const NAMES_AT_ONCE = 512;

function* listNames(
  index: IndexFile,
  print: (text: string) => void,
  { end, quotes, quotesAll }: { readonly end: string; readonly quotes: boolean; readonly quotesAll: boolean },
): Generator<void, void> {
  const shown = (name: string): string => (quotes ? quotedName(name, quotesAll) : name);
  const isPlain = Uint8Array.from({ length: 256 }, (_, byte) => {
    const unit = String.fromCharCode(byte);
    return shown(unit) === unit ? 1 : 0;
  });
  for (let from = 0; from < index.count; from += NAMES_AT_ONCE) {
    const to = Math.min(index.count, from + NAMES_AT_ONCE);
    const text = index.namesText(from, to, end.charCodeAt(0), isPlain);
    if (text !== undefined) print(text);
    else for (let number = from; number < to; number++) print(shown(index.nameAt(number)) + end);
    yield;
  }
}

/** The lines of --debug below an entry. */
function entryFacts({ stat, flags }: EntryFacts): string {
  const [ctime, ctimeNs, mtime, mtimeNs, device, file, user, group, size] = stat;
  return [
    `  ctime: ${ctime}:${ctimeNs}\n  mtime: ${mtime}:${mtimeNs}\n`,
    `  dev: ${device}\tino: ${file}\n  uid: ${user}\tgid: ${group}\n`,
    `  size: ${size}\tflags: ${flags.toString(16)}\n`,
  ].join("");
}

const RULE_FLAGS = ["--exclude-standard", "-x", "--exclude", "-X", "--exclude-from", "--exclude-per-directory"] as const;

/** The rules that the options ask for; undefined where they ask for none. */
function ignoreRules({ options, repository }: CommandRun<(typeof RULE_FLAGS)[number]>): Ignored | undefined {
  if (!options.has(...RULE_FLAGS)) return undefined;
  const isStandard = options.has("--exclude-standard");
  const typed = options.all("-x", "--exclude").map(fromWord);
  const files = options.all("-X", "--exclude-from").map((word) => {
    const name = fromWord(word);
    const bytes = repository.disk.read(insideRoot(repository.disk, repository.worktree, name));
    if (bytes === undefined) throw new GitError(`cannot use ${name} as an exclude file`);
    return bytes;
  });
  const perDirectory = options.last("--exclude-per-directory");
  return new Ignored(repository, {
    perDirectory: perDirectory === undefined ? (isStandard ? STANDARD_IGNORES.perDirectory : undefined) : fromWord(perDirectory),
    exclude: isStandard,
    typed: parseIgnoreFile(Buffer.from(typed.join("\n"), "latin1")),
    files: files.toReversed().flatMap((bytes) => parseIgnoreFile(bytes) ?? []),
  });
}

/** "i/lf    w/crlf  attr/text=auto        \t": line ends in the index and the working tree, and what is said of them. */
function lineEnds(repository: Repository, entry: StoredFile | undefined, path: string): string {
  const [stored, working] = [storedLineEnds(repository, entry, path), workingLineEnds(repository, path)];
  return `i/${stored.padEnd(5)} w/${working.padEnd(5)} attr/${lineEndAttributes(repository, path).padEnd(17)}\t`;
}

function storedLineEnds(repository: Repository, file: StoredFile | undefined, path: string): string {
  if (file === undefined || !isRegular(file.mode)) return "";
  return lineEndNames(file.id === undefined ? Buffer.alloc(0) : repository.blob(file.id, path));
}

/** A file of the index; without an id it has no content. */
interface StoredFile {
  readonly mode: number;
  readonly id: string | undefined;
}

function workingLineEnds(repository: Repository, path: string): string {
  const place = repository.inWorktree(path);
  const isFile = repository.disk.status(place, false)?.kind === "file";
  if (isFile) repository.denied.check(path);
  return isFile ? lineEndNames(repository.disk.read(place) ?? Buffer.alloc(0)) : "";
}

/** A field of --format; undefined for an unknown one. */
function entryField(
  repository: Repository,
  entry: EntryFacts,
  field: string,
  { shownName, stored }: { readonly shownName: string; readonly stored: StoredFile },
): string | undefined {
  switch (field) {
    case "stage":
      return String(entry.stage);
    case "path":
      return shownName;
    case "objectmode":
      return modeText(entry.mode);
    case "objectname":
      return entry.id;
    case "eolinfo:index":
      return storedLineEnds(repository, stored, entry.name);
    case "eolinfo:worktree":
      return workingLineEnds(repository, entry.name);
    case "eolattr":
      return lineEndAttributes(repository, entry.name);
  }
  return undefined;
}
