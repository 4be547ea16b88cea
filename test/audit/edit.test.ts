/** Edits: changes of many names made together, recorded, and taken back together. */
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { createRecorder } from "../../src/audit/recorder.ts";
import { planRestore, restore } from "../../src/audit/restore.ts";
import { createUndo } from "../../src/audit/undo.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { changeOf, writeRecords } from "../../src/audit/write-records.ts";
import type { EditTransaction, WriteReceipt } from "../../src/builtin/recorder.ts";
import type { UndoPlan } from "../../src/builtin/undo-access.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree } from "../tree.ts";

const CONTEXT = { session: "s", client: "test", line: "rm", confirmOversize: false };
const text = (content: string): Uint8Array[] => [Buffer.from(content)];

/** Names below `directory` with kind, permission bits, microsecond of the last change of a file, and content. */
function snapshot(directory: string, below = ""): string[] {
  return readdirSync(`${directory}/${below}`)
    .sort()
    .flatMap((name) => {
      const path = below === "" ? name : `${below}/${name}`;
      if (path === ".shelpa") return [];
      const status = lstatSync(`${directory}/${path}`, { bigint: true });
      const mode = (status.mode & 0o7777n).toString(8);
      if (status.isSymbolicLink()) return [`${path} -> ${readlinkSync(`${directory}/${path}`)}`];
      if (status.isDirectory()) return [`${path}/ ${mode}`, ...snapshot(directory, path)];
      return [`${path} ${mode} ${status.mtimeNs / 1000n} ${readFileSync(`${directory}/${path}`, "hex")}`];
    });
}

function inTree<T>(lines: readonly string[], action: (root: string, workspace: Workspace) => T): T {
  const { path, remove } = tree(lines);
  const workspace = Workspace.open(path);
  try {
    return action(path, workspace);
  } finally {
    workspace.close();
    remove();
  }
}

function edit(workspace: Workspace, changes: (edits: EditTransaction) => void, context = CONTEXT) {
  const edits = createRecorder(workspace, context).edit("");
  try {
    changes(edits);
    return edits.commit();
  } finally {
    edits.abort();
  }
}

const planUndo = (workspace: Workspace, id = ""): UndoPlan =>
  createUndo(workspace, { ...CONTEXT, writeVerdict: () => "ordinary" }).plan({ kind: "record", id });

const undo = (workspace: Workspace, id: string | undefined): readonly WriteReceipt[] => planUndo(workspace, id).carryOut();

const LINES = ["d/", "d/a: one", "d/b: two\n", "d/sub/", "d/sub/c: three", "d/link => a", "top: top\n"];

/** Removes the tree `d` of LINES. */
function removeTree(edits: EditTransaction): void {
  for (const file of ["d/a", "d/b", "d/link", "d/sub/c"]) edits.remove(file);
  edits.removeDirectory("d/sub");
  edits.removeDirectory("d");
}

describe("a transaction", () => {
  const rows: readonly { name: string; changes: (edits: EditTransaction) => void; after: readonly string[] }[] = [
    { name: "removes a tree", changes: removeTree, after: ["top: top\n"] },
    {
      name: "makes directories and files in them",
      changes(edits) {
        edits.makeDirectory("new");
        edits.makeDirectory("new/deep", { mode: 0o500 });
        edits.replace("new/deep/file", text("content"), { mode: 0o640, modifiedNs: 1_000_000_000_123_456_000n });
        edits.link("new/deep/l", "../x");
      },
      after: [...LINES, "new/", "new/deep/", "new/deep/file: content", "new/deep/l => ../x"],
    },
    {
      name: "gives each file bytes of its own",
      changes(edits) {
        edits.replace("d/a", text("ONE"));
        edits.replace("top", text("TOP"));
        edits.replace("empty", []);
      },
      after: ["d/", "d/a: ONE", "d/b: two\n", "d/sub/", "d/sub/c: three", "d/link => a", "top: TOP", "empty: "],
    },
    {
      name: "takes back what it made itself",
      changes(edits) {
        edits.makeDirectory("x");
        edits.replace("x/y", text("z"));
        edits.remove("x/y");
        edits.removeDirectory("x");
        edits.remove("top");
      },
      after: LINES.filter((line) => !line.startsWith("top")),
    },
    { name: "sets times and modes", changes: (edits) => edits.setAttributes("top", { modifiedNs: 5_000_000n, mode: 0o600 }), after: LINES },
  ];
  for (const { name, changes, after } of rows) {
    test(`${name}, is recorded, and is undone as one, byte for byte and mode for mode`, () => {
      const expected = inTree(after, (root) => snapshot(root).map((line) => line.replace(/ \d+ \d+ /, " ")));
      inTree(LINES, (root, workspace) => {
        chmodSync(`${root}/d/a`, 0o751);
        chmodSync(`${root}/d/sub`, 0o2755);
        utimesSync(`${root}/d/b`, 1.5, 2.25);
        const before = snapshot(root);
        const receipts = edit(workspace, changes);
        expect(snapshot(root).map((line) => line.replace(/ \d+ \d+ /, " ").replace(/\/ \d+$/, "/"))).toEqual(
          expected.map((line) => line.replace(/\/ \d+$/, "/")),
        );
        expect(verifyAudit(workspace).findings).toEqual([]);
        const records = writeRecords(workspace.writer());
        expect(records.map(({ id }) => id)).toEqual(receipts.map(({ recordId }) => recordId));
        expect(new Set(records.map(({ transaction }) => transaction)).size).toBe(1);
        const plan = planUndo(workspace, receipts.at(-1)?.recordId);
        expect(new Set(plan.names.map(({ state }) => state))).toEqual(new Set(["as recorded"]));
        const undone = plan.carryOut();
        expect(snapshot(root)).toEqual(before);
        expect(verifyAudit(workspace).findings).toEqual([]);
        expect(new Set(planUndo(workspace, receipts[0]?.recordId).names.map(({ state }) => state))).toEqual(new Set(["undone"]));
        const after = snapshot(root);
        undo(workspace, undone[0]?.recordId);
        undo(workspace, receipts[0]?.recordId);
        expect(snapshot(root)).toEqual(after);
      });
    });
  }
});

describe("a change that cannot be made is refused, and those beside it are not", () => {
  const rows: readonly { name: string; change: (edits: EditTransaction) => void; code: string }[] = [
    { name: "a file that is not there", change: (edits) => edits.remove("none"), code: "ENOENT" },
    { name: "a directory as a file", change: (edits) => edits.remove("d"), code: "EISDIR" },
    { name: "a file as a directory", change: (edits) => edits.removeDirectory("top"), code: "ENOTDIR" },
    { name: "a directory with a file left in it", change: (edits) => edits.removeDirectory("d"), code: "ENOTEMPTY" },
    { name: "a directory that is there", change: (edits) => edits.makeDirectory("d"), code: "EEXIST" },
    { name: "a file in no directory", change: (edits) => edits.replace("no/file", text("x")), code: "ENOENT" },
    { name: "a file below a file", change: (edits) => edits.replace("top/file", text("x")), code: "ENOTDIR" },
    { name: "a file through a link", change: (edits) => edits.replace("d/link", text("x")), code: "NOT_REGULAR_FILE" },
    { name: "the records", change: (edits) => edits.makeDirectory(".shelpa/x"), code: "PROTECTED_PATH" },
    { name: "git's own", change: (edits) => edits.makeDirectory("d/.git"), code: "PROTECTED_PATH" },
    { name: "what agents obey", change: (edits) => edits.replace(".envrc", text("x")), code: "NEEDS_APPROVAL" },
    { name: "the root", change: (edits) => edits.removeDirectory("."), code: "EBUSY" },
    { name: "a path outside", change: (edits) => edits.remove("../x"), code: "PATH_ESCAPE" },
    { name: "a file through a link to outside", change: (edits) => edits.remove("d/out/x"), code: "SYMLINK_ESCAPE" },
    { name: "a device", change: (edits) => edits.replace("/dev/null", text("x")), code: "PATH_ESCAPE" },
  ];
  for (const { name, change, code } of rows) {
    test(name, () => {
      inTree([...LINES, "d/out => /etc"], (root, workspace) => {
        edit(workspace, (edits) => {
          expect(() => change(edits)).toThrow(expect.objectContaining({ name: "FileError", code }));
          edits.replace("beside", text("written"));
        });
        expect(readFileSync(`${root}/beside`, "utf8")).toBe("written");
        expect(writeRecords(workspace.writer()).map(({ path }) => path)).toEqual(["beside"]);
      });
    });
  }
});

test("what a directory of git's would be completed by is refused as a whole", () => {
  inTree(["bare/", "bare/objects/", "bare/refs/"], (root, workspace) => {
    expect(() =>
      edit(workspace, (edits) => {
        edits.replace("ordinary", text("x"));
        edits.replace("bare/HEAD", text("ref: refs/heads/x\n"));
      }),
    ).toThrow(expect.objectContaining({ code: "PROTECTED_PATH" }));
    expect(snapshot(root).join()).not.toContain("ordinary");
  });
});

test("a failure at the end puts everything back", () => {
  inTree(LINES, (root, workspace) => {
    const edits = createRecorder(workspace, CONTEXT).edit("");
    removeTree(edits);
    edits.makeDirectory("new");
    edits.replace("new/file", text("x"));
    writeFileSync(`${root}/d/late`, "somebody else's");
    const before = snapshot(root);
    expect(() => edits.commit()).toThrow(FileError);
    expect(snapshot(root)).toEqual(before);
    expect(writeRecords(workspace.writer()).every((record) => changeOf(record).startsWith("abandoned"))).toBe(true);
    expect(verifyAudit(workspace).findings).toEqual([]);
    expect(readdirSync(`${root}/.shelpa/@`)).not.toContainEqual(expect.stringMatching(/^\.shelpa-/));
  });
});

test("an undo says what was changed since; a directory with something in it that came later stays", () => {
  inTree(LINES, (root, workspace) => {
    const [receipt] = edit(workspace, (edits) => {
      edits.replace("top", text("new"));
      edits.remove("d/a");
      edits.makeDirectory("made");
    });
    writeFileSync(`${root}/top`, "somebody else's");
    writeFileSync(`${root}/made/x`, "");
    const plan = planUndo(workspace, receipt?.recordId);
    expect(plan.names.map(({ path, state }) => [path, state])).toEqual([
      ["top", "changed"],
      ["d/a", "as recorded"],
      ["made", "held"],
    ]);
    writeFileSync(`${root}/top`, "again");
    expect(() => plan.carryOut()).toThrow(expect.objectContaining({ code: "CONFLICT" }));
    expect(existsSync(`${root}/d/a`)).toBe(false);
    expect(undo(workspace, receipt?.recordId).map(({ path }) => path)).toEqual(["top", "d/a"]);
    expect(readFileSync(`${root}/d/a`, "utf8")).toBe("one");
    expect(existsSync(`${root}/made/x`)).toBe(true);
  });
});

test("the other name of a file keeps its bytes, and two names of one file are removed together", () => {
  inTree(["a: shared"], (root, workspace) => {
    linkSync(`${root}/a`, `${root}/b`);
    linkSync(`${root}/a`, `${root}/c`);
    edit(workspace, (edits) => {
      edits.remove("a");
      edits.replace("b", text("new"));
    });
    expect(readFileSync(`${root}/c`, "utf8")).toBe("shared");
    expect(readFileSync(`${root}/b`, "utf8")).toBe("new");
    linkSync(`${root}/c`, `${root}/e`);
    edit(workspace, (edits) => {
      edits.remove("c");
      edits.remove("e");
    });
    expect(existsSync(`${root}/c`) || existsSync(`${root}/e`)).toBe(false);
  });
});

test("one record of a transaction is restored by itself, a directory and a link as well", () => {
  inTree(LINES, (root, workspace) => {
    const before = snapshot(root);
    const receipts = edit(workspace, removeTree);
    for (const { recordId } of receipts.toReversed()) restore(workspace, planRestore(workspace, recordId, { undo: true }), CONTEXT);
    expect(snapshot(root)).toEqual(before);
    for (const { recordId } of receipts) restore(workspace, planRestore(workspace, recordId, { undo: false }), CONTEXT);
    expect(existsSync(`${root}/d`)).toBe(false);
    expect(verifyAudit(workspace).findings).toEqual([]);
  });
});

test("verify tells a directory and a link that somebody else changed", () => {
  inTree([], (root, workspace) => {
    edit(workspace, (edits) => {
      edits.makeDirectory("gone");
      edits.link("l", "x");
    });
    const { findings } = verifyAudit(workspace);
    expect(findings).toEqual([]);
    symlinkSync("y", `${root}/gone-link`);
    edit(workspace, (edits) => edits.remove("gone-link"));
    mkdirSync(`${root}/gone-link`);
    expect(verifyAudit(workspace).findings.map(({ code, path }) => `${code} ${path}`)).toEqual(["CHANGED_OUTSIDE gone-link"]);
  });
});

test("times are set of the name that was given alone, and taken back so", () => {
  inTree(["a: one"], (root, workspace) => {
    const times = (): readonly number[] => ["a", "b", "c"].map((name) => lstatSync(`${root}/${name}`).mtimeMs / 1e12);
    for (const name of ["b", "c"]) linkSync(`${root}/a`, `${root}/${name}`);
    utimesSync(`${root}/a`, 1e9, 1e9);
    chmodSync(`${root}/a`, 0o640);
    const before = snapshot(root).slice(0, 1);
    const receipts = edit(workspace, (edits) => {
      for (const name of ["a", "b"]) edits.setAttributes(name, { modifiedNs: 2_000_000_000_000_000_000n });
    });
    expect(times()).toEqual([2, 2, 1]);
    // Whoever gives the name a second one afterwards.
    linkSync(`${root}/a`, `${root}/d`);
    undo(workspace, receipts[0]?.recordId);
    expect(times()).toEqual([1, 1, 1]);
    expect(lstatSync(`${root}/d`).mtimeMs).toBe(2e12);
    for (const name of ["b", "c", "d"]) rmSync(`${root}/${name}`);
    expect(snapshot(root)).toEqual(before);
    linkSync(`${root}/a`, `${root}/e`);
    const [one] = edit(workspace, (edits) => edits.setAttributes("a", { accessedNs: 1n }));
    expect(lstatSync(`${root}/a`).mtimeMs).toBe(1e12);
    restore(workspace, planRestore(workspace, one?.recordId ?? "", { undo: true }), CONTEXT);
    expect(lstatSync(`${root}/e`).mtimeMs).toBe(1e12);
  });
});

test("the time of a directory is recorded as it was before anything is made in it", () => {
  inTree(["d/"], (root, workspace) => {
    utimesSync(`${root}/d`, 1e9, 1e9);
    const receipts = edit(workspace, (edits) => {
      edits.replace("d/new", []);
      edits.setAttributes("d", { modifiedNs: 2_000_000_000_000_000_000n });
    });
    expect(lstatSync(`${root}/d`).mtimeMs).toBe(2e12);
    undo(workspace, receipts[0]?.recordId);
    expect(lstatSync(`${root}/d`).mtimeMs).toBe(1e12);
  });
});

test("a file removed and written anew in one transaction has the permission bits of a new one", () => {
  inTree(["a: one"], (root, workspace) => {
    chmodSync(`${root}/a`, 0o700);
    edit(workspace, (edits) => {
      edits.remove("a");
      edits.replace("a", text("two"), { creation: 0o640 });
    });
    expect(lstatSync(`${root}/a`).mode & 0o777).toBe(0o640);
  });
});

describe("more than the limit, written or removed, is asked for", () => {
  const large = Buffer.alloc((1 << 20) + 1);
  const rows = [
    { name: "written", changes: (edits: EditTransaction) => edits.replace("new", [large]), confirmed: "done" },
    { name: "written in two files", changes: halves, confirmed: "done" },
    { name: "removed", changes: (edits: EditTransaction) => edits.remove("large"), confirmed: "NEEDS_APPROVAL" },
  ];
  function halves(edits: EditTransaction): void {
    edits.replace("one", [large.subarray(1 << 19)]);
    edits.replace("two", [large.subarray(1 << 19)]);
  }
  for (const { name, changes, confirmed } of rows) {
    test(name, () => {
      inTree([], (root, workspace) => {
        writeFileSync(`${root}/large`, large);
        const oversize = expect.objectContaining({ code: "OVERSIZE_WRITE" });
        expect(() => edit(workspace, changes)).toThrow(oversize);
        const again = (): unknown => edit(workspace, changes, { ...CONTEXT, confirmOversize: true });
        if (confirmed === "done") again();
        else expect(again).toThrow(expect.objectContaining({ code: confirmed }));
        expect(writeRecords(workspace.writer()).length > 0).toBe(confirmed === "done");
      });
    });
  }
});

test("of more than 10,000 changes none is made", { timeout: 120_000 }, () => {
  inTree(["d/"], (root, workspace) => {
    const edits = createRecorder(workspace, CONTEXT).edit("");
    for (let index = 0; index < 10_000; index++) edits.makeDirectory(`d/${index}`);
    expect(() => edits.makeDirectory("d/more")).toThrow(expect.objectContaining({ code: "OVERSIZE_WRITE" }));
    edits.abort();
    expect(readdirSync(`${root}/d`)).toEqual([]);
  });
});

test("1,000 files in one transaction need few descriptors, and come back", { timeout: 120_000 }, () => {
  inTree(["d/"], (root, workspace) => {
    for (let index = 0; index < 1_000; index++) writeFileSync(`${root}/d/${index}`, `${index}\n`);
    const before = snapshot(root);
    const open = (): number => readdirSync("/proc/self/fd").length;
    const atFirst = open();
    const receipts = edit(workspace, (edits) => {
      for (let index = 0; index < 1_000; index++) edits.remove(`d/${index}`);
      edits.removeDirectory("d");
      expect(open()).toBeLessThan(atFirst + 10);
    });
    expect(existsSync(`${root}/d`)).toBe(false);
    undo(workspace, receipts[7]?.recordId);
    expect(snapshot(root)).toEqual(before);
  });
});
