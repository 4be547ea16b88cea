/** The script: from -e and -f in the order given, or the first operand. */
import type { Invocation, StaticInvocation } from "../../src/builtin/definition.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { ScriptError, type ScriptChunk } from "./script-reader.ts";

type Given = Pick<StaticInvocation, "occurrences" | "operands">;

/** Whether the first operand is the script. */
export function scriptIsOperand({ occurrences }: Given): boolean {
  return !occurrences.some(({ key }) => key === "expression" || key === "file");
}

/** The chunks that are known before anything runs; undefined where a file holds any. */
export function staticChunks(given: Given): readonly ScriptChunk[] | undefined {
  if (given.occurrences.some(({ key }) => key === "file")) return undefined;
  return scriptIsOperand(given) ? given.operands.slice(0, 1).map((text) => chunk(text, 1)) : expressions(given);
}

/** All chunks. Throws ScriptError where a file cannot be read. */
export async function allChunks(invocation: Invocation): Promise<readonly ScriptChunk[]> {
  const known = staticChunks(invocation);
  if (known !== undefined) return known;
  const chunks: ScriptChunk[] = [];
  let number = 0;
  for (const { key, value } of invocation.occurrences) {
    if (key === "expression") chunks.push(chunk(String(value), ++number));
    else if (key === "file") chunks.push({ text: await fileText(invocation, String(value)), origin: String(value) });
  }
  return chunks;
}

function expressions({ occurrences }: Given): readonly ScriptChunk[] {
  return occurrences.filter(({ key }) => key === "expression").map(({ value }, at) => chunk(String(value), at + 1));
}

const chunk = (text: string, origin: number): ScriptChunk => ({ text: toBytes(text).toString("latin1"), origin });

/** A script file as text, one unit per byte. */
async function fileText(invocation: Invocation, path: string): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const block of openInput(invocation, path)) parts.push(Buffer.from(block));
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new ScriptError(`${thrown.code === "EISDIR" ? "read error on" : "couldn't open file"} ${path}: ${thrown.message}`, 4);
  }
  return Buffer.concat(parts).toString("latin1");
}
