/**
 * Random lines of the editors in random trees, ours and the real tools', each line in a tree of its own: names, kinds, modes, contents,
 * targets and times afterwards, messages and status. Seeded as the other fuzzes are; SHELPA_FUZZ_FOUND: a file for all differences.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect } from "vitest";
import { toText } from "../../../src/io/text.ts";
import { runOurs, type Outcome } from "../../cases.ts";
import { fuzzRuns, type Dice } from "../../fuzz/dice.ts";
import { needs, oracle } from "../../needs.ts";
import { referenceTool, toolDice } from "../tool-fuzz.ts";
import { EDITORS, randomCommand, type Writer } from "./random-line.ts";
import { plant, randomTree, type PlantedEntry } from "./random-tree.ts";
import { treeState, type TreeState } from "./tree-state.ts";
import { wantedDifference } from "./wanted-differences.ts";

const RUNS = fuzzRuns(150, 300);
/** Lines that one bash runs. */
const BATCH = 50;
const FOUND = process.env["SHELPA_FUZZ_FOUND"];
/** npm run fuzz -- writers; with SHELPA_FUZZ_WRITERS=cp,mv: those alone. */
const ASKED = (process.env["SHELPA_FUZZ_WRITERS"]?.split(",") as Writer[] | undefined) ?? EDITORS;

if (existsSync("/dev/shm")) process.env["TMPDIR"] = "/dev/shm";

export interface Case {
  readonly writer: Writer;
  readonly line: string;
  readonly planted: readonly PlantedEntry[];
}

export interface Ended extends Outcome {
  readonly state: TreeState;
}

const TOOLS = [
  referenceTool("cp", "GNU coreutils 9.1"),
  referenceTool("sed", "GNU sed 4.9"),
  { name: "GNU patch 2.7.6", isHere: /^GNU patch 2\.7\.6\n/.test(String(spawnSync("patch", ["--version"]).stdout)) },
];

needs("bash", "setsid", "find", ...TOOLS).test(`${RUNS} random lines`, { timeout: 60_000 + RUNS * 500 }, async () => {
  const dice = toolDice("writers");
  const found: string[] = [];
  const counts = new Map<string, number>();
  for (let done = 0; done < RUNS; done += BATCH) {
    const base = mkdtempSync(`${tmpdir()}/writers-fuzz-`);
    try {
      const cases = Array.from({ length: Math.min(BATCH, RUNS - done) }, (_, at) => randomCase(dice, base, at));
      const real = askTools(cases, base);
      for (const [at, each] of cases.entries()) {
        const root = `${base}/ours${at}`;
        const ours: Ended = { ...(await runOurs({ command: each.line }, root)), state: treeState(root) };
        const kind = differenceKind(each, real[at] as Ended, ours);
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
        if (kind.startsWith("unwanted")) found.push(shown(each, real[at] as Ended, ours));
      }
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  }
  console.log(`${RUNS} lines: ${JSON.stringify(Object.fromEntries([...counts].sort()), undefined, 1)}`);
  if (FOUND !== undefined) appendFileSync(FOUND, found.join("\n\n"));
  expect(found.slice(0, 10)).toEqual([]);
});

function randomCase(dice: Dice, base: string, number: number): Case {
  const writer = dice.pick(ASKED);
  // A file that is written over or touched changes under its other names too, and is replaced here.
  const isReplaced = writer === "cp" || writer === "sort" || writer === "patch" || writer === "touch";
  const planted = randomTree(dice, 9).filter(({ kind }) => !(isReplaced && kind === "hard link"));
  for (const place of ["ours", "real"]) {
    mkdirSync(`${base}/${place}${number}`);
    plant(`${base}/${place}${number}`, planted);
  }
  const root = `${base}/ours${number}`;
  return { writer, planted, line: randomCommand(writer, { dice, root, state: treeState(root), number }) };
}

function askTools(cases: readonly Case[], base: string): readonly Ended[] {
  const script = cases.map(
    (_, at) =>
      `(cd ${base}/real${at} && timeout 20 bash -c "$(cat ${base}/line${at})" </dev/null >${base}/out${at} 2>${base}/err${at}); echo $? >${base}/exit${at}`,
  );
  for (const [at, { line }] of cases.entries()) writeFileSync(`${base}/line${at}`, line);
  const env = { PATH: `${oracle === undefined ? "" : `${oracle}:`}/usr/bin:/bin`, HOME: base, LC_ALL: "C.UTF-8", TZ: "UTC" };
  // Without a terminal, which patch would ask.
  const { status } = spawnSync("setsid", ["-w", "bash"], { input: script.join("\n"), cwd: base, env });
  if (status !== 0) throw new Error(`bash ended with ${status}`);
  const read = (name: string): string => toText(readFileSync(`${base}/${name}`));
  return cases.map((_, at) => ({
    stdout: read(`out${at}`),
    stderr: read(`err${at}`),
    exit: Number(read(`exit${at}`)),
    refused: undefined,
    state: treeState(`${base}/real${at}`),
  }));
}

function differenceKind(example: Case, real: Ended, ours: Ended): string {
  if (JSON.stringify(told(real)) === JSON.stringify(told(ours))) return real.exit === 0 ? "same" : "same, with an error";
  const wanted = wantedDifference(example, real, ours);
  return `${wanted === undefined ? "unwanted" : "wanted"}: ${example.writer}: ${wanted ?? ""}`;
}

/** What is compared, by name; times of long ago as they are, others as "now". */
function told({ state, refused, ...outcome }: Ended): readonly (readonly [string, unknown])[] {
  const nowUs = Date.now() * 1000;
  const names = [...state].map(([path, { text, kind, modifiedUs }]): [string, unknown] => {
    return [`./${path}`, [text, kind === "symlink" ? "" : nowUs - modifiedUs > 100_000_000 ? modifiedUs : "now"]];
  });
  return [...Object.entries({ ...outcome, refused: refused ?? "" }), ...names];
}

/** The line with its tree, and where the two answers differ. */
function shown({ line, planted }: Case, real: Ended, ours: Ended): string {
  const [theirs, own] = [real, ours].map((ended) => new Map(told(ended)));
  const keys = [...new Set([...(theirs?.keys() ?? []), ...(own?.keys() ?? [])])];
  const rows = keys.flatMap((key) => {
    const [its, mine] = [theirs?.get(key), own?.get(key)].map((value) => JSON.stringify(value));
    return its === mine ? [] : [`${JSON.stringify(key)}\n  real ${its}\n  ours ${mine}`];
  });
  return [line, ...planted.map((entry) => `  ${JSON.stringify(Object.values(entry))}`), ...rows].join("\n");
}
