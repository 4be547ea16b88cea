/** The shipped server on a folding volume, as tools/run/folding.mjs has it: on Linux, or as on macOS. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { Need } from "../needs.ts";

/** Command that starts the server, without its arguments: set by tools/run/folding.mjs. */
const COMMAND = process.env["SHELPA_FOLDING_SERVER"];

/** One as FAT has it, with names that its directories do not list. */
export const FAT_VOLUME: Need = {
  name: "a folding volume as FAT has it (npm run test:folding)",
  isHere: COMMAND !== undefined && process.env["SHELPA_FOLDING_VOLUME"] === "fat",
};

export const VOLUME: Need = { name: "a folding volume (npm run test:folding)", isHere: COMMAND !== undefined };

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

export class FoldingServer {
  readonly #process: ChildProcess;
  readonly #waiting: ((answer: Answer) => void)[] = [];

  /** `configuration` is TOML; `environment` is added to ours. */
  constructor(root: string, configuration = "", environment: Readonly<Record<string, string>> = {}) {
    writeFileSync(`${root}.toml`, configuration);
    const [program = "", ...args] = JSON.parse(COMMAND ?? "[]") as string[];
    const options = { stdio: ["pipe", "pipe", "inherit"] as ("pipe" | "inherit")[], env: { ...process.env, ...environment } };
    this.#process = spawn(program, [...args, "--root", root, "--config", `${root}.toml`], options);
    let unread = "";
    this.#process.stdout?.on("data", (text) => {
      const lines = `${unread}${String(text)}`.split("\n");
      unread = lines.pop() ?? "";
      for (const line of lines) this.#take(JSON.parse(line) as Message);
    });
  }

  #take({ result }: Message): void {
    if (result === undefined) return;
    const { content = [], isError = false } = result;
    this.#waiting.shift()?.({ text: content.map(({ text }) => text).join("\n"), isError });
  }

  /** The answer to `command`. */
  run(command: string): Promise<Answer> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      const params = { name: "shelpa_pipe", arguments: { command }, _meta: ENVELOPE };
      this.#process.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: this.#waiting.length, method: "tools/call", params })}\n`);
    });
  }

  async close(): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.stdin?.end();
    await ended;
  }
}

interface Message {
  readonly result?: { readonly content?: readonly { readonly text: string }[]; readonly isError?: boolean };
}

/** What `shelpa-mcp` prints, and its exit status, for these arguments. */
export function ran(...args: readonly string[]): { readonly stdout: string; readonly exit: number | null } {
  const [program = "", ...before] = JSON.parse(COMMAND ?? "[]") as string[];
  const { stdout, status } = spawnSync(program, [...before, ...args], { encoding: "utf8" });
  return { stdout, exit: status };
}
