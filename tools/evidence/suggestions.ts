/**
 * npm run suggestions: takes every refused line of the material (material.ts), of the attack rows, of the examples in the
 * documentation and of a generated set, runs it in the real bash, its `try:` here, and compares standard output, exit status
 * and the tree afterwards. Prints the counts and each `try:` that differs; ends with 1 where there is one, or where a suggested
 * line does not run. An `instead:` only has to run. Both are done for each of the two policies of redirections.
 *
 *   npm run suggestions -- [--only SOURCES] [--seed N] [--generated N] [--lines FILE] [--redirects refuse,record] [--list] [--json OUT] [LINES.jsonl]
 *
 * bash gets each line through `oracle/sandbox.sh` of the material, in a fresh copy of the line's tree.
 */
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { REDIRECT_POLICIES, type RedirectPolicy } from "../../src/config/policy.ts";
import { installedTools } from "./corpus.ts";
import { materialAt } from "./material.ts";
import { compared, Place, type RealShell, type Verdict } from "./suggestions/compared.ts";
import { type Refusal, Refusals } from "./suggestions/refusals.ts";
import { smallTree } from "./suggestions/small-tree.ts";
import { linesOf, SOURCE_NAMES, type SourceLine, type SourceName } from "./suggestions/sources.ts";

interface Row extends Refusal, SourceLine {
  readonly redirects: RedirectPolicy;
  readonly verdict: Verdict | undefined;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: SOURCE_NAMES.join(",") },
    seed: { type: "string", default: "1" },
    generated: { type: "string", default: "1000" },
    lines: { type: "string" },
    redirects: { type: "string", default: REDIRECT_POLICIES.join(",") },
    list: { type: "boolean", default: false },
    json: { type: "string" },
  },
});

const project = join(dirname(fileURLToPath(import.meta.url)), "..");
const sandbox = materialAt(project, "oracle/sandbox.sh");
const corpus = resolve(positionals[0] ?? materialAt(project, "agent-commands/lines.jsonl"));
const real: RealShell = { tools: installedTools(project), sandbox };
const small = smallTree();
try {
  const settings = {
    project,
    corpus,
    smallTree: small,
    seed: Number(values.seed),
    generated: Number(values.generated),
    lines: values.lines,
  };
  const wanted = values.only.split(",").filter((name): name is SourceName => SOURCE_NAMES.some((known) => known === name));
  const lines = wanted.flatMap((source) => linesOf(source, settings));
  const rows: Row[] = [];
  for (const redirects of REDIRECT_POLICIES.filter((name) => values.redirects.split(",").includes(name))) {
    const examinedRows = await examined(lines, redirects);
    console.log(`redirects = ${redirects}`);
    report(examinedRows);
    rows.push(...examinedRows);
  }
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows, null, 1));
} finally {
  rmSync(dirname(small), { recursive: true, force: true });
}

/** The refused ones of `lines`, compared; the lines of one tree together. */
async function examined(lines: readonly SourceLine[], redirects: RedirectPolicy): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const placeOf = ({ tree, setup = "" }: SourceLine): string => `${tree}\0${setup}`;
  for (const key of new Set(lines.map(placeOf))) {
    const [tree = "", script = ""] = key.split("\0");
    const place = new Place(tree, script === "" ? undefined : { script, sandbox });
    const refusals = await Refusals.open(place.root, redirects);
    try {
      for (const { line: written, ...rest } of lines.filter((line) => placeOf(line) === key)) {
        const line = written.replaceAll("{root}", place.root);
        const cwd = rest.cwd.replaceAll("{root}", place.root).replace(place.root, "").replace(/^\//, "");
        const refusal = await refusals.of(line, cwd);
        if (refusal === undefined) continue;
        const { suggested } = refusal;
        const verdict =
          suggested?.lost === undefined && suggested !== undefined
            ? await compared(place, { line, suggestion: suggested.line, cwd, redirects }, real)
            : undefined;
        // What is suggested goes by the files that there are.
        if (verdict !== undefined) place.restore();
        rows.push({ ...rest, redirects, line, ...refusal, verdict });
      }
    } finally {
      await refusals.close();
      place.remove();
    }
  }
  return rows;
}

function report(rows: readonly Row[]): void {
  console.log("source     refusals  try  equal  differ  not comparable  instead  none  characters  tokens (mean of a refusal)");
  for (const source of [...SOURCE_NAMES, "all"]) {
    const of = rows.filter((row) => source === "all" || row.source === source);
    if (of.length === 0) continue;
    const tried = of.filter(({ suggested }) => suggested !== undefined && suggested.lost === undefined);
    const kinds = (kind: Verdict["kind"]): number => tried.filter(({ verdict }) => verdict?.kind === kind).length;
    const mean = (size: (text: string) => number): string => (of.reduce((sum, { text }) => sum + size(text), 0) / of.length).toFixed(1);
    const instead = of.filter(({ suggested }) => suggested?.lost !== undefined).length;
    const cells = [
      of.length,
      tried.length,
      kinds("equal"),
      kinds("differs"),
      kinds("not comparable"),
      instead,
      of.length - tried.length - instead,
    ];
    const widths = [8, 4, 6, 7, 15, 8, 5];
    const figures = cells.map((cell, at) => String(cell).padStart((widths[at] as number) + 1)).join("");
    console.log(
      `${source.padEnd(10)}${figures} ${mean((text) => text.length).padStart(11)} ${mean((text) => encode(text).length).padStart(7)}`,
    );
  }
  const failed = rows.filter(({ verdict, runs }) => verdict?.kind === "differs" || !runs);
  for (const row of failed) show("DIFFERS", row);
  if (values.list) for (const row of rows) if (!failed.includes(row)) show(row.verdict?.kind ?? (row.suggested ? "instead" : "none"), row);
  if (failed.length > 0 || rows.length === 0) process.exitCode = 1;
}

const MOST_SHOWN = 300;
function show(what: string, { source, line, suggested, verdict, runs, detail }: Row): void {
  const clip = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);
  console.log(`\n${what} (${source}): ${clip(line)}`);
  if (suggested !== undefined)
    console.log(
      `  ${suggested.lost === undefined ? "try" : "instead"}: ${clip(suggested.line)}${suggested.lost === undefined ? "" : `  # ${suggested.lost}`}`,
    );
  else console.log(`  ${clip(detail)}`);
  if (verdict !== undefined && verdict.kind !== "equal") console.log(`  ${verdict.why}`);
  if (!runs) console.log("  it is refused itself");
}
