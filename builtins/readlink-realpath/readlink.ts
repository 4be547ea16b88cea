/** readlink: the targets of symbolic links, or the paths that they lead to in the end. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { quoteName } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { canonicalPath } from "../../src/walk/canonical-path.ts";
import { FileError } from "../../src/workspace/file-error.ts";

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
      overrides: ["canonicalizeExisting", "canonicalizeMissing"],
      help: "print the canonical path: every link resolved, all but the last component must exist",
    },
    canonicalizeExisting: {
      kind: "switch",
      short: "e",
      overrides: ["canonicalize", "canonicalizeMissing"],
      help: "likewise, and all components must exist",
    },
    canonicalizeMissing: {
      kind: "switch",
      short: "m",
      overrides: ["canonicalize", "canonicalizeExisting"],
      help: "likewise, and no component need exist",
    },
    noNewline: { kind: "switch", short: "n", help: "print no newline after the last line" },
    quiet: {
      kind: "switch",
      short: "qs",
      long: ["quiet", "silent"],
      overrides: ["verbose"],
      unread: true,
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
    const { flags, files, operands, warn } = invocation;
    const { canonicalize, canonicalizeExisting, canonicalizeMissing, noNewline, verbose, zero, ...others } = flags;
    allFlagsRead(others);
    const mayBeMissing = canonicalize ? "last" : canonicalizeExisting ? "none" : canonicalizeMissing ? "all" : undefined;
    const showsEnd = !noNewline || operands.length > 1;
    if (noNewline && operands.length > 1) warn("ignoring --no-newline with multiple arguments");
    let exit = 0;
    for (const operand of operands) {
      try {
        const text =
          mayBeMissing === undefined ? files.readLink(operand) : canonicalPath(files, operand, { mayBeMissing, keepsLinks: false });
        yield toBytes(text + (showsEnd ? (zero ? "\0" : "\n") : ""));
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        if (verbose || thrown.code.endsWith("_ESCAPE")) warn(`${operand === "" ? "''" : quoteName(operand)}: ${thrown.message}`);
        exit = 1;
      }
    }
    return exit;
  },
});
