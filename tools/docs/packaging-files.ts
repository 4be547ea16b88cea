/** Manual pages and completions, which the build puts into dist/. */
import { loadBuiltins } from "../../builtins/registry.ts";
import { bashCompletions } from "./completions/bash.ts";
import { fishCompletions } from "./completions/fish.ts";
import { zshCompletions } from "./completions/zsh.ts";
import { manPages } from "./man-pages.ts";

const builtins = await loadBuiltins();

/** Path in dist/ → text. */
export function packagingFiles(): ReadonlyMap<string, string> {
  const files = new Map([...manPages(builtins)].map(([name, page]) => [`man/${name}`, page]));
  const shells = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions };
  for (const [shell, completions] of Object.entries(shells)) {
    for (const [program, script] of completions(builtins)) {
      // zsh finds a completion by the name of its file.
      files.set(`completions/${shell === "zsh" ? `_${program}` : `${program}.${shell}`}`, script);
    }
  }
  return files;
}
