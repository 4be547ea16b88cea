/** Lines of builtins that do what a call of a tool yet to come would do, where that is exact or nearly so. */
import type { ForeignCall } from "./foreign-commands.ts";
import { quoteWord } from "../io/quote.ts";

/** `sed -n '10,20p' f` → `head -n 20 f | tail -n +10`; `sed -i …` and everything else: no rewrite. */
export function printedLines({ texts, sources }: ForeignCall): string | undefined {
  if (texts[0] !== "-n") return undefined;
  const script = /^(\d+)(?:,(\d+|\$))?p;?$/.exec(texts[1] ?? "");
  const files = sources.slice(2);
  if (script === null || files.length > 1 || files.some((file) => file.startsWith("-"))) return undefined;
  const first = Number(script[1]);
  const last = script[2] === undefined ? first : script[2] === "$" ? Infinity : Number(script[2]);
  if (first === 0) return undefined;
  const file = files.map((name) => ` ${name}`).join("");
  if (last === Infinity) return `tail -n +${first}${file}`;
  // An end before the beginning prints the one line, as sed does.
  const end = Math.max(first, last);
  return first === 1 ? `head -n ${end}${file}` : `head -n ${end}${file} | tail -n +${first}`;
}

/** Flags that rg and grep share by letter, without a value. */
const SHARED_LETTERS = /^-[nivwxclFoqh]+$/;
/** The same with a value. */
const SHARED_COUNTS = /^-([ABCm])(\d*)$/;

/** `rg -i x src` → `grep -rnEi x src`. Nothing where a flag has no counterpart. */
export function searchAsGrep({ sources, texts }: ForeignCall): string | undefined {
  let letters = "";
  const others: string[] = [];
  const operands: string[] = [];
  for (let at = 0; at < sources.length; at++) {
    const source = sources[at] as string;
    const text = texts[at];
    if (text !== undefined && /^-\w+$/.test(text)) {
      const counted = SHARED_COUNTS.exec(text);
      if (SHARED_LETTERS.test(text)) letters += text.slice(1);
      else if (counted !== null) others.push(counted[2] === "" ? `${text} ${sources[++at] ?? ""}` : text);
      else if (text === "-g") {
        const glob = texts[++at];
        if (glob === undefined || glob.includes("/")) return undefined;
        others.push(glob.startsWith("!") ? `--exclude=${quoteWord(glob.slice(1))}` : `--include=${quoteWord(glob)}`);
      } else if (text !== "-S" && text !== "-e") return undefined;
    } else if (source.startsWith("-")) return undefined;
    else operands.push(source);
  }
  const [pattern, ...paths] = operands;
  if (pattern === undefined) return undefined;
  const dialect = letters.includes("F") ? "" : "E";
  const merged = [...new Set(`rn${dialect}${letters}`)].join("");
  return [`grep -${merged}`, ...others, pattern, ...(paths.length === 0 ? ["."] : paths)].join(" ");
}

/** `find d -name '*.ts'` → the non-empty files of that name, by grep; a bare `find d` → everything below it. */
export function findAsListing({ name, texts, sources }: ForeignCall): string | undefined {
  if (name !== "find") return sources.length === 0 ? "ls -R" : undefined;
  const firstTest = texts.findIndex((text) => text !== undefined && /^[-(!]/.test(text));
  const roots = sources.slice(0, firstTest < 0 ? sources.length : firstTest);
  const from = roots.length === 0 ? "." : roots.join(" ");
  if (firstTest < 0) return `ls -R ${from}`;
  const includes: string[] = [];
  for (let at = firstTest; at < texts.length; at++) {
    const test = texts[at];
    if (test === "(" || test === ")" || test === "-o") continue;
    const value = texts[++at];
    if (test === "-name" && value !== undefined) includes.push(` --include=${quoteWord(value)}`);
    else if (test !== "-type" || value !== "f") return undefined;
  }
  return `grep -rl${includes.join("")} '' ${from}`;
}
