/** The server as a client on Windows starts it: both eras, a change with its record and its undo, refusals, limits, kills. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { windowsPathWithSlashes } from "../../src/glob/absolute-path.ts";
import { type Need, needs } from "../needs.ts";

const WINDOWS: Need = { name: "Windows (npm run test:windows)", isHere: process.platform === "win32" };
const SERVER = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));

interface Answer {
  readonly id: number;
  readonly result?: {
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly [key: string]: unknown;
  };
}

class Client {
  readonly child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #id = 0;

  constructor(root: string, ...options: readonly string[]) {
    this.child = spawn(process.execPath, [SERVER, "--root", root, ...options], { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      const answer = JSON.parse(line) as Answer;
      this.#waiting.get(answer.id)?.(answer);
    });
  }

  send(message: object): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  request(method: string, params: object): { readonly id: number; readonly answer: Promise<Answer> } {
    const id = ++this.#id;
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.send({ id, method, params });
    return { id, answer };
  }

  /** The text of the answer to a line. */
  async run(command: string, more: object = {}): Promise<string> {
    const { result } = await this.request("tools/call", { name: "shelpa_pipe", arguments: { command, ...more } }).answer;
    return (result?.content ?? []).map(({ text }) => text).join("");
  }

  async close(): Promise<number | null> {
    this.child.stdin?.end();
    if (this.child.exitCode !== null) return this.child.exitCode;
    return new Promise((resolve) => this.child.once("exit", resolve));
  }
}

async function withServer(check: (client: Client, root: string) => Promise<void>, ...options: readonly string[]): Promise<void> {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), "shelpa-windows-")));
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "app.log"), "one\r\nERROR two\r\nERROR three\r\n");
  writeFileSync(join(root, "src", "a.ts"), "export const a = 1;\n");
  const client = new Client(root, ...options);
  try {
    await check(client, root);
    expect(await client.close()).toBe(0);
  } finally {
    client.child.kill();
    rmSync(root, { recursive: true, force: true, maxRetries: 20 });
  }
}

const MAIN_JOB = "tail -n 100 app.log | rg ERROR | awk '{print $2}' | sort -u";

needs(WINDOWS).describe("a server", () => {
  test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "answers initialize of %s, and the main job",
    async (protocolVersion) => {
      await withServer(async (client) => {
        const { answer } = client.request("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } });
        expect((await answer).result).toMatchObject({ protocolVersion });
        client.send({ method: "notifications/initialized" });
        expect(await client.run(MAIN_JOB)).toBe("three\r\ntwo\r\n");
      });
    },
  );

  test("answers a call without a handshake", async () => {
    await withServer(async (client) => expect(await client.run(MAIN_JOB)).toBe("three\r\ntwo\r\n"));
  });

  test("knows its root by each name, and prints it as bash there does", async () => {
    await withServer(async (client, root) => {
      const slashed = windowsPathWithSlashes(root);
      const names = [
        root,
        root.replaceAll("\\", "/"),
        slashed,
        `/mnt${slashed}`,
        `/cygdrive${slashed}`,
        slashed.toUpperCase(),
        root.toLowerCase(),
      ];
      for (const name of names)
        expect([name, await client.run(`cd '${name}' && cat '${name}/src/a.ts' && pwd`)]).toEqual([
          name,
          `export const a = 1;\n${slashed}\n`,
        ]);
    });
  });

  test.each(["con", "nul.txt", "a:b", "'a?'", "lpt1.log", "'trailing '", "trailing.", "src/aux"])(
    "makes no file %s, and no record",
    async (name) => {
      await withServer(async (client) => {
        for (const line of [`echo x | tee ${name}`, `touch ${name}`, `mkdir ${name}`, `cp app.log ${name}`, `mv app.log ${name}`]) {
          expect([line, await client.run(line)]).toEqual([line, expect.stringContaining("no file has that name on Windows")]);
          expect([line, await client.run(line, { dry_run: true })]).toEqual([
            line,
            expect.stringContaining("no file has that name on Windows"),
          ]);
        }
        const later = await client.run(`n=$(printf %s ${name}); echo x | tee "$n" >/dev/null; cp app.log "$n"; touch "$n"`);
        expect(later.match(/no file has that name on Windows/g)).toHaveLength(3);
        expect(await client.run("history; ls -A")).toBe("app.log\nsrc\n");
      });
    },
  );

  test("keeps the mark against writing of what it replaces, and brings it back", async () => {
    await withServer(async (client, root) => {
      chmodSync(join(root, "app.log"), 0o444);
      const marked = "-r--r--r--";
      expect(await client.run("ls -l app.log; test -w app.log || echo no")).toMatch(new RegExp(`^${marked}.*\\nno\\n$`));
      expect(await client.run("sed -i s/one/ONE/ app.log; head -1 app.log; ls -l app.log")).toMatch(new RegExp(`^ONE\r?\\n${marked}`));
      expect(await client.run("rm app.log && undo >/dev/null; ls -l app.log")).toMatch(new RegExp(`^${marked}`));
      chmodSync(join(root, "app.log"), 0o666);
    });
  });

  test("has a root above its own program", async () => {
    const client = new Client(fileURLToPath(new URL("../..", import.meta.url)));
    try {
      expect(await client.run("head -2 package.json")).toBe('{\n  "name": "shelpa-mcp",\n');
    } finally {
      expect(await client.close()).toBe(0);
    }
  });

  test("records a change, shows it, and takes it back", async () => {
    await withServer(async (client, root) => {
      expect(await client.run("sed -i 's/ = 1/ = 2/' src/a.ts && cat src/a.ts")).toMatch(
        /^export const a = 2;\n\[shelpa\] replaced src\/a\.ts: 1 line changed/,
      );
      expect(await client.run("tee -a APP.LOG", { stdin: "four\r\n" })).toMatch(/^\[shelpa\] appended to app\.log/);
      expect(await client.run("mv src/a.ts src/b.ts && cp src/b.ts c.ts && rm src/b.ts && mkdir -p x/y")).toContain(
        "[shelpa] made the directory x/y",
      );
      expect(await client.run("undo && undo && undo >/dev/null; cat src/a.ts app.log; ls")).toContain(
        "export const a = 1;\none\r\nERROR two\r\nERROR three\r\napp.log\nsrc\n",
      );
      expect(readFileSync(join(root, "src", "a.ts"), "utf8")).toBe("export const a = 1;\n");
      expect(readFileSync(join(root, "app.log"), "utf8")).toBe("one\r\nERROR two\r\nERROR three\r\n");
    });
  });

  test("refuses without an effect", async () => {
    await withServer(async (client, root) => {
      for (const line of ["rm app.log; curl x", "echo x > app.log", "echo x | tee ../x", "echo x | tee .git/config", "echo x | tee C:/x"])
        expect([line, (await client.run(line)).split(":")[0]]).toEqual([line, expect.stringMatching(/^[A-Z_]+$/)]);
      expect(readdirSync(root).sort()).toEqual(["app.log", "src"]);
    });
  });

  test("ends a line at its time, at its output's, and when it is cancelled, and goes on", async () => {
    await withServer(async (client) => {
      expect(await client.run("awk 'BEGIN { while (1) i++ }'", { timeout_seconds: 2 })).toMatch(/^LIMIT_TIME/);
      expect(await client.run("yes | head -c 100000000 | wc -c")).toBe("100000000\n");
      const { id } = client.request("tools/call", { name: "shelpa_pipe", arguments: { command: "sleep 300" } });
      client.send({ method: "notifications/cancelled", params: { requestId: id } });
      expect(await client.run("echo on")).toBe("on\n");
    });
  });

  test("ends a line at its memory, and goes on", async () => {
    await withServer(async (client) => {
      expect(
        await client.run("awk 'BEGIN { while (1) a[i++] = i \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\" }'", {
          timeout_seconds: 300,
        }),
      ).toMatch(/^LIMIT_MEMORY/);
      expect(await client.run("echo on")).toBe("on\n");
    });
  });

  test("that is killed while it writes leaves each file old or new, with its record, and the next one goes on", async () => {
    const root = realpathSync.native(mkdtempSync(join(tmpdir(), "shelpa-windows-")));
    try {
      for (let round = 0; round < KILLS; round++) {
        const client = new Client(root);
        await client.run("echo up");
        const line = `seq ${10_000 * (round + 1)} | tee a >/dev/null; seq ${round + 5} | tee b c d e >/dev/null`;
        const { answer } = client.request("tools/call", { name: "shelpa_pipe", arguments: { command: line } });
        await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 40 * round))]);
        client.child.kill();
        await new Promise((resolve) => client.child.once("exit", resolve));
        const next = new Client(root);
        const verified = await next.run("echo z | tee z >/dev/null; history | wc -l");
        expect([round, verified]).toEqual([round, expect.stringMatching(/^\d+\n/)]);
        for (const name of ["a", "b", "c", "d", "e"]) {
          // What seq wrote, whole: its last number is the number of its lines.
          const [count, last] = (await next.run(`cat ${name} 2>/dev/null | awk 'END { print NR, $0 + 0 }'`)).trim().split(" ");
          expect([round, name, count]).toEqual([round, name, last]);
        }
        await next.close();
      }
    } finally {
      rmSync(root, { recursive: true, force: true, maxRetries: 20 });
    }
  });
});

const KILLS = 6;
