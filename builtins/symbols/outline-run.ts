/** One run of `outline`: folders, files of code and their definitions as an indented list, or its difference from a stored one. */
import type { ExitStatus, Invocation } from "../../src/builtin/definition.ts";
import { unifiedDiff } from "../../src/compare/unified-diff.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteName } from "../../src/io/quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { codeParser } from "../../src/wasm/grammars.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { codeFiles, type CodeStep } from "./code-files.ts";
import { definitionsIn, type Definition } from "./definitions.ts";
import type { outlineFlags } from "./flags.ts";
import { jsonLine } from "./json-line.ts";

type Flags = typeof outlineFlags;

/** The longest outline, in entries: some ten times what anybody reads at once. The rest is said to be missing. */
const MOST_ENTRIES = 20_000;

export async function* runOutline(invocation: Invocation<Flags>): AsyncGenerator<Uint8Array, ExitStatus> {
  const { stored, starts } = outlineOperands(invocation);
  const outline = new Outline(invocation, starts);
  if (stored !== undefined) return yield* compare(invocation, stored, outline);
  const output = new BlockBuilder();
  for await (const entry of outline.entries()) {
    if (entry.what === "complaint") {
      if (!output.empty) yield output.take();
      invocation.warn(entry.message);
    } else output.add(toBytes(invocation.flags.json ? jsonEntry(entry) : textLine(entry)));
    if (output.full) yield output.take();
  }
  if (!output.empty) yield output.take();
  return outline.failed ? 2 : outline.count === 0 ? 1 : 0;
}

/** The file to compare with, which under the name ctree_check is the first operand, and where the outline begins. */
export function outlineOperands({ name, flags, operands }: Pick<Invocation<Flags>, "name" | "flags" | "operands">): {
  readonly stored: string | undefined;
  readonly starts: readonly string[];
} {
  const isCheck = name === "ctree_check" && flags.check === undefined;
  const paths = isCheck ? operands.slice(1) : operands;
  return { stored: isCheck ? operands[0] : flags.check, starts: paths.length === 0 ? ["."] : paths };
}

/** As diff(1): 0 the same, 1 different, 2 trouble. */
async function* compare(
  { files, warn, limits }: Invocation<Flags>,
  stored: string,
  outline: Outline,
): AsyncGenerator<Uint8Array, ExitStatus> {
  let old: Buffer;
  try {
    const blocks: Buffer[] = [];
    let held = 0;
    for (const block of files.open(stored).blocks()) {
      held += block.length;
      if (held > limits.heldBytes) throw new LimitReached("held", limits.heldBytes, "bytes");
      blocks.push(Buffer.from(block));
    }
    old = Buffer.concat(blocks);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    warn(`${quoteName(stored)}: ${thrown.message}`);
    return 2;
  }
  const now: Buffer[] = [];
  for await (const entry of outline.entries()) {
    if (entry.what === "complaint") warn(entry.message);
    else now.push(toBytes(textLine(entry)));
  }
  const difference = unifiedDiff(old, Buffer.concat(now), [stored, "now"]);
  if (difference.length > 0) yield difference;
  return outline.failed ? 2 : difference.length > 0 ? 1 : 0;
}

/** One line of the outline, at `depth` levels below what was asked for. */
type Entry =
  | { readonly what: "directory" | "file"; readonly depth: number; readonly path: string }
  | { readonly what: "definition"; readonly depth: number; readonly path: string; readonly definition: Definition };

interface Complaint {
  readonly what: "complaint";
  readonly message: string;
}

class Outline {
  /** Entries so far. */
  count = 0;
  /** Something could not be read. */
  failed = false;
  readonly #invocation: Invocation<Flags>;
  readonly #starts: readonly string[];
  readonly #maxDepth: number;
  /** Folders that were entered and have shown nothing yet: one without code is left out. */
  readonly #waiting: Entry[] = [];

  constructor(invocation: Invocation<Flags>, starts: readonly string[]) {
    this.#invocation = invocation;
    this.#starts = starts;
    this.#maxDepth = invocation.flags.depth ?? Infinity;
  }

  async *entries(): AsyncGenerator<Entry | Complaint, void> {
    for (const step of codeFiles(this.#invocation.files, this.#starts)) {
      for await (const entry of this.#ofStep(step)) {
        if (entry.what !== "complaint" && this.count++ === MOST_ENTRIES) {
          yield { what: "complaint", message: `more than ${MOST_ENTRIES} entries: name a folder, or give -d` };
          return;
        }
        yield entry;
      }
      await this.#invocation.wait(0);
    }
  }

  async *#ofStep(step: CodeStep): AsyncGenerator<Entry | Complaint, void> {
    switch (step.what) {
      case "turn":
        return;
      case "passed":
        this.failed ||= step.isError;
        yield { what: "complaint", message: step.message };
        return;
      case "directory": {
        const { depth, path } = step;
        while ((this.#waiting.at(-1)?.depth ?? -1) >= depth) this.#waiting.pop();
        if (depth <= this.#maxDepth) this.#waiting.push({ what: "directory", depth, path });
        return;
      }
      case "file": {
        const { depth, path } = step;
        while ((this.#waiting.at(-1)?.depth ?? -1) >= depth) this.#waiting.pop();
        yield* this.#waiting.splice(0);
        if (depth > this.#maxDepth) return;
        yield { what: "file", depth, path };
        if (depth < this.#maxDepth) yield* this.#definitions(step);
      }
    }
  }

  async *#definitions(step: CodeStep & { what: "file" }): AsyncGenerator<Entry | Complaint, void> {
    const bytes = step.read();
    if (!(bytes instanceof Uint8Array)) {
      this.failed ||= bytes.isError;
      yield { what: "complaint", message: bytes.message };
      return;
    }
    const { path, depth, language } = step;
    const text = toText(bytes);
    const parser = await codeParser(language.grammar);
    const tree = parser.parse(text);
    if (tree === undefined) {
      yield { what: "complaint", message: `${quoteName(path)}: too entangled to parse, passed over` };
      return;
    }
    try {
      for (const definition of definitionsIn(tree, text, parser.query(language.definitions))) {
        const below = depth + 1 + definition.depth;
        if (below <= this.#maxDepth) yield { what: "definition", depth: below, path, definition };
      }
    } finally {
      tree.delete();
    }
  }
}

function textLine(entry: Entry): string {
  const indent = "  ".repeat(Math.min(entry.depth, MOST_INDENT));
  if (entry.what === "definition") {
    const { kind, name, firstLine, lastLine } = entry.definition;
    return `${indent}${kind} ${name} ${firstLine === lastLine ? firstLine : `${firstLine}-${lastLine}`}\n`;
  }
  const path = entry.depth === 0 ? entry.path : entry.path.slice(entry.path.lastIndexOf("/") + 1);
  return `${indent}${quoteName(path)}${entry.what === "directory" && !path.endsWith("/") ? "/" : ""}\n`;
}

/** Deeper is shown as deep as this: code can nest without end. */
const MOST_INDENT = 40;

function jsonEntry(entry: Entry): string {
  const { what, path, depth } = entry;
  if (what !== "definition") return jsonLine({ what, path, depth });
  const { kind, name, qualifiedName, firstLine, lastLine } = entry.definition;
  return jsonLine({ what, path, depth, kind, name, qualifiedName, firstLine, lastLine });
}
