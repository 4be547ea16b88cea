/** Random small scripts over a small alphabet against the real sed. npm run fuzz -- sed N S runs N scripts from seed S. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sed } from "../../builtins/sed.ts";
import { parseArguments } from "../../src/builtin/arguments.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import type { Invocation } from "../../src/builtin/definition.ts";
import { inputOf } from "../../src/io/input.ts";
import { Workspace } from "../../src/workspace/workspace.ts";

const count = Number(process.env["SHELPA_FUZZ_RUNS"] ?? 150);
const seed = Number(process.env["SHELPA_FUZZ_SEED"] ?? 20260221);

function random(state: number): (below: number) => number {
  let now = state >>> 0;
  return (below) => {
    now = (now + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(now ^ (now >>> 15), now | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

class Generator {
  readonly #below: (below: number) => number;
  readonly #flags: string[];
  #depth = 0;

  constructor(state: number) {
    this.#below = random(state);
    this.#flags = this.pick<string[]>([], [], ["-n"], ["-n"], ["-s"], ["-z"], ["--posix"]);
  }

  /** GNU sed refuses or ignores its own extensions with --posix, and we do not: see the deviations of sed. */
  get #isPosix(): boolean {
    return this.#flags[0] === "--posix";
  }

  pick<T>(...options: readonly T[]): T {
    return options[this.#below(options.length)] as T;
  }

  many(most: number, one: () => string, between = ""): string {
    return Array.from({ length: 1 + this.#below(most) }, one).join(between);
  }

  atom(): string {
    if (this.#isPosix) return this.pick("a", "b", "c", "a", "b", ".", "[ab]", "[^a]", "\\(a*\\)", "\\(b\\)", "\\n", "x*", "ab*", "é");
    return this.pick(
      "a",
      "b",
      "c",
      "a",
      "b",
      ".",
      "[ab]",
      "[^a]",
      "\\(a\\|b\\)",
      "\\(a*\\)",
      "\\(b\\)",
      "\\n",
      "x*",
      "ab*",
      "\\<",
      "\\b",
      "b\\+",
      "a\\?",
      "é",
    );
  }

  regex(): string {
    return this.pick("", "", "", "^") + this.many(3, () => this.atom()) + this.pick("", "", "", "$");
  }

  address(): string {
    if (this.#isPosix) return this.pick("1", "2", "3", "$", `/${this.regex()}/`, `/${this.regex()}/`, "//");
    return this.pick("1", "2", "3", "$", "0~2", "2~3", `/${this.regex()}/`, `/${this.regex()}/`, `/${this.regex()}/I`, "//");
  }

  second(): string {
    if (this.#isPosix) return this.pick("1", "2", "4", "$", `/${this.regex()}/`);
    return this.pick("1", "2", "4", "$", "+1", "+0", "~2", `/${this.regex()}/`);
  }

  replacement(): string {
    if (this.#isPosix) return this.many(3, () => this.pick("x", "&", "[&]", "\\n", "ab", "", "\\&"));
    return this.many(3, () => this.pick("x", "&", "[&]", "\\n", "\\U", "\\l", "\\u", "\\L", "\\E", "ab", "", "\\&"));
  }

  command(): string {
    const address = this.pick("", "", this.address(), `${this.address()},${this.second()}`, this.#isPosix ? "" : `0,/${this.regex()}/`);
    const not = address === "" ? "" : this.pick("", "", "", "!");
    const flags = this.#isPosix ? this.pick("", "g", "p", "2", "gp", "2g") : this.pick("", "g", "p", "2", "I", "gp", "2g", "M", "Mg");
    const choice = this.#below(12);
    const body =
      choice < 4
        ? `s/${this.regex()}/${this.replacement()}/${flags}`
        : choice < 5 && this.#depth < 2
          ? this.block()
          : choice < 6
            ? `${this.#isPosix ? "c" : this.pick("a", "i", "c")}\\\n${this.pick("T", "  u", "v\\\nw")}`
            : this.#isPosix
              ? this.pick("p", "d", "n", "N", "P", "h", "H", "g", "G", "x", "=", "l", "y/ab/ba/", "t", "r f", "N")
              : this.pick(
                  "p",
                  "d",
                  "n",
                  "N",
                  "P",
                  "h",
                  "H",
                  "g",
                  "G",
                  "x",
                  "=",
                  "l",
                  "y/ab/ba/",
                  "z",
                  "t",
                  "T",
                  "r f",
                  "R f",
                  "l 4",
                  "N",
                  "F",
                );
    const quit =
      this.#below(20) === 0 ? `\n${this.pick("q", this.#isPosix ? "q" : "Q", this.#isPosix ? "q" : "q3", "$!d", "D", "$!{N\nD\n}")}` : "";
    // With --posix, GNU sed takes these with one address at most.
    const place = this.#isPosix && /^[=lr]/.test(body) && address.includes(",") ? "" : `${address}${not}`;
    return `${place}${body}${quit}`;
  }

  block(): string {
    this.#depth++;
    const inner = this.many(3, () => this.command(), "\n");
    this.#depth--;
    return `{\n${inner}\n}`;
  }

  script(): string {
    return this.many(4, () => this.command(), "\n");
  }

  /** ASCII alone: after an empty match GNU sed goes on by one byte, within a character too, and we by one character. */
  input(): string {
    return this.many(6, () => this.many(4, () => this.pick("a", "b", "c", "", "ab", " ", "-", "A")), "\n") + this.pick("\n", "\n", "");
  }

  flags(): readonly string[] {
    return this.#flags;
  }
}

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

async function ours(args: readonly string[], stdin: Buffer, root: string): Promise<Outcome> {
  const stdout: Uint8Array[] = [];
  let stderr = "";
  try {
    const parsed = parseArguments(
      sed,
      "sed",
      args.map((text) => ({ text })),
    );
    const invocation = {
      ...parsed,
      stdin: inputOf(stdin),
      files: Workspace.open(root),
      stderr: (bytes: Uint8Array | string) => void (stderr += Buffer.from(bytes as string).toString()),
      warn: (message: string) => void (stderr += `sed: ${message}\n`),
      limits: { lineBytes: 1 << 20, heldBytes: 1 << 22, spillBytes: 0 },
    } as unknown as Invocation<typeof sed.flags>;
    sed.check?.(invocation);
    const running = sed.run(invocation);
    for (;;) {
      const next = await running.next();
      if (next.done === true) return { stdout: Buffer.concat(stdout).toString(), stderr, exit: next.value };
      stdout.push(Buffer.from(next.value));
    }
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    return { stdout: "", stderr: `sed: ${thrown.message}\n`, exit: thrown.exit ?? 1 };
  }
}

test(`${count} scripts from seed ${seed}`, { timeout: 60_000 + count * 50 }, async () => {
  const root = mkdtempSync(join(tmpdir(), "sed-fuzz-"));
  const failures: unknown[] = [];
  try {
    writeFileSync(join(root, "f"), "F1\nF2");
    for (let number = 0; number < count && failures.length < 5; number++) {
      const generator = new Generator(seed + number);
      const [script, first, second, flags] = [generator.script(), generator.input(), generator.input(), generator.flags()];
      // To find out whether a line is the last, GNU sed opens the next file, and from there on F names that one.
      if (/F$/m.test(script) && script.includes("$")) continue;
      writeFileSync(join(root, "g"), second);
      const args = [...flags, "-e", script, "-", "g"];
      const ran = spawnSync("sed", args, {
        cwd: root,
        input: first,
        env: { PATH: process.env["PATH"] ?? "/usr/bin", LC_ALL: "C.UTF-8" },
        timeout: 2000,
        maxBuffer: 1 << 20,
      });
      if (ran.error !== undefined) continue;
      const real = { stdout: ran.stdout.toString(), stderr: ran.stderr.toString(), exit: ran.status ?? -1 };
      const mine = await ours(args, Buffer.from(first), root);
      if (JSON.stringify(mine) !== JSON.stringify(real)) failures.push({ seed: seed + number, args, first, second, real, mine });
    }
  } finally {
    rmSync(root, { recursive: true });
  }
  expect(failures.map((failure) => JSON.stringify(failure, undefined, 1)).join("\n")).toBe("");
});
