/** `npm run docs`: writes the generated pages of docs/ and removes those of builtins that are gone. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { docsPages } from "./docs-pages.ts";

const top = process.cwd();
const docs = join(top, "docs");
const pages = docsPages(top);
mkdirSync(join(docs, "builtins"), { recursive: true });
for (const name of readdirSync(join(docs, "builtins"))) {
  if (!pages.has(`builtins/${name}`)) rmSync(join(docs, "builtins", name));
}
for (const [path, text] of pages) writeFileSync(join(docs, path), text);
console.log(`docs: ${pages.size} pages`);
