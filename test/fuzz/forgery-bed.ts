/** The whole MCP server in this process over a real tree, with a client that a human sits at: one case after another. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { PassThrough } from "node:stream";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { toBytes } from "../../src/io/text.ts";
import { Approvals } from "../../src/mcp/approval.ts";
import { Redactor } from "../../src/mcp/redaction.ts";
import { serveOverStdio } from "../../src/mcp/serve-stdio.ts";
import type { ShellAnswer, ShellService } from "../../src/mcp/shell-service.ts";
import { createShellService } from "../../src/mcp/service.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import type { WireResult } from "./own-lines.ts";

/** A directory in memory where there is one: each record is waited for until it is on disk. */
const MEMORY = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Results of one request. */
export interface Exchange {
  readonly result: WireResult | undefined;
  /** The shell's own answer when the line last ran; undefined where no line ran. */
  readonly answer: ShellAnswer | undefined;
  readonly questions: readonly { readonly message: string; readonly files: number }[];
  /** The error of the protocol. */
  readonly error: string | undefined;
  readonly log: readonly string[];
}

/** A change made to the shell's answer before the server gets it. */
export type Ending = (answer: ShellAnswer) => ShellAnswer;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly message?: string };
  readonly result?: WireResult;
  readonly error?: { readonly message?: string };
}

export class ForgeryBed {
  readonly root: string;
  readonly workspace: Workspace;
  readonly #service: ShellService;
  /** A server for each allowance of characters that was asked for. */
  readonly #connections = new Map<string, Promise<Connection>>();
  readonly #log: string[] = [];
  #answer: ShellAnswer | undefined;
  #previewed = 0;
  #ending: Ending = (answer) => answer;

  static async open(): Promise<ForgeryBed> {
    const root = `${realpathSync(mkdtempSync(`${MEMORY}/shelpa-forgery-`))}/root`;
    mkdirSync(root);
    return new ForgeryBed(root, await createShellService({ root, policy: DEFAULT_POLICY, aliases: [], isolation: "none" }));
  }

  private constructor(root: string, service: ShellService) {
    this.root = root;
    this.#service = service;
    this.workspace = Workspace.open(root);
  }

  /** `name` below the root, in the encoding of src/io/text.ts; false where the file system has no room for it. */
  file(name: string, content: string): boolean {
    const path = toBytes(`${this.root}/${name}`);
    try {
      mkdirSync(path.subarray(0, path.lastIndexOf(47)), { recursive: true });
      writeFileSync(path, toBytes(content));
      return true;
    } catch (thrown) {
      // Too long, or a directory has that name already.
      if (thrown instanceof Error && "syscall" in thrown) return false;
      throw thrown;
    }
  }

  async request(
    method: string,
    params: object,
    options: { readonly allowance: number; readonly agrees: boolean; readonly challenge: boolean; readonly ending?: Ending },
  ): Promise<Exchange> {
    const { allowance, challenge, agrees, ending = (answer: ShellAnswer) => answer } = options;
    this.#ending = ending;
    this.#answer = undefined;
    this.#log.length = 0;
    const key = `${allowance} ${challenge}`;
    const connection = await (this.#connections.get(key) ?? this.#connected(key, allowance, challenge));
    const questions: { message: string; files: number }[] = [];
    const { result, error } = await connection.request(method, params, (message) => {
      questions.push({ message, files: this.#previewed });
      const name = /^To allow it, type the file's name: (.*)$/m.exec(message)?.[1] ?? "";
      return agrees ? { action: "accept", content: challenge ? { file_name: name } : { approve: true } } : { action: "decline" };
    });
    return { result, answer: this.#answer, questions, error: error?.message, log: [...this.#log] };
  }

  async close(): Promise<void> {
    for (const connection of this.#connections.values()) await (await connection).end();
    await this.#service.close();
    this.workspace.close();
    rmSync(this.root.slice(0, -"/root".length), { recursive: true, force: true });
  }

  #connected(key: string, allowance: number, challenge: boolean): Promise<Connection> {
    const service = new Proxy(this.#service, {
      get: (target, name) => {
        if (name === "call") {
          return async (...given: Parameters<ShellService["call"]>): Promise<ShellAnswer> => {
            this.#answer = this.#ending(await target.call(...given));
            return this.#answer;
          };
        }
        if (name === "preview") {
          return async (...given: Parameters<ShellService["preview"]>) => {
            const previews = await target.preview(...given);
            this.#previewed = previews?.length ?? 0;
            return previews;
          };
        }
        const found: unknown = Reflect.get(target, name);
        return typeof found === "function" ? found.bind(target) : found;
      },
    });
    const opened = Connection.open(service, {
      version: "0",
      readOnly: false,
      structured: true,
      approvals: new Approvals({ asks: true, challenge }),
      redactor: new Redactor(DEFAULT_POLICY.redaction, {}),
      maxOutputCharacters: allowance,
      log: (line: string) => void this.#log.push(line),
    });
    this.#connections.set(key, opened);
    return opened;
  }
}

type Human = (message: string) => object;

class Connection {
  readonly #input = new PassThrough();
  readonly #served: Promise<void>;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #human: Human = () => ({ action: "decline" });
  #nextId = 1;

  static async open(
    service: ShellService,
    options: Omit<Parameters<typeof serveOverStdio>[1], "input" | "output" | "stop">,
  ): Promise<Connection> {
    const connection = new Connection(service, options);
    const clientInfo = { name: "fuzz", version: "0" };
    await connection.request("initialize", { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo }, () => ({}));
    connection.#send({ method: "notifications/initialized" });
    return connection;
  }

  private constructor(service: ShellService, options: Omit<Parameters<typeof serveOverStdio>[1], "input" | "output" | "stop">) {
    const output = new PassThrough();
    let rest = "";
    output.setEncoding("utf8").on("data", (text: string) => {
      const lines = `${rest}${text}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#heard(JSON.parse(line) as Message);
    });
    this.#served = serveOverStdio(service, { ...options, input: this.#input, output, stop: new AbortController().signal });
  }

  async request(method: string, params: object, human: Human): Promise<Message> {
    const id = this.#nextId++;
    this.#human = human;
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.#send({ id, method, params });
    return answer;
  }

  end(): Promise<void> {
    this.#input.end();
    return this.#served;
  }

  #send(message: object): void {
    this.#input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #heard(message: Message): void {
    const { id, method, params } = message;
    if (id === undefined) return;
    if (method === "elicitation/create") this.#send({ id, result: this.#human(params?.message ?? "") });
    else if (method === undefined) {
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
    }
  }
}
