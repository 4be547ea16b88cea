/**
 * npm run git-histories [-- --seed N] [-- --count N] [-- --lines N]: limits histories made by chance (test/builtins/git/random-history.ts)
 * to paths, ranges and shapes, through our git and the real one; prints every line whose answers differ, and how many there were.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { Shell } from "../../src/session/shell.ts";
import { ENVIRONMENT } from "../../test/builtins/git/git-repositories.ts";
import { historyLines, makeRandomHistory } from "../../test/builtins/git/random-history.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "20" },
    lines: { type: "string", default: "60" },
  },
});
const first = Number(values.seed);
let lines = 0;
let refused = 0;
let differing = 0;
for (let seed = first; seed < first + Number(values.count); seed++) {
  const made = makeRandomHistory(seed);
  const shell = await Shell.open({ root: made.path, isolation: "none", readOnly: true, timeZone: "UTC" });
  for (const line of historyLines(seed, Number(values.lines))) {
    lines++;
    const real = spawnSync("bash", ["-c", line], { cwd: made.path, env: ENVIRONMENT, input: "" });
    const { result, stdout, stderr } = await shell.newSession().run(line, { keepBytes: 1 << 24 });
    if (result.kind === "refused" || stderr.includes(" is not done here")) {
      refused++;
      continue;
    }
    const exit = result.kind === "completed" ? result.exit : result.kind;
    if (stdout.equals(real.stdout) && stderr.equals(real.stderr) && exit === real.status) continue;
    differing++;
    console.log(`seed ${seed}: ${line}`);
  }
  await shell.close();
  made.remove();
}
console.log(`${lines} lines in ${values.count} histories: ${refused} refused, ${differing} differing`);
