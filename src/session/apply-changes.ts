/**
 * Carries the changes of an overlay into its root, by the root's own recorder: recorded, all or none, and undone together. A file of the
 * root that has changed since it was copied is a conflict.
 */
import { digestOf, entryAt, type FoundEntry } from "../audit/entry-state.ts";
import { createPreviewRecorder } from "../audit/preview.ts";
import { createRecorder, type RecordContext } from "../audit/recorder.ts";
import type { WriteVerdict } from "../audit/write-policy.ts";
import type { AgreedWrites, EditTransaction, Recorder, WriteReceipt } from "../builtin/recorder.ts";
import type { Policy } from "../config/policy.ts";
import { policyContext } from "../guard/policy-context.ts";
import { toBytes } from "../io/text.ts";
import { FileError } from "../workspace/file-error.ts";
import type { PrivateTree } from "../workspace/private/private-tree.ts";
import type { TreeChange } from "../workspace/private/tree-changes.ts";
import type { CopiedEntry } from "../workspace/private/tree-copy.ts";
import { isSameStamp, stampOf } from "../workspace/read/call-reads.ts";
import { Workspace } from "../workspace/workspace.ts";
import type { Approve } from "./approval.ts";

/** Command line of the records that are made so. */
const LINE = "apply";
/** Bits that a write gives a file. */
const FILE_BITS = 0o1777;

export interface ApplyOptions {
  /** Host path of the root, without links. */
  readonly root: string;
  readonly policy: Policy;
  readonly session: string;
  readonly client: string;
  readonly approve: Approve | undefined;
}

/** Rejects with FileError, of which CONFLICT, NEEDS_APPROVAL and PROTECTED_PATH name the path, and then nothing has changed. */
export async function applyChanges(tree: PrivateTree, options: ApplyOptions): Promise<readonly WriteReceipt[]> {
  const changes = await tree.changes();
  if (changes.length === 0) return [];
  const root = Workspace.open(options.root, { denyRead: options.policy.paths.denyRead });
  try {
    return await new Application(root, tree, changes, options).run();
  } finally {
    root.close();
  }
}

class Application {
  readonly #root: Workspace;
  readonly #tree: PrivateTree;
  readonly #changes: readonly TreeChange[];
  readonly #options: ApplyOptions;
  /** SHA-256 of each file and link's text that is changed, as it was copied. */
  readonly #expected: ReadonlyMap<string, string | null>;
  readonly #verdict: (path: string) => WriteVerdict;

  constructor(root: Workspace, tree: PrivateTree, changes: readonly TreeChange[], options: ApplyOptions) {
    this.#root = root;
    this.#tree = tree;
    this.#changes = changes;
    this.#options = options;
    this.#verdict = policyContext([], options.policy, new Map([["", options.root]]), (path) => root.foldsCase(path)).writeVerdict;
    this.#expected = this.#found();
  }

  async run(): Promise<readonly WriteReceipt[]> {
    try {
      return this.#commit(createRecorder(this.#root, this.#context(this.#verdict)));
    } catch (thrown) {
      if (!(thrown instanceof FileError) || thrown.code !== "NEEDS_APPROVAL") throw thrown;
      const approved = await this.#approved(thrown);
      if (approved === undefined) throw thrown;
      return this.#commit(createRecorder(this.#root, this.#context(this.#agreeing, approved)));
    }
  }

  readonly #agreeing = (path: string): WriteVerdict => {
    const verdict = this.#verdict(path);
    return verdict === "approval" ? "pre-approved" : verdict;
  };

  /** The entries of the root that are about to change. Throws CONFLICT for one that is not as it was. */
  #found(): ReadonlyMap<string, string | null> {
    const writer = this.#root.writer();
    return new Map(
      this.#changes.map(({ path }) => {
        const now = entryAt(writer, path);
        if (!isAsCopied(now, this.#tree.before(path))) throw new FileError("CONFLICT", path);
        return [path, now?.digest?.sha256 ?? null];
      }),
    );
  }

  #context(writeVerdict: (path: string) => WriteVerdict, approved?: AgreedWrites): RecordContext {
    const { session, client, policy } = this.#options;
    const { oversizeBytes, confirmOversize: oversizeNeeds } = policy.approval;
    // Whoever calls it has the word for its size, unless that must be a human's.
    const context = { session, client, line: LINE, confirmOversize: true, oversizeBytes, oversizeNeeds, writeVerdict, approved };
    return { ...context, expected: (path) => this.#expected.get(path) ?? null };
  }

  #commit(recorder: Recorder): readonly WriteReceipt[] {
    const edit = recorder.edit("");
    try {
      this.#edit(edit);
      return edit.commit();
    } finally {
      edit.abort();
    }
  }

  #edit(edit: EditTransaction): void {
    for (const { path, change, kind } of this.#changes.toReversed()) {
      const was = this.#tree.before(path)?.kind;
      const isGone = change === "removed" || (change === "changed" && was !== kind);
      if (isGone) was === "directory" ? edit.removeDirectory(path) : edit.remove(path);
    }
    for (const { path, change, kind } of this.#changes) {
      const now = change === "removed" ? undefined : this.#tree.now(path);
      if (now === undefined) continue;
      const { permissions, modifiedNs } = now.status;
      const hasMode = this.#tree.before(path)?.permissions === permissions && change !== "created";
      const mode = hasMode ? {} : { mode: kind === "file" ? permissions & FILE_BITS : permissions };
      if (change === "attributes") edit.setAttributes(path, kind === "directory" ? mode : { ...mode, modifiedNs });
      else if (kind === "directory") edit.makeDirectory(path, mode);
      else if (now.text !== undefined) edit.link(path, now.text);
      else edit.replace(path, now.content, mode);
    }
  }

  /** The writes that the program agrees to; undefined where it does not. */
  async #approved({ path, message }: FileError): Promise<AgreedWrites | undefined> {
    const { approve, policy, session } = this.#options;
    if (approve === undefined || policy.approval.protectedPaths !== "ask") return undefined;
    const { recorder, previews } = createPreviewRecorder(this.#root, this.#context(this.#agreeing));
    this.#commit(recorder);
    const violation = {
      code: "GUARD_VIOLATION",
      reason: "NEEDS_APPROVAL",
      detail: `${path}: ${message}.`,
      suggestion: undefined,
      position: undefined,
    } as const;
    const question = { line: LINE, currentDirectory: "", session, violations: [violation], writes: previews } as const;
    if ((await approve({ ...question, signal: new AbortController().signal })) !== true) return undefined;
    return new Map(previews.map(({ path: each, sha256: content, before, after }) => [each, { content, before, after }]));
  }
}

function isAsCopied(now: FoundEntry | undefined, was: CopiedEntry | undefined): boolean {
  if (now === undefined || was === undefined) return now === undefined && was === undefined;
  if (now.kind !== was.kind) return false;
  switch (now.kind) {
    case "directory":
      return true;
    case "symlink":
      return now.digest?.sha256 === digestOf(toBytes(was.text ?? "")).sha256;
    case "file":
      return was.original !== undefined && isSameStamp(stampOf(now.status), was.original);
  }
}
