/** Host paths of Windows and their form with slashes: the rules, on any host. What holds on Windows itself is in test/windows. */
import { describe, expect, test } from "vitest";
import { windowsPathWithSlashes } from "../../../src/glob/absolute-path.ts";
import { fromWindowsPath, plainWindowsPath, toWindowsPath, windowsLinkText, windowsNames } from "../../../src/workspace/walk/host-path.ts";

describe("a host path has one form with slashes", () => {
  test.each([
    ["C:\\", "/c", "C:\\", "C:\\"],
    ["C:\\p", "/c/p", "\\\\?\\C:\\p", "C:\\p"],
    ["c:\\P\\", "/c/P", "\\\\?\\C:\\P", "C:\\P"],
    ["C:/p/q r", "/c/p/q r", "\\\\?\\C:\\p\\q r", "C:\\p\\q r"],
    ["\\\\?\\C:\\p", "/c/p", "\\\\?\\C:\\p", "C:\\p"],
    ["\\\\server\\share", "/server/share", "\\\\server\\share\\", "\\\\server\\share\\"],
    ["\\\\server\\share\\p", "/server/share/p", "\\\\?\\UNC\\server\\share\\p", "\\\\server\\share\\p"],
    ["\\\\?\\UNC\\server\\share\\p", "/server/share/p", "\\\\?\\UNC\\server\\share\\p", "\\\\server\\share\\p"],
    ["/c/p", "/c/p", "\\\\?\\C:\\p", "C:\\p"],
    ["C:\\p.\\NUL", "/c/p./NUL", "\\\\?\\C:\\p.\\NUL", "C:\\p.\\NUL"],
  ])("%s", (path, slashed, long, plain) => {
    expect(fromWindowsPath(path)).toBe(slashed);
    expect(toWindowsPath(slashed)).toBe(long);
    expect(plainWindowsPath(slashed)).toBe(plain);
    expect(fromWindowsPath(long)).toBe(slashed);
    expect(fromWindowsPath(plain)).toBe(slashed);
  });
});

describe("what is no directory of a drive or a share", () => {
  test.each(["p", "C:", "C:p", "\\p", "\\\\.\\C:\\p", "\\\\.\\pipe\\x", "\\\\?\\GLOBALROOT\\Device\\x", "\\\\server", "", "/", "/server"])(
    "%j is refused",
    (path) => {
      expect(() => fromWindowsPath(path)).toThrow(/must be an absolute path/);
    },
  );

  test.each(["/", "/server", "p", "/c:/p"])("%j has no host path", (path) => {
    expect(() => toWindowsPath(path)).toThrow(/ENOENT/);
  });
});

test.each([
  ["..\\a\\b", "../a/b"],
  ["C:\\p\\d\\", "/c/p/d"],
  ["\\\\?\\C:\\p", "/c/p"],
  ["\\windows", "/windows"],
  ["\\\\server\\share\\x", "/server/share/x"],
  ["a/b", "a/b"],
  ["\\\\?\\Volume{0}\\x", "//?/Volume{0}/x"],
])("a link to %s leads to %s", (target, text) => {
  expect(windowsLinkText(target)).toBe(text);
});

test("a drive has the names of MSYS, WSL and Cygwin", () => {
  expect(windowsNames("/c/p")).toEqual(["/c/p", "/mnt/c/p", "/cygdrive/c/p"]);
  expect(windowsNames("/server/share/p")).toEqual(["/server/share/p"]);
});

test.each([
  ["C:x", "C:x"],
  ["src\\a", "src\\a"],
  ["C:/a/../b", "/c/a/../b"],
  ["C:", "C:"],
  ["//server/share", "//server/share"],
])("what is typed as %s is %s", (typed, slashed) => {
  expect(windowsPathWithSlashes(typed)).toBe(slashed);
});
