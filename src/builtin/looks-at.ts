/**
 * The files whose being there a builtin's output may tell of. "nothing": none of the working tree; "named": those that it is given;
 * "below": these, and what is below the directories among them (below the current one, where none is given).
 */
export type LooksAt = "nothing" | "named" | "below";
