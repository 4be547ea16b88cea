/** Families of samples → Prometheus' text exposition format, version 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/). */

/** Content-Type of the text. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export interface Family {
  /** `[a-zA-Z_][a-zA-Z0-9_]*`, with its unit; a counter's ends in `_total`. */
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  /** `_bucket`, `_sum` or `_count` of a histogram. Default: none. */
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** Values may be any text. */
export type Labels = Readonly<Record<string, string>>;

/** A family without samples is left out. */
export function exposition(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) => {
      const lines = samples.map(({ suffix = "", labels, value }) => `${name}${suffix}${labelsText(labels)} ${valueText(value)}\n`);
      return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join("")}`;
    })
    .join("");
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

/** A number as Go's strconv.ParseFloat reads it. */
export const valueText = (value: number): string => (value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value));
