/**
 * npm run ctags -- DIRECTORY… [--misses N]: compares `symbols` with universal-ctags (Debian: apt-get install
 * universal-ctags) on the same files: the share that `symbols` finds of ctags' functions, classes and methods, by language,
 * processor and wall time of both, and the first N differences of each language.
 */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LANGUAGES } from "../../builtins/symbols/languages.ts";
import { measured, median, type Measured } from "../../bench/measure.ts";

const project = join(dirname(fileURLToPath(import.meta.url)), "..");
const arguments_ = process.argv.slice(2);
const missesAt = arguments_.indexOf("--misses");
const MISSES = missesAt < 0 ? 0 : Number(arguments_[missesAt + 1]);
const directories = arguments_.filter((word, at) => word !== "--misses" && (missesAt < 0 || at !== missesAt + 1));
/** Each is measured so often, in turn; the median counts. */
const ROUNDS = Number(process.env["SHELPA_BENCH_ROUNDS"] ?? 3);

/** Kinds that ctags gives a function, a class or a method, in any language. */
const CTAGS_KINDS = /^(function|class|method|singletonMethod|generator|getter|setter|constructor|func)$/;
/** ctags' names for what has none. */
const NAMELESS = /^(__anon|Anonymous|anonymous|<lambda>|_$)/;

/** Words that are no name, which ctags takes for one where it has lost its way: `for (`, `flush();` after a comment. */
const RESERVED =
  /^(?:async|await|const|default|delete|else|export|for|function|if|import|in|new|null|override|package|return|switch|this|type|typeof|var|void|while)$/;

interface Definition {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly kind: string;
}

function timed(cwd: string, command: readonly string[], input?: string): Measured {
  return measured(command, { cwd, ...(input === undefined ? {} : { input }) });
}

/** Standard output, as text. */
const textOf = ({ stdout }: Measured): string => Buffer.from(stdout, "latin1").toString();

const shelpa = (line: string): readonly string[] => [process.execPath, join(project, "dist/shelpa.js"), "-c", line];

const languageOf = new Map(LANGUAGES.flatMap(({ name, extensions }) => extensions.map((extension) => [extension, name] as const)));
const extensionOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1).toLowerCase();

const cache = new Map<string, readonly string[]>();
for (const directory of directories) compare(resolve(directory));

function compare(root: string): void {
  const files = textOf(timed(root, shelpa("rg --files --no-require-git")))
    .split("\n")
    .filter((path) => languageOf.has(extensionOf(path)));
  const ctags = ["ctags", "--output-format=json", "--fields=+nK", "--kinds-all=*", "-f", "-", "-L", "-"];
  const ourRuns: Measured[] = [];
  const ctagsRuns: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ourRuns.push(timed(root, shelpa("symbols --json /./")));
    ctagsRuns.push(timed(root, ctags, files.join("\n")));
  }
  const ours = definitions(textOf(ourRuns[0] as Measured), ({ qualifiedName: _, ...found }) => found);
  const theirs = definitions(textOf(ctagsRuns[0] as Measured), (found) => found).filter(
    ({ kind, name }) => CTAGS_KINDS.test(kind) && !NAMELESS.test(name),
  );
  console.log(`\n## ${root}: ${files.length} files\n`);
  console.log(`symbols: ${figures(ourRuns)}; ctags: ${figures(ctagsRuns)}\n`);
  console.log(
    "| Language | files | ctags | found here | recall | no definitions | recall of the others | here alone |\n|---|--:|--:|--:|--:|--:|--:|--:|",
  );
  const known = new Set(ours.map(key));
  const seen = new Set(theirs.map(key));
  const missed: string[] = [];
  for (const { name: language } of LANGUAGES) {
    const isOf = ({ path }: { readonly path: string }): boolean => languageOf.get(extensionOf(path)) === language;
    const there = unique(theirs.filter(isOf));
    const own = ours.filter((one) => isOf(one) && /^(function|class|method|constructor)$/.test(one.kind));
    const misses = there.filter((one) => !known.has(key(one)));
    if (there.length + own.length === 0) continue;
    const found = there.length - misses.length;
    const alone = own.filter((one) => !seen.has(key(one))).length;
    const real = misses.filter((one) => isDefinition(one, source(root, one)));
    const wrong = misses.length - real.length;
    const recall = (of: number): string => (of === 0 ? "" : `${((100 * found) / of).toFixed(2)} %`);
    const cells = [there.length, found, recall(there.length), wrong, recall(there.length - wrong), alone];
    console.log(`| ${language} | ${files.filter((path) => isOf({ path })).length} | ${cells.join(" | ")} |`);
    missed.push(
      ...real.slice(0, MISSES).map((one) => `${language}: ${one.path}:${one.line}: ${one.kind} ${one.name} — ${source(root, one)}`),
    );
  }
  if (missed.length > 0) console.log(`\n${missed.join("\n")}`);
}

/** The name in one line of one file: kinds and scopes are called differently, and ctags keeps the dot of CSS. */
function key({ path, line, name }: Definition): string {
  const bare = name
    .replace(/^[.#](?=.)/, "")
    .replace(/^.*(::|\.)(?=[^.:])/, "")
    .replace(/\s+/g, "");
  return `${path}\0${line}\0${bare.replace(/^operator/, "")}`;
}

/**
 * Tells whether a symbol that only ctags has is a definition at all: not a word of the language, nor a number, nor
 * JavaScript's object that it calls a class, nor the parameter of Kotlin's lambda that it calls a method.
 */
function isDefinition({ path, kind, name }: Definition, line: string): boolean {
  if (/^[.#]?\d/.test(name) || RESERVED.test(name)) return false;
  if (kind === "class" && /\.[cm]?jsx?$/.test(path)) return /\bclass\b/.test(line);
  return kind !== "method" || !path.endsWith(".kt") || /\bfun\b/.test(line);
}

function unique(found: readonly Definition[]): readonly Definition[] {
  return [...new Map(found.map((one) => [key(one), one])).values()];
}

function definitions(lines: string, pick: (found: Definition & { readonly qualifiedName?: string }) => Definition): readonly Definition[] {
  return lines
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => pick(JSON.parse(line)));
}

function source(root: string, { path, line }: Definition): string {
  let lines = cache.get(path);
  if (lines === undefined) {
    lines = readFileSync(join(root, path), "latin1").split("\n");
    cache.set(path, lines);
  }
  return (lines[line - 1] ?? "").trim().slice(0, 100);
}

function figures(runs: readonly Measured[]): string {
  const wall = median(runs.map(({ wallMs }) => wallMs));
  const cpu = median(runs.map(({ cpuMs }) => cpuMs));
  return `${wall.toFixed(0)} ms (${cpu.toFixed(0)} ms of processor time), ${Math.max(...runs.map(({ peakMib }) => peakMib)).toFixed(0)} MiB`;
}
