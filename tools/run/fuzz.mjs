/**
 * npm run fuzz -- NAME [RUNS] [SEED]: the differential test of NAME against the real tool, with so many cases (default
 * 2,000) from a seed (default: of the clock, and printed). Installs the real tools if need be.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const TESTS = {
  arguments: "test/fuzz/arguments.test.ts",
  forgery: "test/fuzz/forgery.test.ts",
  awk: "test/builtins/awk/awk-differential.test.ts",
  "git-binary": "test/builtins/git/binary-differential.test.ts",
  bash: "test/shell/bash-differential.test.ts",
  diff: "test/builtins/diff/diff-differential.test.ts",
  jq: "test/builtins/jq/jq-differential.test.ts",
  grep: "test/builtins/grep/grep-differential.test.ts",
  perl: "test/builtins/grep/perl-differential.test.ts",
  mirror: "test/fuzz/mirror.test.ts",
  paths: "test/fuzz/paths.test.ts",
  transport: "test/fuzz/transport.test.ts",
  ignore: "test/walk/ignore-scope.test.ts",
  rg: "test/builtins/rg/rg-own.test.ts",
  "rg-perl": "test/builtins/rg/perl-flags-differential.test.ts",
  writers: "test/builtins/writers/writers-differential.test.ts",
  sed: "test/builtins/sed/sed-differential.test.ts",
};
/** Several tools in one file: their tests bear their names. */
const SHARED = {
  "test/builtins/cat-head-tail-wc-nl-differential.test.ts": ["cat", "head", "tail", "wc", "nl"],
  "test/builtins/tree-tools-differential.test.ts": "find fd ls stat du tree file readlink realpath".split(" "),
  "test/builtins/word-tools-differential.test.ts": "test bracket echo xargs cmp md5sum sha1sum sha512sum".split(" "),
  "test/builtins/cut-uniq-tr-sort-differential.test.ts": ["cut", "uniq", "tr", "sort"],
  "test/builtins/byte-tools-differential.test.ts":
    "od xxd hexdump strings basename dirname numfmt printf base64 base32 basenc cksum sha256sum sum".split(" "),
  "test/builtins/text-tools-differential.test.ts":
    "tac rev paste comm join fold expand unexpand seq expr date shuf factor tsort column".split(" "),
};

const [name = "", runs = "2000", seed = String(Date.now() % 1_000_000_000)] = process.argv.slice(2);
const shared = Object.entries(SHARED).find(([, names]) => names.includes(name));
const file = Object.hasOwn(TESTS, name) ? TESTS[name] : shared?.[0];
if (file === undefined || !/^\d+$/.test(runs) || !/^\d+$/.test(seed)) {
  const names = [...Object.keys(TESTS), ...Object.values(SHARED).flat()].sort();
  console.error(`usage: npm run fuzz -- NAME [RUNS] [SEED]\nNAME: ${names.join(" ")}`);
  process.exit(2);
}
const root = fileURLToPath(new URL("../..", import.meta.url));
const install = fileURLToPath(new URL("oracle.sh", import.meta.url));
const tools =
  process.env.SHELPA_ORACLE ?? execFileSync("bash", [install], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
console.log(`${name}: ${runs} cases, seed ${seed}`);
const ran = spawnSync("npx", ["vitest", "run", file, ...(shared === undefined ? [] : ["-t", ` ${name}$`])], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, PATH: `${tools}:${process.env.PATH}`, SHELPA_FUZZ_RUNS: runs, SHELPA_FUZZ_SEED: seed },
});
process.exit(ran.status ?? 1);
