/**
 * The regular expression types of `-regextype`, each written as the basic or extended expression it means
 * (findutils manual, 8.5). Emacs syntax, which is find's own: `+ * ?` repeat, `\( \) \|` group, no intervals, no
 * character classes.
 */
import { PatternError, REGEX_ERRORS } from "../../src/regex/pattern-error.ts";
import type { PosixOptions } from "../../src/regex/posix-matcher.ts";

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
  /** True if `[b-a]` matches nothing, and is no error. */
  readonly emptyRanges?: boolean;
}

/** `pattern` of `type` in the syntax of src/search/. */
export function plainRegex(pattern: string, type: RegexType): PlainRegex {
  switch (type) {
    case "findutils-default":
      return { syntax: "extended", source: fromEmacs(pattern, "."), emptyRanges: true };
    case "emacs":
      return { syntax: "extended", source: fromEmacs(pattern, "[^\n]"), emptyRanges: true };
    case "grep":
      return { syntax: "basic", source: pattern };
    case "ed":
    case "sed":
    case "posix-basic":
      return { syntax: "basic", source: checkedRepetitions(pattern) };
    case "posix-minimal-basic":
      return {
        syntax: "basic",
        source: pattern.replace(/\\([\s\S])/g, (whole, escaped: string) => ("+?|".includes(escaped) ? bracketed(escaped) : whole)),
      };
    case "egrep":
    case "posix-egrep":
      return { syntax: "extended", source: pattern };
    case "posix-extended":
      return { syntax: "extended", source: checkedIntervals(pattern, true) };
    case "awk":
      return { syntax: "extended", source: withEscapesInBrackets(withoutOperators(pattern), false) };
    case "gnu-awk":
      return { syntax: "extended", source: withEscapesInBrackets(afterAssertions(pattern)) };
    case "posix-awk":
      return { syntax: "extended", source: checkedIntervals(withEscapesInBrackets(withoutOperators(pattern)), false) };
  }
}

/**
 * `pattern`, in extended syntax, where a repetition must repeat something, and where `isStrict` a brace must begin an interval. Throws
 * PatternError where they do not.
 */
function checkedIntervals(pattern: string, isStrict: boolean): string {
  for (let at = 0, begins = true; at < pattern.length; ) {
    const character = pattern.charAt(at);
    if (character === "\\") {
      begins = isStrict && isAssertion(pattern, at);
      at += 2;
    } else if (character === "[") {
      const end = posixBracketEnd(pattern, at);
      if (end < 0) return pattern;
      at = end;
      begins = false;
    } else {
      if ("*+?{".includes(character) && begins) throw new PatternError(REGEX_ERRORS.preceding);
      if (isStrict && character === "{" && !/^\{(?:[0-9]+(?:,[0-9]*)?|,[0-9]+)\}/.test(pattern.slice(at)))
        throw new PatternError(/^\{[0-9]*,?[0-9]*$/.test(pattern.slice(at)) ? REGEX_ERRORS.brace : REGEX_ERRORS.braceContent);
      at++;
      begins = "(|^$".includes(character);
    }
  }
  return pattern;
}

/** `pattern`, in basic syntax, where no interval or star may follow a repetition. Throws PatternError where one does. */
function checkedRepetitions(pattern: string): string {
  let begins = true;
  /** An assertion, which is nothing that can be repeated. */
  let follows = false;
  let repeated = false;
  for (let at = 0; at < pattern.length; ) {
    const [token = ""] = /^(?:\\[{][^\\]*\\[}]|\\[\s\S]|\[\^?\]?(?:\[([:.=])[\s\S]*?\1\]|[^\]])*\]|[\s\S])/.exec(pattern.slice(at)) ?? [];
    const interval = token.startsWith("\\{");
    if (interval && (begins || follows)) throw new PatternError(REGEX_ERRORS.preceding);
    const repeats = !begins && (token === "*" || interval);
    if (repeats && repeated) throw new PatternError(REGEX_ERRORS.preceding);
    repeated = repeats || (!begins && (token === "\\+" || token === "\\?"));
    begins = token === "\\(" || token === "\\|" || (token === "^" && begins);
    follows = isAssertion(token, 0);
    at += token.length;
  }
  return pattern;
}

const isAssertion = (pattern: string, at: number): boolean => /^\\[bB<>`']/.test(pattern.slice(at, at + 2));

/** As bracketEnd, with classes; -1 where there is none. */
function posixBracketEnd(pattern: string, open: number): number {
  const bracket = /^\[\^?\]?(?:\[([:.=])[\s\S]*?\1\]|[^\]])*\]/.exec(pattern.slice(open))?.[0];
  return bracket === undefined ? -1 : open + bracket.length;
}

/** One character that stands for itself, whatever it is elsewhere. */
const bracketed = (character: string): string => (character === "^" ? "\\^" : `[${character}]`);

/** `dot` is what a dot stands for. */
function fromEmacs(pattern: string, dot: string): string {
  let out = "";
  // Whether what comes next begins an alternative: a repetition there stands for itself, and `^` is an anchor.
  let begins = true;
  let depth = 0;
  for (let at = 0; at < pattern.length; ) {
    const character = pattern.charAt(at);
    if (character === "\\") {
      const escaped = pattern.charAt(at + 1);
      at += 2;
      if (escaped === "(") depth++;
      if (escaped === ")" && --depth < 0) throw new PatternError(REGEX_ERRORS.closing);
      out += escaped === "(" || escaped === ")" || escaped === "|" ? escaped : `\\${escaped}`;
      begins = escaped === "(" || escaped === "|" || isAssertion(pattern, at - 2);
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
    else if (character === ".") out += dot;
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

/** Removes the backslash of GNU's own operators in a syntax without them: each is the letter. */
const withoutOperators = (pattern: string): string =>
  pattern.replace(/\\([\s\S])/g, (whole, escaped: string) => ("bB<>`'wWsS".includes(escaped) ? escaped : whole));

/** Escapes a repetition behind an assertion, in a syntax that takes it for a character. */
const afterAssertions = (pattern: string): string =>
  pattern.replace(/(\\[\s\S])([*+?]?)/g, (whole, escaped: string, repetition: string) =>
    repetition !== "" && isAssertion(escaped, 0) ? `${escaped}\\${repetition}` : whole,
  );

/** In awk's syntaxes a backslash in a bracket takes the meaning from what follows it. */
function withEscapesInBrackets(pattern: string, hasReferences = true): string {
  let out = "";
  for (let at = 0; at < pattern.length; ) {
    if (pattern.charAt(at) === "\\") {
      // A digit behind a backslash is one.
      const isDigit = !hasReferences && /^\\[1-9]/.test(pattern.slice(at, at + 2));
      out += isDigit ? pattern.charAt(at + 1) : pattern.slice(at, at + 2);
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
