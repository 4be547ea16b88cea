/** --check: white space errors in added lines, and conflict markers, as core.whitespace and the attribute name them. */
import { lineEnd, lineText, type LineText } from "../../../src/compare/line-text.ts";
import { contentOf } from "../objects/contents.ts";
import type { DiffSettings } from "./diff-options.ts";
import { attributePath, type FilePair } from "./file-pairs.ts";
import { GitError } from "../git-error.ts";
import { eachLine, hunksOf } from "./hunks.ts";
import { EXACT, lineChanges, type ChangeOptions } from "./line-changes.ts";
import type { Print } from "./patch.ts";
import { shownPath } from "./shown-path.ts";
import type { Repository } from "../repository.ts";
import { isBinarySide } from "./userdiff.ts";

interface Rules {
  readonly names: ReadonlySet<string>;
  readonly tabWidth: number;
}

const USUAL: Rules = { names: new Set(["blank-at-eol", "blank-at-eof", "space-before-tab"]), tabWidth: 8 };
const ALL = ["blank-at-eol", "blank-at-eof", "space-before-tab", "indent-with-non-tab", "tab-in-indent", "cr-at-eol"];

const PLAIN_CHANGES: ChangeOptions = { rule: EXACT, minimal: false, indentHeuristic: false };

export function printWhiteSpaceErrors(repository: Repository, pair: FilePair, settings: DiffSettings, print: Print): void {
  const { old, now, status } = pair;
  if (now.mode === 0 || status === "U") return;
  const [a, b] = [contentOf(repository, old), contentOf(repository, now)];
  if (isBinarySide(repository, now, b)) return;
  const rules = rulesOf(repository, attributePath(now));
  const text = lineText(b);
  const oldText = lineText(a);
  const name = shownPath(now.path, settings);
  // Flags for white space, lines and algorithms say nothing of what is checked.
  const changes = lineChanges(oldText, text, PLAIN_CHANGES).map((change) => ({ ...change, isIgnored: false }));
  const hunks = hunksOf(oldText, text, changes, { ...settings, context: 1, functionLine: () => undefined });
  for (const hunk of hunks)
    eachLine(hunk, (kind, line) => {
      if (kind !== "added") return;
      const content = text.bytes.toString("latin1", text.starts[line] as number, lineEnd(text, line));
      if (isConflictMarker(content)) print(`${name}:${line + 1}: leftover conflict marker\n`);
      const errors = errorsOf(content, rules);
      if (errors.length > 0) print(`${name}:${line + 1}: ${errors.join(", ")}.\n+${content}\n`);
    });
  if (!rules.names.has("blank-at-eof")) return;
  const blank = blankTail(text);
  if (
    blank !== undefined &&
    blank < text.lineCount &&
    text.lineCount - blank > oldText.lineCount - (blankTail(oldText) ?? oldText.lineCount)
  )
    print(`${name}:${blank + 1}: new blank line at EOF.\n`);
}

/** The first of the blank lines at the end; undefined where the last line is not blank. */
function blankTail(text: LineText): number | undefined {
  let line = text.lineCount;
  while (line > 0 && /^[ \t-\r]*$/.test(text.bytes.toString("latin1", text.starts[line - 1] as number, lineEnd(text, line - 1)))) line--;
  return line === text.lineCount ? undefined : line;
}

const isConflictMarker = (line: string): boolean => /^(<{7}|>{7}|\|{7})(\s|$)|^={7}(\s|$)/.test(line);

function rulesOf(repository: Repository, path: string): Rules {
  const attribute = repository.attributes.get(path, "whitespace");
  if (attribute === true) return { names: new Set(ALL.filter((name) => name !== "tab-in-indent" && name !== "cr-at-eol")), tabWidth: 8 };
  if (attribute === false) return { names: new Set(), tabWidth: 8 };
  const text = attribute ?? repository.config.get("core.whitespace");
  if (text === undefined) return USUAL;
  const names = new Set(USUAL.names);
  let { tabWidth } = USUAL;
  for (const word of text.split(/[\s,]+/)) {
    const negates = word.startsWith("-");
    const name = negates ? word.slice(1) : word;
    if (name.startsWith("tabwidth=")) tabWidth = Number(name.slice(9)) || 8;
    for (const one of name === "trailing-space" ? ["blank-at-eol", "blank-at-eof"] : [name]) {
      if (!ALL.includes(one)) continue;
      if (negates) names.delete(one);
      else names.add(one);
    }
  }
  if (names.has("tab-in-indent") && names.has("indent-with-non-tab"))
    throw new GitError("cannot enforce both tab-in-indent and indent-with-non-tab");
  return { names, tabWidth };
}

function errorsOf(line: string, { names, tabWidth }: Rules): string[] {
  const errors: string[] = [];
  const text = names.has("cr-at-eol") ? line.replace(/\r$/, "") : line;
  if (names.has("blank-at-eol") && /[ \t-\r]$/.test(text)) errors.push("trailing whitespace");
  const [indent = ""] = /^[ \t]*/.exec(text) ?? [];
  const hasSpaceBefore = indent.includes(" \t");
  if (names.has("space-before-tab") && hasSpaceBefore) errors.push("space before tab in indent");
  const spaces = indent.slice(indent.lastIndexOf("\t") + 1).length;
  if (names.has("indent-with-non-tab") && spaces >= tabWidth) errors.push("indent with spaces");
  // A tab that is an error for the spaces before it is no second one.
  const counted = names.has("space-before-tab") ? indent.replace(/ +\t/g, "") : indent;
  if (names.has("tab-in-indent") && counted.includes("\t")) errors.push("tab in indent");
  return errors;
}
