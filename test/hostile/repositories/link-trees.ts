/** Links that lead out, up or in circles, under every name that the commands read or write by themselves. */
import type { HostileTree } from "./hostile-tree.ts";

const link = (id: string, note: string, links: Readonly<Record<string, string>>, more: Partial<HostileTree> = {}): HostileTree => ({
  id: `link-${id}`,
  note,
  make: (place) => {
    for (const [name, target] of Object.entries(links))
      place.link(name, target.replace("OUTSIDE", place.outside).replace("HOME", place.home));
  },
  ...more,
});

export const LINKS: readonly HostileTree[] = [
  link("absolute", "links by host paths", { secret: "OUTSIDE/secret.txt", dir: "OUTSIDE", etc: "/etc/passwd" }),
  link("up", "links by relative paths", { secret: "../outside/secret.txt", dir: "../outside", top: "../../../../../../../../" }),
  link("chain", "a link to a link to outside", { a: "b", b: "c", c: "d/e", "d/e": "../../outside/secret.txt" }),
  link("loop", "links in circles", { one: "two", two: "one", self: ".", "src/up": "..", "src/self": "../src/self" }),
  link(
    "dangling",
    "links to what is not there, outside",
    { "new.txt": "../outside/made-by-the-tool", dang: "../outside/nope/x" },
    { writes: "refused" },
  ),
  link(
    "instead-of-file",
    "an ordinary file's name is a link to outside",
    {
      "new.txt": "../outside/secret.txt",
      "notes.txt": "HOME/.bashrc",
    },
    { writes: "refused" },
  ),
  link(
    "directory",
    "a directory's name is a link to outside",
    { lib: "../outside/dir" },
    { lines: ["cat lib/secret.txt", "ls lib/", "cd lib && cat secret.txt"] },
  ),
  link("proc", "links into /proc and /dev", {
    fd: "/proc/self/fd",
    me: "/proc/self/environ",
    root: "/proc/self/root",
    in: "/dev/stdin",
    rnd: "/dev/zero",
  }),
  link("long", "a link of 4,000 characters", { long: `${"./".repeat(2000)}../outside/secret.txt` }),
  link("through-file", "a link through a file", { x: "README.md/../../outside/secret.txt", y: "src/../../outside/secret.txt" }),
  link("mcp", ".mcp.json is a link to a file outside", { ".mcp.json": "../outside/victim.json" }),
  link("mcp-absolute", ".mcp.json is a link to a file of the home directory", { ".mcp.json": "HOME/.cursor/mcp.json" }),
  link("mcp-dangling", ".mcp.json is a link to what is not there", { ".mcp.json": "../outside/made-by-init.json" }),
  {
    id: "link-backup",
    note: "the name of init's backup is a link to a file of the home directory",
    make: (place) => {
      place.file(".mcp.json", '{ "$(canary)": {"command":"x"}\n}\n');
      place.link(".mcp.json.before-shelpa", "../home/.bashrc");
    },
  },
  {
    id: "link-backups",
    note: "the names of all of init's backups are links to outside",
    make: (place) => {
      for (const name of [".cursor/mcp.json", ".vscode/mcp.json", ".claude/settings.json", ".cursor/hooks.json", ".cursor/cli.json"]) {
        place.file(name, "{}\n");
        place.link(`${name}.before-shelpa`, "../../outside/victim.json");
      }
      place.file(".codex/config.toml", "a = 1\n");
      place.link(".codex/config.toml.before-shelpa", "../../outside/made-by-init");
    },
  },
  link("client-directories", "the clients' directories are links to outside", {
    ".cursor": "../home/.cursor",
    ".vscode": "../outside/dir",
    ".claude": "OUTSIDE",
    ".codex": "../home/.codex",
  }),
  link("client-directories-dangling", "the clients' directories are links to what is not there", {
    ".cursor": "../outside/made-cursor",
    ".vscode": "../home/.config/made-vscode",
    ".claude": "../outside/made-claude",
    ".codex": "../outside/made-codex",
  }),
  link("client-files", "the clients' files are links to outside", {
    ".cursor/mcp.json": "../../home/.cursor/mcp.json",
    ".vscode/mcp.json": "../../outside/victim.json",
    ".claude/settings.json": "../../outside/victim.json",
    ".codex/config.toml": "../../outside/victim.toml",
    ".cursor/hooks.json": "../../outside/victim.json",
  }),
  link("client-files-inside", "a client's file is a link to another file of the tree", { ".mcp.json": "data.json", ".cursor": "src" }),
  link("configuration", "the policy is a link to outside", { ".shelpa.toml": "../outside/victim.toml" }, { starts: false }),
  link(
    "configuration-dangling",
    "the policy is a link to what is not there",
    { ".shelpa.toml": "../outside/nope.toml" },
    { starts: false },
  ),
  link("ignore-files", "ignore files are links to outside", {
    ".gitignore": "../outside/secret.txt",
    ".ignore": "../outside/secret.txt",
    ".rgignore": "OUTSIDE/secret.txt",
    ".fdignore": "../outside/secret.txt",
  }),
];
