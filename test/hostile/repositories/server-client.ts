/** The shipped server over its standard streams, with a ping every 50 ms while a call runs: how long it is deaf. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Place } from "./place.ts";
import { Program } from "./program.ts";

const PROBE = fileURLToPath(new URL("loop-probe.mjs", import.meta.url));
const PING_INTERVAL_MS = 50;
const UNREAD_MS = 300;
/** For what a machine with other work, or a slow disk, takes its time over, and a fault for ever. */
const PATIENCE_MS = 15_000;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: {
    readonly content?: readonly { readonly text?: string }[];
    readonly isError?: boolean;
    readonly _meta?: { readonly exit_code?: number };
  };
}

/**
 * An answer to a call; undefined where none came in time. `isDone`: neither refused nor stopped, and exit status 0. `tookMs`: without
 * what other work on the machine took.
 */
export type Called = { readonly text: string; readonly whole: string; readonly isDone: boolean; readonly tookMs: number } | undefined;

export class ServerClient {
  readonly program: Program;
  readonly #waiting = new Map<number, (line: string, message: Message) => void>();
  readonly #probeFile: string;
  #nextId = 1;
  #readyAtMs = Infinity;
  /** The longest that a ping took, in milliseconds: with what this process and the machine make it wait. */
  longestPingMs = 0;

  constructor(place: Place, serverArguments: readonly string[]) {
    this.#probeFile = `${place.path}/loop-probe.json`;
    const args = ["--root", place.root, ...serverArguments.map((argument) => argument.replace("ROOT", place.root))];
    this.program = new Program(place, args, { nodeFlags: ["--import", PROBE], environment: { SHELPA_LOOP_PROBE: this.#probeFile } });
    this.program.onLine((line) => {
      const message = JSON.parse(line) as Message;
      if (message.method === undefined && message.id !== undefined) this.#waiting.get(message.id)?.(line, message);
    });
  }

  /** True if it answers a first call; its own start is not part of the measurement. */
  async ready(): Promise<boolean> {
    const answer = await this.#request("tools/call", { name: "shelpa_pipe", arguments: { command: "echo ok" } }, PATIENCE_MS, true);
    this.#readyAtMs = Date.now();
    return answer !== undefined;
  }

  async call(command: string, limitSeconds: number, waitMs: number): Promise<Called> {
    const startedMs = performance.now();
    const waitedBeforeMs = this.program.waitedMs();
    const pings: Promise<unknown>[] = [];
    const timer = setInterval(() => pings.push(this.#ping(waitMs, waitedBeforeMs)), PING_INTERVAL_MS);
    try {
      // A directory of its own, because a line that moves must not move those after it.
      const args = { command, timeout_seconds: limitSeconds, cwd: "." };
      const answer = await this.#request("tools/call", { name: "shelpa_pipe", arguments: args }, waitMs, false, waitedBeforeMs);
      if (answer === undefined) return undefined;
      const { content = [], isError = false, _meta } = answer.message.result ?? {};
      const text = content.map((block) => block.text ?? "").join("\n");
      const tookMs = performance.now() - startedMs - (this.program.waitedMs() - waitedBeforeMs);
      return { text, whole: answer.line, isDone: !isError && _meta?.exit_code === 0, tookMs };
    } finally {
      clearInterval(timer);
      await Promise.all(pings);
    }
  }

  /** Ends it as a client does; gives what is wrong, and the longest hold of its event loop in milliseconds. */
  async end(): Promise<{ readonly problems: readonly string[]; readonly heldMs: number }> {
    this.program.closeInput();
    const exit = await this.program.ends(PATIENCE_MS);
    if (exit === undefined) this.program.kill();
    const left = await this.program.leftBehind(PATIENCE_MS);
    const problems = [
      ...(exit === undefined ? ["the server did not end with its input"] : []),
      ...left.map((line) => `left behind: ${line}`),
    ];
    return { problems, heldMs: this.#longestHoldMs() };
  }

  async #ping(waitMs: number, waitedBeforeMs: number): Promise<void> {
    const startedMs = performance.now();
    await this.#request("ping", {}, waitMs, false, waitedBeforeMs);
    this.longestPingMs = Math.max(this.longestPingMs, performance.now() - startedMs);
  }

  async #request(
    method: string,
    params: object,
    waitMs: number,
    mayEnd: boolean,
    waitedBeforeMs?: number,
  ): Promise<{ readonly line: string; readonly message: Message } | undefined> {
    const id = this.#nextId++;
    let cancel = (): void => undefined;
    const answer = new Promise<{ line: string; message: Message } | undefined>((resolve) => {
      // Once more around the loop, because this process makes other trees meanwhile and may have an answer unread.
      cancel = this.program.after(waitMs, () => setTimeout(() => resolve(undefined), UNREAD_MS), waitedBeforeMs);
      this.#waiting.set(id, (line, message) => resolve({ line, message }));
    });
    this.program.send(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const first = await Promise.race([answer, ...(mayEnd ? [this.program.ends(waitMs).then(() => undefined)] : [])]);
    cancel();
    this.#waiting.delete(id);
    return first;
  }

  /** Infinity where it was killed, and so could not say. */
  #longestHoldMs(): number {
    if (!existsSync(this.#probeFile)) return Infinity;
    const holds = JSON.parse(readFileSync(this.#probeFile, "utf8")) as readonly { endedAtMs: number; heldMs: number }[];
    return Math.max(0, ...holds.filter(({ endedAtMs }) => endedAtMs > this.#readyAtMs).map(({ heldMs }) => heldMs));
  }
}
