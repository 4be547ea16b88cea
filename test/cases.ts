/**
 * Tests as tables: one row, one behaviour. A row is a whole command line that runs in a fresh tree through the guard
 * and the engine. With SHELPA_ORACLE set (npm run test:reference) the same rows run through bash and the real tools
 * instead, so that no row can state what they do not do.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { BuiltinDefinition } from "../src/builtin/definition.ts";
import { DEFAULT_POLICY, type Policy } from "../src/config/policy.ts";
import type { RunLimits } from "../src/config/limits.ts";
import { LocalRunner } from "../src/exec/local-runner.ts";
import type { ViolationReason } from "../src/guard/violation.ts";
import { inputOf } from "../src/io/input.ts";
import { toBytes, toText } from "../src/io/text.ts";
import { tree } from "./tree.ts";
import { DISK, needs, oracle } from "./needs.ts";

/** A column left out means: no standard input, no files, no output, exit 0. Text is in the encoding of src/io/text.ts. */
export interface Row {
  readonly name: string;
  readonly command: string;
  readonly stdin?: string;
  /** Path → content, in the tree where the line runs. */
  readonly files?: Readonly<Record<string, string>>;
  /** Further lines for `tree`: directories, links, FIFOs. */
  readonly tree?: readonly string[];
  readonly modes?: Readonly<Record<string, number>>;
  readonly mtimes?: Readonly<Record<string, string>>;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exit?: number;
  /** What it prints depends on directories as a disk has them: their sizes, and names in the order in which they were made. */
  readonly isOnDisk?: true;
  /** Files as they must be afterwards; null: must not exist. */
  readonly after?: Readonly<Record<string, string | null>>;
  /** The guard refuses the line for this reason. The real tool is not asked. */
  readonly refused?: ViolationReason;
  /** A wanted difference from the real tool, with its reason; listed in docs/deviations.md. The real tool is not asked. */
  readonly differs?: string;
}

/** Runs `rows` as tests: where the real tools are asked, those in which we mean to be like them. */
export function lineCases(rows: readonly Row[]): void {
  const asked = oracle === undefined ? rows : rows.filter(({ differs, refused }) => differs === undefined && refused === undefined);
  for (const row of asked) needs(...(row.isOnDisk === true ? [DISK] : [])).test(row.name, {}, () => check(row));
}

/** Runs `rows`, and the examples of `definition`, as tests. */
export function cases(definition: BuiltinDefinition, rows: readonly Row[]): void {
  describe(definition.name, () => {
    lineCases(rows);
    // Our own stages have nobody to be asked.
    const examples = oracle !== undefined && definition.reference === "no other tool" ? [] : definition.examples;
    for (const example of examples) test(`example: ${example.command}`, () => check({ name: "", ...example }));
  });
}

async function check(row: Row): Promise<void> {
  const files = Object.entries(row.files ?? {}).map(([path, content]) => (content === "" ? `${path}:` : `${path}: ${content}`));
  const place = tree([...(row.tree ?? []), ...files], {
    modes: row.modes ?? {},
    mtimes: row.mtimes ?? {},
    isOnDisk: row.isOnDisk ?? false,
  });
  try {
    const outcome = oracle === undefined ? await runOurs(row, place.path) : runReal(row, place.path, oracle);
    const { stdout = "", stderr = "", exit = 0 } = row;
    if (row.refused !== undefined) expect(outcome.refused).toBe(row.refused);
    else expect(outcome).toEqual({ stdout, stderr, exit, refused: undefined });
    if (oracle === undefined) expect(openBelow(place.path)).toEqual([]);
    for (const [path, content] of Object.entries(row.after ?? {})) {
      expect(contentOf(`${place.path}/${path}`), path).toBe(content);
    }
  } finally {
    if (row.modes !== undefined) execFileSync("chmod", ["-R", "u+rwX", place.path]);
    place.remove();
  }
}

/** Files at or below the host directory `directory` that this process still holds open: a server would run out of descriptors. */
function openBelow(directory: string): readonly string[] {
  if (process.platform !== "linux") return [];
  const names = readdirSync("/proc/self/fd").map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      // That of the listing itself.
      return "";
    }
  });
  return names.filter((name) => name === directory || name.startsWith(`${directory}/`));
}

/** Null where there is no file that can be read. */
function contentOf(path: string): string | null {
  try {
    return toText(readFileSync(toBytes(path)));
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown) return null;
    throw thrown;
  }
}

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
  readonly refused: string | undefined;
}

/** Runs one line in `root` through guard and engine, in this process. Other endings than completed and refused throw. */
export async function runOurs(
  row: Pick<Row, "command" | "stdin">,
  root: string,
  limits: Partial<RunLimits> = {},
  policy: Partial<Policy> = {},
): Promise<Outcome> {
  const runner = new LocalRunner({
    root,
    aliases: [],
    policy: { ...DEFAULT_POLICY, ...policy, limits: { ...DEFAULT_POLICY.limits, ...limits } },
    timeZone: "UTC",
  });
  const stdout: Uint8Array[] = [];
  const stderr: Uint8Array[] = [];
  try {
    const result = await runner.run(
      { line: row.command, currentDirectory: "", previousDirectory: undefined, session: "test", client: "test", scratch: "test" },
      {
        stdin: inputOf(toBytes(row.stdin ?? "")),
        stdout: (block) => void stdout.push(Buffer.from(block)),
        stderr: (block) => void stderr.push(Buffer.from(block)),
      },
      new AbortController().signal,
    );
    const texts = { stdout: toText(Buffer.concat(stdout)), stderr: toText(Buffer.concat(stderr)) };
    switch (result.kind) {
      case "completed":
        return { ...texts, exit: result.exit, refused: undefined };
      case "refused":
        return { ...texts, exit: 2, refused: result.violations[0].reason };
      case "stopped":
        throw new Error(`stopped: ${result.limit} (${result.cap})`);
      case "faulted":
        throw new Error(`faulted: ${result.message}`);
    }
  } finally {
    await runner.close();
  }
}

function runReal(row: Row, directory: string, tools: string): Outcome {
  const ran = spawnSync("bash", ["-c", row.command], {
    cwd: directory,
    input: toBytes(row.stdin ?? ""),
    env: { PATH: `${tools}:/usr/bin:/bin`, HOME: directory, LC_ALL: "C.UTF-8", TZ: "UTC", TERM: "dumb" },
    maxBuffer: 1 << 28,
  });
  return { stdout: toText(ran.stdout), stderr: toText(ran.stderr), exit: ran.status ?? 128, refused: undefined };
}
