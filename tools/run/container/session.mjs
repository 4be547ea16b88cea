/** A conversation with a server over standard input and output, as a client of 2025-11-25 has it. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const ANSWER_MS = 60_000;

export class Session {
  #child;
  #waiting = new Map();
  #next = 1;
  errors = "";

  constructor(words, options) {
    const [program, ...args] = words;
    this.#child = spawn(program, args, { ...options, stdio: "pipe" });
    this.ended = new Promise((resolve) => this.#child.on("close", (status, signal) => resolve({ status, signal })));
    this.#child.on("error", (error) => (this.errors += error.message));
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.setEncoding("utf8").on("data", (piece) => (this.errors += piece));
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      const message = JSON.parse(line);
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    });
    void this.ended.then(() => this.#endAll());
  }

  /** The answer to a request. Rejects where the server ends first, or does not answer in time. */
  async asked(method, params) {
    const id = this.#next++;
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, ANSWER_MS)));
    const message = await Promise.race([answer, late]);
    clearTimeout(timer);
    if (message === undefined) throw new Error(`no answer to ${method}: ${this.errors.trim()}`);
    if (message.error !== undefined) throw new Error(`${method}: ${message.error.message}`);
    return message.result;
  }

  async initialized() {
    const result = await this.asked("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "container test", version: "1" },
    });
    this.#child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return result;
  }

  /** The text of the answer to a line. */
  async line(command) {
    const { content } = await this.asked("tools/call", { name: "shelpa_pipe", arguments: { command } });
    return content.map(({ text }) => text).join("");
  }

  close() {
    this.#child.stdin.end();
    return this.ended;
  }

  kill(signal) {
    this.#child.kill(signal);
    return this.ended;
  }

  #endAll() {
    for (const resolve of this.#waiting.values()) resolve(undefined);
    this.#waiting.clear();
  }
}
