/** Rules of DESIGN §4 on files and imports: which names files have, which modules each folder may import, and in which form. */
import { child, children, type Source, textOf } from "./source.ts";

/** The one file of src/ and builtins/ that is no TypeScript. */
const PAGE = "src/cli/viewer/page/page.html";
/** Code that a browser runs and Node never does: it shares types with the rest, and nothing else. */
const PAGE_CODE = "src/cli/viewer/page/";
/** The one import of a file that is in neither: the version, from a file that has no code. */
const MANIFEST = { importer: "src/cli/version.ts", module: "package.json" };

/** Complaints on the name of a file under src/, builtins/ or test/. */
export function complaintsOfName(path: string): string[] {
  if (path.endsWith(".ts") || path === PAGE) return [];
  if (!path.startsWith("test/")) return [`${path} is no .ts file`];
  return /\.[mc]?[jt]sx?$/.test(path) && !TEST_PROGRAMS.includes(path) ? [`${path} is no .ts file`] : [];
}

/** Programs beside the tests that Node runs as they are. */
const TEST_PROGRAMS = ["test/conformance/run.mjs", "test/hostile/repositories/loop-probe.mjs"];

interface Importers {
  /** Files, and folders by their final slash, whose code imports the module; and those that import types of it alone. */
  readonly code: readonly string[];
  readonly types?: readonly string[];
  /** The names that may be imported, where not all are. */
  readonly names?: readonly string[];
}

/** Modules that are not ours, by who may import them. One that is not here is imported by nobody. */
const FOREIGN: Readonly<Record<string, Importers>> = {
  "node:buffer": { code: ["src/", "builtins/"], names: ["constants", "isAscii", "isUtf8", "transcode"] },
  "node:child_process": { code: ["src/exec/"] },
  "node:crypto": {
    code: [
      ...["src/audit/", "src/cli/", "src/exec/", "src/mcp/", "src/session/", "src/wasm/", "src/workspace/"],
      "src/config/server/callers.ts",
      ...["builtins/checksums/algorithm.ts", "builtins/sort/random-order.ts", "builtins/git/objects/object-format.ts"],
    ],
  },
  "node:diagnostics_channel": { code: ["src/mcp/http/telemetry.ts"], names: ["subscribe"] },
  "node:fs": {
    code: [
      "src/workspace/",
      ...["host-file", "own-arguments", "own-code", "private-directory", "process-figures", "process-memory", "state-file"].map(
        (name) => `src/host/${name}.ts`,
      ),
    ],
  },
  "node:http": { code: ["src/cli/viewer/", "src/mcp/http/", "src/mcp/sinks/otlp-sink.ts"] },
  "node:https": { code: ["src/mcp/sinks/otlp-sink.ts"] },
  "node:net": { code: ["src/cli/hook/", "src/mcp/sinks/syslog-connection.ts"] },
  // Node 20 has no such name to import: the whole of it is, in one place.
  "node:module": { code: ["src/host/compiled-code.ts"] },
  "node:os": { code: ["src/cli/", "src/exec/", "src/mcp/sinks/", "src/wasm/", "src/workspace/", "builtins/awk/run/runtime.ts"] },
  "node:path": { code: ["src/cli/", "src/config/", "src/exec/", "src/host/", "src/workspace/"] },
  "node:perf_hooks": { code: ["src/exec/call-control.ts"] },
  "node:readline": { code: ["src/cli/typed-lines.ts"] },
  "node:stream": { code: ["src/cli/", "src/session/session.ts", "src/mcp/sinks/syslog-connection.ts"], types: ["src/mcp/"] },
  "node:stream/consumers": { code: ["src/cli/hook/"] },
  "node:timers/promises": { code: ["src/cli/shelpa-main.ts", "src/exec/call-control.ts"] },
  "node:tls": { code: ["src/mcp/sinks/syslog-connection.ts"] },
  "node:url": { code: ["src/exec/executor-process.ts", "src/host/own-code.ts"], names: ["fileURLToPath", "pathToFileURL"] },
  "node:util": {
    code: ["src/cli/init/", "src/cli/serve-workspaces.ts", "src/mcp/http/workspaces.ts", "src/workspace/walk/"],
    names: ["isDeepStrictEqual", "promisify"],
  },
  "node:v8": { code: ["src/cli/shelpa-main.ts", "src/wasm/grammars.ts"], names: ["setFlagsFromString"] },
  "node:worker_threads": { code: ["src/exec/", "src/wasm/"] },
  "node:zlib": { code: ["src/audit/tar-archive.ts", "src/io/inflater.ts", "builtins/git/objects/inflate.ts", "src/host/own-code.ts"] },
  "@langchain/core/tools": { code: ["src/adapters/langchain.ts"] },
  "@modelcontextprotocol/server": { code: ["src/mcp/"], types: ["src/adapters/"] },
  "@modelcontextprotocol/server/stdio": { code: ["src/mcp/serve-stdio.ts"] },
  ...Object.fromEntries(
    ["api", "exporter-logs-otlp-http", "exporter-trace-otlp-http", "resources", "sdk-logs", "sdk-trace-base"].map((name) => [
      `@opentelemetry/${name}`,
      { code: ["src/mcp/http/telemetry.ts"] },
    ]),
  ),
  "@openai/agents": { code: ["src/adapters/openai-agents.ts"] },
  ai: { code: ["src/adapters/ai-sdk.ts"] },
  jose: { code: ["src/mcp/http/"] },
  "jsonc-parser": { code: ["src/cli/init/"] },
  pako: { code: ["builtins/git/diff/zlib-deflate.ts"], names: ["Deflate"] },
  "smol-toml": { code: ["src/config/", "src/cli/init/"] },
  yaml: { code: ["src/cli/init/"] },
  unbash: { code: ["src/shell/"] },
  "web-tree-sitter": { code: ["src/wasm/grammars.ts"], types: ["builtins/symbols/"] },
  zod: { code: ["src/config/", "src/mcp/"] },
};

/** Complaints on the imports of a file of src/ or builtins/. `files`: every file there is in the two. */
export function complaintsOfImports(source: Source, files: ReadonlySet<string>): string[] {
  const { path, imports } = source;
  return [
    ...imports.flatMap(({ specifier, module, names, typesOnly }) => {
      if (specifier.startsWith("."))
        return files.has(module) || isManifest(path, module) ? [] : [`${path} imports ${specifier}, which is no file of src/ or builtins/`];
      const known = Object.hasOwn(FOREIGN, specifier) ? FOREIGN[specifier] : undefined;
      const importers = [...(known?.code ?? []), ...(typesOnly ? (known?.types ?? []) : [])];
      if (!importers.some((importer) => path === importer || (importer.endsWith("/") && path.startsWith(importer))))
        return [`${path} imports ${specifier}`];
      return names.filter((name) => known?.names?.includes(name) === false).map((name) => `${path} imports ${name} of ${specifier}`);
    }),
    ...imports
      .filter(({ module, typesOnly }) => module !== PAGE && !typesOnly && module.startsWith(PAGE_CODE) !== path.startsWith(PAGE_CODE))
      .map(({ specifier }) => `${path} imports ${specifier} across the border of the page`),
    ...complaintsOfForm(source),
  ];
}

const isManifest = (path: string, module: string): boolean => path === MANIFEST.importer && module === MANIFEST.module;

/** An import is a statement, or `import("…")` of one literal: nothing computed, no attributes, no `require`, no directive. */
function complaintsOfForm(source: Source): string[] {
  const { path, comments, placesOf } = source;
  const found = [
    ...placesOf("ImportExpression").filter(({ node }) => {
      const from = child(node, "source");
      return from?.type !== "Literal" || typeof from["value"] !== "string" || node["options"] !== null || node["phase"] !== null;
    }),
    ...["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration"]
      .flatMap(placesOf)
      .filter(({ node }) => (path !== MANIFEST.importer && children(node, "attributes").length > 0) || (node["phase"] ?? null) !== null),
    ...placesOf("TSImportType").filter(({ node }) => node["options"] !== null || child(node, "source")?.type !== "Literal"),
    ...placesOf("TSImportEqualsDeclaration"),
    ...placesOf("TSModuleDeclaration").filter(() => !path.endsWith(".d.ts")),
  ];
  return [
    ...found.map(({ node }) => `${path}: ${textOf(source, node)}`),
    ...comments
      .filter((comment) => /^\/\s*<|^\s*@ts-|biome-ignore/.test(comment))
      .map((comment) => `${path}: a comment that directs: ${comment}`),
  ];
}
