import { linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inheritedSocket } from "../../src/cli/inherited-socket.ts";
import { readAddress, tokenOf, type HttpSettings } from "../../src/cli/http-settings.ts";

test.each([
  { typed: "127.0.0.1:3456", address: { host: "127.0.0.1", port: 3456 } },
  { typed: "localhost", address: { host: "localhost", port: 3456 } },
  { typed: "8080", address: { host: "127.0.0.1", port: 8080 } },
  { typed: ":8080", address: { host: "", port: 8080 } },
  { typed: "[::1]:80", address: { host: "::1", port: 80 } },
  { typed: "mcp.example.org:0", address: { host: "mcp.example.org", port: 0 } },
  { typed: "", address: undefined },
  { typed: "127.0.0.1:70000", address: undefined },
  { typed: "127.0.0.1:http", address: undefined },
  { typed: "http://localhost:80/", address: undefined },
])("$typed", ({ typed, address }) => {
  expect(readAddress(typed)).toEqual(address);
});

describe("a socket that listens already", () => {
  test.each<{ environment: Record<string, string>; socket: number | undefined }>([
    { environment: {}, socket: undefined },
    { environment: { LISTEN_PID: "7", LISTEN_FDS: "1" }, socket: 3 },
    { environment: { LISTEN_PID: "7", LISTEN_FDS: "0" }, socket: undefined },
    { environment: { LISTEN_PID: "8", LISTEN_FDS: "1" }, socket: undefined },
    { environment: { LISTEN_FDS: "1" }, socket: undefined },
  ])("$environment: $socket", ({ environment, socket }) => {
    expect(inheritedSocket(environment, 7)).toBe(socket);
  });

  test("is one", () => {
    expect(() => inheritedSocket({ LISTEN_PID: "7", LISTEN_FDS: "2" }, 7)).toThrow("LISTEN_FDS hands over 2");
  });
});

describe("the token", () => {
  let directory = "";
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "shelpa-token-"));
    writeFileSync(join(directory, "token"), "from-a-file-16-long\n");
    writeFileSync(join(directory, "empty"), "\n");
    writeFileSync(join(directory, "linked"), "from-a-file-16-long\n");
    linkSync(join(directory, "linked"), join(directory, "other-name"));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const settings = (host: string, file?: string): HttpSettings => ({
    host,
    port: 0,
    allowedHosts: [],
    allowedOrigins: [],
    tokenFile: file === undefined ? undefined : join(directory, file),
    socket: undefined,
    graceMs: 0,
    log: undefined,
  });
  const given = { SHELPA_HTTP_TOKEN: "from-the-environment" };

  test("is made anew for each start where only this machine can connect", () => {
    for (const host of ["127.0.0.1", "127.1.2.3", "::1", "localhost"]) {
      const { token, isNew } = tokenOf(settings(host), {});
      expect(isNew).toBe(true);
      expect(token).toMatch(/^[\w-]{32}$/);
      expect(tokenOf(settings(host), {}).token).not.toBe(token);
    }
  });

  test("is the one of the file, then that of the environment", () => {
    expect(tokenOf(settings("0.0.0.0", "token"), given)).toEqual({ token: "from-a-file-16-long", name: "token", isNew: false });
    expect(tokenOf(settings("0.0.0.0"), given)).toEqual({
      token: "from-the-environment",
      name: "SHELPA_HTTP_TOKEN",
      isNew: false,
    });
  });

  test.each([
    {
      name: "a service manager's socket without one",
      settings: () => ({ ...settings("127.0.0.1"), socket: 3 }),
      environment: {},
      message: /^a service is given the token/,
    },
    { name: "an address of other machines without one", settings: () => settings("0.0.0.0"), environment: {}, message: /other machines/ },
    { name: "every address without one", settings: () => settings(""), environment: {}, message: /'every address' can be reached/ },
    { name: "an empty file", settings: () => settings("127.0.0.1", "empty"), environment: given, message: /is empty/ },
    { name: "a file that is not there", settings: () => settings("127.0.0.1", "gone"), environment: given, message: /there is no file/ },
    {
      name: "a file with a second name",
      settings: () => settings("127.0.0.1", "linked"),
      environment: given,
      message: /^--token-file: .*\/linked: it has 2 names \(hard links\), and a workspace that holds another of them could show it;/,
    },
    { name: "a short one", settings: () => settings("127.0.0.1"), environment: { SHELPA_HTTP_TOKEN: "short" }, message: /at least 16/ },
    {
      name: "one with a blank",
      settings: () => settings("127.0.0.1"),
      environment: { SHELPA_HTTP_TOKEN: "0123456789 0123456789" },
      message: /without blanks/,
    },
  ])("$name is refused", ({ settings: of, environment, message }) => {
    expect(() => tokenOf(of(), environment)).toThrow(message);
  });
});
