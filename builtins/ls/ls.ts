/** ls: names in directories, and what is known of them. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { flags } from "./flags.ts";
import { Listing } from "./listing.ts";
import { Report } from "./report.ts";
import { readSettings } from "./settings.ts";

export const ls = defineBuiltin({
  name: "ls",
  summary: "List directories, and what is known of files.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/ls.html",
  reference: "GNU coreutils 9.1",
  usageExit: 2,
  operands: { kind: "paths", access: "status" },
  flags,
  tells: "start",
  // With -a and -l it shows the directory's own time, and that of the one above.
  looksAt: (args) => {
    const letters = args.filter((arg) => /^-\w/.test(arg)).join("");
    return letters.includes("a") && letters.includes("l") ? undefined : "below";
  },
  silence: { 0: "has nothing to list" },
  examples: [
    { command: "ls", files: { "b.txt": "", "a/x": "", ".hidden": "" }, stdout: "a\nb.txt\n" },
    { command: "ls -A", files: { "b.txt": "", ".hidden": "" }, stdout: ".hidden\nb.txt\n" },
    { command: "ls -p a b.txt", files: { "b.txt": "", "a/x": "", "a/y/z": "" }, stdout: "b.txt\n\na:\nx\ny/\n" },
    { command: "ls -v", files: { f10: "", f9: "" }, stdout: "f9\nf10\n", note: "numbers in names by their value" },
    { command: "ls -gG --time-style=+ b.txt", files: { "b.txt": "12345" }, stdout: "-rw-r--r-- 1 5  b.txt\n" },
  ],
  deviations: [
    {
      from: "GNU coreutils 9.1",
      what: "with LC_ALL=C names are still shown as UTF-8, not as escaped bytes, and quoted as in C.UTF-8",
      why: "names and words are text here",
    },
    {
      from: "GNU coreutils 9.1",
      what: "`..` of the root shows that directory as it was when the workspace was opened, and in a server of many workspaces the root itself",
      why: "nothing outside the workspace can be reached while a line runs",
    },
    {
      from: "GNU coreutils 9.1",
      what: "with -f, or -a and -U, `.` and `..` come first",
      why: "where the kernel keeps them among the names cannot be seen from here",
    },
    {
      from: "GNU coreutils 9.1",
      what: "`.shelpa` is not listed at the root",
      why: "our records must not double what is found; naming it lists it",
    },
    {
      from: "GNU coreutils 9.1",
      what: "--color=always does not ask for a known TERM",
      why: "there is no environment, and who says always means it",
    },
    {
      from: "GNU coreutils 9.1",
      what: "no + for access control lists and no capability color",
      why: "extended attributes cannot be read here",
    },
  ],
  check(invocation) {
    readSettings(invocation.occurrences);
    if (invocation.flags.hyperlink !== "always") return;
    throw new UsageError("refused-flag", "--hyperlink: its links name files on this host, which mean nothing to the reader", {
      subject: "--hyperlink",
      suggestion: "ls",
    });
  },
  /** Without an operand it is about the current directory. */
  effects: ({ operands }) => (operands.length === 0 ? [{ kind: "status", path: "." }] : []),
  async *run(invocation) {
    const report = new Report();
    const listing = new Listing(invocation, readSettings(invocation.occurrences, invocation.colourMark), report);
    for (const _ of listing.run()) yield* report.drain(invocation.warn);
    yield* report.drain(invocation.warn);
    return report.exit;
  },
});
