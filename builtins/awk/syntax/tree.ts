/** A program as a tree. */
import type { Place } from "./source.ts";

export interface Program {
  readonly begin: readonly Block[];
  readonly end: readonly Block[];
  readonly beginFile: readonly Block[];
  readonly endFile: readonly Block[];
  readonly rules: readonly Rule[];
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly refusals: readonly Refusal[];
  /** Uses of commands. */
  readonly commands: readonly CommandUse[];
  /** Names (latin1) of files that getline reads, where the program spells them out. */
  readonly files: readonly string[];
}

/** `print | command`, `command | getline` or `system(command)`. */
export interface CommandUse {
  /** "system()", "print | \"sort\"" */
  readonly what: string;
  readonly place: Place;
  readonly command: Expression;
  /** The function that it stands in. */
  readonly within: string | undefined;
}

/** Something that would load or start what is not available here, or would write a file, which the policy may allow. */
export interface Refusal {
  readonly kind: "run" | "write" | "load";
  /** "system()", "print > \"x\"" */
  readonly what: string;
  readonly place: Place;
  /** The redirection in the text of its source, from the operator to the end of its target. */
  readonly at: number;
  readonly end: number;
  /** The file or command, where it is spelled out. */
  readonly literal: string | undefined;
  /** `>`, `>>`, `|&`, "@load" */
  readonly operator: string;
  /** What the program spells out of the name of the file that it writes. */
  readonly file?: { readonly name: string; readonly isPrefix: boolean };
}

export interface Rule {
  /** None: every record. Two: a range. */
  readonly patterns: readonly Expression[];
  /** Undefined: print the record. */
  readonly body: Block | undefined;
  readonly place: Place;
}

export interface FunctionDefinition {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: Block;
  readonly place: Place;
}

export interface Block {
  readonly kind: "block";
  readonly statements: readonly Statement[];
  readonly place: Place;
}

export type Statement = { readonly place: Place } & (
  | { readonly kind: "block"; readonly statements: readonly Statement[] }
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "print" | "printf"; readonly values: readonly Expression[]; readonly output: Output | undefined }
  | { readonly kind: "if"; readonly condition: Expression; readonly then: Statement; readonly otherwise: Statement | undefined }
  | { readonly kind: "while" | "do"; readonly condition: Expression; readonly body: Statement }
  | {
      readonly kind: "for";
      readonly first: Statement | undefined;
      readonly condition: Expression | undefined;
      readonly step: Statement | undefined;
      readonly body: Statement;
    }
  | { readonly kind: "for-in"; readonly variable: Target; readonly array: Expression; readonly body: Statement }
  | { readonly kind: "switch"; readonly value: Expression; readonly cases: readonly SwitchCase[] }
  | { readonly kind: "delete"; readonly array: Expression; readonly subscripts: readonly Expression[] }
  | { readonly kind: "exit" | "return"; readonly value: Expression | undefined }
  | { readonly kind: "break" | "continue" | "next" | "nextfile" | "empty" }
);

export interface SwitchCase {
  /** Undefined for `default`. */
  readonly value: Expression | undefined;
  readonly body: readonly Statement[];
}

/** Destination of a print: "none" if the output is refused or thrown away. */
export type Output =
  | "stdout"
  | "stderr"
  | "none"
  | { readonly to: "command"; readonly name: Expression }
  | { readonly to: "file"; readonly name: Expression; readonly operator: ">" | ">>" };

export type Target = Extract<Expression, { kind: "name" | "element" | "field" }>;

export type AssignOperator = "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "^=";
export type Comparison = "<" | "<=" | "==" | "!=" | ">" | ">=";
export type Arithmetic = "+" | "-" | "*" | "/" | "%" | "^";

export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "regex"; readonly source: string; readonly place: Place }
  | { readonly kind: "typed-regex"; readonly source: string }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "element"; readonly array: Expression; readonly subscripts: readonly Expression[] }
  | { readonly kind: "field"; readonly index: Expression }
  | { readonly kind: "group"; readonly inner: Expression }
  | { readonly kind: "minus" | "plus" | "not"; readonly operand: Expression }
  | {
      readonly kind: "arithmetic";
      readonly operator: Arithmetic;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "compare"; readonly operator: Comparison; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "concatenation"; readonly parts: readonly Expression[] }
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "match"; readonly negated: boolean; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "in"; readonly subscripts: readonly Expression[]; readonly array: Expression }
  | { readonly kind: "conditional"; readonly condition: Expression; readonly then: Expression; readonly otherwise: Expression }
  | {
      readonly kind: "assign";
      readonly operator: AssignOperator;
      readonly target: Target;
      readonly value: Expression;
    }
  | {
      readonly kind: "increment";
      readonly by: 1 | -1;
      readonly isPrefix: boolean;
      readonly target: Target;
    }
  /** `shown`: the name in messages, with the namespace where it was typed. */
  | { readonly kind: "call"; readonly name: string; readonly shown: string; readonly values: readonly Expression[] }
  | { readonly kind: "indirect"; readonly name: Expression; readonly values: readonly Expression[] }
  | { readonly kind: "builtin"; readonly name: string; readonly values: readonly Expression[] }
  | { readonly kind: "getline"; readonly target: Target | undefined; readonly file: Expression | undefined }
  | { readonly kind: "command-getline"; readonly command: Expression; readonly target: Target | undefined }
  /** A value that was worked out before the rest of its statement, at this index of the frame. */
  | { readonly kind: "held"; readonly index: number };
