/** examples/haproxy: HAProxy takes the configuration, and that of examples/kubernetes differs in addresses alone. Under load: npm run test:haproxy. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { needs } from "../needs.ts";

const onHost = readFileSync(new URL("../../examples/haproxy/haproxy.cfg", import.meta.url), "utf8");
const inCluster = readFileSync(new URL("../../examples/kubernetes/base/haproxy.cfg", import.meta.url), "utf8");
const CERTIFICATE = / ssl crt \S+ alpn \S+$/m;

needs("haproxy").describe("haproxy -c takes it", () => {
  // The certificate is the reader's.
  test.each([
    ["examples/haproxy", onHost.replace(CERTIFICATE, "")],
    ["examples/kubernetes", inCluster],
  ])("%s", (_, text) => {
    const place = mkdtempSync(join(tmpdir(), "shelpa-haproxy-"));
    try {
      writeFileSync(join(place, "haproxy.cfg"), text);
      expect(execFileSync("haproxy", ["-c", "-f", join(place, "haproxy.cfg")], { encoding: "utf8" })).toBe("Configuration file is valid\n");
    } finally {
      rmSync(place, { recursive: true });
    }
  });
});

test("in a cluster it is the same, but for addresses, the log and the certificate", () => {
  const settings = (text: string): readonly string[] => text.split("\n").filter((line) => line.trim() !== "" && !/^\s*#/.test(line));
  const [own, other] = [settings(onHost), settings(inCluster)];
  const shape = (line: string): string => line.trim().split(/ resolvers | 127| shelpa-| ssl/)[0] ?? "";
  expect(onHost).toMatch(CERTIFICATE);
  expect(own.map(shape).filter((line) => !other.map(shape).includes(line))).toEqual(["log stderr format raw local0 info", "bind :443"]);
  expect(other.map(shape).filter((line) => !own.map(shape).includes(line))).toEqual([
    "log stdout format raw local0 info",
    "resolvers cluster",
    "parse-resolv-conf",
    "hold valid 2s",
    "hold obsolete 2s",
    "bind :8080",
  ]);
});
