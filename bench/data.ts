/** The data of the benchmarks, from a seed: the same every time. What is there already, at the size wanted, is kept. */
import { closeSync, existsSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

/** One object a line. */
export function makeJsonLines(path: string, bytes: number): void {
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
export function makePair(oldPath: string, newPath: string, lines: number): void {
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
export function makeLog(path: string, bytes: number): void {
  if (existsSync(path) && statSync(path).size >= bytes) return;
  mkdirSync(dirname(path), { recursive: true });
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

/** One line without an end. */
export function makeLine(path: string, bytes: number): void {
  if (existsSync(path) && statSync(path).size >= bytes) return;
  const block = Buffer.alloc(1_000_000, "abcdefghij");
  const file = openSync(path, "w");
  for (let written = 0; written < bytes; ) written += writeSync(file, block);
  closeSync(file);
}

/** Source-like files of about 2 KiB on average, 50 in a directory, one in forty with the word of the log's errors. */
export function makeFiles(root: string, count: number): void {
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

/** `count` entries, files of five kinds and directories of twenty-five of them. */
export function makeEntries(root: string, count: number): void {
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
export function linearCongruential(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
