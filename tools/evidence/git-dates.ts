/**
 * npm run git-dates [-- --write] [-- --random N] [-- --seed N]: what the real git reads each form of git-date-forms.ts as, at each
 * of its clocks, beside ours; and with --random, forms put together from their words by chance. A library that is compiled here
 * sets git's clock. --write renews test/builtins/git/git-date-answers.json.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readDate } from "../../builtins/git/dates/approximate-date.ts";
import { CLOCKS, DATE_FORMS, type DateClock } from "../../test/builtins/git/git-date-forms.ts";

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    random: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
  },
});

const CLOCK_LIBRARY = `
#include <stdlib.h>
#include <time.h>
#include <sys/time.h>
static time_t set(void) { return atoll(getenv("CLOCK_SECONDS")); }
time_t time(time_t *to) { time_t now = set(); if (to) *to = now; return now; }
int gettimeofday(struct timeval *restrict to, void *restrict zone) { to->tv_sec = set(); to->tv_usec = 0; return 0; }
`;
const directory = mkdtempSync(join(tmpdir(), "shelpa-git-dates-"));
const library = join(directory, "clock.so");

/** Seconds since the epoch, in words of git's own: one process for each form, for mktime(3) remembers the last offset. */
function realDate(form: string, { seconds, timeZone }: DateClock): string {
  const { stdout } = spawnSync("/usr/bin/git", ["rev-parse", `--since=${form}`], {
    cwd: directory,
    env: { TZ: timeZone, CLOCK_SECONDS: String(seconds), LD_PRELOAD: library },
    encoding: "utf8",
  });
  return stdout.trim().replace("--max-age=", "");
}

function randomForms(count: number, seed: number): string[] {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const words = [...new Set(DATE_FORMS.flatMap((form) => [form, ...form.split(" ")]))].filter((word) => word !== "");
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const separators = [" ", " ", ".", "-", "_", ",", "", "/"];
  return Array.from({ length: count }, () => Array.from({ length: 1 + random(4) }, () => pick(words)).join(pick(separators)));
}

try {
  execFileSync("cc", ["-shared", "-fPIC", "-x", "c", "-o", library, "-"], { input: CLOCK_LIBRARY });
  execFileSync("/usr/bin/git", ["init", "-q", directory]);
  const forms = [...DATE_FORMS, ...randomForms(Number(values.random), Number(values.seed))];
  const answers: Record<string, readonly string[]> = {};
  let same = 0;
  for (const form of forms) {
    answers[form] = CLOCKS.map((clock) => {
      const real = realDate(form, clock);
      const ours = readDate(form, { nowMs: clock.seconds * 1000, timeZone: clock.timeZone }).seconds;
      if (ours === Number(real)) same++;
      else console.log(`${JSON.stringify(form)} at ${clock.name}: ${ours}, not ${real}`);
      return real;
    });
  }
  console.log(`${same} of ${forms.length * CLOCKS.length} the same (${forms.length} forms at ${CLOCKS.length} clocks)`);
  if (values.write) {
    const rows = DATE_FORMS.map((form) => `  ${JSON.stringify(form)}: ${JSON.stringify(answers[form])}`);
    const place = join(dirname(fileURLToPath(import.meta.url)), "../test/builtins/git/git-date-answers.json");
    writeFileSync(place, `{\n${rows.join(",\n")}\n}\n`);
  }
} finally {
  rmSync(directory, { recursive: true });
}
