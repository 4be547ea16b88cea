/** `npm run docs`: writes the generated pages of docs/ and files of packaging/ and examples/, and removes pages of builtins that are gone. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { clientExamples } from "./client-examples.ts";
import { docsPages } from "./docs-pages.ts";
import { packagingFiles } from "./packaging-files.ts";

const top = process.cwd();
const docs = join(top, "docs");
const pages = docsPages(top);
mkdirSync(join(docs, "builtins"), { recursive: true });
for (const name of readdirSync(join(docs, "builtins"))) {
  if (!pages.has(`builtins/${name}`)) rmSync(join(docs, "builtins", name));
}
for (const [path, text] of pages) writeFileSync(join(docs, path), text);
const files = new Map([...packagingFiles(), ...clientExamples()]);
for (const [path, text] of files) {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text);
}
console.log(`docs: ${pages.size} pages; packaging and examples: ${files.size} files`);
