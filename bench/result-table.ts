/** Benchmark results as rows of a Markdown table. */

export interface Result {
  readonly name: string;
  /** Times that each was run. */
  readonly rounds: number;
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
  /** The other shells that were run, by name. */
  readonly peers: ReadonlyMap<string, PeerTime>;
}

/** Another shell's time, or the reason why it has none. */
export type PeerTime = { readonly ms: number; readonly differs: boolean } | string;

/** One line over files of several sizes. */
export interface Grown {
  readonly name: string;
  readonly sizes: readonly { readonly megabytes: number; readonly ours: number; readonly real: number }[];
}

export function tableHead(peers: readonly string[]): readonly string[] {
  const columns = ["workload", "rounds", "ours ms", "real ms", "ratio", "at most", "CPU ratio", "our peak MiB", "warm ms", "warm ratio"];
  for (const peer of peers) columns.push(`${peer} ms`, "to ours");
  return [`| ${columns.join(" | ")} |`, `|${"---|".repeat(columns.length)}`];
}

export function resultRow(result: Result): string {
  const { name, rounds, ours, real, atMost, cpuRatio, peakMib, differs, warmMs, peers } = result;
  const cells = [
    name.replaceAll("|", "\\|") + (differs ? " (other output than the real tool)" : ""),
    rounds,
    ours.toFixed(1),
    real.toFixed(1),
    (ours / real).toFixed(2),
    atMost ?? "",
    cpuRatio.toFixed(2),
    peakMib.toFixed(0),
    warmMs?.toFixed(1) ?? "",
    warmMs === undefined ? "" : (warmMs / real).toFixed(2),
    ...[...peers.values()].flatMap((peer) => peerCells(peer, warmMs ?? ours)),
  ];
  return `| ${cells.join(" | ")} |`;
}

function peerCells(peer: PeerTime, ours: number): readonly string[] {
  if (typeof peer === "string") return [peer, ""];
  return [`${peer.ms.toFixed(1)}${peer.differs ? " (other output)" : ""}`, (peer.ms / ours).toFixed(1)];
}

export function growthRow({ name, sizes }: Grown): string {
  const cells = sizes.map(({ ours, real }) => `${ours.toFixed(1)}, ${real.toFixed(1)}`);
  return `| ${name.replaceAll("|", "\\|")} | ${cells.join(" | ")} |`;
}
