/** --check: the files that lists name, digested again and compared. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { inputComplaint, inputOperands, openInput, type InputSource } from "../../src/builtin/inputs.ts";
import { lineBlocks, linesOf } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteName } from "../../src/display/quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { HashAlgorithm } from "./algorithm.ts";
import { CheckLineReader, escapedName, type CheckLine } from "./check-line.ts";

export interface CheckOptions {
  readonly ignoreMissing: boolean;
  readonly quiet: boolean;
  readonly status: boolean;
  readonly strict: boolean;
  readonly warn: boolean;
}

type Surroundings = Pick<Invocation, "operands" | "stdin" | "files" | "warn" | "limits">;

export async function* verifyLists(
  invocation: Surroundings,
  algorithm: HashAlgorithm | undefined,
  options: CheckOptions,
): AsyncGenerator<Uint8Array, number> {
  let exit = 0;
  for (const operand of inputOperands(invocation)) {
    if (!(yield* verifyList(invocation, operand, algorithm, options))) exit = 1;
  }
  return exit;
}

async function* verifyList(
  invocation: Surroundings,
  operand: string,
  algorithm: HashAlgorithm | undefined,
  options: CheckOptions,
): AsyncGenerator<Uint8Array, boolean> {
  const isStdin = operand === "-";
  const shown = quoteName(isStdin ? "standard input" : operand);
  const reader = new CheckLineReader(algorithm);
  const out = new BlockBuilder();
  const count = { proper: 0, improper: 0, unread: 0, wrong: 0, verified: 0 };
  let lineNumber = 0;
  let source: InputSource;
  try {
    source = openInput(invocation, operand);
    for await (const block of lineBlocks(source, invocation.limits.lineBytes)) {
      for (const bytes of linesOf(block)) {
        lineNumber++;
        const line = toText(bytes).replace(/\r$/, "");
        if (line === "" || line.startsWith("#")) continue;
        const entry = reader.read(line);
        if (entry === undefined || (isStdin && entry.name === "-")) {
          count.improper++;
          if (!options.warn) continue;
          if (!out.empty) yield out.take();
          invocation.warn(`${shown}: ${lineNumber}: improperly formatted ${reader.tag} checksum line`);
          continue;
        }
        count.proper++;
        const { outcome, complaint } = await verified(invocation, entry, options.ignoreMissing);
        if (complaint !== undefined) {
          if (!out.empty) yield out.take();
          invocation.warn(complaint);
        }
        if (outcome === "missing") continue;
        if (outcome === "unread") count.unread++;
        else if (outcome === "wrong") count.wrong++;
        else count.verified++;
        if (options.status || (outcome === "right" && options.quiet)) continue;
        // A backslash alone is no reason for it here.
        const { prefix, name } = entry.name.includes("\n") ? escapedName(entry.name) : { prefix: "", name: entry.name };
        const verdict = outcome === "right" ? "OK" : outcome === "wrong" ? "FAILED" : "FAILED open or read";
        out.add(toBytes(`${prefix}${name}: ${verdict}\n`));
        if (out.full) yield out.take();
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    if (!out.empty) yield out.take();
    const isRead = thrown.code === "EISDIR" || thrown.code === "EIO";
    invocation.warn(isRead ? `${shown}: read error` : inputComplaint(thrown, operand));
    return false;
  }
  if (!out.empty) yield out.take();
  if (count.proper === 0) {
    invocation.warn(`${shown}: no properly formatted checksum lines found`);
    return false;
  }
  if (!options.status) {
    const told: readonly (readonly [number, string, string])[] = [
      [count.improper, "line is improperly formatted", "lines are improperly formatted"],
      [count.unread, "listed file could not be read", "listed files could not be read"],
      [count.wrong, "computed checksum did NOT match", "computed checksums did NOT match"],
    ];
    for (const [number, one, several] of told) {
      if (number > 0) invocation.warn(`WARNING: ${number} ${number === 1 ? one : several}`);
    }
    if (options.ignoreMissing && count.verified === 0) invocation.warn(`${shown}: no file was verified`);
  }
  return (
    count.wrong === 0 && count.unread === 0 && (!options.strict || count.improper === 0) && (!options.ignoreMissing || count.verified > 0)
  );
}

async function verified(
  invocation: Pick<Invocation, "stdin" | "files">,
  entry: CheckLine,
  ignoreMissing: boolean,
): Promise<{ outcome: "right" | "wrong" | "unread" | "missing"; complaint?: string }> {
  try {
    const hex = await digestOf(invocation, entry.name, entry.algorithm, entry.bits);
    return { outcome: hex === entry.hex.toLowerCase() ? "right" : "wrong" };
  } catch (thrown) {
    if (thrown instanceof FileError && thrown.code === "ENOENT" && ignoreMissing) return { outcome: "missing" };
    return { outcome: "unread", complaint: inputComplaint(thrown, entry.name) };
  }
}

/** Throws FileError. */
export async function digestOf(
  invocation: Pick<Invocation, "stdin" | "files">,
  operand: string,
  algorithm: HashAlgorithm,
  bits: number,
): Promise<string> {
  const digest = algorithm.start(bits);
  for await (const block of openInput(invocation, operand)) digest.update(block);
  return digest.hex();
}
