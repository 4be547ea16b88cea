/** Builtins for the commands of a program: the guard, `help` and the engine know them as any other. */
import { defineBuiltin, type BuiltinDefinition, type Invocation } from "../builtin/definition.ts";
import { FileError } from "../workspace/file-error.ts";
import type { Files } from "../workspace/contract.ts";
import type { CommandHost } from "./command-host.ts";
import type { CommandFacts } from "./custom-command.ts";

/** Interval at which a call that waits for its command looks at its limits, in milliseconds. */
const LOOK_MS = 50;

export function customBuiltins(commands: readonly CommandFacts[], host: CommandHost): readonly BuiltinDefinition[] {
  return commands.map(({ name, summary, operands, example }) =>
    defineBuiltin({
      name,
      summary,
      standard: "none",
      reference: "a command of the program that this shell is part of",
      operands: operands === "paths" ? { kind: "paths", access: "read" } : { kind: "values" },
      flags: {},
      syntax: "raw",
      examples: [{ command: example, stdout: "" }],
      run: (invocation) => hosted(name, host, invocation),
    }),
  );
}

async function* hosted(name: string, host: CommandHost, invocation: Invocation): AsyncGenerator<Uint8Array, number> {
  const { operands, stdin, files, limits, stderr, wait } = invocation;
  const ended = new AbortController();
  const blocks = host({
    name,
    args: operands,
    currentDirectory: files.currentDirectory,
    heldBytes: limits.heldBytes,
    stdin: () => stdin.read(),
    readFile: async (path) => contentOf(files, path, limits.heldBytes),
    stderr,
    signal: ended.signal,
  });
  try {
    for (;;) {
      const step = await unlessStopped(blocks.next(), wait);
      if (step.done === true) return step.value;
      yield step.value;
    }
  } finally {
    ended.abort();
    // Not waited for: a command that does not look at its signal would hold the line up.
    blocks.return(1).catch(() => undefined);
    await stdin.close();
  }
}

/** The awaited value. Rejects as `wait` does once the call must end, whatever the command does. */
async function unlessStopped<T>(awaited: Promise<T>, wait: Invocation["wait"]): Promise<T> {
  for (;;) {
    const pause = wait(LOOK_MS).then(() => undefined);
    // The loser of a race has nobody else.
    pause.catch(() => undefined);
    const first = await Promise.race([awaited.then((value) => ({ value })), pause]);
    if (first !== undefined) return first.value;
  }
}

function contentOf(files: Files, path: string, mostBytes: number): Uint8Array {
  const file = files.open(path);
  try {
    if (file.size > mostBytes) throw new FileError("EFBIG", path);
    return Buffer.concat([...file.blocks()].map((block) => Buffer.from(block)));
  } finally {
    file.close();
  }
}
