/** Completions of an argument that a user is typing (`completion/complete`). */

/** The result of `completion/complete`. */
export interface Completions {
  readonly values: string[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** Most values of one answer, by the protocol. */
const MOST_VALUES = 100;

/** Returns the candidates that begin with the typed text, in their order. */
export function beginningWith(typed: string, candidates: readonly string[]): Completions {
  const found = candidates.filter((candidate) => candidate.startsWith(typed));
  return { values: found.slice(0, MOST_VALUES), total: found.length, hasMore: found.length > MOST_VALUES };
}
