/** Names as a guest gives them: without the leading slash, which tells an absolute path from a relative one. */
import { expect, test } from "vitest";
import { FIRST_PREOPEN, GuestPaths, UNTYPED_ROOT } from "../../src/wasm/guest-paths.ts";
import { inLinuxWords } from "../../src/wasm/wasi-errno.ts";

const untyped = new GuestPaths(
  { rootNames: [UNTYPED_ROOT], currentDirectory: `${UNTYPED_ROOT}/sub`, operands: [".ignore"], walksCurrentDirectory: true },
  "/work/main",
);
const typed = new GuestPaths(
  { rootNames: ["/work/main"], currentDirectory: "/work/main", operands: ["/work/main/src", "/dev/null"], walksCurrentDirectory: false },
  "/work/main",
);

test.each([
  ["src/a", { kind: "path", path: "src/a" }],
  ["./.gitignore", { kind: "path", path: "./.gitignore" }],
  // What remains of "/.gitignore", which is above the root.
  [".gitignore", { kind: "nothing" }],
  [".git", { kind: "nothing" }],
  // Typed as an operand, it is the file.
  [".ignore", { kind: "path", path: ".ignore" }],
  ["dev/null", { kind: "path", path: "dev/null" }],
])("%s below the current directory", (path, place) => {
  expect(untyped.placeOf(FIRST_PREOPEN, path)).toEqual(place);
});

test.each([
  [FIRST_PREOPEN, "work", { kind: "above-root" }],
  [FIRST_PREOPEN, "work/.gitignore", { kind: "nothing" }],
  [FIRST_PREOPEN, "dev/null", { kind: "path", path: "/dev/null" }],
  [FIRST_PREOPEN + 1, "src/a", { kind: "path", path: "/work/main/src/a" }],
])("beside a typed root: %i %s", (preopen, path, place) => {
  expect(typed.placeOf(preopen, path)).toEqual(place);
});

test("a bare name is a file of the current directory once the walk has begun", () => {
  const walked = new GuestPaths(untyped.names, "/work/main");
  walked.walkBegins();
  expect(walked.placeOf(FIRST_PREOPEN, ".gitignore")).toEqual({ kind: "path", path: ".gitignore" });
});

test("system errors in Linux's words and numbers", () => {
  expect(inLinuxWords("rg: a: Symbolic link loop (os error 32)\n")).toBe("rg: a: Too many levels of symbolic links (os error 40)\n");
  expect(inLinuxWords("rg: Xy (os error 999)\n")).toBe("rg: Xy (os error 999)\n");
});
