/**
 * npm run test:systemd [-- --required]: the units of examples/systemd under a systemd of its own, process 1 of a container on this machine's
 * files (podman, as root): the socket starts the server, which runs lines within its sandbox, ends when it is idle and is started again.
 * Where no such container starts, that is said, and fails only with --required. `npm run build` first.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const top = fileURLToPath(new URL("../..", import.meta.url));
const { values: options } = parseArgs({ options: { required: { type: "boolean" } } });
/** Time for something to come about, in milliseconds. */
const PATIENCE_MS = 60_000;
const TOKEN = "a-token-of-the-test-of-systemd";
const work = mkdtempSync(join(tmpdir(), "shelpa-systemd-"));
const name = `shelpa-systemd-${process.pid}`;
const settings = join(work, "containers.conf");
const environment = { ...process.env, CONTAINERS_CONF: settings };

try {
  const why = await obstacle();
  if (why === undefined) {
    await activate();
    console.log("systemd: all well");
  } else {
    console.log(`${options.required ? "FAILED" : "SKIPPED"}: no systemd starts in a container here: ${why}`);
    process.exitCode = options.required ? 1 : 0;
  }
} catch (error) {
  console.log(`FAILED: ${error.message}`);
  process.exitCode = 1;
} finally {
  spawnSync("podman", ["rm", "--force", name], { env: environment, stdio: "ignore" });
  rmSync(work, { recursive: true, force: true });
}

/** The reason why there is no container with systemd in it; undefined where there is one. */
async function obstacle() {
  if (!existsSync("/lib/systemd/systemd")) return "it is not installed (apt-get install systemd)";
  if (process.getuid?.() !== 0) return "the files of this machine are laid over by root alone";
  // As for npm run test:container.
  const runc = existsSync("/usr/sbin/runc") || existsSync("/usr/bin/runc") ? 'runtime = "runc"\n' : "";
  writeFileSync(settings, `[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]\n[engine]\n${runc}`);
  // What is written is written over this machine's files, and gone with the container.
  const mounts = ["--tmpfs=/tmp:rw,notmpcopyup", "--tmpfs=/run:rw,notmpcopyup", `--volume=${top}:/opt/shelpa:ro`, "--rootfs", "/:O"];
  const flags = ["--detach", `--name=${name}`, "--network=none", "--privileged", "--systemd=always"];
  const ran = spawnSync("podman", ["run", ...flags, ...mounts, "/lib/systemd/systemd", "--unit=basic.target"], {
    env: environment,
    encoding: "utf8",
  });
  if (ran.status !== 0) return ran.error?.message ?? ran.stderr.trim().split("\n").at(-1);
  try {
    await until("a system that runs", () => /running|degraded/.test(inside("systemctl is-system-running || true")));
    return undefined;
  } catch (error) {
    return error.message;
  }
}

async function activate() {
  inside(`set -eu
    # As on a host, where systemd itself makes it so: credentials are mounted from outside the service.
    mount --make-rshared /
    useradd --system --no-create-home shelpa
    install -d -o shelpa -g shelpa /srv/workspaces /srv/workspaces/web
    install -d /etc/shelpa /usr/lib/node_modules/shelpa-mcp
    cp -r /opt/shelpa/dist /opt/shelpa/package.json /usr/lib/node_modules/shelpa-mcp/
    sed 's/exit_idle_seconds = 600/exit_idle_seconds = 10/' /opt/shelpa/examples/systemd/server.toml > /etc/shelpa/server.toml
    (umask 077; echo ${TOKEN} > /etc/shelpa/ci.token; echo ${TOKEN}-metrics > /etc/shelpa/prometheus.token)
    cp /opt/shelpa/examples/systemd/shelpa-mcp.socket /etc/systemd/system/
    sed 's#/usr/bin/node#${process.execPath}#' /opt/shelpa/examples/systemd/shelpa-mcp.service > /etc/systemd/system/shelpa-mcp.service
    systemctl daemon-reload
    systemctl start shelpa-mcp.socket`);
  same("before a call there is no server", state(), "inactive success");
  const line = "seq 3 | sort -rn | tee a; jq -n 1+1; echo x > /tmp/y; cat /tmp/y; rg -c . a";
  same("a call starts it, and tools of each kind run in the sandbox", call(line), "3\n2\n1\n2\nx\n3\n");
  const facts = inside('grep -hE "^(NoNewPrivs|Seccomp|CapBnd):" /proc/$(systemctl show -p MainPID --value shelpa-mcp)/status');
  same("without rights", facts.replace(/\s+/g, " ").trim(), "CapBnd: 0000000000000000 NoNewPrivs: 1 Seccomp: 2");
  const links = inside(
    "nsenter --net --target $(systemctl show -p MainPID --value shelpa-mcp) cat /proc/net/dev | tail -n +3 | cut -d: -f1",
  );
  same("without a network", links.trim(), "lo");
  await until("it ends when it is idle", () => state() === "inactive success");
  console.log(" ok     it ends when it is idle");
  same("the next call starts it again", call("cat a"), "3\n2\n1\n");
  inside("systemctl reload shelpa-mcp");
  same("it is read again", call("wc -l a"), "3 a\n");
  const metrics = inside(`curl -sS -H 'authorization: Bearer ${TOKEN}-metrics' http://127.0.0.1:3456/metrics`);
  same("the metrics are its own", /^shelpa_calls_total\{workspace="web",outcome="completed",reason=""\} [12]$/m.test(metrics), true);
}

/** `active` or `inactive`, and how it ended. */
function state() {
  const shown = inside("systemctl show --property=ActiveState,Result shelpa-mcp.service");
  return `${/^ActiveState=(.*)$/m.exec(shown)?.[1]} ${/^Result=(.*)$/m.exec(shown)?.[1]}`;
}

/** Standard output of a line, as the tool gives it. */
function call(command) {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command } } };
  const headers = [`authorization: Bearer ${TOKEN}`, "content-type: application/json", "accept: application/json, text/event-stream"];
  const words = headers.map((header) => `-H '${header}'`).join(" ");
  const answer = inside(`curl -sS -m 60 ${words} -d @- http://127.0.0.1:3456/w/web/mcp <<'END'\n${JSON.stringify(message)}\nEND`);
  const text = answer.replace(/^event:.*\n/m, "").replace(/^data: /m, "");
  return JSON.parse(text).result?.content?.[0]?.text ?? text;
}

function same(what, found, expected) {
  if (found !== expected) {
    const log = inside("journalctl -u shelpa-mcp --no-pager | tail -n 20");
    throw new Error(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}\n${log}`);
  }
  console.log(` ok     ${what}`);
}

/** Standard output of a shell's script in the container. */
function inside(script) {
  const ran = spawnSync("podman", ["exec", "--interactive", name, "sh"], { env: environment, encoding: "utf8", input: script });
  if (ran.status !== 0) throw new Error(`${script.trim().split("\n")[0]}: ${ran.stderr.trim().split("\n").at(-1)}`);
  return ran.stdout;
}

async function until(what, look) {
  const deadline = performance.now() + PATIENCE_MS;
  for (let last = ""; ; await later(200)) {
    try {
      if (look()) return;
    } catch (error) {
      last = `: ${error.message}`;
    }
    if (performance.now() > deadline) throw new Error(`not in ${PATIENCE_MS / 1000} s: ${what}${last}`);
  }
}
