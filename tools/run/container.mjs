/**
 * npm run test:container [-- [--image REF] [--engine docker|podman] [--required]]: the entry that `init --container` writes, started as a
 * client would start it. Without --image the image is laid by hand (container/image-by-hand.mjs), which needs podman and no registry.
 * Where no engine runs a container here, that is said, and fails only with --required. `npm run build` first.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { layImage, removeImages } from "./container/image-by-hand.mjs";
import { Session } from "./container/session.mjs";

const top = fileURLToPath(new URL("../..", import.meta.url));
const program = join(top, "dist/shelpa-mcp.js");
const { values } = parseArgs({ options: { image: { type: "string" }, engine: { type: "string" }, required: { type: "boolean" } } });
const work = mkdtempSync(join(tmpdir(), "shelpa-container-"));
const engine = values.engine ?? (values.image === undefined ? "podman" : "docker");
const image = values.image ?? "localhost/shelpa-mcp:test";

/** The engine with settings that this machine may need; they are no part of the command line. */
let environment = process.env;
function run(args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(engine, args, { encoding: "utf8", env: environment, ...options });
  if (status !== 0) throw new Error(`${engine} ${args[0]}: ${error?.message ?? stderr.trim().split("\n").at(-1)}`);
  return stdout;
}

/** The reason why no container starts here; undefined where one does. */
function obstacle() {
  if (spawnSync(engine, ["--version"]).status !== 0) return `${engine} is not on PATH (apt-get install podman)`;
  const settings = join(work, "containers.conf");
  // Where podman may raise no limit, and where its default runtime does not know the host's control groups.
  const runc = existsSync("/usr/sbin/runc") || existsSync("/usr/bin/runc") ? '[engine]\nruntime = "runc"\n' : "";
  const limits = '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]\n';
  for (const conf of [undefined, limits, limits + runc]) {
    if (conf !== undefined) {
      writeFileSync(settings, conf);
      environment = { ...process.env, CONTAINERS_CONF: settings };
    }
    try {
      if (values.image === undefined && conf === undefined) layImage(run, image, top);
      run(["run", "--rm", "--network=none", "--pids-limit=64", "--memory=1g", image, "--version"]);
      return undefined;
    } catch (error) {
      if (engine !== "podman" || conf === limits + runc) return error.message;
    }
  }
}

const why = obstacle();
if (why !== undefined) {
  console.log(`${values.required ? "FAILED" : "SKIPPED"}: no container starts here: ${why}`);
  rmSync(work, { recursive: true, force: true });
  process.exit(values.required ? 1 : 0);
}

/** Root's containers run as a user without rights too: the owner of the project. */
const owner = process.getuid() === 0 ? { uid: 1000, gid: 1000 } : {};
const own = owner.uid === undefined ? () => {} : (path) => chownSync(path, owner.uid, owner.gid);
const project = join(work, 'my, "project": $1 é');
const home = join(work, "home");
const docs = join(work, "docs");
for (const directory of [work, project, home, docs]) {
  mkdirSync(directory, { recursive: true });
  own(directory);
}
writeFileSync(join(docs, "guide.txt"), "read me\n");
for (const [name, text] of Object.entries({
  "app.log": Array.from({ length: 2000 }, (_, at) => `${at} ${at % 7 === 0 ? "ERROR" : "info"} worker-${at % 5}\n`).join(""),
  "data.json": JSON.stringify({
    items: [
      { id: 1, tags: ["a"] },
      { id: 2, tags: [] },
    ],
  }),
  "main.ts": "export function greet(name: string): string {\n  return `hi ${name}`;\n}\nclass Greeter {}\n",
  "notes.md": "one\ntwo\n",
})) {
  writeFileSync(join(project, name), text);
  own(join(project, name));
}
const git = (...args) =>
  execFileSync("git", ["-C", project, "-c", "user.name=A", "-c", "user.email=a@b.c", ...args], {
    ...owner,
    env: { PATH: process.env.PATH, HOME: home, GIT_AUTHOR_DATE: "1700000000 +0000", GIT_COMMITTER_DATE: "1700000000 +0000" },
  });
git("init", "-q", "-b", "main");
git("add", ".");
git("commit", "-qm", "all of it");

/** The arguments of the entry that `init` writes, as the owner of the project. Root's podman has no keep-id, and needs none. */
function argumentsOf(...options) {
  execFileSync(
    process.execPath,
    [program, "init", "--root", project, "--client", "claude-code", "--container", engine, "--image", image, ...options],
    { ...owner, cwd: project, env: { PATH: process.env.PATH, HOME: home } },
  );
  const { args } = JSON.parse(readFileSync(join(project, ".mcp.json"), "utf8")).mcpServers.shelpa;
  return args.filter((word) => process.getuid() !== 0 || word !== "--userns=keep-id");
}

const words = [engine, ...argumentsOf("--mount", `/docs=${docs}`)];
const started = (given = words) => new Session(given, { cwd: project, env: environment });

let failed = 0;
function row(name, holds, seen) {
  if (!holds) failed++;
  console.log(` ${holds ? "ok    " : "FAILED"} ${name}${holds ? "" : `: ${JSON.stringify(seen)}`}`);
}
async function rowOf(name, check) {
  try {
    const [holds, seen] = await check();
    row(name, holds, seen);
  } catch (error) {
    row(name, false, error.message);
  }
}

const containers = () =>
  run(["ps", "--quiet", `--filter=ancestor=${image}`])
    .trim()
    .split("\n")
    .filter(Boolean);
const inContainer = (id, code) => JSON.parse(run(["exec", id, "node", "-e", `console.log(JSON.stringify((() => { ${code} })()))`]));
async function until(holds) {
  const endMs = performance.now() + 60_000;
  while (!holds() && performance.now() < endMs) await later(100);
  return holds();
}

const inside = started();
const outside = new Session([process.execPath, program, "--root", project, "--mount", `/docs=${docs}`], {
  cwd: project,
  env: { PATH: process.env.PATH, HOME: home },
  ...owner,
});
await outside.initialized();
await rowOf("initialize", async () => {
  const { serverInfo } = await inside.initialized();
  return [serverInfo.name === "shelpa-mcp", serverInfo];
});
for (const line of [
  "pwd",
  "ls -n *.md *.log",
  'head -n 100 app.log | grep ERROR | cut -d" " -f3 | sort | uniq -c | sort -rn | head -n 3',
  "rg -n 'worker-[34]$' app.log | wc -l",
  "jq -c '.items[] | select(.tags | length > 0)' data.json",
  "awk '{ n[$2]++ } END { for (k in n) print k, n[k] }' app.log | sort",
  "sed -n '5,7p' app.log | tr a-z A-Z",
  "git log --oneline --stat && git blame -s notes.md && git status -s | head -n 3",
  "symbols main.ts && outline main.ts",
  "find . -maxdepth 1 -name '*.json' | sort && stat -c '%n %s %a' notes.md",
  "seq 1 200000 | sort -rn | tail -n 2 && sha256sum app.log && gzip -c app.log | gunzip | cmp - app.log && echo same",
  "cat /docs/guide.txt; ls /docs",
  "echo scratch > /tmp/s && cat /tmp/s",
  "cat /etc/passwd",
  `cat '${join(project, "notes.md")}'`,
]) {
  const [here, there] = [await outside.line(line), await inside.line(line)];
  row(`as outside: ${line.length > 70 ? `${line.slice(0, 70)}…` : line}`, here === there && here !== "", { here, there });
}

await rowOf("a write has a record, belongs to the project's owner, and is undone", async () => {
  const written = await inside.line("sed -i s/two/TWO/ notes.md && echo new | tee made.txt");
  const text = readFileSync(join(project, "notes.md"), "utf8");
  const { uid } = statSync(join(project, "made.txt"));
  const undone = await inside.line("undo");
  const seen = {
    written,
    text,
    uid,
    undone,
    left: [readFileSync(join(project, "notes.md"), "utf8"), existsSync(join(project, "made.txt"))],
  };
  const records = readdirSync(join(project, ".shelpa"));
  return [text === "one\nTWO\n" && uid === (owner.uid ?? process.getuid()) && !seen.left[1] && records.length > 0, seen];
});
await rowOf("what is mounted for reading cannot be written", async () => {
  const text = await inside.line("echo x | tee /docs/x");
  return [!existsSync(join(docs, "x")) && text.includes("/docs"), text];
});

const [id = ""] = containers();
await rowOf("no capability, no new privileges, a seccomp filter, the owner's number", () => {
  const status = inContainer(id, 'return require("fs").readFileSync("/proc/1/status", "utf8")');
  const value = (name) => new RegExp(`^${name}:\\s*(.*)$`, "m").exec(status)?.[1];
  const seen = Object.fromEntries(
    ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp", "Uid"].map((name) => [name, value(name)]),
  );
  const none = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].every((name) => /^0+$/.test(seen[name]));
  const user = String(owner.uid ?? process.getuid());
  return [none && seen.NoNewPrivs === "1" && seen.Seccomp === "2" && seen.Uid.split("\t").every((each) => each === user), seen];
});
await rowOf("no network: no interface but lo, and nothing is reached", () => {
  const seen = inContainer(
    id,
    `const { spawnSync } = require("child_process");
     const reach = 'require("net").connect(53, "192.0.2.1").on("connect", () => console.log("reached")).on("error", ({ code }) => console.log(code))';
     return { names: require("fs").readdirSync("/sys/class/net"), reached: spawnSync(process.execPath, ["-e", reach], { encoding: "utf8" }).stdout.trim() };`,
  );
  return [seen.names.join() === "lo" && seen.reached === "ENETUNREACH", seen];
});
await rowOf("nothing can be written but the project and /tmp", () => {
  const seen = inContainer(
    id,
    `const fs = require("fs");
     const writable = [];
     const walk = (directory) => {
       try { fs.writeFileSync(directory + "/.probe", ""); fs.unlinkSync(directory + "/.probe"); writable.push(directory); return; } catch {}
       let entries = [];
       try { entries = fs.readdirSync(directory, { withFileTypes: true }); } catch {}
       for (const entry of entries) {
         const path = directory === "/" ? "/" + entry.name : directory + "/" + entry.name;
         if (path === "/proc" || path === "/sys") continue;
         if (entry.isDirectory()) walk(path);
         else if (entry.isFile()) try { fs.closeSync(fs.openSync(path, "r+")); writable.push(path); } catch {}
       }
     };
     walk("/");
     return writable;`,
  );
  // Queues of messages are no files, and have the container's own name space. The project lies below /tmp here.
  return [seen.filter((path) => path !== "/dev/mqueue").join() === "/tmp", seen];
});
await rowOf("the limits are the container's", () => {
  const seen = inContainer(
    id,
    `const fs = require("fs");
     const first = (...paths) => paths.filter((path) => fs.existsSync(path)).map((path) => fs.readFileSync(path, "utf8").trim())[0];
     return { memory: first("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"), processes: first("/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"), scratch: fs.statfsSync("/tmp").blocks * fs.statfsSync("/tmp").bsize };`,
  );
  return [seen.memory === String(4 * 2 ** 30) && seen.processes === "512" && seen.scratch === 2 ** 30, seen];
});

await rowOf("the end of the client's input is the end of the container", async () => {
  const { status } = await inside.close();
  return [status === 0 && (await until(() => containers().length === 0)), { status, left: containers(), errors: inside.errors }];
});
for (const signal of ["SIGTERM", "SIGKILL"])
  await rowOf(`a client that ends its program with ${signal} leaves no container`, async () => {
    const session = started();
    await session.initialized();
    await session.kill(signal);
    return [await until(() => containers().length === 0), containers()];
  });
await rowOf("the user's configuration holds in the container", async () => {
  mkdirSync(join(home, ".config/shelpa"), { recursive: true });
  writeFileSync(join(home, ".config/shelpa/config.toml"), "read_only = true\n");
  const session = started([engine, ...argumentsOf()]);
  await session.initialized();
  const text = await session.line("echo x | tee notes.md");
  await session.close();
  return [/read.only/i.test(text) && readFileSync(join(project, "notes.md"), "utf8") !== "x\n", text];
});
await rowOf("init takes its entry out again", () => {
  const done = spawnSync(process.execPath, [program, "init", "--root", project, "--client", "claude-code", "--remove"], {
    ...owner,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: home },
  });
  return [done.status === 0 && !existsSync(join(project, ".mcp.json")), done.stderr];
});

await outside.close();
if (values.image === undefined) removeImages(run, image);
console.log(failed === 0 ? `all of it, with ${run(["--version"]).trim()}` : `${failed} failed`);
rmSync(work, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
