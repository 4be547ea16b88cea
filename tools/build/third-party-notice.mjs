/**
 * The notice of all third-party code in dist/: licence texts out of node_modules, of exactly the packages that the bundle
 * read. The build writes it, so that it is never older than the bundle.
 */
import { readdirSync, readFileSync } from "node:fs";
import { bundledPackages, manifestOf, sourceFiles } from "./bundled.mjs";

/** Sources that those packages were compiled from: name, SPDX licence, address of the licence's text. */
const COMPILED_IN = [
  ["ripgrep (rg.wasm)", "MIT OR Unlicense", "https://github.com/BurntSushi/ripgrep"],
  ["jq, with David M. Gay's dtoa.c and g_fmt.c (jq.wasm)", "MIT", "https://github.com/jqlang/jq/blob/master/COPYING"],
  ["Oniguruma (jq.wasm)", "BSD-2-Clause", "https://github.com/kkos/oniguruma"],
  ["tree-sitter (web-tree-sitter.wasm)", "MIT", "https://github.com/tree-sitter/tree-sitter"],
  [
    "tree-sitter grammars: bash, c, c-sharp, cpp, css, go, java, javascript, php, python, ruby, rust, typescript",
    "MIT",
    "https://github.com/tree-sitter",
  ],
  ["tree-sitter grammar: swift", "MIT", "https://github.com/alex-pinkus/tree-sitter-swift"],
  ["tree-sitter grammars: kotlin, lua", "MIT", "https://github.com/tree-sitter-grammars"],
  ["tree-sitter grammar: powershell", "MIT", "https://github.com/airbus-cert/tree-sitter-powershell"],
];

/** The notice, for the files that a bundle was made of (paths from the top of the project). */
export function thirdPartyNotice(inputs) {
  const within = new Map();
  for (const file of sourceFiles(inputs)) {
    const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
    if (name === undefined) continue;
    // Some packages are bundles themselves, and say so where a part begins.
    for (const [, part] of readFileSync(file.replace(/^.*?(?=node_modules\/)/, ""), "utf8").matchAll(
      /^\/\/#region .*\/\.pnpm\/([^/]+)\//gm,
    )) {
      within.set(part.replace("+", "/"), name);
    }
  }
  // Packages of one project bring one text each, and the same.
  const sharing = new Map();
  for (const name of bundledPackages(inputs)) {
    const { heading, text } = notice(name);
    sharing.set(text, [...(sharing.get(text) ?? []), heading]);
  }
  const sections = [...sharing].map(([text, headings]) => `${headings.join("\n")}\n\n${text}\n`);
  const rows = COMPILED_IN.map(([name, licence, url]) => `${name}\n    ${licence}, ${url}\n`);
  const parts = [...within].sort().map(([part, name]) => `${part}, within ${name}\n`);
  return [
    "shelpa-mcp holds code of the packages below. Each is followed by its notice, which several may share.\n",
    ...sections,
    `What the WebAssembly modules were compiled from:\n\n${rows.join("")}`,
    ...(parts.length === 0 ? [] : [`Bundled by the packages above:\n\n${parts.join("")}`]),
  ].join(`\n${"-".repeat(80)}\n\n`);
}

function notice(name) {
  const directory = `node_modules/${name}`;
  const { version, license } = manifestOf(name);
  const notices = readdirSync(directory).filter((file) => /^(licen[cs]e|notice|copying|unlicense)/i.test(file));
  if (license === undefined || notices.length === 0) throw new Error(`${name} says nothing of its licence: leave it out, or find out`);
  const texts = notices.map((file) => readFileSync(`${directory}/${file}`, "utf8").replaceAll("\r\n", "\n").trim());
  return { heading: `${name} ${version} (${license})`, text: texts.join("\n\n") };
}
