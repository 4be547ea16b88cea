/**
 * Times what an agent waits for: warm calls through MCP beside a spawned `bash -c` with the real tools, in turn, for one
 * short line and for the lines that agents typed most.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { readCorpus, treeOf, type CorpusLine } from "../tools/evidence/corpus.ts";
import { median } from "./measure.ts";

const SHORT_LINE = "ls src | rg x";
const SHORT_CALLS = 200;
const CORPUS_LINES = 200;
const CORPUS_ROUNDS = 9;
/** Of the lines typed most, so many are listed. */
const SLOWEST = 20;
/** Calls that load and compile, before what is measured. */
const WARMING_CALLS = 2;

export interface LatencyOptions {
  /** The directory of the measuring material, and this checkout. */
  readonly material: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Timed {
  readonly command: string;
  readonly ours: number;
  readonly real: number;
}

/** Lines of Markdown. */
export async function latencyReport({ material, project, env }: LatencyOptions): Promise<readonly string[]> {
  const client = await connectedServer(project, project);
  const short = await timed(client, SHORT_LINE, { cwd: project, env, rounds: SHORT_CALLS });
  await client.close();
  const corpus = readCorpus(join(material, "agent-commands/lines.jsonl"));
  const most = corpus.toSorted((a, b) => b.count - a.count).slice(0, CORPUS_LINES);
  const lines = await timedCorpus(most, { material, project, env });
  const ratios = lines.map(({ ours, real }) => ours / real).toSorted((a, b) => a - b);
  const at = (share: number): string => (ratios[Math.floor(share * (ratios.length - 1))] ?? NaN).toFixed(2);
  const slowest = lines.toSorted((a, b) => b.ours / b.real - a.ours / a.real).slice(0, SLOWEST);
  return [
    "| warm call through MCP | ours, median ms | `bash -c`, median ms |",
    "|---|---|---|",
    `| \`${SHORT_LINE.replaceAll("|", "\\|")}\`, ${SHORT_CALLS} calls | ${short.ours.toFixed(2)} | ${short.real.toFixed(2)} |`,
    `| the ${lines.length} lines typed most that run here | ${median(lines.map(({ ours }) => ours)).toFixed(2)} | ${median(lines.map(({ real }) => real)).toFixed(2)} |`,
    "",
    `Of the ${most.length} lines typed most, ${most.length - lines.length} are refused. Ratio of the others: median ${at(0.5)}, nine in ten at most ${at(0.9)}, all at most ${at(1)};`,
    `${lines.filter(({ ours, real }) => ours < real).length} are faster than \`bash -c\`. The slowest by ratio:`,
    "",
    "| line | ours ms | `bash -c` ms | ratio |",
    "|---|---|---|---|",
    ...slowest.map(
      ({ command, ours, real }) =>
        `| \`${shortened(command).replaceAll("|", "\\|")}\` | ${ours.toFixed(1)} | ${real.toFixed(1)} | ${(ours / real).toFixed(2)} |`,
    ),
  ];
}

/** The lines that are not refused. */
async function timedCorpus(lines: readonly CorpusLine[], { material, project, env }: LatencyOptions): Promise<readonly Timed[]> {
  const found: Timed[] = [];
  for (const tree of new Set(lines.map((line) => line.tree))) {
    const root = treeOf(tree, material, "served-trees");
    const client = await connectedServer(project, root);
    for (const line of lines) {
      if (line.tree !== tree) continue;
      const command = line.command.replaceAll("{root}", root);
      const { isError } = await client.callTool({ name: "shelpa_pipe", arguments: { command, cwd: line.cwd } });
      if (isError === true) continue;
      found.push(await timed(client, command, { cwd: join(root, line.cwd), env, rounds: CORPUS_ROUNDS, argument: line.cwd }));
    }
    await client.close();
  }
  return found;
}

async function timed(
  client: Client,
  command: string,
  { cwd, env, rounds, argument = "." }: { cwd: string; env: Readonly<Record<string, string>>; rounds: number; argument?: string },
): Promise<Timed> {
  const ours: number[] = [];
  const real: number[] = [];
  for (let round = -WARMING_CALLS; round < rounds; round++) {
    const ownStart = performance.now();
    await client.callTool({ name: "shelpa_pipe", arguments: { command, cwd: argument } });
    const ownMs = performance.now() - ownStart;
    const realStart = performance.now();
    await new Promise((ended) => {
      const shell = spawn("bash", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
      shell.stdout.resume();
      shell.on("close", ended);
    });
    if (round < 0) continue;
    ours.push(ownMs);
    real.push(performance.now() - realStart);
  }
  return { command, ours: median(ours), real: median(real) };
}

/** A client of a server of its own. */
export async function connectedServer(project: string, root: string): Promise<Client> {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [join(project, "dist/shelpa-mcp.js"), "--root", root] }),
  );
  return client;
}

const shortened = (command: string): string =>
  (command.length <= 100 ? command : `${command.slice(0, 99)}…`).replaceAll(/\s+/g, " ").replaceAll("`", "'");
