/**
 * npm run audit: fails where npm knows of a weakness in a package that is shipped. Where its service cannot be asked
 * (no network, a mirror without it), that is said, and nothing is claimed; --required fails there too, for a release.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { components } = JSON.parse(readFileSync(new URL("../../dist/sbom.cdx.json", import.meta.url), "utf8"));
const shipped = new Set(components.filter(({ type }) => type === "library").map(({ name }) => name));
// Everything is bundled, and so is for development in npm's eyes: it is asked of all, and heard of what is shipped.
const ran = spawnSync("npm", ["audit", "--json"], { encoding: "utf8", timeout: 60_000 });
const { metadata, vulnerabilities, message = ran.error?.message } = reportOf(ran.stdout ?? "");
if (metadata === undefined) {
  console.log(`audit: SKIPPED, the registry does not say: ${message ?? (ran.stderr ?? "").trim().split("\n").at(-1) ?? "no answer"}`);
  process.exit(process.argv.includes("--required") ? 1 : 0);
}
const found = Object.entries(vulnerabilities).filter(([name]) => shipped.has(name));
for (const [name, { severity, via }] of found) {
  console.log(`audit: ${name}: ${severity}: ${via.map((one) => (typeof one === "string" ? one : `${one.title} ${one.url}`)).join("; ")}`);
}
console.log(`audit: known weaknesses in ${found.length} of ${shipped.size} packages`);
process.exit(found.length === 0 ? 0 : 1);

function reportOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
