/** The generated pages of docs/, the list in the README, the reference in docs/library.md and files of examples/clients are what `npm run docs` writes now. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { withBuiltinList } from "../tools/docs/builtin-list.ts";
import { withClientTable } from "../tools/docs/client-table.ts";
import { clientExamples } from "../tools/docs/client-examples.ts";
import { docsPages } from "../tools/docs/docs-pages.ts";
import { withLibraryReference } from "../tools/docs/library-reference.ts";

const top = fileURLToPath(new URL("..", import.meta.url));
const pages = docsPages(top);

describe("npm run docs", () => {
  test.each([...pages.keys()])("docs/%s is up to date", (path) => {
    expect(readFileSync(join(top, "docs", path), "utf8")).toBe(pages.get(path));
  });

  test.each([...clientExamples()])("%s is up to date", (path, text) => {
    expect(readFileSync(join(top, path), "utf8")).toBe(text);
  });

  test("README.md lists every builtin", () => {
    const readme = readFileSync(join(top, "README.md"), "utf8");
    expect(readme).toBe(withBuiltinList(readme));
  });

  test("docs/clients.md lists every client", () => {
    const page = readFileSync(join(top, "docs", "clients.md"), "utf8");
    expect(page).toBe(withClientTable(page));
  });

  test("docs/library.md has the library's types as they are", () => {
    const page = readFileSync(join(top, "docs", "library.md"), "utf8");
    expect(page).toBe(withLibraryReference(page, top));
  });

  test("there is a page for each builtin and for nothing else", () => {
    const written = readdirSync(join(top, "docs", "builtins")).map((name) => `builtins/${name}`);
    expect(written.sort()).toEqual([...pages.keys()].filter((path) => path.startsWith("builtins/")).sort());
  });
});
