/** Writes the manual pages and completions into dist/, as a step of the build. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packagingFiles } from "./packaging-files.ts";

for (const [path, text] of packagingFiles()) {
  const file = join("dist", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
