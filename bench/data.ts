/** Makes the data of the benchmarks from a seed: the same every time. A file that is there already at the size wanted is kept. */
import { closeSync, existsSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeRepository } from "./git-repository.ts";
import { linearCongruential } from "./random.ts";

const MB = 1_000_000;

/** Files that the rows name, each with the function that makes it. */
const DATA: Readonly<Record<string, (path: string) => void>> = {
  log: (path) => makeLog(path, 300 * MB),
  "log-3": (path) => makeLog(path, 3 * MB),
  "log-30": (path) => makeLog(path, 30 * MB),
  "log-50": (path) => makeLog(path, 50 * MB),
  "log-100": (path) => makeLog(path, 100 * MB),
  "two-gigabytes": (path) => makeLog(path, 2000 * MB),
  "one-line": (path) => makeLine(path, 1000 * MB),
  "lines.json": (path) => makeJsonLines(path, 50 * MB),
  old: (path) => makePair(path, join(dirname(path), "new"), 400_000),
  files: (path) => makeFiles(path, 20_000),
  small: (path) => makeFiles(path, 500),
  entries: (path) => makeEntries(path, 50_000),
  code: (path) => makeCode(path, 20_000),
  repository: makeRepository,
};

/** Makes in `directory` what the lines name, where it is not there yet. */
export function makeDataOf(lines: readonly string[], directory: string): void {
  mkdirSync(directory, { recursive: true });
  const words = new Set(lines.flatMap((line) => line.split(/\s+/)));
  for (const [name, make] of Object.entries(DATA)) if (words.has(name)) make(join(directory, name));
}

/** Writes JSON, one object a line. */
function makeJsonLines(path: string, bytes: number): void {
  if (existsSync(path) && statSync(path).size >= bytes) return;
  const file = openSync(path, "w");
  let written = 0;
  for (let number = 0; written < bytes; ) {
    let block = "";
    for (let line = 0; line < 5000; line++, number++) {
      const level = number % 7 === 0 ? "error" : "info";
      block += `${JSON.stringify({ x: number, level, msg: `request ${number} done`, tags: ["a", "b"], seconds: number * 1.5 })}\n`;
    }
    written += writeSync(file, block);
  }
  closeSync(file);
}

/** `lines` numbered lines in order, and the same with one in a hundred changed, removed or added. */
function makePair(oldPath: string, newPath: string, lines: number): void {
  if (existsSync(oldPath) && existsSync(newPath)) return;
  const random = linearCongruential(7);
  const old: string[] = [];
  const now: string[] = [];
  for (let number = 0; number < lines; number++) {
    const line = `${String(number).padStart(7, "0")} ${"abcdefgh".charAt(Math.floor(random() * 8)).repeat(Math.floor(random() * 30))}\n`;
    old.push(line);
    const fate = random() * 300;
    if (fate >= 1) now.push(fate < 2 ? line.replace(" ", " changed ") : line);
    if (fate >= 2 && fate < 3) now.push(`${String(number).padStart(7, "0")}a added\n`);
  }
  writeFileSync(oldPath, old.join(""));
  writeFileSync(newPath, now.join(""));
}

/** A log with levels, times, words and the odd error, the same every time. */
function makeLog(path: string, bytes: number): void {
  if (existsSync(path) && statSync(path).size >= bytes) return;
  const random = linearCongruential(42);
  const levels = ["INFO", "INFO", "INFO", "INFO", "DEBUG", "DEBUG", "WARN"];
  const words = ["request", "finished", "user", "cache", "lookup", "connection", "pool", "job", "queue", "token", "refresh", "upstream"];
  const file = openSync(path, "w");
  let written = 0;
  for (let number = 0; written < bytes; ) {
    let block = "";
    for (let line = 0; line < 5000; line++, number++) {
      const rare = random() < 0.001;
      const level = rare ? "ERROR" : levels[Math.floor(random() * levels.length)];
      const said = Array.from({ length: 8 }, () => words[Math.floor(random() * words.length)]).join(" ");
      block += `2026-01-01T00:00:00.${String(number % 1000).padStart(3, "0")}Z ${level} ${said}${rare ? ` TimeoutError: ${number}` : ""}\n`;
    }
    written += writeSync(file, block);
  }
  closeSync(file);
}

/** Writes one line without an end. */
function makeLine(path: string, bytes: number): void {
  if (existsSync(path) && statSync(path).size >= bytes) return;
  const block = Buffer.alloc(1_000_000, "abcdefghij");
  const file = openSync(path, "w");
  for (let written = 0; written < bytes; ) written += writeSync(file, block);
  closeSync(file);
}

/** Source-like files of about 2 KiB on average, 50 in a directory, one in forty with the word of the log's errors. */
function makeFiles(root: string, count: number): void {
  const done = join(root, "done");
  if (existsSync(done)) return;
  const random = linearCongruential(7);
  const words = ["import", "const", "return", "request", "buffer", "string", "number", "await", "index", "value", "token", "export"];
  for (let number = 0; number < count; number++) {
    const directory = join(root, `package-${Math.floor(number / 1000)}`, `part-${Math.floor(number / 50) % 20}`);
    if (number % 50 === 0) mkdirSync(directory, { recursive: true });
    let text = "";
    const lines = Math.floor(random() * 80) + 4;
    for (let line = 0; line < lines; line++) {
      text += `  ${Array.from({ length: 5 }, () => words[Math.floor(random() * words.length)]).join(" ")};\n`;
      if (line === 3 && number % 40 === 0) text += `  throw new TimeoutError("TimeoutError: ${number}");\n`;
    }
    writeFileSync(join(directory, `file-${number}.ts`), text);
  }
  writeFileSync(done, "");
}

/** TypeScript of about 2 KiB on average, 50 files in a directory: a class, functions and types in each, `Store40` in every fortieth. */
function makeCode(root: string, count: number): void {
  const done = join(root, "done");
  if (existsSync(done)) return;
  const random = linearCongruential(11);
  const words = ["read", "write", "fetch", "parse", "render", "update", "token", "state", "index", "value", "queue", "cache"];
  const word = (): string => words[Math.floor(random() * words.length)] ?? "";
  const named = (): string => `${word()}${word().replace(/^./, (letter) => letter.toUpperCase())}`;
  for (let number = 0; number < count; number++) {
    const directory = join(root, `package-${Math.floor(number / 1000)}`, `part-${Math.floor(number / 50) % 20}`);
    if (number % 50 === 0) mkdirSync(directory, { recursive: true });
    let text = `import { ${word()} } from "./file-${number + 1}.ts";\n\nexport interface Shape${number} { ${word()}: string; ${named()}?: number }\n\n`;
    text += `export class Store${number % 40 === 0 ? 40 : number} {\n  readonly #${word()}: Map<string, number> = new Map();\n\n`;
    for (let method = Math.floor(random() * 6) + 1; method > 0; method--) {
      text += `  ${named()}(${word()}: string): number {\n    // ${word()} ${word()}\n    const found = this.${word()}(${word()}, "${word()} ${word()}");\n`;
      text += `    if (found === undefined) return ${Math.floor(random() * 100)};\n    return found.${word()} + ${word()}.length;\n  }\n\n`;
    }
    text += "}\n\n";
    for (let functions = Math.floor(random() * 8); functions > 0; functions--) {
      text += `export function ${named()}(${word()}: readonly string[]): boolean {\n  for (const one of ${word()}) {\n`;
      text += `    if (one.startsWith("${word()}")) return ${named()}(one);\n  }\n  return false;\n}\n\n`;
    }
    writeFileSync(join(directory, `file-${number}.ts`), text);
  }
  writeFileSync(done, "");
}

/** `count` entries, files of five kinds and directories of twenty-five of them. */
function makeEntries(root: string, count: number): void {
  const done = join(root, "done");
  if (existsSync(done)) return;
  const endings = ["ts", "js", "md", "json", "txt"];
  for (let entry = 0, directory = 0; entry < count; directory++) {
    const path = join(root, `d${directory % 40}`, `e${directory}`);
    mkdirSync(path, { recursive: true });
    entry++;
    for (let number = 0; number < 24 && entry < count; number++, entry++) {
      writeFileSync(join(path, `f${entry}.${endings[entry % 5]}`), entry % 9 === 0 ? "x\n" : "");
    }
  }
  writeFileSync(done, "");
}

/** Numbers from 0 up to 1, the same for the same seed. */
