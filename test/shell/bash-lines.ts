/** Runs many command lines through one real bash and gives back what each printed. Used by the differential tests. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toBytes } from "../../src/io/text.ts";
import { skipWithout } from "../needs.ts";

export interface BashAnswer {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly exit: number;
}

export interface BashSetting {
  /** Commands before the lines; the default turns globs off. */
  readonly setup?: string;
  readonly home?: string;
  /** The directory in which the lines run; the default is an empty one. */
  readonly directory?: string;
  /** True to let a write whose reader has left end the writer, as it does outside of these tests. */
  readonly brokenPipesEnd?: boolean;
}

/** A line that chance made to run longer is ended, and says nothing. */
const CPU_SECONDS = 2;
/** 128 + SIGXCPU, SIGKILL. */
const ENDED: ReadonlySet<number> = new Set([152, 137]);
export const wasEnded = ({ exit }: BashAnswer): boolean => ENDED.has(exit);

export const BASH_HOME = "/home/me";

/**
 * The commands that exist: `t` and `f` print their words and their input and succeed or fail; `e` prints its words
 * to standard error. A write whose reader has left is no error here, because it depends on timing. PATH is empty, so nothing else can be run by a line that chance has made.
 */
const PREAMBLE = `
PATH=/nonexistent
[ -n "$BROKEN_PIPES_END" ] || trap '' PIPE
show() { printf '<%s>' "$@"; echo; IFS= read -r -d '' input || :; printf '%s' "$input"; } 2>/dev/null
t() { show "$@"; return 0; }
f() { show "$@"; return 1; }
e() { printf -v words '<%s>' "$@"; printf '%s\\n' "$words" >&2; return 0; }
mapfile -d '' lines < "$LINES_FILE"
LINE_AT=0
for line in "\${lines[@]}"; do
  ( ulimit -t $CPU_SECONDS; eval -- "$line" ) </dev/null >"$ANSWERS/$LINE_AT.out" 2>"$ANSWERS/$LINE_AT.err"
  echo $? >"$ANSWERS/$LINE_AT.exit"
  LINE_AT=$((LINE_AT + 1))
done
`;

/** Skips the test that is running where bash is missing: it proves nothing without. */
export function askBash(
  lines: readonly string[],
  { setup = "set -f", home = BASH_HOME, directory: cwd, brokenPipesEnd = false }: BashSetting = {},
): readonly BashAnswer[] {
  skipWithout("bash");
  const directory = mkdtempSync(join(tmpdir(), "shelpa-bash-"));
  try {
    mkdirSync(join(directory, "work"));
    mkdirSync(join(directory, "answers"));
    writeFileSync(join(directory, "lines"), Buffer.concat(lines.flatMap((line) => [toBytes(line), Buffer.of(0)])));
    const run = spawnSync("bash", ["--norc", "--noprofile", "-c", `${setup}\n${PREAMBLE}`], {
      cwd: cwd ?? join(directory, "work"),
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        LC_ALL: "C.UTF-8",
        BROKEN_PIPES_END: brokenPipesEnd ? "yes" : "",
        CPU_SECONDS: String(CPU_SECONDS),
        LINES_FILE: join(directory, "lines"),
        ANSWERS: join(directory, "answers"),
      },
      timeout: 400_000,
    });
    if (run.error !== undefined) throw new Error("these tests compare with bash, and it could not be run", { cause: run.error });
    return lines.map((_, index) => {
      const read = (kind: string): Buffer => readFileSync(join(directory, "answers", `${index}.${kind}`));
      return { stdout: read("out"), stderr: read("err"), exit: Number(read("exit").toString()) };
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
