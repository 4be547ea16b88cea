/**
 * Counters of a server's events and its gauges, as Prometheus' text. The number of series is bounded: labels are of fixed sets of
 * words, but for workspaces, of which the first `MOST_WORKSPACES` that are called have a label of their own.
 */
import type { StopReason } from "../../exec/result.ts";
import { VIOLATION_REASONS } from "../../guard/violation.ts";
import { processFigures, type ProcessFigures } from "../../host/process-figures.ts";
import type { CallEvent, NotedEvent, RequestEvent, ServerEvents, ServerGauges, SinkFigures } from "../server-events.ts";
import { exposition, type Family, type Labels, type Sample, valueText } from "./exposition.ts";

/** Workspaces with a label of their own; all others are counted together. A server may have a hundred thousand. */
export const MOST_WORKSPACES = 200;
/** Paths with a label of their own: more than a server has. */
const MOST_PATHS = 32;
/** Label of what has none of its own. */
const OTHER = "other";
/** The same for workspaces: none can have the name, for it begins with no letter and no digit. */
export const OTHER_WORKSPACES = "_other";

/** Upper bounds, in seconds: from a warm call to the longest that a call may take. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 600];

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const STOPS = { time: 1, memory: 1, output: 1, line: 1, held: 1, spill: 1, cancelled: 1 } satisfies Readonly<Record<StopReason, 1>>;
const REASONS: ReadonlySet<string> = new Set(["", ...VIOLATION_REASONS, ...Object.keys(STOPS)]);
const LEVELS: readonly NotedEvent["level"][] = ["info", "warning", "error"];

export class Metrics implements ServerEvents {
  readonly #version: string;
  readonly #figures: () => ProcessFigures;
  readonly #workspaces = new BoundedLabel(MOST_WORKSPACES, OTHER_WORKSPACES);
  readonly #paths = new BoundedLabel(MOST_PATHS, OTHER);
  readonly #calls = new Counter();
  readonly #records = new Counter();
  readonly #outputBytes = new Counter();
  readonly #requests = new Counter();
  readonly #messages = new Counter();
  readonly #seconds = new Map<string, Histogram>();

  /** `version` is the server's. */
  constructor(version: string, figures: () => ProcessFigures = processFigures) {
    this.#version = version;
    this.#figures = figures;
    for (const level of LEVELS) this.#messages.add({ level }, 0);
  }

  callEnded({ workspace: name, outcome, reason, seconds, outputBytes, writes }: CallEvent): void {
    const workspace = name === undefined ? "" : this.#workspaces.of(name);
    this.#calls.add({ workspace, outcome, reason: outcome === "faulted" ? "" : firstReason(reason) }, 1);
    this.#records.add({ workspace }, writes);
    this.#outputBytes.add({ workspace }, outputBytes);
    const histogram = this.#seconds.get(outcome) ?? new Histogram();
    this.#seconds.set(outcome, histogram);
    histogram.observe(seconds);
  }

  requestEnded({ path, method, status }: RequestEvent): void {
    const labels = { path: this.#paths.of(path), method: METHODS.has(method) ? method : OTHER, status: statusText(status) };
    this.#requests.add(labels, 1);
  }

  noted({ level }: NotedEvent): void {
    this.#messages.add({ level }, 1);
  }

  /** The exposition, of type `EXPOSITION_TYPE`. */
  text(gauges: ServerGauges): string {
    return exposition([...this.#counted(), ...ofTheMoment(gauges), ...ofTheProcess(this.#figures(), this.#version)]);
  }

  #counted(): readonly Family[] {
    return [
      counter("shelpa_calls_total", "Command lines that have ended, by outcome and by the first reason for it.", this.#calls.samples()),
      {
        name: "shelpa_call_seconds",
        type: "histogram",
        help: "Time from the arrival of a call to its end, waiting included.",
        samples: [...this.#seconds].flatMap(([outcome, histogram]) => histogram.samples({ outcome })),
      },
      counter("shelpa_records_total", "Records of writes that calls have made.", this.#records.samples()),
      counter(
        "shelpa_output_bytes_total",
        "Bytes of standard output of calls, also of those that nobody was shown.",
        this.#outputBytes.samples(),
      ),
      counter("shelpa_http_requests_total", "HTTP requests that have been answered.", this.#requests.samples()),
      counter(
        "shelpa_log_messages_total",
        "Messages of the server's log, without its lines for requests and calls.",
        this.#messages.samples(),
      ),
    ];
  }
}

function ofTheMoment(gauges: ServerGauges): readonly Family[] {
  const { busy, idle } = gauges.executors();
  const executorBytes = gauges.executorBytes?.();
  return [
    gauge("shelpa_running_calls", "Calls that run.", gauges.runningCalls()),
    gauge("shelpa_queued_calls", "Calls that wait for a place.", gauges.queuedCalls()),
    {
      name: "shelpa_executors",
      type: "gauge",
      help: "Processes of executors.",
      samples: [
        { labels: { state: "busy" }, value: busy },
        { labels: { state: "idle" }, value: idle },
      ],
    },
    ...(executorBytes === undefined
      ? []
      : [gauge("shelpa_executors_resident_memory_bytes", "Resident memory of all executors together.", executorBytes)]),
    gauge("shelpa_open_workspaces", "Workspaces that are open.", gauges.openWorkspaces()),
    gauge("shelpa_sessions", "Sessions of clients that shook hands.", gauges.sessions()),
    gauge("shelpa_journal_bytes", "Size of the journals of the open workspaces.", gauges.journalBytes()),
    ...ofTheSinks(gauges.sinks?.() ?? []),
  ];
}

function ofTheSinks(sinks: readonly SinkFigures[]): readonly Family[] {
  if (sinks.length === 0) return [];
  const samples = (value: (sink: SinkFigures) => number): readonly Sample[] =>
    sinks.map((sink) => ({ labels: { sink: sink.name }, value: value(sink) }));
  return [
    counter(
      "shelpa_audit_lines_sent_total",
      "Lines of the audit that a sink has confirmed.",
      samples(({ lines }) => lines),
    ),
    counter(
      "shelpa_audit_send_failures_total",
      "Batches that a sink has not confirmed, which are sent again.",
      samples(({ failures }) => failures),
    ),
    {
      name: "shelpa_audit_confirmed_timestamp_seconds",
      type: "gauge",
      help: "Last confirmation of a sink, since 1970; 0 where there was none.",
      samples: samples(({ confirmedMs = 0 }) => confirmedMs / 1000),
    },
  ];
}

function ofTheProcess(figures: ProcessFigures, version: string): readonly Family[] {
  const { openFiles, mostOpenFiles } = figures;
  return [
    {
      name: "shelpa_build_info",
      type: "gauge",
      help: "Always 1; the labels tell what runs.",
      samples: [{ labels: { version, node: figures.nodeVersion }, value: 1 }],
    },
    gauge("process_resident_memory_bytes", "Resident memory of the server, without its executors.", figures.residentBytes),
    counter("process_cpu_seconds_total", "User and system time of the server, without its executors.", [
      { labels: {}, value: figures.processorSeconds },
    ]),
    gauge("process_start_time_seconds", "Start of the server, since 1970.", figures.startedAtSeconds),
    ...(openFiles === undefined ? [] : [gauge("process_open_fds", "Open files of the server.", openFiles)]),
    ...(mostOpenFiles === undefined ? [] : [gauge("process_max_fds", "Most files that the server may have open.", mostOpenFiles)]),
    gauge("nodejs_heap_size_used_bytes", "Heap of JavaScript in use.", figures.heapUsedBytes),
    gauge("nodejs_heap_size_total_bytes", "Heap of JavaScript.", figures.heapTotalBytes),
  ];
}

const counter = (name: string, help: string, samples: readonly Sample[]): Family => ({ name, type: "counter", help, samples });
const gauge = (name: string, help: string, value: number): Family => ({ name, type: "gauge", help, samples: [{ labels: {}, value }] });

/** The first of the words: all combinations of them would be too many series. */
function firstReason(reason: string): string {
  const [first = ""] = reason.split(" ", 1);
  return REASONS.has(first) ? first : OTHER;
}

const statusText = (status: number): string => (Number.isInteger(status) && status >= 100 && status <= 599 ? String(status) : OTHER);

/** Values of a label: the first so many are themselves, all others one. */
class BoundedLabel {
  readonly #known = new Set<string>();
  readonly #most: number;
  readonly #other: string;

  constructor(most: number, other: string) {
    this.#most = most;
    this.#other = other;
  }

  of(value: string): string {
    if (this.#known.has(value)) return value;
    if (this.#known.size >= this.#most) return this.#other;
    this.#known.add(value);
    return value;
  }
}

class Counter {
  readonly #counts = new Map<string, { readonly labels: Labels; value: number }>();

  add(labels: Labels, value: number): void {
    const key = Object.values(labels).join("\0");
    const counted = this.#counts.get(key);
    if (counted === undefined) this.#counts.set(key, { labels, value });
    else counted.value += value;
  }

  samples(): readonly Sample[] {
    return [...this.#counts.values()].map(({ labels, value }) => ({ labels, value }));
  }
}

class Histogram {
  /** Of each bound alone; the last is of what is above all of them. */
  readonly #counts: number[] = [...BOUNDS.map(() => 0), 0];
  #sum = 0;

  observe(value: number): void {
    const at = BOUNDS.findIndex((bound) => value <= bound);
    const place = at === -1 ? BOUNDS.length : at;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#sum += value;
  }

  samples(labels: Labels): readonly Sample[] {
    let count = 0;
    const buckets = [...BOUNDS, Infinity].map((bound, at) => {
      count += this.#counts[at] ?? 0;
      return { suffix: "_bucket", labels: { ...labels, le: valueText(bound) }, value: count };
    });
    return [...buckets, { suffix: "_sum", labels, value: this.#sum }, { suffix: "_count", labels, value: count }];
  }
}
