/** Thrown for a pattern that cannot be used; the message is that of glibc's regcomp(3) or of the tool that reads it. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

/** Messages of regerror(3). */
export const REGEX_ERRORS = {
  parenthesis: "Unmatched ( or \\(",
  closing: "Unmatched ) or \\)",
  bracket: "Unmatched [, [^, [:, [., or [=",
  brace: "Unmatched \\{",
  braceContent: "Invalid content of \\{\\}",
  range: "Invalid range end",
  className: "Invalid character class name",
  collation: "Invalid collation character",
  backslash: "Trailing backslash",
  backReference: "Invalid back reference",
  preceding: "Invalid preceding regular expression",
  tooBig: "Regular expression too big",
  invalid: "Invalid regular expression",
} as const;
