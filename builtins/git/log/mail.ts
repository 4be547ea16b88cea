/**
 * A commit as a mail (--pretty=email and mboxrd, format-patch): headers by RFC 5322, words of other letters than ASCII's by RFC 2047,
 * the message as the body.
 */
import { withoutTrailingSpace } from "../objects/byte-text.ts";
import { readDateStyle } from "../dates/date-printer.ts";
import type { Commit, Signature } from "../objects/objects.ts";
import { bodyOf, expandTabs, subjectOf, titleOf } from "./message.ts";
import type { PrettyContext } from "./pretty.ts";
import { wrappedText } from "./text-wrap.ts";

/** In mboxrd, lines that begin as a mail does are quoted. */
export type MailKind = "email" | "mboxrd";

/** What is the same in all mails of a command. */
export interface MailRules {
  /** In the brackets before the subject. */
  readonly subjectPrefix: string;
  /** The subject keeps its lines, and has no brackets (-k). */
  readonly keepsSubject: boolean;
  /** Headers are written by RFC 2047. */
  readonly encodesHeaders: boolean;
  /** Zeros in place of the commit's id. */
  readonly zeroId: string | undefined;
  /** The sender of all; who wrote the commit is then said in the body. */
  readonly from: Pick<Signature, "name" | "mail"> | undefined;
  /** The author is said in the body of the sender's own commits, too. */
  readonly forcesAuthor: boolean;
  /** Lines after the first, and lines that come last. */
  readonly firstHeaders: string;
  readonly lastHeaders: string;
}

export const PLAIN_MAIL: MailRules = {
  subjectPrefix: "PATCH",
  keepsSubject: false,
  encodesHeaders: true,
  zeroId: undefined,
  from: undefined,
  forcesAuthor: false,
  firstHeaders: "",
  lastHeaders: "",
};

/** One mail's place in a series. */
export interface MailPlace {
  /** "03/12"; undefined: the mails are not counted. */
  readonly number?: string | undefined;
  /** Without a subject line: the title stands below the headers (rev-list). */
  readonly isBare?: boolean;
}

const MOST_COLUMNS = 78;
const MOST_ENCODED_COLUMNS = 76;
const NOT_ASCII = /[\x1b\x80-\xff]/;
const CHARSET = "UTF-8";

/** The line that begins a mail in a mailbox. */
export function mailHeader({ id }: Commit, { zeroId, firstHeaders }: MailRules): string {
  return `From ${zeroId ?? id} Mon Sep 17 00:00:00 2001${firstHeaders === "" ? "" : `\n${firstHeaders.replace(/\n$/, "")}`}`;
}

/** The headers and the body, from after the mailbox's line. */
export function mailOf(commit: Commit, kind: MailKind, context: PrettyContext, place: MailPlace = {}): string {
  const { mail } = context;
  const author = context.mailmap?.map(commit.author) ?? commit.author;
  const { from } = mail;
  const isOther = from !== undefined && (mail.forcesAuthor || from.name !== author.name || from.mail !== author.mail);
  const inBody = isOther ? `From: ${author.name} <${author.mail}>\n` : "";
  let text = `${senderLine(from ?? author, mail)}\nDate: ${context.dates.text(commit.author, readDateStyle("rfc"))}\n`;
  const subject = mail.keepsSubject ? titleOf(commit.message) : subjectOf(commit.message);
  if (place.isBare === true) text += `\n${subject}\n`;
  else text += `${subjectLine(subject, mail, place.number)}\n`;
  if (NOT_ASCII.test(commit.message + inBody))
    text += `MIME-Version: 1.0\nContent-Type: text/plain; charset=${CHARSET}\nContent-Transfer-Encoding: 8bit\n`;
  text += `${mail.lastHeaders}\n`;
  if (inBody !== "") text += `${inBody}\n`;
  const body = bodyText(bodyOf(commit.message), kind, context.tabColumns ?? 0);
  return body === "" ? `${withoutTrailingSpace(text)}\n\n` : `${text}${body}\n`;
}

function bodyText(body: string, kind: MailKind, tabColumns: number): string {
  const lines = body.split("\n").map((whole) => {
    const line = expandTabs(withoutTrailingSpace(whole), tabColumns);
    return kind === "mboxrd" && /^>*From /.test(whole) ? `>${line}` : line;
  });
  return withoutTrailingSpace(lines.join("\n"));
}

/** `From:` with a name that is quoted or encoded where it must be. */
export function senderLine({ name, mail }: Pick<Signature, "name" | "mail">, { encodesHeaders }: MailRules): string {
  let line = "From: ";
  let most = MOST_COLUMNS;
  if (encodesHeaders && needsEncoding(name)) {
    line += encoded(name, line.length, "address");
    most = MOST_ENCODED_COLUMNS;
  } else {
    const written = /[()<>[\]:;@,."\\]/.test(name) ? `"${name.replace(/["\\]/g, "\\$&")}"` : name;
    line += wrappedText(written, { width: most, first: -line.length, rest: 1 });
  }
  const column = line.length - 1 - line.lastIndexOf("\n");
  return `${line}${most < column + mail.length + 3 ? "\n" : ""} <${mail}>`;
}

function subjectLine(subject: string, { subjectPrefix, keepsSubject, encodesHeaders }: MailRules, number: string | undefined): string {
  const words = [subjectPrefix, number ?? ""].filter((word) => word !== "").join(" ");
  const line = `Subject: ${keepsSubject || words === "" ? "" : `[${words}] `}`;
  if (encodesHeaders && needsEncoding(subject)) return line + encoded(subject, line.length, "subject");
  return line + wrappedText(subject, { width: MOST_COLUMNS, first: -line.length, rest: 1 });
}

const needsEncoding = (text: string): boolean => NOT_ASCII.test(text) || text.includes("\n") || text.includes("=?");

/** An encoded word for each line that `text` takes from `column` on; a character is never cut. */
function encoded(text: string, column: number, where: "address" | "subject"): string {
  const open = `=?${CHARSET}?q?`;
  let out = open;
  let width = column + open.length;
  const characters = text.match(/[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[^]/g) ?? [];
  for (const character of characters) {
    const isPlain = character.length === 1 && (where === "address" ? /[A-Za-z0-9!*+\-/]/ : /[!-<>@-^`-~]/).test(character);
    const written = isPlain
      ? character
      : [...character].map((unit) => `=${unit.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`).join("");
    if (width + written.length + 2 > MOST_ENCODED_COLUMNS) {
      out += `?=\n ${open}`;
      width = open.length + 1;
    }
    out += written;
    width += written.length;
  }
  return `${out}?=`;
}
