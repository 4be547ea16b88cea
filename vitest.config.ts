import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // The examples import the package by its name.
  resolve: { alias: { "shelpa-mcp": fileURLToPath(new URL("src/index.ts", import.meta.url)) } },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // A third for two cores: much of it waits for limits to end something.
    maxWorkers: 3,
    execArgv: ["--enable-experimental-regexp-engine-on-excessive-backtracks"],
  },
});
