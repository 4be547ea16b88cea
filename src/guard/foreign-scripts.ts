/**
 * Scripts of one line in python and node, in the forms that agents type most, as stages of builtins: the same where it is certain,
 * and near where the data decide.
 */
import { quoteWord } from "../display/quote.ts";
import type { ForeignCall } from "./foreign-stages.ts";
import { near, same, type Suggestion } from "./suggestion.ts";

/** `-m json.tool`, and `-c` with a look into JSON or a sum. */
export function pythonScript({ sources, texts }: ForeignCall): Suggestion | undefined {
  const [flag, text = ""] = texts;
  if (flag === "-m" && text === "json.tool") return indented(sources.slice(2), texts.slice(2));
  if (flag !== "-c" || texts.length !== 2) return undefined;
  const script = text
    .trim()
    .replace(/^(?:import [\w, ]+;\s*)*/, "")
    .replace(/;$/, "");
  const printed = /^print\((.*)\)$/.exec(script)?.[1];
  return (printed === undefined ? undefined : (computed(printed) ?? pythonPrinted(printed))) ?? readInPython(script) ?? lookedUp(text);
}

const STRING = String.raw`(?:"([^"\\]+)"|'([^'\\]+)')`;
const either = ([, double, single]: readonly (string | undefined)[]): string => quoteWord(double ?? single ?? "");
/** Text that echo prints as it is. */
const PLAIN = /^["']([A-Za-z0-9_.,:;!?][A-Za-z0-9 _.,:;!?=+/-]*)["']$/;
const echoed = (literal: string): Suggestion | undefined => {
  const text = PLAIN.exec(literal)?.[1];
  return text === undefined ? undefined : same(`echo ${quoteWord(text)}`);
};

const AS_JSON = "lists are written as in JSON";

/** An expression that python prints. */
function pythonPrinted(text: string): Suggestion | undefined {
  const literal = echoed(text);
  if (literal !== undefined) return literal;
  const matched = (pattern: string): RegExpExecArray | null => new RegExp(`^${pattern}$`).exec(text);
  const whole = matched(String.raw`open\(${STRING}\)\.read\(\)(?:\.strip\(\)|, ?end=(?:''|""))?`);
  if (whole !== null) return near(`cat ${either(whole)}`, "the newline that print adds");
  const count = matched(String.raw`sum\(1 for \w+ in open\(${STRING}\)\)`) ?? matched(String.raw`len\(open\(${STRING}\)\.readlines\(\)\)`);
  if (count !== null) return near(`wc -l < ${either(count)}`, "a last line without its end is not counted");
  const listed = matched(String.raw`os\.listdir\(${STRING}?\)`);
  if (listed !== null)
    return near(`ls -A${listed[1] === undefined && listed[2] === undefined ? "" : ` ${either(listed)}`}`, "one name a line, in order");
  if (text === "os.getcwd()") return same("pwd -P");
  const keys = matched(String.raw`(list|sorted)\(json\.load\(open\(${STRING}\)\)(?:\.keys\(\))?\)`);
  if (keys !== null) return near(`jq -c ${keys[1] === "sorted" ? "keys" : "keys_unsorted"} ${either(keys.slice(1))}`, AS_JSON);
  const dumped = matched(String.raw`json\.dumps\(json\.load\((?:sys\.stdin|open\(${STRING}\))\)(?:, ?indent=([1-7]))?\)`);
  if (dumped === null) return undefined;
  const layout = dumped[3] === undefined ? "-c" : `--indent ${dumped[3]}`;
  return near(`jq -a ${layout} .${dumped[1] === undefined && dumped[2] === undefined ? "" : ` ${either(dumped)}`}`, AS_JQ_WRITES);
}

/** A file that is read for nothing but its faults, and one that is printed line by line. */
function readInPython(script: string): Suggestion | undefined {
  const checked = new RegExp(String.raw`^json\.load\((?:sys\.stdin|open\(${STRING}\))\)$`).exec(script);
  if (checked !== null)
    return near(`jq empty${checked[1] === undefined && checked[2] === undefined ? "" : ` ${either(checked)}`}`, "the error in jq's words");
  const lines = new RegExp(String.raw`^for (\w+) in open\(${STRING}\): ?print\((\w+)(\.r?strip\(\)|, ?end=(?:''|""))\)$`).exec(script);
  if (lines === null || lines[1] !== lines[4]) return undefined;
  const file = either(lines.slice(1));
  if (lines[5]?.startsWith(",") === true) return near(`cat ${file}`, "line ends are not read");
  const front = lines[5] === ".strip()" ? "s/^[[:space:]]*//; " : "";
  return near(`sed ${quoteWord(`${front}s/[[:space:]]*$//`)} ${file}`, "a last line without its end stays so");
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
  const lost = "None, True and lists are written as in JSON";
  return jqLookup(keys, file, isLength !== undefined, keys === "" ? lost : `a missing key is null, and no error; ${lost}`);
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
  const logged = loggedIn(script.trim());
  const text = /^(?:-p|-pe|--print)$/.test(flag ?? "") ? script.trim().replace(/;$/, "") : flag === "-e" ? logged : undefined;
  if (text === undefined) return undefined;
  const known = computed(text) ?? echoed(text) ?? nodeRead(text);
  if (known !== undefined) return known;
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
    keys === "." ? AS_OBJECTS : `what is not there is null, not undefined or an error; ${AS_OBJECTS}`,
  );
}

const AS_OBJECTS = "objects are written as JSON";

/** What a script of node prints; a constant that it names first is put in its place. */
function loggedIn(script: string): string | undefined {
  const [, name = "", value = "", rest] =
    /^(?:const|let|var) (\w+) ?= ?(require\([^;]*\)|JSON\.parse\([^;]*\)); ?(console\.log\(.*\);?)$/.exec(script) ?? [];
  const logged = /^console\.log\((.*)\);?$/.exec(rest ?? script)?.[1];
  if (rest === undefined || logged === undefined) return logged;
  const parts = logged.split(new RegExp(`\\b${name}\\b`));
  return parts.length === 2 ? parts.join(value) : undefined;
}

const READ = String.raw`(?:require\(["'](?:node:)?fs["']\)|fs)\.readFileSync\(${STRING}(?:, ?["']utf-?8["'])?\)`;

/** A file that node reads, whole or for its keys. */
function nodeRead(text: string): Suggestion | undefined {
  const whole = new RegExp(String.raw`^${READ}(?:\.toString\(\))?$`).exec(text);
  if (whole !== null) return near(`cat ${either(whole)}`, "the newline that console.log adds");
  const data = String.raw`(?:require\(${STRING}\)|JSON\.parse\(${READ}\))`;
  const file = (found: readonly (string | undefined)[]): string | undefined => {
    const path = found.slice(1, 5).find((each) => each !== undefined);
    return path === undefined || (!/^\.{0,2}\//.test(path) && found[1] === path) || (!/^\.{0,2}\//.test(path) && found[2] === path)
      ? undefined
      : quoteWord(path);
  };
  const dumped = new RegExp(String.raw`^JSON\.stringify\(${data}, ?null, ?([1-7])\)$`).exec(text);
  const indented = dumped === null ? undefined : file(dumped);
  if (indented !== undefined) return near(`jq ${dumped?.[5] === "2" ? "" : `--indent ${dumped?.[5] ?? ""} `}. ${indented}`, AS_JQ_WRITES);
  const keys = new RegExp(String.raw`^Object\.keys\(${data}\)(\.length)?$`).exec(text);
  const keyed = keys === null ? undefined : file(keys);
  if (keyed === undefined) return undefined;
  return keys?.[5] === undefined
    ? near(`jq -c keys_unsorted ${keyed}`, AS_JSON)
    : near(`jq length ${keyed}`, "in code points where it is a text");
}
