/**
 * Random command lines and inputs through one of our builtins and through the real tool: many cases in one process
 * each. Seeded: SHELPA_FUZZ_SEED gives another lot, SHELPA_FUZZ_RUNS more of them.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BuiltinDefinition, Catalogue } from "../../src/builtin/definition.ts";
import { runArguments } from "../../src/exec/stage-run.ts";
import { inputFrom } from "../../src/io/input.ts";
import { quoteWord } from "../../src/io/quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { Workspace } from "../../src/workspace/workspace.ts";

export const RUNS = Number(process.env["SHELPA_FUZZ_RUNS"] ?? 120);
const SEED = Number(process.env["SHELPA_FUZZ_SEED"] ?? 20_260_226);

/** Texts are in the encoding of src/io/text.ts. */
export interface FuzzCase {
  readonly args: readonly string[];
  readonly stdin: string;
  /** Files in the working directory, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

/** Whether the tool on this machine is the one that `reference` names ("GNU coreutils 9.1"). */
export function hasReference(tool: string, reference: string): boolean {
  const [, product = "", version = ""] = /^(GNU \w+|util-linux) ([\d.]+)$/.exec(reference) ?? [];
  const { stdout } = spawnSync(tool, ["--version"], { encoding: "utf8" });
  return (
    typeof stdout === "string" &&
    (stdout.startsWith(`${tool} (${product}) ${version}\n`) || stdout.startsWith(`${tool} from ${product} ${version}`))
  );
}

/** mulberry32: small, and the same everywhere. */
export class Dice {
  #state: number;

  constructor(name: string) {
    this.#state = [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), SEED) >>> 0;
  }

  /** 0 ≤ result < below. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(of: readonly T[]): T {
    return of[this.below(of.length)] as T;
  }

  /** Between 0 and `most` picks, joined. */
  text(pieces: readonly string[], most: number): string {
    return Array.from({ length: this.below(most + 1) }, () => this.pick(pieces)).join("");
  }
}

/** What the real tool answers to each case. */
export function askTool(tool: string, cases: readonly FuzzCase[]): Answer[] {
  const directory = mkdtempSync(join(tmpdir(), "fuzz-"));
  try {
    const script = cases.map(({ args, stdin, files = {} }, at) => {
      writeFileSync(join(directory, `in${at}`), toBytes(stdin));
      for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, `${at}.${name}`), toBytes(content));
      const links = Object.keys(files).map((name) => `ln -sf ${at}.${name} ${name}`);
      const words = [tool, ...args].map(quoteWord).join(" ");
      return [...links, `${words} <in${at} >out${at} 2>err${at}; echo $? >exit${at}`].join("\n");
    });
    writeFileSync(join(directory, "script"), toBytes(`${script.join("\n")}\n`));
    execFileSync("bash", ["script"], {
      cwd: directory,
      env: { PATH: `${process.env["SHELPA_ORACLE"] ?? ""}:${process.env["PATH"] ?? ""}`, LC_ALL: "C.UTF-8", TZ: "UTC" },
    });
    const read = (name: string): string => toText(readFileSync(join(directory, name)));
    return cases.map((_, at) => ({ stdout: read(`out${at}`), stderr: read(`err${at}`), exit: Number(read(`exit${at}`)) }));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** What our builtin answers, its standard input cut into blocks at random places. */
export async function askOurs(definition: BuiltinDefinition, cases: readonly FuzzCase[]): Promise<Answer[]> {
  const dice = new Dice("blocks");
  const directory = mkdtempSync(join(tmpdir(), "fuzz-"));
  const workspace = Workspace.open(directory);
  const catalogue: Catalogue = { has: () => false, load: async () => undefined, names: () => [] };
  const answers: Answer[] = [];
  try {
    for (const { args, stdin, files = {} } of cases) {
      for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), toBytes(content));
      const [stdout, stderr]: [Uint8Array[], Uint8Array[]] = [[], []];
      const stage = runArguments(
        definition,
        definition.name,
        args.map((text) => ({ text })),
        {
          stdin: inputFrom(cut(toBytes(stdin), dice)),
          files: workspace,
          recorder: undefined,
          stderr: (bytes) => void stderr.push(Buffer.from(typeof bytes === "string" ? toBytes(bytes) : bytes)),
          limits: { lineBytes: 1 << 20, heldBytes: 1 << 24, spillBytes: 1 << 24 },
          nowMs: 0,
          timeZone: "UTC",
          wait: async () => {},
          randomBytes: (count) => new Uint8Array(count),
          catalogue,
        },
      );
      let step = await stage.next();
      for (; step.done !== true; step = await stage.next()) stdout.push(Buffer.from(step.value));
      answers.push({ stdout: toText(Buffer.concat(stdout)), stderr: toText(Buffer.concat(stderr)), exit: step.value });
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
  return answers;
}

/** Blocks whose memory is overwritten once the next one is asked for, as a producer may do. */
function* cut(bytes: Buffer, dice: Dice): Generator<Uint8Array, void> {
  for (let from = 0; from < bytes.length; ) {
    const to = from + 1 + dice.below(dice.chance(30) ? 4 : 400);
    const block = Buffer.from(bytes.subarray(from, to));
    yield block;
    block.fill(0x21);
    from = to;
  }
}

/** The cases in which the two differ, for a message. */
export async function differences(definition: BuiltinDefinition, cases: readonly FuzzCase[]): Promise<string[]> {
  const real = askTool(definition.name, cases);
  const ours = await askOurs(definition, cases);
  return cases.flatMap((example, at) => {
    const [theirs, own] = [JSON.stringify(real[at]), JSON.stringify(ours[at])];
    return theirs === own ? [] : [`${JSON.stringify(example)}\n  real ${theirs}\n  ours ${own}`];
  });
}
