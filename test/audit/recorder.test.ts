/** Traces of a recorded write: the file, the mirror, the journal, the receipt, and nothing else. */
import { execFileSync, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fileVersions } from "../../src/audit/mirror.ts";
import { OversizeWrite } from "../../src/audit/oversize-write.ts";
import { createRecorder, type RecordContext } from "../../src/audit/recorder.ts";
import type { WriteMode, WriteReceipt, WriteTransaction } from "../../src/builtin/recorder.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree, type Tree } from "../tree.ts";
import { checkRecovered, journal } from "./tree-check.ts";

/** 2026-02-25T13:17:30Z. */
const NOON_NS = 1772025450395572000n;
const SEPARATOR = (kind: string, id: string): string => `--- shelpa:${kind} ts=2026-02-25T13:17:30Z record_id=${id} ---\n`;

let place: Tree;
let workspace: Workspace;
let root: string;
beforeEach(() => {
  place = tree([]);
  root = place.path;
  workspace = Workspace.open(root);
});
afterEach(() => {
  workspace.close();
  place.remove();
});

function begin(
  targets: readonly string[],
  mode: WriteMode = "overwrite",
  context: Partial<RecordContext> = {},
  directory = "",
): WriteTransaction {
  return createRecorder(workspace, {
    session: "session-1",
    client: "client-1",
    line: "echo x | tee f",
    confirmOversize: false,
    nowNs: () => NOON_NS,
    ...context,
  }).begin(targets, mode, directory);
}

function write(target: string | readonly string[], text: string, mode: WriteMode = "overwrite"): readonly WriteReceipt[] {
  const transaction = begin(typeof target === "string" ? [target] : target, mode);
  transaction.write(toBytes(text));
  return transaction.commit();
}

const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8");
const everything = (): string[] => readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
const permissions = (path: string): string => (statSync(`${root}/${path}`).mode & 0o7777).toString(8);
const versions = (path: string): (string | undefined)[] =>
  fileVersions(workspace.writer(), path).map((version) => version.read()?.toString());

function refusal(action: () => unknown): Pick<FileError, "code" | "message"> {
  try {
    action();
  } catch (thrown) {
    if (thrown instanceof FileError) return { code: thrown.code, message: thrown.message };
    throw thrown;
  }
  throw new Error("not refused");
}

describe("formats", () => {
  test("a new file: the separator of DESIGN §8, then the content", () => {
    mkdirSync(`${root}/out`);
    const [receipt] = write("out/f", "a\n");
    expect(read(".shelpa/out/f")).toBe("--- shelpa:overwrite ts=2026-02-25T13:17:30Z record_id=1772025450395572000 ---\na\n");
    expect(receipt).toEqual({
      path: "out/f",
      mirror: ".shelpa/out/f",
      mode: "overwrite",
      bytes: 2,
      recordId: "1772025450395572000",
      created: true,
      previous: null,
      permittedBy: null,
      change: { added: 1, removed: 0, diff: [], more: 0 },
    });
  });

  test("ids increase though the clock stands still", () => {
    const ids = [write("f", "1"), write("f", "2"), write("g", "3")].map(([receipt]) => BigInt(receipt?.recordId ?? 0));
    expect(ids[0]).toBe(NOON_NS);
    expect((ids[1] as bigint) > (ids[0] as bigint) && (ids[2] as bigint) > (ids[1] as bigint)).toBe(true);
  });

  test("a separator stands on its own line though the content before it is not ended", () => {
    const [first] = write("f", "a");
    const [second] = write("f", "b");
    expect(read(".shelpa/f")).toBe(`${SEPARATOR("overwrite", first?.recordId ?? "")}a\n${SEPARATOR("overwrite", second?.recordId ?? "")}b`);
    expect(second?.previous).toBe(first?.recordId);
    expect(versions("f")).toEqual(["a", "b"]);
  });

  test("an append has no separator", () => {
    write("f", "a\n", "append");
    write("f", "b\n", "append");
    expect(read(".shelpa/f")).toBe("a\nb\n");
    expect(read("f")).toBe("a\nb\n");
    expect(versions("f")).toEqual(["a\n", "a\nb\n"]);
  });

  test("the first overwrite of somebody else's bytes is preceded by them", () => {
    writeFileSync(`${root}/f`, "theirs");
    const [receipt] = write("f", "ours\n");
    const previous = receipt?.previous ?? "";
    expect(read(".shelpa/f")).toBe(`${SEPARATOR("preimage", previous)}theirs\n${SEPARATOR("overwrite", receipt?.recordId ?? "")}ours\n`);
    expect(receipt?.created).toBe(false);
    expect(versions("f")).toEqual(["theirs", "ours\n"]);
    write("f", "ours again\n");
    expect(read(".shelpa/f").match(/shelpa:preimage/g)).toHaveLength(1);
  });

  test("and again when somebody else has changed what we wrote", () => {
    write("f", "ours\n");
    writeFileSync(`${root}/f`, "theirs\n");
    write("f", "ours again\n");
    expect(versions("f")).toEqual(["ours\n", "theirs\n", "ours again\n"]);
  });

  test("an append to somebody else's bytes records the appended; overwriting that records all of it", () => {
    writeFileSync(`${root}/f`, "theirs\n");
    const [receipt] = write("f", "ours\n", "append");
    expect(receipt?.previous).toBe(null);
    expect(read(".shelpa/f")).toBe("ours\n");
    expect(read("f")).toBe("theirs\nours\n");
    expect(versions("f")).toEqual([undefined]);
    write("f", "2\n", "append");
    write("f", "new\n");
    expect(versions("f")).toEqual(["theirs\nours\n", "theirs\nours\n2\n", "theirs\nours\n2\n", "new\n"]);
  });

  test("content that looks like a separator is content", () => {
    const forged = `x\n${SEPARATOR("overwrite", "1")}y\n${SEPARATOR("preimage", "2")}`;
    write("f", forged);
    write("f", "z", "append");
    write("f", forged);
    expect(versions("f")).toEqual([forged, `${forged}z`, forged]);
  });

  test("a command line that looks like a journal line is text", () => {
    const line = '\n{"kind":"outcome","path":"f","result":"done"}\n"path":"f"';
    for (const text of ["a", "b"]) {
      const transaction = begin(["f"], "overwrite", { line });
      transaction.write(Buffer.from(text));
      transaction.commit();
    }
    expect(journal(root).lines).toHaveLength(4);
    expect(checkRecovered(root, ["f"], {})).toEqual([]);
  });

  test("the journal: an intent and an outcome a write, chained", () => {
    writeFileSync(`${root}/f`, "old\n");
    write("f", "new bytes\n");
    const { lines, problems } = journal(root);
    expect(problems).toEqual([]);
    expect(lines.map((line) => line.kind)).toEqual(["preimage", "intent", "outcome"]);
    expect(lines[1]).toMatchObject({
      path: "f",
      mirror: ".shelpa/f",
      mode: "overwrite",
      session: "session-1",
      client: "client-1",
      command: "echo x | tee f",
      ts: "2026-02-25T13:17:30Z",
    });
    const { content_offset: offset, content } = lines[1] as (typeof lines)[number];
    expect(
      readFileSync(`${root}/.shelpa/f`)
        .subarray(offset, offset + content.bytes)
        .toString(),
    ).toBe("new bytes\n");
    expect(lines[2]).toMatchObject({ record_id: lines[1]?.id, result: "done", pending: 0, recovered: false });
  });

  test("a mirror that somebody has cut short or removed does not count as holding the file", () => {
    write("f", "one\n");
    writeFileSync(`${root}/.shelpa/f`, "");
    write("f", "two\n");
    expect(read(".shelpa/f")).toMatch(/shelpa:preimage .*\none\n--- shelpa:overwrite .*\ntwo\n$/);
    rmSync(`${root}/.shelpa/f`);
    write("f", "three\n");
    expect(read(".shelpa/f")).toMatch(/shelpa:preimage .*\ntwo\n--- shelpa:overwrite .*\nthree\n$/);
  });

  test("names that are no text", () => {
    write("\udcff\n", "a");
    expect(readFileSync(Buffer.concat([Buffer.from(`${root}/.shelpa/`), Buffer.of(0xff, 0x0a)]), "utf8")).toMatch(/---\na$/);
    expect(versions("\udcff\n")).toEqual(["a"]);
  });

  test("a file called @ or below it does not reach our own files", () => {
    write("@/journal.jsonl", "a");
    write("@@", "b");
    expect(versions("@/journal.jsonl")).toEqual(["a"]);
    expect(versions("@@")).toEqual(["b"]);
    expect(journal(root).problems).toEqual([]);
    expect(existsSync(`${root}/.shelpa/@@/journal.jsonl`)).toBe(true);
    expect(existsSync(`${root}/.shelpa/@@@`)).toBe(true);
  });

  test("a directory where a file was, and the reverse", () => {
    write("a", "file");
    rmSync(`${root}/a`);
    const [below] = write("a/b", "below");
    expect(below?.mirror).toMatch(/^\.shelpa\/@\/aside\/[0-9a-f]{64}$/);
    write("a/b", "again");
    expect(versions("a")).toEqual(["file"]);
    expect(versions("a/b")).toEqual(["below", "again"]);
    write("c/d", "below");
    rmSync(`${root}/c`, { recursive: true });
    write("c", "file");
    expect(versions("c")).toEqual(["file"]);
  });

  test("1,000 versions of one file", { timeout: 60_000 }, () => {
    const disk = process.env.TMPDIR;
    if (existsSync("/dev/shm")) process.env.TMPDIR = "/dev/shm";
    const other = tree([]);
    if (disk === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = disk;
    const memory = Workspace.open(other.path);
    for (let version = 0; version < 1000; version++) {
      const transaction = createRecorder(memory, { session: "", client: "", line: "", confirmOversize: false }).begin(
        ["f"],
        version % 3 === 2 ? "append" : "overwrite",
        "",
      );
      transaction.write(Buffer.from(`version ${version}\n`));
      transaction.commit();
    }
    const all = fileVersions(memory.writer(), "f");
    expect(all).toHaveLength(1000);
    expect(all[500]?.read()?.toString()).toBe("version 499\nversion 500\n");
    expect(all[999]?.read()?.toString()).toBe("version 999\n");
    memory.close();
    other.remove();
  });
});

describe("the file", () => {
  test("an existing file keeps its permission bits, a new one has those of the umask", () => {
    writeFileSync(`${root}/f`, "#!/bin/sh\n");
    chmodSync(`${root}/f`, 0o751);
    write("f", "new\n");
    expect(permissions("f")).toBe("751");
    const before = process.umask(0o027);
    write("d/g", "new\n");
    process.umask(before);
    expect([permissions("d/g"), permissions("d")]).toEqual(["640", "750"]);
  });

  test("mirror and journal are for us alone", () => {
    const before = process.umask(0);
    write("d/f", "a\n");
    process.umask(before);
    expect([".shelpa", ".shelpa/@", ".shelpa/d"].map(permissions)).toEqual(["700", "700", "700"]);
    expect([".shelpa/d/f", ".shelpa/@/journal.jsonl"].map(permissions)).toEqual(["600", "600"]);
  });

  test("an owner other than ours is kept", { skip: process.getuid?.() !== 0 }, () => {
    writeFileSync(`${root}/f`, "a\n");
    execFileSync("chown", ["1234:2345", `${root}/f`]);
    write("f", "b\n");
    const { uid, gid } = statSync(`${root}/f`);
    expect([uid, gid]).toEqual([1234, 2345]);
  });

  test("another name of the file keeps the old bytes", () => {
    writeFileSync(`${root}/f`, "old\n");
    linkSync(`${root}/f`, `${root}/other`);
    write("f", "new\n");
    expect([read("f"), read("other")]).toEqual(["new\n", "old\n"]);
  });

  test("several files, from a directory below", () => {
    mkdirSync(`${root}/d`);
    const transaction = begin(["../a", "x/b"], "overwrite", {}, "d");
    transaction.write(Buffer.from("both\n"));
    expect(transaction.commit().map(({ path }) => path)).toEqual(["a", "d/x/b"]);
    expect([read("a"), read("d/x/b")]).toEqual(["both\n", "both\n"]);
  });

  test("nothing is left beside it, and an abort leaves nothing at all", () => {
    begin(["d/f"]).abort();
    const transaction = begin(["d/f"]);
    transaction.write(Buffer.from("x"));
    transaction.abort();
    expect(everything()).toEqual([]);
    write("d/f", "x");
    expect(everything().filter((name) => /shelpa-|lock/.test(name))).toEqual([]);
  });
});

describe("refusals change nothing", () => {
  const rows: readonly (readonly [name: string, tree: readonly string[], target: string, code: string])[] = [
    [".shelpa is a file", [".shelpa: x"], "f", "AUDIT_UNAVAILABLE"],
    [".shelpa is a link", ["other/", ".shelpa => other"], "f", "AUDIT_UNAVAILABLE"],
    ["the mirror is a link", [".shelpa/", ".shelpa/f => ../keep"], "f", "AUDIT_UNAVAILABLE"],
    ["the mirror is a FIFO", [".shelpa/", ".shelpa/f|"], "f", "AUDIT_UNAVAILABLE"],
    ["a directory of the mirror is a link", [".shelpa/", "other/", ".shelpa/d => ../other"], "d/f", "AUDIT_UNAVAILABLE"],
    ["the journal is a link", [".shelpa/@/", ".shelpa/@/journal.jsonl => ../../keep"], "f", "AUDIT_UNAVAILABLE"],
    ["protected", [], ".Git/config", "PROTECTED_PATH"],
    ["for a person to allow", [], ".envrc", "NEEDS_APPROVAL"],
    ["outside", [], "../f", "PATH_ESCAPE"],
    ["the root", [], ".", "EISDIR"],
    ["a link", ["l => keep"], "l", "NOT_REGULAR_FILE"],
  ];
  for (const [name, lines, target, code] of rows) {
    test(name, () => {
      workspace.close();
      place.remove();
      place = tree(["keep: keep", ...lines]);
      root = place.path;
      workspace = Workspace.open(root);
      const before = everything();
      expect(refusal(() => write(target, "x")).code).toBe(code);
      expect(everything()).toEqual(before);
      expect(read("keep")).toBe("keep");
    });
  }

  test("the mirror is another name of a file", () => {
    writeFileSync(`${root}/keep`, "keep");
    mkdirSync(`${root}/.shelpa`);
    linkSync(`${root}/keep`, `${root}/.shelpa/f`);
    expect(refusal(() => write("f", "x")).code).toBe("AUDIT_UNAVAILABLE");
    expect([read("keep"), existsSync(`${root}/f`)]).toEqual(["keep", false]);
  });

  test("a directory that must not be written", { skip: process.getuid?.() !== 0 }, () => {
    // As another user, because root may write everywhere.
    mkdirSync(`${root}/.shelpa`);
    chmodSync(`${root}/.shelpa`, 0o555);
    chmodSync(root, 0o777);
    process.seteuid?.(65534);
    try {
      expect(refusal(() => write("f", "x")).code).toBe("AUDIT_UNAVAILABLE");
    } finally {
      process.seteuid?.(0);
    }
    expect(existsSync(`${root}/f`)).toBe(false);
  });

  test("a file that must not be written", { skip: process.getuid?.() !== 0 }, () => {
    chmodSync(root, 0o777);
    writeFileSync(`${root}/f`, "old", { mode: 0o644 });
    process.seteuid?.(65534);
    try {
      expect(refusal(() => write("f", "x"))).toEqual({ code: "EACCES", message: "Permission denied" });
    } finally {
      process.seteuid?.(0);
    }
    expect(read("f")).toBe("old");
  });
});

describe("size", () => {
  test("past the cap: the error says the cap and what was seen, and nothing is there", () => {
    const transaction = begin(["f"], "overwrite", { oversizeBytes: 10 });
    transaction.write(Buffer.alloc(10));
    let thrown: unknown;
    try {
      transaction.write(Buffer.alloc(5));
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(OversizeWrite);
    expect(thrown).toMatchObject({ code: "OVERSIZE_WRITE", path: "f", cap: 10, seen: 15, confirmable: true });
    expect(everything()).toEqual([]);
    expect(() => transaction.commit()).toThrow();
  });

  test("confirmed: larger than memory holds, whole in file and mirror", () => {
    const block = Buffer.alloc(700_000, "abcdefg\n");
    const transaction = begin(["f", "g"], "overwrite", { confirmOversize: true });
    for (let count = 0; count < 5; count++) transaction.write(block);
    expect(everything().filter((name) => /spool/.test(name))).toEqual([]);
    expect(transaction.commit().map(({ bytes }) => bytes)).toEqual([3_500_000, 3_500_000]);
    const whole = Buffer.concat([block, block, block, block, block]);
    expect(readFileSync(`${root}/f`).equals(whole) && readFileSync(`${root}/g`).equals(whole)).toBe(true);
    expect(fileVersions(workspace.writer(), "g")[0]?.read()?.equals(whole)).toBe(true);
  });

  test("confirmed, but past what may ever be written", () => {
    const transaction = begin(["f"], "overwrite", { confirmOversize: true, maxBytes: 100 });
    expect(() => transaction.write(Buffer.alloc(101))).toThrow(OversizeWrite);
  });
});

describe("somebody else meanwhile", () => {
  test("the file becomes a directory between begin and commit", () => {
    const transaction = begin(["f"]);
    transaction.write(Buffer.from("x"));
    mkdirSync(`${root}/f`);
    expect(refusal(() => transaction.commit()).code).toBe("EISDIR");
  });

  test("a directory on the way becomes a link elsewhere", () => {
    mkdirSync(`${root}/d`);
    mkdirSync(`${root}/e`);
    const transaction = begin(["d/f"]);
    transaction.write(Buffer.from("x"));
    renameSync(`${root}/d`, `${root}/was`);
    symlinkSync("e", `${root}/d`);
    expect(refusal(() => transaction.commit()).code).toBe("CONFLICT");
    expect(existsSync(`${root}/e/f`)).toBe(false);
  });

  test("an append lands behind what was appended after begin", () => {
    const first = begin(["f"], "append");
    const second = begin(["f"], "append");
    first.write(Buffer.from("1\n"));
    second.write(Buffer.from("2\n"));
    second.commit();
    first.commit();
    expect(read("f")).toBe("2\n1\n");
    expect(versions("f")).toEqual(["2\n", "2\n1\n"]);
  });

  test("a lock of a process that is gone is taken over, one of a living process is waited for", () => {
    write("f", "a");
    const lock = `${root}/.shelpa/@/lock`;
    const gone = spawnSync("true");
    const owner = { pid: gone.pid, started: "1", space: "", host: "" };
    const living = execFileSync(
      process.execPath,
      [
        "-e",
        "process.stdout.write(require('fs').readlinkSync('/proc/self/ns/pid')+' '+require('fs').readFileSync('/proc/sys/kernel/random/boot_id','utf8').trim()+'\\n'+require('os').hostname())",
      ],
      { encoding: "utf8" },
    );
    const [space = "", host = ""] = living.split("\n");
    writeFileSync(
      lock,
      JSON.stringify({
        owner: { ...owner, space, host },
        note: { temporaries: [".shelpa-new-0000000000000001", "x/.shelpa-new-0000000000000002"], directories: ["made", "made/below"] },
        inherited: [],
      }),
    );
    writeFileSync(`${root}/.shelpa-new-0000000000000001`, "left");
    mkdirSync(`${root}/made/below`, { recursive: true });
    write("f", "b");
    expect([read("f"), existsSync(lock), existsSync(`${root}/.shelpa-new-0000000000000001`), existsSync(`${root}/made`)]).toEqual([
      "b",
      false,
      false,
      false,
    ]);
  });
});

test("two processes append to one file and overwrite another: nothing is lost", { timeout: 60_000 }, async () => {
  const bundle = tree([]);
  await build({
    stdin: {
      contents: `
        import { createRecorder } from "./src/audit/recorder.ts";
        import { Workspace } from "./src/workspace/workspace.ts";
        const [root, name] = process.argv.slice(2);
        const workspace = Workspace.open(root);
        for (let round = 0; round < 40; round++) {
          for (const [file, mode] of [["log", "append"], ["last", "overwrite"]]) {
            const transaction = createRecorder(workspace, { session: name, client: "", line: "", confirmOversize: false }).begin([file], mode, "");
            transaction.write(Buffer.from(name + " " + round + "\\n"));
            transaction.commit();
          }
        }`,
      resolveDir: `${import.meta.dirname}/../..`,
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: `${bundle.path}/writer.mjs`,
    logLevel: "error",
  });
  const children = ["one", "two"].map((name) => fork(`${bundle.path}/writer.mjs`, [root, name]));
  const exits = await Promise.all(children.map((child) => once(child, "exit")));
  expect(exits.map(([code]) => code as number)).toEqual([0, 0]);
  const lines = read("log").trimEnd().split("\n");
  for (const name of ["one", "two"]) {
    expect(lines.filter((line) => line.startsWith(name))).toEqual(Array.from({ length: 40 }, (_, round) => `${name} ${round}`));
  }
  expect(checkRecovered(root, ["log", "last"], {})).toEqual([]);
  expect(versions("last")).toHaveLength(80);
  expect(lstatSync(`${root}/.shelpa/log`).size).toBe(read("log").length);
  bundle.remove();
});
