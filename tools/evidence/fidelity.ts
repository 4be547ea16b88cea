/**
 * npm run fidelity [-- SUITE…]: runs every suite of `conformance` and the replay of `agent-commands`, both of the material
 * (material.ts), and writes docs/fidelity.md. A suite's cases count only if the real tool passes them. Named suites are run
 * and printed alone.
 */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installedTools } from "./corpus.ts";
import { materialAt } from "./material.ts";

interface Suite {
  readonly name: string;
  /** Cases that the real tool passes are in the file `baseline.{this}.json`. */
  readonly baseline: string;
  readonly real: string;
  readonly root: "the current directory" | "the directory of the case" | "/";
  /** The name under which the suite's scripts call the tool, where that is another. */
  readonly alias?: readonly [name: string, tool: string];
}

const SUITES: readonly Suite[] = [
  { name: "ripgrep", baseline: "rg152", real: "ripgrep 15.2", root: "the directory of the case" },
  { name: "fd", baseline: "fd105", real: "fd 10.5", root: "the directory of the case" },
  { name: "grep-gnu", baseline: "gnu", real: "GNU grep 3.8", root: "the current directory" },
  { name: "find-gnu", baseline: "gnu", real: "GNU find 4.9", root: "/" },
  { name: "sed-gnu", baseline: "gnu", real: "GNU sed 4.9", root: "the current directory" },
  { name: "awk-gawk", baseline: "gawk", real: "gawk 5.3", root: "the current directory", alias: ["awk", "gawk"] },
  { name: "awk-onetrue", baseline: "gawk", real: "gawk 5.3", root: "the current directory", alias: ["awk", "gawk"] },
  { name: "awk-goawk", baseline: "gawk", real: "gawk 5.3", root: "the current directory", alias: ["awk", "gawk"] },
  { name: "jq-182", baseline: "jq182", real: "jq 1.8.2", root: "the current directory" },
  { name: "busybox", baseline: "gnu", real: "the GNU tools", root: "the current directory" },
  { name: "coreutils-gnu", baseline: "gnu91", real: "coreutils 9.1", root: "the current directory" },
];

const DESIGN = "refused by design";
/** Patterns of our messages that are refusals by design, with the reason for each. */
const BY_DESIGN: readonly (readonly [RegExp, string])[] = [
  [
    /is not typed in the line|data may be part of its text|data never becomes part|start a coprocess/,
    `${DESIGN}: a command that is not typed in the line`,
  ],
  [/written by tee alone|tee alone writes|\| tee|a script writes no files here/, `${DESIGN}: it writes a file`],
  [/start a command|no external program|is not a command here|runs no command/, `${DESIGN}: it starts a command`],
  [/no process is started here|take the place of the shell here/, `${DESIGN}: it asks for a process`],
  [/outside the workspace/, `${DESIGN}: it leaves the workspace`],
  [/only gawk's own language is spoken here/, "refused by design: awk -c and -P make another language of it"],
  [/it is for translators of a program/, "refused by design: awk -g is for translators"],
];

const SERVER_LOCALE = "the case's LC_ALL=C is in the environment of the server, which is not looked at";
const sameReason = (ids: readonly string[], reason: string): Record<string, string> => Object.fromEntries(ids.map((id) => [id, reason]));
/** Reasons of single cases that differ without a message of ours that explains it. */
const KNOWN: Readonly<Record<string, string>> = {
  "gawk/inf-nan-torture": "JavaScript does not keep the sign of a NaN",
  "gawk/rebt8b1": `${SERVER_LOCALE}; \`LC_ALL=C awk …\` is the same as gawk's`,
  ...sameReason(
    ["coreutils/wc/c-m-2byte-1", "coreutils/wc/c-m-3byte-1", "coreutils/wc/c-m-4byte-1"],
    `${SERVER_LOCALE}; \`LC_ALL=C wc -m\` is the same as GNU wc's`,
  ),
  ...sameReason(
    ["coreutils/ls-misc/q-qs-loc", "coreutils/ls-misc/q-qs-cloc", "coreutils/ls-misc/q-qs-loc-q", "coreutils/ls-misc/q-qs-cloc-q"],
    "with LC_ALL=C ls still quotes as in C.UTF-8",
  ),
  "coreutils/tail/f-pipe-1.p": "refused by design: tail -f waits for more",
  "coreutils/sort-merge/nmerge-no": "what sort cannot hold goes to a file without a name, so that -T names no directory that must exist",
};

/** Report of run-cases.py. */
interface Report {
  readonly total: number;
  readonly passed: number;
  readonly by_tool: Readonly<Record<string, string>>;
  readonly failures: readonly Failure[];
}

interface Failure {
  readonly id: string;
  readonly why: string;
  readonly got?: { readonly stdout?: string | object; readonly stderr: string | object };
}

const project = join(dirname(fileURLToPath(import.meta.url)), "..");
const conformance = materialAt(project, "conformance");
const tools = installedTools(project);
const scratch = mkdtempSync(join(tmpdir(), "shelpa-fidelity-"));
try {
  const wanted = process.argv.slice(2);
  const sections: string[] = [];
  const rows: string[] = [];
  for (const suite of SUITES) {
    if (wanted.length > 0 && !wanted.includes(suite.name)) continue;
    const report = await reportOf(suite);
    rows.push(rowOf(suite, report));
    console.log(rows.at(-1));
    if (report.failures.length > 0) sections.push("", `### ${suite.name}`, "", ...missesOf(report));
  }
  if (wanted.length > 0) console.log(sections.join("\n"));
  else writeFileSync(join(project, "docs/fidelity.md"), page(rows, sections, await replayed()));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function page(rows: readonly string[], sections: readonly string[], replay: string): string {
  return `<!-- Written by npm run fidelity. -->
# Fidelity

## The tools' own suites

Cases out of the tools' own and their rivals' test suites, those of them that the real tool passes on the same machine. The
workspace is the directory of the case, or what the last column says.

| suite | cases the real tool passes | of them ours | refused by design | ours of the rest | root |
|---|---|---|---|---|---|
${rows.join("\n")}

## What agents typed

Command lines that coding agents typed, run by bash with the real tools and by us on the same trees: standard output and
exit status.

\`\`\`text
${replay.trim()}
\`\`\`

## What the suites' other cases want

Refused by design is what would run a command, write other than through \`tee\`, or leave the workspace (docs/deviations.md).
${sections.join("\n")}
`;
}

function rowOf({ name, real, root }: Suite, { total, passed, failures }: Report): string {
  const byDesign = failures.filter((failure) => reasonOf(failure).startsWith(DESIGN)).length;
  const share = (of: number): string => `${((100 * passed) / of).toFixed(1)} %`;
  const cells = [name, `${total} (${real})`, `${passed} = ${share(total)}`, byDesign, share(total - byDesign)];
  return `| ${cells.join(" | ")} | ${root === "the current directory" ? "" : root} |`;
}

/** The failures by reason, the most frequent first. */
function missesOf({ failures }: Report): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const failure of failures) {
    const reason = reasonOf(failure);
    byReason.set(reason, [...(byReason.get(reason) ?? []), failure.id]);
  }
  const sorted = [...byReason].sort((a, b) => b[1].length - a[1].length);
  return sorted.map(([reason, ids]) => `- ${reason} (${ids.length}): ${ids.map((id) => `\`${id}\``).join(" ")}`);
}

/** Reason why ours differs, as far as its message gives one. */
function reasonOf({ id, why, got }: Failure): string {
  // Some cases send both into one.
  const said = [got?.stderr, got?.stdout].filter((text) => typeof text === "string").join("\n");
  const design = BY_DESIGN.find(([pattern]) => pattern.test(said));
  return design?.[1] ?? KNOWN[id] ?? `differs in ${why.replace(/, file .*/, "").replace(/[`|]/g, "'")}`;
}

async function reportOf({ name, baseline, root, alias }: Suite): Promise<Report> {
  const starter = join(scratch, `${name}.sh`);
  writeFileSync(starter, starterOf(root));
  chmodSync(starter, 0o755);
  const answer = join(scratch, `${name}.json`);
  const words = [
    ...["run-cases.py", `${name}/cases.jsonl`, "--cmd", `${starter} {tool}`, "--baseline", `${name}/baseline.${baseline}.json`],
    ...["-j", "2", "--timeout", "30", "--details", "--json", answer, "--scratch", join(scratch, "cases")],
    ...(alias === undefined ? [] : ["--map", `${alias[0]}=${starter} ${alias[1]}`]),
  ];
  await new Promise<void>((ended, failed) => {
    const env = { ...process.env, PATH: `${tools}:${process.env["PATH"] ?? ""}` };
    const run = spawn("python3", words, { cwd: conformance, env, stdio: ["ignore", "ignore", "inherit"] });
    run.on("close", (code) => (code === 0 ? ended() : failed(new Error(`run-cases.py ended with ${code}`))));
  });
  return JSON.parse(readFileSync(answer, "utf8")) as Report;
}

/** A script that runs a tool of ours with `root` as the workspace. Absolute names only: the runner puts the tools' names on PATH. */
function starterOf(root: Suite["root"]): string {
  const run = `exec /usr/bin/env -u NODE_OPTIONS ${process.execPath} ${join(project, "dist/shelpa.js")}`;
  const head = "#!/bin/bash\n";
  if (root === "/") return `${head}${run} --root / --cwd "\${PWD#/}" "$@"\n`;
  if (root === "the current directory") return `${head}${run} "$@"\n`;
  return `${head}root=\${PWD%%/w/*}; case $PWD in */w/*) root=$root/w; rel=\${PWD#"$root"/};; *) root=$PWD; rel=.;; esac
${run} --root "$root" --cwd "$rel" "$@"\n`;
}

/** The first lines of what the replay prints. */
async function replayed(): Promise<string> {
  const printed = execFileSync(process.execPath, [join(project, "dist/dev-replay.js")], { encoding: "utf8", maxBuffer: 1 << 26 });
  return printed.split("\nwhy refused")[0] ?? "";
}
