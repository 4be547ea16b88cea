/** A `.shelpa.toml` of somebody else, and files that other programs and agents obey. */
import type { HostileTree } from "./hostile-tree.ts";

const policy = (id: string, note: string, toml: string, more: Partial<HostileTree> = {}): HostileTree => ({
  id: `policy-${id}`,
  note,
  make: (place) => {
    place.file(".shelpa.toml", toml);
    place.file("a.txt", `${"a".repeat(40)}!\n`);
  },
  ...more,
});
const refused = { starts: false } as const;
const many = (count: number, row: (at: number) => string): string => Array.from({ length: count }, (_, at) => row(at)).join("\n");
const SECRET = "DENIED_BY_THE_TREE_77";

export const POLICIES: readonly HostileTree[] = [
  policy("regex", "a pattern that takes for ever", '[[redaction.patterns]]\nname = "t"\nregex = "(a+)+$"\n', refused),
  policy(
    "regexes",
    "3,000 harmless patterns",
    many(3000, (at) => `[[redaction.patterns]]\nname = "p${at}"\nregex = "x${at}y"\n`),
    refused,
  ),
  policy(
    "regex-long",
    "a pattern of 500,000 characters",
    `[[redaction.patterns]]\nname = "t"\nregex = "${"(a|b)".repeat(100_000)}"\n`,
    refused,
  ),
  policy("loosens", "a policy that would loosen ours", '[approval]\npre_approved = ["*"]\n', refused),
  policy("loosens-redaction", "redaction switched off", '[redaction]\nlevel = "off"\n', refused),
  policy("pipelines", "a pipeline of the repository's own", '[pipelines]\nls = "cat .envrc"\n', refused),
  policy("invalid", "no TOML", "= = =\n", refused),
  policy("unknown-key", "a key that speaks to the terminal", '"\\u001b]0;x\\u0007\\n[shelpa] ok" = 1\n', refused),
  policy("long-key", "a key of 500,000 characters", `"${"k".repeat(500_000)}" = 1\n`, refused),
  policy("deep", "TOML 100,000 levels deep", `a = ${"[".repeat(100_000)}${"]".repeat(100_000)}\n`, refused),
  policy("deep-tables", "a table of 20,000 names", `[${many(20_000, () => "a").replaceAll("\n", ".")}]\n`, refused),
  policy("huge", "two MiB of comments", `# ${"x".repeat(2 << 20)}\n`, refused),
  policy("prototype", "keys that every object has", "__proto__ = 1\n[constructor]\nprototype = 1\n", refused),
  policy("nul", "NULs and bytes that are no text", "a = \u0000\n\udcff\n", refused),
  policy("tightens", "a policy that only tightens", "read_only = true\n[limits]\ntime_seconds = 1\n", { writes: "refused" }),
  policy("denies-all", "no command may run", '[commands]\nonly = ["nothing"]\n', { writes: "refused" }),
  policy(
    "stars",
    "10,000 rules of stars",
    `[paths]\ndeny_read = [${many(10_000, (at) => `"*a*a*a*a*a*a*a*a*${at}",`)}]\ndeny_write = ["**/**/**/**/**/**/**/x"]\n`,
    { writes: "either" },
  ),
  {
    id: "policy-denied-blob",
    note: "a file that may not be read, and that git has",
    make: (place) => {
      place.repository({ "my.pem": `${SECRET}\n` });
      place.file("my.pem", `${SECRET}\n`);
      place.file(".shelpa.toml", '[paths]\ndeny_read = ["*.pem"]\n');
    },
    secrets: [SECRET],
    lines: ["git show HEAD:my.pem", "git log -p", "git grep DENIED HEAD", "git cat-file -p HEAD:my.pem", "git diff HEAD"],
  },
  {
    id: "policy-denied-mirror",
    note: "a file that may not be read, and its mirror",
    make: (place) => {
      place.file("@/k.txt", `${SECRET}\n`);
      place.file(".shelpa/@@/k.txt", `${SECRET}\n`);
      place.file(".shelpa.toml", '[paths]\ndeny_read = ["/@/", "k.txt"]\n');
    },
    secrets: [SECRET],
    lines: ["cat .shelpa/@@/k.txt", "cat @/k.txt"],
  },
  { id: "policy-fifo", note: "the policy is a FIFO", starts: false, make: (place) => place.fifo(".shelpa.toml") },
  { id: "policy-directory", note: "the policy is a directory", starts: false, make: (place) => place.directory(".shelpa.toml") },
  { id: "policy-sparse", note: "a policy of 5 GiB of holes", starts: false, make: (place) => place.sparse(".shelpa.toml", 5 * 2 ** 30) },
  {
    id: "policy-of-owner",
    note: "the owner's own configuration lies in the tree",
    make: (place) => place.file("cfg.toml", '[paths]\ndeny_read = ["secret"]\n'),
    serverArguments: ["--config", "ROOT/cfg.toml"],
    guarded: ["cfg.toml"],
  },
  {
    id: "policy-obeyed-files",
    note: "files that programs run or agents obey",
    make: () => undefined,
    guarded: [
      ".mcp.json",
      ".envrc",
      ".vscode/tasks.json",
      ".github/workflows/x.yml",
      ".husky/pre-commit",
      "x.code-workspace",
      "mise.toml",
      ".gitea/workflows/x.yml",
      ".drone.yaml",
      "lefthook.yaml",
      ".kilocode/mcp.json",
      ".githooks/pre-commit",
      "AGENTS.md",
      "CLAUDE.md",
      "GEMINI.md",
      ".cursorrules",
      ".github/copilot-instructions.md",
    ],
  },
];
