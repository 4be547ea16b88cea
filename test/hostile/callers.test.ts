/** Attempts of one caller to go on with what another has left in their workspace: a session by its handle, an output by its id. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { RIGHTS } from "../../src/config/server/rights.ts";
import type { Authenticator } from "../../src/mcp/http/authenticator.ts";
import { serveOverHttp, type HttpServing } from "../../src/mcp/http/serve-http.ts";
import { createShellService } from "../../src/mcp/service.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let service: ShellService;
let serving: HttpServing;
/** What the owner has left. */
const left = { handle: "", output: "" };
const NOBODYS_HANDLE = "AAAAAAAAAAAAAAAAAAAAAA";
const NOBODYS_OUTPUT = "AAAAAAAAAAAA";

/** `Bearer NAME` or `Bearer NAME/SUBJECT`. */
const byName: Authenticator = {
  authenticate: async ({ authorization = "" }) => {
    const [name = "", subject] = authorization.replace(/^Bearer /, "").split("/");
    return { name, subject, rights: new Set(RIGHTS), mayEnter: () => true };
  },
};

beforeAll(async () => {
  place = tree(["sub/secret.txt: of the owner\n"]);
  service = await createShellService({ root: place.path, policy: DEFAULT_POLICY, aliases: [], isolation: "none" });
  serving = await serveOverHttp(service, {
    ...{ version: "0", readOnly: false, log: () => undefined, host: "127.0.0.1", port: 0, gate: { hosts: [], origins: [] } },
    authenticator: byName,
  });
  left.handle = handleIn(await call("owner", "cd sub; cat secret.txt | tee /tmp/x"));
  // So long that its id is told.
  left.output = /shelpa:\/\/output\/([\w-]+)/.exec(await call("owner", "seq 60000"))?.[1] ?? "";
  expect([left.handle, left.output]).not.toContain("");
});
afterAll(async () => {
  await serving.close();
  await service.close();
  place.remove();
});

const handleIn = (text: string): string => /"session\\?": \\?"([\w-]+)\\?"/.exec(text)?.[1] ?? "";

async function send(caller: string, method: string, params: object): Promise<string> {
  const answer = await fetch(serving.url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${caller}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return `${answer.status} ${await answer.text()}`;
}

const call = (caller: string, command: string, session?: string): Promise<string> =>
  send(caller, "tools/call", { name: "shelpa_pipe", arguments: { command, ...(session === undefined ? {} : { session }) } });
const read = (caller: string, id: string): Promise<string> => send(caller, "resources/read", { uri: `shelpa://output/${id}` });

test("the owner goes on with its own", async () => {
  expect(await call("owner", "pwd; cat /tmp/x", left.handle)).toContain("of the owner");
  expect(await read("owner", left.output)).toContain("59999\\n60000");
});

test.each(["other", "owner/somebody", "other/owner"])("to %s a session is one that nobody has", async (caller) => {
  const told = async (handle: string): Promise<string> => {
    const text = await call(caller, "pwd; cat /tmp/x", handle);
    const own = /session ([\w-]{22})/.exec(text)?.[1] ?? "no handle of its own";
    return text.replaceAll(own, "HANDLE").replaceAll(/"execution_time_ms":\d+/g, "");
  };
  const answer = await told(left.handle);
  expect(answer).toContain("That session is not known (any more); this is a new one: session HANDLE");
  expect(answer).toBe(await told(NOBODYS_HANDLE));
});

test("a session that was made in the place of another's is its caller's own", async () => {
  const made = /session ([\w-]{22})/.exec(await call("other", "cd sub", left.handle))?.[1] ?? "";
  expect(await call("other", "pwd", made)).toContain("/sub\\n");
  expect(await call("owner", "pwd", made)).toContain("That session is not known");
});

test.each(["other", "owner/somebody", "other/owner"])("to %s an output is one that nobody has", async (caller) => {
  const answer = await read(caller, left.output);
  expect(answer).toContain("is no output of a recent call");
  expect(answer.replaceAll(left.output, "ID")).toBe((await read(caller, NOBODYS_OUTPUT)).replaceAll(NOBODYS_OUTPUT, "ID"));
});
