/** tree: directories as an indented list. See tree/ for its parts. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { flags } from "./flags.ts";
import { TreeRun } from "./tree-run.ts";

export const tree = defineBuiltin({
  name: "tree",
  summary: "List directories and what is in them as a tree.",
  standard: "https://manpages.debian.org/bookworm/tree/tree.1.en.html",
  reference: "tree 2.1.0",
  operands: { kind: "paths", access: "read" },
  flags,
  looksAt: "below",
  legacy(argument, position, args) {
    // Unlike getopt, tree takes a level from the next argument alone.
    if (!/^-[A-Za-z]*L[0-9]+$/.test(argument)) return undefined;
    const message = args[position + 1] === undefined ? "Missing argument to -L option." : "Invalid level, must be greater than 0.";
    throw new UsageError("bad-value", message, { argument: position, subject: argument });
  },
  tells: "start",
  examples: [
    {
      command: "tree src",
      files: { "src/a.ts": "", "src/b/c.ts": "" },
      stdout: "src\n├── a.ts\n└── b\n    └── c.ts\n\n2 directories, 2 files\n",
    },
    {
      command: "tree -L 1 -I 'node_modules|*.log' --noreport",
      files: { "node_modules/x": "", "a/b": "", "c.log": "" },
      stdout: ".\n└── a\n",
    },
    { command: "tree -P '*.ts' --prune --noreport", files: { "a/x.ts": "", "b/y.js": "" }, stdout: ".\n└── a\n    └── x.ts\n" },
    {
      command: "tree -J --noreport a",
      files: { "a/b": "" },
      stdout: '[\n  {"type":"directory","name":"a","contents":[\n    {"type":"file","name":"b"}\n  ]}\n\n]\n',
    },
  ],
  deviations: [
    { from: "tree 2.1.0", what: "LC_ALL=C changes nothing: --charset=ascii draws with ASCII", why: "names and words are text here" },
    {
      from: "tree 2.1.0",
      what: "-o, -R, -H and what belongs to it, --fromfile, --info are refused",
      why: "tree writes no files here; HTML and .info files are not made or read here",
    },
    {
      from: "tree 2.1.0",
      what: "-C, -A and -S are refused, and --charset draws lines in UTF-8 or ASCII",
      why: "there is no terminal here",
    },
    {
      from: "tree 2.1.0",
      what: "-J is JSON also where a directory cannot be read, and behind an empty starting point",
      why: "tree leaves out a brace or a comma there, and gives every file a list behind an error",
    },
    { from: "tree 2.1.0", what: "wrong flags are reported in getopt's words", why: "flags are read as in the GNU tools" },
    {
      from: "tree 2.1.0",
      what: "what is wrong with the arguments is told of before --gitfile is read",
      why: "a line is checked before anything of it runs",
    },
    {
      from: "tree 2.1.0",
      what: "a link that leaves the root is shown as one that leads nowhere; -l does not follow it",
      why: "nothing outside the root is looked at",
    },
    { from: "tree 2.1.0", what: "--gitignore reads no ignore file above the root", why: "it lies outside the workspace" },
  ],
  /** Without an operand it is about the current directory. */
  effects: ({ operands }) => (operands.length === 0 ? [{ kind: "status", path: "." }] : []),
  async *run(invocation) {
    return yield* new TreeRun(invocation).run();
  },
});
