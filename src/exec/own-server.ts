/** A server of this program as a client would start it, or an engine that runs it in a container, for one conversation of `doctor`. */
import { spawn } from "node:child_process";

export interface OwnServerStart {
  /** Node's executable, a name that leads to this program, or an engine, and the arguments. The caller has made sure that it is this. */
  readonly words: readonly [string, ...string[]];
  /** Host path of the directory in which the client starts it. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Text for its standard input, which is closed behind it. */
  readonly input: string;
  readonly timeoutMs: number;
}

export interface OwnServerAnswer {
  /** Standard output and standard error, each at most OUTPUT_BYTES. */
  readonly output: string;
  readonly errors: string;
  /** A phrase for an end that is not status 0: "exit status 2", "no end after 20 s", "spawn x ENOENT". */
  readonly failure: string | undefined;
}

const OUTPUT_BYTES = 1 << 20;

/** Resolves when the server has ended, or was killed at its time limit; never rejects. */
export function conversationWith({ words, directory, environment, input, timeoutMs }: OwnServerStart): Promise<OwnServerAnswer> {
  const [program, ...args] = words;
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: directory, env: environment, stdio: "pipe" });
    const heard = { output: "", errors: "" };
    let failure: string | undefined;
    const timer = setTimeout(() => {
      failure = `no end after ${Math.round(timeoutMs / 1000)} s`;
      child.kill("SIGKILL");
    }, timeoutMs);
    for (const [stream, name] of [
      [child.stdout, "output"],
      [child.stderr, "errors"],
    ] as const) {
      stream.setEncoding("utf8");
      stream.on("data", (piece: string) => {
        if (heard[name].length < OUTPUT_BYTES) heard[name] += piece;
      });
    }
    const end = (): void => {
      clearTimeout(timer);
      resolve({ ...heard, failure });
    };
    child.on("error", (error) => {
      failure ??= error.message;
      if (child.pid === undefined) end();
    });
    child.on("close", (status, signal) => {
      if (status !== 0) failure ??= signal === null ? `exit status ${status}` : `signal ${signal}`;
      end();
    });
    // A program that ends without reading is told of by its status.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
