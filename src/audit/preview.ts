/** Preview of a line's writes, shown to a human before they agree to them; nothing is written. */
import { createHash, type Hash } from "node:crypto";
import type { Recorder, WriteReceipt } from "../builtin/recorder.ts";
import { unifiedDiff } from "../compare/unified-diff.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { CommitTarget } from "./change.ts";
import { directoryOf, nameOf } from "./paths.ts";
import { fileDigest } from "./file-digest.ts";
import { createRecorder, type RecordContext } from "./recorder.ts";
import type { ChangeMode } from "./journal-lines.ts";
import type { Spool } from "./spool.ts";

/** One file that would be written. */
export interface WritePreview {
  /** Canonical, relative to the root. */
  readonly path: string;
  readonly created: boolean;
  readonly appends: boolean;
  /** True if the file would be removed. */
  readonly removes?: boolean;
  /** Length of the content given to be written (for an append, of what is added); `sha256` is its hash. */
  readonly bytes: number;
  readonly sha256: string;
  /** SHA-256 of the file as it is now; null: there is no file. */
  readonly before: string | null;
  /** SHA-256 of the file as it will be; null: there will be none. */
  readonly after: string | null;
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
  });
  return { recorder, previews };
}

function previewOf(writer: WorkspaceWriter, mode: ChangeMode, { canonical, status }: CommitTarget, content: Spool): WritePreview {
  const { bytes, sha256 } = content.digest();
  const appends = mode === "append";
  const after = createHash("sha256");
  const { before, old } = status === undefined ? NOTHING : contentOf(writer, canonical, appends ? after : undefined);
  for (const block of content.blocks()) after.update(block);
  const diff = diffOf(old, canonical, appends, content);
  return { path: canonical, created: status === undefined, appends, bytes, sha256, before, after: after.digest("hex"), diff };
}

function diffOf(old: Buffer | undefined, path: string, appends: boolean, content: Spool): string {
  if (old === undefined || content.size > MOST_COMPARED_BYTES) return "(too large to compare)";
  const given = Buffer.concat([...content.blocks()]);
  return diffOfWrite(old, appends ? Buffer.concat([old, given]) : given, path);
}

/** The `diff` of a preview. */
export function diffOfWrite(old: Buffer | undefined, now: Buffer, path: string): string {
  if ((old?.length ?? 0) > MOST_COMPARED_BYTES || now.length > MOST_COMPARED_BYTES) return "(too large to compare)";
  const text = unifiedDiff(old ?? Buffer.alloc(0), now, [path, path]).toString("utf8");
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

function receiptOf(mode: ChangeMode, { canonical, status }: CommitTarget, content: Spool): WriteReceipt {
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
