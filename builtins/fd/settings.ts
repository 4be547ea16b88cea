/** The settings of one search of fd, made of its flags. */
import type { FlagValues } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { commandsOf, type Commands } from "./commands.ts";
import type { Filters } from "./filters.ts";
import type { flags } from "./flags.ts";
import type { PatternOptions } from "./patterns.ts";

export interface Settings {
  readonly baseDirectory: string | undefined;
  readonly searchPaths: readonly string[];
  readonly isAbsolute: boolean;
  /** Patterns besides the operand. */
  readonly and: readonly string[];
  readonly patterns: PatternOptions;
  readonly matchesFullPath: boolean;
  readonly filters: Filters;
  readonly owner: string | undefined;
  readonly ignoring: {
    readonly dotIgnore: boolean;
    readonly gitIgnore: boolean;
    readonly parents: boolean;
    readonly requireGit: boolean;
    readonly files: readonly string[];
    readonly excluded: readonly string[];
    /** Directories that contain one of these names are left out. */
    readonly contained: readonly string[];
  };
  readonly minDepth: number | undefined;
  readonly maxDepth: number;
  readonly follows: boolean;
  readonly oneDevice: boolean;
  readonly prunes: boolean;
  readonly mostResults: number;
  readonly quiet: boolean;
  readonly showsErrors: boolean;
  /** undefined where results are printed. */
  readonly commands: Commands | undefined;
  /** Results for one command at most; 0: no limit. */
  readonly batchSize: number;
  readonly format: string | undefined;
  readonly pathSeparator: string | undefined;
  readonly stripsDot: boolean;
  readonly end: "\0" | "\n";
  /** Colors or links, which a terminal alone would show. */
  readonly asksForTerminal: boolean;
}

/** Throws UsageError for a command that cannot be. */
export function settingsOf(values: FlagValues<typeof flags>): Settings {
  const { baseDirectory, searchPath, absolutePath, and, glob, exact, fixedStrings, ignoreCase, caseSensitive, fullPath, ...more } = values;
  const { extension, type, size, changedWithin, changedBefore, owner, ...ofWalk } = more;
  const { hidden, noIgnore, noIgnoreVcs, noIgnoreParent, noRequireGit, unrestricted, ignoreFile, exclude, ignoreContain, ...found } =
    ofWalk;
  const { exactDepth, maxDepth, minDepth, follow, oneFileSystem, prune, maxResults = 0, one, quiet, showErrors, ...shown } = found;
  const { exec, execBatch, listDetails, batchSize, format, pathSeparator, stripCwdPrefix, print0, color, hyperlink, ...others } = shown;
  allFlagsRead(others);
  const skipHidden = !hidden && !unrestricted;
  const dotIgnore = !noIgnore && !unrestricted;
  const commands = commandsOf({ exec, execBatch, listDetails });
  return {
    baseDirectory,
    searchPaths: searchPath,
    isAbsolute: absolutePath,
    and,
    patterns: {
      kind: glob ? "glob" : exact ? "exact" : fixedStrings ? "fixed" : "regex",
      caseSensitive: ignoreCase ? false : caseSensitive ? true : undefined,
      skipHidden,
    },
    matchesFullPath: fullPath,
    filters: { extension, type, size, changedWithin, changedBefore },
    owner,
    ignoring: {
      dotIgnore,
      gitIgnore: dotIgnore && !noIgnoreVcs,
      parents: !noIgnoreParent && dotIgnore,
      requireGit: !noRequireGit,
      files: ignoreFile,
      excluded: exclude,
      contained: ignoreContain,
    },
    minDepth: minDepth ?? exactDepth,
    maxDepth: maxDepth ?? exactDepth ?? Infinity,
    follows: follow,
    oneDevice: oneFileSystem,
    prunes: prune,
    mostResults: maxResults > 0 ? maxResults : one ? 1 : Infinity,
    quiet,
    showsErrors: showErrors,
    commands,
    batchSize,
    format,
    pathSeparator,
    stripsDot: stripCwdPrefix === undefined || stripCwdPrefix === "auto" ? !print0 && commands === undefined : stripCwdPrefix === "always",
    end: print0 ? "\0" : "\n",
    asksForTerminal: color === "always" || hyperlink === "always",
  };
}
