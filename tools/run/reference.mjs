/** npm run test:reference: installs the real tools if need be and runs every table row against them. */
import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const install = fileURLToPath(new URL("oracle.sh", import.meta.url));
const tools =
  process.env.SHELPA_ORACLE ?? execFileSync("bash", [install], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
const files = process.argv.length > 2 ? process.argv.slice(2) : ["test/builtins", "test/builtin/usage.test.ts", "test/exec/engine.test.ts"];
const ran = spawnSync("npx", ["vitest", "run", ...files], { cwd: root, stdio: "inherit", env: { ...process.env, SHELPA_ORACLE: tools } });
process.exit(ran.status ?? 1);
