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
  test("files: only src/workspace, and four of src/host for what belongs to no workspace", () => {
    const host = ["host-file", "own-arguments", "own-code", "process-memory"].map((name) => `src/host/${name}.ts`);
    expect(
      outside(
        importers((module) => /^(node:)?fs(\/|$)/.test(module)),
        "src/workspace/",
        ...host,
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
    expect(outside(found, "builtins/checksums/algorithm.ts", "builtins/sort/random-order.ts", "builtins/git/objects/contents.ts")).toEqual(
      [],
    );
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

/**
 * The rooms from the ground up (DESIGN §4): a file imports only from its own folder and from folders of lower numbers, types as
 * well as code. Two folders of one number know nothing of each other.
 */
const FLOORS: readonly (readonly [number, string])[] = [
  [1, "src/io"],
  [2, "src/glob"],
  [2, "src/regex"],
  [2, "src/dates"],
  [2, "src/display"],
  [3, "src/search"],
  [3, "src/workspace"],
  [3, "src/compare"],
  [4, "src/walk"],
  [4, "src/host"],
  [5, "src/builtin"],
  [6, "src/numbers"],
  [6, "src/shell"],
  [6, "src/wasm"],
  [7, "src/audit"],
  [7, "builtins"],
  [8, "src/config"],
  [9, "src/guard"],
  [10, "src/exec"],
  [11, "src/session"],
  [12, "src/mcp"],
  [13, "src/cli"],
  [14, "src/index.ts"],
];

const floorOf = (path: string): readonly [number, string] | undefined =>
  FLOORS.find(([, folder]) => path === folder || path.startsWith(`${folder}/`));

/** Besides the contract of the workspace (its files, its errors, what is known of a file). */
const BUILTINS_SEE = ["builtin", "compare", "dates", "display", "glob", "io", "numbers", "regex", "search", "walk", "wasm"];
const CONTRACT = /^src\/workspace\/(contract|file-error|file-status)\.ts$/;

describe("which way dependencies point", () => {
  test("every file stands on a floor", () => {
    expect(sources.filter(({ path }) => floorOf(path) === undefined).map(({ path }) => path)).toEqual([]);
  });
  for (const [floor, folder] of FLOORS) {
    test(`${floor} ${folder}`, () => {
      const wrong = sources
        .filter(({ path }) => floorOf(path)?.[1] === folder)
        .flatMap(({ path, imports }) =>
          imports
            .map(({ module }) => [module, floorOf(module)] as const)
            .filter(([, other]) => other !== undefined && other[1] !== folder && other[0] >= floor)
            .map(([module]) => `${path} → ${module}`),
        );
      expect(wrong).toEqual([]);
    });
  }
  test("no circle of code between files", () => {
    const code = new Map(
      sources.map(({ path, imports }) => [path, imports.filter(({ typesOnly }) => !typesOnly).map(({ module }) => module)]),
    );
    expect(circles(code)).toEqual([]);
  });
  test("a builtin sees the frame, the rooms for text and numbers, and files only through the contract", () => {
    const wrong = sources
      .filter(({ path }) => path.startsWith("builtins/"))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ module }) => module.startsWith("src/") && !BUILTINS_SEE.includes(module.split("/")[1] ?? "") && !CONTRACT.test(module))
          .map(({ module }) => `${path} → ${module}`),
      );
    expect(wrong).toEqual([]);
  });
  test("no builtin imports another's code, and none lies beside its folder", () => {
    const family = (path: string): string => path.split("/")[1] ?? "";
    const wrong = sources
      .filter(({ path }) => path.startsWith("builtins/") && path !== "builtins/registry.ts")
      .flatMap(({ path, imports }) => [
        ...(path.split("/").length < 3 ? [path] : []),
        ...imports
          .filter(({ module }) => module.startsWith("builtins/") && family(module) !== family(path))
          .map(({ module }) => `${path} → ${module}`),
      ]);
    expect(wrong).toEqual([]);
  });
});

/** Tables that are not empty, as a file's definitions name them: "FLAGS", or "{" for one that stands in the definition. */
function tablesOf({ text }: Source): string[] {
  if (!text.includes("defineBuiltin(")) return [];
  const named = [...text.matchAll(/^\s+flags(?:: (?!\{\},)(\{|\w+)|,)/gm)].map(([, table = "flags"]) => table);
  return [...new Set(named.filter((table) => table !== "{")), ...named.filter((table) => table === "{")];
}

const proofsIn = (files: readonly Source[]): number =>
  files.reduce((sum, { text }) => sum + [...text.matchAll(/\b(?:allFlagsRead|noFlagLeft)\(/g)].length, 0);

describe("no flag is forgotten", () => {
  const builtins = sources.filter(({ path }) => path.startsWith("builtins/"));
  const familyOf = ({ path }: Source): string => path.split("/")[1] ?? "";
  /** A file, and those of its family that it imports, they import and so on. */
  const reached = (from: Source, met = new Set<Source>()): Set<Source> => {
    if (met.has(from)) return met;
    met.add(from);
    for (const { module } of from.imports) {
      const next = builtins.find(({ path }) => path === module);
      if (next !== undefined && familyOf(next) === familyOf(from)) reached(next, met);
    }
    return met;
  };

  test("the definitions with flags are found", () => {
    expect(builtins.filter((source) => tablesOf(source).length > 0).length).toBeGreaterThan(50);
  });
  test("each table of flags reaches a compiler's proof that all of it is read", () => {
    const wrong = builtins.filter((source) => {
      const files = reached(source);
      const tables = [...files].filter(({ text }) => text.includes("satisfies FlagTable")).map(({ path }) => path);
      // A tool that hands its arguments on to one of its family (zgrep) has that one's table.
      const sharers = builtins.filter(({ imports, path }) => path !== source.path && imports.some(({ module }) => tables.includes(module)));
      return tablesOf(source).length > proofsIn([...new Set([...files, ...sharers])]);
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
  test("occurrences have the keys of their table; only a parser of arguments knows no table", () => {
    const bare = builtins.filter(({ text }) => /\bOccurrence\b(?!<)/.test(text.replace(/\bimport\b[^;]*;/g, "")));
    expect(bare.map(({ path }) => path)).toEqual(["builtins/fd/clap-arguments.ts"]);
  });
});

/** Sets of files that reach each other, by Tarjan's algorithm (1972): each set sorted, one line. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[] = [];
  const visit = (file: string): void => {
    indexes.set(file, indexes.size);
    lowest.set(file, indexes.get(file) as number);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue;
      if (!indexes.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file) as number, lowest.get(next) as number));
    }
    if (lowest.get(file) !== indexes.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) found.push(circle.sort().join(" "));
  };
  for (const file of graph.keys()) if (!indexes.has(file)) visit(file);
  return found;
}

describe("files a reader can hold", () => {
  test("past 400 lines only with a reason in the first comment", () => {
    const wrong = sources.filter(({ path }) => {
      const text = readFileSync(join(top, path), "utf8");
      const comment = /^\/\*\*[^]*?\*\//.exec(text)?.[0] ?? "";
      return text.split("\n").length > 400 && !/400|one table|one piece|one file because/i.test(comment);
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
  const files = ["src", "builtins", "bench", "tools", "test"].flatMap(under);
  const firstComment = (path: string): string => {
    const [, comment = ""] = /^(?:#!.*\n)?\/\*\*([^]*?)\*\//.exec(readFileSync(join(top, path), "utf8")) ?? [];
    return comment.replace(/\s*\n\s*\* ?/g, " ").trim();
  };
  test("every file says in its first comment what it is", () => {
    expect(files.filter((path) => !path.startsWith("test/") && firstComment(path) === "")).toEqual([]);
  });
  test("by a noun of the field or a verb, not by a clause without a head", () => {
    expect(files.filter((path) => HEADLESS.test(firstComment(path)))).toEqual([]);
  });
});

/** The beginnings of a first comment that can only be understood once the code has been read: "What is said of what …". */
const HEADLESS = /^(What|Where|Whether|How|Which|Who|Whose|When|Why|That|Of (?:which|what))\b/;
