/** fd's patterns: regular expressions of Rust's regex crate, globs, or literal text; case counts where one has a capital (smart case). */
import { PatternError } from "../../src/regex/pattern-error.ts";
import { widened } from "../../src/regex/perl-tree.ts";
import { LinearMatcher } from "../../src/regex/posix-matcher.ts";
import { some, type RegexTree } from "../../src/regex/regex-tree.ts";
import { parseRust } from "../../src/regex/rust-parser.ts";
import { RUST_WORD } from "../../src/regex/rust-tables.ts";
import { rangesOf } from "../../src/regex/symbol-set.ts";
import { toBytes } from "../../src/io/text.ts";
import { byteString, GlobError, parseByteGlob, type GlobToken } from "../../src/glob/byte-glob-parser.ts";
import { compileByteGlob } from "../../src/glob/byte-glob.ts";
import { FdError } from "./fd-error.ts";

export type PatternKind = "regex" | "glob" | "fixed" | "exact";

/** A test of a name or a path, as text. */
export type NameTest = (text: string) => boolean;

export interface PatternOptions {
  readonly kind: PatternKind;
  /** undefined: smart case. */
  readonly caseSensitive: boolean | undefined;
  /** Whether a pattern that only hidden names match is an error. */
  readonly skipHidden: boolean;
}

/** One test for each pattern that asks for something. Throws FdError in fd's words. */
export function compilePatterns(patterns: readonly string[], { kind, caseSensitive, skipHidden }: PatternOptions): readonly NameTest[] {
  const read = patterns.map((pattern) => readPattern(pattern, kind));
  const foldCase = !(caseSensitive ?? read.some(({ hasCapital }) => hasCapital));
  if (skipHidden && read.some(({ isHidden }) => isHidden)) throw new FdError(HIDDEN_ONLY);
  return read.flatMap(({ compile }) => compile(foldCase) ?? []);
}

const HIDDEN_ONLY =
  "The pattern(s) seems to only match files with a leading dot, but hidden files are filtered by default. Consider adding -H/--hidden to search hidden files as well or adjust your search pattern(s).";
const HINT =
  "Note: You can search for literal substrings with '--fixed-strings' or literal strings with '--exact' options (instead of a regular expression). Alternatively, you can also use the '--glob' option to match on a glob pattern.";

interface ReadPattern {
  readonly hasCapital: boolean;
  /** It begins with the start of the name and a dot. */
  readonly isHidden: boolean;
  /** undefined where everything matches. */
  readonly compile: (foldCase: boolean) => NameTest | undefined;
}

function readPattern(pattern: string, kind: PatternKind): ReadPattern {
  if (kind === "exact") return readExact(pattern);
  if (pattern === "") return { hasCapital: false, isHidden: false, compile: () => undefined };
  if (kind === "glob") return readGlob(pattern);
  if (kind === "fixed") {
    const compile = (foldCase: boolean): NameTest =>
      foldCase ? regexTest(wholeText(escaped(pattern), foldCase)) : (text) => text.includes(pattern);
    return { hasCapital: CAPITAL.test(pattern), isHidden: false, compile };
  }
  return readRegex(pattern);
}

const CAPITAL = /\p{Uppercase}/u;

function readExact(pattern: string): ReadPattern {
  const compile = (foldCase: boolean): NameTest =>
    foldCase ? regexTest(wholeText(`^${escaped(pattern)}$`, foldCase)) : (text) => text === pattern;
  return { hasCapital: CAPITAL.test(pattern), isHidden: pattern.startsWith("."), compile };
}

const wholeText = (pattern: string, foldCase: boolean): RegexTree => widened(parseRust(pattern, { foldCase, dotAll: true }).tree);

const escaped = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$#&\-~]/g, "\\$&");

function readGlob(pattern: string): ReadPattern {
  try {
    const tokens = parseByteGlob(pattern, false);
    const [first] = tokens;
    return {
      hasCapital: tokens.some(hasCapital),
      isHidden: first?.kind === "literal" && first.text.startsWith("."),
      compile(foldCase) {
        const glob = compileByteGlob(pattern, { foldCase });
        return (text) => glob.matches(byteString(text));
      },
    };
  } catch (thrown) {
    if (!(thrown instanceof GlobError)) throw thrown;
    throw new FdError(`error parsing glob '${pattern}': ${thrown.message}`);
  }
}

function hasCapital(token: GlobToken): boolean {
  switch (token.kind) {
    case "literal":
      return CAPITAL.test(Buffer.from(token.text, "latin1").toString());
    case "set": {
      const holds = (byte: number): boolean => (token.has[byte] === 1) !== token.negated && byte >= 0 && byte < 256;
      for (let byte = 0; byte < 256; byte++) {
        const isEnd = holds(byte) && (!holds(byte - 1) || !holds(byte + 1));
        if (isEnd && CAPITAL.test(String.fromCharCode(byte))) return true;
      }
      return false;
    }
    case "choice":
      return token.options.some((option) => option.some(hasCapital));
    case "any":
    case "star":
    case "prefix":
    case "suffix":
    case "between":
      return false;
  }
}

function readRegex(pattern: string): ReadPattern {
  const parse = (foldCase: boolean): RegexTree => {
    try {
      return wholeText(pattern, foldCase);
    } catch (thrown) {
      if (!(thrown instanceof PatternError)) throw thrown;
      throw new FdError(`${thrown.message}\n\n${HINT}`);
    }
  };
  const tree = parse(false);
  const parts = tree.kind === "sequence" ? tree.parts : [tree];
  const [start, dot] = parts;
  const isDot = dot?.kind === "set" && dot.set.length === 2 && dot.set[0] === 46 && dot.set[1] === 46;
  return {
    hasCapital: some(tree, (node) => node.kind === "set" && hasCapitalEdge(node.set)),
    isHidden: start?.kind === "assertion" && start.what === "line-start" && isDot,
    compile: (foldCase) => regexTest(foldCase ? parse(true) : tree),
  };
}

/** fd asks for the ends of ranges alone. */
const hasCapitalEdge = (set: readonly number[]): boolean =>
  rangesOf(set).some((range) => range.some((symbol) => symbol <= 0x10ffff && CAPITAL.test(String.fromCodePoint(symbol))));

/** Names up to this many bytes are written to one buffer, not each to its own. */
const SCRATCH_BYTES = 1024;

function regexTest(tree: RegexTree): NameTest {
  let matcher: LinearMatcher;
  try {
    const asksForWords = some(tree, (node) => node.kind === "assertion" && node.what !== "line-start" && node.what !== "line-end");
    // A name has no NUL, so as a line end that makes every other character an ordinary one.
    matcher = asksForWords ? new LinearMatcher(tree, 0, () => RUST_WORD) : new LinearMatcher(tree, 0);
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    throw new FdError(`Compiled regex exceeds size limit of 10485760 bytes.\n\n${HINT}`);
  }
  const scratch = Buffer.alloc(SCRATCH_BYTES);
  return (text) => {
    if (text.length <= SCRATCH_BYTES && ASCII.test(text)) {
      const length = scratch.write(text, 0, "latin1");
      return matcher.test(scratch, 0, length);
    }
    const bytes = toBytes(text);
    return matcher.test(bytes, 0, bytes.length);
  };
}

const ASCII = /^[\0-\x7f]*$/;
