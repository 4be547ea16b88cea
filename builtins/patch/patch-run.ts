/** A run of patch: each diff of the input in turn, as patch.c and pch.c of GNU patch 2.7.6 go through them. */
import { showName } from "../../src/display/visible.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { findDiff, type Header } from "./header.ts";
import { type Hunk, reversed } from "./hunk.ts";
import { type DiffKind, readHunk } from "./hunk-reader.ts";
import { bestName, staysBelow } from "./names.ts";
import { PatchError } from "./patch-error.ts";
import { quoted } from "./quoted-name.ts";
import type { FoundFile, PatchedFiles } from "./patched-files.ts";
import { PatchLines, type PatchPlace } from "./patch-lines.ts";
import { Placing } from "./placing.ts";

export interface PatchSettings {
  readonly kind: DiffKind | undefined;
  readonly strip: number | undefined;
  readonly reverse: boolean;
  readonly forward: boolean;
  readonly force: boolean;
  readonly batch: boolean;
  readonly silent: boolean;
  readonly dryRun: boolean;
  readonly fuzz: number;
  readonly ignoresBlanks: boolean;
  readonly removesEmpty: boolean;
  /** Carriage returns stay at the ends of the patch's lines. */
  readonly keepsReturns: boolean;
  /** The file to patch, where the line named it. */
  readonly file: string | undefined;
  /** The file of -o. */
  readonly output: string | undefined;
}

/** The text that the hunks of a diff are applied to. */
interface PatchedText {
  readonly placing: Placing;
  readonly isFilled: boolean;
  readonly absence: Header["absence"];
}

/** The file that a diff is about. */
interface Subject {
  readonly name: string;
  /** Undefined where there is none yet. */
  readonly found: FoundFile | undefined;
}

export class PatchRun {
  readonly #settings: PatchSettings;
  readonly #files: PatchedFiles;
  readonly #lines: PatchLines;
  readonly #giveTurn: () => Promise<void>;
  readonly #said: Buffer[] = [];
  /** Content for the file of -o. */
  readonly #output: Buffer[] = [];
  #base: PatchPlace = { at: 0, lineNumber: 0 };
  #isReversed: boolean;
  /** The rest of this diff is passed over. */
  #skips = false;
  /** It is passed over because -N says so. */
  #isForwarded = false;
  /** Something was not applied: exit status 1. */
  hasFailed = false;
  /** Something was not applied that was not left out on purpose: nothing is written. */
  isBlocked = false;

  constructor(patch: Buffer, files: PatchedFiles, settings: PatchSettings, giveTurn: () => Promise<void>) {
    this.#settings = settings;
    this.#files = files;
    this.#lines = new PatchLines(patch);
    this.#lines.onUnended = () => this.#say("patch unexpectedly ends in middle of line\n");
    this.#giveTurn = giveTurn;
    this.#isReversed = settings.reverse;
  }

  /** The messages since the last call. */
  take(): Buffer {
    return Buffer.concat(this.#said.splice(0));
  }

  get output(): readonly Buffer[] {
    return this.#output;
  }

  /** Works on the next diff; false where there is none. Throws PatchError, WriteRefused, LimitReached. */
  async step(): Promise<boolean> {
    const lines = this.#lines;
    const { kind, strip, file, reverse, keepsReturns } = this.#settings;
    this.#isReversed = reverse;
    this.#skips = false;
    this.#isForwarded = false;
    lines.place = this.#base;
    if (this.#base.at > 0 && this.#base.at >= lines.bytes.length) return false;
    const header = findDiff(lines, { kind, strip, needsHeader: file === undefined });
    if (header === undefined) {
      if (this.#base.at === 0 && lines.bytes.length > 0) throw new PatchError("Only garbage was found in the patch input.");
      return false;
    }
    for (const name of header.names) {
      if (name !== undefined && CONTROL.test(name))
        throw new PatchError(`the name '${showName(name)}' of a file in the patch holds control characters`);
    }
    const subject = this.#subjectOf(header);
    const before = this.#base;
    const { indent, stripsReturns } = header.form;
    lines.form = { indent, stripsReturns: stripsReturns && !keepsReturns };
    lines.place = header.start;
    if (!this.#skips && indent > 0) this.#remark(`(Patch is indented ${indent} space${indent === 1 ? "" : "s"}.)\n`);
    if (!this.#skips && lines.form.stripsReturns) this.#remark("(Stripping trailing CRs from patch; use --binary to disable.)\n");
    if (subject === undefined && !this.#skips) this.#askForFile(header, before);
    await this.#patch(header, this.#skips ? undefined : subject);
    this.#base = lines.place;
    return true;
  }

  #say(text: string): void {
    this.#said.push(toBytes(text));
  }

  /** For what -s leaves out. */
  #remark(text: string): void {
    if (!this.#settings.silent) this.#say(text);
  }

  /** The file that `header` is about; undefined where none of its names will do. */
  #subjectOf(header: Header): Subject | undefined {
    const { absence, modes, moves } = header;
    const { file } = this.#settings;
    const wrongKind = modes.find((mode) => mode !== undefined && (mode & 0o170000) !== 0o100000);
    if (wrongKind !== undefined) throw new PatchError("symbolic links and submodules in a patch are not made here");
    if (moves !== undefined) throw new PatchError(`a ${moves} in a patch is not done here; mv and cp do it`);
    if (file !== undefined) {
      const found = this.#files.find(file);
      if (found === undefined || found.kind === "file") this.#mayReverse(file, header, found === undefined, (found?.bytes ?? 0) === 0);
      return { name: file, found };
    }
    const [old, now, index] = header.names;
    const names = old !== undefined || now !== undefined ? ([old, now, undefined] as const) : ([undefined, undefined, index] as const);
    const isValid = (name: string): boolean => staysBelow(name) || this.#ignores(name);
    const found = names.map((name) => (name !== undefined && staysBelow(name) ? this.#files.find(name) : undefined));
    const best = bestName(names, (at) => found[at] === undefined, isValid);
    const last = names.findLastIndex((name) => name !== undefined);
    if (last < 0) return undefined;
    const its = best === undefined ? undefined : found[best];
    let chosen = best;
    if (best === undefined || its?.kind === "file") {
      const name = names[best ?? last] as string;
      const turns = this.#mayReverse(name, header, best === undefined, best === undefined || its?.bytes === 0);
      if (turns && best === undefined) chosen = last;
    }
    if (chosen === undefined && absence[this.#isReversed ? 1 : 0] !== 0) {
      const missing = names.map((name) => (name === undefined ? 0 : this.#missingDirectories(name)));
      const fewest = Math.min(...missing.filter((_, at) => names[at] !== undefined));
      chosen = bestName(names, (at) => (missing[at] as number) > fewest, isValid);
    }
    return chosen === undefined ? undefined : { name: names[chosen] as string, found: found[chosen] };
  }

  #ignores(name: string): false {
    this.#say(`Ignoring potentially dangerous file name ${quoted(name)}\n`);
    return false;
  }

  #missingDirectories(name: string): number {
    const directories = name.split("/").slice(0, -1);
    let there = 0;
    while (there < directories.length && staysBelow(name) && this.#files.find(directories.slice(0, there + 1).join("/")) !== undefined)
      there++;
    return directories.length - there;
  }

  /** Asks where the patch would make a file that is there, or remove one that is not; true where it looks like that. */
  #mayReverse(name: string, { absence }: Header, isMissing: boolean, isEmpty: boolean): boolean {
    const side = (isFlipped: boolean): number => absence[this.#isReversed !== isFlipped ? 1 : 0];
    const looksReversed = (isEmpty ? 0 : 1) < side(isEmpty);
    if (isEmpty && side(isMissing) === 1 && side(!isMissing) === 2) return false;
    if (!looksReversed) return false;
    const does = isMissing ? "delete" : isEmpty ? "empty out" : "create";
    const because = isMissing ? "does not exist" : isEmpty ? "is already empty" : "already exists";
    const when = this.#isReversed ? ", when reversed," : "";
    if (this.#asksToReverse(`The next patch${when} would ${does} the file ${quoted(name)},\nwhich ${because}!`))
      this.#isReversed = !this.#isReversed;
    return true;
  }

  /** Nobody answers here: what is asked is printed, and taken as refused. */
  #asksToReverse(question: string): boolean {
    const { forward, force, batch, silent } = this.#settings;
    if (forward || !(force && silent)) this.#say(question);
    if (forward) {
      this.#say("  Skipping patch.\n");
      this.#skips = true;
      this.#isForwarded = true;
      return false;
    }
    if (force) {
      this.#remark("  Applying it anyway.\n");
      return false;
    }
    if (batch) {
      this.#say(this.#isReversed ? "  Ignoring -R.\n" : "  Assuming -R.\n");
      return true;
    }
    this.#say(this.#isReversed ? "  Ignore -R? [n] \n" : "  Assume -R? [n] \n");
    this.#say("Apply anyway? [n] \n");
    this.#remark("Skipping patch.\n");
    this.#skips = true;
    return false;
  }

  #askForFile({ kind, start }: Header, before: PatchPlace): void {
    const { strip, force, batch } = this.#settings;
    this.#remark(`can't find file to patch at input line ${start.lineNumber + 1}\n`);
    if (kind !== "normal")
      this.#remark(
        strip === undefined
          ? "Perhaps you should have used the -p or --strip option?\n"
          : "Perhaps you used the wrong -p or --strip option?\n",
      );
    if (before.at < start.at) {
      this.#say(`The text leading up to this was:\n${RULE}`);
      const text = toText(this.#lines.bytes.subarray(before.at, start.at)).replace(/\n$/, "");
      this.#say(text.replace(/^/gm, "|").concat("\n"));
      this.#say(RULE);
    }
    this.#skips = true;
    if (force || batch) {
      this.#say("No file to patch.  Skipping patch.\n");
      return;
    }
    this.#say("File to patch: \nSkip this patch? [y] \n");
    this.#remark("Skipping patch.\n");
  }

  /** Goes through the hunks; `subject` undefined: only to count them. */
  async #patch(header: Header, subject: Subject | undefined): Promise<void> {
    const { output, dryRun } = this.#settings;
    const name = output ?? subject?.name ?? "";
    if (subject !== undefined && header.kind === "binary") {
      this.#say(`File ${quoted(name)}: git binary diffs are not supported.\n`);
      this.#fail();
      this.#skips = true;
    }
    if (subject?.found !== undefined && subject.found.kind !== "file" && !this.#skips) {
      this.#say(`File ${quoted(subject.name)} is not a regular file -- refusing to patch\n`);
      this.#fail();
      this.#skips = true;
    }
    const bytes = subject === undefined || this.#skips ? undefined : this.#bytesOf(subject);
    const file: PatchedText | undefined = bytes && {
      placing: new Placing(bytes, this.#settings.ignoresBlanks),
      isFilled: bytes.length > 0,
      absence: header.absence,
    };
    if (subject !== undefined && file !== undefined) {
      if (!dryRun && output === undefined) this.#checkWritable(subject.name);
      this.#checkMode(subject, header);
      const from = name === subject.name ? "" : ` (read from ${subject.name})`;
      this.#remark(`${dryRun ? "checking" : "patching"} file ${quoted(name)}${from}\n`);
    }
    let hunks = 0;
    let failed = 0;
    for (;;) {
      const isReversed = this.#isReversed;
      const hunk = header.kind === "binary" ? undefined : readHunk(this.#lines, header.kind);
      if (hunk === undefined) break;
      hunks++;
      await this.#giveTurn();
      if (file === undefined || !this.#applies(isReversed ? reversed(hunk) : hunk, hunks, file)) failed++;
    }
    if (file !== undefined && subject !== undefined && !this.#skips) this.#finish(subject, header, file.placing);
    if (failed === 0) return;
    if (this.#isForwarded) this.hasFailed = true;
    else this.#fail();
    this.#say(`${failed} out of ${hunks} hunk${hunks === 1 ? "" : "s"} ${this.#skips ? "ignored" : "FAILED"}\n`);
  }

  /** Applies one hunk, and says how; false where it does not apply. */
  #applies(given: Hunk, number: number, file: PatchedText): boolean {
    const { placing, isFilled, absence } = file;
    const { fuzz: mostFuzz, force, reverse } = this.#settings;
    const most = Math.min(mostFuzz, Math.max(given.prefixContext, given.suffixContext));
    let hunk = given;
    let where = 0;
    let fuzz = 0;
    let isAnyway = false;
    while (!this.#skips) {
      where = placing.locate(hunk, fuzz);
      if (number === 1 && where === 0 && !force && !isAnyway && this.#isReversed === reverse) {
        const turned = reversed(hunk);
        where = placing.locate(turned, fuzz);
        const detected = this.#isReversed ? "Unreversed" : "Reversed (or previously applied)";
        if (where !== 0 && this.#asksToReverse(`${detected} patch detected!`)) {
          this.#isReversed = !this.#isReversed;
          hunk = turned;
        } else if (where !== 0) {
          isAnyway = true;
          fuzz--;
          where = 0;
        }
      }
      if (where !== 0 || ++fuzz > most) break;
    }
    const line = placing.newLine(where === 0 ? hunk.old.first : where);
    const isThere = where === 1 && absence[this.#isReversed ? 1 : 0] === 2 && isFilled;
    if (!this.#skips && where !== 0 && !isThere && placing.apply(hunk, where)) {
      const { offset } = placing;
      if (fuzz > 0 || offset !== 0) {
        const withFuzz = fuzz > 0 ? ` with fuzz ${fuzz}` : "";
        const withOffset = offset === 0 ? "" : ` (offset ${offset} line${offset === 1 ? "" : "s"})`;
        this.#remark(`Hunk #${number} succeeded at ${line}${withFuzz}${withOffset}.\n`);
      }
      return true;
    }
    if (placing.takesMisorder()) this.#say("misordered hunks! output would be garbled\n");
    if (!this.#skips)
      this.#remark(`Hunk #${number} FAILED at ${line}${placing.hasOtherEnds(hunk, line) ? " (different line endings)" : ""}.\n`);
    return false;
  }

  #bytesOf({ name, found }: Subject): Buffer {
    if (found === undefined) return Buffer.alloc(0);
    try {
      return this.#files.read(name);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      throw new PatchError(`Can't open file ${quoted(name)} : ${thrown.message}`);
    }
  }

  #checkWritable(name: string): void {
    try {
      this.#files.checkWritable(name);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      throw new PatchError(`Can't write to file ${quoted(name)} : ${thrown.message}`);
    }
  }

  /** Throws PatchError where git's header wants permissions that the file would not have. */
  #checkMode({ name, found }: Subject, { modes }: Header): void {
    const [old, now] = this.#isReversed ? [modes[1], modes[0]] : modes;
    if (now === undefined || now === old || (now & 0o777) === (found?.permissions ?? 0o644)) return;
    throw new PatchError(`File ${quoted(name)} would get the mode ${(now & 0o777).toString(8)}, and modes are not changed here`);
  }

  /** Keeps the new content of a file. */
  #finish({ name }: Subject, { absence }: Header, placing: Placing): void {
    const { output, removesEmpty } = this.#settings;
    const { blocks, isEmpty } = placing.finish();
    if (output !== undefined) {
      this.#output.push(...blocks);
      return;
    }
    const shouldGo = absence[this.#isReversed ? 0 : 1] === 2;
    if (isEmpty && (removesEmpty || shouldGo)) {
      this.#files.put(name, undefined);
      return;
    }
    if (shouldGo && !isEmpty) {
      this.#remark(`Not deleting file ${quoted(name)} as content differs from patch\n`);
      this.#fail();
    }
    this.#files.put(name, blocks);
  }

  #fail(): void {
    this.hasFailed = true;
    this.isBlocked = true;
  }
}

const CONTROL = /[\0-\x1f\x7f]/;
const RULE = "--------------------------\n";
