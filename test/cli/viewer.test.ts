/** The server of `shelpa-mcp audit serve` over plain HTTP: who is answered, and pages, filters, exports of what is recorded. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Entry } from "../../src/cli/viewer/entries.ts";
import { facetsOf } from "../../src/cli/viewer/pages.ts";
import { tree, type Tree } from "../tree.ts";
import { recordMany } from "./viewer/long-journal.ts";
import { FIVE, recordFive, served, shell, type Served } from "./viewer/served.ts";

const SERVER = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));

interface ListPage {
  readonly matched: number;
  readonly total: number;
  readonly next: string | null;
  readonly version: number;
  readonly rows: readonly {
    readonly kind: string;
    readonly key: string;
    readonly path?: string;
    readonly count?: number;
    readonly change: string;
  }[];
  readonly facets?: Readonly<Record<string, { readonly values: readonly object[]; readonly more: number }>>;
}

const pageOf = async ({ ask, authorized }: Served, query = ""): Promise<ListPage> =>
  JSON.parse((await ask(`/api/entries?${query}`, authorized)).text) as ListPage;

describe("five records and three refusals", () => {
  let place: Tree;
  let server: Served;
  beforeAll(async () => {
    place = tree(FIVE);
    recordFive(place.path);
    server = await served(place.path);
  }, 60_000);
  afterAll(() => {
    server.stop();
    place.remove();
  });

  test("gives the page to anybody on this machine, and nothing else without the token", async () => {
    const { ask, authorized } = server;
    expect(await ask("/")).toMatchObject({ status: 200 });
    for (const path of ["entries", "overview", "version", "entry?key=1", "diff?record=1", "content?record=1", "export", "verify"]) {
      expect([path, (await ask(`/api/${path}`)).status]).toEqual([path, 401]);
      expect([path, (await ask(`/api/${path}`, { authorization: "Bearer x" })).status]).toEqual([path, 401]);
    }
    expect(await ask("/api/entries", authorized)).toMatchObject({ status: 200 });
  });
  test("answers no other host's page (DNS rebinding)", async () => {
    const { ask, authorized, url } = server;
    expect(await ask("/", { host: "evil.example" })).toMatchObject({ status: 403 });
    expect(await ask("/api/entries", { ...authorized, host: `evil.example:${url.port}` })).toMatchObject({ status: 403 });
  });
  test("answers no other origin's page, whatever it knows", async () => {
    const { ask, authorized, url } = server;
    for (const origin of ["https://evil.example", "null", `http://127.0.0.1:${Number(url.port) + 1}`, `https://127.0.0.1:${url.port}`])
      for (const path of ["/", "/api/entries"])
        expect([origin, (await ask(path, { ...authorized, origin })).status]).toEqual([origin, 403]);
    for (const name of ["127.0.0.1", "localhost"])
      expect(await ask("/api/entries", { ...authorized, origin: `http://${name}:${url.port}` })).toMatchObject({ status: 200 });
  });
  test("lets the page load nothing from elsewhere and be framed nowhere", async () => {
    const { headers, text } = await server.ask("/");
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'nonce-.*frame-ancestors 'none'$/);
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(text).not.toMatch(/src=|href="(?!#|data:,")|@import|url\(/);
  });
  test("a restore that is none", async () => {
    const { ask, authorized } = server;
    expect(await ask("/api/restore", authorized, "{}")).toMatchObject({ status: 400 });
    expect(await ask("/api/restore", authorized, "x".repeat(5000))).toMatchObject({ status: 413 });
    expect(await ask("/api/restore", authorized, JSON.stringify({ record: "1", undo: false }))).toMatchObject({
      status: 409,
      text: '{"error":"there is no record 1"}',
    });
    expect(await ask("/api/nothing", authorized)).toMatchObject({ status: 404 });
  });
  test.each([
    ["entries?kind=all", 400, "kind is one of write, call, refused"],
    ["entries?since=yesterday", 400, "since: 'yesterday' is no time; give 2026-02-25, 2026-02-25T13:17:30Z or an age such as 2h"],
    ["export?until=x", 400, "until: 'x' is no time; give 2026-02-25, 2026-02-25T13:17:30Z or an age such as 2h"],
    ["entries?after=7", 400, "after is the place where an earlier page ended"],
    ["entries?after=9.7", 409, "records went since the list was loaded: load it again"],
    ["entry?key=1", 404, "there is no record 1"],
    ["content?record=1", 409, "there is no record 1"],
  ])("%s is answered with a sentence", async (path, status, error) => {
    const { ask, authorized } = server;
    expect(await ask(`/api/${path}`, authorized)).toMatchObject({ status, text: JSON.stringify({ error }) });
  });

  const A = "src/a.ts";
  const [NOTES, ONE, TWO] = ["notes.md", "docs/one.md", "docs/two.md"];
  /** Paths of writes and reasons of calls, newest first. */
  test.each<[query: string, shown: string[]]>([
    ["", ["refused", "refused", "refused", A, "group of 2", NOTES, A]],
    ["grouped=no", ["refused", "refused", "refused", A, TWO, ONE, NOTES, A]],
    ["kind=write&grouped=no", [A, TWO, ONE, NOTES, A]],
    ["kind=refused", ["refused", "refused", "refused"]],
    ["kind=call", ["refused", "refused", "refused"]],
    ["change=created&grouped=no", [TWO, ONE, NOTES]],
    ["change=overwritten", [A, A]],
    ["client=claude-code", ["refused", "refused", "refused", A]],
    ["client=shelpa", ["group of 2", NOTES, A]],
    ["client=shelp", []],
    ["session=default", ["refused", "refused", "refused", A, "group of 2", NOTES, A]],
    ["session=defaul", []],
    ["approved=nobody&kind=write", [A, "group of 2", NOTES, A]],
    ["approved=human", []],
    ["under=docs&grouped=no", [TWO, ONE]],
    ["under=/docs/", ["group of 2"]],
    ["under=.&kind=write&grouped=no", [A, TWO, ONE, NOTES, A]],
    ["under=doc", []],
    ["path=docs", []],
    ["path=src/a.ts", [A, A]],
    ["since=1h", ["refused", "refused", "refused", A, "group of 2", NOTES, A]],
    ["until=2020-01-01", []],
    ["text=NMAP", ["refused", "refused"]],
    ["text=claude-code+2.1.4", ["refused", "refused", "refused", A]],
    ["text=path_escape", ["refused"]],
    ["text=%3Cb%3Enot", [NOTES]],
    ["text=nothing+of+the+kind", []],
    ["text=tee&client=shelpa&under=docs&change=created", ["group of 2"]],
  ])("%s", async (query, shown) => {
    const { rows, next } = await pageOf(server, query);
    expect(
      rows.map(({ kind, path, count, change }) => (kind === "write" ? path : kind === "group" ? `group of ${count}` : change)),
    ).toEqual(shown);
    expect(next).toBeNull();
  });

  test("what can be chosen is told with its numbers", async () => {
    const { facets, total, matched } = await pageOf(server, "kind=refused");
    expect({ total, matched }).toEqual({ total: 8, matched: 3 });
    const client = [
      { value: "claude-code", count: 4 },
      { value: "shelpa", count: 4 },
    ];
    expect(facets?.["client"]).toEqual({ values: client, more: 0 });
    const change = [
      { value: "refused", count: 3 },
      { value: "overwritten", count: 2 },
      { value: "created", count: 3 },
    ];
    expect(facets?.["change"]).toEqual({ values: change, more: 0 });
    const never = await pageOf(server, "until=2001-01-01T00:00:00Z");
    expect(never.facets?.["client"]).toEqual({ values: [], more: 0 });
  });

  test("of more than 200 sessions those of the last are offered, and how many are left out is said", () => {
    const entries = Array.from({ length: 250 }, (_, at) => ({
      ts: "2026-01-01T00:00:00Z",
      session: `s${at}`,
      client: "c",
      change: "created",
    }));
    const { session } = facetsOf(entries as unknown as readonly Entry[], {});
    expect([session.values.length, session.values[0]?.value, session.more]).toEqual([200, "s249", 50]);
  });
  test("one record, its neighbours, its bytes before and after", async () => {
    const { ask, authorized } = server;
    const { rows } = await pageOf(server, "path=src/a.ts");
    const [later, earlier] = rows.map(({ key }) => key);
    expect(JSON.parse((await ask(`/api/entry?key=${later}`, authorized)).text)).toMatchObject({
      path: A,
      author: "claude-code 2.1.4",
      command: "sed 's/c = 3/c = 30/' src/a.ts | tee src/a.ts",
      earlier,
      later: null,
      callWrites: 1,
      record: { mode: "overwrite", before: { bytes: 40 }, after: { bytes: 41 } },
    });
    const content = async (side: string): Promise<string> => (await ask(`/api/content?record=${later}&side=${side}`, authorized)).text;
    expect(await content("before")).toBe("const a = 1;\nconst b = 20;\nconst c = 3;\n");
    expect(await content("after")).toBe("const a = 1;\nconst b = 20;\nconst c = 30;\n");
    const created = (await pageOf(server, "path=notes.md")).rows[0]?.key;
    expect(await ask(`/api/content?record=${created}&side=before`, authorized)).toMatchObject({
      status: 409,
      text: '{"error":"there was no file then"}',
    });
  });
  test("an export is what the filters select, oldest first, in the lines of audit export", async () => {
    const { ask, authorized } = server;
    const csv = await ask("/api/export?format=csv&client=claude-code", authorized);
    expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
    const [head = "", ...lines] = csv.text.trimEnd().split("\r\n");
    expect(head).toMatch(
      /^time,record,call,transaction,session,client,client_name,.*,command,ran,request_id,outcome,reason,exit,directory,elapsed_ms$/,
    );
    expect(lines.map((line) => /src\/a\.ts,overwritten|refused,\w+/.exec(line)?.[0])).toEqual([
      "src/a.ts,overwritten",
      "refused,DISALLOWED_CMD",
      "refused,PATH_ESCAPE",
      "refused,DISALLOWED_CMD",
    ]);
    const jsonl = (await ask("/api/export?format=jsonl&kind=write", authorized)).text;
    const own = spawnSync(process.execPath, [SERVER, "audit", "export"], { cwd: place.path, encoding: "utf8" }).stdout;
    const rest = { outcome: null, reason: null, exit: null, directory: null, elapsed_ms: null };
    const parsed = (text: string): object[] =>
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object);
    expect(parsed(jsonl)).toEqual(parsed(own).map((line) => ({ ...line, ...rest })));
    expect(parsed(jsonl)).toHaveLength(5);
  });
  test("sums are of what is selected", async () => {
    const { ask, authorized } = server;
    const sums = async (query: string): Promise<unknown> => JSON.parse((await ask(`/api/overview?${query}`, authorized)).text);
    expect(await sums("")).toEqual({
      writes: 5,
      files: 4,
      calls: 3,
      refused: 3,
      reasons: [
        { value: "DISALLOWED_CMD", count: 2 },
        { value: "PATH_ESCAPE", count: 1 },
      ],
      clients: [
        { value: "shelpa", count: 4 },
        { value: "claude-code 2.1.4", count: 4 },
      ],
    });
    expect(await sums("under=docs")).toMatchObject({ writes: 2, files: 2, calls: 0, reasons: [] });
  });
});

describe("a journal that changes while it is served", () => {
  test("what is added is there at once, and a journal that took its place from its first line", { timeout: 120_000 }, async () => {
    const place = tree(["f: x\n"]);
    const server = await served(place.path);
    try {
      expect(await pageOf(server)).toMatchObject({ total: 0, rows: [] });
      shell(place.path, "printf 1 | tee f");
      const first = await pageOf(server);
      expect(first.rows).toMatchObject([{ path: "f", change: "overwritten" }]);
      expect((await pageOf(server)).version).toBe(first.version);
      // A line that is not yet written to its end is none.
      const path = `${place.path}/.shelpa/@/journal.jsonl`;
      const whole = readFileSync(path);
      writeFileSync(path, Buffer.concat([whole, whole.subarray(0, 100)]));
      expect((await pageOf(server)).rows).toEqual(first.rows);
      writeFileSync(path, whole);
      shell(place.path, "printf 2 | tee g");
      expect((await pageOf(server)).rows).toMatchObject([{ path: "g" }, { path: "f" }]);
      spawnSync(process.execPath, [SERVER, "audit", "prune", "--before", "0s", "--archive", "a.tar.gz"], { cwd: place.path });
      shell(place.path, "printf 3 | tee h");
      expect((await pageOf(server)).rows).toMatchObject([{ path: "h" }]);
      const { ask, authorized } = server;
      expect(await ask("/api/entries?after=0.1", authorized)).toMatchObject({ status: 409 });
    } finally {
      server.stop();
      place.remove();
    }
  });
});

describe("3,000 records", () => {
  test("pages hold each record once, newest first, and no answer all of them", { timeout: 120_000 }, async () => {
    const place = tree([]);
    recordMany(place.path, 3000);
    const server = await served(place.path);
    try {
      const keys: string[] = [];
      let [after, pages] = ["", 0];
      for (;;) {
        const page = await pageOf(server, `grouped=no${after}`);
        expect(page.matched).toBe(3000);
        expect(page.rows.length).toBe(100);
        keys.push(...page.rows.map(({ key }) => key));
        pages++;
        if (page.next === null) break;
        after = `&after=${page.next}`;
      }
      expect(pages).toBe(30);
      expect(keys).toHaveLength(3000);
      expect(keys).toEqual([...new Set(keys)].sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1)));
      const grouped = await pageOf(server, "");
      expect(grouped.rows.slice(0, 3)).toMatchObject([{ kind: "group", count: 10 }, { kind: "write" }, { kind: "write" }]);
      const [{ call } = { call: "" }] = grouped.rows as unknown as { call: string }[];
      expect(await pageOf(server, `call=${call}&grouped=no`)).toMatchObject({ matched: 10, next: null });
      for (const [query, matched] of [
        ["session=session-1", 1000],
        ["client=cursor", 1000],
        ["approved=human", 60],
        ["approved=human&client=cursor", 20],
        // A record is of each minute from noon.
        ["since=2026-02-25T13:00:00Z&until=2026-02-25T13:59:59Z", 60],
        ["path=src/module-07.ts", 75],
      ] as const) {
        expect([query, (await pageOf(server, query)).matched]).toEqual([query, matched]);
      }
      const verified = await server.ask("/api/verify", server.authorized);
      expect(JSON.parse(verified.text)).toMatchObject({ records: 3000, files: 40, findings: [{ code: "BROUGHT_HERE" }] });
    } finally {
      server.stop();
      place.remove();
    }
  });
});

describe("a hostile project", () => {
  const NAME = "n\u001b[2K\u202e\n<script>alert(1)</script>";

  test("no name or value turns text around or makes a line; what is no call of ours is left out", { timeout: 60_000 }, async () => {
    const hostile = tree([`${NAME}: x\n`, "f: x\n"]);
    const quoted = NAME.replaceAll("\u001b", "\\e").replaceAll("\n", "\\n");
    shell(hostile.path, `printf 'a\\tb\\e\\n' | tee $'${quoted}'`);
    const call = { ts: "2026", session: "s", client: NAME, command: NAME, directory: NAME, outcome: "refused", exit: null, reason: NAME };
    const whole = { ...call, records: [], elapsed_ms: 1 };
    const calls = [
      whole,
      { ...whole, reason: { toString: 1 } },
      { ...whole, outcome: "good" },
      { ...whole, elapsed_ms: [] },
      { ...whole, ran: 1 },
      { ...whole, client_name: {} },
      { ...whole, subject: 7 },
      { ...whole, approved_by: "nobody" },
    ];
    writeFileSync(`${hostile.path}/.shelpa/@/calls.jsonl`, calls.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const server = await served(hostile.path);
    try {
      const get = async (path: string): Promise<string> => (await server.ask(path, server.authorized)).text;
      const shown = "n\\u{1b}[2K\\u{202e}\\n<script>alert(1)</script>";
      expect(await pageOf(server)).toMatchObject({
        total: 2,
        rows: [
          { kind: "write", path: shown },
          { kind: "call", client: shown, command: shown, ending: { reason: shown, directory: shown } },
        ],
      });
      // What is shown is what filters take.
      const { rows } = await pageOf(server, new URLSearchParams({ path: shown }).toString());
      expect(rows).toMatchObject([{ path: shown }]);
      expect((await pageOf(server, new URLSearchParams({ client: shown }).toString())).matched).toBe(1);
      const diff = JSON.parse(await get(`/api/diff?record=${rows[0]?.key}`)) as { rows: { now: { text: string } }[] };
      expect(diff.rows[0]?.now.text).toBe("a\tb\\u{1b}");
      for (const path of ["export?format=csv", "export?format=jsonl", "overview", "entries", `entry?key=${rows[0]?.key}`]) {
        expect(await get(`/api/${path}`)).not.toMatch(/[\u001b\u202e]/);
      }
      const report = spawnSync(process.execPath, [SERVER, "audit", "report"], { cwd: hostile.path, encoding: "utf8" });
      expect(report).toMatchObject({ status: 0, stderr: "" });
    } finally {
      server.stop();
      hostile.remove();
    }
  });
});
