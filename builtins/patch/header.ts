/** Header of a patch: finds where the next diff begins, of what kind it is, and the names and facts of files before it. */
import { toText } from "../../src/io/text.ts";
import { isEpoch } from "./epoch.ts";
import { type DiffKind, readHunk } from "./hunk-reader.ts";
import { fileNameOf, gitNamesOf } from "./names.ts";
import { PatchError } from "./patch-error.ts";
import { PLAIN_FORM, type PatchForm, type PatchLines, type PatchPlace } from "./patch-lines.ts";

/** Old file, new file, and that of an `Index:` line. */
export type FileNames = readonly [old: string | undefined, now: string | undefined, index: string | undefined];

/** Evidence that a file does not exist: none, an empty range, or its name or date as well. */
export type Absence = 0 | 1 | 2;

export interface Header {
  readonly kind: DiffKind | "binary";
  readonly names: FileNames;
  /** Of the old file and of the new one. */
  readonly absence: readonly [Absence, Absence];
  readonly modes: readonly [number | undefined, number | undefined];
  /** A rename or a copy, which git's header says. */
  readonly moves: "rename" | "copy" | undefined;
  readonly form: PatchForm;
  /** Place of the first hunk. */
  readonly start: PatchPlace;
}

export interface HeaderSettings {
  /** Kind that was asked for; undefined: whichever comes. */
  readonly kind: DiffKind | undefined;
  /** Components that are taken off names; undefined: all but the last. */
  readonly strip: number | undefined;
  /** True if a diff counts only behind a header with names: no file was named on the command line. */
  readonly needsHeader: boolean;
}

/** The next diff of `lines`; undefined where there is none. Throws PatchError. */
export function findDiff(lines: PatchLines, settings: HeaderSettings): Header | undefined {
  lines.form = PLAIN_FORM;
  return new HeaderScan(lines, settings).find();
}

class HeaderScan {
  readonly #lines: PatchLines;
  readonly #settings: HeaderSettings;
  #needsHeader: boolean;
  #names: [string | undefined, string | undefined, string | undefined] = [undefined, undefined, undefined];
  /** Date is the epoch, or the name is /dev/null. */
  readonly #isEpoch: [boolean, boolean] = [false, false];
  readonly #absence: [Absence, Absence] = [0, 0];
  readonly #modes: [number | undefined, number | undefined] = [undefined, undefined];
  #moves: Header["moves"];
  #isGit = false;
  #isExtended = false;
  #stripsReturns = false;
  #isEdScript = false;

  constructor(lines: PatchLines, settings: HeaderSettings) {
    this.#lines = lines;
    this.#settings = settings;
    this.#needsHeader = settings.needsHeader && settings.kind !== "normal";
  }

  find(): Header | undefined {
    let wasCommand = false;
    let wasStars = false;
    let before = this.#lines.place;
    for (;;) {
      const place = this.#lines.place;
      const line = this.#lines.next();
      if (line === undefined) {
        if (this.#isEdScript) throw new PatchError("scripts for ed are not applied here: give the patch as diff -u prints it");
        return this.#isExtended ? this.#header("unified", place, PLAIN_FORM) : undefined;
      }
      const hasReturn = line.at(-2) === 0x0d;
      const { column, text } = unindented(line);
      const isCommand = /^\d[\d,]*[acd][\d,]*[ \t]*\r?\n$/.test(text);
      if (!this.#needsHeader && /^\d*(?:,\d+)?[acdis]/.test(text) && /^\d/.test(text)) this.#isEdScript = true;
      if (this.#reads(text, wasStars, hasReturn, place)) return this.#header("unified", place, PLAIN_FORM);
      if (/^GIT binary patch/.test(text) && this.#isGit) return this.#header("binary", place, PLAIN_FORM);
      const isStars = text.startsWith("********");
      if (!this.#needsHeader) {
        const form = { indent: column, stripsReturns: this.#stripsReturns };
        if (this.#mayBe("unified") && text.startsWith("@@ -")) return this.#unified(text, place, form);
        if (this.#mayBe("context") && wasStars && text.startsWith("*** ")) {
          return this.#context(text, before, { indent: column, stripsReturns: hasReturn });
        }
        if (this.#mayBe("normal") && wasCommand && /^[<>] /.test(text)) {
          return this.#header("normal", before, { indent: column, stripsReturns: hasReturn });
        }
      }
      wasCommand = isCommand;
      wasStars = isStars;
      before = place;
    }
  }

  #mayBe(kind: DiffKind): boolean {
    return this.#settings.kind === undefined || this.#settings.kind === kind;
  }

  #header(kind: Header["kind"], start: PatchPlace, form: PatchForm): Header {
    this.#lines.form = form;
    return { kind, names: this.#names, absence: this.#absence, modes: this.#modes, moves: this.#moves, form, start };
  }

  /** Takes a line of a header; true where another diff of git's begins, and this one has no hunks. */
  #reads(text: string, wasStars: boolean, hasReturn: boolean, place: PatchPlace): boolean {
    if (!wasStars && text.startsWith("*** ")) {
      this.#name(0, text.slice(4), hasReturn);
    } else if (text.startsWith("+++ ")) {
      // Turned round once it is known to be a unified diff.
      this.#name(0, text.slice(4), hasReturn);
    } else if (text.startsWith("Index:")) {
      this.#names[2] = fileNameOf(text.slice(6), this.#settings.strip).name;
      this.#needsHeader = false;
      this.#stripsReturns = hasReturn;
    } else if (text.startsWith("Prereq:")) {
      throw new PatchError(`a Prereq: line, at line ${place.lineNumber + 1} of the patch, is not looked at here: leave it out`);
    } else if (text.startsWith("diff --git ")) {
      if (this.#isExtended) return true;
      const [old, now] = gitNamesOf(text.slice(11), this.#settings.strip);
      this.#names[0] = old;
      this.#names[1] = now;
      this.#isGit = true;
      this.#needsHeader = false;
    } else if (this.#isGit && this.#readsGit(text)) {
      this.#isExtended = true;
    } else {
      const found = /^(?:- )*--- /.exec(text);
      if (found !== null) this.#name(1, text.slice(found[0].length), hasReturn);
    }
    return false;
  }

  #name(side: 0 | 1, text: string, hasReturn: boolean): void {
    const { name, rest, isNull } = fileNameOf(text, this.#settings.strip);
    this.#names[side] = name ?? this.#names[side];
    if (isNull) this.#isEpoch[side] = true;
    else if (name !== undefined) this.#isEpoch[side] = isEpoch(rest);
    this.#needsHeader = false;
    this.#stripsReturns = hasReturn;
  }

  /** Takes a line of git's own header. */
  #readsGit(text: string): boolean {
    const index = /^index ([0-9a-f]+)\.\.([0-9a-f]+)(?:\s+([0-7]{6}))?\s*$/.exec(text);
    if (index !== null) {
      const [, old = "", now = "", mode] = index;
      this.#absence[0] = /^0+$/.test(old) ? 2 : EMPTY_FILE.startsWith(old) ? 1 : 0;
      this.#absence[1] = /^0+$/.test(now) ? 2 : EMPTY_FILE.startsWith(now) ? 1 : 0;
      if (mode !== undefined) this.#modes.fill(parseInt(mode, 8));
      return true;
    }
    const mode = /^(old|new|deleted file|new file) mode ([0-7]{6})\s*$/.exec(text);
    if (mode !== null) {
      const side = mode[1] === "old" || mode[1] === "deleted file" ? 0 : 1;
      this.#modes[side] = parseInt(mode[2] as string, 8);
      if (mode[1] === "deleted file") this.#absence[1] = 2;
      if (mode[1] === "new file") this.#absence[0] = 2;
      return true;
    }
    const move = /^(rename|copy) (?:from|to) /.exec(text);
    if (move !== null) this.#moves = move[1] as "rename" | "copy";
    return move !== null;
  }

  #unified(text: string, place: PatchPlace, form: PatchForm): Header {
    const [old, now, index] = this.#names;
    // `---` was taken for the new file and `+++` for the old one; git's line names them in order.
    this.#names = [now, old, index];
    const [oldEpoch, newEpoch] = this.#isEpoch;
    if (/^@@ -0(?!\d)/.test(text)) this.#absence[0] = newEpoch ? 2 : 1;
    if (/^@@ -\S* +\+0(?!\d)/.test(text)) this.#absence[1] = oldEpoch ? 2 : 1;
    return this.#header("unified", place, form);
  }

  #context(text: string, start: PatchPlace, form: PatchForm): Header {
    if (/^\*\*\* 0(?!\d)/.test(text)) this.#absence[0] = this.#isEpoch[0] ? 2 : 1;
    const header = this.#header("context", start, form);
    const lines = this.#lines;
    lines.place = start;
    const hunk = readHunk(lines, "context");
    if (hunk !== undefined && hunk.new.lines.length === 0 && hunk.new.first === 1) this.#absence[1] = this.#isEpoch[1] ? 2 : 1;
    return header;
  }
}

/** SHA-1 of the empty file, as git names it. */
const EMPTY_FILE = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/** The line without its indentation, and how wide that is. */
function unindented(line: Buffer): { readonly column: number; readonly text: string } {
  let column = 0;
  let at = 0;
  for (; line[at] === 0x20 || line[at] === 0x09 || line[at] === 0x58; at++) column = line[at] === 0x09 ? (column + 8) & ~7 : column + 1;
  return { column, text: toText(line.subarray(at)) };
}
