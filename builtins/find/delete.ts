/** -delete: removes what is found, all of it together when the search is done. */
import { isWriteRefusal, WriteRefused } from "../../src/builtin/write-refused.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import type { TreeFile } from "../../src/walk/tree-file.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { test } from "./expression.ts";
import type { FindRun } from "./find-run.ts";
import type { PrimaryReader } from "./primary.ts";

export const deletePrimary: PrimaryReader = {
  role: "action",
  read({ settings }) {
    settings.deletes = true;
    return (run) => test((file) => isRemoved(run, file));
  },
};

function isRemoved(run: FindRun, { path, status }: TreeFile): boolean {
  if (path === ".") return true;
  try {
    if (status.kind === "directory") run.edits().removeDirectory(path);
    else run.edits().remove(path);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    if (isWriteRefusal(thrown)) throw new WriteRefused(thrown);
    if (thrown.code !== "ENOENT" || !run.request.ignoresRaces) run.complain(`cannot delete ${quoteCurly(path)}: ${thrown.message}`);
    return false;
  }
}
