/** The generated files of packaging/: manual pages and completions. A test fails when they are stale. */
import { loadBuiltins } from "../../builtins/registry.ts";
import { bashCompletions } from "./completions/bash.ts";
import { fishCompletions } from "./completions/fish.ts";
import { zshCompletions } from "./completions/zsh.ts";
import { manPages } from "./man-pages.ts";

const builtins = await loadBuiltins();

/** Path from the top of the project → text. */
export function packagingFiles(): ReadonlyMap<string, string> {
  const files = new Map([...manPages(builtins)].map(([name, page]) => [`packaging/man/${name}`, page]));
  const shells = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions };
  for (const [shell, completions] of Object.entries(shells)) {
    for (const [program, script] of completions(builtins)) {
      // zsh finds a completion by the name of its file.
      files.set(`packaging/completions/${shell === "zsh" ? `_${program}` : `${program}.${shell}`}`, script);
    }
  }
  return files;
}
