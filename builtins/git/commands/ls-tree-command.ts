/** git ls-tree: names of the files in a tree. */
import { fromWord, quotedName } from "../objects/byte-text.ts";
import { command } from "./command.ts";
import { OPTIONAL, SWITCH, VALUE } from "./flags.ts";
import { GitError } from "../git-error.ts";
import { isSubmodule, isTree, modeText } from "../objects/objects.ts";
import { plainPath } from "../worktree/pathspec.ts";
import { relativePath } from "../worktree/relative-path.ts";
import { resolveRevision, treeOf } from "../refs/revision.ts";

import { entryFormat } from "./entry-format.ts";
export const lsTree = command({
  flags: {
    "-r": SWITCH,
    "-d": SWITCH,
    "-t": SWITCH,
    "-l": SWITCH,
    "--long": SWITCH,
    "--name-only": SWITCH,
    "--name-status": SWITCH,
    "--object-only": SWITCH,
    "--full-name": SWITCH,
    "--full-tree": SWITCH,
    "-z": SWITCH,
    "--abbrev": OPTIONAL,
    "--format": VALUE,
  },
  *run({ options, repository, print }) {
    const [typed = "", ...rest] = options.operands.map(fromWord);
    if (typed === "") throw new GitError("usage: git ls-tree [<options>] <tree-ish> [<path>...]", { exit: 129, prefix: "" });
    const id = resolveRevision(repository, typed);
    if (id === undefined) throw new GitError(`Not a valid object name ${typed}`);
    const top = treeOf(repository, id);
    if (top === undefined) throw new GitError("not a tree object");
    const isFull = options.has("--full-tree");
    const prefix = isFull ? "" : repository.prefix;
    const named = [...rest, ...(options.paths ?? []).map(fromWord)];
    const wanted = named.map((path) => plainPath(repository, path, prefix));
    const limits = wanted.length === 0 && prefix !== "" ? [prefix] : wanted;
    const format = options.has("--format") ? entryFormat("ls-tree", fromWord(options.last("--format") ?? "")) : undefined;
    if (format !== undefined && options.has("-l", "--long", "--name-only", "--name-status", "--object-only"))
      throw new GitError("--format can't be combined with other format-altering options", { exit: 129 });
    const end = options.has("-z") ? "\0" : "\n";
    const recurses = options.has("-r");
    const visit = function* (tree: string, base: string): Generator<void, void> {
      for (const { mode, name, id: entry } of repository.tree(tree)) {
        const path = base + name;
        const inside =
          limits.length === 0 ||
          limits.some((limit) => limit === path || path.startsWith(limit.endsWith("/") ? limit : `${limit}/`) || limit === "");
        const leads = limits.some((limit) => limit.startsWith(`${path}/`));
        const directory = isTree(mode);
        if (!inside && !(directory && leads)) continue;
        const goesIn = directory && (leads || recurses);
        if (
          (inside &&
            (!directory || !recurses || options.has("-t", "-d")) &&
            !(leads && !recurses) &&
            (!options.has("-d") || directory || isSubmodule(mode))) ||
          (leads && (options.has("-t") || (options.has("-d") && recurses)))
        ) {
          const isAbove = prefix.startsWith(`${path}/`);
          const shown =
            isFull || options.has("--full-name")
              ? path
              : isAbove
                ? "../".repeat(prefix.slice(path.length + 1).split("/").length - 1) || "./"
                : relativePath(prefix, path);
          const quoted = end === "\0" ? shown : quotedName(shown, repository.quotesAll);
          const type = directory ? "tree" : isSubmodule(mode) ? "commit" : "blob";
          const shownId = options.has("--abbrev") ? repository.short(entry, Number(options.last("--abbrev")) || undefined) : entry;
          const size = (): string => (type === "blob" ? String(repository.objects.get(entry, "blob").data.length) : "-");
          const fields: Readonly<Record<string, () => string>> = {
            objectmode: () => modeText(mode),
            objecttype: () => type,
            objectname: () => shownId,
            objectsize: size,
            "objectsize:padded": () => size().padStart(7),
            path: () => quoted,
          };
          if (format !== undefined) print(`${format((field) => (Object.hasOwn(fields, field) ? fields[field]?.() : undefined))}${end}`);
          else if (options.has("--name-only", "--name-status")) print(`${quoted}${end}`);
          else if (options.has("--object-only")) print(`${shownId}${end}`);
          else {
            const sizeText = options.has("-l", "--long") ? ` ${size().padStart(7)}` : "";
            print(`${modeText(mode)} ${type} ${shownId}${sizeText}\t${quoted}${end}`);
          }
        }
        if (goesIn) yield* visit(entry, `${path}/`);
      }
      yield;
    };
    yield* visit(top, "");
    return 0;
  },
});
