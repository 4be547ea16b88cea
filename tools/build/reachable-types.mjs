/** Removes the type declarations that an importer of the library cannot reach: the compiler writes one for every source file. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** `entries` are paths below `directory`. */
export function keepReachable(directory, entries) {
  const reached = new Set();
  const open = entries.map((entry) => resolve(directory, entry));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const [, from] of readFileSync(file, "utf8").matchAll(/(?:from|import\(|import)\s*["'](\.[^"']*)["']/g)) {
      const imported = resolve(dirname(file), from.replace(/\.[cm]?[jt]s$/, ".d.ts"));
      if (existsSync(imported)) open.push(imported);
    }
  }
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    const file = resolve(directory, name);
    if (name.endsWith(".d.ts") && !reached.has(file)) rmSync(file);
  }
  removeEmpty(directory);
}

function removeEmpty(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(directory, entry.name));
  }
  if (readdirSync(directory).length === 0) rmSync(directory, { recursive: true });
}
