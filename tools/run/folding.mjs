/**
 * npm run test:folding [-- --required] [--short]: the tests of test/folding, and the confinement tables, on a volume that folds names
 * (test/folding/mac-volume.py), as Linux and as macOS. Needs Linux, root, /dev/fuse and Debian's python3-fusepy, which it installs.
 *
 * As macOS, the server is a copy of dist/ whose every file begins with tools/run/folding/as-darwin.mjs, in a mount namespace of its own
 * without /proc. Where something is missing it says so and does nothing; with --required that is a failure. --short: without the
 * HFS+ kind, and of each platform what tells most.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as after } from "node:timers/promises";
import { conclusion, FAST_BUILD, inTurn, root, tests } from "./steps.mjs";

const VOLUME = `${root}test/folding/mac-volume.py`;
const PYTHON = "/usr/bin/python3";
const READY_MS = 30_000;
/** The volume is of Python: thousands of directories in each other take it minutes. The model of the random trees keeps cases apart. */
const WITHOUT = ["-t", "^(?!.*(2,000 directories deep|every door as the model says))"];
/** Half a minute for two cores. */
const SHORT = {
  linux: ["workspace/confinement", "folding/denied-reading", "folding/git"],
  darwin: ["folding/denied-reading", "folding/host", "folding/memory"],
};
const short = process.argv.includes("--short");

const missing = lack();
if (missing !== undefined) {
  console.log(`test:folding is ${process.argv.includes("--required") ? "required here" : "skipped"}: ${missing}`);
  process.exit(process.argv.includes("--required") ? 1 : 0);
}
const place = mkdtempSync(`${tmpdir()}/shelpa-folding-`);
let exit = 1;
try {
  const failed = existsSync(`${root}dist/shelpa-mcp.js`) ? [] : await inTurn([FAST_BUILD]);
  for (const kind of failed.length > 0 ? [] : short ? ["apfs", "fat"] : ["apfs", "hfs", "fat"]) failed.push(...(await onVolume(kind)));
  exit = conclusion(failed);
} finally {
  rmSync(place, { recursive: true, force: true });
}
process.exit(exit);

/** What is missing, in words; undefined where nothing is. */
function lack() {
  if (process.platform !== "linux") return "its file system needs Linux";
  if (process.getuid() !== 0) return "only root may mount the volume";
  try {
    accessSync("/dev/fuse", constants.R_OK | constants.W_OK);
  } catch {
    return "there is no /dev/fuse that may be opened";
  }
  if (hasFuse()) return undefined;
  console.log("installing python3-fusepy and fuse3");
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "python3-fusepy", "fuse3"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: 180_000,
  });
  return hasFuse() ? undefined : "python3-fusepy is not installed, and apt-get did not install it";
}

function hasFuse() {
  return spawnSync(PYTHON, ["-c", "try:\n import fusepy\nexcept ImportError:\n import fuse"]).status === 0;
}

/** Runs the tests on a volume of the kind; gives those that failed. */
async function onVolume(kind) {
  const [backing, mountPoint] = [`${place}/${kind}-backing`, `${place}/${kind}`];
  mkdirSync(backing);
  mkdirSync(mountPoint);
  const volume = spawn(PYTHON, [VOLUME, backing, mountPoint, ...(kind === "apfs" ? [] : [`--${kind}`])], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  try {
    await mounted(mountPoint, volume);
    const failed = [];
    for (const platform of ["linux", "darwin"]) {
      console.log(`${kind}, as ${platform}`);
      failed.push(...(await tests(filesFor(kind, platform), environment(kind, platform, mountPoint))));
    }
    return failed;
  } finally {
    spawnSync("umount", ["-l", mountPoint]);
    volume.kill();
  }
}

async function mounted(mountPoint, volume) {
  for (const untilMs = performance.now() + READY_MS; performance.now() < untilMs; await after(50)) {
    if (volume.exitCode !== null) throw new Error(`the volume ended with ${volume.exitCode}`);
    if (readFileSync("/proc/self/mounts", "utf8").includes(` ${mountPoint} `)) return;
  }
  throw new Error("the volume was not mounted in time");
}

function filesFor(kind, platform) {
  if (kind === "hfs") return ["test/folding"];
  if (kind === "fat") return ["test/folding/listed-names.test.ts"];
  if (short) return SHORT[platform].map((name) => `test/${name}.test.ts`).concat(WITHOUT);
  const tables = { linux: ["test/workspace/confinement.test.ts"], darwin: ["test/workspace/walk/named-handles.test.ts"] };
  return ["test/folding", ...tables[platform], ...WITHOUT];
}

function environment(kind, platform, mountPoint) {
  const server = platform === "darwin" ? darwinServer() : [process.execPath, `${root}dist/shelpa-mcp.js`];
  return {
    TMPDIR: mountPoint,
    SHELPA_FOLDING_SERVER: JSON.stringify(server),
    SHELPA_FOLDING_VOLUME: kind,
    SHELPA_FOLDING_PLATFORM: platform,
  };
}

/** Command of the server as on macOS. */
function darwinServer() {
  const copy = `${place}/darwin`;
  const dist = `${copy}/dist`;
  if (!existsSync(copy)) {
    cpSync(`${root}dist`, dist, { recursive: true, filter: (from) => !from.endsWith("/.compiled") });
    copyFileSync(`${root}package.json`, `${copy}/package.json`);
    copyFileSync(`${root}tools/run/folding/as-darwin.mjs`, `${dist}/as-darwin.mjs`);
    mkdirSync(`${dist}/proc`);
    for (const name of readdirSync(dist).filter((each) => each.endsWith(".js"))) {
      const text = readFileSync(`${dist}/${name}`, "utf8");
      const [, first = "", rest = ""] = /^(#![^\n]*\n)?([^]*)$/.exec(text) ?? [];
      writeFileSync(`${dist}/${name}`, `${first}import "./as-darwin.mjs";${rest}`);
    }
  }
  const start = `mount --make-rprivate / && mount -t proc proc '${dist}/proc' && mount -t tmpfs tmpfs /proc && exec "$@"`;
  return ["unshare", "--mount", "sh", "-c", start, "sh", process.execPath, `${dist}/shelpa-mcp.js`];
}
