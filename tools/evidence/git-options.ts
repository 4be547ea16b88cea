/**
 * npm run git-options: writes test/builtins/git/git-options.json, the flags of each command that is served here as git's own manual
 * and usage (`git COMMAND -h`) name them, from the git and the manual pages of this machine. A test holds the tables of flags to it.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { COMMANDS } from "../../builtins/git/commands/commands.ts";

const MANUAL = "/usr/share/man/man1";
const project = join(dirname(fileURLToPath(import.meta.url)), "..");

const table: Record<string, readonly string[]> = {};
for (const name of COMMANDS.keys()) table[name] = [...new Set([...manualFlags(name), ...usageFlags(name)])].sort();
writeFileSync(join(project, "test/builtins/git/git-options.json"), `${JSON.stringify(table, undefined, 2)}\n`);
console.log(
  `${Object.values(table).flat().length} flags of ${Object.keys(table).length} commands, ${spawnSync("git", ["--version"]).stdout}`.trim(),
);

/** The terms that the page defines: paragraphs with an indented text behind them. A page of several commands has them all. */
function manualFlags(name: string): readonly string[] {
  const [page = "", action] = name.split(" ");
  if (action !== undefined) return [];
  const text = gunzipSync(readFileSync(`${MANUAL}/git-${page}.1.gz`))
    .toString("latin1")
    .replace(/\\-/g, "-")
    .replace(/\\f[BIR]|\\&/g, "");
  const lines = text.split("\n");
  const terms = lines.flatMap((line, at) => {
    if (!line.startsWith(".RS 4")) return [];
    const start = lines.lastIndexOf(".PP", at);
    return lines
      .slice(start + 1, at)
      .join(" ")
      .split(/,\s+/);
  });
  return terms.flatMap(spelled);
}

/** The terms of the lines that begin with a flag. */
function usageFlags(name: string): readonly string[] {
  const { stdout, stderr } = spawnSync("git", [...name.split(" "), "-h"], { encoding: "utf8" });
  return `${stdout}${stderr}`
    .split("\n")
    .flatMap((line) => /^ {4}(-\S+(?:, -\S+)*)/.exec(line)?.[1]?.split(", ") ?? [])
    .flatMap(spelled);
}

/** `--[no-]x[=<y>]` → `--x`, `--no-x`. */
function spelled(term: string): readonly string[] {
  const [, no, name] = /^(?:--(\[no-\])?|-)([A-Za-z0-9][A-Za-z0-9-]*)/.exec(term.trim()) ?? [];
  if (name === undefined) return [];
  // `-<number>` and `-h`, which every command has, are none.
  if (!term.trim().startsWith("--")) return /^[A-Z]{2}/.test(name) || name === "h" ? [] : [`-${name[0]}`];
  return no === undefined ? [`--${name}`] : [`--${name}`, `--no-${name}`];
}
