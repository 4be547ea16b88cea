/**
 * node examples/demo.mjs [DIR]: the main job on real input. An MCP client starts shelpa-mcp on a copy of fixtures/ (or on DIR
 * itself), calls shelpa_pipe, and shows the answers, the file that was written, its record, and that it can be taken back.
 */
import { cpSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const project = fileURLToPath(new URL("..", import.meta.url));
const own = process.argv[2];
const root = own === undefined ? mkdtempSync(join(tmpdir(), "shelpa-demo-")) : resolve(own);
if (own === undefined) cpSync(join(project, "fixtures"), root, { recursive: true });

const client = new Client({ name: "demo", version: "1" });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [join(project, "dist/shelpa-mcp.js"), "--root", root] }));

const lines =
  own === undefined
    ? [
        "cd logs && tail -n 100 app.log | grep -n ERROR | sort -u | tee ../out/errors.txt",
        "cat ../out/errors.txt | wc -l",
        "tail -f app.log | grep ERROR",
        "echo done > status.txt",
      ]
    : ["ls -la", "grep -rn TODO . | head -n 5"];
async function show(command) {
  const answer = await client.callTool({ name: "shelpa_pipe", arguments: { command } });
  console.log(`\n> ${command}\n${answer.content.map((part) => part.text).join("\n")}`);
}

for (const command of lines) await show(command);
if (own === undefined) {
  console.log(`\n--- ${root}/out/errors.txt\n${readFileSync(join(root, "out/errors.txt"), "utf8")}`);
  console.log(`--- ${root}/.shelpa/out/errors.txt (its record)\n${readFileSync(join(root, ".shelpa/out/errors.txt"), "utf8")}`);
  for (const command of ["cd .. && undo", "ls out", "history"]) await show(command);
}
await client.close();
console.log(`\nTo go on, in a project of yours: node ${join(project, "dist/shelpa-mcp.js")} init`);
