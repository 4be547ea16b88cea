/** mkdir: makes directories, recorded. */
import { defineBuiltin, type FlagTable } from "../../src/builtin/definition.ts";
import type { EntryAttributes } from "../../src/builtin/recorder.ts";
import { EditedTree } from "../../src/builtin/edited-tree.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { readMode } from "../../src/builtin/mode-words.ts";
import { quoteAlways, quoteCurly } from "../../src/display/quote.ts";
import { FileError } from "../../src/workspace/file-error.ts";

const FLAGS = {
  mode: {
    kind: "value",
    short: "m",
    arg: "MODE",
    read: readMode,
    otherwise: undefined,
    help: "set file mode (as in chmod), not a=rwx - umask",
  },
  parents: { kind: "switch", short: "p", help: "no error if existing, make parent directories as needed" },
  verbose: { kind: "switch", short: "v", help: "print a message for each created directory" },
  selinux: {
    kind: "refused",
    short: "Z",
    long: "context",
    arg: "CTX",
    argOptional: true,
    help: "set the SELinux security context",
    reason: "security contexts cannot be set here",
    suggestion: (rest) => ["mkdir", ...rest].join(" "),
  },
} as const satisfies FlagTable;

export const mkdir = defineBuiltin({
  name: "mkdir",
  summary: "Make directories; each is recorded and can be taken back.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/mkdir.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "write", change: "make", min: 1 },
  flags: FLAGS,
  examples: [
    { command: "mkdir -p src/lib/deep && ls src", stdout: "lib\n" },
    { command: "mkdir -v out", stdout: "mkdir: created directory 'out'\n" },
  ],
  deviations: [
    {
      from: "GNU mkdir",
      what: "A clause of -m that names nobody (+x) is refused.",
      why: "Its meaning depends on the umask of the server, which is not known to a line.",
    },
    {
      from: "GNU mkdir",
      what: "A path that leads through a directory that the same command makes, and back (mkdir -p new/../other), or through a link to it, is not found.",
      why: "All directories are made together at the end.",
    },
    { from: "GNU mkdir", what: "-Z and --context are refused.", why: "Security contexts are not recorded." },
  ],

  async *run(invocation) {
    const { flags, operands } = invocation;
    const { mode, parents, verbose, ...others } = flags;
    allFlagsRead(others);
    const tree = new EditedTree(invocation, operands[0] ?? "");
    const make = (path: string, attributes: EntryAttributes): void => {
      tree.edits.makeDirectory(path, attributes);
      if (verbose) tree.tell(`mkdir: created directory ${quoteAlways(path)}`);
    };
    for (const operand of operands) {
      let at = operand;
      tree.attempt(
        () => {
          const own = mode === undefined ? {} : { mode, inheritsGroup: true };
          if (!parents) return make(operand, own);
          for (const prefix of prefixesOf(operand)) {
            at = prefix;
            const kind = tree.kind(prefix.replace(/(?<=[^/])\/+$/, ""), { follow: true });
            if (kind === "directory") continue;
            if (kind !== undefined) throw new FileError(prefix === operand ? "EEXIST" : "ENOTDIR", prefix);
            make(prefix, prefix === operand ? own : {});
          }
        },
        ({ code, message }) => `cannot create directory ${quoteCurly(at)}: ${code === "EBUSY" ? "File exists" : message}`,
      );
    }
    yield* tree.end();
    return tree.failed ? 1 : 0;
  },
});

/** The leading parts of a path, as typed: `a/b/c` → a, a/b, a/b/c. */
function prefixesOf(path: string): readonly string[] {
  const ends = [...path.matchAll(/[^/](?=\/+[^/])/g)].map(({ index }) => path.slice(0, index + 1));
  return [...ends, path];
}
