/** Errors of node:fs as the workspace gives them on. */
import { expect, test } from "vitest";
import { FileError } from "../../src/workspace/file-error.ts";
import { fileErrorFrom } from "../../src/workspace/system-error.ts";

const systemError = (code: string): Error => Object.assign(new Error(code), { code, syscall: "open" });

test.each([
  ["ENOENT", "ENOENT", "No such file or directory"],
  // libuv's word for an error of Windows that it has no other for.
  ["UNKNOWN", "EIO", "Input/output error"],
])("%s is %s", (code, given, words) => {
  const error = fileErrorFrom(systemError(code), "f");
  expect([error.code, error.path, error.message]).toEqual([given, "f", words]);
});

test.each(["EBADF", "ERR_ACCESS_DENIED"])("%s is a fault of ours", (code) => {
  const thrown = systemError(code);
  expect(() => fileErrorFrom(thrown, "f")).toThrow(thrown);
});

test("a FileError stays itself", () => {
  const error = new FileError("EISDIR", "d");
  expect(fileErrorFrom(error, "f")).toBe(error);
});
