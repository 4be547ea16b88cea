/**
 * Parsing of the records. First, random writes of bytes that look like records: every state is restored. Then records
 * with bytes changed, lines moved, values replaced: every reader reports the damage or gives bytes that were recorded,
 * never others, and the next write is done or reports that it cannot be recorded.
 * `npm run fuzz -- mirror RUNS SEED`: RUNS workspaces for each of the two.
 */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileVersions } from "../../src/audit/mirror.ts";
import { createRecorder } from "../../src/audit/recorder.ts";
import { planRestore, restore } from "../../src/audit/restore.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { writeRecords } from "../../src/audit/write-records.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { corpus, Dice, fuzzRuns, isLongRun } from "./dice.ts";

const RUNS = fuzzRuns(6, 6);
const FILES = ["f", "d/g", "@", "@@/x", "é", "a\nb", "--- shelpa"] as const;
const SECRET = "CANARY_OUTSIDE_77aa";
const counts = { writes: 0, restored: 0, refused: 0 };

test(`${RUNS} workspaces: what was written comes back, whatever it looks like`, { timeout: 60_000 + RUNS * 20_000 }, () => {
  for (let at = 0; at < RUNS; at++) {
    const bed = new TestBed(new Dice(`mirror ${at}`));
    try {
      for (let step = 0; step < 14; step++) bed.write();
      bed.expectAllBack();
    } finally {
      bed.close();
    }
  }
});

test("records that once were taken for what they are not", () => {
  for (const { note, lines } of corpus<{ note: string; lines: readonly unknown[] }>("mirror")) {
    const bed = new TestBed(new Dice("corpus"));
    try {
      for (let step = 0; step < 3; step++) bed.write();
      const journal = bed.at("root/.shelpa/@/journal.jsonl");
      writeFileSync(
        journal,
        Buffer.concat([
          readFileSync(journal),
          ...lines.map((line) => Buffer.from(`${typeof line === "string" ? line : JSON.stringify(line)}\n`)),
        ]),
      );
      bed.expectSafe(note);
    } finally {
      bed.close();
    }
  }
});

test(`${RUNS} workspaces with damaged records`, { timeout: 60_000 + RUNS * 40_000 }, () => {
  for (let at = 0; at < RUNS; at++) {
    const dice = new Dice(`damage ${at}`);
    const bed = new TestBed(dice);
    try {
      for (let step = 0; step < 8; step++) bed.write();
      for (let round = 0; round < 4; round++) {
        const what = bed.damage();
        bed.expectSafe(`workspace ${at}: ${what}`);
      }
    } finally {
      bed.close();
    }
  }
  if (isLongRun) console.log(counts);
});

class TestBed {
  readonly #place = realpathSync(mkdtempSync(join(tmpdir(), "shelpa-mirror-")));
  readonly #dice: Dice;
  readonly #workspace: Workspace;
  /** Every state that each file was in and that a record of ours must know, oldest first. */
  readonly #states = new Map<string, Buffer[]>();
  /** Hashes of all that ever was in a file. */
  readonly #known = new Set<string>([sha256(Buffer.alloc(0))]);
  #clockNs = 1_772_025_450_395_572_000n;

  constructor(dice: Dice) {
    this.#dice = dice;
    mkdirSync(this.at("root"));
    mkdirSync(this.at("outside"));
    writeFileSync(this.at("outside/victim"), SECRET);
    writeFileSync(this.at("root/bystander"), "bystander\n");
    this.#workspace = Workspace.open(this.at("root"));
  }

  at(name: string): string {
    return `${this.#place}/${name}`;
  }

  close(): void {
    this.#workspace.close();
    rmSync(this.#place, { recursive: true });
  }

  /** A write of ours; at times somebody else writes first. */
  write(): void {
    const dice = this.#dice;
    const path = dice.pick(FILES);
    const now = this.#read(path);
    const states = this.#states.get(path) ?? [];
    this.#states.set(path, states);
    if (now !== undefined && dice.chance(15)) {
      const foreign = this.#content();
      writeFileSync(this.at(`root/${path}`), foreign);
      this.#known.add(sha256(foreign));
    }
    const before = this.#read(path);
    const mode = dice.chance(35) ? ("append" as const) : ("overwrite" as const);
    const given = this.#content();
    const transaction = this.#recorder().begin([path], mode, "");
    transaction.write(given);
    try {
      transaction.commit();
    } catch (thrown) {
      // A directory stands where a file would be, or the reverse.
      if (!(thrown instanceof FileError)) throw thrown;
      return;
    }
    counts.writes++;
    states.push(mode === "append" && before !== undefined ? Buffer.concat([before, given]) : given);
    this.#known.add(sha256(states.at(-1) as Buffer));
  }

  #recorder() {
    const nowNs = (): bigint => (this.#clockNs += BigInt(this.#dice.below(3)) * 1_000_000_000n);
    return createRecorder(this.#workspace, { session: "s", client: "c", line: `tee '${this.#separator()}'`, confirmOversize: true, nowNs });
  }

  #read(path: string): Buffer | undefined {
    try {
      return readFileSync(this.at(`root/${path}`));
    } catch {
      return undefined;
    }
  }

  #separator(): string {
    const kind = this.#dice.pick(["overwrite", "preimage", "removed", "abandoned", "x"]);
    const id = this.#dice.pick(["1", "1772025450395572000", this.#clockNs.toString(), "-1", "9".repeat(30)]);
    return `--- shelpa:${kind} ts=2026-02-25T13:17:30Z record_id=${id} ---\n`;
  }

  #content(): Buffer {
    const dice = this.#dice;
    const pieces = dice.some(0, 5, () =>
      dice.pick([
        () => Buffer.from(this.#separator()),
        () => Buffer.from(`\n${this.#separator()}\n`),
        () => Buffer.from(this.#separator().slice(0, dice.below(60))),
        () => Buffer.from(dice.some(0, 40, () => dice.below(256))),
        () => Buffer.from('{"kind":"intent","id":"1"}\n'),
        () => Buffer.from("\n"),
        () => Buffer.from("line\n".repeat(dice.below(50))),
        () => Buffer.alloc(dice.below(300), "z"),
      ])(),
    );
    return Buffer.concat(pieces);
  }

  expectAllBack(): void {
    const findings = verifyAudit(this.#workspace).findings.filter(({ severity }) => severity === "error");
    expect(findings).toEqual([]);
    for (const [path, states] of this.#states) {
      const versions = fileVersions(this.#workspace.writer(), path).filter(({ kind }) => kind !== "preimage");
      expect(
        versions.map(({ digest }) => digest.sha256),
        path,
      ).toEqual(states.map(sha256));
      for (const [index, version] of versions.entries()) {
        const bytes = version.read();
        if (bytes !== undefined) expect(bytes.equals(states[index] as Buffer), `${path} ${index}`).toBe(true);
      }
    }
  }

  /** Changes a file of the records as chance has it, and says how. */
  damage(): string {
    const dice = this.#dice;
    const journal = "root/.shelpa/@/journal.jsonl";
    const files = readdirSync(this.at("root/.shelpa"), { recursive: true, encoding: "utf8" })
      .map((name) => `root/.shelpa/${name}`)
      .filter((name) => statSync(this.at(name)).isFile());
    const file = dice.chance(70) ? journal : dice.pick(files);
    const bytes = readFileSync(this.at(file));
    const [what, changed] = dice.chance(60) && file === journal ? this.#damagedLines(bytes) : this.#damagedBytes(bytes);
    writeFileSync(this.at(file), changed);
    return `${file}: ${what}`;
  }

  #damagedBytes(bytes: Buffer): [string, Buffer] {
    const dice = this.#dice;
    const at = dice.below(bytes.length + 1);
    const to = Math.min(bytes.length, at + dice.below(200));
    switch (dice.below(4)) {
      case 0:
        return [`cut at ${at}`, bytes.subarray(0, at)];
      case 1:
        return [`without ${at} to ${to}`, Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)])];
      case 2: {
        const put = Buffer.from(dice.pick(["\n", "\0", "{", '"', this.#separator(), "[".repeat(20_000), '{"a":'.repeat(5000), "\udcff"]));
        return [`${put.length} bytes put in at ${at}`, Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at)])];
      }
      default: {
        const changed = Buffer.from(bytes);
        for (let count = 0; count < 5 && changed.length > 0; count++) changed[dice.below(changed.length)] = dice.below(256);
        return ["five bytes changed", changed];
      }
    }
  }

  /** Lines are JSON still, and say something else. */
  #damagedLines(bytes: Buffer): [string, Buffer] {
    const dice = this.#dice;
    const lines = bytes
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
    const at = dice.below(Math.max(1, lines.length));
    switch (dice.below(4)) {
      case 0:
        lines.splice(at, 1);
        return [`line ${at} removed`, Buffer.from(`${lines.join("\n")}\n`)];
      case 1:
        lines.splice(dice.below(lines.length + 1), 0, lines[at] ?? "{}");
        return [`line ${at} twice`, Buffer.from(`${lines.join("\n")}\n`)];
      case 2:
        lines.length = at;
        return [`ends before line ${at}`, Buffer.from(lines.map((line) => `${line}\n`).join(""))];
      default: {
        let value: Record<string, unknown> = {};
        try {
          value = JSON.parse(lines[at] ?? "{}") as Record<string, unknown>;
        } catch {
          // Damaged before.
        }
        const key = dice.pick([
          ...Object.keys(value),
          "path",
          "mirror",
          "temporary",
          "backup",
          "id",
          "__proto__",
          "content_offset",
          "after",
        ]);
        const put = dice.pick<unknown>([
          "../outside/victim",
          "../../outside/victim",
          "/etc/passwd",
          ".git/hooks/pre-commit",
          "bystander",
          "",
          ".",
          "..",
          "f",
          "a/../../outside/victim",
          ".shelpa/@/journal.jsonl",
          0,
          -1,
          1e308,
          0.5,
          null,
          true,
          [],
          {},
          { bytes: 9e15, sha256: "0".repeat(64) },
          { bytes: 5, sha256: "x" },
          "9".repeat(24),
          "8".repeat(22),
          "x".repeat(5000),
          "done",
          "remove",
          "intent",
          "outcome",
          "preimage",
          "repair",
        ]);
        lines[at] = JSON.stringify({ ...value, [key]: put });
        return [`line ${at}: ${key} is ${JSON.stringify(put).slice(0, 40)}`, Buffer.from(`${lines.join("\n")}\n`)];
      }
    }
  }

  /** Everybody who reads records, and the next writer. */
  expectSafe(what: string): void {
    const workspace = this.#workspace;
    const writer = workspace.writer();
    answered(what, () => verifyAudit(workspace));
    const records = answered(what, () => writeRecords(writer)) ?? [];
    for (const path of [...FILES, "../outside/victim", "bystander"]) {
      for (const version of answered(what, () => fileVersions(writer, path)) ?? []) {
        const bytes = answered(what, () => version.read());
        if (bytes === undefined) continue;
        counts.restored++;
        // A forger may say which bytes were recorded, of those that there are; and cannot make us read others.
        expect(bytes.includes(SECRET), what).toBe(false);
      }
    }
    for (const { id } of records.slice(0, 3)) {
      const plan = answered(what, () => planRestore(workspace, id, { undo: this.#dice.chance(50) }));
      if (plan !== undefined) answered(what, () => restore(workspace, plan, { session: "s", client: "c", line: "restore" }));
    }
    answered(what, () => {
      const transaction = this.#recorder().begin(["fresh"], "overwrite", "");
      transaction.write(Buffer.from("fresh"));
      transaction.commit();
    });
    expect(readFileSync(this.at("outside/victim"), "utf8"), what).toBe(SECRET);
    expect(readdirSync(this.#place).sort(), what).toEqual(["outside", "root"]);
    expect(readdirSync(this.at("outside")), what).toEqual(["victim"]);
    expect(this.#read("bystander")?.toString(), what).toBe("bystander\n");
    expect(readdirSync(this.at("root")), what).not.toContain(".git");
  }
}

/** The result of `action`, or undefined where it refuses with an error of its own. Any other error is a fault. */
function answered<T>(what: string, action: () => T): T | undefined {
  try {
    return action();
  } catch (thrown) {
    if (thrown instanceof FileError || (thrown instanceof Error && /^(DamagedMirror|NotRestorable)$/.test(thrown.name))) {
      counts.refused++;
      return undefined;
    }
    throw new Error(what, { cause: thrown });
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
