/** The refusal of every line while the root's path leads nowhere, or through a symbolic link that was not there before. */
import type { Violation } from "../guard/violation.ts";

export const rootGone = (): Violation => ({
  code: "LIMIT",
  reason: "ROOT_GONE",
  detail:
    "The workspace's own directory is no longer where it was, and a symbolic link in its place is not followed. Nothing ran. Lines run again once a directory stands there.",
  suggestion: undefined,
  position: undefined,
});
