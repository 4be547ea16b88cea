/**
 * Runs tests of the project in a Windows Node, which need no more than it: `inside.js RESULTS PART OF EVERY`. Each file is a line of JSON in the
 * file RESULTS, for what runs this (Wine) gives no pipe. Of all files it runs the PART-th of OF, and of their tests each EVERY-th.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { FILES } from "./test-files.js";
import { runTests } from "./vitest.ts";

const [results = "", part = "0", of = "1", every = "1"] = process.argv.slice(2);
writeFileSync(results, "");
for (const [at, [file, load]] of FILES.entries()) {
  if (at % Number(of) !== Number(part)) continue;
  const startedMs = performance.now();
  const outcomes = await runTests(load, (test) => test % Number(every) === 0);
  appendFileSync(results, `${JSON.stringify({ file, seconds: (performance.now() - startedMs) / 1000, outcomes })}\n`);
}
appendFileSync(results, `${JSON.stringify({ file: "", seconds: 0, outcomes: [] })}\n`);
process.exit(0);
