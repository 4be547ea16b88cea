/**
 * `node dist/dev-peer.js NAME DIRECTORY LINE`: runs one line through another shell for agents, for a column of the benchmarks: just-bash
 * (https://github.com/vercel-labs/just-bash) or bashkit (https://github.com/everruns/bashkit). Neither is a dependency of ours:
 * DIRECTORY is where `npm install just-bash @everruns/bashkit` was run. The current directory is its root, and its caps are lifted as
 * far as it allows, so that its work is measured and not a cap.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isPeer, type PeerName } from "./peers.ts";

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

interface JustBash {
  readonly Bash: new (options: object) => { exec(line: string): Promise<Ran> };
  readonly OverlayFs: new (options: object) => object;
}

interface Bashkit {
  readonly Bash: new (options: object) => { execute(line: string): Promise<Ran> };
}

const ENV = { LC_ALL: "C.UTF-8", TZ: "UTC" };

const RUNS: Readonly<Record<PeerName, (directory: string, line: string) => Promise<void>>> = {
  async "just-bash"(directory, line) {
    const { Bash, OverlayFs } = await loaded<JustBash>(directory, "just-bash/dist/bundle/index.js");
    const most = Number.MAX_SAFE_INTEGER;
    const limits = [
      ...["maxCommandCount", "maxLoopIterations", "maxAwkIterations", "maxSedIterations", "maxJqIterations", "maxQueryTokens"],
      ...["maxQueryElements", "maxAwkParserOperations", "maxWorkUnits", "maxTraversalEntries", "maxTraversalWork", "maxLiveBytes"],
      ...["maxInputBytes", "maxFileSystemBytes", "maxGlobOperations", "maxStringLength", "maxArrayElements", "maxOutputSize"],
    ];
    const fs = new OverlayFs({ root: process.cwd(), mountPoint: "/", maxFileReadSize: most, readOnly: true });
    const executionLimits = Object.fromEntries(limits.map((limit) => [limit, most]));
    // It gives bytes as code units.
    ended(await new Bash({ fs, cwd: "/", env: ENV, executionLimits }).exec(line), "latin1");
  },
  async bashkit(directory, line) {
    const { Bash } = await loaded<Bashkit>(directory, "@everruns/bashkit/wrapper.js");
    const most = 2 ** 31 - 1;
    const limits = [
      "maxCommands",
      "maxLoopIterations",
      "maxTotalLoopIterations",
      "timeoutMs",
      "maxStdoutBytes",
      "maxMemory",
      "maxInputBytes",
    ];
    const root = process.cwd();
    const bash = new Bash({
      cwd: "/w",
      env: ENV,
      allowedMountPaths: [root],
      mounts: [{ path: "/w", root }],
      ...Object.fromEntries(limits.map((limit) => [limit, most])),
    });
    ended(await bash.execute(line), "utf8");
  },
};

async function loaded<T>(directory: string, path: string): Promise<T> {
  return (await import(pathToFileURL(join(directory, "node_modules", path)).href)) as T;
}

function ended({ stdout, stderr, exitCode }: Ran, encoding: "latin1" | "utf8"): void {
  process.stderr.write(stderr);
  process.stdout.write(Buffer.from(stdout, encoding), () => process.exit(exitCode));
}

const [name = "", directory = "", line = ""] = process.argv.slice(2);
if (!isPeer(name)) throw new Error(`no peer is called ${name}`);
await RUNS[name](directory, line);
