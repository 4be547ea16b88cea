/**
 * Preload that makes a Node on Linux a Node on macOS, as far as this project asks: the platform's name, realpath(3), which there gives
 * each name as its directory has it, and the resident memory, which Node on Linux reads from /proc. tools/run/folding.mjs puts it in front
 * of each file of a copy of dist/; /proc is hidden then, and lies beside the copy for this alone.
 */
import fs from "node:fs";
import { fileURLToPath } from "node:url";

const { lstatSync, readdirSync, readFileSync, realpathSync } = fs;
const statm = fileURLToPath(new URL("proc/self/statm", import.meta.url));
const PAGE_BYTES = 4096;
const real = realpathSync.native;

const swapped = (name) =>
  name.replace(/\p{L}/gu, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
const folded = (name) => name.normalize("NFD").toLowerCase();

/** The entry that is found as `name`; `name` itself where the directory may not be listed. */
function listed(directory, name) {
  try {
    // On a file system that keeps cases apart nothing has to be listed.
    if (lstatSync(`${directory}/${swapped(name)}`, { throwIfNoEntry: false }) === undefined) return name;
    const names = readdirSync(directory);
    return names.includes(name) ? name : (names.find((each) => folded(each) === folded(name)) ?? name);
  } catch {
    return name;
  }
}

function realPath(path, options) {
  const found = real(path, { encoding: "utf8" });
  let stored = "";
  for (const name of found.split("/").slice(1)) stored += `/${name === "" ? "" : listed(stored === "" ? "/" : stored, name)}`;
  const encoding = typeof options === "string" ? options : options?.encoding;
  return encoding === "buffer" ? Buffer.from(stored) : stored;
}

if (process.platform !== "darwin") {
  Object.defineProperty(process, "platform", { value: "darwin" });
  realpathSync.native = realPath;
  process.memoryUsage.rss = () => Number(readFileSync(statm, "latin1").split(" ")[1]) * PAGE_BYTES;
}
