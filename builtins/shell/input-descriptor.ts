/** The input that `-u FD` names. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";
import type { ByteInput } from "../../src/io/input.ts";

/** Throws BadValue. */
export function descriptorOf(value: string): number {
  if (!/^\d{1,3}$/.test(value)) throw new BadValue(`${value}: invalid file descriptor specification`);
  return Number(value);
}

/** Undefined where the descriptor is not open, after the message for that has been printed. */
export function inputAt(
  descriptor: number,
  { stdin, files, stderr, shell, name }: Pick<Invocation, "stdin" | "files" | "stderr" | "shell" | "name">,
): ByteInput | undefined {
  const input = descriptor === 0 ? stdin : files.descriptor(`/dev/fd/${descriptor}`);
  if (input === undefined) stderr(`${shell?.place ?? "bash"}: ${name}: ${descriptor}: invalid file descriptor: Bad file descriptor\n`);
  return input;
}
