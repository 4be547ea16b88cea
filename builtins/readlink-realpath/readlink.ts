/** readlink: what symbolic links say, or where they lead in the end. */
import { defineBuiltin, type Occurrence } from "../../src/builtin/definition.ts";
import { quoteName } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { canonicalPath, type CanonicalOptions } from "../../src/walk/canonical-path.ts";
import { FileError } from "../../src/workspace/file-error.ts";

const MAY_BE_MISSING: Readonly<Record<string, CanonicalOptions["mayBeMissing"]>> = {
  canonicalize: "last",
  canonicalizeExisting: "none",
  canonicalizeMissing: "all",
};

export const readlink = defineBuiltin({
  name: "readlink",
  summary: "Print what a symbolic link says, or the canonical path of a file.",
  standard: "https://www.gnu.org/software/coreutils/manual/html_node/readlink-invocation.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "status", min: 1 },
  flags: {
    canonicalize: {
      kind: "switch",
      short: "f",
      help: "print the canonical path: every link resolved, all but the last component must exist",
    },
    canonicalizeExisting: { kind: "switch", short: "e", help: "likewise, and all components must exist" },
    canonicalizeMissing: { kind: "switch", short: "m", help: "likewise, and no component need exist" },
    noNewline: { kind: "switch", short: "n", help: "print no newline after the last line" },
    quiet: {
      kind: "switch",
      short: "qs",
      long: ["quiet", "silent"],
      overrides: ["verbose"],
      help: "print no error messages (the default)",
    },
    verbose: { kind: "switch", short: "v", overrides: ["quiet"], help: "print error messages" },
    zero: { kind: "switch", short: "z", help: "end each line with NUL, not newline" },
  },
  examples: [
    { command: "readlink -m a/../b | sed 's|.*/||'", stdout: "b\n" },
    { command: "readlink a.txt", files: { "a.txt": "" }, stdout: "", exit: 1, note: "no link, so nothing to print" },
  ],
  deviations: [
    {
      from: "GNU coreutils 9.1",
      what: "with -f, -e and -m a link that leaves the workspace is an error, and said so without -v",
      why: "nothing outside the workspace is shown",
    },
  ],
  async *run(invocation) {
    const { flags, files, operands, occurrences, warn } = invocation;
    const mayBeMissing = lastMode(occurrences);
    const showsEnd = !flags.noNewline || operands.length > 1;
    if (flags.noNewline && operands.length > 1) warn("ignoring --no-newline with multiple arguments");
    let exit = 0;
    for (const operand of operands) {
      try {
        const text =
          mayBeMissing === undefined ? files.readLink(operand) : canonicalPath(files, operand, { mayBeMissing, keepsLinks: false });
        yield toBytes(text + (showsEnd ? (flags.zero ? "\0" : "\n") : ""));
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        if (flags.verbose || thrown.code.endsWith("_ESCAPE")) warn(`${operand === "" ? "''" : quoteName(operand)}: ${thrown.message}`);
        exit = 1;
      }
    }
    return exit;
  },
});

/** Of -f, -e and -m the last one counts. */
function lastMode(occurrences: readonly Occurrence[]): CanonicalOptions["mayBeMissing"] | undefined {
  const last = occurrences.findLast(({ key }) => Object.hasOwn(MAY_BE_MISSING, key));
  return last && MAY_BE_MISSING[last.key];
}
