/** Runs our grep in process, without a shell around it: for tests that ask for many thousand lines. */
import { KeptValues } from "../../../src/builtin/kept-values.ts";
import { grep } from "../../../builtins/grep/grep.ts";
import { parseArguments } from "../../../src/builtin/arguments.ts";
import { nativeExit, nativeMessage, UsageError } from "../../../src/builtin/usage-error.ts";
import type { Invocation } from "../../../src/builtin/definition.ts";
import { inputOf } from "../../../src/io/input.ts";
import { toBytes } from "../../../src/io/text.ts";
import { Workspace } from "../../../src/workspace/workspace.ts";

export interface Outcome {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly exit: number;
}

export async function runGrep(args: readonly string[], stdin: Uint8Array, directory: string): Promise<Outcome> {
  const stdout: Uint8Array[] = [];
  const files = Workspace.open(directory);
  let stderr = "";
  try {
    const parsed = parseArguments(
      grep,
      "grep",
      args.map((text) => ({ text })),
    );
    const invocation: Invocation<typeof grep.flags> = {
      ...parsed,
      stdin: inputOf(stdin),
      files,
      recorder: undefined,
      scratch: () => undefined,
      stderr: (bytes) => (stderr += typeof bytes === "string" ? bytes : Buffer.from(bytes).toString()),
      warn: (message) => (stderr += `grep: ${toBytes(message).toString()}\n`),
      kept: new KeptValues(),
      limits: { lineBytes: 1 << 20, heldBytes: 1 << 20, spillBytes: 0 },
      nowMs: 0,
      timeZone: "UTC",
      characters: "utf-8",
      environment: () => new Map(),
      wait: async () => {},
      randomBytes: (count) => new Uint8Array(count),
      catalogue: { has: () => false, load: async () => undefined, names: () => [], topic: () => undefined },
      scripts: new Set(),
      runScript: () => undefined,
      runStage: () => {
        throw new Error("grep runs no stage");
      },
    };
    grep.check?.(parsed);
    const stage = grep.run(invocation);
    for (let step = await stage.next(); ; step = await stage.next()) {
      if (step.done === true) return { stdout: Buffer.concat(stdout), stderr, exit: step.value };
      stdout.push(Buffer.from(step.value));
    }
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    return { stdout: Buffer.concat(stdout), stderr: stderr + nativeMessage(grep, "grep", thrown), exit: nativeExit(grep, thrown) };
  } finally {
    files.close();
  }
}
