/** Rules of the policy as those of a mount: from its own top, and by its name. */
import { expect, test } from "vitest";
import { pathMatcher, ruleFor, rulesBelow } from "../../src/glob/path-rules.ts";

test.each<[string, readonly string[], string, boolean]>([
  ["a name at any depth", ["key"], "in/a/key", true],
  ["a path from the top", ["/a/key"], "in/a/key", true],
  ["a path from the top, elsewhere", ["/a/key"], "in/b/a/key", false],
  ["a path by the mount's name", ["/in/a"], "in/a/key", true],
  ["by the name of another", ["/on/a"], "in/a/key", false],
  ["the whole mount", ["/in"], "in/a/key", true],
  ["the whole mount as a directory", ["/in/"], "in", true],
  ["a name of a mount that begins so", ["/i"], "in/a", false],
  ["a pattern of the name", ["/i*/a"], "in/a", true],
  ["the last rule decides", ["key", "!/in/a/key"], "in/a/key", false],
  ["the last rule decides, the other way round", ["!/in/a/key", "key"], "in/a/key", true],
  ["a comment", ["#key"], "in/#key", false],
  ["an escaped number sign", ["\\#key"], "in/#key", true],
  ["a directory", ["a/"], "in/b/a/key", true],
])("%s", (_, rules, path, expected) => {
  expect(pathMatcher(rulesBelow("/in", rules))(path)).toBe(expected);
});

test("a mount's name is no pattern", () => {
  const matches = pathMatcher(rulesBelow("/{a,b}*[c] d", ["/key"]));
  expect([matches("{a,b}*[c] d/key"), matches("a/key"), matches("axc d/key")]).toEqual([true, false, false]);
  expect(pathMatcher([ruleFor("a{b,c}/*")])("ab/x")).toBe(false);
});

test("what permits is of what it names in the mount alone, and is taken back by any name", () => {
  const permits = (...rules: string[]) => pathMatcher(rulesBelow("/in", rules, { namedAlone: true }));
  expect([permits("/in/a")("in/a"), permits("a")("in/a"), permits("/a")("in/a"), permits("/in")("in/a"), permits("/i*/a")("in/a")]).toEqual(
    [true, false, false, false, false],
  );
  expect(permits("/in/a", "!a")("in/a")).toBe(false);
});
