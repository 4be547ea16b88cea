/** Oracle of the forgery fuzz: finds the tool's own lines in an answer, and the faults of lines that only look like them. */

/** The result of one call as the client has it. */
export interface WireResult {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** Number of lines of each kind that a call's answer must have. */
export interface OwnLines {
  readonly kind: "completed" | "refused" | "stopped" | "faulted";
  readonly exit: number;
  readonly receipts: number;
  readonly cursors: number;
  readonly violations: number;
}

const BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
const BEGINS_AS_OURS = /^[[(](?:shelpa|exit \d|no output\b)/i;
const RAW = /[^\P{Cc}\n\t\r]|\r(?!\n)/u;

export const linesOf = (text: string): string[] => text.split(BREAK);
export const forgedLines = (text: string): string[] => linesOf(text).filter((line) => BEGINS_AS_OURS.test(line));

/** Faults of a shown text of any kind. */
export function textProblems(text: string): string[] {
  const raw = RAW.exec(text);
  return [
    ...(text.isWellFormed() ? [] : ["half a character"]),
    ...(raw === null ? [] : [`a raw control character: ${JSON.stringify(text.slice(Math.max(0, raw.index - 20), raw.index + 20))}`]),
  ];
}

/** Faults of text that belongs on one line. */
export const lineProblems = (text: string): string[] => [
  ...textProblems(text),
  ...(BREAK.test(text) ? [`several lines: ${JSON.stringify(text)}`] : []),
  ...(BEGINS_AS_OURS.test(text) ? [`begins as ours: ${JSON.stringify(text)}`] : []),
];

const GAP = /^\[shelpa: [\d,]+ lines are not shown here\]$/;
const ERRORS_GAP = /^\[shelpa: [\d,]+ (?:lines|bytes) of standard error are not shown here\]$/;
const BINARY = /^\[shelpa: [\w .-]+, [\d,]+ bytes, not shown\]$/;
const REASON = /^[A-Z]+(?:_[A-Z]+)*: /;
const TRY = /^(?:try|instead): /;
const CUT = [
  /^shown: (?:none of|the start of line 1|lines) /,
  /^of \d+ long lines only the start is shown$/,
  /^next(?: \(with the same [a-z, ]+\))?: /,
  /^kept: the first \d+ bytes$/,
  /^lines \d+-\d+ of \d+$/,
] as const;
const RECEIPT =
  /^(?:created|appended to|replaced|emptied|removed) .*: (?:\d+ bytes|\d+ lines?(?: changed| added(?:, \d+ removed)?| removed)?|nothing changed) \(record \d+(?:, allowed by (?:a human|the configuration))?(?:, undo: undo \d+)?\)$/u;
/** Lines about a change besides its receipt. */
const ABOUT_CHANGE = /^(?:\d+ more lines? of this difference|\d+ more changes \(history lists them\)|undo all of it: undo \d+)$/;
/** Lines of a difference, which begin with their sign. */
const DIFFERENCE = /^(?:@@ -|[-+ \\])/;
const CURSOR = /^(?:cursor of .*: [\w.]+|what comes after: .*)$/u;

export function answerProblems(result: WireResult, own: OwnLines): string[] {
  const texts = (result.content ?? []).map(({ text }) => text);
  const problems = texts.flatMap((text, at) => textProblems(text).map((what) => `block ${at}: ${what}`));
  const structured = result.structuredContent;
  if (structured !== undefined) problems.push(...structuredProblems(structured, ""));
  switch (own.kind) {
    case "completed": {
      // What a write passed on is not repeated: its change is all that the answer tells.
      const [shown = "", ...blocks] = own.receipts > 0 && texts.length === 1 ? ["", ...texts] : texts;
      problems.push(...printedProblems(shown, own.exit), ...noticeProblems(blocks, own, structured));
      break;
    }
    case "refused":
      problems.push(...refusalProblems(texts.join("\n"), own.violations));
      break;
    case "stopped":
    case "faulted": {
      const [reason = "", ...rest] = texts;
      problems.push(...refusalProblems(reason, 1));
      const printed = rest[0]?.startsWith("output until then:\n") === true ? rest.shift() : undefined;
      if (printed !== undefined) problems.push(...printedProblems(printed, 0), ...forgedInError(printed));
      problems.push(...noticeProblems(rest, own, structured));
      break;
    }
  }
  return problems;
}

/** Faults of a command's output, which may have one line about a gap and a last line about the exit status. */
function printedProblems(text: string, exit: number): string[] {
  const isSilent = linesOf(text).length === 1 && /^(?:\(no output, exit -?\d+(?:, cwd .*)?\)|\[exit -?\d+: .*\])$/u.test(text);
  if (isSilent) return [];
  const forged = forgedLines(text);
  if (exit !== 0 && forged.at(-1) === `[exit ${exit}]` && text.endsWith(`[exit ${exit}]`)) forged.pop();
  if (BINARY.test(forged[0] ?? "") && text.startsWith("[shelpa: ")) forged.shift();
  for (const own of [GAP, ERRORS_GAP]) {
    const gap = forged.findIndex((line) => own.test(line));
    if (gap >= 0) forged.splice(gap, 1);
  }
  return forged.map((line) => `begins as ours: ${JSON.stringify(line.slice(0, 200))}`);
}

/** Lines of the output in an answer with an error, behind its own first line, that begin as the error's. */
const forgedInError = (text: string): string[] =>
  linesOf(text)
    .slice(1)
    .filter((line) => /^(?:try|instead|next|note|output until then|(?:LIMIT|NEEDS)_[A-Z]+|FAULT|BUSY|CONFLICT):/.test(line))
    .map((line) => `begins as a line of the error: ${JSON.stringify(line.slice(0, 200))}`);

/** Notices: one block, of which every line is one that the answer has to have. */
function noticeProblems(blocks: readonly string[], own: OwnLines, structured: WireResult["structuredContent"]): string[] {
  const [block, ...more] = blocks;
  const notes = Array.isArray(structured?.["notes"]) ? structured["notes"].length : 0;
  const wanted = own.receipts + own.cursors + notes;
  if (block === undefined) return wanted === 0 ? [] : [`${wanted} notices are missing`];
  const problems = more.map((text) => `a further block: ${JSON.stringify(text.slice(0, 200))}`);
  const all = block.split("\n");
  const lines = all.filter((line) => !(own.receipts > 0 && DIFFERENCE.test(line)));
  for (const line of lines) if (!line.startsWith("[shelpa] ")) problems.push(`a notice is none: ${JSON.stringify(line)}`);
  if (linesOf(block).length !== all.length) problems.push("a notice holds a line break");
  const said = lines.map((line) => line.slice("[shelpa] ".length)).filter((line) => !ABOUT_CHANGE.test(line));
  const cut = said.findIndex((line) => !CUT.some((shape) => shape.test(line)));
  const others = cut < 0 ? [] : said.slice(cut);
  const cuts = said.length - others.length;
  if (cuts > CUT.length) problems.push(`${cuts} lines about a cut`);
  if (others.length !== wanted) problems.push(`${others.length} notices, not ${wanted}: ${JSON.stringify(block)}`);
  const receipts = others.filter((line) => RECEIPT.test(line)).length;
  if (receipts < own.receipts) problems.push(`${receipts} lines of receipts, not ${own.receipts}`);
  if (others.slice(0, own.cursors).some((line) => !CURSOR.test(line))) problems.push("a line about a cursor is none");
  return problems;
}

/** Each violation has one line with its reason and at most one with a suggestion. */
function refusalProblems(text: string, violations: number): string[] {
  const lines = linesOf(text);
  const problems = forgedLines(text).map((line) => `begins as ours: ${JSON.stringify(line.slice(0, 200))}`);
  const reasons = lines.filter((line) => REASON.test(line)).length;
  const suggestions = lines.filter((line) => TRY.test(line)).length;
  if (reasons !== violations) problems.push(`${reasons} reasons, not ${violations}: ${JSON.stringify(text)}`);
  if (suggestions > violations) problems.push(`${suggestions} suggestions for ${violations} violations: ${JSON.stringify(text)}`);
  return problems;
}

/** Every string of the structured answer, its keys included. */
function structuredProblems(value: unknown, at: string): string[] {
  if (typeof value === "string") {
    const own = { stdout: GAP, stderr: ERRORS_GAP }[at];
    const forged = forgedLines(value).filter((line) => own?.test(line) !== true);
    return [...textProblems(value), ...forged.map((line) => `begins as ours: ${JSON.stringify(line)}`)].map((what) => `${at}: ${what}`);
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...lineProblems(key),
    ...structuredProblems(inner, at === "" ? key : `${at}.${key}`),
  ]);
}

/** A question to a human about `files` files: nothing in it but their names, their differences, the line and the reasons. */
export function questionProblems(message: string, files: number): string[] {
  const problems = [...textProblems(message), ...forgedLines(message).map((line) => `begins as ours: ${JSON.stringify(line)}`)];
  const lines = linesOf(message);
  const count = (shape: RegExp): number => lines.filter((line) => shape.test(line)).length;
  // A line of a difference begins with its mark, and so as nothing else.
  const isSilent = files === 0;
  const heads = count(/^(?:An agent wants to )?(?:create|append to|replace) .* \(\d+ bytes\)$/u);
  if (heads !== files) problems.push(`${heads} files, not ${files}`);
  if (count(/^An agent wants to /) !== 1 || (isSilent && !message.startsWith("An agent wants to run a line that writes nothing\n"))) {
    problems.push("who wants what is not said once");
  }
  if (count(/^with: /) !== 1) problems.push("the line is not shown once");
  if (count(/^(?:Allow it\?|To allow it, type the file's name: .*)$/) !== 1 || !/^(?:Allow it\?|To allow it,)/.test(lines.at(-1) ?? "")) {
    problems.push("what is asked is not the last line");
  }
  const start = lines.findIndex((line) => line.startsWith("with: "));
  const strange = lines
    .slice(1, start)
    .filter((line) => !/^(?:[-+ @\\(…]|$|Binary files .* differ$|(?:create|append to|replace) .* \(\d+ bytes\)$)/u.test(line))
    .map((line) => `a line of its own: ${JSON.stringify(line)}`);
  return [...problems, ...strange].map((what) => `question: ${what}`);
}
