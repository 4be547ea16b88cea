/**
 * `node dist/dev-flood.js URL CALLS LINE`: keeps CALLS calls of LINE in flight at the MCP endpoint URL until SIGTERM, in a process of its
 * own, so that whoever times other calls does not wait for this one's work. The token is SHELPA_HTTP_TOKEN. Prints how many were answered.
 */
import { Agent, request } from "node:http";

const [url = "", calls = "", command = ""] = process.argv.slice(2);
const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command } } });
const headers = {
  authorization: `Bearer ${process.env["SHELPA_HTTP_TOKEN"] ?? ""}`,
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
  "content-length": Buffer.byteLength(body),
};
const agent = new Agent({ keepAlive: true });
let answered = 0;

function call(): void {
  const sent = request(url, { method: "POST", agent, headers }, (response) => {
    response.resume().once("end", () => {
      answered++;
      call();
    });
  });
  // A connection that the server has just closed.
  sent.once("error", call);
  sent.end(body);
}

process.once("SIGTERM", () => {
  process.stdout.write(String(answered));
  process.exit();
});
for (let number = 0; number < Number(calls); number++) call();
