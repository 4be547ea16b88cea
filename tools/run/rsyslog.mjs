/**
 * A real rsyslog receives the records of a workspace over TLS, while they are written and while it is restarted: by SIGTERM, and by
 * SIGKILL. Afterwards all are there, in order. `npm run build` first; Debian's packages are installed where they are missing and we may.
 *
 *   npm run test:syslog [-- --short]    10,000 records with each of rsyslog's two TLS drivers (--short: 3,000 with one)
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { freePorts } from "./free-ports.mjs";
import { checkReceived } from "./rsyslog/received.mjs";

process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
const isShort = process.argv.includes("--short");
const RECORDS = isShort ? 3000 : 10_000;
/** Records of one command line. */
const AT_ONCE = 500;
const PACKAGES = ["rsyslog", "rsyslog-gnutls", "rsyslog-openssl"];
const SHELL = "dist/shelpa.js";
const JOURNAL = ".shelpa/@/journal.jsonl";

if (!existsSync("/usr/sbin/rsyslogd") || !PACKAGES.slice(1).every(hasDriver)) install();
const directory = mkdtempSync(join(tmpdir(), "shelpa-rsyslog-"));
let failed = false;
try {
  const { AuditShipping } = await shipping();
  const certificates = makeCertificates();
  for (const driver of isShort ? ["gtls"] : ["gtls", "ossl"]) failed = !(await tried(driver, AuditShipping, certificates)) || failed;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

function hasDriver(name) {
  const module = name === "rsyslog-gnutls" ? "lmnsd_gtls.so" : "lmnsd_ossl.so";
  return [
    `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/rsyslog/`,
    "/usr/lib/rsyslog/",
    "/usr/lib64/rsyslog/",
  ].some((place) => existsSync(place + module));
}

function install() {
  const sudo = process.getuid() === 0 ? [] : ["sudo", "-n"];
  const run = (...words) => execFileSync(words[0], words.slice(1), { stdio: ["ignore", "ignore", "inherit"] });
  run(...sudo, "apt-get", "update", "-q");
  run(...sudo, "apt-get", "install", "-y", "-q", "--no-install-recommends", ...PACKAGES);
}

/** The class that ships, as one file: it is in no entry of its own. */
async function shipping() {
  const outfile = join(directory, "dist/shipping.mjs");
  await build({
    entryPoints: ["src/mcp/sinks/audit-shipping.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "warning",
  });
  return import(pathToFileURL(outfile).href);
}

function makeCertificates() {
  const at = (name) => join(directory, name);
  const openssl = (...words) => execFileSync("openssl", words, { stdio: ["ignore", "ignore", "pipe"] });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...newKey, "-keyout", at("ca.key"), "-out", at("ca.pem"), "-subj", "/CN=test CA", "-days", "2");
  openssl("req", ...newKey, "-keyout", at("server.key"), "-out", at("server.csr"), "-subj", "/CN=localhost");
  writeFileSync(at("names"), "subjectAltName=DNS:localhost\n");
  const signing = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial", "-days", "2", "-extfile", at("names")];
  openssl("x509", "-req", "-in", at("server.csr"), "-out", at("server.pem"), ...signing);
  return { ca: at("ca.pem"), certificate: at("server.pem"), key: at("server.key") };
}

async function tried(driver, AuditShipping, { ca, certificate, key }) {
  const at = (name) => join(directory, driver, name);
  const root = at("root");
  mkdirSync(root, { recursive: true });
  const [port] = await freePorts(1);
  writeFileSync(
    at("rsyslog.conf"),
    `global(workDirectory="${at("")}" defaultNetstreamDriverCAFile="${ca}" defaultNetstreamDriverCertFile="${certificate}" defaultNetstreamDriverKeyFile="${key}")
# What is in a queue in memory is lost with the process: a message is in the file before the next is read.
main_queue(queue.type="Direct")
module(load="imtcp" streamDriver.name="${driver}" streamDriver.mode="1" streamDriver.authMode="anon")
input(type="imtcp" port="${port}")
template(name="whole" type="string" string="%structured-data% %msg%\\n")
action(type="omfile" file="${at("received")}" template="whole")
`,
  );
  let rsyslog = start(at);
  try {
    return await shippedThrough({
      driver,
      at,
      root,
      port,
      ca,
      AuditShipping,
      restart: async (signal) => {
        await stopped(rsyslog, signal);
        await delay(700);
        rsyslog = start(at);
      },
    });
  } finally {
    await stopped(rsyslog, "SIGTERM");
  }
}

async function shippedThrough({ driver, at, root, port, ca, AuditShipping, restart }) {
  await listening(port);
  const events = [];
  const url = { type: "syslog", host: "localhost", port, isTls: true, caFile: ca };
  const settings = {
    sinks: [url],
    state: at("state"),
    requireSink: false,
    anchorKeyFile: undefined,
    anchorMinutes: 60,
    keepDays: undefined,
  };
  const shipping = AuditShipping.open(settings, (event) => events.push(event.message));
  // Half of them wait when the shipping begins, so that batches are large and a restart falls into one.
  await write(root, RECORDS / 2, () => undefined);
  const waiting = readFileSync(join(root, JOURNAL)).length;
  const startedMs = performance.now();
  const watched = await shipping.watch("records", root);
  let isWritten = false;
  const writer = write(root, RECORDS / 2, () => watched.changed()).then(() => {
    isWritten = true;
  });
  const restarts = [];
  for (const signal of ["SIGTERM", "SIGKILL"]) {
    const due = (waiting * (restarts.length + 1)) / 3;
    while (receivedBytes(at) < due) await delay(1);
    restarts.push(signal);
    await restart(signal);
  }
  if (isWritten) throw new Error("the writer was done before the restarts");
  await writer;
  const expected = () => readFileSync(join(root, JOURNAL), "utf8").split("\n").slice(0, -1);
  const deadlineMs = Date.now() + 60_000;
  let found = checkReceived(received(at), expected());
  while (!found.isWhole && Date.now() < deadlineMs) {
    await delay(200);
    found = checkReceived(received(at), expected());
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  await shipping.close();
  console.log(
    `${found.isWhole && found.isInOrder ? "ok    " : "FAILED"} ${driver}: ${RECORDS} records in ${expected().length} lines, ${found.lines} there, ${found.isInOrder ? "in order" : "NOT in order"}, ${found.duplicates} came twice; restarts: ${restarts.join(", ")}; ${seconds} s from the first sent`,
  );
  if (!found.isWhole || !found.isInOrder || process.argv.includes("--events")) console.log(found.problem, events);
  return found.isWhole && found.isInOrder;
}

function received(at) {
  return existsSync(at("received")) ? readFileSync(at("received"), "utf8") : "";
}

function receivedBytes(at) {
  return statSync(at("received"), { throwIfNoEntry: false })?.size ?? 0;
}

function start(at) {
  const words = ["-n", "-f", at("rsyslog.conf"), "-i", at("pid")];
  rmSync(at("pid"), { force: true });
  return spawn("/usr/sbin/rsyslogd", words, { stdio: ["ignore", "ignore", process.argv.includes("--events") ? "inherit" : "ignore"] });
}

async function stopped(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await ended;
}

/** Command lines one after the other, each of which makes as many records. */
async function write(root, records, changed) {
  for (let made = 0; made < records; made += AT_ONCE) {
    const line = existsSync(join(root, "d")) ? `touch d/f{1..${AT_ONCE}}` : `mkdir d && touch d/f{2..${AT_ONCE}}`;
    const child = spawn(process.execPath, [SHELL, "--root", root, "-c", line], { stdio: ["ignore", "ignore", "inherit"] });
    const status = await new Promise((resolve) => child.once("exit", resolve));
    if (status !== 0) throw new Error(`the writer ended with ${status}`);
    changed();
  }
}

async function listening(port) {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect(port, "localhost");
    const isThere = await new Promise((resolve) => socket.once("connect", () => resolve(true)).once("error", () => resolve(false)));
    socket.destroy();
    if (isThere) return;
    await delay(50);
  }
  throw new Error("rsyslog does not listen");
}
