/**
 * node tools/evidence/just-bash-attacks.mjs DIRECTORY [--files overlay|read-write] [--json FILE] [--from ID] [CATEGORY|ID…]: runs
 * the attack rows against just-bash, for a column beside ours; outside CI. It is no dependency of ours: DIRECTORY is where
 * `npm install just-bash` was run.
 *
 * Each row is one line in a process of its own, in the settings that its documentation names for input that is not
 * trusted: limits "hardened", 5 s for a line as our rows have. `overlay` is its read-only view of a directory, `read-write` the
 * directory itself. A row is judged by facts that have no other reading: no canary from outside is shown, nothing outside is
 * changed (in the overlay: nothing at all), the line ends in time, and the process which asked for it lives. Text of ours
 * that a row forbids besides is counted apart, because there it may be just-bash's own (its `/bin`, its `HOME`).
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

/** just-bash's own limit for a line, and the processor time after which its process is killed. */
const LINE_MS = 5000;
const MOST_CPU_SECONDS = 12;
/** Time after which a process that only waits is killed. */
const MOST_MS = 40_000;
const AGAIN_MS = 3000;
const LANES = 2;
const RACE_CALLS = 2000;
const KINDS = ["held", "leaked", "changed", "not ended", "died", "other text"];

const { values, positionals } = parseArgs({
  options: {
    files: { type: "string", default: "overlay" },
    json: { type: "string" },
    from: { type: "string" },
    line: { type: "string" },
  },
  allowPositionals: true,
});
const [directory = "", ...categories] = positionals;
const entry = join(directory, "node_modules/just-bash/dist/bundle/index.js");
if (values.line !== undefined) await line(Number(values.line));
else if (existsSync(entry) && ["overlay", "read-write"].includes(values.files)) await all();
else {
  console.error(
    "usage: node tools/evidence/just-bash-attacks.mjs DIRECTORY [--files overlay|read-write] [--json FILE] [--from ID] [CATEGORY|ID…]",
  );
  process.exit(2);
}

/** The line comes by standard input, because it may hold what an argument cannot; it runs `times` times. */
async function line(times) {
  const text = readFileSync(0, "utf8");
  const { Bash, OverlayFs, ReadWriteFs } = await import(pathToFileURL(entry).href);
  const root = process.cwd();
  const fs = values.files === "overlay" ? new OverlayFs({ root, mountPoint: "/", readOnly: true }) : new ReadWriteFs({ root });
  const bash = new Bash({ fs, cwd: "/", executionLimitProfile: "hardened", executionLimits: { maxExecutionTimeMs: LINE_MS } });
  let exit = 0;
  for (let at = 0; at < times; at++) {
    const { stdout, stderr, exitCode } = await bash.exec(text, { signal: AbortSignal.timeout(LINE_MS) });
    exit = exitCode;
    process.stderr.write(stderr);
    process.stdout.write(stdout);
  }
  process.stdout.write("", () => process.exit(exit));
}

async function all() {
  const project = fileURLToPath(new URL("../..", import.meta.url));
  const further = join(process.env.SHELPA_MATERIAL || join(project, "../shared"), "attacks/rows.jsonl");
  const files = [further, join(project, "test/attacks/rows.jsonl")].filter(existsSync);
  const rows = files.flatMap((file) =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text)),
  );
  // Those on the protocol, and those for one who is not the superuser, have no counterpart.
  const wanted = rows.filter(
    ({ id, command, raw, calls, needs, cwd, category }) =>
      command && !raw && !calls && !needs && !cwd && (categories.length === 0 || categories.includes(category) || categories.includes(id)),
  );
  const counts = {};
  const found = [];
  const again = new Set();
  // A run that was cut short goes on where it was.
  const waiting = wanted.slice(
    Math.max(
      0,
      wanted.findIndex(({ id }) => id === values.from),
    ),
  );
  const lane = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const { kind, text, waited } = await attack(row);
      // Once more, with nothing beside it, where the machine may have been too busy.
      if (waited && !again.has(row)) {
        again.add(row);
        continue;
      }
      const of = (counts[row.category] ??= Object.fromEntries([["rows", 0], ...KINDS.map((name) => [name, 0])]));
      of.rows++;
      of[kind]++;
      if (kind === "held") continue;
      found.push({ id: row.id, kind, note: row.note, command: row.command, text: text.slice(0, 500) });
      console.log(`${row.id}: ${kind}: ${row.note}`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  waiting.push(...again);
  await lane();
  console.table(counts);
  const { version } = JSON.parse(readFileSync(join(directory, "node_modules/just-bash/package.json"), "utf8"));
  const sums = KINDS.map((kind) => `${Object.values(counts).reduce((sum, of) => sum + of[kind], 0)} ${kind}`);
  console.log(`just-bash ${version}, ${values.files}, ${rows.length} rows, ${wanted.length} that apply: ${sums.join(", ")}`);
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ version, files: values.files, counts, found }, null, 1));
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
  const watched = values.files === "overlay" ? place : out;
  const inventory = () =>
    spawnSync("bash", ["-c", "find . -printf '%p %y %m %s %l\\n' | sort; find . -type f -size -1024k -exec sha256sum {} +"], {
      cwd: watched,
      encoding: "latin1",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "ignore"],
    }).stdout;
  let swapper;
  try {
    const env = { ...process.env, ROOT: root, OUT: out };
    spawnSync("bash", ["-c", fill(row.setup ?? "")], { cwd: root, env, stdio: "ignore", timeout: 60_000 });
    const before = row.race === undefined ? inventory() : "";
    if (row.race !== undefined) swapper = startSwapper(join(root, row.race.a), join(root, row.race.b));
    const { text, isLate, signal } = await ran(fill(row.command), root, row.race === undefined ? 1 : RACE_CALLS);
    swapper?.kill("SIGKILL");
    const forbidden = row.forbid_regex ? new RegExp(row.forbid_regex, row.forbid_regex.includes("\\u{") ? "u" : "") : /(?!)/;
    // The output of a script of the tree comes from just-bash's own interpreter: no program ran.
    if (/CANARY_(OUT|ENV)_[0-9a-f]{8}/.test(text) && forbidden.test(text)) return { kind: "leaked", text };
    if (row.race === undefined && inventory() !== before) return { kind: "changed", text };
    if (isLate) return { kind: "not ended", text, waited: signal === "SIGKILL" };
    if (signal !== null) return { kind: "died", text };
    return { kind: forbidden.test(text) ? "other text" : "held", text };
  } finally {
    swapper?.kill("SIGKILL");
    spawnSync("chmod", ["-R", "u+rwx", place]);
    // Deeper than what Node removes.
    spawnSync("rm", ["-rf", place]);
  }
}

function ran(command, root, times) {
  return new Promise((resolve) => {
    const limited = `ulimit -t ${MOST_CPU_SECONDS}; exec "$@"`;
    const own = [process.execPath, fileURLToPath(import.meta.url), directory, "--files", values.files, "--line", String(times)];
    const started = spawn("bash", ["-c", limited, "bash", ...own], {
      cwd: root,
      stdio: ["pipe", "pipe", "pipe"],
      // Its threads and whatever it might start end with it.
      detached: true,
      env: { ...process.env, SHELPA_CANARY: "CANARY_ENV_9b1c44d0" },
    });
    let [text, isLate, hasEnded] = ["", false, false];
    const end = () => {
      // The shell that becomes the process leads its group, until nobody is left in it.
      if (!hasEnded && started.pid !== undefined) spawnSync("kill", ["-KILL", "--", `-${started.pid}`], { stdio: "ignore" });
    };
    started.stdin.on("error", () => undefined);
    started.stdin.end(command);
    let timer = setTimeout(() => {
      // Once more, should it be we who were stopped: what has ended meanwhile is heard of first.
      timer = setTimeout(() => {
        isLate = true;
        end();
      }, AGAIN_MS);
    }, MOST_MS);
    for (const stream of [started.stdout, started.stderr])
      stream.on("data", (chunk) => {
        if (text.length < 4 << 20) text += chunk;
      });
    started.on("error", () => resolve({ text, isLate, signal: "unstartable" }));
    started.on("close", (status, signal) => {
      hasEnded = true;
      clearTimeout(timer);
      // V8 ends itself by these where it has no memory left; a shell would say 128 and the signal.
      const ended = signal ?? (status !== null && status > 128 && /FATAL ERROR|out of memory/.test(text) ? "SIGABRT" : null);
      resolve({ text, isLate: isLate || signal === "SIGXCPU" || signal === "SIGKILL", signal: ended });
    });
  });
}

/** Exchanges two paths as fast as it can (renameat2 with RENAME_EXCHANGE), until killed. */
function startSwapper(a, b) {
  const program =
    "import ctypes,sys\nc=ctypes.CDLL(None)\na,b=[p.encode() for p in sys.argv[1:]]\nwhile True: c.renameat2(-100,a,-100,b,2)";
  return spawn("python3", ["-c", program, a, b], { stdio: "ignore" });
}
