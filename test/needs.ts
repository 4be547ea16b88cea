/** Programs that tests need besides Node and the utilities of POSIX: where one is missing, its tests are skipped and say so. */
import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { describe, test, type TestContext, type TestFunction, type TestOptions, TestRunner } from "vitest";

/** A program, by its name or its path; or what else must be here, with words for it. */
export type Need = string | { readonly name: string; readonly isHere: boolean };

/** The directory with the real tools of the reference, or undefined in the ordinary run. */
export const oracle = process.env["SHELPA_ORACLE"];
export const ORACLE: Need = { name: "the oracle (npm run test:reference)", isHere: oracle !== undefined };

/** The host's temporary directory, while `npm test` has most trees made in memory. */
export const diskDirectory = process.env["SHELPA_TEST_DISK"] ?? tmpdir();
const TMPFS_MAGIC = 0x01021994;
export const DISK: Need = { name: "a temporary directory on a disk", isHere: statfsSync(diskDirectory).type !== TMPFS_MAGIC };

export function has(need: Need): boolean {
  if (typeof need !== "string") return need.isHere;
  const names = process.platform === "win32" ? [need, `${need}.exe`] : [need];
  const directories = isAbsolute(need) ? ["/"] : (process.env["PATH"] ?? "").split(delimiter);
  return directories.some((directory) => names.some((name) => isProgram(join(directory, name))));
}

/** Needs that must be met where the tests run (`SHELPA_NEEDS=bash,git`): what CI has, so that nothing is skipped there unseen. */
const promised = new Set((process.env["SHELPA_NEEDS"] ?? "").split(",").filter((name) => name !== ""));

/**
 * The mark of a test that is skipped, which tools/run/quiet-reporter.ts counts; undefined where nothing is missing. Throws where
 * that is missing which SHELPA_NEEDS names.
 */
export function lackOf(...needs: readonly Need[]): string | undefined {
  const missing = needs.filter((need) => !has(need)).map((need) => (typeof need === "string" ? need : need.name));
  const broken = missing.filter((name) => promised.has(name));
  if (broken.length > 0) throw new Error(`SHELPA_NEEDS names ${broken.join(", ")}, and this machine has none`);
  return missing.length === 0 ? undefined : `[needs ${missing.join(", ")}]`;
}

/** `describe` and `test` for what needs these programs. A group's body is run where they are missing, too: to name its tests. */
export function needs(...programs: readonly Need[]): Needing {
  const lack = lackOf(...programs);
  if (lack === undefined) return { describe, test: (name, options, body) => test(name, options, body) };
  return {
    describe: (name, body) => describe.skip(`${name} ${lack}`, body),
    test: (name, options, body) => test.skip(`${name} ${lack}`, options, body),
  };
}

interface Needing {
  readonly describe: (name: string, body: () => void) => void;
  readonly test: (name: string, options: TestOptions, body: TestFunction) => void;
}

/** Skips the test that is running where a program is missing: for what a helper of many tests needs. Throws where none is. */
export function skipWithout(...programs: readonly Need[]): void {
  const lack = lackOf(...programs);
  if (lack === undefined) return;
  const running = TestRunner.getCurrentTest() as { readonly context: TestContext } | undefined;
  if (running === undefined) throw new Error(lack);
  running.context.skip(lack);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
