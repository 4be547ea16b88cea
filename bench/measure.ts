/** Runs and times one command through a process of its own, so that the processor time and memory are the command's alone. */
import { spawnSync } from "node:child_process";

/** Prints what the command prints, and on standard error: wall ms, processor ms, peak KiB, 1 where its time was over. */
const METER = `
import resource, subprocess, sys, time
start = time.perf_counter()
over = 0
try:
    run = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, timeout=float(sys.argv[1]))
    sys.stdout.buffer.write(run.stdout)
except subprocess.TimeoutExpired:
    over = 1
wall = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("", wall * 1000, (used.ru_utime + used.ru_stime) * 1000, used.ru_maxrss, over, file=sys.stderr)
`;

export interface Measured {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMib: number;
  /** latin1: one unit, one byte. */
  readonly stdout: string;
  /** Standard error, and its first line. */
  readonly said: string;
  readonly complaint: string;
  /** True if it was stopped because its time was over. */
  readonly isOver: boolean;
}

export interface Place {
  readonly cwd: string;
  /** undefined: ours. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; undefined: empty. */
  readonly input?: string;
}

export function measured(command: readonly string[], { cwd, env, input }: Place, timeoutMs = 1_000_000): Measured {
  const argv = ["-c", METER, String(timeoutMs / 1000), ...command];
  const ran = spawnSync("python3", argv, {
    cwd,
    ...(env === undefined ? {} : { env }),
    ...(input === undefined ? {} : { input }),
    maxBuffer: 1 << 30,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  const said = ran.stderr.toString().trimEnd().split("\n");
  const [wallMs = 0, cpuMs = 0, kib = 0, over = 0] = said.at(-1)?.trim().split(" ").map(Number) ?? [];
  const complaint = said.length > 1 ? (said[0] ?? "") : "";
  return {
    wallMs,
    cpuMs,
    peakMib: kib / 1024,
    stdout: ran.stdout.toString("latin1"),
    said: said.slice(0, -1).join("\n"),
    complaint,
    isOver: over === 1,
  };
}

/** The median; of an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}
