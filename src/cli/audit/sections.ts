/** What a report of the audit can tell of, in the order it does by default. */
export const SECTIONS = ["writes", "refusals", "limits", "integrity", "config"] as const;
export type ReportSection = (typeof SECTIONS)[number];
