/**
 * Supply chain: the packages, their licences, and the code that their installation runs; the WebAssembly in dist/, which
 * must be the reviewed one; and the executor as shipped, which must not be able to reach a network.
 */
import { createHash } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { jqModule } from "../builtins/jq/module.ts";
import { ripgrep } from "../builtins/rg/module.ts";
import { GRAMMARS, RUNTIME } from "../src/wasm/grammars.ts";

const top = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

interface LockedPackage {
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly resolved?: string;
}
const lock = JSON.parse(readFileSync(top("package-lock.json"), "utf8")) as { readonly packages: Readonly<Record<string, LockedPackage>> };
const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
/** The build bundles or copies all that dist/ holds, and lists it here. */
const { components } = JSON.parse(readFileSync(top("dist/sbom.cdx.json"), "utf8")) as {
  readonly components: readonly {
    readonly type: string;
    readonly name: string;
    readonly licenses: readonly { readonly expression: string }[];
  }[];
};
const shipped = components.filter(({ type }) => type === "library");

describe("packages", () => {
  test("what is shipped may be given on under the terms of our own licence, with its notice", () => {
    const allowed =
      /^(MIT|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|\(MIT OR Apache-2\.0\)|\(MIT AND Zlib\))$/;
    const wrong = shipped.filter(({ licenses }) => !allowed.test(licenses[0]?.expression ?? ""));
    expect(wrong.map(({ name, licenses }) => `${name}: ${JSON.stringify(licenses)}`)).toEqual([]);
  });
  test("their number is known: a package more is a decision", () => {
    expect(shipped.map(({ name }) => name)).toEqual([
      "@modelcontextprotocol/core",
      "@modelcontextprotocol/server",
      "@opentelemetry/api",
      "@opentelemetry/api-logs",
      "@opentelemetry/core",
      "@opentelemetry/exporter-logs-otlp-http",
      "@opentelemetry/exporter-trace-otlp-http",
      "@opentelemetry/otlp-exporter-base",
      "@opentelemetry/otlp-transformer",
      "@opentelemetry/resources",
      "@opentelemetry/sdk-logs",
      "@opentelemetry/sdk-metrics",
      "@opentelemetry/sdk-trace",
      "@opentelemetry/sdk-trace-base",
      "@opentelemetry/semantic-conventions",
      "@repomix/tree-sitter-wasms",
      "@tree-sitter-grammars/tree-sitter-kotlin",
      "@tree-sitter-grammars/tree-sitter-lua",
      "@vscode/tree-sitter-wasm",
      "jose",
      "jq-wasm",
      "jsonc-parser",
      "pako",
      "ripgrep",
      "smol-toml",
      "unbash",
      "web-tree-sitter",
      "yaml",
      "zod",
    ]);
  });
  test("every one is pinned by the hash of its contents, and comes from the registry", () => {
    const wrong = packages.filter(
      ([, { integrity, resolved }]) =>
        !/^sha512-/.test(integrity ?? "") || !(resolved ?? "https://registry.npmjs.org/").startsWith("https://registry.npmjs.org/"),
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
  });
  test("none runs code when it is installed but for those who build: the bundler, and grammars whose WebAssembly alone is used", () => {
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)).toEqual([
      "node_modules/@tree-sitter-grammars/tree-sitter-kotlin",
      "node_modules/@tree-sitter-grammars/tree-sitter-lua",
      "node_modules/esbuild",
    ]);
    const { scripts } = JSON.parse(readFileSync(top("package.json"), "utf8")) as { scripts: Record<string, string> };
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
  });
});

describe("WebAssembly in dist/", () => {
  const expected: Readonly<Record<string, string>> = {
    [jqModule.file]: jqModule.sha256,
    [ripgrep.file]: ripgrep.sha256,
    "grammars/web-tree-sitter.wasm.br": RUNTIME,
    ...Object.fromEntries(Object.entries(GRAMMARS).map(([name, hash]) => [`grammars/tree-sitter-${name}.wasm.br`, hash])),
  };
  test.each(Object.entries(expected))("%s", (file, hash) => {
    const bytes = readFileSync(top(`dist/${file}`));
    const module = file.endsWith(".br") ? brotliDecompressSync(bytes) : bytes;
    expect(createHash("sha256").update(module).digest("hex")).toBe(hash);
  });
  test("there is no other, and the bill of materials has each with its hash", () => {
    const found = readdirSync(top("dist"), { recursive: true, encoding: "utf8" }).filter((name) => /\.wasm(?:\.br)?$/.test(name));
    expect(found.sort()).toEqual(Object.keys(expected).sort());
    const listed = components.filter(({ type }) => type === "file").map(({ name }) => name.replace("dist/", ""));
    expect(listed.sort()).toEqual(found);
  });
});

describe("OpenTelemetry in dist/", () => {
  // The bundler breaks lines within texts, too.
  const textOf = (name: string): string => readFileSync(top(`dist/${name}`), "utf8").replaceAll("\\\n", "");
  const withIt = readdirSync(top("dist")).filter(
    (name) => name.endsWith(".js") && !name.startsWith("dev-") && textOf(name).includes("OTEL_BSP_MAX_QUEUE_SIZE"),
  );
  test("is one file, which needs nothing but Node", () => {
    expect(withIt).toEqual(["telemetry.js"]);
    const text = textOf("telemetry.js");
    const modules = new Set([...text.matchAll(/(?:from ?|import\()"([^"]+)"/g)].map(([, module = ""]) => module.replace(/^node:/, "")));
    expect([...modules].sort()).toEqual(["crypto", "diagnostics_channel", "fs", "http", "https", "path", "stream", "util", "zlib"]);
    expect(text).not.toMatch(/\brequire\(|\beval\(|new Function\(/);
  });
  test("no other file reads it at its start", () => {
    const readers = readdirSync(top("dist")).filter(
      (name) => name.endsWith(".js") && /from ?"\.\/telemetry\.js"/.test(readFileSync(top(`dist/${name}`), "utf8")),
    );
    expect(readers).toEqual([]);
  });
});

test("signatures of tokens are checked by one file, which is loaded where a server has an issuer", () => {
  const files = readdirSync(top("dist")).filter((name) => name.endsWith(".js") && !name.startsWith("dev-"));
  const having = (pattern: RegExp): readonly string[] => files.filter((name) => pattern.test(readFileSync(top(`dist/${name}`), "utf8")));
  expect(having(/JWKSNoMatchingKey/)).toEqual([expect.stringMatching(/^jwt-bearer-/)]);
  expect(having(/\bimport\("\.\/jwt-bearer-/)).toHaveLength(1);
  expect(having(/\bfrom\s*"\.\/jwt-bearer-|\bimport\s*"\.\/jwt-bearer-/)).toEqual([]);
});

test("zlib's deflate is one file, which is loaded where a binary patch is printed", () => {
  const files = readdirSync(top("dist")).filter((name) => name.endsWith(".js") && !name.startsWith("dev-"));
  const having = (pattern: RegExp): readonly string[] => files.filter((name) => pattern.test(readFileSync(top(`dist/${name}`), "utf8")));
  expect(having(/legacy_hash/)).toEqual([expect.stringMatching(/^zlib-deflate-/)]);
  expect(having(/\bimport\("\.\/zlib-deflate-/)).toEqual([expect.stringMatching(/^git-/)]);
  expect(having(/\bfrom\s*"\.\/zlib-deflate-|\bimport\s*"\.\/zlib-deflate-/)).toEqual([]);
});

describe("what the executor and its threads can reach, in dist/ as it is shipped", () => {
  const reached = reachable(["executor.js", "tool-worker.js", "look-ahead.js", "code-worker.js", "watchdog.js"]);
  const textOf = (name: string): string => readFileSync(top(`dist/${name}`), "utf8");
  const modules = new Set([...reached].flatMap((name) => importsOf(withoutTreeSitter(name)).filter((module) => !module.startsWith("."))));

  test("the builtins are among it", () => {
    expect(reached.size).toBeGreaterThan(80);
    expect(modules.size).toBeGreaterThan(5);
  });
  test("these modules of Node, and no package", () => {
    expect([...modules].sort()).toEqual(
      ["buffer", "crypto", "fs", "os", "path", "perf_hooks", "timers/promises", "url", "util", "v8", "worker_threads", "zlib"].map(
        (name) => `node:${name}`,
      ),
    );
  });
  test("no module that opens a connection, starts a program or gives out modules", () => {
    const forbidden = /^(node:)?(net|http|https|http2|tls|dns|dgram|quic|inspector|child_process|cluster|module|vm|repl|undici|ws)(\/|$)/;
    expect([...modules].filter((module) => forbidden.test(module))).toEqual([]);
  });
  test("nothing asks for a module by a name that is computed", () => {
    const wrong = [...reached].filter((name) => /\bimport\(\s*[^"'\s)]|\bcreateRequire\b|\brequire\(/.test(withoutTreeSitter(name)));
    expect(wrong).toEqual([]);
  });
  test("nothing uses what Node gives without an import, which the executor forgets besides (src/host/no-network.ts)", () => {
    const wrong = [...reached].filter((name) =>
      /\bfetch\(|\bnew (?:WebSocket|EventSource|XMLHttpRequest)\b|process\.(?:binding|getBuiltinModule|dlopen)\b/.test(
        withoutTreeSitter(name),
      ),
    );
    expect(wrong).toEqual([]);
    for (const entry of ["executor.js", "tool-worker.js", "look-ahead.js"])
      expect(textOf(entry)).toMatch(/(?<!function )\bforgetNetwork\(\)/);
    // The thread of `symbols` serves by a function that begins with it.
    expect(textOf("code-worker.js")).toContain("serveCodeThread(");
    expect([...reached].some((name) => /function serveCodeThread\([^)]*\)\s*\{\s*forgetNetwork\(\)/.test(textOf(name)))).toBe(true);
  });

  /** Emscripten's loader for tree-sitter can fetch, in a page, and asks Node for `require`: it is given its bytes, and needs neither. */
  function withoutTreeSitter(name: string): string {
    return name.startsWith("web-tree-sitter-") ? "" : textOf(name);
  }
  function importsOf(text: string): string[] {
    return [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)"([^"\n]+)"/g)]
      .map(([, module]) => module as string)
      .filter((module) => /^(\.\/|node:|@|[a-z]{2})[\w./@:-]*$/.test(module));
  }
  function reachable(entries: readonly string[]): ReadonlySet<string> {
    const found = new Set<string>(entries);
    for (const name of found)
      for (const module of importsOf(readFileSync(top(`dist/${name}`), "utf8"))) if (module.startsWith("./")) found.add(module.slice(2));
    return found;
  }
});
