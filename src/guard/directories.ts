/**
 * Which directories each command of a line may start in, as far as the text says: `cd a && cd b; ls` may list a/b, a
 * or where the line began. Directories are relative to the root and logical, as a shell keeps them.
 */
import type { List, SimpleCommand } from "../shell/tree.ts";

/** Directories by how the command before ended; `undefined` in place of a set: not known. */
interface Reach {
  readonly success: Places;
  readonly failure: Places;
}
type Places = ReadonlySet<string> | undefined;

/** More than this many possible directories are treated as not known. */
const MAX_PLACES = 16;

/**
 * Calls `visit` for each simple command with the places it may start in. `destination` says where a command moves the
 * session from a directory: undefined if that is not known, the directory itself if it does not move.
 */
export function forEachPlace(
  list: List,
  start: string,
  destination: (command: SimpleCommand, from: string) => string | undefined,
  visit: (command: SimpleCommand, places: readonly string[] | undefined) => void,
): void {
  const walkList = (items: List["items"], from: Places): Reach => {
    let reach: Reach = { success: from, failure: new Set() };
    for (const { when, pipeline } of items) {
      const before = when === "success" ? reach.success : when === "failure" ? reach.failure : union(reach.success, reach.failure);
      const after = walkPipeline(pipeline, before);
      reach = {
        success: when === "failure" ? union(reach.success, after.success) : after.success,
        failure: when === "success" ? union(reach.failure, after.failure) : after.failure,
      };
    }
    return reach;
  };
  const walkPipeline = (pipeline: List["items"][number]["pipeline"], before: Places): Reach => {
    const alone = pipeline.commands.length === 1;
    let after: Reach = { success: before, failure: before };
    for (const command of pipeline.commands) {
      if (command.kind === "group") {
        const inner = walkList(command.body.items, before);
        if (alone && !command.subshell) after = inner;
        continue;
      }
      visit(command, before && [...before]);
      if (alone) after = { success: moved(before, command), failure: before };
    }
    return pipeline.negated ? { success: after.failure, failure: after.success } : after;
  };
  const moved = (before: Places, command: SimpleCommand): Places => {
    if (before === undefined) return undefined;
    const places = new Set<string>();
    for (const from of before) {
      const to = destination(command, from);
      if (to === undefined) return undefined;
      places.add(to);
    }
    return places;
  };
  walkList(list.items, new Set([start]));
}

function union(a: Places, b: Places): Places {
  if (a === undefined || b === undefined) return undefined;
  const both = new Set([...a, ...b]);
  return both.size > MAX_PLACES ? undefined : both;
}
