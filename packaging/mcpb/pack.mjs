/**
 * `npm run bundle`: shelpa-mcp-VERSION.mcpb, which a client installs with a click. `npm run build` first. The manifest
 * is validated, and the bundle made, by the format's own tool.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { icon } from "./icon.mjs";

const MCPB = "@anthropic-ai/mcpb@2.1.2";
const top = fileURLToPath(new URL("../..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const staged = mkdtempSync(join(tmpdir(), "shelpa-mcpb-"));
const bundle = join(top, `shelpa-mcp-${version}.mcpb`);
const mcpb = (...args) => execFileSync("npx", ["--yes", MCPB, ...args], { stdio: "inherit" });

try {
  const manifest = JSON.parse(readFileSync(join(top, "packaging/mcpb/manifest.json"), "utf8"));
  writeFileSync(join(staged, "manifest.json"), JSON.stringify({ ...manifest, version }, null, 2));
  writeFileSync(join(staged, "package.json"), JSON.stringify({ name: "shelpa-mcp", version, type: "module" }));
  writeFileSync(join(staged, "icon.png"), icon());
  cpSync(join(top, "LICENSE"), join(staged, "LICENSE"));
  for (const name of readdirSync(join(top, "dist"))) {
    // What is for development, and what only an importer of the library needs.
    if (!name.startsWith("dev-") && name !== "types" && name !== "index.js")
      cpSync(join(top, "dist", name), join(staged, "dist", name), { recursive: true });
  }
  mcpb("validate", join(staged, "manifest.json"));
  mcpb("pack", staged, bundle);
} finally {
  rmSync(staged, { recursive: true, force: true });
}
