/** Escape sequences of strings (POSIX awk, table 4; gawk adds \x and \u). */

export interface Escape {
  /** One unit per byte. */
  readonly text: string;
  readonly next: number;
}

const PLAIN: ReadonlyMap<string, string> = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ['"', '"'],
]);

/** A value from the command line, its escapes resolved. */
export function withEscapes(text: string, warn: (message: string) => void): string {
  if (!text.includes("\\")) return text;
  let out = "";
  for (let at = 0; at < text.length; ) {
    if (text[at] !== "\\" || at + 1 === text.length) {
      out += text[at++];
      continue;
    }
    const escape = readEscape(text, at, warn);
    out += escape.text;
    at = escape.next;
  }
  return out;
}

/** The escape whose backslash is at `at`, with a character after it. */
export function readEscape(text: string, at: number, warn: (message: string) => void): Escape {
  const letter = text[at + 1] as string;
  const plain = PLAIN.get(letter);
  if (plain !== undefined) return { text: plain, next: at + 2 };
  const numbered = readNumberedEscape(text, at, warn);
  if (numbered !== undefined) return numbered;
  warn(`escape sequence \`\\${letter}' treated as plain \`${letter}'`);
  return { text: letter, next: at + 2 };
}

/** `\ooo`, `\xhh` and `\uhhhhhhhh`; undefined for anything else. */
export function readNumberedEscape(text: string, at: number, warn: (message: string) => void): Escape | undefined {
  const letter = text[at + 1] as string;
  if (letter >= "0" && letter <= "7") {
    const [digits] = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4)) ?? [""];
    return { text: String.fromCharCode(Number.parseInt(digits, 8) & 0xff), next: at + 1 + digits.length };
  }
  if (letter === "x") {
    const [digits] = /^[0-9a-fA-F]{0,2}/.exec(text.slice(at + 2, at + 4)) ?? [""];
    if (digits === "") {
      warn("no hex digits in `\\x' escape sequence");
      return { text: "x", next: at + 2 };
    }
    return { text: String.fromCharCode(Number.parseInt(digits, 16)), next: at + 2 + digits.length };
  }
  if (letter === "u") {
    const [digits] = /^[0-9a-fA-F]{0,8}/.exec(text.slice(at + 2, at + 10)) ?? [""];
    if (digits === "") {
      warn("no hex digits in `\\u' escape sequence");
      return { text: "u", next: at + 2 };
    }
    const code = Number.parseInt(digits, 16);
    const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    if (!isCharacter) warn("invalid `\\u' escape sequence");
    return { text: isCharacter ? Buffer.from(String.fromCodePoint(code)).toString("latin1") : "?", next: at + 2 + digits.length };
  }
  return undefined;
}

/** True if `message` is to be printed: one about a letter or a class is printed once, and then stands in `told`. */
export function isNewsOf(message: string, told: Set<string>): boolean {
  if (/^(?:no hex digits|invalid)/.test(message)) return true;
  const isNews = !told.has(message);
  told.add(message);
  return isNews;
}
