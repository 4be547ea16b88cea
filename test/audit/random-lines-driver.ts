/**
 * Process that runs random lines of all writers in the root that it is told, until it is killed or has run so many. Answers after
 * its first line.
 */
import { nameOf } from "../../src/audit/paths.ts";
import { OUR_NAME } from "../../src/audit/random-name.ts";
import { Shell } from "../../src/session/shell.ts";
import { Dice } from "../fuzz/dice.ts";
import { ALL_WRITERS, randomCommand, randomWriter } from "../builtins/writers/random-line.ts";
import { treeState } from "../builtins/writers/tree-state.ts";

export interface DriverOrder {
  readonly root: string;
  readonly seed: number;
  /** Lines to run. */
  readonly lines: number;
}

process.on("message", async ({ root, seed, lines }: DriverOrder) => {
  const dice = new Dice("random lines", seed);
  const shell = await Shell.open({ root, isolation: "none", redirects: "record", client: `driver ${process.pid}`, timeZone: "UTC" });
  let wrote = 0;
  const refusals = new Set<string>();
  for (let number = 0; number < lines; number++) {
    const context = { dice, root, state: stateOf(root), number: seed * 1000 + number };
    const commands = dice.some(1, 2, () => randomCommand(randomWriter(context, ALL_WRITERS), context));
    const line = dice.chance(8) ? "undo" : commands.join("; ");
    const { result } = await shell.defaultSession.run(line);
    if (result.kind === "completed" && result.receipts.length > 0) wrote++;
    if (result.kind === "refused") refusals.add(result.violations[0].reason);
    if (result.kind === "faulted" || result.kind === "stopped") process.send?.({ wrong: `${line}: ${JSON.stringify(result)}` });
    if (number === 0) process.send?.("writing");
  }
  await shell.close();
  process.send?.({ wrote, refusals: [...refusals] });
  process.disconnect();
});

/** The tree, which another process may be changing: a line that names its temporary would make a file of that name. */
function stateOf(root: string): ReturnType<typeof treeState> {
  for (;;) {
    try {
      return new Map([...treeState(root)].filter(([path]) => !OUR_NAME.test(nameOf(path))));
    } catch (thrown) {
      if (!(thrown instanceof Error && "code" in thrown)) throw thrown;
    }
  }
}
process.send?.("ready");
