/** Sections of an audit report, in their default order. */
export const SECTIONS = ["writes", "approvals", "refusals", "limits", "integrity", "config"] as const;
export type ReportSection = (typeof SECTIONS)[number];
