/** Many workspaces behind one server: who gets to which, sessions and outputs apart, opening, closing and reloading. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { RIGHTS } from "../../src/config/server/rights.ts";
import type { Authenticator } from "../../src/mcp/http/authenticator.ts";
import { serveSite, type HttpServing } from "../../src/mcp/http/serve-http.ts";
import { Workspaces, type WorkspaceLimits } from "../../src/mcp/http/workspaces.ts";
import type { NotedEvent } from "../../src/mcp/server-events.ts";
import { completed, FakeShell, type Responder } from "./fake-shell.ts";

interface Setup {
  readonly name: string;
  readonly policy: string;
}

let serving: HttpServing | undefined;
afterEach(async () => {
  await serving?.close();
  serving = undefined;
});

/** `Bearer NAME` is NAME, who may enter workspaces that begin with a letter of the name, and every one as "root". */
const byName: Authenticator = {
  authenticate: async ({ authorization = "" }) => {
    const name = authorization.replace(/^Bearer /, "");
    return { name, rights: new Set(RIGHTS), mayEnter: (workspace) => name === "root" || name.includes(workspace[0] ?? "") };
  },
};

class Place {
  readonly setups = new Map<string, Setup>();
  /** Every shell that was opened, by the workspace's name. */
  readonly shells: [name: string, shell: FakeShell][] = [];
  readonly notes: NotedEvent[] = [];
  nowMs = 0;
  readonly workspaces: Workspaces<Setup>;
  #url = "";

  constructor(names: readonly string[], limits: Partial<WorkspaceLimits> = {}, respond?: (name: string) => Responder) {
    for (const name of names) this.setups.set(name, { name, policy: "1" });
    this.workspaces = new Workspaces<Setup>({
      find: async (name) => {
        const setup = this.setups.get(name);
        if (setup?.policy === "wrong") throw new Error("the policy is wrong");
        return setup === undefined ? undefined : { ...setup };
      },
      open: async ({ name, policy }) => {
        if (policy === "cannot open") throw new Error("no such directory");
        const shell = new FakeShell(respond?.(name) ?? (({ command }) => completed({ stdout: `${name} ran ${command}\n` })));
        this.shells.push([name, shell]);
        return { service: shell, options: { version: "0", readOnly: false, log: () => undefined } };
      },
      limits: { open: 10, requests: 3, idleMs: 1000, sessions: 100, ...limits },
      noted: (event) => this.notes.push(event),
      nowMs: () => this.nowMs,
    });
  }

  async serve(): Promise<this> {
    const gate = { hosts: [], origins: [] };
    serving = await serveSite(this.workspaces, "", { host: "127.0.0.1", port: 0, gate, authenticator: byName, log: () => undefined });
    this.#url = serving.url;
    return this;
  }

  async post(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; text: string; session: string }> {
    const answer = await fetch(`${this.#url}${path}`, {
      method: "POST",
      headers: {
        authorization: "Bearer root",
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...headers,
      },
      body: JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text(), session: answer.headers.get("mcp-session-id") ?? "" };
  }

  call(name: string, command: string, headers?: Readonly<Record<string, string>>): Promise<{ status: number; text: string }> {
    return this.post(`/w/${name}/mcp`, message("tools/call", { name: "shelpa_pipe", arguments: { command } }), headers);
  }

  initialize(name: string, headers?: Readonly<Record<string, string>>): Promise<{ status: number; session: string }> {
    const clientInfo = { name: "t", version: "0" };
    return this.post(`/w/${name}/mcp`, message("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }), headers);
  }

  shellsOf(name: string): FakeShell[] {
    return this.shells.filter(([of]) => of === name).map(([, shell]) => shell);
  }
}

const message = (method: string, params: object): object => ({ jsonrpc: "2.0", id: 1, method, params });

describe("paths", () => {
  test.each<[path: string, status: number]>([
    ["/w/alpha/mcp", 200],
    ["/w/alpha/mcp?x=1", 200],
    ["/w/gone/mcp", 404],
    ["/mcp", 404],
    ["/w/alpha", 404],
    ["/w/alpha/mcp/", 404],
    ["/w//mcp", 404],
    ["/w/../alpha/mcp", 404],
    ["/w/alpha%2f/mcp", 404],
    ["/w/%61lpha/mcp", 404],
    ["/w/ALPHA/mcp", 404],
    ["/w/alpha/../beta/mcp", 404],
  ])("%s: %i", async (path, status) => {
    const place = await new Place(["alpha"]).serve();
    const answer = await place.post(path, message("tools/call", { name: "shelpa_pipe", arguments: { command: "ls" } }));
    expect(answer.status).toBe(status);
    expect(place.shells).toHaveLength(status === 200 ? 1 : 0);
  });
});

describe("callers", () => {
  test("a workspace that is another's and one that is not there look the same, and open nothing", async () => {
    const place = await new Place(["alpha", "beta"]).serve();
    const headers = { authorization: "Bearer a" };
    const [own, other, none] = [
      await place.call("alpha", "ls", headers),
      await place.call("beta", "ls", headers),
      await place.call("bogus", "ls", headers),
    ];
    expect(own.status).toBe(200);
    expect(other).toMatchObject({ status: 404, text: none.text });
    expect(place.shellsOf("beta")).toEqual([]);
  });

  test("a session is of one workspace and of one caller", async () => {
    const place = await new Place(["alpha", "atlas"]).serve();
    const { session } = await place.initialize("alpha", { authorization: "Bearer a" });
    const headers = { "mcp-session-id": session };
    expect((await place.call("alpha", "ls", { ...headers, authorization: "Bearer a" })).status).toBe(200);
    expect((await place.call("alpha", "ls", { ...headers, authorization: "Bearer al" })).status).toBe(404);
    expect((await place.call("atlas", "ls", { ...headers, authorization: "Bearer a" })).status).toBe(404);
    expect(place.shellsOf("atlas").flatMap(({ requests }) => requests)).toEqual([]);
  });

  test("an output is found in its own workspace alone", async () => {
    const place = await new Place(["alpha", "beta"]).serve();
    const uri = async (name: string, id: string): Promise<string> =>
      (await place.post(`/w/${name}/mcp`, message("resources/read", { uri: `shelpa://output/${id}` }))).text;
    await place.call("alpha", "ls");
    await place.call("beta", "ls");
    const [kept] = place.shellsOf("alpha")[0]?.keptOutputs() ?? [];
    expect(await uri("alpha", kept?.id ?? "")).toContain("alpha ran ls");
    expect(await uri("beta", kept?.id ?? "")).toContain('"error"');
  });
});

describe("opening and closing", () => {
  test("one is opened by its first call, once, and stays open for the next", async () => {
    const place = await new Place(["alpha", "beta"]).serve();
    expect(place.shells).toEqual([]);
    await Promise.all([place.call("alpha", "1"), place.call("alpha", "2"), place.call("alpha", "3")]);
    await place.call("alpha", "4");
    expect(place.shells.map(([name]) => name)).toEqual(["alpha"]);
  });

  test("an idle one is closed, unless a session of it is kept", async () => {
    const place = await new Place(["alpha", "beta", "gamma"]).serve();
    await place.call("alpha", "ls");
    await place.initialize("beta");
    await place.call("gamma", "ls");
    for (const shell of place.shellsOf("gamma")) shell.keepsSessions = true;
    place.nowMs = 2000;
    place.workspaces.closeIdle();
    await place.call("alpha", "again");
    expect(place.shellsOf("alpha").map(({ isClosed }) => isClosed)).toEqual([true, false]);
    expect(place.shellsOf("beta").map(({ isClosed }) => isClosed)).toEqual([false]);
    expect(place.shellsOf("gamma").map(({ isClosed }) => isClosed)).toEqual([false]);
  });

  test("as many as may be are open: the one unused longest gives way, never one that is in use", async () => {
    const gates = new Map<string, () => void>();
    const waiting =
      (name: string): Responder =>
      async () => {
        await new Promise<void>((resolve) => gates.set(name, resolve));
        return completed({ stdout: "done\n" });
      };
    const place = await new Place(["alpha", "beta", "gamma"], { open: 2 }, waiting).serve();
    const calls = [place.call("alpha", "ls"), place.call("beta", "ls")];
    await expect.poll(() => gates.size, { timeout: 30_000 }).toBe(2);
    expect(await place.call("gamma", "ls")).toMatchObject({ status: 503 });
    gates.get("alpha")?.();
    await calls[0];
    const third = place.call("gamma", "ls");
    await expect.poll(() => gates.has("gamma"), { timeout: 30_000 }).toBe(true);
    for (const open of gates.values()) open();
    expect((await third).status).toBe(200);
    expect((await calls[1])?.status).toBe(200);
    expect(place.shellsOf("alpha").map(({ isClosed }) => isClosed)).toEqual([true]);
    expect(place.shellsOf("beta").map(({ isClosed }) => isClosed)).toEqual([false]);
  });

  test("one that cannot be opened says so to nobody but the log, and is tried again", async () => {
    const place = await new Place(["alpha"]).serve();
    for (const policy of ["wrong", "cannot open"]) {
      place.setups.set("alpha", { name: "alpha", policy });
      const answer = await place.call("alpha", "ls");
      expect(answer.status).toBe(503);
      expect(answer.text).not.toMatch(/policy|directory/);
    }
    expect(place.notes.map(({ message: text, workspace }) => `${workspace}: ${text}`)).toEqual([
      "alpha: the policy is wrong",
      "alpha: no such directory",
    ]);
    place.setups.set("alpha", { name: "alpha", policy: "2" });
    expect((await place.call("alpha", "ls")).status).toBe(200);
  });
});

test("a session that nobody uses gives way to one of another workspace, and none that is in use", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const place = await new Place(["alpha", "beta"], { sessions: 2 }).serve();
    const opened = [await place.initialize("alpha"), await place.initialize("alpha")];
    expect((await place.initialize("beta")).status).toBe(503);
    vi.setSystemTime(Date.now() + 6 * 60_000);
    const inUse = { "mcp-session-id": opened[0]?.session ?? "" };
    expect((await place.call("alpha", "ls", inUse)).status).toBe(200);
    expect((await place.initialize("beta")).status).toBe(200);
    expect((await place.call("alpha", "ls", { "mcp-session-id": opened[1]?.session ?? "" })).status).toBe(404);
    expect((await place.call("alpha", "ls", inUse)).status).toBe(200);
    expect((await place.initialize("beta")).status).toBe(503);
  } finally {
    vi.useRealTimers();
  }
});

test("one with too many requests at once is answered 429, and the others as ever", { timeout: 30_000 }, async () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const waiting =
    (name: string): Responder =>
    async () => {
      if (name === "alpha") await opened;
      return completed({ stdout: "done\n" });
    };
  const place = await new Place(["alpha", "beta"], {}, waiting).serve();
  const calls = ["1", "2", "3"].map((command) => place.call("alpha", command));
  await expect.poll(() => place.shellsOf("alpha")[0]?.requests.length, { timeout: 30_000 }).toBe(3);
  const fourth = place.call("alpha", "4");
  expect((await place.call("beta", "ls")).status).toBe(200);
  expect((await fourth).status).toBe(429);
  open();
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(place.shellsOf("alpha")[0]?.requests).toHaveLength(3);
});

describe("reloading", () => {
  test("a changed one is opened anew for later calls, and loses none that runs; the others stay", async () => {
    let release = (): void => undefined;
    const waiting =
      (name: string): Responder =>
      async ({ command }) => {
        if (command === "long") await new Promise<void>((resolve) => (release = resolve));
        return completed({ stdout: `${name} ran ${command}\n` });
      };
    const place = await new Place(["alpha", "beta"], {}, waiting).serve();
    await place.call("beta", "ls");
    const { session } = await place.initialize("beta");
    const long = place.call("alpha", "long");
    await expect.poll(() => place.shellsOf("alpha")[0]?.requests.length, { timeout: 30_000 }).toBe(1);
    place.setups.set("alpha", { name: "alpha", policy: "2" });
    await place.workspaces.reload();
    expect((await place.call("alpha", "ls")).status).toBe(200);
    expect(place.shellsOf("alpha").map(({ isClosed }) => isClosed)).toEqual([false, false]);
    release();
    expect((await long).text).toContain("alpha ran long");
    await expect.poll(() => place.shellsOf("alpha")[0]?.isClosed, { timeout: 30_000 }).toBe(true);
    expect((await place.call("beta", "ls", { "mcp-session-id": session })).status).toBe(200);
    expect(place.shellsOf("beta")).toHaveLength(1);
  });

  test("one that is gone is closed, and one whose new setup is wrong goes on with the old", async () => {
    const place = await new Place(["alpha", "beta"]).serve();
    await place.call("alpha", "ls");
    await place.call("beta", "ls");
    place.setups.delete("alpha");
    place.setups.set("beta", { name: "beta", policy: "wrong" });
    await place.workspaces.reload();
    expect((await place.call("alpha", "ls")).status).toBe(404);
    expect((await place.call("beta", "ls")).status).toBe(200);
    expect(place.shellsOf("beta")).toHaveLength(1);
  });
});
