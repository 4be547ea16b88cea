/** Lines that may be refused, from everywhere that lines are written down. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type AttackRow, attackRows } from "../attack-row.ts";
import { readCorpus, treeOf } from "../corpus.ts";
import { generatedLines } from "./generated-lines.ts";

export interface SourceLine {
  readonly source: SourceName;
  /** `{root}` stands for the path of the tree. */
  readonly line: string;
  readonly cwd: string;
  /** The tree that it runs in. */
  readonly tree: string;
  /** Script of bash that prepares the tree. */
  readonly setup?: string;
}

export const SOURCE_NAMES = ["corpus", "attacks", "docs", "generated", "rewritten", "own"] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

export interface SourceSettings {
  readonly project: string;
  /** lines.jsonl of a directory `agent-commands`. */
  readonly corpus: string;
  readonly smallTree: string;
  readonly seed: number;
  readonly generated: number;
  /** Another file of lines, one a line, that run in the small tree; in place of the generated ones. */
  readonly lines?: string | undefined;
}

export function linesOf(source: SourceName, settings: SourceSettings): readonly SourceLine[] {
  const { project, corpus, smallTree, seed, generated, lines } = settings;
  const here = (line: string): SourceLine => ({ source, line, cwd: "", tree: smallTree });
  switch (source) {
    case "corpus": {
      const material = dirname(dirname(corpus));
      return readCorpus(corpus).map(({ command, cwd, tree }) => ({ source, line: command, cwd, tree: treeOf(tree, material) }));
    }
    case "attacks":
      return attackRows(project).rows.flatMap((row) => attackLines(row, settings));
    case "docs":
      return [...new Set(docFiles(project).flatMap((file) => examplesIn(readFileSync(file, "utf8"))))].map(here);
    case "rewritten":
      return linesIn(project, "rewritten-lines.txt").map(here);
    case "own":
      return ownLines(project).map(here);
    case "generated": {
      const all = lines === undefined ? generatedLines(seed, generated) : readFileSync(lines, "utf8").split("\n");
      return [...new Set(all)].filter((line) => line !== "").map(here);
    }
  }
}

/** Lines as an agent would type them, most of which are refused. */
export const ownLines = (project: string): readonly string[] => linesIn(project, "own-lines.txt");

/** The lines of a file beside this one, in which ⏎ stands for a newline. */
const linesIn = (project: string, name: string): readonly string[] =>
  readFileSync(join(project, "tools/evidence/suggestions", name), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.replaceAll("⏎", "\n"));

/** Rows for a server with arguments of its own, and those of raw protocol, have no line. */
function attackLines(row: AttackRow, { smallTree }: SourceSettings): readonly SourceLine[] {
  if (row.raw !== undefined || row.server !== undefined) return [];
  const lines = row.calls ?? (row.command === undefined || row.command === "" ? [] : [row.command]);
  return lines.map((line) => ({
    source: "attacks",
    line: filled(line),
    cwd: row.cwd === undefined ? "" : filled(row.cwd),
    tree: smallTree,
    setup: filled(row.setup),
  }));
}

const MOST_REPEATED_UNITS = 100_000;
const filled = (text: string): string =>
  text
    .replaceAll("{{ROOT}}", "{root}")
    .replaceAll("{{OUTNAME}}", "project-evil")
    .replaceAll("{{OUT}}", "{root}-evil")
    .replace(/\{\{REP:(.*?):(\d+)\}\}/g, (_, of: string, times: string) =>
      of.repeat(Math.min(Number(times), MOST_REPEATED_UNITS / of.length)),
    );

const docFiles = (project: string): readonly string[] => [
  join(project, "README.md"),
  ...readdirSync(join(project, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(project, "docs", name)),
];

/** Lines of blocks marked as sh or console, and those that a caret line stands under. */
function examplesIn(page: string): readonly string[] {
  const found: string[] = [];
  for (const [, language = "", block = ""] of page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)) {
    const rows = block.split("\n");
    // Lines and what they print.
    const isSession = rows.some((row) => row.startsWith("$ "));
    rows.forEach((row, at) => {
      if (language === "sh" && !isSession && !row.startsWith("#")) found.push(row);
      else if ((language === "console" || language === "sh") && row.startsWith("$ ")) found.push(row.slice(2));
      else if (language === "" && /^\s*\^+ [A-Z_]+: /.test(rows[at + 1] ?? "") && !row.startsWith("…")) found.push(row);
    });
  }
  return found.filter((row) => row.trim() !== "");
}
