/** `shelpa-mcp audit`, as it is shipped, over what the real shell wrote. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { createShellService } from "../../src/mcp/service.ts";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";

const SHELL = fileURLToPath(new URL("../../dist/shelpa.js", import.meta.url));
const SERVER = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));

let place: Tree;
beforeEach(() => {
  place = tree(["f: theirs\n"]);
});
afterEach(() => place.remove());

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, argv: readonly string[], stdin = ""): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], { cwd: place.path, input: stdin, encoding: "utf8" });
  return { status, stdout, stderr };
}
const line = (text: string): Ended => run(SHELL, ["-c", text]);
const audit = (...argv: readonly string[]): Ended => run(SERVER, ["audit", ...argv]);
const records = (): readonly { id: string; preimage: string | null }[] =>
  audit("log", "--json")
    .stdout.trim()
    .split("\n")
    .map((text) => JSON.parse(text) as { id: string; preimage: string | null });

test("nothing was written yet", () => {
  expect(audit("log")).toEqual({ status: 0, stdout: "no writes\n", stderr: "" });
  expect(audit("verify")).toEqual({ status: 0, stdout: "0 records of 0 files: 0 errors, 0 warnings\n", stderr: "" });
  expect(audit("restore", "last")).toEqual({ status: 1, stdout: "", stderr: "shelpa-mcp: nothing was ever recorded\n" });
  expect(existsSync(`${place.path}/.shelpa`)).toBe(false);
});

test("log, show, restore", () => {
  line("echo ours | tee f; echo new | tee dir/g");
  const { stdout } = audit("log");
  expect(stdout.replace(/\d{4}-\S+Z {2}\d{19}/g, "WHEN ID")).toBe(
    [
      "TIME                  RECORD               CHANGE       BYTES  WHO     APPROVED  FILE   COMMAND",
      "WHEN ID  overwritten      5  shelpa  -         f      echo ours | tee f; echo new | tee dir/g",
      "WHEN ID  made             -  shelpa  -         dir    echo ours | tee f; echo new | tee dir/g",
      "WHEN ID  created          4  shelpa  -         dir/g  echo ours | tee f; echo new | tee dir/g",
      "",
    ].join("\n"),
  );
  expect(audit("log", "--file", "dir/g", "--since", "1h").stdout.split("\n")).toHaveLength(3);
  expect(audit("log", "--until", "1h").stdout).toBe("no writes\n");
  const [first, , third] = records();
  expect(audit("show", first?.id ?? "", "--content").stdout).toBe("ours\n");
  expect(audit("show", first?.preimage ?? "", "--content").stdout).toBe("theirs\n");
  expect(audit("show", "last").stdout).toContain("command     echo ours | tee f; echo new | tee dir/g\n");
  expect(audit("restore", "last", "--undo", "--dry-run").stdout).toBe("dir/g: 4 bytes -> removed (nothing was written)\n");
  expect(existsSync(`${place.path}/dir/g`)).toBe(true);
  expect(audit("restore", "last", "--undo").stdout).toMatch(/^dir\/g: removed, record \d{19}\n$/);
  expect(existsSync(`${place.path}/dir/g`)).toBe(false);
  audit("restore", first?.id ?? "", "--undo");
  expect(readFileSync(`${place.path}/f`, "utf8")).toBe("theirs\n");
  audit("restore", third?.id ?? "");
  expect(readFileSync(`${place.path}/dir/g`, "utf8")).toBe("new\n");
  expect(audit("restore", third?.id ?? "")).toEqual({ status: 0, stdout: "dir/g is so already\n", stderr: "" });
});

test("diff: what a write changed, and what has become of it since", () => {
  line("echo ours | tee f");
  const [{ id } = { id: "" }] = records();
  const changed = audit("diff", "last");
  expect(changed).toEqual({ status: 1, stdout: `--- f\tbefore ${id}\n+++ f\t${id}\n@@ -1 +1 @@\n-theirs\n+ours\n`, stderr: "" });
  expect(audit("diff", id, "current")).toEqual({ status: 0, stdout: "", stderr: "" });
  writeFileSync(`${place.path}/f`, "ours\nmore\n");
  expect(audit("diff", id, "current").stdout).toBe(`--- f\t${id}\n+++ f\tcurrent\n@@ -1 +1,2 @@\n ours\n+more\n`);
});

test("verify: the exit status is for a script", () => {
  line("echo ours | tee f");
  writeFileSync(`${place.path}/f`, "theirs again\n");
  const [{ id } = { id: "" }] = records();
  expect(audit("verify")).toEqual({
    status: 0,
    stdout: `warn  CHANGED_OUTSIDE  f, record ${id}: The file was changed since, and not through shelpa.\n2 records of 1 files: 0 errors, 1 warnings\n`,
    stderr: "",
  });
  expect(audit("verify", "--fail-on", "warn").status).toBe(1);
  writeFileSync(`${place.path}/.shelpa/f`, "");
  expect(audit("verify").status).toBe(1);
});

test("a command line cannot deceive whoever reads the log", () => {
  line("echo '\u001b[2K\u202e' | tee f");
  const { stdout } = audit("log");
  expect(stdout).toContain("echo '\\u{1b}[2K\\u{202e}' | tee f");
  expect(audit("report", "--sections", "writes").stdout).toContain("echo '\\\\u{1b}\\[2K\\\\u{202e}' \\| tee f");
});

test("report: the configuration in force, and where each setting comes from", () => {
  writeFileSync(`${place.path}/.shelpa.toml`, '[approval]\nauto_deny_severity = "Critical"\n');
  const { stdout, status } = audit("report", "--sections", "writes,config", "--profile", "strict");
  expect(status).toBe(0);
  expect(stdout).toContain(`Files: ${place.path}/.shelpa.toml.\n`);
  expect(stdout).toContain(`| approval.auto\\_deny\\_severity | Critical | ${place.path}/.shelpa.toml |\n`);
  expect(stdout).toContain("| strict | true | profile strict |\n");
  expect(stdout).toContain("| limits.time\\_seconds | 30 | default |\n");
  const { config } = JSON.parse(audit("report", "--sections", "config", "--format", "json").stdout) as { config: unknown };
  expect(config).toMatchObject({ files: [`${place.path}/.shelpa.toml`] });
  writeFileSync(`${place.path}/.shelpa.toml`, "strict = 1\n");
  expect(audit("report", "--sections", "config").stdout).toContain("A server would not start: ");
});

test("report: what was refused over MCP is in it", () => {
  const calls = ["chmod +x f", "echo x | tee new"].map((command, id) => {
    return { jsonrpc: "2.0", id, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command } } };
  });
  run(SERVER, ["--root", "."], calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
  const report = JSON.parse(audit("report", "--format", "json", "--reviewer", "Ada").stdout) as Record<string, unknown>;
  expect(report).toMatchObject({
    reviewer: "Ada",
    writes: [expect.objectContaining({ path: "new" })],
    refusals: [{ command: "chmod +x f", outcome: "refused", reason: "DISALLOWED_CMD", client: "mcp", directory: "", records: [] }],
    limits: [],
    integrity: { findings: [] },
  });
});

/** Runs a line as the client `name` does. */
function served(name: string, command: string): void {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name, version: "2.1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: "shelpa_pipe", arguments: { command }, _meta };
  run(SERVER, ["--root", "."], `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`);
}

describe("of several clients", () => {
  beforeEach(() => {
    served("one", "echo a | tee src/a");
    served("two", "echo b | tee b; rm src/a");
    served("two", "chmod +x b");
    line("echo c | tee c");
  });

  test("log and report by client, session and path", () => {
    const paths = (...argv: readonly string[]): readonly string[] =>
      audit("log", "--json", ...argv)
        .stdout.split("\n")
        .filter((text) => text !== "")
        .map((text) => (JSON.parse(text) as { path: string }).path);
    expect(paths("--client", "one")).toEqual(["src", "src/a"]);
    expect(paths("--client", "two")).toEqual(["b", "src/a"]);
    expect(paths("--client", "mcp")).toEqual(["src", "src/a", "b", "src/a"]);
    expect(paths("--client", "shelpa")).toEqual(["c"]);
    expect(paths("--file", "./src/")).toEqual(["src", "src/a", "src/a"]);
    expect(paths("--file", "src/a", "--client", "two", "--since", "1h")).toEqual(["src/a"]);
    expect(paths("--file", `${place.path}/b`)).toEqual(["b"]);
    expect(paths("--file", "sr")).toEqual([]);
    expect(paths("--session", "other")).toEqual([]);
    expect(audit("log").stdout).toMatch(/ {2}two 2\.1 {2}- {9}b {6}echo b \| tee b; rm src\/a\n/);
    expect(audit("show", records()[0]?.id ?? "").stdout).toContain("\nclient      mcp\nwho         one 2.1\n");
    const report = audit("report", "--client", "two", "--sections", "writes,refusals").stdout;
    expect(report).toContain(". Only client two.\n");
    expect(report).toContain("2 writes to 2 files.");
    expect(report).toContain("| DISALLOWED\\_CMD | two 2.1 | chmod +x b |");
    expect(report).not.toContain("one 2.1");
    const ofFile = audit("report", "--file", "c", "--format", "json").stdout;
    expect(JSON.parse(ofFile)).toMatchObject({ filter: "file c", writes: [{ path: "c" }], refusals: [] });
  });

  test("export: a line for each write, with who, what and the digests", () => {
    const lines = audit("export", "--client", "two").stdout.trimEnd().split("\n");
    expect(lines.map((text) => JSON.parse(text) as object)).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        record: expect.stringMatching(/^\d{19}$/),
        call: expect.stringMatching(/^\d{19}$/),
        transaction: expect.stringMatching(/^\d{19}$/),
        session: "default",
        client: "mcp",
        client_name: "two",
        client_version: "2.1",
        token: null,
        subject: null,
        approved_by: null,
        approved_through: null,
        file: "b",
        change: "created",
        bytes: 2,
        before_bytes: null,
        before_sha256: null,
        after_bytes: 2,
        after_sha256: "0263829989b6fd954f72baaf2fc64bc2e2f01d692d4de72986ea808f6e99813f",
        command: "echo b | tee b; rm src/a",
        ran: null,
        request_id: null,
      },
      expect.objectContaining({ file: "src/a", change: "removed", before_bytes: 2, after_bytes: null }),
    ]);
    const csv = audit("export", "--format", "csv", "--file", "b").stdout;
    expect(csv.split("\r\n").map((text) => text.split(",").slice(4, 14).join(","))).toEqual([
      "session,client,client_name,client_version,token,subject,approved_by,approved_through,file,change",
      "default,mcp,two,2.1,,,,,b,created",
      "",
    ]);
  });
});

test("a caller of an issuer: its token's name and its subject, whatever they hold, cut and spelled out", async () => {
  const service = await createShellService({ root: place.path, policy: DEFAULT_POLICY, aliases: [], isolation: "none" });
  const subject = `=al\u001b[2K\u202eice\n${"x".repeat(200)}`;
  const caller = { name: "one", version: "1", token: "agent", subject };
  const signal = new AbortController().signal;
  await service.call({ command: "echo b | tee b" }, signal, { caller });
  await service.call({ command: "chmod +x b" }, signal, { caller });
  await service.close();
  const kept = subject.slice(0, 100);
  const stored = ["journal", "calls"].map((name) => readFileSync(`${place.path}/.shelpa/@/${name}.jsonl`, "utf8"));
  for (const text of stored) expect(text).toContain(`"token":"agent","subject":${JSON.stringify(kept)}`);
  const shown = `one 1, token agent, subject =al\\u{1b}[2K\\u{202e}ice\\n${"x".repeat(100)}`.slice(0, 60);
  expect(audit("log").stdout).toContain("  one 1, token agent, sub");
  expect(audit("show", "last").stdout).toContain(`\nwho         ${shown}`);
  const report = audit("report", "--sections", "writes,refusals", "--format", "json").stdout;
  expect(JSON.parse(report)).toMatchObject({ writes: [{ token: "agent", subject: kept }], refusals: [{ token: "agent", subject: kept }] });
  expect(audit("report", "--sections", "writes,refusals").stdout.match(/one 1, token agent, subject =al/g)).toHaveLength(2);
  expect(JSON.parse(audit("export").stdout)).toMatchObject({ token: "agent", subject: kept });
  expect(audit("export", "--format", "csv").stdout).toContain(`,agent,"'=al\\u{1b}[2K`);
});

test("export: neither a terminal nor a spreadsheet obeys a name or a command line", () => {
  line("echo '=1,\"\u001b[2K' | tee =cmd '@x;y' ' -z'");
  const csv = audit("export", "--format", "csv").stdout;
  expect(csv).toContain(`,"'=cmd",created,`);
  expect(csv).toContain(`,"'@x;y",created,`);
  expect(csv).toContain(`,"' -z",created,`);
  expect(csv).toContain(`,"echo '=1,""\\u{1b}[2K' | tee =cmd '@x;y' ' -z'",,\r\n`);
  const [first = ""] = audit("export").stdout.split("\n");
  expect(first).toContain("\"echo '=1,\\\"\\u001b[2K' | tee =cmd");
});

describe("prune", () => {
  const later = (): string => new Date(Date.now() + 60_000).toISOString();

  test("says what would go, and then moves it; the archive is read by the audit's commands", () => {
    line("echo ours | tee f");
    const [{ id } = { id: "" }] = records();
    expect(audit("prune", "--before", "1h", "--archive", "old.tar.gz")).toEqual({
      status: 1,
      stdout: "",
      stderr: "shelpa-mcp: there is no record as old as that, of a command line that is finished\n",
    });
    expect(audit("prune", "--before", later(), "--dry-run").stdout).toMatch(/^1 records in 1 mirrors, until \S+Z would be pruned\n$/);
    expect(records()).toHaveLength(1);
    const { status, stdout } = audit("prune", "--before", later(), "--archive", "old.tar.gz");
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^1 records in 1 mirrors, until \S+Z pruned\n\S+\/old\.tar\.gz: \d+ bytes, sha256 [0-9a-f]{64}\n$/),
    });
    expect(audit("log").stdout).toBe("no writes\n");
    expect(audit("verify", "--fail-on", "warn")).toMatchObject({ status: 0, stdout: "0 records of 0 files: 0 errors, 0 warnings\n" });
    expect(audit("show", id).stderr).toMatch(/^shelpa-mcp: record \d+ was pruned at \S+Z: it is in the archive old\.tar\.gz\n$/);
    expect(line(`undo ${id}`).stderr).toContain(`record ${id} was pruned at`);
    expect(audit("prune", "--before", later(), "--archive", "old.tar.gz").status).toBe(1);
    // `shelpa` itself lists what it holds.
    expect(line("tar tzf old.tar.gz").stdout).toBe(".shelpa/@/journal.jsonl\n.shelpa/f\n");
  });

  needs("tar").test("unpacked, the archive is an audit of its own", {}, () => {
    line("echo ours | tee f");
    const [{ id } = { id: "" }] = records();
    audit("prune", "--before", later(), "--archive", "old.tar.gz");
    mkdirSync(`${place.path}/x`);
    expect(spawnSync("tar", ["-xzf", "old.tar.gz", "-C", "x"], { cwd: place.path }).status).toBe(0);
    expect(audit("show", id, "--content", "--root", "x").stdout).toBe("ours\n");
    expect(audit("verify", "--root", "x").stdout).toContain("0 errors");
  });
});

for (const [argv, message] of [
  [["restre", "x"], "audit: there is no 'restre'; there are log, show, diff, verify, anchor, restore, report, export, prune, serve"],
  [["log", "--fil", "x"], "audit log: unrecognized option '--fil': did you mean '--file'?"],
  [["log", "--since", "soon"], "--since: 'soon' is no time; give 2026-02-25, 2026-02-25T13:17:30Z or an age such as 2h"],
  [["export", "--format", "xlsx"], "audit export: --format takes jsonl or csv, not 'xlsx'"],
  [["prune", "--archive", "x"], "audit prune: give --before: records older than that are pruned"],
  [["prune", "--before", "1h"], "audit prune: give --archive: the file that they go to"],
  [["prune", "--before", "1h", "--archive", ".shelpa/x"], "audit prune: an archive in .shelpa would be taken for a record"],
  [["show"], "missing operand: shelpa-mcp audit show RECORD"],
  [["verify", "x"], "extra operand 'x': shelpa-mcp audit verify"],
  [["verify", "--fail-on", "never"], "audit verify: --fail-on takes warn or error, not 'never'"],
  [
    ["report", "--sections", "writes,x"],
    "audit report: there is no section 'x'; there are writes, approvals, refusals, limits, integrity, config",
  ],
] as const) {
  test(`audit ${argv.join(" ")}`, () => {
    const ended = audit(...argv);
    expect(ended.status).toBe(2);
    expect(ended.stderr.split("\n")[0]).toBe(`shelpa-mcp: ${message}`);
  });
}
