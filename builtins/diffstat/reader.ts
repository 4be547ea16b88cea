/** Reads differences of every form, line by line, and counts lines of each file. A line is judged by its beginning and by what came before. */
import { ChangedFile, DELETED, INSERTED, isName, MODIFIED, type ChangedFiles } from "./changed-files.ts";
import { dequoted, headerName, perforceName } from "./header-name.ts";

export interface ReaderOptions {
  /** -m */
  readonly merges: boolean;
  /** -R */
  readonly isReversed: boolean;
  /** -E */
  readonly trimsEscapes: boolean;
}

const STARS = "***************";

/** The name of the file that lines belong to: none yet, one that a better one may follow, or the last. */
const NOTHING = 0;
const GENERIC = 1;
const PATH = 2;

export class DiffReader {
  readonly #files: ChangedFiles;
  readonly #options: ReaderOptions;
  readonly #defaultName: string;
  readonly #dummy = new ChangedFile("", 0);
  #file = this.#dummy;
  #before: ChangedFile | undefined;
  #known = NOTHING;
  #lineNumber = 0;
  #unified = 0;
  #oldLeft = 0;
  #newLeft = 0;
  #chunkExpected = 0;
  #context = 1;
  #hasEither = false;
  /** State of a difference by git: 0 none, then "index" and "GIT binary patch" are awaited, then the next difference. */
  #git = 0;

  constructor(files: ChangedFiles, defaultName: string, options: ReaderOptions) {
    this.#files = files;
    this.#defaultName = defaultName;
    this.#options = options;
  }

  add(given: string): void {
    let line = given.replace(/\0[^]*/, "").replace(/[\r\n]+$/, "");
    // A sequence ends with its first letter from the end of ASCII; an unfinished one takes the rest.
    if (this.#options.trimsEscapes) line = line.replace(/\x1b[^`-~]*(?:[`-~]|$)/g, "");
    this.#lineNumber++;
    if (this.#lineNumber === 1 && line.startsWith("@@")) {
      this.#unified = 2;
      this.#begin(this.#defaultName);
    }
    const isMarker = this.#structure(line);
    if (this.#chunkExpected !== 0 && this.#chunkExpected-- === 1 && this.#unified === 0) {
      this.#finishChunk();
      this.#file = this.#dummy;
    }
    const text = isMarker ? `***${line.slice(3)}` : line;
    if (!this.#isOfGit(text)) this.#content(text);
  }

  end(): void {
    this.#finishChunk();
    this.#dummy.finishChunk(this.#options.merges);
    if (!this.#hasEither) return;
    const hasCounted = this.#files.list.some(({ comment }) => comment === "normal");
    for (const file of this.#files.list) if (file.comment === "either") file.comment = hasCounted ? "binary" : "differs";
  }

  #finishChunk(): void {
    this.#file.finishChunk(this.#options.merges);
  }

  #begin(name: string): void {
    this.#file = this.#files.find(name);
    this.#known = !isName(this.#file.name) && this.#file.name.includes("/") ? PATH : GENERIC;
  }

  /** Keeps track of chunks; true for a line that names a file. */
  #structure(line: string): boolean {
    const isOutside = this.#oldLeft + this.#newLeft === 0;
    if (line === STARS && (this.#file !== this.#dummy || this.#lineNumber === 1)) {
      if (this.#file !== this.#dummy) this.#finishChunk();
      else this.#begin(this.#defaultName);
      this.#context = 2;
    } else if (this.#context === 2 && line.startsWith("*** ")) this.#context = 1;
    else if (this.#context === 1 && line.startsWith("--- ")) {
      this.#context = 0;
      return true;
    } else if (line.startsWith("*** ")) return false;
    else if (isOutside && line.startsWith("==== ")) {
      this.#finishChunk();
      this.#unified = 2;
    } else if (isOutside && line.startsWith("--- ")) {
      this.#finishChunk();
      this.#unified = 1;
      return true;
    } else if (isOutside && line.startsWith("+++ ")) {
      this.#unified = 2;
      return true;
    } else if (this.#unified === 2 || (isOutside && line.startsWith("@"))) this.#beginChunk(line);
    else if (this.#unified === 1 && this.#context === 0) this.#giveUpHeader();
    else if (!isOutside) this.#countDown(line);
    else {
      this.#unified = 0;
      if (this.#lineNumber === 1 && isPlainCommand(line)) {
        this.#finishChunk();
        this.#begin("unknown");
      }
    }
    return false;
  }

  #beginChunk(line: string): void {
    this.#finishChunk();
    this.#unified = 0;
    if (!line.startsWith("@")) return;
    this.#oldLeft = this.#newLeft = 0;
    const found = /^@@ -(?:(\d+)(?:,(\d*))?)? \+(?:(\d+)(?:,(\d*))?)? @/.exec(line);
    if (found === null) return;
    const sizeOf = (start: string | undefined, size: string | undefined): number =>
      start === undefined ? 0 : size === undefined ? 1 : Number(size) | 0;
    this.#oldLeft = sizeOf(found[1], found[2]);
    this.#newLeft = sizeOf(found[3], found[4]);
    this.#unified = -1;
  }

  /** Undoes a "--- " that was a deleted line, if no "+++" followed. */
  #giveUpHeader(): void {
    this.#unified = 0;
    const before = this.#before;
    if (before === undefined || before === this.#file || this.#file.counts[INSERTED] !== 0 || this.#file.counts[DELETED] !== 0) return;
    if (before.name === this.#file.name) return;
    this.#files.remove(this.#file);
    this.#file = before;
    this.#file.count(DELETED, this.#options.merges);
  }

  #countDown(line: string): void {
    const first = line.charAt(0);
    if (first === "-" || first === "" || first === " ") this.#oldLeft = Math.max(0, this.#oldLeft - 1);
    if (first === "+" || first === "" || first === " ") this.#newLeft = Math.max(0, this.#newLeft - 1);
    const isKnown = first === "" || "-+ ".includes(first) || (first === "\\" && line.includes("newline"));
    if (!isKnown) this.#oldLeft = this.#newLeft = 0;
    if (this.#oldLeft + this.#newLeft === 0) this.#chunkExpected = 2;
  }

  /** True for a line of git's that is read in no other way. */
  #isOfGit(line: string): boolean {
    switch (this.#git) {
      case 1:
        this.#git = line.startsWith("index") ? 2 : 0;
        return this.#git === 2;
      case 2: {
        const isPatch = line.startsWith("GIT binary patch");
        const isBinary = isPatch || line.startsWith("Binary files ");
        this.#git = isPatch ? 3 : 0;
        if (isBinary) this.#file.comment = "binary";
        return isBinary;
      }
      case 3:
        return !line.startsWith("d");
      default:
        return false;
    }
  }

  #content(line: string): void {
    switch (line.charAt(0)) {
      case "O":
        return this.#onlyIn(line);
      case "I":
        if (line.startsWith("Index: ")) this.#named(dequoted(line.slice(7).replace(/^\s+/, "")));
        return;
      case "d":
        return this.#command(line);
      case "*":
        if ((this.#known & PATH) === 0 && line.startsWith("*** ")) this.#header(headerName(line.slice(4)));
        return;
      case "=":
        if ((this.#known & PATH) === 0 && line.startsWith("==== ")) this.#header(perforceName(line.slice(5)));
        return;
      case "+":
      case ">":
        return this.#change(INSERTED);
      case "-":
        if (this.#unified !== 0 || line !== "---") this.#change(DELETED);
        return;
      case "<":
        return this.#change(DELETED);
      case "!":
        return this.#change(MODIFIED);
      case "F":
      case "f":
        return this.#twoFiles(line, "iles ", "either");
      case "B":
      case "b":
        return this.#twoFiles(line, "inary files ", "binary");
    }
  }

  #change(change: number): void {
    if (this.#known !== NOTHING) this.#file.count(change, this.#options.merges);
  }

  #named(name: string): boolean {
    this.#finishChunk();
    const { name: merged, isRemoved } = this.#files.merged(this.#file, name);
    this.#begin(merged);
    return isRemoved;
  }

  #header(name: string | undefined): void {
    if (name === undefined) return;
    const before = this.#file;
    this.#before = this.#named(dequoted(name)) ? undefined : before;
  }

  #onlyIn(line: string): void {
    if (!line.startsWith("Only in ")) return;
    const path = line.slice(8);
    const colon = path.indexOf(": ");
    if (colon < 0) return;
    const directory = path.slice(0, colon);
    this.#commented(`${directory}${colon >= 2 && directory.endsWith("/") ? "" : "/"}${path.slice(colon + 2)}`, "only");
  }

  #commented(name: string, comment: "only" | "binary" | "either"): void {
    this.#finishChunk();
    this.#file = this.#files.find(name);
    this.#file.comment = comment;
    this.#known = NOTHING;
  }

  /** The command that made the difference: `diff -r old/a new/a`. */
  #command(line: string): void {
    if (!line.startsWith("diff ")) return;
    const operands = line.slice(5).replace(/^(?:\s*-[\x21-\x7e]*)*\s*/, "");
    if (operands === "") return;
    const length = nameLength(operands);
    const name = this.#options.isReversed ? operands.slice(0, length) : operands.slice(length).replace(/^\s+/, "");
    this.#named(dequoted(name));
    this.#git = line.startsWith("diff --git ") && line.length > 11 ? 1 : 0;
  }

  #twoFiles(line: string, words: string, comment: "binary" | "either"): void {
    if (!line.startsWith(words, 1)) return;
    const names = line.slice(1 + words.length);
    const and = names.indexOf(" and ");
    if (and < 0 || !names.endsWith(" differ")) return;
    const name = this.#options.isReversed ? names.slice(0, and) : names.slice(and + 5, -7);
    this.#commented(name.replace(/^\s+/, ""), comment);
    if (comment === "either") this.#hasEither = true;
  }
}

/** The length of the name at the start of a command's operands, which may be in quotes. */
function nameLength(operands: string): number {
  const quote = operands.startsWith("'") ? "'" : '"';
  if (!operands.startsWith(quote) || operands.indexOf(quote, 1) < 0) return /^[\x21-\x7e]*/.exec(operands)?.[0].length ?? 0;
  let at = 1;
  while (at < operands.length && operands[at] !== quote && /[\x20-\x7e]/.test(operands[at] as string)) at++;
  return Math.min(operands.length, at + 1);
}

/** A command of diff's own form: 3,5c3 */
const isPlainCommand = (line: string): boolean => /^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$/.test(line);
