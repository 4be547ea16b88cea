/** Commands that run beside each other with their output kept, of which only failures are shown. */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const program = (name) => `${root}node_modules/.bin/${name}`;
const BUILD_INFO = "node_modules/.cache/tsc";

export const BUILD = { name: "build", command: process.execPath, args: ["tools/build/build.mjs"] };
export const FAST_BUILD = { name: "build without types", command: process.execPath, args: ["tools/build/build.mjs", "--fast"] };
/** What did not change since the last time is not checked anew. */
export const TYPES = {
  name: "types",
  command: program("tsc"),
  args: ["-p", ".", "--pretty", "false", "--incremental", "--tsBuildInfoFile", `${BUILD_INFO}/project.tsbuildinfo`],
};
/** The page of the audit's viewer runs in a browser, and has its names. */
export const PAGE_TYPES = {
  name: "types of the viewer's page",
  command: program("tsc"),
  args: ["-p", "tools/build/tsconfig.page.json", "--pretty", "false"],
};
export const LINT = { name: "lint, format", command: program("biome"), args: ["check"] };
export const DEAD_CODE = { name: "dead code", command: program("knip"), args: [] };
export const BOUNDARIES = {
  name: "boundaries",
  command: program("vitest"),
  args: ["run", "--reporter=minimal", "test/boundaries.test.ts"],
};

/** Runs `steps` one after the other; gives those that failed, with what they printed. */
export async function inTurn(steps) {
  mkdirSync(`${root}${BUILD_INFO}`, { recursive: true });
  const failed = [];
  for (const step of steps) {
    const startedMs = performance.now();
    const { exit, output } = await ran(step);
    console.log(` ${exit === 0 ? "ok    " : "FAILED"} ${step.name}, ${Math.round((performance.now() - startedMs) / 1000)} s`);
    if (exit !== 0) failed.push({ name: step.name, output });
  }
  return failed;
}

/** The exit status for `failed`, which are shown: the last thing that is printed. */
export function conclusion(failed) {
  for (const { name, output } of failed) console.log(`\nFAILED: ${name}\n${output.trimEnd()}`);
  if (failed.length > 0) console.log(`\n${failed.length} failed: ${failed.map(({ name }) => name).join("; ")}`);
  return failed.length === 0 ? 0 : 1;
}

/** Vitest over `args` with its report on our own standard output; gives whether it passed, as `inTurn` does. */
export async function tests(args, environment = {}) {
  const { exit } = await ran(
    { command: program("vitest"), args: ["run", `--reporter=${root}tools/run/quiet-reporter.ts`, ...args] },
    { stdio: "inherit", env: { ...process.env, ...environment } },
  );
  return exit === 0 ? [] : [{ name: "tests", output: "  see above" }];
}

function ran({ command, args }, options = { stdio: ["ignore", "pipe", "pipe"] }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, ...options });
    let output = "";
    child.stdout?.on("data", (text) => (output += text));
    child.stderr?.on("data", (text) => (output += text));
    child.once("error", reject);
    child.once("close", (exit) => resolve({ exit, output }));
  });
}
