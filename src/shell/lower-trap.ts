/** `trap TEXT SIGNAL…`: its text is read with the line, where it stands, as a list of the line's own (bash manual §4.1). */
import { parse } from "unbash";
import type { LoweredScript } from "./lower.ts";
import { type Lowering, nothing } from "./lowering.ts";
import { staticText, type Command, type List, type Redirect, type Span, type TrapCommand, type Word } from "./tree.ts";

/** Signals that never come here, by their names without SIG. */
const SIGNALS: ReadonlySet<string> = new Set(
  "HUP INT QUIT ILL TRAP ABRT BUS FPE USR1 SEGV USR2 PIPE ALRM TERM CHLD CONT TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS".split(
    " ",
  ),
);

export class TrapLowerer {
  readonly #lowering: Lowering;
  readonly #lower: (line: string, script: ReturnType<typeof parse>) => LoweredScript;

  constructor(lowering: Lowering, lower: (line: string, script: ReturnType<typeof parse>) => LoweredScript) {
    this.#lowering = lowering;
    this.#lower = lower;
  }

  /** `words` are those behind the name. */
  command(words: readonly Word[], redirects: readonly Redirect[], span: Span): Command {
    const [action, ...signals] = words[0] && staticText(words[0]) === "--" ? words.slice(1) : words;
    const names = signals.map((word) => conditionOf(staticText(word)));
    const text = action && staticText(action);
    if (action === undefined || text === undefined || names.length === 0 || names.includes(undefined) || /^-./.test(text))
      return this.#refuse(span);
    const list = text === "-" ? "reset" : text === "" ? "ignore" : this.#listOf(action, text);
    if (list === undefined) return this.#refuse(span);
    return { kind: "trap", action: list, conditions: names as TrapCommand["conditions"], redirects, span };
  }

  /** The commands of the text; undefined where it is not literally in the line. */
  #listOf({ span }: Word, text: string): List | undefined {
    const { line, problems } = this.#lowering;
    const source = line.slice(span.start, span.end);
    const start = source === text ? span.start : source === `'${text}'` || source === `"${text}"` ? span.start + 1 : undefined;
    if (start === undefined) return undefined;
    // As long as the line up to there, so that every place in it is the place in the line.
    const padded = line.slice(0, start).replace(/[^\n]/g, " ") + text;
    const script = parse(padded);
    const error = script.errors?.[0];
    if (error !== undefined) {
      this.#lowering.disagree(span, error.message);
      return { items: [], span };
    }
    const { list, problems: found } = this.#lower(padded, script);
    for (const problem of found) this.#lowering.problem(problem);
    return problems.length > 0 || list === undefined ? { items: [], span } : { items: list.items, span };
  }

  #refuse(span: Span): Command {
    this.#lowering.refuse("trap", span);
    return nothing(span);
  }
}

function conditionOf(text: string | undefined): TrapCommand["conditions"][number] | undefined {
  const name = text?.toUpperCase() ?? "";
  if (name === "0" || name === "EXIT") return "EXIT";
  if (name === "ERR") return "ERR";
  return SIGNALS.has(name.replace(/^SIG/, "")) || /^([1-9]|[12]\d|3[01])$/.test(name) ? "never" : undefined;
}
