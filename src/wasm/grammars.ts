/**
 * tree-sitter and its grammars, stored in dist/grammars/, compressed (tools/build/build.mjs): checked, loaded when a file first needs
 * one, kept for the process's life. They are WebAssembly linked by Emscripten whose JavaScript evaluates no text and gets
 * its bytes from here, so it runs under the executor's permissions.
 */
import { createHash } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import type { Parser, Query, Tree } from "web-tree-sitter";
import { ownBytes } from "../host/own-code.ts";

/** SHA-256 of each grammar, `tree-sitter-NAME.wasm` of the packages that tools/build/build.mjs names; anything else is not run. */
export const GRAMMARS = {
  bash: "a14e9ed880b2c3f16cd00c796c38d237a3e9b028bdec5b4315c76976e67b01ca",
  c: "f0c308e7465d6af2e1de71426afbcb22ba33390227db950652808d248da03bf3",
  "c-sharp": "d12d85996c25957b4c1b71e26db2d7cc8a294997b60642e9c2a3b031b2c66dd3",
  cpp: "77a65bd42f43c2dcd69af40c12a6c32d6ed81d360c025e9feb28911f8339fd69",
  css: "8a23977fe271357cce6f254ef88c9bebf3854602d8046605aef6a45c02135c59",
  go: "9504573f352b20be7f2f1911754d710622aedc15afff16d5ed8fb5645681aee7",
  java: "4fdeac4ca6ca089f06c6f7e562abcac1733cd465728cc7031ebb73c2019122c4",
  javascript: "5fb488d0cabb4775a594bab85682de5ad6ce83c0d6ac997a9f82dd084d571240",
  kotlin: "7009d69453bc8735e438b2818a633efb21c88f99782769abba60dffedfab73f7",
  lua: "6d95607fc7d78964cfdf065ccb1ba76be5ed217c5ec0d0a3cace13c59fa1ae43",
  php: "d4df6a6ff08c87c3ec4f9cbb785fe09998a0cb570e03f57d7b19b3acfb146aa7",
  powershell: "55526edd3545fb7e78ff88c39dd617d8b3c03a1d1a88209fffe5c64c7c7c8500",
  python: "16108b50df4ee9a30168794252ab55e7c93bfc5765d7fa0aa3e335752c515f47",
  ruby: "09a96427d7c72f0613ed470cd9812223fc4a91d6a9c025c0235cc6bd59ff96f4",
  rust: "0dac14947cb04d94466e3df659f80a4e264c216a60b3eda175eae4cf12ed7a8d",
  swift: "d084eceba50e9a83319f5d171051b53179bd22b6ea6419014900c602d52cfa28",
  tsx: "79e5da75ea62855a0cd67177685f0164eac87d5f630b3cbe1e0a099751ad30f8",
  typescript: "778025db5a8be0e70f8ccc3671e486dfeddd048c25d9e8a70c26de2e1bf6f97d",
} as const;

export type GrammarName = keyof typeof GRAMMARS;

/** SHA-256 of tree-sitter itself, web-tree-sitter.wasm of the package of that name. */
export const RUNTIME = "beca80e44cccbf2299ed4d1e3fa6462a9a6fe818aeebf847547a392227ce4acc";

/**
 * The most that a parse may take, in tree-sitter's reports (one every hundred operations): a fixed number, and a further one
 * for each 1,000 UTF-16 units. Ordinary code takes 7 to 16 for each 1,000, a hundred thousand unclosed brackets 30 to 50, at
 * up to a quarter of a millisecond. Counted and not timed, so that the result does not depend on the machine.
 */
const REPORTS_AT_LEAST = 5000;
const REPORTS_PER_THOUSAND = 20;

/**
 * The most steps that a query may look ahead in a tree with errors. From each node it looks for the next named one, so a run
 * of n brackets, which only an error has, takes n² steps: 3,000 of them a third of a second.
 */
const MOST_LOOKS_AHEAD = 10_000_000;

/**
 * Grammars whose lexer is one function so large that V8's optimising compiler takes tens of seconds of a core over it, and keeps
 * the process from ending until it is done. Their code stays as the first compiler made it.
 */
const NOT_OPTIMISED: ReadonlySet<GrammarName> = new Set(["powershell", "swift"]);

/** V8 looks at these when a module is loaded and when a function is called first; all other code keeps them. */
async function withoutOptimising<T>(work: () => Promise<T>): Promise<T> {
  setOptimising(false);
  try {
    return await work();
  } finally {
    setOptimising(true);
  }
}

function setOptimising(on: boolean): void {
  for (const flag of ["wasm-tier-up", "wasm-dynamic-tiering"]) setFlagsFromString(`--${on ? "" : "no-"}${flag}`);
}

/** The parser of one language. */
export class CodeParser {
  readonly #optimises: boolean;
  readonly #parser: Parser;
  readonly #compile: (source: string) => Query;
  readonly #queries = new Map<string, Query>();

  constructor(parser: Parser, optimises: boolean, compile: (source: string) => Query) {
    this.#optimises = optimises;
    this.#parser = parser;
    this.#compile = compile;
  }

  /**
   * The syntax tree of `text`, which the caller deletes; undefined where it, or a query of it, takes too many steps. Code with
   * errors has a tree too.
   */
  parse(text: string): Tree | undefined {
    let left = REPORTS_AT_LEAST + (text.length / 1000) * REPORTS_PER_THOUSAND;
    if (!this.#optimises) setOptimising(false);
    try {
      const tree = this.#parser.parse(text, null, { progressCallback: () => --left < 0 });
      if (tree === null) this.#parser.reset();
      else if (looksAhead(tree) <= MOST_LOOKS_AHEAD) return tree;
      else tree.delete();
      return undefined;
    } finally {
      if (!this.#optimises) setOptimising(true);
    }
  }

  /** A compiled query, kept for the next call. Throws if `source` is not a query of this language. */
  query(source: string): Query {
    let query = this.#queries.get(source);
    if (query === undefined) {
      query = this.#compile(source);
      this.#queries.set(source, query);
    }
    return query;
  }
}

/** Steps of a query from each node to the next named one beside it, where there are errors; not counted further than it matters. */
function looksAhead({ rootNode }: Tree): number {
  if (!rootNode.hasError) return 0;
  const cursor = rootNode.walk();
  let steps = 0;
  /** Nodes without a name just before. */
  let run = 0;
  for (let isIn = true; isIn && steps <= MOST_LOOKS_AHEAD; ) {
    run = cursor.nodeIsNamed ? 0 : run + 1;
    steps += run;
    if (cursor.nodeIsNamed && cursor.currentNode.hasError && cursor.gotoFirstChild()) continue;
    while (isIn && !cursor.gotoNextSibling()) {
      isIn = cursor.gotoParent();
      run = 0;
    }
  }
  cursor.delete();
  return steps;
}

/** tree-sitter and one grammar, compiled: what another thread of this process can parse with. */
export interface GrammarModules {
  readonly runtime: WebAssembly.Module;
  readonly grammar: WebAssembly.Module;
}

/** Undefined for a grammar that one thread alone may use: its code is kept slow by flags of the whole process. */
export async function modulesToShare(name: GrammarName): Promise<GrammarModules | undefined> {
  if (NOT_OPTIMISED.has(name)) return undefined;
  return { runtime: await compiled(RUNTIME_FILE), grammar: await compiled(name) };
}

/** Gives a thread that reads no files the modules that `codeParser` will take there. */
export function useModules(name: GrammarName, { runtime: ofRuntime, grammar }: GrammarModules): void {
  modules.set(RUNTIME_FILE, Promise.resolve(ofRuntime));
  modules.set(name, Promise.resolve(grammar));
}

const parsers = new Map<GrammarName, Promise<CodeParser>>();

export function codeParser(name: GrammarName): Promise<CodeParser> {
  let parser = parsers.get(name);
  if (parser === undefined) {
    parser = load(name);
    parsers.set(name, parser);
  }
  return parser;
}

async function load(name: GrammarName): Promise<CodeParser> {
  const treeSitter = await started();
  const language = NOT_OPTIMISED.has(name)
    ? await withoutOptimising(async () => treeSitter.Language.loadSync(await compiled(name)))
    : treeSitter.Language.loadSync(await compiled(name));
  const parser = new treeSitter.Parser().setLanguage(language);
  return new CodeParser(parser, !NOT_OPTIMISED.has(name), (source) => new treeSitter.Query(language, source));
}

let runtime: Promise<typeof import("web-tree-sitter")> | undefined;

function started(): Promise<typeof import("web-tree-sitter")> {
  runtime ??= start();
  return runtime;
}

async function start(): Promise<typeof import("web-tree-sitter")> {
  const treeSitter = await import("web-tree-sitter");
  const module = await compiled(RUNTIME_FILE);
  await treeSitter.Parser.init({
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void) {
      done(new WebAssembly.Instance(module, imports), module);
    },
  });
  return treeSitter;
}

/** Name of its file in grammars/. */
const RUNTIME_FILE = "web-tree-sitter";
const modules = new Map<GrammarName | typeof RUNTIME_FILE, Promise<WebAssembly.Module>>();

function compiled(name: GrammarName | typeof RUNTIME_FILE): Promise<WebAssembly.Module> {
  let module = modules.get(name);
  if (module === undefined) {
    const bytes = name === RUNTIME_FILE ? checkedBytes(`${name}.wasm`, RUNTIME) : checkedBytes(`tree-sitter-${name}.wasm`, GRAMMARS[name]);
    module = WebAssembly.compile(bytes);
    modules.set(name, module);
  }
  return module;
}

function checkedBytes(name: string, sha256: string): Uint8Array<ArrayBuffer> {
  const file = `grammars/${name}.br`;
  const bytes = ownBytes(file);
  const digest = createHash("sha256").update(bytes).digest("hex");
  if (digest !== sha256) throw new Error(`${file} is not the module that was built: its SHA-256 is ${digest}`);
  return bytes;
}
