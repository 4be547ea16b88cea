/**
 * npm run attacks [-- [--full] ID…]: runs every row of attacks against the server over stdio, each in a fresh root, and prints
 * the rows that fail; exits 1 if one does. The rows' contract is in test/attacks/README.md.
 *
 * A row's time is that of its call: the server is up before it. Calls get a time limit of some seconds and not the
 * server's own of thirty, unless --full is given; the promise, an answer one second after the limit, is the same. A row that
 * fails on time alone is tried once more after all others, with nothing beside it.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { AttackClient } from "./attack-client.ts";
import { type AttackRow, attackRows, judge, NEEDS_NON_ROOT, NEEDS_ROOT } from "./attack-row.ts";
import { attackWire } from "./attack-wire.ts";
import { MATERIAL_VARIABLE } from "./material.ts";

/** Rows at a time. */
const LANES = 3;
const SHORT_LIMIT_SECONDS = 3;
/** The server's own. */
const FULL_LIMIT_SECONDS = 30;
/** Time after the limit within which an answer must come. */
const GRACE_MS = 1000;
/** Further time allowed because the machine is shared with another lane and with the setups of rows; not part of the promise. */
const SHARED_MACHINE_MS = 1000;
const NOBODY = 65_534;
const SECRET = "CANARY_OUT_7f3a9c21";
const project = join(dirname(fileURLToPath(import.meta.url)), "..");

interface Settings {
  readonly limitSeconds: number;
}

interface Outcome {
  readonly row: AttackRow;
  readonly problems: readonly string[];
  /** True if only the time was wrong. */
  readonly isSlowOnly: boolean;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { full: { type: "boolean" } }, allowPositionals: true });
  const settings: Settings = { limitSeconds: values.full === true ? FULL_LIMIT_SECONDS : SHORT_LIMIT_SECONDS };
  const { rows, missing } = attackRows(project);
  const wanted = rows.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  if (missing !== undefined)
    console.log(`attacks: SKIPPED the rows of ${missing}, which is not there (${MATERIAL_VARIABLE}=DIR names another place)`);
  const isSuperuser = process.getuid?.() === 0;
  const startedMs = performance.now();
  const waiting = wanted.filter(({ needs }) => needs !== NEEDS_ROOT || isSuperuser);
  const total = waiting.length;
  const slow: AttackRow[] = [];
  let failed = 0;
  const report = ({ row, problems }: Outcome): void => {
    if (problems.length === 0) return;
    failed++;
    console.log(`FAIL ${row.id}  ${row.note}\n  ${row.command.slice(0, 200)}`);
    for (const problem of problems) console.log(`  ${problem}`);
  };
  const lane = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const outcome = await attack(row, settings);
      if (outcome.isSlowOnly) slow.push(row);
      else report(outcome);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  for (const row of slow) report(await attack(row, settings));
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  console.log(`attacks: ${total - failed} passed, ${failed} failed, ${wanted.length - total} need the superuser, ${seconds} s`);
  process.exitCode = failed === 0 && total > 0 ? 0 : 1;
}

async function attack(row: AttackRow, settings: Settings): Promise<Outcome> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "shelpa-attack-")));
  const root = join(place, "root");
  const out = `${root}-evil`;
  mkdirSync(root);
  mkdirSync(out);
  writeFileSync(join(out, "secret.txt"), `${SECRET}\n`);
  const fill = (text: string): string =>
    text
      .replaceAll("{{ROOT}}", root)
      .replaceAll("{{OUT}}", out)
      .replaceAll("{{OUTNAME}}", basename(out))
      .replace(/\{\{REP:([^]*?):(\d+)\}\}/g, (_, part: string, times: string) => part.repeat(Number(times)));
  const asNobody = row.needs === NEEDS_NON_ROOT && process.getuid?.() === 0;
  const identity = asNobody ? { uid: NOBODY, gid: NOBODY } : {};
  if (asNobody) for (const path of [place, root, out]) chownSync(path, NOBODY, NOBODY);
  const bash = (script: string) => run("bash", ["-c", script], { cwd: root, env: { ...process.env, ROOT: root, OUT: out }, ...identity });
  const setUp = await bash(fill(row.setup));
  const before = inventory(out);
  const swapper = row.race === undefined ? undefined : startSwapper(join(root, row.race.a), join(root, row.race.b));
  const server = join(project, "dist/shelpa-mcp.js");
  const client = new AttackClient({
    program: server,
    root,
    options: (row.server ?? []).map(fill),
    ...(asNobody ? { userId: NOBODY } : {}),
  });
  try {
    const problems: string[] = setUp.exit === 0 ? [] : [`setup: exit ${setUp.exit} ${setUp.stderr.slice(0, 200)}`];
    const unready = await client.ready();
    if (unready !== "") return { row, problems: [...problems, `the server does not start: ${unready}`], isSlowOnly: false };
    const { wrong, slow } =
      row.raw === undefined
        ? await callAndJudge(row, client, fill, settings)
        : { wrong: await attackWire(row, client, fill, row.max_ms ?? FULL_LIMIT_SECONDS * 1000), slow: [] };
    problems.push(...wrong);
    const next = row.raw?.includes("@CLOSE_STDOUT") === true ? "" : await client.ready();
    if (next !== "") problems.push(`the next call is not answered: ${next}`);
    swapper?.kill("SIGKILL");
    if (row.post !== undefined) {
      const post = await bash(fill(row.post));
      if (post.exit !== 0) problems.push(`post: exit ${post.exit} ${post.stderr.slice(0, 200)}`);
    }
    if (inventory(out) !== before) problems.push("OUT was changed");
    return { row, problems: [...problems, ...slow], isSlowOnly: problems.length === 0 && slow.length > 0 };
  } finally {
    swapper?.kill("SIGKILL");
    client.end();
    if (existsSync(place)) spawnSync("chmod", ["-R", "u+rwx", place]);
    spawnSync("rm", ["-rf", place]);
  }
}

async function callAndJudge(
  row: AttackRow,
  client: AttackClient,
  fill: (text: string) => string,
  { limitSeconds }: Settings,
): Promise<{ readonly wrong: readonly string[]; readonly slow: readonly string[] }> {
  const lines = row.calls ?? Array.from({ length: row.race?.calls ?? 1 }, () => row.command);
  const ownLimit = row.args?.["timeout_seconds"];
  const seconds = typeof ownLimit === "number" ? ownLimit : limitSeconds;
  const maxMs = Math.min(row.max_ms ?? Infinity, seconds * 1000 + GRACE_MS) + SHARED_MACHINE_MS;
  for (const line of lines) {
    const startedMs = performance.now();
    const args = { timeout_seconds: limitSeconds, ...(row.cwd === undefined ? {} : { cwd: fill(row.cwd) }), ...row.args };
    const answer = await client.call({ command: fill(line), ...args }, FULL_LIMIT_SECONDS * 1000 + 10_000);
    const tookMs = Math.round(performance.now() - startedMs);
    const wrong = judge(row, answer);
    const slow = tookMs > maxMs ? [`took ${tookMs} ms, not ${maxMs}`] : [];
    if (wrong.length + slow.length > 0) return { wrong, slow };
  }
  return { wrong: [], slow: [] };
}

/** Runs a program beside the other lane. */
function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly uid?: number; readonly gid?: number },
): Promise<{ readonly exit: number | null; readonly stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (block: Buffer) => (stderr += block.toString()));
    child.on("close", (exit) => resolve({ exit, stderr }));
  });
}

/** Names, sizes and content of everything in a directory, as one text. */
function inventory(directory: string): string {
  return execFileSync("bash", ["-c", "find . -printf '%p %y %m %s\\n' | sort; find . -type f -exec sha256sum {} +"], {
    cwd: directory,
    encoding: "utf8",
  });
}

/** Exchanges two paths as fast as it can (renameat2 with RENAME_EXCHANGE), until killed. */
function startSwapper(a: string, b: string): ChildProcess {
  const program =
    "import ctypes,sys\nc=ctypes.CDLL(None)\na,b=[p.encode() for p in sys.argv[1:]]\nwhile True: c.renameat2(-100,a,-100,b,2)";
  return spawn("python3", ["-c", program, a, b], { stdio: "ignore" });
}

await main();
