/** A client that writes JSON-RPC lines to the server's standard input without a handshake, as an attacker on the wire can. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";

export interface AttackedServer {
  readonly program: string;
  readonly root: string;
  /** Further arguments. */
  readonly options?: readonly string[];
  /** For a server that must not be the superuser. */
  readonly userId?: number;
}

/** The first id of calls; rows use small ones. */
const FIRST_ID = 1_000_000;

export class AttackClient {
  readonly #server: ChildProcess;
  readonly #answers = new Map<number, (message: unknown) => void>();
  #received = "";
  #unread: Buffer[] = [];
  #errors = "";
  #nextId = FIRST_ID;

  constructor({ program, root, options = [], userId }: AttackedServer) {
    this.#server = spawn(process.execPath, [program, "--root", root, ...options], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, SHELPA_CANARY: "CANARY_ENV_9b1c44d0", ...(userId === undefined ? {} : { HOME: "/nonexistent" }) },
      ...(userId === undefined ? {} : { uid: userId, gid: userId }),
    });
    this.#server.stdin?.on("error", () => undefined);
    this.#server.stdout?.on("data", (block: Buffer) => this.#take(block));
    this.#server.stderr?.on("data", (block: Buffer) => {
      if (this.#errors.length < 1 << 16) this.#errors += block.toString();
    });
  }

  get processId(): number {
    return this.#server.pid ?? 0;
  }

  send(line: string | Uint8Array): void {
    this.#server.stdin?.write(line);
    this.#server.stdin?.write("\n");
  }

  /** The answer to one tool call, or undefined where none came in time. */
  call(args: Readonly<Record<string, unknown>>, waitMs: number): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), waitMs);
      this.#answers.set(id, (message) => {
        clearTimeout(timer);
        this.#answers.delete(id);
        resolve(message);
      });
      this.send(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "shelpa_pipe", arguments: args } }));
    });
  }

  /** Waits for the server and its executor, whose start is not part of the measured time. Returns the fault, or "". */
  async ready(): Promise<string> {
    const word = randomBytes(4).toString("hex");
    const answer = JSON.stringify((await this.call({ command: `echo ${word}` }, 60_000)) ?? "no answer in 60 s");
    return answer.includes(`${word}\\n`) ? "" : `${answer.slice(0, 300)} ${this.#errors.slice(0, 300)}`;
  }

  /** Every answer so far that is no answer to `call`. */
  get received(): string {
    return this.#received;
  }

  get errors(): string {
    return this.#errors;
  }

  /** Closes the reading end of the server's standard output. */
  closeOutput(): void {
    this.#server.stdout?.destroy();
  }

  /** Tells whether the server ends within `waitMs`. */
  ends(waitMs: number): Promise<boolean> {
    if (this.#server.exitCode !== null || this.#server.signalCode !== null) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), waitMs);
      this.#server.once("exit", () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  end(): void {
    this.#server.kill("SIGKILL");
  }

  #take(block: Buffer): void {
    let start = 0;
    for (let end = block.indexOf(10); end >= 0; end = block.indexOf(10, start)) {
      const line = Buffer.concat([...this.#unread, block.subarray(start, end)]).toString();
      this.#unread = [];
      start = end + 1;
      this.#answer(line);
    }
    if (start < block.length) this.#unread.push(block.subarray(start));
  }

  #answer(line: string): void {
    const message = JSON.parse(line) as { id?: unknown };
    const waiting = typeof message.id === "number" ? this.#answers.get(message.id) : undefined;
    if (waiting !== undefined) waiting(message);
    else this.#received += `${line}\n`;
  }
}
