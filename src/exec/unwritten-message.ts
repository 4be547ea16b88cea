/** Message of a command whose output could not be written. */
import { toBytes } from "../io/text.ts";
import { FileError } from "../workspace/file-error.ts";

/** The message as bash's own commands (at `place`) and GNU's word it. Throws what is no FileError. */
export function unwrittenMessage(
  thrown: unknown,
  command: { readonly name: string; readonly isOfShell: boolean } | undefined,
  place: string,
): Uint8Array {
  if (!(thrown instanceof FileError)) throw thrown;
  const { name, isOfShell } = command ?? { name: "echo", isOfShell: true };
  return toBytes(`${isOfShell ? `${place}: ` : ""}${name}: write error: ${thrown.message}\n`);
}
