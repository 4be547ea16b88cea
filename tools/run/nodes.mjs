/**
 * npm run test:nodes [-- [--short] [--required] MAJOR…]: a fast part of the tests under each Node that we support (default: 20 22
 * 24), by the npm packages that hold nothing but its program. `npm run build` first. They are kept in $SHELPA_NODES, or
 * in the user's cache; a version that is neither there nor to be had is said to be skipped, and fails only with
 * --required. --short: what depends most on the engine, in a minute or two for each.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const top = fileURLToPath(new URL("../..", import.meta.url));
const TESTS = [
  ..."guard/guard shell/parse workspace/confinement audit/recorder audit/forged-records exec/supervisor exec/engine".split(" "),
  ..."mcp/stdio mcp/message-lines wasm/wasi-host fuzz/paths fuzz/mirror supply-chain".split(" "),
  ..."awk/awk find/find grep/grep head-tail/head jq/jq rg/rg sed/sed sort/sort".split(" ").map((name) => `builtins/${name}`),
].map((name) => `test/${name}.test.ts`);

/** The executor and its permission model, descriptors under /proc, WebAssembly and threads, the wire; a few tools on top of them. */
const SHORT_TESTS = [
  ..."exec/supervisor exec/engine exec/language workspace/confinement workspace/ahead/look-ahead audit/recorder".split(" "),
  ..."mcp/stdio wasm/wasi-host shell/parse hostile/patterns builtins/jq/jq builtins/head-tail/head builtins/sort/sort".split(" "),
].map((name) => `test/${name}.test.ts`);

for (const path of [...TESTS, ...SHORT_TESTS]) if (!existsSync(join(top, path))) throw new Error(`${path} is gone: mend this list`);

const given = process.argv.slice(2);
const majors = given.filter((argument) => /^\d+$/.test(argument));
const cache = process.env.SHELPA_NODES ?? join(homedir(), ".cache/shelpa-nodes");
let failed = 0;
for (const major of majors.length > 0 ? majors : ["20", "22", "24"]) {
  const node = nodeOf(major);
  if (node === undefined) {
    console.log(`node ${major}: ${given.includes("--required") ? "FAILED" : "SKIPPED"}, it is neither in ${cache} nor to be had from npm`);
    if (given.includes("--required")) failed++;
    continue;
  }
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const startedMs = performance.now();
  const ran = spawnSync(node, ["node_modules/vitest/vitest.mjs", "run", ...(given.includes("--short") ? SHORT_TESTS : TESTS)], {
    cwd: top,
    encoding: "utf8",
    env: { ...process.env, PATH: `${join(node, "..")}:${process.env.PATH}` },
  });
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const passed = /Tests\s+(?:\S*\d+ failed\S* \| )?.*?(\d+) passed/.exec(plain(ran.stdout))?.[1] ?? "0";
  console.log(`node ${version}: ${ran.status === 0 ? "ok" : "FAILED"}, ${passed} tests in ${seconds} s`);
  if (ran.status === 0) continue;
  failed++;
  console.log(
    plain(ran.stdout)
      .split("\n")
      .filter((line) => /FAIL|×|Error:/.test(line))
      .slice(0, 20)
      .join("\n"),
  );
}
process.exit(failed === 0 ? 0 : 1);

/** The program of the newest `major` that npm has. Its package is named after the host, and runs nothing when installed. */
function nodeOf(major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const directory = join(cache, major);
  const program = join(directory, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(program)) return program;
  mkdirSync(directory, { recursive: true });
  const ran = spawnSync(
    "npm",
    ["install", "--prefix", directory, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", `${name}@${major}`],
    { encoding: "utf8", timeout: 300_000 },
  );
  return ran.status === 0 && existsSync(program) ? program : undefined;
}

function plain(text) {
  return text.replace(/\u001b\[[\d;]*m/g, "");
}
