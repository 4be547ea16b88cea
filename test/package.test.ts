/** The npm package as a user gets it: packed, installed in an empty folder without a network, and run. Needs `npm run build`. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const top = fileURLToPath(new URL("..", import.meta.url));
const MIB = 1 << 20;

interface Packed {
  readonly filename: string;
  /** Size of the tarball, in bytes. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number; readonly mode: number }[];
}

let place = "";
let packed: Packed;
const installed = (...path: string[]): string => join(place, "node_modules", ...path);

beforeAll(() => {
  if (!existsSync(join(top, "dist", "types"))) throw new Error("dist/ has no types: npm run build");
  place = mkdtempSync(join(tmpdir(), "shelpa-package-"));
  const npm = (...args: string[]) => execFileSync("npm", args, { cwd: place, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  [packed] = JSON.parse(npm("pack", top, "--ignore-scripts", "--json")) as [Packed];
  writeFileSync(join(place, "package.json"), '{ "name": "somebody", "private": true, "type": "module" }');
  // Without a network and without scripts: there is nothing to fetch, and nothing to run.
  npm("install", `./${packed.filename}`, "--offline", "--no-audit", "--no-fund", "--ignore-scripts");
}, 180_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** The programs' entry points of the package, by the names under which they are exported. */
function entryPoints(): readonly (readonly [name: string, path: string])[] {
  const { exports } = JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as {
    exports: Record<string, string | { default: string }>;
  };
  return Object.entries(exports).flatMap(([name, target]) => (typeof target === "string" ? [] : [[name, target.default] as const]));
}

describe("what is in it", () => {
  test("what runs, its types and its documents; no source, test or tool of ours", () => {
    const paths = packed.files.map(({ path }) => path);
    const known =
      /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/[^/]+\.(js|wasm|wasm\.br|txt)|dist\/sbom\.cdx\.json|dist\/grammars\/[^/]+\.wasm\.br|dist\/types\/.+\.d\.ts|docs\/.+\.md|dist\/(completions|man)\/[^/]+)$/;
    expect(paths.filter((path) => !known.test(path) || /\/dev-|\.test\./.test(path))).toEqual([]);
    for (const path of [
      "CHANGELOG.md",
      "dist/shelpa.js",
      "dist/shelpa-mcp.js",
      "dist/index.js",
      "dist/executor.js",
      "dist/rg.wasm.br",
      "dist/types/src/index.d.ts",
    ])
      expect(paths).toContain(path);
  });

  test("every link of its pages leads to a packed file, or by its address to one of the repository", () => {
    const manifest = JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as { repository: { url: string } };
    const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
    const raw = repository.replace("//github.com/", "//raw.githubusercontent.com/");
    const paths = packed.files.map(({ path }) => path);
    const isPacked = (path: string): boolean => paths.some((one) => one === path || one.startsWith(`${path.replace(/\/$/, "")}/`));
    const pages = paths.filter((path) => path.endsWith(".md"));
    const links = pages.flatMap((page) =>
      readFileSync(installed("shelpa-mcp", page), "utf8")
        .split("\n")
        .flatMap((line) => [...line.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({ page, target: target.replace(/#.*/, "") }))),
    );
    const ofRepository = (target: string): string | undefined =>
      [`${repository}/blob/main/`, `${repository}/tree/main/`, `${raw}/main/`]
        .filter((start) => target.startsWith(start))
        .map((start) => target.slice(start.length))[0];
    const broken = links.filter(({ page, target }) => {
      const own = ofRepository(target);
      if (own !== undefined) return !existsSync(join(top, own));
      return target !== "" && !/^[a-z]+:/.test(target) && !isPacked(join(dirname(page), target));
    });
    expect(broken).toEqual([]);
    expect(links.filter(({ target }) => ofRepository(target) !== undefined).length).toBeGreaterThan(15);
  });

  test("it is at most 12 MB unpacked", () => {
    expect(packed.size).toBeLessThan(6 * MIB);
    expect(packed.unpackedSize).toBeLessThan(12_000_000);
  });

  test("it needs no other package, and runs nothing when it is installed", () => {
    const manifest = JSON.parse(readFileSync(installed("shelpa-mcp", "package.json"), "utf8")) as Record<string, unknown>;
    expect(manifest).not.toHaveProperty("dependencies");
    const scripts = Object.keys(manifest["scripts"] as object);
    // npm runs these where a package is installed, and warns of `prepare`, too.
    for (const name of ["preinstall", "install", "postinstall", "prepare"]) expect(scripts).not.toContain(name);
    for (const type of ["optionalDependencies", "peerDependencies", "bundleDependencies"]) expect(manifest).not.toHaveProperty(type);
  });

  test("whose code it holds is said, with the licences", () => {
    const notice = readFileSync(installed("shelpa-mcp", "dist", "THIRD-PARTY-LICENSES.txt"), "utf8");
    for (const name of [
      "@modelcontextprotocol/server",
      "@opentelemetry/sdk-trace",
      "zod",
      "unbash",
      "smol-toml",
      "jsonc-parser",
      "ripgrep",
      "jq-wasm",
      "web-tree-sitter",
    ])
      expect(notice).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\S* \\((MIT|ISC|Apache-2\\.0|BSD-3-Clause)\\)\n`, "m"));
  });

  test("the packages of the WebAssembly modules are pinned", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as { devDependencies: Record<string, string> };
    const lock = JSON.parse(readFileSync(join(top, "package-lock.json"), "utf8")) as {
      packages: Record<string, { version: string; integrity: string }>;
    };
    for (const name of ["ripgrep", "jq-wasm", "web-tree-sitter", "@vscode/tree-sitter-wasm"]) {
      expect(devDependencies[name]).toBe(lock.packages[`node_modules/${name}`]?.version);
      expect(lock.packages[`node_modules/${name}`]?.integrity).toMatch(/^sha512-/);
    }
  });
});

describe("what it does", () => {
  const run = (program: string, args: readonly string[], input = "") => {
    const { status, stdout, stderr } = spawnSync(installed(".bin", program), args, { cwd: place, input, encoding: "utf8" });
    return { status, stdout, stderr };
  };

  test("both commands are there and can be run", () => {
    for (const name of ["shelpa", "shelpa-mcp"]) expect(statSync(installed(".bin", name)).mode & 0o111).not.toBe(0);
    expect(run("shelpa", ["-c", "seq 3 | tail -n 1"])).toEqual({ status: 0, stdout: "3\n", stderr: "" });
    expect(run("shelpa-mcp", ["run", "echo on | tr a-z A-Z"])).toEqual({ status: 0, stdout: "ON\n", stderr: "" });
  });

  test.each(entryPoints())("what it exports as %s can be imported", async (_name, path) => {
    // From dist/ here, which is what is packed: the adapters find the packages that they adapt beside it.
    expect(Object.keys((await import(join(top, path))) as object)).not.toEqual([]);
  });

  test("npx starts it, and the first message is answered", () => {
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "shelpa_pipe", arguments: { command: "ls package.json" } },
    };
    const answer = execFileSync("npx", ["--offline", "shelpa-mcp", "--root", "."], {
      cwd: place,
      input: `${JSON.stringify(call)}\n`,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
    });
    expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { content: [{ text: "package.json\n" }], _meta: { exit_code: 0 } } });
  });

  test("its completions are printed", () => {
    const { status, stdout } = run("shelpa-mcp", ["completions", "bash"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^complete -F _shelpa shelpa$/m);
    expect(stdout).toMatch(/^complete -F _shelpa_mcp shelpa-mcp$/m);
  });

  test("the doctor finds it well", () => {
    const { status, stdout } = run("shelpa-mcp", ["doctor"]);
    expect(stdout).not.toContain("fail");
    expect(status).toBe(0);
  });

  test.each([
    ["rg", "rg -n --json two a.txt | head -n 1", /"begin"/],
    ["jq", "jq .name package.json", /"somebody"/],
    ["a grammar", "outline code.ts", /greet/],
  ])("its WebAssembly modules are found: %s", (_, line, printed) => {
    writeFileSync(join(place, "a.txt"), "one\ntwo\n");
    writeFileSync(join(place, "code.ts"), "export function greet(): void {}\n");
    expect(run("shelpa", ["-c", line]).stdout).toMatch(printed);
  });
});

test("the library is typed for a strict program, and works", { timeout: 120_000 }, () => {
  mkdirSync(installed("@types"), { recursive: true });
  for (const name of ["@types/node", "undici-types"]) symlinkSync(join(top, "node_modules", name), installed(name));
  const compilerOptions = {
    target: "ES2022",
    module: "NodeNext",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    outDir: "out",
  };
  writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["library.ts"] }));
  writeFileSync(
    join(place, "library.ts"),
    `import { Shell, FileError, type RunOutcome, type Violation } from "shelpa-mcp";
const shell: Shell = await Shell.open({ root: process.cwd(), isolation: "process", readOnly: true });
const { result, stdout }: RunOutcome = await shell.defaultSession.run("seq 3 | wc -l");
const refused: readonly Violation[] = result.kind === "refused" ? result.violations : [];
const piped = shell.newSession().pipe("cat", { stdin: "x" });
let text = "";
for await (const block of piped.stdout) text += String(block);
// @ts-expect-error: a line is text
export const wrong = () => shell.defaultSession.run(3);
console.log(stdout.toString().trim(), text, refused.length, FileError.name, (await piped.result).kind);
await shell.close();
`,
  );
  const compiled = spawnSync(process.execPath, [join(top, "node_modules/typescript/bin/tsc"), "-p", "."], { cwd: place, encoding: "utf8" });
  expect(compiled.stdout + compiled.stderr).toBe("");
  expect(execFileSync(process.execPath, ["out/library.js"], { cwd: place, encoding: "utf8" })).toBe("3 x 0 FileError completed\n");
});
