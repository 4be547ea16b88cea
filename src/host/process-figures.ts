/** Figures about this process for its operator, by the names that Prometheus' client libraries give them. */
import { readdirSync } from "node:fs";
import { isLinux } from "../io/platform.ts";
import { mostOpenFiles } from "./process-memory.ts";

export interface ProcessFigures {
  readonly residentBytes: number;
  readonly heapUsedBytes: number;
  readonly heapTotalBytes: number;
  /** User and system time together. */
  readonly processorSeconds: number;
  /** Since 1970. */
  readonly startedAtSeconds: number;
  /** undefined where the platform has no /proc. */
  readonly openFiles: number | undefined;
  readonly mostOpenFiles: number | undefined;
  /** Version of Node, without its v. */
  readonly nodeVersion: string;
}

export function processFigures(): ProcessFigures {
  const { rss, heapUsed, heapTotal } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: rss,
    heapUsedBytes: heapUsed,
    heapTotalBytes: heapTotal,
    processorSeconds: (user + system) / 1e6,
    startedAtSeconds: performance.timeOrigin / 1000,
    openFiles: openFiles(),
    mostOpenFiles: mostOpenFiles(),
    nodeVersion: process.versions.node,
  };
}

function openFiles(): number | undefined {
  if (!isLinux) return undefined;
  try {
    // The directory itself is open while it is listed.
    return readdirSync("/proc/self/fd").length - 1;
  } catch {
    return undefined;
  }
}
