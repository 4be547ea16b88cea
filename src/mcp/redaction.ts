/**
 * Takes secrets out of what an agent is shown: values of the server's own environment, and credentials whose format
 * says what they are. A help against carelessness, not a boundary: a pipeline can encode what it prints.
 */
import type { Policy } from "../config/policy.ts";
import { toBytes, toText } from "../io/text.ts";
import { LiteralFinder } from "./literal-finder.ts";
import { BASIC_RULES, STRICT_RULES, type RedactionRule } from "./redaction-rules.ts";
import { RunReader } from "./redaction-runs.ts";
import type { CapturedOutput, ShellAnswer } from "./shell-service.ts";

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
  /** Where it is in the list of literals: the first names what several found. */
  readonly literal: number;
}

/** One text that is looked for: what a rule starts with, or a value of the environment. */
interface Literal {
  readonly text: string;
  /** undefined: the literal itself is the secret. */
  readonly rule: RedactionRule | undefined;
}

export class Redactor {
  readonly #literals: readonly Literal[];
  readonly #finder: LiteralFinder;
  readonly #patterns: readonly { readonly name: string; readonly expression: RegExp }[];

  /** `environment` is the server's own. */
  constructor({ level, patterns }: Policy["redaction"], environment: Readonly<Record<string, string | undefined>>) {
    const rules = level === "off" ? [] : level === "basic" ? BASIC_RULES : [...BASIC_RULES, ...STRICT_RULES];
    const values = level === "off" ? [] : secretValues(environment);
    this.#literals = [
      ...rules.flatMap((rule) => rule.starts.map((text) => ({ text, rule }))),
      ...values.map((text) => ({ text, rule: undefined })),
    ];
    this.#finder = new LiteralFinder(this.#literals.map(({ text }) => text));
    this.#patterns = patterns.map(({ name, regex }) => ({ name, expression: new RegExp(regex, "gu") }));
  }

  /** `bytes` without its secrets. The same bytes where there are none. Time: linear in their number. */
  redact(bytes: Buffer): Redacted {
    const found = [...this.#found(bytes), ...this.#configured(bytes)];
    if (found.length === 0) return { bytes, counts: new Map() };
    found.sort((a, b) => a.start - b.start || b.end - a.end || a.literal - b.literal);
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

  #found(bytes: Buffer): readonly Found[] {
    const found: Found[] = [];
    const readers = new Map<RedactionRule, RunReader>();
    /** Of each literal the place up to which its last secret went: none begins inside it. */
    const past = new Int32Array(this.#literals.length);
    /** For regular expressions; most texts need none. */
    let text: string | undefined;
    this.#finder.each(bytes, (index, at) => {
      if (at < (past[index] as number)) return;
      const { text: literal, rule } = this.#literals[index] as Literal;
      let start = at;
      let end = at + literal.length;
      if (rule !== undefined) {
        if (rule.insideWord !== true && at > 0 && isWord(bytes[at - 1] as number) && isWord(bytes[at] as number)) return;
        if ("runs" in rule.format) {
          let reader = readers.get(rule);
          if (reader === undefined) readers.set(rule, (reader = new RunReader(rule.format.runs)));
          end = reader.end(bytes, end);
        } else {
          const { expression } = rule.format;
          text ??= bytes.toString("latin1");
          expression.lastIndex = at;
          const match = expression.exec(text);
          end = match === null ? -1 : at + match[0].length;
          start += match?.groups?.["keep"]?.length ?? 0;
        }
      }
      if (end < 0) return;
      past[index] = end;
      found.push({ start, end, kind: rule?.kind ?? "environment", literal: index });
    });
    return found;
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
          yield { start: from, end: from + toBytes(match[0]).length, kind: name, literal: this.#literals.length };
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
  const end = redactor.redact(bufferOf({ ...answer.stdout, bytes: answer.stdout.end ?? NOTHING }));
  const counts = new Map(stdout.counts);
  for (const each of [stderr, end]) for (const [kind, count] of each.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
  if (counts.size === 0) return answer;
  const what = Array.from(counts, ([kind, count]) => `${count} ${kind}`).join(", ");
  return {
    ...answer,
    stdout: { ...shown(answer.stdout, stdout.bytes), end: answer.stdout.end && end.bytes },
    stderr: shown(answer.stderr, stderr.bytes),
    notes: [...answer.notes, `secrets are shown as [REDACTED:kind]: ${what}`],
  };
}

const NOTHING = new Uint8Array(0);
const bufferOf = ({ bytes }: CapturedOutput): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const shown = (output: CapturedOutput, bytes: Buffer): CapturedOutput => ({
  ...output,
  bytes,
  totalBytes: output.totalBytes - output.bytes.length + bytes.length,
});
