/**
 * `node dist/dev-peer.js NAME DIRECTORY LINE [TIMES]`: runs one line through another shell for agents, for a column of the benchmarks;
 * several TIMES in one process, says what each took in milliseconds on standard error instead: just-bash
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

/** Each gives a function that runs a line. */
const SHELLS: Readonly<Record<PeerName, (directory: string) => Promise<(line: string) => Promise<Ran>>>> = {
  async "just-bash"(directory) {
    const { Bash, OverlayFs } = await loaded<JustBash>(directory, "just-bash/dist/bundle/index.js");
    const most = Number.MAX_SAFE_INTEGER;
    const limits = [
      ...["maxCommandCount", "maxLoopIterations", "maxAwkIterations", "maxSedIterations", "maxJqIterations", "maxQueryTokens"],
      ...["maxQueryElements", "maxAwkParserOperations", "maxWorkUnits", "maxTraversalEntries", "maxTraversalWork", "maxLiveBytes"],
      ...["maxInputBytes", "maxFileSystemBytes", "maxGlobOperations", "maxStringLength", "maxArrayElements", "maxOutputSize"],
    ];
    const fs = new OverlayFs({ root: process.cwd(), mountPoint: "/", maxFileReadSize: most, readOnly: true });
    const executionLimits = Object.fromEntries(limits.map((limit) => [limit, most]));
    const bash = new Bash({ fs, cwd: "/", env: ENV, executionLimits });
    return (line) => bash.exec(line);
  },
  async bashkit(directory) {
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
    return (line) => bash.execute(line);
  },
};

async function loaded<T>(directory: string, path: string): Promise<T> {
  return (await import(pathToFileURL(join(directory, "node_modules", path)).href)) as T;
}

/** The first gives bytes as code units. */
const ENCODINGS: Readonly<Record<PeerName, "latin1" | "utf8">> = { "just-bash": "latin1", bashkit: "utf8" };

const [name = "", directory = "", line = "", times] = process.argv.slice(2);
if (!isPeer(name)) throw new Error(`no peer is called ${name}`);
const run = await SHELLS[name](directory);
if (times === undefined) {
  const { stdout, stderr, exitCode } = await run(line);
  process.stderr.write(stderr);
  process.stdout.write(Buffer.from(stdout, ENCODINGS[name]), () => process.exit(exitCode));
} else {
  for (let left = Number(times); left > 0; left--) {
    const startMs = performance.now();
    await run(line);
    process.stderr.write(`took ${performance.now() - startMs}\n`);
  }
  process.exit(0);
}
