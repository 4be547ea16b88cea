/** A commit as text: git's named formats and the placeholders of `--format`. */
import { textWidth } from "../../../src/display/character-width.ts";
import { fromWord, toWord, withoutTrailingSpace } from "../objects/byte-text.ts";
import { readDateStyle, type DatePrinter, type DateStyle } from "../dates/date-printer.ts";
import type { Decorations } from "../refs/decorations.ts";
import { GitError } from "../git-error.ts";
import { signatureFact } from "./signature-fact.ts";
import type { Commit, Signature } from "../objects/objects.ts";
import { bodyOf, indented, subjectOf, titleOf, withoutEmptyLines } from "./message.ts";
import { mailHeader, mailOf, type MailKind, type MailPlace, type MailRules } from "./mail.ts";
import type { Mailmap } from "./mailmap.ts";
import type { Notes } from "./notes.ts";
import { readWrap, wrappedText, type WrapRule } from "./text-wrap.ts";
import { readTrailerRule, trailerText } from "./trailers.ts";
import type { LogEntry } from "../refs/refs.ts";
import type { Repository } from "../repository.ts";

export type PrettyFormat =
  | { readonly kind: "oneline" | "short" | "medium" | "full" | "fuller" | "raw" | MailKind }
  /** `endsEach`: a newline after each (tformat) rather than between them. */
  | { readonly kind: "user"; readonly format: string; readonly endsEach: boolean };

/** Throws GitError: `invalid --pretty format: X`. */
export function readFormat(text: string): PrettyFormat {
  if (text === "") return { kind: "user", format: "", endsEach: true };
  const [, kind, format] = /^(t?format):([^]*)$/.exec(text) ?? [];
  if (kind !== undefined) return { kind: "user", format: format ?? "", endsEach: kind === "tformat" };
  if (text.includes("%")) return { kind: "user", format: text, endsEach: true };
  if (text === "reference") return { kind: "user", format: REFERENCE, endsEach: true };
  for (const name of ["oneline", "short", "medium", "full", "fuller", "raw", "email", "mboxrd"] as const)
    if (name === text) return { kind: name };
  throw new GitError(`invalid --pretty format: ${text}`);
}

/** --pretty=reference as a format of its own; the date is a short one unless --date says more. */
export const REFERENCE = "%h (%s, %ad)";

export interface PrettyContext {
  readonly repository: Repository;
  readonly dates: DatePrinter;
  readonly dateStyle: DateStyle;
  readonly abbreviates: boolean;
  readonly abbreviation: number | undefined;
  /** Undefined where nothing is decorated unless a placeholder asks. */
  readonly decorations: Decorations | undefined;
  readonly allDecorations: () => Decorations;
  /** Undefined where names are shown as stored. */
  readonly mailmap?: Mailmap | undefined;
  /** For %aN and the like, which are always mapped. */
  readonly fullMailmap?: () => Mailmap;
  /** Undefined where none are shown. */
  readonly notes?: Notes | undefined;
  /** For %N. */
  readonly allNotes?: () => Notes;
  /** Of tabs in messages; 0: tabs stay. */
  readonly tabColumns?: number | undefined;
  readonly encoding?: string;
  readonly mail: MailRules;
  /** For %(describe): of what stands in it after the colon, what it says of a commit; undefined where it is malformed. */
  readonly described?: (words: string) => ((id: string) => string) | undefined;
}

/** Facts about one commit that it does not hold itself. */
export interface PrettyPlace {
  readonly reflog?: { readonly entry: LogEntry; readonly selector: string; readonly short: string } | undefined;
  /** The parents where others stand for them; undefined: as stored. */
  readonly rewritten?: readonly string[] | undefined;
  /** Printed after the id, as --parents and --children have it. */
  readonly parents?: readonly string[] | undefined;
  readonly children?: readonly string[] | undefined;
  /** The parent that the diff below is against (-m). */
  readonly from?: string | undefined;
  readonly source?: string | undefined;
  /** In front of the id: `<`, `>`, `-`, `=`, `+`. */
  readonly mark?: string | undefined;
  /** Expansion of %m. */
  readonly side?: string | undefined;
  /** Of a series of mails. */
  readonly mail?: MailPlace | undefined;
}

const NO_PLACE: PrettyPlace = {};

const idOf = ({ repository, abbreviates, abbreviation }: PrettyContext, id: string): string =>
  abbreviates ? repository.short(id, abbreviation) : id;

/** A commit as text: its first line, without a newline, and what follows; a user's format has no first line. */
export interface PrettyText {
  readonly header: string | undefined;
  readonly text: string;
  /** The line of dashes between a mail's message and its diff is in `text`. */
  readonly hasDashes?: boolean;
}

export function prettyParts(commit: Commit, format: PrettyFormat, context: PrettyContext, place: PrettyPlace = NO_PLACE): PrettyText {
  if (format.kind === "user") return { header: undefined, text: expanded(commit, format.format, context, place) };
  if (format.kind === "email" || format.kind === "mboxrd") {
    const mail = mailOf(commit, format.kind, context, place.mail);
    const said = context.notes?.shown(commit.id) ?? "";
    return {
      header: mailHeader(commit, context.mail),
      text: said === "" ? mail : `${mail}---\n${said}`,
      hasDashes: said !== "",
    };
  }
  const decorated = context.decorations?.of(commit.id) ?? "";
  const decoration = decorated === "" ? "" : ` (${decorated})`;
  const mark = place.mark === undefined || place.mark === "" ? "" : `${place.mark} `;
  const listed = (ids: readonly string[] | undefined): string => (ids ?? []).map((id) => ` ${idOf(context, id)}`).join("");
  const from = place.from === undefined ? "" : ` (from ${idOf(context, place.from)})`;
  const source = place.source === undefined ? "" : `\t${place.source}`;
  const id = `${mark}${idOf(context, commit.id)}${listed(place.parents)}${listed(place.children)}${from}${source}${decoration}`;
  const { reflog } = place;
  const notes = context.notes?.shown(commit.id) ?? "";
  if (format.kind === "oneline") {
    const subject = reflog === undefined ? subjectOf(commit.message) : `${reflog.selector}: ${reflog.entry.message}`;
    return { header: `${id} `, text: subject + (reflog === undefined ? notes : "") };
  }
  const header = `commit ${id}`;
  let text = "";
  if (reflog !== undefined)
    text += `Reflog: ${reflog.selector} (${reflog.entry.who.name} <${reflog.entry.who.mail}>)\nReflog message: ${reflog.entry.message}\n`;
  if (format.kind === "raw") {
    text += `${commit.headers}\n${indented(commit.message, "    ", 0)}`;
    return { header, text: `${withoutTrailingSpace(text)}\n${notes}` };
  }
  const parents = place.rewritten ?? commit.parents;
  if (parents.length > 1) text += `Merge: ${parents.map((parent) => context.repository.short(parent, context.abbreviation)).join(" ")}\n`;
  const mapped = (who: Signature): Signature => context.mailmap?.map(who) ?? who;
  const who = (signature: Signature): string => {
    const { name, mail } = mapped(signature);
    return `${name} <${mail}>`;
  };
  const date = (signature: Signature): string => context.dates.text(signature, context.dateStyle);
  switch (format.kind) {
    case "short":
      text += `Author: ${who(commit.author)}\n`;
      break;
    case "medium":
      text += `Author: ${who(commit.author)}\nDate:   ${date(commit.author)}\n`;
      break;
    case "full":
      text += `Author: ${who(commit.author)}\nCommit: ${who(commit.committer)}\n`;
      break;
    case "fuller":
      text += `Author:     ${who(commit.author)}\nAuthorDate: ${date(commit.author)}\nCommit:     ${who(commit.committer)}\nCommitDate: ${date(commit.committer)}\n`;
      break;
  }
  const message = format.kind === "short" ? titleOf(commit.message) : commit.message;
  const body = indented(message, "    ", context.tabColumns ?? (format.kind === "short" ? 0 : 8));
  return { header, text: `${withoutTrailingSpace(`${text}\n${body}`)}\n${notes}` };
}

/** Of git where its output is no terminal. */
const TERMINAL_COLUMNS = 80;
/** A format that asks for more is no format. */
const MOST_COLUMNS = 16 * 1024;

interface Column {
  readonly width: number;
  readonly align: "left" | "right" | "centre";
  /** The width is a place in the line (`%<|(N)`). */
  readonly isPlace: boolean;
  readonly takesSpaces: boolean;
  readonly cut: "no" | "end" | "middle" | "start";
}

/** The placeholders of `format` replaced. Throws GitError for one that is not available. */
export function expanded(commit: Commit, format: string, context: PrettyContext, place: PrettyPlace = NO_PLACE): string {
  let out = "";
  let column: Column | undefined;
  // What stands before it is done; from `wrapFrom` on the text is wrapped.
  let wrap: WrapRule | undefined;
  let wrapFrom = 0;
  const wrapped = (): void => {
    if (wrap !== undefined) out = out.slice(0, wrapFrom) + wrappedText(out.slice(wrapFrom), wrap);
    wrapFrom = out.length;
  };
  /** Takes the column that waits, if one does. */
  const padded = (value: string): string => {
    if (column === undefined) return value;
    const shown: Column = column.isPlace ? { ...column, width: Math.max(0, column.width - widthSince(out)) } : column;
    if (shown.takesSpaces) {
      // A value that is too wide takes the spaces before it.
      const over = textWidth(toWord(value)) - shown.width;
      if (over > 0) {
        const [spaces = ""] = / *$/.exec(out) ?? [];
        out = out.slice(0, out.length - Math.min(over, spaces.length));
      }
    }
    column = undefined;
    return inColumn(value, shown);
  };
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf("%", at);
    if (percent < 0) {
      out += format.slice(at);
      break;
    }
    out += format.slice(at, percent);
    const rest = format.slice(percent + 1);
    const [wrapping, rule] = /^w\(([^)]*)\)/.exec(rest) ?? [];
    if (wrapping !== undefined) {
      out += padded("");
      wrapped();
      wrap = readWrap(rule ?? "");
      at = percent + 1 + wrapping.length;
      continue;
    }
    const [padding, mark, open, numbers] = /^[-+ ]?(<\|?|>>?\|?|><\|?)(\()([^)]*)\)/.exec(rest) ?? [];
    if (padding !== undefined && mark !== undefined && open !== undefined) {
      const [, typedWidth = "0", cutting, cut = ""] =
        /^[\t-\r ]*([+-]?[0-9]+)[^,]*(,(trunc|ltrunc|mtrunc)?(?:$|[^]))?/.exec(numbers ?? "") ?? [];
      const isPlace = mark.endsWith("|");
      // A place may be counted from the right edge.
      const width = Number(typedWidth) + (isPlace && Number(typedWidth) < 0 ? TERMINAL_COLUMNS : 0);
      const isWidth = width >= 0 && Number(typedWidth) !== 0 && Math.abs(Number(typedWidth)) <= MOST_COLUMNS;
      // Of one that is none only the percent sign is text.
      const isPadding = isWidth && (cutting === undefined || (cut !== "" && cutting === `,${cut}`));
      const waited = column !== undefined;
      out += padded("");
      if (isWidth && !waited)
        column = {
          width,
          isPlace,
          takesSpaces: mark.startsWith(">>"),
          align: mark.startsWith("<") ? "left" : mark.startsWith("><") ? "centre" : "right",
          cut: !isPadding ? "no" : cut === "trunc" ? "end" : cut === "mtrunc" ? "middle" : cut === "ltrunc" ? "start" : "no",
        };
      if (!isPadding) out += "%";
      at = percent + 1 + (isPadding ? padding.length : 0);
      continue;
    }
    const [all, magic = "", name = ""] =
      /^([-+ ]?)(%|n|x[0-9a-fA-F]{2}|[ac][nNeElLdDrRtiIsh]|G[?A-Z]|g[dDnNeEsS]|C\([^)]*\)|C(?:red|green|blue|reset)|\([^)]*\)|[HhTtPpsfbBNdDSem])/.exec(
        rest,
      ) ?? [];
    let value = all === undefined || (name === "%" && magic !== "") ? undefined : placeholder(commit, name, context, place);
    if (all === undefined || value === undefined) {
      // Only the percent sign is text, and of `%+` neither; what follows may hold placeholders.
      const [sign = ""] = /^[-+ ]/.exec(rest) ?? [];
      const spaces = padded("");
      out = sign === "-" && spaces === "" ? out.replace(/\n+$/, "") : `${out}${spaces}${sign === "" ? "%" : ""}`;
      at = percent + 1 + sign.length;
      continue;
    }
    at = percent + 1 + all.length;
    if (!name.startsWith("C") && name !== "%") value = padded(value);
    if (magic === "-" && value === "") out = out.replace(/\n+$/, "");
    if (magic === "+" && value !== "") out += "\n";
    if (magic === " " && value !== "") out += " ";
    out += value;
  }
  wrapped();
  return out;
}

/** Columns since the last newline. */
const widthSince = (text: string): number => textWidth(toWord(text.slice(text.lastIndexOf("\n") + 1)));

function inColumn(value: string, { width, align, cut }: Column): string {
  let text = toWord(value);
  if (textWidth(text) > width && cut !== "no") {
    const kept = Math.max(0, width - 2);
    if (cut === "end") text = `${text.slice(0, kept)}..`;
    else if (cut === "start") text = `..${text.slice(text.length - kept)}`;
    else text = `${text.slice(0, Math.trunc(kept / 2))}..${text.slice(text.length - (kept - Math.trunc(kept / 2)))}`;
  }
  const missing = Math.max(0, width - textWidth(text));
  const before = align === "left" ? 0 : align === "right" ? missing : Math.trunc(missing / 2);
  return fromWord(" ".repeat(before) + text + " ".repeat(missing - before));
}

/** Undefined where git knows no such placeholder and prints it as it is. */
function placeholder(commit: Commit, name: string, context: PrettyContext, place: PrettyPlace): string | undefined {
  const { repository } = context;
  const { reflog } = place;
  const short = (id: string): string => repository.short(id, context.abbreviation);
  switch (name) {
    case "%":
      return "%";
    case "n":
      return "\n";
    case "H":
      return commit.id;
    case "h":
      return short(commit.id);
    case "T":
      return commit.tree;
    case "t":
      return short(commit.tree);
    case "P":
      return (place.rewritten ?? commit.parents).join(" ");
    case "p":
      return (place.rewritten ?? commit.parents).map(short).join(" ");
    case "s":
      return subjectOf(commit.message);
    case "f":
      return titleOf(commit.message)
        .replace(/\n[^]*/, "")
        .replace(/[^A-Za-z0-9._]+/g, "-")
        .replace(/\.{2,}/g, ".")
        .replace(/^-+|[-.]+$/g, "");
    case "b":
      return bodyOf(commit.message);
    case "B":
      return withoutEmptyLines(commit.message);
    case "N":
      return context.allNotes?.().raw(commit.id) ?? "";
    case "e":
      return context.encoding ?? commit.encoding ?? "";
    case "S":
      return place.source ?? "";
    case "m":
      return place.side ?? ">";
    case "d":
    case "D": {
      const names = context.allDecorations().of(commit.id);
      return name === "D" || names === "" ? names : ` (${names})`;
    }
    case "gd":
      return reflog?.short ?? "";
    case "gD":
      return reflog?.selector ?? "";
    case "gs":
    case "gS":
      return reflog?.entry.message ?? "";
    case "gn":
      return reflog?.entry.who.name ?? "";
    case "ge":
      return reflog?.entry.who.mail ?? "";
    case "gN":
    case "gE": {
      if (reflog === undefined) return "";
      const who = context.fullMailmap?.().map(reflog.entry.who) ?? reflog.entry.who;
      return name === "gN" ? who.name : who.mail;
    }
  }
  if (name.startsWith("x")) return String.fromCharCode(Number.parseInt(name.slice(1), 16));
  if (name.startsWith("C")) return "";
  if (name.startsWith("G")) return signatureFact(commit, name);
  const [trailers, options] = /^\(trailers(?::([^]*))?\)$/.exec(name) ?? [];
  if (trailers !== undefined) {
    const rule = readTrailerRule(options ?? "");
    return "unknown" in rule ? undefined : trailerText(commit.message, rule, repository.config);
  }
  if (/^\(describe[:)]/.test(name)) return context.described?.(name.slice(10, -1))?.(commit.id);
  if (name.startsWith("(")) return undefined;
  const who = name.startsWith("a") ? commit.author : commit.committer;
  const isMapped = /[NEL]$/.test(name);
  return signaturePart(isMapped ? (context.fullMailmap?.().map(who) ?? who) : who, name[1] ?? "", context);
}

function signaturePart(who: Signature, part: string, { dates, dateStyle }: PrettyContext): string {
  const styled = (style: string): string => dates.text(who, readDateStyle(style));
  switch (part) {
    case "n":
    case "N":
      return who.name;
    case "e":
    case "E":
      return who.mail;
    case "l":
    case "L":
      return who.mail.replace(/@[^]*$/, "");
    case "d":
      return dates.text(who, dateStyle);
    case "D":
      return styled("rfc");
    case "r":
      return styled("relative");
    case "t":
      return String(who.seconds);
    case "i":
      return styled("iso");
    case "I":
      return styled("iso-strict");
    case "s":
      return styled("short");
    case "h":
      return styled("human");
  }
  return "";
}
