/** Reasons that a line may only read in a workspace that is open for writing. */

/**
 * The tool that the line came to only reads, and that of this name takes the lines that write; or the caller, of this name, has no right
 * to write; or the server takes no writes now, for a reason that is a sentence without its full stop. Plain data.
 */
export type ReadsOnly = { readonly writingTool: string } | { readonly caller: string } | { readonly because: string };

interface Reading {
  readonly readsOnly?: ReadsOnly | undefined;
}

/** The tool that takes the lines that write, where it is another one. */
export const writingToolOf = ({ readsOnly }: Reading): string | undefined =>
  readsOnly !== undefined && "writingTool" in readsOnly ? readsOnly.writingTool : undefined;

/** Clause of a refusal that says why a line may only read; without a reason of its own, the workspace is open for no other. */
export function whyReadOnly({ readsOnly }: Reading): string {
  if (readsOnly === undefined) return "the workspace is open for reading only.";
  if ("because" in readsOnly) return `${readsOnly.because}.`;
  if ("caller" in readsOnly) return `the caller '${readsOnly.caller}' may only read.`;
  return `this tool only reads; ${takesTheLine(readsOnly.writingTool)}`;
}

/** End of that clause, where another tool writes. */
export const takesTheLine = (writingTool: string): string => `${writingTool} takes the same line.`;
