/**
 * Processes that tests of this run have left behind: named, and ended. One that holds the standard error of its test's
 * process would keep Vitest from ending ("close timed out"). Linux alone: by the environment that they inherit, and an
 * executor, which inherits none, by its program.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const MARK = "SHELPA_TEST_RUN";
const EXECUTOR = fileURLToPath(new URL("../../dist/executor.js", import.meta.url));

/** Vitest's global setup; what it returns is called at the end. */
export default function setup(): () => void {
  const mark = `${process.pid}-${Date.now()}`;
  process.env[MARK] = mark;
  return () => {
    for (const { id, line } of process.platform === "linux" ? orphans(mark) : []) {
      console.error(` left behind by a test, and ended: ${id} ${line.slice(0, 200)}`);
      process.kill(id, "SIGKILL");
    }
  };
}

/** Processes of the run whose parent has ended: those of the workers that are about to end are not among them. */
function orphans(mark: string): { readonly id: number; readonly line: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isOrphan(name))
    .map((name) => ({ id: Number(name), line: readOf(name, "cmdline").replaceAll("\0", " ").trim() }))
    .filter(({ id, line }) => line.endsWith(EXECUTOR) || readOf(`${id}`, "environ").includes(`${MARK}=${mark}\0`));
}

/** The state and the parent are the first two fields after the name, which is in brackets and may hold anything. */
function isOrphan(id: string): boolean {
  const [state = "Z", parent] = readOf(id, "stat")
    .replace(/^.*\) /s, "")
    .split(" ");
  return parent === "1" && state !== "Z" && state !== "X";
}

function readOf(id: string, name: string): string {
  try {
    return readFileSync(`/proc/${id}/${name}`, "latin1");
  } catch {
    // Gone meanwhile, or of another user.
    return "";
  }
}
