/**
 * The protocol's own conformance suites and its inspector against this server. Needs `npm ci` in suites/, which is done
 * where it was not; nothing else is fetched. `npm run build` first.
 *
 *   npm run conformance             all of it
 *   npm run conformance -- fixtures 2026    runs whose name holds both words
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const suites = join(here, "suites");
const modules = join(suites, "node_modules");
if (!existsSync(join(modules, "conformance-next"))) {
  // With scripts: the package `node` fetches its program with one.
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: suites, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
/** The suites use `fs.globSync`, which came with Node 22. */
const newerNode = Number(process.versions.node.split(".")[0]) >= 22 ? process.execPath : join(modules, "node", "bin", "node");
const directory = mkdtempSync(join(tmpdir(), "shelpa-conformance-"));
const root = join(directory, "root");
mkdirSync(root);
writeFileSync(join(root, "a.txt"), "hello\n");
const docs = join(directory, "docs");
mkdirSync(docs);
writeFileSync(join(docs, "b.txt"), "mounted\n");
const TOKEN = "a-token-for-the-conformance-suite";

/** Each run of a suite: which server, which suite, which arguments. `failures`: scenarios that are known not to pass. */
const stable = join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js");
const next = join(modules, "conformance-next", "dist", "index.js");
/** Arguments of the shipped server: none, and those that change what a client sees. */
const SHIPPED = {
  shipped: [],
  "shipped with --structured --split --mount": ["--structured", "--split", "--mount", `/docs=${docs}`],
};
const RUNS = [
  { name: "fixtures, suite 0.1.16, 2025-11-25", server: "fixtures", suite: stable, arguments: ["--suite", "active"] },
  { name: "fixtures, suite 0.2.0, 2025-11-25", server: "fixtures", suite: next, arguments: ["--requirements", "2025-11-25"] },
  { name: "fixtures, suite 0.2.0, 2026-07-28", server: "fixtures", suite: next, arguments: ["--requirements", "2026-07-28"] },
  ...Object.keys(SHIPPED).flatMap((server) => [
    { name: `${server}, suite 0.1.16, 2025-11-25`, server, suite: stable, arguments: ["--suite", "active"] },
    { name: `${server}, suite 0.2.0, 2025-11-25`, server, suite: next, arguments: ["--suite", "all", "--spec-version", "2025-11-25"] },
    { name: `${server}, suite 0.2.0, 2026-07-28`, server, suite: next, arguments: ["--suite", "all", "--spec-version", "2026-07-28"] },
  ]),
];

const started = [];
let failed = 0;
try {
  const wanted = RUNS.filter(({ name }) => process.argv.slice(2).every((word) => name.includes(word)));
  const urls = {};
  for (const { server } of wanted) urls[server] ??= server === "fixtures" ? await fixtureServer() : await shippedServer(SHIPPED[server]);
  for (const run of wanted) {
    const baseline = join(here, `expected-failures.${run.server === "fixtures" ? "fixtures" : "shipped"}.yaml`);
    const given = [
      "server",
      "--url",
      urls[run.server],
      ...run.arguments,
      ...(existsSync(baseline) ? ["--expected-failures", baseline] : []),
    ];
    const results = join(directory, run.name);
    const { status, output } = await ended(newerNode, [run.suite, ...given, "-o", results]);
    const surprises = run.server === "fixtures" ? [] : testableFailures(results);
    report(run.name, status === 0 && surprises.length === 0, [output, ...surprises].join("\n"));
  }
  if (process.argv.length === 2) await inspect();
} finally {
  for (const child of started) child.kill("SIGTERM");
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

/** Failed checks of the scenario that is only in part about fixtures, other than those for want of one. */
function testableFailures(results) {
  return readdirSync(results)
    .filter((name) => name.startsWith("server-server-stateless"))
    .flatMap((name) => JSON.parse(readFileSync(join(results, name, "checks.json"), "utf8")))
    .filter(({ status, errorMessage = "" }) => status === "FAILURE" && !errorMessage.startsWith("Not testable"))
    .map(({ id, errorMessage }) => `server-stateless: ${id}: ${errorMessage}`);
}

function report(name, passed, output) {
  if (!passed) failed++;
  const total = /^Total: .*$/m.exec(output)?.[0] ?? "";
  const others = /^Not scored.*$/m.exec(output)?.[0];
  process.stdout.write(
    passed ? `ok      ${name}\n        ${[total, others].filter(Boolean).join("; ")}\n` : `FAILED  ${name}\n${output}\n`,
  );
}

/** The first line that `child` prints and `pattern` matches. */
function announced(child, stream, pattern) {
  started.push(child);
  return new Promise((resolve, reject) => {
    let text = "";
    child[stream].on("data", (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found !== null) resolve(found[1]);
    });
    child.on("exit", (status) => reject(new Error(`the server ended with ${status}: ${text}`)));
  });
}

async function fixtureServer() {
  const outfile = join(directory, "fixture-server.mjs");
  await build({
    entryPoints: [join(here, "fixture-server.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
    loader: { ".html": "text" },
    external: ["jq-wasm", "ripgrep"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return announced(spawn(process.execPath, [outfile, root], { stdio: ["ignore", "pipe", "inherit"] }), "stdout", /^(http\S+)\n/m);
}

/** The command as it is shipped. The suites send no token, so a proxy in front of it does; it passes everything else on. */
async function shippedServer(options) {
  const program = join(here, "..", "..", "dist", "shelpa-mcp.js");
  const environment = { ...process.env, SHELPA_HTTP_TOKEN: TOKEN };
  const child = spawn(process.execPath, [program, "--root", root, ...options, "--http", "127.0.0.1:0"], {
    env: environment,
    stdio: ["ignore", "inherit", "pipe"],
  });
  const { port, pathname } = new URL(await announced(child, "stderr", /listening on (\S+)\n/));
  const proxy = createServer((incoming, outgoing) => {
    const forwarded = request(
      {
        host: "127.0.0.1",
        port,
        path: incoming.url,
        method: incoming.method,
        headers: { ...incoming.headers, authorization: `Bearer ${TOKEN}` },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  started.push({ kill: () => proxy.close().closeAllConnections() });
  return `http://127.0.0.1:${proxy.address().port}${pathname}`;
}

/** The inspector's command line over standard input and output: what people try a server with. */
async function inspect() {
  const { bin } = JSON.parse(readFileSync(join(modules, "@modelcontextprotocol", "inspector", "package.json"), "utf8"));
  const inspector = join(modules, "@modelcontextprotocol", "inspector", bin["mcp-inspector"]);
  const program = join(here, "..", "..", "dist", "shelpa-mcp.js");
  const steps = [
    { name: "tools/list", given: ["--method", "tools/list"], says: /"shelpa_pipe"/ },
    {
      name: "tools/call",
      given: ["--method", "tools/call", "--tool-name", "shelpa_pipe", "--tool-arg", "command=cat a.txt"],
      says: /hello/,
    },
    { name: "resources/list", given: ["--method", "resources/list"], says: /shelpa:\/\/policy/ },
    { name: "prompts/list", given: ["--method", "prompts/list"], says: /"pipeline"/ },
  ];
  for (const [server, options] of Object.entries(SHIPPED)) {
    const isPlain = options.length === 0;
    const more = [
      { name: "tools/list of both", given: ["--method", "tools/list"], says: /"shelpa_write"/ },
      {
        name: "tools/call in a mount",
        given: ["--method", "tools/call", "--tool-name", "shelpa_pipe", "--tool-arg", "command=cat /docs/b.txt"],
        says: /mounted/,
      },
    ];
    for (const { name, given, says } of isPlain ? steps : [...steps, ...more]) {
      const started = [inspector, "--cli", process.execPath, program, "--root", root, ...options, ...given];
      const { status, output } = await ended(newerNode, started);
      report(`inspector, ${server}, ${name}`, status === 0 && says.test(output), output);
    }
  }
}

function ended(program, given) {
  return new Promise((resolve) => {
    const child = spawn(program, given, { cwd: directory, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("close", (status) => resolve({ status, output }));
  });
}
