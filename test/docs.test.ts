/** The generated pages of docs/ and files of packaging/ and examples/clients are what `npm run docs` writes now. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { clientExamples } from "../tools/docs/client-examples.ts";
import { docsPages } from "../tools/docs/docs-pages.ts";
import { packagingFiles } from "../tools/docs/packaging-files.ts";

const top = fileURLToPath(new URL("..", import.meta.url));
const pages = docsPages(top);

describe("npm run docs", () => {
  test.each([...pages.keys()])("docs/%s is up to date", (path) => {
    expect(readFileSync(join(top, "docs", path), "utf8")).toBe(pages.get(path));
  });

  test.each([...packagingFiles(), ...clientExamples()])("%s is up to date", (path, text) => {
    expect(readFileSync(join(top, path), "utf8")).toBe(text);
  });

  test("there is a page for each builtin and for nothing else", () => {
    const written = readdirSync(join(top, "docs", "builtins")).map((name) => `builtins/${name}`);
    expect(written.sort()).toEqual([...pages.keys()].filter((path) => path.startsWith("builtins/")).sort());
  });
});
