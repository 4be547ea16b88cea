/** A real Prometheus (Debian's package) scrapes a server's metrics, and answers for them. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createListener } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { EXPOSITION_TYPE } from "../../../src/mcp/http/exposition.ts";
import { Metrics } from "../../../src/mcp/http/metrics.ts";
import { needs } from "../../needs.ts";
import { callEvent, gauges, requestEvent } from "./event-samples.ts";

const TOKEN = "a-token-for-metrics";
const WAIT = { timeout: 30_000, interval: 200 };

needs("prometheus").describe("Prometheus", () => {
  const { test } = needs("prometheus");
  const metrics = new Metrics("1.2.3");
  let place: string;
  let server: Server;
  let prometheus: ChildProcess;
  let api: string;
  let messages = "";

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), "shelpa-prometheus-"));
    server = createServer(({ url, headers: { authorization } }, response) => {
      if (url !== "/metrics" || authorization !== `Bearer ${TOKEN}`) return void response.writeHead(401).end();
      response.writeHead(200, { "content-type": EXPOSITION_TYPE }).end(metrics.text(gauges({ queuedCalls: () => 3 })));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    writeFileSync(join(place, "token"), TOKEN);
    const job = {
      job_name: "shelpa",
      scrape_interval: "200ms",
      scrape_timeout: "200ms",
      authorization: { credentials_file: join(place, "token") },
      static_configs: [{ targets: [`127.0.0.1:${(server.address() as AddressInfo).port}`] }],
    };
    writeFileSync(join(place, "prometheus.yml"), JSON.stringify({ scrape_configs: [job] }));
    const port = await freePort();
    api = `http://127.0.0.1:${port}/api/v1/`;
    prometheus = spawn(
      "prometheus",
      [
        `--config.file=${join(place, "prometheus.yml")}`,
        `--storage.tsdb.path=${join(place, "data")}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    prometheus.stderr?.on("data", (chunk: Buffer) => (messages += chunk.toString()));
  });
  afterAll(async () => {
    if (prometheus.exitCode === null) {
      const ended = new Promise((resolve) => prometheus.once("exit", resolve));
      prometheus.kill();
      await ended;
    }
    server.closeAllConnections();
    server.close();
    rmSync(place, { recursive: true, force: true });
  });

  interface Answer {
    readonly status: string;
    readonly data: {
      readonly result: readonly { readonly metric: Readonly<Record<string, string>>; readonly value: readonly [number, string] }[];
    };
  }
  /** Values by the labels that are left when those of the scrape are gone; fails where Prometheus is not there yet. */
  async function values(query: string): Promise<Readonly<Record<string, string>>> {
    const answer = (await (await fetch(`${api}query?query=${encodeURIComponent(query)}`)).json()) as Answer;
    expect(answer.status).toBe("success");
    const shown = (labels: Readonly<Record<string, string>>): string =>
      Object.entries(labels)
        .filter(([name]) => !["__name__", "instance", "job"].includes(name))
        .map(([name, value]) => `${name}=${value}`)
        .sort()
        .join(" ");
    return Object.fromEntries(answer.data.result.map(({ metric, value: [, value] }) => [shown(metric), value]));
  }

  test("scrapes, and has what was counted", { timeout: 60_000 }, async () => {
    for (const seconds of [0.001, 0.02, 3]) metrics.callEnded(callEvent({ seconds }));
    metrics.callEnded(callEvent({ outcome: "refused", reason: "PATH_ESCAPE", workspace: "b" }));
    metrics.requestEnded(requestEvent());
    await vi.waitFor(
      async () =>
        expect(await values("shelpa_calls_total"), messages).toEqual({
          "outcome=completed workspace=docs": "3",
          "outcome=refused reason=PATH_ESCAPE workspace=b": "1",
        }),
      WAIT,
    );
    expect(await values("up")).toEqual({ "": "1" });
    expect(await values("shelpa_http_requests_total")).toEqual({ "method=POST path=/w/NAME/mcp status=200": "1" });
    expect(await values("shelpa_queued_calls")).toEqual({ "": "3" });
    expect(await values('shelpa_call_seconds_bucket{outcome="completed",le="0.025"}')).toEqual({ "le=0.025 outcome=completed": "2" });
    expect(await values("shelpa_build_info")).toEqual({ [`node=${process.versions.node} version=1.2.3`]: "1" });
    expect(Object.values(await values("process_resident_memory_bytes > 1e6"))).toHaveLength(1);
    metrics.callEnded(callEvent({ outcome: "faulted", reason: "5f2f" }));
    await vi.waitFor(
      async () => expect(await values('shelpa_calls_total{outcome="faulted"}')).toEqual({ "outcome=faulted workspace=docs": "1" }),
      WAIT,
    );
  });

  test("takes the types and the helps", { timeout: 60_000 }, async () => {
    await vi.waitFor(async () => {
      const { data } = (await (await fetch(`${api}metadata`)).json()) as {
        readonly data: Readonly<Record<string, readonly { readonly type: string; readonly help: string }[]>>;
      };
      expect(data["shelpa_call_seconds"]).toEqual([
        { type: "histogram", help: "Time from the arrival of a call to its end, waiting included.", unit: "" },
      ]);
      expect(
        Object.values(data)
          .flat()
          .filter(({ type }) => type === "unknown"),
      ).toEqual([]);
    }, WAIT);
  });
});

async function freePort(): Promise<number> {
  const listener = createListener();
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise<void>((resolve) => listener.close(() => resolve()));
  return port;
}
