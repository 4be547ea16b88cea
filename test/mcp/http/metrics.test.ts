/** The text of /metrics: counts of events, read back by a strict parser and by promtool, and a bound on its series. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { processFigures } from "../../../src/host/process-figures.ts";
import { exposition } from "../../../src/mcp/http/exposition.ts";
import { Metrics, MOST_WORKSPACES, OTHER_WORKSPACES } from "../../../src/mcp/http/metrics.ts";
import type { CallEvent, RequestEvent } from "../../../src/mcp/server-events.ts";
import { needs } from "../../needs.ts";
import { callEvent, gauges, requestEvent } from "./event-samples.ts";
import { parsedExposition } from "./parsed-exposition.ts";

const FIGURES = {
  residentBytes: 5e7,
  heapUsedBytes: 1e7,
  heapTotalBytes: 2e7,
  processorSeconds: 1.25,
  startedAtSeconds: 1795867200.5,
  openFiles: 21,
  mostOpenFiles: 1024,
  nodeVersion: "20.1.0",
};
const metrics = (): Metrics => new Metrics("1.2.3", () => FIGURES);
const samplesOf = (text: string, name: string): Readonly<Record<string, number>> =>
  Object.fromEntries(parsedExposition(text).get(name)?.samples ?? []);

describe("calls", () => {
  test.each<{ readonly name: string; readonly calls: readonly Partial<CallEvent>[]; readonly samples: Readonly<Record<string, number>> }>([
    {
      name: "the same twice",
      calls: [{}, {}],
      samples: { 'shelpa_calls_total{workspace="docs",outcome="completed",reason=""}': 2 },
    },
    {
      name: "two workspaces, and a server of one",
      calls: [{}, { workspace: "b" }, { workspace: undefined }],
      samples: {
        'shelpa_calls_total{workspace="docs",outcome="completed",reason=""}': 1,
        'shelpa_calls_total{workspace="b",outcome="completed",reason=""}': 1,
        'shelpa_calls_total{workspace="",outcome="completed",reason=""}': 1,
      },
    },
    {
      name: "the first of several reasons",
      calls: [{ outcome: "refused", reason: "PATH_ESCAPE UNKNOWN_FLAG" }],
      samples: { 'shelpa_calls_total{workspace="docs",outcome="refused",reason="PATH_ESCAPE"}': 1 },
    },
    {
      name: "a limit",
      calls: [{ outcome: "stopped", reason: "time" }],
      samples: { 'shelpa_calls_total{workspace="docs",outcome="stopped",reason="time"}': 1 },
    },
    {
      name: "two faults, without their ids",
      calls: [
        { outcome: "faulted", reason: "5f2f9a5e-0000-4000-8000-000000000001" },
        { outcome: "faulted", reason: "5f2f9a5e-0000-4000-8000-000000000002" },
      ],
      samples: { 'shelpa_calls_total{workspace="docs",outcome="faulted",reason=""}': 2 },
    },
    {
      name: "a word that is no reason",
      calls: [{ outcome: "refused", reason: 'x"} 1\nup 0' }],
      samples: { 'shelpa_calls_total{workspace="docs",outcome="refused",reason="other"}': 1 },
    },
  ])("$name", ({ calls, samples }) => {
    const counted = metrics();
    for (const call of calls) counted.callEnded(callEvent(call));
    expect(samplesOf(counted.text(gauges()), "shelpa_calls_total")).toEqual(samples);
  });

  test("seconds fall into the bucket whose bound they do not pass, and those above it", () => {
    const counted = metrics();
    for (const seconds of [0.005, 0.006, 3, 900]) counted.callEnded(callEvent({ seconds }));
    counted.callEnded(callEvent({ outcome: "refused", reason: "PARSE", seconds: 0.5 }));
    const samples = samplesOf(counted.text(gauges()), "shelpa_call_seconds");
    const completed = Object.entries(samples).filter(([key]) => key.includes('outcome="completed"'));
    expect(completed.map(([key, value]) => `${key.replace(/^shelpa_call_seconds/, "")} ${value}`)).toEqual([
      ...["0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "30", "60", "120", "600", "+Inf"].map(
        (le, at) => `_bucket{outcome="completed",le="${le}"} ${at === 0 ? 1 : at < 9 ? 2 : at < 15 ? 3 : 4}`,
      ),
      '_sum{outcome="completed"} 903.011',
      '_count{outcome="completed"} 4',
    ]);
    expect(samples['shelpa_call_seconds_count{outcome="refused"}']).toBe(1);
  });

  test("records and bytes are added up", () => {
    const counted = metrics();
    counted.callEnded(callEvent({ writes: 2, outputBytes: 10 }));
    counted.callEnded(callEvent({ writes: 1, outputBytes: 5 }));
    const text = counted.text(gauges());
    expect(samplesOf(text, "shelpa_records_total")).toEqual({ 'shelpa_records_total{workspace="docs"}': 3 });
    expect(samplesOf(text, "shelpa_output_bytes_total")).toEqual({ 'shelpa_output_bytes_total{workspace="docs"}': 15 });
  });
});

test.each<{ readonly name: string; readonly request: Partial<RequestEvent>; readonly labels: string }>([
  { name: "a call", request: {}, labels: 'path="/w/NAME/mcp",method="POST",status="200"' },
  { name: "a method that is none", request: { method: 'X"\n' }, labels: 'path="/w/NAME/mcp",method="other",status="200"' },
  { name: "a status that is none", request: { status: 0 }, labels: 'path="/w/NAME/mcp",method="POST",status="other"' },
  {
    name: "a path with all that must be escaped",
    request: { path: 'a\\b"c\nd' },
    labels: 'path="a\\\\b\\"c\\nd",method="POST",status="200"',
  },
])("requests: $name", ({ request, labels }) => {
  const counted = metrics();
  counted.requestEnded(requestEvent(request));
  expect(samplesOf(counted.text(gauges()), "shelpa_http_requests_total")).toEqual({ [`shelpa_http_requests_total{${labels}}`]: 1 });
});

test("messages are counted from the start, so that a first error is an increase", () => {
  const counted = metrics();
  counted.noted({ level: "error", message: "x" });
  expect(samplesOf(counted.text(gauges()), "shelpa_log_messages_total")).toEqual({
    'shelpa_log_messages_total{level="info"}': 0,
    'shelpa_log_messages_total{level="warning"}': 0,
    'shelpa_log_messages_total{level="error"}': 1,
  });
});

test("numbers of the moment and of the process", () => {
  const text = metrics().text(
    gauges({
      queuedCalls: () => 3,
      runningCalls: () => 4,
      executors: () => ({ busy: 4, idle: 2 }),
      executorBytes: () => 3e8,
      openWorkspaces: () => 7,
      sessions: () => 5,
      journalBytes: () => 123456789012,
    }),
  );
  const values = Object.fromEntries([...parsedExposition(text).values()].flatMap(({ samples }) => [...samples]));
  expect(values).toMatchObject({
    shelpa_queued_calls: 3,
    shelpa_running_calls: 4,
    'shelpa_executors{state="busy"}': 4,
    'shelpa_executors{state="idle"}': 2,
    shelpa_executors_resident_memory_bytes: 3e8,
    shelpa_open_workspaces: 7,
    shelpa_sessions: 5,
    shelpa_journal_bytes: 123456789012,
    'shelpa_build_info{version="1.2.3",node="20.1.0"}': 1,
    process_resident_memory_bytes: 5e7,
    process_cpu_seconds_total: 1.25,
    process_start_time_seconds: 1795867200.5,
    process_open_fds: 21,
    process_max_fds: 1024,
    nodejs_heap_size_used_bytes: 1e7,
    nodejs_heap_size_total_bytes: 2e7,
  });
});

test("a platform that tells less has fewer families, and none is empty", () => {
  const counted = new Metrics("1", () => ({ ...FIGURES, openFiles: undefined, mostOpenFiles: undefined }));
  const families = [...parsedExposition(counted.text(gauges())).keys()];
  expect(families.filter((name) => /_fds$|executors_resident/.test(name))).toEqual([]);
});

test("a hundred thousand workspaces have a bounded number of series, and no call is lost", () => {
  const counted = metrics();
  const all = 100_000;
  for (let number = 0; number < all; number++) counted.callEnded(callEvent({ workspace: `w${number}` }));
  for (let number = 0; number < 1000; number++)
    counted.requestEnded(requestEvent({ path: `/${number}`, method: `M${number}`, status: number }));
  const text = counted.text(gauges());
  const calls = samplesOf(text, "shelpa_calls_total");
  expect(Object.keys(calls)).toHaveLength(MOST_WORKSPACES + 1);
  expect(calls[`shelpa_calls_total{workspace="${OTHER_WORKSPACES}",outcome="completed",reason=""}`]).toBe(all - MOST_WORKSPACES);
  expect(Object.values(calls).reduce((sum, count) => sum + count)).toBe(all);
  expect(text.length).toBeLessThan(100_000);
});

describe("the text", () => {
  test.each([Infinity, -Infinity, 0, -1.5, 1e21, 5e-324])("%d is read back", (value) => {
    const text = exposition([{ name: "x", type: "gauge", help: "x", samples: [{ labels: {}, value }] }]);
    expect(parsedExposition(text).get("x")?.samples.get("x")).toBe(value);
  });
  test.each(["\\", '"', "\n", '\\n"\\\\\n', "}", ",", "é\u202e", 'a",b="c'])("a label of %j is read back", (value) => {
    const text = exposition([{ name: "x", type: "gauge", help: "h\nh\\", samples: [{ labels: { a: value, b: "" }, value: 1 }] }]);
    expect(parsedExposition(text).get("x")).toMatchObject({ labels: [{ a: value, b: "" }], help: "h\\nh\\\\" });
  });
  test("the parser of this test refuses what is none", () => {
    for (const text of [
      "x 1\n",
      "# HELP x y\n# TYPE x gauge\nx 1",
      "# HELP x y\n# TYPE x gauge\nx{a=b} 1\n",
      "# HELP x y\n# TYPE x gauge\nx 1\nx 2\n",
    ]) {
      expect(() => parsedExposition(text)).toThrow();
    }
  });
});

test("this process's own figures", () => {
  const { residentBytes, heapUsedBytes, heapTotalBytes, processorSeconds, startedAtSeconds, nodeVersion } = processFigures();
  expect(residentBytes).toBeGreaterThan(heapUsedBytes);
  expect(heapTotalBytes).toBeGreaterThan(0);
  expect(processorSeconds).toBeGreaterThan(0);
  expect(startedAtSeconds).toBeLessThanOrEqual(Date.now() / 1000);
  expect(startedAtSeconds).toBeGreaterThan(Date.parse("2024-01-01") / 1000);
  expect(process.version).toBe(`v${nodeVersion}`);
});

needs("promtool").test("promtool finds nothing to complain of", {}, () => {
  const counted = metrics();
  counted.callEnded(callEvent());
  counted.callEnded(callEvent({ outcome: "refused", reason: "PARSE", workspace: undefined }));
  counted.requestEnded(requestEvent({ path: 'a\\b"c\nd' }));
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], {
    input: counted.text(gauges({ executorBytes: () => 1 })),
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
});
