/** Attacks on the protocol rather than on a command line: raw lines for the server, and the answers they must get. */
import { readFileSync } from "node:fs";
import type { AttackClient } from "./attack-client.ts";
import { type AttackRow, judgeText } from "./attack-row.ts";

const FLOOD_CALLS = 10_000;
/** A server that holds 10,000 waiting calls holds them by the kilobyte, not by the megabyte. */
const MOST_RESIDENT_BYTES = 400 << 20;

/** Lines that would be too long for a table. */
const MADE_LINES: Readonly<Record<string, () => string | Uint8Array>> = {
  "@LINE20MB": () => `{"x":"${"a".repeat(20 << 20)}"}`,
  "@DEEP100K": () => `{"jsonrpc":"2.0","id":2,"method":"ping","params":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
  "@BADUTF8": () => Buffer.from('{"jsonrpc":"2.0","id":5,"method":"ping","x":"\xff\xfe\xc0\xaf"}', "latin1"),
};

/** Sends the lines of `row` and returns the faults of the answers. */
export async function attackWire(row: AttackRow, client: AttackClient, fill: (text: string) => string, maxMs: number): Promise<string[]> {
  for (const line of row.raw ?? []) {
    if (line === "@CLOSE_STDOUT") return closeOutput(client);
    if (line === "@FLOOD10K") return flood(client, maxMs);
    const made = MADE_LINES[line];
    if (made === undefined && line.startsWith("@")) return [`the gate does not know how to make ${line}`];
    client.send(made?.() ?? fill(line));
  }
  // Answered after what was sent before it, but for calls that still run.
  if ((await client.call({ command: "true" }, maxMs)) === undefined) return [`no answer after ${maxMs} ms`];
  const deadlineMs = Date.now() + 2000;
  while (judgeText(row, client.received).length > 0 && Date.now() < deadlineMs) await new Promise((resolve) => setTimeout(resolve, 20));
  return judgeText(row, client.received);
}

/** Every one of many calls at once is answered, in bounded memory. */
async function flood(client: AttackClient, maxMs: number): Promise<string[]> {
  let mostBytes = 0;
  const watch = setInterval(() => {
    mostBytes = Math.max(mostBytes, residentBytes(client.processId));
  }, 100);
  const answers = await Promise.all(Array.from({ length: FLOOD_CALLS }, (_, at) => client.call({ command: `echo ${at}` }, maxMs)));
  clearInterval(watch);
  const unanswered = answers.filter((answer) => answer === undefined).length;
  const wrong = answers.filter((answer, at) => answer !== undefined && !isEchoOrBusy(answer, at)).length;
  const problems: string[] = [];
  if (unanswered > 0) problems.push(`${unanswered} of ${FLOOD_CALLS} calls were not answered`);
  if (wrong > 0) problems.push(`${wrong} of ${FLOOD_CALLS} calls got another's answer`);
  if (client.received !== "") problems.push(`answered twice: ${client.received.slice(0, 200)}`);
  if (mostBytes > MOST_RESIDENT_BYTES) problems.push(`the server grew to ${mostBytes >> 20} MiB`);
  return problems;
}

function isEchoOrBusy(answer: unknown, at: number): boolean {
  const { error, result } = answer as { error?: unknown; result?: { isError?: boolean; content?: { text: string }[] } };
  return error !== undefined || result?.isError === true || result?.content?.[0]?.text === `${at}\n`;
}

/** A server whose client has gone ends by itself. */
async function closeOutput(client: AttackClient): Promise<string[]> {
  client.closeOutput();
  for (let at = 0; at < 5; at++) client.send(JSON.stringify({ jsonrpc: "2.0", id: at, method: "ping" }));
  if (!(await client.ends(10_000))) return ["the server still runs 10 s after its output was closed"];
  return /\n\s+at /.test(client.errors) ? [`it crashed: ${client.errors.slice(0, 300)}`] : [];
}

function residentBytes(processId: number): number {
  try {
    const [, pages] = readFileSync(`/proc/${processId}/statm`, "utf8").split(" ");
    return Number(pages) * 4096;
  } catch {
    return 0;
  }
}
