/** sed -i against GNU sed: random scripts over random files, and the files afterwards. Seeded as the other fuzzes are. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { sed } from "../../../builtins/sed/sed.ts";
import { quoteWord } from "../../../src/display/quote.ts";
import { runOurs } from "../../cases.ts";
import type { Dice } from "../../fuzz/dice.ts";
import { needs } from "../../needs.ts";
import { referenceTool, RUNS, toolDice } from "../tool-fuzz.ts";

needs("bash", referenceTool("sed", sed.reference)).test("random edits", { timeout: 60_000 + RUNS * 500 }, async () => {
  const dice = toolDice("sed -i");
  const found: string[] = [];
  for (let run = 0; run < RUNS && found.length < 5; run++) {
    const difference = await differenceOf(dice);
    if (difference !== undefined) found.push(difference);
  }
  expect(found).toEqual([]);
});

async function differenceOf(dice: Dice): Promise<string | undefined> {
  const base = mkdtempSync(join(tmpdir(), "sed-i-fuzz-"));
  try {
    const files = Object.fromEntries(["f", "g", "h"].map((name) => [name, content(dice)]));
    const names = Array.from({ length: 1 + dice.below(3) }, () => dice.pick(["f", "g", "h", "f", "g", "missing"]));
    const script = Array.from({ length: 1 + dice.below(3) }, () => `${dice.pick(ADDRESSES)}${dice.pick(COMMANDS)}`).join("\n");
    const flags = [dice.pick(["-i", "-i", "-i.b", "-i'o_*'"]), dice.pick(["", "", "-n", "-s", "-z", "-u"])].join(" ");
    const command = `sed ${flags} ${quoteWord(script)} ${names.join(" ")}`;
    const [real, ours] = [mkdtempSync(join(base, "real-")), mkdtempSync(join(base, "ours-"))];
    for (const directory of [real, ours]) for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const environment = { ...process.env, LC_ALL: "C.UTF-8" };
    const ran = spawnSync("bash", ["-c", command], { cwd: real, encoding: "utf8", env: environment, stdio: ["ignore", "pipe", "pipe"] });
    const theirs = { stdout: ran.stdout, stderr: ran.stderr, exit: ran.status, files: filesIn(real) };
    const { refused, ...answer } = await runOurs({ command, stdin: "" }, ours);
    if (refused !== undefined && theirs.exit !== 0) return undefined;
    const mine = { ...answer, files: filesIn(ours) };
    if (JSON.stringify(theirs) === JSON.stringify(mine)) return undefined;
    return `${command}\n${JSON.stringify(files)}\nreal ${JSON.stringify(theirs)}\nours ${JSON.stringify(mine)}`;
  } finally {
    rmSync(base, { recursive: true });
  }
}

const filesIn = (directory: string): string[] =>
  readdirSync(directory)
    .filter((name) => !name.startsWith("."))
    .sort()
    .map((name) => `${name}: ${readFileSync(join(directory, name), "utf8")}`);

function content(dice: Dice): string {
  const lines = Array.from({ length: dice.below(6) }, () => dice.pick(["a", "b", "ab", "", "ba a", "é"]));
  return lines.length === 0 ? "" : lines.join("\n") + (dice.chance(75) ? "\n" : "");
}

const ADDRESSES = ["", "", "", "1", "2", "$", "/a/", "1,2", "/a/,/b/", "2,$", "$!", "0~2", "1!"];
const COMMANDS = [
  ...[
    "s/a/X/",
    "s/a/X/g",
    "s/b*/-/2",
    "s/a/&\\n/",
    "s/a/X/w /dev/stdout",
    "s/a/X/p",
    "d",
    "p",
    "q",
    "Q",
    "q3",
    "=",
    "F",
    "l",
    "n",
    "N",
    "D",
    "P",
  ],
  ...[
    "h",
    "H",
    "g",
    "G",
    "x",
    "z",
    "y/ab/ba/",
    "i\\",
    "a text",
    "i text",
    "c text",
    "w /dev/stdout",
    "w /dev/stderr",
    "r g",
    "R h",
    "N;P;D",
    "n;d",
  ],
  ...["$!N", "G;h", ":a;s/^.\\{1,3\\}$/ &/;ta", "{p;d}", "s/(/x/", "W /dev/stdout"],
];
