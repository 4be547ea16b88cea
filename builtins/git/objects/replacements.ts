/** Objects and parents that stand for others: refs/replace (git-replace(1)) and info/grafts, as git honours them. */
import type { Config } from "../config.ts";
import type { Disk } from "./disk.ts";
import { GitError } from "../git-error.ts";
import type { ObjectFormat } from "./object-format.ts";
import type { Refs } from "../refs/refs.ts";

/** A replacement may itself be replaced, so many times. */
const MOST_STEPS = 5;

/** Replacement of each object. */
export class Replacements {
  readonly #targets = new Map<string, string>();

  constructor(refs: Refs, config: Config, format: ObjectFormat) {
    if (!config.boolean("core.usereplacerefs", true)) return;
    for (const { name, id } of refs.list("refs/replace/")) {
      const replaced = name.slice("refs/replace/".length);
      if (format.isId(replaced)) this.#targets.set(replaced, id);
    }
  }

  get isEmpty(): boolean {
    return this.#targets.size === 0;
  }

  /** Throws GitError where replacements lead in a circle, or too far. */
  of(id: string): string {
    let at = id;
    for (let step = 0; step <= MOST_STEPS; step++) {
      const next = this.#targets.get(at);
      if (next === undefined) return at;
      at = next;
    }
    throw new GitError(`replace depth too high for object ${id}`);
  }
}

/** Parents by commit. `complain` gets git's words for a line that is none, and its advice against the file. */
export function readGrafts(
  disk: Disk,
  directory: string,
  { config, format }: { readonly config: Config; readonly format: ObjectFormat },
  complain: (text: string) => void,
): ReadonlyMap<string, readonly string[]> {
  const grafts = new Map<string, readonly string[]>();
  const text = disk.text(`${directory}/info/grafts`);
  if (text === undefined) return grafts;
  if (config.boolean("advice.graftfiledeprecated", true)) complain(ADVICE);
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const ids = line.trimEnd().split(" ");
    const [commit, ...parents] = ids;
    if (commit !== undefined && ids.every((id) => format.isId(id))) grafts.set(commit, parents);
    else complain(`error: bad graft data: ${line}\n`);
  }
  return grafts;
}

const ADVICE = [
  "Support for <GIT_DIR>/info/grafts is deprecated",
  "and will be removed in a future Git version.",
  "",
  'Please use "git replace --convert-graft-file"',
  "to convert the grafts into replace refs.",
  "",
  "Turn this message off by running",
  '"git config advice.graftFileDeprecated false"',
]
  .map((line) => `hint: ${line}\n`)
  .join("");
