/** Filters of the viewer as they stand in an address, and the entries that pass them. */
import { isAt, isFrom, type RecordFilter } from "../../audit/record-filter.ts";
import { CommandLineError } from "../command-line-error.ts";
import { readInstant } from "../instant.ts";
import type { Entry } from "./entries.ts";
import { Rejected } from "./rejected.ts";

/** Every member that is there must hold. */
export interface Selection extends RecordFilter {
  /** "call": every call that wrote nothing; "refused": of these, those that were refused. */
  readonly kind?: Kind;
  /** Change of a write or outcome of a call. */
  readonly change?: string;
  /** "nobody": no approval was needed. */
  readonly approved?: string;
  /** Writes of one command line. */
  readonly call?: string;
  /** Text in the path, the command line, the change, the reason, the client, the session or the approval; in lower case. */
  readonly text?: string;
}

const KINDS = ["write", "call", "refused"] as const;
type Kind = (typeof KINDS)[number];

/** Throws Rejected for a value that is none. */
export function readSelection(parameters: URLSearchParams): Selection {
  const given = (name: string): string | undefined => parameters.get(name) || undefined;
  const kind = given("kind");
  const known = KINDS.find((name) => name === kind);
  if (kind !== undefined && known === undefined) throw new Rejected(400, `kind is one of ${KINDS.join(", ")}`);
  const under = given("under")?.replace(/^(?:\.?\/)+|\/+$/g, "");
  const selection = {
    kind: known,
    path: given("path"),
    under: under === "." ? "" : under,
    session: given("session"),
    client: given("client"),
    sinceMs: instant("since", given("since")),
    untilMs: instant("until", given("until")),
    change: given("change"),
    approved: given("approved"),
    call: given("call"),
    text: given("text")?.toLowerCase(),
  };
  return Object.fromEntries(Object.entries(selection).filter(([, value]) => value !== undefined));
}

export function isSelected(entry: Entry, selection: Selection): boolean {
  const { kind, change, approved, call, text } = selection;
  if (kind !== undefined && !(kind === "refused" ? entry.change === "refused" && entry.kind === "call" : entry.kind === kind)) return false;
  if (call !== undefined && entry.call !== call) return false;
  if (change !== undefined && entry.change !== change) return false;
  if (approved !== undefined && (entry.approvedBy ?? "nobody") !== approved) return false;
  // A call is at no path.
  if ((selection.path !== undefined || selection.under !== undefined) && (entry.kind === "call" || !isAt(entry.path, selection)))
    return false;
  return isFrom(entry, selection) && (text === undefined || textOf(entry).toLowerCase().includes(text));
}

const textOf = ({ path, command, change, author, client, session, approval, ending, key }: Entry): string =>
  [path, command, change, ending?.reason ?? "", author, client, session, approval, key].join("\n");

function instant(name: string, text: string | undefined): number | undefined {
  try {
    return readInstant(name, text);
  } catch (thrown) {
    if (thrown instanceof CommandLineError) throw new Rejected(400, thrown.message);
    throw thrown;
  }
}
