/** realpath: absolute paths without links and dots, or the same relative to a directory. */
import { defineBuiltin, type FlagValues } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { quoteName } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { canonicalPath, type CanonicalOptions } from "../../src/walk/canonical-path.ts";
import type { Files } from "../../src/workspace/contract.ts";
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
    unread: true,
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
    const { operands, warn, files } = invocation;
    const settings = settingsOf(invocation.flags);
    let relation: Relation;
    try {
      relation = relationOf(files, settings);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      warn(`${shown(thrown.path)}: ${thrown.message}`);
      return 1;
    }
    let exit = 0;
    for (const operand of operands) {
      try {
        yield toBytes(related(canonical(files, operand, settings), relation) + settings.lineEnd);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        if (!settings.quiet) warn(`${shown(operand)}: ${thrown.message}`);
        exit = 1;
      }
    }
    return exit;
  },
});

interface Settings {
  readonly mayBeMissing: CanonicalOptions["mayBeMissing"];
  readonly links: "resolved" | "resolved after .." | "kept";
  readonly relativeTo: string | undefined;
  readonly relativeBase: string | undefined;
  readonly quiet: boolean;
  readonly lineEnd: string;
}

function settingsOf(given: FlagValues<typeof flags>): Settings {
  const { canonicalizeExisting, canonicalizeMissing, logical, noSymlinks, relativeTo, relativeBase, quiet, zero, ...others } = given;
  allFlagsRead(others);
  return {
    mayBeMissing: canonicalizeExisting ? "none" : canonicalizeMissing ? "all" : "last",
    links: logical ? "resolved after .." : noSymlinks ? "kept" : "resolved",
    relativeTo,
    relativeBase,
    quiet,
    lineEnd: zero ? "\0" : "\n",
  };
}

/** Directories as canonical paths: what paths are shown relative to, and only below which. */
interface Relation {
  readonly to: string | undefined;
  readonly base: string | undefined;
}

function canonical(files: Files, path: string, { mayBeMissing, links }: Settings): string {
  const first = canonicalPath(files, path, { mayBeMissing, keepsLinks: links !== "resolved" });
  return links === "resolved after .." ? canonicalPath(files, first, { mayBeMissing, keepsLinks: false }) : first;
}

/** Throws FileError. --relative-to has no effect unless --relative-base is a beginning of it. */
function relationOf(files: Files, settings: Settings): Relation {
  const { relativeTo, relativeBase, mayBeMissing } = settings;
  const directory = (path: string): string => {
    const found = canonical(files, path, settings);
    if (mayBeMissing === "none" && files.status(found).kind !== "directory") throw new FileError("ENOTDIR", path);
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
