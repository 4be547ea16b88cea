/** The functions of the language, with how many arguments each may have. */

export interface FunctionShape {
  readonly min: number;
  readonly max: number;
  /** Indices of arguments that are arrays. */
  readonly arrays?: readonly number[];
  /** Index of the argument that may be a regular expression. */
  readonly regex?: readonly number[];
  /** Index of an argument that is assigned to. */
  readonly target?: number;
}

export const BUILTIN_FUNCTIONS: ReadonlyMap<string, FunctionShape> = new Map<string, FunctionShape>([
  ["and", { min: 2, max: Infinity }],
  ["asort", { min: 1, max: 3, arrays: [0, 1] }],
  ["asorti", { min: 1, max: 3, arrays: [0, 1] }],
  ["atan2", { min: 2, max: 2 }],
  ["bindtextdomain", { min: 1, max: 2 }],
  ["close", { min: 1, max: 2 }],
  ["compl", { min: 1, max: 1 }],
  ["cos", { min: 1, max: 1 }],
  ["dcgettext", { min: 1, max: 3 }],
  ["dcngettext", { min: 1, max: 5 }],
  ["exp", { min: 1, max: 1 }],
  ["fflush", { min: 0, max: 1 }],
  ["gensub", { min: 3, max: 4, regex: [0] }],
  ["gsub", { min: 2, max: 3, regex: [0], target: 2 }],
  ["index", { min: 2, max: 2 }],
  ["int", { min: 1, max: 1 }],
  ["isarray", { min: 1, max: 1 }],
  ["length", { min: 0, max: 1 }],
  ["log", { min: 1, max: 1 }],
  ["lshift", { min: 2, max: 2 }],
  ["match", { min: 2, max: 3, regex: [1], arrays: [2] }],
  ["mkbool", { min: 1, max: 1 }],
  ["mktime", { min: 1, max: 2 }],
  ["or", { min: 2, max: Infinity }],
  ["patsplit", { min: 2, max: 4, arrays: [1, 3], regex: [2] }],
  ["rand", { min: 0, max: 0 }],
  ["rshift", { min: 2, max: 2 }],
  ["sin", { min: 1, max: 1 }],
  ["split", { min: 2, max: 4, arrays: [1, 3], regex: [2] }],
  ["sprintf", { min: 1, max: Infinity }],
  ["sqrt", { min: 1, max: 1 }],
  ["srand", { min: 0, max: 1 }],
  ["strftime", { min: 0, max: 3 }],
  ["strtonum", { min: 1, max: 1 }],
  ["sub", { min: 2, max: 3, regex: [0], target: 2 }],
  ["substr", { min: 2, max: 3 }],
  ["system", { min: 1, max: 1 }],
  ["systime", { min: 0, max: 0 }],
  ["tolower", { min: 1, max: 1 }],
  ["toupper", { min: 1, max: 1 }],
  ["typeof", { min: 1, max: 2, arrays: [1] }],
  ["xor", { min: 2, max: Infinity }],
]);
