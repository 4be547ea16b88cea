/** The first line of a commit in its colour, where a diff of words has colours (--color-words). */
import { notColoured, painted } from "../diff/colours.ts";
import { REFERENCE, type PrettyFormat } from "./pretty.ts";

/** Throws GitError where more of a commit would be coloured than its first line. */
export function checkCommitColours(
  format: PrettyFormat,
  { isGraph, hasNames, hasRelated }: { readonly isGraph: boolean; readonly hasNames: boolean; readonly hasRelated: boolean },
): void {
  const { kind } = format;
  const isColouredFormat = kind === "user" && (format.format.includes("%C") || format.format === REFERENCE);
  const what = isGraph
    ? "a graph is"
    : hasNames
      ? "the names of a commit are"
      : kind === "email" || kind === "mboxrd" || isColouredFormat
        ? "this format is"
        : hasRelated && kind === "oneline"
          ? "--parents is"
          : undefined;
  if (what !== undefined) throw notColoured("--color-words", what);
}

/** Of one line the id alone is coloured, with its mark, and with the parent that it is compared with. */
export function paintedHeader(header: string, { kind }: PrettyFormat, hasParent: boolean): string {
  if (kind !== "oneline") return painted(header, "commit");
  const [id = ""] = (hasParent ? /^(?:[-<>=+] )?[^ ]+ \(from [^ )]+\)/ : /^(?:[-<>=+] )?[^ ]+/).exec(header) ?? [];
  return painted(id, "commit") + header.slice(id.length);
}
