/** Lines for a sink: each once and in order, through prunes, rewritten journals, and journals that a project brought. */
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { prunable, prune } from "../../../src/audit/prune.ts";
import { createRecorder } from "../../../src/audit/recorder.ts";
import { sha256 } from "../../../src/audit/raw-lines.ts";
import { nextLines } from "../../../src/audit/ship/next-lines.ts";
import { newPlace, parsePlace, type Place } from "../../../src/audit/ship/place.ts";
import type { ShippedLine } from "../../../src/audit/ship/shipped-line.ts";
import { Slices } from "../../../src/audit/ship/slices.ts";
import { Workspace } from "../../../src/workspace/workspace.ts";
import { tree, type Tree } from "../../tree.ts";

let place: Tree;
let workspace: Workspace;
let at: Place;
const time = { slices: new Slices() };
beforeEach(() => {
  place = tree([]);
  workspace = Workspace.open(place.path);
  at = newPlace("stream", "w", 0);
});
afterEach(() => {
  workspace.close();
  place.remove();
});

/** One command line that writes a file; gives its record's id. */
function write(path: string, text = "x\n"): string {
  const transaction = createRecorder(workspace, { session: "s", client: "test", line: "line", confirmOversize: true }).begin(
    [path],
    "overwrite",
    "",
  );
  transaction.write(Buffer.from(text));
  return transaction.commit().at(-1)?.recordId ?? "";
}

/** All lines from the place on, in batches that hold a line or two; the place is then behind them. */
async function shipped(mostBytes = 1): Promise<readonly ShippedLine[]> {
  const lines: ShippedLine[] = [];
  for (;;) {
    const next = await nextLines(workspace.writer(), at, mostBytes, time);
    // As its file gives it back.
    at = parsePlace(JSON.stringify(next.after)) as Place;
    if (next.lines.length === 0) return lines;
    lines.push(...next.lines);
  }
}

const told = (lines: readonly ShippedLine[]): string[] => lines.map(({ log, sequence, kind }) => `${log} ${sequence} ${kind}`);
const texts = (lines: readonly ShippedLine[]): string[] => lines.filter(({ log }) => log === "journal").map(({ text }) => text);
const JOURNAL = ".shelpa/@/journal.jsonl";
const path = (name: string): string => `${place.path}/${name}`;
const journal = (): string[] => readFileSync(path(JOURNAL), "utf8").split("\n").slice(0, -1);
const rewrite = (lines: readonly string[]): void => writeFileSync(path(JOURNAL), lines.map((line) => `${line}\n`).join(""));

function pruneBefore(id: string): void {
  const elsewhere = tree([]);
  const target = Workspace.open(elsewhere.path);
  const directory = target.writer().root();
  prune(workspace, prunable(workspace, BigInt(id)), directory, "a.tar.gz");
  directory.close();
  target.close();
  elsewhere.remove();
}

const FIRST = ["notices 1 first-seen"];

test("a journal that begins while it is watched needs no warning", async () => {
  expect(told(await shipped())).toEqual([]);
  write("a");
  expect(told(await shipped())).toEqual(["journal 1 intent", "journal 2 outcome"]);
});

describe("the journal", () => {
  test("nothing, where nothing was ever recorded", async () => {
    expect(await shipped()).toEqual([]);
    const begun = newPlace("stream", "w", 0);
    expect(at).toEqual({ ...begun, journal: { ...begun.journal, isWatched: true } });
  });
  test("each line once and as it is on disk, however small the batches", async () => {
    write("a");
    write("b");
    const lines = await shipped();
    expect(told(lines)).toEqual([...FIRST, "journal 1 intent", "journal 2 outcome", "journal 3 intent", "journal 4 outcome"]);
    expect(texts(lines)).toEqual(journal());
    expect(await shipped()).toEqual([]);
    write("c");
    expect(told(await shipped())).toEqual(["journal 5 intent", "journal 6 outcome"]);
  });
  test("a batch that was not confirmed is the same again", async () => {
    write("a");
    const once = await nextLines(workspace.writer(), at, 1 << 20, time);
    write("b");
    const again = await nextLines(workspace.writer(), at, 1 << 20, time);
    expect(again.lines.slice(0, once.lines.length)).toEqual(once.lines);
  });
  test("a line that has no newline yet waits for it", async () => {
    write("a");
    await shipped();
    const text = readFileSync(path(JOURNAL), "utf8");
    appendFileSync(path(JOURNAL), '{"kind":"inte');
    expect(await shipped()).toEqual([]);
    writeFileSync(path(JOURNAL), text);
    write("b");
    expect(told(await shipped())).toEqual(["journal 3 intent", "journal 4 outcome"]);
  });
  test("a line cut short is told, and the line that says so is sent", async () => {
    write("a");
    appendFileSync(path(JOURNAL), '{"kind":"inte');
    write("b");
    expect(told(await shipped())).toEqual([
      ...FIRST,
      ...["journal 1 intent", "journal 2 outcome", "notices 2 line-damaged", "journal 3 repair", "journal 4 intent", "journal 5 outcome"],
    ]);
  });
});

describe("a prune", () => {
  test("of what was sent: the rest goes on, and the prune itself is sent", async () => {
    write("a");
    write("b");
    const third = write("c");
    await shipped();
    pruneBefore(third);
    write("d");
    expect(told(await shipped())).toEqual(["journal 7 pruned", "journal 8 intent", "journal 9 outcome"]);
  });
  test("of all that was sent: the place is behind the lines in front", async () => {
    write("a");
    write("b");
    await shipped();
    pruneBefore("9".repeat(19));
    expect(told(await shipped())).toEqual(["journal 5 pruned"]);
    write("c");
    expect(told(await shipped())).toEqual(["journal 6 intent", "journal 7 outcome"]);
  });
  test("of what was not sent: it is told, with the line that names the archive", async () => {
    const first = write("a");
    await shipped();
    const second = write("b");
    const third = write("c");
    pruneBefore(third);
    const lines = await shipped();
    expect(told(lines)).toEqual(["notices 2 pruned-unsent", "journal 3 intent", "journal 4 outcome", "journal 5 pruned"]);
    const notice = JSON.parse(lines[0]?.text ?? "") as { after: string; until: string };
    expect(BigInt(notice.after)).toBeGreaterThan(BigInt(first));
    expect(BigInt(notice.after)).toBeLessThan(BigInt(second));
    expect(BigInt(notice.until)).toBeGreaterThan(BigInt(second));
  });
  test("twice while the sink was away", async () => {
    write("a");
    const second = write("b");
    await shipped();
    pruneBefore(second);
    const third = write("a", "again\n");
    pruneBefore(third);
    expect(told(await shipped())).toEqual([
      ...["notices 2 pruned-unsent", "journal 5 preimage", "journal 6 intent", "journal 7 outcome", "journal 8 pruned"],
    ]);
  });
  test("before the first sending: what stands in front is sent, too, and is no break of the chain", async () => {
    write("a");
    const second = write("a", "again\n");
    pruneBefore(second);
    expect(told(await shipped())).toEqual([
      ...FIRST,
      ...["journal 1 kept", "journal 2 resume", "journal 3 intent", "journal 4 outcome", "journal 5 pruned"],
    ]);
  });
});

describe("a journal that somebody has changed", () => {
  beforeEach(() => {
    write("a");
    write("b");
  });
  test.each<readonly [string, () => void, readonly string[]]>([
    ["a line in front of the place was taken out", () => rewrite(journal().slice(1)), ["journal 5 intent", "journal 6 outcome"]],
    [
      "the last line that was sent is another",
      () => rewrite([...journal().slice(0, -1), (journal().at(-1) ?? "").replace('"done"', '"abandoned"')]),
      [
        "notices 2 journal-replaced",
        "journal 5 intent",
        "journal 6 outcome",
        "journal 7 intent",
        "journal 8 outcome",
        "journal 9 intent",
        "journal 10 outcome",
      ],
    ],
    [
      "it is gone",
      () => rmSync(path(".shelpa"), { recursive: true }),
      ["notices 2 journal-replaced", "journal 5 intent", "journal 6 outcome"],
    ],
  ])("%s", async (_, change, expected) => {
    await shipped();
    change();
    write("c");
    expect(told(await shipped())).toEqual(expected);
  });
  test("a line behind the place was taken out: the chain is told to be broken before the line that does not follow", async () => {
    await shipped();
    write("c");
    rewrite(journal().toSpliced(4, 1));
    expect(told(await shipped())).toEqual(["notices 2 chain-broken", "journal 5 outcome"]);
  });
  test("a line was put in", async () => {
    await shipped();
    write("c");
    rewrite(journal().toSpliced(4, 0, journal()[0] ?? ""));
    expect(told(await shipped())).toEqual([
      ...["notices 2 chain-broken", "journal 5 intent", "notices 3 chain-broken", "journal 6 intent", "journal 7 outcome"],
    ]);
  });
  test("lines of a prune anywhere but in front are a break", async () => {
    const [, , third = ""] = journal();
    const { prev } = JSON.parse(third) as { prev: string };
    await shipped();
    const forged = JSON.stringify({
      kind: "resume",
      id: "9".repeat(19),
      ts: "2026-01-01T00:00:00Z",
      last: "0".repeat(64),
      prev: at.journal.prev,
    });
    expect(prev).not.toBe(at.journal.prev);
    rewrite([...journal(), forged]);
    expect(told(await shipped())).toEqual(["notices 2 chain-broken", "journal 5 resume"]);
  });
});

describe("a journal that a project brought", () => {
  test("lines that are none of ours are not sent, nor does one speak as the shipper", async () => {
    mkdirSync(path(".shelpa/@"), { recursive: true });
    const anchor = '{"kind":"anchor","id":"1","ts":"","prev":""}';
    writeFileSync(path(JOURNAL), `${anchor}\nno JSON\n\n${"x".repeat((1 << 20) + 10)}\n`);
    const lines = await shipped(1 << 20);
    expect(told(lines)).toEqual([...FIRST, "notices 2 line-damaged"]);
    expect(JSON.parse(lines[1]?.text ?? "")).toMatchObject({ log: "journal", lines: 4, sha256: sha256(Buffer.from(anchor)) });
    expect(await shipped()).toEqual([]);
  });
  test("any number of such lines is a notice for each ten thousand", async () => {
    mkdirSync(path(".shelpa/@"), { recursive: true });
    writeFileSync(path(JOURNAL), "\n".repeat(20_001));
    const numbers = (await shipped(1 << 20)).map(({ text }) => (JSON.parse(text) as { lines?: number }).lines);
    expect(numbers).toEqual([undefined, 10_000, 10_000, 1]);
  });
  test("a time that is in no year of four digits is none", async () => {
    mkdirSync(path(".shelpa/@"), { recursive: true });
    const line = { kind: "repair", id: "7".repeat(22), ts: "now", damaged_bytes: 0, prev: "0".repeat(64) };
    writeFileSync(path(JOURNAL), `${JSON.stringify(line)}\n`);
    expect((await shipped()).map(({ kind, time }) => [kind, time])).toEqual([
      ["first-seen", ""],
      ["repair", ""],
    ]);
  });
});

describe("the log of calls", () => {
  const call = (number: number): string =>
    `${JSON.stringify({
      ...{ ts: "2026-02-25T13:17:30.123Z", session: "s", client: "mcp", command: `line ${number}`, directory: "" },
      ...{ outcome: "completed", exit: 0, reason: "", records: [], elapsed_ms: 1 },
    })}\n`;
  const CALLS = ".shelpa/@/calls.jsonl";
  const commands = (lines: readonly ShippedLine[]): string[] =>
    lines.map(({ log, sequence, text }) => `${log} ${sequence} ${/line \d+/.exec(text)?.[0] ?? ""}`);
  beforeEach(() => {
    mkdirSync(path(".shelpa/@"), { recursive: true });
    writeFileSync(path(CALLS), call(1) + call(2));
  });
  const cut = (): void => renameSync(path(CALLS), path(".shelpa/@/calls.older.jsonl"));

  test("each call once", async () => {
    expect(commands(await shipped())).toEqual(["calls 1 line 1", "calls 2 line 2"]);
    appendFileSync(path(CALLS), `${call(3)}no call\n`);
    expect(commands(await shipped())).toEqual(["calls 3 line 3", "notices 1 "]);
    expect(await shipped()).toEqual([]);
  });
  test("a time that is none is left out", async () => {
    appendFileSync(path(CALLS), call(3).replace("2026-02-25T13", "2026-99-99T13"));
    appendFileSync(path(CALLS), call(4).replace("2026-02-25T", "long ago "));
    expect((await shipped()).map(({ time }) => time)).toEqual(["2026-02-25T13:17:30.123Z", "2026-02-25T13:17:30.123Z", "", ""]);
  });
  test("the file is cut: the older one is read to its end, then the new one", async () => {
    await shipped();
    appendFileSync(path(CALLS), call(3));
    cut();
    expect(commands(await shipped())).toEqual(["calls 3 line 3"]);
    writeFileSync(path(CALLS), call(4));
    expect(commands(await shipped())).toEqual(["calls 4 line 4"]);
  });
  test("both files are there before the first sending", async () => {
    cut();
    writeFileSync(path(CALLS), call(3));
    expect(commands(await shipped())).toEqual(["calls 1 line 1", "calls 2 line 2", "calls 3 line 3"]);
  });
  test("cut twice meanwhile: what was lost is told", async () => {
    await shipped();
    writeFileSync(path(CALLS), call(3));
    cut();
    writeFileSync(path(CALLS), call(4));
    expect(commands(await shipped())).toEqual(["notices 1 ", "calls 3 line 3", "calls 4 line 4"]);
  });
});

describe("slices", () => {
  const LINE_BYTES = 3 << 20;
  beforeEach(async () => {
    write("a");
    await shipped();
    // One line without end, in a journal that no longer holds what was sent: all of it is read.
    rewrite(["x".repeat(LINE_BYTES)]);
  });
  /** Says of every look that the slice is over, and counts them. */
  const counted = (whenTaken: (taken: number) => void) => {
    let taken = 0;
    const next = async (signal?: AbortSignal): Promise<void> => {
      whenTaken(++taken);
      signal?.throwIfAborted();
    };
    return { isOver: true, next };
  };
  test("end within a line, however long it is", async () => {
    let slices = 0;
    await nextLines(workspace.writer(), at, 1, { slices: counted((taken) => (slices = taken)) });
    expect(slices).toBeGreaterThan(LINE_BYTES / (256 << 10));
  });
  test("a reader whose signal has come has no other", async () => {
    const end = new AbortController();
    const slices = counted((taken) => taken === 3 && end.abort(new Error("ended")));
    await expect(nextLines(workspace.writer(), at, 1, { slices, signal: end.signal })).rejects.toThrow("ended");
  });
  test("of several readers are one for each round of the loop, in the order of asking", async () => {
    const slices = new Slices();
    let round = 0;
    const seen: (readonly [string, number])[] = [];
    const count = (): void => {
      round++;
      if (seen.length < 3) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(
      ["a", "b", "c"].map(async (name) => {
        await slices.next();
        seen.push([name, round]);
      }),
    );
    expect(seen).toEqual([
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ]);
  });
});

describe("a place", () => {
  test.each(["", "{", "null", "[]", '{"version":2}', JSON.stringify({ ...newPlace("s", "w", 0), journal: { offset: -1 } })])(
    "%j is none",
    (text) => expect(parsePlace(text)).toBeUndefined(),
  );
  test("an anchor is sent behind its line, once, as it was", async () => {
    const id = write("a");
    const next = await nextLines(workspace.writer(), at, 1 << 20, time);
    const head = next.lines.at(-1)?.id ?? "";
    expect(BigInt(head)).toBeGreaterThan(BigInt(id));
    at = {
      ...at,
      notices: { ...at.notices, waiting: [{ kind: "anchor", id: head, time: "2026-02-25T13:17:30Z", text: "{}" }], anchored: head },
    };
    const lines = await shipped();
    expect(told(lines)).toEqual([...FIRST, "journal 1 intent", "journal 2 outcome", "notices 2 anchor"]);
    expect(lines.at(-1)).toMatchObject({ id: head, text: "{}" });
    expect(await shipped()).toEqual([]);
  });
});

describe("a log of calls that is larger than any of ours", () => {
  const CALLS = ".shelpa/@/calls.jsonl";
  const OLDER = ".shelpa/@/calls.older.jsonl";
  const call = `${JSON.stringify({
    ...{ ts: "2026-02-25T13:17:30.123Z", session: "s", client: "mcp", command: "line", directory: "" },
    ...{ outcome: "completed", exit: 0, reason: "", records: [], elapsed_ms: 1 },
  })}\n`;
  // Of holes, without one newline.
  const makeLarge = (): void => {
    writeFileSync(path(CALLS), "");
    truncateSync(path(CALLS), 20 * 2 ** 30);
  };
  beforeEach(() => {
    write("a");
  });
  test("is not read, which is told once, and the journal goes on", async () => {
    makeLarge();
    const lines = await shipped();
    expect(told(lines)).toEqual([...FIRST, "journal 1 intent", "journal 2 outcome", "notices 2 calls-passed-over"]);
    expect(JSON.parse(lines.at(-1)?.text ?? "")).toMatchObject({ bytes: 20 * 2 ** 30, most: 64 << 20 });
    write("b");
    expect(told(await shipped())).toEqual(["journal 3 intent", "journal 4 outcome"]);
  });
  test("keeps the older file from being sent twice, and is told again after it was gone", async () => {
    writeFileSync(path(OLDER), call);
    makeLarge();
    expect(told(await shipped())).toEqual([
      ...FIRST,
      "journal 1 intent",
      "journal 2 outcome",
      "notices 2 calls-passed-over",
      "calls 1 call",
    ]);
    rmSync(path(CALLS));
    expect(told(await shipped())).toEqual([]);
    makeLarge();
    expect(told(await shipped())).toEqual(["notices 3 calls-passed-over"]);
  });
  test("keeps the place in the file that it was", async () => {
    writeFileSync(path(CALLS), call);
    await shipped();
    makeLarge();
    expect(told(await shipped())).toEqual(["notices 2 calls-passed-over"]);
    writeFileSync(path(CALLS), call + call);
    expect(told(await shipped())).toEqual(["calls 2 call"]);
  });
});
