/** tar against GNU tar 1.34 on archives with changed bytes. SHELPA_FUZZ_RUNS for a long run, SHELPA_FUZZ_SEED for another. */
import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { toBytes, toText } from "../../../src/io/text.ts";
import { runOurs } from "../../cases.ts";
import { Dice, FUZZ_SEED, fuzzRuns } from "../../fuzz/dice.ts";
import { needs } from "../../needs.ts";
import { tree } from "../../tree.ts";
import { ARCHIVES } from "./archives.ts";

const count = fuzzRuns(60, 150);
const env = { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8", TZ: "UTC" };
const isReference = spawnSync("tar", ["--version"], { env }).stdout?.toString().startsWith("tar (GNU tar) 1.34\n") === true;

needs({ name: "GNU tar 1.34", isHere: isReference }).test(`${count} changed archives`, { timeout: 60_000 + count * 300 }, async () => {
  const differences: unknown[] = [];
  const names = Object.keys(ARCHIVES);
  for (let run = 0; run < count && differences.length < 5; run++) {
    const dice = new Dice("tar", FUZZ_SEED + run);
    const name = dice.pick(names);
    const archive = changed(dice, toBytes(ARCHIVES[name] as string));
    const command = `tar ${dice.pick(["tf", "tvf", "xOf", "xOvf", "tvPf"])} a.tar ${dice.pick(["", "", "--numeric-owner", "--full-time", "-i", "d x1 n"])} 2>&1`;
    const place = tree([`a.tar: ${toText(archive)}`]);
    try {
      const ours = await runOurs({ command }, place.path);
      const real = spawnSync("bash", ["-c", command], { cwd: place.path, env, maxBuffer: 1 << 26, timeout: 10_000 });
      const text = toText(real.stdout);
      // Deviations, and faults in several places of one header, whose order among messages is tar's own.
      if (/base-64|Unexpected EOF|rmtlseek|sparse|Substituting|Malformed/.test(text + ours.stdout)) continue;
      if (ours.stdout !== text || ours.exit !== real.status)
        differences.push({ run, name, command, ours: [ours.stdout, ours.exit], real: [text, real.status] });
    } finally {
      place.remove();
    }
  }
  expect(differences).toEqual([]);
});

/** Some bytes of one header or of its data are others, and the checksum may be right again. */
function changed(dice: Dice, archive: Buffer): Buffer {
  if (archive.length < 512) return archive;
  const block = dice.below(Math.floor(archive.length / 512)) * 512;
  for (let left = 1 + dice.below(3); left > 0; left--) {
    const at = block + dice.pick([dice.below(512), 100 + dice.below(60), 156, 257 + dice.below(8), 124 + dice.below(12)]);
    archive[at] = dice.pick([0, 32, 48 + dice.below(10), 65 + dice.below(26), 97 + dice.below(26), 0x80, 0xff, 10, 47]);
  }
  if (dice.chance(80)) {
    archive.fill(32, block + 148, block + 156);
    const sum = archive.subarray(block, block + 512).reduce((total, byte) => total + byte, 0);
    archive.write(`${sum.toString(8).padStart(6, "0")}\0 `, block + 148, "latin1");
  }
  return archive;
}
