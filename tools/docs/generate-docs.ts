/** `npm run docs`: writes the generated pages of docs/, the list in the README, the reference in docs/library.md, the table of clients and files of examples/, and removes pages of builtins that are gone. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withBuiltinList } from "./builtin-list.ts";
import { clientExamples } from "./client-examples.ts";
import { withClientTable } from "./client-table.ts";
import { docsPages } from "./docs-pages.ts";
import { withLibraryReference } from "./library-reference.ts";

const top = process.cwd();
const docs = join(top, "docs");
const pages = docsPages(top);
mkdirSync(join(docs, "builtins"), { recursive: true });
for (const name of readdirSync(join(docs, "builtins"))) {
  if (!pages.has(`builtins/${name}`)) rmSync(join(docs, "builtins", name));
}
for (const [path, text] of pages) writeFileSync(join(docs, path), text);
const readme = join(top, "README.md");
writeFileSync(readme, withBuiltinList(readFileSync(readme, "utf8")));
const clients = join(docs, "clients.md");
writeFileSync(clients, withClientTable(readFileSync(clients, "utf8")));
const library = join(docs, "library.md");
writeFileSync(library, withLibraryReference(readFileSync(library, "utf8"), top));
const examples = clientExamples();
for (const [path, text] of examples) {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text);
}
console.log(`docs: ${pages.size} pages, the list in README.md and the reference in library.md; examples: ${examples.size} files`);
