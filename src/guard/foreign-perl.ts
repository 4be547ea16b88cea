/** Scripts of one line in perl, in the forms that agents type most, as stages of builtins: the same where it is certain. */
import { quoteWord } from "../display/quote.ts";
import { filesOf, type ForeignCall } from "./foreign-stages.ts";
import { near, same, type Suggestion } from "./suggestion.ts";

/** Text that means itself in a pattern of perl, of sed and of sed -E, and on the right of s///, and holds no `/`. */
const LITERAL = `[A-Za-z0-9 _,:=<>"'#-]`;

/** `perl -pi -e`, `-pe`, `-ne` and `-lane` over literal ASCII text; undefined for all else. */
export function perlScript({ sources, texts, isThere }: ForeignCall): Suggestion | undefined {
  const at = texts.findIndex((text) => text !== undefined && /^-\w*e$/.test(text));
  const flags = texts.slice(0, at + 1).join(" ");
  const script = (texts[at + 1] ?? "").replace(/;\s*$/, "").trim();
  const files = sources.slice(at + 2);
  if (at < 0 || filesOf(files).length !== files.length) return undefined;
  // perl ends with 0 where a file is missing.
  const areThere = files.every((_, index) => isThere(at + 2 + index));
  const asSed = (line: string): Suggestion => (areThere ? same(line) : near(line, "the exit status where a file is missing"));
  const behind = files.map((file) => ` ${file}`).join("");
  if (/^(?:-pi -e|-p -i -e|-i -pe|-i -p -e)$/.test(flags))
    return files.length > 0 && isSubstitution(script) ? asSed(`sed -i -E ${quoteWord(script)}${behind}`) : undefined;
  if (/^(?:-pe|-p -e)$/.test(flags))
    return isSubstitution(script) ? asSed(`sed ${quoteWord(script)}${behind}`) : changedLines(script, behind);
  if (/^(?:-ne|-n -e)$/.test(flags)) return printedLines(script, behind, asSed);
  if (/^(?:-nle|-lne)$/.test(flags)) return printedParts(script, behind);
  if (flags === "-lpe" && /^\$_ ?= ?(?:uc|lc)(?: ?\$_|\(\$_\))?$/.test(script))
    return near(`awk '{ print to${script.includes("uc") ? "upper" : "lower"}($0) }'${behind}`, "letters beyond ASCII are changed, too");
  if (flags === "-e") return echoed(script);
  if (/^-0(?:777)? ?-?pe$/.test(flags)) return joinedLines(script, files, asSed);
  const tabled = /^-F(\W)$/.exec(texts[0] ?? "")?.[1];
  if (tabled !== undefined && /^[,;:]$/.test(tabled) && flags === `-F${tabled} -lane`) {
    const at = /^print \$F\[(\d{1,3})\]$/.exec(script)?.[1];
    return at === undefined
      ? undefined
      : near(`awk -F${tabled} '{ print $${Number(at) + 1} }'${behind}`, "the line's end is no part of its last field");
  }
  const field = /^(?:-lane|-l?ane|-lan -e)$/.test(flags) ? /^print \$F\[(\d{1,3})\]$/.exec(script)?.[1] : undefined;
  return field === undefined || !flags.includes("l")
    ? undefined
    : near(`awk '{ print $${Number(field) + 1} }'${behind}`, "fields are parted by blanks and tabs alone");
}

/** One s///, with no flag but g. */
const isSubstitution = (script: string): boolean => new RegExp(`^s/${LITERAL}+/${LITERAL}*/g?$`).test(script);

/** `print if /TEXT/`, `print unless /TEXT/`, `print if 2..4` */
function printedLines(script: string, behind: string, asSed: (line: string) => Suggestion): Suggestion | undefined {
  const [, word, text] = new RegExp(`^print (if|unless) /(${LITERAL}+)/$`).exec(script) ?? [];
  if (text !== undefined) return asSed(`sed -n ${quoteWord(`/${text}/${word === "if" ? "" : "!"}p`)}${behind}`);
  const [, from, to] = /^print if (?:\$\. ?== ?)?(\d{1,9}) ?\.\. ?(?:\$\. ?== ?)?(\d{1,9})$/.exec(script) ?? [];
  if (from !== undefined && to !== undefined && Number(from) >= 1 && Number(from) <= Number(to))
    return asSed(`sed -n ${from},${to}p${behind}`);
  const [, start, between] = /^(END ?\{ ?)?print "?\$\.(?:(: |[: \t]|\\t)\$_)?"? ?\}?$/.exec(script) ?? [];
  if (start !== undefined && between === undefined) return asSed(`awk 'END { printf "%d", NR }'${behind}`);
  return start === undefined && between !== undefined && script.includes('"')
    ? near(`awk '{ print NR "${between}" $0 }'${behind}`, "a last line without its end is ended")
    : undefined;
}

/** `s/\s+$/\n/`, and what it stands for. */
function changedLines(script: string, behind: string): Suggestion | undefined {
  return /^s\/(?:\\s\+|\[ \\t\]\+)\$\/\\n\/$/.test(script)
    ? near(`sed 's/[[:space:]]*$//'${behind}`, "a last line without its end stays so")
    : undefined;
}

/** `print length`, and `print $1 if /…(…)…/` with a pattern that rg reads alike. */
function printedParts(script: string, behind: string): Suggestion | undefined {
  if (/^print length(?:\(?\$_\)?)?$/.test(script)) return near(`awk '{ print length($0) }'${behind}`, "characters, not bytes");
  const pattern =
    /^print (?:"?\$1"?) if \/((?:[A-Za-z0-9 _,:=<>"#-]|\\[dws.]|[.+*?]|\[[A-Za-z0-9_-]+\])*\((?!\?)(?:[A-Za-z0-9 _,:=<>"#-]|\\[dws.]|[.+*?]|\[\^?[A-Za-z0-9_" -]+\])+\)[^/()|$^{}\\]*)\/$/.exec(
      script,
    )?.[1];
  return pattern === undefined
    ? undefined
    : near(`rg -NIo -r '$1' -e ${quoteWord(pattern)}${behind === "" ? " -" : behind}`, "every match of a line");
}

/** `print "TEXT\n"` */
function echoed(script: string): Suggestion | undefined {
  const text = /^print "([A-Za-z0-9_.,:;!?][A-Za-z0-9 _.,:;!?=+-]*)\\n"$/.exec(script)?.[1];
  return text === undefined ? undefined : same(`echo ${quoteWord(text)}`);
}

/** `-0pe 's/\n/,/g'` of one file */
function joinedLines(script: string, files: readonly string[], asSed: (line: string) => Suggestion): Suggestion | undefined {
  const by = /^s\/\\n\/([ ,;:|_+])\/g$/.exec(script)?.[1];
  return by === undefined || files.length !== 1 ? undefined : asSed(`tr '\\n' ${quoteWord(by)} < ${files[0] ?? ""}`);
}
