/**
 * Lines that may change anything, in an overlay: their changes are looked at, and go into the directory if `accepts` says so:
 *
 *   const kept = await tried(process.cwd(), ["sed -i s/colour/color/ *.md"], (changes) => changes.length < 10);
 */
import { Shell, type TreeChange } from "shelpa-mcp";

/** Runs `lines` until one fails. True if all ran, and what they changed was accepted and applied. */
export async function tried(
  root: string,
  lines: readonly string[],
  accepts: (changes: readonly TreeChange[]) => boolean,
): Promise<boolean> {
  const shell = await Shell.open({ root, overlay: true });
  try {
    for (const line of lines) {
      const { result } = await shell.defaultSession.run(line);
      if (result.kind !== "completed" || result.exit !== 0) return false;
    }
    if (!accepts(await shell.changes())) return false;
    await shell.apply();
    return true;
  } finally {
    await shell.close();
  }
}
