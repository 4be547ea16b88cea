/** JSON and comma-separated values, as libmagic's own tests read them. */

/** Arrays and objects nested deeper than this are none to libmagic either. */
const MOST_LEVELS = 500;

/** "one" value that is an array or an object, "lines" of several, or undefined. `text` has one character per byte. */
export function jsonKind(text: string): "one" | "lines" | undefined {
  const first = skipSpace(text, 0);
  const opener = text[first];
  if (opener !== "{" && opener !== "[") return undefined;
  const end = valueEnd(text, first, 0);
  if (end === undefined) return undefined;
  const next = skipSpace(text, end);
  if (next >= text.length) return "one";
  return text[next] === opener && valueEnd(text, next, 1) !== undefined ? "lines" : undefined;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return at;
}

/** Where the value at `from` ends; undefined where there is none. A comma before the closing bracket is let pass. */
function valueEnd(text: string, from: number, level: number): number | undefined {
  if (level > MOST_LEVELS) return undefined;
  const start = skipSpace(text, from);
  switch (text[start]) {
    case '"':
      return stringEnd(text, start);
    case "[":
      return membersEnd(text, start, "]", (at) => valueEnd(text, at, level + 1));
    case "{":
      return membersEnd(text, start, "}", (at) => pairEnd(text, at, level));
    default: {
      SCALAR.lastIndex = start;
      return SCALAR.test(text) ? SCALAR.lastIndex : undefined;
    }
  }
}

const SCALAR = /(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;

function membersEnd(text: string, open: number, closer: string, end: (at: number) => number | undefined): number | undefined {
  for (let at = open + 1; ; ) {
    at = skipSpace(text, at);
    if (text[at] === closer) return at + 1;
    const member = end(at);
    if (member === undefined) return undefined;
    at = skipSpace(text, member);
    if (text[at] === closer) return at + 1;
    if (text[at] !== ",") return undefined;
    at++;
  }
}

function pairEnd(text: string, from: number, level: number): number | undefined {
  if (text[from] !== '"') return undefined;
  const nameEnd = stringEnd(text, from);
  if (nameEnd === undefined) return undefined;
  const colon = skipSpace(text, nameEnd);
  return text[colon] === ":" ? valueEnd(text, colon + 1, level + 1) : undefined;
}

function stringEnd(text: string, from: number): number | undefined {
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '"') return at + 1;
    if (character === "\0") return undefined;
    if (character !== "\\") continue;
    at++;
    if (text[at] === "u") {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) return undefined;
      at += 4;
    } else if (!'"\\/bfnrt'.includes(text[at] ?? " ")) return undefined;
  }
  return undefined;
}

/** At least three lines, each with as many commas outside quotes as the first; ten lines decide. */
export function isCommaSeparated(text: string): boolean {
  let expected = 0;
  let commas = 0;
  let lines = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      for (at++; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at++) if (text[at] === '"') at++;
    } else if (character === ",") commas++;
    else if (character === "\n") {
      lines++;
      if (lines === 10) return expected !== 0 && expected === commas;
      if (expected === 0) {
        if (commas === 0) return false;
        expected = commas;
      } else if (expected !== commas) return false;
      commas = 0;
    }
  }
  return expected !== 0 && lines > 2;
}
