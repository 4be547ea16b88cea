/** git cat-file: objects by name, as they are stored. */
import { fromWord, quotedName } from "../objects/byte-text.ts";
import { batch, BATCHES } from "./cat-file-batch.ts";
import { command, type CommandRun, type Running } from "./command.ts";
import { noEffect, OPTIONAL, refused, SWITCH, VALUE } from "./flags.ts";
import { GitError } from "../git-error.ts";
import { isRegular, isSubmodule, isTree, MODE, modeText, parseTree } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";
import { colonOf, entryNamed, peeledWrongly, placeNamed, resolveRevision } from "../refs/revision.ts";
import { checkedOutForm } from "../worktree/conversion.ts";
import { complainOfPath } from "../refs/misspelt-revision.ts";

const AS_STORED = "names are printed as they are stored";
const MAILMAP = refused(AS_STORED, "git log --use-mailmap");

export const catFile = command({
  flags: {
    "-p": SWITCH,
    "-t": SWITCH,
    "-s": SWITCH,
    "-e": SWITCH,
    "--path": VALUE,
    "--allow-unknown-type": SWITCH,
    "--use-mailmap": MAILMAP,
    "--no-use-mailmap": noEffect(AS_STORED),
    "--mailmap": MAILMAP,
    "--no-mailmap": noEffect(AS_STORED),
    "--batch": OPTIONAL,
    "--batch-check": OPTIONAL,
    "--batch-command": OPTIONAL,
    "--batch-all-objects": SWITCH,
    "--buffer": SWITCH,
    "--unordered": SWITCH,
    "-z": SWITCH,
    "--follow-symlinks": refused("links in trees are shown as they are", "git cat-file --batch-check"),
    "--textconv": SWITCH,
    "--filters": SWITCH,
  },
  check: (options) =>
    options.has(...BATCHES) && options.has("--textconv", "--filters", "--path")
      ? ["objects of a batch are printed as they are stored", "git cat-file --filters HEAD:PATH"]
      : undefined,
  *run(run): Running {
    const { options, repository, print } = run;
    if (options.has(...BATCHES)) return yield* batch(run);
    for (const name of ["--batch-all-objects", "--buffer", "--unordered", "-z"] as const)
      if (options.has(name)) throw new GitError(`'${name}' requires a batch mode`, { exit: 129 });
    const [first = "", second] = options.operands.map(fromWord);
    const mode = options.lastOf("-p", "-t", "-s", "-e", "--textconv", "--filters");
    const isConverted = mode === "--textconv" || mode === "--filters";
    if (options.has("--path") && !isConverted)
      throw new GitError("'--path=<path|tree-ish>' needs '--filters' or '--textconv'", { exit: 129 });
    if (options.has("--allow-unknown-type") && mode !== "-t" && mode !== "-s")
      throw new GitError("git cat-file --allow-unknown-type: use with -s or -t");
    const typed = mode === undefined ? (second ?? "") : first;
    if (typed === "" && mode !== undefined)
      throw new GitError(`${isConverted ? "<rev>" : "<object>"} required with '${mode}'`, { exit: 129 });
    if (typed === "")
      throw new GitError(
        "usage: git cat-file <type> <object>\n   or: git cat-file (-e | -p) <object>\n   or: git cat-file (-t | -s) [--allow-unknown-type] <object>",
        { exit: 129, prefix: "" },
      );
    // git looks for no message here: the word is read as one that is to be complained of.
    const id = typed.startsWith(":/") ? undefined : resolveRevision(repository, typed);
    if (id === undefined) {
      complainOfPath(repository, typed, "");
      throw new GitError(`Not a valid object name ${typed}`, { prefix: `${peeledWrongly(repository, typed)}fatal: ` });
    }
    if (isConverted) {
      print(convertedText(run, typed, id, mode));
      return 0;
    }
    const object = repository.objects.find(id);
    if (object === undefined) {
      if (mode === "-e") return 1;
      throw new GitError(
        mode === "-p"
          ? `Not a valid object name ${typed}`
          : mode === undefined
            ? `git cat-file ${typed}: bad file`
            : "git cat-file: could not get object info",
      );
    }
    if (mode === "-e") return 0;
    if (mode === "-t") print(`${object.type}\n`);
    else if (mode === "-s") print(`${object.data.length}\n`);
    else if (mode === "-p" && object.type === "tree") print(treeText(repository, object.data));
    else {
      const wanted = mode === undefined ? first : object.type;
      const found = wanted === object.type ? object : peeledTo(repository, id, wanted);
      if (found === undefined) throw new GitError(`git cat-file ${typed}: bad file`);
      if (wanted === "blob") repository.denied.checkNamed(found === object ? placeNamed(repository, typed) : undefined, typed);
      print(found.data.toString("latin1"));
    }
    yield;
    return 0;
  },
});

function peeledTo(repository: Repository, id: string, type: string): { readonly data: Buffer } | undefined {
  const peeled = repository.peeled(id);
  const object = repository.objects.find(peeled);
  if (object?.type === type) return object;
  return object?.type === "commit" && type === "tree" ? repository.objects.find(repository.commit(peeled).tree) : undefined;
}

const treeText = (repository: Repository, data: Buffer): string =>
  parseTree(data, repository.format)
    .map(
      ({ mode, name, id }) =>
        `${modeText(mode)} ${isTree(mode) ? "tree" : isSubmodule(mode) ? "commit" : "blob"} ${id}\t${quotedName(name, repository.quotesAll)}\n`,
    )
    .join("");

/** A file as checking it out writes it, or as a diff shows it. Throws GitError where a program would have to convert it. */
function convertedText(run: CommandRun<"--path">, typed: string, id: string, mode: "--textconv" | "--filters"): string {
  const { repository, options } = run;
  const colon = typed.startsWith(":/") ? -1 : colonOf(typed);
  const named = colon < 0 ? undefined : entryNamed(repository, typed.slice(0, colon), typed.slice(colon + 1));
  const given = options.last("--path");
  const path = given === undefined ? placeNamed(repository, typed) : fromWord(given);
  if (path === undefined || (given === undefined && named === undefined))
    throw new GitError(`<object>:<path> required, only <object> '${typed}' given`);
  const object = repository.objects.find(id);
  if (object === undefined) {
    if (mode === "--textconv") throw new GitError(`Not a valid object name ${typed}`);
    throw new GitError(`cannot read object ${id} '${path}'`, { prefix: "error: ", exit: 255 });
  }
  if (object.type === "blob") repository.denied.checkNamed(placeNamed(repository, typed), typed);
  const isFile = object.type === "blob" && isRegular(named?.mode ?? MODE.file);
  if (mode === "--filters")
    return (isFile ? checkedOutForm(repository, repository.attributes, path, id, object.data) : object.data).toString("latin1");
  const driver = repository.attributes.get(path, "diff");
  if (isFile && typeof driver === "string" && repository.config.get(`diff.${driver}.textconv`) !== undefined)
    throw new GitError(`${path}: the text conversion of '${driver}' is a program, and none is started here`);
  return object.type === "tree" ? treeText(repository, object.data) : object.data.toString("latin1");
}
