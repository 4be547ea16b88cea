/**
 * The ways out of a directory that Windows alone has, at every kind of command: nothing outside is shown, made, changed or removed, and
 * no file of the root has a second name by which a rule does not know it. Runs on Windows; under Wine by `npm run test:windows`.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import { windowsPathWithSlashes } from "../../src/glob/absolute-path.ts";
import { runOurs } from "../cases.ts";
import { type Need, needs } from "../needs.ts";

const WINDOWS: Need = { name: "Windows (npm run test:windows)", isHere: process.platform === "win32" };
const MARK = "OUTSIDE-BYTES";
const DENIED = "DENIED-BYTES";

/** A root beside a directory that is none of it. */
function place(): { readonly path: string; readonly root: string; readonly remove: () => void } {
  const path = realpathSync.native(mkdtempSync(join(tmpdir(), "shelpa-windows-")));
  const root = join(path, "root");
  for (const directory of ["outside", "root/d", "root/.git", "root/secret-directory", "root/open-directory"])
    mkdirSync(join(path, directory), { recursive: true });
  for (const [name, text] of [
    ["outside/secret", `${MARK}\n`],
    ["secret", `${MARK}\n`],
    ["root/f", "inside\n"],
    ["root/d/f", "below\n"],
    ["root/.git/config", "[core]\n"],
    ["root/secretfile.text", `${DENIED}\n`],
    ["root/secret-directory/f", `${DENIED}\n`],
    ["root/open-directory/secret-inside.text", `${DENIED}\n`],
  ] as const)
    writeFileSync(join(path, name), text);
  return { path, root, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** All files below a directory with the hashes of their bytes. */
function digest(directory: string, passedOver = ""): readonly string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    if (name === passedOver) return [];
    return lstatSync(path).isDirectory()
      ? [`${path}/`, ...digest(path, passedOver)]
      : [`${path} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`];
  });
}

/** The name of 8.3 that the file system has given `name`, if it has any. */
function shortName(directory: string, name: string): string | undefined {
  const listed = execFileSync("cmd", ["/c", "dir", "/x", "/a", directory], { encoding: "latin1" });
  const line = listed.split(/\r?\n/).find((each) => each.trimEnd().toLowerCase().endsWith(` ${name.toLowerCase()}`));
  return line === undefined ? undefined : /(\S+~\S+)\s+\S+$/.exec(line.trimEnd())?.[1];
}

const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/** Spellings of places that are not in the root, or no place at all. `%P` is the host path of the directory around the root, `%U` the same from its drive on with slashes. */
const ELSEWHERE: readonly string[] = [
  ...["..\\secret", "..\\outside\\secret", "d\\..\\..\\secret", "d/..\\..\\secret", ".\\..\\secret", "../secret", "d/../../secret"],
  ...[
    "%P\\secret",
    "%P/secret",
    "%P\\root\\..\\secret",
    "%P/root/../secret",
    "/%U/secret",
    "/%U/root/../secret",
    "/mnt/%U/secret",
    "/cygdrive/%U/secret",
  ],
  ...["\\\\?\\%P\\secret", "\\\\.\\%P\\secret", "//?/%P/secret", "\\\\?\\GLOBALROOT\\Device\\HarddiskVolume1\\secret", "\\??\\%P\\secret"],
  ...["\\\\localhost\\C$\\secret", "//localhost/C$/secret", "\\\\?\\UNC\\localhost\\C$\\secret", "\\\\.\\pipe\\x", "\\\\.\\PhysicalDrive0"],
  ...["C:", "C:/", "C:\\", "C:f", "C:..\\secret", "Z:", "Z:/etc/passwd", "z:\\etc\\passwd", "/z/etc/passwd", "\\secret", "\\"],
  ...["f:s", "f::$DATA", "f:s:$DATA", ":s", ".:s", "d:s", "d::$INDEX_ALLOCATION", "d:$I30:$INDEX_ALLOCATION/f", "d::$INDEX_ALLOCATION/f"],
  ...["NUL", "nul", "nul.txt", "d/NUL", "CON", "con.log", "PRN", "AUX", "COM1", "com9.x", "LPT1", "COM¹", "CONIN$", "CONOUT$", "aux .txt"],
  ...["f.", "f ", "f...", "f. .", "d./f", "d /f", "d/f.", "...", ".. /secret", "..  /secret", ".. ./secret", ". ./f"],
  ...[".git./config", ".git /config", ".git::$INDEX_ALLOCATION/config", "f?", "f*x", "d<", "d>f", 'f"', "f|", "f\u0001"],
];

const READS = [
  "cat -- X",
  "head -c 99 -- X",
  "ls -la -- X",
  "stat -- X",
  "rg . -- X",
  "grep -r . -- X",
  "find X",
  "cd X && ls",
  "wc -c < X",
  "cp -- X copy",
];
const WRITES = [
  "echo written | tee -- X",
  "cp -- f X",
  "mv -- f X",
  "mkdir -p -- X",
  "touch -- X",
  "rm -rf -- X",
  "sed -i s/./Z/ X",
  "echo a | tee -a -- X",
  "rmdir X",
];

needs(WINDOWS).describe("what is not in the root", () => {
  test.each(ELSEWHERE)("%s", async (spelling) => {
    const { path, root, remove } = place();
    try {
      const slashed = windowsPathWithSlashes(path);
      const typed = spelling.replace("%P", () => path).replace("%U", () => slashed.slice(1));
      const before = digest(path, ".shelpa");
      for (const line of READS) {
        const { stdout, stderr } = await runOurs({ command: line.replaceAll("X", () => quoted(typed)) }, root);
        expect([line, stdout + stderr]).not.toEqual([line, expect.stringContaining(MARK)]);
      }
      expect(digest(path, ".shelpa").filter((each) => !before.includes(each) && !each.includes("copy"))).toEqual([]);
      for (const line of WRITES) {
        await runOurs({ command: line.replaceAll("X", () => quoted(typed)) }, root);
        const others = digest(path, ".shelpa").filter((each) => !each.startsWith(root));
        expect([line, others]).toEqual([line, before.filter((each) => !each.startsWith(root))]);
        // Nothing of the root answers to it, so nothing of the root has changed but what was moved away or copied.
        expect([line, digest(root, ".shelpa").filter((each) => !before.includes(each) && !each.includes("copy"))]).toEqual([line, []]);
      }
    } finally {
      remove();
    }
  });
});

/** Spellings of directories in which a walk comes to files that the rules name. `D` and `O` stand for short names. */
const WALKED = [
  ".",
  "secret-directory",
  "D",
  "d/../D",
  "SECRET-DIRECTORY",
  "open-directory",
  "O",
  "OPEN-directory",
  "%P\\root\\O",
  "%P\\ROOT",
];
const WALKS = [
  ...[
    "grep -r . X",
    "rg -uuu . X",
    "find X -type f -exec cat {} +",
    "find X -type f -print0 | xargs -0 cat",
    "cat X/*",
    "ls -R X | xargs -I{} cat X/{}",
  ],
  ...["cd X && grep -r . .", "cd X && find . -name '*' -exec cat {} +", "diff -rN d X"],
];

/** Spellings of files that the rules name. `D` stands for the short name of the directory, `S` for that of the file, `G` for that of .git. */
const DENIED_SPELLINGS = [
  ...["secretfile.text", "SECRETFILE.TEXT", "SecretFile.Text", "d/../SECRETFILE.text", "S", "%P/root/SECRETFILE.text", "%P\\root\\S"],
  ...["secret-directory/f", "SECRET-DIRECTORY/F", "D/f", "D/F", "secretfile.text.", "secretfile.text::$DATA", "secret-directory./f"],
];
const PROTECTED_SPELLINGS = [
  ".git/config",
  ".GIT/CONFIG",
  ".Git/config",
  "G/config",
  ".git/new",
  ".GIT/hooks/x",
  "G/new",
  "%P\\root\\.GIT\\new",
  ".git./new",
  ".git::$INDEX_ALLOCATION/new",
];

needs(WINDOWS).describe("what the rules name, by any name that Windows has for it", () => {
  const denyRead = ["secretfile.text", "Secret-Directory/", "/open-directory/secret-inside.text"];
  const policy: Partial<Policy> = { paths: { ...DEFAULT_POLICY.paths, denyRead } };
  const named = (spelling: string, { path, root }: ReturnType<typeof place>): string =>
    spelling
      .replace("%P", () => path)
      .replace(/\bS$/, () => shortName(root, "secretfile.text") ?? "secretfile.text")
      .replace(/\bD(?=\/|$)/, () => shortName(root, "secret-directory") ?? "secret-directory")
      .replace(/\bO$/, () => shortName(root, "open-directory") ?? "open-directory")
      .replace(/^G\//, () => `${shortName(root, ".git") ?? ".git"}/`);

  test.each(DENIED_SPELLINGS)("deny_read: %s", async (spelling) => {
    const here = place();
    try {
      const typed = quoted(named(spelling, here));
      for (const line of [
        ...READS,
        "git diff --no-index f X",
        "tar -tf X",
        "sort X f",
        "cat f X",
        "cat < X",
        "diff f X",
        "mv X moved && cat moved",
      ]) {
        const { stdout, stderr } = await runOurs({ command: line.replaceAll("X", () => typed) }, here.root, {}, policy);
        expect([line, stdout + stderr]).not.toEqual([line, expect.stringContaining(DENIED)]);
      }
    } finally {
      here.remove();
    }
  });

  test.each(WALKED)("deny_read in a walk: %s", async (spelling) => {
    for (const line of WALKS) {
      const [denied, free] = [place(), place()];
      try {
        const output = async (here: typeof denied, rules: Partial<Policy>): Promise<string> => {
          const { stdout, stderr } = await runOurs(
            { command: line.replaceAll("X", () => quoted(named(spelling, here))) },
            here.root,
            {},
            rules,
          );
          return stdout + stderr;
        };
        const lines = [line, await output(free, {}), await output(denied, policy)];
        expect(lines).toEqual([line, expect.stringContaining(DENIED), expect.not.stringContaining(DENIED)]);
      } finally {
        denied.remove();
        free.remove();
      }
    }
  });

  test.each(["git grep BYTES", "git diff", "git grep BYTES -- D"])("deny_read by names that an index holds: %s", async (line) => {
    const [denied, free] = [place(), place()];
    try {
      for (const here of [denied, free]) makeIndex(here.root, [named("S", here), `${named("D", here)}/f`]);
      const output = async (here: typeof denied, rules: Partial<Policy>): Promise<string> => {
        const { stdout, stderr } = await runOurs({ command: named(line, here) }, here.root, {}, rules);
        return stdout + stderr;
      };
      expect(await output(free, {})).toContain(DENIED);
      expect(await output(denied, policy)).not.toContain(DENIED);
    } finally {
      denied.remove();
      free.remove();
    }
  });

  test.each(PROTECTED_SPELLINGS)("protected: %s", async (spelling) => {
    const here = place();
    try {
      const before = digest(join(here.root, ".git"));
      const typed = quoted(named(spelling, here));
      for (const line of WRITES) await runOurs({ command: line.replaceAll("X", () => typed) }, here.root);
      expect(digest(join(here.root, ".git"))).toEqual(before);
    } finally {
      here.remove();
    }
  });

  test("a file's own name is told, whatever it was asked by", async () => {
    const here = place();
    try {
      const short = shortName(here.root, "secretfile.text") ?? "SECRETFILE.TEXT";
      await runOurs({ command: `echo one | tee ${quoted(short)}; echo two | tee SECRETFILE.text` }, here.root);
      const { stdout } = await runOurs({ command: "history | cut -f3,5; ls" }, here.root);
      expect(stdout).toBe(
        "overwritten\tsecretfile.text\noverwritten\tsecretfile.text\nd\nf\nopen-directory\nsecret-directory\nsecretfile.text\n",
      );
    } finally {
      here.remove();
    }
  });
});

const sha1 = (...parts: readonly Uint8Array[]): Buffer => parts.reduce((hash, part) => hash.update(part), createHash("sha1")).digest();

/** Makes a repository of `root` whose index (gitformat-index(5), version 2) has these names, each with a content of its own. */
function makeIndex(root: string, names: readonly string[]): void {
  const object = Buffer.from("blob 2\0x\n");
  const id = sha1(object);
  const directory = join(root, ".git/objects", id.toString("hex").slice(0, 2));
  for (const path of [directory, join(root, ".git/refs/heads")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(directory, id.toString("hex").slice(2)), deflateSync(object));
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, ".git/config"), "[core]\n\trepositoryformatversion = 0\n");
  const header = Buffer.from("DIRC\0\0\0\x02\0\0\0\0", "latin1");
  header.writeUInt32BE(names.length, 8);
  const entries = names.toSorted().map((name) => {
    const entry = Buffer.alloc(62 + name.length + 8 - ((62 + name.length) % 8));
    entry.writeUInt32BE(0o100644, 24);
    id.copy(entry, 40);
    entry.writeUInt16BE(name.length, 60);
    entry.write(name, 62, "latin1");
    return entry;
  });
  writeFileSync(join(root, ".git/index"), Buffer.concat([header, ...entries, sha1(header, ...entries)]));
}

/**
 * A tree on whose root's entries links lie that this Windows does not show as such: `out` → ../outside, `out-file` → ../outside/secret,
 * `in` → d. What made them set SHELPA_LINKED_TREE.
 */
const linked = process.env["SHELPA_LINKED_TREE"];
const LINKED: Need = { name: "links made from outside", isHere: linked !== undefined };

needs(WINDOWS, LINKED).describe("links that only the path they lead to gives away", () => {
  const root = join(linked ?? "", "root");
  test.each(["out/secret", "out-file", "out/../out/secret", "OUT/SECRET", "in/../out/secret"])("%s", async (typed) => {
    const before = digest(join(linked ?? "", "outside"));
    for (const line of [...READS, ...WRITES]) {
      const { stdout, stderr } = await runOurs({ command: line.replaceAll("X", () => quoted(typed)) }, root);
      expect([line, stdout + stderr]).not.toEqual([line, expect.stringContaining(MARK)]);
      expect([line, digest(join(linked ?? "", "outside"))]).toEqual([line, before]);
    }
  });
});
