/** Third-party code in dist/: packages that the bundle read, and WebAssembly that was copied. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const grammars = (from, directory, names) =>
  names.split(" ").map((name) => ({
    file: `grammars/tree-sitter-${name}.wasm.br`,
    from,
    path: `${directory}tree-sitter-${name}.wasm`,
  }));

/** File in dist/ (one that ends in .br is compressed), package, and path within the package; rg.wasm.br is made of a file (src of tools/build/build.mjs). Hashes are beside their uses. */
export const MODULES = [
  { file: "rg.wasm.br", from: "ripgrep", path: undefined },
  { file: "jq.wasm.br", from: "jq-wasm", path: "dist/build/jq.wasm" },
  { file: "grammars/web-tree-sitter.wasm.br", from: "web-tree-sitter", path: "web-tree-sitter.wasm" },
  // The names are keys of GRAMMARS in src/wasm/grammars.ts, which has their hashes.
  ...grammars(
    "@vscode/tree-sitter-wasm",
    "wasm/",
    "bash c-sharp cpp css go java javascript php powershell python ruby rust tsx typescript",
  ),
  ...grammars("@repomix/tree-sitter-wasms", "out/", "c swift"),
  ...grammars("@tree-sitter-grammars/tree-sitter-kotlin", "", "kotlin"),
  ...grammars("@tree-sitter-grammars/tree-sitter-lua", "", "lua"),
];

/** Names of packages, for the files that a bundle was made of (paths from the top of the project). */
export function bundledPackages(inputs) {
  const packages = new Set(MODULES.map(({ from }) => from));
  for (const file of sourceFiles(inputs)) {
    const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
    if (name !== undefined) packages.add(name);
  }
  return [...packages].sort();
}

/** Without modules of our own making, which have a namespace; zod's locales are still zod's files. */
export const sourceFiles = (inputs) => inputs.map((input) => input.replace(/^zod-locales:/, "")).filter((file) => !/^[a-z-]+:/.test(file));

/** A package's package.json. */
export const manifestOf = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));

/** The contents of dist/ as a CycloneDX document: the packages, and each WebAssembly module with its hash. */
export function softwareBillOfMaterials(inputs) {
  const { name, version, license } = JSON.parse(readFileSync("package.json", "utf8"));
  const library = (packageName) => {
    const { version: itsVersion, license: itsLicense } = manifestOf(packageName);
    return { type: "library", "bom-ref": purl(packageName, itsVersion), ...described(packageName, itsVersion, itsLicense) };
  };
  const module = ({ file, from }) => {
    const { version: itsVersion, license: itsLicense } = manifestOf(from);
    const content = createHash("sha256")
      .update(readFileSync(`dist/${file}`))
      .digest("hex");
    return {
      type: "file",
      "bom-ref": `dist/${file}`,
      ...described(from, itsVersion, itsLicense),
      name: `dist/${file}`,
      hashes: [{ alg: "SHA-256", content }],
    };
  };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { type: "application", "bom-ref": purl(name, version), ...described(name, version, license) } },
    components: [...bundledPackages(inputs).map(library), ...MODULES.map(module)],
  };
}

const described = (name, version, license) => ({ name, version, licenses: [{ expression: license }], purl: purl(name, version) });

const purl = (name, version) => `pkg:npm/${name.replace("@", "%40")}@${version}`;
