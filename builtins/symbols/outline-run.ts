/** One run of `outline`: folders, files of code and their definitions as an indented list, or its difference from a stored one. */
import type { ExitStatus, Invocation, StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { unifiedDiff } from "../../src/compare/unified-diff.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteName } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { codeFiles } from "./code-files.ts";
import { codeLines, type CodeOutput } from "./code-lines.ts";
import { indentOf } from "./file-lines.ts";
import type { outlineFlags } from "./flags.ts";
import { jsonLine } from "./json-line.ts";

type Flags = typeof outlineFlags;

/** The longest outline, in entries: some ten times what anybody reads at once. The rest is said to be missing. */
const MOST_ENTRIES = 20_000;

export async function* runOutline(invocation: Invocation<Flags>): AsyncGenerator<Uint8Array, ExitStatus> {
  const request = outlineRequest(invocation);
  const { stored } = request;
  const outline = new Outline(invocation, request);
  if (stored !== undefined) return yield* compare(invocation, stored, outline);
  const output = new BlockBuilder();
  for await (const lines of outline.lines()) {
    if (lines.what === "complaint") {
      if (!output.empty) yield output.take();
      invocation.warn(lines.message);
    } else output.add(toBytes(lines.text));
    if (output.full) yield output.take();
  }
  if (!output.empty) yield output.take();
  return outline.failed ? 2 : outline.count === 0 ? 1 : 0;
}

export interface OutlineRequest {
  /** The file to compare with. */
  readonly stored: string | undefined;
  /** None: the current directory. */
  readonly paths: readonly string[];
  readonly maxDepth: number;
  readonly json: boolean;
}

/** Under the name ctree_check the first operand is the file to compare with. */
export function outlineRequest({ name, flags, operands }: StaticInvocation<Flags>): OutlineRequest {
  const { depth: maxDepth = Infinity, check, json, ...others } = flags;
  allFlagsRead(others);
  const isCheck = name === "ctree_check" && check === undefined;
  const [stored, paths] = isCheck ? [operands[0], operands.slice(1)] : [check, operands];
  return { stored, paths, maxDepth, json };
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
  for await (const lines of outline.lines()) {
    if (lines.what === "complaint") warn(lines.message);
    else now.push(toBytes(lines.text));
  }
  const difference = unifiedDiff(old, Buffer.concat(now), [stored, "now"]);
  if (difference.length > 0) yield difference;
  return outline.failed ? 2 : difference.length > 0 ? 1 : 0;
}

/** Whole lines of the outline. */
interface OutlineLines {
  readonly what: "lines";
  readonly text: string;
  readonly entries: number;
}

interface Complaint {
  readonly what: "complaint";
  readonly message: string;
}

interface Place {
  readonly what: "directory" | "file";
  /** Levels below what was asked for. */
  readonly depth: number;
  readonly path: string;
}

class Outline {
  /** Entries so far. */
  count = 0;
  /** Something could not be read. */
  failed = false;
  readonly #invocation: Invocation<Flags>;
  readonly #starts: readonly string[];
  readonly #maxDepth: number;
  readonly #json: boolean;
  /** Folders that were entered and have shown nothing yet: one without code is left out. */
  readonly #waiting: Place[] = [];

  constructor(invocation: Invocation<Flags>, { paths, maxDepth, json }: OutlineRequest) {
    this.#invocation = invocation;
    this.#starts = paths.length === 0 ? ["."] : paths;
    this.#maxDepth = maxDepth;
    this.#json = json;
  }

  async *lines(): AsyncGenerator<OutlineLines | Complaint, void> {
    const { files, wait } = this.#invocation;
    const maxDepth = this.#maxDepth;
    const parts = codeLines(codeFiles(files, this.#starts), {
      question: { what: "outline", maxDepth, json: this.#json },
      isRead: ({ depth }) => depth < maxDepth,
      turn: () => wait(0),
    });
    for await (const part of parts) {
      for (const lines of this.#ofPart(part)) {
        if (lines.what === "lines") {
          const left = MOST_ENTRIES - this.count;
          this.count += lines.entries;
          if (lines.entries > left) {
            yield { what: "lines", text: firstLines(lines.text, left), entries: left };
            yield { what: "complaint", message: `more than ${MOST_ENTRIES} entries: name a folder, or give -d` };
            return;
          }
        }
        yield lines;
      }
    }
  }

  *#ofPart(part: CodeOutput): Generator<OutlineLines | Complaint, void> {
    switch (part.what) {
      case "lines":
        yield part;
        return;
      case "passed":
        this.failed ||= part.isError;
        yield { what: "complaint", message: part.message };
        return;
      case "directory":
      case "file": {
        while ((this.#waiting.at(-1)?.depth ?? -1) >= part.depth) this.#waiting.pop();
        if (part.what === "file") for (const directory of this.#waiting.splice(0)) yield this.#placeLine(directory);
        if (part.depth > this.#maxDepth) return;
        if (part.what === "file") yield this.#placeLine(part);
        else this.#waiting.push(part);
      }
    }
  }

  #placeLine({ what, path, depth }: Place): OutlineLines {
    if (this.#json) return { what: "lines", text: jsonLine({ what, path, depth }), entries: 1 };
    const name = depth === 0 ? path : path.slice(path.lastIndexOf("/") + 1);
    const slash = what === "directory" && !path.endsWith("/") ? "/" : "";
    return { what: "lines", text: `${indentOf(depth)}${quoteName(name)}${slash}\n`, entries: 1 };
  }
}

function firstLines(text: string, count: number): string {
  let end = 0;
  for (let line = 0; line < count; line++) end = text.indexOf("\n", end) + 1;
  return text.slice(0, end);
}
