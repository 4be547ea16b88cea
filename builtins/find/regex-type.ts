/**
 * The regular expression types of `-regextype`, each written as the basic or extended expression it means
 * (findutils manual, 8.5). Emacs syntax, which is find's own: `+ * ?` repeat, `\( \) \|` group, no intervals, no
 * character classes.
 */
import type { PosixOptions } from "../../src/search/posix-matcher.ts";

export const REGEX_TYPES = [
  "findutils-default",
  "ed",
  "emacs",
  "gnu-awk",
  "grep",
  "posix-awk",
  "awk",
  "posix-basic",
  "posix-egrep",
  "egrep",
  "posix-extended",
  "posix-minimal-basic",
  "sed",
] as const;

export type RegexType = (typeof REGEX_TYPES)[number];

export const isRegexType = (text: string): text is RegexType => REGEX_TYPES.some((name) => name === text);

export interface PlainRegex {
  readonly syntax: Exclude<PosixOptions["syntax"], "fixed">;
  readonly source: string;
}

/** `pattern` of `type` in the syntax of src/search/. */
export function plainRegex(pattern: string, type: RegexType): PlainRegex {
  switch (type) {
    case "findutils-default":
    case "emacs":
      return { syntax: "extended", source: fromEmacs(pattern) };
    case "ed":
    case "sed":
    case "grep":
    case "posix-basic":
      return { syntax: "basic", source: pattern };
    case "posix-minimal-basic":
      return {
        syntax: "basic",
        source: pattern.replace(/\\([\s\S])/g, (whole, escaped: string) => ("+?|".includes(escaped) ? bracketed(escaped) : whole)),
      };
    case "egrep":
    case "posix-egrep":
    case "posix-extended":
      return { syntax: "extended", source: pattern };
    case "awk":
    case "gnu-awk":
    case "posix-awk":
      return { syntax: "extended", source: withEscapesInBrackets(pattern) };
  }
}

/** One character that stands for itself, whatever it is elsewhere. */
const bracketed = (character: string): string => (character === "^" ? "\\^" : `[${character}]`);

function fromEmacs(pattern: string): string {
  let out = "";
  // Whether what comes next begins an alternative: a repetition there stands for itself, and `^` is an anchor.
  let begins = true;
  for (let at = 0; at < pattern.length; ) {
    const character = pattern.charAt(at);
    if (character === "\\") {
      const escaped = pattern.charAt(at + 1);
      at += 2;
      out +=
        escaped === "(" || escaped === ")" || escaped === "|"
          ? escaped
          : "{}".includes(escaped) && escaped !== ""
            ? `\\${escaped}`
            : `\\${escaped}`;
      begins = escaped === "(" || escaped === "|";
      continue;
    }
    if (character === "[") {
      const end = bracketEnd(pattern, at);
      out += end < 0 ? pattern.slice(at) : plainBracket(pattern.slice(at, end));
      at = end < 0 ? pattern.length : end;
      begins = false;
      continue;
    }
    at++;
    if (character === "^") {
      out += begins ? "^" : "\\^";
      continue;
    }
    if (character === "$") out += at === pattern.length || /^\\[)|]/.test(pattern.slice(at)) ? "$" : "\\$";
    else if ("*+?".includes(character)) out += begins ? `\\${character}` : character;
    else out += "(){}|".includes(character) ? `\\${character}` : character;
    begins = false;
  }
  return out;
}

/** The index after the `]` that closes the bracket at `open`; -1 where there is none. No classes, no escapes. */
function bracketEnd(pattern: string, open: number): number {
  let at = open + 1;
  if (pattern.charAt(at) === "^") at++;
  const close = pattern.indexOf("]", at + 1);
  return close < 0 ? -1 : close + 1;
}

/** A `[` inside that a `:`, `.` or `=` follows would begin a class in POSIX syntax: it goes to the end. */
function plainBracket(bracket: string): string {
  const negated = bracket.startsWith("[^") ? "^" : "";
  const inner = bracket.slice(1 + negated.length, -1);
  if (!/\[[:.=]/.test(inner)) return bracket;
  return `[${negated}${inner.replaceAll("[", "[.[.]")}]`;
}

/** In awk's syntaxes a backslash in a bracket takes the meaning from what follows it. */
function withEscapesInBrackets(pattern: string): string {
  let out = "";
  for (let at = 0; at < pattern.length; ) {
    if (pattern.charAt(at) === "\\") {
      out += pattern.slice(at, at + 2);
      at += 2;
      continue;
    }
    if (pattern.charAt(at) !== "[") {
      out += pattern.charAt(at++);
      continue;
    }
    out += "[";
    at++;
    if (pattern.charAt(at) === "^") {
      out += "^";
      at++;
    }
    for (let first = true; at < pattern.length; first = false) {
      const class_ = /^\[([:.=])[\s\S]*?\1\]/.exec(pattern.slice(at))?.[0];
      if (class_ !== undefined) {
        out += class_;
        at += class_.length;
      } else if (pattern.charAt(at) === "\\" && at + 1 < pattern.length) {
        out += `[.${pattern.charAt(at + 1)}.]`;
        at += 2;
      } else {
        out += pattern.charAt(at++);
        if (out.endsWith("]") && !first) break;
      }
    }
  }
  return out;
}
