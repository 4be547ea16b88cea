/**
 * Redacts secrets from everything an agent is shown: values of the server's own environment, and credentials that are
 * recognized by their format. A help against carelessness, not a boundary: a pipeline can encode what it prints.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Policy } from "../config/policy.ts";
import { countByte } from "../io/count-byte.ts";
import { toBytes } from "../io/text.ts";
import { escapeOf } from "../display/visible.ts";
import { LiteralFinder } from "./literal-finder.ts";
import { BASIC_RULES, STRICT_RULES, type RedactionRule } from "./redaction-rules.ts";
import type { PatternMatch, RedactionPatterns } from "./redaction-patterns.ts";
import { RunReader } from "./redaction-runs.ts";
import type { CapturedOutput, ShellAnswer } from "./shell-service.ts";

export interface Redacted {
  readonly bytes: Buffer;
  /** Number of secrets taken out, by kind. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Variables whose values are secrets: one of these words ends a part of the name. Not AUTHOR, TOKENS, TOKENIZERS. */
const SECRET_NAME =
  /(?:SECRET|PASSWORD|PASSWD|PASSPHRASE|TOKEN|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|AUTH|CREDENTIALS?|DATABASE_URL|CONNECTION_STRING)(?:_|$)/i;
/** Last parts of a name that is about a secret and holds none: its file, its lifetime, its kind. */
const ABOUT_A_SECRET =
  /_(?:FILE|PATH|DIR|URI|ENDPOINT|HOST|PORT|HEADER|NAME|USER|USERNAME|ID|TYPE|KIND|METHOD|MODE|PROVIDER|GRANT|SCOPES?|AUDIENCE|ISSUER|DOMAIN|REALM|REGION|VERSION|ALGORITHM|ALG|HASHER|TTL|EXPIRY|EXPIRES|EXPIRATION|TIMEOUT|LIMIT|LENGTH|SIZE|COUNT|PREFIX|SUFFIX|ENABLED|DISABLED|REQUIRED|SOCK|HELPER|STORE|BACKEND)$/i;
/** Variables whose value is a secret even if it is ordinary words with dashes between. */
const PASSWORD_NAME = /(?:SECRET|PASSWORD|PASSWD|PASSPHRASE)$/i;
/** A shorter value is as likely a word as a secret. */
const LEAST_VALUE_CHARACTERS = 8;
/** Values that are settings and no secrets: a number, a path, an address without a password in it. */
const SETTING = /^(?:[\d.,:_]+|~?\.{0,2}\/[^\s]*|[A-Za-z]:\\[^\s]*|[a-z][a-z0-9+.-]*:\/\/[^@\s]*)$/i;
/** "postgres", "development": taken out wherever code has it, a word is a loss, and as a password it is guessed at once. */
const PLAIN_WORD = /^[a-z]{1,15}$/i;
/** "same-origin", "client_credentials". */
const PLAIN_WORDS = /^[a-z]+(?:[-_.][a-z]+)*$/i;

/** Bytes searched, and secrets put together, before the server's other calls have their turn: some milliseconds of each. */
const SLICE_BYTES = 256 << 10;
const SLICE_SECRETS = 8192;

interface Found {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  /** Index in the list of literals: a secret found by several of them takes the kind of the first. */
  readonly literal: number;
}

/** A text that is searched for: the start of a rule, or a value of the environment. */
interface Literal {
  readonly text: string;
  /** undefined: the literal itself is the secret. */
  readonly rule: RedactionRule | undefined;
}

export class Redactor {
  readonly #literals: readonly Literal[];
  /** Made for the first text: it takes 128 KiB. */
  #finder: LiteralFinder | undefined;
  readonly #configured: Policy["redaction"]["patterns"];
  #patterns: RedactionPatterns | undefined;
  /** Long outputs in which nothing was found: one that is kept is read again after its call. */
  readonly #clean = new WeakSet<Uint8Array>();

  /** `environment` is the server's own. */
  constructor({ level, patterns }: Policy["redaction"], environment: Readonly<Record<string, string | undefined>>) {
    const rules = level === "off" ? [] : level === "basic" ? BASIC_RULES : [...BASIC_RULES, ...STRICT_RULES];
    const values = level === "off" ? [] : secretValues(environment);
    this.#literals = [
      ...rules.flatMap((rule) => rule.starts.map((text) => ({ text, rule }))),
      ...values.map((text) => ({ text, rule: undefined })),
    ];
    this.#configured = patterns;
  }

  /** `bytes` without its secrets. The same bytes where there are none; they must not change. Time: linear in their number. */
  async redact(given: Uint8Array): Promise<Redacted> {
    const bytes = Buffer.isBuffer(given) ? given : Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    if (this.#clean.has(given)) return { bytes, counts: NO_COUNTS };
    const found = [...(await this.#found(bytes))];
    for await (const { start, end, name } of this.#configuredMatches(bytes)) {
      found.push({ start, end, kind: name, literal: this.#literals.length });
    }
    if (found.length > 0) return withMarks(bytes, found);
    if (bytes.length > SLICE_BYTES) this.#clean.add(given);
    return { bytes, counts: NO_COUNTS };
  }

  async #found(bytes: Buffer): Promise<readonly Found[]> {
    const finder = (this.#finder ??= new LiteralFinder(this.#literals.map(({ text }) => text)));
    const found: Found[] = [];
    const readers = new Map<RedactionRule, RunReader>();
    /** For each literal, the end of the last secret found by it: no other begins inside that one. */
    const past = new Int32Array(this.#literals.length);
    /** For regular expressions; most texts need none. */
    let text: string | undefined;
    const judge = (index: number, at: number): void => {
      if (at < (past[index] as number)) return;
      const { text: literal, rule } = this.#literals[index] as Literal;
      let start = at;
      let end = at + literal.length;
      if (rule !== undefined) {
        if (rule.insideWord !== true && continuesWord(bytes, at) && !endsEscape(bytes, at)) return;
        if ("runs" in rule.format) {
          let reader = readers.get(rule);
          if (reader === undefined) readers.set(rule, (reader = new RunReader(rule.format.runs)));
          end = reader.end(bytes, end);
        } else if ("block" in rule.format) {
          text ??= bytes.toString("latin1");
          const block = rule.format.block(text, at);
          start = block?.start ?? at;
          end = block?.end ?? -1;
        } else {
          const { expression } = rule.format;
          text ??= bytes.toString("latin1");
          expression.lastIndex = at;
          const match = expression.exec(text);
          end = match === null ? -1 : at + match[0].length;
          start += match?.groups?.["keep"]?.length ?? 0;
        }
      } else if ((continuesWord(bytes, at) && !endsEscape(bytes, at)) || continuesWord(bytes, end)) return;
      if (end < 0) return;
      past[index] = end;
      found.push({ start, end, kind: rule?.kind ?? "environment", literal: index });
    };
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      if (from > 0) await pause();
      finder.each(bytes, judge, from, from + SLICE_BYTES);
    }
    return found;
  }

  async *#configuredMatches(bytes: Buffer): AsyncGenerator<PatternMatch, void> {
    if (this.#configured.length === 0) return;
    if (this.#patterns === undefined) {
      // Loaded here: most configurations have none.
      const { RedactionPatterns: Patterns } = await import("./redaction-patterns.ts");
      this.#patterns = new Patterns(this.#configured);
    }
    yield* this.#patterns.matches(bytes);
  }
}

/** `bytes` with a mark in the place of each secret of `found`. */
async function withMarks(bytes: Buffer, found: Found[]): Promise<Redacted> {
  await pause();
  found.sort((a, b) => a.start - b.start || b.end - a.end || a.literal - b.literal);
  await pause();
  const parts: Buffer[] = [];
  const counts = new Map<string, number>();
  const marks = new Map<string, Buffer>();
  let at = 0;
  for (let from = 0; from < found.length; from += SLICE_SECRETS) {
    const pieces: Buffer[] = [];
    for (const { start, end, kind } of found.slice(from, from + SLICE_SECRETS)) {
      if (end <= at) continue;
      // A secret that overlaps the one before it is covered by the same mark.
      if (start >= at) {
        const mark = marks.get(kind) ?? Buffer.from(`[REDACTED:${kind}]`);
        marks.set(kind, mark);
        pieces.push(bytes.subarray(at, start), mark);
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      at = end;
    }
    parts.push(Buffer.concat(pieces));
    await pause();
  }
  parts.push(bytes.subarray(at));
  return { bytes: Buffer.concat(parts), counts };
}

const pause = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** Values of secret variables, as latin1 text of their bytes, longest first. */
function secretValues(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const values = new Set<string>();
  for (const [name, value = ""] of Object.entries(environment)) {
    if (!SECRET_NAME.test(name) || ABOUT_A_SECRET.test(name) || value.trim().length < LEAST_VALUE_CHARACTERS) continue;
    if (SETTING.test(value) || PLAIN_WORD.test(value) || (PLAIN_WORDS.test(value) && !PASSWORD_NAME.test(name))) continue;
    values.add(toBytes(value).toString("latin1"));
  }
  return [...values].sort((a, b) => b.length - a.length);
}

/** Tells whether the bytes on both sides of `at` belong to one word. */
const continuesWord = (bytes: Buffer, at: number): boolean =>
  at > 0 && at < bytes.length && isWord(bytes[at - 1] as number) && isWord(bytes[at] as number);

/** A spelled-out character, or a colour as a terminal or a program gets it, whose last letter is of no word. */
const ESCAPE =
  /(?:\\(?:[abefnrtv0]|u[0-9a-f]{4}|x[0-9a-f]{2}|0[0-7]{2})|%[0-9a-f]{2}|(?:\u001b|\\u\{1b\}|\\u001b|\\x1b|\\033|\\e)\[[0-9;]{0,16}[@-~])$/i;
const MOST_ESCAPE_BYTES = 24;

const endsEscape = (bytes: Buffer, at: number): boolean => ESCAPE.test(bytes.toString("latin1", Math.max(0, at - MOST_ESCAPE_BYTES), at));

const isWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;

/**
 * A call's output without secrets, with a note that counts them. Runs before the output is cut, because a part of a secret
 * has no format by which to find it.
 */
export async function redactedAnswer(answer: ShellAnswer, redactor: Redactor): Promise<ShellAnswer> {
  const stdout = await redactor.redact(answer.stdout.bytes);
  const stderr = await redactor.redact(answer.stderr.bytes);
  const end = await redactor.redact(answer.stdout.end ?? NOTHING);
  const errorsEnd = await redactor.redact(answer.stderr.end ?? NOTHING);
  const counts = sumOf([stdout.counts, stderr.counts, end.counts, errorsEnd.counts]);
  if (counts.size === 0) return answer;
  return {
    ...answer,
    stdout: { ...shown(answer.stdout, stdout.bytes), end: answer.stdout.end && end.bytes },
    stderr: { ...shown(answer.stderr, stderr.bytes), end: answer.stderr.end && errorsEnd.bytes },
    notes: [...answer.notes, noteOf(counts)],
  };
}

/**
 * The finished answer without secrets, wherever in it they stand: names of files, directories, lines, notes. And without
 * half characters, which no message can carry. A line that was to be run as it is, and holds a secret, is left out.
 */
export async function redactedResult(result: CallToolResult, redactor: Redactor | undefined): Promise<CallToolResult> {
  const found: ReadonlyMap<string, number>[] = [];
  const safe = await eachText(result.content, async (text) => {
    const { text: shownText, counts } = await redactedText(text, redactor);
    found.push(counts);
    return result.isError === true ? withoutChangedTries(text, shownText) : shownText;
  });
  const ofData = async (text: string, key: string | undefined): Promise<string | null> => {
    const { text: shownText } = await redactedText(text, redactor);
    return LINES_TO_RUN.has(key ?? "") && shownText !== text ? null : shownText;
  };
  const structuredContent = await eachText(result.structuredContent, ofData);
  const _meta = await eachText(result._meta, ofData);
  const counts = sumOf(found);
  const note = counts.size === 0 ? [] : [{ type: "text" as const, text: `[shelpa] ${noteOf(counts)}` }];
  return {
    ...result,
    content: [...safe, ...note],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

/** `text` without its secrets and without half characters, and how many of each kind were taken out. */
export async function redactedText(
  text: string,
  redactor: Redactor | undefined,
): Promise<{ text: string; counts: ReadonlyMap<string, number> }> {
  const whole = text.isWellFormed() ? text : text.replace(/\p{Surrogate}/gu, escapeOf);
  if (redactor === undefined) return { text: whole, counts: NO_COUNTS };
  // Marks of an earlier redaction stay: no secret, nor a part of one, can stand in them.
  const pieces = whole.split(MARK);
  const counts: ReadonlyMap<string, number>[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (at % 2 === 1) continue;
    const bytes = Buffer.from(piece);
    const redacted = await redactor.redact(bytes);
    if (redacted.bytes !== bytes) pieces[at] = redacted.bytes.toString("utf8");
    counts.push(redacted.counts);
  }
  return { text: pieces.join(""), counts: sumOf(counts) };
}

const MARK = /(\[REDACTED:[a-z0-9-]+\])/;

/** A refusal's lines with `try:` that redaction has changed would do something else. */
function withoutChangedTries(before: string, after: string): string {
  const isToRun = (line: string): boolean => /^(?:try|instead): /.test(line);
  const tries = new Set(before.split("\n").filter(isToRun));
  return after
    .split("\n")
    .filter((line) => !isToRun(line) || tries.has(line))
    .join("\n");
}

/** Members that hold a line to run as it is. */
const LINES_TO_RUN: ReadonlySet<string> = new Set(["suggestion", "line"]);

type TextChange = (text: string, key: string) => Promise<string | null>;

/** `value` (JSON) with each of its texts changed; `key` is the member that it is of. */
async function eachText<T>(value: T, change: TextChange, key?: string): Promise<T>;
async function eachText(value: unknown, change: TextChange, key = ""): Promise<unknown> {
  if (typeof value === "string") return change(value, key);
  if (Array.isArray(value)) {
    const changed: unknown[] = [];
    for (const element of value) changed.push(await eachText(element as unknown, change, key));
    return changed;
  }
  if (typeof value !== "object" || value === null) return value;
  const changed: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) changed.push([name, await eachText(inner as unknown, change, name)]);
  return Object.fromEntries(changed);
}

const NO_COUNTS: ReadonlyMap<string, number> = new Map();

function sumOf(all: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sum = new Map<string, number>();
  for (const counts of all) for (const [kind, count] of counts) sum.set(kind, (sum.get(kind) ?? 0) + count);
  return sum;
}

const noteOf = (counts: ReadonlyMap<string, number>): string =>
  `secrets are shown as [REDACTED:kind]: ${Array.from(counts, ([kind, count]) => `${count} ${kind}`).join(", ")}`;

const NOTHING = new Uint8Array(0);

function shown(output: CapturedOutput, bytes: Buffer): CapturedOutput {
  if (bytes.equals(output.bytes)) return output;
  const goneLines = countByte(output.bytes, NEWLINE) - countByte(bytes, NEWLINE);
  return {
    ...output,
    bytes,
    totalBytes: output.totalBytes - output.bytes.length + bytes.length,
    totalLines: output.totalLines - goneLines,
    changed: goneLines === 0 ? "bytes" : "lines",
  };
}

const NEWLINE = 10;
