/** `trap TEXT SIGNAL…`: its text is read with the line, where it stands, as a list of the line's own (bash manual §4.1). */
import { type Lowering, nothing } from "./lowering.ts";
import type { TextLowerer } from "./lower-text.ts";
import { staticText, type Command, type Redirect, type Span, type TrapCommand, type Word } from "./tree.ts";

/** Signals that never come here, by their names without SIG. */
const SIGNALS: ReadonlySet<string> = new Set(
  "HUP INT QUIT ILL TRAP ABRT BUS FPE USR1 SEGV USR2 PIPE ALRM TERM CHLD CONT TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS".split(
    " ",
  ),
);

export class TrapLowerer {
  readonly #lowering: Lowering;
  readonly #texts: TextLowerer;

  constructor(lowering: Lowering, texts: TextLowerer) {
    this.#lowering = lowering;
    this.#texts = texts;
  }

  command(all: readonly Word[], redirects: readonly Redirect[], span: Span): Command {
    const words = all.slice(1);
    const [action, ...signals] = words[0] && staticText(words[0]) === "--" ? words.slice(1) : words;
    const names = signals.map((word) => conditionOf(staticText(word)));
    const text = action && this.#texts.textOf(action);
    if (action === undefined || text === undefined || names.length === 0 || names.includes(undefined) || /^-./.test(text))
      return this.#refuse(span);
    const list = text === "-" ? "reset" : text === "" ? "ignore" : this.#texts.listOf([action]);
    if (list === undefined) return this.#refuse(span);
    return { kind: "trap", words: all, action: list, conditions: names as TrapCommand["conditions"], redirects, span };
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
