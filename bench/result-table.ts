/** Benchmark results as rows of a Markdown table. */

export interface Result {
  readonly name: string;
  /** Milliseconds, without the start of Node. */
  readonly ours: number;
  readonly real: number;
  /** Ratio of processor time, ours to the real tool's, without the start of Node. */
  readonly cpuRatio: number;
  /** The most the ratio may be; undefined: no target. */
  readonly atMost: number | undefined;
  readonly peakMib: number;
  /** Our output was not the real tool's. */
  readonly differs: boolean;
  /** Milliseconds of a whole call to a server that has answered it before; undefined: not measured. */
  readonly warmMs: number | undefined;
  /** just-bash's time, or the reason why it has none; undefined: it was not run. */
  readonly justBash: { readonly ms: number; readonly differs: boolean } | string | undefined;
}

/** One line over files of several sizes. */
export interface Grown {
  readonly name: string;
  readonly sizes: readonly { readonly megabytes: number; readonly ours: number; readonly real: number }[];
}

export function tableHead(withJustBash: boolean): readonly string[] {
  const columns = ["workload", "ours ms", "real ms", "ratio", "at most", "CPU ratio", "our peak MiB", "warm ms", "warm ratio"];
  if (withJustBash) columns.push("just-bash ms", "to ours");
  return [`| ${columns.join(" | ")} |`, `|${"---|".repeat(columns.length)}`];
}

export function resultRow(result: Result, withJustBash: boolean): string {
  const { name, ours, real, atMost, cpuRatio, peakMib, differs, warmMs } = result;
  const cells = [
    name.replaceAll("|", "\\|") + (differs ? " (other output than the real tool)" : ""),
    ours.toFixed(1),
    real.toFixed(1),
    (ours / real).toFixed(2),
    atMost ?? "",
    cpuRatio.toFixed(2),
    peakMib.toFixed(0),
    warmMs?.toFixed(1) ?? "",
    warmMs === undefined ? "" : (warmMs / real).toFixed(2),
    ...(withJustBash ? justBashCells(result) : []),
  ];
  return `| ${cells.join(" | ")} |`;
}

function justBashCells({ justBash, ours }: Result): readonly string[] {
  if (justBash === undefined || typeof justBash === "string") return [justBash ?? "", ""];
  return [`${justBash.ms.toFixed(1)}${justBash.differs ? " (other output)" : ""}`, (justBash.ms / ours).toFixed(1)];
}

export function growthRow({ name, sizes }: Grown): string {
  const cells = sizes.map(({ ours, real }) => `${ours.toFixed(1)}, ${real.toFixed(1)}`);
  return `| ${name.replaceAll("|", "\\|")} | ${cells.join(" | ")} |`;
}
