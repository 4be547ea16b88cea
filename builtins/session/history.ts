/** `history`: what was written here, from the audit. */
import { defineBuiltin, type Invocation } from "../../src/builtin/definition.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { showName } from "../../src/display/visible.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { pathFromRoot, recordedPath } from "./recorded-path.ts";

export const history = defineBuiltin({
  name: "history",
  summary: "List the recorded writes, or those to each file or directory named: time, record, change, size, file and command line.",
  standard: "https://github.com/shelpa/shelpa-mcp/blob/main/docs/audit.md",
  reference: "no other tool: bash's history lists command lines",
  operands: { kind: "paths", access: "status" },
  flags: {},
  needsSession: true,
  silence: { 1: "knows of no write" },
  examples: [
    { command: "history a", files: { a: "x\n" }, stdout: "", exit: 1, note: "nothing was written to it" },
    { command: "echo x | tee b; history b | cut -f3-5", stdout: "x\ncreated\t2\tb\n" },
    { command: "echo x | tee d/b; history d | cut -f3-5", files: { "d/a": "" }, stdout: "x\ncreated\t2\td/b\n" },
  ],
  deviations: [
    {
      from: "bash 5.2",
      what: "history lists writes and not command lines",
      why: "a session keeps no command lines; the writes are kept, and can be undone",
    },
  ],
  async *run(invocation) {
    const { operands, server, warn, cursors } = invocation;
    if (server === undefined) {
      warn("there is no server here");
      return 1;
    }
    const out = new BlockBuilder();
    let isEmpty = true;
    try {
      for (const path of operands.length === 0 ? [""] : operands.map((operand) => knownPath(invocation, operand))) {
        for (const { ts, id, change, bytes, path: file, command } of server.writes(undefined)) {
          if (path !== "" && file !== path && !file.startsWith(`${path}/`)) continue;
          out.addText(`${[ts, id, change, String(bytes), file, command].map(showName).join("\t")}\n`);
          isEmpty = false;
          if (out.full) yield out.take();
        }
      }
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      warn(`${thrown.path}: ${thrown.message}`);
      return 2;
    }
    if (!out.empty) yield out.take();
    if (!isEmpty) cursors?.note("undo RECORD takes a write back, with what the same line wrote; undo FILE the last change to a file");
    const [count = ""] = operands;
    if (isEmpty && operands.length === 1 && /^[1-9]\d{0,5}$/.test(count)) {
      cursors?.note(`an operand is a file or a directory; the last ${count} writes: history | tail -n ${count}`);
    }
    return isEmpty ? 1 : 0;
  },
});

/** As answers and records name it where nothing is recorded of what it names here. */
function knownPath(invocation: Pick<Invocation, "files" | "server">, operand: string): string {
  const here = recordedPath(invocation, operand);
  const isKnown = (path: string): boolean => {
    for (const _write of invocation.server?.writes(path) ?? []) return true;
    return false;
  };
  const meant = pathFromRoot(operand);
  return !isKnown(here) && isKnown(meant) ? meant : here;
}
