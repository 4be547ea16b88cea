/** git clean -n: what it would remove. */
import { fromWord, quotedName } from "../objects/byte-text.ts";
import { parseIgnoreFile } from "../../../src/glob/ignore-rules.ts";
import { GitError } from "../git-error.ts";
import { cleanSteps } from "../worktree/cleanable.ts";
import { Ignored, STANDARD_IGNORES } from "../worktree/ignored.ts";
import { readIndex } from "../worktree/index-file.ts";
import { Pathspec } from "../worktree/pathspec.ts";
import { relativePath } from "../worktree/relative-path.ts";
import { command } from "./command.ts";
import { refused, SWITCH, VALUE } from "./flags.ts";

export const clean = command({
  flags: {
    "-n": SWITCH,
    "--dry-run": SWITCH,
    "-d": SWITCH,
    "-f": SWITCH,
    "--force": SWITCH,
    "-x": SWITCH,
    "-X": SWITCH,
    "-e": VALUE,
    "--exclude": VALUE,
    "-q": SWITCH,
    "--quiet": SWITCH,
    "-i": refused("it asks what to remove; rm removes, and that can be undone", "git clean -nd"),
    "--interactive": refused("it asks what to remove; rm removes, and that can be undone", "git clean -nd"),
  },
  check: (options) =>
    options.has("-n", "--dry-run")
      ? undefined
      : [
          "it removes files that git knows nothing of; -n shows which, rm removes them, and that can be undone",
          "git clean -nd",
          { flag: "-n", lost: "nothing is removed, only shown" },
        ],
  *run({ options, repository, print }) {
    const [all, ignoredOnly] = [options.has("-x"), options.has("-X")];
    if (all && ignoredOnly) throw new GitError("-x and -X cannot be used together");
    const typed = [...options.operands, ...(options.paths ?? [])].map(fromWord);
    const here = typed.length === 0 && repository.prefix !== "" ? ["."] : typed;
    const patterns = options.all("-e", "--exclude").map(fromWord);
    const rules = new Ignored(repository, {
      ...(all ? { perDirectory: undefined, exclude: false } : STANDARD_IGNORES),
      typed: parseIgnoreFile(Buffer.from(patterns.join("\n"), "latin1")),
    });
    const steps = cleanSteps(repository, readIndex(repository), {
      wanted: ignoredOnly ? "ignored" : "untracked",
      rules,
      directories: options.has("-d") || typed.length > 0,
      repositories: options.each("-f", "--force").length > 1,
      paths: here.length === 0 ? undefined : new Pathspec(repository, here, true),
    });
    if (options.has("-q", "--quiet")) return 0;
    for (const { does, path } of steps) {
      print(`Would ${does} ${quotedName(relativePath(repository.prefix, path), repository.quotesAll)}\n`);
      yield;
    }
    return 0;
  },
});
