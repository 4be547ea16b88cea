/** Rights of a caller: `read` runs lines that only read, `write` those that write, `approve` answers questions to a human, `metrics` reads /metrics. */
export const RIGHTS = ["read", "write", "approve", "metrics"] as const;
export type Right = (typeof RIGHTS)[number];

/** Those that a caller may have in one workspace and not in another. */
export const WORKSPACE_RIGHTS = ["read", "write", "approve"] as const satisfies readonly Right[];
