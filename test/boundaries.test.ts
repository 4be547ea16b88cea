/**
 * The import rules of DESIGN §4, read off the source: who may touch files, processes and the network, and which way
 * dependencies point. A structure that only a habit keeps does not keep.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ALLOWED, REFUSED } from "./boundaries/attacks.ts";
import { complaintsOfFlags, definitionsIn, keysWithoutReader, proofsIn, registered, tablesOf } from "./boundaries/flags.ts";
import { complaintsOfImports, complaintsOfName } from "./boundaries/imports.ts";
import { complaintsOfPowers } from "./boundaries/powers.ts";
import { parse, type Source } from "./boundaries/source.ts";
import { complaintsOfState, STATEFUL } from "./boundaries/state.ts";

const top = fileURLToPath(new URL("..", import.meta.url));

const ours = [...under("src"), ...under("builtins")];
const files: ReadonlySet<string> = new Set(ours);
const sources = ours.filter((path) => path.endsWith(".ts")).map((path) => parse(path, readFileSync(join(top, path), "utf8")));

function under(directory: string): string[] {
  return (
    readdirSync(join(top, directory), { recursive: true, encoding: "utf8" })
      .map((name) => join(directory, name))
      // The conformance suites install theirs below test/.
      .filter((path) => !path.includes("/node_modules/") && !statSync(join(top, path)).isDirectory())
  );
}

describe("who may touch what", () => {
  test("the sources are found", () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.filter(({ imports }) => imports.some(({ module }) => module === "node:fs")).length).toBeGreaterThan(0);
  });
  test("a file is one of TypeScript", () => {
    expect([...ours, ...under("test")].flatMap(complaintsOfName)).toEqual([]);
  });
  test("imports are of our own files, and of the modules that their importers may have", () => {
    expect(sources.flatMap((source) => complaintsOfImports(source, files))).toEqual([]);
  });
  test("nothing evaluates text, loads modules or reaches network, process or clock without an import", () => {
    expect(sources.flatMap(complaintsOfPowers)).toEqual([]);
  });
  test("nothing that a module declares changes after its import, but in the files that say why", () => {
    const found = sources.filter((source) => complaintsOfState(source).length > 0).map(({ path }) => path);
    expect(found.sort()).toEqual(Object.keys(STATEFUL).sort());
  });
});

describe("what the rules refuse", () => {
  const complaints = (path: string, text: string): string[] => {
    const source = parse(path, text);
    const wrong = [
      ...complaintsOfImports(source, files),
      ...complaintsOfPowers(source),
      ...complaintsOfState(source),
      ...complaintsOfFlags(source),
    ];
    return [...complaintsOfName(path), ...wrong];
  };
  test.each(REFUSED)("%s: %s", (path, text) => expect(complaints(path, text)).not.toEqual([]));
  test.each(ALLOWED)("but not %s: %s", (path, text) => expect(complaints(path, text)).toEqual([]));
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
  [13, "src/adapters"],
  [13, "src/cli"],
  [14, "src/index.ts"],
];

const floorOf = (path: string): readonly [number, string] | undefined =>
  FLOORS.find(([, folder]) => path === folder || path.startsWith(`${folder}/`));

/** Besides the contract of the workspace (its files, its errors, what is known of a file). */
const BUILTINS_SEE = ["builtin", "compare", "dates", "display", "glob", "io", "numbers", "regex", "search", "walk", "wasm"];
const CONTRACT = /^src\/workspace\/(contract|file-error|file-error-words|file-status)\.ts$/;

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
    const proofs = new Map(builtins.map((source) => [source, proofsIn(source)]));
    const wrong = builtins.filter((source) => {
      const tables = tablesOf(source).length;
      if (tables === 0) return false;
      const family = reached(source);
      const definers = [...family].filter(({ text }) => text.includes("satisfies FlagTable")).map(({ path }) => path);
      // A tool that hands its arguments on to one of its family (zgrep) has that one's table.
      const sharers = builtins.filter(
        ({ imports, path }) => path !== source.path && imports.some(({ module }) => definers.includes(module)),
      );
      return tables > [...new Set([...family, ...sharers])].reduce((sum, file) => sum + (proofs.get(file) ?? 0), 0);
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
  test("a proof is given what is left of the flags, and nothing is put away unread", () => {
    expect(builtins.flatMap(complaintsOfFlags)).toEqual([]);
  });
  test("a key that has only an empty case is read elsewhere, or has no effect", () => {
    const wrong = builtins.flatMap((source) => {
      const family = builtins.filter((other) => familyOf(other) === familyOf(source));
      return keysWithoutReader(source, family).map((key) => `${source.path}: ${key}`);
    });
    expect(wrong).toEqual([]);
  });
  test("what the registry loads is made by defineBuiltin, and all that is so made is in the registry", () => {
    const registry = sources.find(({ path }) => path === "builtins/registry.ts") as Source;
    const loaded = registered(registry).map(({ module, name }) => `${module} ${name}`);
    const defined = builtins.flatMap((source) => definitionsIn(source).map((name) => `${source.path} ${name}`));
    expect([...new Set(loaded)].sort()).toEqual(defined.sort());
    expect(loaded.length).toBe(registry.placesOf("ImportExpression").length);
  });
  test("an empty case, and a definition that defineBuiltin has not seen, are found", () => {
    const proof = 'switch (one.key) { case "ghost": case "all": break; default: noFlagLeft(one); }';
    const table = 'const FLAGS = { ghost: { kind: "switch", overrides: ["all"] }, all: { kind: "switch", unread: true } };';
    const toy = parse("builtins/toy/toy.ts", `${table} for (const one of occurrences) ${proof}`);
    expect(keysWithoutReader(toy, [toy])).toEqual(["ghost"]);
    const reader = parse("builtins/toy/run.ts", "const { ghost } = flags;");
    expect(keysWithoutReader(toy, [toy, reader])).toEqual([]);
    expect(definitionsIn(parse("builtins/toy/toy.ts", 'export const toy: BuiltinDefinition = { name: "toy" };'))).toEqual([]);
    expect(definitionsIn(parse("builtins/toy/toy.ts", "export const toy = defineBuiltin({});"))).toEqual(["toy"]);
  });
  test("occurrences have the keys of their table; only a parser of arguments knows no table", () => {
    const bare = builtins.filter(({ placesOf, text }) =>
      placesOf("TSTypeReference").some(({ node }) => /^Occurrence$/.test(text.slice(node.start, node.end))),
    );
    expect(bare.map(({ path }) => path)).toEqual(["builtins/fd/clap-arguments.ts"]);
  });
});

describe("tests that test", () => {
  test("none is left out, tried again or expected to fail: one that needs a program says so with needs()", () => {
    const found = under("test").filter((path) => {
      if (!path.endsWith(".ts") || path === "test/needs.ts" || path === "test/boundaries.test.ts") return false;
      return PUT_ASIDE.test(readFileSync(join(top, path), "utf8"));
    });
    expect(found).toEqual([]);
  });
  test.each(["test.skip(1)", "it.todo(1)", "describe . only(1)", 'test["fails"]', "test.concurrent.skip", "x.skipIf(1)", "{ retry: 3 }"])(
    "%s is found",
    (text) => expect(text).toMatch(PUT_ASIDE),
  );
});

/** Ways to leave a test out or to let it fail. */
const PUT_ASIDE =
  /\b(?:test|it|describe|suite|concurrent|sequential|each)\s*(?:\.\s*|\[\s*["'`])(?:skip|todo|fails|only)\b|\b(?:skipIf|runIf|xit|xtest|xdescribe)\b|\bretry\s*:\s*[\d{]/;

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
  const commented = ["src", "builtins", "bench", "tools", "test"].flatMap(under).filter((path) => /\.m?ts$|^tools\/.*\.mjs$/.test(path));
  const firstComment = (path: string): string => {
    const [, comment = ""] = /^(?:#!.*\n)?\/\*\*([^]*?)\*\//.exec(readFileSync(join(top, path), "utf8")) ?? [];
    return comment.replace(/\s*\n\s*\* ?/g, " ").trim();
  };
  test("every file says in its first comment what it is", () => {
    expect(commented.filter((path) => !path.startsWith("test/") && isEmpty(firstComment(path)))).toEqual([]);
  });
  test("by a noun of the field or a verb, not by a clause without a head", () => {
    expect(commented.filter((path) => HEADLESS.test(firstComment(path)))).toEqual([]);
  });
});

/** The beginnings of a first comment that can only be understood once the code has been read: "What is said of what …". */
const HEADLESS =
  /^[^\p{L}\p{N}]*(?:[\w-]+: )?[^\p{L}\p{N}]*(?:what|where|whether|how|which|who|whose|when|why|that|of (?:which|what))\b(?!:)/iu;

/** Fewer than three words, or words that stand for a comment that nobody wrote. */
const isEmpty = (comment: string): boolean =>
  (comment.match(/[\p{L}\p{N}]+/gu) ?? []).length < 3 ||
  /^\W*(?:todo|fixme|xxx|misc\w*|(?:in )?this (?:file|module)|various|helpers?|utilit\w*)\b/i.test(comment);
