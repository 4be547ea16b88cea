/** diffstat's report: a line for each file with a bar of its changes, and the sums. Text is Latin-1. */
import { toText } from "../../src/io/text.ts";
import { characterWidth } from "../../src/display/character-width.ts";
import { DELETED, INSERTED, MODIFIED, type ChangedFile, type ChangedFiles, type Comment, type Counts } from "./changed-files.ts";

export interface ReportOptions {
  /** -f: bits 2 (filled) and 4 (values); 0 is concise. */
  readonly format: number;
  readonly width: number;
  readonly leastName: number;
  /** 0: any. */
  readonly mostName: number;
  readonly prefix: number;
  readonly rounding: number;
  /** "csv" replaces the bars, "beside" stands before them. */
  readonly table: "none" | "csv" | "beside";
  readonly isReversed: boolean;
  readonly mergesNames: boolean;
  readonly resolvesOnly: boolean;
  readonly hidesBinary: boolean;
  readonly isQuiet: boolean;
  readonly hasColors: boolean;
  readonly namesAlone: boolean;
  readonly sumsAlone: boolean;
  /** What stands before each line: "#" or nothing. */
  readonly comment: string;
}

const MARKS = ["+", "-", "!"] as const;
const COLORS = [2, 1, 6] as const;

export class Report {
  readonly #files: ChangedFiles;
  readonly #options: ReportOptions;
  #nameColumns: number;
  #prefixLength = -1;
  #barColumns = 0;
  #scale = 0;
  #numberColumns = 5;

  constructor(files: ChangedFiles, options: ReportOptions) {
    this.#files = files;
    this.#options = options;
    this.#nameColumns = options.leastName;
  }

  text(): string {
    const { table, namesAlone, isQuiet } = this.#options;
    this.#measureNames();
    const found = this.#options.resolvesOnly ? this.#resolveOnly() : undefined;
    const sums: Counts = [0, 0, 0];
    const counted = this.#files.list.filter((file) => !this.#isIgnored(file));
    for (const file of counted) {
      if (this.#options.isReversed) file.counts = [file.counts[DELETED], file.counts[INSERTED], file.counts[MODIFIED]];
      for (const change of [INSERTED, DELETED, MODIFIED]) sums[change] = (sums[change] as number) + (file.counts[change] as number);
      this.#scale = Math.max(this.#scale, file.total);
    }
    this.#measureBars();
    const lines = [...this.#head(), ...this.#files.shown.flatMap((file) => this.#line(file))];
    if (table !== "csv" && !namesAlone && (counted.length > 0 || !isQuiet)) lines.push(this.#summary(counted.length, sums, found));
    return lines.map((line) => `${line}\n`).join("");
  }

  #isChanged(file: ChangedFile): boolean {
    return !this.#options.mergesNames || file.comment !== "normal" || file.total !== 0;
  }

  #isIgnored(file: ChangedFile): boolean {
    return !this.#isChanged(file) || (file.comment === "binary" && this.#options.hidesBinary);
  }

  /** The prefix that all have in common is left out, unless -p says how much. */
  #measureNames(): void {
    const { list } = this.#files;
    let longest = -1;
    for (const file of list) {
      if (this.#isIgnored(file)) continue;
      const columns = columnsOf(file.name);
      if (this.#options.prefix >= 0) {
        this.#nameColumns = Math.max(this.#nameColumns, columns - file.base);
        continue;
      }
      if (columns < this.#prefixLength || this.#prefixLength < 0) this.#prefixLength = columns;
      const first = list[0]?.name ?? "";
      while (this.#prefixLength > 0) {
        const isShared =
          file.name[this.#prefixLength - 1] === "/" && first.slice(0, this.#prefixLength) === file.name.slice(0, this.#prefixLength);
        if (isShared) break;
        this.#prefixLength--;
      }
      longest = Math.max(longest, columns);
    }
    if (this.#options.prefix < 0) {
      this.#prefixLength = Math.max(0, this.#prefixLength);
      this.#nameColumns = Math.max(this.#nameColumns, longest - this.#prefixLength);
    }
    this.#nameColumns = Math.max(0, this.#nameColumns) + 1;
  }

  /** Files that are only on one side: the side is guessed from the directories of the others. */
  #resolveOnly(): readonly Comment[] {
    const found: Comment[] = [];
    const { list } = this.#files;
    for (const file of list) {
      if (file.comment === "binary") found.push("binary");
      const length = directoryLength(file.name);
      if (file.comment !== "only" || this.#options.isReversed || length === 0 || list.length === 0) continue;
      const isRight = list.some(
        ({ name, comment }) =>
          (comment === "normal" || comment === "binary") &&
          directoryLength(name) >= length &&
          name.slice(0, length) === file.name.slice(0, length),
      );
      file.comment = isRight ? "only-right" : "only-left";
      found.push(file.comment);
    }
    return found;
  }

  #measureBars(): void {
    this.#barColumns = Math.max(10, this.#options.width - this.#nameColumns - 8);
    this.#scale = Math.max(this.#scale, this.#barColumns);
    if (this.#options.table !== "beside") return;
    const largest = Math.max(0, ...this.#files.list.flatMap(({ counts }) => counts));
    this.#numberColumns = Math.max(3, largest === 0 ? 0 : String(largest).length);
  }

  #head(): readonly string[] {
    const { table, namesAlone, resolvesOnly, isReversed } = this.#options;
    if (table !== "csv") return [];
    if (namesAlone) return ["FILENAME"];
    return [`INSERTED,DELETED,MODIFIED,${resolvesOnly && !isReversed ? "FILE-ADDED,FILE-DELETED,FILE-BINARY," : ""}FILENAME`];
  }

  #line(file: ChangedFile): readonly string[] {
    const { sumsAlone, table, namesAlone, comment } = this.#options;
    if (sumsAlone || this.#isIgnored(file)) return [];
    const name = file.name.slice(this.#options.prefix >= 0 ? file.base : this.#prefixLength);
    if (table === "csv") return [this.#csvLine(file, name)];
    if (namesAlone) return [name];
    const numbers = file.counts.map((count) => String(count).padStart(this.#numberColumns)).join(" ");
    const beside = table === "beside" ? `|${numbers}` : "";
    return [`${comment} ${this.#shownName(name)}${beside}|${this.#change(file)}`];
  }

  #csvLine(file: ChangedFile, name: string): string {
    const { namesAlone, resolvesOnly, isReversed } = this.#options;
    const quoted = `"${name.replaceAll('"', '""')}"`;
    if (namesAlone) return quoted;
    const sides = (["only-right", "only-left", "binary"] as const).map((side) => (file.comment === side ? "1," : "0,")).join("");
    return `${file.counts.join(",")},${resolvesOnly && !isReversed ? sides : ""}${quoted}`;
  }

  #shownName(name: string): string {
    const { mostName } = this.#options;
    const columns = columnsOf(name);
    const isLimited = mostName > 0 && mostName < this.#nameColumns;
    if (isLimited && mostName < columns) return name.slice(columns - mostName).slice(0, mostName);
    const width = (isLimited ? mostName : this.#nameColumns) + name.length - columns;
    // Blanks for each byte of the name that is left, whatever an escape takes.
    return escaped(name) + " ".repeat(Math.max(0, width - name.length));
  }

  #change(file: ChangedFile): string {
    const { resolvesOnly } = this.#options;
    switch (file.comment) {
      case "normal":
      case "either":
        return this.#numbers(file);
      case "binary":
        return "binary";
      case "differs":
        return "differ";
      case "only":
        return "only";
      case "only-left":
        return resolvesOnly ? "deleted" : "only";
      case "only-right":
        return resolvesOnly ? "added" : "only";
    }
  }

  #numbers({ counts, total }: ChangedFile): string {
    const { format, rounding } = this.#options;
    let text = `${String(total).padStart(5)} `;
    if ((format & 4) !== 0) text += counts.map((count) => `${String(count).padStart(5)} `).join("");
    if (format === 0) return text + counts.map((count, mark) => `\t${count} ${MARKS[mark]}`).join("");
    const bars = rounding === 1 ? this.#rounded(counts) : rounding === 2 ? this.#adjusted(counts) : this.#plain(counts);
    text += bars.map((length, mark) => this.#bar(length, MARKS[mark] as string, COLORS[mark] as number)).join("");
    if ((format & 2) === 0) return text;
    const used = bars.reduce((sum, length) => sum + length, 0);
    return text + (used > this.#barColumns ? String(used - this.#barColumns) : this.#bar(this.#barColumns - used, ".", 0));
  }

  #bar(length: number, mark: string, color: number): string {
    const bar = mark.repeat(Math.max(0, length));
    return this.#options.hasColors && length !== 0 ? `\x1b[${color + 30}m${bar}\x1b[0;39m` : bar;
  }

  /** Each bar takes over the error of the one before. */
  #plain(counts: Counts): readonly number[] {
    let extra = 0;
    return counts.map((count) => {
      if (count === 0) return 0;
      const product = this.#barColumns * count;
      const length = Math.trunc((product + extra) / this.#scale);
      extra = product - length * this.#scale - extra;
      return length;
    });
  }

  #rounded(counts: Counts): readonly number[] {
    const scaled = counts.map((count) => Math.trunc((this.#barColumns * count) / this.#scale));
    const remains = counts.map((count) => (this.#barColumns * count) % this.#scale);
    const half = Math.trunc(this.#scale / 2);
    for (let missing = remains.reduce((sum, remain) => sum + remain, 0); missing > 0; ) {
      let chosen = -1;
      for (const [at, remain] of remains.entries()) {
        if (remain !== 0 && remain > (chosen >= 0 ? (remains[chosen] as number) : half)) chosen = at;
      }
      if (chosen < 0) break;
      missing -= remains[chosen] as number;
      remains[chosen] = 0;
      scaled[chosen] = (scaled[chosen] as number) + 1;
    }
    return scaled;
  }

  /** By the largest remainder, with at least one character. */
  #adjusted(counts: Counts): readonly number[] {
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total === 0) return [0, 0, 0];
    const scaled = counts.map((count) => Math.trunc((count * this.#barColumns) / this.#scale));
    const remains = counts.map((count, at) => count * this.#barColumns - (scaled[at] as number) * this.#scale);
    const wanted = Math.max(1, Math.trunc((total * this.#barColumns + Math.trunc(this.#scale / 2)) / this.#scale));
    let missing = wanted - scaled.reduce((sum, length) => sum + length, 0);
    while (missing !== 0) {
      const most = Math.max(0, ...remains);
      const largest = remains.flatMap((remain, at) => (remain === most ? [at] : []));
      if (missing < largest.length || largest.length === 0) break;
      for (const at of largest) {
        scaled[at] = (scaled[at] as number) + 1;
        missing--;
        remains[at] = (remains[at] as number) - this.#barColumns;
      }
    }
    return scaled;
  }

  #summary(files: number, [inserted, deleted, modified]: Counts, found: readonly Comment[] | undefined): string {
    const plural = (count: number): string => (count === 1 ? "" : "s");
    const parts = [`${this.#options.comment} ${files} file${plural(files)} changed`];
    if (inserted > 0) parts.push(`${inserted} insertion${plural(inserted)}(+)`);
    if (deleted > 0) parts.push(`${deleted} deletion${plural(deleted)}(-)`);
    if (modified > 0) parts.push(`${modified} modification${plural(modified)}(!)`);
    const of = (comment: Comment): number => found?.filter((each) => each === comment).length ?? 0;
    const [added, removed, binary] = [of("only-right"), of("only-left"), of("binary")];
    if (added > 0) parts.push(`${added} file${plural(added)} added`);
    if (removed > 0) parts.push(`${removed} file${plural(removed)} removed`);
    if (binary > 0) parts.push(`${binary} binary file${plural(binary)}`);
    return parts.join(", ");
  }
}

function directoryLength(path: string): number {
  const slash = path.lastIndexOf("/");
  return slash > 0 ? slash + 1 : 0;
}

/** Columns on a terminal; those of bytes where they are no text. */
function columnsOf(name: string): number {
  if (/^[\x20-\x7e]*$/.test(name)) return name.length;
  const text = toText(Buffer.from(name, "latin1"));
  if (!text.isWellFormed()) return name.length;
  let columns = 0;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    const width = code < 0x20 || (code >= 0x7f && code < 0xa0) ? -1 : characterWidth(code);
    columns += width > 0 ? width : code < 0x20 || code === 0x7f ? 2 : 4;
  }
  return columns;
}

const LETTERS: Readonly<Record<string, string>> = { "\b": "\\b", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Control characters as letters behind a backslash or a circumflex. */
function escaped(name: string): string {
  return name.replace(/[\x01-\x1f\x7f]/g, (character) => {
    if (character === "\x7f") return "^?";
    return LETTERS[character] ?? `^${String.fromCharCode(character.charCodeAt(0) | 0x40)}`;
  });
}
