/** Records that a repository brings, and what our own calls then record and take back. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { writeRecords } from "../../src/audit/write-records.ts";
import { Shell } from "../../src/session/shell.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";

const PATH = "src/main.js";
const ORIGINAL = "console.log('hello');\n";
const EVIL = "evil\n";
const MIRROR = `.shelpa/${PATH}`;

let place: Tree;
beforeEach(() => {
  place = tree([`${PATH}: ${ORIGINAL}`, ".shelpa/@/", ".shelpa/src/"]);
});
afterEach(() => place.remove());

const digest = (text: string) => ({ bytes: Buffer.byteLength(text), sha256: createHash("sha256").update(text).digest("hex") });
const read = (name: string): string => readFileSync(`${place.path}/${name}`, "utf8");

function bring(lines: readonly object[], mirror: string): void {
  let prev = "0".repeat(64);
  const texts = lines.map((line) => {
    const text = JSON.stringify({ ts: "2026-02-25T13:17:30Z", path: PATH, ...line, prev });
    prev = createHash("sha256").update(text).digest("hex");
    return `${text}\n`;
  });
  writeFileSync(`${place.path}/.shelpa/@/journal.jsonl`, texts.join(""));
  writeFileSync(`${place.path}/${MIRROR}`, mirror);
}

const intent = (facts: object): object => ({
  kind: "intent",
  mirror: MIRROR,
  targets: 1,
  mode: "overwrite",
  before: null,
  after: digest(ORIGINAL),
  content: digest(ORIGINAL),
  whole: true,
  previous: null,
  temporary: ".shelpa-new-0123456789abcdef",
  backup: ".shelpa-old-0123456789abcdef",
  session: "default",
  client: "mcp",
  command: "x",
  permitted_by: null,
  ...facts,
});

const done = (facts: object): object => ({
  kind: "outcome",
  result: "done",
  reason: "",
  recovered: false,
  after: digest(ORIGINAL),
  whole: true,
  pending: 0,
  ...facts,
});

const answers = (...lines: readonly string[]): Promise<readonly string[]> => answersIn(place.path, ...lines);

/** Texts of the answers to `lines`, run one after the other. */
async function answersIn(root: string, ...lines: readonly string[]): Promise<readonly string[]> {
  const shell = await Shell.open({ root, isolation: "none", policy: DEFAULT_POLICY });
  const texts: string[] = [];
  try {
    for (const line of lines) {
      const { result, stdout } = await shell.defaultSession.run(line);
      texts.push(`${stdout.toString()}${JSON.stringify(result)}`);
    }
  } finally {
    await shell.close();
  }
  return texts;
}

describe("a journal whose ids are ahead of the clock, with changes of the call that comes next", () => {
  const last = BigInt(Date.now() + 86_400_000) * 1_000_000n;
  const head = "--- shelpa:preimage ts=x record_id=1 ---\n";
  const second = `${head}${EVIL}--- shelpa:overwrite ---\n`;

  /** Ids of the pre-image and the change; the last line's is `last`, so the next record is `last + 1`. */
  const brought = (first: bigint, transaction: bigint): void => {
    const ids = { transaction: `${transaction}`, call: `${last + 1n}` };
    const preimage = { kind: "preimage", mirror: MIRROR, id: `${first}`, offset: 0, content_offset: head.length, content: digest(EVIL) };
    bring(
      [
        { ...preimage, ...ids },
        intent({ ...ids, id: `${first + 1n}`, offset: 0, content_offset: second.length, before: digest(EVIL), previous: `${first}` }),
        done({ ...ids, id: `${last}`, record_id: `${first + 1n}`, mirror_end: second.length + ORIGINAL.length }),
      ],
      second + ORIGINAL,
    );
  };

  test.each([
    ["higher than it", last + 1000n, last - 50n],
    ["lower than it", last - 2n, last - 50n],
    ["its own", last, last + 1n],
  ])("undo takes back the session's call alone: ids %s", async (_, first, transaction) => {
    brought(first, transaction);
    const [, planned, told] = await answers("echo note | tee notes.txt", "undo -n", "undo");
    expect(`${planned}${told}`).not.toContain("main.js");
    expect(existsSync(`${place.path}/notes.txt`)).toBe(false);
    expect(read(PATH)).toBe(ORIGINAL);
  });

  test("nor what was brought between the pre-image and the change of the session's call", async () => {
    writeFileSync(`${place.path}/notes.txt`, "theirs\n");
    brought(last, last + 1n);
    const [, planned, told] = await answers("echo note | tee notes.txt", "undo -n", "undo");
    expect(`${planned}${told}`).not.toContain("main.js");
    expect([read("notes.txt"), read(PATH)]).toEqual(["theirs\n", ORIGINAL]);
  });
});

describe("a journal that says of a file of somebody else's that the mirror holds it", () => {
  test.each([
    ["nothing like it", "y".repeat(500), 10, 100],
    ["it, elsewhere than the record says", `${"y".repeat(50)}${ORIGINAL}`, 10, 50 + ORIGINAL.length],
    ["too little", "y", 0, ORIGINAL.length],
  ])("its bytes are recorded before they go: the mirror holds %s", async (_, mirror, content_offset, mirror_end) => {
    const id = "1700000000000000000";
    const ids = { transaction: id, call: id };
    bring(
      [intent({ ...ids, id, offset: 0, content_offset }), done({ ...ids, id: `${id.slice(0, -1)}1`, record_id: id, mirror_end })],
      mirror,
    );
    await answers(`echo new | tee ${PATH}`, "undo");
    expect(read(PATH)).toBe(ORIGINAL);
    await answers(`rm ${PATH}`, "undo");
    expect(read(PATH)).toBe(ORIGINAL);
    await answers(`echo more | tee -a ${PATH}`, `rm ${PATH}`, "undo");
    expect(read(PATH)).toBe(`${ORIGINAL}more\n`);
  });
});

test.each(["\n", "{}\n", "x\n"])("a journal of a million lines %j is refused at once, with the way out", async (line) => {
  writeFileSync(`${place.path}/.shelpa/@/journal.jsonl`, line.repeat(1_000_000));
  for (const said of await answers("echo new | tee own", "undo"))
    expect(said).toMatch(/more than 10000 lines are no records: move it away|"exit":1/);
  expect(existsSync(`${place.path}/own`)).toBe(false);
});

// Other file systems hold no such times.
needs({ name: "/dev/shm", isHere: existsSync("/dev/shm") }).test(
  "a change of a file whose time is far away can be taken back",
  {},
  async () => {
    const root = mkdtempSync("/dev/shm/far-time-");
    try {
      writeFileSync(`${root}/f`, "far\n");
      execFileSync("touch", ["-d", "@99999999999999", `${root}/f`]);
      await answersIn(root, "rm f", "undo");
      expect(readFileSync(`${root}/f`, "utf8")).toBe("far\n");
    } finally {
      rmSync(root, { recursive: true });
    }
  },
);

test("nothing is changed where the journal has no more room for it", async () => {
  writeFileSync(`${place.path}/.shelpa/@/journal.jsonl`, "\n");
  truncateSync(`${place.path}/.shelpa/@/journal.jsonl`, (256 << 20) - 1000);
  const [told] = await answers(`rm ${PATH}`);
  expect(told).toContain("full: shelpa-mcp audit prune");
  expect(read(PATH)).toBe(ORIGINAL);
  expect(readdirSync(`${place.path}/.shelpa/@`)).not.toContain("lock");
});

test("a long command line is recorded once for all of its changes", async () => {
  mkdirSync(`${place.path}/d`);
  for (let file = 0; file < 100; file++) writeFileSync(`${place.path}/d/${file}`, `${file}\n`);
  const line = `rm -r d # ${"x".repeat(50_000)}`;
  await answers(line);
  expect(statSync(`${place.path}/.shelpa/@/journal.jsonl`).size).toBeLessThan(400_000);
  const workspace = Workspace.open(place.path);
  expect(writeRecords(workspace.writer()).every(({ command }) => command === line)).toBe(true);
  workspace.close();
});

test("an append to a file whose brought mirror is damaged is taken back from the file itself", async () => {
  const id = "1700000000000000000";
  const ids = { transaction: id, call: id };
  bring(
    [
      intent({ ...ids, id, offset: 0, content_offset: 0 }),
      done({ ...ids, id: `${id.slice(0, -1)}1`, record_id: id, mirror_end: ORIGINAL.length }),
    ],
    "y".repeat(ORIGINAL.length),
  );
  await answers(`echo more | tee -a ${PATH}`);
  expect(read(PATH)).toBe(`${ORIGINAL}more\n`);
  await answers(`undo ${PATH}`);
  expect(read(PATH)).toBe(ORIGINAL);
});

test("a brought list of what a prune left holds up no write", async () => {
  mkdirSync(`${place.path}/.shelpa/d/x`, { recursive: true });
  const mirrors = ["d", "n".repeat(300), "src"].map((path) => ({ path, mirror: `.shelpa/${path}` }));
  writeFileSync(`${place.path}/.shelpa/@/pruned.json`, JSON.stringify({ mirrors, links: [] }));
  await answers("echo new | tee made");
  expect(read("made")).toBe("new\n");
  expect(existsSync(`${place.path}/.shelpa/@/pruned.json`)).toBe(false);
});
