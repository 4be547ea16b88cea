/**
 * Files of the working tree as git stores them (gitattributes(5): working-tree-encoding, text, eol, ident;
 * core.autocrlf, core.eol). A `filter`
 * is a program and never runs: a filtered file is compared as it lies there.
 */
import { GitError } from "../git-error.ts";
import { bytesOf } from "../objects/byte-text.ts";
import type { Repository } from "../repository.ts";
import type { Attributes, AttributeValue } from "./attributes.ts";
import { reencoded, workingEncoding, type Reencoded } from "./working-encoding.ts";

interface LineEnds {
  readonly action: "none" | "text" | "auto";
  /** Line end that checking out writes. */
  readonly writes: "lf" | "crlf";
}

function lineEndsOf({ config }: Repository, attributes: Attributes, path: string): LineEnds {
  const { text, eol } = textAttributes(attributes, path);
  const autocrlf = config.get("core.autocrlf")?.toLowerCase();
  const converts = autocrlf === "input" ? "input" : config.boolean("core.autocrlf", false);
  const native = converts === true || (converts === false && config.get("core.eol")?.toLowerCase() === "crlf") ? "crlf" : "lf";
  if (text === false) return { action: "none", writes: "lf" };
  const writes = eol === "crlf" ? "crlf" : eol === "lf" ? "lf" : native;
  if (text === "auto") return { action: "auto", writes };
  if (text === true || eol === "crlf" || eol === "lf") return { action: "text", writes };
  return converts === false ? { action: "none", writes: "lf" } : { action: "auto", writes: converts === true ? "crlf" : "lf" };
}

/** `text` and `eol`, or what the older `crlf` says of them. */
function textAttributes(of: Attributes, path: string): Readonly<Record<"text" | "eol", AttributeValue | undefined>> {
  const attributes = of.all(path);
  const crlf = attributes.get("crlf");
  const text = attributes.get("text");
  return {
    text: text ?? (crlf === "input" ? true : crlf),
    eol: attributes.get("eol") ?? (text === undefined && crlf === "input" ? "lf" : undefined),
  };
}

interface Counts {
  readonly loneCr: number;
  readonly loneLf: number;
  readonly crlf: number;
  readonly isBinary: boolean;
}

function countsOf(bytes: Buffer): Counts {
  let loneCr = 0;
  let loneLf = 0;
  let crlf = 0;
  let printable = 0;
  let unprintable = 0;
  let hasNull = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === 13) {
      if (bytes[at + 1] === 10) {
        crlf++;
        at++;
      } else loneCr++;
    } else if (byte === 10) loneLf++;
    else if (byte === 127) unprintable++;
    else if (byte < 32) {
      if (byte === 8 || byte === 9 || byte === 12 || byte === 27) printable++;
      else {
        unprintable++;
        hasNull ||= byte === 0;
      }
    } else printable++;
  }
  if (bytes.length > 0 && bytes[bytes.length - 1] === 26) unprintable--;
  return { loneCr, loneLf, crlf, isBinary: loneCr > 0 || hasNull || printable >> 7 < unprintable };
}

/** Line ends of a file's content, in the words of `git ls-files --eol`. */
export function lineEndNames(bytes: Buffer): "none" | "lf" | "crlf" | "mixed" | "-text" {
  const { loneLf, crlf, isBinary } = countsOf(bytes);
  if (isBinary) return "-text";
  if (loneLf > 0) return crlf > 0 ? "mixed" : "lf";
  return crlf > 0 ? "crlf" : "none";
}

/** What the attributes say of a path's line ends, in the same words. */
export function lineEndAttributes(repository: Repository, path: string): string {
  const { text, eol } = textAttributes(repository.attributes, path);
  if (text === false) return "-text";
  const end = eol === "lf" || eol === "crlf" ? ` eol=${eol}` : "";
  if (text === "auto") return `text=auto${end}`;
  return text === true || end !== "" ? `text${end}` : "";
}

export interface Stored {
  readonly bytes: Buffer;
  /** git's warning, on standard error, about line ends that would not come back. */
  readonly warning: string | undefined;
}

/** True if line ends of a path are converted at all. */
export const convertsLineEnds = (repository: Repository, path: string): boolean =>
  lineEndsOf(repository, repository.attributes, path).action !== "none";

/** `stored`: what the index has, which decides about files whose text is found out (auto). */
export function storedForm(repository: Repository, path: string, read: Buffer, stored: () => Buffer | undefined): Stored {
  const encoding = workingEncoding(repository.attributes.get(path, "working-tree-encoding"));
  const { bytes, error }: Reencoded = encoding === undefined || read.length === 0 ? { bytes: read } : reencoded(path, read, encoding);
  if (error !== undefined) repository.warn(error);
  const { action, writes } = lineEndsOf(repository, repository.attributes, path);
  let converted = bytes;
  let warning: string | undefined;
  if (action !== "none" && bytes.length > 0) {
    const counts = countsOf(bytes);
    let strips = counts.crlf > 0;
    const isSkipped = action === "auto" && counts.isBinary;
    if (strips && action === "auto" && !isSkipped) {
      const before = stored();
      if (before !== undefined && before.indexOf(13) >= 0 && before.indexOf("\r\n") >= 0) strips = false;
    }
    if (!isSkipped) {
      warning = warningOf(path, counts, strips, action, writes);
      if (strips) converted = bytesOf(bytes.toString("latin1").replace(/\r\n/g, "\n"));
    }
  }
  if (repository.attributes.get(path, "ident") === true && converted.includes("$Id"))
    converted = bytesOf(converted.toString("latin1").replace(/\$Id:[^$\n]*\$/g, "$Id$"));
  return { bytes: converted, warning };
}

function warningOf(
  path: string,
  { loneCr, loneLf, crlf }: Counts,
  strips: boolean,
  action: "text" | "auto",
  writes: "lf" | "crlf",
): string | undefined {
  const stripped = strips ? { loneLf: loneLf + crlf, crlf: 0 } : { loneLf, crlf };
  const addsCr = writes === "crlf" && stripped.loneLf > 0 && !(action === "auto" && (loneCr > 0 || stripped.crlf > 0));
  const after = addsCr ? { loneLf: 0, crlf: stripped.crlf + stripped.loneLf } : stripped;
  const [from, to] = crlf > 0 && after.crlf === 0 ? ["CRLF", "LF"] : loneLf > 0 && after.loneLf === 0 ? ["LF", "CRLF"] : [];
  return from === undefined
    ? undefined
    : `warning: in the working copy of '${path}', ${from} will be replaced by ${to} the next time Git touches it\n`;
}

/**
 * A stored file as checking it out writes it. Throws GitError where that takes a program, or an encoding: what lies in the working
 * tree is never written here, and no more of it is needed.
 */
export function checkedOutForm(repository: Repository, attributes: Attributes, path: string, id: string, stored: Buffer): Buffer {
  const said = attributes.all(path);
  const filter = said.get("filter");
  if (typeof filter === "string" && repository.config.get(`filter.${filter}.smudge`) !== undefined)
    throw new GitError(`${path}: the filter '${filter}' is a program, and none is started here`);
  if (workingEncoding(said.get("working-tree-encoding")) !== undefined)
    throw new GitError(`${path}: files of another encoding are not converted here`);
  let out = stored;
  if (said.get("ident") === true && stored.includes("$Id"))
    out = bytesOf(out.toString("latin1").replace(/\$Id(?::[^$\n]*)?\$/g, `$Id: ${id} $`));
  const { action, writes } = lineEndsOf(repository, attributes, path);
  if (action === "none" || writes === "lf") return out;
  const { loneCr, loneLf, crlf, isBinary } = countsOf(out);
  if (loneLf === 0 || (action === "auto" && (loneCr > 0 || crlf > 0 || isBinary))) return out;
  return bytesOf(out.toString("latin1").replace(/(?<!\r)\n/g, "\r\n"));
}
