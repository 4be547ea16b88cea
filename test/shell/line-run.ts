/** Runs lines through the guard and the engine with the three commands of bash-lines.ts besides the builtins. For tests alone. */
import { KeptValues } from "../../src/builtin/kept-values.ts";
import { loadBuiltins } from "../../builtins/registry.ts";
import { defineBuiltin, type BuiltinDefinition } from "../../src/builtin/definition.ts";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { runPlan } from "../../src/exec/engine.ts";
import { DEFAULT_RUN_LIMITS } from "../../src/config/limits.ts";
import { policyContext } from "../../src/guard/policy-context.ts";
import { checkStarting, planLine } from "../../src/guard/guard.ts";
import type { Violation } from "../../src/guard/violation.ts";
import { inputOf } from "../../src/io/input.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { Workspace } from "../../src/workspace/workspace.ts";

const allBuiltins = await loadBuiltins();

export type LineAnswer =
  | { readonly kind: "ran"; readonly stdout: string; readonly stderr: string; readonly exit: number }
  | { readonly kind: "refused"; readonly violation: Violation };

const shown = (operands: readonly string[]): string => `${operands.length === 0 ? "<>" : operands.map((word) => `<${word}>`).join("")}\n`;

function command(name: string, run: BuiltinDefinition["run"]): BuiltinDefinition {
  return defineBuiltin({
    name,
    summary: "Show what it is given.",
    standard: "none",
    reference: "bash-lines.ts",
    operands: { kind: "values" },
    syntax: "raw",
    flags: {},
    examples: [{ command: name, stdout: "<>\n" }],
    run,
  });
}

/** Prints its words and its input. */
const shows = (name: string, exit: number): BuiltinDefinition =>
  command(name, async function* ({ operands, stdin }) {
    let isRead = false;
    try {
      yield toBytes(shown(operands));
      for (let block = await stdin.read(); block !== undefined; block = await stdin.read()) yield block;
      isRead = true;
      return exit;
    } finally {
      // A write into a closed pipe does not end bash's: it reads on, and the next command finds nothing left.
      while (!isRead) isRead = (await stdin.read()) === undefined;
    }
  });

const complains = command("e", async function* ({ operands, stderr }) {
  yield* [];
  stderr(shown(operands));
  return 0;
});

const policy = policyContext([...allBuiltins, shows("t", 0), shows("f", 1), complains], { ...DEFAULT_POLICY, readOnly: true });

/** Runs `line` at the root of `directory`. Throws where it was stopped or is a fault of ours. */
export async function runLine(line: string, directory: string): Promise<LineAnswer> {
  const workspace = Workspace.open(directory, { aliases: [] });
  const context = {
    ...policy,
    currentDirectory: "",
    rootPath: workspace.rootPath,
    insideRoot: (path: string) => workspace.isUnderRoot(path),
  };
  try {
    const planned = planLine(line, context);
    if (planned.kind === "refused") return { kind: "refused", violation: planned.violations[0] };
    const stdout: Uint8Array[] = [];
    const stderr: Uint8Array[] = [];
    const result = await runPlan(planned.plan, {
      workspace,
      catalogue: policy.registry,
      currentDirectory: "",
      previousDirectory: undefined,
      stdin: inputOf(),
      sink: { stdout: (block) => void stdout.push(Buffer.from(block)), stderr: (block) => void stderr.push(Buffer.from(block)) },
      recorder: undefined,
      recordsRedirects: false,
      kept: new KeptValues(),
      limits: { ...DEFAULT_RUN_LIMITS, timeMs: 5000 },
      keepBytes: Infinity,
      signal: new AbortController().signal,
      nowMs: 0,
      timeZone: "UTC",
      checkStarting: async (text, stage, starting) => checkStarting(text, stage, starting, context),
    });
    if (result.kind === "refused") return { kind: "refused", violation: result.violations[0] };
    if (result.kind === "stopped") throw new Error(`stopped: ${result.limit} (${result.cap}): ${line}`);
    if (result.kind === "faulted") throw new Error(`${result.message}: ${line}`);
    return { kind: "ran", stdout: toText(Buffer.concat(stdout)), stderr: toText(Buffer.concat(stderr)), exit: result.exit };
  } finally {
    workspace.close();
  }
}
