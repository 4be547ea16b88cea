/** One run of tree: starting points in turn, each walked without recursion, so that depth costs no stack. */
import type { ExitStatus, FlagValues, Invocation } from "../../src/builtin/definition.ts";
import { toBytes } from "../../src/io/text.ts";
import type { Files, OpenDirectory } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import type { flags } from "./flags.ts";
import { ignoreFileAbove, readIgnoreFile, type IgnoreFile } from "./ignore-files.ts";
import { Metadata } from "./metadata.ts";
import { HeldPath, NodeReader, type TreeNode } from "./nodes.ts";
import { chosenSort } from "./sort-flags.ts";
import { JsonPrinter, LinePrinter, XmlPrinter, type Printer, type Shown, type Totals } from "./printers.ts";

type Flags = typeof flags;

const BLOCK_UNITS = 32 * 1024;
/** Files without a block of output after which the caller gets a turn. */
const FILES_PER_TURN = 2048;
const NOTHING = new Uint8Array(0);

/** A directory that is being listed. */
interface Level {
  readonly nodes: readonly TreeNode[];
  at: number;
  /** As it is shown, with a slash at the end. */
  readonly path: string;
  /** 1 for what is directly below a starting point. */
  readonly depth: number;
  readonly lead: string;
  readonly ignored: IgnoreFile | undefined;
  /** The line that its end closes. */
  readonly shown: Shown;
  /** Its directory is held by `HeldPath`. */
  readonly isOpen: boolean;
}

export class TreeRun {
  readonly #invocation: Invocation<Flags>;
  readonly #values: FlagValues<Flags>;
  readonly #files: Files;
  readonly #reader: NodeReader;
  readonly #printer: Printer;
  readonly #readsAll: boolean;
  readonly #most: number;
  /** Directories met, where links are followed: none is entered twice through a link. */
  readonly #met = new Set<string>();
  readonly #totals: Totals = { directories: 0, files: 0, bytes: 0 };
  #errors = 0;
  #text = "";
  #quiet = 0;

  constructor(invocation: Invocation<Flags>) {
    const { flags: values, files, nowMs, timeZone, occurrences } = invocation;
    this.#invocation = invocation;
    this.#values = values;
    this.#files = files;
    this.#reader = new NodeReader(values, chosenSort(occurrences));
    const metadata = new Metadata(values, files, nowMs, timeZone);
    this.#printer = values.json
      ? new JsonPrinter(values, metadata)
      : values.xml
        ? new XmlPrinter(values, metadata)
        : new LinePrinter(values, metadata);
    this.#readsAll = values.du || (values.prune && !values.directories) || values.matchdirs;
    this.#most = values.level ?? Infinity;
  }

  async *run(): AsyncGenerator<Uint8Array, ExitStatus> {
    const { operands } = this.#invocation;
    const starts = operands.length === 0 ? ["."] : operands;
    if (!this.#canReadGitfile()) {
      this.#invocation.warn("Could not load gitignore file");
      return 1;
    }
    this.#text += this.#printer.intro();
    for (const [at, start] of starts.entries()) yield* this.#start(start, at === starts.length - 1);
    if (!this.#values.noreport) this.#text += this.#printer.report(this.#totals);
    this.#text += this.#printer.outro();
    yield toBytes(this.#text);
    return this.#errors > 0 ? 2 : 0;
  }

  #canReadGitfile(): boolean {
    const { gitfile } = this.#values;
    if (gitfile === undefined) return true;
    try {
      this.#files.open(gitfile).close();
      return true;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      return false;
    }
  }

  async *#start(typed: string, isLast: boolean): AsyncGenerator<Uint8Array, void> {
    const label = this.#values.fullPath ? typed.replace(/(?<=.)\/+$/, "") : typed;
    const held = new HeldPath(this.#files);
    try {
      const node = this.#startNode(label);
      if (node === undefined) {
        this.#errors++;
        this.#text += this.#printer.failed(label, undefined, "error opening dir", isLast);
        return;
      }
      let directory: OpenDirectory;
      try {
        directory = held.enter(label, undefined, true);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        this.#totals.files++;
        this.#totals.bytes += node.size;
        this.#text += this.#printer.failed(label, node, "error opening dir", isLast);
        return;
      }
      const { gitfile, gitignore, ignoreCase, filelimit } = this.#values;
      let ignored: IgnoreFile | undefined;
      if (gitfile !== undefined) ignored = readIgnoreFile(() => this.#files.open(gitfile), label, ignoreCase, undefined);
      if (gitignore) ignored = ignoreFileAbove(this.#files, typed, ignoreCase, ignored);
      const path = label.endsWith("/") ? label : `${label}/`;
      this.#startLength = path.length;
      let nodes = this.#reader.read(directory, path, ignored, false);
      if (filelimit > 0 && nodes.length > filelimit) {
        if (this.#readsAll) {
          // The one who reads everything first has forgotten why there is nothing.
          this.#totals.files++;
          this.#totals.bytes += node.size;
          this.#text += this.#printer.failed(label, node, "error opening dir", isLast);
          return;
        }
        this.#totals.directories++;
        this.#text += this.#printer.failed(label, node, limitMessage(nodes.length), isLast);
        return;
      }
      if (this.#readsAll) nodes = yield* this.#readAll(nodes, node, path, ignored, held);
      const shown: Shown = { label, node, level: 0, lead: "", isLast, hasContents: true };
      if (nodes.length === 0) {
        // Of an empty directory JSON opens no list.
        const isEmpty = { ...shown, hasContents: this.#values.xml };
        if (this.#readsAll) this.#totals.bytes += node.size;
        this.#text += this.#printer.file(isEmpty) + (isEmpty.hasContents ? this.#printer.close(isEmpty) : "");
        return;
      }
      this.#text += this.#printer.file(shown);
      this.#totals.directories++;
      const sorted = this.#reader.sort(nodes);
      if (!this.#readsAll && this.#most > 1) held.expect(sorted, this.#reader.needsStatus);
      yield* this.#list(
        {
          nodes: sorted,
          at: 0,
          path,
          depth: 1,
          lead: this.#printer.childLead("", true, 0),
          ignored,
          shown,
          isOpen: true,
        },
        held,
      );
    } finally {
      held.close();
    }
  }

  async *#list(first: Level, held: HeldPath): AsyncGenerator<Uint8Array, void> {
    const levels: Level[] = [first];
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const node = level.nodes[level.at++];
      if (node === undefined) {
        this.#text += this.#printer.close(level.shown);
        if (level.isOpen) held.leave();
        levels.pop();
        continue;
      }
      const isLast = level.at === level.nodes.length;
      if (node.isDirectory) this.#totals.directories++;
      else this.#totals.files++;
      this.#totals.bytes += node.size;
      const below = this.#below(node, level, isLast, held);
      const label = this.#values.fullPath ? level.path + node.name : node.name;
      const shown = below?.shown ?? {
        label,
        node,
        level: level.depth,
        lead: level.lead,
        isLast,
        hasContents: false,
      };
      this.#text += this.#printer.file(shown);
      if (below !== undefined) levels.push(below);
      if (this.#text.length >= BLOCK_UNITS) {
        yield toBytes(this.#text);
        this.#text = "";
        this.#quiet = 0;
      } else if (++this.#quiet >= FILES_PER_TURN) {
        this.#quiet = 0;
        yield NOTHING;
      }
    }
  }

  /** The contents of a directory that is entered; undefined where there is nothing to show of them. Sets `node.error`. */
  #below(node: TreeNode, level: Level, isLast: boolean, held: HeldPath): Level | undefined {
    if (!node.isDirectory) return undefined;
    const { follow, filelimit, fullPath } = this.#values;
    const wasMet = !this.#readsAll && follow && this.#meet(node);
    if (node.kind === "symlink" && !follow) return undefined;
    if (!this.#readsAll && !this.#isEntered(node)) return undefined;
    const path = `${level.path}${node.name}/`;
    let { ignored } = level;
    let nodes: readonly TreeNode[] | undefined = node.children;
    let isOpen = false;
    if (!this.#readsAll) {
      if (node.kind === "symlink" && wasMet) {
        if (level.depth < this.#most + 1) node.error = "recursive, not followed";
        return undefined;
      }
      if (level.depth >= this.#most) return undefined;
      const read = this.#enter(node, path, level, held);
      if (read === undefined) return undefined;
      isOpen = true;
      ignored = read.ignored;
      if (filelimit > 0 && read.nodes.length > filelimit) this.#limit(node, read.nodes.length);
      if (node.error !== undefined || read.nodes.length === 0) {
        held.leave();
        return undefined;
      }
      nodes = this.#reader.sort(read.nodes);
      if (level.depth + 1 < this.#most) held.expect(nodes, this.#reader.needsStatus);
    }
    if (nodes === undefined || nodes.length === 0) return undefined;
    const label = fullPath ? level.path + node.name : node.name;
    const shown: Shown = { label, node, level: level.depth, lead: level.lead, isLast, hasContents: true };
    const lead = this.#printer.childLead(level.lead, isLast, level.depth);
    return { nodes, at: 0, path, depth: level.depth + 1, lead, ignored, shown, isOpen };
  }

  /** Opens and reads `node`; undefined where that fails, which `node.error` then says. */
  #enter(
    node: TreeNode,
    path: string,
    above: Pick<Level, "ignored">,
    held: HeldPath,
  ): { nodes: TreeNode[]; ignored: IgnoreFile | undefined } | undefined {
    const { gitignore, ignoreCase, matchdirs } = this.#values;
    const shownPath = path.slice(0, -1);
    let entered = false;
    try {
      const directory = held.enter(shownPath, node.name, true);
      entered = true;
      const ignored = gitignore
        ? readIgnoreFile(() => directory.openFile(".gitignore"), shownPath, ignoreCase, above.ignored)
        : above.ignored;
      const allIncluded = matchdirs && this.#reader.includesDirectory(shownPath.slice(this.#startLength));
      return { nodes: this.#reader.read(directory, path, ignored, allIncluded), ignored };
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      if (entered) held.leave();
      node.error = "error opening dir";
      this.#errors++;
      return undefined;
    }
  }

  /** Reads everything below, for sizes of whole directories and for pruning. */
  async *#readAll(
    nodes: TreeNode[],
    top: TreeNode,
    path: string,
    ignored: IgnoreFile | undefined,
    held: HeldPath,
  ): AsyncGenerator<Uint8Array, TreeNode[]> {
    const { du, prune, matchdirs, follow, filelimit, directories } = this.#values;
    const prunes = prune && !directories;
    interface Reading {
      readonly owner: TreeNode;
      readonly nodes: TreeNode[];
      readonly kept: TreeNode[];
      at: number;
      readonly path: string;
      readonly depth: number;
      readonly ignored: IgnoreFile | undefined;
    }
    const stack: Reading[] = [{ owner: top, nodes, kept: [], at: 0, path, depth: 1, ignored }];
    let result: TreeNode[] = [];
    for (let reading = stack.at(-1); reading !== undefined; reading = stack.at(-1)) {
      if (++this.#quiet % FILES_PER_TURN === 0) yield NOTHING;
      const node = reading.nodes[reading.at++];
      if (node !== undefined) {
        const enters = node.isDirectory && (node.kind !== "symlink" || follow) && this.#isEntered(node);
        const recursive = enters && node.kind === "symlink" && this.#meet(node);
        if (recursive) node.error = "recursive, not followed";
        else if (enters && reading.depth < this.#most) {
          if (node.kind !== "symlink") this.#meet(node);
          const below = `${reading.path}${node.name}/`;
          const read = this.#enter(node, below, reading, held);
          if (read !== undefined && filelimit > 0 && read.nodes.length > filelimit) {
            this.#limit(node, read.nodes.length);
            held.leave();
          } else if (read !== undefined) {
            stack.push({ owner: node, kept: [], at: 0, path: below, depth: reading.depth + 1, ...read });
            continue;
          }
        }
        this.#keep(node, reading.kept, prunes, matchdirs);
        continue;
      }
      stack.pop();
      const { owner, kept } = reading;
      if (du) owner.size += kept.reduce((sum, child) => sum + child.size, 0);
      this.#reader.sort(kept);
      const above = stack.at(-1);
      if (above === undefined) {
        result = kept;
        break;
      }
      held.leave();
      owner.children = kept.length === 0 ? undefined : kept;
      this.#keep(owner, above.kept, prunes, matchdirs);
    }
    return result;
  }

  #limit(node: TreeNode, count: number): void {
    node.error = limitMessage(count);
    this.#errors++;
  }

  #keep(node: TreeNode, kept: TreeNode[], prunes: boolean, matchdirs: boolean): void {
    const isEmpty = node.isDirectory && node.children === undefined;
    if (prunes && isEmpty && !(matchdirs && this.#reader.includesDirectory(node.name))) return;
    kept.push(node);
  }

  /** -x. */
  #isEntered(node: TreeNode): boolean {
    if (!this.#values.oneFileSystem) return true;
    return (node.target ?? node.status)?.device === this.#device;
  }

  #device: bigint | undefined;
  /** Of the starting point's path with its slash: --matchdirs matches what follows it. */
  #startLength = 0;

  /** Whether a directory was met before. */
  #meet(node: TreeNode): boolean {
    const status = node.target ?? node.status;
    return status !== undefined && this.#meetStatus(status);
  }

  #meetStatus({ device, inode }: FileStatus): boolean {
    const key = `${device}:${inode}`;
    const wasMet = this.#met.has(key);
    this.#met.add(key);
    return wasMet;
  }

  /** undefined where it does not exist. */
  #startNode(path: string): TreeNode | undefined {
    try {
      const status = this.#files.status(path, { follow: false });
      this.#device = status.device;
      this.#meetStatus(status);
      return {
        name: "",
        kind: status.kind,
        isDirectory: true,
        link: undefined,
        status,
        target: undefined,
        size: status.size,
        children: undefined,
        error: undefined,
      };
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      return undefined;
    }
  }
}

const limitMessage = (count: number): string => `${count} entries exceeds filelimit, not opening dir`;
