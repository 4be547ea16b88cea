/**
 * Searches by text for a definition in code (`grep -rn "def foo\|function foo"`): finds the name they seek, and tells
 * whether their output shows it defined where `symbols` finds it too.
 */
import { quoteWord } from "../display/quote.ts";

/** The name that one run of a search seeks, and the paths it searches. Plain data. */
export interface SoughtDefinition {
  readonly name: string;
  /** Paths as typed; empty: the current directory. */
  readonly paths: readonly string[];
}

/** The builtin that a search for a definition is pointed to. */
export const DEFINITION_FINDER = "symbols";

const KEYWORD = "class|def|enum|fn|fun|func|function|interface|module|namespace|protocol|struct|trait|type";
const MODIFIER =
  "abstract|async|const|data|declare|default|export|extern|final|inline|internal|local|open|override|partial|private|protected|pub|public|sealed|static|suspend|unsafe";

/** Matches names of three characters or more: shorter ones occur inside others too often to mean one definition. */
const NAME = "[A-Za-z_$][\\w$]+\\w";

/** Parts around a definition in a pattern that do not change the name it seeks: anchors, space, optional groups. */
const DECORATION =
  /\\?\([^()|]*\\?\)\\?[?*]|\\[bs<>][*+?]?|\\s|\[\[:space:\]\]\\?[*+]?|\[ (?:\\t)?\]\\?[*+]?|(?<=^| )\.\*(?= |$)|^\^| \\?[*+?]/g;
/** The receiver of a method in Go. */
const RECEIVER = /(?<=^func ) ?(?:\\?\([^)]*\)|\.\*)(?= )/;
const SOUGHT = new RegExp(`^(?:(?:${MODIFIER}) )*(?:${KEYWORD}) (${NAME}) ?(?:\\\\?[({:<=]|\\$)?$`);
const KEYWORDS_IN_GROUP = new RegExp(`^(\\^?)\\\\?\\(((?:${KEYWORD}|${MODIFIER})(?:\\\\?\\|(?:${KEYWORD}|${MODIFIER}))*)\\\\?\\)`);

/** Most paths of a search that a suggestion is made for. */
const MOST_PATHS = 3;
/** Longest pattern that can seek just a name, in UTF-16 units. */
const LONGEST_PATTERN = 200;
const MOST_PATTERNS = 8;

/** The definition that a search for any of `patterns` seeks, in any dialect; undefined where it does not seek just one name's. */
export function soughtDefinition(patterns: readonly string[], paths: readonly string[]): SoughtDefinition | undefined {
  if (paths.length > MOST_PATHS || paths.some((path) => path.startsWith("-"))) return undefined;
  if (patterns.length > MOST_PATTERNS || patterns.some(({ length }) => length > LONGEST_PATTERN)) return undefined;
  const names = new Set(patterns.flatMap(alternatives).map(nameIn));
  const [name] = names;
  return name === undefined || names.size !== 1 ? undefined : { name, paths };
}

function alternatives(pattern: string): readonly string[] {
  const group = KEYWORDS_IN_GROUP.exec(pattern);
  if (group === null) return pattern.split(/\\?\|(?![^(]*\))/);
  const [whole, anchor = "", keywords = ""] = group;
  return keywords.split(/\\?\|/).flatMap((keyword) => alternatives(`${anchor}${keyword}${pattern.slice(whole.length)}`));
}

function nameIn(alternative: string): string | undefined {
  const words = alternative.replace(DECORATION, " ").replace(/ +/g, " ").trim().replace(RECEIVER, "").replace(/ +/g, " ");
  return SOUGHT.exec(words)?.[1];
}

/** Extensions of file names that `symbols` has a grammar for, without those of style sheets. */
export const CODE_EXTENSIONS = (
  "bash bats c c++ cc cjs cpp cs csx cts cxx gemspec go h h++ hh hpp hxx inl ipp java js jsx ksh kt kts lua mjs mts php php5 " +
  "phtml ps1 psm1 py pyi pyw rake rb rs ru sh swift ts tsx"
).split(" ");

/** Paths that a walk by ignore files leaves out, as a rule. */
const PASSED_OVER = /(?:^|\/)(?:\.[^./][^/]*|node_modules|build|dist|out|target|venv|vendor|__pycache__)\//;

const PRINTED_LINE = new RegExp(
  `^([^:\\n]*\\.(?:${CODE_EXTENSIONS.map((end) => end.replaceAll("+", "\\+")).join("|")})):(?:\\d+:)?(.*)$`,
  "gm",
);

/** Length of the part of `printed` that is searched, in bytes. */
const LOOKED_AT_BYTES = 65_536;

/** The note that suggests `symbols`, where a printed line (with the name of its file) is the definition sought; else undefined. */
export function definitionNote({ name, paths }: SoughtDefinition, printed: Uint8Array): string | undefined {
  const text = Buffer.from(printed.buffer, printed.byteOffset, Math.min(printed.length, LOOKED_AT_BYTES)).toString("latin1");
  const defines = new RegExp(
    `^\\s*(?:(?:${MODIFIER})(?:\\([a-z]+\\))?\\s+)*(?:${KEYWORD})\\s+(?:\\([^()]*\\)\\s*)?${name.replaceAll("$", "\\$")}(?![\\w$])`,
  );
  for (const [, path = "", line = ""] of text.matchAll(PRINTED_LINE)) {
    if (PASSED_OVER.test(path.replace(/^\.\//, "")) || !defines.test(line)) continue;
    const command = [DEFINITION_FINDER, ...[name, ...paths].map(quoteWord)].join(" ");
    return `\`${command}\` finds definitions by syntax: no comments, texts or uses (--body prints them, --refs finds the uses)`;
  }
  return undefined;
}
