/** Plots of the benchmark results, as SVG. */
import type { Grown, Result } from "./result-table.ts";

const WIDTH = 860;
const LEFT = 250;
const RIGHT = 60;
const ROW = 18;
const OURS = "#2563eb";
const OVER = "#dc2626";
const REAL = "#6b7280";
/** Of the other shells, in their order. */
const OTHERS = ["#f59e0b", "#10b981"];

/** Our time by the real tool's (a warm server's, where it was asked), a bar a row, on a logarithmic scale; the target is a line, each other shell a dot. */
export function ratioPlot(results: readonly Result[]): string {
  const peerRatios = ({ peers, real }: Result): readonly (number | undefined)[] =>
    [...peers.values()].map((peer) => (typeof peer === "string" ? undefined : peer.ms / real));
  const ratios = results.flatMap((result) => [ratioOf(result), ...peerRatios(result).filter((ratio) => ratio !== undefined)]);
  const names = [...new Set(results.flatMap(({ peers }) => [...peers.keys()]))];
  const [least, most] = [0.1, Math.max(10, ...ratios)];
  const x = (ratio: number): number =>
    LEFT + ((WIDTH - LEFT - RIGHT) * Math.log(Math.max(ratio, least) / least)) / Math.log((most * 1.5) / least);
  const bottom = 40 + results.length * ROW;
  const ticks = [0.1, 1, 10, 100, 1000].filter((tick) => tick <= most);
  const bars = results.map((result, index) => {
    const { name, atMost } = result;
    const ratio = ratioOf(result);
    const y = 36 + index * ROW;
    return [
      label(LEFT - 8, y + 12, name, "end"),
      `<rect x="${LEFT}" y="${y + 3}" width="${Math.max(1, x(ratio) - LEFT).toFixed(1)}" height="${ROW - 6}" fill="${atMost !== undefined && ratio > atMost ? OVER : OURS}"/>`,
      label(x(ratio) + 5, y + 12, ratio.toFixed(ratio < 10 ? 1 : 0), "start"),
      atMost === undefined ? "" : line(x(atMost), y + 1, x(atMost), y + ROW - 1, REAL, 2),
      ...peerRatios(result).map((peer, at) =>
        peer === undefined ? "" : `<circle cx="${x(peer).toFixed(1)}" cy="${y + ROW / 2}" r="3.5" fill="${OTHERS[at % OTHERS.length]}"/>`,
      ),
    ].join("");
  });
  return document(bottom + 10, "Time by the real tool's", [
    label(LEFT, 14, "time by the real tool's, in the same run; grey line: target", "start"),
    ...names.flatMap((name, at) => [
      `<circle cx="${LEFT + 420 + at * 90}" cy="10" r="3.5" fill="${OTHERS[at % OTHERS.length]}"/>`,
      label(LEFT + 428 + at * 90, 14, name, "start"),
    ]),
    ...ticks.flatMap((tick) => [
      line(x(tick), 24, x(tick), bottom, tick === 1 ? REAL : "#d1d5db", tick === 1 ? 1.5 : 1),
      label(x(tick), 32, `${tick}×`, "middle"),
    ]),
    ...bars,
  ]);
}

/** Milliseconds by megabytes, both logarithmic, one panel a line: ours and the real tool's. */
export function growthPlot(grown: readonly Grown[]): string {
  const [width, height, columns] = [200, 150, 4];
  const all = grown.flatMap(({ sizes }) => sizes.flatMap(({ ours, real }) => [ours, real])).map((ms) => Math.max(1, ms));
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const panels = grown.map(({ name, sizes }, index) => {
    const [left, top] = [20 + (index % columns) * (width + 10), 30 + Math.floor(index / columns) * (height + 30)];
    const last = sizes.at(-1)?.megabytes ?? 1;
    const first = sizes[0]?.megabytes ?? 1;
    const point = (megabytes: number, ms: number): readonly [number, number] => [
      left + ((width - 20) * Math.log(megabytes / first)) / Math.log(last / first),
      top + height - ((height - 10) * Math.log(Math.max(1, ms) / least)) / Math.log(most / least),
    ];
    const path = (of: "ours" | "real", colour: string): string => {
      const points = sizes.map((size) => point(size.megabytes, size[of]));
      const dots = points.map(([px, py]) => `<circle cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="3" fill="${colour}"/>`);
      const joined = points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(" ");
      return `<polyline points="${joined}" fill="none" stroke="${colour}" stroke-width="1.5"/>${dots.join("")}`;
    };
    return [
      label(left, top - 4, name, "start"),
      line(left, top + height, left + width - 20, top + height, "#d1d5db", 1),
      path("real", REAL),
      path("ours", OURS),
      ...sizes.map(({ megabytes }) => label(point(megabytes, 1)[0], top + height + 12, `${megabytes} MB`, "middle")),
    ].join("");
  });
  const rows = Math.ceil(grown.length / columns);
  return document(40 + rows * (height + 30), "Time by the size of the file", [
    label(20, 14, "milliseconds by size of the file, both scales logarithmic; blue: ours, grey: the real tool", "start"),
    ...panels,
  ]);
}

const ratioOf = ({ ours, real, warmMs }: Result): number => (warmMs ?? ours) / real;

const document = (height: number, title: string, parts: readonly string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="11" fill="#111827">`,
    `<title>${title}</title>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...parts,
    "</svg>\n",
  ].join("\n");

const label = (x: number, y: number, text: string, anchor: "start" | "middle" | "end"): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;

const line = (x1: number, y1: number, x2: number, y2: number, colour: string, width: number): string =>
  `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" stroke="${colour}" stroke-width="${width}"/>`;
