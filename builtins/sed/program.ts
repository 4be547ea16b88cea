/** A sed script after parsing: commands in a flat list, jumps as indexes into it. */
import type { BufferSearch } from "../../src/search/buffer-search.ts";

export interface Program {
  readonly commands: readonly Command[];
  /** The script begins with `#n`: as -n. */
  readonly quiet: boolean;
  /** Actions of the script that are refused here, and those that write files, which the policy may allow. */
  readonly refusals: readonly Refusal[];
}

export interface Refusal {
  readonly kind: "write" | "run";
  /** The file, or the command. */
  readonly what: string;
  /** Position of `w FILE` or `e` in its chunk of the script, and the number of that chunk (from 0). */
  readonly chunk: number;
  readonly start: number;
  readonly end: number;
}

export interface Command {
  readonly first: Address | undefined;
  readonly second: RangeEnd | undefined;
  readonly negated: boolean;
  readonly action: Action;
}

/** A regular expression of the script; undefined is the empty one, which stands for the last one used. */
export type Pattern = BufferSearch | undefined;

export type Address =
  | { readonly kind: "line"; readonly line: number }
  /** `first~step`; `0,/re/` has line 0. */
  | { readonly kind: "step"; readonly line: number; readonly step: number }
  | { readonly kind: "last" }
  | { readonly kind: "pattern"; readonly pattern: Pattern };

export type RangeEnd =
  | Exclude<Address, { readonly kind: "step" }>
  /** `addr,+N` */
  | { readonly kind: "more"; readonly lines: number }
  /** `addr,~N` */
  | { readonly kind: "multiple"; readonly of: number };

export type Action =
  /** A block: if its addresses do not select the line, the commands up to `end` (a block-end) are skipped. */
  | { readonly kind: "block"; end: number }
  | { readonly kind: "block-end" | "label" }
  | { readonly kind: "jump"; readonly when: "always" | "replaced" | "not-replaced"; readonly label: string; target: number }
  | { readonly kind: "append" | "insert" | "change"; text: Buffer }
  | { readonly kind: "letter"; readonly letter: Letter }
  | { readonly kind: "list"; readonly width: number | undefined }
  | { readonly kind: "quit"; readonly prints: boolean; readonly status: number }
  | { readonly kind: "read"; readonly path: string; readonly byLine: boolean }
  | { readonly kind: "write"; readonly to: Channel; readonly firstLineOnly: boolean }
  | { readonly kind: "translate"; readonly translation: Translation }
  | { readonly kind: "substitute"; readonly substitution: Substitution };

/** Commands without arguments. */
export type Letter = "=" | "d" | "D" | "F" | "g" | "G" | "h" | "H" | "n" | "N" | "p" | "P" | "x" | "z";

/** Target of `w`. */
export type Channel = "stdout" | "stderr" | { readonly file: string };

export interface Substitution {
  readonly pattern: Pattern;
  readonly replacement: readonly ReplacementPart[];
  readonly isGlobal: boolean;
  /** Replaces from this match on, counted from 1. */
  readonly occurrence: number;
  /** Number of times that the result is printed. */
  readonly prints: boolean;
  readonly writesTo: Channel | undefined;
  /** True if the places of groups are needed. */
  readonly usesGroups: boolean;
}

export type ReplacementPart =
  | { readonly kind: "text"; readonly text: Buffer }
  /** 0 is the whole match. */
  | { readonly kind: "group"; readonly index: number }
  | { readonly kind: "case"; readonly change: CaseChange };

/** `\U \L \E` and, for the next character alone, `\u \l`. */
export type CaseChange = "U" | "L" | "E" | "u" | "l";

/** `y`: byte for byte where all characters are ASCII, else character for character. */
export interface Translation {
  readonly bytes: Uint8Array | undefined;
  readonly characters: ReadonlyMap<string, Buffer>;
}
