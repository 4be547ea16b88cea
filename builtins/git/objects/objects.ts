/** Commits, trees and tags, read out of their bytes. */
import { withoutOuterSpace } from "./byte-text.ts";
import { GitError } from "../git-error.ts";
import type { ObjectFormat } from "./object-format.ts";

/** Person and time: `Name <mail> 1700000000 +0100`. */
export interface Signature {
  readonly name: string;
  readonly mail: string;
  readonly seconds: number;
  /** As stored: "+0100". */
  readonly zone: string;
}

export interface Commit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  /** Time of the commit, since the epoch: every walk asks for it. */
  readonly seconds: number;
  /** From after the empty line. */
  readonly message: string;
  /** Lines before it, as git prints them: turned into UTF-8, they say so no more. */
  readonly headers: string;
  /** The value of its `encoding` header; "" and absent: UTF-8. */
  readonly encoding?: string;
  readonly isSigned: boolean;
  /** The same in the bytes that are stored: lists of references and searches by `:/` read these. */
  readonly asStored: Commit;
}

export interface TreeEntry {
  readonly mode: number;
  readonly name: string;
  readonly id: string;
}

export interface Tag {
  readonly object: string;
  readonly type: string;
  readonly name: string;
  readonly tagger: Signature | undefined;
  readonly message: string;
}

/**
 * Throws GitError. `parents`: those that stand for the stored ones. Who, when and the message are read when they are
 * asked for: a walk mostly wants parents and dates.
 */
export function parseCommit(id: string, format: ObjectFormat, data: Buffer, parents?: readonly string[]): Commit {
  return new StoredCommit(id, format, data, parents);
}

/** A commit of which a walk's part is known; `data` is asked for when more is wanted. */
export function knownCommit(id: string, format: ObjectFormat, known: KnownPart, data: () => Buffer): Commit {
  return new KnownCommit(id, format, known, data);
}

/** The same commit with other parents. */
export const withParents = (commit: Commit, parents: readonly string[]): Commit =>
  parents === commit.parents ? commit : new ReparentedCommit(commit, parents);

type KnownPart = Pick<Commit, "tree" | "parents" | "seconds">;

class KnownCommit implements Commit {
  readonly id: string;
  readonly parents: readonly string[];
  readonly seconds: number;
  readonly #format: ObjectFormat;
  readonly #known: Pick<Commit, "tree">;
  readonly #data: () => Buffer;
  #stored: Commit | undefined;

  constructor(id: string, format: ObjectFormat, known: KnownPart, data: () => Buffer) {
    this.id = id;
    this.#format = format;
    this.#known = known;
    this.parents = known.parents;
    this.seconds = known.seconds;
    this.#data = data;
  }

  get tree(): string {
    return this.#known.tree;
  }

  get author(): Signature {
    return this.#whole.author;
  }

  get committer(): Signature {
    return this.#whole.committer;
  }

  get message(): string {
    return this.#whole.message;
  }

  get headers(): string {
    return this.#whole.headers;
  }

  get asStored(): Commit {
    return this.#whole.asStored;
  }

  get encoding(): string {
    return this.#whole.encoding ?? "";
  }

  get isSigned(): boolean {
    return this.#whole.isSigned;
  }

  get #whole(): Commit {
    return (this.#stored ??= parseCommit(this.id, this.#format, this.#data()));
  }
}

class ReparentedCommit implements Commit {
  readonly parents: readonly string[];
  readonly #stored: Commit;

  constructor(stored: Commit, parents: readonly string[]) {
    this.#stored = stored;
    this.parents = parents;
  }

  get id(): string {
    return this.#stored.id;
  }

  get tree(): string {
    return this.#stored.tree;
  }

  get seconds(): number {
    return this.#stored.seconds;
  }

  get author(): Signature {
    return this.#stored.author;
  }

  get committer(): Signature {
    return this.#stored.committer;
  }

  get message(): string {
    return this.#stored.message;
  }

  get headers(): string {
    return this.#stored.headers;
  }

  get asStored(): Commit {
    return this.#stored.asStored;
  }

  get encoding(): string {
    return this.#stored.encoding ?? "";
  }

  get isSigned(): boolean {
    return this.#stored.isSigned;
  }
}

class StoredCommit implements Commit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly #format: ObjectFormat;
  readonly #data: Buffer;
  readonly #text: string;
  readonly #asStored: boolean;
  #author: Signature | undefined;
  #committer: Signature | undefined;

  constructor(id: string, format: ObjectFormat, data: Buffer, replaced: readonly string[] | undefined, asStored = false) {
    const bytes = data.toString("latin1");
    const text = asStored || !LATIN.test(headerIn(bytes, "encoding") ?? "") ? bytes : Buffer.from(bytes, "utf8").toString("latin1");
    const { idDigits } = format;
    this.id = id;
    this.#format = format;
    this.#data = data;
    this.#text = text;
    this.#asStored = asStored;
    // As git writes it: the tree, then the parents, each in a line of its own.
    const tree = text.slice(TREE.length, TREE.length + idDigits);
    let at = TREE.length + idDigits + 1;
    if (!text.startsWith(TREE) || text[at - 1] !== "\n" || !format.isId(tree)) throw new GitError(`bogus commit object ${id}`);
    this.tree = tree;
    const parents: string[] = [];
    for (const end = PARENT.length + idDigits; text.startsWith(PARENT, at) && text[at + end] === "\n"; at += end + 1) {
      const parent = text.slice(at + PARENT.length, at + end);
      if (!format.isId(parent)) throw new GitError(`bad parents in commit ${id}`);
      parents.push(parent);
    }
    this.parents = replaced ?? parents;
  }

  get seconds(): number {
    return this.committer.seconds;
  }

  get author(): Signature {
    return (this.#author ??= parseSignature(this.#header("author") ?? ""));
  }

  get committer(): Signature {
    return (this.#committer ??= parseSignature(this.#header("committer") ?? ""));
  }

  get message(): string {
    const end = this.#text.indexOf("\n\n");
    return end < 0 ? "" : this.#text.slice(end + 2);
  }

  get headers(): string {
    const end = this.#text.indexOf("\n\n");
    const headers = end < 0 ? this.#text : this.#text.slice(0, end + 1);
    return this.#asStored || !KNOWN.test(this.encoding) ? headers : headers.replace(/^encoding [^\n]*\n/m, "");
  }

  get asStored(): Commit {
    return this.#asStored || !LATIN.test(this.encoding) ? this : new StoredCommit(this.id, this.#format, this.#data, this.parents, true);
  }

  get encoding(): string {
    return this.#header("encoding") ?? "";
  }

  get isSigned(): boolean {
    return this.#header(this.#format.signatureHeader) !== undefined;
  }

  #header(key: string): string | undefined {
    return headerIn(this.#text, key);
  }
}

/** The first line of the header of `text` that begins with `key`, with the lines that go on with it. */
function headerIn(text: string, key: string): string | undefined {
  const at = text.indexOf(`\n${key} `);
  const end = text.indexOf("\n\n");
  if (at < 0 || (end >= 0 && at > end)) return undefined;
  const from = at + key.length + 2;
  let to = from - 1;
  do to = text.indexOf("\n", to + 1);
  while (to >= 0 && text[to + 1] === " ");
  return text.slice(from, to < 0 ? text.length : to).replaceAll("\n ", "\n");
}

/** Encodings whose bytes are code points, which are turned into UTF-8; others stay as they are. */
const LATIN = /^(?:iso-?8859-1|latin-?1)$/i;
const KNOWN = /^(?:iso-?8859-1|latin-?1|utf-?8)$/i;

const TREE = "tree ";
const PARENT = "parent ";

export function parseTag(data: Buffer): Tag {
  const { headers, message } = split(data.toString("latin1"));
  const value = (key: string): string | undefined => headers.find(([name]) => name === key)?.[1];
  const tagger = value("tagger");
  return {
    object: value("object") ?? "",
    type: value("type") ?? "",
    name: value("tag") ?? "",
    tagger: tagger === undefined ? undefined : parseSignature(tagger),
    message,
  };
}

function split(text: string): { headers: (readonly [string, string])[]; message: string } {
  const headers: [string, string][] = [];
  let at = 0;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    if (end === at) return { headers, message: text.slice(at + 1) };
    const last = headers[headers.length - 1];
    const line = text.slice(at, end);
    if (line.startsWith(" ") && last !== undefined) last[1] += `\n${line.slice(1)}`;
    else {
      const space = line.indexOf(" ");
      headers.push(space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)]);
    }
    at = end + 1;
  }
  return { headers, message: "" };
}

export function parseSignature(text: string): Signature {
  const close = text.lastIndexOf(">");
  const open = text.indexOf("<");
  let at = close + 1;
  while (text[at] === " ") at++;
  const from = at;
  while (isDigit(text.charCodeAt(at))) at++;
  const seconds = at > from ? Number(text.slice(from, at)) : 0;
  if (text[at] === " ") at++;
  const [zone = "+0000"] = at > from ? (/^[+-][0-9]+/.exec(text.slice(at, at + 16)) ?? []) : [];
  return {
    name: withoutOuterSpace(text.slice(0, Math.max(0, open))),
    mail: withoutOuterSpace(text.slice(open + 1, close)),
    seconds,
    zone,
  };
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Throws GitError. */
export function parseTree(data: Buffer, { idBytes }: ObjectFormat): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(32, at);
    const end = data.indexOf(0, space);
    if (space < 0 || end < 0 || end + idBytes + 1 > data.length || space - at > 7)
      throw new GitError("malformed tree object: too-short tree file");
    const mode = Number.parseInt(data.toString("latin1", at, space), 8);
    if (Number.isNaN(mode)) throw new GitError("malformed mode in tree entry");
    entries.push({ mode, name: data.toString("latin1", space + 1, end), id: data.toString("hex", end + 1, end + idBytes + 1) });
    at = end + idBytes + 1;
  }
  return entries;
}

export const MODE = { tree: 0o040000, link: 0o120000, submodule: 0o160000, file: 0o100644, executable: 0o100755 } as const;
export const isTree = (mode: number): boolean => (mode & 0o170000) === 0o040000;
export const isRegular = (mode: number): boolean => (mode & 0o170000) === 0o100000;
export const isLink = (mode: number): boolean => (mode & 0o170000) === 0o120000;
export const isSubmodule = (mode: number): boolean => (mode & 0o170000) === 0o160000;
export const modeText = (mode: number): string => mode.toString(8).padStart(6, "0");
