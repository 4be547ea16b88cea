/**
 * A pattern of Rust's regex syntax over lines, for whoever must never be held up by one: its automata are built whole when
 * it is made, so that a byte of any input takes one step. One that would need more states, or that no automaton can hold
 * (look-around, back-references), is not made.
 */
import { widened } from "./perl-tree.ts";
import { PatternError } from "./pattern-error.ts";
import { LinearMatcher } from "./posix-matcher.ts";
import { canBeEmpty } from "./regex-tree.ts";
import { parseRust } from "./rust-parser.ts";
import { RUST_WORD } from "./rust-tables.ts";

/** Of each automaton. A credential's format takes some tens. */
const MOST_STATES = 2000;
const NEWLINE = 10;

/** Throws PatternError. */
export function boundedMatcher(pattern: string): LinearMatcher {
  const tree = widened(parseRust(pattern, { foldCase: false, dotAll: false, inLines: true }).tree);
  if (canBeEmpty(tree)) throw new PatternError("it matches where there is nothing");
  const matcher = new LinearMatcher(tree, NEWLINE, () => RUST_WORD);
  if (!matcher.complete(MOST_STATES)) throw new PatternError(`it takes more than ${MOST_STATES} states: make its repetitions shorter`);
  return matcher;
}
