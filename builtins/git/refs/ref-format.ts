/** Formats of git-for-each-ref(1): text with `%(atoms)`, `%(if)…%(then)…%(else)…%(end)` and `%(align:…)…%(end)`. */
import { GitError } from "../git-error.ts";
import { aligned, readAtom, type Atom, type RefSubject, type RefValues } from "./ref-values.ts";

type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly atom: Atom }
  | { readonly kind: "align"; readonly width: number; readonly position: "left" | "right" | "middle"; readonly inner: readonly Part[] }
  | {
      readonly kind: "if";
      readonly test: { readonly compares: "equals" | "notequals"; readonly with: string } | undefined;
      readonly condition: readonly Part[];
      readonly then: readonly Part[];
      readonly otherwise: readonly Part[];
    };

export class RefFormat {
  readonly #parts: readonly Part[];
  readonly #quote: (text: string) => string;

  /** `quote`: what is done to each value at the top (--shell). Throws GitError. */
  constructor(format: string, quote: (text: string) => string = (text) => text) {
    const reader = new FormatReader(format);
    this.#parts = reader.read([]);
    this.#quote = quote;
  }

  text(ref: RefSubject, values: RefValues): string {
    return this.#expand(this.#parts, ref, values, 0);
  }

  #expand(parts: readonly Part[], ref: RefSubject, values: RefValues, depth: number): string {
    const quote = depth === 0 ? this.#quote : (text: string): string => text;
    return parts
      .map((part) => {
        switch (part.kind) {
          case "text":
            return part.text;
          case "value":
            return quote(values.textOf(ref, part.atom));
          case "align":
            return quote(aligned(this.#expand(part.inner, ref, values, depth + 1), part.width, part.position));
          case "if": {
            const found = this.#expand(part.condition, ref, values, depth + 1);
            const holds = part.test === undefined ? /\S/.test(found) : (found === part.test.with) === (part.test.compares === "equals");
            return this.#expand(holds ? part.then : part.otherwise, ref, values, depth + (depth === 0 ? 0 : 1));
          }
        }
      })
      .join("");
  }
}

class FormatReader {
  readonly #format: string;
  #at = 0;
  #stopped = "";

  constructor(format: string) {
    this.#format = format;
  }

  /** Reads to one of the atoms `ends`, which is then `#stopped`, or to the end of the format. */
  read(ends: readonly string[], depth = 0): Part[] {
    if (depth > 100) throw new GitError("format is nested too deep");
    const parts: Part[] = [];
    let literal = "";
    const flush = (): void => {
      if (literal !== "") parts.push({ kind: "text", text: literal });
      literal = "";
    };
    while (this.#at < this.#format.length) {
      const unit = this.#format[this.#at] as string;
      if (unit !== "%") {
        literal += unit;
        this.#at++;
        continue;
      }
      const rest = this.#format.slice(this.#at + 1);
      const [hex] = /^[0-9a-fA-F]{2}/.exec(rest) ?? [];
      if (rest.startsWith("%")) {
        literal += "%";
        this.#at += 2;
        continue;
      }
      if (hex !== undefined) {
        literal += String.fromCharCode(Number.parseInt(hex, 16));
        this.#at += 3;
        continue;
      }
      if (!rest.startsWith("(")) {
        literal += "%";
        this.#at++;
        continue;
      }
      const end = rest.indexOf(")");
      if (end < 0) throw new GitError(`malformed format string ${this.#format.slice(this.#at)}`);
      const atom = readAtom(rest.slice(1, end));
      this.#at += end + 2;
      flush();
      if (ends.includes(atom.name)) {
        this.#stopped = atom.name;
        return parts;
      }
      parts.push(this.#part(atom, depth));
    }
    if (ends.length > 0) throw new GitError("format: %(end) atom missing");
    flush();
    return parts;
  }

  #part(atom: Atom, depth: number): Part {
    switch (atom.name) {
      case "align": {
        const { width, position } = alignment(atom.modifier);
        return { kind: "align", width, position, inner: this.read(["end"], depth + 1) };
      }
      case "if": {
        const [, compares, text = ""] = /^(equals|notequals)=([^]*)$/.exec(atom.modifier ?? "") ?? [];
        if (atom.modifier !== undefined && compares === undefined) throw new GitError(`unrecognized %(if) argument: ${atom.modifier}`);
        const condition = this.read(["then"], depth + 1);
        const then = this.read(["else", "end"], depth + 1);
        const otherwise = this.#stopped === "else" ? this.read(["end"], depth + 1) : [];
        const test =
          compares === undefined
            ? undefined
            : { compares: compares === "equals" ? ("equals" as const) : ("notequals" as const), with: text };
        return { kind: "if", test, condition, then, otherwise };
      }
      case "end":
        throw new GitError("format: %(end) atom used without corresponding atom");
      case "then":
      case "else":
        throw new GitError(`format: %(${atom.name}) atom used without ${atom.name === "then" ? "an %(if)" : "a %(then)"} atom`);
    }
    return { kind: "value", atom };
  }
}

function alignment(modifier: string | undefined): { readonly width: number; readonly position: "left" | "right" | "middle" } {
  let width = -1;
  let position: "left" | "right" | "middle" = "left";
  if (modifier === undefined) throw new GitError("expected format: %(align:<width>,<position>)");
  for (const word of modifier.split(",")) {
    const [, key, value = word] = /^(width|position)=(.*)$/.exec(word) ?? [];
    if (value === "left" || value === "right" || value === "middle") position = value;
    else if (/^[0-9]+$/.test(value)) width = Number(value);
    else if (key === "width") throw new GitError(`unrecognized width:${value}`);
    else throw new GitError(`unrecognized %(align) argument: ${word}`);
  }
  if (width < 0) throw new GitError("positive width expected with the %(align) atom");
  return { width, position };
}
