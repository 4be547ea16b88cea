/** Preview of a line's writes, shown to a human before they agree to them; nothing is written. */
import { createHash, type Hash } from "node:crypto";
import type { Recorder, WriteMode, WriteReceipt } from "../builtin/recorder.ts";
import { unifiedDiff } from "../compare/unified-diff.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { CommitTarget } from "./change.ts";
import { digestAfter, modeOf } from "./desired-entry.ts";
import type { EditTarget, GivenContent } from "./desired-entry.ts";
import { entryAt } from "./entry-state.ts";
import { directoryOf, nameOf } from "./paths.ts";
import { fileDigest } from "./file-digest.ts";
import { createRecorder, type RecordContext } from "./recorder.ts";
import type { Spool } from "./spool.ts";

/** One file that would be written. */
export interface WritePreview {
  /** Canonical, relative to the root. */
  readonly path: string;
  readonly created: boolean;
  readonly appends: boolean;
  /** Length of the content given to be written (for an append, of what is added); `sha256` is its hash. */
  readonly bytes: number;
  readonly sha256: string;
  /** SHA-256 of the file as it is now; null: there is no file. */
  readonly before: string | null;
  /** SHA-256 of the file as it will be; null: there will be none. */
  readonly after: string | null;
  /** Given for a change that writes no file. */
  readonly change?: "removed" | "made a directory" | "made a symbolic link" | "touched";
  /**
   * Unified diff, cut after `MOST_DIFF_BYTES` UTF-16 code units with a note of how many more there are; "(too large to
   * compare)" above `MOST_COMPARED_BYTES`.
   */
  readonly diff: string;
}

const MOST_DIFF_BYTES = 8_000;
const MOST_COMPARED_BYTES = 4 << 20;

/** A recorder that writes nothing and adds a preview of each write to `previews`. */
export function createPreviewRecorder(
  workspace: Workspace,
  context: RecordContext,
): { readonly recorder: Recorder; readonly previews: WritePreview[] } {
  const previews: WritePreview[] = [];
  const recorder = createRecorder(workspace, {
    ...context,
    commit(writer, mode, targets, content) {
      for (const target of targets) previews.push(previewOf(writer, mode, target, content));
      return targets.map((target) => receiptOf(mode, target, content));
    },
    commitEdits(writer, targets) {
      for (const target of targets) previews.push(editPreview(writer, target));
      return targets.map(editReceipt);
    },
  });
  return { recorder, previews };
}

/** Preview of the change of one name. */
export function editPreview(writer: WorkspaceWriter, { canonical, desired }: Pick<EditTarget, "canonical" | "desired">): WritePreview {
  if (desired.kind === "file" && desired.appends === true) {
    const { status } = writer.target(canonical);
    return previewOf(writer, "append", { canonical, status }, desired.content);
  }
  const old = entryAt(writer, canonical);
  const content = desired.kind === "file" || desired.kind === "symlink" ? desired.content : undefined;
  const { bytes, sha256 } = content?.digest ?? NO_CONTENT;
  const given =
    desired.kind === "file" && content !== undefined && bytes <= MOST_COMPARED_BYTES ? Buffer.concat([...content.blocks()]) : undefined;
  const isText = desired.kind === "file" || desired.kind === "nothing";
  const was = isText && old?.kind === "file" ? contentOf(writer, canonical, undefined).old : Buffer.alloc(0);
  const isComparable = was !== undefined && (desired.kind !== "file" || given !== undefined);
  const change = CHANGES[desired.kind];
  return {
    path: canonical,
    created: old === undefined,
    appends: false,
    bytes,
    sha256,
    before: old?.digest?.sha256 ?? null,
    after: digestAfter(desired, old),
    diff: !isText
      ? ""
      : isComparable
        ? shortened(unifiedDiff(was, given ?? Buffer.alloc(0), [canonical, canonical]).toString("utf8"))
        : TOO_LARGE,
    ...(change === undefined ? {} : { change }),
  };
}

const NO_CONTENT = { bytes: 0, sha256: createHash("sha256").digest("hex") };
const CHANGES = {
  nothing: "removed",
  directory: "made a directory",
  symlink: "made a symbolic link",
  same: "touched",
  file: undefined,
} as const;

function editReceipt({ canonical, status, desired, typed }: EditTarget): WriteReceipt {
  const kind = status?.kind === "file" || status?.kind === "directory" || status?.kind === "symlink" ? status.kind : undefined;
  return {
    path: canonical,
    mirror: "",
    mode: modeOf(kind, desired.kind, typed),
    bytes: desired.kind === "file" || desired.kind === "symlink" ? desired.content.digest.bytes : 0,
    recordId: "",
    created: status === undefined,
    previous: null,
    permittedBy: null,
  };
}

function previewOf(
  writer: WorkspaceWriter,
  mode: WriteMode,
  { canonical, status }: Pick<CommitTarget, "canonical" | "status">,
  content: GivenContent,
): WritePreview {
  const { bytes, sha256 } = content.digest;
  const appends = mode === "append";
  const after = createHash("sha256");
  const { before, old } = status === undefined ? NOTHING : contentOf(writer, canonical, appends ? after : undefined);
  for (const block of content.blocks()) after.update(block);
  const diff = diffOf(old, canonical, appends, content);
  return { path: canonical, created: status === undefined, appends, bytes, sha256, before, after: after.digest("hex"), diff };
}

function diffOf(old: Buffer | undefined, path: string, appends: boolean, content: GivenContent): string {
  if (old === undefined || content.digest.bytes > MOST_COMPARED_BYTES) return TOO_LARGE;
  const given = Buffer.concat([...content.blocks()]);
  return diffOfWrite(old, appends ? Buffer.concat([old, given]) : given, path);
}

function diffOfWrite(old: Buffer | undefined, now: Buffer, path: string): string {
  if ((old?.length ?? 0) > MOST_COMPARED_BYTES || now.length > MOST_COMPARED_BYTES) return TOO_LARGE;
  return shortened(unifiedDiff(old ?? Buffer.alloc(0), now, [path, path]).toString("utf8"));
}

const TOO_LARGE = "(too large to compare)";

function shortened(text: string): string {
  return text.length > MOST_DIFF_BYTES
    ? `${text.slice(0, MOST_DIFF_BYTES).replace(/[\uD800-\uDBFF]$/, "")}\n… (${text.length - MOST_DIFF_BYTES} more characters)`
    : text;
}

interface OldContent {
  /** SHA-256 of the file; null: there is no file. */
  readonly before: string | null;
  /** The file's bytes; undefined where they are too many to compare. */
  readonly old: Buffer | undefined;
}

const NOTHING: OldContent = { before: null, old: Buffer.alloc(0) };

/** Hash and bytes of the file as it is now; the bytes are also added to the hash `also`. */
function contentOf(writer: WorkspaceWriter, path: string, also: Hash | undefined): OldContent {
  const directory = writer.directory(directoryOf(path));
  try {
    const file = directory.open(nameOf(path));
    if (file === undefined) return NOTHING;
    try {
      if (also !== undefined) for (const block of file.blocks(0, file.size)) also.update(block);
      return { before: fileDigest(file).sha256, old: file.size > MOST_COMPARED_BYTES ? undefined : file.bytes(0, file.size) };
    } finally {
      file.close();
    }
  } finally {
    directory.close();
  }
}

function receiptOf(mode: WriteMode, { canonical, status }: CommitTarget, content: Spool): WriteReceipt {
  const written = mode === "append" ? "append" : "overwrite";
  return {
    path: canonical,
    mirror: "",
    mode: written,
    bytes: content.size,
    recordId: "",
    created: status === undefined,
    previous: null,
    permittedBy: null,
  };
}
