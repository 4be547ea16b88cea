/**
 * The page of `shelpa-mcp audit serve`, in a real browser where the machine has one (Debian's chromium), and its
 * server over plain HTTP everywhere.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tree, type Tree } from "../tree.ts";
import { needs } from "../needs.ts";

const SHELL = fileURLToPath(new URL("../../dist/shelpa.js", import.meta.url));
const SERVER = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));
const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
/** Set to a file's name to keep a picture of the page. */
const screenshot = process.env["SHELPA_SCREENSHOT"];

let place: Tree;
let server: ChildProcess;
let url: URL;
beforeAll(async () => {
  place = tree(["src/a.ts: const a = 1;\nconst b = 2;\nconst c = 3;\n"]);
  for (const line of [
    "sed 's/b = 2/b = 20/' src/a.ts | tee src/a.ts",
    "printf '<b>not markup</b>\\n' | tee notes.md",
    "sed 's/c = 3/c = 30/' src/a.ts | tee src/a.ts",
  ]) {
    spawnSync(process.execPath, [SHELL, "-c", line], { cwd: place.path });
  }
  const calls = ["rm -rf src", "cat /etc/passwd", "rm notes.md"].map((command, index) =>
    JSON.stringify({ jsonrpc: "2.0", id: index, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command } } }),
  );
  spawnSync(process.execPath, [SERVER, "--root", "."], { cwd: place.path, input: `${calls.join("\n")}\n` });
  server = spawn(process.execPath, [SERVER, "audit", "serve"], { cwd: place.path });
  const printed = await new Promise<string>((resolve) => server.stdout?.once("data", (bytes: Buffer) => resolve(bytes.toString())));
  url = new URL(printed.trim());
});
afterAll(() => {
  server.kill("SIGTERM");
  place.remove();
});

interface Reply {
  readonly status: number | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

function ask(path: string, headers: Record<string, string> = {}, body?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: url.hostname, port: url.port, path, headers, method: body === undefined ? "GET" : "POST" }, (response) => {
      let text = "";
      response.on("data", (bytes: Buffer) => (text += bytes.toString()));
      response.on("end", () => resolve({ status: response.statusCode, text, headers: response.headers }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
const authorized = (): Record<string, string> => ({ authorization: `Bearer ${url.hash.slice(1)}` });

describe("the server", () => {
  test("gives the page to anybody on this machine, and nothing else without the token", async () => {
    expect(await ask("/")).toMatchObject({ status: 200 });
    expect(await ask("/api/timeline")).toMatchObject({ status: 401 });
    expect(await ask("/api/timeline", { authorization: "Bearer x" })).toMatchObject({ status: 401 });
    expect(await ask("/api/timeline", authorized())).toMatchObject({ status: 200 });
  });
  test("answers no other host's page (DNS rebinding)", async () => {
    expect(await ask("/", { host: "evil.example" })).toMatchObject({ status: 403 });
    expect(await ask("/api/timeline", { ...authorized(), host: `evil.example:${url.port}` })).toMatchObject({ status: 403 });
  });
  test("lets the page load nothing from elsewhere and be framed nowhere", async () => {
    const { headers, text } = await ask("/");
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'nonce-.*frame-ancestors 'none'$/);
    expect(text).not.toMatch(/(?:src|href)=/);
  });
  test("a restore that is none", async () => {
    expect(await ask("/api/restore", authorized(), "{}")).toMatchObject({ status: 400 });
    expect(await ask("/api/restore", authorized(), "x".repeat(5000))).toMatchObject({ status: 413 });
    expect(await ask("/api/restore", authorized(), JSON.stringify({ record: "1", undo: false }))).toMatchObject({
      status: 409,
      text: '{"error":"there is no record 1"}',
    });
    expect(await ask("/api/nothing", authorized())).toMatchObject({ status: 404 });
  });
});

describe("a hostile project", () => {
  const NAME = "n\u001b[2K\u202e\n<script>alert(1)</script>";

  test("no name or value turns text around or makes a line; what is no call of ours is left out", async () => {
    const hostile = tree([`${NAME}: x\n`, "f: x\n"]);
    const quoted = NAME.replaceAll("\u001b", "\\e").replaceAll("\n", "\\n");
    spawnSync(process.execPath, [SHELL, "-c", `printf 'a\\tb\\e\\n' | tee $'${quoted}'`], { cwd: hostile.path });
    const call = { ts: "2026", session: "s", client: NAME, command: NAME, directory: NAME, outcome: "refused", exit: null, reason: NAME };
    const whole = { ...call, records: [], elapsed_ms: 1 };
    const calls = [
      whole,
      { ...whole, reason: { toString: 1 } },
      { ...whole, outcome: "good" },
      { ...whole, elapsed_ms: [] },
      { ...whole, ran: 1 },
      { ...whole, client_name: {} },
      { ...whole, approved_by: "nobody" },
    ];
    writeFileSync(`${hostile.path}/.shelpa/@/calls.jsonl`, calls.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const other = spawn(process.execPath, [SERVER, "audit", "serve"], { cwd: hostile.path });
    try {
      const printed = await new Promise<string>((resolve) => other.stdout.once("data", (bytes: Buffer) => resolve(bytes.toString())));
      const address = new URL(printed.trim());
      const get = async (path: string): Promise<string> => {
        const response = await fetch(new URL(path, address), { headers: { authorization: `Bearer ${address.hash.slice(1)}` } });
        return response.text();
      };
      const shown = "n\\u{1b}[2K\\u{202e}\\n<script>alert(1)<";
      const timeline = JSON.parse(await get("/api/timeline")) as {
        calls: object[];
        records: { id: string; path: string; command: string }[];
      };
      expect(timeline.calls).toMatchObject([{ client: `${shown}/script>`, reason: `${shown}/script>`, directory: `${shown}/script>` }]);
      expect(timeline.calls).toHaveLength(1);
      expect(timeline.records).toMatchObject([{ path: `${shown}/script>` }]);
      const [record] = timeline.records;
      const diff = JSON.parse(await get(`/api/diff?record=${record?.id}`)) as { rows: { now: { text: string } }[] };
      expect(diff.rows[0]?.now.text).toBe("a\tb\\u{1b}");
      const report = spawnSync(process.execPath, [SERVER, "audit", "report"], { cwd: hostile.path, encoding: "utf8" });
      expect(report).toMatchObject({ status: 0, stderr: "" });
    } finally {
      other.kill("SIGTERM");
      hostile.remove();
    }
  });
});

needs({ name: "Chromium", isHere: BROWSER !== undefined }).describe("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: BROWSER as string, args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());

  test("timeline, refusals, diff, restore", { timeout: 60_000 }, async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(url.href);
    await page.waitForSelector("#timeline li");
    expect(await page.locator("#timeline li").count()).toBe(6);
    expect(await page.locator("main .bar").allInnerTexts()).toEqual([
      expect.stringMatching(/^DISALLOWED_CMD\s+2$/),
      expect.stringMatching(/^PATH_ESCAPE\s+1$/),
    ]);

    await page.selectOption("#kind", "write");
    await page.locator("#timeline li", { hasText: "c = 30" }).click();
    await page.waitForSelector("table.diff");
    expect(await page.locator("tr.changed .o").innerText()).toBe("const c = 3;");
    expect(await page.locator("tr.changed .w").innerText()).toBe("const c = 30;");
    if (screenshot !== undefined) {
      mkdirSync(new URL("../../docs/images/", import.meta.url), { recursive: true });
      await page.screenshot({ path: screenshot });
    }

    await page.click("#undo");
    expect(await page.locator("#question").innerText()).toContain("Put src/a.ts back to what it was before");
    await page.click("#no");
    expect(readFileSync(`${place.path}/src/a.ts`, "utf8")).toContain("c = 30");
    await page.click("#undo");
    await page.click("#yes");
    await page.waitForSelector("#timeline li:nth-child(4)");
    expect(readFileSync(`${place.path}/src/a.ts`, "utf8")).toBe("const a = 1;\nconst b = 20;\nconst c = 3;\n");

    await page.fill("#filter", "notes");
    await page.locator("#timeline li").first().click();
    await page.waitForSelector("tr.added .w");
    expect(await page.locator("tr.added .w").innerText()).toBe("<b>not markup</b>");
    expect(errors).toEqual([]);
  });
});
