/** The words of a command that is still being typed, up to the cursor, as the shell would read them. */

export interface TypedWords {
  /** Words of the command before the one being typed, its name first, without assignments in front of it. */
  readonly before: readonly string[];
  /** The word being typed, without its quotes. */
  readonly word: string;
  /** The same as it stands in the text. */
  readonly raw: string;
  /** The quote that is open at the cursor. */
  readonly quote: "" | "'" | '"';
  /** True for the operand of a redirection. */
  readonly isRedirected: boolean;
}

/** Words after which another command begins. */
const OPENING = new Set(["!", "{", "do", "elif", "else", "if", "then", "time", "until", "while"]);
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

export function typedWords(text: string): TypedWords {
  let before: string[] = [];
  let word = "";
  let start = 0;
  let quote: TypedWords["quote"] = "";
  let isRedirected = false;
  const end = (at: number): void => {
    if (at > start && !isRedirected && !(before.length === 0 && (OPENING.has(word) || ASSIGNMENT.test(word)))) before.push(word);
    if (at > start) isRedirected = false;
    word = "";
    start = at + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (quote === "'") {
      if (character === "'") quote = "";
      else word += character;
    } else if (character === "\\" && at + 1 < text.length && (quote === "" || /["\\$`]/.test(text.charAt(at + 1)))) {
      word += text.charAt(++at);
    } else if (quote === '"') {
      if (character === '"') quote = "";
      else word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
    } else if (/\s/.test(character) && character !== "\n") {
      end(at);
    } else if (/[|;&()`\n]/.test(character)) {
      end(at);
      before = [];
      isRedirected = false;
    } else if (/[<>]/.test(character)) {
      end(at);
      isRedirected = true;
    } else {
      word += character;
    }
  }
  return { before, word, raw: text.slice(start), quote, isRedirected };
}

/** `text` as the rest of a word that stands in `quote`, which stays open where `isOpen`. */
export function requoted(text: string, quote: TypedWords["quote"], isOpen: boolean): string {
  if (quote === "'") return `'${text.replaceAll("'", `'\\''`)}${isOpen ? "" : "'"}`;
  if (quote === '"') return `"${text.replace(/["\\$`]/g, "\\$&")}${isOpen ? "" : '"'}`;
  return text.replace(/[^\w@%+=:,./\u0080-\uffff-]/g, "\\$&");
}
