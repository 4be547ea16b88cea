/**
 * Scripts of one line in other languages, in the forms that agents type most, as stages of builtins: the same where it is certain,
 * and near where the data decide.
 */
import { quoteWord } from "../display/quote.ts";
import { filesOf, type ForeignCall } from "./foreign-stages.ts";
import { near, same, type Suggestion } from "./suggestion.ts";

/** Text that means itself in a pattern of perl, of sed and of sed -E, and on the right of s///, and holds no `/`. */
const LITERAL = `[A-Za-z0-9 _,:=<>"'#-]`;

/** `perl -pi -e`, `-pe`, `-ne` and `-lane` over literal ASCII text; undefined for all else. */
export function perlScript({ sources, texts }: ForeignCall): Suggestion | undefined {
  const at = texts.findIndex((text) => text !== undefined && /^-\w*e$/.test(text));
  const flags = texts.slice(0, at + 1).join(" ");
  const script = (texts[at + 1] ?? "").replace(/;\s*$/, "").trim();
  const files = sources.slice(at + 2);
  if (at < 0 || filesOf(files).length !== files.length) return undefined;
  const behind = files.map((file) => ` ${file}`).join("");
  if (/^(?:-pi -e|-p -i -e|-i -pe|-i -p -e)$/.test(flags))
    return files.length > 0 && isSubstitution(script) ? same(`sed -i -E ${quoteWord(script)}${behind}`) : undefined;
  if (/^(?:-pe|-p -e)$/.test(flags)) return isSubstitution(script) ? same(`sed ${quoteWord(script)}${behind}`) : undefined;
  if (/^(?:-ne|-n -e)$/.test(flags)) return printedLines(script, behind);
  const field = /^(?:-lane|-l?ane|-lan -e)$/.test(flags) ? /^print \$F\[(\d{1,3})\]$/.exec(script)?.[1] : undefined;
  return field === undefined || !flags.includes("l")
    ? undefined
    : near(`awk '{ print $${Number(field) + 1} }'${behind}`, "fields are parted by blanks and tabs alone");
}

/** One s///, with no flag but g. */
const isSubstitution = (script: string): boolean => new RegExp(`^s/${LITERAL}+/${LITERAL}*/g?$`).test(script);

/** `print if /TEXT/`, `print unless /TEXT/`, `print if 2..4` */
function printedLines(script: string, behind: string): Suggestion | undefined {
  const [, word, text] = new RegExp(`^print (if|unless) /(${LITERAL}+)/$`).exec(script) ?? [];
  if (text !== undefined) return same(`sed -n ${quoteWord(`/${text}/${word === "if" ? "" : "!"}p`)}${behind}`);
  const [, from, to] = /^print if (?:\$\. ?== ?)?(\d{1,9}) ?\.\. ?(?:\$\. ?== ?)?(\d{1,9})$/.exec(script) ?? [];
  if (from === undefined || to === undefined || Number(from) < 1 || Number(from) > Number(to)) return undefined;
  return same(`sed -n ${from},${to}p${behind}`);
}

/** `-m json.tool`, and `-c` with a look into JSON or a sum. */
export function pythonScript({ sources, texts }: ForeignCall): Suggestion | undefined {
  const [flag, text = ""] = texts;
  if (flag === "-m" && text === "json.tool") return indented(sources.slice(2), texts.slice(2));
  if (flag !== "-c" || texts.length !== 2) return undefined;
  const sum = /^print\((.*)\)$/.exec(text.trim())?.[1];
  return (sum === undefined ? undefined : computed(sum)) ?? lookedUp(text);
}

const AS_JQ_WRITES = "numbers as jq writes them";

function indented(sources: readonly string[], texts: readonly (string | undefined)[]): Suggestion | undefined {
  const flags: string[] = [];
  const files: string[] = [];
  let layout = "--indent 4 ";
  let ascii = "-a ";
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] ?? "";
    if (text === "--sort-keys") flags.push("-S ");
    else if (text === "--compact") layout = "-c ";
    else if (text === "--tab") layout = "--tab ";
    else if (text === "--no-ensure-ascii") ascii = "";
    else if (text === "--indent" && /^[1-7]$/.test(texts[at + 1] ?? "")) layout = `--indent ${texts[++at] ?? ""} `;
    else if (text.startsWith("-") && text !== "-") return undefined;
    else files.push(sources[at] as string);
  }
  if (files.length > 1) return undefined;
  return near(`jq ${ascii}${layout}${flags.join("")}.${files[0] === undefined || files[0] === "-" ? "" : ` ${files[0]}`}`, AS_JQ_WRITES);
}

/** A sum or product of a few small whole numbers, which is the same in every language. */
function computed(text: string): Suggestion | undefined {
  const isSmall = /^\s*[1-9]\d{0,3}(?:\s*[-+*]\s*[1-9]\d{0,3}){1,2}\s*$/.test(text);
  return isSmall ? same(`echo $((${text.trim()}))`) : undefined;
}

const KEYS = String.raw`(?:\[(?:"[A-Za-z_]\w*"|'[A-Za-z_]\w*'|\d{1,6})\])`;

/** `json.load(open("F"))["a"][0]`, also with a name between. */
function lookedUp(script: string): Suggestion | undefined {
  const source = String.raw`json\.load\((?:sys\.stdin|open\((?:"([^"\\]+)"|'([^'\\]+)')\))\)`;
  const imports = String.raw`^\s*(?:import [\w, ]+;\s*)*`;
  const at = new RegExp(`${imports}print\\((len\\()?${source}(${KEYS}*)\\)?\\)$`).exec(script.trim());
  const named = new RegExp(`${imports}(\\w+) ?= ?${source};\\s*print\\((len\\()?\\1(${KEYS}*)\\)?\\)$`).exec(script.trim());
  const [isLength, file, keys] =
    at !== null ? [at[1], at[2] ?? at[3], at[4]] : named !== null ? [named[4], named[2] ?? named[3], named[5]] : [];
  if (keys === undefined) return undefined;
  return jqLookup(keys, file, isLength !== undefined, "None, True and lists are written as in JSON");
}

function jqLookup(keys: string, file: string | undefined, isLength: boolean, lost: string): Suggestion {
  const path = keys.replace(/\[["'](\w+)["']\]/g, ".$1").replace(/^(?=\[|$)/, ".");
  const program = isLength ? `${path} | length` : path;
  return near(`jq ${isLength ? "" : "-r "}${quoteWord(program)}${file === undefined ? "" : ` ${quoteWord(file)}`}`, lost);
}

/** `-p` and `-e 'console.log(…)'` with a look into a file of JSON, or a sum. */
export function nodeScript({ texts }: ForeignCall): Suggestion | undefined {
  const [flag, script = ""] = texts;
  if (texts.length !== 2) return undefined;
  const logged = /^console\.log\((.*)\);?$/.exec(script.trim())?.[1];
  const text = /^(?:-p|-pe|--print)$/.test(flag ?? "") ? script.trim().replace(/;$/, "") : flag === "-e" ? logged : undefined;
  if (text === undefined) return undefined;
  const sum = computed(text);
  if (sum !== undefined) return sum;
  const looked = String.raw`require\((?:"([^"\\]+\.json)"|'([^'\\]+\.json)')\)((?:\.[A-Za-z_]\w*|\[\d{1,6}\])*)`;
  const read = new RegExp(`^${looked}$`).exec(text);
  const written = new RegExp(`^JSON\\.stringify\\(${looked}\\)$`).exec(text);
  const [, double, single, path] = written ?? read ?? [];
  if (path === undefined) return undefined;
  const file = double ?? single ?? "";
  if (!/^\.{0,2}\//.test(file)) return undefined;
  const isLength = path.endsWith(".length");
  const keys = (isLength ? path.slice(0, -".length".length) : path).replace(/^(?=\[|$)/, ".");
  const program = isLength ? `${keys} | length` : keys;
  return near(
    `jq ${written !== null ? "-c " : isLength ? "" : "-r "}${quoteWord(program)} ${quoteWord(file)}`,
    "objects are written as JSON",
  );
}
