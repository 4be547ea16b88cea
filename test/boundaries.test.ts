/**
 * The import rules of DESIGN §4, read off the source: who may touch files, processes and the network, and which way
 * dependencies point. A structure that only a habit keeps does not keep.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const top = fileURLToPath(new URL("..", import.meta.url));

interface Source {
  /** From the top of the project: "src/exec/engine.ts". */
  readonly path: string;
  readonly text: string;
  /** Modules as imported; files of ours as paths from the top. */
  readonly imports: readonly { readonly module: string; readonly typesOnly: boolean }[];
}

const sources = [...under("src"), ...under("builtins")].map(read);

function under(directory: string): string[] {
  return readdirSync(join(top, directory), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(directory, name));
}

function read(path: string): Source {
  const text = readFileSync(join(top, path), "utf8");
  const code = text.replace(/\/\*[^]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const statements = code.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[^;"'`]*?\sfrom\s+)?["']([^"']+)["']/gm);
  const dynamic = code.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g);
  const imports = [
    ...[...statements].map(([, type, module]) => ({ module: resolved(path, module as string), typesOnly: type !== undefined })),
    ...[...dynamic].map(([, module]) => ({ module: resolved(path, module as string), typesOnly: false })),
  ];
  return { path, text: code, imports };
}

function resolved(from: string, module: string): string {
  return module.startsWith(".") ? normalize(join(dirname(from), module)) : module;
}

function importers(of: (module: string) => boolean): string[] {
  return sources.filter(({ imports }) => imports.some(({ module }) => of(module))).map(({ path }) => path);
}

const outside = (paths: readonly string[], ...allowed: string[]): string[] =>
  paths.filter((path) => !allowed.some((prefix) => path.startsWith(prefix)));

describe("who may touch what", () => {
  test("the sources are found", () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(importers((module) => module === "node:fs").length).toBeGreaterThan(0);
  });
  test("files: only src/workspace", () => {
    expect(
      outside(
        importers((module) => /^(node:)?fs(\/|$)/.test(module)),
        "src/workspace/",
      ),
    ).toEqual([]);
  });
  test("processes and threads: only src/exec and src/wasm", () => {
    const found = importers((module) => /^(node:)?(child_process|worker_threads|cluster)$/.test(module));
    expect(outside(found, "src/exec/", "src/wasm/")).toEqual([]);
  });
  test("no network module anywhere but the MCP transports and the viewer of the audit", () => {
    const found = importers((module) => /^(node:)?(net|http|https|http2|dgram|dns|tls|inspector|repl|vm)(\/|$)/.test(module));
    expect(outside(found, "src/mcp/", "src/cli/viewer/")).toEqual([]);
  });
  test("hashing in a builtin: only where it is what the builtin does", () => {
    const found = importers((module) => module === "node:crypto").filter((path) => path.startsWith("builtins/"));
    expect(outside(found, "builtins/checksums/algorithm.ts", "builtins/sort/random-order.ts", "builtins/git/contents.ts")).toEqual([]);
  });
  test("nothing evaluates text as code", () => {
    const found = sources.filter(({ text }) => /\beval\s*\(|\bnew\s+Function\b|\bFunction\s*\(/.test(text)).map(({ path }) => path);
    expect(found).toEqual([]);
  });
  test("modules are named with node: and imported statically from a literal", () => {
    const builtinNames = /^(fs|path|os|util|stream|events|crypto|child_process|worker_threads|process|buffer|v8|url|readline)(\/|$)/;
    expect(importers((module) => builtinNames.test(module))).toEqual([]);
    const computed = sources.filter(({ text }) => /\bimport\(\s*[^"'\s]/.test(text) || /\brequire\s*\(/.test(text)).map(({ path }) => path);
    expect(computed).toEqual([]);
  });
});

/** What each layer may import of ours, besides itself. Types may come from anywhere above, code may not. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "src/io": [],
  "src/workspace": ["src/io", "src/walk/path-rules.ts"],
  "src/walk": ["src/io", "src/workspace", "src/builtin"],
  "src/compare": ["src/io", "src/search"],
  "src/search": ["src/io", "src/walk", "src/builtin"],
  "src/builtin": ["src/io", "src/workspace"],
  "src/wasm": ["src/io", "src/builtin", "src/workspace"],
  "src/shell": ["src/io", "src/walk", "src/search", "src/builtin", "src/workspace"],
  "src/audit": ["src/io", "src/compare", "src/workspace", "src/builtin", "src/walk/path-rules.ts"],
  "src/config": ["src/io", "src/workspace", "src/builtin", "src/shell/named-pipeline.ts", "src/exec/result.ts", "src/search"],
  "src/guard": ["src/io", "src/config", "src/shell", "src/builtin", "src/audit"],
  "src/exec": ["src/io", "src/config", "src/shell", "src/search", "src/builtin", "src/guard", "src/audit", "src/workspace", "builtins"],
  "src/session": ["src/io", "src/config", "src/exec", "src/builtin", "src/guard", "src/audit", "src/workspace", "builtins"],
  "src/mcp": ["src/io", "src/search", "src/shell", "src/session", "src/guard", "src/builtin", "src/exec", "builtins"],
  builtins: ["src/builtin", "src/io", "src/compare", "src/search", "src/walk", "src/wasm", "src/workspace"],
};

describe("which way dependencies point", () => {
  for (const [layer, allowed] of Object.entries(MAY_IMPORT)) {
    test(layer, () => {
      const wrong = sources
        .filter(({ path }) => path.startsWith(`${layer}/`))
        .flatMap(({ path, imports }) =>
          imports
            .filter(({ module, typesOnly }) => /^(src|builtins)\//.test(module) && !typesOnly)
            .filter(({ module }) => ![layer, ...allowed].some((prefix) => module === prefix || module.startsWith(`${prefix}/`)))
            .map(({ module }) => `${path} → ${module}`),
        );
      expect(wrong).toEqual([]);
    });
  }
  test("no builtin imports another", () => {
    const own = (path: string): string => path.split("/")[1]?.replace(/\.ts$/, "") ?? "";
    const wrong = sources
      .filter(({ path }) => path.startsWith("builtins/") && path !== "builtins/registry.ts")
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ module }) => module.startsWith("builtins/") && own(module) !== own(path))
          .map(({ module }) => `${path} → ${module}`),
      );
    expect(wrong).toEqual([]);
  });
  test("builtins see files only through the contract", () => {
    const wrong = sources
      .filter(({ path }) => path.startsWith("builtins/"))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ module }) => module.startsWith("src/workspace/") && !/\/(contract|file-error|file-status)\.ts$/.test(module))
          .map(({ module }) => `${path} → ${module}`),
      );
    expect(wrong).toEqual([]);
  });
});

describe("files a reader can hold", () => {
  test("past 400 lines only with a reason in the first comment", () => {
    const wrong = sources.filter(({ path }) => {
      const text = readFileSync(join(top, path), "utf8");
      const comment = /^\/\*\*[^]*?\*\//.exec(text)?.[0] ?? "";
      return text.split("\n").length > 400 && !/400|one table|one piece|one file because/i.test(comment);
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
  test("every file says in its first comment what it is", () => {
    const wrong = sources.filter(({ path }) => !readFileSync(join(top, path), "utf8").startsWith("/**")).map(({ path }) => path);
    expect(wrong).toEqual([]);
  });
});
