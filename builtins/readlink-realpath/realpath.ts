/** realpath: absolute paths without links and dots, or the same relative to a directory. */
import { defineBuiltin, type Invocation } from "../../src/builtin/definition.ts";
import { quoteName } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { canonicalPath } from "../../src/walk/canonical-path.ts";
import { FileError } from "../../src/workspace/file-error.ts";

const flags = {
  canonicalizeExisting: {
    kind: "switch",
    short: "e",
    overrides: ["canonicalizeMissing"],
    help: "all components of the path must exist",
  },
  canonicalizeMissing: {
    kind: "switch",
    short: "m",
    overrides: ["canonicalizeExisting"],
    help: "no component need exist or be a directory",
  },
  logical: {
    kind: "switch",
    short: "L",
    overrides: ["physical", "noSymlinks"],
    help: "resolve .. before symbolic links",
  },
  physical: {
    kind: "switch",
    short: "P",
    overrides: ["logical", "noSymlinks"],
    help: "resolve symbolic links as they come (the default)",
  },
  quiet: { kind: "switch", short: "q", help: "suppress most error messages" },
  relativeTo: { kind: "path", arg: "DIR", access: "status", help: "print the path relative to DIR" },
  relativeBase: { kind: "path", arg: "DIR", access: "status", help: "print absolute paths unless they are below DIR" },
  noSymlinks: {
    kind: "switch",
    short: "s",
    long: ["strip", "no-symlinks"],
    overrides: ["logical", "physical"],
    help: "leave symbolic links as they are",
  },
  zero: { kind: "switch", short: "z", help: "end each line with NUL, not newline" },
} as const;

export const realpath = defineBuiltin({
  name: "realpath",
  summary: "Print the absolute path of each file, with symbolic links resolved.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/realpath.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "status", min: 1 },
  flags,
  examples: [
    { command: "realpath --relative-to=. a/../b.txt", files: { "b.txt": "", "a/x": "" }, stdout: "b.txt\n" },
    { command: "realpath --relative-to=a/x a/y/z", files: { "a/x/f": "", "a/y/z": "" }, stdout: "../y/z\n" },
  ],
  deviations: [
    {
      from: "GNU coreutils 9.1",
      what: "a link that leaves the workspace is an error, also with -m",
      why: "nothing outside the workspace is shown",
    },
    {
      from: "GNU coreutils 9.1",
      what: "the root is printed as it was given, even where a symbolic link leads to it",
      why: "so does pwd -P: what is above the root is not the reader's",
    },
  ],
  async *run(invocation) {
    const { operands, warn, flags: given } = invocation;
    let relation: Relation;
    try {
      relation = relationOf(invocation);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      warn(`${shown(thrown.path)}: ${thrown.message}`);
      return 1;
    }
    let exit = 0;
    for (const operand of operands) {
      try {
        yield toBytes(related(canonical(invocation, operand), relation) + (given.zero ? "\0" : "\n"));
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        if (!given.quiet) warn(`${shown(operand)}: ${thrown.message}`);
        exit = 1;
      }
    }
    return exit;
  },
});

type Given = Pick<Invocation<typeof flags>, "flags" | "files">;

/** Directories as canonical paths: what paths are shown relative to, and only below which. */
interface Relation {
  readonly to: string | undefined;
  readonly base: string | undefined;
}

function canonical({ flags: given, files }: Given, path: string): string {
  const mayBeMissing = given.canonicalizeExisting ? "none" : given.canonicalizeMissing ? "all" : "last";
  const first = canonicalPath(files, path, { mayBeMissing, keepsLinks: given.noSymlinks || given.logical });
  return given.logical ? canonicalPath(files, first, { mayBeMissing, keepsLinks: false }) : first;
}

/** Throws FileError. --relative-to has no effect unless --relative-base is a beginning of it. */
function relationOf(given: Given): Relation {
  const { relativeTo, relativeBase, canonicalizeExisting } = given.flags;
  const directory = (path: string): string => {
    const found = canonical(given, path);
    if (canonicalizeExisting && given.files.status(found).kind !== "directory") throw new FileError("ENOTDIR", path);
    return found;
  };
  if (relativeBase === undefined) return { to: relativeTo === undefined ? undefined : directory(relativeTo), base: undefined };
  const to = directory(relativeTo ?? relativeBase);
  if (relativeTo === undefined) return { to, base: to };
  const base = directory(relativeBase);
  return isBelow(to, base) ? { to, base } : { to: undefined, base: undefined };
}

function related(path: string, { to, base }: Relation): string {
  if (to === undefined || (base !== undefined && !isBelow(path, base))) return path;
  const names = namesOf(path);
  const from = namesOf(to);
  let same = 0;
  while (same < names.length && names[same] === from[same]) same++;
  return [...from.slice(same).map(() => ".."), ...names.slice(same)].join("/") || ".";
}

const namesOf = (path: string): readonly string[] => path.split("/").filter((name) => name !== "");

const isBelow = (path: string, directory: string): boolean => directory === "/" || path === directory || path.startsWith(`${directory}/`);

const shown = (path: string): string => (path === "" ? "''" : quoteName(path));
