/** The script: from -e and -f in the order given, or the first operand. */
import type { GivenKey, Invocation, Occurrence, StaticInvocation } from "../../src/builtin/definition.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { NEWLINE } from "../../src/io/lines.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FLAGS } from "./sed.ts";
import { ScriptError, type ScriptChunk } from "./script-reader.ts";

type Flags = typeof FLAGS;
type Given = Pick<StaticInvocation<Flags>, "occurrences" | "operands">;

/** True if the first operand is the script. */
export function scriptIsOperand({ occurrences }: Given): boolean {
  return !occurrences.some(({ key }) => key === "expression" || key === "file");
}

/** The chunks that are known before anything runs; undefined where a file holds any. */
export function staticChunks(given: Given): readonly ScriptChunk[] | undefined {
  if (given.occurrences.some(({ key }) => key === "file")) return undefined;
  if (!scriptIsOperand(given)) return expressionsBeforeFiles(given.occurrences);
  const dialect = dialectBefore(given.occurrences, given.occurrences.length);
  return given.operands.slice(0, 1).map((text) => ({ ...textOf(text), origin: 1, dialect }));
}

/** Chunks of -e up to the first -f, as GNU sed reads them when it comes to them. */
export function expressionsBeforeFiles(occurrences: readonly Occurrence<Flags>[]): readonly ScriptChunk[] {
  const chunks: ScriptChunk[] = [];
  for (const [at, { key, value }] of occurrences.entries()) {
    if (key === "file") break;
    if (key === "expression") chunks.push({ ...textOf(value), origin: chunks.length + 1, dialect: dialectBefore(occurrences, at) });
  }
  return chunks;
}

/** All chunks; where a file cannot be read, those before it and why not. */
export async function allChunks(
  invocation: Invocation<Flags>,
): Promise<{ readonly chunks: readonly ScriptChunk[]; readonly trouble?: ScriptError }> {
  const known = staticChunks(invocation);
  if (known !== undefined) return { chunks: known };
  const { occurrences } = invocation;
  const chunks: ScriptChunk[] = [];
  let number = 0;
  for (const [at, occurrence] of occurrences.entries()) {
    switch (occurrence.key) {
      case "expression":
        chunks.push({ ...textOf(occurrence.value), origin: ++number, dialect: dialectBefore(occurrences, at) });
        break;
      case "file": {
        const text = await fileText(invocation, occurrence.value);
        if (text instanceof ScriptError) return { chunks, trouble: text };
        chunks.push({ text, origin: occurrence.value, dialect: dialectBefore(occurrences, at) });
        break;
      }
      // The dialect of what follows them (`dialectBefore`).
      case "extended":
      case "posix":
      case "sandbox":
      case "zero":
      // Read by their values (`run`).
      case "followSymlinks":
      case "inPlace":
      case "lineLength":
      case "quiet":
      case "separate":
      case "unbuffered":
        break;
      default:
        noFlagLeft(occurrence);
    }
  }
  return { chunks };
}

/** GNU sed reads each part of the script with the flags that stood before it. */
function dialectBefore(occurrences: readonly Occurrence<Flags>[], end: number): ScriptChunk["dialect"] {
  const isGiven = (wanted: GivenKey<Flags>): boolean => occurrences.some(({ key }, at) => key === wanted && at < end);
  const separator = isGiven("zero") ? 0 : NEWLINE;
  return { separator, extended: isGiven("extended"), posix: isGiven("posix"), sandbox: isGiven("sandbox") };
}

const textOf = (text: string): Pick<ScriptChunk, "text"> => ({ text: toBytes(text).toString("latin1") });

/** A script file as text, one unit per byte. */
async function fileText(invocation: Invocation<Flags>, path: string): Promise<string | ScriptError> {
  const parts: Buffer[] = [];
  try {
    for await (const block of openInput(invocation, path)) parts.push(Buffer.from(block));
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    // A directory can be opened, and GNU sed takes what cannot be read for the end.
    if (thrown.code !== "EISDIR") return new ScriptError(`couldn't open file ${path}: ${thrown.message}`, 4);
  }
  return Buffer.concat(parts).toString("latin1");
}
