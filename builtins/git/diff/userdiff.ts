/**
 * Diff drivers (gitattributes(5), `diff=LANG`): whether a file is compared as text, and which of its lines begin a
 * function for the headers of hunks. A driver's programs (`command`, `textconv`) never run.
 */
import { BufferSearch } from "../../../src/search/buffer-search.ts";
import { lineEnd, type LineText } from "../../../src/compare/line-text.ts";
import { PatternError } from "../../../src/regex/pattern-error.ts";
import { toWord } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import { isRegular } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";
import { attributePath, type Side } from "./file-pairs.ts";
import { isBinary } from "./renames.ts";

/** The text of the function that line `line` begins; undefined where it begins none. */
export type FunctionLine = (text: LineText, line: number) => string | undefined;

export interface DiffDriver {
  /** Undefined: as the content says. */
  readonly isBinary: boolean | undefined;
  readonly functionLine: FunctionLine;
  /** Asked where words are compared: a driver whose pattern is not known here is told of. */
  readonly wordPattern: () => string | undefined;
}

/** The driver of one side of a pair: attributes are those of files, not of links and submodules. */
export const driverOfSide = (repository: Repository, side: Side): DiffDriver =>
  isRegular(side.mode) ? driverOf(repository, attributePath(side)) : USUAL;

/** True if a side's driver or its content says that it is no text. */
export const isBinarySide = (repository: Repository, side: Side, content: Buffer): boolean =>
  driverOfSide(repository, side).isBinary ?? isBinary(content);

export function driverOf(repository: Repository, path: string): DiffDriver {
  const value = repository.attributes.get(path, "diff");
  if (value === true) return { isBinary: false, functionLine: usualFunctionLine, wordPattern: NO_PATTERN };
  if (value === false) return { isBinary: true, functionLine: usualFunctionLine, wordPattern: NO_PATTERN };
  if (value === undefined) return USUAL;
  const name = value.toLowerCase();
  const { config } = repository;
  const binary = config.get(`diff.${value}.binary`);
  const custom = config.get(`diff.${value}.xfuncname`);
  const basic = config.get(`diff.${value}.funcname`);
  const builtin = LANGUAGES.get(name);
  return {
    isBinary: binary === undefined || binary === "auto" ? undefined : config.boolean(`diff.${value}.binary`, false),
    functionLine:
      custom !== undefined
        ? customFunctionLine(custom, "extended")
        : basic !== undefined
          ? customFunctionLine(basic, "basic")
          : builtin !== undefined
            ? languageFunctionLine(builtin)
            : DRIVERS.has(name)
              ? toldFunctionLine(repository, name)
              : usualFunctionLine,
    wordPattern: () => {
      const pattern = config.get(`diff.${value}.wordregex`);
      if (pattern === undefined && DRIVERS.has(name))
        repository.warn(`warning: words are parted by white space, because what a word is to the diff driver '${name}' is not done here\n`);
      return pattern;
    },
  };
}

/** Says that the header of a hunk may name another function than git's. */
function toldFunctionLine(repository: Repository, name: string): FunctionLine {
  return (text, line) => {
    repository.warn(`warning: functions are found by the usual rule, because that of the diff driver '${name}' is not done here\n`);
    return usualFunctionLine(text, line);
  };
}

/** The drivers that git has of itself. */
const DRIVERS: ReadonlySet<string> = new Set(
  (
    "ada bash bibtex cpp csharp css dts elixir fortran fountain golang html java kotlin markdown matlab objc pascal perl php python ruby " +
    "rust scheme tex"
  ).split(" "),
);
const NO_PATTERN = (): undefined => undefined;

const MOST_BYTES = 80;

/** A line that begins like a function does: with a letter, `_` or `$`. Up to 80 bytes of it. */
export const usualFunctionLine: FunctionLine = (text, line) => {
  const start = text.starts[line] as number;
  const byte = text.bytes[start] ?? 0;
  if (!((byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) || byte === 95 || byte === 36)) return undefined;
  return trimmed(text.bytes.toString("latin1", start, Math.min(lineEnd(text, line), start + MOST_BYTES)));
};

const trimmed = (text: string): string => text.slice(0, MOST_BYTES).replace(/[\t-\r ]+$/, "");

const USUAL: DiffDriver = { isBinary: undefined, functionLine: usualFunctionLine, wordPattern: NO_PATTERN };

interface Language {
  readonly not?: RegExp;
  /** Its first group, or where it has none the whole match, is what is shown. */
  readonly is: RegExp;
}

/** No longer line begins a function: it bounds the time of a pattern. */
const MOST_LINE = 2000;

function languageFunctionLine({ not, is }: Language): FunctionLine {
  return (text, line) => {
    const start = text.starts[line] as number;
    const found = text.bytes.toString("latin1", start, Math.min(lineEnd(text, line), start + MOST_LINE)).replace(/\r$/, "");
    if (not?.test(found) === true) return undefined;
    const match = is.exec(found);
    return match === null ? undefined : trimmed(match[1] ?? match[0]);
  };
}

/** Patterns of a function's first line in the languages that git knows by name. */
const LANGUAGES: ReadonlyMap<string, Language> = new Map<string, Language>([
  ["python", { is: /^[ \t]*((?:class|(?:async[ \t]+)?def)[ \t].*)$/ }],
  ["markdown", { is: /^ {0,3}#{1,6}[ \t].*/ }],
  ["css", { not: /[:;][ \t-\r]*$/, is: /^[:[@.#]?[_a-z0-9].*$/i }],
  ["golang", { is: /^[ \t]*(func[ \t]*.*(?:\{[ \t]*)?|type[ \t].*(?:struct|interface)[ \t]*(?:\{[ \t]*)?)/ }],
  [
    "rust",
    {
      is: /^[\t ]*((?:pub(?:\([^)]+\))?[\t ]+)?(?:(?:async|const|unsafe|extern(?:[\t ]+"[^"]+"))[\t ]+)?(?:struct|enum|union|mod|trait|fn|impl|macro_rules!)[< \t]+[^;]*)$/,
    },
  ],
  ["cpp", { not: /^[ \t]*[A-Za-z_][A-Za-z_0-9]*:[ \t-\r]*($|\/[/*])/, is: /^((?:::[ \t-\r]*)?[A-Za-z_].*)$/ }],
  ["ruby", { is: /^[ \t]*((?:class|module|def)[ \t].*)$/ }],
  ["html", { is: /^[ \t]*(<[Hh][1-6](?:[ \t].*)?>.*)$/ }],
  [
    "bash",
    { is: /^[ \t]*((?:[a-zA-Z_][a-zA-Z0-9_]*[ \t]*\([ \t]*\)|function[ \t]+[a-zA-Z_][a-zA-Z0-9_]*(?:[ \t]*\([ \t]*\)|[ \t]+)).*[ \t]*)$/ },
  ],
  [
    "php",
    {
      is: /^[\t ]*((?:(?:public|protected|private|static|abstract|final)[\t ]+)*function.*|(?:(?:final|abstract)[\t ]+)?(?:class|enum|interface|trait).*)$/,
    },
  ],
  ["tex", { is: /^(\\(?:(?:sub)*section|chapter|part)\*{0,1}\{.*)$/ }],
]);

/** `diff.NAME.xfuncname`: a pattern on each line, `!` before one that rules lines out. */
function customFunctionLine(patterns: string, syntax: "basic" | "extended"): FunctionLine {
  const compiled = patterns.split("\n").map((typed) => {
    const negates = typed.startsWith("!");
    try {
      return { negates, search: new BufferSearch(toWord(negates ? typed.slice(1) : typed), { syntax, foldCase: false }) };
    } catch (thrown) {
      if (!(thrown instanceof PatternError)) throw thrown;
      throw new GitError(`Invalid regexp to look for hunk header: ${typed}`);
    }
  });
  return (text, line) => {
    const start = text.starts[line] as number;
    const end = lineEnd(text, line);
    for (const { negates, search } of compiled) {
      search.load(text.bytes, start, end);
      if (!search.find(start, true)) continue;
      if (negates) return undefined;
      const group = search.groupCount > 0 && (search.offsets[2] ?? -1) >= 0 ? 2 : 0;
      return trimmed(text.bytes.toString("latin1", search.offsets[group] as number, search.offsets[group + 1] as number));
    }
    return undefined;
  };
}
