/**
 * Trees made to hang a walk or to lead it astray: link loops, links up and out, FIFOs, names like flags. Nothing hangs,
 * nothing outside is shown, and what is said is what the real tool says wherever it can be asked.
 */
import { spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lineCases, runOurs, type Row } from "../cases.ts";
import { tree, type Tree } from "../tree.ts";
import { needs } from "../needs.ts";

type Place = Pick<Row, "files" | "tree">;

const LOOPS: Place = {
  files: { "d/x": "needle\n", top: "needle\n" },
  tree: ["one => two", "two => one", "d/self => .", "d/up => ../d", "dang => nope", "d/pipe|"],
};
const NAMES: Place = {
  files: {
    "-rf": "needle\n",
    "--help": "a\n",
    "a b": "needle\n",
    "n\nl": "needle\n",
    "bad\udcff": "needle\n",
    "*": "star\n",
    "__proto__/constructor": "needle\n",
  },
};

describe("loops, FIFOs and odd names", () => {
  lineCases([
    {
      name: "find",
      command: "find . | sort",
      ...LOOPS,
      stdout: ".\n./d\n./d/pipe\n./d/self\n./d/up\n./d/x\n./dang\n./one\n./top\n./two\n",
    },
    {
      name: "find -L tells of loops",
      isOnDisk: true,
      command: "find -L . -name x | sort",
      ...LOOPS,
      stdout: "./d/x\n",
      stderr:
        "find: ‘./one’: Too many levels of symbolic links\nfind: ‘./two’: Too many levels of symbolic links\nfind: File system loop detected; ‘./d/self’ is part of the same file system loop as ‘./d’.\nfind: File system loop detected; ‘./d/up’ is part of the same file system loop as ‘./d’.\n",
    },
    {
      name: "find -type f passes over FIFOs",
      command: "find . -type f | sort; find . -type p",
      ...LOOPS,
      stdout: "./d/x\n./top\n./d/pipe\n",
    },
    { name: "find -exec cat of what is a file", command: "find . -type f -exec cat {} +", ...LOOPS, stdout: "needle\nneedle\n" },
    { name: "grep -r follows nothing and reads no FIFO", command: "grep -rc needle . | sort", ...LOOPS, stdout: "./d/x:1\n./top:1\n" },
    {
      name: "grep of a loop",
      command: "grep x one dang",
      ...LOOPS,
      stderr: "grep: one: Too many levels of symbolic links\ngrep: dang: No such file or directory\n",
      exit: 2,
    },
    { name: "ls -R", command: "ls -R", ...LOOPS, stdout: ".:\nd\ndang\none\ntop\ntwo\n\n./d:\npipe\nself\nup\nx\n" },
    {
      name: "ls -LR",
      isOnDisk: true,
      command: "ls -LR . | head -c 4000",
      ...LOOPS,
      stdout: ".:\nd\ndang\none\ntop\ntwo\n\n./d:\npipe\nself\nup\nx\n",
      stderr:
        "ls: cannot access 'one': Too many levels of symbolic links\nls: cannot access 'dang': No such file or directory\nls: cannot access 'two': Too many levels of symbolic links\nls: ./d/self: not listing already-listed directory\nls: ./d/up: not listing already-listed directory\n",
    },
    {
      name: "ls of a loop",
      command: "ls -L one dang; ls one dang",
      ...LOOPS,
      stdout: "dang\n",
      stderr:
        "ls: cannot access 'one': Too many levels of symbolic links\nls: cannot access 'dang': No such file or directory\nls: cannot access 'one': Too many levels of symbolic links\n",
      exit: 2,
    },
    {
      name: "du",
      command: "du --inodes -a . | sort",
      ...LOOPS,
      stdout: "1\t./d/pipe\n1\t./d/self\n1\t./d/up\n1\t./d/x\n1\t./dang\n1\t./one\n1\t./top\n1\t./two\n10\t.\n5\t./d\n",
    },
    {
      name: "du -L",
      command: "du --inodes -sL d; du --inodes -L one",
      ...LOOPS,
      stdout: "3\td\n",
      stderr: "du: cannot access 'one': Too many levels of symbolic links\n",
      exit: 1,
    },
    {
      name: "cat",
      command: "cat one dang d/self",
      ...LOOPS,
      stderr: "cat: one: Too many levels of symbolic links\ncat: dang: No such file or directory\ncat: d/self: Is a directory\n",
      exit: 1,
    },
    {
      name: "head and tail",
      command: "head one; tail one d",
      ...LOOPS,
      stdout: "==> d <==\n",
      stderr:
        "head: cannot open 'one' for reading: Too many levels of symbolic links\ntail: cannot open 'one' for reading: Too many levels of symbolic links\ntail: error reading 'd': Is a directory\n",
      exit: 1,
    },
    {
      name: "wc",
      command: "wc one d/self",
      ...LOOPS,
      stdout: "      0       0       0 d/self\n      0       0       0 total\n",
      stderr: "wc: one: Too many levels of symbolic links\nwc: d/self: Is a directory\n",
      exit: 1,
    },
    {
      name: "sort",
      command: "sort one; sort d",
      ...LOOPS,
      stderr: "sort: cannot read: one: Too many levels of symbolic links\nsort: read failed: d: Is a directory\n",
      exit: 2,
    },
    {
      name: "stat",
      command: "stat -c '%n %F' one d/self d/pipe; stat -Lc '%n %F' one d/self d/pipe dang",
      ...LOOPS,
      stdout: "one symbolic link\nd/self symbolic link\nd/pipe fifo\nd/self directory\nd/pipe fifo\n",
      stderr: "stat: cannot statx 'one': Too many levels of symbolic links\nstat: cannot statx 'dang': No such file or directory\n",
      exit: 1,
    },
    {
      name: "file",
      command: "file one d/self d/pipe dang; file -L one d/self d/pipe dang",
      ...LOOPS,
      stdout:
        "one:    broken symbolic link to two\nd/self: symbolic link to .\nd/pipe: fifo (named pipe)\ndang:   broken symbolic link to nope\none:    cannot open `one' (Too many levels of symbolic links)\nd/self: directory\nd/pipe: fifo (named pipe)\ndang:   cannot open `dang' (No such file or directory)\n",
    },
    {
      name: "readlink and realpath",
      command: "readlink one; readlink -vf one d/self/self/up/x | sed 's|.*/d/||'; realpath --relative-to=. d/up/up/self/x one",
      ...LOOPS,
      stdout: "two\nx\nd/x\n",
      stderr: "readlink: one: Too many levels of symbolic links\nrealpath: one: Too many levels of symbolic links\n",
      exit: 1,
    },
    {
      name: "test",
      command: "test -e one || echo no; test -h one && echo link; test -p d/pipe && echo fifo; test -f d/self/self/x && echo file",
      ...LOOPS,
      stdout: "no\nlink\nfifo\nfile\n",
    },
    {
      name: "many levels through a link to itself",
      command:
        "cat d/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/x; cat d/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/x",
      ...LOOPS,
      stdout: "needle\n",
      stderr:
        "cat: d/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/self/x: Too many levels of symbolic links\n",
      exit: 1,
    },
    {
      name: "names like flags are operands",
      command: "cat ./* 2>&1 | sort; grep -c needle -- * 2>/dev/null | sort | head -3",
      ...NAMES,
      stdout: "a\ncat: ./__proto__: Is a directory\nneedle\nneedle\nneedle\nneedle\nstar\n*:0\n--help:0\n-rf:1\n",
    },
    {
      name: "names of any kind in a walk",
      command: "find . -type f | sort; grep -rl needle . | sort",
      ...NAMES,
      stdout:
        "./*\n./--help\n./-rf\n./__proto__/constructor\n./a b\n./bad\udcff\n./n\nl\n./-rf\n./__proto__/constructor\n./a b\n./bad\udcff\n./n\nl\n",
    },
    {
      name: "through xargs",
      command: "find . -type f -print0 | sort -z | xargs -0 stat -c '%n %s'",
      ...NAMES,
      stdout: "./* 5\n./--help 2\n./-rf 7\n./__proto__/constructor 7\n./a b 7\n./bad\udcff 7\n./n\nl 7\n",
    },
    {
      name: "du and file",
      command: "du --inodes -a . | sort; file -b ./*",
      ...NAMES,
      stdout:
        "1\t./*\n1\t./--help\n1\t./-rf\n1\t./__proto__/constructor\n1\t./a b\n1\t./bad\udcff\n1\t./n\n2\t./__proto__\n9\t.\nl\nASCII text\nASCII text\nASCII text\ndirectory\nASCII text\nASCII text\nASCII text\n",
    },
    {
      name: "names that every object has",
      command: "ls __proto__; basename __proto__/constructor; stat -c %n __proto__/constructor; grep -r needle __proto__",
      ...NAMES,
      stdout: "constructor\nconstructor\n__proto__/constructor\n__proto__/constructor:needle\n",
    },
  ]);
});

const OUT: Place = {
  files: { "d/x": "needle\n" },
  tree: ["out => /etc", "d/passwd => /etc/passwd", "d/up => ../../..", "shadow => /etc/shadow", "d/pipe|"],
};
const NOT_SHOWN = "the real tool goes there";

describe("ways out of the workspace", () => {
  lineCases([
    {
      name: "cat",
      command: "cat shadow d/passwd out/passwd",
      ...OUT,
      stderr: ["shadow", "d/passwd", "out/passwd"].map((name) => `cat: ${name}: Symbolic link leaves the workspace\n`).join(""),
      exit: 1,
      differs: NOT_SHOWN,
    },
    {
      name: "head",
      command: "head -1 d/passwd",
      ...OUT,
      stderr: "head: cannot open 'd/passwd' for reading: Symbolic link leaves the workspace\n",
      exit: 1,
      differs: NOT_SHOWN,
    },
    { name: "grep -r does not follow", command: "grep -rl root .", ...OUT, exit: 1 },
    { name: "grep -R finds nothing there", command: "grep -R root . 2>/dev/null", ...OUT, exit: 2, differs: NOT_SHOWN },
    { name: "find -L", command: "find -L . -name hostname 2>/dev/null", ...OUT, exit: 1, differs: NOT_SHOWN },
    { name: "ls", command: "ls out/ 2>/dev/null; ls d/up/ 2>/dev/null", ...OUT, exit: 2, differs: NOT_SHOWN },
    {
      name: "stat -L and file -L",
      command: "stat -Lc %s shadow; file -L out",
      ...OUT,
      stdout: "out: cannot open `out' (Symbolic link leaves the workspace)\n",
      stderr: "stat: cannot statx 'shadow': Symbolic link leaves the workspace\n",
      differs: NOT_SHOWN,
    },
    {
      name: "du -L",
      command: "du --inodes -Ls out",
      ...OUT,
      stderr: "du: cannot access 'out': Symbolic link leaves the workspace\n",
      exit: 1,
      differs: NOT_SHOWN,
    },
    {
      name: "readlink -f and realpath",
      command: "readlink -f d/up; realpath out/passwd",
      ...OUT,
      stderr: "readlink: d/up: Symbolic link leaves the workspace\nrealpath: out/passwd: Symbolic link leaves the workspace\n",
      exit: 1,
      differs: NOT_SHOWN,
    },
    {
      name: "test sees nothing there",
      command: "test -e shadow || echo no; test -r out/passwd || echo no",
      ...OUT,
      stdout: "no\nno\n",
      differs: NOT_SHOWN,
    },
    {
      name: "a FIFO is not read",
      command: "cat d/pipe 2>/dev/null; head d/pipe 2>/dev/null; file d/pipe",
      ...OUT,
      stdout: "d/pipe: fifo (named pipe)\n",
      differs: "the real tool waits for a writer",
    },
    { name: "a device is not read", command: "head -c 1 /dev/zero", refused: "PATH_ESCAPE" },
  ]);
});

/** Whoever may not make device nodes (not root) cannot run these. What no mode keeps from root is not asked here. */
const canMakeDevices = process.getuid?.() === 0;

needs({ name: "root (mknod)", isHere: canMakeDevices }).describe("sockets and devices", () => {
  const server = createServer();
  let place: Tree;
  beforeAll(async () => {
    place = tree(["d/", "d/x: needle"]);
    for (const [name, ...kind] of [
      ["null", "c", "1", "3"],
      ["zero", "c", "1", "5"],
      ["disk", "b", "7", "200"],
    ] as const) {
      spawnSync("/usr/bin/mknod", [join(place.path, "d", name), ...kind]);
    }
    await new Promise<void>((listening) => server.listen(join(place.path, "d/sock"), listening));
  });
  afterAll(() => {
    server.close();
    place.remove();
  });

  test.each([
    { command: "grep -rc needle d | sort", stdout: "d/x:1\n" },
    { command: "grep -D skip -c needle d/sock d/zero d/x", stdout: "d/x:1\n" },
    { command: "rg -c needle d", stdout: "d/x:1\n" },
    { command: "find d -type s; find d -type c | sort; find d -type b", stdout: "d/sock\nd/null\nd/zero\nd/disk\n" },
    { command: "find d -type f -exec cat {} +", stdout: "needle" },
    { command: "fd -t s . d", stdout: "d/sock\n" },
    { command: "ls d", stdout: "disk\nnull\nsock\nx\nzero\n" },
    { command: "cat d/zero", stderr: "cat: d/zero: Not a regular file\n", exit: 1 },
    { command: "wc -c d/disk", stderr: "wc: d/disk: Not a regular file\n", exit: 1 },
    { command: "grep needle d/sock", stderr: "grep: d/sock: Not a regular file\n", exit: 2 },
  ])("$command", async ({ command, stdout = "", stderr = "", exit = 0 }) => {
    expect(await runOurs({ command }, place.path)).toMatchObject({ stdout, stderr, exit });
  });
});
