/** The file that a redirection writes. It is in the session's scratch, whatever the line said: everything else is refused. */
import { toBytes } from "../io/text.ts";
import { FileError } from "../workspace/file-error.ts";
import type { ScratchFile } from "../workspace/mount/scratch-files.ts";
import type { Redirect } from "../shell/tree.ts";
import { StageRefused } from "./late-refusal.ts";
import type { ListRun } from "./list-run.ts";
import { redirectedPath } from "./substitution.ts";
import type { Surroundings } from "./stage.ts";

export type OutputRedirect = Extract<Redirect, { kind: "output" }>;

/** Opens it. Throws FileError, RedirectionError, and StageRefused where its words name a file elsewhere. */
export async function openedOutput(run: ListRun, redirect: OutputRedirect, surroundings: Surroundings): Promise<ScratchFile> {
  const path = await redirectedPath(run, redirect.file, surroundings);
  if (path === "") throw new FileError("ENOENT", path);
  const scratch = run.context.workspace.at(surroundings.shell.currentDirectory).scratch();
  if (scratch?.holds(path) !== true) throw new StageRefused(notInScratch(path, redirect));
  try {
    return scratch.open(path, redirect.append ? "append" : "overwrite");
  } catch (thrown) {
    const leaves = thrown instanceof FileError && (thrown.code === "PATH_ESCAPE" || thrown.code === "SYMLINK_ESCAPE");
    throw leaves ? new StageRefused(notInScratch(path, redirect)) : thrown;
  }
}

/** The message about output that could not be written, as bash's own commands (at `place`) and GNU's word it. Throws what is no FileError. */
export function unwrittenMessage(
  thrown: unknown,
  command: { readonly name: string; readonly isOfShell: boolean } | undefined,
  place: string,
): Uint8Array {
  if (!(thrown instanceof FileError)) throw thrown;
  const { name, isOfShell } = command ?? { name: "echo", isOfShell: true };
  return toBytes(`${isOfShell ? `${place}: ` : ""}${name}: write error: ${thrown.message}\n`);
}

function notInScratch(path: string, { append }: OutputRedirect): StageRefused["violation"] {
  const detail = `'${path}' is no file of this session's /tmp, and output is redirected into no other: every write to the workspace goes through tee, which records it. Use | tee ${append ? "-a " : ""}FILE.`;
  return { code: "GUARD_VIOLATION", reason: "REDIRECT", rule: "redirect:file", detail, suggestion: undefined, position: undefined };
}
