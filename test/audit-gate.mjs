/**
 * npm run audit: fails where npm knows of a weakness in a package that is shipped. Where its service cannot be asked
 * (no network, a mirror without it), that is said, and nothing is claimed; --required fails there too, for a release.
 */
import { spawnSync } from "node:child_process";

const ran = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8", timeout: 60_000 });
const { metadata, vulnerabilities, message = ran.error?.message } = reportOf(ran.stdout ?? "");
if (metadata === undefined) {
  console.log(`audit: SKIPPED, the registry does not say: ${message ?? (ran.stderr ?? "").trim().split("\n").at(-1) ?? "no answer"}`);
  process.exit(process.argv.includes("--required") ? 1 : 0);
}
for (const [name, { severity, via }] of Object.entries(vulnerabilities)) {
  console.log(`audit: ${name}: ${severity}: ${via.map((one) => (typeof one === "string" ? one : `${one.title} ${one.url}`)).join("; ")}`);
}
const { total } = metadata.vulnerabilities;
console.log(`audit: ${total} known weaknesses in ${metadata.dependencies.prod} packages`);
process.exit(total === 0 ? 0 : 1);

function reportOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
