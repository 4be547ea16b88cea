/** Process that writes one file in a given number of rounds, appending and overwriting in turn. Each text has its process id. */
import { createRecorder } from "../../src/audit/recorder.ts";
import { Workspace } from "../../src/workspace/workspace.ts";

const [root = "", rounds = "0"] = process.argv.slice(2);
const workspace = Workspace.open(root);
for (let round = 0; round < Number(rounds); round++) {
  const mode = round % 2 === 0 ? "append" : "overwrite";
  const recorder = createRecorder(workspace, { session: `s${process.pid}`, client: "writer", line: "tee f", confirmOversize: false });
  const transaction = recorder.begin(["f"], mode, "");
  transaction.write(Buffer.from(`${process.pid} ${round} ${"y".repeat((round * 131) % 5000)}\n`));
  transaction.commit();
}
workspace.close();
