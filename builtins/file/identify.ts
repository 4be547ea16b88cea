/** Identifies the content of a file, in libmagic's words: consults the tables in libmagic's order. */
import { archiveKind, zipAtEnd } from "./archives.ts";
import { documentKind } from "./documents.ts";
import { imageKind } from "./images.ts";
import { isCommaSeparated, jsonKind } from "./json.ts";
import { mediaKind } from "./media.ts";
import { programKind } from "./programs.ts";
import { Sample, type Kind } from "./sample.ts";
import { lineWords, lookAtText, TEXT_BYTES, type TextLook } from "./text.ts";
import { textKind } from "./text-kinds.ts";

export interface Content extends Kind {
  /** As --mime-encoding prints it. */
  readonly charset: string;
}

/** `sample` is not empty. */
export function identify(sample: Sample): Content {
  const look = lookAtText(sample);
  const charset = look?.charset ?? "binary";
  if (sample.size === 1) return { description: "very short file (no magic)", mime: "application/octet-stream", charset: "binary" };
  const json = /^\s*[[{]/.test(sample.beginning) ? jsonKind(sample.bytes.toString("latin1")) : undefined;
  if (json === "one") return { description: "JSON text data", mime: "application/json", charset };
  if (json === "lines") return { description: "New Line Delimited JSON text data", mime: "application/x-ndjson", charset };
  if (look !== undefined && isCommaSeparated(sample.text(0, TEXT_BYTES))) return { description: "CSV text", mime: "text/csv", charset };
  const known = archiveKind(sample) ?? imageKind(sample) ?? programKind(sample) ?? mediaKind(sample) ?? documentKind(sample);
  // Of a kind without a type of its own, the type is that of its text.
  const isUntyped = look !== undefined && known?.mime === "application/octet-stream";
  if (known !== undefined) return { ...known, ...(isUntyped ? { mime: "text/plain" } : {}), charset };
  if (look !== undefined) return { ...textContent(look, sample), charset };
  const atEnd = zipAtEnd(sample);
  if (atEnd !== undefined) return { ...atEnd, charset };
  // NULs at the end do not make text anything else, but for the MIME encoding.
  const trimmed = withoutNulls(sample);
  const inner = trimmed.bytes.length < sample.bytes.length ? lookAtText(trimmed) : undefined;
  if (inner !== undefined) return { ...textContent(inner, trimmed), charset };
  return { description: "data", mime: "application/octet-stream", charset };
}

function textContent(look: TextLook, sample: Sample): Kind {
  const known = textKind(look.searchable);
  if (known?.alone === true) return known;
  const is = known?.description ?? "";
  const isExecutable = is.endsWith(" text executable");
  const subject = is.replace(/ text( executable)?$/, "");
  const isWide = look.encoding.includes("UTF-32");
  const what = `${look.encoding}${isWide ? "" : " text"}${isExecutable ? " executable" : ""}`;
  const lines = isWide ? "" : lineWords(look, sample.size > TEXT_BYTES);
  return { description: `${subject === "" ? "" : `${subject}, `}${what}${lines}`, mime: known?.mime ?? "text/plain" };
}

function withoutNulls(sample: Sample): Sample {
  let end = sample.bytes.length;
  while (end > 1 && sample.bytes[end - 1] === 0) end--;
  return new Sample(sample.bytes.subarray(0, end), end);
}
