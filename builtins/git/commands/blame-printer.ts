/** Printing of git blame: a line of text for each line, or its porcelain formats. */
import { lineEnd, type LineText } from "../../../src/compare/line-text.ts";
import { textWidth } from "../../../src/display/character-width.ts";
import type { BlamedLines } from "../log/blame.ts";
import type { Origin } from "../log/blame-origins.ts";
import type { BlameFlag, BlameRun } from "./blame-command.ts";
import { fromWord, quotedName, toWord } from "../objects/byte-text.ts";
import { readDateStyle, type DateStyle } from "../dates/date-printer.ts";
import { mailmapOf } from "../log/mailmap.ts";
import type { Commit, Signature } from "../objects/objects.ts";
import type { Options } from "./options.ts";

/** Width of each kind of date, as git reserves it. */
const DATE_WIDTHS: Readonly<Record<DateStyle["kind"], number>> = {
  rfc: 31,
  "iso-strict": 25,
  iso: 25,
  raw: 16,
  unix: 10,
  short: 10,
  relative: 22,
  human: 16,
  default: 30,
  format: 0,
};

export class BlamePrinter {
  readonly #run: BlameRun;
  readonly #text: LineText;
  readonly #path: string;
  readonly #options: Options<BlameFlag>;
  readonly #map: (who: Signature) => Signature;
  /** Commits of which the details were printed. */
  readonly #shown = new Set<string>();

  constructor(run: BlameRun, text: LineText, path: string) {
    this.#run = run;
    this.#text = text;
    this.#path = path;
    this.#options = run.options;
    const mailmap = mailmapOf(run.repository);
    this.#map = (who) => mailmap.map(who);
  }

  #lineOf(line: number): string {
    return `${this.#text.bytes.toString("latin1", this.#text.starts[line] as number, lineEnd(this.#text, line))}\n`;
  }

  *lines(lines: readonly BlamedLines[], isAnnotated: boolean): Generator<void, void> {
    const { print, repository, dates } = this.#run;
    const options = this.#options;
    const { config } = repository;
    const showsMail = options.has("-e", "--show-email") || config.boolean("blame.showemail", false);
    const nameOf = (commit: Commit): string => {
      const { name, mail } = this.#map(commit.author);
      return showsMail ? `<${mail}>` : name;
    };
    const style = readDateStyle(fromWord(options.last("--date") ?? config.get("blame.date") ?? "iso"));
    const dateWidth =
      style.kind === "format" ? dates.text({ name: "", mail: "", seconds: 0, zone: "+0000" }, style).length : DATE_WIDTHS[style.kind];
    const dateOf = (who: Signature): string => {
      if (options.has("-t")) return `${who.seconds} ${who.zone}`;
      const text = dates.text(who, style);
      return text + " ".repeat(Math.max(0, dateWidth - textWidth(toWord(text))));
    };
    const widest = { name: 0, file: 0, origin: 0, line: 0 };
    for (const { origin, line, count, originLine } of lines) {
      widest.name = Math.max(widest.name, textWidth(toWord(nameOf(origin.commit))));
      widest.file = Math.max(widest.file, origin.path.length);
      widest.origin = Math.max(widest.origin, originLine + count);
      widest.line = Math.max(widest.line, line + count);
    }
    const showsFile = options.has("-f", "--show-name") || lines.some(({ origin }) => origin.path !== this.#path);
    const length = this.#idLength(lines);
    const blanks = options.has("-b") || config.boolean("blame.blankboundary", false);
    for (const { origin, line, count, originLine } of lines) {
      const { commit } = origin;
      const width = options.has("-l") ? repository.format.idDigits : length;
      let id = commit.id.slice(0, width);
      if (origin.isBoundary) id = blanks ? " ".repeat(width) : isAnnotated ? id : `^${commit.id.slice(0, width - 1)}`;
      const name = nameOf(commit);
      for (let at = 0; at < count; at++) {
        const text = this.#lineOf(line + at);
        if (isAnnotated) {
          print(`${id}\t(${name.padStart(10)}\t${dateOf(commit.author).padStart(10)}\t${line + at + 1})${text}`);
          continue;
        }
        // Git counts the bytes of a path, and the columns of a name.
        const file = showsFile ? ` ${origin.path.padEnd(widest.file)}` : "";
        const number = options.has("-n", "--show-number") ? ` ${String(originLine + at + 1).padStart(String(widest.origin).length)}` : "";
        const who = options.has("-s")
          ? ""
          : ` (${name}${" ".repeat(widest.name - textWidth(toWord(name)))} ${dateOf(commit.author).padStart(10)}`;
        print(`${id}${file}${number}${who} ${String(line + at + 1).padStart(String(widest.line).length)}) ${text}`);
      }
      yield;
    }
  }

  /** One more than ids need, for the mark of a boundary. */
  #idLength(lines: readonly BlamedLines[]): number {
    const { repository } = this.#run;
    const { idDigits, noId } = repository.format;
    const asked = this.#options.last("--abbrev");
    if (asked !== undefined) {
      const count = Number(asked);
      if (count === 0) return idDigits;
      return count < idDigits ? Math.max(4, count) + 1 : idDigits;
    }
    let length = repository.abbreviation;
    for (const { origin } of lines)
      if (origin.commit.id !== noId) length = Math.max(length, repository.short(origin.commit.id, length).length);
    return length + 1;
  }

  *porcelain(lines: readonly BlamedLines[], repeats: boolean): Generator<void, void> {
    const { print } = this.#run;
    const guilty = new Map<string, Set<Origin>>();
    for (const { origin } of lines) {
      const origins = guilty.get(origin.commit.id) ?? new Set();
      guilty.set(origin.commit.id, origins.add(origin));
    }
    for (const { origin, line, count, originLine } of lines) {
      const { id } = origin.commit;
      for (let at = 0; at < count; at++) {
        print(`${id} ${originLine + at + 1} ${line + at + 1}${at === 0 ? ` ${count}` : ""}\n`);
        if (at === 0 || repeats) {
          const details = this.#details(origin, repeats);
          print(details + (details !== "" || (guilty.get(id)?.size ?? 0) > 1 ? this.#file(origin) : ""));
        }
        print(`\t${this.#lineOf(line + at)}`);
      }
      yield;
    }
  }

  /** Prints lines as they are found (--incremental). */
  found({ origin, line, count, originLine }: BlamedLines): void {
    this.#run.print(`${origin.commit.id} ${originLine + 1} ${line + 1} ${count}\n${this.#details(origin, false)}${this.#file(origin)}`);
  }

  /** Of a commit, the first time or each time. */
  #details({ commit, isBoundary }: Origin, repeats: boolean): string {
    if (!repeats && this.#shown.has(commit.id)) return "";
    this.#shown.add(commit.id);
    const who = (key: string, of: Signature): string => {
      const { name, mail, seconds, zone } = this.#map(of);
      return `${key} ${name}\n${key}-mail <${mail}>\n${key}-time ${seconds}\n${key}-tz ${zone}\n`;
    };
    const people = who("author", commit.author) + who("committer", commit.committer);
    return `${people}summary ${subjectLine(commit)}\n${isBoundary ? "boundary\n" : ""}`;
  }

  #file({ previous, path }: Origin): string {
    const quote = (name: string): string => quotedName(name, this.#run.repository.quotesAll);
    return `${previous === undefined ? "" : `previous ${previous.commit.id} ${quote(previous.path)}\n`}filename ${quote(path)}\n`;
  }
}

/** The first line of a message, or the id of a commit without one. */
const subjectLine = ({ id, message }: Commit): string => {
  const line = message.replace(/^\n+/, "").split("\n")[0] ?? "";
  return line === "" ? `(${id})` : line;
};
