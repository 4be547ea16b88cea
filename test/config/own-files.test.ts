/** The server's own files where they lie in the root: what the next start would read or run is written by no line. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadPolicy, type PolicySources } from "../../src/config/load.ts";
import { createShellService } from "../../src/mcp/service.ts";
import { ownFiles } from "../../src/host/own-code.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
const at = (name: string): string => `${place.path}/${name}`;
beforeEach(() => {
  place = tree([
    "root/cfg.toml: [paths]\ndeny_read = ['secret']\n",
    "root/secret: TOPSECRET\n",
    "root/token: 0123456789abcdef\n",
    "root/d/",
    "out/",
  ]);
});
afterEach(() => place.remove());

/** Output of each line, under the policy that a server would have. */
async function run(sources: Partial<PolicySources>, lines: readonly string[]): Promise<string[]> {
  const { policy } = await loadPolicy({ root: at("root"), environment: {}, flags: {}, ...sources });
  const service = await createShellService({ root: at("root"), policy, aliases: [], isolation: "none" });
  const answers: string[] = [];
  for (const command of lines) {
    const { result, stdout, stderr } = await service.call(
      { command, stdin: "[approval]\npre_approved = ['*']\n" },
      new AbortController().signal,
    );
    answers.push(result.kind === "refused" ? result.violations[0].reason : Buffer.concat([stdout.bytes, stderr.bytes]).toString());
  }
  await service.close();
  return answers;
}

const WRITES = ["tee cfg.toml", "tee -a cfg.toml", "cd d && tee ../cfg.toml", "tee CFG.TOML", "tee a cfg.toml", "tee ./d/../cfg.toml"];

test.each<[string, () => Partial<PolicySources>]>([
  ["--config", () => ({ file: at("root/cfg.toml") })],
  ["$SHELPA_CONFIG", () => ({ environment: { SHELPA_CONFIG: at("root/cfg.toml") } })],
  ["a root that was given by a link", () => ({ file: at("root/cfg.toml"), root: at("link") })],
  ["a configuration by a link from outside", () => ({ file: at("out/cfg.toml") })],
])("%s", async (_, sources) => {
  symlinkSync(at("root"), at("link"));
  symlinkSync(at("root/cfg.toml"), at("out/cfg.toml"));
  const before = readFileSync(at("root/cfg.toml"), "utf8");
  expect(await run(sources(), WRITES)).toEqual(WRITES.map(() => "PROTECTED_PATH"));
  expect(readFileSync(at("root/cfg.toml"), "utf8")).toBe(before);
});

test("a configuration that is a link inside the root, and what it leads to", async () => {
  symlinkSync("cfg.toml", at("root/linked.toml"));
  const answers = await run({ file: at("root/linked.toml") }, ["tee cfg.toml", "tee linked.toml", "tee other.toml | cat"]);
  expect(answers.slice(0, 2)).toEqual(["PROTECTED_PATH", "PROTECTED_PATH"]);
  expect(answers[2]).toContain("pre_approved");
});

test("no name on the way to the configuration becomes another, there or not", async () => {
  for (const path of ["real/in", "site/in", "empty"]) mkdirSync(at(`root/${path}`), { recursive: true });
  writeFileSync(at("root/real/in/c.toml"), "");
  symlinkSync("real", at("root/conf"));
  symlinkSync("site", at("root/docs"));
  const lines = [
    "rm conf",
    "mv -T docs conf",
    "mv conf c2",
    "mv real r2",
    "rmdir real/in",
    "touch conf",
    "echo a | tee conf/b",
    "mkdir real/d",
  ];
  const answers = await run({ file: at("root/conf/in/c.toml") }, lines);
  expect(answers.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => "PROTECTED_PATH"));
  expect(answers.slice(6)).toEqual(["", ""]);
  const missing = await run({ environment: { XDG_CONFIG_HOME: at("root/empty") } }, [
    "rmdir empty",
    "mv docs empty/shelpa",
    "touch empty/x",
  ]);
  expect(missing).toEqual(["PROTECTED_PATH", "PROTECTED_PATH", ""]);
});

test("the user's configuration below a root that is their home, there or not", async () => {
  const home = { environment: { HOME: at("root") } };
  expect(await run(home, ["tee .config/shelpa/config.toml", "tee .Config/SHELPA/x"])).toEqual(["PROTECTED_PATH", "PROTECTED_PATH"]);
  const elsewhere = { environment: { HOME: at("root"), XDG_CONFIG_HOME: at("root/conf") } };
  expect(await run(elsewhere, ["tee conf/shelpa/config.toml"])).toEqual(["PROTECTED_PATH"]);
  mkdirSync(at("root/conf/shelpa"), { recursive: true });
  writeFileSync(at("root/conf/shelpa/config.toml"), "");
  expect(await run(elsewhere, ["tee conf/shelpa/config.toml"])).toEqual(["PROTECTED_PATH"]);
});

test("a configuration that is reached by links to nothing", async () => {
  mkdirSync(at("home/.config"), { recursive: true });
  symlinkSync(at("root/dot/shelpa"), at("home/.config/shelpa"));
  const home = { environment: { HOME: at("home") } };
  expect(await run(home, ["tee dot/shelpa/config.toml"])).toEqual(["PROTECTED_PATH"]);
  symlinkSync("second.toml", at("root/first.toml"));
  symlinkSync(at("root/first.toml"), at("out/linked.toml"));
  writeFileSync(at("root/second.toml"), "");
  expect(await run({ file: at("out/linked.toml") }, ["tee second.toml", "tee first.toml"])).toEqual(["PROTECTED_PATH", "PROTECTED_PATH"]);
});

test("a file with the server's token is neither read nor written", async () => {
  const [cat, sum, tee] = await run({ secretFiles: [at("root/token")] }, ["cat token", "sha256sum < token || md5sum token", "tee token"]);
  expect([cat, sum].join()).not.toContain("0123456789abcdef");
  expect(cat).toContain("Permission denied");
  expect(tee).toBe("PROTECTED_PATH");
});

test("code of the server that lies in the root", async () => {
  const root = (ownFiles()[0] ?? "").replace(/\/dist\/?$/, "");
  const { policy } = await loadPolicy({ root, environment: {}, flags: {} });
  expect(policy.paths.own).toEqual(["dist", "package.json"]);
});
