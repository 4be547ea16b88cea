/**
 * Takes secrets out of what an agent is shown: values of the server's own environment, and credentials whose format
 * says what they are. A help against carelessness, not a boundary: a pipeline can encode what it prints.
 */
import type { Policy } from "../config/policy.ts";
import { toBytes, toText } from "../io/text.ts";
import type { CapturedOutput, ShellAnswer } from "./shell-service.ts";
import { BASIC_RULES, STRICT_RULES, type RedactionRule } from "./redaction-rules.ts";

export interface Redacted {
  readonly bytes: Buffer;
  /** How many of each kind were taken out. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Variables whose values are secrets, by a part of their name. */
const SECRET_NAME = /SECRET|PASSWORD|PASSWD|TOKEN|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|AUTH|CREDENTIAL|DATABASE_URL|CONNECTION_STRING|SMTP/i;
/** A shorter value is as likely a word as a secret. */
const LEAST_VALUE_CHARACTERS = 4;

interface Found {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

export class Redactor {
  readonly #rules: readonly RedactionRule[];
  readonly #values: readonly string[];
  readonly #patterns: readonly { readonly name: string; readonly expression: RegExp }[];

  /** `environment` is the server's own. */
  constructor({ level, patterns }: Policy["redaction"], environment: Readonly<Record<string, string | undefined>>) {
    this.#rules = level === "off" ? [] : level === "basic" ? BASIC_RULES : [...BASIC_RULES, ...STRICT_RULES];
    this.#values = level === "off" ? [] : secretValues(environment);
    this.#patterns = patterns.map(({ name, regex }) => ({ name, expression: new RegExp(regex, "gu") }));
  }

  /** `bytes` without its secrets. The same bytes where there are none. Time: linear in their number. */
  redact(bytes: Buffer): Redacted {
    const text = bytes.toString("latin1");
    const found = [...this.#formats(text), ...this.#environment(text), ...this.#configured(bytes)];
    if (found.length === 0) return { bytes, counts: new Map() };
    found.sort((a, b) => a.start - b.start || b.end - a.end);
    const pieces: Buffer[] = [];
    const counts = new Map<string, number>();
    let at = 0;
    for (const { start, end, kind } of found) {
      if (end <= at) continue;
      // What overlaps the one before goes with it.
      if (start >= at) {
        pieces.push(bytes.subarray(at, start), Buffer.from(`[REDACTED:${kind}]`));
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      at = end;
    }
    pieces.push(bytes.subarray(at));
    return { bytes: Buffer.concat(pieces), counts };
  }

  *#formats(text: string): Generator<Found, void> {
    for (const { kind, starts, format, insideWord = false } of this.#rules) {
      for (const start of starts) {
        for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
          if (!insideWord && at > 0 && isWord(text.charCodeAt(at - 1)) && isWord(text.charCodeAt(at))) continue;
          format.lastIndex = at;
          const match = format.exec(text);
          if (match === null) continue;
          const kept = match.groups?.["keep"]?.length ?? 0;
          yield { start: at + kept, end: at + match[0].length, kind };
          at += match[0].length - 1;
        }
      }
    }
  }

  *#environment(text: string): Generator<Found, void> {
    for (const value of this.#values) {
      for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
        yield { start: at, end: at + value.length, kind: "environment" };
      }
    }
  }

  /** The configuration's own expressions see text, line by line, so that none can run over the whole. */
  *#configured(bytes: Buffer): Generator<Found, void> {
    if (this.#patterns.length === 0) return;
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(10, start);
      const end = newline < 0 ? bytes.length : newline;
      const line = toText(bytes.subarray(start, end));
      for (const { name, expression } of this.#patterns) {
        for (const match of line.matchAll(expression)) {
          if (match[0] === "") continue;
          const from = start + toBytes(line.slice(0, match.index)).length;
          yield { start: from, end: from + toBytes(match[0]).length, kind: name };
        }
      }
      start = end + 1;
    }
  }
}

/** As latin1 text of their bytes, longest first. */
function secretValues(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value.trim().length < LEAST_VALUE_CHARACTERS || !SECRET_NAME.test(name)) continue;
    values.add(toBytes(value).toString("latin1"));
  }
  return [...values].sort((a, b) => b.length - a.length);
}

const isWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;

/** The answer without secrets in what it shows, and with a note that says so. */
export function redactedAnswer(answer: ShellAnswer, redactor: Redactor): ShellAnswer {
  const stdout = redactor.redact(bufferOf(answer.stdout));
  const stderr = redactor.redact(bufferOf(answer.stderr));
  const counts = new Map(stdout.counts);
  for (const [kind, count] of stderr.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
  if (counts.size === 0) return answer;
  const what = Array.from(counts, ([kind, count]) => `${count} ${kind}`).join(", ");
  return {
    ...answer,
    stdout: shown(answer.stdout, stdout.bytes),
    stderr: shown(answer.stderr, stderr.bytes),
    notes: [...answer.notes, `secrets are shown as [REDACTED:kind]: ${what}`],
  };
}

const bufferOf = ({ bytes }: CapturedOutput): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const shown = (output: CapturedOutput, bytes: Buffer): CapturedOutput => ({
  ...output,
  bytes,
  totalBytes: output.totalBytes - output.bytes.length + bytes.length,
});
