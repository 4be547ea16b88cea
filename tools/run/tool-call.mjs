/** One call of the tool over HTTP, without a session. Rejects where it is not answered with status 200. */
export async function callTool(endpoint, token, command) {
  const params = { name: "shelpa_pipe", arguments: { command } };
  const answer = await fetch(endpoint, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  if (answer.status !== 200) throw new Error(`${command}: ${answer.status} ${await answer.text()}`);
  await answer.text();
}
