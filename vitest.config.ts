import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tools/run/longest-first.ts";

/**
 * Rooms whose files share a process, and so read the sources once: tests that leave nothing behind but their imports. Those that
 * set a global or an environment variable, replace a module, start threads or measure memory have a process of their own.
 */
const SHARING = new Set("builtin builtins config dates display glob guard io numbers search shell walk".split(" "));
const THREADS = "test/builtins/symbols/**/*.test.ts";
const rooms = readdirSync(new URL("test", import.meta.url)).map((name) => (name.endsWith(".ts") ? name : `${name}/**/*.test.ts`));
const [sharing, alone] = [true, false].map((shares) =>
  rooms.filter((room) => SHARING.has(room.split("/")[0] as string) === shares).map((room) => `test/${room}`),
) as [string[], string[]];

export default defineConfig({
  // The examples import the package by its name.
  resolve: { alias: { "shelpa-mcp": fileURLToPath(new URL("src/index.ts", import.meta.url)) } },
  test: {
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // A test that expects nothing has tested nothing.
    expect: { requireAssertions: true },
    // A third for two cores: much of it waits for limits to end something.
    maxWorkers: 3,
    execArgv: ["--enable-experimental-regexp-engine-on-excessive-backtracks"],
    sequence: { sequencer: LongestFirst },
    globalSetup: "tools/run/left-behind.ts",
    experimental: { fsModuleCache: true },
    projects: [
      { extends: true, test: { name: "alone", include: [...alone.filter((path) => path.endsWith(".test.ts")), THREADS] } },
      { extends: true, test: { name: "sharing", isolate: false, include: sharing, exclude: [THREADS] } },
    ],
  },
});
