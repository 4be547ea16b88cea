/** A process that serves the shipped server over HTTP with the suites' fixtures and without a token. Argument: the root. */
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { serveOverHttp } from "../../src/mcp/http/serve-http.ts";
import { createShelpaServer } from "../../src/mcp/server.ts";
import { createShellService } from "../../src/mcp/service.ts";
import { verifyState, withFixtures } from "./fixtures.ts";

const service = await createShellService({ root: process.argv[2] ?? ".", policy: DEFAULT_POLICY, aliases: [], isolation: "none" });
const serving = await serveOverHttp(service, {
  version: "0.0.0",
  readOnly: false,
  host: "127.0.0.1",
  port: 0,
  gate: { hosts: [], origins: [] },
  log: (line) => process.stderr.write(`${line}\n`),
  // The fixtures seal states of their own; nothing here asks a human.
  createServer: (shell, options) => withFixtures(createShelpaServer(shell, { ...options, verifyState })),
});
process.stdout.write(`${serving.url}\n`);
process.on("SIGTERM", () => void serving.close().then(() => service.close()));
