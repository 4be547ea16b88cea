/**
 * npm run attacks [-- ID…]: every row of ../shared/attacks against the server over stdio, each in a fresh root, and what
 * fails. The contract is in that folder's README.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

interface AttackRow {
  readonly id: string;
  readonly note: string;
  readonly setup: string;
  readonly command: string;
  readonly expect: "refuse" | "safe-output" | "bounded";
  readonly forbid_regex: string;
  readonly must_regex?: string;
  /** bash, in ROOT; must exit 0. */
  readonly post?: string;
  readonly cwd?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly calls?: readonly string[];
  /** Lines for the server's standard input as they are. */
  readonly raw?: readonly string[];
  /** Two paths that another process swaps during `calls` calls. */
  readonly race?: { readonly a: string; readonly b: string; readonly calls: number };
  readonly max_ms?: number;
  readonly needs?: string;
}

/** The server's own limit, plus the second it has to answer. */
const DEFAULT_MAX_MS = 31_000;
const SECRET = "CANARY_OUT_7f3a9c21";
const project = join(dirname(fileURLToPath(import.meta.url)), "..");
const server = join(project, "dist/shelpa-mcp.js");
const rows = readFileSync(join(project, "../shared/attacks/rows.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as AttackRow);
const wanted = new Set(process.argv.slice(2));

async function runRows(): Promise<void> {
  let ran = 0;
  let failed = 0;
  let skipped = 0;
  for (const row of rows) {
    if (wanted.size > 0 && !wanted.has(row.id)) continue;
    const isRoot = process.getuid?.() === 0;
    if ((row.needs === "root" && !isRoot) || (row.needs === "non-root" && isRoot)) {
      skipped++;
      continue;
    }
    ran++;
    const problems = await attack(row);
    if (problems.length === 0) continue;
    failed++;
    console.log(`FAIL ${row.id}  ${row.note}\n  ${row.command.slice(0, 200)}`);
    for (const problem of problems) console.log(`  ${problem}`);
  }
  console.log(`attacks: ${ran - failed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed === 0 ? 0 : 1;
}

async function attack(row: AttackRow): Promise<string[]> {
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
  const bash = (script: string) =>
    spawnSync("bash", ["-c", script], { cwd: root, env: { ...process.env, ROOT: root, OUT: out }, encoding: "utf8" });
  bash(fill(row.setup));
  const before = inventory(out);
  const swapper = row.race === undefined ? undefined : startSwapper(join(root, row.race.a), join(root, row.race.b));
  const client = new RawClient(root);
  try {
    const problems = row.raw === undefined ? await callAndJudge(row, client, fill) : await sendRaw(row, client, fill);
    const still = await client.call({ command: "echo ok" }, 35_000);
    if (!JSON.stringify(still ?? "").includes("ok"))
      problems.push(`the next call is not answered: ${JSON.stringify(still)?.slice(0, 200)}`);
    swapper?.kill("SIGKILL");
    if (row.post !== undefined) {
      const post = bash(fill(row.post));
      if (post.status !== 0) problems.push(`post: exit ${post.status} ${post.stderr.slice(0, 200)}`);
    }
    if (inventory(out) !== before) problems.push("OUT was changed");
    return problems;
  } finally {
    swapper?.kill("SIGKILL");
    client.end();
    spawnSync("chmod", ["-R", "u+rwx", place]);
    spawnSync("rm", ["-rf", place]);
  }
}

async function callAndJudge(row: AttackRow, client: RawClient, fill: (text: string) => string): Promise<string[]> {
  const problems: string[] = [];
  const lines = row.calls ?? Array.from({ length: row.race?.calls ?? 1 }, () => row.command);
  for (const line of lines) {
    const startedMs = performance.now();
    const maxMs = row.max_ms ?? DEFAULT_MAX_MS;
    const answer = await client.call(
      { command: fill(line), ...(row.cwd === undefined ? {} : { cwd: fill(row.cwd) }), ...row.args },
      maxMs + 5000,
    );
    const tookMs = performance.now() - startedMs;
    if (answer === undefined) return [...problems, `no answer after ${Math.round(tookMs)} ms`];
    if (tookMs > maxMs) problems.push(`took ${Math.round(tookMs)} ms, not ${maxMs}`);
    problems.push(...judge(row, answer));
    if (problems.length > 0) break;
  }
  return problems;
}

function judge(row: AttackRow, answer: unknown): string[] {
  const problems: string[] = [];
  const text = JSON.stringify(answer);
  if (row.forbid_regex !== "" && new RegExp(row.forbid_regex).test(text))
    problems.push(`forbidden text in the answer: ${text.slice(0, 300)}`);
  if (row.must_regex !== undefined && !new RegExp(row.must_regex).test(text))
    problems.push(`the answer lacks ${row.must_regex}: ${text.slice(0, 300)}`);
  if (row.expect === "refuse" && !isRefusal(answer)) problems.push(`neither refused nor failed: ${text.slice(0, 300)}`);
  return problems;
}

/** A refusal, a protocol error, or a non-zero exit with a message. */
function isRefusal(answer: unknown): boolean {
  const { error, result } = answer as {
    error?: unknown;
    result?: { isError?: boolean; structuredContent?: { exit_code?: number; stderr?: string } };
  };
  if (error !== undefined || result?.isError === true) return true;
  return (result?.structuredContent?.exit_code ?? 0) !== 0;
}

async function sendRaw(row: AttackRow, client: RawClient, fill: (text: string) => string): Promise<string[]> {
  for (const line of row.raw ?? []) client.send(line === "@LINE20MB" ? `{"x":"${"a".repeat(20 << 20)}"}` : fill(line));
  await client.call({ command: "true" }, row.max_ms ?? DEFAULT_MAX_MS);
  const text = client.received();
  const problems: string[] = [];
  if (row.forbid_regex !== "" && new RegExp(row.forbid_regex).test(text)) problems.push("forbidden text in the answer");
  if (row.must_regex !== undefined && !new RegExp(row.must_regex).test(text))
    problems.push(`the answers lack ${row.must_regex}: ${text.slice(0, 300)}`);
  return problems;
}

/** JSON-RPC lines over the server's standard streams, without a handshake. */
class RawClient {
  readonly #server: ChildProcess;
  readonly #answers = new Map<number, (message: unknown) => void>();
  #received = "";
  #unread = "";
  #nextId = 1000;

  constructor(root: string) {
    this.#server = spawn(process.execPath, [server, "--root", root], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, SHELPA_CANARY: "CANARY_ENV_9b1c44d0" },
    });
    this.#server.stdin?.on("error", () => undefined);
    this.#server.stdout?.on("data", (block: Buffer) => this.#take(block.toString()));
  }

  send(line: string): void {
    this.#server.stdin?.write(`${line}\n`);
  }

  /** The answer to one tool call, or undefined where none came in time. */
  call(args: Readonly<Record<string, unknown>>, waitMs: number): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), waitMs);
      this.#answers.set(id, (message) => {
        clearTimeout(timer);
        resolve(message);
      });
      this.send(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "shelpa_pipe", arguments: args } }));
    });
  }

  /** Every line so far. */
  received(): string {
    return this.#received;
  }

  end(): void {
    this.#server.kill("SIGKILL");
  }

  #take(text: string): void {
    this.#received += text;
    this.#unread += text;
    for (let end = this.#unread.indexOf("\n"); end >= 0; end = this.#unread.indexOf("\n")) {
      const message = JSON.parse(this.#unread.slice(0, end)) as { id?: unknown };
      this.#unread = this.#unread.slice(end + 1);
      if (typeof message.id === "number") this.#answers.get(message.id)?.(message);
    }
  }
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

await runRows();
