/** The flags and settings that say how changes of submodules are shown (--ignore-submodules, --submodule). */
import type { Options } from "../commands/options.ts";
import type { Config } from "../config.ts";
import { GitError } from "../git-error.ts";
import type { DiffFlag } from "./diff-flags.ts";

export interface SubmoduleSettings {
  /** Changes of a submodule that are ignored; undefined: as its configuration says. */
  readonly ignore: "none" | "untracked" | "dirty" | "all" | undefined;
  /** In a patch: by its ids, its commits, or its files. */
  readonly format: "short" | "log" | "diff";
}

/** Throws GitError. */
export const submoduleSettings = (options: Options<DiffFlag>, config: Config): SubmoduleSettings => ({
  ignore: options.has("--ignore-submodules") ? submoduleIgnore(options.last("--ignore-submodules") ?? "") : undefined,
  format: submoduleFormat(
    options.has("--submodule") ? (options.each("--submodule").at(-1)?.value ?? "log") : (config.get("diff.submodule") ?? "short"),
  ),
});

/** Throws GitError. */
export function submoduleIgnore(text: string): NonNullable<SubmoduleSettings["ignore"]> {
  switch (text) {
    case "":
    case "all":
      return "all";
    case "none":
    case "untracked":
    case "dirty":
      return text;
  }
  throw new GitError(`bad --ignore-submodules argument: ${text}`);
}

/** Throws GitError. */
function submoduleFormat(text: string): SubmoduleSettings["format"] {
  if (text === "short" || text === "log" || text === "diff") return text;
  throw new GitError(`failed to parse --submodule option parameter: '${text}'`, { prefix: "error: ", exit: 129 });
}
