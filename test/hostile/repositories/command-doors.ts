/** The commands of `shelpa-mcp` in a hostile tree: each ends, says no more than it may, and changes no more than it may. */
import type { GuardedPlace, Leave } from "./guarded-place.ts";
import type { Place } from "./place.ts";
import { Program } from "./program.ts";

export interface CommandDoor {
  readonly name: string;
  readonly args: (place: Place) => readonly string[];
  readonly stdin?: (place: Place) => string;
  readonly leave?: Leave;
  /** True if it prints bytes of files, which a pipe may have as they are (a terminal may not: test/cli/terminal.test.ts). */
  readonly isRaw?: boolean;
  /** Talks to one that serves, until it is to end; gives what is wrong. */
  readonly talk?: (program: Program, place: Place) => Promise<readonly string[]>;
}

const PATIENCE_MS = 30_000;
const rooted =
  (...words: readonly string[]) =>
  (place: Place) => [...words, "--root", place.root];

export const COMMAND_DOORS: readonly CommandDoor[] = [
  { name: "doctor", args: rooted("doctor") },
  { name: "init --print", args: rooted("init", "--client", "all", "--steer", "--hook", "--print"), isRaw: true },
  { name: "audit log", args: rooted("audit", "log") },
  { name: "audit show", args: rooted("audit", "show", "last") },
  { name: "audit diff", args: rooted("audit", "diff", "last"), isRaw: true },
  { name: "audit verify", args: rooted("audit", "verify") },
  { name: "audit report", args: rooted("audit", "report") },
  { name: "audit restore", args: rooted("audit", "restore", "last", "--dry-run") },
  { name: "policy check", args: rooted("policy", "check") },
  { name: "check", args: (place) => ["check", "--root", place.root, "cat * | tee new.txt; git status"] },
  {
    name: "hook",
    args: rooted("hook"),
    stdin: ({ root }) =>
      JSON.stringify({ hook_event_name: "PreToolUse", cwd: root, tool_name: "Bash", tool_input: { command: "grep -rn needle * | head" } }),
  },
  { name: "prompt", args: rooted("--interactive"), stdin: () => "ls -la\ncat *\ngit status\necho ok\nquit\n" },
  {
    name: "http",
    args: (place) => ["--root", place.root, "--http", "127.0.0.1:0"],
    talk: async (program) => {
      const url = await program.prints(/listening on (http:\S+)/, PATIENCE_MS);
      const token = await program.prints(/Bearer (\S+)/, PATIENCE_MS);
      if (url?.[1] === undefined || token?.[1] === undefined) return [];
      const wrong: string[] = [];
      for (const command of ["ls -la; cat *", "git status", "echo ok"]) {
        const body = {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "shelpa_pipe", arguments: { command, timeout_seconds: 2 } },
        };
        const headers = {
          authorization: `Bearer ${token[1]}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        };
        const text = await answered(url[1], { method: "POST", headers, body: JSON.stringify(body) });
        wrong.push(...leaks(text ?? ""));
        if (text === undefined || (command === "echo ok" && !text.includes("ok")))
          wrong.push(`${command}: ${text?.slice(0, 200) ?? "no answer"}`);
      }
      return wrong;
    },
  },
  {
    name: "viewer",
    args: rooted("audit", "serve"),
    talk: async (program) => {
      const url = await program.prints(/(http:\/\/127\.0\.0\.1:\d+)\/#(\S+)/, PATIENCE_MS);
      if (url === undefined) return [];
      const [, base = "", token = ""] = url;
      const headers = { authorization: `Bearer ${token}` };
      const texts = [];
      for (const path of [
        "/",
        "/api/entries",
        "/api/overview",
        "/api/export?format=csv",
        "/api/entry?key=1772025450395572000",
        "/api/verify",
        "/api/diff?record=1772025450395572000",
      ])
        texts.push(await answered(base + path, { headers }));
      return texts.flatMap((text, at) => (text === undefined ? [`request ${at} is not answered`] : [])).concat(leaks(texts.join("\n")));
    },
  },
  // The last, because they change the tree.
  { name: "init", args: rooted("init", "--client", "all", "--steer", "--hook"), leave: "init", isRaw: true },
];

/** All that is wrong with one door in a place. */
export async function tryCommand(door: CommandDoor, guarded: GuardedPlace): Promise<string[]> {
  const { place } = guarded;
  const program = new Program(place, door.args(place));
  const problems: string[] = [];
  try {
    if (door.stdin !== undefined) program.send(door.stdin(place));
    program.closeInput();
    if (door.talk !== undefined) {
      problems.push(...(await door.talk(program, place)));
      program.signal("SIGTERM");
    }
    const exit = await program.ends(PATIENCE_MS);
    if (exit === undefined) {
      problems.push(`it has not ended in ${PATIENCE_MS / 1000} s`);
      program.kill();
    }
    if (exit === null) problems.push("it was ended by a signal");
    const said = program.stdout + program.stderr;
    if (/^\s+at .+:\d+:\d+\)?$/m.test(program.stderr)) problems.push(`a fault: ${program.stderr.slice(0, 400)}`);
    const raw = door.isRaw === true ? null : /[^\P{Cc}\n\t\r]|\r(?!\n)/u.exec(said);
    if (raw !== null) problems.push(`a raw control character: ${JSON.stringify(said.slice(Math.max(0, raw.index - 60), raw.index + 40))}`);
    problems.push(
      ...(await program.leftBehind(PATIENCE_MS)).map((line) => `left behind: ${line}`),
      ...guarded.problems(said, door.leave ?? "nothing"),
    );
  } finally {
    program.kill();
  }
  return problems.map((what) => `${door.name}: ${what}`);
}

const leaks = (text: string): string[] => (/CANARY_(?:OUTSIDE|HOME|ENV)/.test(text) ? ["a canary is shown"] : []);

async function answered(url: string, options: RequestInit): Promise<string | undefined> {
  try {
    return await (await fetch(url, { ...options, signal: AbortSignal.timeout(PATIENCE_MS) })).text();
  } catch {
    // Not in time, or the connection was closed: no answer.
    return undefined;
  }
}
