/** Spellings of names: what folding makes one, and rules for what is not read where the file system keeps cases apart. */
import { linkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { composed, folded, inOtherCase, inOtherComposition } from "../../../src/workspace/walk/name-folding.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import { Workspace } from "../../../src/workspace/workspace.ts";
import { tree, type Tree } from "../../tree.ts";

describe("names that some file system takes for one", () => {
  test.each<[string, string]>([
    ["Key.PEM", "key.pem"],
    ["ÄÖ", "A\u0308o\u0308"],
    ["straße", "STRASSE"],
    ["K", "\u212a"],
    ["ſecret", "SECRET"],
    ["ΣΣ", "σς"],
    ["se\u200ccret", "secret"],
    ["Ạ\u0308", "a\u0308\u0323"],
    ["bad\udcff", "BAD\udcff"],
  ])("%j and %j", (one, other) => expect(folded(one)).toBe(folded(other)));
  test.each<[string, string]>([
    ["a", "b"],
    ["ab", "a\u200cc"],
    ["é", "e"],
    ["\udcfe", "\udcff"],
  ])("%j is not %j", (one, other) => expect(folded(one)).not.toBe(folded(other)));
  test("composition alone keeps cases apart", () => {
    expect(composed("A\u0308")).toBe("Ä");
    expect(composed("Key.PEM")).toBe("Key.PEM");
  });
});

test.each<[string, string | undefined, string | undefined]>([
  ["Key.pem", "kEY.PEM", undefined],
  ["12.3", undefined, undefined],
  ["ß1", undefined, undefined],
  ["ä", "Ä", "a\u0308"],
  ["a\u0308", "A\u0308", "ä"],
  ["日本", undefined, undefined],
])("%j in another case is %j, in another composition %j", (name, otherCase, otherComposition) => {
  expect([inOtherCase(name), inOtherComposition(name)]).toEqual([otherCase, otherComposition]);
});

describe("where cases are apart, a rule is about one of them", () => {
  const RULES = ["data/", "/Geheim/ÄÖ.txt", "*.PEM"];
  let host: Tree;
  let files: Workspace;
  beforeAll(() => {
    host = tree(["data/f: denied\n", "Data/f: open\n", "DATA: open\n", "Geheim/ÄÖ.txt: denied\n", "Geheim/A\u0308O\u0308.txt: denied\n"]);
    for (const [name, other] of [["Data/f", "Data/F"] as const, ["DATA", "key.pem"] as const, ["DATA", "Key.PEM"] as const])
      linkSync(`${host.path}/${name}`, `${host.path}/${other}`);
    files = Workspace.open(host.path, { denyRead: RULES });
  });
  afterAll(() => {
    files.close();
    host.remove();
  });

  test.each<[string, "open" | "denied"]>([
    ["data/f", "denied"],
    ["Data/f", "open"],
    ["Data/F", "open"],
    ["DATA", "open"],
    ["key.pem", "open"],
    ["Key.PEM", "denied"],
    ["Geheim/ÄÖ.txt", "denied"],
    ["Geheim/A\u0308O\u0308.txt", "denied"],
  ])("%s is %s", (path, expected) => {
    const ask = (): string => {
      try {
        files.open(path).close();
        return "open";
      } catch (thrown) {
        if (thrown instanceof FileError && thrown.code === "EACCES") return "denied";
        throw thrown;
      }
    };
    expect([ask(), ask(), files.whyDenied(path) === undefined ? "open" : "denied"]).toEqual([expected, expected, expected]);
  });

  test.each<[string, boolean]>([
    ["DATA/in history", false],
    ["data/in history", true],
    ["KEY.pem", false],
  ])("a path that is not there, %s, is denied: %s", (path, denied) => expect(files.whyDenied(path) !== undefined).toBe(denied));
});
