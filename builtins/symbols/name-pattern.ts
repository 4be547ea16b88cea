/** The pattern of a search for names: a name, or a regular expression between slashes. */
import { toBytes } from "../../src/io/text.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import { widened } from "../../src/regex/perl-tree.ts";
import { LinearMatcher } from "../../src/regex/posix-matcher.ts";
import { literalsOf } from "../../src/regex/required-text.ts";
import { parseRust } from "../../src/regex/rust-parser.ts";
import { RUST_WORD } from "../../src/regex/rust-tables.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";

export interface NamePattern {
  matchesName(name: string): boolean;
  matches(definition: { readonly name: string; readonly qualifiedName: string }): boolean;
  /** Whether a file may have such a name at all, told without parsing it. */
  mayBeIn(bytes: Uint8Array): boolean;
}

export interface NameOptions {
  readonly foldCase: boolean;
  readonly substring: boolean;
}

/** Throws UsageError. */
export function namePattern(typed: string, options: NameOptions): NamePattern {
  if (typed.length > 2 && typed.startsWith("/") && typed.endsWith("/")) return regexPattern(typed.slice(1, -1), options);
  return textPattern(typed, options);
}

function textPattern(typed: string, { foldCase, substring }: NameOptions): NamePattern {
  const folded = (text: string): string => (foldCase ? text.toLowerCase() : text);
  // The separators of the languages, and that of Serena's name paths.
  const components = typed.split(/::|(?<=[^.])[./#](?=[^.])/).filter((part) => part !== "");
  const last = folded(components.at(-1) ?? typed);
  const before = components
    .slice(0, -1)
    .map((part) => `.${folded(part)}`)
    .join("");
  const matchesName = (name: string): boolean => (substring ? folded(name).includes(last) : folded(name) === last);
  const wanted = Buffer.from(toBytes(last));
  return {
    matchesName,
    matches({ name, qualifiedName }) {
      if (folded(name) === folded(typed)) return true;
      if (!matchesName(name)) return false;
      if (before === "") return true;
      const qualified = `.${folded(qualifiedName)}`;
      return qualified.slice(0, qualified.lastIndexOf(".")).endsWith(before);
    },
    mayBeIn(bytes) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return foldCase ? buffer.toString().toLowerCase().includes(last) : buffer.includes(wanted);
    },
  };
}

/** A regular expression of Rust's regex crate, in linear time. With `\.` in it, it is about qualified names. */
function regexPattern(source: string, { foldCase }: NameOptions): NamePattern {
  let matcher: LinearMatcher;
  try {
    // A name has no NUL, so as a line end that makes every other character an ordinary one.
    matcher = new LinearMatcher(widened(parseRust(source, { foldCase, dotAll: true }).tree), 0, () => RUST_WORD);
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    throw new UsageError("bad-value", thrown.message, { subject: source });
  }
  const isQualified = source.includes("\\.");
  // A qualified name does not stand in the text as it is printed, nor does the space in a name.
  const required = isQualified || matcher.required === undefined ? undefined : literalsOf(matcher.required.windows);
  const literals = required?.some((literal) => literal.includes(" ")) === true ? undefined : required;
  const matchesName = (name: string): boolean => {
    const bytes = toBytes(name);
    return matcher.test(bytes, 0, bytes.length);
  };
  return {
    matchesName,
    matches: ({ name, qualifiedName }) => matchesName(isQualified ? qualifiedName : name),
    mayBeIn(bytes) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return literals === undefined || literals.some((literal) => buffer.includes(literal));
    },
  };
}
