/** Rights of a caller: `read` runs lines that only read, `write` those that write, `approve` answers questions to a human, `metrics` reads /metrics. */
export const RIGHTS = ["read", "write", "approve", "metrics"] as const;
export type Right = (typeof RIGHTS)[number];
