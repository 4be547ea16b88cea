/** `shelpa-mcp audit anchor` and `audit verify --anchor`, as they are shipped, with keys of openssl's. */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";

const SHELL = fileURLToPath(new URL("../../dist/shelpa.js", import.meta.url));
const SERVER = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));

let place: Tree;
let keys: Tree;
beforeEach(() => {
  place = tree([]);
  keys = tree([]);
});
afterEach(() => {
  place.remove();
  keys.remove();
});

function run(program: string, ...argv: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], { cwd: place.path, encoding: "utf8" });
  return { status, stdout, stderr };
}
const audit = (...argv: readonly string[]) => run(SERVER, "audit", ...argv);
const key = (name: string): string => `${keys.path}/${name}`;
const { test: withOpenssl } = needs("openssl");

withOpenssl("a head is signed, holds while lines follow, and fails once the journal is another", {}, () => {
  execFileSync("openssl", ["genpkey", "-algorithm", "ed25519", "-out", key("private")], { stdio: "pipe" });
  execFileSync("openssl", ["pkey", "-in", key("private"), "-pubout", "-out", key("public")], { stdio: "pipe" });
  const verify = (...more: readonly string[]) => audit("verify", "--anchor", key("anchors"), "--public-key", key("public"), ...more);
  run(SHELL, "-c", "echo one | tee f");
  const { status, stdout } = audit("anchor", "--key", key("private"));
  expect([status, stdout.split(" ").slice(0, 1)]).toEqual([0, ["shelpa-anchor/1"]]);
  writeFileSync(key("anchors"), stdout);
  run(SHELL, "-c", "echo two | tee f");
  appendFileSync(key("anchors"), audit("anchor", "--key", key("private"), "--workspace", "w", "--json").stdout);
  const held = verify();
  expect([held.status, held.stderr, held.stdout.replace(/\d{4}-\S+Z/g, "WHEN")]).toEqual([
    0,
    "",
    "holds    WHEN, 1 changes: The chain has this head, and 1 changes after it.\nholds    WHEN, 2 changes: The chain has this head, and 0 changes after it.\n2 records of 1 files: 0 errors, 0 warnings\n",
  ]);
  expect(
    verify("--json")
      .stdout.split("\n")
      .map((line) => /^\{"(?:verdict":"holds"|records":2)/.exec(line)?.[0]),
  ).toEqual(['{"verdict":"holds"', '{"verdict":"holds"', '{"records":2', undefined]);
  // The chain holds, and what a record is of does not.
  writeFileSync(`${place.path}/.shelpa/f`, "other\n");
  expect(verify()).toMatchObject({ status: 1, stdout: expect.stringMatching(/^holds .*\nholds .*\nerror {2}MIRROR_CHANGED /) });
  // The signature is of the line without its last field, for whoever has no shelpa.
  const [, text = "", signature = ""] = /^(.*) signature=(\S+)$/m.exec(readFileSync(key("anchors"), "utf8")) ?? [];
  writeFileSync(key("text"), text);
  writeFileSync(key("signature"), Buffer.from(signature, "base64"));
  const check = ["pkeyutl", "-verify", "-pubin", "-inkey", key("public"), "-rawin", "-in", key("text"), "-sigfile", key("signature")];
  expect(execFileSync("openssl", check, { encoding: "utf8" })).toBe("Signature Verified Successfully\n");
  rmSync(`${place.path}/.shelpa`, { recursive: true });
  run(SHELL, "-c", "echo one | tee f");
  expect(verify()).toMatchObject({ status: 1, stdout: expect.stringMatching(/^fails {4}.*rewritten.*\nfails {4}.*\n2 records of /) });
});

withOpenssl("a head is signed after another while the chain still has that one", {}, () => {
  execFileSync("openssl", ["genpkey", "-algorithm", "ed25519", "-out", key("private")], { stdio: "pipe" });
  const sign = (...more: readonly string[]) => audit("anchor", "--key", key("private"), ...more);
  const empty = sign("--json").stdout;
  run(SHELL, "-c", "echo one | tee f");
  const first = sign("--after", empty).stdout;
  run(SHELL, "-c", "echo two | tee f");
  expect(sign("--after", first)).toMatchObject({ status: 0, stdout: expect.stringContaining(" records=2 "), stderr: "" });
  rmSync(`${place.path}/.shelpa`, { recursive: true });
  expect(sign("--after", first)).toMatchObject({ status: 1, stdout: "" });
  expect(sign("--after", empty).status).toBe(0);
  run(SHELL, "-c", "echo one | tee f");
  const { status, stdout, stderr } = sign("--after", first);
  expect([status, stdout, stderr.replace(/\d{4}-\S+Z/g, "WHEN")]).toEqual([
    1,
    "",
    "shelpa-mcp: the journal no longer has the head that was signed at WHEN: The chain does not have this head: the journal was rewritten, cut off, or is another one. Nothing is signed\n",
  ]);
});

test.each<readonly [readonly string[], number, string]>([
  [["anchor"], 2, "audit anchor: give --key: the file with the private key to sign with"],
  [["anchor", "--key", "nothing"], 1, "nothing: there is no such file"],
  [
    ["anchor", "--key", "f"],
    1,
    "the key file holds no Ed25519 private key (PEM, PKCS #8): openssl genpkey -algorithm ed25519 -out FILE makes one",
  ],
  [["anchor", "--key", "f", "--after", "f"], 1, "this is no anchor: 'shelpa-mcp audit anchor' prints one"],
  [["verify", "--anchor", "f"], 2, "audit verify: --anchor and --public-key go together"],
  [
    ["verify", "--anchor", "f", "--public-key", "f"],
    1,
    "the key file holds no Ed25519 public key (PEM): openssl genpkey -algorithm ed25519 -out FILE makes one",
  ],
])("%j", (argv, status, message) => {
  writeFileSync(`${place.path}/f`, "no key\n");
  const ended = audit(...argv);
  expect([ended.status, ended.stdout, ended.stderr.split("\n")[0]]).toEqual([status, "", `shelpa-mcp: ${message}`]);
});
