/** `shelpa-mcp audit prune`: moves old records into an archive. */
import { basename, dirname, resolve } from "node:path";
import { prunable, prune } from "../../audit/prune.ts";
import { NotPrunable, type PrunePlan } from "../../audit/prune-plan.ts";
import { timestampOf } from "../../audit/journal-lines.ts";
import { showName } from "../../display/visible.ts";
import { placesInRoot } from "../../host/host-file.ts";
import { RECORD_DIRECTORY } from "../../workspace/write/mirror-path.ts";
import { Workspace } from "../../workspace/workspace.ts";
import type { Given } from "../command.ts";
import { CommandLineError } from "../command-line-error.ts";
import type { AUDIT_PRUNE } from "../commands.ts";
import { readInstant } from "../instant.ts";
import { rootOrHere } from "../root-or-here.ts";
import { complain, print } from "../print.ts";

export function pruneRecords({ values }: Given<typeof AUDIT_PRUNE.options>): number {
  const beforeMs = readInstant("--before", values.before);
  const { archive } = values;
  if (beforeMs === undefined) throw new CommandLineError("audit prune: give --before: records older than that are pruned");
  if (archive === undefined && !values["dry-run"]) throw new CommandLineError("audit prune: give --archive: the file that they go to");
  const root = resolve(rootOrHere(values.root));
  if (archive !== undefined && placesInRoot(root, archive).some((place) => place.split("/")[0] === RECORD_DIRECTORY)) {
    throw new CommandLineError(`audit prune: an archive in ${RECORD_DIRECTORY} would be taken for a record`);
  }
  const workspace = Workspace.open(root);
  try {
    const plan = prunable(workspace, BigInt(beforeMs) * 1_000_000n);
    if (values["dry-run"] || archive === undefined) print(`${planText(plan)} would be pruned\n`);
    else print(`${planText(plan)} pruned\n${archived(workspace, plan, resolve(archive))}`);
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof NotPrunable)) throw thrown;
    complain(thrown.message);
    return 1;
  } finally {
    workspace.close();
  }
}

function planText({ records, mirrors, until, kept }: PrunePlan): string {
  const stays = kept.length === 0 ? "" : `, of which ${kept.length} stay as what later ones go back to,`;
  return `${records} records in ${mirrors.length} mirrors, until ${timestampOf(until)}${stays}`;
}

/** Writes the archive at the host path `path`, and says so. */
function archived(workspace: Workspace, plan: PrunePlan, path: string): string {
  const place = Workspace.open(dirname(path));
  const directory = place.writer().root();
  try {
    const { bytes, sha256 } = prune(workspace, plan, directory, basename(path));
    return `${showName(path)}: ${bytes} bytes, sha256 ${sha256}\n`;
  } finally {
    directory.close();
    place.close();
  }
}
