/** docs/operating.md and examples/prometheus name the metrics that there are; promtool reads the examples, and the alerts fire when they should. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Metrics } from "../src/mcp/http/metrics.ts";
import { callEvent, gauges, requestEvent } from "./mcp/http/event-samples.ts";
import { parsedExposition } from "./mcp/http/parsed-exposition.ts";
import { needs } from "./needs.ts";

const EXAMPLES = fileURLToPath(new URL("../examples/prometheus/", import.meta.url));
const exampleText = (name: string): string => readFileSync(join(EXAMPLES, name), "utf8");

const metrics = new Metrics("1");
metrics.callEnded(callEvent());
metrics.requestEnded(requestEvent());
const families = parsedExposition(
  metrics.text(gauges({ executorBytes: () => 1, sinks: () => [{ name: "s", lines: 0, failures: 0, confirmedMs: undefined }] })),
);
const NAME = /\b(?:shelpa|process|nodejs)_[a-z_]+/g;
const labelsOf = (name: string): readonly string[] => Object.keys(families.get(name)?.labels[0] ?? {}).filter((label) => label !== "le");

describe("docs/operating.md", () => {
  const page = readFileSync(new URL("../docs/operating.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(?:shelpa|process|nodejs)_.*$/gm)].map(([line]) => {
    const [, names = "", type = "", labels = ""] = line.split("|");
    const ofLabels = labels.replace(/\(.*?\)/g, "");
    return { names: names.match(NAME) ?? [], type: type.trim(), labels: [...ofLabels.matchAll(/`(\w+)`/g)].map(([, label]) => label) };
  });
  test("its table has every metric there is, and no other", () => {
    expect(rows.flatMap(({ names }) => names).sort()).toEqual([...families.keys()].sort());
  });
  test("with their types and labels", () => {
    for (const { names, type, labels } of rows) {
      for (const name of names) {
        expect(families.get(name)?.type, name).toBe(type);
        expect(labelsOf(name), name).toEqual(labels);
      }
    }
  });
});

test.each(["alerts.yml", "dashboard.json"])("%s asks for metrics that there are", (name) => {
  // Fields of Prometheus' own configuration begin as our metrics do in no case.
  const asked = new Set([...exampleText(name).matchAll(NAME)].map(([metric]) => metric.replace(/_(?:bucket|sum|count)$/, "")));
  expect(asked.size).toBeGreaterThan(5);
  expect([...asked].filter((metric) => !families.has(metric))).toEqual([]);
});

needs("promtool").describe("promtool", () => {
  let place: string;
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), "shelpa-alerts-"));
    cpSync(EXAMPLES, place, { recursive: true });
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  test("reads the rules and the configuration", () => {
    expect(execFileSync("promtool", ["check", "rules", "alerts.yml"], { cwd: place, encoding: "utf8" })).toContain("SUCCESS");
    writeFileSync(join(place, "token"), "t");
    writeFileSync(
      join(place, "here.yml"),
      exampleText("prometheus.yml").replace("/etc/prometheus/shelpa-metrics.token", join(place, "token")),
    );
    expect(execFileSync("promtool", ["check", "config", "here.yml"], { cwd: place, encoding: "utf8" })).toContain("SUCCESS");
  });

  /** Series of a minute's step, as promtool writes them; the alerts that fire after 30 minutes. */
  const rows: readonly { readonly name: string; readonly series: Readonly<Record<string, string>>; readonly alerts: readonly string[] }[] =
    [
      {
        name: "all well",
        series: {
          'up{job="shelpa",instance="a"}': "1x40",
          'shelpa_calls_total{instance="a",workspace="w",outcome="completed",reason=""}': "0+20x40",
          'shelpa_calls_total{instance="a",workspace="w",outcome="refused",reason="PARSE"}': "0+1x40",
          'shelpa_log_messages_total{instance="a",level="error"}': "0x40",
          'shelpa_queued_calls{instance="a"}': "0 3 0 2 0x20 3 3 0 3 0x20",
          'process_open_fds{job="shelpa",instance="a"}': "30x40",
          'process_max_fds{job="shelpa",instance="a"}': "1024x40",
        },
        alerts: [],
      },
      { name: "it is gone", series: { 'up{job="shelpa",instance="a"}': "1x20 0x20" }, alerts: ["ShelpaDown"] },
      {
        name: "the first fault of a series",
        series: { 'shelpa_calls_total{instance="a",workspace="w",outcome="faulted",reason=""}': "_x24 1x15" },
        alerts: ["ShelpaFaults"],
      },
      {
        name: "a fault of yesterday",
        series: { 'shelpa_calls_total{instance="a",workspace="w",outcome="faulted",reason=""}': "1x40" },
        alerts: [],
      },
      {
        name: "another fault",
        series: { 'shelpa_calls_total{instance="a",workspace="w",outcome="faulted",reason=""}': "1x24 2x15" },
        alerts: ["ShelpaFaults"],
      },
      {
        name: "an error in the log",
        series: { 'shelpa_log_messages_total{instance="a",level="error"}': "0x24 1x15" },
        alerts: ["ShelpaErrorsLogged"],
      },
      {
        name: "no records can be made",
        series: { 'shelpa_calls_total{instance="a",workspace="w",outcome="refused",reason="AUDIT_UNAVAILABLE"}': "_x24 1x15" },
        alerts: ["ShelpaAuditUnavailable"],
      },
      {
        name: "refusals",
        series: {
          'shelpa_calls_total{instance="a",workspace="w",outcome="completed",reason=""}': "0+1x40",
          'shelpa_calls_total{instance="a",workspace="w",outcome="refused",reason="PARSE"}': "0+4x40",
        },
        alerts: ["ShelpaManyRefusals"],
      },
      { name: "a queue that does not empty", series: { 'shelpa_queued_calls{instance="a"}': "0x20 1x20" }, alerts: ["ShelpaQueue"] },
      {
        name: "open files",
        series: { 'process_open_fds{job="shelpa",instance="a"}': "900x40", 'process_max_fds{job="shelpa",instance="a"}': "1024x40" },
        alerts: ["ShelpaOpenFiles"],
      },
    ];
  test.each(rows)("alerts: $name", ({ series, alerts }) => {
    const all = [...exampleText("alerts.yml").matchAll(/alert: (\w+)/g)].map(([, alert]) => alert ?? "");
    expect(all).toEqual(expect.arrayContaining([...alerts]));
    const input = Object.entries(series).map(([name, values]) => ({ series: name, values }));
    // What fires is told by the rule `ALERTS`, which has the labels that we do not want to write out.
    const asked = all.map((alert) => ({
      expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
      eval_time: "30m",
      exp_samples: [{ labels: "{}", value: alerts.includes(alert) ? 1 : 0 }],
    }));
    const tests = [{ interval: "1m", input_series: input, promql_expr_test: asked }];
    writeFileSync(join(place, "tests.json"), JSON.stringify({ rule_files: ["alerts.yml"], evaluation_interval: "1m", tests }));
    const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", "tests.json"], { cwd: place, encoding: "utf8" });
    expect({ status, output: `${stdout}${stderr}` }).toMatchObject({ status: 0 });
  });
});
