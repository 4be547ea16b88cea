/** The host's answers to single system calls, asked as a guest would, with ripgrep's memory to ask through. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ripgrep } from "../../builtins/rg/module.ts";
import { FIRST_PREOPEN, GuestPaths } from "../../src/wasm/guest-paths.ts";
import { GuestFiles } from "../../src/wasm/guest-files.ts";
import { guestNames } from "../../src/wasm/guest-names.ts";
import { ERRNO } from "../../src/wasm/wasi-errno.ts";
import { WasiHost } from "../../src/wasm/wasi-host.ts";
import { moduleOf } from "../../src/wasm/wasm-tool.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree } from "../tree.ts";

const NOW_MS = 1_700_000_000_000;
const place = tree(["f: hello", "d/", "out => /etc", "up => .."]);
const workspace = Workspace.open(place.path);
const files = new GuestFiles(workspace, new GuestPaths(guestNames(workspace, [], true), place.path));
const written: string[] = [];
let calls: Record<string, (...args: (number | bigint)[]) => number>;
let memory: Buffer;

beforeAll(async () => {
  const module = await moduleOf(ripgrep);
  const host = new WasiHost({
    args: ["rg", "x"],
    files,
    nowMs: NOW_MS,
    streams: { stdin: () => 0, stdout: (bytes) => void written.push(String(Buffer.from(bytes))), stderr: () => {} },
  });
  const imports = host.importsFor(module);
  const exported = new WebAssembly.Instance(module, imports).exports["memory"] as WebAssembly.Memory;
  host.memory = exported;
  memory = Buffer.from(exported.buffer);
  calls = imports["wasi_snapshot_preview1"] as unknown as typeof calls;
});
afterAll(() => {
  files.closeAll();
  workspace.close();
  place.remove();
});

const call = (name: string, ...args: (number | bigint)[]): number => (calls[name] as (...args: (number | bigint)[]) => number)(...args);

/** path_open of `path` below `descriptor`; returns the errno. The new descriptor is at 512. */
function open(path: string, how = 0, rights = 2n, descriptor = FIRST_PREOPEN): number {
  const length = memory.write(path, 0);
  return call("path_open", descriptor, 1, 0, length, how, rights, 0n, 0, 512);
}

test.each([
  ["creating", "new", 1, 2n],
  ["truncating", "f", 8, 2n],
  ["opening to write", "f", 0, 1n << 6n],
])("%s is refused", (_, path, how, rights) => {
  expect(open(path, how, rights)).toBe(ERRNO.EROFS);
  expect(workspace.status("f").size).toBe(5);
});

test.each(["../x", "out/passwd", "up/x", "d/../../x", "out"])("%s is a closed door", (path) => {
  expect(open(path)).toBe(ERRNO.EACCES);
});

test("a file is read from where it stands", () => {
  expect(open("f")).toBe(0);
  const descriptor = memory.readUInt32LE(512);
  expect(call("fd_seek", descriptor, 2n, 0, 600)).toBe(0);
  memory.writeUInt32LE(1024, 700);
  memory.writeUInt32LE(100, 704);
  expect(call("fd_read", descriptor, 700, 1, 600)).toBe(0);
  expect(memory.toString("latin1", 1024, 1024 + memory.readUInt32LE(600))).toBe("llo");
  expect(call("fd_close", descriptor)).toBe(0);
  expect(call("fd_close", descriptor)).toBe(ERRNO.EBADF);
});

test("a listing that does not fit goes on from its cookie", () => {
  expect(open("./", 2)).toBe(0);
  const descriptor = memory.readUInt32LE(512);
  const names: string[] = [];
  for (let cookie = 0n; ; ) {
    expect(call("fd_readdir", descriptor, 2048, 30, cookie, 600)).toBe(0);
    if (memory.readUInt32LE(600) === 0) break;
    cookie = memory.readBigUInt64LE(2048);
    names.push(memory.toString("latin1", 2072, 2072 + memory.readUInt32LE(2064)));
  }
  expect(names.sort()).toEqual(["d", "f", "out", "up"]);
  call("fd_close", descriptor);
});

test("only the standard streams are written", () => {
  memory.write("hi", 1024);
  memory.writeUInt32LE(1024, 700);
  memory.writeUInt32LE(2, 704);
  expect(call("fd_write", FIRST_PREOPEN, 700, 1, 600)).toBe(ERRNO.EBADF);
  expect(call("fd_write", 1, 700, 1, 600)).toBe(0);
  expect(written).toEqual(["hi"]);
});

test("no environment, and the instant of the call", () => {
  call("environ_sizes_get", 600, 604);
  expect([memory.readUInt32LE(600), memory.readUInt32LE(604)]).toEqual([0, 0]);
  call("clock_time_get", 0, 0n, 608);
  expect(memory.readBigUInt64LE(608)).toBe(BigInt(NOW_MS) * 1_000_000n);
});

test("a descriptor that is not open", () => {
  expect(call("fd_read", 99, 700, 1, 600)).toBe(ERRNO.EBADF);
  expect(open("f", 0, 2n, 99)).toBe(ERRNO.EBADF);
});

test("descriptors are limited", () => {
  const opened: number[] = [];
  let errno = open("f");
  for (; errno === 0; errno = open("f")) opened.push(memory.readUInt32LE(512));
  expect([errno, opened.length]).toEqual([ERRNO.EMFILE, 256]);
  for (const descriptor of opened) call("fd_close", descriptor);
});

test("a module whose bytes are others is not run", async () => {
  await expect(moduleOf({ ...ripgrep, sha256: "0".repeat(64) })).rejects.toThrow(/SHA-256/);
});
