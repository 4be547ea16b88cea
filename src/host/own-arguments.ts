/**
 * Command line of this process, byte for byte (Node decodes it as UTF-8 and loses other bytes), and the kind of its
 * standard input.
 */
import { fstatSync, readFileSync } from "node:fs";
import { toText } from "../io/text.ts";

/** The arguments after the script's name, in the encoding of src/io/text.ts. */
export function ownArguments(): readonly string[] {
  const decoded = process.argv.slice(2);
  if (!decoded.some((argument) => argument.includes("\uFFFD"))) return decoded;
  try {
    const all = readFileSync("/proc/self/cmdline");
    const raw: string[] = [];
    for (let from = 0; from < all.length; ) {
      const end = all.indexOf(0, from);
      raw.push(toText(all.subarray(from, end)));
      from = end + 1;
    }
    return raw.slice(raw.length - decoded.length);
  } catch {
    return decoded;
  }
}

/** True if standard input is a pipe, a socket or a regular file, and so neither a terminal nor /dev/null. */
export function standardInputIsGiven(): boolean {
  try {
    const status = fstatSync(0);
    return status.isFile() || status.isFIFO() || status.isSocket();
  } catch {
    return false;
  }
}
