/** Names of files in a patch. They are data: each is judged like a path that was typed, and none is ever a flag. */
import { isAbsolutePath } from "../../src/glob/absolute-path.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import type { FileNames } from "./header.ts";

/** The name at the beginning of `text`, stripped; undefined where there is none left. `rest` is what follows it. */
export function fileNameOf(
  text: string,
  strip: number | undefined,
): { readonly name: string | undefined; readonly rest: string; readonly isNull: boolean } {
  const trimmed = text.trimStart();
  const quoted = trimmed.startsWith('"') ? quotedName(trimmed) : undefined;
  // White space within a name counts only where a tab ends it.
  const end = quoted?.end ?? trimmed.search(trimmed.includes("\t") ? /\t|\s+$/ : /\s|$/);
  const name = quoted?.name ?? trimmed.slice(0, end);
  const rest = trimmed.slice(end);
  if (name === "/dev/null") return { name: undefined, rest, isNull: true };
  return { name: stripped(name, strip), rest, isNull: false };
}

/** The two names behind `diff --git`; undefined unless there are two. */
export function gitNamesOf(text: string, strip: number | undefined): readonly [string | undefined, string | undefined] {
  const names: (string | undefined)[] = [];
  let rest = text.trimStart();
  while (rest !== "" && names.length < 3) {
    const quoted = rest.startsWith('"') ? quotedName(rest) : undefined;
    const end = quoted?.end ?? rest.search(/\s|$/);
    names.push(stripped(quoted?.name ?? rest.slice(0, end), strip));
    rest = rest.slice(end).trimStart();
  }
  const [old, now, other] = names;
  return names.length !== 2 || old === undefined || now === undefined || other !== undefined ? [undefined, undefined] : [old, now];
}

/** `name` without `strip` leading components; with all but the last taken off where that is undefined. */
function stripped(name: string, strip: number | undefined): string | undefined {
  let left = strip ?? Infinity;
  let rest = name;
  for (const { 0: slashes, index } of name.matchAll(/\/+/g)) {
    if (left <= 0) break;
    left--;
    rest = name.slice(index + slashes.length);
  }
  return (strip === undefined || left <= 0) && rest !== "" ? rest : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", '"': '"', "\\": "\\" };

/** A name in quotes, with the escapes of C. */
function quotedName(text: string): { readonly name: string; readonly end: number } | undefined {
  let name = "";
  for (let at = 1; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === '"') return { name: toText(Buffer.from(name, "latin1")), end: at + 1 };
    if (letter !== "\\") {
      name += toBytes(letter).toString("latin1");
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))?.[0];
    const escape = ESCAPES[text[at + 1] ?? ""];
    if (octal === undefined && escape === undefined) return undefined;
    name += octal === undefined ? escape : String.fromCharCode(parseInt(octal, 8));
    at += octal === undefined ? 1 : 3;
  }
  return undefined;
}

/** True if the name stays below the current directory by its text: it is not absolute, and has no `..`. */
export const staysBelow = (name: string): boolean => !isAbsolutePath(name) && !name.split("/").includes("..");

/** Index of the best of the names that are not `ignored`: with the fewest components, then the shortest last one, then the shortest. */
export function bestName(names: FileNames, isIgnored: (index: number) => boolean, isValid: (name: string) => boolean): number | undefined {
  const candidates = [0, 1, 2].filter((index) => names[index] !== undefined && !isIgnored(index));
  const rank = (index: number): readonly number[] => {
    const name = names[index] as string;
    const components = name.split(/\/+/).filter((component) => component !== "");
    return [components.length, toBytes(components.at(-1) ?? "").length, toBytes(name).length];
  };
  const ranked = candidates.map((index) => ({ index, rank: rank(index) }));
  const compare = (a: readonly number[], b: readonly number[]): number => {
    for (const [at, value] of a.entries()) if (value !== b[at]) return value - (b[at] ?? 0);
    return 0;
  };
  const [best] = ranked.toSorted((a, b) => compare(a.rank, b.rank));
  if (best === undefined) return undefined;
  return ranked.find(({ index, rank: its }) => compare(its, best.rank) === 0 && isValid(names[index] as string))?.index;
}
