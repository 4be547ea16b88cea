/**
 * npm run sbom: dist/sbom.cdx.json, what a release is made of, as CycloneDX. npm lists the packages that are installed
 * with us; what the build has put into dist/ besides (the WebAssembly) is added with its hash and the package it is from.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));
const FROM = [
  [/^jq\.wasm$/, "jq-wasm"],
  [/^rg\.wasm$/, "ripgrep"],
  [/^grammars\/web-tree-sitter\.wasm$/, "web-tree-sitter"],
  [/^grammars\/tree-sitter-[a-z-]+\.wasm$/, "@vscode/tree-sitter-wasm"],
];

const sbom = JSON.parse(
  execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--omit", "dev"], { encoding: "utf8" }),
);
sbom.metadata.component.name = "shelpa-mcp";
const modules = readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".wasm"));
for (const name of modules.sort()) {
  const source = FROM.find(([pattern]) => pattern.test(name))?.[1];
  if (source === undefined) throw new Error(`dist/${name}: of which package is it?`);
  const { version, license } = JSON.parse(readFileSync(`node_modules/${source}/package.json`, "utf8"));
  sbom.components.push({
    type: "file",
    "bom-ref": `dist/${name}`,
    name: `dist/${name}`,
    version,
    hashes: [
      {
        alg: "SHA-256",
        content: createHash("sha256")
          .update(readFileSync(`dist/${name}`))
          .digest("hex"),
      },
    ],
    licenses: [{ license: { id: license } }],
    purl: `pkg:npm/${source.replace("@", "%40")}@${version}`,
  });
}
mkdirSync("dist", { recursive: true });
writeFileSync("dist/sbom.cdx.json", `${JSON.stringify(sbom, null, 2)}\n`);
console.log(`dist/sbom.cdx.json: ${sbom.components.length} components, ${modules.length} of them WebAssembly modules`);
