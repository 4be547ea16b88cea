/**
 * Processes that tests of this run have left behind: named, and ended. One that holds the standard error of its test's
 * process would keep Vitest from ending ("close timed out"). Linux alone: by the environment that they inherit, and an
 * executor, which inherits none, by its program. Where a parent has ended, process 1 becomes the parent, or the nearest ancestor
 * that is a subreaper (prctl(2)): in either case an ancestor of this run.
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
      if (ended(id)) console.error(` left behind by a test, and ended: ${id} ${line.slice(0, 200)}`);
    }
  };
}

/** False where it has ended by itself meanwhile. */
function ended(id: number): boolean {
  try {
    return process.kill(id, "SIGKILL");
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH") return false;
    throw thrown;
  }
}

/** Processes of the run whose parent has ended: those of the workers that are about to end are not among them. */
function orphans(mark: string): { readonly id: number; readonly line: string }[] {
  const adopters = ancestors();
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isRunning(name) && adopters.has(parentOf(name)))
    .map((name) => ({ id: Number(name), line: readOf(name, "cmdline").replaceAll("\0", " ").trim() }))
    .filter(({ id, line }) => line.endsWith(EXECUTOR) || readOf(`${id}`, "environ").includes(`${MARK}=${mark}\0`));
}

/** Ids of process 1 and of all between it and this process. */
function ancestors(): ReadonlySet<string> {
  const found = new Set(["1"]);
  for (let id = parentOf(String(process.pid)); Number(id) > 1 && !found.has(id); id = parentOf(id)) found.add(id);
  return found;
}

const isRunning = (id: string): boolean => !/^[ZX]?$/.test(statOf(id)[0] ?? "");
const parentOf = (id: string): string => statOf(id)[1] ?? "";

/** State, parent and so on: the fields after the name, which is in brackets and may hold anything. */
function statOf(id: string): readonly string[] {
  return readOf(id, "stat")
    .replace(/^.*\) /s, "")
    .split(" ");
}

function readOf(id: string, name: string): string {
  try {
    return readFileSync(`/proc/${id}/${name}`, "latin1");
  } catch {
    // Gone meanwhile, or of another user.
    return "";
  }
}
