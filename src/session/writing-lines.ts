/**
 * The judgement of a line by its text alone, whether it may write: for the order of lines, before any of it is parsed. It errs on the
 * side of "may": a line that is taken for one that writes only waits. All patterns are linear, for a line may be long.
 */
import { builtins } from "../../builtins/registry.ts";

/** Tells whether `line` could change a file of the workspace or of the scratch, however it is quoted. */
export function mayWrite(line: string): boolean {
  // A name in escapes (`$'\x74ee'`) is not looked for.
  if (/\$'[^']*\\/.test(line)) return true;
  const text = line.replace(/\\\n|['"\\]/g, "");
  return (
    WRITER.test(text) || WORKED_OUT.test(text) || text.replace(TO_NO_FILE, "").includes(">") || SOMETIMES.some((may) => may(text, line))
  );
}

/**
 * A writer's name as a word, and a call of a named pipeline (`@name`), which is one by what its definition holds. `patch` changes
 * files without being asked to, and `mktemp` the scratch, though neither counts as a writer where a workspace is read-only.
 */
const WRITER = new RegExp(
  `(?<![\\w./@-])(?:${builtins
    .filter(({ name, writes }) => writes === true || name === "patch" || name === "mktemp")
    .flatMap(({ name, aliases = [] }) => [name, ...aliases])
    .join("|")})(?![\\w./-])|(?<![\\w./@-])@(?!out\\b)\\w`,
);

/** A command's name that the shell makes: `$a$b`, `te{e,}`. */
const WORKED_OUT = /(?:^|[;&|(\n]|\{(?=\s)|\b(?:do|then|else|elif|if|while|until|time)\b|! )[ \t]*[^\s=;|&(){}<>$`]*(?:[$`]|\{(?!\s))/;

/** A redirection that makes no file. */
const TO_NO_FILE = />>?\s*(?:&\s*[\d-]|\/dev\/(?:null|stdout|stderr)(?![\w/]))/g;

/** Builtins that write only where a flag or their script says so. */
const SOMETIMES: readonly ((text: string, line: string) => boolean)[] = [
  (text) => /\bfind\b/.test(text) && /\s-(?:delete|fprint|fls)/.test(text),
  (text) => /\bsort\b/.test(text) && /\s-(?:\w*o|-o)/.test(text),
  // A script in a file may write, too.
  (text) => /awk\b/.test(text) && /\s-(?:\w*[fEi]|-(?:f|e|i))/.test(text),
  (text, line) => /\bsed\b/.test(text) && (/\s-(?:\w*[if]|-(?:i|f))/.test(text) || words(line).some(writesBySed)),
];

const words = (line: string): readonly string[] => line.match(/'[^']*'|"(?:[^"\\]|\\[^])*"|[^'"\s]+/g) ?? [];

/** sed's command w, and the flag w of its s: in quotes wherever it could be one, else where a script would have it. */
const writesBySed = (word: string): boolean =>
  /^['"]/.test(word)
    ? /(?:^.|[^\w.-]|\d|\/[gpiemIM]+)w/i.test(word)
    : /^(?:-\w*e|--e\w*=)?(?:[\d$][\d,$~+]*|\/[^/]*\/|s(\W).*\1[gpiemIM\d]*)!?w|^w(?:\\|$)/i.test(word);
