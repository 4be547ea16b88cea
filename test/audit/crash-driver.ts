/**
 * A process that writes until it is killed. Waits for one message, the root, and answers after its first write. Each
 * round overwrites and appends, writes two files at once, appends to what somebody else wrote, and makes a file in a
 * new directory.
 */
import { createRecorder } from "../../src/audit/recorder.ts";
import type { WriteMode } from "../../src/builtin/recorder.ts";
import { Workspace } from "../../src/workspace/workspace.ts";

process.on("message", (root: string) => {
  const workspace = Workspace.open(root);
  const write = (files: readonly string[], mode: WriteMode, text: string): void => {
    const recorder = createRecorder(workspace, { session: "s", client: "crash", line: `tee ${files.join(" ")}`, confirmOversize: false });
    const transaction = recorder.begin(files, mode, "");
    transaction.write(Buffer.from(text));
    transaction.commit();
  };
  for (let round = 0; ; round++) {
    const text = `round ${round} of ${process.pid} ${"x".repeat((round * 7919) % 60_000)}\n`;
    write(["a.txt"], "overwrite", text);
    if (round === 0) process.send?.("writing");
    write(["a.txt"], "append", `+${text}`);
    write(["pair/one.txt", "pair/two.txt"], "overwrite", text);
    write(["log.txt"], "append", text.slice(0, 200));
    write([`new/${process.pid}/${round}.txt`], "overwrite", text);
  }
});
process.send?.("ready");
