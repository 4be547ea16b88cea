/** rmdir: removes empty directories, recorded. */
import { defineBuiltin, type FlagTable } from "../../src/builtin/definition.ts";
import { EditedTree } from "../../src/builtin/edited-tree.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { quoteAlways } from "../../src/display/quote.ts";
import { FileError } from "../../src/workspace/file-error.ts";

const FLAGS = {
  ignoreFailOnNonEmpty: { kind: "switch", help: "ignore each failure that is solely because a directory is non-empty" },
  parents: { kind: "switch", short: "p", help: "remove DIRECTORY and its ancestors; e.g., 'rmdir -p a/b' is similar to 'rmdir a/b a'" },
  verbose: { kind: "switch", short: "v", help: "output a diagnostic for every directory processed" },
} as const satisfies FlagTable;

export const rmdir = defineBuiltin({
  name: "rmdir",
  summary: "Remove empty directories; each is recorded and can be had back.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/rmdir.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "write", change: "remove", min: 1 },
  flags: FLAGS,
  examples: [{ command: "mkdir -p a/b && rmdir -pv a/b", stdout: "rmdir: removing directory, 'a/b'\nrmdir: removing directory, 'a'\n" }],
  deviations: [
    {
      from: "GNU rmdir",
      what: "A path that leads back from a directory that the same command has removed (rmdir d d/..) is Directory not empty.",
      why: "All directories are removed together at the end.",
    },
  ],

  async *run(invocation) {
    const { flags, operands } = invocation;
    const { ignoreFailOnNonEmpty, parents, verbose, ...others } = flags;
    allFlagsRead(others);
    const tree = new EditedTree(invocation, operands[0] ?? "");
    const remove = (path: string, shown: string, what: string): boolean => {
      if (verbose) tree.tell(`rmdir: removing directory, ${quoteAlways(shown)}`);
      return tree.attempt(
        () => {
          checkLast(tree, path);
          tree.edits.removeDirectory(path);
        },
        ({ code, message }) =>
          code === "ENOTEMPTY" && ignoreFailOnNonEmpty ? undefined : `failed to remove ${what}${quoteAlways(shown)}: ${message}`,
      );
    };
    for (const operand of operands) {
      if (!remove(operand, operand, "") || !parents) continue;
      let above = operand.replace(/\/+$/, "");
      for (;;) {
        const slash = above.lastIndexOf("/");
        if (slash < 0) break;
        above = above.slice(0, slash).replace(/\/+$/, "");
        if (above === "" || !remove(above, above, "directory ")) break;
      }
    }
    yield* tree.end();
    return tree.failed ? 1 : 0;
  },
});

/** Throws what rmdir(2) does for a path that ends in `.` or `..`, and rmdir's own error for a link with a slash behind it. */
function checkLast(tree: EditedTree, path: string): void {
  const name = path.replace(/(?<=[^/])\/+$/, "");
  if (/(?:^|\/)\.$/.test(name)) throw new FileError("EINVAL", path);
  if (/(?:^|\/)\.\.$/.test(name)) throw new FileError("ENOTEMPTY", path);
  if (name === path || tree.kind(name) !== "symlink") return;
  const reached = tree.kind(name, { follow: true });
  if (reached === undefined || reached === "directory") {
    throw new FileError("ENOTDIR", path, "Symbolic link not followed");
  }
}
