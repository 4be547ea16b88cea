/** A program of ours in a session of its own: what it prints, how it ends, and every process that it leaves behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { waitedMs } from "../../own-time.ts";
import type { Place } from "./place.ts";

export const PROGRAM = fileURLToPath(new URL("../../../dist/shelpa-mcp.js", import.meta.url));
/** A descendant that changed its session is known by this in its environment. */
const MARK = "SHELPA_HOSTILE_MARK";
/** A machine that other work shares is no slower than so many times. */
const MOST_SLOWED = 10;
const LEAST_LOOK_MS = 50;

export class Program {
  readonly #child: ChildProcess;
  readonly #mark: string;
  #stdout = "";
  #stderr = "";
  readonly #ended: Promise<number | null>;
  #onLine: (line: string) => void = () => undefined;
  #rest = "";
  /** By number of the process. */
  readonly #waits = new Map<number, number>();

  constructor(
    place: Place,
    args: readonly string[],
    { stdin = "pipe" as "pipe" | "ignore", nodeFlags = [] as readonly string[], environment = {} } = {},
  ) {
    this.#mark = `${place.path} ${args.join(" ")}`.replaceAll("\0", "").slice(0, 500);
    this.#child = spawn(process.execPath, [...nodeFlags, PROGRAM, ...args], {
      cwd: place.root,
      env: { ...place.environment, ...environment, [MARK]: this.#mark },
      stdio: [stdin, "pipe", "pipe"],
      detached: true,
    });
    this.#child.stdin?.on("error", () => undefined);
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#heard(text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.#stderr += text));
    this.#ended = new Promise((resolve) => this.#child.once("close", (exit) => resolve(exit)));
  }

  get id(): number {
    return this.#child.pid ?? 0;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Tells each whole line of standard output. */
  onLine(listener: (line: string) => void): void {
    this.#onLine = listener;
  }

  send(text: string): void {
    this.#child.stdin?.write(text);
  }

  closeInput(): void {
    this.#child.stdin?.end();
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Milliseconds for which this process, or one of its session, was ready to run and did not, as far as they were looked at. */
  waitedMs(): number {
    for (const pid of [process.pid, ...this.#members().map((member) => member.pid)]) this.#waits.set(pid, waitedMs(pid));
    return [...this.#waits.values()].reduce((sum, each) => sum + each, 0);
  }

  /**
   * Calls `late` after `waitMs` without those that other work on the machine has taken, and gives a function that keeps it from that.
   * `waitedBeforeMs`: waitedMs() at a time that is not long ago.
   */
  after(waitMs: number, late: () => void, waitedBeforeMs = this.waitedMs()): () => void {
    const startedMs = performance.now();
    const look = (): void => {
      const passedMs = performance.now() - startedMs;
      // Several may have waited at a time: it ends all the same.
      const leftMs = waitMs - Math.max(passedMs - (this.waitedMs() - waitedBeforeMs), passedMs / MOST_SLOWED);
      if (leftMs <= 0) late();
      else timer = setTimeout(look, Math.max(leftMs, LEAST_LOOK_MS));
    };
    let timer = setTimeout(look, waitMs);
    return () => clearTimeout(timer);
  }

  /** The exit status; undefined where it has not ended in time, as `after` counts it. */
  async ends(waitMs: number): Promise<number | null | undefined> {
    let cancel = (): void => undefined;
    const late = new Promise<undefined>((resolve) => (cancel = this.after(waitMs, () => resolve(undefined))));
    const exit = await Promise.race([this.#ended, late]);
    cancel();
    return exit;
  }

  /** Resolves with the first match in what it prints; undefined where none comes in time. */
  async prints(pattern: RegExp, waitMs: number): Promise<RegExpExecArray | undefined> {
    const deadlineMs = performance.now() + waitMs;
    while (performance.now() < deadlineMs) {
      const found = pattern.exec(this.#stdout) ?? pattern.exec(this.#stderr);
      if (found !== null) return found;
      if ((await this.ends(20)) !== undefined) break;
    }
    return pattern.exec(this.#stdout) ?? pattern.exec(this.#stderr) ?? undefined;
  }

  /** Command lines of the processes of its session that live `waitMs` after it has ended; they are then killed. */
  async leftBehind(waitMs: number): Promise<string[]> {
    let isLate = false;
    const cancel = this.after(waitMs, () => (isLate = true));
    let left = this.#members();
    while (left.length > 0 && !isLate) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      left = this.#members();
    }
    cancel();
    for (const { pid } of left) killed(pid);
    return left.map(({ pid, line }) => `${pid} ${line}`);
  }

  /** Ends it and all of its session, whatever state they are in. */
  kill(): void {
    for (const { pid } of this.#members()) killed(pid);
    killed(this.id);
  }

  #heard(text: string): void {
    if (this.#stdout.length < 1 << 22) this.#stdout += text;
    const lines = `${this.#rest}${text}`.split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#onLine(line);
  }

  #members(): { readonly pid: number; readonly line: string }[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && this.#isMember(name))
      .map((name) => ({ pid: Number(name), line: readOf(name, "cmdline").replaceAll("\0", " ") }));
  }

  #isMember(pid: string): boolean {
    // The session is the fourth field after the name, which is in brackets and may hold anything.
    const [state = "Z", , , session] = readOf(pid, "stat")
      .replace(/^.*\) /s, "")
      .split(" ");
    if (state === "Z" || state === "X") return false;
    return session === String(this.id) || readOf(pid, "environ").includes(`${MARK}=${this.#mark}\0`);
  }
}

function readOf(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    // Gone meanwhile.
    return "";
  }
}

function killed(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone meanwhile.
  }
}
