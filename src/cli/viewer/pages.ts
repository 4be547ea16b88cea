/** Selected entries as pages of rows, newest first, and as counts. */
import type { Entry } from "./entries.ts";
import { isSelected, type Selection } from "./selection.ts";

/** An entry, or the writes that a command line made one after the other. */
export type Row = Entry | Group;

export interface Group {
  readonly kind: "group";
  /** That of its first write, behind a prefix: later ones are added to the same group. */
  readonly key: string;
  /** Time of its last write. */
  readonly ts: string;
  readonly call: string;
  readonly command: string;
  readonly author: string;
  readonly approval: string;
  readonly count: number;
  /** Some of its paths. */
  readonly paths: readonly string[];
  readonly change: string;
}

export interface Page {
  /** Number of entries that are selected, on all pages. */
  readonly matched: number;
  readonly rows: readonly Row[];
  /** Number of entries, from the oldest, that the next page is of; null where this is the last page. */
  readonly next: number | null;
}

const PAGE_ROWS = 100;
const SHOWN_PATHS = 3;

/** The page of the first `before` of `entries` (all where it is undefined). */
export function pageOf(entries: readonly Entry[], selection: Selection, isGrouped: boolean, before = entries.length): Page {
  const rows: (Entry | Entry[])[] = [];
  let matched = 0;
  let next: number | null = null;
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    if (entry === undefined || !isSelected(entry, selection)) continue;
    matched++;
    if (at >= before || next !== null) continue;
    const last = rows.at(-1);
    const writes = Array.isArray(last) ? last : undefined;
    if (isGrouped && entry.kind === "write" && writes?.[0]?.call === entry.call) writes.push(entry);
    else if (rows.length === PAGE_ROWS) next = at + 1;
    else rows.push(isGrouped && entry.kind === "write" ? [entry] : entry);
  }
  return { matched, next, rows: rows.map((row) => (Array.isArray(row) ? groupOf(row) : row)) };
}

/** `writes`, newest first. */
function groupOf(writes: readonly Entry[]): Row {
  const [newest] = writes;
  const oldest = writes.at(-1);
  if (newest === undefined || oldest === undefined) throw new Error("a group has writes");
  if (writes.length === 1) return newest;
  const changes = new Set(writes.map(({ change }) => change));
  return {
    kind: "group",
    key: `group-${oldest.key}`,
    ts: newest.ts,
    call: newest.call,
    command: newest.command,
    author: newest.author,
    approval: newest.approval,
    count: writes.length,
    paths: [...new Set(writes.slice(0, 50).map(({ path }) => path))].slice(0, SHOWN_PATHS),
    change: changes.size === 1 ? newest.change : `${changes.size} kinds of change`,
  };
}

/** A value that entries have, and how many have it. */
export interface Count {
  readonly value: string;
  readonly count: number;
}

const MOST_VALUES = 200;

/** Values to choose from. */
export interface Facet {
  readonly values: readonly Count[];
  /** Number of values that are left out. */
  readonly more: number;
}

export type Facets = Readonly<Record<"client" | "session" | "change", Facet>>;

/** Clients, sessions and changes of the entries that were made in the time of `selection`, of each the 200 that were there last. */
export function facetsOf(entries: readonly Entry[], { sinceMs = -Infinity, untilMs = Infinity }: Selection): Facets {
  const newestFirst = entries.filter((entry) => isSelected(entry, { sinceMs, untilMs })).reverse();
  return {
    client: facet(newestFirst.map(({ client, clientName }) => clientName ?? client)),
    session: facet(newestFirst.map(({ session }) => session)),
    change: facet(newestFirst.map(({ change }) => change)),
  };
}

function facet(values: readonly string[]): Facet {
  const all = counted(values);
  return { values: all.slice(0, MOST_VALUES), more: Math.max(0, all.length - MOST_VALUES) };
}

export interface Overview {
  readonly writes: number;
  readonly files: number;
  readonly calls: number;
  readonly refused: number;
  /** Most frequent first. */
  readonly reasons: readonly Count[];
  readonly clients: readonly Count[];
}

export function overviewOf(entries: readonly Entry[], selection: Selection): Overview {
  const selected = entries.filter((entry) => isSelected(entry, selection));
  const writes = selected.filter(({ kind }) => kind === "write");
  const refused = selected.filter(({ kind, change }) => kind === "call" && change === "refused");
  return {
    writes: writes.length,
    files: new Set(writes.map(({ path }) => path)).size,
    calls: selected.length - writes.length,
    refused: refused.length,
    reasons: byCount(counted(refused.map(({ ending }) => ending?.reason ?? ""))),
    clients: byCount(counted(selected.map(({ author }) => author))),
  };
}

const byCount = (counts: readonly Count[]): readonly Count[] => counts.toSorted((a, b) => b.count - a.count).slice(0, MOST_VALUES);

function counted(values: readonly string[]): readonly Count[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Array.from(counts, ([value, count]) => ({ value, count }));
}
