/** The three forms of tree's output: lines, JSON, XML. Each call gives the text to print (src/io/text.ts). */
import type { FlagValues } from "../../src/builtin/definition.ts";
import type { FileKind, FileStatus } from "../../src/workspace/file-status.ts";
import type { flags } from "./flags.ts";
import type { Metadata } from "./metadata.ts";
import { printedName } from "./names.ts";
import type { TreeNode } from "./nodes.ts";

type Values = FlagValues<typeof flags>;

/** One file to print. */
export interface Shown {
  /** As it is shown: a name, or with -f a path. */
  readonly label: string;
  readonly node: TreeNode;
  /** 0 is a starting point. */
  readonly level: number;
  /** What stands in front of its line (`childLead` of where it is). */
  readonly lead: string;
  readonly isLast: boolean;
  readonly hasContents: boolean;
}

export interface Totals {
  directories: number;
  files: number;
  bytes: number;
}

export interface Printer {
  intro(): string;
  /** A file, and what is wrong with it. */
  file(shown: Shown): string;
  /** After the contents of a file that has some. */
  close(shown: Shown): string;
  /** A starting point that cannot be listed; `node` is undefined where it does not exist. `isLast` of the starting points. */
  failed(label: string, node: TreeNode | undefined, error: string, isLast: boolean): string;
  report(totals: Totals): string;
  outro(): string;
  /** What stands in front of the entries below. */
  childLead(lead: string, isLast: boolean, level: number): string;
}

export class LinePrinter implements Printer {
  readonly #values: Values;
  readonly #metadata: Metadata;
  readonly #vertical: string;
  readonly #tee: string;
  readonly #corner: string;

  constructor(values: Values, metadata: Metadata) {
    const isUtf8 = values.charset === undefined || /^utf-?8$/i.test(values.charset);
    this.#values = values;
    this.#metadata = metadata;
    [this.#vertical, this.#tee, this.#corner] = isUtf8
      ? ["\u2502\u00a0\u00a0 ", "\u251c\u2500\u2500 ", "\u2514\u2500\u2500 "]
      : ["|   ", "|-- ", "`-- "];
  }

  intro(): string {
    return "";
  }

  file({ label, node, level, lead, isLast }: Shown): string {
    const error = node.error === undefined ? "" : `  [${node.error}]`;
    const indent = level === 0 || this.#values.noIndent ? "" : lead + (isLast ? this.#corner : this.#tee);
    return `${this.#front(node, indent)}${printedName(label, this.#style)}${this.#after(node)}${error}\n`;
  }

  close(): string {
    return "";
  }

  failed(label: string, node: TreeNode | undefined, error: string): string {
    const front = node === undefined ? "" : this.#front(node, "");
    const { classify, directories } = this.#values;
    const isMarked = node !== undefined && classify;
    const after = !isMarked ? "" : node.kind === "symlink" ? "@" : mark(node.kind, node.status, directories);
    return `${front}${printedName(label, this.#style)}${after}  [${error}]\n`;
  }

  report({ directories, files, bytes }: Totals): string {
    const { du, human, si } = this.#values;
    const used = du ? `${this.#metadata.size(bytes)}${human || si ? "" : " bytes"} used in ` : "";
    const counted = `${directories} director${directories === 1 ? "y" : "ies"}`;
    return `\n${used}${counted}${this.#values.directories ? "" : `, ${files} file${files === 1 ? "" : "s"}`}\n`;
  }

  outro(): string {
    return "";
  }

  childLead(lead: string, isLast: boolean, level: number): string {
    return level === 0 || this.#values.noIndent ? "" : lead + (isLast ? "    " : this.#vertical);
  }

  get #style(): { literal: boolean; question: boolean; quote: boolean } {
    const { literal, question, quote } = this.#values;
    return { literal, question, quote };
  }

  #front({ status, size }: TreeNode, indent: string): string {
    const bracket = status === undefined ? "" : this.#metadata.bracket(status, size);
    const shown = bracket === "" ? "" : `${bracket}  `;
    return this.#values.metafirst ? shown + indent : indent + shown;
  }

  #after({ name, kind, status, link, target }: TreeNode): string {
    const { classify, directories } = this.#values;
    // A starting point is not shown with what it points to.
    if (name === "") return !classify ? "" : kind === "symlink" ? "@" : mark(kind, status, directories);
    if (kind !== "symlink") return classify ? mark(kind, status, directories) : "";
    const shown = printedName(link ?? "[Error reading symbolic link information]", this.#style);
    return ` -> ${shown}${classify && target !== undefined ? mark(target.kind, target, directories) : ""}`;
  }
}

function mark(kind: FileKind, status: FileStatus | undefined, directoriesOnly: boolean): string {
  if (kind === "directory") return directoriesOnly ? "" : "/";
  if (kind === "socket") return "=";
  if (kind === "fifo") return "|";
  return kind === "file" && ((status?.permissions ?? 0) & 0o111) !== 0 ? "*" : "";
}

const TYPES: Readonly<Record<FileKind, string>> = {
  file: "file",
  directory: "directory",
  symlink: "link",
  fifo: "fifo",
  socket: "socket",
  "character-device": "char",
  "block-device": "block",
};

/** A starting point is shown without its inode and device. */
function fieldsOf(metadata: Metadata, node: TreeNode, level: number): ReturnType<Metadata["fields"]> {
  const { status, size } = node;
  if (status === undefined) return [];
  const { inode, device } = node.kind === "symlink" ? (node.target ?? { inode: 0n, device: 0n }) : status;
  return level === 0 ? metadata.fields(status, size, 0n, 0n) : metadata.fields(status, size, inode, device);
}

export class JsonPrinter implements Printer {
  readonly #values: Values;
  readonly #metadata: Metadata;
  readonly #newline: string;

  constructor(values: Values, metadata: Metadata) {
    this.#values = values;
    this.#metadata = metadata;
    this.#newline = values.noIndent ? "" : "\n";
  }

  intro(): string {
    return `[${this.#newline}`;
  }

  file({ label, node, level, isLast, hasContents }: Shown): string {
    let text = `${this.#indent(level)}{"type":"${TYPES[node.kind]}","name":${quoted(label)}`;
    if (node.kind === "symlink" && node.name !== "") text += `,"target":${quoted(node.link ?? "")}`;
    for (const [name, value] of fieldsOf(this.#metadata, node, level))
      text += `,"${name}":${typeof value === "string" ? `"${value}"` : value}`;
    if (hasContents) return `${text},"contents":[${this.#newline}`;
    return `${text}${node.error === undefined ? "" : this.#errorList(node.error)}}${isLast ? "" : ","}${this.#newline}`;
  }

  close({ level, isLast }: Shown): string {
    return `${this.#indent(level)}]}${isLast ? "" : ","}${this.#newline}`;
  }

  failed(label: string, node: TreeNode | undefined, error: string, isLast: boolean): string {
    const type = node === undefined ? "" : `"type":"${TYPES[node.kind]}",`;
    const fields = node === undefined ? [] : fieldsOf(this.#metadata, node, 0);
    const shown = fields.map(([name, value]) => `,"${name}":${typeof value === "string" ? `"${value}"` : value}`).join("");
    return `${this.#indent(0)}{${type}"name":${quoted(label)}${shown}${this.#errorList(error)}}${isLast ? "" : ","}${this.#newline}`;
  }

  #errorList(error: string): string {
    return `,"contents":[{"error":"${error}"}]`;
  }

  report({ directories, files, bytes }: Totals): string {
    const size = this.#values.du ? `,"size":${bytes}` : "";
    const counted = this.#values.directories ? "" : `,"files":${files}`;
    return `,${this.#newline}${this.#indent(0)}{"type":"report"${size},"directories":${directories}${counted}}`;
  }

  outro(): string {
    return `${this.#newline}]\n`;
  }

  childLead(): string {
    return "";
  }

  #indent(level: number): string {
    return this.#values.noIndent ? "" : "  ".repeat(level + 1);
  }
}

function quoted(text: string): string {
  const letters: Readonly<Record<string, string>> = { "\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r", '"': '"', "\\": "\\" };
  return `"${text.replace(/[\0-\x1f"\\]/g, (character) => {
    const letter = letters[character];
    return letter === undefined ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : `\\${letter}`;
  })}"`;
}

export class XmlPrinter implements Printer {
  readonly #values: Values;
  readonly #metadata: Metadata;
  readonly #newline: string;

  constructor(values: Values, metadata: Metadata) {
    this.#values = values;
    this.#metadata = metadata;
    this.#newline = values.noIndent ? "" : "\n";
  }

  intro(): string {
    const encoding = this.#values.charset ?? "UTF-8";
    return `<?xml version="1.0" encoding="${encoding}"?>${this.#newline}<tree>${this.#newline}`;
  }

  file(shown: Shown): string {
    const { level, node, hasContents } = shown;
    const text = this.#indent(level) + this.#tag(shown.label, node, level);
    if (hasContents) return `${text}\n`;
    const error = node.error === undefined ? "" : `<error>${node.error}</error>`;
    return `${text}${error}</${TYPES[node.kind]}>${this.#newline}`;
  }

  close({ level, node }: Shown): string {
    return `${this.#indent(level)}</${TYPES[node.kind]}>${this.#newline}`;
  }

  failed(label: string, node: TreeNode | undefined, error: string): string {
    const open = node === undefined ? ` name="${escaped(label)}">` : this.#indent(0) + this.#tag(label, node, 0);
    return `${open}<error>${error}</error>\n${this.#indent(0)}</${node === undefined ? "unknown" : TYPES[node.kind]}>${this.#newline}`;
  }

  report({ directories, files, bytes }: Totals): string {
    const line = (name: string, value: number): string => `${this.#indent(1)}<${name}>${value}</${name}>${this.#newline}`;
    const { du, directories: only } = this.#values;
    const inside = (du ? line("size", bytes) : "") + line("directories", directories) + (only ? "" : line("files", files));
    return `${this.#indent(0)}<report>${this.#newline}${inside}${this.#indent(0)}</report>${this.#newline}`;
  }

  outro(): string {
    return "</tree>\n";
  }

  childLead(): string {
    return "";
  }

  #tag(label: string, node: TreeNode, level: number): string {
    const target = node.kind === "symlink" && node.name !== "" ? ` target="${escaped(node.link ?? "")}"` : "";
    const fields = fieldsOf(this.#metadata, node, level).map(([name, value]) => ` ${name}="${value}"`);
    return `<${TYPES[node.kind]} name="${escaped(label)}"${target}${fields.join("")}>`;
  }

  #indent(level: number): string {
    return this.#values.noIndent ? "" : "  ".repeat(level + 1);
  }
}

const ENTITIES: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[<>&"]/g, (character) => ENTITIES[character] ?? character);
