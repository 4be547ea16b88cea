/** Edit transaction: changes of many names, checked one by one against the tree as those before leave it, then made together. */
import type { ContentSink, EditTransaction, EntryAttributes, WriteMode, WriteReceipt } from "../builtin/recorder.ts";
import { toBytes } from "../io/text.ts";
import { byteAmount } from "../numbers/byte-amount.ts";
import { FileError } from "../workspace/file-error.ts";
import type { CallReads } from "../workspace/read/call-reads.ts";
import type { WorkspaceWriter, WriteTarget } from "../workspace/write/write-access.ts";
import { createHash } from "node:crypto";
import { modeOf, type DesiredEntry, type GivenContent, type SetAttributes } from "./desired-entry.ts";
import type { EditTarget } from "./desired-entry.ts";
import { digestOf, fileBytes, hasOtherNames } from "./entry-state.ts";
import { directoryOnTheWay } from "./commit.ts";
import { checkGitDirectories } from "./git-directory.ts";
import { holdsOurBytes } from "./own-bytes.ts";
import { bytesTaken, OversizeWrite } from "./oversize-write.ts";
import { directoryOf, pathIn } from "./paths.ts";
import { NOT_APPROVED } from "./change.ts";
import { findMirror } from "./record-paths.ts";
import { Spool } from "./spool.ts";
import { WrittenContent } from "./written-content.ts";
import type { EntryState, Permission } from "./journal-lines.ts";
import type { AgreedWrites } from "../builtin/recorder.ts";

/** Most changes of one transaction: a removal of more is better done in parts, each of which can be undone. */
const MOST_CHANGES = 10_000;

/** The call's limits and permissions, as its recorder has them. */
export interface EditRules {
  /** Bytes written and recorded without confirmation. */
  readonly oversizeBytes: number;
  /** Most bytes at all. */
  readonly maxBytes: number;
  /** Room for the changes and their records; Infinity where it is not bounded. */
  readonly roomBytes: number;
  /** SHA-256 of the file or the link's text that each change is of, null where neither may be there: another is CONFLICT. */
  readonly expected: ((canonical: string) => string | null) | undefined;
  readonly confirmOversize: boolean;
  readonly oversizeNeeds: "agent" | "human";
  /** True if nothing is written, only shown. */
  readonly isPreview: boolean;
  readonly approved: AgreedWrites | undefined;
  readonly nowNs: () => bigint;
  /** Files that the call has read; undefined where they are not noted. */
  readonly reads: CallReads | undefined;
  /** Permission of a change of this target. Throws FileError where there is none. */
  permission(target: WriteTarget, typed: string): Permission | null;
  commit(
    writer: WorkspaceWriter,
    targets: readonly EditTarget[],
    directories: readonly string[],
    made: readonly string[],
  ): readonly WriteReceipt[];
}

/** One change that was asked for. */
interface Asked {
  readonly target: Omit<EditTarget, "desired">;
  readonly from: EntryState["kind"] | undefined;
  desired: DesiredEntry;
}

export class Edits implements EditTransaction {
  readonly #writer: WorkspaceWriter;
  readonly #rules: EditRules;
  readonly #spool: Spool;
  /** By canonical path, in order. */
  readonly #asked = new Map<string, Asked>();
  /** Bytes to be written, and bytes of the files to be removed, which go to the record. */
  #bytes = 0;
  /** True once the size above the limit was allowed. */
  #isLarge = false;
  #makes = 0;
  #open = true;

  constructor(writer: WorkspaceWriter, rules: EditRules) {
    this.#writer = writer;
    this.#rules = rules;
    this.#spool = new Spool(writer);
  }

  pending(path: string): EntryState["kind"] | "nothing" | undefined {
    if (this.#asked.size === 0) return undefined;
    const { canonical } = this.#writer.entry(path);
    for (let above = canonical; above !== ""; above = directoryOf(above)) {
      const asked = this.#asked.get(above);
      if (asked === undefined) continue;
      const kind = kindAfter(asked);
      if (above === canonical || kind === "nothing") return kind;
    }
    return undefined;
  }

  replace(
    path: string,
    content: Iterable<Uint8Array>,
    { makesDirectories = false, ...attributes }: EntryAttributes & { readonly makesDirectories?: boolean } = {},
  ): void {
    if (makesDirectories) this.#makeOnTheWay(path);
    this.#ask(path, () => ({ kind: "file", content: this.#spooled(path, content), attributes: this.#timed(attributes) }));
  }

  write(path: string, mode: WriteMode): ContentSink {
    const { canonical } = this.#writer.target(path);
    const pending = this.#asked.get(canonical)?.desired;
    const earlier = pending?.kind === "file" && pending.content instanceof WrittenContent ? pending.content : undefined;
    const appends = mode === "append";
    const isShared = appends && pending?.kind === "file" && pending.appends === true;
    if (earlier?.isOpen === true && !isShared) throw new FileError("CONFLICT", path, WRITTEN_TWICE);
    const content = appends && earlier !== undefined ? earlier : new WrittenContent(this.#spool);
    if (content !== earlier) this.#ask(path, () => ({ kind: "file", content, attributes: {}, appends }));
    content.open();
    return {
      write: (bytes) => {
        this.#requireOpen();
        this.#count(bytes.length, path);
        content.add(bytes);
      },
      close: () => content.close(),
    };
  }

  link(path: string, text: string, like?: string): void {
    this.#ask(path, () => {
      const bytes = toBytes(text);
      return {
        kind: "symlink",
        content: { digest: digestOf(bytes), blocks: () => [bytes] },
        like: like && this.#writer.entry(like).canonical,
      };
    });
  }

  remove(path: string, { isMoved = false }: { readonly isMoved?: boolean } = {}): void {
    this.#ask(path, ({ status }, from) => {
      if (from === "directory") throw new FileError("EISDIR", path);
      if (!isMoved) this.#count(status?.kind === "file" ? status.size : 0, path);
      return { kind: "nothing", isMoved };
    });
  }

  makeDirectory(path: string, attributes: EntryAttributes = {}): void {
    this.#ask(path, () => ({ kind: "directory", attributes: this.#timed(attributes) }));
  }

  removeDirectory(path: string): void {
    this.#ask(path, ({ canonical }, from) => {
      if (from !== "directory") throw new FileError(from === undefined ? "ENOENT" : "ENOTDIR", path);
      if (!this.#isEmptied(canonical)) throw new FileError("ENOTEMPTY", path);
      return { kind: "nothing" };
    });
  }

  setAttributes(path: string, attributes: EntryAttributes): void {
    this.#ask(path, ({ canonical, status }, from) => {
      if (from === "symlink") throw new FileError("NOT_REGULAR_FILE", path);
      const timed = this.#timed(attributes);
      if (status === undefined || !hasOtherNames(status) || this.#asked.has(canonical)) return { kind: "same", attributes: timed };
      const { modifiedNs, accessedNs } = status;
      return {
        kind: "file",
        content: this.#spooled(path, fileBytes(this.#writer, canonical)),
        attributes: { modifiedNs, accessedNs, ...timed },
      };
    });
  }

  /** Makes the directories on the way to `typed`. */
  #makeOnTheWay(typed: string): void {
    const { canonical, missingDirectories } = this.#writer.entry(typed);
    this.#rules.permission({ canonical, missingDirectories, status: undefined }, typed);
    for (const path of missingDirectories) {
      if (this.#asked.has(path)) continue;
      const { desired, ...target } = directoryOnTheWay(path);
      this.#makes++;
      this.#asked.set(path, { target, from: undefined, desired });
    }
  }

  /** `attributes` with the time in the place of "now". */
  #timed({ modifiedNs, accessedNs, ...rest }: EntryAttributes): SetAttributes {
    const timed = (time: bigint | "now"): bigint => (time === "now" ? this.#rules.nowNs() : time);
    return {
      ...rest,
      ...(modifiedNs === undefined ? {} : { modifiedNs: timed(modifiedNs) }),
      ...(accessedNs === undefined ? {} : { accessedNs: timed(accessedNs) }),
    };
  }

  commit(): readonly WriteReceipt[] {
    this.#requireOpen();
    try {
      if (this.#asked.size === 0) return [];
      const { approved, expected } = this.#rules;
      const targets = [...this.#asked.values()].map(({ target, desired }): EditTarget => {
        const agreed = approved?.get(target.canonical);
        if (approved !== undefined && agreed === undefined) throw new FileError("CONFLICT", target.typed, NOT_APPROVED);
        const was = expected && { expected: expected(target.canonical) };
        return { ...target, ...was, desired, ...(agreed === undefined ? {} : { agreed, permittedBy: "human" as const }) };
      });
      const made = targets.filter(({ status }) => status === undefined).map(({ canonical }) => canonical);
      checkGitDirectories(this.#writer, targets, made);
      const directories = targets.filter(({ desired }) => desired.kind === "directory").map(({ canonical }) => canonical);
      return this.#rules.commit(this.#writer, targets, directories, made);
    } finally {
      this.abort();
    }
  }

  abort(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#spool.close();
  }

  /** Adds a change of `path`, or makes one of it and an earlier one. */
  #ask(typed: string, desiredOf: (target: WriteTarget, from: EntryState["kind"] | undefined) => DesiredEntry): void {
    this.#requireOpen();
    const target = this.#writer.entry(typed);
    const { canonical, status } = target;
    const earlier = this.#asked.get(canonical);
    const there = kindOf(status?.kind, typed);
    const now = earlier === undefined ? there : kindAfter(earlier);
    const from = now === "nothing" ? undefined : now;
    const permittedBy = earlier?.target.permittedBy ?? this.#rules.permission(target, typed);
    this.#checkDirectories(target, typed);
    const desired = desiredOf(target, from);
    modeOf(from, desired.kind, typed);
    // It says which file to write to instead.
    if (desired.kind === "file" && there === "symlink" && from === "symlink") this.#writer.target(typed);
    if (earlier !== undefined) return this.#askAgain(canonical, earlier, desired, typed);
    if (this.#asked.size >= MOST_CHANGES) {
      throw new FileError("OVERSIZE_WRITE", typed, `More than ${MOST_CHANGES} changes in one command, so nothing was changed`);
    }
    findMirror(this.#writer, canonical);
    if (this.#isLarge && there === "file" && losesBytes(desired)) this.#checkOurs(canonical, typed);
    if (there === undefined) this.#makes++;
    const hasChanged = there === "file" ? this.#rules.reads?.changedSince(canonical) : undefined;
    this.#asked.set(canonical, {
      target: { ...target, typed, permittedBy, ...(hasChanged === undefined ? {} : { hasChanged }) },
      from: there,
      desired,
    });
  }

  #askAgain(canonical: string, earlier: Asked, desired: DesiredEntry, typed: string): void {
    if (desired.kind === "same") {
      earlier.desired = withAttributes(earlier.desired, desired.attributes);
      return;
    }
    if (desired.kind === "nothing" && earlier.from === undefined) {
      this.#asked.delete(canonical);
      this.#makes--;
      return;
    }
    // What was a directory and is a file afterwards, or the reverse, would be two changes of one name.
    const wasDirectory = earlier.from === "directory";
    if (earlier.from !== undefined && desired.kind !== "nothing" && wasDirectory !== (desired.kind === "directory")) {
      throw new FileError("CONFLICT", typed, "One command cannot make a directory of a file, or a file of a directory");
    }
    if (wasDirectory && desired.kind === "directory") earlier.desired = { kind: "same", attributes: desired.attributes };
    else if (earlier.desired.kind === "nothing" && desired.kind === "file") earlier.desired = { ...desired, isFresh: true };
    else earlier.desired = desired;
  }

  /** Throws ENOENT where a directory above is missing and not made, or is removed, by an earlier change. */
  #checkDirectories({ canonical, missingDirectories }: WriteTarget, typed: string): void {
    for (const missing of missingDirectories) {
      const asked = this.#asked.get(missing);
      if (asked === undefined || kindAfter(asked) !== "directory") {
        throw new FileError(asked !== undefined && kindAfter(asked) !== "nothing" ? "ENOTDIR" : "ENOENT", typed);
      }
    }
    for (let above = directoryOf(canonical); above !== ""; above = directoryOf(above)) {
      const asked = this.#asked.get(above);
      if (asked !== undefined && kindAfter(asked) === "nothing") throw new FileError("ENOENT", typed);
    }
  }

  /** True if nothing is left in the directory once the changes so far are made. */
  #isEmptied(canonical: string): boolean {
    const directory =
      this.#asked.get(canonical)?.from === undefined && this.#asked.has(canonical) ? undefined : this.#writer.directory(canonical);
    try {
      for (const name of directory?.names() ?? []) {
        const asked = this.#asked.get(pathIn(canonical, name));
        if (asked === undefined || kindAfter(asked) !== "nothing") return false;
      }
    } finally {
      directory?.close();
    }
    if (this.#makes === 0) return true;
    for (const [path, asked] of this.#asked) {
      if (asked.from === undefined && kindAfter(asked) !== "nothing" && directoryOf(path) === canonical) return false;
    }
    return true;
  }

  #spooled(typed: string, content: Iterable<Uint8Array>): GivenContent {
    const from = this.#spool.size;
    const hash = createHash("sha256");
    for (const block of content) {
      this.#count(block.length, typed);
      hash.update(block);
      this.#spool.add(block);
    }
    const to = this.#spool.size;
    return { digest: { bytes: to - from, sha256: hash.digest("hex") }, blocks: () => this.#spool.part(from, to) };
  }

  /** Adds to the bytes of the transaction. Throws FileError where they are too many, or not without a word; that ends it. */
  #count(bytes: number, typed: string): void {
    this.#bytes += bytes;
    try {
      this.#checkAmount(typed);
    } catch (thrown) {
      this.abort();
      throw thrown;
    }
  }

  #checkAmount(typed: string): void {
    const { maxBytes, oversizeBytes, roomBytes } = this.#rules;
    if (bytesTaken(this.#bytes) > roomBytes) throw new FileError("ENOSPC", typed);
    if (this.#bytes > maxBytes) throw new OversizeWrite(typed, maxBytes, this.#bytes, false);
    if (this.#bytes <= oversizeBytes || this.#isLarge) return;
    this.#checkLarge(typed);
    this.#isLarge = true;
  }

  #checkLarge(typed: string): void {
    const { isPreview, approved, oversizeNeeds, oversizeBytes, confirmOversize } = this.#rules;
    // With `approved` each change is compared with what was agreed to, once all are known.
    if (isPreview || approved !== undefined) return;
    if (oversizeNeeds === "agent" && !confirmOversize) throw new OversizeWrite(typed, oversizeBytes, this.#bytes, true);
    if (oversizeNeeds === "human") throw this.#wantsHuman(typed, "the configuration of this server wants a human's word for it");
    for (const [path, { from, desired }] of this.#asked) if (from === "file" && losesBytes(desired)) this.#checkOurs(path, typed);
  }

  /** Throws NEEDS_APPROVAL where a large change would replace or remove somebody else's bytes. */
  #checkOurs(canonical: string, typed: string): void {
    const { isPreview, approved } = this.#rules;
    if (isPreview || approved !== undefined || holdsOurBytes(this.#writer, canonical)) return;
    this.abort();
    throw this.#wantsHuman(typed, "it would change what somebody else wrote, so a human must approve it");
  }

  #wantsHuman(typed: string, why: string): FileError {
    return new FileError("NEEDS_APPROVAL", typed, `More than ${byteAmount(this.#rules.oversizeBytes)} to write or remove: ${why}`);
  }

  #requireOpen(): void {
    if (!this.#open) throw new Error("the transaction has ended");
  }
}

const WRITTEN_TWICE = "Two outputs of one command write it, by two redirections or two names, and neither would see what the other wrote";

/** True if the bytes that are there are in no file afterwards. */
const losesBytes = (desired: DesiredEntry): boolean => desired.kind !== "same" && !(desired.kind === "nothing" && desired.isMoved === true);

function kindAfter({ desired, from }: Asked): EntryState["kind"] | "nothing" {
  return desired.kind === "same" ? (from ?? "nothing") : desired.kind;
}

function kindOf(kind: string | undefined, typed: string): EntryState["kind"] | undefined {
  if (kind === undefined || kind === "file" || kind === "directory" || kind === "symlink") return kind;
  throw new FileError("NOT_REGULAR_FILE", typed);
}

function withAttributes(desired: DesiredEntry, attributes: SetAttributes): DesiredEntry {
  switch (desired.kind) {
    case "nothing":
    case "symlink":
      return desired;
    default:
      return { ...desired, attributes: { ...desired.attributes, ...attributes } };
  }
}
