/**
 * Conditions under which `doctor` starts the server of an entry. The file may be a stranger's, and so may every argument in it: what is started
 * is a server over standard input and nothing else, and by a file of the project one for this project, with nothing beside it.
 */
import { resolve } from "node:path";
import { isBelow } from "../init/clients.ts";
import { realHostPath } from "../../host/host-file.ts";
import { CommandLineError } from "../command-line-error.ts";
import { SERVE } from "../commands.ts";
import type { Given } from "../command.ts";
import { readCommand } from "../read-command.ts";
import type { Finding } from "./finding.ts";

/** Options that a file of the project may give a server that is tried. */
const OF_A_PROJECT: ReadonlySet<string> = new Set(["root", "read-only", "strict", "profile", "split", "structured", "raw-output"]);

export interface TrialPlace {
  readonly root: string;
  /** `root` free of symbolic links. */
  readonly realRoot: string;
}

/** Why a server with these arguments is not started, as the end of a sentence: also where it could not start; undefined where it is. */
export function obstacleTo(args: readonly string[], place: TrialPlace, isOfProject: boolean): Pick<Finding, "state" | "what"> | undefined {
  let given: ReturnType<typeof readCommand<typeof SERVE.options>>;
  try {
    given = readCommand(SERVE, args);
  } catch (thrown) {
    if (thrown instanceof CommandLineError) return { state: "fail", what: `has arguments that no server takes: ${thrown.message}` };
    throw thrown;
  }
  const why = typeof given === "string" ? `starts no server: --${given}` : reasonAgainst(given, place, isOfProject);
  return why === undefined ? undefined : { state: "note", what: `${why}, and was not tried` };
}

function reasonAgainst({ values }: Given<typeof SERVE.options>, { root, realRoot }: TrialPlace, isOfProject: boolean): string | undefined {
  if (values.http !== undefined || values.interactive)
    return `starts no server of a client's own: --${values.interactive ? "interactive" : "http"}`;
  if (!isOfProject) return undefined;
  const set = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0),
  );
  const beside = set.find(([name]) => !OF_A_PROJECT.has(name));
  if (beside !== undefined) return `says --${beside[0]}, which is not tried for a file of the project`;
  const own = values.root === undefined ? realRoot : realHostPath(resolve(root, values.root));
  if (own !== undefined && own !== realRoot && !isBelow(realRoot, own)) return `is for another root: ${values.root ?? ""}`;
  return undefined;
}
