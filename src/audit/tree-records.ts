/**
 * The records of a workspace whose owner mounts directories beside the root: each tree that may be written keeps its own, and a path
 * leads to those of the tree it is in. A command line changes one tree, so that one undo takes it back.
 */
import { isAbsolutePath } from "../glob/absolute-path.ts";
import type { EditTransaction, Recorder, WriteReceipt, WriteTransaction } from "../builtin/recorder.ts";
import type { UndoAccess, UndoPlan, UndoSought } from "../builtin/undo-access.ts";
import { FileError } from "../workspace/file-error.ts";
import { pathInMount } from "../workspace/mount/mount.ts";
import { NULL_DEVICE } from "../workspace/read/null-device.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { createPreviewRecorder, type WritePreview } from "./preview.ts";
import { createRecorder, type RecordContext } from "./recorder.ts";
import { isAtOrBelow } from "./changes-in-effect.ts";
import { createUndo, undoneNames, type OwnCalls, type UndoContext } from "./undo.ts";
import { eachRecord, type WriteRecord } from "./write-records.ts";

/** Facts of a call, with paths as the whole workspace names them. `goneLockOwner` is asked for each tree. */
export interface TreeRecordContext extends Omit<RecordContext & UndoContext, "goneLockOwner" | "previews" | "commit" | "commitEdits"> {
  readonly goneLockOwner: (mount: string | undefined) => RecordContext["goneLockOwner"];
  /** Nothing is written, and what would be is told. */
  readonly isPreview: boolean;
}

export class TreeRecords {
  readonly #workspace: Workspace;
  readonly #context: TreeRecordContext;
  readonly #trees = new Map<string | undefined, Tree>();
  /** The tree that the line has changed. */
  #changed: { readonly mount: string | undefined } | undefined;

  constructor(workspace: Workspace, context: TreeRecordContext) {
    this.#workspace = workspace;
    this.#context = context;
  }

  /** Changes that would have been made, of a preview. */
  get previews(): readonly WritePreview[] {
    return [...this.#trees.values()].flatMap(({ mount, previews }) =>
      previews.map((preview) => ({ ...preview, path: named(mount, preview.path) })),
    );
  }

  recorder(): Recorder {
    return {
      begin: (targets, mode, currentDirectory): WriteTransaction => {
        const view = this.#workspace.at(currentDirectory);
        const [first, ...others] = targets.filter((target) => target !== NULL_DEVICE);
        // Without a file nothing is changed, wherever the line stands.
        if (first === undefined) return this.#tree(undefined).recorder.begin([], mode, "");
        const tree = this.#treeFor(view, first);
        for (const other of others) if (view.home(other).mount !== tree.mount) throw otherTree(other, tree.mount);
        const transaction = tree.recorder.begin(targets, mode, tree.directory);
        return {
          write: (bytes) => transaction.write(bytes),
          abort: () => transaction.abort(),
          commit: () => this.#done(tree.mount, transaction.commit()),
        };
      },
      edit: (currentDirectory) => this.#edit(this.#workspace.at(currentDirectory)),
    };
  }

  undo(): UndoAccess {
    return { plan: (sought) => this.#plan(sought) };
  }

  #edit(view: Workspace): EditTransaction {
    let begun: { readonly mount: string | undefined; readonly edit: EditTransaction } | undefined;
    const at = (path: string): EditTransaction => {
      if (begun === undefined) {
        const { mount, directory, recorder } = this.#treeFor(view, path);
        begun = { mount, edit: recorder.edit(directory) };
      }
      if (view.home(path).mount !== begun.mount) throw otherTree(path, begun.mount);
      return begun.edit;
    };
    return {
      pending: (path) => (begun === undefined || view.home(path).mount !== begun.mount ? undefined : begun.edit.pending(path)),
      replace: (path, content, options) => at(path).replace(path, content, options),
      write: (path, mode) => at(path).write(path, mode),
      link: (path, text, like) => at(path).link(path, text, like),
      remove: (path, options) => at(path).remove(path, options),
      makeDirectory: (path, attributes) => at(path).makeDirectory(path, attributes),
      removeDirectory: (path) => at(path).removeDirectory(path),
      setAttributes: (path, attributes) => at(path).setAttributes(path, attributes),
      commit: () => (begun === undefined ? [] : this.#done(begun.mount, begun.edit.commit())),
      abort: () => begun?.edit.abort(),
    };
  }

  /** The tree that `path` leads into, to be changed. Throws FileError. */
  #treeFor(view: Workspace, path: string): Tree & { readonly directory: string } {
    const { files, mount } = view.home(path);
    if (mount !== undefined && !view.mayWrite(mount)) throw new FileError("READ_ONLY", path, onlyRead(mount));
    if (this.#changed !== undefined && this.#changed.mount !== mount) throw otherTree(path, this.#changed.mount);
    return { ...this.#tree(mount), directory: files.currentDirectory };
  }

  #tree(mount: string | undefined): Tree {
    const known = this.#trees.get(mount);
    if (known !== undefined) return known;
    const workspace = treeOf(this.#workspace, mount);
    const { isPreview, ...context } = contextIn(this.#context, mount);
    const preview = isPreview ? createPreviewRecorder(workspace, context) : undefined;
    const tree = {
      mount,
      recorder: preview?.recorder ?? createRecorder(workspace, context),
      undo: createUndo(workspace, { ...context, ...(preview === undefined ? {} : { previews: preview.previews }) }),
      previews: preview?.previews ?? [],
    };
    this.#trees.set(mount, tree);
    return tree;
  }

  #done(mount: string | undefined, receipts: readonly WriteReceipt[]): readonly WriteReceipt[] {
    if (receipts.length > 0) this.#changed = { mount };
    return receipts.map((receipt) => ({ ...receipt, path: named(mount, receipt.path), mirror: named(mount, receipt.mirror) }));
  }

  #plan(sought: UndoSought): UndoPlan {
    const mount =
      sought.kind === "file" ? mountIn(this.#workspace, sought.path) : mountOfRecords(this.#workspace, sought, this.#ownCalls());
    const plan = namingPaths(mount, () => this.#tree(mount).undo.plan(soughtIn(mount, sought)));
    return {
      ...plan,
      names: plan.names.map((name) => ({ ...name, path: named(mount, name.path) })),
      ...(plan.others === undefined ? {} : { others: { ...plan.others, paths: plan.others.paths.map((path) => named(mount, path)) } }),
      carryOut: () => {
        if (mount !== undefined && !this.#workspace.mayWrite(mount)) throw new FileError("READ_ONLY", mount, onlyRead(mount));
        if (this.#changed !== undefined && this.#changed.mount !== mount) throw otherTree("undo", this.#changed.mount);
        return this.#done(
          mount,
          namingPaths(mount, () => plan.carryOut()),
        );
      },
    };
  }

  #ownCalls(): OwnCalls {
    const { caller, call } = this.#context;
    return { origin: caller?.origin, call: call?.first };
  }
}

interface Tree {
  /** undefined: the root. */
  readonly mount: string | undefined;
  readonly recorder: Recorder;
  readonly undo: UndoAccess;
  readonly previews: readonly WritePreview[];
}

/** Files that taking `sought` back would change, as the whole workspace names them; none where there is nothing. For the guard. */
export function undonePathsInTrees(workspace: Workspace, sought: UndoSought, own: OwnCalls): readonly string[] {
  const mount = sought.kind === "file" ? mountIn(workspace, sought.path) : mountOfRecords(workspace, sought, own);
  const tree = treeThere(workspace, mount);
  return tree === undefined ? [] : undoneNames(tree, soughtIn(mount, sought), own).paths.map((path) => named(mount, path));
}

/** The records of every tree, or of the one that `path` is in, oldest first, with paths as the whole workspace names them. */
export function* recordsInTrees(workspace: Workspace, path: string | undefined): Generator<WriteRecord, void> {
  const trees = path === undefined ? [undefined, ...workspace.mountNames] : [mountIn(workspace, path)];
  const all: {
    readonly mount: string | undefined;
    readonly records: Generator<WriteRecord, void>;
    next: IteratorResult<WriteRecord, void>;
  }[] = [];
  try {
    for (const mount of trees) {
      const records = recordsOf(workspace, mount, path === undefined ? {} : { path: inTree(mount, path) });
      all.push({ mount, records, next: records.next() });
    }
    for (;;) {
      const waiting = all.filter(({ next }) => next.done !== true);
      const [first, ...others] = waiting;
      if (first === undefined) return;
      const oldest = others.reduce((a, b) => (idOf(b.next) < idOf(a.next) ? b : a), first);
      const record = oldest.next.value as WriteRecord;
      yield { ...record, path: named(oldest.mount, record.path) };
      oldest.next = oldest.records.next();
    }
  } finally {
    // Each holds its journal open until it ends; whoever asks may have heard enough.
    for (const { records } of all) records.return();
  }
}

function* recordsOf(workspace: Workspace, mount: string | undefined, filter: { readonly path?: string }): Generator<WriteRecord, void> {
  const tree = treeThere(workspace, mount);
  if (tree !== undefined) yield* eachRecord(tree.writer(), filter);
}

/** The tree; undefined where it is a mount that may only be read, or is gone: its records hide no other tree's. */
function treeThere(workspace: Workspace, mount: string | undefined): Workspace | undefined {
  if (mount !== undefined && !workspace.mayWrite(mount)) return undefined;
  try {
    return treeOf(workspace, mount);
  } catch (thrown) {
    if (thrown instanceof FileError && thrown.code === "MOUNT_GONE") return undefined;
    throw thrown;
  }
}

const idOf = (next: IteratorResult<WriteRecord, void>): bigint => BigInt(next.done === true ? 0 : next.value.id);

/** Less than undoneNames gives. */
const NEVER = -2n;

/** The tree of a record, or of the session's last call that wrote; the root's where there is none. */
function mountOfRecords(workspace: Workspace, sought: Exclude<UndoSought, { readonly kind: "file" }>, own: OwnCalls): string | undefined {
  const mounts = workspace.mountNames;
  if (mounts.length === 0) return undefined;
  const newestIn = (mount: string | undefined): bigint => {
    const tree = treeThere(workspace, mount);
    return tree === undefined ? NEVER : undoneNames(tree, sought, own).newest;
  };
  const found = [undefined, ...mounts].map((mount) => ({ mount, newest: newestIn(mount) }));
  return found.reduce((a, b) => (b.newest > a.newest ? b : a)).mount;
}

const mountIn = (workspace: Workspace, path: string): string | undefined => (isAbsolutePath(path) ? workspace.mountOf(path) : undefined);

const treeOf = (workspace: Workspace, mount: string | undefined): Workspace =>
  (mount === undefined ? undefined : workspace.inMount(mount)) ?? workspace;

const named = (mount: string | undefined, path: string): string => (mount === undefined ? path : pathInMount(mount, path));

const inTree = (mount: string | undefined, path: string): string => (mount === undefined ? path : path.slice(mount.length + 1));

function soughtIn(mount: string | undefined, sought: UndoSought): UndoSought {
  if (mount === undefined || sought.kind !== "file") return sought;
  return { kind: "file", path: inTree(mount, sought.path), shown: sought.path };
}

/** The context with paths relative to the tree. */
function contextIn({ goneLockOwner, approved, writeVerdict, ...context }: TreeRecordContext, mount: string | undefined) {
  if (mount === undefined) return { ...context, approved, writeVerdict, goneLockOwner: goneLockOwner(undefined) };
  const inside =
    approved &&
    new Map([...approved].flatMap(([path, write]) => (isAtOrBelow(path, mount) ? [[inTree(mount, path), write] as const] : [])));
  return {
    ...context,
    // They are noted of the root alone.
    reads: undefined,
    approved: inside,
    writeVerdict: (path: string) => writeVerdict(isAbsolutePath(path) ? path : named(mount, path)),
    goneLockOwner: goneLockOwner(mount),
  };
}

/** Result of `action` in a tree, whose errors name paths as the whole workspace does. */
function namingPaths<T>(mount: string | undefined, action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    if (mount === undefined || !(thrown instanceof FileError) || isAbsolutePath(thrown.path)) throw thrown;
    throw new FileError(thrown.code, named(mount, thrown.path), thrown.message);
  }
}

const onlyRead = (mount: string): string => `${mount} is mounted for reading only`;

const treeName = (mount: string | undefined): string => mount ?? "the root";

const otherTree = (path: string, mount: string | undefined): FileError =>
  new FileError(
    "EXDEV",
    path,
    `This line changes files of ${treeName(mount)}, and a line changes one tree: give this part a line of its own`,
  );
