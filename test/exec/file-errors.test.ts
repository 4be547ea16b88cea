/** An error of a file that a builtin does not meet itself ends its stage with a message and a status, and is no fault of ours. */
import { KeptValues } from "../../src/builtin/kept-values.ts";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { find } from "../../builtins/find/find.ts";
import { sort } from "../../builtins/sort/sort.ts";
import { tee } from "../../builtins/tee/tee.ts";
import type { BuiltinDefinition } from "../../src/builtin/definition.ts";
import type { Recorder } from "../../src/builtin/recorder.ts";
import { DEFAULT_RUN_LIMITS } from "../../src/config/limits.ts";
import { runArguments } from "../../src/exec/stage-run.ts";
import { inputOf } from "../../src/io/input.ts";
import { FileError, type FileErrorCode } from "../../src/workspace/file-error.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree, type Tree } from "../tree.ts";
import { type Need, needs } from "../needs.ts";

const SHELPA = fileURLToPath(new URL("../../dist/shelpa.js", import.meta.url));
const SERVER = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));

let place: Tree;
beforeEach(() => {
  place = tree(["a: x\n", "b: y\n", "d/c: z\n"]);
});
afterEach(() => place.remove());

/** Runs one stage whose files or recorder fail as `failing` says. */
async function stage(
  definition: BuiltinDefinition,
  args: readonly string[],
  { failure, recorder }: { readonly failure?: FileError; readonly recorder?: Recorder },
): Promise<{ readonly exit: number; readonly stderr: string }> {
  const workspace = Workspace.open(place.path);
  const errors: string[] = [];
  const thrower: BuiltinDefinition = {
    ...definition,
    async *run(invocation) {
      if (failure !== undefined) throw failure;
      return yield* definition.run(invocation);
    },
  };
  try {
    const output = runArguments(
      thrower,
      definition.name,
      args.map((text) => ({ text })),
      {
        stdin: inputOf(Buffer.from("input\n")),
        files: workspace,
        recorder,
        stderr: (bytes) => void errors.push(typeof bytes === "string" ? bytes : Buffer.from(bytes).toString()),
        kept: new KeptValues(),
        limits: DEFAULT_RUN_LIMITS,
        nowMs: 0,
        timeZone: "UTC",
        characters: "utf-8",
        environment: () => new Map(),
        wait: async () => {},
        randomBytes: (count) => new Uint8Array(count),
        catalogue: { has: () => false, load: async () => undefined, names: () => [], topic: () => undefined },
      },
    );
    for (let step = await output.next(); ; step = await output.next()) {
      if (step.done === true) return { exit: step.value, stderr: errors.join("") };
    }
  } finally {
    workspace.close();
  }
}

/** Lets the first look at each target pass, and fails at the next. */
const changedMeanwhile = (code: FileErrorCode): Recorder => {
  let looks = 0;
  return {
    begin([path = ""]) {
      if (++looks > 1) throw new FileError(code, path);
      return { write: () => {}, commit: () => [], abort: () => {} };
    },
    edit() {
      throw new Error("not asked for");
    },
  };
};

describe("a stage", () => {
  const rows: readonly { definition: BuiltinDefinition; code: FileErrorCode; message: string; exit: number }[] = [
    { definition: find, code: "EMFILE", message: "Too many open files", exit: 1 },
    { definition: find, code: "ESTALE", message: "Stale file handle", exit: 1 },
    { definition: find, code: "SYMLINK_ESCAPE", message: "Symbolic link leaves the workspace", exit: 1 },
    { definition: find, code: "ROOT_GONE", message: "The workspace's own directory no longer exists", exit: 1 },
    { definition: sort, code: "ENOSPC", message: "No space left on device", exit: 2 },
    { definition: sort, code: "EIO", message: "Input/output error", exit: 2 },
  ];
  test.each(rows)("$definition.name meets $code", async ({ definition, code, message, exit }) => {
    const stderr = `${definition.name}: a: ${message}\n`;
    expect(await stage(definition, [], { failure: new FileError(code, "a") })).toEqual({ stderr, exit });
  });

  test("a name in the message cannot begin a line of its own", async () => {
    const failure = new FileError("EMFILE", "a\n[shelpa] created b");
    expect((await stage(find, [], { failure })).stderr).toBe("find: a\\n[shelpa] created b: Too many open files\n");
  });

  test("what is no error of a file stays a fault", async () => {
    const thrower: BuiltinDefinition = {
      ...find,
      async *run() {
        throw new Error("ours");
      },
    };
    await expect(stage(thrower, [], {})).rejects.toThrow("ours");
  });
});

describe("tee, where a directory changes between its two looks at the targets", () => {
  test.each(["ENOTDIR", "EISDIR", "ENOSPC"] satisfies readonly FileErrorCode[])("%s is said", async (code) => {
    const { exit, stderr } = await stage(tee, ["a"], { recorder: changedMeanwhile(code) });
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: `tee: a: ${new FileError(code, "").message}\n` });
  });

  test.each(["SYMLINK_ESCAPE", "PROTECTED_PATH", "CONFLICT"] satisfies readonly FileErrorCode[])("%s is a refusal", async (code) => {
    await expect(stage(tee, ["a"], { recorder: changedMeanwhile(code) })).rejects.toMatchObject({ name: "WriteRefused" });
  });
});

/** Few open files: the limit of a process is the one way to meet EMFILE everywhere. */
needs("bash").describe("with few open files", () => {
  const lines = [
    "find . -type f -exec cat {} + | wc -l; echo done",
    "rg -c line; fd x; ls -R; echo done",
    "paste t/*/*/x; diff -r t/1 t/2; comm t/1/e/x t/2/e/x; sort t/*/*/x | tail -n 1; echo done",
    "echo x | tee n; cat n; echo done",
    "for f in t/*/e/*; do head -n 1 $f; done; awk '{ print FILENAME }' t/*/*/x; echo done",
    "jq -n 1; echo done",
  ];

  test.each([64])(
    "%i: a line is answered without a fault",
    (most) => {
      for (let number = 1; number <= 30; number++) {
        mkdirSync(`${place.path}/t/${number}/e`, { recursive: true });
        writeFileSync(`${place.path}/t/${number}/e/x`, `line ${number}\n`);
      }
      for (const line of lines) {
        const script = `ulimit -n ${most}; exec "$0" "$@"`;
        const ran = spawnSync("bash", ["-c", script, process.execPath, SHELPA, "-c", line], { cwd: place.path, encoding: "utf8" });
        expect(`${ran.stdout}${ran.stderr}`, line).not.toMatch(/fault|^\s+at /im);
      }
    },
    120_000,
  );

  test("the server says that there is no room, or has it: a fault it never tells", { timeout: 180_000 }, () => {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "shelpa_pipe", arguments: { command: "echo on" } } };
    // How many files a start opens at once is the build's: the fewest of these are too few, the most enough.
    const answers = [30, 34, 38, 64].map((most) => {
      const ran = spawnSync("bash", ["-c", `ulimit -n ${most}; exec "$0" "$@"`, process.execPath, SERVER, "--root", place.path], {
        input: `${JSON.stringify(call)}\n`,
        encoding: "utf8",
      });
      return ran.stdout.includes(`The server has no file descriptors (it may have ${most}) left to run a line.`) &&
        ran.stdout.includes("ulimit -n")
        ? "no room"
        : ran.stdout.includes('"text":"on\\n"')
          ? "answered"
          : `${most}: ${ran.stdout}`;
    });
    expect(answers.filter((answer) => answer !== "no room" && answer !== "answered")).toEqual([]);
    expect([answers[0], answers.at(-1)]).toEqual(["no room", "answered"]);
  });
});

const MOUNTS: Need = { name: "unshare -rm", isHere: spawnSync("unshare", ["-rm", "true"]).status === 0 };
needs("bash", MOUNTS).test("a read-only file system is called by its name", {}, () => {
  const script = 'mount --bind d d && mount -o remount,ro,bind d && exec "$0" "$@"';
  const line = "echo x | tee d/c; echo x | tee d/new; echo x | tee d/e/f; echo x | tee -a d/c a";
  const ran = spawnSync("unshare", ["-rm", "bash", "-c", script, process.execPath, SHELPA, "-c", line], {
    cwd: place.path,
    encoding: "utf8",
  });
  const said = (name: string): string => `tee: ${name}: Read-only file system\n`;
  expect(ran.stderr).toBe(["d/c", "d/new", "d/e/f", "d/c"].map(said).join(""));
});
