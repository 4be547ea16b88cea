/** Resident memory, descriptors and threads of processes, as the kernel gives them (Linux). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Of the servers `pids` and all that they have started. */
export function held(pids, { temporary, root }) {
  const all = pids.flatMap((pid) => [pid, ...childrenOf(pid)]);
  return {
    residentMib: Math.round(sum(pids, residentKib) / 1024),
    executors: all.length - pids.length,
    executorMib: Math.round(
      sum(
        all.filter((pid) => !pids.includes(pid)),
        residentKib,
      ) / 1024,
    ),
    descriptors: sum(pids, descriptors),
    temporaryFiles: namesIn(temporary).length + namesIn(root).filter((name) => name.startsWith(".shelpa-")).length,
    recordLeftovers: namesIn(join(root, ".shelpa/@")).filter((name) => !/^(journal|calls)/.test(name)).length,
  };
}

export function heldTable(samples) {
  const rows = samples.map((sample, at) => ({ when: ["start", "middle", "end"][at], ...sample }));
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, ...rows.map((row) => columns.map((column) => String(row[column])))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  return lines.map((line) => `${line.map((text, at) => text.padStart(widths[at])).join("  ")}\n`).join("");
}

export function childrenOf(pid) {
  const found = [];
  for (const task of namesIn(`/proc/${pid}/task`))
    found.push(...textOf(`/proc/${pid}/task/${task}/children`).split(" ").filter(Boolean).map(Number));
  return found.flatMap((child) => [child, ...childrenOf(child)]);
}

const sum = (pids, of) => pids.reduce((total, pid) => total + of(pid), 0);
const residentKib = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);
const descriptors = (pid) => namesIn(`/proc/${pid}/fd`).length;

function namesIn(directory) {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
