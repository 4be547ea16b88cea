/** Resolves names of an awk program: parameters of the function at hand, or global variables. */
import type { Code } from "./closures.ts";
import type { Commands } from "../run/commands.ts";
import type { Runtime } from "../run/runtime.ts";
import type { FunctionDefinition, Program } from "../syntax/tree.ts";

/** A function of the program, compiled when all of them are known by name. */
export interface FunctionSlot {
  readonly definition: FunctionDefinition;
  code: Code | undefined;
}

export interface Scope {
  /** Undefined where the program has no commands. */
  readonly commands: Commands | undefined;
  readonly runtime: Runtime;
  readonly program: Program;
  readonly functions: ReadonlyMap<string, FunctionSlot>;
  /** Parameters of the function that is compiled: name → index in the frame. */
  parameters: ReadonlyMap<string, number>;
  /** Set where something in the program can only wait for standard input by having read all of it before. */
  needsWholeInput: boolean;
}

/** Variables that the program may assign and whose change has effects, or whose value is not in their slot. */
export const LIVE_VARIABLES: ReadonlySet<string> = new Set([
  "NF",
  "NR",
  "FNR",
  "CONVFMT",
  "OFMT",
  "OFS",
  "ORS",
  "SUBSEP",
  "IGNORECASE",
  "FS",
  "FPAT",
  "FIELDWIDTHS",
  "RS",
]);
