/** git check-ref-format: whether something may be the name of a reference. */
import { fromWord } from "../objects/byte-text.ts";
import { previousBranch } from "../refs/revision.ts";
import { GitError } from "../git-error.ts";
import { command } from "./command.ts";
import { SWITCH } from "./flags.ts";

const USAGE = "git check-ref-format [--normalize] [<options>] <refname>\n   or: git check-ref-format --branch <branchname-shorthand>";

export const checkRefFormat = command({
  flags: {
    "--normalize": SWITCH,
    "--print": SWITCH,
    "--allow-onelevel": SWITCH,
    "--no-allow-onelevel": SWITCH,
    "--refspec-pattern": SWITCH,
    "--branch": SWITCH,
  },
  *run({ options, repository, print }) {
    const [typed, ...others] = options.operands.map(fromWord);
    if (typed === undefined || others.length > 0) throw new GitError(USAGE, { prefix: "usage: ", exit: 129 });
    yield;
    if (options.has("--branch")) {
      const [, back] = /^@\{-([1-9][0-9]*)\}$/.exec(typed) ?? [];
      const name = back === undefined ? typed : previousBranch(repository, Number(back));
      if (name === undefined || name.startsWith("-") || name === "HEAD" || !isRefName(`refs/heads/${name}`, false))
        throw new GitError(`'${typed}' is not a valid branch name`);
      print(`${name}\n`);
      return 0;
    }
    const normalizes = options.has("--normalize", "--print");
    const name = normalizes ? typed.replace(/^\/+/, "").replace(/\/{2,}/g, "/") : typed;
    const isOneLevel = options.lastOf("--allow-onelevel", "--no-allow-onelevel") === "--allow-onelevel";
    if (!isRefName(name, options.has("--refspec-pattern")) || (!isOneLevel && !name.includes("/"))) return 1;
    if (normalizes) print(`${name}\n`);
    return 0;
  },
});

/** `mayHoldStar`: one `*` may stand for something. */
function isRefName(name: string, mayHoldStar: boolean): boolean {
  const parts = name.split("/");
  const stars = name.split("*").length - 1;
  return (
    name !== "@" &&
    !name.endsWith(".") &&
    !name.includes("..") &&
    !name.includes("@{") &&
    !hasForbidden(name) &&
    (stars === 0 || (mayHoldStar && stars === 1)) &&
    parts.every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"))
  );
}

function hasForbidden(name: string): boolean {
  for (let at = 0; at < name.length; at++) if (name.charCodeAt(at) < 32 || " ~^:?[\\\x7f".includes(name[at] as string)) return true;
  return false;
}
