/** The servers of the long soak, and what is asked of them outside the protocol. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const TOKEN = "a-token-for-the-soak-test-alone";
export const PROGRAM = fileURLToPath(new URL("../../../dist/shelpa-mcp.js", import.meta.url));

export const serverArguments = ({ config }, root) => ["--structured", "--root", root, "--config", config];

/** A server over HTTP on a free port. `end` gives its exit status. */
export async function startHttp(setting, root, { program = PROGRAM, temporary = setting.temporary } = {}) {
  const child = spawn(process.execPath, [program, ...serverArguments(setting, root), "--http", "127.0.0.1:0"], {
    env: { ...process.env, SHELPA_HTTP_TOKEN: TOKEN, TMPDIR: temporary },
    stdio: ["ignore", "inherit", "pipe"],
  });
  let text = "";
  const url = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
    child.stderr.on("data", (chunk) => {
      text = (text + chunk).slice(-4000);
      const found = /listening on (\S+)\n/.exec(text);
      if (found !== null) resolve(new URL(found[1]));
    });
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const end = () => {
    child.kill("SIGTERM");
    return exited;
  };
  return { url, pid: child.pid, end, lives: () => child.exitCode === null && child.signalCode === null };
}

/** The errors that `audit verify` finds under `root`. */
export async function verifyAudit(root) {
  const child = spawn(process.execPath, [PROGRAM, "audit", "verify", "--root", root], { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  child.stdout.on("data", (chunk) => (text += chunk));
  child.stderr.on("data", (chunk) => (text += chunk));
  const status = await new Promise((resolve) => child.once("exit", resolve));
  return status === 0 ? [] : [`exit ${status}: ${text.slice(0, 500)}`];
}
