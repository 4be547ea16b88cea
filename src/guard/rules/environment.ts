/**
 * Variables that the reference tools read from their environment. A line has none, so `NAME=value command` and
 * `export` are taken where that changes nothing or is honoured, and refused where the tool would do otherwise.
 */
import { isZoneName } from "../../dates/date-format.ts";
import { isPosixZone } from "../../dates/posix-zone.ts";
import { staticText, type Assignment } from "../../shell/tree.ts";
import { without, type Finding, type StageFacts, type StageRule } from "../rule.ts";
import { near, type Suggestion } from "../suggestion.ts";

export const environmentVariable: StageRule = {
  id: "variable:environment",
  reason: "UNSUPPORTED_SYNTAX",
  refuses: [
    { line: "POSIXLY_CORRECT=1 ls", suggestion: "ls" },
    { line: "LC_ALL=de_DE.UTF-8 ls a.txt", suggestion: "ls a.txt" },
    { line: "export LS_COLORS=x" },
    { line: "TIME_STYLE=+%F; export TIME_STYLE; ls -l" },
    { line: "GLOBIGNORE='*.c'; ls *" },
    { line: "TZ=Nowhere/None ls", suggestion: "ls" },
  ],
  allows: [
    "LC_ALL=C ls a.txt",
    "TZ=Europe/Berlin ls -l",
    "TZ=CET-1CEST,M3.5.0,M10.5.0/3 ls -l",
    "NO_COLOR=1 ls",
    "export LANG=C; ls",
    "IFS=, ls",
    "COLUMNS=80; ls",
  ],
  check: (stage) => stage.command.assignments.flatMap((assignment) => refused(stage, assignment)),
};

function refused({ line }: StageFacts, { name, value, span }: Assignment): readonly Finding[] {
  const text = staticText(value);
  const candidates = (): readonly Suggestion[] => {
    // Alone, `export` would list variables.
    if (
      /\b(export|declare|typeset)[ \t]+(-\w+[ \t]+)*$/.test(line.slice(0, span.start)) &&
      /^[ \t]*([;&|\n)]|$)/.test(line.slice(span.end))
    )
      return [];
    const next = line.slice(span.end).search(/[^ \t]/);
    return [near(next < 0 ? without(line, span) : line.slice(0, span.start) + line.slice(span.end + next), `without ${name}`)];
  };
  const because = (why: string): readonly Finding[] => [{ span, detail: why, candidates }];
  if (name === "TZ") {
    const zone = text?.replace(/^:/, "");
    if (zone !== undefined && (isZoneName(zone) || isPosixZone(zone))) return [];
    return because(`'${name}': name a time zone as in TZ=UTC, TZ=Europe/Berlin or TZ=EST5EDT,M3.2.0,M11.1.0; no other form is known here.`);
  }
  if (/^(LANG|LC_\w+|LANGUAGE)$/.test(name)) {
    if (text !== undefined && LOCALES.has(text)) return [];
    return because(
      `'${name}': the locales here are C, POSIX, C.UTF-8 and en_US.UTF-8, all in the order of bytes. Leave the variable out, or name one of these.`,
    );
  }
  if (SHELL_READS.has(name))
    return because(`'${name}' would change how bash reads the line, and it is not read here. Leave it out, and name what is meant.`);
  return READ_BY_TOOLS.has(name) || /_BLOCK_SIZE$/.test(name)
    ? because(`'${name}' would change what the command prints, and it is not read here. Leave it out, and use the command's own flags.`)
    : [];
}

/** Variables that bash itself reads, and that this shell does not. */
export const SHELL_READS: ReadonlySet<string> = new Set(["BASH_ENV", "CDPATH", "ENV", "EXECIGNORE", "GLOBIGNORE"]);

const LOCALES: ReadonlySet<string> = new Set(["", "C", "POSIX", "C.UTF-8", "C.utf8", "en_US.UTF-8", "en_US.utf8"]);

/** Variables read by the tools that are builtins here, according to their manuals. */
const READ_BY_TOOLS: ReadonlySet<string> = new Set([
  "AWKPATH",
  "AWKLIBPATH",
  "BC_ENV_ARGS",
  "BLOCKSIZE",
  "BLOCK_SIZE",
  "COLUMNS",
  "GREP_COLOR",
  "GREP_COLORS",
  "GREP_OPTIONS",
  "JQ_COLORS",
  "LS_COLORS",
  "POSIXLY_CORRECT",
  "QUOTING_STYLE",
  "RIPGREP_CONFIG_PATH",
  "TABSIZE",
  "TAPE",
  "TAR_OPTIONS",
  "TIME_STYLE",
  "UNZIP",
  "UNZIPOPT",
  "ZIPINFO",
  "ZIPINFOOPT",
]);
