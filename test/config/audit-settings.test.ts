/** The table `[audit]` of a server's file: what it comes to, and what is wrong with it. */
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { auditSettings } from "../../src/config/server/audit-settings.ts";
import type { ServerFile } from "../../src/config/server/server-schema.ts";

const settings = (table: ServerFile["audit"]) => auditSettings(table, { directory: "/etc/shelpa", state: "/state" });

describe("sinks", () => {
  test.each<readonly [NonNullable<NonNullable<ServerFile["audit"]>["sinks"]>[number], object]>([
    [{ type: "stdout" }, { type: "stdout" }],
    [
      { type: "syslog", url: "tcp://logs:1514" },
      { type: "syslog", host: "logs", port: 1514, isTls: false, caFile: undefined },
    ],
    [
      { type: "syslog", url: "tcp://logs" },
      { type: "syslog", host: "logs", port: 514, isTls: false, caFile: undefined },
    ],
    [
      { type: "syslog", url: "tls://[::1]/", ca_file: "ca.pem" },
      { type: "syslog", host: "::1", port: 6514, isTls: true, caFile: resolve("/etc/shelpa/ca.pem") },
    ],
    [
      { type: "otlp", url: "http://127.0.0.1:4318/v1/logs" },
      { type: "otlp", url: "http://127.0.0.1:4318/v1/logs", caFile: undefined, headersFile: undefined },
    ],
    [
      { type: "otlp", url: "https://h/v1/logs", headers_file: "h" },
      { type: "otlp", url: "https://h/v1/logs", caFile: undefined, headersFile: resolve("/etc/shelpa/h") },
    ],
  ])("%j", (sink, expected) => expect(settings({ sinks: [sink] }).sinks).toEqual([expected]));
});

test("nothing is asked for", () => {
  expect(settings(undefined)).toEqual({
    ...{ sinks: [], state: "/state", requireSink: false },
    ...{ anchorKeyFile: undefined, anchorMinutes: 60, keepDays: undefined },
  });
});

test("all is", () => {
  const sinks = [{ type: "stdout" as const }];
  expect(settings({ sinks, state: "s", require_sink: true, anchor_key_file: "/k", anchor_minutes: 5, keep_days: 90 })).toEqual({
    ...{ sinks, state: resolve("/etc/shelpa/s"), requireSink: true },
    ...{ anchorKeyFile: resolve("/k"), anchorMinutes: 5, keepDays: 90 },
  });
});

describe("what is wrong", () => {
  test.each<readonly [ServerFile["audit"], string]>([
    [{ require_sink: true }, "audit.require_sink: there is no sink; name one in audit.sinks"],
    [
      { sinks: [{ type: "stdout" }], anchor_minutes: 5 },
      "audit.anchor_minutes: there is no key to sign with; name one in audit.anchor_key_file",
    ],
    [{ anchor_key_file: "k" }, "audit.anchor_key_file: there is no sink that anchors could go to; name one in audit.sinks"],
    [{ sinks: [{ type: "stdout", url: "tcp://h" }] }, "audit.sinks[0]: stdout takes no url and no ca_file"],
    [{ sinks: [{ type: "syslog" }] }, "audit.sinks[0]: syslog needs a url: tcp://HOST:PORT or tls://HOST:PORT"],
    [{ sinks: [{ type: "otlp" }] }, "audit.sinks[0]: otlp needs a url: https://HOST/v1/logs"],
    [{ sinks: [{ type: "syslog", url: "udp://h:514" }] }, "audit.sinks[0]: the url of a syslog sink is tcp://HOST:PORT or tls://HOST:PORT"],
    [
      { sinks: [{ type: "syslog", url: "tcp://h:514/x" }] },
      "audit.sinks[0]: the url of a syslog sink is tcp://HOST:PORT or tls://HOST:PORT",
    ],
    [{ sinks: [{ type: "otlp", url: "tls://h/" }] }, "audit.sinks[0]: the url of an OTLP sink is https://HOST/v1/logs"],
    [{ sinks: [{ type: "otlp", url: "https://u:p@h/" }] }, "audit.sinks[0]: a url with a user or a password is not supported"],
    [{ sinks: [{ type: "syslog", url: "tcp://h", ca_file: "c" }] }, "audit.sinks[0]: ca_file is for TLS, and tcp:// has none"],
    [{ sinks: [{ type: "syslog", url: "tls://h", headers_file: "h" }] }, "audit.sinks[0]: headers_file is for otlp"],
    [
      { sinks: [{ type: "otlp", url: "http://collector/v1/logs", headers_file: "h" }] },
      "audit.sinks[0]: headers_file is secret, and http:// sends it as it is; the url is https://HOST/v1/logs",
    ],
    [{ sinks: [{ type: "stdout" }, { type: "stdout" }] }, "audit.sinks[1]: the same sink is named before"],
  ])("%j", (table, message) => expect(() => settings(table)).toThrow(message));
});
