/**
 * node bench/just-bash-attacks.mjs DIRECTORY [CATEGORY,…]: the attack rows against just-bash, for a column beside ours; outside CI. It
 * is no dependency of ours: DIRECTORY is where `npm install just-bash` was run. Only rows that are one line and ask for
 * nothing that is ours alone are run, and only this is judged: that nothing of the host is shown or changed, that the
 * line ends in time, and that the process which asked for it lives.
 *
 * Its caps are its own, its root is a read-only overlay of a directory as our root is, each line in a fresh process.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Time is counted as the processor's, so that a busy machine is nobody's fault; what only waits is ended later. */
const MOST_CPU_SECONDS = 31;
const MOST_MS = 180_000;
const [directory = "", child] = process.argv.slice(2);
const entry = join(directory, "node_modules/just-bash/dist/bundle/index.js");
if (child === "--line") {
  // By standard input, because a line may hold what an argument cannot.
  const line = readFileSync(0, "utf8");
  const { Bash, OverlayFs } = await import(pathToFileURL(entry).href);
  const bash = new Bash({ fs: new OverlayFs({ root: process.cwd(), mountPoint: "/", readOnly: true }), cwd: "/" });
  const { stdout, stderr, exitCode } = await bash.exec(line);
  process.stderr.write(stderr);
  process.stdout.write(stdout, () => process.exit(exitCode));
} else await all();

async function all() {
  const project = fileURLToPath(new URL("..", import.meta.url));
  const files = [join(project, "../shared/attacks/rows.jsonl"), join(project, "test/attacks/rows.jsonl")].filter(existsSync);
  const rows = files.flatMap((file) =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text)),
  );
  const oneLine = rows.filter((row) => row.command && !row.raw && !row.calls && !row.race && !row.needs && !row.cwd && !row.args);
  // What is forbidden there is ours: protected paths, our records, our words.
  const only = process.argv[3]?.split(",");
  const wanted = oneLine.filter(
    ({ category }) => (only?.includes(category) ?? true) && !["protect", "write", "record", "cwd"].includes(category),
  );
  const counts = {};
  for (const row of wanted) {
    const problem = await attack(row);
    const of = (counts[row.category] ??= { rows: 0, held: 0, shown: 0, changed: 0, "not ended": 0, "process died": 0 });
    of.rows++;
    of[problem ?? "held"]++;
    if (problem !== undefined) console.log(`${row.id}: ${problem}: ${row.note}`);
  }
  console.table(counts);
  console.log(
    `${rows.length} rows, ${wanted.length} apply, ${wanted.length - Object.values(counts).reduce((sum, { held }) => sum + held, 0)} not held`,
  );
}

async function attack(row) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "just-bash-attack-")));
  const [root, out] = [join(place, "root"), join(place, "root-evil")];
  for (const made of [root, out]) mkdirSync(made);
  writeFileSync(join(out, "secret.txt"), "CANARY_OUT_7f3a9c21\n");
  const fill = (text) =>
    text
      .replaceAll("{{ROOT}}", root)
      .replaceAll("{{OUT}}", out)
      .replaceAll("{{OUTNAME}}", basename(out))
      .replace(/\{\{REP:([^]*?):(\d+)\}\}/g, (_, part, times) => part.repeat(Number(times)));
  const inventory = () =>
    execFileSync("bash", ["-c", "find . -printf '%p %y %s\\n' | sort; find . -type f -exec sha256sum {} +"], {
      cwd: out,
      encoding: "utf8",
    });
  try {
    spawnSync("bash", ["-c", fill(row.setup ?? "")], {
      cwd: root,
      env: { ...process.env, ROOT: root, OUT: out },
      stdio: "ignore",
      timeout: 60_000,
    });
    const before = inventory();
    const { text, isLate, signal } = await ran(fill(row.command), root);
    if (isLate) return "not ended";
    if (signal !== null) return "process died";
    if (row.forbid_regex && new RegExp(row.forbid_regex, row.forbid_regex.includes("\\u{") ? "u" : "").test(text)) return "shown";
    return inventory() === before ? undefined : "changed";
  } finally {
    spawnSync("chmod", ["-R", "u+rwx", place]);
    rmSync(place, { recursive: true, force: true });
  }
}

function ran(command, root) {
  return new Promise((resolve) => {
    const limited = `ulimit -t ${MOST_CPU_SECONDS}; exec "$@"`;
    const started = spawn("bash", ["-c", limited, "bash", process.execPath, fileURLToPath(import.meta.url), directory, "--line"], {
      cwd: root,
      stdio: ["pipe", "pipe", "pipe"],
    });
    let [text, isLate] = ["", false];
    started.stdin.on("error", () => undefined);
    started.stdin.end(command);
    const timer = setTimeout(() => {
      isLate = true;
      started.kill("SIGKILL");
    }, MOST_MS);
    for (const stream of [started.stdout, started.stderr]) stream.on("data", (chunk) => (text = (text + chunk).slice(0, 4 << 20)));
    started.on("error", () => resolve({ text, isLate, signal: "unstartable" }));
    started.on("close", (_, signal) => {
      clearTimeout(timer);
      resolve({ text, isLate: isLate || signal === "SIGXCPU" || signal === "SIGKILL", signal });
    });
  });
}
