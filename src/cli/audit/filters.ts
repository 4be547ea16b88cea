/** Selection of records and calls by the options that `audit log`, `report` and `export` share. */
import { posix } from "node:path";
import type { RecordFilter } from "../../audit/record-filter.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Values } from "../command.ts";
import type { AUDIT_FILTERS } from "../commands.ts";
import { readInstant } from "../instant.ts";

/** Throws CommandLineError for a time that is none. */
export function readFilter({ since, until, session, client }: Values<typeof AUDIT_FILTERS>): Omit<RecordFilter, "under"> {
  const sinceMs = readInstant("--since", since);
  const untilMs = readInstant("--until", until);
  return {
    ...(session === undefined ? {} : { session }),
    ...(client === undefined ? {} : { client }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(untilMs === undefined ? {} : { untilMs }),
  };
}

/** The filter with the path that was typed, from the root. */
export function withPath(filter: RecordFilter, workspace: Workspace, file: string | undefined): RecordFilter {
  if (file === undefined) return filter;
  const path = posix.normalize(workspace.fromRoot(file) ?? file).replace(/\/$/, "");
  return { ...filter, under: path === "." ? "" : path };
}

/** The filter as a sentence, to stand over what it selects; undefined where it selects everything. */
export function filterText({ under, session, client, sinceMs, untilMs }: RecordFilter): string | undefined {
  const at = (ms: number): string => new Date(ms).toISOString();
  const parts = [
    ...(sinceMs === undefined ? [] : [`since ${at(sinceMs)}`]),
    ...(untilMs === undefined ? [] : [`until ${at(untilMs)}`]),
    ...(session === undefined ? [] : [`session ${session}`]),
    ...(client === undefined ? [] : [`client ${client}`]),
    ...(under === undefined ? [] : [`file ${under === "" ? "." : under}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}
