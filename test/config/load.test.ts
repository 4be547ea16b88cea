/** Sources of a policy, their precedence, and the errors that stop the start. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadPolicy, type PolicySources } from "../../src/config/load.ts";
import { ConfigurationError } from "../../src/config/configuration-error.ts";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import { policyWarnings } from "../../src/config/policy-warnings.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
beforeEach(() => {
  place = tree(["root/", "config/shelpa/"]);
});
afterEach(() => place.remove());

interface Given {
  readonly file?: string;
  readonly inRoot?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly flags?: PolicySources["flags"];
}

async function load({ file, inRoot, environment = {}, flags = {} }: Given): Promise<Policy> {
  if (file !== undefined) writeFileSync(`${place.path}/config/shelpa/config.toml`, file);
  if (inRoot !== undefined) writeFileSync(`${place.path}/root/.shelpa.toml`, inRoot);
  const XDG_CONFIG_HOME = `${place.path}/config`;
  return (await loadPolicy({ root: `${place.path}/root`, environment: { XDG_CONFIG_HOME, ...environment }, flags })).policy;
}

async function complaint(given: Given): Promise<string> {
  try {
    await load(given);
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) return thrown.message.replaceAll(place.path, "");
    throw thrown;
  }
  throw new Error("it was accepted");
}

describe("mounts", () => {
  test("of the file and of the flags", async () => {
    const docs = `${place.path}/config`;
    const flag = { name: "/more", directory: docs, access: "read", own: [], denyRead: [] } as const;
    const file = `also_read = ["${docs}"]\n[mounts]\n"/docs" = "${docs}"\n"/data" = "${docs}:rw"`;
    const { mounts } = await load({ file, flags: { mounts: [flag] } });
    expect(mounts.map(({ name, directory, access }) => [name, directory, access])).toEqual([
      ["/docs", docs, "read"],
      ["/data", docs, "write"],
      [docs, docs, "read"],
      ["/more", docs, "read"],
    ]);
    // The configuration itself lies in the mount.
    expect(mounts[1]?.own).toContain("shelpa/config.toml");
  });
  test.each<[string, Given, RegExp]>([
    ["a relative directory", { file: '[mounts]\n"/docs" = "docs"' }, /'docs' is no absolute path/],
    ["a directory that is not there", { file: 'also_read = ["/nowhere-at-all"]' }, /No such file or directory/],
    ["a name in a session's /tmp", { file: '[mounts]\n"/tmp/x" = "/usr"' }, /a path there would be one of a session's own \/tmp/],
    ["a name that is none", { file: '[mounts]\ndocs = "/usr"' }, /is none/],
    ["a file inside the root", { inRoot: 'also_read = ["/usr"]' }, /'also_read' would loosen the policy/],
    ["a file inside the root, by name", { inRoot: '[mounts]\n"/usr2" = "/usr"' }, /'mounts' would loosen the policy/],
  ])("not %s", async (_, given, expected) => expect(await complaint(given)).toMatch(expected));
});

describe("what wins", () => {
  test("nothing configured", async () => expect(await load({})).toEqual(DEFAULT_POLICY));
  test("the file over the defaults", async () => {
    const policy = await load({
      file: `
        [limits]
        time_seconds = 5
        memory = "256 MiB"
        held = 1000
        [commands]
        deny = ["xargs"]
        [paths]
        deny_read = ["secrets/"]
        [pipelines]
        errors = "tail -n \${n} \${file} | rg ERROR"
        [pipelines.top]
        command = "head -n \${n} \${file}"
        description = "the first lines"
        arguments = { n = "how many" }
      `,
    });
    expect(policy.limits).toMatchObject({ timeMs: 5000, residentBytes: 256 * 2 ** 20, heldBytes: 1000, concurrentCalls: 4 });
    expect(policy.commands).toEqual({ only: undefined, deny: ["xargs"] });
    expect(policy.paths.denyRead).toEqual(["secrets/"]);
    expect(policy.pipelines).toEqual({
      errors: { command: "tail -n ${n} ${file} | rg ERROR", description: "", arguments: { n: "", file: "" } },
      top: { command: "head -n ${n} ${file}", description: "the first lines", arguments: { n: "how many", file: "" } },
    });
  });
  test("approvals by severity: a boolean, or an action for each", async () => {
    const severity = async (given: Given) => (await load(given)).approval.severity;
    expect(await severity({ file: "[approval]\nauto_deny_severity = 'High'\nrequire_human_approval = true" })).toEqual({
      autoDeny: "High",
      actions: { Info: "ask", Low: "ask", Medium: "ask", High: "ask", Critical: "ask" },
    });
    expect(await severity({ file: "[approval]\nrequire_human_approval = { Medium = 'ask', High = 'deny' }" })).toEqual({
      autoDeny: undefined,
      actions: { Info: "allow", Low: "allow", Medium: "ask", High: "deny", Critical: "allow" },
    });
    const inRoot = "[approval]\nauto_deny_severity = 'Medium'\nrequire_human_approval = { Low = 'ask' }";
    expect(await severity({ file: "[approval]\nauto_deny_severity = 'High'", inRoot })).toEqual({
      autoDeny: "Medium",
      actions: { Info: "allow", Low: "ask", Medium: "allow", High: "allow", Critical: "allow" },
    });
  });
  test("a file named by --config, or by the environment, and no other", async () => {
    writeFileSync(`${place.path}/other.toml`, "strict = true");
    const file = "read_only = true";
    expect(await load({ file, environment: { SHELPA_CONFIG: `${place.path}/other.toml` } })).toMatchObject({
      strict: true,
      readOnly: false,
    });
    expect(await load({ file })).toMatchObject({ strict: false, readOnly: true });
  });
  test("the environment over the file, a flag over both", async () => {
    expect((await load({ file: "profile = 'strict'", environment: { SHELPA_PROFILE: "standard" } })).strict).toBe(false);
    expect(await load({ file: "profile = 'strict'", flags: { profile: "read-only" } })).toMatchObject({ readOnly: true, strict: false });
    expect((await load({ environment: { SHELPA_TIME_SECONDS: "2.5" } })).limits.timeMs).toBe(2500);
    expect((await load({ environment: { SHELPA_READ_ONLY: "0" }, flags: { readOnly: true } })).readOnly).toBe(true);
  });
  test("the file over its profile", async () => {
    expect(await load({ file: "profile = 'strict'\n[redaction]\nlevel = 'basic'" })).toMatchObject({
      strict: true,
      redaction: { level: "basic" },
    });
  });
  test("a file inside the root makes it tighter", async () => {
    const policy = await load({
      file: "[paths]\ndeny_read = ['a/']\n[commands]\ndeny = ['xargs']",
      inRoot: "read_only = true\n[paths]\ndeny_read = ['b/']\n[commands]\ndeny = ['find']\n[limits]\ntime_seconds = 1",
    });
    expect(policy).toMatchObject({
      readOnly: true,
      paths: { denyRead: ["a/", "b/"] },
      commands: { deny: ["xargs", "find"] },
      limits: { timeMs: 1000 },
    });
  });
});

test.each(["AKIA[0-9A-Z]{16}", "ACME[A-Z0-9]{20}", "\\bACME[A-Z0-9]{20,}", "(?i)(api|access)[_-]?key.{0,20}[0-9a-z]{32}"])(
  "the format of a credential can be looked for: %s",
  async (regex) => {
    const { redaction } = await load({ file: `[[redaction.patterns]]\nname = 'x'\nregex = '${regex}'` });
    expect(redaction.patterns).toEqual([{ name: "x", regex }]);
  },
);

describe("what stops the start", () => {
  test.each<[string, Given, string]>([
    ["no TOML", { file: "a = " }, "/config/shelpa/config.toml:1:5: Invalid TOML document: invalid value"],
    [
      "a pipeline __proto__",
      { file: '[pipelines.__proto__]\ncommand = "ls"' },
      "/config/shelpa/config.toml: unknown key 'pipelines.__proto__': nothing can have that name",
    ],
    [
      "a mount __proto__",
      { file: '[mounts]\n"__proto__" = "/"' },
      "/config/shelpa/config.toml: unknown key 'mounts.__proto__': nothing can have that name",
    ],
    ["an unknown key", { file: "[limit]\ntime_seconds = 1" }, "/config/shelpa/config.toml: unknown key 'limit': did you mean 'limits'?"],
    [
      "a misspelt key in a table",
      { file: "[paths]\ndeny_reads = []" },
      "/config/shelpa/config.toml: unknown key 'paths.deny_reads': did you mean 'deny_read'?",
    ],
    [
      "a wrong type",
      { file: "read_only = 'yes'" },
      "/config/shelpa/config.toml: read_only: Invalid input: expected boolean, received string",
    ],
    [
      "no size",
      { file: "[limits]\nmemory = '1 gigabyte'" },
      "/config/shelpa/config.toml: limits.memory: '1 gigabyte' is no size; give bytes, or an amount with B, KiB, MiB, GiB, kB, MB, GB",
    ],
    [
      "no regular expression",
      { file: "[[redaction.patterns]]\nname = 'x'\nregex = '('" },
      "/config/shelpa/config.toml: redaction.patterns.0.regex: this pattern cannot be used: error: unclosed group",
    ],
    [
      "a pattern that only backtracking can hold",
      { file: "[[redaction.patterns]]\nname = 'x'\nregex = '(?<=a)b'" },
      "/config/shelpa/config.toml: redaction.patterns.0.regex: this pattern cannot be used: error: look-around, including look-ahead and look-behind, is not supported",
    ],
    [
      "a pattern whose states are too many",
      { file: "[[redaction.patterns]]\nname = 'x'\nregex = '(a|b)*a(a|b){20}'" },
      "/config/shelpa/config.toml: redaction.patterns.0.regex: this pattern cannot be used: its states are too many; begin it with what stands nowhere else in it (such as \\b), or make its repetitions shorter",
    ],
    [
      "a pattern of nothing",
      { file: "[[redaction.patterns]]\nname = 'x'\nregex = 'a*'" },
      "/config/shelpa/config.toml: redaction.patterns.0.regex: this pattern cannot be used: it matches where there is nothing",
    ],
    [
      "more patterns than are read with every answer",
      { file: "[[redaction.patterns]]\nname = 'x'\nregex = 'a'\n".repeat(33) },
      "/config/shelpa/config.toml: redaction.patterns: Too big: expected array to have <=32 items",
    ],
    [
      "a pipeline that calls another",
      { file: "[pipelines]\nx = '@y | wc -l'\ny = 'ls'" },
      "/config/shelpa/config.toml: pipelines.x: it calls @y, and a named pipeline calls no other",
    ],
    [
      "a value that would be plain text",
      { file: "[pipelines]\nx = \"awk '$1 > ${n}'\"" },
      "/config/shelpa/config.toml: pipelines.x: ${n} stands where it is plain text (in single quotes, or after a backslash)",
    ],
    [
      "a name that is taken",
      { file: "[pipelines]\nout = 'ls'" },
      "/config/shelpa/config.toml: pipelines.out: @out is the output of an earlier call",
    ],
    [
      "an argument that the pipeline has not",
      { file: "[pipelines.x]\ncommand = 'ls'\narguments = { n = '' }" },
      "/config/shelpa/config.toml: pipelines.x: its command has no ${n}",
    ],
    [
      "no such severity",
      { file: "[approval]\nauto_deny_severity = 'high'" },
      '/config/shelpa/config.toml: approval.auto_deny_severity: Invalid option: expected one of "Info"|"Low"|"Medium"|"High"|"Critical"',
    ],
    ["no such profile", { environment: { SHELPA_PROFILE: "lax" } }, "there is no profile 'lax'; there are read-only, standard, strict"],
    ["no truth", { environment: { SHELPA_STRICT: "maybe" } }, "SHELPA_STRICT: 'maybe' is neither true nor false"],
    ["no time", { environment: { SHELPA_TIME_SECONDS: "-1" } }, "SHELPA_TIME_SECONDS: '-1' is no number of seconds"],
    [
      "a file that is not there",
      { environment: { SHELPA_CONFIG: "/nonexistent/x.toml" } },
      "/nonexistent/x.toml: No such file or directory",
    ],
  ])("%s", async (_, given, message) => expect(await complaint(given)).toBe(message));

  const LOOSER: readonly [string, string, string?][] = [
    ["profile", "profile = 'standard'"],
    ["pipelines", "[pipelines]\nx = 'ls'"],
    ["audit", "[audit]\ncalls = 'none'"],
    ["read_only", "read_only = false", "read_only = true"],
    ["strict", "strict = false", "strict = true"],
    ["limits.time_seconds", "[limits]\ntime_seconds = 31"],
    ["limits.memory", "[limits]\nmemory = '100 GiB'"],
    ["commands.only: find", "[commands]\nonly = ['ls', 'find']", "[commands]\nonly = ['ls']"],
    ["paths.deny_read: !a", "[paths]\ndeny_read = ['!a']"],
    ["approval.pre_approved", "[approval]\npre_approved = ['.envrc']"],
    ["approval.protected_paths", "[approval]\nprotected_paths = 'ask'", "[approval]\nprotected_paths = 'deny'"],
    ["approval.oversize", "[approval]\noversize = '2 MiB'"],
    ["approval.confirm_oversize", "[approval]\nconfirm_oversize = 'agent'", "[approval]\nconfirm_oversize = 'human'"],
    ["approval.auto_deny_severity", "[approval]\nauto_deny_severity = 'High'", "[approval]\nauto_deny_severity = 'Medium'"],
    ["approval.require_human_approval: Info", "[approval]\nrequire_human_approval = false", "[approval]\nrequire_human_approval = true"],
    [
      "approval.require_human_approval: High",
      "[approval]\nrequire_human_approval = { High = 'ask' }",
      "[approval]\nrequire_human_approval = { High = 'deny' }",
    ],
    ["redaction.level", "[redaction]\nlevel = 'off'"],
  ];
  test.each(LOOSER)("a file inside the root that loosens %s", async (key, inRoot, file) => {
    expect(await complaint({ inRoot, ...(file === undefined ? {} : { file }) })).toBe(
      `/root/.shelpa.toml: '${key}' would loosen the policy, and a file inside the root can only tighten it`,
    );
  });
});

test.each(["(a+)+$", "x", "("])("a file inside the root gives the server no pattern: %s", async (regex) => {
  expect(await complaint({ inRoot: `[[redaction.patterns]]\nname = 't'\nregex = '${regex}'\n` })).toBe(
    "/root/.shelpa.toml: 'redaction.patterns' is not taken from a file inside the root; the server's own configuration may have them",
  );
});

describe("a file inside the root that is none of the tree's own", () => {
  test.each([
    ["a link that leads out", "../outside.toml", "Symbolic link leaves the workspace"],
    ["a link to a device without end", "/dev/zero", "Symbolic link leaves the workspace"],
    ["a link to itself", ".shelpa.toml", "Too many levels of symbolic links"],
    ["a directory", undefined, "Is a directory"],
  ])("%s stops the start, and nothing of it is read", async (_, target, words) => {
    writeFileSync(`${place.path}/outside.toml`, "[secret_outside]\n");
    if (target === undefined) mkdirSync(`${place.path}/root/.shelpa.toml`);
    else symlinkSync(target, `${place.path}/root/.shelpa.toml`);
    expect(await complaint({})).toBe(`/root/.shelpa.toml: ${words}`);
  });
  test("a link to a file of the tree is that file", async () => {
    writeFileSync(`${place.path}/root/policy.toml`, "read_only = true\n");
    symlinkSync("policy.toml", `${place.path}/root/.shelpa.toml`);
    expect((await load({})).readOnly).toBe(true);
  });
});

test("likely mistakes are warned of", async () => {
  expect(policyWarnings(DEFAULT_POLICY)).toEqual([]);
  const policy = await load({ file: "[redaction]\nlevel = 'off'\n[approval]\npre_approved = ['*']\n[paths]\ndeny_read = ['./x']" });
  expect(policyWarnings(policy)).toHaveLength(3);
});
