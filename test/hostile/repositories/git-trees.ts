/** Git directories that would have git run a program or read elsewhere: settings, links, files in their place. */
import { CANARIES } from "./place.ts";
import type { HostileTree } from "./hostile-tree.ts";
import { indexFile, treeData } from "../git-objects.ts";

/** Appended to a repository's configuration; CANARY stands for the program. */
const settings = (id: string, note: string, text: string, others: Readonly<Record<string, string>> = {}): HostileTree => ({
  id: `git-${id}`,
  note,
  make: (place) => {
    place.repository();
    place.file(".git/config", text.replaceAll("CANARY", place.canary));
    for (const [name, content] of Object.entries(others)) place.file(name, content, 0o755);
  },
});
const CANARY_HOOK = "#!/bin/sh\ncanary hook\n";

export const GIT_SETTINGS: readonly HostileTree[] = [
  settings("fsmonitor", "the file system monitor is a program", "[core]\n\tfsmonitor = CANARY\n\tfsmonitorHookVersion = 2\n"),
  settings(
    "hooks",
    "hooks of every name",
    "",
    Object.fromEntries(
      ["post-checkout", "post-index-change", "pre-commit", "fsmonitor-watchman", "reference-transaction"].map((name) => [
        `.git/hooks/${name}`,
        CANARY_HOOK,
      ]),
    ),
  ),
  settings("hooks-path", "hooks outside the root", "[core]\n\thooksPath = ../outside/dir\n"),
  settings("filter", "a filter for every file", '[filter "evil"]\n\tclean = CANARY\n\tsmudge = CANARY\n\tprocess = CANARY\n\trequired\n', {
    ".gitattributes": "* filter=evil\n",
  }),
  settings("textconv", "a converter for every diff", '[diff "evil"]\n\ttextconv = CANARY\n\tcachetextconv = true\n', {
    ".gitattributes": "* diff=evil\n",
  }),
  settings("external-diff", "programs that show diffs", '[diff]\n\texternal = CANARY\n[diff "evil"]\n\tcommand = CANARY\n', {
    ".gitattributes": "* diff=evil merge=evil\n",
  }),
  settings(
    "alias",
    "subcommands that are shell lines",
    "[alias]\n\tstatus = !CANARY\n\tlog = !CANARY\n\tst = !CANARY\n\tx = -c core.pager=CANARY log\n",
  ),
  settings(
    "pager",
    "a pager, an editor and a filter",
    "[core]\n\tpager = CANARY\n\teditor = CANARY\n[pager]\n\tlog = CANARY\n\tstatus = CANARY\n",
  ),
  settings(
    "credentials",
    "programs for passwords and signatures",
    "[credential]\n\thelper = !CANARY\n[core]\n\taskPass = CANARY\n\tsshCommand = CANARY\n[gpg]\n\tprogram = CANARY\n[log]\n\tshowSignature = true\n",
  ),
  settings(
    "transport",
    "a remote that is a program",
    '[remote "origin"]\n\turl = ext::CANARY\n\tuploadpack = CANARY\n\treceivepack = CANARY\n',
  ),
  settings("worktree-outside", "the work tree is elsewhere", "[core]\n\tworktree = ../../outside\n"),
  settings("worktree-absolute", "the work tree is the host's root", "[core]\n\tworktree = /\n"),
  settings("include-outside", "settings from outside", "[include]\n\tpath = ../../outside/.git/config\n\tpath = ~/.gitconfig\n"),
  settings("include-if", "settings from outside on a condition", '[includeIf "gitdir:/"]\n\tpath = ../../outside/.git/config\n'),
  settings("include-loop", "settings that include themselves", "[include]\n\tpath = config\n\tpath = ./config\n"),
  settings(
    "excludes-outside",
    "ignore rules and attributes from outside",
    "[core]\n\texcludesFile = ../outside/secret.txt\n\tattributesFile = ~/.bashrc\n",
  ),
  settings(
    "mailmap-outside",
    "a map of names from outside",
    "[mailmap]\n\tfile = ../outside/secret.txt\n\tblob = HEAD:../outside/secret.txt\n",
  ),
  settings("deep-section", "a subsection of 200,000 characters", `[remote "${"a".repeat(200_000)}"]\n\turl = x\n`),
  settings("not-text", "settings that are no text", "\ufeff[core]\n\tx = \u0000\u001b]0;x\u0007\n\udcff\udcfe=\n[[[[\n"),
  settings("many-settings", "300,000 settings", `[a]\n${"\tb = c\n".repeat(300_000)}`),
  settings(
    "version",
    "a format that nobody knows",
    "[core]\n\trepositoryformatversion = 99999999999999999999\n[extensions]\n\tworktreeConfig\n\tobjectFormat = sha9\n",
  ),
  {
    id: "git-include-fifo",
    note: "settings from a FIFO",
    make: (place) => {
      place.repository();
      place.fifo("pipe");
      place.file(".git/config", "[include]\n\tpath = ../pipe\n");
    },
  },
  {
    id: "git-config-link",
    note: "the configuration is a link to outside",
    make: (place) => {
      place.file(".git/HEAD", "ref: refs/heads/main\n");
      place.directory(".git/objects");
      place.directory(".git/refs");
      place.link(".git/config", "../../outside/.git/config");
    },
  },
  {
    id: "git-config-fifo",
    note: "the configuration is a FIFO",
    make: (place) => {
      place.file(".git/HEAD", "ref: refs/heads/main\n");
      place.directory(".git/objects");
      place.directory(".git/refs");
      place.fifo(".git/config");
    },
  },
];

export const GIT_PLACES: readonly HostileTree[] = [
  { id: "gitfile-outside", note: "a .git file that leads out", make: (place) => place.file(".git", "gitdir: ../outside/.git\n") },
  { id: "gitfile-absolute", note: "a .git file with a host path", make: (place) => place.file(".git", `gitdir: ${place.outside}/.git\n`) },
  { id: "git-link-outside", note: ".git is a link out", make: (place) => place.link(".git", "../outside/.git") },
  { id: "gitfile-loop", note: "a .git file that names itself", make: (place) => place.file(".git", "gitdir: .git\n") },
  {
    id: "gitfile-chain",
    note: "thirty .git files in a chain",
    make: (place) => {
      place.file(".git", "gitdir: d0\n");
      for (let at = 0; at < 30; at++) place.file(`d${at}`, `gitdir: d${at + 1}\n`);
    },
  },
  { id: "gitfile-fifo", note: ".git is a FIFO", make: (place) => place.fifo(".git") },
  { id: "gitfile-huge", note: "a .git file of 50 MB", make: (place) => place.file(".git", `gitdir: ${"a".repeat(50_000_000)}\n`) },
  {
    id: "git-commondir-outside",
    note: "the common directory is outside",
    make: (place) => {
      place.repository();
      place.file(".git/commondir", "../../outside/.git\n");
    },
  },
  {
    id: "git-commondir-loop",
    note: "the common directory is itself, by way of others",
    make: (place) => {
      place.repository();
      place.file(".git/commondir", "../.git/../.git\n");
      place.file(".git/gitdir", "../.git\n");
    },
  },
  {
    id: "git-alternates-outside",
    note: "objects from outside, with HEAD at a commit there",
    make: (place) => {
      const id = place.repository({ "secret.txt": `${CANARIES.outside}\n` }).path;
      place.file(".git/objects/info/alternates", `${place.outside}/.git/objects\n../../../outside/.git/objects\n# ${id}\n`);
    },
  },
  {
    id: "git-alternates-loop",
    note: "objects from itself, 10,000 times",
    make: (place) => {
      place.repository();
      place.file(".git/objects/info/alternates", "../objects\n./\n.\n".repeat(10_000));
    },
  },
  {
    id: "git-objects-link",
    note: "the objects are a link to outside, and HEAD is a commit there",
    make: (place) => {
      place.file(".git/HEAD", "ref: refs/heads/main\n");
      place.link(".git/objects", "../../outside/.git/objects");
      place.link(".git/refs", "../../outside/.git/refs");
    },
  },
  {
    id: "git-bare-inside",
    note: "a bare repository among the files",
    make: (place) => bare(place, "fixtures/x.git"),
    guarded: ["fixtures/x.git/config", "fixtures/x.git/hooks/post-checkout", "fixtures/x.git/HEAD"],
    lines: ["cd fixtures/x.git && git status; git log", "git -C fixtures/x.git log -p"],
  },
  {
    id: "git-bare-under-another-name",
    note: "a directory of documents that git takes for a repository",
    make: (place) => bare(place, "docs"),
    guarded: ["docs/config", "docs/hooks/pre-commit"],
    lines: ["cd docs && git status", "cd docs; git config -l"],
  },
  {
    id: "git-nearly-bare",
    note: "a directory that lacks only HEAD to be a repository",
    make: (place) => {
      place.directory("docs/objects");
      place.directory("docs/refs");
      place.file("docs/config", "[core]\n\tfsmonitor = canary\n");
    },
    guarded: ["docs/HEAD"],
  },
  {
    id: "git-submodules",
    note: "submodules whose paths, addresses and updates are programs",
    make: (place) => {
      const repository = place.repository({ "README.md": "needle\n", ".gitmodules": "[submodule]\n" });
      place.file(
        ".gitmodules",
        `[submodule "x"]\n\tpath = -x\n\turl = ext::${place.canary}\n\tupdate = !${place.canary}\n[submodule "../../outside"]\n\tpath = ../outside\n\turl = -u./canary\n[submodule "sub"]\n\tpath = sub\n\turl = .\n`,
      );
      place.file("sub/.git", "gitdir: ../.git/modules/sub\n");
      place.file(".git/modules/sub/HEAD", "ref: refs/heads/main\n");
      place.file(".git/modules/sub/config", `[core]\n\tworktree = ../../../../outside\n\tfsmonitor = ${place.canary}\n`);
      place.directory(".git/modules/sub/objects");
      place.directory(".git/modules/sub/refs");
      repository.commit(repository.object("tree", treeData([["160000", "sub", "1".repeat(40)]])));
    },
    lines: ["cd sub && git status", "git submodule status", "git -C sub log"],
  },
  {
    id: "git-linked-worktrees",
    note: "work trees that lie outside",
    make: (place) => {
      place.repository();
      place.file(".git/worktrees/w/gitdir", `${place.outside}/.git\n`);
      place.file(".git/worktrees/w/commondir", "../..\n");
      place.file(".git/worktrees/w/HEAD", "ref: refs/heads/main\n");
      place.file(".git/config.worktree", `[core]\n\tfsmonitor = ${place.canary}\n`);
    },
    lines: ["git worktree list"],
  },
  {
    id: "git-index-outside",
    note: "the index is a link to outside",
    make: (place) => {
      place.repository();
      place.link(".git/index", "../../outside/secret.txt");
    },
  },
  {
    id: "git-index-up",
    note: "the index names files above the root",
    make: (place) => {
      const repository = place.repository();
      const id = repository.object("blob", Buffer.from("x"));
      repository.file(".git/index", indexFile(["../outside/secret.txt", ".git/config", "/etc/hostname", "a/../../outside/x"], id));
    },
  },
];

function bare(place: Parameters<HostileTree["make"]>[0], directory: string): void {
  place.repository();
  place.file(`${directory}/HEAD`, "ref: refs/heads/main\n");
  place.file(`${directory}/config`, `[core]\n\tbare = false\n\tworktree = ${place.root}\n\tfsmonitor = ${place.canary}\n`);
  for (const name of ["objects", "refs/heads"]) place.directory(`${directory}/${name}`);
  place.file(`${directory}/hooks/post-checkout`, CANARY_HOOK, 0o755);
}
