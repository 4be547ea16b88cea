/**
 * Advice after a call: where an error or an empty answer has a cause that the workspace shows, the sentence that saves the next call.
 * Few, short, and each checked against the workspace before it is given.
 */
import { isAbsolutePath } from "../glob/absolute-path.ts";
import { quoteWord } from "../display/quote.ts";
import { compileGlob } from "../glob/glob-match.ts";
import { toText } from "../io/text.ts";
import { FileError } from "../workspace/file-error.ts";
import type { WriteReceipt } from "../builtin/recorder.ts";
import type { Files } from "../workspace/contract.ts";
import type { StageReport } from "./result.ts";

/** Bytes of standard error that are looked at, and pieces of advice that are given. */
const MOST_BYTES = 4096;
const MOST_GIVEN = 3;
/** Stages that are looked at, the last ones. */
const MOST_STAGES = 20;
/** Entries that are looked at for a name, and below a directory for a pattern. */
const MOST_LISTED = 5000;
const MOST_WALKED = 2000;

/** The paths that tools name so: `cat: readme.md: …`, `ls: cannot access '*.py': …`, `bash: line 1: cd: Src: …`. */
const MISSING =
  /^(?:bash: line \d+: )?[\w.-]+: (?:cannot \w+ (?:directory )?)?(['"]?)([^'":\n]+)\1(?: for reading|: IO error for operation on [^:\n]+)?: No such file or directory(?: \(os error 2\))?$/gm;
const NOT_THERE = /: No such file or directory/;
/** An unquoted word with a backslash before a name, as people of Windows write paths. */
const BACKSLASHED = /(?<![^\s])[\w.~:\\/-]*\\\w[\w.~:\\/-]*(?![^\s;|&)])/g;
const OPEN_BRACE = /^rg: regex parse error:\n[^]*^error: (?:repetition quantifier|unclosed counted repetition)/m;
const PATTERN = /[*?[]/;

export class Advice {
  #blocks: Uint8Array[] = [];
  #bytes = 0;

  /** Notes what is printed on standard error, as far as it is looked at. */
  note(block: Uint8Array): void {
    if (this.#bytes >= MOST_BYTES) return;
    // A copy: producers use their memory again.
    this.#blocks.push(Uint8Array.from(block.subarray(0, MOST_BYTES - this.#bytes)));
    this.#bytes += block.length;
  }

  /** The advice on a call that has ended in the directory of `files`. */
  of(stages: readonly StageReport[], files: Files, receipts: readonly WriteReceipt[]): readonly string[] {
    const errors = toText(Buffer.concat(this.#blocks));
    const missing = [...new Set([...errors.matchAll(MISSING)].map(([, , path = ""]) => path))].slice(0, MOST_GIVEN);
    const given = [
      ...missing.map((path) => unlessFailing(() => (PATTERN.test(path) ? belowFor(path, files) : otherCaseFor(path, files)))),
      ...(NOT_THERE.test(errors) ? stages.slice(-MOST_STAGES).flatMap((stage) => backslashesIn(stage, files)) : []),
      ...(receipts.length > 0 ? stages.slice(-MOST_STAGES).flatMap((stage) => backslashesWritten(stage, files, receipts)) : []),
      ...(OPEN_BRACE.test(errors) ? ["rg -F takes a { as it is; in a pattern it is \\{"] : []),
      ...stages.slice(-MOST_STAGES).map((stage) => unlessFailing(() => silenceOf(stage, files))),
      ...(receipts.length > 0 || !stages.some(editsNothing) ? [] : ["sed -i changed no file"]),
    ];
    return [...new Set(given.filter((sentence) => sentence !== undefined))].slice(0, MOST_GIVEN);
  }
}

function unlessFailing(action: () => string | undefined): string | undefined {
  try {
    return action();
  } catch (thrown) {
    if (thrown instanceof FileError) return undefined;
    throw thrown;
  }
}

/** For paths whose backslashes bash has taken for escapes, and that are there with slashes. */
function backslashesIn({ command, exit }: StageReport, files: Files): readonly string[] {
  if (exit === 0) return [];
  return (command.match(BACKSLASHED) ?? []).flatMap((typed) => {
    const { meant, read } = backslashed(typed);
    const isMeant = unlessFailing(() => (exists(meant, files) && !exists(read, files) ? meant : undefined));
    return isMeant === undefined ? [] : [`bash takes the \\ away: write ${quoteWord(meant)}`];
  });
}

/** For names that were made because bash has taken the backslashes away, beside the directory that was meant. */
function backslashesWritten({ command }: StageReport, files: Files, receipts: readonly WriteReceipt[]): readonly string[] {
  return (command.match(BACKSLASHED) ?? []).flatMap((typed) => {
    const { meant, read } = backslashed(typed);
    const isMade = receipts.some(({ path, created }) => created && (path === read || path.endsWith(`/${read}`)));
    const directory = meant.slice(0, meant.lastIndexOf("/"));
    return isMade && unlessFailing(() => (exists(directory, files) ? directory : undefined)) !== undefined
      ? [`bash takes the \\ away: this made ${quoteWord(read)}; write ${quoteWord(meant)}`]
      : [];
  });
}

/** The path that was meant by a word with backslashes, each of which may itself have one before it, and the one that bash reads. */
const backslashed = (typed: string): { readonly meant: string; readonly read: string } => ({
  meant: typed.replace(/\\+/g, "/"),
  read: typed.replace(/\\(.)/g, "$1"),
});

/** For a path that is there when its letters are written otherwise. */
function otherCaseFor(path: string, files: Files): string | undefined {
  if (isAbsolutePath(path)) return undefined;
  let found = "";
  for (const name of path.split("/").filter((each) => each !== "")) {
    const next = exists(`${found}${name}`, files) ? name : alike(name, found === "" ? "." : found, files);
    if (next === undefined) return undefined;
    found += `${next}/`;
  }
  const other = found.slice(0, -1);
  return other === "" || other === path ? undefined : `${quoteWord(path)} is written ${quoteWord(other)} here`;
}

/** The one name in the directory that differs from `name` in the case of letters alone. */
function alike(name: string, directory: string, files: Files): string | undefined {
  const folded = name.toLowerCase();
  const names = listed(directory, files).filter((each) => each.name.toLowerCase() === folded);
  return names.length === 1 ? names[0]?.name : undefined;
}

/** For a pattern that matches nothing where it was looked for, and something below. */
function belowFor(path: string, files: Files): string | undefined {
  const [, above = "", pattern = ""] = /^((?:[^*?[]*\/)?)([^/]*)$/.exec(path) ?? [];
  if (pattern === "" || isAbsolutePath(above)) return undefined;
  const glob = compileGlob(pattern, { period: true });
  const waiting = [above === "" ? "." : above.replace(/\/+$/, "")];
  const found: string[] = [];
  let walked = 0;
  for (let directory = waiting.shift(); directory !== undefined && walked < MOST_WALKED; directory = waiting.shift()) {
    const entries = listed(directory, files);
    walked += entries.length;
    for (const { name, kind } of entries) {
      const entry = directory === "." ? name : `${directory}/${name}`;
      if (kind === "directory" && !name.startsWith(".") && name !== "node_modules") waiting.push(entry);
      else if (kind === "file" && glob.matches(name)) found.push(entry);
    }
  }
  const [first] = found;
  if (first === undefined) return undefined;
  const count = walked < MOST_WALKED ? `${found.length}` : "more";
  return `${quoteWord(path)} matches nothing, but ${found.length === 1 ? "one file" : `${count} files`} below: find ${above === "" ? "." : quoteWord(above)} -name ${quoteWord(pattern)}`;
}

/** For a stage that found nothing because it was asked for something else. */
function silenceOf({ command, exit, outputBytes }: StageReport, files: Files): string | undefined {
  if (outputBytes > 0) return undefined;
  if (exit === 0 && /^git shortlog(?: -[sne]+)*$/.test(command)) return `git shortlog reads its input here: ${command} HEAD counts commits`;
  const [, file] = /^symbols ([\w./-]+\.\w+)$/.exec(command) ?? [];
  return exit === 1 && file !== undefined && exists(file, files)
    ? `symbols takes a name; outline ${file} lists what the file defines`
    : undefined;
}

const editsNothing = ({ command, exit }: StageReport): boolean =>
  exit === 0 && /^sed (?:-[A-Za-z]+ )*(?:-[A-Za-z]*i|--in-place)/.test(command) && !/[$`]|\/tmp/.test(command);

function exists(path: string, files: Files): boolean {
  try {
    files.status(path);
    return true;
  } catch (thrown) {
    if (thrown instanceof FileError) return false;
    throw thrown;
  }
}

function listed(path: string, files: Files) {
  const directory = files.openDirectory(path);
  try {
    const entries = [];
    for (const entry of directory.entries()) if (entries.push(entry) >= MOST_LISTED) break;
    return entries;
  } finally {
    directory.close();
  }
}
