/**
 * Measuring material that is not part of the repository: lines that agents typed (`agent-commands`), cases of the tools' own test
 * suites (`conformance`), further rows of attacks (`attacks`). SHELPA_MATERIAL names its directory; default: `../shared` beside
 * the checkout.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

export const MATERIAL_VARIABLE = "SHELPA_MATERIAL";

/** The directory of the material, absolute. It need not be there. `project` is this checkout. */
export function materialDirectory(project: string): string {
  const given = process.env[MATERIAL_VARIABLE];
  return given === undefined || given === "" ? join(project, "../shared") : resolve(given);
}

/** The path of one piece of the material. Where it is not there, says so on standard error and ends the process with status 2. */
export function materialAt(project: string, piece: string): string {
  const path = join(materialDirectory(project), piece);
  if (existsSync(path)) return path;
  console.error(
    `There is no ${path}. This measuring tool needs material that is not part of the repository: set ${MATERIAL_VARIABLE} to the directory that holds it.`,
  );
  return process.exit(2);
}
