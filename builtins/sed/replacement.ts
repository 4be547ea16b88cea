/** The right side of `s`: parsed into parts, and put together for a match. */
import { toBytes, toText } from "../../src/io/text.ts";
import { readEscape } from "./escapes.ts";
import type { CaseChange, ReplacementPart } from "./program.ts";

/** Parses `raw`, one unit per byte, its delimiters already plain. `posix`: no letter changes the case. */
export function parseReplacement(raw: string, posix: boolean): readonly ReplacementPart[] {
  const parts: ReplacementPart[] = [];
  let text = "";
  const flush = (): void => {
    if (text !== "") parts.push({ kind: "text", text: Buffer.from(text, "latin1") });
    text = "";
  };
  for (let at = 0; at < raw.length; ) {
    const byte = raw[at] as string;
    if (byte === "&") {
      flush();
      parts.push({ kind: "group", index: 0 });
      at++;
      continue;
    }
    if (byte !== "\\") {
      text += byte;
      at++;
      continue;
    }
    const letter = raw[at + 1] ?? "\\";
    const escape = readEscape(raw, at);
    if (escape !== undefined) {
      text += escape.byte;
      at = escape.next;
      continue;
    }
    at += 2;
    if (/^[0-9]$/.test(letter)) {
      flush();
      parts.push({ kind: "group", index: Number(letter) });
    } else if ("ULEul".includes(letter) && !posix) {
      flush();
      parts.push({ kind: "case", change: letter as CaseChange });
    } else {
      text += letter;
    }
  }
  flush();
  return parts;
}

/** The highest group a replacement names. */
export function highestGroup(parts: readonly ReplacementPart[]): number {
  return parts.reduce((highest, part) => (part.kind === "group" ? Math.max(highest, part.index) : highest), 0);
}

/** Bytes that grow at their end. */
export interface ByteSink {
  add(bytes: Uint8Array, from?: number, to?: number): void;
}

/** Appends the replacement of the match whose places are in `offsets`. */
export function appendReplacement(parts: readonly ReplacementPart[], bytes: Buffer, offsets: Int32Array, sink: ByteSink): void {
  let lasting: CaseChange = "E";
  let once: CaseChange | undefined;
  /** True if `once` has outlived a reference to nothing: GNU sed lets it outlive one. */
  let isCarried = false;
  for (const part of parts) {
    if (part.kind === "case") {
      isCarried = false;
      if (part.change === "u" || part.change === "l") once = part.change;
      else {
        lasting = part.change;
        once = undefined;
      }
      continue;
    }
    const source = part.kind === "text" ? part.text : bytes;
    const from = part.kind === "text" ? 0 : (offsets[part.index * 2] as number);
    const to = part.kind === "text" ? source.length : (offsets[part.index * 2 + 1] as number);
    if (from < 0 || from >= to) {
      if (isCarried) once = undefined;
      isCarried = true;
      continue;
    }
    if (lasting === "E" && once === undefined) sink.add(source, from, to);
    else sink.add(changeCase(source.subarray(from, to), lasting, once));
    once = undefined;
  }
}

function changeCase(bytes: Buffer, lasting: CaseChange, once: CaseChange | undefined): Buffer {
  let text = "";
  let first = once;
  for (const character of toText(bytes)) {
    const change = first ?? lasting;
    first = undefined;
    text += change === "U" || change === "u" ? upper(character) : change === "L" || change === "l" ? lower(character) : character;
  }
  return toBytes(text);
}

/** towupper(3): one character for one. */
function upper(character: string): string {
  const changed = character.toUpperCase();
  return [...changed].length === 1 ? changed : character;
}

function lower(character: string): string {
  const changed = character.toLowerCase();
  return [...changed].length === 1 ? changed : character;
}
