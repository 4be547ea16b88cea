/** One run of `symbols`: files, definitions or references, lines. */
import type { ExitStatus, Invocation } from "../../src/builtin/definition.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { codeParser } from "../../src/wasm/grammars.ts";
import { codeFiles, type CodeStep } from "./code-files.ts";
import { definitionsIn, type Definition } from "./definitions.ts";
import type { symbolFlags } from "./flags.ts";
import { jsonLine } from "./json-line.ts";
import { namePattern, type NamePattern } from "./name-pattern.ts";
import { referencesIn } from "./references.ts";

type Flags = typeof symbolFlags;

export async function* runSymbols(invocation: Invocation<Flags>): AsyncGenerator<Uint8Array, ExitStatus> {
  const { operands, flags, files, warn, wait } = invocation;
  const [typed = "", ...paths] = operands;
  const pattern = namePattern(typed, { foldCase: flags.ignoreCase, substring: flags.substring });
  const output = new BlockBuilder();
  let found = false;
  let failed = false;
  for (const step of codeFiles(files, paths.length === 0 ? ["."] : paths)) {
    const complaint = await printFile(step, pattern, flags, output, () => (found = true));
    if (complaint !== undefined) {
      if (!output.empty) yield output.take();
      warn(complaint.message);
      failed ||= complaint.isError;
    }
    if (output.full) yield output.take();
    if (step.what !== "directory") await wait(0);
  }
  if (!output.empty) yield output.take();
  return failed ? 2 : found ? 0 : 1;
}

interface Complaint {
  readonly message: string;
  readonly isError: boolean;
}

async function printFile(
  step: CodeStep,
  pattern: NamePattern,
  flags: Invocation<Flags>["flags"],
  output: BlockBuilder,
  found: () => void,
): Promise<Complaint | undefined> {
  if (step.what === "passed") return step;
  if (step.what !== "file") return undefined;
  const bytes = step.read();
  if (!(bytes instanceof Uint8Array)) return bytes;
  if (!pattern.mayBeIn(bytes)) return undefined;
  const { path, language } = step;
  const text = toText(bytes);
  const parser = await codeParser(language.grammar);
  const tree = parser.parse(text);
  if (tree === undefined) return { message: `${path}: too entangled to parse, passed over`, isError: false };
  try {
    const definitions = definitionsIn(tree, text, parser.query(language.definitions));
    const printer = new Printer(path, text, flags, output);
    if (flags.refs) {
      for (const reference of referencesIn(tree, text, language, definitions, pattern.matchesName)) {
        printer.reference(reference);
        found();
      }
    } else {
      for (const definition of definitions) {
        if (flags.kind !== undefined && !flags.kind.has(definition.kind)) continue;
        if (!pattern.matches(definition)) continue;
        printer.definition(definition);
        found();
      }
    }
  } finally {
    tree.delete();
  }
  return undefined;
}

class Printer {
  readonly #path: string;
  readonly #text: string;
  readonly #flags: Invocation<Flags>["flags"];
  readonly #output: BlockBuilder;
  #lines: readonly string[] | undefined;

  constructor(path: string, text: string, flags: Invocation<Flags>["flags"], output: BlockBuilder) {
    this.#path = path;
    this.#text = text;
    this.#flags = flags;
    this.#output = output;
  }

  definition(definition: Definition): void {
    const { kind, name, qualifiedName, nameLine, nameAt, firstLine, lastLine, signature } = definition;
    const column = this.#column(nameAt);
    if (this.#flags.json) {
      const range = { line: nameLine, column, firstLine, lastLine };
      const body = this.#flags.body ? { body: this.#sourceLines(firstLine, lastLine).join("\n") } : {};
      this.#json({ path: this.#path, ...range, kind, name, qualifiedName, signature, ...body });
      return;
    }
    this.#add(`${this.#path}:${nameLine}:${column}: ${kind} ${qualifiedName} — ${signature}\n`);
    if (!this.#flags.body) return;
    this.#sourceLines(firstLine, lastLine).forEach((line, index) => {
      this.#add(`${String(firstLine + index).padStart(6)}\t${line}\n`);
    });
  }

  reference({ name, nameLine, nameAt }: { readonly name: string; readonly nameLine: number; readonly nameAt: number }): void {
    const column = this.#column(nameAt);
    const source = this.#excerpt(nameLine, nameAt);
    if (this.#flags.json) this.#json({ path: this.#path, line: nameLine, column, kind: "reference", name, source });
    else this.#add(`${this.#path}:${nameLine}:${column}: reference ${name} — ${source}\n`);
  }

  /** Bytes before it on its line, plus one, as rg counts. */
  #column(at: number): number {
    return toBytes(this.#text.slice(this.#text.lastIndexOf("\n", at - 1) + 1, at)).length + 1;
  }

  #sourceLines(first: number, last: number): readonly string[] {
    this.#lines ??= this.#text.split("\n");
    return this.#lines.slice(first - 1, last).map((line) => line.replace(/\r$/, ""));
  }

  /** The line around a reference without its indentation, or of a very long one what stands near. */
  #excerpt(line: number, at: number): string {
    const whole = this.#sourceLines(line, line)[0] ?? "";
    if (whole.length <= EXCERPT_UNITS) return whole.trim();
    const unit = at - this.#text.lastIndexOf("\n", at - 1) - 1;
    const from = Math.max(0, unit - EXCERPT_UNITS / 2);
    return `${from > 0 ? "…" : ""}${whole.slice(from, from + EXCERPT_UNITS).trim()}…`;
  }

  #json(value: object): void {
    this.#output.addText(jsonLine(value));
  }

  #add(text: string): void {
    this.#output.add(toBytes(text));
  }
}

/** The longest source line shown whole beside a reference, in UTF-16 units. */
const EXCERPT_UNITS = 200;
