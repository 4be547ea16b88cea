/** Builds dist/: one bundle per entry point with shared chunks, and the library's types. */
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { build, transform } from "esbuild";
import { writeRipgrepModule } from "./ripgrep.mjs";
import { keepReachable } from "./reachable-types.mjs";
import { MODULES, softwareBillOfMaterials } from "./bundled.mjs";
import { thirdPartyNotice } from "./third-party-notice.mjs";
import { viewerPage } from "./viewer-page.mjs";

process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
rmSync("dist", { recursive: true, force: true });

/** Subpaths of the package, each for the users of another package, which is theirs. */
const ADAPTERS = ["ai-sdk", "openai-agents", "langchain"];
/** Entry points of the package. */
const entries = {
  index: "src/index.ts",
  shelpa: "src/cli/shelpa.ts",
  "shelpa-mcp": "src/cli/shelpa-mcp.ts",
  executor: "src/exec/executor.ts",
  // The server shows it, and shares with it nothing that its start needs.
  "mcp-help": "src/cli/mcp-help.ts",
};
/** Threads, which share no object with what starts them: a file each, for what they share would be split into many small ones. */
const threads = {
  watchdog: "src/exec/watchdog.ts",
  "tool-worker": "src/wasm/tool-worker.ts",
  "look-ahead": "src/exec/look-ahead-worker.ts",
};
/** Code that a server loads only where the environment asks for it: with the packages of OpenTelemetry a file of its own. */
const TELEMETRY = "src/mcp/http/telemetry.ts";
/** For development alone: the package leaves out names that begin with "dev-". */
const developmentEntries = Object.fromEntries(
  [
    ...["generate-docs", "tokens", "write-packaging"].map((name) => `tools/docs/${name}.ts`),
    ...[
      "attacks",
      "ctags",
      "fidelity",
      "git-dates",
      "git-differential",
      "git-histories",
      "git-options",
      "next-calls",
      "replay",
      "suggestions",
    ].map((name) => `tools/evidence/${name}.ts`),
    ...["bench", "flood", "peer"].map((name) => `bench/${name}.ts`),
  ].map((path) => [`dev-${basename(path, ".ts")}`, path]),
);
/**
 * Drops code of the protocol's library that we never use, because it would be read at every start: zod's messages in fifty
 * languages, and Ajv (the library's other validator, which evaluates no text, does instead).
 */
const leftOut = {
  name: "left-out",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/locales\/index\.js$/ }, ({ resolveDir, path }) => ({ path: join(resolveDir, path), namespace: "zod-locales" }));
    onLoad({ filter: /./, namespace: "zod-locales" }, ({ path }) => ({
      contents: 'export { default as en } from "./en.js";',
      resolveDir: dirname(path),
    }));
    // zod would make functions from text for each schema, which costs more than it gives, and is text run as code.
    onLoad({ filter: /\/zod\/v4\/core\/core\.js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, "utf8")}\nglobalConfig.jitless = true;\n`,
    }));
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ resolveDir }) => ({ path: resolveDir, namespace: "mcp-shims" }));
    onLoad({ filter: /./, namespace: "mcp-shims" }, ({ path }) => ({
      contents: `export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
        export { default as process } from "node:process";`,
      resolveDir: path,
    }));
  },
};
const settings = {
  plugins: [leftOut, viewerPage],
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  sourcemap: false,
  // Half of a start is the reading of code. Names stay, and lines short, because a fault is told by both.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 200,
  external: [
    "ai",
    "@openai/agents",
    "@langchain/core/tools",
    "typescript",
    "gpt-tokenizer",
    "@modelcontextprotocol/client",
    "@modelcontextprotocol/client/stdio",
  ],
  // The forms of these packages that are modules: what they name for Node asks for its parts at run time.
  alias: {
    "jsonc-parser": "jsonc-parser/lib/esm/main.js",
    yaml: fileURLToPath(new URL("../../node_modules/yaml/browser/index.js", import.meta.url)),
  },
  // A hashbang in chunks does no harm, and the two commands need one.
  banner: { js: "#!/usr/bin/env node" },
  logLevel: "warning",
};
/** Names within the code of others are made short, which nobody reads in a stack; ours stay. */
const shortNames = {
  name: "short-names",
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/.*\.m?js$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { minifyIdentifiers: true, sourcefile: path, target: settings.target });
      return { contents: code, loader: "js" };
    });
  },
};
/**
 * The server is bundled apart: with shared chunks it would read fifty files, each of which costs time at its start. Modules
 * that it loads later, and those that are not about serving, come from the first bundle. A class there is another one: code
 * that throws an error which the server recognizes by its class must be in the server's bundle.
 */
const SERVER = "src/cli/server-main.ts";
const OF_THE_SERVER = /^src\/(config|host|mcp|session|workspace)\/|^src\/cli\/(server-options|interactive|hook\/hook-listener)\.ts$/;
/** What serves over HTTP, which is bundled apart as well: a client that starts the server itself would open its files for nothing. */
const OVER_HTTP = /\/(serve-one-http|serve-workspaces)\.ts$/;
const serverApart = {
  name: "server-apart",
  setup({ onResolve }) {
    onResolve({ filter: /\/(?:server-main|telemetry)\.ts$/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path: `./${basename(path, ".ts")}.js`, external: true } : undefined,
    );
  },
};
/**
 * Puts code that many entries need into few files, whichever of them share it: the bundler would make a file for each set of
 * entries with a part in common, and each file has to be found and opened. What all need is imported by all.
 */
const CORE = [
  ...["src/exec/local-runner.ts", "src/exec/command-channel.ts", "src/audit/recorder.ts", "builtins/registry.ts"],
  ...["src/cli/run-line.ts", "src/config/pipeline-problem.ts"],
];
/** What the commands share that do not run a line, or not before they have looked for a server that does. */
const OF_COMMANDS = [
  ...["commands", "read-command", "command-help", "print", "standard-streams", "root-or-here", "version"].map(
    (name) => `src/cli/${name}.ts`,
  ),
  ...["policy", "configuration-error", "limits"].map((name) => `src/config/${name}.ts`),
];
/** Loaded before it is known whether a line will run here: without the core. */
const LIGHT = new Set(
  ["subcommand-main.ts", "subcommands.ts", "completions-command.ts", "hook/hook-command.ts", "mcp-help.ts"].map((name) =>
    join(process.cwd(), "src/cli", name),
  ),
);
/** Of the entries, those that run lines or load the code that does. */
const ENTRIES_OF_CORE = new Set(["src/index.ts", "src/exec/executor.ts"].map((name) => join(process.cwd(), name)));
/** The modules that are loaded by a call of import(), each an entry of the bundle. */
const LOADED_LATER = new Set(
  ["src", "builtins"].flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => {
        const path = join(process.cwd(), folder, name);
        return [...readFileSync(path, "utf8").matchAll(/import\("(\.[^"]+)"\)/g)].map(([, target]) => join(dirname(path), target));
      }),
  ),
);
/** Puts in front of a module what `sharedBy` says of its path: modules that it is to reach, too. */
const fewFiles = (sharedBy) => ({
  name: "few-files",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const imports = sharedBy(path).map((name) => `import ${JSON.stringify(join(process.cwd(), name))};\n`);
      return imports.length === 0 ? undefined : { contents: imports.join("") + readFileSync(path, "utf8"), loader: "ts" };
    });
  },
});
function sharedByCommands(path) {
  if (LIGHT.has(path)) return OF_COMMANDS;
  return LOADED_LATER.has(path) || ENTRIES_OF_CORE.has(path) ? [...OF_COMMANDS, ...CORE] : [];
}
const { metafile } = await build({
  ...settings,
  plugins: [leftOut, viewerPage, serverApart, fewFiles(sharedByCommands), shortNames],
  entryPoints: entries,
  metafile: true,
});
const { metafile: ofThreads } = await build({ ...settings, splitting: false, entryPoints: threads, metafile: true });
// Tree-sitter's loader is a file of its own, which can be told from our code (test/supply-chain.test.ts).
const { metafile: ofCodeThread } = await build({
  ...settings,
  plugins: [leftOut, shortNames],
  entryPoints: { "code-worker": "builtins/symbols/code-worker.ts" },
  metafile: true,
});
// As modules, of which the bundler drops what nothing uses: in the form for require they are five times as large.
const { metafile: ofTelemetry } = await build({
  ...settings,
  splitting: false,
  mainFields: ["module", "main"],
  // No fault is told by these names.
  minifyIdentifiers: true,
  entryPoints: { telemetry: TELEMETRY },
  metafile: true,
});
const loadedLater = new Map(
  Object.entries({ ...metafile.outputs, ...ofTelemetry.outputs }).flatMap(([output, { entryPoint }]) =>
    entryPoint === undefined ? [] : [[entryPoint, basename(output)]],
  ),
);
const fromFirst = {
  name: "from-first",
  setup({ onResolve }) {
    onResolve({ filter: /^\..*\.ts$/ }, ({ kind, resolveDir, path }) => {
      const file = relative(process.cwd(), join(resolveDir, path));
      if (kind !== "dynamic-import" || (OF_THE_SERVER.test(file) && file !== TELEMETRY)) return undefined;
      const output = loadedLater.get(file);
      if (output === undefined) throw new Error(`${file} is loaded by the server alone: add it to OF_THE_SERVER`);
      return { path: `./${output}`, external: true };
    });
  },
};
const httpApart = {
  name: "http-apart",
  setup({ onResolve }) {
    onResolve({ filter: OVER_HTTP }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path: `./${basename(path, ".ts")}.js`, external: true } : undefined,
    );
  },
};
/** What the server loads before it has started an executor process, and what it loads meanwhile. */
const SERVICE = "src/mcp/service.ts";
const BEFORE_SERVICE = new Set(
  ["src/config/parse-configuration.ts", "src/workspace/workspace.ts", SERVICE].map((name) => join(process.cwd(), name)),
);
function sharedByServer(path) {
  if (!LOADED_LATER.has(path) || !OF_THE_SERVER.test(relative(process.cwd(), path))) return [];
  return BEFORE_SERVICE.has(path) ? [SERVER] : [SERVER, SERVICE];
}
const { metafile: ofServer } = await build({
  ...settings,
  plugins: [leftOut, viewerPage, httpApart, fromFirst, fewFiles(sharedByServer), shortNames],
  entryPoints: { "server-main": SERVER },
  metafile: true,
});
const { metafile: ofHttp } = await build({
  ...settings,
  plugins: [leftOut, fromFirst, shortNames],
  entryPoints: Object.fromEntries(["serve-one-http", "serve-workspaces"].map((name) => [name, `src/cli/${name}.ts`])),
  metafile: true,
});
/** Modules whose classes an importer of an adapter and of the library must find to be the same: the library's. */
const PUBLIC_CLASSES = /^src\/(?:session\/(?:shell|session)|workspace\/file-error|config\/configuration-error)\.ts$/;
const fromLibrary = {
  name: "from-library",
  setup({ onResolve }) {
    onResolve({ filter: /^\..*\.ts$/ }, ({ resolveDir, path }) =>
      PUBLIC_CLASSES.test(relative(process.cwd(), join(resolveDir, path))) ? { path: "./index.js", external: true } : undefined,
    );
  },
};
// Bundled apart: what they share with the server would otherwise be cut into more files for every start to open.
const { metafile: ofAdapters } = await build({
  ...settings,
  plugins: [leftOut, fromLibrary, fromFirst, shortNames],
  entryPoints: Object.fromEntries(ADAPTERS.map((name) => [name, `src/adapters/${name}.ts`])),
  metafile: true,
});
await build({ ...settings, entryPoints: developmentEntries, chunkNames: "dev-[name]-[hash]" });
const inputs = Object.keys({
  ...{ ...metafile.inputs, ...ofThreads.inputs, ...ofCodeThread.inputs, ...ofTelemetry.inputs },
  ...{ ...ofServer.inputs, ...ofHttp.inputs, ...ofAdapters.inputs },
});
writeFileSync("dist/THIRD-PARTY-LICENSES.txt", thirdPartyNotice(inputs));
for (const program of ["shelpa", "shelpa-mcp"]) chmodSync(`dist/${program}.js`, 0o755);
execFileSync(process.execPath, ["dist/dev-write-packaging.js"], { stdio: "inherit" });
writeRipgrepModule("dist/rg.wasm.br");
mkdirSync("dist/grammars");
await Promise.all(MODULES.filter(({ path }) => path !== undefined).map(stored));
writeFileSync("dist/sbom.cdx.json", `${JSON.stringify(softwareBillOfMaterials(inputs), null, 1)}\n`);
if (process.argv[2] !== "--fast") {
  execFileSync("npx", ["tsc", "-p", "tools/build/tsconfig.types.json"], { stdio: "inherit" });
  keepReachable("dist/types", ["src/index.d.ts", ...ADAPTERS.map((name) => `src/adapters/${name}.d.ts`)]);
}

/** Puts a module of another package into dist/. Compressed, the grammars are a fifteenth, and inflate in milliseconds. */
async function stored({ file, from, path }) {
  const module = `node_modules/${from}/${path}`;
  if (!file.endsWith(".br")) return copyFileSync(module, `dist/${file}`);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
  writeFileSync(`dist/${file}`, await promisify(brotliCompress)(readFileSync(module), { params }));
}
