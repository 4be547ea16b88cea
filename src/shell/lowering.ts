/**
 * State of lowering one line, shared by its parts: the line, its gaps, the problems found, and the edits that would mend
 * them.
 */
import type { Assignment as SourceAssignment, CommandNode, ParsedScript, Redirection, Statement } from "unbash";
import { type BraceBudget, braceBudget } from "./braces.ts";
import { Gaps } from "./gaps.ts";
import { hereDocumentRegions } from "./here-document-regions.ts";
import { unparsable, unsupported, type SyntaxProblem, type UnsupportedConstruct } from "./problem.ts";
import type { Edit } from "./rewrite.ts";
import type { SourceExpansion } from "./source-expansions.ts";
import type { Command, Expansion, List, Span } from "./tree.ts";

/** Commands within commands: groups, loops, `$( )`. Past it the line is refused. */
export const MOST_NESTING = 100;

/** Here-documents in one line: every newline is held against all of them. */
const MOST_HERE_DOCUMENTS = 100;

/** Tells whether a redirection of output, by its place and its target as typed, may write a file: then it is part of the tree. */
export type AllowedOutputs = (span: Span, target: string) => boolean;

/** The parts of lowering that call one another across files. */
export interface Lowerer {
  /** `isShell`: the list is that of a whole shell, in which `exec` may redirect what comes after it. */
  statements(statements: readonly Statement[], start: number, isShell?: boolean): Lowered;
  substitution(found: SourceExpansion, span: Span): Expansion | undefined;
  processSubstitution(found: SourceExpansion, span: Span): Expansion | undefined;
  command(node: CommandNode): Command;
}

export interface Lowered {
  readonly items: List["items"];
  /** End of the last statement. */
  readonly end: number;
  /** True if a reserved word that ends the list may follow without `;` or a newline. */
  readonly closed: boolean;
}

export interface SourceNode {
  readonly type: string;
  readonly pos: number;
  readonly end: number;
}

export type SourceItem = SourceAssignment | Redirection | SourceNode;

export class Lowering {
  readonly line: string;
  readonly outputs: AllowedOutputs;
  readonly problems: SyntaxProblem[] = [];
  readonly edits: Edit[] = [];
  readonly braces: BraceBudget = braceBudget();
  /** True if the edits so far would make the line run. */
  rewritable = true;
  gaps: Gaps;
  readonly #outer: Lowering | undefined;
  #depth: number;

  /** `outer` reads the line in which `line` stands as text, at the same places. */
  constructor(line: string, outputs: AllowedOutputs, outer?: Lowering) {
    this.line = line;
    this.outputs = outputs;
    this.#outer = outer;
    this.#depth = outer === undefined ? 0 : outer.#depth;
    this.gaps = new Gaps(line, []);
  }

  /** Reads `script` with its own here-documents, which must be passed over inside it. */
  within<T>(script: ParsedScript, end: number, span: Span, read: () => T): T | undefined {
    const regions = hereDocumentRegions(script, end);
    if (regions.length > MOST_HERE_DOCUMENTS) {
      const detail = `The line has ${regions.length} here-documents, and at most ${MOST_HERE_DOCUMENTS} are read. Use several calls.`;
      this.problem(unparsable("here-document", span, detail));
      return undefined;
    }
    const outer = this.gaps;
    this.gaps = new Gaps(this.line, regions);
    try {
      const result = read();
      if (this.problems.length === 0 && !this.gaps.complete) this.disagree(span, "a here-document is not where it should be");
      return result;
    } finally {
      this.gaps = outer;
    }
  }

  /** Calls `read` one level of nesting down and returns its result; undefined past MOST_NESTING. */
  nested<T>(span: Span, read: () => T): T | undefined {
    if (this.#depth >= MOST_NESTING) {
      const detail = `Commands are nested more than ${MOST_NESTING} deep, which is past what a line may hold. Take some of the nesting away.`;
      this.problem(unparsable("nesting", span, detail));
      return undefined;
    }
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }

  /** Set in `[[ ]]`, where extended patterns are always read. */
  isInTest = false;

  /**
   * Tells whether extended patterns are read at `at`: bash has read a line of text before it obeys a `shopt` in it, and is then at a
   * loss; here one that stands before counts at once.
   */
  allowsExtendedGlob(at: number): boolean {
    if (this.#outer?.allowsExtendedGlob(at) === true) return true;
    return this.isInTest || /\bshopt[ \t]+-\w*s\w*[^;&|\n]*[ \t]extglob\b/.test(this.line.slice(0, at));
  }

  /** Notes a problem that no edit mends. */
  problem(problem: SyntaxProblem): void {
    this.problems.push(problem);
    this.rewritable = false;
  }

  refuse(construct: UnsupportedConstruct, span: Span): void {
    this.problem(unsupported(construct, this.line.slice(span.start, span.end), span));
  }

  /** The parser library and we do not read the line alike, or neither can: it is not run. */
  disagree(span: Span, what: string): void {
    this.problem(unparsable("syntax", span, `Syntax error: ${what}.`));
  }
}

export const spanOf = (node: { readonly pos: number; readonly end: number }): Span => ({ start: node.pos, end: node.end });

/** Stands where a command was refused; the line it is in never becomes a tree. */
export function nothing(span: Span): Command {
  return { kind: "simple", assignments: [], words: [{ parts: [], span }], redirects: [], span };
}
