/**
 * A strict reader of Prometheus' text format, version 0.0.4, for tests: each family has HELP, then TYPE, then its samples and nothing
 * between them; no sample twice; histograms are cumulative and complete. Throws at whatever is not so.
 */

export interface ParsedFamily {
  readonly type: string;
  readonly help: string;
  /** Values by name and labels as they are written: `x_total{a="b"}`; values of labels are unescaped in `labels`. */
  readonly samples: ReadonlyMap<string, number>;
  readonly labels: readonly Readonly<Record<string, string>>[];
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const SAMPLE = /^([a-zA-Z_][a-zA-Z0-9_]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/g;
const VALUE = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[+-]Inf)$/;

export function parsedExposition(text: string): ReadonlyMap<string, ParsedFamily> {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const families = new Map<string, ParsedFamily & { samples: Map<string, number>; labels: Record<string, string>[] }>();
  const lines = text.slice(0, -1).split("\n");
  for (let at = 0; at < lines.length; ) {
    const [, name = "", help = ""] = /^# HELP (\S+) (.+)$/.exec(lines[at] ?? "") ?? [];
    const [, typed, type = ""] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(lines[at + 1] ?? "") ?? [];
    if (!NAME.test(name) || typed !== name) throw new Error(`no family begins with: ${lines[at]}`);
    if (families.has(name)) throw new Error(`${name} twice`);
    const family = { type, help, samples: new Map<string, number>(), labels: [] as Record<string, string>[] };
    families.set(name, family);
    for (at += 2; at < lines.length && !(lines[at] ?? "").startsWith("#"); at++) {
      const line = lines[at] ?? "";
      const [, sample, labels = "", value = ""] = SAMPLE.exec(line) ?? [];
      const suffixes = type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
      if (!suffixes.some((suffix) => sample === `${name}${suffix}`) || !VALUE.test(value)) throw new Error(`no sample of ${name}: ${line}`);
      const key = line.slice(0, line.lastIndexOf(" "));
      if (family.samples.has(key)) throw new Error(`${key} twice`);
      family.samples.set(key, value === "+Inf" ? Infinity : value === "-Inf" ? -Infinity : Number(value));
      family.labels.push(labelsOf(labels));
    }
    if (family.samples.size === 0) throw new Error(`${name} has no sample`);
    if (type === "histogram") checkHistogram(name, family);
  }
  return families;
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let read = 0;
  for (const [whole, name = "", value = ""] of text.matchAll(LABEL)) {
    if (Object.hasOwn(labels, name)) throw new Error(`the label ${name} twice`);
    labels[name] = value.replace(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character));
    read += whole.length;
  }
  if (read !== text.length) throw new Error(`no labels: ${text}`);
  return labels;
}

/** Groups of labels without `le`: buckets ascend in bound and count, the last is +Inf and is the count. */
function checkHistogram(name: string, { samples }: ParsedFamily): void {
  const groups = new Map<string, { bounds: number[]; counts: number[]; count?: number; sum?: number }>();
  for (const [key, value] of samples) {
    const [, suffix = "", labels = ""] = /_(bucket|sum|count)(?:\{(.*)\})?$/.exec(key) ?? [];
    const [, bound] = /(?:^|,)le="([^"]+)"/.exec(labels) ?? [];
    const group = labels.replace(/,?le="[^"]+"/, "");
    const found = groups.get(group) ?? { bounds: [], counts: [] };
    groups.set(group, found);
    if (suffix === "bucket") {
      found.bounds.push(bound === "+Inf" ? Infinity : Number(bound));
      found.counts.push(value);
    } else if (suffix === "sum") found.sum = value;
    else found.count = value;
  }
  for (const [group, { bounds, counts, count, sum }] of groups) {
    const ascends = (numbers: readonly number[]): boolean => numbers.every((number, at) => at === 0 || number >= (numbers[at - 1] ?? 0));
    const isWhole = sum !== undefined && bounds.at(-1) === Infinity && counts.at(-1) === count;
    if (!isWhole || !ascends(bounds) || new Set(bounds).size !== bounds.length || !ascends(counts)) {
      throw new Error(`${name}{${group}} is no histogram`);
    }
  }
}
