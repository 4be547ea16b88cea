/** Compiled code is kept beside the code that it is of, where Node can, and nowhere else. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { expect, test } from "vitest";
import { ownFiles, ownPath } from "../../src/host/own-code.ts";

const canKeep = "enableCompileCache" in nodeModule;

test("a start keeps it in dist/, where no line may write", () => {
  const { status, stderr } = spawnSync(process.execPath, [ownPath("shelpa.js"), "-c", "true"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  expect(existsSync(ownPath(".compiled"))).toBe(canKeep);
  expect(ownFiles().some((path) => ownPath(".compiled").startsWith(path))).toBe(true);
});
