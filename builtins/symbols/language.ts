/** Description of a programming language: its files, and the form of its definitions in a syntax tree. */
import type { GrammarName } from "../../src/wasm/grammars.ts";

export interface Language {
  /** As --help lists it. */
  readonly name: string;
  readonly grammar: GrammarName;
  /** Ends of file names, after the last dot. */
  readonly extensions: readonly string[];
  /** Interpreters whose name in a first line `#!…` makes a file without an extension one of this language. */
  readonly interpreters?: readonly string[];
  /**
   * A tree-sitter query. In each pattern `@name` is the name, and the capture of the whole definition is named by its
   * kind (`@function`). Two are special: `@scope` gives the names of what is in it and is no definition itself (Rust's impl),
   * `(ERROR …)` finds a name in code that is broken, whose whole is not known.
   * `@owner` is the text that stands before the name (Go's receiver). Where a name is found twice the earlier pattern holds.
   * `(ERROR …)` finds a name in broken code, where nothing else is known of it.
   */
  readonly definitions: string;
  /** Node types of a name where it is used. */
  readonly identifiers: readonly string[];
}
