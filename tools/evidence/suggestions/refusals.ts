/** Refusals as an agent gets them: the text of the answer, and the one line that it suggests. */
import { DEFAULT_POLICY, type RedirectPolicy } from "../../../src/config/policy.ts";
import { renderRefusal } from "../../../src/guard/render.ts";
import { Shell } from "../../../src/session/shell.ts";

export interface Refusal {
  /** What the agent reads of it. */
  readonly text: string;
  /** The first reason. */
  readonly detail: string;
  readonly suggested: { readonly line: string; readonly lost: string | undefined } | undefined;
  /** False if the suggested line is refused. */
  readonly runs: boolean;
}

export class Refusals {
  readonly #shell: Shell;

  private constructor(shell: Shell) {
    this.#shell = shell;
  }

  static async open(root: string, redirects: RedirectPolicy): Promise<Refusals> {
    return new Refusals(
      await Shell.open({ root, isolation: "none", policy: { ...DEFAULT_POLICY, redirects }, timeZone: "UTC", limits: { timeMs: 5000 } }),
    );
  }

  /** The refusal of `line`, or of parts of it that would fail at their turn; undefined where all of it runs. */
  async of(line: string, cwd: string): Promise<Refusal | undefined> {
    const session = this.#shell.newSession();
    const assessment = await session.assess(line, { cwd }).catch(() => undefined);
    if (assessment === undefined || (assessment.allowed && assessment.matched_rules.length === 0)) return undefined;
    // What runs although a part of it fails changes nothing.
    if (assessment.allowed && assessment.stages.some(({ writes, writes_unknown: unknown }) => writes.length > 0 || unknown))
      return undefined;
    const { result } = await session.run(line, { cwd, keepBytes: 1 << 16 });
    if (result.kind === "refused") {
      const { violations } = result;
      const text = renderRefusal(line, violations);
      return this.#with(text, violations[0].detail, suggestionIn(text), cwd);
    }
    if (result.kind !== "completed") return undefined;
    const notes = (result.notes ?? []).filter((note) => /^(?:not run|try|instead): /.test(note));
    if (notes.length === 0) return undefined;
    const text = notes.map((note) => `[shelpa] ${note}\n`).join("");
    return this.#with(text, notes[0] as string, suggestionIn(text), cwd);
  }

  close(): Promise<void> {
    return this.#shell.close();
  }

  async #with(text: string, detail: string, suggested: Refusal["suggested"], cwd: string): Promise<Refusal> {
    if (suggested === undefined) return { text, detail, suggested, runs: true };
    const { allowed, denial_reason: reason } = await this.#shell.newSession().assess(suggested.line, { cwd });
    return { text, detail, suggested, runs: allowed || (reason ?? "").startsWith("NEEDS_APPROVAL") };
  }
}

/** The line behind the first `try: ` or `instead: `, which goes up to the end of the answer: it may be of several lines. */
export function suggestionIn(text: string): Refusal["suggested"] {
  const found = /(?:^|\n)(?:\[shelpa\] )?(try|instead): ([\s\S]*?)\n?$/.exec(text);
  if (found === null) return undefined;
  const [, word, rest = ""] = found;
  const lost = /[ \n]{1,2}# ([^\n]*)$/.exec(rest);
  return word === "try" || lost === null ? { line: rest, lost: undefined } : { line: rest.slice(0, lost.index), lost: lost[1] };
}
