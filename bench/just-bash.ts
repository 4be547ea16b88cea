/**
 * `node dist/dev-just-bash.js DIRECTORY LINE`: runs one line through just-bash (https://github.com/vercel-labs/just-bash),
 * the other shell in JavaScript, for a column of the benchmarks. It is no dependency of ours: DIRECTORY is where `npm
 * install just-bash` was run. The current directory is its root, and its caps are lifted as far as it allows, so that its
 * work is measured and not a cap.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

interface JustBash {
  readonly Bash: new (options: object) => { exec(line: string): Promise<{ stdout: string; stderr: string; exitCode: number }> };
  readonly OverlayFs: new (options: object) => object;
}

const [directory = "", line = ""] = process.argv.slice(2);
const entry = join(directory, "node_modules/just-bash/dist/bundle/index.js");
const { Bash, OverlayFs }: JustBash = await import(pathToFileURL(entry).href);
const most = Number.MAX_SAFE_INTEGER;
const LIMITS = [
  ...["maxCommandCount", "maxLoopIterations", "maxAwkIterations", "maxSedIterations", "maxJqIterations", "maxQueryTokens"],
  ...["maxQueryElements", "maxAwkParserOperations", "maxWorkUnits", "maxTraversalEntries", "maxTraversalWork", "maxLiveBytes"],
  ...["maxInputBytes", "maxFileSystemBytes", "maxGlobOperations", "maxStringLength", "maxArrayElements", "maxOutputSize"],
];
const bash = new Bash({
  fs: new OverlayFs({ root: process.cwd(), mountPoint: "/", maxFileReadSize: most, readOnly: true }),
  cwd: "/",
  env: { LC_ALL: "C.UTF-8", TZ: "UTC" },
  executionLimits: Object.fromEntries(LIMITS.map((limit) => [limit, most])),
});
const { stdout, stderr, exitCode } = await bash.exec(line);
process.stderr.write(stderr);
process.stdout.write(Buffer.from(stdout, "latin1"), () => process.exit(exitCode));
