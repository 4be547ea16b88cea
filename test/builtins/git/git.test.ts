/** git without git: rows that need none, and repositories that try to lead outside or to run something. */
import { deflateSync } from "node:zlib";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { git } from "../../../builtins/git/git.ts";
import { parseGit } from "../../../builtins/git/commands/command-line.ts";
import { COMMANDS, NEAREST, REFUSED } from "../../../builtins/git/commands/commands.ts";
import { cases, runOurs } from "../../cases.ts";
import { tree } from "../../tree.ts";

/** Files that make a directory a repository: no commit yet. */
const EMPTY = { ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/info/packs": "\n", ".git/refs/heads/.keep.lock": "" };
const NONE = "fatal: not a git repository (or any of the parent directories): .git\n";

/** Only what is told of the setting; the line itself may have nothing to print. */
const told = (setting: string, line: string): { name: string; command: string; files: Readonly<Record<string, string>> } => {
  const [section, key] = [setting.slice(0, setting.indexOf(".")), setting.slice(setting.indexOf(".") + 1)];
  return {
    name: `${setting}: git ${line}`,
    command: `git ${line} 2>&1 >/dev/null | grep '^warning:' >&2; true`,
    files: { ...EMPTY, ".git/config": `[${section}]\n\t${key}\n` },
  };
};

cases(git, [
  ...["color.ui=always", "Status.SubmoduleSummary=true", "diff.x.textconv=cat", "log.showRoot=false", "nokey", "trailer.a.key=b"].map(
    (setting) => ({
      name: `a typed setting that is not done is refused: ${setting}`,
      command: `git -c ${setting} log`,
      files: EMPTY,
      refused: "DISALLOWED_FLAG" as const,
    }),
  ),
  {
    name: "a setting of the repository's own that is not done is told of",
    command: "git status | tail -n 1; git status -s",
    files: { ...EMPTY, ".git/config": "[status]\n\tsubmoduleSummary = true\n[log]\n\tshowSignature = true\n", "new.txt": "" },
    stdout: 'nothing added to commit but untracked files present (use "git add" to track)\n?? new.txt\n',
    stderr:
      "warning: status.submodulesummary is set in the repository, and is not obeyed here: git submodule status shows the submodules\n",
    differs: "git would show that summary",
  },
  ...(
    [
      ["column.ui = always", "status -s"],
      ["column.ui = always", "status --porcelain"],
      ["notes.displayRef = refs/notes/x", "reflog"],
      ["notes.displayRef = refs/notes/x", "log --oneline"],
      ["notes.displayRef = refs/notes/x", "stash list"],
      ["diff.orderFile = x", "log"],
      ["diff.orderFile = x", "reflog --format=%h"],
      ["diff.suppressBlankEmpty = true", "diff --stat"],
      ["log.showRoot = false", "log"],
      ["log.follow = true", "log --follow -- a"],
      ["log.initialDecorationSet = all", "log"],
      ["log.showSignature = true", "diff"],
      ["color.ui = auto", "log"],
      ["color.ui = always", "log --no-color"],
      ["color.ui = always", "status --porcelain"],
      ["color.ui = always", "branch --show-current"],
      ["color.ui = always", "rev-list --all"],
      ["color.branch = always", "status"],
      ["i18n.logOutputEncoding = utf-8", "log"],
    ] as const
  ).map(([setting, line]) => ({ ...told(setting, line), stderr: "" })),
  ...(
    [
      ["column.ui = always", "status", "git status has one name a line here, and it may be meant"],
      ["notes.displayRef = refs/notes/x", "log -3", "--notes names other notes"],
      ["diff.orderFile = x", "log --stat", "files are in the order of their names"],
      ["diff.suppressBlankEmpty = true", "diff", "empty context lines have their space"],
      ["diff.suppressBlankEmpty = true", "log -p", "empty context lines have their space"],
      ["log.showRoot = false", "log -p", "the first commit is shown with its diff"],
      ["log.initialDecorationSet = all", "log --format=%d", "--decorate-refs says which names are shown"],
      ["color.ui = always", "log", "output has no colours here"],
      ["color.ui = always", "diff", "output has no colours here"],
      ["color.ui = always", "status", "output has no colours here"],
      ["color.branch = always", "branch", "output has no colours here"],
    ] as const
  ).map(([setting, line, reason]) => ({
    ...told(setting, line),
    stderr: `warning: ${setting.split(" ")[0]?.toLowerCase()} is set in the repository, and is not obeyed here: ${reason}\n`,
    differs: "git would obey it",
  })),
  {
    name: "settings of the repository's own that are done",
    command: "git status",
    files: { ...EMPTY, ".git/config": "[status]\n\tshort = true\n\tbranch = true\n", "new.txt": "" },
    stdout: "## No commits yet on main\n?? new.txt\n",
  },
  ...(
    [
      ["git lg", "log --oneline -3 --format='%h %s'", "try: git log --oneline -3 '--format=%h %s'\n"],
      ["git lg a 'b c'", "log --oneline", "try: git log --oneline a 'b c'\n"],
      ["git -c color.ui=auto lg", "log --oneline", "try: git -c color.ui=auto log --oneline\n"],
      ["git lg", "!ls", ""],
      ["git lg", "commit -v", ""],
      ["git lg", "lg2 -v", ""],
    ] as const
  ).map(([command, alias, line]) => ({
    name: "an alias is shown with the line that it stands for",
    command,
    files: { ...EMPTY, ".git/config": `[alias]\n\tlg = "${alias}"\n` },
    stderr: `git: lg is an alias of this repository, and aliases are not run here: ${alias}\n${line}`,
    exit: 1,
    differs: "git would run it",
  })),
  {
    name: "a short word that is neither a command nor an alias",
    command: "git lg",
    files: EMPTY,
    stderr: "git: 'lg' is not a git command. See 'git --help'.\n",
    exit: 1,
    differs: "git names the commands that are most like it",
  },
  { name: "a long one is a mistyped command", command: "git stauts", files: EMPTY, refused: "BAD_VALUE" },
  { name: "a file of settings, in no repository", command: "git config -f m -l", files: { m: '[a "B"]\n\tC = d\n' }, stdout: "a.B.c=d\n" },
  {
    name: "the settings of a file are those of no other",
    command: "git -c a.b=2 config --file ./x/m --show-origin --show-scope --get-regexp a; git config --file=x/m a.b",
    files: { ...EMPTY, ".git/config": "[a]\n\tb = 1\n", "x/m": "[a]\n\tb = 3\n" },
    stdout: "command\tfile:./x/m\ta.b 3\n3\n",
  },
  {
    name: "a file of settings that is not there",
    command: "git config -f m a.b; git config -f m -l",
    files: EMPTY,
    stderr: "fatal: unable to read config file 'm': No such file or directory\n",
    exit: 128,
  },
  {
    name: "a bad line in a file of settings",
    command: "git config -f m -l",
    files: { ...EMPTY, m: "[a]\nb = 1\n=\n" },
    stderr: "fatal: bad config line 3 in file m\n",
    exit: 128,
  },
  { name: "no repository", command: "git status", stderr: NONE, exit: 128 },
  { name: "stripspace needs no repository", command: "git stripspace", stdin: "a \n\n\nb", stdout: "a\n\nb\n" },
  { name: "column needs no repository", command: "git column --mode=plain", stdin: "a\nb\n", stdout: "a\nb\n" },
  { name: "patch-id needs no repository", command: "git patch-id" },
  {
    name: "interpret-trailers needs no repository",
    command: "git interpret-trailers --parse",
    stdin: "subject\n\nTicket: 1\n",
    stdout: "Ticket: 1\n",
  },
  { name: "git alone ends as git does", command: "git | wc -l | tr -d '0-9'; set -o pipefail; git >/dev/null", stdout: "\n", exit: 1 },
  {
    name: "no commit yet",
    command: "git log",
    files: EMPTY,
    stderr: "fatal: your current branch 'main' does not have any commits yet\n",
    exit: 128,
  },
  {
    name: "GIT_DIR and GIT_WORK_TREE say where the repository is",
    command: "GIT_DIR=x/.git git branch --show-current; export GIT_DIR=x/.git GIT_WORK_TREE=x; git status -s",
    files: {
      ...EMPTY,
      ...Object.fromEntries(Object.entries(EMPTY).map(([name, text]) => [`x/${name}`, text.replace("main", "other")])),
      "x/new": "",
    },
    stdout: "other\n?? new\n",
  },
  {
    name: "a variable that is not read ends the command",
    command: "GIT_INDEX_FILE=x git status",
    files: EMPTY,
    stderr: "fatal: GIT_INDEX_FILE is set, which is not read here\n",
    exit: 128,
    differs: "git would read that index",
  },
  ...["GIT_TRACE=1", "GIT_CONFIG_GLOBAL=/x"].map((setting) => ({
    name: `a variable that git would obey ends the command: ${setting}`,
    command: `${setting} git status -s`,
    files: EMPTY,
    stderr: `fatal: ${setting.replace(/=.*/, "")} is set, which is not read here\n`,
    exit: 128,
    differs: "git would trace, or read another file",
  })),
  { name: "variables with which git does the same", command: "GIT_TRACE=0 GIT_CONFIG_GLOBAL=/dev/null git status -s", files: EMPTY },
  {
    name: "another working tree in the configuration is not passed over",
    command: "git status -s",
    files: { ...EMPTY, ".git/config": "[core]\n\tworktree = ../sub\n", "sub/a": "" },
    stderr: "fatal: core.worktree is ../sub: another working tree than that of --work-tree is not looked for\n",
    exit: 128,
    differs: "git would show that one",
  },
  ...["index", "HEAD", "config"].map((name) => ({
    name: `a FIFO in the place of a repository's file is not an absent one: ${name}`,
    command: "git status -s",
    tree: [...Object.entries(EMPTY).flatMap(([path, text]) => (path === `.git/${name}` ? [] : [`${path}: ${text}`])), `.git/${name}|`],
    stderr: `fatal: .git/${name}: not a regular file\n`,
    exit: 128,
    differs: "git would wait for somebody to write into it",
  })),
  {
    name: "the working tree itself in the configuration",
    command: "git status -s",
    files: { ...EMPTY, ".git/config": "[core]\n\tworktree = ..\n", a: "" },
    stdout: "?? a\n",
  },
  {
    name: "an unknown revision",
    command: "git show nope",
    files: EMPTY,
    exit: 128,
    stderr:
      "fatal: ambiguous argument 'nope': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'\n",
  },
  {
    name: "untracked files, without what is ignored",
    command: "git status --porcelain",
    files: { ...EMPTY, ".gitignore": "*.log\n", "a.log": "", "d/b": "" },
    stdout: "?? .gitignore\n?? d/\n",
  },
  { name: "a name that needs quotes", command: "git status -s", files: { ...EMPTY, "ü x": "" }, stdout: '?? "\\303\\274 x"\n' },
  {
    name: "a setting of the repository",
    command: "git config --get a.B",
    files: { ...EMPTY, ".git/config": '[a]\n\tb = "x ; y" # z\n' },
    stdout: "x ; y\n",
  },
  { name: "writing is refused", command: "git commit -m x", files: EMPTY, refused: "DISALLOWED_FLAG" },
  { name: "the network is refused", command: "git push", files: EMPTY, refused: "DISALLOWED_FLAG" },
  { name: "an external diff is refused", command: "git diff --ext-diff", files: EMPTY, refused: "DISALLOWED_FLAG" },
  { name: "an output file is refused", command: "git log --output=x", files: EMPTY, refused: "DISALLOWED_FLAG" },
  { name: "a command that is not done here is refused by name", command: "git help", files: EMPTY, refused: "DISALLOWED_FLAG" },
  { name: "a value that is not done here is refused", command: "git diff --color=always", files: EMPTY, refused: "DISALLOWED_FLAG" },
  { name: "making a branch is refused", command: "git branch x", files: EMPTY, refused: "DISALLOWED_FLAG" },
  { name: "dropping a stash is refused", command: "git stash drop", files: EMPTY, refused: "DISALLOWED_FLAG" },
  { name: "setting a reference is refused", command: "git symbolic-ref HEAD refs/heads/x", files: EMPTY, refused: "DISALLOWED_FLAG" },
  { name: "adding a worktree is refused", command: "git worktree add ../x", files: EMPTY, refused: "DISALLOWED_FLAG" },
  { name: "an unknown option", command: "git status --foo", files: EMPTY, refused: "UNKNOWN_FLAG" },
  { name: "a shortened flag of history in shortlog", command: "git shortlog -s --no-merge HEAD", files: EMPTY, refused: "UNKNOWN_FLAG" },
  { name: "an output that is not UTF-8", command: "git -c i18n.commitEncoding=ISO-8859-1 log", files: EMPTY, refused: "DISALLOWED_FLAG" },
  { name: "an option may be shortened", command: "git branch --show-cur", files: EMPTY, stdout: "main\n" },
  { name: "blame has no scores", command: "git blame --score-debug a", files: EMPTY, refused: "DISALLOWED_FLAG" },
]);

describe("what is refused says what works", () => {
  const suggestions = new Set([
    ...[...REFUSED.values()].map(([, suggestion]) => suggestion),
    ...NEAREST.values(),
    ...[...COMMANDS.values()].flatMap(({ flags }) =>
      Object.values(flags).flatMap((flag) => (flag.kind === "refused" ? [flag.instead] : [])),
    ),
  ]);
  for (const suggestion of suggestions) {
    const words = (/^git ([^|]*)/.exec(suggestion)?.[1] ?? "").trim().split(/ +/);
    test(suggestion, () => {
      if (suggestion.startsWith("git ")) expect(() => parseGit(words.map((word) => word.replace(/^'(.*)'$/, "$1")))).not.toThrow();
      else expect(suggestion).toMatch(/^(rg|cat|find|diff|patch) /);
    });
  }
});

const HEX = "0123456789".repeat(4);

/** Files of `.git` as bytes, besides those of an empty repository. */
function repository(files: Readonly<Record<string, Uint8Array | string>>): ReturnType<typeof tree> {
  const made = tree(Object.entries(EMPTY).map(([path, text]) => (text === "" ? `${path}:` : `${path}: ${text}`)));
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(`${made.path}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    writeFileSync(`${made.path}/${path}`, bytes);
  }
  return made;
}

/** An index file and a pack that hold one entry of `packed` bytes under the id HEX. */
function packOf(entry: Uint8Array): Record<string, Uint8Array> {
  const index = Buffer.alloc(8 + 1024 + 28 + 40);
  index.writeUInt32BE(0xff744f63, 0);
  index.writeUInt32BE(2, 4);
  for (let at = 1; at < 256; at++) index.writeUInt32BE(1, 8 + at * 4);
  index.write(HEX, 1032, "hex");
  index.writeUInt32BE(12, 1032 + 24);
  const pack = Buffer.concat([Buffer.from("PACK\0\0\0\x02\0\0\0\x01", "latin1"), entry, Buffer.alloc(40)]);
  return { ".git/objects/pack/pack-1.idx": index, ".git/objects/pack/pack-1.pack": pack };
}

describe("hostile repositories: each answers, nothing runs, nothing outside is read", () => {
  const answers: readonly { name: string; files: Record<string, Uint8Array | string>; command: string; says: RegExp; exit: number }[] = [
    {
      name: "a loose object that is no zlib stream",
      files: { [`.git/objects/01/${HEX.slice(2)}`]: "junk" },
      command: `git cat-file -p ${HEX}`,
      says: /loose object .* is corrupt/,
      exit: 128,
    },
    {
      name: "a loose object of another size",
      files: { [`.git/objects/01/${HEX.slice(2)}`]: deflateSync("blob 9\0abc") },
      command: `git cat-file -p ${HEX}`,
      says: /is corrupt/,
      exit: 128,
    },
    {
      name: "a pack with rubbish in it",
      files: packOf(Buffer.from("\x33rubbish", "latin1")),
      command: `git cat-file -p ${HEX}`,
      says: /packed object .* is corrupt/,
      exit: 128,
    },
    {
      name: "a delta that is its own base",
      files: packOf(Buffer.concat([Buffer.from([0x73]), Buffer.from(HEX, "hex"), deflateSync("abc")])),
      command: `git cat-file -p ${HEX}`,
      says: /is corrupt/,
      exit: 128,
    },
    {
      name: "a delta before the pack",
      files: packOf(Buffer.concat([Buffer.from([0x63, 0x7f]), deflateSync("abc")])),
      command: `git cat-file -p ${HEX}`,
      says: /is corrupt/,
      exit: 128,
    },
    {
      name: "an announced size beyond all",
      files: packOf(Buffer.from([0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f])),
      command: `git cat-file -p ${HEX}`,
      says: /larger than|is corrupt/,
      exit: 128,
    },
    {
      name: "an index of a pack that is too small",
      files: { ".git/objects/pack/pack-1.idx": "x", ".git/objects/pack/pack-1.pack": "x" },
      command: "git cat-file -p 012345",
      says: /is too small/,
      exit: 128,
    },
    {
      name: "alternates outside",
      files: { ".git/objects/info/alternates": "/etc\n" },
      command: "git status -s",
      says: /leads outside the workspace: \/etc/,
      exit: 128,
    },
    {
      name: "alternates above",
      files: { ".git/objects/info/alternates": "../../../../etc\n" },
      command: "git status -s",
      says: /leads outside the workspace/,
      exit: 128,
    },
    {
      name: "a common directory outside",
      files: { ".git/commondir": "/etc\n" },
      command: "git status -s",
      says: /leads outside the workspace/,
      exit: 128,
    },
    {
      name: "a bad index",
      files: { ".git/index": "x".repeat(64) },
      command: "git status -s",
      says: /bad signature 0x78787878\nfatal: index file corrupt/,
      exit: 128,
    },
    {
      name: "an index that ends early",
      files: { ".git/index": Buffer.concat([Buffer.from("DIRC\0\0\0\x02\0\xff\xff\xff", "latin1"), Buffer.alloc(64)]) },
      command: "git ls-files",
      says: /index file corrupt/,
      exit: 128,
    },
    {
      name: "references in a circle",
      files: { ".git/refs/heads/main": "ref: refs/heads/main\n" },
      command: "git log",
      says: /does not have any commits yet/,
      exit: 128,
    },
    {
      name: "a reference that leads up",
      files: { ".git/HEAD": "ref: ../../../../etc/passwd\n" },
      command: "git rev-parse --verify HEAD",
      says: /Needed a single revision/,
      exit: 128,
    },
    {
      name: "a bad line of configuration",
      files: { ".git/config": "[core\n" },
      command: "git status",
      says: /bad config line 1 in file \.git\/config/,
      exit: 128,
    },
  ];
  for (const { name, files, command, says, exit } of answers) {
    test(name, async () => {
      const made = repository(files);
      try {
        const outcome = await runOurs({ command }, made.path);
        expect(outcome.stderr).toMatch(says);
        expect(outcome.exit).toBe(exit);
      } finally {
        made.remove();
      }
    });
  }
  test("a worktree whose repository lies beside the root is told of the root that holds both", async () => {
    const made = tree(["b/sub/.git: gitdir: ../../main/.git/worktrees/b\n", "c/.git: gitdir: /etc/x\n"]);
    try {
      writeFileSync(`${made.path}/b/.git`, `gitdir: ${made.path}/main/.git/worktrees/b\n`);
      const hint = `\nhint: the root ${made.path} holds both (--root)\n`;
      const leads = "fatal: the repository leads outside the workspace: ";
      const of = async (root: string, command: string): Promise<string> => (await runOurs({ command }, `${made.path}/${root}`)).stderr;
      expect(await of("b", "git log")).toBe(`${leads}${made.path}/main/.git/worktrees/b${hint}`);
      expect(await of("b", "git -C sub log")).toBe(`${leads}../../main/.git/worktrees/b${hint}`);
      expect(await of("c", "git log")).toBe(`${leads}/etc/x\n`);
    } finally {
      made.remove();
    }
  });
  test("a .git that is a link outside, and a worktree's file that names a directory outside", async () => {
    const made = tree(["a/", "b/.git: gitdir: /etc\n"]);
    try {
      symlinkSync("/etc", `${made.path}/a/.git`);
      for (const directory of ["a", "b"]) {
        const outcome = await runOurs({ command: `git -C ${directory} status` }, made.path);
        expect(outcome.stderr).toMatch(/leads outside the workspace/);
        expect(outcome.exit).toBe(128);
      }
    } finally {
      made.remove();
    }
  });
  test("configured programs never run", async () => {
    const made = repository({
      ".git/config":
        '[core]\n\tfsmonitor = touch ran\n\tpager = touch ran\n\thooksPath = .\n[diff]\n\texternal = touch ran\n[diff "x"]\n\ttextconv = touch ran\n\tcommand = touch ran\n[filter "x"]\n\tclean = touch ran\n\tsmudge = touch ran\n[alias]\n\tlog2 = !touch ran\n\tst = status\n',
      ".gitattributes": "* diff=x filter=x\n",
      "post-index-change": "#!/bin/sh\ntouch ran\n",
    });
    try {
      for (const command of ["git status", "git diff", "git log", "git ls-files -m"]) await runOurs({ command }, made.path);
      for (const command of ["git log2", "git st"]) expect((await runOurs({ command }, made.path)).exit).not.toBe(0);
      expect(execFileSync("ls", [made.path]).toString()).not.toContain("ran");
    } finally {
      made.remove();
    }
  });
});
