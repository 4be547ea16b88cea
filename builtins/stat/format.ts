/** A format of stat as parts, as GNU stat reads it. */
import { quoteCurly } from "../../src/display/quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import type { Conversion } from "./conversion.ts";

export type FormatPart =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "directive";
      readonly letter: string;
      /** `H` and `L` before `d` and `r`: the major or the minor number. */
      readonly modifier: "" | "H" | "L";
      readonly conversion: Conversion;
      /** A `.` without digits. */
      readonly precisionIsBare: boolean;
    }
  /** Said where it stands, each time the format is used. */
  | { readonly kind: "warning"; readonly message: string }
  /** Ends the whole run. */
  | { readonly kind: "fatal"; readonly message: string };

/** `escapes` is true for --printf. */
export function readFormat(format: string, escapes: boolean): readonly FormatPart[] {
  const parts: FormatPart[] = [];
  const text = (more: string): void => {
    const last = parts.at(-1);
    if (last?.kind === "text") parts[parts.length - 1] = { kind: "text", text: last.text + more };
    else parts.push({ kind: "text", text: more });
  };
  for (let at = 0; at < format.length; ) {
    const character = format.charAt(at);
    if (character === "%") at = readDirective(format, at, parts, text);
    else if (character === "\\" && escapes) at = readEscape(format, at, parts, text);
    else {
      const end = format.slice(at + 1).search(/[%\\]/);
      const next = end < 0 ? format.length : at + 1 + end;
      text(format.slice(at, next));
      at = next;
    }
  }
  return parts;
}

type AddText = (more: string) => void;

/** Returns where the format goes on. */
function readDirective(format: string, from: number, parts: FormatPart[], text: AddText): number {
  const [before, flags, width, point] = /^%(['\-+ #0I]*)([0-9]*)((?:\.[0-9]*)?)/.exec(format.slice(from)) as unknown as [
    string,
    string,
    string,
    string,
  ];
  let at = from + before.length;
  const letter = characterAt(format, at);
  if (letter === "" || letter === "%") {
    if (before !== "%") parts.push({ kind: "fatal", message: `${quoteCurly(before + letter)}: invalid directive` });
    else text("%");
    return at + letter.length;
  }
  at += letter.length;
  const following = format.charAt(at);
  const isPart = (letter === "H" || letter === "L") && (following === "d" || following === "r");
  const conversion = {
    flags,
    width: width === "" ? -1 : Number(width),
    precision: point === "" ? undefined : Number(point.slice(1)),
  };
  parts.push({
    kind: "directive",
    letter: isPart ? following : letter,
    modifier: isPart ? letter : "",
    conversion,
    precisionIsBare: point === ".",
  });
  // A directive is a byte: what a character has beyond its first is text.
  text(toText(toBytes(letter).subarray(1)));
  return isPart ? at + 1 : at;
}

function readEscape(format: string, from: number, parts: FormatPart[], text: AddText): number {
  const rest = format.slice(from + 1);
  const [octal] = /^[0-7]{1,3}/.exec(rest) ?? [];
  if (octal !== undefined) {
    text(byte(Number.parseInt(octal, 8)));
    return from + 1 + octal.length;
  }
  const [, hex] = /^x([0-9a-fA-F]{1,2})/.exec(rest) ?? [];
  if (hex !== undefined) {
    text(byte(Number.parseInt(hex, 16)));
    return from + 2 + hex.length;
  }
  const letter = characterAt(rest, 0);
  if (letter === "") {
    parts.push({ kind: "warning", message: "warning: backslash at end of format" });
    text("\\");
    return from + 1;
  }
  const meant = ESCAPES.get(letter);
  if (meant === undefined)
    parts.push({ kind: "warning", message: `warning: unrecognized escape '\\${toText(toBytes(letter).subarray(0, 1))}'` });
  text(meant ?? letter);
  return from + 1 + letter.length;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["e", "\x1b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ['"', '"'],
  ["\\", "\\"],
]);

const characterAt = (text: string, at: number): string => {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
};

const byte = (value: number): string => toText(Uint8Array.of(value & 0xff));
