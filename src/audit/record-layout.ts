/** Layout of one change's record: its lines in the journal, and its separators and offsets in the mirror. */
import { createHash } from "node:crypto";
import type { WritableFile } from "../workspace/write/write-file.ts";
import { callerFields } from "./caller.ts";
import type { CommitContext } from "./commit.ts";
import type { Undone } from "./desired-entry.ts";
import type { ChangeMode, Digest, EntryState, IntentLine, Permission, PreimageLine } from "./journal-lines.ts";
import type { LastWritten } from "./journal.ts";
import { lineEnd, separator } from "./mirror.ts";

/** Ids of the next line, from the journal. */
export type NextIds = () => { readonly id: string; readonly ts: string; readonly transaction: string; readonly call: string };

/** Facts of the change that is to be recorded. */
export interface RecordedChange {
  /** Canonical path. */
  readonly path: string;
  readonly mode: ChangeMode;
  /** Digest of the bytes given. */
  readonly content: Digest;
  readonly before: (Digest & { readonly endsInNewline: () => boolean }) | undefined;
  readonly after: Digest | null;
  readonly temporary: string;
  readonly backup: string;
  readonly permittedBy: Permission | null;
  readonly undoes?: Undone | undefined;
  /** Number of changes of the transaction. */
  readonly targets: number;
  /** An edit's. */
  readonly states?: { readonly old: EntryState | null; readonly new: EntryState | null };
}

export interface RecordLayout {
  readonly preimage: Omit<PreimageLine, "prev"> | undefined;
  readonly intent: Omit<IntentLine, "prev">;
  /** Separators in the mirror before each record's content: the pre-image's, if there is one, and the change's. */
  readonly heads: readonly string[];
}

/** `mirror`: undefined where there is none yet. `last`: the last write to this path that the journal has. */
export function recordLayout(
  change: RecordedChange,
  mirror: WritableFile | undefined,
  mirrorPath: string,
  last: LastWritten | undefined,
  next: NextIds,
  context: CommitContext,
): RecordLayout {
  const { path, mode, before, after, states } = change;
  const isOurs = before !== undefined && isDigest(last?.outcome.after, before);
  // An append keeps no bytes but its own; those that it follows are looked at when they are to go.
  const isHeld = isOurs && last?.outcome.whole === true && (mode === "append" || mirrorHolds(mirror, last, before));
  const heads: string[] = [];
  let at = mirror?.size ?? 0;
  let unended = mirror !== undefined && lineEnd(mirror) !== "";
  const place = (kind: "preimage" | ChangeMode, id: string, content: Digest) => {
    // A separator stands on its own line. An append has none: what it adds follows what was there.
    const lead = unended && kind !== "append" ? "\n" : "";
    const line = kind === "append" ? "" : separator(separatorOf(kind), id);
    heads.push(lead + line);
    const offset = at + lead.length;
    const content_offset = offset + line.length;
    at = content_offset + content.bytes;
    return { path, mirror: mirrorPath, offset, content_offset, content };
  };
  let preimage: RecordLayout["preimage"];
  if (mode !== "append" && before !== undefined && !isHeld) {
    const { id, ts, transaction } = next();
    const old = states === undefined || states.old === null ? {} : { old: states.old };
    preimage = { kind: "preimage", id, ts, transaction, ...place("preimage", id, digestOf(before)), ...old };
    unended = before.bytes > 0 && !before.endsInNewline();
  }
  const ids = next();
  const intent = {
    ...intentOf(change, ids, context),
    ...place(mode, ids.id, change.content),
    before: before === undefined ? null : digestOf(before),
    after,
    whole: mode !== "append" || before === undefined || isHeld,
    previous: preimage?.id ?? (isOurs ? (last?.outcome.record_id ?? null) : null),
  };
  return { preimage, intent, heads };
}

/** The intent of a change that moves no bytes: it has no place in a mirror. */
export function intentWithoutContent(
  change: RecordedChange,
  mirrorPath: string,
  next: NextIds,
  context: CommitContext,
): Omit<IntentLine, "prev"> {
  return {
    ...intentOf(change, next(), context),
    path: change.path,
    mirror: mirrorPath,
    offset: 0,
    content_offset: 0,
    content: change.content,
    before: null,
    after: null,
    whole: true,
    previous: null,
  };
}

/** True if the mirror's bytes are those that `last` says: a repository can bring a journal and mirrors that say anything. */
export function mirrorHolds(mirror: WritableFile | undefined, { records }: LastWritten, { bytes, sha256 }: Digest): boolean {
  if (mirror === undefined || records.length === 0 || records.reduce((sum, { content }) => sum + content.bytes, 0) !== bytes) return false;
  const hash = createHash("sha256");
  for (const { content_offset: from, content } of records.toReversed()) {
    for (const block of mirror.blocks(from, from + content.bytes)) hash.update(block);
  }
  return hash.digest("hex") === sha256;
}

const isDigest = (a: Digest | null | undefined, b: Digest): boolean => a?.sha256 === b.sha256 && a.bytes === b.bytes;

/** Command lines that are repeated in each record of a transaction, in characters. */
const MOST_REPEATED = 1024;

/** The lines of a transaction with its command line, if it is a long one, in the first intent alone. */
export function withOneCommand(lines: readonly RecordLine[]): readonly RecordLine[] {
  const first = lines.find((line) => line.kind === "intent");
  if (first === undefined || first.command.length + (first.ran?.length ?? 0) <= MOST_REPEATED) return lines;
  return lines.map((line) => {
    if (line.kind !== "intent" || line === first) return line;
    const { ran: _ran, ...rest } = line;
    return { ...rest, command: "", command_of: first.id };
  });
}

/** The line of a record before it is chained. */
type RecordLine = Omit<PreimageLine, "prev"> | Omit<IntentLine, "prev">;

const digestOf = ({ bytes, sha256 }: Digest): Digest => ({ bytes, sha256 });

function separatorOf(kind: "preimage" | ChangeMode): "preimage" | "overwrite" | "removed" | "link" {
  return kind === "preimage" || kind === "link" ? kind : kind === "remove" ? "removed" : "overwrite";
}

function intentOf(change: RecordedChange, ids: ReturnType<NextIds>, context: CommitContext) {
  const { expandedLine = context.line } = context;
  return {
    kind: "intent" as const,
    ...ids,
    targets: change.targets,
    mode: change.mode,
    ...change.states,
    temporary: change.temporary,
    backup: change.backup,
    session: context.session,
    client: context.client,
    ...callerFields(context.caller),
    command: context.line,
    ...(expandedLine === context.line ? {} : { ran: expandedLine }),
    ...undoneFields(change.undoes),
    permitted_by: change.permittedBy,
  };
}

const undoneFields = (undone: Undone | undefined): Pick<IntentLine, "undoes" | "undoes_call"> => ({
  ...(undone === undefined ? {} : { undoes: undone.record }),
  ...(undone?.call === undefined ? {} : { undoes_call: undone.call }),
});
